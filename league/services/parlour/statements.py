"""Settling up with guests (精算): statements, payments, the account, and other items on a bill."""

from __future__ import annotations

import datetime as dt

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Competition, Extra, Parlour, Payment, Player, SittingSeat, Statement, StatementLine
from league.platform.errors import conflict, refuse, refuse_without_reason
from league.selectors.access.actors import Actor
from league.selectors.parlour.board import business_day
from league.selectors.parlour.dues import Due, DueLine, balances_of, due_of
from league.selectors.parlour.till import till_closed
from league.services.access.changes import after_last, open_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.parlour.checks import lock_parlour, note, refuse_during_followed_game
from league.services.parlour.leaving import refuse_left_before, stand_up
from league.wording.formatting import day_text, money_text


@all_or_nothing
def settle(
    *,
    parlour: Parlour,
    player: Player,
    by: Actor,
    is_paid: bool = True,
    leaves: bool = True,
    at: dt.datetime | None = None,
    expected: int | None = None,
) -> Statement | None:
    """Settle up with a guest; return the statement, or None if no line was open.

    1. Refuse a total other than the clerk saw (`expected`): a game may have been entered meanwhile.
    2. Write a statement with every open line, differences of corrections included.
    3. Paid: the till takes the total with the amount on account, or gives it back. Else it goes on account.
    4. With `leaves` the guest stands up from every table.
    """
    books = lock_parlour(parlour, by)
    person = _kept(player)
    moment = at or timezone.now()
    day = business_day(books[0], moment)
    refuse_closed_till(parlour, day)
    due = due_of(parlour, person, moment)
    if expected is not None and expected != due.total:
        shown = {"now": money_text(due.total, parlour.currency), "seen": money_text(expected, parlour.currency)}
        message = _("The total is %(now)s by now, not %(seen)s. Look at the lines again.")
        raise conflict("total_changed", message % shown, "/expected", total=due.total)
    if leaves:
        for seat in _seats_of(parlour, person):
            refuse_left_before(seat, moment)
            refuse_during_followed_game(seat.sitting)
            stand_up(seat, moment)
    statement = _write(parlour, due, person, day, books[0], moment, by) if due.guest_lines else None
    if is_paid and due.total:
        _pay(parlour, person, due.total, day, moment, by, statement)
    if statement is None:
        change = open_change(books[0], by)
        note(change, "guest.left", parlour, after={"player": person.pk, "paid": due.total if is_paid else 0})
    return statement


def _kept(player: Player) -> Player:
    """Return the entry kept after merging. What a person owes can be settled after their data was erased, too."""
    return Player.objects.get(pk=player.pk).kept


def _seats_of(parlour: Parlour, player: Player) -> QuerySet[SittingSeat]:
    """Return the seats that a guest takes in the parlour now."""
    own = SittingSeat.objects.filter(entrant__player=player, left_at=None)
    return own.filter(sitting__table_session__competition__parlour=parlour)


def refuse_closed_till(parlour: Parlour, day: dt.date) -> None:
    """Raise ConflictError if the till of the business day is closed."""
    if till_closed(parlour, day) is not None:
        message = _("The books of %(day)s are closed. A director can reopen the day.")
        raise conflict("day_closed", message % {"day": day_text(day)})


def _write(
    parlour: Parlour, due: Due, player: Player, day: dt.date, book: Competition, at: dt.datetime, by: Actor
) -> Statement:
    """Write a statement of the open lines with its change."""
    change = open_change(book, by)
    lines = due.guest_lines
    statement = Statement.objects.create(
        parlour=parlour,
        player=player,
        number=after_last(Statement.objects.filter(parlour=parlour), "number"),
        day=day,
        at=at,
        by=by.user,
        money=sum(line.money for line in lines),
    )
    StatementLine.objects.bulk_create(_row(statement, line) for line in lines)
    note(change, "statement.made", statement, after={"player": player.pk, "money": statement.money})
    return statement


def _row(statement: Statement, line: DueLine) -> StatementLine:
    return StatementLine(
        statement=statement,
        kind=line.kind,
        day=line.day,
        hanchan_id=line.hanchan,
        sheet_id=line.sheet,
        sitting_id=line.sitting,
        extra_id=line.extra,
        money=line.money,
        amounts=dict(line.amounts),
        is_late=line.is_late,
        detail=dict(line.detail),
    )


def _pay(
    parlour: Parlour,
    player: Player,
    money: int,
    day: dt.date,
    at: dt.datetime,
    by: Actor,
    statement: Statement | None = None,
) -> Payment:
    return Payment.objects.create(
        parlour=parlour, player=player, statement=statement, money=money, day=day, at=at, by=by.user
    )


def settle_on_account(
    parlour: Parlour, due: Due, day: dt.date, book: Competition, at: dt.datetime, by: Actor
) -> Statement:
    """Put what a guest owes on account, as the close of a day does; the caller has locked the parlour."""
    return _write(parlour, due, Player.objects.get(pk=due.person), day, book, at, by)


@all_or_nothing
def pay_account(*, parlour: Parlour, player: Player, money: int, by: Actor, at: dt.datetime | None = None) -> Payment:
    """Take money for what a guest has on account, or give back (negative) what the house owes.

    Raise if it is 0, or more than is on account.
    """
    books = lock_parlour(parlour, by)
    person, moment = _kept(player), at or timezone.now()
    day = business_day(books[0], moment)
    refuse_closed_till(parlour, day)
    balance = balances_of(parlour).get(person.pk, 0)
    if not money or abs(money) > abs(balance) or (money > 0) != (balance > 0):
        shown = {"balance": money_text(balance, parlour.currency), "money": money_text(money, parlour.currency)}
        message = _("%(balance)s are on account; %(money)s cannot be taken for it.")
        raise refuse("not_on_account", message % shown, "/money", balance=balance)
    change = open_change(books[0], by)
    payment = _pay(parlour, person, money, day, moment, by)
    note(change, "payment.taken", payment, after={"player": person.pk, "money": money})
    return payment


@all_or_nothing
def cancel_statement(*, statement: Statement, by: Actor, reason: str) -> Statement:
    """Cancel a statement made by mistake: its lines are open again and its payment is given back.

    The guest does not sit down again by this. Raise for a closed day, also of one of the lines, and for a statement
    cancelled before.
    """
    parlour = statement.parlour
    books = lock_parlour(parlour, by)
    found = Statement.objects.select_related("player", "parlour").get(pk=statement.pk)
    if found.cancelled_at is not None:
        raise conflict(
            "statement_cancelled", _("Statement %(number)s is cancelled already.") % {"number": found.number}
        )
    # Lines of a closed day would be open again where neither the dues nor the till of any open day count them.
    for day in sorted({found.day, *found.lines.values_list("day", flat=True)}):
        refuse_closed_till(parlour, day)
    refuse_without_reason(reason)
    refuse_too_long(Statement, {"cancel_reason": reason})
    refuse_settled_further(found)
    moment = timezone.now()
    today = business_day(books[0], moment)
    refuse_closed_till(parlour, today)
    change = open_change(books[0], by)
    found.cancelled_at, found.cancelled_by, found.cancel_reason = moment, by.user, reason.strip()
    found.save(update_fields=["cancelled_at", "cancelled_by", "cancel_reason"])
    for payment in Payment.objects.filter(statement=found):
        _pay(parlour, found.player, -payment.money, today, moment, by, found)
    note(change, "statement.cancelled", found, before={"money": found.money}, reason=reason)
    return found


def refuse_settled_further(statement: Statement) -> None:
    """Raise ConflictError if a later statement holds differences of this one's games, or gives back its hours."""
    games = statement.lines.exclude(hanchan=None).values("hanchan")
    hours = statement.lines.filter(kind=StatementLine.Kind.HOURS).values_list("detail__from", flat=True)
    later = StatementLine.objects.filter(
        Q(hanchan__in=games) | Q(kind=StatementLine.Kind.HOURS, detail__from__in=list(hours)),
        is_late=True,
        statement__player=statement.player_id,
        statement__number__gt=statement.number,
        statement__cancelled_at=None,
    ).select_related("statement")
    found = later.first()
    if found is not None:
        message = _("Statement %(later)s corrects lines of this one. Cancel that one first.")
        raise conflict("settled_further", message % {"later": found.statement.number})


@all_or_nothing
def add_extra(
    *, parlour: Parlour, player: Player, label: str, money: int, by: Actor, at: dt.datetime | None = None
) -> Extra:
    """Put another item on a guest's bill; a negative amount is a discount."""
    books = lock_parlour(parlour, by)
    person, moment = _kept(player), at or timezone.now()
    day = business_day(books[0], moment)
    refuse_closed_till(parlour, day)
    refuse_too_long(Extra, {"label": label})
    if not label.strip():
        raise refuse("label_needed", _("Say what it is, such as “Tea”."), "/label")
    if not money:
        raise refuse("money_needed", _("Enter an amount; a discount is negative."), "/money")
    change = open_change(books[0], by)
    extra = Extra.objects.create(
        parlour=parlour, player=person, day=day, label=label.strip(), money=money, at=moment, by=by.user
    )
    note(change, "extra.added", extra, after={"player": person.pk, "money": money})
    return extra


@all_or_nothing
def cancel_extra(*, extra: Extra, by: Actor) -> Extra:
    """Take an item off a bill again; if a statement holds it, the difference is due."""
    books = lock_parlour(extra.parlour, by)
    found = Extra.objects.get(pk=extra.pk)
    if found.cancelled_at is not None:
        raise conflict("extra_cancelled", _("“%(label)s” is off the bill already.") % {"label": found.label})
    refuse_closed_till(extra.parlour, found.day)
    change = open_change(books[0], by)
    found.cancelled_at = timezone.now()
    found.save(update_fields=["cancelled_at"])
    note(change, "extra.cancelled", found, before={"money": found.money})
    return found
