"""Base of the operations of organizers: the permission first, then the body, then one service in one transaction."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.authentication import actor_of
from league.api.base import CompetitionView
from league.api.fields import NothingInput, StrictSerializer
from league.api.writing import WritingView, content_tag, without_tag
from league.models import Block, Competition, Entrant
from league.platform.errors import refuse
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import lock
from league.web.documents import Document

Checked = Mapping[str, Any]
"""The validated values of a request body."""


class OrganizerView(WritingView, CompetitionView):
    """Base of the changes of one competition; `change` makes them through a service and returns the response.

    A GET, where there is one, needs the same capability as the change, and its ETag is made of the content, so that it
    can be sent in If-Match.
    """

    http_method_names = ["post", "options"]
    permission_classes = [IsAuthenticated]
    capability: ClassVar[Capability] = Capability.MANAGE
    input_class: ClassVar[type[StrictSerializer]] = NothingInput
    found: Document

    def open(self, **path: object) -> None:
        """Find the competition, check the permission, and build the document."""
        self.locate()
        require(actor_of(self.request), self.competition, self.capability)
        self.found = self.build()

    def locate(self) -> None:
        """Find the competition of the path. Raise Http404 if the user may not know of it."""
        self.find(slug=self.kwargs["slug"])

    @property
    def competition(self) -> Competition:
        """The competition that was found."""
        return self.reader.competition

    def etag(self) -> str:
        """Return the ETag of the document's content."""
        return content_tag(self.found)

    def write(self, reader: object) -> Document:
        """Return the document."""
        return self.found

    def document(self) -> Document:
        """Return the document."""
        return self.found

    def answer(self, request: object, tag: str) -> HttpResponse:
        """Return the response with the document: settings are not versioned."""
        return Response(self.found)

    def build(self) -> Document:
        """Build the document that GET gives, from the rows as they are now. Raise ProblemError if there is none."""
        raise without_tag()

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Make the change and return the document after it."""
        return self.make_change(self.input_class)

    def make_change(self, input_class: type[StrictSerializer]) -> HttpResponse:
        """Check permission and body, make the change, and return the document after it."""
        self.locate()
        require(actor_of(self.request), self.competition, self.capability)
        values: Checked = input_class.check(self.request.data or {}, self.competition.time_zone).validated_data
        is_new = self.creates and not self.is_preview
        return self.run_once(lambda by: self.change(values, by), HTTPStatus.CREATED if is_new else HTTPStatus.OK)

    def current_tag(self) -> str:
        """Return the ETag of the document that GET gives here, with the competition locked."""
        lock(self.competition)
        self.competition.refresh_from_db()
        return content_tag(self.build())

    @abstractmethod
    def change(self, values: Checked, by: Actor) -> Document | None:
        """Make the change through its service, and return the document to respond with."""

    def block_of(self, key: str, pointer: str = "/block") -> Block:
        """Return the competition's block of this key. Raise RuleViolationError naming the known ones."""
        rows = {row.key: row for row in Block.objects.filter(competition=self.competition).select_related("stage")}
        if key not in rows:
            message = _("“%(key)s” is not part of this competition. Known: %(known)s.")
            raise refuse("no_such_key", message % {"key": key, "known": ", ".join(rows)}, pointer)
        return rows[key]

    def block_of_path(self) -> Block:
        """Return the block of the path. Raise Http404 for an unknown key."""
        rows = Block.objects.filter(competition=self.competition).select_related("stage", "competition")
        return get_object_or_404(rows, key=self.kwargs["key"])

    def entrants_of(self, ids: Iterable[int], pointer: str = "/entrants") -> list[Entrant]:
        """Return entrants of the competition in this order. Raise RuleViolationError for an unknown id."""
        wanted: Sequence[int] = list(ids)
        rows = Entrant.objects.filter(competition=self.competition, pk__in=wanted).select_related("player")
        known = {row.pk: row for row in rows}
        for place, pk in enumerate(wanted):
            if pk not in known:
                message = _("There is no entrant %(id)s in this competition.")
                raise refuse("unknown_entrant", message % {"id": pk}, f"{pointer}/{place}")
        return [known[pk] for pk in wanted]
