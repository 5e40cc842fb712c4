"""Qualification conditions before a block ends: exact margins, bounds on other tables, and sentences that are proved.

`BlockSituation` describes how much of a block is left; `needs_of` gives the conditions under which a player at a
last table is among the first `target`, `sentences_of` the same in sentences, `distances` the gap to the
border where more than one hanchan is left, and `proof` the outcome that no result can change. All of it is
derived from the places, ties and deposits that `settle` produces (`profile_of`), and from the ranking's own
tie-break; rules under which margins of the scores are not sufficient are named as such (`Obstacle`).
"""

from scoring.conditions.bounds import Range, hanchan_range
from scoring.conditions.cells import Cell, Duel, MarginKind, TieLevel, TieMargin
from scoring.conditions.clauses import Clauses, ConditionClause, clauses_of
from scoring.conditions.formulas import ALWAYS_TRUE, NEVER_TRUE, Condition, Formula
from scoring.conditions.needs import Needs, PlaceArrangement, PlaceNeeds, needs_of
from scoring.conditions.others import Elsewhere
from scoring.conditions.profile import Obstacle, Profile, Span, profile_of
from scoring.conditions.sentences import MOST_CLAUSES, SENTENCES, Says, Sentence, sentences_of
from scoring.conditions.situation import BlockSituation, LastTable
from scoring.conditions.status import Status, Word, ahead_of, proof, status_of, with_total
from scoring.conditions.to_go import Distance, distances

__all__ = [
    "ALWAYS_TRUE",
    "MOST_CLAUSES",
    "NEVER_TRUE",
    "SENTENCES",
    "BlockSituation",
    "Cell",
    "Clauses",
    "Condition",
    "ConditionClause",
    "Distance",
    "Duel",
    "Elsewhere",
    "Formula",
    "LastTable",
    "MarginKind",
    "Needs",
    "Obstacle",
    "PlaceArrangement",
    "PlaceNeeds",
    "Profile",
    "Range",
    "Says",
    "Sentence",
    "Span",
    "Status",
    "TieLevel",
    "TieMargin",
    "Word",
    "ahead_of",
    "clauses_of",
    "distances",
    "hanchan_range",
    "needs_of",
    "profile_of",
    "proof",
    "sentences_of",
    "status_of",
    "with_total",
]
