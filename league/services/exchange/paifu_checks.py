"""Checks of a game played online before it is imported: its players, its hanchan, the same game, the hands."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import (
    Competition,
    Hanchan,
    HanchanSeat,
    Paifu,
    ResultSheet,
)
from league.platform.errors import Finding, Level, conflict, refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.exchange.paifu_matching import Match
from league.selectors.exchange.paifu_play import PaifuPlayed, digest_of_hands
from league.services.live.entries import refusals_found
from league.services.live.results import player_of
from scoring.paifu.records import Paifu as Record
from scoring.ruleset import Ruleset

NOT_OVER = "online_game_not_over"
"""The warning about a log that ends although the game goes on by the rules."""
OTHER_POINTS = "online_points_differ"
"""The warning about hands whose points by the rules are not those of the log."""


def refuse_unmatched(matches: Sequence[Match]) -> None:
    """Raise unless each player of the log is another, known person."""
    unknown = [match for match in matches if match.seated is None]
    if unknown:
        names = _(", ").join(_("“%(name)s”") % {"name": match.online.name or match.online.account} for match in unknown)
        message = _("No player of this competition is known as %(names)s. Choose who played.") % {"names": names}
        raise refuse("online_player_unknown", message, f"/seats/{unknown[0].online.seat}")
    seen: dict[int, Match] = {}
    for match in matches:
        if match.seated is None:
            continue
        entrant = match.seated.entrant.pk
        if entrant in seen:
            message = _("%(one)s and %(other)s of the log are the same player here: %(name)s. Choose who played.")
            shown = {"one": seen[entrant].online.name, "other": match.online.name, "name": match.seated.entrant}
            raise refuse("online_player_twice", message % shown, f"/seats/{match.online.seat}")
        seen[entrant] = match


def require_importer(hanchan: Hanchan, entrants: Collection[int], by: Actor) -> None:
    """Raise unless the actor may enter results at this table, or holds the link of a player who sat in the game."""
    player = player_of(by.link, hanchan)
    if player is not None and player.pk in entrants:
        return
    require(by, hanchan.block.competition, Capability.SUBMIT, table=hanchan.table_session)


def refuse_other_size(record: Record, rules: Ruleset) -> None:
    """Raise unless the log has as many players as the rules, and the rules know hands."""
    if rules.play is None:
        raise refuse("hands_unknown", _("These rules know final scores only: no game is followed hand by hand."))
    if rules.players != record.seats:
        message = _("The log has %(found)s players, these rules have %(known)s.")
        raise refuse("wrong_number_of_players", message % {"found": record.seats, "known": rules.players}, "/players")


def refuse_known(record: Record, competition: Competition, entrants: Sequence[int]) -> list[Paifu]:
    """Raise ConflictError if this game has been imported into the competition; the message names where.

    Equal hands of other players are another game. Return the records of this game whose results were taken back.
    """
    found: list[Paifu] = []
    for row in records_like(record, competition):
        sat = HanchanSeat.objects.filter(hanchan=row.hanchan_id).values_list("entrant", flat=True)
        if row.game != record.game and set(sat) != set(entrants):
            continue
        if has_result(row.hanchan_id):
            message = _("This game is imported already: %(hanchan)s.") % {"hanchan": row.hanchan}
            raise conflict("online_game_known", message, hanchan=row.hanchan_id)
        found.append(row)
    return found


def records_like(record: Record, competition: Competition) -> list[Paifu]:
    """Return the standing records of the competition with the same hands, or with the same id of the service."""
    is_like = Q(digest=digest_of_hands(record))
    if record.game:
        is_like |= Q(source=record.source.value, game=record.game)
    rows = Paifu.objects.standing().filter(is_like, hanchan__table_session__competition=competition)
    return list(rows.defer("content"))


def has_result(hanchan: int) -> bool:
    """Return True if a result of the hanchan counts or waits."""
    states = [ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED]
    return ResultSheet.objects.filter(hanchan=hanchan, state__in=states).exists()


def refuse_awaited_no_more(hanchan: Hanchan) -> None:
    """Raise ConflictError if the hanchan has a result, or a log that was followed at its table."""
    if has_result(hanchan.pk):
        raise conflict(
            "hanchan_confirmed_meanwhile",
            _("%(hanchan)s has a result already. Take it back first, or choose another hanchan.")
            % {"hanchan": hanchan},
        )


def findings_of_game(played: PaifuPlayed) -> list[Finding]:
    """Return what is wrong or odd about the hands: refused ones, hands after the end, other points, no end."""
    found: list[Finding] = []
    names = [player.name for player in played.paifu.players]
    for number, hand in enumerate(played.hands):
        found += refusals_found(hand.refusals, names, f"/hands/{number}")
    if played.too_many:
        message = _(
            "By these rules the game is over after hand %(last)s of %(all)s of the log. Check the rules of the room."
        )
        shown = {"last": len(played.hands), "all": len(played.paifu.hands)}
        found.append(Finding("online_game_too_long", message % shown, f"/hands/{len(played.hands)}"))
    if found:
        return found
    if not played.state.is_over:
        message = _("The log ends, but by these rules the game goes on. Accept it if it ended there.")
        found.append(Finding(NOT_OVER, message, "/hands", Level.WARNING))
    if played.differing:
        message = _("%(count)s hands have other points by these rules than in the log. Ours count.")
        found.append(Finding(OTHER_POINTS, message % {"count": played.differing}, "/hands", Level.WARNING))
    return found
