"""The roster of a competition: closing it, house players, and the first seats of its blocks."""

from __future__ import annotations

from django.http import HttpResponse
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request

from league.api.competitions.competition_documents import CompetitionDetail
from league.api.competitions.day_documents import EntrantState, entrant_state
from league.api.fields import AcceptField, BoundedListField, IdField, OptionalTextField, StrictSerializer
from league.api.organizing.base import OrganizerView
from league.api.organizing.entrants import AdmittedDocument
from league.api.organizing.setup import MOST_PLACES, CompetitionChangeView
from league.api.writing import Checked, describe_write
from league.selectors.access.actors import Actor
from league.services.competitions.roster import add_house_players, fit_roster
from league.services.competitions.setup import seed_block
from league.services.competitions.wizard import Filling, fill_blocks, seeded_blocks
from league.web.documents import Document


class RosterClosingInput(StrictSerializer):
    """A roster to be closed."""

    entrants = serializers.IntegerField(min_value=1, max_value=MOST_PLACES, help_text="The number of entrants.")
    only_present = serializers.BooleanField(default=False, help_text="Only those who have checked in get a place.")
    accept = AcceptField()


class HousePlayersInput(StrictSerializer):
    """House players who fill tables."""

    count = serializers.IntegerField(min_value=1, max_value=20, help_text="How many to add.")


class FillingInput(StrictSerializer):
    """A way to put the entrants into the first blocks."""

    filling = serializers.ChoiceField(
        [each.value for each in Filling], help_text="By hand, in a snake, or drawn by lots from a seed."
    )
    seed = OptionalTextField(max_length=100, help_text="For `draw`: anything that all players can check.")
    blocks = serializers.DictField(
        child=BoundedListField(child=IdField(), max_length=MOST_PLACES),
        required=False,
        default=dict,
        help_text="For `hand`: the entrants' ids, in order, by the block's key.",
    )


class SeedsInput(StrictSerializer):
    """The entrants of one block."""

    entrants = BoundedListField(
        child=IdField(), max_length=MOST_PLACES, help_text="Their ids, in the order of the places."
    )


class FilledBlock(Document):
    """The entrants of a block."""

    key: str = Field(description="The block's key.")
    entrants: list[EntrantState] = Field(description="In the order of the places.")


class FilledBlocks(Document):
    """The blocks that are filled before the competition begins."""

    blocks: list[FilledBlock] = Field(description="In the order of play.")


@describe_write("close_roster", RosterClosingInput, CompetitionDetail)
class RosterView(CompetitionChangeView):
    """Close the roster of a format of open size: its blocks are made for this number, and places are given.

    It can be closed again until a hanchan has begun.
    """

    input_class = RosterClosingInput

    def change(self, values: Checked, by: Actor) -> CompetitionDetail:
        """Close the roster."""
        fit_roster(competition=self.competition, by=by, **values)
        return self.detail()


@describe_write("preview_roster_closing", RosterClosingInput, CompetitionDetail)
class RosterPreviewView(RosterView):
    """Show the blocks for a number of entrants. Nothing is written."""

    is_preview = True


@describe_write("add_house_players", HousePlayersInput, AdmittedDocument)
class HousePlayersView(OrganizerView):
    """Add house players, who fill tables and have no rank."""

    creates = True
    input_class = HousePlayersInput

    def change(self, values: Checked, by: Actor) -> AdmittedDocument:
        """Add the house players."""
        added = add_house_players(competition=self.competition, count=values["count"], by=by)
        return AdmittedDocument(entrants=[entrant_state(self.reader, row) for row in added])


@describe_write("fill_blocks", FillingInput, FilledBlocks)
class FillingView(OrganizerView):
    """Put the entrants into the first blocks: by hand, in a snake, or by lots that all players can check."""

    input_class = FillingInput

    def change(self, values: Checked, by: Actor) -> FilledBlocks:
        """Fill the blocks."""
        by_hand = {}
        for key, ids in values["blocks"].items():
            by_hand[self.block_of(key, "/blocks").pk] = self.entrants_of(ids, f"/blocks/{key}")
        filled = fill_blocks(
            competition=self.competition,
            filling=Filling(values["filling"]),
            seed=values["seed"],
            by_hand=by_hand,
            by=by,
        )
        return FilledBlocks(
            blocks=[
                FilledBlock(key=block.key, entrants=[entrant_state(self.reader, row) for row in filled[block.pk]])
                for block in seeded_blocks(self.competition)
            ]
        )


@describe_write("preview_block_filling", FillingInput, FilledBlocks)
class FillingPreviewView(FillingView):
    """Show who would play in which block. Nothing is written."""

    is_preview = True


@describe_write("seed_block", SeedsInput, FilledBlock, method="put")
class SeedsView(OrganizerView):
    """Put entrants into the places of one block, first to last; the remaining places stay empty."""

    http_method_names = ["put", "options"]

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Fill the block."""
        return self.make_change(SeedsInput)

    def change(self, values: Checked, by: Actor) -> FilledBlock:
        """Fill the block."""
        block, entrants = self.block_of_path(), self.entrants_of(values["entrants"])
        seed_block(block=block, entrants=entrants, by=by)
        return FilledBlock(key=block.key, entrants=[entrant_state(self.reader, row) for row in entrants])
