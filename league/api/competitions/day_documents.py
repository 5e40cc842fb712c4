"""Bodies and documents of the operations on the day of an event: check-in, absence, departure, walkover."""

from __future__ import annotations

from typing import Literal

from pydantic import Field
from rest_framework import serializers

from league.api.fields import AcceptField, IdField, StrictSerializer
from league.models import Departure, Entrant
from league.selectors.access.readers import Reader
from league.web.document_parts import EntrantDocument, EntrantStatus, entrant, moment
from league.web.documents import Moment

AMOUNT = r"^-?[0-9]{1,8}(\.[0-9]{1,4})?$"


class LeaveInput(StrictSerializer):
    """A withdrawal or disqualification, with the reason that is published."""

    reason = serializers.CharField(max_length=1000, help_text="Published with the standings.")
    accept = AcceptField()


class NoShowInput(StrictSerializer):
    """An entrant who is absent from a hanchan."""

    entrant = IdField(help_text="The entrant's id.")
    reason = serializers.CharField(max_length=1000, help_text="Published with the standings.")
    points = serializers.RegexField(
        AMOUNT,
        required=False,
        help_text="What the absence counts, where the format leaves it to the organizers; without it the entrant gets "
        "what the house player wins.",
    )
    is_last = serializers.BooleanField(default=False, help_text="True if the entrant counts as last at the table.")
    accept = AcceptField()


class WalkoverInput(StrictSerializer):
    """A table that does not play."""

    reason = serializers.CharField(max_length=1000, help_text="Published with the standings.")
    points = serializers.RegexField(
        AMOUNT, required=False, help_text="For each player there; only where the format leaves it to a ruling."
    )
    accept = AcceptField()


class EntrantState(EntrantDocument):
    """An entrant on the day of an event."""

    status: EntrantStatus
    checked_in_at: Moment | None = Field(description="The moment of the last check-in; null without one.")
    is_house: bool = Field(description="A house player fills a table and has no rank.")
    version: int = Field(description="The competition's version with the change.")


def entrant_state(reader: Reader, row: Entrant) -> EntrantState:
    """Return an entrant with what holds now."""
    competition = reader.competition
    competition.refresh_from_db(fields=["version"])
    left = Departure.objects.standing().filter(entrant=row).values_list("kind", flat=True).first()
    kinds: dict[str | None, Literal["playing", "withdrawn", "disqualified"]] = {
        Departure.Kind.WITHDRAWN: "withdrawn",
        Departure.Kind.DISQUALIFIED: "disqualified",
    }
    return EntrantState(
        **entrant(reader, row),
        status=kinds.get(left, "playing"),
        checked_in_at=moment(row.checked_in_at, competition),
        is_house=row.is_house,
        version=reader.number_shown(competition.version),
    )
