"""Set up tournaments whose rounds are paired by the standing or by lot: one block, then a final of the best four."""

from __future__ import annotations

from typing import Any

from league.models import Block, Competition, FormatRevision, Hanchan, Pairing, RulesInForce, Stage
from league.selectors.competitions.seating.pairing import planned_pairing
from league.services.competitions.pairing import pair_round
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.rulebooks.revisions import keep
from tests.factories import SYSTEM, league, play
from tests.league.resting_league import NOTE, format_text, schedule
from tests.replayed import replayed


def paired_text(people: int, rounds: str, hanchan: int, odd: str = "") -> str:
    """Return a format for these numbers of entrants and hanchan; `rounds` lists how they are seated."""
    noted = rounds.replace(" }", f", {NOTE} }}")
    text = format_text(people, hanchan).replace(
        'assignment = "seeded"', f'assignment = "seeded"\nrounds = [{noted}]', 1
    )
    return text.replace("[tiebreak]", f"[policies]\nodd = {{ {odd}, {NOTE} }}\n[tiebreak]") if odd else text


@replayed
def tournament(
    people: int, rounds: str, hanchan: int = 3, *, odd: str = "", slug: str = "open", tables: int | None = None
) -> Block:
    """Create a published tournament, scheduled with empty seats in rounds that are paired; return its block.

    `tables` is the number of tables of every round, all of them empty.
    """
    text = paired_text(people, rounds, hanchan, odd)
    competition = league(slug, league_format=keep(FormatRevision, "paired", text))
    return schedule(competition) if tables is None else with_tables(competition, hanchan, tables)


@replayed
def event_with_byes(people: int, policies: str = "", *, odd: str = 'by = "byes", points = "average"') -> Block:
    """Create a tournament of two rounds by lot and a final of four, with these policies besides that for byes."""
    text = paired_text(people, '{ numbers = "1-2", by = "draw" }', 2, odd)
    text = text.replace("[policies]", f"[policies]\n{policies}")
    competition = league("open", league_format=keep(FormatRevision, "resting", format_text(people, 4)))
    Stage.objects.filter(competition=competition, key="league").update(hanchan_count=2)
    RulesInForce.objects.filter(competition=competition).update(format=keep(FormatRevision, "paired", text))
    return with_tables(competition, 2, people // 4)


def on_withdrawal(results: str = "stay", *, ranked: bool = True) -> str:
    """Return the policy for those who withdraw."""
    return f'withdrawal = {{ results = "{results}", ranked = {str(ranked).lower()}, {NOTE} }}'


def with_tables(competition: Competition, hanchan: int, tables: int) -> Block:
    """Schedule tables with empty seats for every round of block A; return the block."""
    block = Block.objects.select_related("stage", "competition").get(competition=competition, key="A")
    session = create_session(competition=competition, by=SYSTEM)
    for number in range(1, hanchan + 1):
        for table in range(1, tables + 1):
            fixture = Fixture(block=block, numbers=(number,), table=f"Table {table}")
            create_table_session(session=session, fixture=fixture, by=SYSTEM)
    return block


def pair(block: Block, number: int, **more: Any) -> Pairing:
    """Publish the pairing of a round as it is previewed now."""
    return pair_round(
        block=block, number=number, **{"digest": planned_pairing(block, number).digest, "by": SYSTEM, **more}
    )


def play_round(block: Block, number: int) -> list[Hanchan]:
    """Play a round; the scores follow from round and table, so that totals differ."""
    rows = Hanchan.objects.filter(block=block, number=number, table_session__is_cancelled=False)
    found = list(rows.exclude(seats=None).order_by("pk"))
    for place, hanchan in enumerate(found):
        first, second = 100 * (number * 7 % 23 + place * 5), 100 * (number * 3 % 13 + place * 7)
        play(hanchan, (40_000 + first, 30_000 + second, 20_000 - first, 10_000 - second), accept={"same_result_twice"})
    return found


def met_in(pairing: Pairing) -> set[frozenset[int]]:
    """Return the pairs of entrants at one table."""
    return {frozenset(term["entrants"]) for table in pairing.tables for term in table["terms"]}
