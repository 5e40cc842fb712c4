"""Games of a sitting that are followed hand by hand: the one in progress, and the codes printed on the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.core import signing
from django.db.models import Exists, OuterRef, Prefetch

from league.models import Hanchan, HanchanSeat, Parlour, ParlourTable, ResultSheet, Sitting
from league.selectors.live.log import TableLog, log_of
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.wording.formatting import points_text, score_text
from league.wording.live.live import table_text
from league.wording.messages import wind_name
from league.wording.names import person_name
from scoring.hanchan import result_of
from scoring.ruleset import Ledger, Ruleset
from scoring.ruleset.ledgers import Unit

SALT = "jantaku.parlour.table"


def followed_games(table_sessions: Sequence[int]) -> Mapping[int, Hanchan]:
    """Return, by table session, the game followed hand by hand that has no counting result yet, with its seats."""
    counting = ResultSheet.objects.counting().filter(hanchan=OuterRef("pk"))
    seats = HanchanSeat.objects.select_related("entrant__player", "player").order_by("seat")
    rows = (
        Hanchan.objects.filter(~Exists(counting), table_session__in=table_sessions, started_at__isnull=False)
        .exclude(state=Hanchan.State.ABANDONED)
        .select_related("block__competition", "table_session__competition", "rules__ruleset", "rules__format")
        .prefetch_related(Prefetch("seats", seats))
        .order_by("-round")
    )
    # The oldest is last and wins: a game that a director voided is played before the next one.
    return {row.table_session_id: row for row in rows}


def submitted_sheet(hanchan: Hanchan) -> ResultSheet | None:
    """Return the result that the table has submitted from its log and the counter has not confirmed yet."""
    rows = ResultSheet.objects.filter(
        hanchan=hanchan, state=ResultSheet.State.SUBMITTED, made_from_sequence__isnull=False
    )
    return rows.select_related("rules__ruleset").order_by("-revision").first()


@dataclass(frozen=True, slots=True)
class FollowedSeat:
    """A seat of a followed game, first dealer first: what was counted at the table, and what follows from it."""

    wind: str
    name: str
    score: str
    carried: tuple[str, ...]
    """The amounts entered with the game, by ledger of `FollowedGame.entered`."""
    place: int | None
    """None while the game is in progress, like `totals`."""
    totals: tuple[str, ...]
    """The totals by ledger of `FollowedGame.shown`."""


@dataclass(frozen=True, slots=True)
class FollowedGame:
    """A followed game as the counter shows it: in progress, or submitted and waiting for confirmation."""

    hanchan: Hanchan
    log: TableLog
    sheet: ResultSheet | None
    """The result that waits; None while the game is in progress."""
    seats: tuple[FollowedSeat, ...]
    entered: tuple[Ledger, ...]
    shown: tuple[Ledger, ...]

    @property
    def went_on(self) -> bool:
        """Return True if the table wrote to its log after it had submitted the result."""
        return self.sheet is not None and self.sheet.made_from_sequence != self.log.sequence

    @property
    def kyoku(self) -> str:
        """Return the hand that is played, in words."""
        return table_text(self.log.state)


def followed_game(hanchan: Hanchan) -> FollowedGame:
    """Return a followed game with the numbers that the guests see on their phone."""
    sheet, log = submitted_sheet(hanchan), log_of(hanchan)
    rules = log.rules if sheet is None else ruleset_of(sheet.rules, sheet.options)
    shown = tuple(each for each in rules.ledgers if each.ranks or each.entered or each.unit is Unit.YEN)
    rows = _running_seats(log) if sheet is None else _submitted_seats(sheet, rules, shown)
    return FollowedGame(hanchan, log, sheet, rows, rules.entered_ledgers, shown)


def _running_seats(log: TableLog) -> tuple[FollowedSeat, ...]:
    rules, state = log.rules, log.state
    result, winds = result_of(state, rules), rules.setup.seat_winds
    scores = state.current_scores(rules)
    return tuple(
        FollowedSeat(
            wind=wind_name(winds[seat.seat]),
            name=person_name(seat.player),
            score=score_text(scores[seat.seat]),
            carried=_carried(rules, result.carried, seat.seat),
            place=None,
            totals=(),
        )
        for seat in log.hanchan.seats.select_related("player").order_by("seat")
    )


def _submitted_seats(sheet: ResultSheet, rules: Ruleset, shown: Sequence[Ledger]) -> tuple[FollowedSeat, ...]:
    return tuple(
        FollowedSeat(
            wind=wind_name(rules.setup.seat_winds[row.seat]),
            name=person_name(row.player),
            score=score_text(row.score),
            carried=_carried(rules, sheet.facts.get("carried", {}), row.seat),
            place=row.place,
            totals=tuple(points_text(row.totals.get(each.key, 0), each.scale, plus=True) for each in shown),
        )
        for row in sheet.seats.select_related("player").order_by("seat")
    )


def _carried(rules: Ruleset, carried: Mapping[str, Sequence[int]], seat: int) -> tuple[str, ...]:
    amounts = {each.key: carried.get(each.key) for each in rules.entered_ledgers}
    return tuple(
        points_text(found[seat] if found else 0, rules.ledger(key).scale, plus=True) for key, found in amounts.items()
    )


def counts_chips(hanchan: Hanchan) -> bool:
    """Return False at a parlour's table whose chips are counted once per sitting or not at all: a game has none."""
    return (
        not Sitting.objects.filter(table_session=hanchan.table_session_id)
        .exclude(chips=Sitting.Chips.PER_GAME)
        .exists()
    )


def tables_of(parlour: Parlour) -> list[ParlourTable]:
    """Return the tables of a house in their order, without removed ones."""
    return list(ParlourTable.objects.filter(parlour=parlour, removed_at=None).order_by("order", "pk"))


def code_of(table: ParlourTable) -> str:
    """Return the signed code of a table, the same one at each call until the code is renewed."""
    return signing.Signer(salt=SALT).sign(f"{table.pk}.{table.code_number}")


def read_code(code: str) -> tuple[ParlourTable, int] | None:
    """Return the table of a code and the number it was printed with; None if the signature is not ours.

    The caller compares the number with the table's own: a lower one belongs to a code that was renewed.
    """
    try:
        value = signing.Signer(salt=SALT).unsign(code)
    except signing.BadSignature:
        return None
    key, _dot, number = value.partition(".")
    table = ParlourTable.objects.select_related("parlour").filter(pk=int(key)).first()
    return None if table is None else (table, int(number))


def is_code_valid(table: ParlourTable, number: int) -> bool:
    """Return True if a code printed with this number still opens the table."""
    return table.removed_at is None and table.code_number == number


def sitting_at(table: ParlourTable) -> Sitting | None:
    """Return the open sitting at a table of the house, under whichever of its rule books; None without one."""
    rows = Sitting.objects.filter(
        closed_at=None, table_session__table=table.name, table_session__competition__parlour=table.parlour_id
    )
    return rows.select_related("table_session__competition").order_by("-opened_at", "-pk").first()
