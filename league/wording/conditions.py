"""Conditions in the reader's language: sentences from their codes, the cells of the table, words for where one stands.

The engine says what is asked for; here it becomes what players say at the table, in each language's own order.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import reduce
from math import ceil, floor
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.wording.formatting import minus, place_text, points_text, score_text
from league.wording.messages import criterion_name
from league.wording.odds import percent_text
from scoring.conditions import (
    ALWAYS_TRUE,
    NEVER_TRUE,
    SENTENCES,
    Cell,
    Clause,
    Clauses,
    Condition,
    Formula,
    Kind,
    Level,
    Obstacle,
    Says,
    Sentence,
    Span,
    Status,
    Word,
)
from scoring.conditions.clauses import When

PLACE_ALONE = "○"
IMPOSSIBLE = "×"
IN = {Says.NEEDS: "in", Says.SURE: "in", Says.POSSIBLE: "open"}
"""What a case that asks for nothing means, by what the sentence says."""
NOT_IN = {Says.NEEDS: "not_possible", Says.SURE: "not_sure", Says.POSSIBLE: "not_possible"}
OTHERWISE_IN = {Says.NEEDS: "otherwise_in", Says.SURE: "otherwise_in", Says.POSSIBLE: "otherwise_open"}


@dataclass(frozen=True, slots=True)
class Told:
    """What sentences about one player need besides themselves."""

    names: Mapping[Hashable, str]
    """Of everybody in the block."""
    elsewhere: str
    """The games that are not the player's own; empty where all that counts is at one table."""


def sentence_text(sentence: Sentence, told: Told) -> str:
    """A sentence; no condition is left out."""
    code: str = sentence.says.value
    if told.elsewhere and sentence.says in {Says.ENOUGH, Says.OUT, Says.TABLE}:
        code = f"{code}_elsewhere"
    clauses = _clauses(sentence.says, sentence.clauses, told.names) if sentence.clauses else ""
    places = pgettext("list of places", ", ").join(map(place_text, sentence.places))
    return say(code, places=places, clauses=clauses, elsewhere=told.elsewhere)


def say(code: str, **params: str) -> str:
    """The sentence of a code; the catalogue knows every `SENTENCES` of the engine."""
    return _(SENTENCES[code]).format_map(params)


def either_place(places: Sequence[int]) -> str:
    """Places of which one is meant."""
    return pgettext("between places", " or ").join(map(place_text, places))


def _clauses(says: Says, clauses: Clauses, names: Mapping[Hashable, str]) -> str:
    """Every clause, and what holds in the cases that none names."""
    parts = [_clause(says, clause, names) for clause in clauses.clauses]
    if not clauses.is_complete and clauses.otherwise == ALWAYS_TRUE:
        parts.append(say(OTHERWISE_IN[says]))
    elif not clauses.is_complete and says is not Says.SURE:
        parts.append(say("otherwise_out"))
    return pgettext("between conditions of cases", "; ").join(parts)


def _clause(says: Says, clause: Clause, names: Mapping[Hashable, str]) -> str:
    formula = _formula(says, clause.formula, names)
    return say("clause", when=_when(clause.when, names), formula=formula) if clause.when else formula


def _when(when: When, names: Mapping[Hashable, str]) -> str:
    placed = [say("placed", rival=names[rival], places=either_place(places)) for rival, places in when]
    return say("when", placed=reduce(lambda first, second: say("placed_both", first=first, second=second), placed))


def _formula(says: Says, formula: Formula, names: Mapping[Hashable, str]) -> str:
    """Any of the ways, each with all its conditions."""
    if formula == NEVER_TRUE:
        return say(NOT_IN[says])
    if formula == ALWAYS_TRUE:
        return say(IN[says])
    together = pgettext("between conditions", " and ")
    ways = [together.join(condition_text(each, names) for each in way) for way in formula]
    return pgettext("between conditions", ", or ").join(ways)


def condition_text(condition: Condition, names: Mapping[Hashable, str]) -> str:
    """One condition: a margin over a rival, or a final score."""
    if condition.rival is None:
        return say("score", score=score_text(condition.least))
    rival = names[condition.rival]
    if condition.least == 0:
        return say("level", rival=rival)
    return say("ahead" if condition.least > 0 else "behind", rival=rival, margin=score_text(abs(condition.least)))


def span_text(span: Span) -> str:
    """A place, or the places that level players share."""
    if not span.is_shared:
        return place_text(span.first)
    return pgettext("shared places", "%(first)s–%(last)s shared") % {
        "first": span.first,
        "last": place_text(span.last),
    }


def cell_text(cell: Cell) -> str:
    """What it takes, as short as it goes: by place alone, impossible, a ruling, a margin or a score."""
    if cell.kind is Kind.ALWAYS:
        return PLACE_ALONE
    if cell.kind is Kind.NEVER:
        return IMPOSSIBLE
    if cell.kind is Kind.RULING:
        return pgettext("cell of conditions", "ruling")
    if cell.rival is None:
        return score_text(cell.least)
    return margin_text(cell.least)


def margin_text(margin: int) -> str:
    """A margin with its sign: so much ahead, or so much that one may be behind."""
    if margin == 0:
        return "±0"
    return f"{'+' if margin > 0 else minus()}{abs(margin):,}"


def tie_text(cell: Cell) -> str:
    """What decides where totals come out level; empty where they cannot."""
    tie = cell.tie
    if tie is None or cell.kind in {Kind.ALWAYS, Kind.NEVER}:
        return ""
    at = score_text(tie.at) if cell.rival is None else margin_text(tie.at)
    if tie.level is Level.RULING:
        return _("level at %(at)s: only a ruling decides") % {"at": at}
    words = {"at": at, "number": tie.number, "criterion": criterion_name(tie.criterion)}
    if tie.level is Level.AHEAD:
        return _("level at %(at)s: ahead by %(criterion)s of hanchan %(number)s") % words
    return _("level at %(at)s: behind by %(criterion)s of hanchan %(number)s") % words


def status_text(status: Status, *, is_title: bool = False, is_last: bool = True) -> str:
    """Return where a player stands; a proof says so, an estimate says how likely.

    The estimate is of going on from the block, to whichever stage, or of winning the title. It is named, since the odds
    page has another one: of playing in a stage. Who misses the title, or a stage with a lesser one behind it, is not
    out for that.
    """
    word = {
        Word.CERTAIN: pgettext("status", "title won") if is_title else pgettext("status", "certain"),
        Word.ALMOST: pgettext("status", "almost in"),
        Word.OPEN: pgettext("status", "open"),
        Word.ALMOST_OUT: pgettext("status", "almost out"),
        Word.ELIMINATED: pgettext("status", "eliminated")
        if is_last and not is_title
        else pgettext("status", "out of reach"),
    }[status.word]
    if status.percent is None:
        return word
    chance = _chance_text(status.percent, is_title=is_title)
    if status.word is Word.OPEN or (is_title and status.word is Word.ALMOST_OUT):
        return chance
    return pgettext("status", "%(word)s (%(chance)s)") % {"word": word, "chance": chance}


def _chance_text(percent: str, *, is_title: bool) -> str:
    params = {"percent": percent_text(percent)}
    if is_title:
        return pgettext("estimate", "wins the title %(percent)s") % params
    return pgettext("estimate", "advances %(percent)s") % params


def average_text(average: Fraction, scale: int, *, is_needed: bool) -> str:
    """Points in each hanchan to a tenth: what is needed rounded up, what may be lost rounded down."""
    tenths = average * 10 / scale
    return points_text(ceil(tenths) if is_needed else floor(tenths), 10)


def explanation_text(by: By, gap: int, decision: Mapping[str, Any] | None, scale: int) -> str:
    """What parted two neighbours, in a few words."""
    if by is By.TOTAL:
        return _("%(gap)s more in all") % {"gap": points_text(gap, scale)}
    if by is By.NOTHING or decision is None:
        return _("level in everything; they share the rank")
    if by is By.RULING:
        return _("level in everything; the organizers ruled")
    return _("level in all; hanchan %(number)s decides by %(criterion)s") % {
        "number": decision["number"],
        "criterion": criterion_name(decision["criterion"]),
    }


def obstacle_text(obstacle: Obstacle) -> str:
    """Why margins of the scores do not say what is needed."""
    return {
        Obstacle.NO_SCORE: _("The scores themselves do not count in this ranking."),
        Obstacle.PRIZES: _("Prizes from the table count as well."),
        Obstacle.TOBI: _("A prize for taking a player out counts as well."),
        Obstacle.SINKING_UMA: _("Whoever ends below a line pays the top."),
        Obstacle.FLOOR: _("Scores below a floor are settled at the floor."),
        Obstacle.PLACE_PAYMENTS: _("Places pay one another by whether one has reached a line."),
        Obstacle.TOP_PAYMENT: _("Whoever is sunk pays the top."),
        Obstacle.ROUNDING: _("Scores are rounded before they count."),
        Obstacle.UNEVEN: _("Level players do not always get the same."),
        Obstacle.RULES_DIFFER: _("The tables of the last round do not play by the same rules."),
    }[obstacle]


class By(StrEnum):
    """What separates two neighbours."""

    TOTAL = "total"
    """More points in all."""
    HANCHAN = "hanchan"
    """Level in all: a hanchan decided."""
    RULING = "ruling"
    """Level in everything: the organizers ruled."""
    NOTHING = "nothing"
    """Level in everything: they share the rank."""
