"""Prepare a database for benchmarks over REST; `benchmarks/served.py` runs it with the service's environment.

Beside the open tables it gets the demo, and a league of sixteen in one block with hanchan scheduled but not played.
The last line printed is JSON: a superuser's token, and the hanchan to submit for the league and the largest open
table.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from league.models import Competition, Entrant

PEOPLE = 16
EVENINGS = 30
"""Evenings of the league and of the open table: more results than any measurement submits."""
LEAGUE = "sixteen"
Job = dict[str, Any]


def main(games: int) -> None:
    """Migrate, fill the database and print the JSON."""
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from knox.models import AuthToken

    from benchmarks.stock import slug_of
    from league.models import Audience, Competition
    from league.services.standings.odds import publish_odds

    call_command("migrate", verbosity=0)
    call_command("load_demo", stdout=sys.stderr)
    user = User.objects.create_superuser(username="bench", password=None)
    competition, entrants = league()
    table = Competition.objects.get(slug=slug_of(games))
    shown = {"status": Competition.Status.PUBLISHED, "audience": Audience.PUBLIC}
    Competition.objects.exclude(slug="demo").update(**shown)
    guests = list(table.entrants.order_by("number")[:200])
    found = {
        "token": AuthToken.objects.create(user)[1],
        "league": list(scheduled(competition, entrants)),
        "open": list(scheduled(table, guests)),
        "open_slug": table.slug,
    }
    settle()
    publish_odds(Competition.objects.get(slug="demo").pk)
    print(json.dumps(found))


def league() -> tuple[Competition, list[Entrant]]:
    """Create a public league of sixteen in one block, without odds, which would take long for such a season."""
    from league.models import Audience
    from league.selectors.access.actors import Actor
    from league.services.competitions import setup

    by = Actor.system()
    plan = setup.CompetitionPlan(
        slug=LEAGUE,
        name=LEAGUE,
        ruleset="cinderella",
        league_format="open-play",
        audience=Audience.PUBLIC,
        shows_odds=False,
    )
    made = setup.create_competition(plan=plan, by=by)
    people = [setup.new_player(name=f"P{place}", key=f"{LEAGUE}-{place}", by=by) for place in range(PEOPLE)]
    return made, setup.enter_players(competition=made, players=people, by=by)


def scheduled(competition: Competition, entrants: list[Entrant]) -> Iterator[Job]:
    """Schedule evenings of four tables and yield their hanchan with the entrants, four hanchan side by side."""
    from league.selectors.access.actors import Actor
    from league.services.competitions.schedule import Fixture, create_session, create_table_session

    by, chance, block = Actor.system(), random.Random(competition.slug), competition.blocks.get()
    for evening in range(EVENINGS):
        session, numbers = create_session(competition=competition, by=by), range(4 * evening + 1, 4 * evening + 5)
        sixteen, jobs = chance.sample(entrants, PEOPLE), []
        for first in range(0, PEOPLE, 4):
            four = tuple(sixteen[first : first + 4])
            fixture = Fixture(block=block, numbers=tuple(numbers), entrants=four)
            table = create_table_session(session=session, fixture=fixture, by=by)
            jobs += [(each.round, each.pk, [one.pk for one in four]) for each in table.hanchan.all()]
        yield from ({"hanchan": pk, "entrants": people} for _round, pk, people in sorted(jobs))


def settle() -> None:
    """Publish the standings of all competitions, so that no work is left when measuring begins."""
    from league.models import Competition
    from league.services.standings.publishing import publish_standings

    for pk in Competition.objects.values_list("pk", flat=True):
        publish_standings(pk)


if __name__ == "__main__":
    main(int(sys.argv[1]))
