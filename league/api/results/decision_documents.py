"""Documents and request bodies of decisions: rulings on ties, adjustments, who advances, and taking them back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from django.db.models import QuerySet
from pydantic import Field
from rest_framework import serializers

from league.api.competitions.day_documents import AMOUNT
from league.api.fields import AcceptField, BoundedListField, IdField, OptionalTextField, StrictSerializer
from league.api.results.documents import Effects, MovementDocument, SlotChangeDocument
from league.models import Adjustment, Closing, Competition, Credit, Departure, Draw, Override, Ruling
from league.models.rulings import Decided
from league.services.results.preview import Effect
from league.web.document_parts import moment, ref
from league.web.documents import Amount, Document, Moment, Ref
from scoring.ruleset import Ledger

DecisionName = Literal["ruling", "adjustment", "override", "closing", "draw", "credit", "departure"]
KINDS: Mapping[str, type[Decided]] = {
    "ruling": Ruling,
    "adjustment": Adjustment,
    "override": Override,
    "closing": Closing,
    "draw": Draw,
    "credit": Credit,
    "departure": Departure,
}
"""The kinds of decisions by their names in addresses."""
MOST_TIED = 500


class OrganizerDecision(Document):
    """A decision of organizers that holds, with its reason. Fields that its kind does not have are null."""

    id: Ref = Field(description="The decision's id, unique among its kind.")
    kind: DecisionName = Field(description="The kind of the decision.")
    reason: str = Field(description="The reason, which is published.")
    at: Moment = Field(description="The moment it was made.")
    made_by_change: int = Field(description="The competition's version with the decision.")
    stage: str | None = Field(description="The key of the stage that was drawn.")
    block: str | None = Field(description="The key of its block.")
    entrant: Ref | None = Field(description="The id of the entrant it is about.")
    player: Ref | None = Field(description="The id of the team's member it is about.")
    points: Amount | None = Field(description="The points given; negative if they are taken.")
    scope: str | None = Field(description="The ranking that a ruling is about: a block's key, or a comparison.")
    order: list[Ref] | None = Field(description="The ids of the tied entrants, best first.")
    slot: int | None = Field(description="The number of the slot in its block.")
    source: str | None = Field(description="The source that fills the slot, such as `po2#3`.")


class DecisionsDocument(Document):
    """All decisions that hold, oldest first."""

    results: list[OrganizerDecision] = Field(description="The decisions.")


class DecisionMade(Document):
    """A decision that was made, with the version it has made."""

    decision: OrganizerDecision | None = Field(description="The decision; null after it was taken back.")
    effects: Effects


class DecisionPreview(Document):
    """The effects that a decision would have. Nothing is written."""

    movements: list[MovementDocument] = Field(description="The entrants whose rank or total changes.")
    slot_changes: list[SlotChangeDocument] = Field(description="The slots whose occupant changes.")


class ReasonedInput(StrictSerializer):
    """A decision with its reason, which is published."""

    reason = serializers.CharField(max_length=1000, help_text="Published with the standings.")
    accept = AcceptField()


class TieInput(ReasonedInput):
    """A ruling on a tie: entrants that no result separates, in order."""

    scope = serializers.CharField(max_length=64, help_text="The `scope` of the tie in `awaiting` of the standings.")
    order = BoundedListField(
        child=IdField(), min_length=2, max_length=MOST_TIED, help_text="The ids of all tied entrants, best first."
    )


class AdjustmentInput(ReasonedInput):
    """Points given or taken outside a hanchan."""

    entrant = IdField(help_text="The entrant's id.")
    points = serializers.RegexField(AMOUNT, help_text="A decimal; negative takes points.")
    player = IdField(required=False, help_text="The id of the team's member whose points they are too.")
    cause = OptionalTextField(max_length=64, help_text="The key of a penalty that the rules list.")


class EntrantDecisionInput(ReasonedInput):
    """A decision about an entrant."""

    entrant = IdField(help_text="The entrant's id.")


class OverrideInput(ReasonedInput):
    """Another source for a slot, or an entrant by id."""

    # mypy takes it for the attribute of the same name that every field has.
    source = serializers.CharField(  # type: ignore[assignment]
        max_length=64, required=False, help_text="Such as `po2#3` for the third of playoff 2; or name an entrant."
    )
    entrant = IdField(required=False, help_text="The entrant's id, instead of a source.")


class SwapSlotsInput(ReasonedInput):
    """The slot to exchange with."""

    block = serializers.SlugField(max_length=32, help_text="The key of the other slot's block.")
    slot = serializers.IntegerField(min_value=1, max_value=9999, help_text="The other slot's number.")


def decision_document(row: Decided, competition: Competition, ledger: Ledger) -> OrganizerDecision:
    """Return a decision."""
    fields = vars_of(row)
    slot = getattr(row, "slot", None)
    points = getattr(row, "points", None)
    return OrganizerDecision(
        id=str(row.pk),
        kind=cast("DecisionName", type(row).__name__.lower()),
        reason=row.reason,
        at=moment(row.at, competition),
        made_by_change=row.made_n,
        stage=row.stage.key if isinstance(row, Draw) else None,
        block=row.block.key if hasattr(row, "block") else None,
        entrant=ref(fields.get("entrant_id")),
        player=ref(fields.get("player_id")) if isinstance(row, Adjustment) else None,
        points=None if points is None else ledger.text(points),
        scope=row.scope if isinstance(row, Ruling) else None,
        order=[str(pk) for pk in row.order] if isinstance(row, Ruling) else None,
        slot=slot.number if slot is not None else None,
        source=row.source if isinstance(row, Override) and row.source else None,
    )


def vars_of(row: Decided) -> Mapping[str, int | None]:
    """Return the ids that a decision points to, by column."""
    return {column.attname: getattr(row, column.attname) for column in row._meta.concrete_fields if column.is_relation}


def decisions_of(competition: Competition) -> list[Decided]:
    """Return all decisions of a competition that hold, oldest first."""
    found = [row for kind in KINDS.values() for row in decisions_of_kind(kind, competition).filter(ended_n=None)]
    return sorted(found, key=lambda row: (row.made_n, type(row).__name__, row.pk))


def decisions_of_kind(kind: type[Decided], competition: Competition) -> QuerySet[Decided]:
    """Return the decisions of one kind, those that were taken back included."""
    names = {column.name for column in kind._meta.concrete_fields if column.is_relation}
    owner = next(name for name in ("competition", "block", "stage", "entrant") if name in names)
    path = owner if owner == "competition" else f"{owner}__competition"
    related = names & {"block", "stage", "slot"}
    rows = kind.objects.filter(**{path: competition})
    return rows.select_related(*related) if related else rows


def decision_preview(effect: Effect, ledger: Ledger) -> DecisionPreview:
    """Return the effects that a decision would have."""
    movements = [
        MovementDocument.build(
            each, total_before=ledger.text(each.total_before), total_after=ledger.text(each.total_after)
        )
        for each in effect.movements
    ]
    slots = [SlotChangeDocument.build(each) for each in effect.slot_changes]
    return DecisionPreview(movements=movements, slot_changes=slots)
