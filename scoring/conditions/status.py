"""Status words that are proved or estimated: results that nothing legal can change, and likelihoods for the rest.

`certain` and `eliminated` are used only for proved facts, chonbo included. Scores are unbounded, so a player
with hanchan left can as a rule still end anywhere: then nothing is claimed. A player with none left is passed
by no more players than the sums of the others' tables allow. An estimate is never shown as 0 % or 100 %.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring.conditions.cells import TieLevel, break_tie
from scoring.conditions.situation import BlockSituation
from scoring.odds.shares import percent_text
from scoring.tiebreak import Entrant

ALMOST = 95
"""Percentage of simulated endings from which a player counts as almost in; the same share without: almost out."""
WHOLE = 100


class Word(StrEnum):
    """Status of a player with regard to the first `target` ranks."""

    CERTAIN = "certain"
    """In: no legal result can change it any more."""
    ALMOST = "almost"
    """In, in nearly all simulated endings."""
    OPEN = "open"
    """Undecided."""
    ALMOST_OUT = "almost_out"
    """Out, in nearly all simulated endings."""
    ELIMINATED = "eliminated"
    """Out: no legal result can change it any more."""


@dataclass(frozen=True, slots=True)
class Status:
    """A word, with the estimate it rests on in percent, such as `97` or `>99`; a proved word has none."""

    word: Word
    percent: str | None = None


def proof(situation: BlockSituation, entrant: Entrant, target: int) -> Word:
    """Return `certain` or `eliminated` if no result still to come, chonbo included, can change it; else `open`."""
    least, most = ahead_of(situation, entrant)
    if most < target:
        return Word.CERTAIN
    return Word.ELIMINATED if least >= target else Word.OPEN


def with_total(situation: BlockSituation, entrant: Entrant, needed: Fraction | int, proved: Word) -> Word:
    """Return what is proved about ranks that also need a total, at the ledger's scale, from what is of the ranks."""
    least, most = _totals_in_the_end(situation, entrant)
    if most is not None and most < needed:
        return Word.ELIMINATED
    return Word.OPEN if proved is Word.CERTAIN and (least is None or least < needed) else proved


def status_of(proved: Word, count: int, seasons: int) -> Status:
    """Return the proved word if there is one, else the estimate from `count` endings in out of `seasons`."""
    if proved is not Word.OPEN or not seasons:
        return Status(proved)
    percent = percent_text(count, seasons)
    if WHOLE * count >= ALMOST * seasons:
        return Status(Word.ALMOST, percent)
    is_almost_out = WHOLE * count <= (WHOLE - ALMOST) * seasons
    return Status(Word.ALMOST_OUT if is_almost_out else Word.OPEN, percent)


def ahead_of(situation: BlockSituation, entrant: Entrant) -> tuple[int, int]:
    """Return the least and the most entrants who can end ahead of an entrant; possible ties count in the most.

    Chonbo only ever lower totals: they do not change the most that the others can have, but they do lower the
    least.
    """
    least, most = _by_range(situation, entrant) if situation.per_hanchan else (0, len(situation.rows) - 1)
    if situation.left.get(entrant, 0):
        return least, most
    total = situation.totals[entrant]
    finished = list(_finished_ahead(situation, entrant))
    # A chonbo takes points off the table for good, so with chonbo a table's fixed sum proves nothing from below.
    elsewhere = 0 if situation.deducts else sum(group.fewest_above(total) for group in situation.groups)
    surely = finished.count(TieLevel.BEHIND) + elsewhere
    perhaps = (
        len(finished) - finished.count(TieLevel.AHEAD) + sum(group.most_above(total) for group in situation.groups)
    )
    return max(least, surely), min(most, perhaps)


def _finished_ahead(situation: BlockSituation, entrant: Entrant) -> Iterator[TieLevel]:
    """Yield the comparison of an entrant with no hanchan left against each other such entrant."""
    own = situation.rows[entrant]
    for rival in situation.finished:
        other = situation.rows[rival]
        if rival == entrant:
            continue
        if own.total != other.total:
            yield TieLevel.AHEAD if own.total > other.total else TieLevel.BEHIND
        else:
            yield break_tie(own, other, situation.tiebreak, 0, situation.players).level


def _by_range(situation: BlockSituation, entrant: Entrant) -> tuple[int, int]:
    """Count the entrants that must and those that can end ahead, where a hanchan has bounds."""
    low, high = _totals_in_the_end(situation, entrant)
    others = [_totals_in_the_end(situation, rival) for rival in situation.rows if rival != entrant]
    must = sum(least is not None and high is not None and least > high for least, _ in others)
    may = sum(low is None or most is None or most >= low for _, most in others)
    return must, may


def _totals_in_the_end(situation: BlockSituation, entrant: Entrant) -> tuple[int | None, int | None]:
    """Return the least and the largest total the entrant can end with; None where there is no bound."""
    total, left = situation.totals[entrant], situation.counting(entrant)
    if not left:
        return total, total
    if situation.per_hanchan is None:
        return None, None
    least, most = situation.per_hanchan
    # A chonbo costs points without a bound.
    return None if situation.deducts else total + left * least, total + left * most
