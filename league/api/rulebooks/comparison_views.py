"""View that settles one game under every ruleset that fits it."""

from __future__ import annotations

from typing import ClassVar

from rest_framework import serializers as s

from league.api.base import DocumentView
from league.api.fields import Query
from league.api.rulebooks.comparison_documents import Comparison, comparison_document
from league.api.schema import describe_get
from league.selectors.access.etags import etag
from league.selectors.rulebooks.catalogue import rulesets_for
from league.selectors.rulebooks.comparison import LARGEST_SCORE, ComparedGame, NotComparableError, comparison
from league.web.problems import ProblemError, error

SCORES = r"^-?[0-9]{1,8}(,-?[0-9]{1,8}){2,3}$"
COUNTS = r"^[0-9]{1,2}(,[0-9]{1,2}){2,3}$"


class ComparisonQuery(Query):
    """A game: final scores from the first dealer on, leftover deposits, chonbo by seat."""

    scores = s.RegexField(SCORES, help_text="Three or four scores in table points, such as 41200,30100,18700,10000.")
    deposits = s.IntegerField(
        min_value=0, max_value=LARGEST_SCORE, default=0, help_text="Points of the deposits left on the table."
    )
    chonbo = s.RegexField(COUNTS, required=False, help_text="How many each seat had, such as 0,1,0,0.")


@describe_get("compare_rulesets", Comparison, query=ComparisonQuery, missing=False)
class ComparisonsView(DocumentView):
    """Settle one game under every ruleset for the same number of players and total of points, side by side."""

    query_class: ClassVar[type[Query]] = ComparisonQuery
    game: ComparedGame

    def open(self, **path: object) -> None:
        """Read the game from the query."""
        self.game = ComparedGame(
            scores=_numbers(self.query["scores"]),
            deposits=self.query["deposits"],
            chonbo=_numbers(self.query.get("chonbo", "")),
        )

    def etag(self) -> str:
        """Return an ETag made of the game and the known rulesets; their texts never change."""
        kept = list(rulesets_for(self.request.user).kept.order_by("name", "number").values_list("name", "number"))
        return etag(kept, *self.representation())

    def document(self) -> Comparison:
        """Return the game under each ruleset. Raise ProblemError at the parameter if none fits."""
        try:
            return comparison_document(self.game, comparison(self.game, self.request.user))
        except NotComparableError as refused:
            wrong = error(
                refused.code, refused.message, pointer=f"/{refused.field}", where="query", params=refused.params
            )
            raise ProblemError("invalid_request", refused.message, errors=[wrong]) from refused


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(","))) if text else ()
