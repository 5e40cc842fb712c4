"""The page of a member of a team in a competition: lines for each team, hanchan, now and next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Adjustment, Block, Player
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import stamp_of
from league.selectors.people.mine import mine_of
from league.selectors.people.rates import rates_of_member
from league.selectors.seasons.members import MemberGame, MemberRow, awards_of, member_table
from league.views.base import PageData, competition_page, show
from league.views.people.rates import ShownRates
from league.views.seasons.member_now import member_now
from league.views.seasons.members import AwardPart, AwardRow, award_part, team_page


@dataclass(frozen=True, slots=True)
class MemberResults:
    """The hanchan of a member in one block for one team, newest first, and the adjustments that name the member."""

    block: Block
    row: MemberRow
    games: Sequence[MemberGame]
    adjustments: Sequence[Adjustment] = ()

    @property
    def total(self) -> int:
        """Return the points of these hanchan and adjustments."""
        return sum(game.points for game in self.games) + sum(each.points for each in self.adjustments)


@competition_page
def member(request: HttpRequest, reader: Reader, key: str) -> HttpResponse:
    """Show a member: the lines for each team, the hanchan, and the figures over all of them."""
    shown = team_page(reader)
    return show(request, "seasons/member.html", shown, **member_context(shown, key), tab="members")


def member_context(shown: PageData, key: str) -> dict[str, object]:
    """Return what the page of a member shows. Raise Http404 for a person who neither played nor is a member."""
    reader = shown.reader
    rows = [row for row in member_table(reader) if row.player.key == key]
    if not rows:
        raise Http404(_("There is no such member here."))
    player = rows[0].player
    whole = MemberRow(
        player, rows[0].team, tuple(game for row in rows for game in row.games), 0, (), shown.ruleset.players
    )
    mine = mine_of(reader, key)
    return {
        "stamp": stamp_of(reader),
        "player": player,
        "rows": rows,
        "record": whole.record,
        "now": member_now(shown, mine.entrant, player, rows) if mine and mine.member else None,
        "blocks": results_of(rows, shown.blocks),
        "prizes": prizes_of(reader, player, shown.ruleset.ranking_ledger.scale),
        "rates": ShownRates.of(rates_of_member(reader, player)),
    }


def results_of(rows: Sequence[MemberRow], blocks: Sequence[Block]) -> list[MemberResults]:
    """Return a member's hanchan and adjustments by team and block, the newest block first."""
    found = []
    for row in rows:
        played = {block: list(games) for block, games in groupby(reversed(row.games), key=lambda game: game.block)}
        for block in blocks:
            named = [each for each in row.adjustments if each.block_id == block.pk]
            if block in played or named:
                found.append(MemberResults(block, row, played.get(block, []), named))
    return sorted(found, key=lambda each: -each.block.stage.order)


def prizes_of(reader: Reader, player: Player, scale: int) -> list[tuple[AwardPart, AwardRow]]:
    """Return the awards for which the person competes, each with the person's line."""
    parts = [award_part(each, scale) for each in awards_of(reader)]
    return [(part, row) for part in parts for row in part.rows if row.person.player == player]
