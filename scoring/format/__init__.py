"""The schema of a league format, and its checks. `scoring.stages` carries a format out.

A format describes one competition; a series has several of them, and a ranking looks across competitions.
"""

from scoring.format.arranging import Arrangement, arrange
from scoring.format.model import EntrantKind, Format, Winner
from scoring.format.parts import Bounds, Cited, Key, Name, Share
from scoring.format.policies import Policies
from scoring.format.ranking import Ranking
from scoring.format.roster import close_roster, smallest_roster, write_out
from scoring.format.rounds import RoundPlan, SeatedBy
from scoring.format.series import Series
from scoring.format.stage import (
    Assignment,
    Block,
    Carry,
    CarryOver,
    CarryRounding,
    Intake,
    Seating,
    Stage,
    Tables,
)

__all__ = [
    "Arrangement",
    "Assignment",
    "Block",
    "Bounds",
    "Carry",
    "CarryOver",
    "CarryRounding",
    "Cited",
    "EntrantKind",
    "Format",
    "Intake",
    "Key",
    "Name",
    "Policies",
    "Ranking",
    "RoundPlan",
    "SeatedBy",
    "Seating",
    "Series",
    "Share",
    "Stage",
    "Tables",
    "Winner",
    "arrange",
    "close_roster",
    "smallest_roster",
    "write_out",
]
