"""A result as it was handed in, and everything that can be wrong with it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.messages import problem_message
from league.models import Competition, Entrant, Hanchan, HanchanSeat, ResultSheet, SeatResult
from league.names import title_in
from league.selectors.blind_sheets import is_blind
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


class Surroundings(Protocol):
    """What a hanchan's entry is held against: who may play, what was played, what looks the same, what was planned."""

    def may_play(self, entrants: Collection[int]) -> Collection[int]:
        """Those of the entrants whom a result of the block may name."""

    def names(self, entrants: Iterable[int]) -> Mapping[int, str]:
        """What these entrants are called."""

    def already_played(self, entrants: Collection[int]) -> Collection[int]:
        """Those whose n-th hanchan of the block is another one."""

    def has_twin(self, scores: AbstractSet[tuple[int, int]]) -> bool:
        """Whether another hanchan has exactly these entrants with these scores."""

    def planned(self) -> Sequence[tuple[int, int]]:
        """Entrants and players whom the schedule names, in the order of their seats."""

    def are_scores_elsewhere(self, scores: Sequence[int]) -> bool:
        """Whether a result at another table of the session has exactly these scores, which stand in ascending order."""

    def at_other_tables(self, players: Collection[int]) -> Iterable[Elsewhere]:
        """Those of the players who have a result of this round at another table, each once."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """A player who has a result at another table: by id and by name, and that table."""

    player: int
    name: str
    table: str


@dataclass(frozen=True)
class Stored:
    """The surroundings of one hanchan as the database has them; the schedule is read once."""

    hanchan: Hanchan

    def may_play(self, entrants: Collection[int]) -> Collection[int]:
        """Who certainly has a place in the block."""
        return entrants_who_may_play(self.hanchan.block, entrants)

    def names(self, entrants: Iterable[int]) -> Mapping[int, str]:
        """Names as entered."""
        rows = Entrant.objects.filter(pk__in=list(entrants)).select_related("player").order_by()
        return {entrant.pk: str(entrant) for entrant in rows}

    def already_played(self, entrants: Collection[int]) -> Collection[int]:
        """An open table counts no numbers."""
        if self.hanchan.block.stage.hanchan_count is None:
            return frozenset()
        return set(
            SeatResult.objects.filter(
                block=self.hanchan.block,
                entrant__in=list(entrants),
                sheet__state=ResultSheet.State.CONFIRMED,
                sheet__hanchan__number=self.hanchan.number,
            )
            .exclude(sheet__hanchan=self.hanchan)
            .values_list("entrant", flat=True)
        )

    def has_twin(self, scores: AbstractSet[tuple[int, int]]) -> bool:
        """At an open table only those of the same sitting look the same: over the years regulars repeat themselves."""
        competition = self.hanchan.block.competition
        states = states_compared(competition)
        rows = SeatResult.objects.filter(entrant__in=[entrant for entrant, _score in scores])
        if competition.kind == Competition.Kind.OPEN:
            sheets = ResultSheet.objects.filter(hanchan__table_session=self.hanchan.table_session_id)
            sheets = sheets.filter(state__in=states).exclude(hanchan=self.hanchan)
            rows = rows.filter(sheet__in=list(sheets.values_list("pk", flat=True)))
        else:
            rows = rows.filter(block=self.hanchan.block, sheet__state__in=states)
            rows = rows.exclude(sheet__hanchan=self.hanchan)
        seen: Counter[int] = Counter(
            hanchan_id
            for hanchan_id, entrant, score in rows.values_list("sheet__hanchan", "entrant", "score")
            if (entrant, score) in scores
        )
        return any(count == len(scores) for count in seen.values())

    def planned(self) -> Sequence[tuple[int, int]]:
        """The seats of the schedule."""
        return self._planned

    @cached_property
    def _planned(self) -> Sequence[tuple[int, int]]:
        seats = HanchanSeat.objects.filter(hanchan=self.hanchan).order_by("seat")
        return list(seats.values_list("entrant", "player"))

    def are_scores_elsewhere(self, scores: Sequence[int]) -> bool:
        """Looked up by the scores, then sheet by sheet."""
        rows = self._at_other_tables().filter(score__in=scores)
        seen: defaultdict[int, list[int]] = defaultdict(list)
        for sheet, score in rows.values_list("sheet", "score"):
            seen[sheet].append(score)
        return any(sorted(found) == list(scores) for found in seen.values())

    def at_other_tables(self, players: Collection[int]) -> Iterable[Elsewhere]:
        """Tables that begin at other times keep nobody from both. Mostly it is nobody, so that is asked first."""
        table = self.hanchan.table_session
        rows = self._at_other_tables().filter(sheet__hanchan__round=self.hanchan.round, player__in=list(players))
        if table.starts_at is not None:
            at_once = Q(sheet__hanchan__table_session__starts_at=table.starts_at)
            rows = rows.filter(at_once | Q(sheet__hanchan__table_session__starts_at=None))
        met = list(rows.order_by().values_list("pk", flat=True))
        if not met:
            return ()
        related = SeatResult.objects.filter(pk__in=met).select_related(
            "player", "sheet__hanchan__table_session__session", "sheet__hanchan__table_session__block"
        )
        found: dict[int, Elsewhere] = {}
        for row in related.order_by("pk"):
            there = Elsewhere(row.player_id, str(row.player), str(row.sheet.hanchan.table_session))
            found.setdefault(row.player_id, there)
        return found.values()

    def _at_other_tables(self) -> QuerySet[SeatResult]:
        """The seats of sheets at other tables of the session."""
        return SeatResult.objects.filter(
            sheet__state__in=states_compared(self.hanchan.block.competition),
            sheet__hanchan__table_session__session=self.hanchan.table_session.session_id,
        ).exclude(sheet__hanchan__table_session=self.hanchan.table_session_id)


def states_compared(competition: Competition) -> tuple[ResultSheet.State, ...]:
    """The sheets another entry may be the same as; where two enter blindly, what waits is not given away."""
    counting, waiting = ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED
    return (counting,) if is_blind(competition) else (counting, waiting)


def findings_of(hanchan: Hanchan, entry: SheetEntry, around: Surroundings | None = None) -> list[Finding]:
    """Everything wrong or odd about the entry under the rules the hanchan pins, in the order of the form.

    `around` is what the entry is held against; if it is not given, the database is asked.
    """
    around = around or Stored(hanchan)
    options = {**hanchan.options, **entry.options}
    if refused := option_findings(hanchan.rules, options):
        return [*_people(hanchan, entry, around), *refused]
    rules = ruleset_of(hanchan.rules, options)
    found = [*_people(hanchan, entry, around), *rule_findings(entry, rules)]
    if not any(finding.level is Level.ERROR for finding in found):
        found += [*_twins(entry, around), *_other_seats(entry, around)]
    return found


def _people(hanchan: Hanchan, entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """Each player once, and of this block."""
    counted = Counter(seat.entrant for seat in entry.seats)
    may_play, already = around.may_play(counted), around.already_played(counted)
    wrong = {pk for pk, times in counted.items() if times > 1 or pk not in may_play or pk in already}
    names = around.names(wrong) if wrong else {}
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


def typing_findings(hanchan: Hanchan, entry: SheetEntry, around: Surroundings | None = None) -> list[Finding]:
    """What is odd about one sheet that somebody types: beside other tables of the night, and who sat where.

    `around` is what the entry is held against; if it is not given, the database is asked.
    """
    around = around or Stored(hanchan)
    found = [*_same_scores(entry, around)]
    if hanchan.block.competition.kind == Competition.Kind.LEAGUE:
        found += [*_two_tables(entry, around), *_seats_in_order(entry, around)]
    return found


def _same_scores(entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """Another table of the session has the same scores, as if a slip were entered twice."""
    scores = sorted(seat.score for seat in entry.seats)
    if len(set(scores)) == len(scores) and around.are_scores_elsewhere(scores):
        message = _("Another table of this session has exactly the same scores. Was its slip entered here?")
        yield Finding("same_scores_elsewhere", message, "/scores", Level.WARNING)


def _two_tables(entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """Nobody sits at two tables in the same round of a session, unless they begin at different times."""
    places = {seat.player: index for index, seat in enumerate(entry.seats)}
    for there in sorted(around.at_other_tables(places), key=lambda each: each.player):
        yield Finding(
            "at_two_tables",
            _("%(name)s also has a result of this round at %(table)s. Nobody sits at two tables at once.")
            % {"name": there.name, "table": there.table},
            f"/seats/{places[there.player]}/entrant",
            Level.WARNING,
        )


def _seats_in_order(entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """The same people in other seats than the schedule has them, where the seats are said to be right."""
    planned = [entrant for entrant, _player in around.planned()]
    entered = [seat.entrant for seat in entry.seats]
    if entry.are_seats_known and planned != entered and sorted(planned) == sorted(entered):
        yield Finding(
            "seats_not_as_scheduled",
            _("The players sit in another order than scheduled. If the first row was the first dealer, accept it."),
            "/seats",
            Level.WARNING,
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


def _twins(entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """The same scores of the same players in another hanchan look like one result entered twice."""
    if around.has_twin({(seat.entrant, seat.score) for seat in entry.seats}):
        yield Finding(
            "same_result_twice",
            _("Another hanchan of these players has exactly the same scores. Was this one entered already?"),
            "/seats",
            Level.WARNING,
        )


def _other_seats(entry: SheetEntry, around: Surroundings) -> Iterator[Finding]:
    """People other than those the schedule names."""
    planned = set(around.planned())
    entered = {(seat.entrant, seat.player) for seat in entry.seats}
    if planned and planned != entered:
        yield Finding(
            "not_as_scheduled",
            _("Other players than scheduled are entered for this hanchan. If they really sat there, accept it."),
            "/seats",
            Level.WARNING,
        )
