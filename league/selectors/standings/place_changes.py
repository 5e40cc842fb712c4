"""Changes that decisions make about the places of a tier while it is played, for the pages that show its borders."""

from __future__ import annotations

from collections.abc import Mapping

from league.models import Block, Entrant
from league.selectors.access.readers import Reader
from league.selectors.seasons.series_places import series_tier
from league.selectors.standings.derivation import derive, facts_at
from scoring.pyramid.places import BlockPlaces, PlaceChange


def place_changes(reader: Reader, block: Block) -> tuple[PlaceChange, ...]:
    """Return the changes to the places of a block as its table stands; none outside series."""
    found = _places(reader).get(block.key)
    return found.changes if found else ()


def passed_entrants(changes: tuple[PlaceChange, ...]) -> Mapping[int, Entrant]:
    """Return the entrants whom these changes pass over, by id."""
    ids = {int(str(passed.player)) for each in changes for passed in each.passed}
    return {row.pk: row for row in Entrant.objects.filter(pk__in=ids).select_related("player")} if ids else {}


def _places(reader: Reader) -> Mapping[str, BlockPlaces]:
    """Return the places of the tier, read once for a reader; without decisions and fillings nothing changes them."""
    if "places" not in reader.known:
        tier = series_tier(reader.competition, with_decisions=reader.until is None)
        may_change = tier is not None and bool(tier.state.decisions or tier.rules.fill)
        reader.known["places"] = derive(facts_at(reader)).places if may_change else {}
    found: Mapping[str, BlockPlaces] = reader.known["places"]
    return found
