"""What everybody needs before a block ends: exact conditions, what the others can still do, and words that are true.

`Situation` says how far a block is; `needs_of` what a player of a last table needs to be among the first so many,
`sentences_of` the same in sentences, `distances` how far it is where more than one hanchan is left, and `proof` what no
result can change. All of it is derived from what `settle` makes of places, ties and deposits (`profile_of`), and from
the ranking's own tie-break; rules under which margins of the scores do not say it all are named as such.
"""

from scoring.conditions.bounds import Range, hanchan_range
from scoring.conditions.cells import Cell, Duel, Kind, Level, Tie
from scoring.conditions.clauses import Clause, Clauses, clauses_of
from scoring.conditions.formulas import ALWAYS_TRUE, NEVER_TRUE, Condition, Formula
from scoring.conditions.needs import Case, Needs, PlaceNeeds, needs_of
from scoring.conditions.others import Elsewhere
from scoring.conditions.profile import Obstacle, Profile, Span, profile_of
from scoring.conditions.sentences import MOST_CLAUSES, SENTENCES, Says, Sentence, sentences_of
from scoring.conditions.situation import LastTable, Situation
from scoring.conditions.status import Status, Word, ahead_of, proof, status_of
from scoring.conditions.to_go import Distance, distances

__all__ = [
    "ALWAYS_TRUE",
    "MOST_CLAUSES",
    "NEVER_TRUE",
    "SENTENCES",
    "Case",
    "Cell",
    "Clause",
    "Clauses",
    "Condition",
    "Distance",
    "Duel",
    "Elsewhere",
    "Formula",
    "Kind",
    "LastTable",
    "Level",
    "Needs",
    "Obstacle",
    "PlaceNeeds",
    "Profile",
    "Range",
    "Says",
    "Sentence",
    "Situation",
    "Span",
    "Status",
    "Tie",
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
]
