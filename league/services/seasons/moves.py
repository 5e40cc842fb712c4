"""Decide on exceptions to the moves after a term, and on promotion points from before the first term."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Entrant, MoveDecision, OpeningBalance, Player, Series, Term
from league.platform.errors import conflict, refuse, refuse_without_reason
from league.selectors.access.actors import Actor
from league.selectors.seasons.series_rules import rules_of_series, tiers_of_teams
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.competitions.setup import new_player
from league.services.seasons.series import (
    lock_series,
    lock_term,
    named_tier,
    publish_places_again,
    refuse_written,
    require_series,
)

MOST_POINTS = 999
OF_THE_TERM = frozenset({MoveDecision.Kind.LEAVES, MoveDecision.Kind.SEAT_KEPT, MoveDecision.Kind.DECLINED})
"""Decisions about players of the term itself; those who return are none, and those placed may be."""
TO_A_TIER = frozenset({MoveDecision.Kind.RETURNS, MoveDecision.Kind.PLACED})


@all_or_nothing
def decide_move(
    *, term: Term, player: Player, kind: MoveDecision.Kind, reason: str, by: Actor, tier: str = ""
) -> MoveDecision:
    """Decide on an exception to the moves after a term, with its reason; one for each player.

    1. Refuse once the roster of the next term is written.
    2. Leaving, keeping a seat and declining are for players of the term, returning for others; a player who returns or
       is placed by hand, such as a newcomer, gets a tier. A player whose data was erased can only leave.
    """
    require_series(by)
    refuse_without_reason(reason)
    term = lock_term(term)
    refuse_written(term)
    player.refresh_from_db()
    is_erased = player.erased_at is not None and kind != MoveDecision.Kind.LEAVES
    if player.merged_into_id is not None or is_erased:
        message = _("%(name)s is no more an entry of its own.") % {"name": player}
        raise conflict("player_gone", message, "/player")
    plays = Entrant.objects.filter(competition__term=term, player=player, merged_into=None, is_house=False).exists()
    if kind in OF_THE_TERM and not plays:
        message = _("%(name)s plays in no tier of %(term)s.") % {"name": player, "term": term}
        raise refuse("not_in_term", message, "/player")
    if kind == MoveDecision.Kind.RETURNS and plays:
        message = _("%(name)s plays in %(term)s and cannot return.") % {"name": player, "term": term}
        raise refuse("plays_in_term", message, "/player")
    if kind in TO_A_TIER:
        named_tier(term, tier)
    elif tier:
        message = _("A tier is chosen only for those who return or are placed by the organizers.")
        raise refuse("tier_not_wanted", message, "/tier")
    if term.decisions.filter(player=player, ended_at=None).exists():
        message = _("There is a decision on %(name)s already. Take it back first.") % {"name": player}
        raise conflict("decided_already", message, "/player")
    row = MoveDecision.objects.create(
        term=term, player=player, kind=kind, tier=tier, reason=reason.strip(), made_by=by.user
    )
    after = {"term": term.number, "player": player.pk, "kind": kind.value, "tier": tier}
    record_organization_change("series.move_decided", term.series, by=by, after=after, reason=reason)
    publish_places_again(term, by)
    return row


@all_or_nothing
def decide_newcomer(*, term: Term, name: str, tier: str, reason: str, by: Actor) -> MoveDecision:
    """Add a player or team not kept here yet, and place the newcomer in a tier of the next term."""
    require_series(by)
    return decide_move(
        term=term,
        player=new_player(name=name, is_team=tier in tiers_of_teams(rules_of_series(term.series)), by=by),
        kind=MoveDecision.Kind.PLACED,
        tier=tier,
        reason=reason,
        by=by,
    )


@all_or_nothing
def take_move_decision_back(*, decision: MoveDecision, reason: str, by: Actor) -> None:
    """End a decision on a move; the rules count for the player again."""
    require_series(by)
    refuse_without_reason(reason)
    term = lock_term(decision.term)
    refuse_written(term)
    decision.refresh_from_db()
    if decision.ended_at is not None:
        raise conflict("ended_already", _("This decision has been taken back already."))
    decision.ended_at, decision.ended_by = timezone.now(), by.user
    decision.save(update_fields=["ended_at", "ended_by"])
    before = {"term": term.number, "player": decision.player_id, "kind": decision.kind, "tier": decision.tier}
    record_organization_change("series.move_decision_taken_back", term.series, by=by, before=before, reason=reason)
    publish_places_again(term, by)


@all_or_nothing
def set_opening_balance(*, series: Series, player: Player, points: int, reason: str, by: Actor) -> OpeningBalance:
    """Write the promotion points that a player brought into the first term; 0 takes them away."""
    require_series(by)
    refuse_without_reason(reason)
    if not 0 <= points <= MOST_POINTS:
        message = _("Enter 0 to %(most)s promotion points.") % {"most": MOST_POINTS}
        raise refuse("points_out_of_range", message, "/points")
    series = lock_series(series)
    first = series.terms.order_by("number").first()
    if first is not None:
        refuse_written(first)
    known = series.opening_balances.filter(player=player, ended_at=None).first()
    if known is not None:
        known.ended_at, known.ended_by = timezone.now(), by.user
        known.save(update_fields=["ended_at", "ended_by"])
    row = OpeningBalance.objects.create(
        series=series, player=player, points=points, reason=reason.strip(), made_by=by.user
    )
    record_organization_change(
        "series.opening_balance",
        series,
        by=by,
        before={"points": known.points} if known else None,
        after={"player": player.pk, "points": points},
        reason=reason,
    )
    if first is not None:
        publish_places_again(first, by)
    return row
