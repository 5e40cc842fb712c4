"""Base of the changes of series and rankings over REST: the row first, then the permission, the body, one service."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, ClassVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from pydantic import Field
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request

from league.api.authentication import actor_of
from league.api.base import DocumentView
from league.api.fields import NothingInput, StrictSerializer
from league.api.writing import WritingView, content_tag, without_tag
from league.models import Ranking, Series, Term
from league.selectors.access.actors import Actor
from league.selectors.seasons.rankings import visible_rankings
from league.selectors.seasons.series import series_for
from league.services.seasons.rankings import lock_ranking, require_rankings
from league.services.seasons.series import lock_series, require_series
from league.web.documents import Document

Checked = Mapping[str, Any]
"""The validated values of a request body."""


class NamesInput(StrictSerializer):
    """The names of a series or a ranking, and its audience; fields left out stay as they are."""

    name = serializers.CharField(max_length=100, required=False, help_text="The name.")
    name_en = serializers.CharField(max_length=100, required=False, allow_blank=True, help_text="The English name.")
    is_public = serializers.BooleanField(required=False, help_text="True if the public may read it.")


class NamesDocument(Document):
    """The names of a series or a ranking, and its audience."""

    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")
    is_public: bool = Field(description="True if the public may read it.")


class SeasonWriteView(DocumentView, WritingView):
    """Base of the changes of a series or a ranking; `change` makes them through a service.

    A GET, where there is one, needs the same permission, and its ETag is made of the content, so that it can be sent
    in If-Match.
    """

    permission_classes = [IsAuthenticated]
    http_method_names = ["post", "options"]
    input_class: ClassVar[type[StrictSerializer]] = NothingInput
    found: Document

    def open(self, **path: object) -> None:
        """Find the rows, check the permission, and build the document."""
        self.locate()
        self.found = self.build()

    def etag(self) -> str:
        """Return the ETag of the document's content."""
        return content_tag(self.found)

    def document(self) -> Document:
        """Return the document."""
        return self.found

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Make the change and return the document after it."""
        return self.make_change(self.input_class)

    def make_change(self, input_class: type[StrictSerializer]) -> HttpResponse:
        """Check permission and body, make the change, and return the document after it."""
        self.locate()
        values: Checked = input_class.check(self.request.data or {}).validated_data
        return self.run_once(
            lambda by: self.change(values, by), HTTPStatus.CREATED if self.is_creation else HTTPStatus.OK
        )

    def current_tag(self) -> str:
        """Return the ETag of the document that GET gives here, with the row locked."""
        self.lock()
        return content_tag(self.build())

    @abstractmethod
    def locate(self) -> None:
        """Find the rows of the path. Raise Http404 without them, PermissionRefusedError without the permission."""

    @abstractmethod
    def lock(self) -> None:
        """Lock what is changed until the transaction ends, and read it again."""

    def build(self) -> Document:
        """Build the document that GET gives, from the rows as they are now. Raise ProblemError if there is none."""
        raise without_tag()

    @abstractmethod
    def change(self, values: Checked, by: Actor) -> Document | None:
        """Make the change through its service, and return the document to respond with."""


class SeriesWriteView(SeasonWriteView):
    """Base of the changes of one series."""

    series: Series

    def locate(self) -> None:
        """Find the series."""
        rows = series_for(self.request.user).select_related("rules")
        self.series = get_object_or_404(rows, slug=self.kwargs["slug"])
        require_series(actor_of(self.request))

    def lock(self) -> None:
        """Lock the series."""
        self.series = lock_series(self.series)


class TermWriteView(SeriesWriteView):
    """Base of the changes of one term of a series."""

    term: Term

    def locate(self) -> None:
        """Find the series and the term."""
        super().locate()
        self.term = get_object_or_404(Term, series=self.series, number=self.kwargs["number"])
        self.term.series = self.series


class RankingWriteView(SeasonWriteView):
    """Base of the changes of one ranking."""

    ranking: Ranking

    def locate(self) -> None:
        """Find the ranking."""
        rows = visible_rankings(self.request.user).select_related("rules")
        self.ranking = get_object_or_404(rows, slug=self.kwargs["slug"])
        require_rankings(actor_of(self.request))

    def lock(self) -> None:
        """Lock the ranking."""
        self.ranking = lock_ranking(self.ranking)
