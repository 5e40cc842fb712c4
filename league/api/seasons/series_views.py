"""Views of series: their terms, the moves after a term, decisions, and the roster that is written and taken back."""

from __future__ import annotations

from typing import NotRequired, TypedDict

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.authentication import actor_of
from league.api.base import DocumentView
from league.api.exchange.views import CsvRenderer
from league.api.fields import NothingInput, PagedQuery, Query, StrictSerializer
from league.api.renderers import JsonRenderer
from league.api.schema import describe_get, describe_post
from league.api.seasons.series_documents import (
    MovesDocument,
    SeriesDocument,
    moves_document,
    series_document,
    series_head,
)
from league.api.throttles import ReadThrottle, WriteThrottle
from league.files.writing_tables import csv_lines
from league.models import MoveDecision, Player, Series, Term
from league.selectors.access.etags import etag, etag_of_all
from league.selectors.seasons.series import TermSeasons, seasons_of_series, series_for, series_mark
from league.selectors.seasons.series_moves import TermMoves, full_moves, shown_moves
from league.services.seasons.moves import decide_move, take_move_decision_back
from league.services.seasons.next_rosters import preview_next_roster, undo_next_roster, write_next_roster
from league.services.seasons.series import require_series
from league.web.problems import ProblemError, error
from league.web.series_tables import move_sheet
from league.web.table_files import as_attachment


class MovesQuery(Query):
    """The representation of the moves."""

    format = serializers.ChoiceField(["json", "csv"], required=False, help_text="The representation.")


class DecisionValues(TypedDict):
    """A validated `MoveDecisionInput`."""

    player: str
    kind: str
    tier: NotRequired[str]
    reason: str


class MoveDecisionInput(StrictSerializer):
    """An exception to the moves after a term, for one player."""

    player = serializers.SlugField(max_length=64, help_text="The key of the player or team.")
    kind = serializers.ChoiceField([kind.value for kind in MoveDecision.Kind], help_text="The kind of exception.")
    tier = serializers.CharField(
        max_length=32, required=False, help_text="The tier's key, for those who return or are placed."
    )
    reason = serializers.CharField(max_length=2000, help_text="The reason, which is published.")


class TakeBackInput(StrictSerializer):
    """The reason for taking something back."""

    reason = serializers.CharField(max_length=2000, help_text="The reason.")


class NextRosterInput(StrictSerializer):
    """The roster of the next term, as its preview had it."""

    digest = serializers.RegexField(r"^[0-9a-f]{64}$", help_text="The digest of the preview.")
    reason = serializers.CharField(
        max_length=2000, required=False, allow_blank=True, help_text="A note that is published with the roster."
    )


class SeriesListView(DocumentView):
    """Base of the list of the series that the client may know of."""

    query_class = PagedQuery

    def open(self, **path: object) -> None:
        """Find the series."""
        self.rows = series_for(self.request.user).order_by("name", "pk")

    def etag(self) -> str:
        """Return an ETag that changes with every change of a series."""
        return etag(series_mark(), list(self.rows.values_list("pk", flat=True)), *self.representation())

    def document(self) -> dict[str, object]:
        """Return one page."""
        return self.page_of(self.rows, lambda rows: [series_head(row) for row in rows])


class OfSeriesView(DocumentView):
    """Base of documents of one series."""

    throttle_classes = [ReadThrottle, WriteThrottle]
    series: Series

    def open(self, **path: object) -> None:
        """Find the series. Raise Http404 unless the client may know of it."""
        self.series = get_object_or_404(series_for(self.request.user), slug=self.kwargs["slug"])


@describe_get("get_series", SeriesDocument)
class SeriesView(OfSeriesView):
    """Return a series with its rules, and its terms with the champions of their tiers."""

    terms: list[TermSeasons]

    def open(self, **path: object) -> None:
        """Find the series and the terms that may be read."""
        super().open(**path)
        self.terms = [each for each in seasons_of_series(self.series, self.request.user) if each.is_shown]

    def etag(self) -> str:
        """Return an ETag made of the published versions of all tiers."""
        readers = [tier.reader for term in self.terms for tier in term.tiers if tier.reader is not None]
        return etag_of_all(readers, series_mark(), self.series.pk, *self.representation())

    def document(self) -> SeriesDocument:
        """Return the series."""
        return series_document(self.series, self.terms)


class OfTermView(OfSeriesView):
    """Base of documents of one term."""

    term: Term
    found: TermMoves

    def open(self, **path: object) -> None:
        """Find the term and its moves. Raise Http404 if none of its competitions may be read."""
        self.find_term()
        self.found = shown_moves(self.term, self.request.user)
        if not self.found.tables.readers:
            raise Http404(_("There is no such term."))

    def find_term(self) -> None:
        """Find the term alone."""
        super().open()
        self.term = get_object_or_404(Term, series=self.series, number=self.kwargs["number"])
        self.term.series = self.series

    def etag(self) -> str:
        """Return an ETag made of the published versions of all tiers."""
        return etag_of_all(self.found.tables.readers, series_mark(), self.term.pk, *self.representation())

    def document(self) -> MovesDocument:
        """Return the moves."""
        return moves_document(self.found)


class WritingView(OfTermView):
    """Base of requests that decide on moves."""

    http_method_names = ["post", "options"]

    def decided(self) -> Term:
        """Return the term for a client who may change series."""
        self.find_term()
        require_series(actor_of(self.request))
        return self.term


@describe_get("list_moves", MovesDocument, query=MovesQuery, files={"text/csv": OpenApiTypes.STR})
class MovesView(OfTermView):
    """Return who goes where after a term and why, with the roster that follows; `csv` has one line for each player."""

    query_class = MovesQuery
    renderer_classes: list[type[BaseRenderer]] = [JsonRenderer, CsvRenderer]

    def answer(self, request: HttpRequest, tag: str) -> HttpResponseBase:
        """Return the document, or the lines as CSV."""
        if self.form != "csv":
            return super().answer(request, tag)
        # The header has the keys that programs go by, in every language.
        lines = "".join(csv_lines(move_sheet(self.found), "en"))
        made = HttpResponse(lines, content_type="text/csv; charset=utf-8")
        return as_attachment(made, f"{self.series.slug}-{self.term.number}-moves.csv")


@describe_post("decide_move", MoveDecisionInput, MovesDocument, status=201)
class DecisionsView(WritingView):
    """Decide on an exception to the moves, and return the moves that follow."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Decide."""
        term = self.decided()
        values: DecisionValues = MoveDecisionInput.check(request.data).validated_data
        player = Player.objects.filter(key=values["player"], merged_into=None, erased_at=None).first()
        if player is None:
            detail = _("There is no player or team “%(name)s”.") % {"name": values["player"]}
            raise ProblemError("invalid_request", errors=[error("no_such_player", detail, pointer="/player")])
        decide_move(
            term=term,
            player=player,
            kind=MoveDecision.Kind(values["kind"]),
            tier=values.get("tier", ""),
            reason=values["reason"],
            by=actor_of(request),
        )
        return Response(moves_document(full_moves(term)), status=201)


@describe_post("take_move_decision_back", TakeBackInput, MovesDocument)
class DecisionBackView(WritingView):
    """Take a decision on a move back, and return the moves that follow."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Take the decision back."""
        term = self.decided()
        row = get_object_or_404(MoveDecision.objects.select_related("term"), term=term, pk=self.kwargs["pk"])
        reason: str = TakeBackInput.check(request.data).validated_data["reason"]
        take_move_decision_back(decision=row, reason=reason, by=actor_of(request))
        return Response(moves_document(full_moves(term)))


@describe_post("preview_next_roster", NothingInput, MovesDocument)
class RosterPreviewView(WritingView):
    """Return the moves and the roster as they would be written now, from all results. Nothing is written."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Return the preview."""
        term = self.decided()
        NothingInput.check(request.data)
        return Response(moves_document(preview_next_roster(term=term, by=actor_of(request))))


@describe_post("write_next_roster", NextRosterInput, MovesDocument, status=201)
class RosterView(WritingView):
    """Write the roster of the next term as previewed; the competitions of the next term become drafts with entrants."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Write the roster."""
        term = self.decided()
        values = NextRosterInput.check(request.data).validated_data
        write_next_roster(term=term, digest=values["digest"], reason=values.get("reason", ""), by=actor_of(request))
        return Response(moves_document(full_moves(term)), status=201)


@describe_post("take_next_roster_back", TakeBackInput, MovesDocument)
class RosterBackView(WritingView):
    """Take the roster of the next term back, as long as none of its competitions has a result."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Take the roster back."""
        term = self.decided()
        reason: str = TakeBackInput.check(request.data).validated_data["reason"]
        undo_next_roster(term=term, reason=reason, by=actor_of(request))
        return Response(moves_document(full_moves(term)))
