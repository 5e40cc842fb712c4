"""Word the rules of a series, and what the ranks of its tiers lead to."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from league.wording.formatting import amount_text
from league.wording.names import Names, title_in
from league.wording.rulebooks.format_fit import span_text
from scoring.format.series import Move, PointsLedger, Series, ShareRounding
from scoring.pyramid.conditions import PlaceKind, SeriesDestination
from scoring.pyramid.movement import OUT
from scoring.tiebreak import Further

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

SCALE = 10
"""Totals that a rule needs are shown with one decimal at least."""


def series_destination(place: SeriesDestination, names: Names) -> str:
    """Return what a rank of a tier leads to, with the total that it also needs."""
    # Points that move the holder of the rank name the tier; from the lowest one they lead out of the series.
    moves = bool(place.key) and place.kind in _BY_POINTS
    leads = (_BY_POINTS if moves and place.key != OUT else _PLACES)[place.kind]
    text = leads % {"tier": names.tier(place.key), "points": place.points}
    if place.needed is None:
        return text
    return _("%(place)s with a total of %(total)s or more") % {
        "place": text,
        "total": amount_text(place.needed, SCALE),
    }


_PLACES: Mapping[PlaceKind, StrPromise] = {
    PlaceKind.UP: pgettext_lazy("destination", "promotion to %(tier)s"),
    PlaceKind.OUTSIDE: pgettext_lazy("destination", "a place in %(tier)s"),
    PlaceKind.GAIN: pgettext_lazy("destination", "promotion points: %(points)s"),
    PlaceKind.STAY: pgettext_lazy("destination", "staying in %(tier)s"),
    PlaceKind.SAME: pgettext_lazy("destination", "staying in %(tier)s"),
    PlaceKind.RISK: pgettext_lazy("destination", "relegation points: %(points)s"),
    PlaceKind.DOWN: pgettext_lazy("destination", "relegation to %(tier)s"),
    PlaceKind.OPEN: pgettext_lazy("destination", "to be decided"),
    PlaceKind.LEAVES: pgettext_lazy("destination", "leaves the series"),
    PlaceKind.DECLINED: pgettext_lazy("destination", "declines promotion"),
    PlaceKind.KEPT: pgettext_lazy("destination", "keeps the seat"),
    PlaceKind.PLACED: pgettext_lazy("destination", "placed in %(tier)s"),
}


_BY_POINTS: Mapping[PlaceKind, StrPromise] = {
    PlaceKind.GAIN: pgettext_lazy("destination", "promotion to %(tier)s by points"),
    PlaceKind.RISK: pgettext_lazy("destination", "relegation to %(tier)s by points"),
}


def series_sentences(series: Series, teams: Collection[str] = ()) -> list[str]:
    """Return the description of a series in the reader's language: tiers, moves, points, ties, and filling.

    `teams` are the keys of the tiers in which teams play.
    """
    return list(_sentences(series, teams))


def tier_titles(series: Series, language: str | None = None) -> Mapping[str, str]:
    """Return the titles of the tiers and of the competitions beside them, by key."""
    named = {row.key: row.title for row in series.tiers} | {row.key: row.title for row in series.outside}
    return {key: title_in(title, language) if title else key for key, title in named.items()}


def _move_sentence(series: Series, move: Move, teams: Collection[str]) -> str:
    """Return one sentence about a move of the file."""
    titles = tier_titles(series)
    movers = _movers(move, is_of_teams=move.source.tier in teams)
    params = {"players": movers, "tier": titles[move.source.tier], "goal": titles[move.to]}
    text = (_OUTSIDE if move.to not in series.order else _MOVES) % params
    if move.condition is None:
        return text
    total = {"move": text, "total": amount_text(move.condition.total_at_least, SCALE)}
    if move.refused == "next":
        return _("%(move)s Only with a total of %(total)s or more in the own tier; else the next in rank goes.") % total
    return _("%(move)s Only with a total of %(total)s or more in the own tier; else the place lapses.") % total


_MOVES = gettext_lazy("From “%(tier)s” to “%(goal)s”: %(players)s.")
_OUTSIDE = gettext_lazy("From “%(tier)s” to “%(goal)s”, keeping the seat: %(players)s.")


def ledger_sentence(series: Series, ledger: PointsLedger) -> str:
    """Return one sentence about promotion or relegation points."""
    params = {
        "tier": tier_titles(series)[ledger.tier],
        "gains": _(", ").join(map(str, ledger.gains)),
        "needed": ledger.needed,
        "terms": ledger.within_terms,
    }
    if ledger.is_upward:
        text = _(
            "In “%(tier)s” those next to promotion gain points (%(gains)s); %(needed)s points within %(terms)s terms "
            "promote."
        )
    else:
        text = _(
            "In “%(tier)s” those last above relegation gain points (%(gains)s); %(needed)s points within %(terms)s "
            "terms relegate."
        )
    return text % params


def _sentences(series: Series, teams: Collection[str]) -> Iterator[str]:
    titles = tier_titles(series)
    for tier in series.tiers:
        of_teams = tier.key in teams
        text = _("%(tier)s: %(sizes)s teams.") if of_teams else _("%(tier)s: %(sizes)s players.")
        yield text % {"tier": titles[tier.key], "sizes": span_text(tier.size.least, tier.size.most)}
    yield from (_move_sentence(series, move, teams) for move in series.moves)
    texts = _OF_TEAMS if teams and all(tier.key in teams for tier in series.tiers) else _OF_PLAYERS
    if any(move.source.share for move in series.moves):
        is_up = series.rounding is ShareRounding.UP
        yield str(texts["share_up" if is_up else "share_down"])
    yield from (ledger_sentence(series, ledger) for ledger in series.ledgers.values())
    for criterion in series.tiebreak.then:
        yield str(texts[criterion])
    yield str(texts["level"])
    yield str(texts["fill" if series.fill else "no_fill"])


_OF_PLAYERS: Mapping[str, StrPromise] = {
    "share_up": gettext_lazy("Shares are counted up to whole players."),
    "share_down": gettext_lazy("Shares are counted down to whole players."),
    Further.PRIOR: gettext_lazy("Level players are ordered as in the roster of the term."),
    Further.SEED: gettext_lazy("Level players are ordered by their seeds."),
    Further.LOT: gettext_lazy("Level players are ordered by lot."),
    "level": gettext_lazy("Players who are still level at a border wait for the organizer's order."),
    "fill": gettext_lazy(
        "A tier with too few players is filled by promotions that a condition refused, then by relegated players "
        "who keep their seats, then by the next in rank from below."
    ),
    "no_fill": gettext_lazy("On a tier with too few players the organizer decides."),
}
_OF_TEAMS: Mapping[str, StrPromise] = {
    "share_up": gettext_lazy("Shares are counted up to whole teams."),
    "share_down": gettext_lazy("Shares are counted down to whole teams."),
    Further.PRIOR: gettext_lazy("Level teams are ordered as in the roster of the term."),
    Further.SEED: gettext_lazy("Level teams are ordered by their seeds."),
    Further.LOT: gettext_lazy("Level teams are ordered by lot."),
    "level": gettext_lazy("Teams that are still level at a border wait for the organizer's order."),
    "fill": gettext_lazy(
        "A tier with too few teams is filled by promotions that a condition refused, then by relegated teams that "
        "keep their seats, then by the next in rank from below."
    ),
    "no_fill": gettext_lazy("On a tier with too few teams the organizer decides."),
}


def _movers(move: Move, *, is_of_teams: bool) -> str:
    """Return which ranks of a table a move takes."""
    source = move.source
    if source.share is not None:
        text = _("the last %(share)s") if source.is_last else _("the first %(share)s")
        return text % {"share": source.share}
    first, last = source.ranks[0], source.ranks[-1]
    if first == 1 and is_of_teams:
        counted = (
            ngettext("the last %(count)s team", "the last %(count)s teams", last)
            if source.is_last
            else ngettext("the first %(count)s team", "the first %(count)s teams", last)
        )
        return counted % {"count": last}
    if first == 1:
        counted = (
            ngettext("the last %(count)s", "the last %(count)s", last)
            if source.is_last
            else ngettext("the first %(count)s", "the first %(count)s", last)
        )
        return counted % {"count": last}
    params = {"first": first, "last": last}
    if source.is_last:
        text = _("%(first)s from below") if first == last else _("%(first)s to %(last)s from below")
    else:
        text = _("rank %(first)s") if first == last else _("ranks %(first)s to %(last)s")
    return text % params
