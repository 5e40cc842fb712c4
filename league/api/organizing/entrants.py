"""Entrants as organizers keep them: entered from a list elsewhere, with club and country of the season."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext as _
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request

from league.api.competitions.day_documents import EntrantState, entrant_state
from league.api.fields import BoundedListField, IdField, OptionalTextField, StrictSerializer
from league.api.organizing.base import OrganizerView
from league.api.organizing.people import LONGEST_EXTERNAL_ID, MOST_ROWS, PersonRowInput, person_row
from league.api.writing import Checked, describe_write
from league.models import Entrant, Player
from league.platform.errors import refuse
from league.selectors.access.actors import Actor
from league.services.competitions.editing import EntrantWords, edit_entrant
from league.services.people.upserts import (
    Outcome,
    people_by_external_id,
    refuse_named_twice,
    upsert_entrants,
    upsert_people,
)
from league.web.documents import Document


class EntryInput(PersonRowInput):
    """A person to enter: one who is known by id or external id, or a new one by name."""

    external_id = serializers.CharField(
        max_length=LONGEST_EXTERNAL_ID, required=False, help_text="The id in the list elsewhere, or `player`."
    )
    player = IdField(required=False, help_text="The player's id, or `external_id`.")


class EntriesInput(StrictSerializer):
    """The people to enter, in the order of their numbers."""

    people = BoundedListField(
        child=EntryInput(), max_length=MOST_ROWS, help_text=f"At most {MOST_ROWS}; all are entered, or none."
    )


class ClubAndCountryInput(StrictSerializer):
    """An entrant's club and country in this competition."""

    affiliation = OptionalTextField(max_length=100, help_text="The club.")
    country = OptionalTextField(max_length=40, help_text="The country or region.")


class UpsertedEntrantDocument(EntrantState):
    """An entrant after a row of the list."""

    outcome: Outcome = Field(description="What the row did to the entry.")


class EntrantsDocument(Document):
    """The entrants of a list, in its order."""

    entrants: list[UpsertedEntrantDocument] = Field(description="One for each row.")


class AdmittedDocument(Document):
    """Entrants who were added."""

    entrants: list[EntrantState] = Field(description="By number.")


@describe_write("upsert_entrants", EntriesInput, EntrantsDocument, method="put")
class EntrantsView(OrganizerView):
    """Enter people into a competition, in the order of their numbers; those entered already stay as they are.

    A person is named by `player` or `external_id`; one who is not known yet is added under the name given. Club and
    country are those of this season.
    """

    http_method_names = ["put", "options"]
    pointers = {"/players": "/people"}

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Enter the people."""
        return self.make_change(EntriesInput)

    def change(self, values: Checked, by: Actor) -> EntrantsDocument:
        """Add unknown people, then enter all."""
        rows = values["people"]
        people = people_of(rows, by)
        there = Entrant.objects.filter(competition=self.competition, player__in=people)
        entered = {row.player_id: row for row in there}
        words = [entrant_words(each, entered.get(player.pk, player)) for each, player in zip(rows, people, strict=True)]
        written = upsert_entrants(competition=self.competition, people=people, words=words, by=by)
        return EntrantsDocument(
            entrants=[
                UpsertedEntrantDocument(**dict(entrant_state(self.reader, each.entrant)), outcome=each.outcome)
                for each in written
            ]
        )


@describe_write("preview_entrants", EntriesInput, EntrantsDocument, method="put")
class EntrantsPreviewView(EntrantsView):
    """Show whom a list would enter. Nothing is written."""

    is_preview = True


def people_of(rows: Sequence[Mapping[str, Any]], by: Actor) -> list[Player]:
    """Return the person of each row; those whose external id is not known yet are added first."""
    for place, row in enumerate(rows):
        if ("player" in row) == ("external_id" in row):
            message = _("Name the person by “player” or by “external_id”: one of the two.")
            raise refuse("one_of_both", message, f"/people/{place}")
    ids = {place: row["external_id"] for place, row in enumerate(rows) if "external_id" in row}
    refuse_named_twice(ids)
    by_id = people_by_external_id(list(ids.values()))
    added = {place: person_row(rows[place]) for place, each in ids.items() if each not in by_id}
    written = upsert_people(rows=list(added.values()), by=by, places=list(added))
    by_id |= {row.external_id: each.player for row, each in zip(added.values(), written, strict=True)}
    known = {row.pk: row.kept for row in players_of([row["player"] for row in rows if "player" in row])}
    found = []
    for place, row in enumerate(rows):
        player = known.get(row["player"]) if "player" in row else by_id[row["external_id"]]
        if player is None:
            raise refuse("unknown_player", _("There is no such player."), f"/people/{place}/player")
        found.append(player)
    return found


def players_of(ids: Sequence[int]) -> QuerySet[Player]:
    """Return the players of these ids who were not erased."""
    return Player.objects.filter(pk__in=ids, erased_at=None).select_related("merged_into")


def entrant_words(row: Mapping[str, Any], source: Player | Entrant) -> EntrantWords | None:
    """Return club and country of a row for this season; None if it names neither.

    One that it leaves out is the source's.
    """
    if "affiliation" not in row and "country" not in row:
        return None
    return EntrantWords(
        affiliation=row.get("affiliation", source.affiliation), country=row.get("country", source.country)
    )


@describe_write("edit_entrant", ClubAndCountryInput, EntrantState, method="put")
class EntrantWordsView(OrganizerView):
    """Change an entrant's club and country in this competition."""

    http_method_names = ["put", "options"]

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Change club and country."""
        return self.make_change(ClubAndCountryInput)

    def change(self, values: Checked, by: Actor) -> EntrantState:
        """Change club and country, and return the entrant."""
        row = edit_entrant(entrant=self.entrant_of_path(), words=EntrantWords(**values), by=by)
        return entrant_state(self.reader, row)
