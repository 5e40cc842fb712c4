"""Entrants who rest in the rounds of a session, where a block's entrants do not fill its tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count

from league.models import Block, Entrant, Hanchan, Session
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedHanchan, PlayedTable, session_tables
from league.selectors.rulebooks.rules_in_force import format_of, rules_of, ruleset_of
from league.selectors.standings.published import slot_states_of
from league.selectors.standings.rounds import blocks_with_rests
from scoring.stages import Certainty


@dataclass(frozen=True, slots=True)
class Rests:
    """The entrants of a block who rest in these rounds (回戦) of the session."""

    block: Block
    rounds: tuple[int, ...]
    entrants: tuple[Entrant, ...]


def rests_of(reader: Reader, tables: Iterable[PlayedTable]) -> tuple[Rests, ...]:
    """Return who rests at these tables of one session, round by round; rounds of the same people are one.

    Rounds with a table whose players are open, or hidden from the reader, are left out.
    """
    rules = rules_of(reader)
    keys = blocks_with_rests(format_of(rules), ruleset_of(rules).players)
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
    if not blocks_with_rests(format_of(rules), ruleset_of(rules).players):
        return ()
    return rests_of(reader, [table for found in session_tables(reader, session) for table in found.tables])


def _of_block(block: Block, entrants: list[Entrant], hanchan: Sequence[PlayedHanchan]) -> Iterator[Rests]:
    """Yield the rests of a block, consecutive rounds of the same people together."""
    round_of = {played.hanchan.number: played.hanchan.round for played in hanchan}
    rounds: list[int] = []
    before: tuple[Entrant, ...] = ()
    for number, seated in sorted(_seated(block, hanchan).items()):
        rests = tuple(entrant for entrant in entrants if entrant.pk not in seated)
        if rounds and rests != before:
            yield Rests(block, tuple(rounds), before)
            rounds = []
        rounds.append(round_of[number])
        before = rests
    if rounds:
        yield Rests(block, tuple(rounds), before)


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
