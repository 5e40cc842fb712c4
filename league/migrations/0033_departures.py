"""Give each entrant who has withdrawn the fact that says so, from the change that recorded it."""

from typing import Any

from django.db import migrations


def add_departures(apps: Any, schema_editor: Any) -> None:
    """Write a departure for each entrant with the mark; a mark without a change of its own counts as made now."""
    changes = apps.get_model("league", "Change").objects
    departures = apps.get_model("league", "Departure").objects
    entrants = apps.get_model("league", "Entrant").objects
    for entrant in entrants.exclude(withdrawn_at=None).select_related("competition").iterator(500):
        change = (
            changes.filter(
                competition=entrant.competition_id,
                kind="entrant.withdrawn",
                subject_type="entrant",
                subject_id=str(entrant.pk),
            )
            .order_by("-n")
            .first()
        )
        departures.create(
            entrant=entrant,
            kind="withdrawn",
            reason=change.reason if change else "",
            at=entrant.withdrawn_at,
            made_n=change.n if change else entrant.competition.version,
        )


class Migration(migrations.Migration):

    dependencies = [("league", "0032_open_tournaments")]

    operations = [migrations.RunPython(add_departures, migrations.RunPython.noop)]
