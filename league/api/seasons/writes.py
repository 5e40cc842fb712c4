"""Base of the changes of series and rankings over REST: the row first, then the permission, the body, one service."""

from __future__ import annotations

from abc import abstractmethod

from django.shortcuts import get_object_or_404
from pydantic import Field
from rest_framework import serializers

from league.api.authentication import actor_of
from league.api.fields import StrictSerializer
from league.api.writing import ChangeView, ContentView, content_tag
from league.models import Ranking, Series, Term
from league.selectors.seasons.rankings import visible_rankings
from league.selectors.seasons.series import series_for
from league.services.seasons.rankings import lock_ranking, require_rankings
from league.services.seasons.series import lock_series, require_series
from league.web.documents import Document


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


class SeasonWriteView(ContentView, ChangeView):
    """Base of the changes of a series or a ranking. A GET, where there is one, needs the same permission."""

    def open(self, **path: object) -> None:
        """Find the rows, check the permission, and build the document."""
        self.locate()
        self.found = self.build()

    def current_tag(self) -> str:
        """Return the ETag of the document that GET gives here, with the row locked."""
        self.lock()
        return content_tag(self.build())

    @abstractmethod
    def lock(self) -> None:
        """Lock what is changed until the transaction ends, and read it again."""


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
