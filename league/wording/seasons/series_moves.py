"""Word the moves of a series: where a player goes, and why, with the numbers behind it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.wording.formatting import amount_text, rank_text
from league.wording.names import Names, title_in
from league.wording.seasons.series_sentences import series_destination, tier_titles
from scoring.format.series import Outside, Series, Tier
from scoring.pyramid.movement import OUT, Gain, Movement, MoveReason, PassedOver, RosterFault, RosterFaultCode
from scoring.pyramid.places import PlaceChange

Titles = Mapping[str, str]
"""Titles of tiers, and of competitions beside them, by key."""
PlayerNames = Mapping[object, str]
"""Names of players by id."""


def tier_title(tier: Tier | Outside) -> str:
    """Return the title of a tier in the reader's language; its key without one."""
    return title_in(tier.title) if tier.title else tier.key


def goal_text(movement: Movement, titles: Titles) -> str:
    """Return where a movement leads: the title of a tier or competition, or that the player leaves."""
    if movement.to == OUT:
        return pgettext("a series", "leaves")
    if not movement.to:
        return _("to be decided")
    goal = titles.get(movement.to, movement.to)
    if movement.seat and movement.seat != movement.to:
        return _("%(goal)s (keeps the seat in %(tier)s)") % {
            "goal": goal,
            "tier": titles.get(movement.seat, movement.seat),
        }
    return goal


def reason_text(movement: Movement, rules: Series, names: PlayerNames, scale: int) -> str:
    """Return why a player moves or stays, such as “3rd of B1; two go up; the first declined”.

    `scale` is that of the ledger in which the total of the player's own tier stands.
    """
    parts = [_standing(movement, rules), REASONS[movement.reason](movement, scale), _passed(movement, names)]
    return _("; ").join(filter(None, [*parts, points_text(movement)]))


def _standing(movement: Movement, rules: Series) -> str:
    table = rules.table_of(movement.rule, movement.source)
    if movement.rank is None or not table:
        return ""
    shown = {"rank": rank_text(movement.rank), "tier": tier_titles(rules).get(table, table)}
    return (_("%(rank)s of %(tier)s, level with others") if movement.is_level else _("%(rank)s of %(tier)s")) % shown


def _needing(text: str, movement: Movement, scale: int) -> str:
    """Return the text of a rule with the number that it moves and the total that it needs, if it needs one."""
    text %= {"count": movement.places}
    if movement.needed is None:
        return text
    return _("%(rule)s, with a total of %(needed)s or more") % {
        "rule": text,
        "needed": amount_text(Fraction(movement.needed), scale),
    }


def _up(movement: Movement, scale: int) -> str:
    return _needing(ngettext("%(count)s goes up", "%(count)s go up", movement.places or 0), movement, scale)


def _down(movement: Movement, scale: int) -> str:
    return _needing(ngettext("%(count)s goes down", "%(count)s go down", movement.places or 0), movement, scale)


def _qualified(movement: Movement, scale: int) -> str:
    return _needing(ngettext("%(count)s qualifies", "%(count)s qualify", movement.places or 0), movement, scale)


def _refused(movement: Movement, scale: int) -> str:
    shown = {
        "total": amount_text(Fraction(movement.total or 0), scale),
        "needed": amount_text(Fraction(movement.needed or 0), scale),
    }
    return _("the place needs a total of %(needed)s or more; it is %(total)s") % shown


REASONS: Mapping[MoveReason, Callable[[Movement, int], str]] = {
    MoveReason.STAYS: lambda _movement, _scale: pgettext("a series", "stays"),
    MoveReason.PROMOTED: _up,
    MoveReason.RELEGATED: _down,
    MoveReason.QUALIFIED: _qualified,
    MoveReason.REFUSED: _refused,
    MoveReason.DECLINED: lambda _movement, _scale: _("declines the place"),
    MoveReason.SEAT_KEPT: lambda _movement, _scale: _("keeps the seat"),
    MoveReason.LEAVES: lambda _movement, _scale: pgettext("a series", "leaves"),
    MoveReason.RETURNS: lambda _movement, _scale: pgettext("a series", "returns"),
    MoveReason.PLACED: lambda _movement, _scale: _("placed by the organizers"),
    MoveReason.POINTS_UP: lambda movement, _scale: (
        _("%(needed)s promotion points promote") % {"needed": movement.needed}
    ),
    MoveReason.POINTS_DOWN: lambda movement, _scale: (
        _("%(needed)s relegation points relegate") % {"needed": movement.needed}
    ),
    MoveReason.REFUSED_FILLS: lambda movement, _scale: (
        _("the tier lacks %(count)s: taken in spite of the total") % {"count": movement.places}
    ),
    MoveReason.SEAT_FILLS: lambda movement, _scale: _("the tier lacks %(count)s: stays") % {"count": movement.places},
    MoveReason.NEXT_FILLS: lambda movement, _scale: (
        _("the tier above lacks %(count)s: the next in rank goes up") % {"count": movement.places}
    ),
    MoveReason.AWAITING: lambda _movement, _scale: _("level at the border: the organizers decide"),
}
"""A function that words each reason; it takes the movement and the scale of its total."""


def _passed(movement: Movement, names: PlayerNames) -> str:
    """Return those whom the rule passed over, such as “Sato (1st) declines”."""
    return _(", ").join(_passed_over(each, names) for each in movement.passed)


def _passed_over(passed: PassedOver, names: PlayerNames) -> str:
    shown = {"name": names.get(passed.player, "?"), "rank": rank_text(passed.rank)}
    match passed.reason:
        case MoveReason.LEAVES:
            return _("%(name)s (%(rank)s) leaves") % shown
        case MoveReason.DECLINED:
            return _("%(name)s (%(rank)s) declines") % shown
        case MoveReason.SEAT_KEPT:
            return _("%(name)s (%(rank)s) keeps the seat") % shown
        case _:
            return _("%(name)s (%(rank)s) lacks the total") % shown


def change_text(change: PlaceChange, names: Names, people: PlayerNames) -> str:
    """Return what decisions change about the places of a tier, such as “Sato (1st) declines: 3rd: promotion too”."""
    shown = {"rank": rank_text(change.rank), "goal": series_destination(change.destination, names)}
    if change.lacking:
        text = ngettext(
            "A tier has %(count)s free place: %(rank)s now leads to %(goal)s.",
            "A tier has %(count)s free places: %(rank)s now leads to %(goal)s.",
            change.lacking,
        )
        return text % {**shown, "count": change.lacking}
    reasons = _(", ").join(_passed_over(each, people) for each in change.passed)
    return _("%(reasons)s: %(rank)s, too, leads to %(goal)s.") % {**shown, "reasons": reasons}


def points_text(movement: Movement) -> str:
    """Return the promotion or relegation points that count, with the terms they come from; empty without any."""
    if not movement.points:
        return ""
    is_upward = all(each.is_upward for each in movement.terms)
    text = (
        ngettext("%(count)s promotion point (%(terms)s)", "%(count)s promotion points (%(terms)s)", movement.points)
        if is_upward
        else ngettext(
            "%(count)s relegation point (%(terms)s)", "%(count)s relegation points (%(terms)s)", movement.points
        )
    )
    return text % {"count": movement.points, "terms": gains_text(movement.terms)}


def gains_text(gains: tuple[Gain, ...]) -> str:
    """Return gains with the terms they come from: “term 6: 2, term 7: 1”."""
    return _(", ").join(_("term %(term)s: %(points)s") % {"term": each.term, "points": each.points} for each in gains)


def roster_fault_text(fault: RosterFault, titles: Titles, names: PlayerNames, teams: Collection[str]) -> str:
    """Return a fault of the next roster with what the organizers can do about it.

    `teams` are the keys of the tiers in which teams play.
    """
    shown = {
        "tier": titles.get(fault.tier, fault.tier),
        "players": _(", ").join(names.get(player, "?") for player in fault.players),
        "places": fault.places,
        "number": fault.number,
        "allowed": fault.allowed,
    }
    texts = {**FAULTS, **FAULTS_OF_TEAMS} if fault.tier in teams else FAULTS
    return texts[fault.code]() % shown


FAULTS: Mapping[RosterFaultCode, Callable[[], str]] = {
    RosterFaultCode.AWAITING: lambda: _(
        "%(players)s are level in %(tier)s, and %(places)s of them move. Decide by a ruling in the competition, or "
        "place each of them."
    ),
    RosterFaultCode.TOO_SMALL: lambda: _(
        "%(tier)s would have %(number)s, at least %(allowed)s are needed. Place players there, or let some keep their "
        "seats."
    ),
    RosterFaultCode.TOO_LARGE: lambda: _(
        "%(tier)s would have %(number)s, at most %(allowed)s are allowed. Place players in another tier."
    ),
    RosterFaultCode.TWICE: lambda: _("%(players)s plays in two tiers of this term. Take one entry out."),
    RosterFaultCode.UNKNOWN_PLAYER: lambda: _(
        "There is a decision on %(players)s, who plays in no tier of this term. Take the decision back."
    ),
    RosterFaultCode.ALREADY_HERE: lambda: _(
        "%(players)s plays in this term and cannot return. Take the decision back."
    ),
    RosterFaultCode.UNKNOWN_TIER: lambda: _(
        "The decision on %(players)s names tier %(tier)s, which the series does not have. Take the decision back."
    ),
    RosterFaultCode.DECIDED_TWICE: lambda: _("There are two decisions on %(players)s. Take one of them back."),
}
"""A sentence for each fault."""
FAULTS_OF_TEAMS: Mapping[RosterFaultCode, Callable[[], str]] = {
    RosterFaultCode.TOO_SMALL: lambda: _(
        "%(tier)s would have %(number)s, at least %(allowed)s are needed. Place teams there, or let some keep their "
        "seats."
    ),
    RosterFaultCode.TOO_LARGE: lambda: _(
        "%(tier)s would have %(number)s, at most %(allowed)s are allowed. Place teams in another tier."
    ),
}
"""Sentences that differ where teams play."""
