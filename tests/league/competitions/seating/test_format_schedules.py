"""Test that formats without fixtures set by hand are created, closed with least, most and odd numbers, scheduled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from league.models import Competition, FormatRevision, Slot
from league.selectors.competitions.roster import house_needed
from league.selectors.competitions.seating.plans import planned_schedule
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from league.services.competitions.roster import add_house_players
from league.services.competitions.setup import CompetitionPlan, create_competition
from league.services.rulebooks.revisions import keep
from rulesets.formats import format_names, format_text, load_format, parse_format
from scoring.format import Format, Seating
from scoring.ruleset import FaultsError
from tests.factories import SYSTEM, entrants
from tests.league.competitions.test_open_size import TEXTS
from tests.league.competitions.test_wizard import wishes

pytestmark = pytest.mark.django_db
ENOUGH = 72
"""The most players with which a format is tried here: the time of a seating grows with their square."""


def cases() -> Iterator[tuple[str, str, int | None]]:
    """Yield name, text and number of entrants for the examples and shipped formats of open size.

    Those of fixed size that are shipped are set up in `test_admin_ready_formats.py`.
    """
    shipped = {name: format_text(name) for name in format_names() if load_format(name).bounds}
    for name, text in {**TEXTS, **shipped}.items():
        try:
            found = parse_format(text, name)
        except FaultsError:
            continue
        if any(stage.seating is Seating.FIXTURES for stage in found.stages):
            continue
        bounds = found.bounds
        numbers = sorted({bounds.least, min(bounds.most, ENOUGH), min(bounds.least + 1, bounds.most)}) if bounds else ()
        for number in numbers or (None,):
            yield name, text, number


def ready(name: str, text: str, number: int | None) -> tuple[Competition, Format]:
    """Return a competition with all its places filled, and its house players."""
    found = parse_format(text, name)
    plan = CompetitionPlan(
        slug="open",
        name="オープン",
        ruleset="tenhou3" if found.players == 3 else "mleague",
        league_format=keep(FormatRevision, name, text),
        entrants=number,
    )
    made = create_competition(plan=plan, by=SYSTEM)
    league_format = format_of(rules_at(made))
    people = iter(entrants(made, league_format.seeds or 8))
    slots = Slot.objects.filter(block__competition=made, source__startswith="seed:")
    for slot in sorted(slots, key=lambda slot: int(slot.source.removeprefix("seed:"))):
        slot.seeded = next(people)
        slot.save()
    if house := house_needed(league_format, 4):
        add_house_players(competition=made, count=house, by=SYSTEM)
    return made, league_format


@pytest.mark.parametrize(
    ("name", "text", "number"), [pytest.param(*case, id=f"{case[0]}-{case[2]}") for case in cases()]
)
def test_every_round_of_every_format_is_planned(name: str, text: str, number: int | None) -> None:
    made, league_format = ready(name, text, number)
    plan = planned_schedule(made, wishes(hanchan=4))
    assert (plan.faults, plan.waiting) == ((), ())
    planned = {table.block.key for session in plan.sessions for table in session.tables}
    assert planned == set(league_format.blocks)
    first = league_format.stages[0]
    for session in plan.sessions:
        for table in session.tables:
            is_known = table.block.stage.key == first.key
            by_plan = {number for each in first.rounds if each.by == "plan" for number in each.rounds()}
            assert all(
                bool(seats) == (is_known and (not first.rounds or number in by_plan))
                for seats, number in zip(table.seats, table.numbers, strict=True)
            )
