"""A result as it was handed in, and everything that can be wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.translation import gettext as _

from league.messages import problem_message
from league.models import Competition, Entrant, Hanchan, HanchanSeat, ResultSheet, SeatResult
from league.names import title_in
from league.selectors.blocks import entrants_who_may_play
from league.selectors.rules import ruleset_of
from league.services.errors import Finding, Level
from league.services.table_options import option_findings
from scoring.ruleset import Ruleset
from scoring.settlement import HanchanResult, Problem, problems


@dataclass(frozen=True, slots=True)
class SeatEntry:
    """One seat of a sheet: ids of the entrant and of the player who sat (the same person, but for a substitute)."""

    entrant: int
    player: int
    score: int
    chonbo: int = 0


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """A hanchan's result: seats from the first dealer on, points in table points.

    `are_seats_known` is false where nobody noted who sat where; then the order of `seats` means nothing and
    a result whose settlement would depend on it is refused.
    """

    seats: tuple[SeatEntry, ...]
    kyoutaku: int = 0
    are_seats_known: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    carried: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    tobi: tuple[tuple[int, int], ...] = ()
    forced_top: int | None = None

    def hanchan_result(self) -> HanchanResult:
        """The entry as the engine takes it."""
        return HanchanResult(
            scores=tuple(seat.score for seat in self.seats),
            kyoutaku=self.kyoutaku,
            chonbo=tuple(seat.chonbo for seat in self.seats),
            carried=self.carried,
            tobi=self.tobi,
            forced_top=self.forced_top,
        )

    def facts(self) -> dict[str, Any]:
        """What a sheet keeps of the entry besides scores, chonbo and deposits."""
        return {
            "are_seats_known": self.are_seats_known,
            "carried": {ledger: list(amounts) for ledger, amounts in self.carried.items()},
            "tobi": [list(pair) for pair in self.tobi],
            **({} if self.forced_top is None else {"forced_top": self.forced_top}),
        }

    @classmethod
    def of_sheet(cls, sheet: ResultSheet) -> SheetEntry:
        """The entry a sheet was made from."""
        return cls(
            seats=tuple(SeatEntry(s.entrant_id, s.player_id, s.score, s.chonbo) for s in sheet.seats.order_by("seat")),
            kyoutaku=sheet.kyoutaku,
            are_seats_known=sheet.facts.get("are_seats_known", True),
            options=sheet.options,
            carried={ledger: tuple(amounts) for ledger, amounts in sheet.facts.get("carried", {}).items()},
            tobi=tuple((busted, receiver) for busted, receiver in sheet.facts.get("tobi", [])),
            forced_top=sheet.facts.get("forced_top"),
        )


def findings_of(hanchan: Hanchan, entry: SheetEntry) -> list[Finding]:
    """Everything wrong or odd about the entry under the rules the hanchan pins, in the order of the form."""
    options = {**hanchan.options, **entry.options}
    if refused := option_findings(hanchan.rules, options):
        return [*_people(hanchan, entry), *refused]
    rules = ruleset_of(hanchan.rules, options)
    found = [*_people(hanchan, entry), *rule_findings(entry, rules)]
    if not any(finding.level is Level.ERROR for finding in found):
        found += [*_twins(hanchan, entry), *_other_seats(hanchan, entry)]
    return found


def _people(hanchan: Hanchan, entry: SheetEntry) -> Iterator[Finding]:
    """Each player once, and of this block."""
    may_play = entrants_who_may_play(hanchan.block)
    counted = Counter(seat.entrant for seat in entry.seats)
    names = {entrant.pk: str(entrant) for entrant in Entrant.objects.filter(pk__in=counted).select_related("player")}
    already = _numbers_played(hanchan, counted)
    for index, seat in enumerate(entry.seats):
        pointer = f"/seats/{index}/entrant"
        name = names.get(seat.entrant, str(seat.entrant))
        if counted[seat.entrant] > 1:
            yield Finding(
                "player_twice", _("%(name)s is entered twice. Each player sits once.") % {"name": name}, pointer
            )
        elif seat.entrant not in may_play:
            yield Finding(
                "player_not_of_block",
                _("%(name)s does not play in %(block)s. Choose one of its players.")
                % {"name": name, "block": hanchan.block},
                pointer,
            )
        elif seat.entrant in already:
            yield Finding(
                "number_already_played",
                _(
                    "%(name)s already has a result for hanchan %(number)s of %(block)s. "
                    "Check the number of this hanchan."
                )
                % {"name": name, "number": hanchan.number, "block": hanchan.block},
                pointer,
            )


def _numbers_played(hanchan: Hanchan, entrants: Mapping[int, int]) -> set[int]:
    """Entrants whose n-th hanchan of this block is another one; an open table counts no numbers."""
    if hanchan.block.stage.hanchan_count is None:
        return set()
    return set(
        SeatResult.objects.filter(
            block=hanchan.block,
            entrant__in=list(entrants),
            sheet__state=ResultSheet.State.CONFIRMED,
            sheet__hanchan__number=hanchan.number,
        )
        .exclude(sheet__hanchan=hanchan)
        .values_list("entrant", flat=True)
    )


def rule_findings(entry: SheetEntry, rules: Ruleset) -> list[Finding]:
    """What the rules say of the entry: its scores and amounts, then whether its seats must be known."""
    found = list(_points(entry, rules))
    if not any(finding.level is Level.ERROR for finding in found):
        found += _seat_order(entry, rules)
    return found


def _points(entry: SheetEntry, rules: Ruleset) -> Iterator[Finding]:
    """What the engine says of the scores."""
    for problem in problems(entry.hanchan_result(), rules):
        yield Finding(
            problem.code,
            problem_message(_with_title(problem, rules)),
            f"/{problem.pointer}" if problem.pointer else "",
            Level(problem.level),
            dict(problem.params),
            problem.clause,
        )


def _with_title(problem: Problem, rules: Ruleset) -> Problem:
    """The problem with its ledger called what people call it."""
    titles = {ledger.key: title_in(ledger.title) for ledger in rules.ledgers}
    key = problem.params.get("ledger")
    return replace(problem, params={**problem.params, "ledger": titles[str(key)]}) if key in titles else problem


def _seat_order(entry: SheetEntry, rules: Ruleset) -> Iterator[Finding]:
    """The order of seats must be known where the settlement depends on it."""
    if entry.are_seats_known:
        return
    if rules.seat_order_matters(tuple(seat.score for seat in entry.seats), entry.kyoutaku):
        yield Finding(
            "seat_order_needed",
            _(
                "With these scores the rules go by the seats. Enter the players in order from the first dealer "
                "and tick that the seats are right."
            ),
            "/are_seats_known",
        )


def _twins(hanchan: Hanchan, entry: SheetEntry) -> Iterator[Finding]:
    """The same scores of the same players in another hanchan look like one result entered twice.

    At an open table only those of the same sitting do: over the years regulars repeat themselves.
    """
    key = {(seat.entrant, seat.score) for seat in entry.seats}
    waiting_or_counting = (ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED)
    rows = SeatResult.objects.filter(entrant__in=[seat.entrant for seat in entry.seats])
    if hanchan.block.competition.kind == Competition.Kind.OPEN:
        sheets = ResultSheet.objects.filter(hanchan__table_session=hanchan.table_session_id)
        sheets = sheets.filter(state__in=waiting_or_counting).exclude(hanchan=hanchan)
        rows = rows.filter(sheet__in=list(sheets.values_list("pk", flat=True)))
    else:
        rows = rows.filter(block=hanchan.block, sheet__state__in=waiting_or_counting).exclude(sheet__hanchan=hanchan)
    seen: Counter[int] = Counter(
        hanchan_id
        for hanchan_id, entrant, score in rows.values_list("sheet__hanchan", "entrant", "score")
        if (entrant, score) in key
    )
    if any(count == len(key) for count in seen.values()):
        yield Finding(
            "same_result_twice",
            _("Another hanchan of these players has exactly the same scores. Was this one entered already?"),
            "/seats",
            Level.WARNING,
        )


def _other_seats(hanchan: Hanchan, entry: SheetEntry) -> Iterator[Finding]:
    """People other than those the schedule names."""
    planned = set(HanchanSeat.objects.filter(hanchan=hanchan).values_list("entrant", "player"))
    entered = {(seat.entrant, seat.player) for seat in entry.seats}
    if planned and planned != entered:
        yield Finding(
            "not_as_scheduled",
            _("Other players than scheduled are entered for this hanchan. If they really sat there, accept it."),
            "/seats",
            Level.WARNING,
        )
