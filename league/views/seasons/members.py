"""Pages of a team league's members: their table, a member's own page, and the awards, which any league may have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Entrant, Player, Stage
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import stamp_of
from league.selectors.rulebooks.rules_in_force import format_of
from league.selectors.seasons.line_ups import appearances_of, limit_of
from league.selectors.seasons.members import MemberRow, ShownAward, awards_of, member_table
from league.selectors.standings.facts import id_of
from league.views.base import PageData, competition_page, show
from league.wording.names import title_of
from league.wording.standings.awards import award_reason, award_title, award_value
from scoring.teams.line_ups import Appearance

LEADERS_SHOWN = 5
"""Lines of an award beside the table of members."""


@dataclass(frozen=True, slots=True)
class AwardRow:
    """One line of an award in words."""

    rank: int
    person: MemberRow
    value: str
    reason: str
    is_shared: bool


@dataclass(frozen=True, slots=True)
class AwardPart:
    """An award with its lines, and those who have too few hanchan for it."""

    key: str
    title: str
    stage: str
    least: int | None
    is_final: bool
    rows: Sequence[AwardRow]
    more: int
    """Number of lines left out."""
    too_few: Sequence[tuple[MemberRow, int]]


@dataclass(frozen=True, slots=True)
class AppearanceRow:
    """Hanchan of one member: played, and the range still possible in the end."""

    player: Player
    played: int
    fewest: int
    highest: int
    lacking: int
    """Hanchan to the least."""


@dataclass(frozen=True, slots=True)
class AppearancePart:
    """The appearances of a team's members, and the team's hanchan to come."""

    entrant: Entrant
    left: int
    rows: Sequence[AppearanceRow]


@competition_page
def members(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show the table of all members over all stages."""
    shown = team_page(reader)
    return show_members(request, shown, None)


@competition_page
def members_in(request: HttpRequest, reader: Reader, key: str) -> HttpResponse:
    """Show the table of all members in one stage."""
    shown = team_page(reader)
    stage = next((block.stage for block in shown.blocks if block.stage.key == key), None)
    if stage is None:
        raise Http404(_("There is no such stage."))
    return show_members(request, shown, stage)


def team_page(reader: Reader) -> PageData:
    """Return the page's data; raise Http404 in a league without teams."""
    shown = PageData(reader)
    if not shown.has_teams:
        raise Http404(_("No teams play here."))
    return shown


def show_members(request: HttpRequest, shown: PageData, stage: Stage | None) -> HttpResponse:
    """Render the table of members with the awards."""
    reader = shown.reader
    rows = member_table(reader, stage)
    found = [each for each in awards_of(reader) if stage is None or each.stage.pk == stage.pk]
    return show(
        request,
        "seasons/members.html",
        shown,
        tab="members",
        stamp=stamp_of(reader),
        stage=stage,
        stages=list({block.stage_id: block.stage for block in shown.blocks}.values()),
        rows=[row for row in rows if row.games],
        waiting=[row for row in rows if not row.games],
        places=range(1, shown.ruleset.players + 1),
        awards=[award_part(each, shown.ruleset.ranking_ledger.scale, LEADERS_SHOWN) for each in found],
        **appearances_in(shown, stage),
    )


def appearances_in(shown: PageData, stage: Stage | None) -> dict[str, object]:
    """Return the context of the appearances: in the stage shown, else in the first stage that limits them."""
    limited = [limit.stage for limit in format_of(shown.rules).limits]
    stages = [block.stage for block in shown.blocks if block.stage.key in limited]
    if stage is not None:
        stages = [each for each in stages if each.pk == stage.pk]
    if not stages:
        return {}
    limit, lines = limit_of(stages[0], shown.reader.competition), appearances_of(shown.reader, stages[0])
    return {
        "appearance_rule": limit_text(limit, title_of(stages[0])),
        "appearances": [
            AppearancePart(
                line.entrant,
                line.appearances.left,
                [
                    AppearanceRow(line.people[id_of(each.player)], each.played, each.fewest, each.highest, each.lacking)
                    for each in line.appearances.members
                ],
            )
            for line in lines
        ],
    }


def limit_text(limit: Appearance, stage: str) -> str:
    """Return the limits of a stage in words."""
    words = {"stage": stage, "least": limit.least, "most": limit.most}
    if limit.most is None:
        return _("%(stage)s: each member plays at least %(least)s hanchan.") % words
    if limit.least is None:
        return _("%(stage)s: each member plays at most %(most)s hanchan.") % words
    return _("%(stage)s: each member plays %(least)s to %(most)s hanchan.") % words


@competition_page
def prizes(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show all awards with all who compete for them; raise Http404 if the format has none."""
    shown, found = PageData(reader), awards_of(reader)
    if not found:
        raise Http404(_("There are no awards here."))
    scale = shown.ruleset.ranking_ledger.scale
    return show(
        request,
        "seasons/awards.html",
        shown,
        tab="members" if shown.has_teams else "home",
        stamp=stamp_of(reader),
        awards=[award_part(each, scale) for each in found],
    )


def award_part(each: ShownAward, scale: int, most: int | None = None) -> AwardPart:
    """Return an award in words, with at most `most` of its lines."""
    lines = each.ranking.lines
    shown = lines[:most]
    return AwardPart(
        key=each.award.key,
        title=award_title(each.award),
        stage=title_of(each.stage),
        least=each.award.least_hanchan,
        is_final=each.is_final,
        rows=[
            AwardRow(
                line.rank,
                each.person(line.entrant),
                award_value(each.award, line, scale),
                award_reason(each.award, line, scale),
                line.is_shared,
            )
            for line in shown
        ],
        more=len(lines) - len(shown),
        too_few=[(each.person(entrant), count) for entrant, count in each.ranking.too_few],
    )
