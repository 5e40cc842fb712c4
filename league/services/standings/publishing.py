"""From the facts to published standings.

`selectors.derivation` computes them; `publish_standings` writes them, once, under a newer version than the one
published, and prepares what the pages show (`services.preparing`). Messages that come late
or twice find nothing to do; one that was lost is made good by the sweep.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Max, Model

from league.models import (
    AUDIENCES,
    Audience,
    Competition,
    Outcome,
    SlotState,
    Standing,
)
from league.models.derived import Derived
from league.selectors.access.readers import Reader, sheets_held_back
from league.selectors.standings.derivation import Derivation, Places, derivation_rows, derive, facts_at, tallied_blocks
from league.services.standings.prepared import prepare
from league.services.standings.tallies import update_tallies

logger = logging.getLogger(__name__)


def publish_standings(competition_id: int) -> int:
    """Publish standings computed from the facts as they stand now; return the version published.

    What comes in meanwhile asks for itself; were it waited for, whoever publishes would never be done in a burst.
    """
    competition = Competition.objects.get(pk=competition_id)
    if competition.computed_version < competition.version:
        publish_version(competition, competition.version)
    return max(competition.computed_version, competition.version)


def prepare_published(competition_id: int) -> None:
    """Prepare anew what the public pages show of the version published; at any time, and as often as wanted."""
    with transaction.atomic():
        competition = Competition.objects.select_for_update().get(pk=competition_id)
        version = competition.computed_version
        prepare(competition, derivations(competition, version)[Audience.PUBLIC])


def publish_version(competition: Competition, version: int) -> bool:
    """Publish the standings as of `version` for every audience; False if something newer was there already."""
    return publish(competition, version, derivations(competition, version))


def derivations(competition: Competition, version: int) -> Mapping[Audience, Derivation]:
    """What follows from the facts as of `version`, for every audience: the same for all where nothing is held back."""

    def derived(audience: Audience) -> Derivation:
        return derive(facts_at(Reader(competition, audience, version)))

    if sheets_held_back(competition, version).exists():
        return {audience: derived(audience) for audience in AUDIENCES}
    return dict.fromkeys(AUDIENCES, derived(Audience.STAFF))


def publish(competition: Competition, version: int, derived: Mapping[Audience, Derivation]) -> bool:
    """Write derivations under the version they were computed from; False if that or a newer one is published."""
    with transaction.atomic():
        before = (
            Competition.objects.select_for_update().values_list("computed_version", flat=True).get(pk=competition.pk)
        )
        public_version = newest_public_change(competition, version)
        won = Competition.objects.filter(pk=competition.pk, computed_version__lt=version).update(
            computed_version=version, public_version=public_version
        )
        if not won:
            return False
        competition.computed_version, competition.public_version = version, public_version
        places, tallied = Places.of(competition), list(tallied_blocks(competition))
        for audience, derivation in derived.items():
            write(places, audience, version, derivation)
            for block in tallied:
                update_tallies(block, audience, before, version)
        prepare(competition, derived[Audience.PUBLIC], before)
    return True


def newest_public_change(competition: Competition, version: int) -> int:
    """The newest change up to `version` that the public may know of."""
    changes = competition.changes.filter(is_public=True, n__lte=version)
    return changes.aggregate(newest=Max("n"))["newest"] or 0


def write(places: Places, audience: Audience, version: int, derivation: Derivation) -> None:
    """Bring one audience's rows to what the derivation says; rows that say the same already are left alone."""
    competition = places.competition
    standings, states, outcome = derivation_rows(places, derivation)
    sync(Standing.objects.filter(block__competition=competition, audience=audience), standings, audience, version)
    sync(SlotState.objects.filter(slot__block__competition=competition, audience=audience), states, audience, version)
    sync(Outcome.objects.filter(competition=competition, audience=audience), outcome, audience, version)


def sync(there: Any, wanted: Sequence[Derived], audience: Audience, version: int) -> None:
    """Replace the rows that differ; those that say the same keep the version they were computed from."""
    rows = list(there.order_by())
    kept = {content(row): row.pk for row in rows}
    said = [(content(row), row) for row in wanted]
    new = [row for text, row in said if text not in kept]
    same = {kept[text] for text, _row in said if text in kept}
    if len(same) < len(rows):
        there.exclude(pk__in=same).delete()
    for row in new:
        row.audience, row.computed_version = audience, version
    if new:
        type(new[0]).objects.bulk_create(new)  # type: ignore[attr-defined]


def content(row: Model) -> str:
    """Everything a derived row says, without its id, audience and version."""
    skipped = {"id", "audience", "computed_version"}
    return repr([getattr(row, field.attname) for field in row._meta.concrete_fields if field.name not in skipped])
