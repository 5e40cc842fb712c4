"""Tables of a team league: its teams with their members by date, and what each member has won for a team."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from django.utils.translation import gettext as _

from league.files.team_rows import MEMBERS, OF_MEMBER
from league.files.writing_tables import Cell, Head, Sheet
from league.models import Entrant, TeamMember
from league.selectors.access.readers import Reader
from league.selectors.seasons.members import MemberRow, member_table
from league.selectors.seasons.teams import memberships, memberships_seen_by
from league.wording.formatting import points_text
from scoring.ruleset import Ruleset


def members_sheet(reader: Reader) -> Sheet:
    """Return one row per member of each team; the columns are those that the import of teams reads.

    Staff get the present members, also before they are published: they edit the table and bring it back.
    """
    return Sheet(_("Members"), MEMBERS, list(_member_rows(reader)))


def _member_rows(reader: Reader) -> Iterator[Sequence[Cell]]:
    rows = Entrant.objects.filter(competition=reader.competition, merged_into=None, player__is_team=True)
    members: dict[int, list[TeamMember]] = {}
    for row in memberships(reader.competition) if reader.is_staff else memberships_seen_by(reader):
        members.setdefault(row.entrant_id, []).append(row)
    for entrant in rows.select_related("player").order_by("number"):
        team = entrant.player
        own = (
            team.key,
            team.name,
            team.name_kana,
            team.name_romaji,
            team.short_name,
            team.mark_glyph,
            team.mark_colour,
        )
        for each in members.get(entrant.pk, ()):
            person = each.player
            days = (str(each.since or ""), str(each.until or ""))
            names = (person.key, person.name, person.name_kana, person.name_romaji)
            yield (*own, *names, *days, 1 if each.is_captain else None)
        if entrant.pk not in members:
            yield (*own, *[None] * len(OF_MEMBER))


def individuals_sheet(reader: Reader, rules: Ruleset) -> Sheet:
    """Return one row per team and member with what the member has won for it, over all stages."""
    heads = (
        Head("rank", "順位"),
        Head("key", "選手キー"),
        Head("player", "選手"),
        Head("team_key", "チームキー"),
        Head("team", "チーム"),
        Head("points", "ポイント"),
        Head("adjustment", "調整"),
        Head("played", "半荘数"),
        *(Head(f"place{place}", f"{place}着") for place in range(1, rules.players + 1)),
        Head("best_score", "最高得点"),
        Head("lowest_score", "最低得点"),
    )
    scale = rules.ranking_ledger.scale
    return Sheet(_("Individuals"), heads, [_individual(row, scale) for row in member_table(reader)])


def _individual(row: MemberRow, scale: int) -> Sequence[Cell]:
    record = row.record
    return (
        row.rank,
        row.player.key,
        row.player.name,
        row.team.player.key,
        row.team.player.name,
        _points(row.total, scale),
        _points(row.adjustment, scale),
        record.played,
        *record.places,
        record.best,
        record.worst,
    )


def _points(amount: int, scale: int) -> Decimal:
    """Return an amount of the ranking ledger as a decimal number."""
    return Decimal(points_text(amount, scale, "en").replace(",", ""))
