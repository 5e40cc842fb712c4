"""Fixtures of a stage whose hanchan are set one by one: those pasted are scheduled together, or none of them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.models import Block, TableSession
from league.platform.errors import Finding, RuleViolationError, conflict, refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.seasons.pasted_fixtures import planned_fixtures, session_on
from league.services.access.guard import all_or_nothing
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.results.sheets import lock_open


@all_or_nothing
def add_fixtures(*, block: Block, text: str, digest: str, by: Actor) -> list[TableSession]:
    """Schedule the fixtures of a text that was previewed: a session for each new day, a table for each company.

    Refuse faults, and a text or schedule that is not the one previewed.
    """
    competition = block.competition
    require(by, competition, Capability.MANAGE)
    lock_open(competition)
    plan = planned_fixtures(block, text)
    if plan.faults:
        raise RuleViolationError(*(Finding("cannot_be_scheduled", fault, "/text") for fault in plan.faults))
    if not plan.tables:
        raise refuse("nothing_to_schedule", _("Paste at least one hanchan."), "/text")
    if plan.digest != digest:
        message = _("The schedule is not the one you looked at: players, blocks or tables have changed. Look again.")
        raise conflict("other_schedule", message)
    made = []
    for table in plan.tables:
        session = session_on(block, table.day) or create_session(competition=competition, by=by)
        fixture = Fixture(
            block=block, numbers=table.numbers, rounds=table.rounds, table=table.table, starts_at=table.starts_at
        )
        made.append(create_table_session(session=session, fixture=fixture, by=by))
    return made
