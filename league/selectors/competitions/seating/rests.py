"""Entrants who rest in the rounds of a session, where a block's entrants do not fill its tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from league.models import Block, Credit, Entrant, Hanchan, Session
from league.selectors.access.readers import Reader
from league.selectors.competitions.block_rounds import replannings
from league.selectors.competitions.overview import entrants_by_id
from league.selectors.competitions.schedule import PlayedHanchan, PlayedTable, session_tables
from league.selectors.rulebooks.rules_in_force import format_of, rules_of, ruleset_of
from league.selectors.standings.credits import credits_of
from league.selectors.standings.published import slot_states_of
from league.selectors.standings.rounds import blocks_with_rests
from scoring.format import Format
from scoring.format.policies import OddBy
from scoring.stages import Certainty


@dataclass(frozen=True, slots=True)
class Rests:
    """The entrants of a block who rest in these rounds (回戦) of the session, or have a bye there."""

    block: Block
    rounds: tuple[int, ...]
    entrants: tuple[Entrant, ...]


@dataclass(frozen=True, slots=True)
class NotPlayed:
    """A hanchan that counts for an entrant who did not play it, with the reason in a word and its worth."""

    entrant: Entrant
    block: Block
    number: int
    kind: str
    points: int


def not_played(reader: Reader, tables: Iterable[PlayedTable]) -> tuple[NotPlayed, ...]:
    """Return what counts in the rounds of these tables for entrants who did not play, by round and entrant."""
    credits_ = credits_of(reader)
    if not credits_:
        return ()
    blocks = {(game.hanchan.block.key, game.hanchan.number): game.hanchan.block for t in tables for game in t.hanchan}
    found = [
        (blocks[key, each.number], pk, each)
        for key, own in credits_.items()
        for pk, given in own.items()
        for each in given
        # A hanchan that was played and is annulled has a page of its own. Those who have a bye are named among those
        # who rest, as they are before the bye counts.
        if each.hanchan is None and each.kind != Credit.Kind.BYE and (key, each.number) in blocks
    ]
    people = entrants_by_id(reader.competition, {pk for _block, pk, _credit in found})
    rows = [
        NotPlayed(people[pk], block, each.number, str(Credit.Kind(each.kind).label), each.points)
        for block, pk, each in found
    ]
    return tuple(sorted(rows, key=lambda row: (row.block.pk, row.number, row.entrant.number)))


def rests_of(reader: Reader, tables: Iterable[PlayedTable]) -> tuple[Rests, ...]:
    """Return who rests at these tables of one session, round by round; rounds of the same people are one.

    Rounds with a table whose players are open, or hidden from the reader, are left out.
    """
    rules, tables = rules_of(reader), tuple(tables)
    if has_byes(format_of(rules)):
        return tuple(_byes(reader, tables))
    keys = blocks_with_rests(format_of(rules), ruleset_of(rules).players)
    # Where all tables are filled by the format, players rest only after a table was dissolved.
    cancelled = {table.table_session.block for table in tables if table.table_session.is_cancelled}
    keys |= {block.key for block in cancelled if block.key not in keys and replannings(block)}
    games: defaultdict[Block, list[PlayedHanchan]] = defaultdict(list)
    for table in tables:
        if table.table_session.block.key in keys and not table.table_session.is_cancelled:
            games[table.table_session.block] += table.hanchan
    if not games:
        return ()
    states = slot_states_of(reader, list(games))
    found: list[Rests] = []
    for block, hanchan in games.items():
        own = [state for state in states if state.slot.block_id == block.pk]
        known = [state.entrant for state in own if state.state == Certainty.CERTAIN and state.entrant]
        if len(known) == len(own):
            found += _of_block(block, sorted(known, key=lambda entrant: entrant.number), hanchan)
    return tuple(found)


def rests_in(reader: Reader, session: Session) -> tuple[Rests, ...]:
    """Return who rests in a session; without a query for its tables where all entrants always play."""
    rules = rules_of(reader)
    league_format = format_of(rules)
    if not (has_byes(league_format) or blocks_with_rests(league_format, ruleset_of(rules).players)):
        return ()
    return rests_of(reader, [table for found in session_tables(reader, session) for table in found.tables])


def has_byes(league_format: Format) -> bool:
    """Return whether entrants who sit out a round have a bye."""
    odd = league_format.policies.odd
    return odd is not None and odd.by is OddBy.BYES


def _byes(reader: Reader, tables: Iterable[PlayedTable]) -> Iterator[Rests]:
    """Yield who has a bye in the rounds of these tables."""
    rounds = {
        (table.table_session.block, played.hanchan.number): played.hanchan.round
        for table in tables
        for played in table.hanchan
    }
    blocks = {block.pk: block for block, _number in rounds}
    rows = reader.decisions(Credit, block__in=blocks, kind=Credit.Kind.BYE).select_related("entrant__player")
    byes: defaultdict[tuple[Block, int], list[Entrant]] = defaultdict(list)
    for row in rows:
        byes[blocks[row.block_id], row.number].append(row.entrant)
    for place in sorted(byes.keys() & rounds.keys(), key=rounds.__getitem__):
        yield Rests(place[0], (rounds[place],), tuple(sorted(byes[place], key=lambda entrant: entrant.number)))


def _of_block(block: Block, entrants: list[Entrant], hanchan: Sequence[PlayedHanchan]) -> Iterator[Rests]:
    """Yield the rests of a block, consecutive rounds of the same people together."""
    round_of = {played.hanchan.number: played.hanchan.round for played in hanchan}
    comings = [change.after or {} for change in replannings(block)]
    rounds: list[int] = []
    before: tuple[Entrant, ...] = ()
    for number, seated in sorted(_seated(block, hanchan).items()):
        away = seated | _away(comings, number)
        rests = tuple(entrant for entrant in entrants if entrant.pk not in away)
        if rounds and rests != before:
            yield from _if_any(Rests(block, tuple(rounds), before))
            rounds = []
        rounds.append(round_of[number])
        before = rests
    if rounds:
        yield from _if_any(Rests(block, tuple(rounds), before))


def _if_any(rests: Rests) -> Iterable[Rests]:
    return (rests,) if rests.entrants else ()


def _away(comings: Iterable[Mapping[str, Any]], number: int) -> set[int]:
    """Return the ids of the entrants who have left before a hanchan, or join after it, by replanning."""
    away: set[int] = set()
    for said in comings:
        has_come = number >= said["first"]
        away = (away | set(said["leaving"])) - set(said["joining"]) if has_come else away | set(said["joining"])
    return away


def _seated(block: Block, hanchan: Iterable[PlayedHanchan]) -> Mapping[int, set[int]]:
    """Return the entrants at the tables of each round of which all seats are known."""
    by_number: defaultdict[int, list[PlayedHanchan]] = defaultdict(list)
    for played in hanchan:
        if played.hanchan.state != Hanchan.State.ABANDONED:
            by_number[played.hanchan.number].append(played)
    rows = Hanchan.objects.filter(block=block, number__in=by_number, table_session__is_cancelled=False)
    counts = rows.exclude(state=Hanchan.State.ABANDONED).values_list("number").annotate(Count("pk")).order_by()
    return {
        number: {seat.entrant_id for each in by_number[number] for seat in (each.results or each.planned)}
        for number, count in counts
        if count == len(by_number[number]) and all(each.results or each.planned for each in by_number[number])
    }
