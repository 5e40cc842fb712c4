"""Publish standings computed from the facts.

`selectors.standings.derivation` computes them; `publish_standings` writes them, once, under a newer version than the
published one, and prepares the public pages (`services.standings.prepared`). Late and duplicate messages find nothing
to do; after a lost message the sweep publishes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any

from django.db import transaction
from django.db.models import Count, F, Max, QuerySet

from league.models import (
    AUDIENCES,
    Audience,
    Competition,
    Outcome,
    SlotState,
    Standing,
    TableSession,
)
from league.models.derived import Derived
from league.platform.replica import note_publication
from league.selectors.access.public_numbers import public_number
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import every_rules
from league.selectors.standings.derivation import Derivation, derive, facts_at, tallied_blocks
from league.selectors.standings.derived_rows import Rows, RowTargets, derivation_rows, known_public
from league.services.standings.prepared import NOTHING, prepare
from league.services.standings.tallies import update_tallies


def publish_standings(competition_id: int) -> int:
    """Publish standings computed from the facts as of now; return the version published.

    Results saved meanwhile request a publication of their own; waiting for them would never end in a burst.
    """
    competition = Competition.objects.get(pk=competition_id)
    if competition.computed_version < competition.version:
        publish_version(competition, competition.version)
    return max(competition.computed_version, competition.version)


def prepare_published(competition_id: int) -> None:
    """Rebuild the prepared rows of the published version's public pages; safe to call at any time."""
    with transaction.atomic():
        competition = Competition.objects.select_for_update().get(pk=competition_id)
        version = competition.computed_version
        known = {"every_rules": every_rules(competition)}
        prepare(competition, derivations(competition, version, known)[Audience.PUBLIC], known=known)


def publish_version(competition: Competition, version: int) -> bool:
    """Publish the standings as of `version` for every audience; False if a newer version was published already."""
    known = {"every_rules": every_rules(competition)}
    return publish(competition, version, derivations(competition, version, known), known)


def derivations(
    competition: Competition, version: int, known: Mapping[str, Any] = NOTHING
) -> Mapping[Audience, Derivation]:
    """Return the derivation as of `version` for every audience; one shared by all where no table is held back.

    The public's is as of its own version, so that no change hidden from it decides what it reads. A table without a
    result matters too: where entrants rest, it is one of those that number each entrant's hanchan.
    `known` is what every reader knows already (`Reader.known`).
    """

    def derived(audience: Audience, n: int = version) -> Derivation:
        reader = Reader(competition, audience, n)
        reader.known.update(known)
        return derive(facts_at(reader))

    if TableSession.objects.filter(competition=competition, is_released=False).exists():
        _shown, public_version = public_version_at(competition, version)
        return {Audience.STAFF: derived(Audience.STAFF), Audience.PUBLIC: derived(Audience.PUBLIC, public_version)}
    return dict.fromkeys(AUDIENCES, derived(Audience.STAFF))


def publish(
    competition: Competition, version: int, derived: Mapping[Audience, Derivation], known: Mapping[str, Any] = NOTHING
) -> bool:
    """Write derivations under the version they were computed from; False if that or a newer one is published."""
    with transaction.atomic():
        columns = ("computed_version", "shown_version", "shown_n")
        locked = Competition.objects.select_for_update().only(*columns).get(pk=competition.pk)
        before, (shown, public_version) = locked.computed_version, public_version_at(locked, version)
        # Compare and set: a slower worker with an older version must not overwrite newer standings.
        won = Competition.objects.filter(pk=competition.pk, computed_version__lt=version).update(
            computed_version=version, public_version=public_version, shown_version=shown, shown_n=public_version
        )
        if not won:
            return False
        competition.computed_version, competition.public_version = version, public_version
        competition.shown_version, competition.shown_n = shown, public_version
        places = RowTargets.of(competition)
        rows = write(places, version, derived)
        for block in tallied_blocks(competition):
            for audience in derived:
                update_tallies(block, audience, before, version)
        prepare(competition, derived[Audience.PUBLIC], before, {**known, **known_public(places, rows)})
        note_publication()
    return True


def public_version_at(competition: Competition, version: int) -> tuple[int, int]:
    """Return the version that the public reads as of `version`, and the number of its newest public change."""
    changes = competition.changes.filter(is_public=True, n__gt=competition.shown_n, n__lte=version)
    since = changes.aggregate(newest=Max("n"), number=Count("n"))
    return competition.shown_version + since["number"], since["newest"] or competition.shown_n


def count_public_versions() -> None:
    """Store the numbers that the public reads where the previous version of the software published without them."""
    for row in Competition.objects.exclude(shown_n=F("public_version")):
        shown, n = public_number(row, row.public_version), row.public_version
        # Published again meanwhile: that publication has stored them.
        Competition.objects.filter(pk=row.pk, public_version=n).update(shown_version=shown, shown_n=n)


def write(places: RowTargets, version: int, derived: Mapping[Audience, Derivation]) -> Mapping[Audience, Rows]:
    """Update the rows of every audience to match its derivation, and return them; equal rows stay untouched."""
    competition, blocks = places.competition, [block.pk for block in places.blocks.values()]
    stored: tuple[QuerySet[Derived], ...] = (
        Standing.objects.filter(block__in=blocks),
        SlotState.objects.filter(slot__in=[slot.pk for slot in places.slots.values()]),
        Outcome.objects.filter(competition=competition),
    )
    rows = {audience: derivation_rows(places, derivation, audience) for audience, derivation in derived.items()}
    for there, *wanted in zip(stored, *rows.values(), strict=True):
        sync(there, list(chain(*wanted)), version)
    return rows


def sync(there: QuerySet[Derived], wanted: Sequence[Derived], version: int) -> None:
    """Replace the rows that differ; equal rows keep the version they were computed from.

    The rows wanted get the ids and versions of those stored.
    """
    names = {field.attname for field in there.model._meta.concrete_fields} - {"id", "computed_version"}
    content = attrgetter(*sorted(names))
    # Compared as text, because lists and dictionaries cannot be keys.
    stale, new = {repr(content(row)): row for row in there.order_by()}, []
    for row in wanted:
        if (same := stale.pop(repr(content(row)), None)) is None:
            row.computed_version = version
            new.append(row)
        else:
            row.pk, row.computed_version = same.pk, same.computed_version
    if stale:
        there.filter(pk__in=[row.pk for row in stale.values()]).delete()
    if new:
        there.bulk_create(new)
