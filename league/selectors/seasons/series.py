"""Series as visitors may know them: their terms, champions, and the way of a player or team through the terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Max, QuerySet

from league.models import (
    Competition,
    Entrant,
    NextRoster,
    OrganizationChange,
    Outcome,
    Player,
    Series,
    SlotState,
    Standing,
    Term,
)
from league.selectors.access.readers import Reader, Visitor, visible_competitions
from league.selectors.competitions.batches import readers_of
from league.selectors.rulebooks.rules_in_force import remember_rules, rules_of, ruleset_of
from league.selectors.seasons.series_moves import direction
from league.selectors.seasons.series_rules import (
    may_change_series,
    places_of,
    rules_of_series,
    rules_of_term,
)
from league.selectors.seasons.series_tables import Guard, may_know_roster, tier_table
from league.selectors.seasons.stored_rosters import movements_of
from scoring.format import Series as SeriesRules
from scoring.format.series import Tier
from scoring.pyramid.movement import Gain, Movement


def series_for(visitor: Visitor | None) -> QuerySet[Series]:
    """Return the series that a visitor may know of: public ones, and all for those who decide on moves."""
    rows = Series.objects.select_related("rules")
    return rows if may_change_series(visitor) else rows.filter(is_public=True)


def series_mark() -> int:
    """Return the number of the newest change outside competitions, such as of a series or of a player's name."""
    return OrganizationChange.objects.aggregate(newest=Max("pk"))["newest"] or 0


def term_of(competition: Competition) -> Term | None:
    """Return the term of a public series that a competition is a tier of, or None."""
    if competition.term_id is None:
        return None
    rows = Term.objects.select_related("series__rules").filter(series__is_public=True)
    return rows.filter(pk=competition.term_id).first()


@dataclass(frozen=True, slots=True)
class TierSeason:
    """A tier in one term: its competition, whether it has a result, and the champion once that is certain."""

    tier: Tier
    reader: Reader | None = None
    champion: Entrant | None = None
    has_begun: bool = False

    @property
    def competition(self) -> Competition | None:
        """The competition, if it may be read."""
        return self.reader.competition if self.reader else None


@dataclass(frozen=True, slots=True)
class TermSeasons:
    """A term with its tiers from the top."""

    term: Term
    tiers: tuple[TierSeason, ...]

    @property
    def is_shown(self) -> bool:
        """Return True if a competition of the term may be read."""
        return any(each.reader is not None for each in self.tiers)


def seasons_of_series(series: Series, visitor: Visitor | None, guard: Guard | None = None) -> list[TermSeasons]:
    """Return the terms of a series, newest first, with the champions of their tiers, in a fixed number of queries."""
    rows = visible_competitions(visitor).filter(term__series=series).select_related("term")
    readers = [guard(each) if guard else each for each in readers_of(rows, visitor).values()]
    champions, begun = _champions(readers), _begun(readers)
    by_place = {(each.competition.term_id, each.competition.tier): each for each in readers}
    rosters = {row.term_id: row for row in NextRoster.objects.filter(term__series=series, ended_at=None)}
    found = []
    for term in series.terms.order_by("-number"):
        term.series = series
        written = rosters.get(term.pk)
        rules = rules_of_series(series) if written is None else rules_of_term(term, written)
        tiers = []
        for tier in rules.tiers:
            reader = by_place.get((term.pk, tier.key))
            pk = reader.competition.pk if reader else None
            tiers.append(TierSeason(tier, reader, champions.get(pk or 0), has_begun=pk in begun))
        found.append(TermSeasons(term, tuple(tiers)))
    return found


def _champions(readers: Sequence[Reader]) -> Mapping[int, Entrant]:
    """Return the certain champions by the id of the competition; none behind the spoiler guard."""
    audiences = {each.competition.pk: each.audience for each in readers if each.until is None}
    rows = Outcome.objects.filter(competition__in=audiences, champion_state=SlotState.State.CERTAIN)
    return {
        row.competition_id: row.champion
        for row in rows.select_related("champion__player")
        if row.champion is not None and row.audience == audiences[row.competition_id]
    }


def _begun(readers: Sequence[Reader]) -> frozenset[int]:
    """Return the ids of the competitions that have a result."""
    audiences = {each.competition.pk: each.audience for each in readers}
    rows = Standing.objects.filter(block__competition__in=audiences, played__gt=0).order_by()
    found = rows.values_list("block__competition", "audience").distinct()
    return frozenset(pk for pk, audience in found if audience == audiences[pk])


@dataclass(frozen=True, slots=True)
class SeriesStep:
    """A player or team in one term of a series."""

    term: Term
    tier: str
    reader: Reader
    place: int | None
    """The place in the tier; None before the first result, and for those without a rank."""
    is_final: bool
    movement: Movement | None = None
    """The move after the term, once the roster of the next one is written."""
    direction: str = ""
    """The direction of that move; empty without it."""
    rules: SeriesRules = field(kw_only=True)
    """The rules of the term."""
    scale: int = field(kw_only=True)
    """The scale of the tier's totals."""

    @property
    def competition(self) -> Competition:
        """The competition that the tier is."""
        return self.reader.competition

    @property
    def points(self) -> tuple[Gain, ...]:
        """Return the promotion points that counted after the term, with the terms they came from."""
        return self.movement.terms if self.movement is not None else ()


def tiers_of_player(player: Player, visitor: Visitor | None, series: Series | None = None) -> list[Reader]:
    """Return readers of the tiers that a player or team is or was in, of one series or all, newest term first."""
    entered = Entrant.objects.filter(player=player, merged_into=None, is_house=False).values("competition")
    among = series_for(visitor) if series is None else [series.pk]
    rows = visible_competitions(visitor).filter(pk__in=entered, term__series__in=among)
    rows = rows.select_related("term__series__rules").order_by("term__series__name", "term__series", "-term__number")
    return list(readers_of(rows, visitor).values())


def series_of(
    player: Player, visitor: Visitor | None, guard: Guard | None = None, series: Series | None = None
) -> dict[Series, list[SeriesStep]]:
    """Return the steps of a player or team by series, newest term first, as far as the visitor may know them."""
    readers = [guard(each) if guard else each for each in tiers_of_player(player, visitor, series)]
    remember_rules(readers)
    terms = [each.competition.term_id for each in readers]
    rosters = {row.term_id: row for row in NextRoster.objects.filter(term__in=terms, ended_at=None)}
    found: dict[Series, list[SeriesStep]] = {}
    for reader in readers:
        term = reader.competition.term
        if term is not None:
            written = rosters.get(term.pk)
            rules = rules_of_series(term.series) if written is None else rules_of_term(term, written)
            if written is not None and not may_know_roster(term, visitor, guard):
                written = None
            found.setdefault(term.series, []).append(_step(player, term, written, reader, rules))
    return found


def readers_of_terms(readers: Iterable[Reader], visitor: Visitor | None) -> list[Reader]:
    """Return readers of all competitions in the terms of these: a written roster is shown once all may be read."""
    terms = {each.competition.term_id for each in readers} - {None}
    rows = visible_competitions(visitor).filter(term__in=terms).order_by("pk")
    return list(readers_of(rows, visitor).values()) if terms else []


def _step(player: Player, term: Term, written: NextRoster | None, reader: Reader, rules: SeriesRules) -> SeriesStep:
    competition = reader.competition
    moved = movements_of(written).movements if written is not None else ()
    movement = next((each for each in moved if each.player == player.pk), None)
    if movement is not None and rules.table_of(movement.rule, movement.source) == competition.tier:
        place, is_final = movement.rank, True
    else:
        tier = next((each for each in places_of(rules) if each.key == competition.tier), None)
        table = tier_table(tier, reader) if tier is not None else None
        row = next((each for each in table.rows if each.player.pk == player.pk), None) if table else None
        has_place = row is not None and row.standing is not None and table is not None and table.has_begun
        place, is_final = row.place if row is not None and has_place else None, bool(table and table.is_finished)
    return SeriesStep(
        term,
        competition.tier,
        reader,
        place,
        is_final=is_final,
        movement=movement,
        direction=direction(movement, [tier.key for tier in rules.tiers]) if movement is not None else "",
        rules=rules,
        scale=ruleset_of(rules_of(reader)).ranking_ledger.scale,
    )
