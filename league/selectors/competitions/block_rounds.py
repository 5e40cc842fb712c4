"""The rounds of a block as they are played or scheduled, table by table, and who has left or joined by replanning."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef
from django.utils.translation import gettext as _

from league.models import Block, Change, Hanchan, HanchanSeat, ResultSheet, TableEvent
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from league.wording.names import round_name, table_name, title_in, title_of
from scoring.format import Format
from scoring.format import Stage as FormatStage
from scoring.format.rounds import RoundPlan, SeatedBy

REPLANNED = "seats.replanned"
RESTORED = "seats.plan_restored"


@dataclass(frozen=True, order=True, slots=True)
class TableInRound:
    """A table of the hall; `wave` counts the tables of one name that play one after another in a round."""

    wave: int
    number: int
    """The number in the table's name, 0 without one."""
    label: str

    @property
    def name(self) -> str:
        """Return the table's name in the user's language."""
        return table_name(self.label) or "–"


@dataclass(frozen=True, slots=True)
class SeatedHanchan:
    """A hanchan with its entrants in the order of seats."""

    hanchan: Hanchan
    seats: tuple[int, ...]
    """Ids of the entrants; empty while they are not known."""
    is_off: bool
    """True if it is not played: its table is cancelled, or it is abandoned."""
    has_begun: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """Hanchan that the players of each table play one after another without changing tables."""

    numbers: tuple[int, ...]
    games: Mapping[TableInRound, tuple[SeatedHanchan, ...]]
    """By table: a game for each number."""

    @property
    def has_begun(self) -> bool:
        """Return whether any hanchan of it has begun."""
        return any(game.has_begun for games in self.games.values() for game in games)

    @property
    def name(self) -> str:
        """Return its session and rounds in the user's language."""
        first, last = (next(iter(self.games.values()))[place].hanchan for place in (0, -1))
        rounds = round_name(first) if first == last else f"{round_name(first)} – {round_name(last)}"
        return f"{title_of(first.table_session.session)} {rounds}"

    def company(self, place: TableInRound) -> tuple[int, ...]:
        """Return the ids of the entrants at a table in the seats of the first hanchan; empty if it is not played."""
        games = self.games.get(place)
        return games[0].seats if games and not games[0].is_off else ()


@dataclass(frozen=True, slots=True)
class BlockRounds:
    """The rounds of a block, and who has left or joined by earlier replanning."""

    block: Block
    turns: tuple[Turn, ...]
    gone: frozenset[int]
    """Ids of the entrants who left by an earlier replanning."""
    joined: Mapping[int, int]
    """By id of an entrant who joined later: the number of the first hanchan."""

    @property
    def open_turns(self) -> tuple[Turn, ...]:
        """Return the turns after the last one that has begun."""
        begun = max((number for number, turn in enumerate(self.turns) if turn.has_begun), default=-1)
        return self.turns[begun + 1 :]

    @property
    def seated(self) -> frozenset[int]:
        """Return the ids of the entrants with a seat in any hanchan that is played."""
        return frozenset(one for turn in self.turns for place in turn.games for one in turn.company(place))

    @property
    def present(self) -> frozenset[int]:
        """Return the ids of the entrants who play on as planned now."""
        return self.seated - self.gone

    @property
    def labels(self) -> list[str]:
        """Return the names of the tables in use in the rounds to come, in their order."""
        used = {place for turn in self.open_turns for place in turn.games if turn.company(place)}
        return list(dict.fromkeys(place.label for place in sorted(used)))


def block_rounds(block: Block) -> BlockRounds:
    """Read the rounds of a block; rounds that are paired when their time comes are left out until they have begun."""
    paired = paired_later(block)
    turns: list[Turn] = []
    for number, games in sorted(games_of(block).items()):
        if turns and _stays(turns[-1], games):
            before = turns.pop()
            joined = {place: (*before.games[place], game) for place, game in games.items()}
            turns.append(Turn((*before.numbers, number), joined))
        else:
            turns.append(Turn((number,), {place: (game,) for place, game in games.items()}))
    kept = tuple(turn for turn in turns if turn.has_begun or paired.isdisjoint(turn.numbers))
    return BlockRounds(block, kept, *comings_and_goings(block))


def games_of(block: Block) -> dict[int, dict[TableInRound, SeatedHanchan]]:
    """Return the hanchan of a block by number and table."""
    rows = (
        Hanchan.objects.filter(block=block)
        .select_related("table_session__session", "block")
        .annotate(
            has_sheets=Exists(ResultSheet.objects.filter(hanchan=OuterRef("pk"))),
            has_events=Exists(TableEvent.objects.filter(hanchan=OuterRef("pk"))),
        )
        .order_by("number", F("table_session__starts_at").asc(nulls_last=True), "table_session__order", "pk")
    )
    seats: defaultdict[int, list[int]] = defaultdict(list)
    taken = HanchanSeat.objects.filter(hanchan__block=block).order_by("hanchan", "seat")
    for hanchan, entrant in taken.values_list("hanchan", "entrant"):
        seats[hanchan].append(entrant)
    found: defaultdict[int, dict[TableInRound, SeatedHanchan]] = defaultdict(dict)
    counted: Counter[tuple[int, str]] = Counter()
    not_begun = (Hanchan.State.SCHEDULED, Hanchan.State.ABANDONED)
    for row in rows:
        label = row.table_session.table
        digits = re.search(r"\d{1,6}", label)
        place = TableInRound(counted[row.number, label], int(digits.group()) if digits else 0, label)
        counted[row.number, label] += 1
        is_off = row.table_session.is_cancelled or row.state == Hanchan.State.ABANDONED
        has_begun = row.state not in not_begun or row.has_sheets or row.has_events
        found[row.number][place] = SeatedHanchan(row, tuple(seats[row.pk]), is_off, has_begun)
    return found


def _stays(turn: Turn, games: Mapping[TableInRound, SeatedHanchan]) -> bool:
    """Return whether the same players stay at the same tables for one more hanchan."""
    return turn.games.keys() == games.keys() and all(
        game.hanchan.table_session_id == turn.games[place][-1].hanchan.table_session_id
        and set(game.seats) == set(turn.games[place][-1].seats)
        and game.is_off == turn.games[place][-1].is_off
        for place, game in games.items()
    )


def replannings(block: Block) -> list[Change]:
    """Return the replannings of a block that have not been undone, oldest first."""
    rows = Change.objects.filter(
        competition=block.competition_id, kind__in=(REPLANNED, RESTORED), subject_type="block", subject_id=str(block.pk)
    )
    standing: list[Change] = []
    for change in rows.order_by("n"):
        if change.kind == REPLANNED:
            standing.append(change)
        else:
            standing = [each for each in standing if each.n != (change.after or {})["change"]]
    return standing


def comings_and_goings(block: Block) -> tuple[frozenset[int], Mapping[int, int]]:
    """Return who has left, and who has joined from which hanchan on, by replanning that has not been undone."""
    gone: set[int] = set()
    joined: dict[int, int] = {}
    for change in replannings(block):
        said = change.after or {}
        gone = (gone | set(said["leaving"])) - set(said["joining"])
        joined |= dict.fromkeys(said["joining"], said["first"])
    return frozenset(gone), joined


def paired_rounds(stage: FormatStage) -> dict[int, RoundPlan]:
    """Return the rounds of a stage that are seated only when the round before is over, by their numbers."""
    return {number: plan for plan in stage.rounds if plan.by is not SeatedBy.PLAN for number in plan.rounds()}


def paired_later(block: Block) -> frozenset[int]:
    """Return the numbers of the block's hanchan that no plan seats, by the format now in force."""
    stage = format_of(rules_at(block.competition)).stage_of.get(block.key)
    return frozenset(paired_rounds(stage)) if stage else frozenset()


def later_rounds(block: Block, plan: RoundPlan, league_format: Format) -> str:
    """Return which rounds are not seated yet, and when they will be."""
    told = {"block": title_of(block), "rounds": plan.numbers}
    if plan.by is SeatedBy.DRAW:
        return _("%(block)s, rounds %(rounds)s: drawn by lot, each before it begins.") % told
    if plan.of:
        told["stage"] = title_in(league_format.stage(plan.of).title)
        return _("%(block)s, rounds %(rounds)s: paired by the standing of %(stage)s, once it is final.") % told
    return _("%(block)s, rounds %(rounds)s: paired by the standing, each once the round before is over.") % told
