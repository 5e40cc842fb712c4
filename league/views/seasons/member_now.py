"""Now and next of a member: the appearances in the stage under way, and the coming hanchan of the team."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from league.models import Entrant, Hanchan, Player
from league.selectors.people.player_card import PlayerCard
from league.selectors.seasons.line_ups import appearances_of, limit_of
from league.selectors.seasons.members import MemberRow
from league.selectors.standings.facts import id_of
from league.views.base import PageData
from league.views.seasons.members import AppearanceRow, limit_text
from league.wording.names import title_of
from scoring.teams.line_ups import Appearance

GAMES_SHOWN = 10


@dataclass(frozen=True, slots=True)
class ComingGame:
    """A coming hanchan of the team, and the member announced to sit; None before that."""

    hanchan: Hanchan
    sits: Player | None
    is_own: bool
    """True if the member of the page is announced."""


@dataclass(frozen=True, slots=True)
class MemberNow:
    """A member's place in the team at present."""

    team: Entrant
    row: MemberRow | None
    """The member's line for this team."""
    rule: str
    """The limits of the stage under way in words; empty without any."""
    appearances: AppearanceRow | None
    games: Sequence[ComingGame]

    @property
    def own_next(self) -> ComingGame | None:
        """Return the next hanchan for which the member is announced."""
        return next((game for game in self.games if game.is_own), None)


def member_now(shown: PageData, team: Entrant, member: Player, rows: Sequence[MemberRow]) -> MemberNow:
    """Return a member's appearances and the coming hanchan of the team, as the reader may know them."""
    card = PlayerCard(shown.reader, team)
    rule, own = "", None
    stage = card.table.block.stage if card.table else None
    limit = limit_of(stage, shown.reader.competition) if stage is not None else Appearance()
    if stage is not None and limit != Appearance():
        rule = limit_text(limit, title_of(stage))
        lines = next((line for line in appearances_of(shown.reader, stage) if line.entrant == team), None)
        found = (each for each in lines.appearances.members if id_of(each.player) == member.pk) if lines else ()
        own = next(
            (AppearanceRow(member, each.played, each.fewest, each.highest, each.lacking) for each in found), None
        )
    games = [
        ComingGame(game.hanchan, seat.player if seat.player_id != team.player_id else None, seat.player_id == member.pk)
        for game in card.games[:GAMES_SHOWN]
        for seat in game.planned
        if seat.entrant_id == team.pk
    ]
    return MemberNow(team, next((row for row in rows if row.team == team), None), rule, own, games)
