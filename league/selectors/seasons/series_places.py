"""A tier of a series as the engine takes it while it is played: rules, decisions made so far, and points brought along.

Players of the tier go by the ids of their entrants, as in all facts of a competition; all others by a text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from league.models import Competition, Entrant, MoveDecision, NextRoster, OpeningBalance, Term
from league.selectors.seasons.series_rules import revision_of_term, rules_of_revision, rules_of_term, written_roster
from league.selectors.seasons.stored_rosters import movements_of, tiers_of_roster
from league.selectors.standings.facts import SeriesTier
from league.wording.seasons.series_sentences import tier_titles
from scoring.format import Series as SeriesRules
from scoring.further import GivenOrders
from scoring.pyramid.conditions import SeriesDestination
from scoring.pyramid.ledger import opening_points
from scoring.pyramid.movement import DecisionKind, Points
from scoring.pyramid.movement import MoveDecision as Decision
from scoring.pyramid.places import TermState, present_table, tier_places
from scoring.tiebreak import Entrant as Id


def series_tier(competition: Competition, *, with_decisions: bool = True) -> SeriesTier | None:
    """Return the tier that a competition is, by the rules of its term; None outside a series.

    A competition beside the tiers, such as a title match, is no tier. Without decisions the places are those of the
    ranks alone. A written roster decides the places once it is released.
    """
    term = _term_of(competition)
    if term is None:
        return None
    written = written_roster(term)
    rules = rules_of_revision(revision_of_term(term, written))
    if competition.tier not in rules.order:
        return None
    shown = written if with_decisions and written is not None and written.is_released else None
    return SeriesTier(rules, competition.tier, _state(competition, term, rules, shown, with_decisions=with_decisions))


def rank_destinations(competition: Competition, entrants: int) -> Mapping[int, SeriesDestination]:
    """Return where each place of a tier's final table leads in the next term; empty outside a series.

    It is so by the rules alone: decisions, fillings and points brought along are left out, since they move the holder
    of a place, not the place.
    """
    term = _term_of(competition)
    rules = rules_of_term(term) if term is not None else None
    if rules is None or competition.tier not in rules.order:
        return {}
    table = present_table(rules, range(1, entrants + 1))
    found = tier_places(rules, competition.tier, table).destinations
    return {int(str(place)): destination for place, destination in found.items()}


def tier_names(competition: Competition, language: str | None = None) -> Mapping[str, str]:
    """Return the names of the tiers that ranks of a competition may lead to; empty outside a series."""
    term = _term_of(competition)
    rules = rules_of_term(term) if term is not None else None
    return tier_titles(rules, language) if rules is not None and competition.tier in rules.order else {}


def _term_of(competition: Competition) -> Term | None:
    if competition.term_id is None:
        return None
    return Term.objects.select_related("series__rules").defer("series__rules__text").get(pk=competition.term_id)


@dataclass(frozen=True, slots=True)
class _Names:
    """The names by which the engine knows players: entrants of the competition by their ids, others by a text."""

    entrants: Mapping[int, int]
    """By player the id of the entrant."""

    def of(self, player: int) -> Id:
        """Return the name of a player."""
        return self.entrants.get(player, f"player {player}")


def _state(
    competition: Competition, term: Term, rules: SeriesRules, written: NextRoster | None, *, with_decisions: bool
) -> TermState:
    own = Entrant.objects.filter(competition=competition, is_house=False, merged_into=None).order_by("number")
    numbers = {player: (pk, number) for pk, player, number in own.values_list("pk", "player", "number")}
    names = _Names({player: pk for player, (pk, _number) in numbers.items()})
    decisions = MoveDecision.objects.filter(term=term, ended_at=None) if with_decisions else MoveDecision.objects.none()
    return TermState(
        decisions=tuple(
            Decision(names.of(row.player.kept_id), DecisionKind(row.kind), row.tier)
            for row in decisions.select_related("player").order_by("made_at", "pk")
        ),
        points=_points(term, rules, names) if rules.ledgers else {},
        others=_others(competition, term, rules, names) if rules.fill else {},
        number=term.number,
        given=GivenOrders(
            prior=_prior(term, rules, names),
            seeds=dict(numbers.values()),
            lot=f"{term.series.slug}-{term.number}",
        ),
        decided=tuple(
            replace(each, player=names.of(int(str(each.player))))
            for each in (movements_of(written).movements if written is not None else ())
        ),
    )


def _others(competition: Competition, term: Term, rules: SeriesRules, names: _Names) -> Mapping[str, tuple[Id, ...]]:
    """Return the players of the other tiers; none while one of them is not entered in full, since all would move up."""
    rows = Entrant.objects.filter(competition__term=term, is_house=False, merged_into=None)
    found: dict[str, list[Id]] = {}
    for tier, player in (
        rows.exclude(competition=competition).order_by("number").values_list("competition__tier", "player")
    ):
        found.setdefault(tier, []).append(names.of(player))
    others = [tier for tier in rules.tiers if tier.key != competition.tier]
    is_whole = all(len(found.get(tier.key, ())) >= tier.size.least for tier in others)
    return {tier.key: tuple(found[tier.key]) for tier in others} if is_whole else {}


def _before(term: Term) -> Term | None:
    found = term.series.terms.filter(number__lt=term.number).order_by("-number").first()
    if found is not None:
        found.series = term.series
    return found


def _prior(term: Term, rules: SeriesRules, names: _Names) -> list[Id]:
    """Return the players in the order of the roster by which the term began."""
    before = _before(term)
    written = written_roster(before) if before is not None else None
    tiers = tiers_of_roster(written) if written is not None else {}
    return [names.of(player) for tier in rules.tiers for player in tiers.get(tier.key, ())]


def _points(term: Term, rules: SeriesRules, names: _Names) -> Points:
    """Return the points brought into the term: those of the roster before, or else the opening balances."""
    before = _before(term)
    if before is None:
        held = OpeningBalance.objects.filter(series=term.series, ended_at=None).select_related("player")
        balances = {row.player.kept_id: row.points for row in held}
        rows = Entrant.objects.filter(competition__term=term, merged_into=None, player__in=balances)
        tiers: dict[Id, str] = {
            names.of(player): tier for player, tier in rows.values_list("player", "competition__tier")
        }
        return opening_points(rules, tiers, {names.of(pk): each for pk, each in balances.items()}, term.number)
    written = written_roster(before)
    stored = movements_of(written).points if written is not None else {}
    return {names.of(int(str(player))): gains for player, gains in stored.items()}
