"""Views of the rounds of a block and of their pairings, with a preview and publishing for directors."""

from __future__ import annotations

from http import HTTPStatus

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.authentication import actor_of
from league.api.base import CompetitionView
from league.api.competitions.pairing_documents import (
    PairingDocument,
    PairingPreview,
    RoundsDocument,
    pairing_document,
    preview_document,
    rounds_document,
)
from league.api.fields import AcceptField, NothingInput, StrictSerializer
from league.api.schema import describe_get, describe_post
from league.api.throttles import ReadThrottle, WriteThrottle
from league.api.writing import Checked, WritingView, describe_write
from league.models import Audience, Block
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.access.readers import Reader
from league.selectors.competitions.seating.pairing import pairing_of, planned_pairing
from league.services.competitions.pairing import pair_round


class PairingInput(StrictSerializer):
    """A pairing to be published, as its preview had it."""

    digest = serializers.RegexField(r"^[0-9a-f]{64}$", help_text="The digest of the preview.")
    accept = AcceptField()


class OfBlockView(CompetitionView):
    """Base of the views of one block's rounds."""

    throttle_classes = [ReadThrottle, WriteThrottle]

    def block_in(self, reader: Reader) -> Block:
        """Return the block of the path. Raise Http404 for an unknown key."""
        rows = Block.objects.filter(competition=reader.competition).select_related("stage", "competition")
        return get_object_or_404(rows, key=self.kwargs["key"])

    def directed(self) -> Block:
        """Return the block for a user allowed to manage the competition."""
        self.find(slug=self.kwargs["slug"])
        block = self.block_in(self.reader)
        require(actor_of(self.request), self.reader.competition, Capability.MANAGE)
        return block


@describe_get("list_rounds", RoundsDocument)
class RoundsView(OfBlockView):
    """List the rounds of a block, and how the format seats each."""

    def write(self, reader: Reader) -> RoundsDocument:
        """Return the rounds that have tables."""
        return rounds_document(reader, self.block_in(reader))


@describe_get("get_pairing", PairingDocument)
@describe_write("publish_pairing", PairingInput, PairingDocument)
class PairingView(OfBlockView, WritingView):
    """Return the pairing of a round with the terms of its cost. A POST publishes the one that was previewed."""

    creates = True
    key_is_optional = True

    def write(self, reader: Reader) -> PairingDocument:
        """Return the pairing. Raise Http404 while a result that it was made from is held back."""
        found = pairing_of(reader, self.block_in(reader), self.kwargs["number"])
        if found is None:
            raise Http404
        return pairing_document(reader, found)

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Publish the pairing whose digest the body has."""
        block = self.directed()
        values = PairingInput.check(request.data)
        return self.run_once(lambda by: self.publish(block, values, by), HTTPStatus.CREATED)

    def publish(self, block: Block, values: Checked, by: Actor) -> PairingDocument:
        """Publish the pairing and return it."""
        pairing = pair_round(block=block, number=self.kwargs["number"], by=by, **values)
        return pairing_document(Reader(block.competition, Audience.STAFF, pairing.made_n), pairing)


@describe_post("preview_pairing", NothingInput, PairingPreview)
class PairingPreviewView(OfBlockView):
    """Pair a round as it would be published now. Nothing is written."""

    http_method_names = ["post", "options"]

    def write(self, reader: Reader) -> PairingPreview:
        """Return the pairing with its warnings."""
        return preview_document(reader, planned_pairing(self.block_in(reader), self.kwargs["number"]))

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Pair the round."""
        self.directed()
        NothingInput.check(request.data)
        return Response(self.write(self.reader))
