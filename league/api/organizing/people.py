"""People for those who look after them: a membership list kept in step by external ids, and personal data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from pydantic import Field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from league.api.authentication import actor_of
from league.api.fields import BoundedListField, OptionalTextField, PagedQuery, StrictSerializer
from league.api.schema import describe_get
from league.api.writing import Checked, ContentView, WritingView, content_tag, describe_write
from league.models import Player
from league.platform.errors import forbid
from league.selectors.access.actors import Actor, grant_of
from league.services.competitions.editing import PlayerWords, edit_player
from league.services.people.permissions import refuse_strangers
from league.services.people.upserts import Outcome, PersonRow, upsert_people
from league.web.documents import Document, Page, Ref

MOST_ROWS = 500
LONGEST_EXTERNAL_ID = 64
PERSON_FIELDS: Mapping[str, str] = {
    "name": "name",
    "kana": "name_kana",
    "romaji": "name_romaji",
    "affiliation": "affiliation",
    "country": "country",
    "number": "number",
}
"""The columns of a person by the names they have in documents."""


def text_field(most: int, told: str) -> serializers.CharField:
    """Return the field of a text that stays as it is when it is left out."""
    return serializers.CharField(max_length=most, required=False, allow_blank=True, help_text=told)


class PersonRowInput(StrictSerializer):
    """A person of a membership list; fields left out stay as they are."""

    external_id = serializers.CharField(
        max_length=LONGEST_EXTERNAL_ID, help_text="The id in the list elsewhere; found again by it, never shown."
    )
    name = serializers.CharField(max_length=100, required=False, help_text="Needed for a new person.")
    kana = text_field(100, "The reading of the name in kana.")
    romaji = text_field(100, "The name in Latin letters.")
    affiliation = text_field(100, "The club or organization.")
    country = text_field(40, "The country or region.")
    number = text_field(32, "The member number.")


class PeopleListInput(StrictSerializer):
    """A membership list, or a part of it."""

    people = BoundedListField(
        child=PersonRowInput(), max_length=MOST_ROWS, help_text=f"At most {MOST_ROWS}; all are written, or none."
    )


class PersonWordsInput(StrictSerializer):
    """The personal data of one person; fields left out become empty."""

    name = serializers.CharField(max_length=100, help_text="The name.")
    kana = OptionalTextField(max_length=100, help_text="The reading in kana.")
    romaji = OptionalTextField(max_length=100, help_text="In Latin letters.")
    affiliation = OptionalTextField(max_length=100, help_text="The club.")
    country = OptionalTextField(max_length=40, help_text="The country or region.")
    number = OptionalTextField(max_length=32, help_text="The member number.")
    handle = OptionalTextField(max_length=50, help_text="Shown instead of the name at open tables.")
    is_public = serializers.BooleanField(default=False, help_text="Shown in public rankings of open tables.")


class PersonDocument(Document):
    """A person as organizers know them."""

    id: Ref = Field(description="The player's id.")
    key: str = Field(description="The player's key, the same in every competition.")
    external_id: str | None = Field(description="The id in a membership list elsewhere; null without one.")
    is_team: bool = Field(description="True for a team.")
    name: str = Field(description="The name.")
    kana: str = Field(description="The reading of the name in kana.")
    romaji: str = Field(description="The name in Latin letters.")
    affiliation: str = Field(description="The club or organization.")
    country: str = Field(description="The country or region.")
    number: str = Field(description="The member number.")
    handle: str = Field(description="Shown instead of the name at open tables.")
    is_public: bool = Field(description="Shown in public rankings of open tables.")


class UpsertedPersonDocument(PersonDocument):
    """A person after a row of the list."""

    outcome: Outcome = Field(description="What the row did.")


class PeopleDocument(Document):
    """The people of a list, in its order."""

    people: list[UpsertedPersonDocument] = Field(description="One for each row.")


def person_fields(row: Player) -> dict[str, object]:
    """Return the values of a person whose names differ between rows and documents."""
    return {said: getattr(row, column) for said, column in PERSON_FIELDS.items()}


def person_document(row: Player) -> PersonDocument:
    """Return a person as organizers know them."""
    return PersonDocument.build(row, **person_fields(row))


def person_row(values: Mapping[str, Any]) -> PersonRow:
    """Return a validated row as the service takes it."""
    given = {column: values[said] for said, column in PERSON_FIELDS.items() if said in values}
    return PersonRow(external_id=values["external_id"], **given)


def require_people(by: Actor) -> None:
    """Raise PermissionRefusedError unless the actor looks after people, with no token limited to one competition.

    People belong to every competition they play in, so that a token for one must not change them.
    """
    refuse_strangers(by)
    grant = grant_of(by.user)
    if grant is not None and grant.competition_id is not None:
        raise forbid(_("This token is for one competition. Changing people needs one for all of your competitions."))


class OfPeopleView(ContentView, WritingView):
    """Base of the views of people for those who look after them."""

    permission_classes = [IsAuthenticated]

    def open(self, **path: object) -> None:
        """Check the permission and build the document."""
        require_people(actor_of(self.request))
        self.found = self.build()

    def player(self) -> Player:
        """Return the person of the path. Raise Http404 for an unknown id, and for one erased or merged."""
        return get_object_or_404(Player, pk=self.kwargs["pk"], merged_into=None, erased_at=None)


class PersonsQuery(PagedQuery):
    """Filter of the people."""

    external_id = serializers.CharField(
        max_length=LONGEST_EXTERNAL_ID, required=False, help_text="The id in a membership list elsewhere."
    )


@describe_get("list_people", Page[PersonDocument], query=PersonsQuery, refusals=(403,))
@describe_write("upsert_people", PeopleListInput, PeopleDocument, method="put")
class PeopleView(OfPeopleView):
    """List the people, for those who look after them. A PUT keeps them in step with a membership list elsewhere.

    Rows are matched by `external_id`: known people are changed, others added; the same list sent again changes nothing.
    People who are not in the list stay.
    """

    http_method_names = ["get", "head", "put", "options"]
    query_class = PersonsQuery

    def open(self, **path: object) -> None:
        """Check the permission and read the page."""
        require_people(actor_of(self.request))
        rows = Player.objects.filter(merged_into=None, erased_at=None).order_by("pk")
        if wanted := self.query.get("external_id"):
            rows = rows.filter(external_id=wanted)
        page = self.page_of(rows, lambda found: [person_document(row) for row in found])
        self.found = Page[PersonDocument].model_validate(page)

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Add and change people."""
        require_people(actor_of(request))
        values: Checked = PeopleListInput.check(request.data or {})
        rows = [person_row(each) for each in values["people"]]
        return self.run_once(lambda by: self.upsert(rows, by))

    def upsert(self, rows: Sequence[PersonRow], by: Actor) -> PeopleDocument:
        """Write the rows and return the people."""
        return PeopleDocument(
            people=[
                UpsertedPersonDocument.build(each.player, **person_fields(each.player), outcome=each.outcome)
                for each in upsert_people(rows=rows, by=by)
            ]
        )


@describe_write("preview_people", PeopleListInput, PeopleDocument, method="put")
class PeoplePreviewView(PeopleView):
    """Show what a membership list would change. Nothing is written."""

    http_method_names = ["put", "options"]
    is_preview = True


@describe_get("get_person", PersonDocument, refusals=(403,))
@describe_write("edit_person", PersonWordsInput, PersonDocument, method="put", match=True)
class PersonView(OfPeopleView):
    """Return a person, for those who look after them. A PUT replaces the personal data."""

    http_method_names = ["get", "head", "put", "options"]

    def build(self) -> PersonDocument:
        """Return the person."""
        return person_document(self.player())

    def current_tag(self) -> str:
        """Return the ETag of the person, locked until the transaction ends."""
        rows = Player.objects.select_for_update(no_key=True)
        return content_tag(person_document(get_object_or_404(rows, pk=self.kwargs["pk"])))

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Replace the personal data."""
        require_people(actor_of(request))
        row = self.player()
        values: Checked = PersonWordsInput.check(request.data or {})
        kept = {each.name: getattr(row, each.name) for each in fields(PlayerWords)}
        given = {PERSON_FIELDS.get(name, name): value for name, value in values.items()}
        words = PlayerWords(**{**kept, **given})
        return self.run_once(lambda by: person_document(edit_player(player=row, words=words, by=by)))
