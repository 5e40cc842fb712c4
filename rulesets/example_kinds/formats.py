"""Worked examples of formats, which need no ruleset: whole files, seasons of totals, cuts, tables, points carried over.

Amounts are strings with one decimal. Level entrants stand in one list, sorted; "?" is an entrant who is not certain.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import count

from rulesets.example_kinds.shape import Example, Mismatch
from rulesets.formats import load_format, parse_any_format, parse_format
from rulesets.loader import RulesetError
from scoring.credits import GivenCredit, settle_credits
from scoring.format import Arrangement, CarryRounding, Format, Share, arrange, close_roster
from scoring.further import GivenOrders
from scoring.resolution import BlockStandings, Certainty, Resolution
from scoring.ruleset.base import Amount, Strict
from scoring.stages import PassOver, resolve, rounded_share
from scoring.standings import Played, Row, Standings, Withdrawal, rank
from scoring.tiebreak import CreditKind, Entrant, TieBreak

SCALE = 10
OPEN = "?"
Points = dict[str, Amount]


@dataclass(frozen=True, slots=True)
class FormatContext:
    """The texts of the formats that the examples of a file name."""

    texts: Mapping[str, str]

    def format(self, name: str) -> Format:
        """Return the format of this name: of the examples, or of the product. Raise KeyError if there is none."""
        return parse_format(self.texts[name], name) if name in self.texts else load_format(name)


class ExpectedFormat(Strict):
    """Whether a text loads; if not, a part of the key of some fault each."""

    valid: bool
    faults: tuple[str, ...] = ()


class FormatExample(Example):
    """The text of a format, a series or a ranking -> whether it loads."""

    name: str = ""
    text: str
    expect: ExpectedFormat


def format_differences(example: FormatExample, context: FormatContext) -> Iterator[Mismatch]:
    """Load the text, and compare the keys of its faults; a format that loads must also close its roster."""
    del context
    keys: list[str] = []
    try:
        found = parse_any_format(example.text, example.id)
        if isinstance(found, Format):
            numbers = (found.bounds.least, found.bounds.most) if found.bounds else (found.seeds,)
            for number in numbers if found.seeds or found.bounds else ():
                close_roster(found, number)
        if found.name != example.name and example.name:
            yield Mismatch("name", example.name, found.name)
    except RulesetError as error:
        keys = [fault.key for fault in error.faults]
    if example.expect.valid == bool(keys):
        yield Mismatch("valid", example.expect.valid, keys)
    for part in example.expect.faults:
        if not any(part in key for key in keys):
            yield Mismatch("faults", part, keys)


class ExpectedRun(Strict):
    """What follows from the points won: totals, and the slots of later blocks."""

    totals: dict[str, Points] = {}
    slots: dict[str, tuple[str, ...]] = {}
    going: dict[str, tuple[str, ...]] = {}
    """The same as `slots`, as a set."""
    carried: dict[str, Points] = {}
    awaiting: tuple[tuple[str, ...], ...] | None = None
    champion: str | None = None


class RunExample(Example):
    """A format and the points won in its blocks, without those carried over -> totals, slots, champion."""

    format: str
    won: dict[str, Points]
    """By block and entrant; P07 is seeded seventh. A block left out has not been played."""
    expect: ExpectedRun


def run_differences(example: RunExample, context: FormatContext) -> Iterator[Mismatch]:
    """Play the format with these points, and yield all differences."""
    format_ = context.format(example.format)
    entrants = sorted({name for won in example.won.values() for name in won})
    if format_.bounds is not None:
        format_ = close_roster(format_, len(entrants))
    seeds: dict[int, Entrant] = {int(name.removeprefix("P")): name for name in entrants}
    standings, resolution = _played(format_, example.won, seeds)
    expect = example.expect
    for block, totals in expect.totals.items():
        found = {str(each.entrant): Fraction(each.total, SCALE) for each in standings[block].ranked}
        yield from compare(f"totals.{block}", dict(sorted(totals.items())), dict(sorted(found.items())))
    for block, names in expect.slots.items():
        yield from compare(f"slots.{block}", list(names), _holders(resolution, block))
    for block, names in expect.going.items():
        yield from compare(f"going.{block}", sorted(names), sorted(_holders(resolution, block)))
    for block, carried in expect.carried.items():
        brought = {str(slot.entrant): Fraction(slot.carried or 0, SCALE) for slot in resolution.slots[block]}
        yield from compare(f"carried.{block}", dict(sorted(carried.items())), dict(sorted(brought.items())))
    if expect.awaiting is not None:
        groups = sorted(sorted(map(str, each.entrants)) for each in resolution.awaiting)
        yield from compare("awaiting", sorted(sorted(group) for group in expect.awaiting), groups)
    if expect.champion is not None:
        champion = resolution.champion
        is_sure = champion is not None and champion.state is Certainty.CERTAIN
        yield from compare("champion", expect.champion, str(champion.entrant) if champion and is_sure else OPEN)


def _played(
    format_: Format, won: Mapping[str, Points], seeds: Mapping[int, Entrant]
) -> tuple[Mapping[str, Standings], Resolution]:
    """Rank the blocks with these points in the order of play; return them with the ladder."""
    given = GivenOrders(seeds={entrant: number for number, entrant in seeds.items()})
    known: dict[str, BlockStandings] = {}
    resolution = resolve(format_, known, seeds, scale=SCALE, given=given)
    for stage in format_.stages:
        for block in format_.blocks_of[stage.key]:
            if block not in won:
                continue
            carried = {slot.entrant: slot.carried or 0 for slot in resolution.slots[block]}
            rows = [_row(name, [points], carried.get(name, 0)) for name, points in won[block].items()]
            known[block] = BlockStandings(rank(rows, format_.tiebreak, given=given), complete=True)
        resolution = resolve(format_, known, seeds, scale=SCALE, given=given)
    return {block: found.standings for block, found in known.items()}, resolution


def _row(name: str, points: Sequence[Fraction], carried: int = 0, adjustment: Fraction = Fraction(0)) -> Row:
    """Return a row with these points, hanchan by hanchan; places and scores are not known."""
    played = (Played(number, int(won * SCALE), 1, 0) for number, won in enumerate(points, start=1))
    return Row(name, tuple(played), carried, int(adjustment * SCALE))


def _holders(resolution: Resolution, block: str) -> list[str]:
    return [str(slot.entrant) if slot.state is Certainty.CERTAIN else OPEN for slot in resolution.slots[block]]


def compare(key: str, wanted: object, found: object) -> Iterator[Mismatch]:
    """Yield a mismatch unless the two are equal."""
    if wanted != found:
        yield Mismatch(key, wanted, found)


class ExpectedTables(Strict):
    """The entrants of each table, in order."""

    tables: tuple[tuple[str, ...], ...]


class ArrangeExample(Example):
    """Ranked entrants -> tables."""

    by: Arrangement
    tables: int
    ranked: tuple[str, ...]
    expect: ExpectedTables


def arrange_differences(example: ArrangeExample, context: FormatContext) -> Iterator[Mismatch]:
    """Arrange the entrants and compare the tables."""
    del context
    yield from compare("tables", example.expect.tables, arrange(example.ranked, example.tables, example.by))


class ExpectedCut(Strict):
    """The standing after a stage, and who of it goes on."""

    top: Points
    ties: tuple[tuple[str, ...], ...]
    going: tuple[str, ...]
    """Who certainly goes on."""
    awaiting: tuple[tuple[str, ...], ...]
    """Groups level across the cut."""


class NotPlayed(Strict):
    """A round that counts for an entrant who did not play it; without points it counts the mean of those before."""

    number: int
    kind: CreditKind
    points: Amount | None = None


class CutExample(Example):
    """Points of every hanchan, and penalties -> the best `size` go on.

    Hanchan are numbered in their order, past the rounds not played; `left` says how those who left rank.
    """

    size: int
    points: dict[str, tuple[Amount, ...]]
    penalties: Points = {}
    not_played: dict[str, tuple[NotPlayed, ...]] = {}
    left: dict[str, Withdrawal] = {}
    expect: ExpectedCut


CUT = """
name = "cut"
title = "cut"
entrants = {entrants}
tiebreak = {{}}

[[stages]]
key = "main"
title = "main"
seating = "rounds"
assignment = "seeded"
carry_over = {{ kind = "none" }}
blocks = [{{ key = "main", title = "main", entrants = [{{ from = "seed:*" }}] }}]

[[stages]]
key = "next"
title = "next"
seating = "rounds"
assignment = "seeded"
carry_over = {{ kind = "none" }}
blocks = [{{ key = "next", title = "next", entrants = [{{ from = "main#1-{size}" }}] }}]
"""


def cut_differences(example: CutExample, context: FormatContext) -> Iterator[Mismatch]:
    """Rank the stage, cut it by the ladder of a format, and yield all differences."""
    del context
    format_ = parse_format(CUT.format(entrants=len(example.points), size=example.size), "cut")
    seeds: dict[int, Entrant] = dict(enumerate(sorted(example.points), start=1))
    latest = max(len(points) + len(example.not_played.get(name, ())) for name, points in example.points.items())
    rows = [
        _with_credits(
            _row(name, points, adjustment=example.penalties.get(name, Fraction(0))),
            example.not_played.get(name, ()),
            latest,
        )
        for name, points in example.points.items()
    ]
    standings = rank(rows, format_.tiebreak, leaving=dict(example.left.items()))
    passed = [PassOver("main", name, "") for name in example.left]
    known = {"main": BlockStandings(standings, complete=True)}
    resolution = resolve(format_, known, seeds, overrides=passed, scale=SCALE)
    totals = {str(each.entrant): Fraction(each.total, SCALE) for each in standings.ranked[: len(example.expect.top)]}
    yield from compare("top", example.expect.top, totals)
    yield from compare("ties", _groups(example.expect.ties), _groups(standings.unbroken))
    going = sorted(name for name in _holders(resolution, "next") if name != OPEN)
    yield from compare("going", sorted(example.expect.going), going)
    yield from compare("awaiting", _groups(example.expect.awaiting), _groups([a.entrants for a in resolution.awaiting]))


def _with_credits(row: Row, not_played: Sequence[NotPlayed], latest: int) -> Row:
    """Return a row in which rounds not played count, and the hanchan played have the numbers of the others."""
    taken = {each.number for each in not_played}
    numbers = (number for number in count(1) if number not in taken)
    played = tuple(replace(game, number=number) for game, number in zip(row.played, numbers, strict=False))
    given = [
        GivenCredit(each.number, each.kind, None if each.points is None else int(each.points * SCALE))
        for each in not_played
    ]
    settled = settle_credits(given, {game.number: game.points for game in played}, latest)
    return replace(row, played=played, credits=settled)


def _groups(groups: Sequence[Sequence[object]]) -> list[list[str]]:
    return sorted(sorted(map(str, group)) for group in groups)


class ExpectedKnockout(Strict):
    """Who goes on from each table, and the next tables as sets."""

    going: tuple[tuple[str, ...], ...]
    next: tuple[tuple[str, ...], ...]


class KnockoutExample(Example):
    """Tables with the points of each hanchan -> who goes on, and the next tables."""

    tables: tuple[dict[str, tuple[Amount, ...]], ...]
    advance: int
    then: Arrangement
    expect: ExpectedKnockout


def knockout_differences(example: KnockoutExample, context: FormatContext) -> Iterator[Mismatch]:
    """Rank every table from zero, and arrange the first of each at the next tables."""
    del context
    ranked = (rank([_row(name, won) for name, won in table.items()], TieBreak()).ranked for table in example.tables)
    going = tuple(tuple(str(each.entrant) for each in table[: example.advance]) for table in ranked)
    yield from compare("going", example.expect.going, going)
    onwards = [name for table in going for name in table]
    tables = arrange(onwards, len(example.expect.next), example.then)
    yield from compare("next", _groups(example.expect.next), _groups(tables))


class CarryExample(Example):
    """Totals -> the part of them that is carried over."""

    of: Share
    rounding: CarryRounding
    totals: Points
    expect: Points


def carry_differences(example: CarryExample, context: FormatContext) -> Iterator[Mismatch]:
    """Round the exact part of each total to a tenth."""
    del context
    found = {
        name: Fraction(rounded_share(int(total * SCALE), example.of, example.rounding), SCALE)
        for name, total in example.totals.items()
    }
    yield from compare("carried", example.expect, found)
