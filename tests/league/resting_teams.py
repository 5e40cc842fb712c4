"""Set up a small team league: five teams of three with limits on appearances, of which one rests in each hanchan."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from league.models import Competition, Entrant, FormatRevision, Hanchan, Player, TableSession
from league.selectors.seasons.teams import members_of, teams_of
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.competitions.setup import CompetitionPlan, create_competition, seed_block, set_status
from league.services.competitions.wizard import Newcomer
from league.services.rulebooks.revisions import keep
from league.services.seasons.teams import NewTeam, enter_teams
from tests.factories import SYSTEM
from tests.replayed import replayed

NOTE = 'note = { ja = "試験", en = "For tests" }'
NAMES = ("赤", "青", "緑", "黄", "白")


def format_text(
    teams: int = 5, hanchan: int = 8, least: int = 2, most: int = 4, members: int = 4, final: int = 0
) -> str:
    """Return a format in which each team plays `hanchan` hanchan, each member between the limits.

    With `final` the best four play that many more.
    """
    last = f"""
[[stages]]
key = "final"
title = {{ ja = "決勝", en = "Final" }}
hanchan = {final}
seating = "fixtures"
assignment = "seeded"
carry_over = {{ kind = "none", {NOTE} }}
{NOTE}
blocks = [{{ key = "final", title = {{ ja = "決勝", en = "Final" }}, entrants = [{{ from = "A#1-4", {NOTE} }}] }}]
"""
    return f"""
name = "teams"
title = {{ ja = "チーム戦", en = "Teams" }}
kind = "teams"
players = 4
entrants = {teams}
{NOTE}
[tiebreak]
[team]
members = {{ least = 2, most = {members} }}
[[limits]]
who = "player"
stage = "league"
least = {least}
most = {most}
{NOTE}
[[stages]]
key = "league"
title = {{ ja = "リーグ", en = "League" }}
hanchan = {hanchan}
seating = "fixtures"
assignment = "seeded"
carry_over = {{ kind = "none", {NOTE} }}
{NOTE}
blocks = [{{ key = "A", title = {{ ja = "A", en = "A" }}, entrants = [{{ from = "seed:1-{teams}", {NOTE} }}] }}]
{last if final else ""}"""


@replayed
def resting_teams(slug: str = "teams", ruleset: str = "mleague", **of_format: Any) -> Competition:
    """Create a published league of teams 赤 to 白 with members 赤1, 赤2, 赤3 and so on."""
    text = format_text(**of_format)
    revision = keep(FormatRevision, "teams", text)
    competition = create_competition(
        plan=CompetitionPlan(slug=slug, name="チーム戦", name_en="Teams", ruleset=ruleset, league_format=revision),
        by=SYSTEM,
    )
    block = competition.blocks.get(key="A")
    number = block.slots.count()
    enter_teams(competition=competition, teams=[new_team(name) for name in NAMES[:number]], by=SYSTEM)
    seed_block(block=block, entrants=teams_of(competition), by=SYSTEM)
    set_status(competition=competition, status=Competition.Status.PUBLISHED, by=SYSTEM)
    competition.refresh_from_db()
    return competition


def new_team(name: str, members: int = 3) -> NewTeam:
    """Return a team with members of this number, the first of whom is captain."""
    people = tuple(Newcomer(name=f"{name}{number}") for number in range(1, members + 1))
    return NewTeam(name=name, short_name=name, members=people, has_captain=True)


def people_of(team: Entrant) -> list[Player]:
    """Return the members of a team in their order."""
    return [row.player for row in members_of(team)]


def evening(
    competition: Competition, teams: Sequence[Entrant] = (), numbers: Sequence[int] = (1, 2), **fixture: Any
) -> TableSession:
    """Schedule a table on a day of play of its own, by default of the first four teams for two hanchan."""
    session = create_session(competition=competition, by=SYSTEM)
    start = dt.datetime(2027, 10, 4, 19, 0, tzinfo=dt.UTC) + dt.timedelta(days=7 * session.number)
    plan = {"starts_at": start, **fixture}
    seated = tuple(teams) or tuple(teams_of(competition)[:4])
    return create_table_session(
        session=session,
        fixture=Fixture(block=competition.blocks.get(), numbers=numbers, entrants=seated, **plan),
        by=SYSTEM,
    )


def hanchan_of(table: TableSession) -> list[Hanchan]:
    """Return the hanchan of a table in order."""
    return list(table.hanchan.order_by("round"))
