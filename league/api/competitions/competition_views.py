"""Competitions, their stages, brackets and standings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes

from league.api.base import CollectionView, CompetitionView, DocumentView, RowView
from league.api.competitions.competition_documents import (
    CompetitionDetail,
    CompetitionDocument,
    StageOfCompetition,
    competition_detail,
    competition_document,
    stage_of_competition,
)
from league.api.queries import CompetitionsQuery, OfCompetitionQuery, StandingsQuery
from league.api.renderers import JsonRenderer, StandingsCsvRenderer
from league.api.schema import reads
from league.api.standings.bracket_documents import BracketDocument, bracket_document
from league.api.standings.standings_documents import Standings, standings_document
from league.models import Competition, RulesInForce, Stage
from league.selectors.access.etags import etag_of_all
from league.selectors.access.readers import Reader, visible_competitions
from league.selectors.competitions.batches import readers_of
from league.selectors.rulebooks.rules_in_force import rules_of, ruleset_of
from league.selectors.standings.bracket import bracket
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import block_tables, blocks_of
from league.web.documents import Page


@reads("list_competitions", Page[CompetitionDocument], query=CompetitionsQuery)
class CompetitionsView(DocumentView):
    """The competitions the visitor may know of, the newest first."""

    query_class = CompetitionsQuery
    rows: QuerySet[Competition]
    readers: dict[int, Reader]

    def open(self, **path: Any) -> None:
        """All of them, since the tag is made of all."""
        wanted = {key: self.query[key] for key in ("status", "kind") if key in self.query}
        self.rows = visible_competitions(self.request.user).filter(**wanted)
        self.readers = readers_of(self.rows, self.request.user)

    def etag(self) -> str:
        """Made of every competition's published version."""
        return etag_of_all(self.readers.values(), *self.representation())

    def document(self) -> dict[str, Any]:
        """One page."""
        return self.page_of(self.rows, lambda rows: [competition_document(self.readers[row.pk]) for row in rows])


@reads("get_competition", CompetitionDetail)
class CompetitionDetailView(CompetitionView):
    """A competition with its rules and stages."""

    def write(self, reader: Reader) -> CompetitionDetail:
        """The competition."""
        rules = RulesInForce.objects.filter(competition=reader.competition).select_related("ruleset", "format")
        stages = Stage.objects.filter(competition=reader.competition).prefetch_related("blocks")
        return competition_detail(reader, list(rules.order_by("effective_from")), list(stages))


@reads("get_bracket", BracketDocument)
class BracketView(CompetitionView):
    """The competition's bracket: one consistent document with everything that draws its ladder."""

    is_cached = True

    def write(self, reader: Reader) -> BracketDocument:
        """The whole bracket."""
        return bracket_document(bracket(reader))


@reads("list_stages", Page[StageOfCompetition], query=OfCompetitionQuery)
class StagesView(CollectionView):
    """The stages of a competition."""

    query_class = OfCompetitionQuery

    def rows(self, reader: Reader) -> QuerySet[Stage]:
        """In order of play."""
        return Stage.objects.filter(competition=reader.competition).prefetch_related("blocks").order_by("order")

    def write_rows(self, reader: Reader, rows: Sequence[Stage]) -> list[Any]:
        """Each with its blocks."""
        return [stage_of_competition(reader, row) for row in rows]


@reads("get_stage", StageOfCompetition)
class StageView(RowView):
    """A stage."""

    def all_rows(self) -> QuerySet[Stage]:
        """Every stage."""
        return Stage.objects.all()

    def write(self, reader: Reader) -> StageOfCompetition:
        """The stage with its blocks."""
        row = get_object_or_404(Stage, competition=reader.competition, pk=self.kwargs["pk"])
        return stage_of_competition(reader, row)


@reads("get_standings", Standings, query=StandingsQuery, files={"text/csv": OpenApiTypes.STR})
class StandingsView(CompetitionView):
    """Standings of a stage, a block or a whole competition: one consistent document, never in pages."""

    query_class = StandingsQuery
    renderer_classes = [JsonRenderer, StandingsCsvRenderer]
    is_cached = True

    def write(self, reader: Reader) -> Standings:
        """The tables asked for."""
        stage, block = self.stage(), self.block()
        every = block_tables(reader, stage, with_slots=False)
        tables = [table for table in every if block is None or table.block == block]
        every_block = blocks_of(reader)
        rules = ruleset_of(rules_of(reader))
        return standings_document(reader, tables, every_block, outcome_of(reader), rules)
