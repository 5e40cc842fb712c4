"""Status words that are true: what no legal result can change, and how likely the rest is.

`certain` and `eliminated` are said only of what is proved, chonbo included. Scores are unbounded, so whoever still
plays can as a rule still end anywhere: then nothing is claimed. Whoever has played everything is passed by no more
players than the sums of the others' tables allow. An estimate never becomes 0 % or 100 %.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from scoring.conditions.cells import Level, decided
from scoring.conditions.situation import Situation
from scoring.odds.shares import percent_text
from scoring.tiebreak import Entrant

ALMOST = 95
"""From so many percent of simulated endings on one speaks of being almost in; from as many without, of almost out."""
WHOLE = 100


class Word(StrEnum):
    """Where a player stands with regard to the first so many."""

    CERTAIN = "certain"
    """No legal result can change it any more: in."""
    ALMOST = "almost"
    """In, in nearly all simulated endings."""
    OPEN = "open"
    """Undecided."""
    ALMOST_OUT = "almost_out"
    """Out, in nearly all simulated endings."""
    ELIMINATED = "eliminated"
    """No legal result can change it any more: out."""


@dataclass(frozen=True, slots=True)
class Status:
    """A word, with the estimate it rests on in percent, such as `97` or `>99`; a proof needs none."""

    word: Word
    percent: str | None = None


def proof(situation: Situation, entrant: Entrant, target: int) -> Word:
    """Certain or eliminated if no result still to come can change it, be it with chonbo; else open."""
    least, most = ahead_of(situation, entrant)
    if most < target:
        return Word.CERTAIN
    return Word.ELIMINATED if least >= target else Word.OPEN


def status_of(proved: Word, count: int, seasons: int) -> Status:
    """The proof where there is one; else what the endings in which the player is in, of so many, make likely."""
    if proved is not Word.OPEN or not seasons:
        return Status(proved)
    percent = percent_text(count, seasons)
    if WHOLE * count >= ALMOST * seasons:
        return Status(Word.ALMOST, percent)
    is_almost_out = WHOLE * count <= (WHOLE - ALMOST) * seasons
    return Status(Word.ALMOST_OUT if is_almost_out else Word.OPEN, percent)


def ahead_of(situation: Situation, entrant: Entrant) -> tuple[int, int]:
    """How many can end ahead of somebody at least and at most; who can only end level counts at most.

    Chonbo only ever lower totals: what the others have at most is not changed by them, what they have at least is.
    """
    least, most = _by_range(situation, entrant) if situation.per_hanchan else (0, len(situation.rows) - 1)
    if situation.left.get(entrant, 0):
        return least, most
    total = situation.totals[entrant]
    finished = list(_finished_ahead(situation, entrant))
    elsewhere = 0 if situation.deducts else sum(group.fewest_above(total) for group in situation.groups)
    surely = finished.count(Level.BEHIND) + elsewhere
    perhaps = len(finished) - finished.count(Level.AHEAD) + sum(group.most_above(total) for group in situation.groups)
    return max(least, surely), min(most, perhaps)


def _finished_ahead(situation: Situation, entrant: Entrant) -> Iterator[Level]:
    """How somebody who has played everything stands against each other such player."""
    own = situation.rows[entrant]
    for rival in situation.finished:
        other = situation.rows[rival]
        if rival == entrant:
            continue
        if own.total != other.total:
            yield Level.AHEAD if own.total > other.total else Level.BEHIND
        else:
            yield decided(own, other, situation.tiebreak, 0, situation.players).level


def _by_range(situation: Situation, entrant: Entrant) -> tuple[int, int]:
    """Who must and who may end ahead, where a hanchan can bring only so much."""
    low, high = _least(situation, entrant), _most(situation, entrant)
    others = [rival for rival in situation.rows if rival != entrant]
    must = [least for least in (_least(situation, rival) for rival in others) if least is not None and least > high]
    may = [rival for rival in others if low is None or _most(situation, rival) >= low]
    return len(must), len(may)


def _least(situation: Situation, entrant: Entrant) -> int | None:
    """What somebody ends with at least; None where deductions may go on and on."""
    left, (least, _) = situation.left.get(entrant, 0), situation.per_hanchan or (0, 0)
    return None if left and situation.deducts else situation.totals[entrant] + left * least


def _most(situation: Situation, entrant: Entrant) -> int:
    """What somebody ends with at most."""
    left, (_, most) = situation.left.get(entrant, 0), situation.per_hanchan or (0, 0)
    return situation.totals[entrant] + left * most
