"""The counter page of one table: record or correct a game, seat guests, enter chips, close the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.contrib import messages
from django.db import transaction
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.forms.fields import number_of
from league.forms.parlour.counter import CounterGame, GameForm
from league.forms.parlour.sitting import ChipsForm
from league.models import (
    Entrant,
    Hanchan,
    Parlour,
    ResultSheet,
    SeatResult,
    Sitting,
    SittingAmount,
)
from league.platform.errors import ConflictError, PermissionRefusedError, ServiceError
from league.platform.rendering import render
from league.selectors.access.actors import Actor, Capability
from league.selectors.parlour.board import Running, business_day, closed_day, running, table_rules, was_closed_before
from league.selectors.parlour.days import minutes_of, set_table_fee
from league.selectors.parlour.following import followed_game, submitted_sheet
from league.selectors.parlour.houses import require_in
from league.selectors.parlour.previewed_fees import tariff_of_table
from league.services.parlour.chips import record_sitting_amounts
from league.services.parlour.games import (
    Person,
    correct_last_game,
    record_game,
    take_back_last_game,
)
from league.services.parlour.sittings import (
    close_sitting,
    is_missing_chips,
    reopen_sitting,
)
from league.services.results.entry import SheetEntry
from league.views.parlour.board import (
    RefusalsTo,
    actor_of,
    back_to,
    frame,
    may,
    refusals_as_messages,
    sitting_of,
    staff_page,
    table_of,
)
from league.views.parlour.chairs import chairs_part
from league.wording.names import person_name, title_in


def next_game(table: Running) -> CounterGame:
    """Return the table's next game: as the table has submitted it, or as far as it is known before it is played."""
    today, people = business_day(table.competition), tuple(Person.of(seat) for seat in table.seated)
    is_of_earlier_day = table.followed is None and table.day is not None and table.day < today
    submitted = submitted_sheet(table.followed) if table.followed is not None else None
    return CounterGame(
        rules=table.rules,
        people=people,
        names=tuple(person_name(seat.entrant.player) for seat in table.seated),
        round=table.next_round,
        dealer=table.next_dealer,
        asks_chips=table.sitting.chips == Sitting.Chips.PER_GAME,
        options=table.sitting.options,
        entry=by_chair(SheetEntry.of_sheet(submitted), people) if submitted else None,
        own_day=table.day if is_of_earlier_day else None,
        is_late=was_closed_before(table.competition, table.day),
    )


def by_chair(entry: SheetEntry, people: Sequence[Person]) -> SheetEntry | None:
    """Return the entry with its seats in the order of the chairs; None if others sit there."""
    there = [seat.entrant for seat in entry.seats]
    if sorted(there) != sorted(person.entrant for person in people):
        return None
    seats = [there.index(person.entrant) for person in people]
    return replace(
        entry,
        seats=tuple(entry.seats[seat] for seat in seats),
        carried={ledger: tuple(amounts[seat] for seat in seats) for ledger, amounts in entry.carried.items()},
        tobi=tuple((seats.index(busted), seats.index(receiver)) for busted, receiver in entry.tobi),
        forced_top=None if entry.forced_top is None else seats.index(entry.forced_top),
    )


def last_game(table: Running) -> CounterGame:
    """Return the last game for correction, with its own players from the first dealer on, rules and options."""
    if table.last is None:
        raise Http404(_("No game has been entered at this table."))
    sheet = table.last.sheet
    entry = SheetEntry.of_sheet(sheet)
    return CounterGame(
        rules=table_rules(sheet.rules, sheet.options),
        people=tuple(Person(seat.entrant, seat.player) for seat in entry.seats),
        names=tuple(person_name(row.entrant.player) for row in table.last.results),
        round=table.last.hanchan.round,
        dealer=0 if entry.are_seats_known else None,
        asks_chips=table.sitting.chips == Sitting.Chips.PER_GAME,
        options=sheet.options,
        entry=entry,
        corrects=sheet.revision,
    )


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game in the sitting's list, with its results by place."""

    hanchan: Hanchan
    results: tuple[SeatResult, ...]
    is_verdict: bool
    """True if the scores were not counted and stand for a verdict."""


def games_of(sitting: Sitting) -> list[PlayedGame]:
    """Return the sitting's counting games, newest first."""
    seats = SeatResult.objects.select_related("entrant__player__merged_into").order_by("place", "seat")
    sheets = (
        ResultSheet.objects.counting()
        .filter(hanchan__table_session=sitting.table_session_id)
        .select_related("hanchan")
        .prefetch_related(Prefetch("seats", seats))
        .order_by("-hanchan__round")
    )
    return [
        PlayedGame(sheet.hanchan, tuple(sheet.seats.all()), sheet.facts.get("is_verdict", False)) for sheet in sheets
    ]


@staff_page
def counter(request: HttpRequest, parlour: Parlour, pk: int) -> HttpResponse:
    """Show a table's counter; a POST records the typed game."""
    table = table_of(parlour, pk)
    is_correction = "correct" in (request.POST if request.method == "POST" else request.GET)
    if request.method == "POST":
        require_in(actor_of(request), parlour, Capability.SUBMIT)
        return _take_game(request, parlour, table, is_correction=is_correction)
    form = None
    if table.sitting.closed_at is None and may(request, parlour, Capability.SUBMIT):
        if is_correction:
            form = GameForm(game=last_game(table))
        elif table.is_full and ("otherwise" in request.GET or not awaits_confirmation(table)):
            form = GameForm(game=next_game(table))
    return _show(request, parlour, table, form)


def awaits_confirmation(table: Running) -> bool:
    """Return True if the table has submitted the result of its game and the counter has not confirmed it yet."""
    return table.followed is not None and submitted_sheet(table.followed) is not None


def _take_game(request: HttpRequest, parlour: Parlour, table: Running, *, is_correction: bool) -> HttpResponse:
    """Record the game, or show its errors with all typed values kept."""
    if not is_correction and not table.is_full:
        messages.error(request, _("A chair is empty. What you typed is kept: seat a player, then save."))
        return back_to("counter", parlour.slug, table.sitting.pk)
    game = last_game(table) if is_correction else next_game(table)
    expected = number_of(request.POST.get("round"))
    form = GameForm(request.POST, game=game)
    if form.is_valid():
        try:
            sheet = _record(request, table, form, expected)
        except ConflictError as error:
            # A form sent twice over a bad connection: the second one conflicts with the game that the first one
            # recorded.
            if not is_correction and _is_in_already(table, form, expected):
                return _done(request, parlour, table.sitting, expected)
            form.take(error)
        except PermissionRefusedError:
            raise
        except ServiceError as error:
            form.take(error)
        else:
            return _done(request, parlour, sheet.hanchan.table_session.sitting, sheet.hanchan.round)
    return _show(request, parlour, table, form, status=422)


def _record(request: HttpRequest, table: Running, form: GameForm, expected: int | None) -> ResultSheet:
    by = actor_of(request)
    if form.game.corrects is not None:
        return correct_last_game(
            sitting=table.sitting,
            entry=form.sheet(),
            corrects=number_of(request.POST.get("correct")) or 0,
            by=by,
            reason=form.cleaned_data["reason"],
            accept=form.accepted,
            expected_round=expected,
        )
    seen = tuple(number_of(pk) or 0 for pk in request.POST.getlist("who"))
    entry = form.entry()
    in_turn = tuple(seen[chair] for chair in form.order()) if len(seen) == len(form.order()) else ()
    return record_game(
        sitting=table.sitting,
        game=replace(entry, entrants=in_turn or entry.entrants),
        by=by,
        accept=form.accepted,
        expected_round=expected,
        day=form.game.own_day if form.cleaned_data.get("of_own_day") else None,
    )


def _is_in_already(table: Running, form: GameForm, expected: int | None) -> bool:
    """Return True if the last recorded game equals the typed one, as after a form was sent twice."""
    now = running(table.sitting)
    if now.last is None or now.last.hanchan.round != expected:
        return False
    there, typed = SheetEntry.of_sheet(now.last.sheet), form.sheet()
    return (there.seats, there.kyoutaku, there.carried) == (typed.seats, typed.kyoutaku, typed.carried)


def _done(request: HttpRequest, parlour: Parlour, sitting: Sitting, number: int | None) -> HttpResponseRedirect:
    """Confirm the recorded game and redirect to the next one."""
    messages.success(request, _("Game %(number)s is in.") % {"number": number})
    return back_to("counter", parlour.slug, sitting.pk, saved=number or 0)


def _show(
    request: HttpRequest, parlour: Parlour, table: Running, form: GameForm | None, status: int = 200
) -> HttpResponse:
    """Render the counter page; the first field to fill in has the focus."""
    if form is not None:
        form.fields[form.first_to_mend()].widget.attrs["autofocus"] = True
    games = games_of(table.sitting)
    is_correction = form is not None and form.game.corrects is not None
    context = frame(
        request,
        parlour,
        "counter",
        competition=table.competition,
        table=table,
        sitting=table.sitting,
        form=form,
        games=games,
        followed=None if table.followed is None or is_correction else followed_game(table.followed),
        scale=table.rules.ranking_ledger.scale,
        unit_name=title_in(table.rules.ranking_ledger.title),
        chips=chips_form(table),
        is_day_closed=closed_day(table.competition, table.day) is not None,
        is_missing_chips=is_missing_chips(table),
        minutes=minutes_of(table.sitting),
        set_fee=set_table_fee(table.sitting) if table.sitting.kind == Sitting.Kind.SET else None,
        has_fees=tariff_of_table(table, business_day(table.competition)).is_per_game,
        saved=number_of(request.GET.get("saved")),
        asked=chairs_part(request, parlour, table) if table.sitting.closed_at is None else None,
    )
    return render(request, "parlour/counter.html", context, status=status)


@require_POST
@staff_page
def take_back(request: HttpRequest, parlour: Parlour, pk: int) -> HttpResponse:
    """Take the last game back."""
    with refusals_as_messages(request):
        take_back_last_game(
            sitting=sitting_of(parlour, pk), by=actor_of(request), reason=request.POST.get("reason", "")
        )
        messages.success(request, _("The last game is taken back."))
    return back_to("counter", parlour.slug, pk)


# Chips of the whole sitting, and closing the table


def chips_form(table: Running, data: object = None) -> ChipsForm | None:
    """Return the form for the chips of the whole sitting; None if they are counted per game or not at all."""
    if table.sitting.chips != Sitting.Chips.PER_SITTING or not table.rules.entered_ledgers:
        return None
    people = Entrant.objects.filter(sitting_seats__sitting=table.sitting).select_related("player").distinct()
    rows = SittingAmount.objects.filter(sitting=table.sitting, ended_n=None)
    initial = {f"{row.ledger}_{row.entrant_id}": table.rules.ledger(row.ledger).text(row.amount) for row in rows}
    return ChipsForm(data, rules=table.rules, people=list(people), initial=initial)


@require_POST
@staff_page
def chips(request: HttpRequest, parlour: Parlour, pk: int) -> HttpResponse:
    """Enter the chips of the sitting: all ledgers, or none if one is refused."""
    require_in(actor_of(request), parlour, Capability.SUBMIT)
    table = table_of(parlour, pk)
    form = chips_form(table, request.POST)
    if form is None:
        raise Http404
    if form.is_valid() and _amounts_taken(form, table.sitting, actor_of(request)):
        messages.success(request, _("The chips of this sitting are in."))
        return back_to("counter", parlour.slug, pk)
    for errors in form.errors.values():
        messages.error(request, " ".join(map(str, errors)))
    return render(
        request,
        "parlour/chips.html",
        frame(request, parlour, "counter", table=table, sitting=table.sitting, chips=form),
        status=422,
    )


@transaction.atomic
def _amounts_taken(form: ChipsForm, sitting: Sitting, by: Actor) -> bool:
    """Record the amounts of all ledgers and return True; roll back and return False if one is refused."""
    for ledger in form.ledgers:
        # A savepoint for each ledger: the others are still checked after a refusal, so that all errors show at once.
        with RefusalsTo(partial(form.take_of, ledger)), transaction.atomic():
            record_sitting_amounts(sitting=sitting, ledger=ledger.key, amounts=form.amounts(ledger), by=by)
    if form.errors:
        transaction.set_rollback(True)
    return not form.errors


@require_POST
@staff_page
def close(request: HttpRequest, parlour: Parlour, pk: int) -> HttpResponse:
    """Close the table."""
    with refusals_as_messages(request):
        close_sitting(sitting=sitting_of(parlour, pk), by=actor_of(request), accept=request.POST.getlist("accept"))
        messages.success(request, _("The table is closed."))
        return back_to("board", parlour.slug)
    return back_to("counter", parlour.slug, pk)


@require_POST
@staff_page
def reopen(request: HttpRequest, parlour: Parlour, pk: int) -> HttpResponse:
    """Reopen a closed table."""
    with refusals_as_messages(request):
        reopen_sitting(sitting=sitting_of(parlour, pk), by=actor_of(request))
    return back_to("counter", parlour.slug, pk)
