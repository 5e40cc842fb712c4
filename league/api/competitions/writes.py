"""Base of the changes of a competition over REST: the permission first, then the body, then one service."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, ClassVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from league.api.authentication import actor_of
from league.api.base import CompetitionView
from league.api.fields import NothingInput, StrictSerializer
from league.api.writing import WritingView, content_tag
from league.models import Block, Competition, Entrant
from league.platform.errors import refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.access.readers import Reader
from league.services.access.changes import lock
from league.web.documents import Document

Checked = Mapping[str, Any]
"""The validated values of a request body."""


def entrant_of(competition: Competition, pk: int, pointer: str = "/entrant") -> Entrant:
    """Return the entrant of this id; raise RuleViolationError for one of no such id in the competition."""
    rows = Entrant.objects.select_related("player", "competition").filter(competition=competition)
    found = rows.filter(pk=pk, merged_into=None).first()
    if found is None:
        raise refuse("unknown_entrant", _("There is no such entrant in this competition."), pointer)
    return found


class CompetitionWriteView(CompetitionView, WritingView):
    """Base of the changes of a competition, and of documents that its staff alone reads as they are now."""

    permission_classes = [IsAuthenticated]
    http_method_names = ["post", "options"]
    capability: ClassVar[Capability] = Capability.MANAGE
    reads: ClassVar[Capability] = Capability.READ
    """The capability that reading needs."""
    input_class: ClassVar[type[StrictSerializer]] = NothingInput

    @property
    def competition(self) -> Competition:
        """Return the competition of the path."""
        return self.reader.competition

    def open(self, **path: object) -> None:
        """Find the competition. Raise PermissionRefusedError unless the user may read this."""
        self.find(slug=self.kwargs["slug"])
        require(actor_of(self.request), self.competition, self.reads)

    def etag(self) -> str:
        """Return the ETag of the content as it is now, which can be sent in If-Match."""
        return content_tag(self.write(self.reader))

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Make the change and return the document after it."""
        return self.make_change(self.input_class)

    def make_change(self, input_class: type[StrictSerializer]) -> HttpResponse:
        """Check permission and body, make the change, and return the document after it."""
        self.find(slug=self.kwargs["slug"])
        require(actor_of(self.request), self.competition, self.capability)
        values: Checked = input_class.check(self.request.data or {}, self.competition.time_zone).validated_data
        status = HTTPStatus.CREATED if self.is_creation else HTTPStatus.OK
        return self.run_once(lambda by: self.change(values, by), status)

    def current_tag(self) -> str:
        """Return the ETag of the document that GET gives here, with the competition locked."""
        lock(self.competition)
        return content_tag(self.write(self.reader))

    def block_of_path(self) -> Block:
        """Return the block whose key is in the path. Raise Http404 for an unknown one."""
        rows = Block.objects.select_related("competition", "stage").filter(competition=self.competition)
        return get_object_or_404(rows, key=self.kwargs["key"])

    def entrant(self, pk: int, pointer: str = "/entrant") -> Entrant:
        """Return the entrant of this id; raise RuleViolationError for one of no such id in the competition."""
        return entrant_of(self.competition, pk, pointer)

    @abstractmethod
    def write(self, reader: Reader) -> Document:
        """Return the document that the change concerns, as it is now."""

    @abstractmethod
    def change(self, values: Checked, by: Actor) -> Document | None:
        """Make the change through its service, and return the document to respond with."""
