"""Teams of a series that must replace members after a term, by the rule of their competition's format."""

from __future__ import annotations

from dataclasses import dataclass

from league.models import Entrant, Player, Term
from league.selectors.access.readers import Reader, Visitor
from league.selectors.rulebooks.rules_in_force import format_of, rules_of
from league.selectors.seasons.series_tables import Guard, TermTables, TierTable, term_tables
from league.selectors.seasons.teams import memberships_seen_by
from league.selectors.standings.tables import block_tables
from scoring.format.parts import Name
from scoring.format.team import Replacement
from scoring.teams.replacement import TeamSeason, replacement

MOST_TERMS = 12
"""Terms that are looked back over."""


@dataclass(frozen=True, slots=True)
class ReplacementDuty:
    """A team that must replace members before the next term."""

    team: Player
    stage: Name
    """The title of the stage that the team has missed."""
    missed: int
    """Number of terms in a row in which it has missed the stage with the same members."""
    least: int
    """Number of members to replace."""


def replacement_duties(
    tables: TermTables, visitor: Visitor | None, guard: Guard | None = None
) -> list[ReplacementDuty]:
    """Return the duties after a term; a tier has none before its final table."""
    return [
        duty
        for table in tables.tiers
        if table.reader is not None and table.is_finished
        for duty in _duties(tables.term, table, table.reader, visitor, guard)
    ]


def _duties(
    term: Term, table: TierTable, reader: Reader, visitor: Visitor | None, guard: Guard | None
) -> list[ReplacementDuty]:
    format_ = format_of(rules_of(reader))
    rule = format_.team.replace if format_.team else None
    if rule is None:
        return []
    earlier = []
    for before in term.series.terms.filter(number__lt=term.number).order_by("-number")[: MOST_TERMS - 1]:
        before.series = term.series
        known = term_tables(before, visitor, guard)
        earlier += [each for each in known.tiers if each.tier.key == table.tier.key and each.is_finished]
    seasons, members = [], dict[int, frozenset[int]]()
    for each in (*reversed(earlier), table):
        if each.reader is None:
            continue
        now = _members(each.reader)
        seasons.append(_season(each.reader, rule, members, now))
        members = now
    people = {row.player.pk: row.player for row in table.rows}
    title = format_.stage(rule.stage).title
    return [
        ReplacementDuty(people[int(str(due.team))], title, due.missed, due.least) for due in replacement(seasons, rule)
    ]


def _season(
    reader: Reader, rule: Replacement, before: dict[int, frozenset[int]], now: dict[int, frozenset[int]]
) -> TeamSeason:
    """Return a season: its teams, those in the stage of the rule, and those with new members since the one before."""
    teams = Entrant.objects.filter(competition=reader.competition, is_house=False, merged_into=None)
    reached = {
        line.standing.entrant.player_id
        for table in block_tables(reader, with_slots=False)
        if table.block.stage.key == rule.stage
        for line in table.lines
    }
    renewed = {team for team, own in now.items() if len(before.get(team, own) - own) >= rule.least}
    return TeamSeason(frozenset(teams.values_list("player", flat=True)), frozenset(reached), frozenset(renewed))


def _members(reader: Reader) -> dict[int, frozenset[int]]:
    """Return the members of each team by its id, whichever day they play."""
    found: dict[int, set[int]] = {}
    for row in memberships_seen_by(reader):
        found.setdefault(row.entrant.player_id, set()).add(row.player_id)
    return {team: frozenset(own) for team, own in found.items()}
