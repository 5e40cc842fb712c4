"""Views of conditions to advance, explanations of ranks, and hypothetical results (what-if)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base import CompetitionView
from league.api.fields import BoundedListField, IdField, KeyField, Query, StrictSerializer
from league.api.schema import describe_get, describe_post
from league.api.standings.condition_documents import (
    Conditions,
    Explanations,
    WhatIf,
    conditions_document,
    explanations_document,
    what_if_document,
)
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import format_of, rules_of, ruleset_of
from league.selectors.standings.conditions import conditions_of
from league.selectors.standings.odds import odds_state
from league.selectors.standings.tables import block_tables, blocks_of, result_grid
from league.selectors.standings.what_if import (
    MOST_TABLES,
    HypotheticalResult,
    RefusedTrialError,
    TableInPlay,
    tables_in_play,
    try_out,
)
from league.web.problem_documents import Location
from league.web.problems import ProblemError, error
from league.wording.messages import problem_message

Wanted = tuple[int, tuple[int, ...], int]
"""A hanchan's id, its final scores, and the leftover deposits."""

SCORE = 10_000_000
NUMBERS = r"-?[0-9]{1,8}(,-?[0-9]{1,8}){2,3}"
ONE = rf"[1-9][0-9]{{0,17}}:{NUMBERS}([+ ][0-9]{{1,8}})?"
RESULTS = rf"^{ONE}(;{ONE}){{0,{MOST_TABLES - 1}}}$"


class BlockQuery(Query):
    """The block to read."""

    block = KeyField(help_text="A block's key; without it, every block.")


class WhatIfQuery(Query):
    """Hypothetical results."""

    results = serializers.RegexField(
        RESULTS,
        required=False,
        max_length=2000,
        help_text="A hanchan's id, a colon, the final scores from the first dealer on, and, after a plus sign, the "
        "deposits left; several parted by semicolons: 12:41200,30100,18700,9000+1000;13:25000,25000,25000,25000.",
    )


class TrialInput(StrictSerializer):
    """A hypothetical result of a hanchan."""

    hanchan = IdField(help_text="A hanchan in play.")
    scores = BoundedListField(
        child=serializers.IntegerField(min_value=-SCORE, max_value=SCORE),
        min_length=3,
        max_length=4,
        help_text="The final scores from the first dealer on.",
    )
    kyoutaku = serializers.IntegerField(
        min_value=0, max_value=SCORE, default=0, help_text="Points of the deposits left on the table."
    )


class WhatIfInput(StrictSerializer):
    """Hypothetical results; nothing is recorded."""

    results = BoundedListField(child=TrialInput(), max_length=MOST_TABLES)


@describe_get("get_conditions", Conditions, query=BlockQuery)
class ConditionsView(CompetitionView):
    """Return the conditions of all players in the blocks in progress: sentences by target, margins by rival."""

    query_class = BlockQuery
    is_cached = True

    def parts(self) -> list[object]:
        """Add the state of the odds, which the status words depend on."""
        return [*super().parts(), odds_state(self.reader)]

    def write(self, reader: Reader) -> Conditions:
        """Return the conditions of the requested blocks."""
        blocks, asked = blocks_of(reader), self.block()
        block = next((row for row in blocks if row == asked), None)
        ledger = ruleset_of(rules_of(reader)).ranking_ledger
        return conditions_document(reader, conditions_of(reader, block=block), blocks, ledger)


@describe_get("get_explanations", Explanations, query=BlockQuery)
class ExplanationsView(CompetitionView):
    """Explain the rank of every entrant: each pair of neighbours, and each total as a sum."""

    query_class = BlockQuery
    is_cached = True

    def write(self, reader: Reader) -> Explanations:
        """Return the requested blocks; none if the games of an open table are hidden from the reader."""
        rules, block = rules_of(reader), self.block()
        tables = [] if reader.guards_guests else block_tables(reader)
        return explanations_document(
            reader,
            [(table, result_grid(reader, table.block)) for table in tables if block is None or table.block == block],
            format_of(rules).tiebreak,
            ruleset_of(rules).ranking_ledger,
        )


@describe_get("get_what_if", WhatIf, query=WhatIfQuery)
@describe_post("try_results_out", WhatIfInput, WhatIf)
class WhatIfView(CompetitionView):
    """Return the tables in play, and the changes under hypothetical results. Nothing is recorded."""

    query_class = WhatIfQuery
    permission_classes = [AllowAny]

    def write(self, reader: Reader) -> WhatIf:
        """Return the changes under the results in the query."""
        return self.try_results(reader, list(_in_query(self.query.get("results", ""))), "query")

    def post(self, request: Request, **path: object) -> HttpResponseBase:
        """Return the changes under the results in the body; the same as GET, but for longer inputs."""
        self.find(slug=path["slug"])
        rows = WhatIfInput.check(request.data)["results"]
        wanted = [(row["hanchan"], tuple(row["scores"]), row["kyoutaku"]) for row in rows]
        return Response(self.try_results(self.reader, wanted, "body"))

    def try_results(self, reader: Reader, wanted: Sequence[Wanted], where: Location) -> WhatIf:
        """Return the document. Raise ProblemError at a result that cannot be settled."""
        tables = tables_in_play(reader)
        trials = list(_trials(tables, wanted, where))
        try:
            outcome = try_out(reader, trials) if trials else None
        except RefusedTrialError as refused:
            raise _refused(refused, trials.index(refused.trial), where) from refused
        ledger = ruleset_of(rules_of(reader)).ranking_ledger
        return what_if_document(reader, tables, outcome, blocks_of(reader), ledger)


def _in_query(text: str) -> Iterator[Wanted]:
    """Yield hanchan, scores and deposits of each result in the query."""
    for part in filter(None, text.split(";")):
        hanchan, _colon, rest = part.partition(":")
        # In a query a plus sign that is not escaped stands for a space.
        scores, _plus, deposits = rest.replace(" ", "+").partition("+")
        yield int(hanchan), tuple(map(int, scores.split(","))), int(deposits or 0)


def _trials(tables: Sequence[TableInPlay], wanted: Sequence[Wanted], where: Location) -> Iterator[HypotheticalResult]:
    """Yield a trial for each result. Raise ProblemError for a hanchan that is not in play, or is given twice."""
    known = {table.hanchan.pk: table for table in tables}
    for index, (hanchan, scores, kyoutaku) in enumerate(wanted):
        table = known.pop(hanchan, None)
        if table is None:
            detail = _("Hanchan %(id)s is not the next one of a table in play, or is given twice.") % {"id": hanchan}
            pointer = _pointer(index, where)
            raise ProblemError(
                "invalid_request", detail, errors=[error("not_in_play", detail, pointer=pointer, where=where)]
            )
        yield HypotheticalResult(table, scores, kyoutaku)


def _refused(refused: RefusedTrialError, index: int, where: Location) -> ProblemError:
    """Return the problem whose errors point at the refused result."""
    errors = [
        error(each.code, problem_message(each), pointer=_pointer(index, where), where=where, params=each.params)
        for each in refused.problems
    ]
    return ProblemError("rule_violation" if where == "body" else "invalid_request", errors=errors)


def _pointer(index: int, where: Location) -> str:
    return f"/results/{index}" if where == "body" else "/results"
