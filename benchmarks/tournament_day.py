"""A simulated day of an open tournament, and the CPU time from the last result of a round to the next pairing.

200 enter, ten do not come, four arrive later, six withdraw: eight rounds without repeats, a cut to 16, a final of four.
All of it goes through the services, on SQLite.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.stock import set_up

ENTERED, NO_SHOWS, LATE, WITHDRAWN = 200, 10, 4, 6
ROUNDS, CUT = 8, 16
MOST_SECONDS = 5
"""CPU time within which a round of 200 is paired."""


def main() -> int:
    """Print the time of every pairing; return 1 if one takes too long, or two players meet again."""
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-") as folder:
        set_up(Path(folder))
        return run()


def run() -> int:
    """Run the day in the database that is set up."""
    # Django is set up by now.
    from league.models import Entrant, Outcome
    from tests.league.tournament_day import begun, by_standing

    began = time.process_time()
    day = begun(by_standing(ROUNDS, CUT, least=100, most=224), ENTERED, NO_SHOWS)
    print(f"{ENTERED} entered, {NO_SHOWS} not there, closed and scheduled: {time.process_time() - began:.1f} s")
    for number in range(1, ROUNDS + 1):
        if number == 3:  # noqa: PLR2004 - after two rounds
            day.arrive(LATE, first=number)
        if number in {4, 6}:
            people = Entrant.objects.filter(competition=day.competition, withdrawn_at=None, is_house=False)
            day.leave(people.exclude(seeded_slots=None).order_by("-number")[: WITHDRAWN // 2])
        day.run_round(number)
        tables = [table for round_, table in day.tables() if round_ == number]
        print(f"round {number}: {len(tables)} tables paired and written in {day.seconds[-1]:.1f} s of CPU")
    for block, rounds in (("cut", 2), ("final", 1)):
        day.draw(block)
        for number in range(1, rounds + 1):
            day.play(block, number)
    outcome = Outcome.objects.filter(competition=day.competition).latest("computed_version")
    print(f"pairs who met twice: {day.repeats()}; champion {outcome.champion_state}")
    print(f"the whole day, 400 results and more: {time.process_time() - began:.0f} s of CPU")
    return int(max(day.seconds) > MOST_SECONDS or day.repeats() > 0 or outcome.champion_state != "certain")
