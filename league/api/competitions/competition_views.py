"""Views of competitions, their stages, brackets and standings."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes

from league.api.base import CompetitionView, DocumentView, RowView, UpdatedCollectionView
from league.api.competitions.competition_documents import (
    CompetitionDetail,
    StageOfCompetition,
    competition_detail,
    competition_document,
    stage_of_competition,
)
from league.api.queries import CompetitionsQuery, OfCompetitionQuery, StandingsQuery
from league.api.renderers import JsonRenderer, StandingsCsvRenderer
from league.api.schema import describe_get
from league.api.standings.bracket_documents import BracketDocument, bracket_document
from league.api.standings.standings_documents import Standings, standings_document
from league.models import Competition, RulesInForce, Stage
from league.selectors.access.changed_rows import changed_competitions
from league.selectors.access.etags import etag_of_all
from league.selectors.access.readers import Reader, visible_competitions
from league.selectors.competitions.batches import own_competitions, readers_of
from league.selectors.rulebooks.rules_in_force import rules_of, ruleset_of
from league.selectors.standings.bracket import bracket
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import block_tables, blocks_of
from league.web.documents import UpdatedPage


class CompetitionsView(DocumentView):
    """Base of the list of the competitions that the user may know of, newest first."""

    query_class = CompetitionsQuery
    rows: QuerySet[Competition]
    readers: dict[int, Reader]

    def open(self, **path: object) -> None:
        """Find all matching competitions, not only a page, because the ETag covers all."""
        wanted = {key: self.query[key] for key in ("status", "kind") if key in self.query}
        self.rows = visible_competitions(self.request.user).filter(**wanted)
        if "updated_since" in self.query:
            staff = own_competitions(self.request.user)
            self.rows = changed_competitions(self.rows, staff, self.query["updated_since"])
        self.readers = readers_of(self.rows, self.request.user)

    def etag(self) -> str:
        """Return an ETag made of every competition's published version."""
        return etag_of_all(self.readers.values(), *self.representation())

    def document(self) -> dict[str, object]:
        """Return one page."""
        return self.page_of(self.rows, lambda rows: [competition_document(self.readers[row.pk]) for row in rows])


@describe_get("get_competition", CompetitionDetail)
class CompetitionDetailView(CompetitionView):
    """Return a competition with its rules and stages."""

    def write(self, reader: Reader) -> CompetitionDetail:
        """Return the competition."""
        rules = RulesInForce.objects.filter(competition=reader.competition).select_related("ruleset", "format")
        stages = Stage.objects.filter(competition=reader.competition).prefetch_related("blocks")
        return competition_detail(reader, list(rules.order_by("effective_from")), list(stages))


@describe_get("get_bracket", BracketDocument)
class BracketView(CompetitionView):
    """Return the competition's bracket: one consistent document with all data needed to draw it."""

    is_cached = True

    def write(self, reader: Reader) -> BracketDocument:
        """Return the whole bracket."""
        return bracket_document(bracket(reader))


@describe_get("list_stages", UpdatedPage[StageOfCompetition], query=OfCompetitionQuery)
class StagesView(UpdatedCollectionView[Stage]):
    """List the stages of a competition."""

    query_class = OfCompetitionQuery

    def rows(self, reader: Reader) -> QuerySet[Stage]:
        """Return the stages in the order of play."""
        return Stage.objects.filter(competition=reader.competition).prefetch_related("blocks").order_by("order")

    def write_rows(self, reader: Reader, rows: Sequence[Stage]) -> list[StageOfCompetition]:
        """Return each stage with its blocks."""
        return [stage_of_competition(reader, row) for row in rows]


@describe_get("get_stage", StageOfCompetition)
class StageView(RowView):
    """Return one stage."""

    all_rows = Stage.objects.all()

    def write(self, reader: Reader) -> StageOfCompetition:
        """Return the stage with its blocks."""
        row = get_object_or_404(Stage, competition=reader.competition, pk=self.kwargs["pk"])
        return stage_of_competition(reader, row)


@describe_get("get_standings", Standings, query=StandingsQuery, files={"text/csv": OpenApiTypes.STR})
class StandingsView(CompetitionView):
    """Return the standings of a stage, a block or a whole competition: one consistent document, never paginated."""

    query_class = StandingsQuery
    renderer_classes = [JsonRenderer, StandingsCsvRenderer]
    is_cached = True

    def write(self, reader: Reader) -> Standings:
        """Return the standings of the requested blocks."""
        stage, block = self.stage(), self.block()
        every = block_tables(reader, stage, with_slots=False)
        tables = [table for table in every if block is None or table.block == block]
        every_block = blocks_of(reader)
        rules = ruleset_of(rules_of(reader))
        return standings_document(reader, tables, every_block, outcome_of(reader), rules)
