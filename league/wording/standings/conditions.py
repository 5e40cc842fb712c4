"""Conditions ("what a player needs") in the reader's language: sentences from codes, table cells, a player's status.

The engine (`scoring.conditions`) states the conditions as codes and numbers; this module words them as players say
them at the table, in the word order of each language.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import reduce
from math import ceil, floor

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.wording.formatting import minus, place_text, points_text, score_text
from league.wording.messages import DecidedBy, criterion_name, decision_criterion
from league.wording.standings.odds import percent_text
from scoring.conditions import (
    ALWAYS_TRUE,
    NEVER_TRUE,
    SENTENCES,
    Cell,
    Clauses,
    Condition,
    ConditionClause,
    Formula,
    MarginKind,
    Obstacle,
    Says,
    Sentence,
    Span,
    Status,
    TieLevel,
    Word,
)
from scoring.lines import CHAMPION

PLACE_ALONE = "○"
IMPOSSIBLE = "×"
IN = {Says.NEEDS: "in", Says.SURE: "in", Says.POSSIBLE: "open"}
"""The sentence code for a case that has no condition and is met, by the kind of sentence."""
NOT_IN = {Says.NEEDS: "not_possible", Says.SURE: "not_sure", Says.POSSIBLE: "not_possible"}
"""The sentence code for a case that cannot be met, by the kind of sentence."""
OTHERWISE_IN = {Says.NEEDS: "otherwise_in", Says.SURE: "otherwise_in", Says.POSSIBLE: "otherwise_open"}
"""The sentence code for "in every other case it is met", by the kind of sentence."""


@dataclass(frozen=True, slots=True)
class SentenceContext:
    """The context of the sentences about one player: names and the other games that count."""

    names: Mapping[Hashable, str]
    """Display names of all entrants in the block, by entrant."""
    elsewhere: str
    """The games that are not the player's own, as text; empty if everything that counts is played at one table."""
    goal: str
    """The goal, in words that follow "enough for"."""


@dataclass(frozen=True, slots=True)
class NeedRow:
    """The conditions of one or more own places, for a list with the places as heads."""

    places: str
    says: Says
    """The strongest statement about the places."""
    cases: tuple[str, ...]
    """Each case on its own, the sufficient ones first."""


def sentence_text(sentence: Sentence, told: SentenceContext) -> str:
    """Return a sentence as text, with every one of its conditions."""
    code: str = sentence.says.value
    if told.elsewhere and sentence.says in {Says.ENOUGH, Says.OUT, Says.TABLE}:
        code = f"{code}_elsewhere"
    cases = _clauses(sentence.says, sentence.clauses, told.names) if sentence.clauses else ()
    return sentence_of_code(
        code,
        places=own_places(sentence.places),
        clauses=pgettext("between conditions of cases", "; ").join(cases),
        elsewhere=told.elsewhere,
        goal=told.goal,
    )


def need_rows(sentences: Sequence[Sentence], told: SentenceContext) -> tuple[NeedRow, ...]:
    """Return the sentences as rows, one for each list of own places; ways that lead nowhere are left out of a row."""
    rows: dict[tuple[int, ...], NeedRow] = {}
    last = max((place for each in sentences for place in each.places), default=0)
    for each in sentences:
        if not each.places:
            continue
        before = rows.get(each.places)
        cases = (*(before.cases if before else ()), *_cases(each, told))
        rows[each.places] = NeedRow(head_of(each.places, last), before.says if before else each.says, cases)
    return tuple(rows.values())


def _cases(sentence: Sentence, told: SentenceContext) -> Iterator[str]:
    """Yield what a row says, without its places."""
    words = {"elsewhere": told.elsewhere, "goal": told.goal}
    match sentence.says:
        case Says.ENOUGH:
            yield _("enough for {goal}").format_map(words)
        case Says.OUT:
            yield sentence_of_code("not_possible")
        case Says.DEPENDS:
            yield _("depends on {elsewhere}").format_map(words)
        case Says.ELSE:
            yield _("otherwise depends on {elsewhere}").format_map(words)
        case Says.TABLE:
            yield _("depends on the others' places and margins")
        case Says.RULING:
            return
        case _:
            yield from _ways(sentence, told)


def _ways(sentence: Sentence, told: SentenceContext) -> Iterator[str]:
    """Yield each clause of a sentence, with what the other tables have to do with it."""
    text = {
        Says.NEEDS: "{way}",
        Says.SURE: _("{way}, whatever happens at other tables"),
        Says.POSSIBLE: _("{way}, and then it depends on {elsewhere}"),
    }[sentence.says]
    for way in (
        _clauses(sentence.says, sentence.clauses, told.names, has_otherwise_out=False) if sentence.clauses else ()
    ):
        yield text.format_map({"way": way, "elsewhere": told.elsewhere})


def own_places(places: Sequence[int]) -> str:
    """Return the player's own places as players call them."""
    return pgettext("list of places", ", ").join(map(place_said, places))


def head_of(places: Sequence[int], last: int) -> str:
    """Return neighbouring places as the head of a row; several that reach down to the last place as one phrase."""
    if 1 < places[0] < places[-1] == last:
        return pgettext("list of places", "%(place)s or lower") % {"place": place_said(places[0])}
    return own_places(places)


def place_said(place: int) -> str:
    """Return a place as players say it at the table, where the first is the top."""
    return pgettext("place in a condition", "1st") if place == 1 else place_text(place)


def goal_text(destination: str, label: str, *, is_last: bool) -> str:
    """Return a destination as it follows "enough for": the title, going on at all, or a stage by its label."""
    if destination == CHAMPION:
        return pgettext("goal", "the title")
    return pgettext("goal", "going on") if is_last else pgettext("goal", "%(stage)s") % {"stage": label}


def sentence_of_code(code: str, **params: str) -> str:
    """Return the translated sentence of a code; the message catalogue has every entry of the engine's `SENTENCES`."""
    return _(SENTENCES[code]).format_map(params)


def either_place(places: Sequence[int]) -> str:
    """Return alternative places as text, such as "1st or 2nd"."""
    return pgettext("between places", " or ").join(map(place_said, places))


def _clauses(
    says: Says, clauses: Clauses, names: Mapping[Hashable, str], *, has_otherwise_out: bool = True
) -> list[str]:
    """Return all clauses, followed by what holds in the cases that no clause covers."""
    parts = [_clause(says, clause, names) for clause in clauses.clauses]
    if not clauses.is_complete and clauses.otherwise == ALWAYS_TRUE:
        parts.append(sentence_of_code(OTHERWISE_IN[says]))
    elif has_otherwise_out and not clauses.is_complete and says is not Says.SURE:
        parts.append(sentence_of_code("otherwise_out"))
    return parts


def _clause(says: Says, clause: ConditionClause, names: Mapping[Hashable, str]) -> str:
    named = clause.when[0][0] if len(clause.when) == 1 else None
    formula = _formula(says, clause.formula, names, named)
    when = _when(clause, names)
    return sentence_of_code("clause", when=when, formula=formula) if when else formula


def _when(clause: ConditionClause, names: Mapping[Hashable, str]) -> str:
    """Word the cases in which a clause applies; an empty text for all."""
    placed = [
        sentence_of_code("placed", rival=names[each], places=either_place(places)) for each, places in clause.when
    ]
    if clause.floating:
        placed.append(floating_text(clause.floating))
    if not placed:
        return ""
    return sentence_of_code(
        "when", placed=reduce(lambda first, second: sentence_of_code("placed_both", first=first, second=second), placed)
    )


def _formula(says: Says, formula: Formula, names: Mapping[Hashable, str], named: Hashable | None) -> str:
    """Word a formula: alternatives joined by "or", the conditions of each alternative joined by "and".

    The rival `named` just before is not named again where no other one is.
    """
    if formula == NEVER_TRUE:
        return sentence_of_code(NOT_IN[says])
    if formula == ALWAYS_TRUE:
        return sentence_of_code(IN[says])
    together = pgettext("between conditions", " and ")
    rivals = {each.rival for way in formula for each in way if each.rival is not None}
    there = named if rivals == {named} else None
    ways = [together.join(condition_text(each, names, there) for each in way) for way in formula]
    return pgettext("between conditions", ", or ").join(ways)


def condition_text(condition: Condition, names: Mapping[Hashable, str], there: Hashable | None) -> str:
    """Word one condition: a margin over a rival, or a final score if there is no rival.

    The rival `there` was named just before and is not named again.
    """
    if condition.rival is None:
        return sentence_of_code("score", score=score_text(condition.least))
    code = "level" if condition.least == 0 else "ahead" if condition.least > 0 else "behind"
    return sentence_of_code(
        f"{code}_there" if condition.rival == there else code,
        rival=names[condition.rival],
        margin=score_text(abs(condition.least)),
    )


def span_text(span: Span) -> str:
    """Return a place, or the range of places that tied players share."""
    if not span.is_shared:
        return place_text(span.first)
    return pgettext("shared places", "%(first)s–%(last)s shared") % {
        "first": span.first,
        "last": place_text(span.last),
    }


def floating_text(counts: Sequence[int]) -> str:
    """Return numbers of floating players as text, such as "0 or 2 players float"."""
    if tuple(counts) == (1,):
        return sentence_of_code("floating_one")
    return sentence_of_code("floating", counts=pgettext("between numbers", " or ").join(map(str, counts)))


def case_text(span: Span, floating: Sequence[int]) -> str:
    """Return a place, with the numbers of floating players where its bonus depends on it."""
    if not floating:
        return span_text(span)
    words = {"place": span_text(span), "floating": floating_text(floating)}
    return pgettext("place and number of floating players", "%(place)s (%(floating)s)") % words


def cell_text(cell: Cell) -> str:
    """Return the shortest text of a table cell: by place alone, impossible, by ruling, or a margin or score."""
    if cell.kind is MarginKind.ALWAYS:
        return PLACE_ALONE
    if cell.kind is MarginKind.NEVER:
        return IMPOSSIBLE
    if cell.kind is MarginKind.RULING:
        return pgettext("cell of conditions", "ruling")
    if cell.rival is None:
        return score_text(cell.least)
    return margin_text(cell.least)


def margin_text(margin: int) -> str:
    """Return a margin with its sign: positive is the lead that is needed, negative the deficit that is allowed."""
    if margin == 0:
        return "±0"
    return f"{'+' if margin > 0 else minus()}{abs(margin):,}"


def tie_text(cell: Cell) -> str:
    """Describe how a tie on total points would be decided; return an empty text if no tie is possible."""
    tie = cell.tie
    if tie is None or cell.kind in {MarginKind.ALWAYS, MarginKind.NEVER}:
        return ""
    at = score_text(tie.at) if cell.rival is None else margin_text(tie.at)
    if tie.level is TieLevel.RULING:
        return _("level at %(at)s: only a ruling decides") % {"at": at}
    words = {"at": at, "number": tie.number, "criterion": criterion_name(tie.criterion)}
    if tie.level is TieLevel.AHEAD:
        return _("level at %(at)s: ahead by %(criterion)s of hanchan %(number)s") % words
    return _("level at %(at)s: behind by %(criterion)s of hanchan %(number)s") % words


def status_text(status: Status, *, is_title: bool = False, is_last: bool = True) -> str:
    """Return a player's status; it is a proof such as "certain", or an estimate in percent.

    The estimate is the probability of advancing from the block to any later stage, or of winning the title. The text
    names which, because the odds page shows another figure: the probability of playing in a given stage. A player who
    misses the title, or a stage behind which there is a lesser one, is not called eliminated for that.
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
    chance = _chance_text(status.percent, is_title=is_title, is_last=is_last)
    # What is still open is not called out, however unlikely.
    if status.word in {Word.OPEN, Word.ALMOST_OUT}:
        return chance
    return pgettext("status", "%(word)s (%(chance)s)") % {"word": word, "chance": chance}


def _chance_text(percent: str, *, is_title: bool, is_last: bool) -> str:
    params = {"percent": percent_text(percent)}
    if not is_title and not is_last:
        # The text before it names the place, such as staying in a tier.
        return pgettext("estimate", "chance %(percent)s") % params
    if is_title:
        return pgettext("estimate", "wins the title %(percent)s") % params
    return pgettext("estimate", "advances %(percent)s") % params


def average_text(average: Fraction, scale: int, *, is_needed: bool) -> str:
    """Return points per hanchan to one decimal: a required average rounded up, an affordable loss rounded down."""
    tenths = average * 10 / scale
    # Round against the player, so that reaching the figure shown is always enough.
    return points_text(ceil(tenths) if is_needed else floor(tenths), 10)


def explanation_text(
    by: SeparatedBy, gap: int, decision: DecidedBy | None, scale: int, *, by_total_alone: bool = False
) -> str:
    """Explain in a few words which criterion ranks one neighbour above the other.

    `by_total_alone` says that the format compares nothing but totals.
    """
    if by is SeparatedBy.TOTAL:
        return _("%(gap)s more in all") % {"gap": points_text(gap, scale)}
    if by is SeparatedBy.NOTHING and by_total_alone:
        return _("level in all; only the total counts, so they share the rank")
    if by is SeparatedBy.NOTHING or decision is None:
        return _("level in everything; they share the rank")
    if by is SeparatedBy.RULING:
        return _("level in everything; the organizers ruled")
    if by is SeparatedBy.FURTHER:
        return _("level in all; decided by %(criterion)s") % {"criterion": decision_criterion(decision)}
    return _("level in all; hanchan %(number)s decides by %(criterion)s") % {
        "number": decision["number"],
        "criterion": criterion_name(decision["criterion"]),
    }


def obstacle_text(obstacle: Obstacle) -> str:
    """Explain why margins between scores cannot say what a player needs under these rules."""
    return {
        Obstacle.NO_SCORE: _("The scores themselves do not count in this ranking."),
        Obstacle.PRIZES: _("Prizes from the table count as well."),
        Obstacle.TOBI: _("A prize for taking a player out counts as well."),
        Obstacle.SINKING_UMA: _("Players who end below a line pay the top."),
        Obstacle.FLOOR: _("Scores below a floor are settled at the floor."),
        Obstacle.PLACE_PAYMENTS: _("Places pay one another by whether one has reached a line."),
        Obstacle.TOP_PAYMENT: _("Sunk players pay the top."),
        Obstacle.ROUNDING: _("Scores are rounded before they count."),
        Obstacle.UNEVEN: _("Level players do not always get the same."),
        Obstacle.BYES: _("What byes count depends on results still open, or on who sits out."),
        Obstacle.RULES_DIFFER: _("The tables of the last round do not play by the same rules."),
    }[obstacle]


class SeparatedBy(StrEnum):
    """The criterion that separates two neighbours."""

    TOTAL = "total"
    """The totals differ."""
    HANCHAN = "hanchan"
    """The totals are level; one hanchan decided."""
    FURTHER = "further"
    """The totals are level and no hanchan decides; a further criterion of the format decided."""
    RULING = "ruling"
    """No criterion of the rules separates them; the organizers ruled."""
    NOTHING = "nothing"
    """No criterion separates them; they share the rank."""
