"""A simulated day of an open tournament: no-shows, late arrivals, withdrawals, rounds by standing, a cut, a final."""

from __future__ import annotations

import datetime as dt
import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from league.models import Block, Competition, Entrant, FormatRevision, Hanchan, HanchanSeat, Session
from league.selectors.competitions.seating.pairing import planned_pairing
from league.selectors.competitions.seating.plans import Calendar, Wishes, planned_schedule
from league.services.competitions.arrivals import admit_late, check_in
from league.services.competitions.departures import withdraw
from league.services.competitions.pairing import pair_round
from league.services.competitions.roster import fit_roster
from league.services.competitions.seating import SeatDraw, draw_seats, write_schedule
from league.services.competitions.setup import CompetitionPlan, create_competition, new_player, set_status
from league.services.results.batches import Incoming, take_results
from league.services.rulebooks.revisions import keep
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM

WISHES = Wishes(calendar=Calendar(first_day=dt.date(2027, 1, 9), every=0, starts_at=dt.time(10, 0)), seed="day")
SPREAD, CHANCE = 12_000, 30_000
"""Standard deviations of strength and of chance in a hanchan, in table points."""


def by_standing(rounds: int, cut: int, least: int, most: int, odd: str = "byes") -> str:
    """Return a format: a round by lot, the others by standing without repeats, then a cut, a second stage, a final."""
    worth = "average" if odd == "byes" else "-15.0"
    return f"""
name = "by-standing"
title = "By standing"
players = 4
entrants = {{ least = {least}, most = {most} }}
champion = {{ block = "final" }}
[tiebreak]
back_tracking = [{{ by = "points" }}, {{ by = "place" }}, {{ by = "score" }}]
then = ["places", "lot"]
[policies]
odd = {{ by = "{odd}", points = "{worth}" }}
withdrawal = {{ ranked = true, results = "stay" }}
[[stages]]
key = "main"
title = "Main rounds"
hanchan = {rounds}
seating = "rounds"
assignment = "seeded"
carry_over = {{ kind = "none" }}
rounds = [{{ numbers = "1", by = "draw" }}, {{ numbers = "2-{rounds}", by = "standing", avoid = ["met"] }}]
blocks = [{{ key = "main", title = "Main rounds", entrants = [{{ from = "seed:*" }}] }}]
[[stages]]
key = "cut"
title = "The best {cut}"
hanchan = 2
seating = "rounds"
assignment = "seeded"
carry_over = {{ kind = "half", rounding = "up" }}
blocks = [{{ key = "cut", title = "The best {cut}", entrants = [{{ from = "main#1-{cut}" }}] }}]
[[stages]]
key = "final"
title = "Final"
hanchan = 1
seating = "stay"
assignment = "seeded"
carry_over = {{ kind = "full" }}
blocks = [{{ key = "final", title = "Final", entrants = [{{ from = "cut#1-4" }}] }}]
"""


@dataclass
class Day:
    """One event as it is run through the services; points follow strengths and chance from one seed."""

    competition: Competition
    chance: random.Random
    strengths: dict[int, int] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    """CPU time from the last result of a round to the next pairing written."""

    @property
    def main(self) -> Block:
        """Return the block of the rounds by standing."""
        return Block.objects.get(competition=self.competition, key="main")

    def run_round(self, number: int) -> None:
        """Pair a round of the main block, and play it."""
        began = time.process_time()
        planned = planned_pairing(self.main, number)
        pair_round(block=self.main, number=number, digest=planned.digest, by=SYSTEM)
        self.seconds.append(time.process_time() - began)
        self.play("main", number)

    def play(self, block: str, number: int) -> None:
        """Record results of a round by strength and chance, and publish the standings."""
        games = Hanchan.objects.filter(block__competition=self.competition, block__key=block, number=number)
        games = games.filter(table_session__is_cancelled=False).prefetch_related("seats__entrant__player")
        incoming = []
        for hanchan in games.order_by("pk"):
            people = [seat.entrant for seat in hanchan.seats.all()]
            incoming.append(Incoming(hanchan, factories.entry(people, self.scores(people))))
        take_results(competition=self.competition, incoming=incoming, by=SYSTEM)
        publish_standings(self.competition.pk)
        self.competition.refresh_from_db()

    def draw(self, block: str) -> None:
        """Draw the seats of all rounds of a later stage."""
        session = Session.objects.filter(
            table_sessions__block__competition=self.competition, table_sessions__block__key=block
        )
        draw_seats(session=session.distinct().get(), draw=SeatDraw(seed="day", is_for_all=True), by=SYSTEM)

    def scores(self, people: Sequence[Entrant]) -> list[int]:
        """Return final scores in hundreds that add up to four times 25,000."""
        drawn = [self.strength(one) + round(self.chance.gauss(0, CHANCE)) for one in people]
        mean = sum(drawn) // len(drawn)
        scores = [25_000 + (each - mean) // 100 * 100 for each in drawn]
        scores[0] += 100_000 - sum(scores)
        return scores

    def strength(self, entrant: Entrant) -> int:
        """Return an entrant's strength in table points."""
        return self.strengths.setdefault(entrant.pk, round(self.chance.gauss(0, SPREAD)))

    def leave(self, people: Iterable[Entrant]) -> None:
        """Withdraw entrants between two rounds."""
        for one in people:
            withdraw(entrant=one, by=SYSTEM, reason="Unwell")

    def arrive(self, count: int, first: int) -> None:
        """Let players join who were not entered, from a round on."""
        for one in range(count):
            player = new_player(name=f"Late {one}", by=SYSTEM)
            admit_late(block=self.main, player=player, first=first, by=SYSTEM, reason="The train was late")

    def tables(self, block: str = "main") -> list[tuple[int, list[int]]]:
        """Return number and entrants of every table seated in a block, house players left out."""
        rows = HanchanSeat.objects.filter(hanchan__block__key=block, hanchan__block__competition=self.competition)
        rows = rows.filter(entrant__is_house=False)
        found: dict[int, tuple[int, list[int]]] = {}
        for hanchan, number, entrant in rows.order_by("hanchan", "seat").values_list(
            "hanchan", "hanchan__number", "entrant"
        ):
            found.setdefault(hanchan, (number, []))[1].append(entrant)
        return list(found.values())

    def repeats(self) -> int:
        """Return how many pairs met more than once in the main block."""
        met = Counter(frozenset(pair) for _number, table in self.tables() for pair in combinations(table, 2))
        return sum(count > 1 for count in met.values())


def begun(text: str, entered: int, no_shows: int = 0, slug: str = "day") -> Day:
    """Create an event, check in all but the no-shows, close its roster with those who came, and schedule it."""
    plan = CompetitionPlan(
        slug=slug,
        name="大会の一日",
        name_en="A day of an event",
        ruleset="mleague",
        league_format=keep(FormatRevision, slug, text),
        entrants=entered,
        shows_odds=False,
    )
    competition = create_competition(plan=plan, by=SYSTEM)
    people = factories.entrants(competition, entered)
    for one in people[no_shows:]:
        check_in(entrant=one, by=SYSTEM)
    fit_roster(competition=competition, entrants=entered - no_shows, only_present=True, by=SYSTEM)
    digest = planned_schedule(competition, WISHES).digest
    write_schedule(competition=competition, wishes=WISHES, digest=digest, by=SYSTEM)
    set_status(competition=competition, status=Competition.Status.PUBLISHED, by=SYSTEM)
    competition.refresh_from_db()
    return Day(competition, random.Random(slug))
