"""Whole ends of a format in one step: a cut, a knock-out, a double elimination, a consolation, a final of four.

Each goes on from a stage with its best entrants, and makes what an organizer would build stage by stage; every part
can be changed afterwards. At each table of four two go on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from rulesets.format_builder.editing import edit, stage_named
from rulesets.format_builder.edits import MOST_STAGES
from rulesets.format_builder.picks import (
    USUAL_TABLE,
    Draft,
    Entry,
    Pick,
    PickKind,
    Spread,
    blocks_in,
    blocks_of,
    entry_of,
    grows,
    table_of,
    write_entry,
)
from rulesets.format_builder.proposals import FINAL, Words, free_stage_key, tables_key, tables_title
from scoring.format.arranging import Arrangement

GOING_ON = 2
"""Entrants of a table who go on in a knock-out."""
CUTS = (8, 16, 32, 64)
KNOCK_OUTS = (8, 16, 32, 64)
ELIMINATIONS = (8, 16, 32)
"""Numbers of entrants with which a double elimination fills its tables."""
SEMIFINAL: Words = {"ja": "準決勝", "en": "Semifinal"}
CONSOLATION: Words = {"ja": "順位決定戦", "en": "Play for places"}
LONG = {"hanchan": 2, "sessions": 1, "seating": "stay"}
"""Play of a table whose two best go on."""
SHORT = {**LONG, "hanchan": 1}


def cuts(draft: Draft, key: str) -> tuple[int, ...]:
    """Return the numbers of a stage's entrants who may go on: those that fill tables, without the whole stage.

    All of a stage that has more entrants if the competition has are a cut for those.
    """
    table, stage = table_of(draft), stage_named(draft, key)
    return tuple(range(table, sum(entry_of(draft, stage).sizes) + grows(draft, stage), table))


def best_of(draft: Draft, key: str, count: int) -> tuple[Pick, ...]:
    """Return the picks of the best of a stage: equal ranks of all blocks, then the best of the next rank."""
    sizes = entry_of(draft, stage_named(draft, key)).sizes
    own = blocks_of(draft)[key]
    if len(own) == 1:
        return (Pick(PickKind.BLOCK, own[0], 1, count),)
    each, over = divmod(count, len(own))
    picks = [Pick(PickKind.EACH, key, 1, each)] if each else []
    if over and each < min(sizes):
        picks.append(Pick(PickKind.BEST, key, 1, over, each + 1))
    return tuple(picks)


@dataclass(frozen=True, slots=True)
class Onward:
    """The ways on from a stage that its entrants allow."""

    cuts: tuple[int, ...] = ()
    """Usual numbers of those who go on together."""
    knock_outs: tuple[int, ...] = ()
    eliminations: tuple[int, ...] = ()
    """Numbers for a double elimination."""
    has_final: bool = False
    has_consolation: bool = False


def onward(draft: Draft, key: str) -> Onward:
    """Return the ways on from a stage; the best go on from a stage only once."""
    free = set(cuts(draft, key)) if _is_end(draft, key) else set()
    tables = free if table_of(draft) == USUAL_TABLE else set()
    return Onward(
        cuts=tuple(count for count in CUTS if count in free and _has_room(draft, 1)),
        knock_outs=tuple(count for count in KNOCK_OUTS if count in tables and _has_room(draft, count.bit_length() - 2)),
        eliminations=tuple(
            count for count in ELIMINATIONS if count in tables and _has_room(draft, len(list(_elimination(count))) + 1)
        ),
        has_final=table_of(draft) in free and _has_room(draft, 1),
        has_consolation=bool(others(draft, key)) and _has_room(draft, 1) and _can_lack(draft, key),
    )


def _is_end(draft: Draft, key: str) -> bool:
    """Return whether no stage takes entrants of this one, and its blocks have fixed places."""
    blocks = blocks_in(stage_named(draft, key))
    own = {key, *(block["key"] for block in blocks)}
    picks = [pick for stage in draft["stages"] for pick in entry_of(draft, stage).picks]
    return not any(pick.of in own for pick in picks) and not any(block.get("is_open") for block in blocks)


@edit
def cut(draft: Draft, key: str, count: int) -> None:
    """Let the best of a stage play two more rounds with new tables, with all their points."""
    if count in cuts(draft, key) and _has_room(draft, 1):
        play = {"hanchan": 2, "sessions": 1, "seating": "rounds", "carry_over": {"kind": "full"}}
        _block(draft, best_title(count), best_of(draft, key, count), play)


@edit
def final(draft: Draft, key: str) -> None:
    """Let the best table of a stage play a final with all their points."""
    if (count := table_of(draft)) in cuts(draft, key) and _has_room(draft, 1):
        _final(draft, best_of(draft, key, count), {"kind": "full"})


@edit
def knock_out(draft: Draft, key: str, count: int) -> None:
    """Let the best of a stage play a knock-out to a final of four: by ranks first, then crossed."""
    if count in KNOCK_OUTS and count in cuts(draft, key) and table_of(draft) == USUAL_TABLE:
        rounds = [number for number in KNOCK_OUTS if number <= count]
        picks, how = best_of(draft, key, count), Arrangement.SNAKE
        if not _has_room(draft, len(rounds) + 1):
            return
        for number in reversed(rounds):
            title = SEMIFINAL if number == 2 * USUAL_TABLE else best_title(number)
            last = _tables(draft, title, picks, number // USUAL_TABLE, how, LONG)
            picks, how = _best_two(draft, last), Arrangement.CROSSED
        _final(draft, picks)


@edit
def double_elimination(draft: Draft, key: str, count: int) -> None:
    """Let the best of a stage play until they have been in the lower half of a table twice; two of each side meet last.

    The lower halves of the winners' side come to the losers' side, where they and those left there fill tables.
    """
    if count not in ELIMINATIONS or count not in cuts(draft, key) or table_of(draft) != USUAL_TABLE:
        return
    rounds = list(_elimination(count))
    if not _has_room(draft, len(rounds) + 1):
        return
    picks: dict[str, tuple[Pick, ...]] = {"": best_of(draft, key, count)}
    for name, title, sources, tables in rounds:
        taken = [pick for source in sources for pick in picks[source]]
        if tables == 1:
            last = _block(draft, title, taken, SHORT)
        else:
            # Two ranks of each table of one round are crossed; those of several rounds, or of no table, are dealt.
            is_crossed = len(taken) == 1 and sources != ("",) and tables % GOING_ON == 0
            how = Arrangement.CROSSED if is_crossed else Arrangement.SNAKE
            last = _tables(draft, title, tuple(taken), tables, how, SHORT)
        picks[name] = _best_two(draft, last)
        picks[f"{name}-"] = _ranks(draft, last, GOING_ON + 1, USUAL_TABLE)
    winners, losers = (next(name for name, *_rest in reversed(rounds) if name[0] == side) for side in "WL")
    _final(draft, (*picks[winners], *picks[losers]))


Round = tuple[str, Words, tuple[str, ...], int]
"""A round of a double elimination: its name, its title, the names of the rounds it takes from (with - the lower
halves), its tables."""


def _elimination(count: int) -> Iterator[Round]:
    """Yield the rounds of a double elimination, each after those that it takes from."""
    number, lower, left, waiting, losers = 1, "", 0, count, 0
    above: tuple[str, ...] = ("",)
    while waiting > GOING_ON:
        name = f"W{number}"
        yield name, _side("勝者側", "Winners", number), above, waiting // USUAL_TABLE
        waiting //= GOING_ON
        fed, above = (f"{name}-",), (name,)
        # Those left on the losers' side play on alone until they fill tables together with those who come.
        while left and (left + waiting) % USUAL_TABLE:
            losers += 1
            yield f"L{losers}", _side("敗者側", "Losers", losers), (lower,), left // USUAL_TABLE
            lower, left = f"L{losers}", left // GOING_ON
        losers += 1
        coming = (*fed, lower) if left else fed
        yield f"L{losers}", _side("敗者側", "Losers", losers), coming, (left + waiting) // USUAL_TABLE
        lower, left = f"L{losers}", (left + waiting) // GOING_ON
        number += 1
    while left > GOING_ON:
        losers += 1
        yield f"L{losers}", _side("敗者側", "Losers", losers), (lower,), left // USUAL_TABLE
        lower, left = f"L{losers}", left // GOING_ON


def _side(ja: str, en: str, number: int) -> Words:
    return {"ja": f"{ja}{number}回戦", "en": f"{en} {number}"}


@edit
def consolation(draft: Draft, key: str) -> None:
    """Let those of a stage who do not go on play two more rounds for their places, with all their points.

    The fewest entrants of a format of open size become enough for a table of them.
    """
    stage = stage_named(draft, key)
    if (lacking := _lacking(draft, key)) and grows(draft, stage) and _can_lack(draft, key):
        draft["entrants"] = {**draft["entrants"], "least": draft["entrants"]["least"] + lacking}
    rest = others(draft, key)
    if not rest or not _has_room(draft, 1) or rest[0].first > rest[0].last:
        return
    play: Draft = {"hanchan": 2, "sessions": 1, "seating": "rounds", "carry_over": {"kind": "full"}}
    if not rest[0].is_rest and _count(draft, rest) <= table_of(draft):
        play["seating"] = "stay"
    elif table_of(draft) == USUAL_TABLE and len(blocks_of(draft)[key]) == 1:
        play["rounds"] = [{"numbers": "1-2", "by": "standing", "of": key, "avoid": ["met"]}]
    made = _block(draft, CONSOLATION, rest, play)
    # Before the stages of those who go on, so that these have the better places at the end.
    draft["stages"].remove(made)
    draft["stages"].insert(draft["stages"].index(stage) + 1, made)


def others(draft: Draft, key: str) -> tuple[Pick, ...]:
    """Return the picks of those of a stage whom no stage takes, if they are the lower ranks of each block."""
    stage = stage_named(draft, key)
    own, sizes = blocks_of(draft)[key], entry_of(draft, stage).sizes
    if len(set(sizes)) != 1 or any(block.get("is_open") for block in blocks_in(stage)):
        return ()
    taken = [pick for other in draft["stages"] for pick in entry_of(draft, other).picks if pick.of in {*own, key}]
    first = max((pick.rank or pick.last for pick in taken), default=0) + 1
    if not taken or (first > sizes[0] and not grows(draft, stage)):
        return ()
    if len(own) > 1:
        return (Pick(PickKind.EACH, key, first, sizes[0]),)
    return (Pick(PickKind.BLOCK, own[0], first, sizes[0], is_rest=grows(draft, stage)),)


def _lacking(draft: Draft, key: str) -> int:
    """Return how many entrants a stage lacks for a table of those who do not go on."""
    rest = others(draft, key)
    return max(0, table_of(draft) - (rest[0].last - rest[0].first + 1)) if rest else 0


def _can_lack(draft: Draft, key: str) -> bool:
    """Return whether those who do not go on are enough for a table, or can be."""
    if not (lacking := _lacking(draft, key)):
        return True
    entrants = draft.get("entrants")
    return isinstance(entrants, dict) and entrants["least"] + lacking <= entrants["most"]


def best_title(count: int) -> Words:
    """Return the title proposed for a stage of the best of this number."""
    return {"ja": f"ベスト{count}", "en": f"Last {count}"}


def _has_room(draft: Draft, stages: int) -> bool:
    return len(draft["stages"]) + stages <= MOST_STAGES


def _count(draft: Draft, picks: Sequence[Pick]) -> int:
    return sum(len(pick.sources(blocks_of(draft))) for pick in picks)


def _best_two(draft: Draft, stage: Draft) -> tuple[Pick, ...]:
    return _ranks(draft, stage, 1, GOING_ON)


def _ranks(draft: Draft, stage: Draft, first: int, last: int) -> tuple[Pick, ...]:
    """Return the pick of these ranks of each table of a stage."""
    own = blocks_of(draft)[stage["key"]]
    if len(own) == 1:
        return (Pick(PickKind.BLOCK, own[0], first, last),)
    return (Pick(PickKind.EACH, stage["key"], first, last),)


def _added(draft: Draft, title: Words, play: Draft) -> Draft:
    """Append a stage without entrants and without blocks."""
    key = free_stage_key(draft)
    stage: Draft = {"key": key, "title": dict(title), "assignment": "seeded", "carry_over": {"kind": "none"}, **play}
    draft["stages"].append(stage)
    return stage


def _block(draft: Draft, title: Words, picks: Sequence[Pick], play: Draft) -> Draft:
    """Append a stage of one block that takes these picks."""
    stage = _added(draft, title, play)
    stage["blocks"] = [{"key": stage["key"], "title": dict(title)}]
    write_entry(draft, stage, Entry(tuple(picks), Spread.STRAIGHT, (_count(draft, picks),)))
    return stage


def _tables(draft: Draft, title: Words, picks: tuple[Pick, ...], count: int, how: Arrangement, play: Draft) -> Draft:
    """Append a stage of tables of four that takes these picks."""
    stage = _added(draft, title, play)
    stage["tables"] = {"key": tables_key(stage["key"]), "count": count, "title": tables_title(title)}
    write_entry(draft, stage, Entry(picks, Spread.SNAKE, (USUAL_TABLE,) * count, how))
    return stage


def _final(draft: Draft, picks: tuple[Pick, ...], carry: Draft | None = None) -> None:
    table = table_of(draft)
    play = {"hanchan": ceil(table / 2), "sessions": 1, "seating": "stay", "carry_over": carry or {"kind": "none"}}
    _block(draft, FINAL, picks, play)
