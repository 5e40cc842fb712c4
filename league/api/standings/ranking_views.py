"""View of an open table's running ranking, with keyset pagination within one published version."""

from __future__ import annotations

import datetime as dt
from typing import ClassVar

from django.utils.translation import gettext as _
from rest_framework import serializers as s

from league.api.base import CompetitionView
from league.api.fields import LARGEST_PAGE, CompetitionField, Query
from league.api.schema import describe_get
from league.api.standings.ranking_documents import Ranking, ranking_document
from league.models import Competition
from league.selectors.access.readers import Reader
from league.selectors.parlour.board import open_block
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.selectors.standings.tallies import PAGE, Order, StaleCursorError, Wanted, running_table
from league.web.problems import ProblemError, error, not_found


class RankingQuery(Query):
    """Parameters of the ranking: a span of days, the order, a minimum of games, and a page cursor."""

    competition = CompetitionField()
    since = s.DateField(required=False, help_text="The first business day; without it, from the beginning.")
    until = s.DateField(required=False, help_text="The last business day; without it, to the end.")
    order = s.ChoiceField([order.value for order in Order], default=Order.POINTS.value)
    minimum = s.IntegerField(min_value=1, max_value=1_000_000, default=1, help_text="Games needed to stand in it.")
    page_size = s.IntegerField(min_value=1, max_value=LARGEST_PAGE, default=PAGE)
    after = s.CharField(max_length=200, required=False, help_text="The cursor that the page before gave.")

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        """Refuse a span that ends before it begins."""
        since, until = attrs.get("since"), attrs.get("until")
        if isinstance(since, dt.date) and isinstance(until, dt.date) and until < since:
            message = _("The last day, %(until)s, is before the first, %(day)s.") % {"until": until, "day": since}
            raise s.ValidationError({"until": message})
        return attrs


@describe_get("get_ranking", Ranking, query=RankingQuery)
class RankingView(CompetitionView):
    """Return the running ranking of an open table's guests.

    All pages of one reading are of one published version: a cursor of another version is refused with `stale_cursor`,
    and the client has to start again without a cursor.
    """

    query_class: ClassVar[type[Query]] = RankingQuery

    def find(self, **lookup: object) -> None:
        """Find the open table. Raise ProblemError for a league, which has standings instead."""
        super().find(**lookup)
        if self.reader.competition.kind != Competition.Kind.OPEN:
            raise not_found(_("There is no such open table."))

    def write(self, reader: Reader) -> Ranking:
        """Return one page."""
        asked = self.query
        wanted = Wanted(
            since=asked.get("since"),
            until=asked.get("until"),
            order=Order(asked["order"]),
            minimum=asked["minimum"],
            size=asked["page_size"],
            cursor=asked.get("after", ""),
        )
        rules = ruleset_of(rules_at(reader.competition))
        try:
            page = running_table(reader, open_block(reader.competition), wanted, rules.players)
        except StaleCursorError as stale:
            detail = _("This cursor is of another version of the table, or none at all. Begin again without it.")
            raise ProblemError(
                "invalid_request", errors=[error("stale_cursor", detail, pointer="/after", where="query")]
            ) from stale
        return ranking_document(reader, page, rules)
