"""The engine's codes as sentences in the reader's language.

The engine itself has English texts and knows no Django.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NotRequired, TypedDict

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from league.wording.formatting import place_text, points_text, rank_text, score_text, whole_number
from league.wording.names import Names
from league.wording.seasons.series_sentences import series_destination
from scoring.lines import CHAMPION, OUT, WITHDRAWN
from scoring.problems import SENTENCES
from scoring.pyramid.conditions import read_destination
from scoring.ruleset import Wind
from scoring.settlement import LineCause, ResultProblem
from scoring.sources import BestOf, Drawn, RankOf, Seed, parse_source
from scoring.stages import Reason
from scoring.tiebreak import RULING, Criterion, Further

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


def number(value: int) -> str:
    """Format an amount with a thousands separator."""
    return f"{value:,}"


def _table_sum(p: Mapping[str, object]) -> str:
    actual, expected = whole_number(p, "actual"), whole_number(p, "expected")
    missing = expected - actual
    difference = (
        _("%(points)s missing") % {"points": number(missing)}
        if missing > 0
        else _("%(points)s too many") % {"points": number(-missing)}
    )
    shown = {"actual": number(actual), "expected": number(expected), "difference": difference}
    if "kyoutaku" not in p:
        message = _(
            "The scores add up to %(actual)s points; the players must hold %(expected)s (%(difference)s). Check the "
            "scores."
        )
        return message % shown
    message = _(
        "The scores add up to %(actual)s points; with %(kyoutaku)s in deposits left the players must hold %(expected)s "
        "(%(difference)s). Check the scores and the deposits."
    )
    return message % {**shown, "kyoutaku": number(whole_number(p, "kyoutaku"))}


def _score_not_multiple(p: Mapping[str, object]) -> str:
    return _("The score %(score)s is no multiple of %(unit)s. Perhaps %(lower)s or %(upper)s is meant.") % {
        key: score_text(whole_number(p, key)) for key in ("score", "unit", "lower", "upper")
    }


def _kyoutaku_not_multiple(p: Mapping[str, object]) -> str:
    return _(
        "The deposits left on the table are %(kyoutaku)s, no multiple of %(unit)s. Perhaps %(lower)s or %(upper)s "
        "is meant."
    ) % {key: number(whole_number(p, key)) for key in ("kyoutaku", "unit", "lower", "upper")}


def _ledger_not_multiple(p: Mapping[str, object]) -> str:
    return _(
        "The amount %(amount)s of %(ledger)s is no multiple of %(step)s. Perhaps %(lower)s or %(upper)s is meant."
    ) % dict(p)


def _ledger_sum(p: Mapping[str, object]) -> str:
    return _(
        "The amounts of %(ledger)s add up to %(actual)s. What players pay one another adds up to 0: "
        "check each amount and its sign."
    ) % dict(p)


MESSAGES: Mapping[str, Callable[[Mapping[str, object]], str]] = {
    "table_sum": _table_sum,
    "score_count": lambda p: _("There are %(actual)s scores; these rules have %(expected)s players.") % dict(p),
    "score_not_multiple": _score_not_multiple,
    "extreme_score": lambda p: (
        _("The score %(score)s is unusual. Check it, or accept it as it is.")
        % {"score": score_text(whole_number(p, "score"))}
    ),
    "kyoutaku_negative": lambda _p: _("The deposits left on the table cannot be negative."),
    "kyoutaku_not_multiple": _kyoutaku_not_multiple,
    "kyoutaku_unused": lambda _p: _("These rules know no deposits left on the table. Enter 0."),
    "chonbo_count": lambda p: _("There must be %(expected)s counts of chonbo, one for each seat, or none.") % dict(p),
    "chonbo_negative": lambda _p: _("Enter how many chonbo there were, 0 or more."),
    "chonbo_unused": lambda _p: _("Under these rules a chonbo is paid at the table. Enter 0."),
    "ledger_unknown": lambda p: (
        _("These rules have no ledger %(ledger)s to enter amounts of. Known: %(known)s.") % dict(p)
    ),
    "ledger_count": lambda p: (
        _("There are %(actual)s amounts of %(ledger)s; enter %(expected)s, one for each player.") % dict(p)
    ),
    "ledger_sum": _ledger_sum,
    "ledger_not_multiple": _ledger_not_multiple,
    "tobi_unknown_seat": lambda _p: _("The mark for going out names a seat that does not exist."),
    "tobi_same_seat": lambda _p: _(
        "No player gets the prize for going out from themselves. Name the player who took them out."
    ),
    "tobi_twice": lambda _p: _("A player goes out once: name only one who gets the prize."),
    "tobi_positive_score": lambda p: (
        _("Marked as gone out, but with %(score)s points left. Check the score, or take the mark away.")
        % {"score": score_text(whole_number(p, "score"))}
    ),
    "tobi_missing": lambda p: (
        _("Out with %(score)s points, but no player is named who gets the prize for it.")
        % {"score": score_text(whole_number(p, "score"))}
    ),
    "tobi_unused": lambda _p: _("These rules have no prize for taking a player out. Take the mark away."),
    "substitute_unused": lambda _p: _("These rules have no account for a substitute. Leave it empty."),
    "forced_top_unused": lambda _p: _("Under these rules no yakuman ends the game at once. Take the mark away."),
    "forced_top_unknown_seat": lambda _p: _("The mark for the yakuman names a seat that does not exist."),
}


def problem_message(problem: ResultProblem) -> str:
    """Return a problem of a result as a sentence that names the fault, the value, and the way to correct it."""
    make = MESSAGES.get(problem.code)
    return make(problem.params) if make else engine_sentence(SENTENCES[problem.code], problem.params)


def engine_sentence(
    sentence: str, params: Mapping[str, object], readers: Mapping[str, Callable[[str], str]] = MappingProxyType({})
) -> str:
    """Translate a sentence of the engine and fill in its parameters, those that are names by their `readers`.

    The catalogue has every `SENTENCES` of `scoring`.
    """
    return _(sentence).format_map(
        {
            name: readers[name](str(value)) if name in readers else format_parameter(value)
            for name, value in params.items()
        }
    )


def format_parameter(value: object) -> object:
    """Return a parameter as it appears in a sentence: integers with a thousands separator, other values unchanged."""
    # bool is a subclass of int in Python.
    return number(value) if isinstance(value, int) and not isinstance(value, bool) else value


def cause_name(cause: str) -> str:
    """Return the cause of a settlement line in two or three words; an unknown cause is returned as it is."""
    return str(CAUSES.get(cause, cause))


def line_name(cause: str, params: Mapping[str, object]) -> str:
    """Return the cause of a settlement line with the number of floating players that decided it, if any did."""
    name, floating = cause_name(cause), params.get("floating")
    if floating is None:
        return name
    words = {"cause": name, "count": floating}
    return ngettext("%(cause)s, %(count)s floating", "%(cause)s, %(count)s floating", int(str(floating))) % words


CAUSES: Mapping[str, StrPromise] = {
    LineCause.RETURN: pgettext_lazy("settlement", "score"),
    LineCause.OKA: pgettext_lazy("settlement", "oka"),
    LineCause.UMA: pgettext_lazy("settlement", "uma"),
    LineCause.SINKING_UMA: pgettext_lazy("settlement", "sinking uma"),
    LineCause.FLOOR: pgettext_lazy("settlement", "floor"),
    LineCause.TOBI: pgettext_lazy("settlement", "tobi"),
    LineCause.KYOUTAKU: pgettext_lazy("settlement", "deposits left"),
    LineCause.ROUNDING: pgettext_lazy("settlement", "rounding"),
    LineCause.SUBSTITUTE: pgettext_lazy("settlement", "substitute's flat account"),
    LineCause.CHONBO: pgettext_lazy("settlement", "chonbo"),
    LineCause.CHIPS: pgettext_lazy("settlement", "chips"),
    LineCause.PLACE_PAYMENT: pgettext_lazy("settlement", "payment by place"),
    LineCause.TOP_PAYMENT: pgettext_lazy("settlement", "payment to the top"),
    LineCause.FEE: pgettext_lazy("settlement", "table fee"),
    LineCause.TOP_FEE: pgettext_lazy("settlement", "top's fee"),
}


CRITERIA: Mapping[str, StrPromise] = {
    Criterion.POINTS: pgettext_lazy("tie-break", "points"),
    Criterion.PLACE: pgettext_lazy("tie-break", "place"),
    Criterion.SCORE: pgettext_lazy("tie-break", "final score"),
    RULING: pgettext_lazy("tie-break", "the organizer's ruling"),
    Further.PLACES: pgettext_lazy("tie-break", "better places"),
    Further.BEST_SCORE: pgettext_lazy("tie-break", "best final score"),
    Further.HEAD_TO_HEAD: pgettext_lazy("tie-break", "points against one another"),
    Further.PRIOR: pgettext_lazy("tie-break", "the earlier order"),
    Further.SEED: pgettext_lazy("tie-break", "the seed"),
    Further.LOT: pgettext_lazy("tie-break", "lot"),
}


def criterion_name(criterion: str) -> str:
    """Return the name of a tie-break criterion, which was compared for two entrants with equal totals."""
    return str(CRITERIA.get(criterion, criterion))


def decision_criterion(decision: DecidedBy) -> str:
    """Return the name of the criterion that decided; of places counted, the place."""
    if decision["criterion"] == Further.PLACES and decision["number"]:
        return _("the number of %(place)s places") % {"place": place_text(decision["number"])}
    return criterion_name(decision["criterion"])


def compared_value(criterion: str, value: int, scale: int) -> str:
    """Format one side of a tie-break comparison; `scale` is that of the ledger that ranks."""
    if criterion in {Criterion.POINTS, Further.HEAD_TO_HEAD}:
        return points_text(value, scale)
    if criterion in {Criterion.SCORE, Further.BEST_SCORE}:
        return score_text(value)
    return place_text(value) if criterion == Criterion.PLACE else str(value)


class DecidedBy(TypedDict):
    """The criterion of a tie-break, and the number of the hanchan that decided; None for a ruling."""

    criterion: str
    number: int | None


class ComparedValues(DecidedBy):
    """The same with the values that were compared."""

    above_value: int
    below_value: int


class TieDecision(ComparedValues):
    """The tie-break between two neighbours with the same total, as a standing stores it."""

    above: int
    below: int
    above_hanchan: NotRequired[int | None]
    below_hanchan: NotRequired[int | None]
    clause: str | None


def decision_sentence(decision: ComparedValues, scale: int) -> str:
    """Explain why an entrant ranks below a neighbour with the same total; `decision` is that of a standing."""
    if decision["criterion"] == RULING:
        return _("Level on points; the organizer's ruling decided.")
    if decision["criterion"] in set(Further):
        return _("Level on points; decided by %(criterion)s: %(above)s against %(below)s.") % {
            "criterion": decision_criterion(decision),
            "above": compared_value(decision["criterion"], decision["above_value"], scale),
            "below": compared_value(decision["criterion"], decision["below_value"], scale),
        }
    return _("Level on points; hanchan %(number)s decided by %(criterion)s: %(above)s against %(below)s.") % {
        "number": decision["number"],
        "criterion": criterion_name(decision["criterion"]),
        "above": compared_value(decision["criterion"], decision["above_value"], scale),
        "below": compared_value(decision["criterion"], decision["below_value"], scale),
    }


def source_label(source: str, names: Names) -> str:
    """Describe the source of a slot's player: “Block A, 2nd” or “Aブロック2位”."""
    match parse_source(source):
        case Seed(number):
            return _("Seed %(number)s") % {"number": number}
        case RankOf(block, rank):
            return _("%(rank)s of %(block)s") % {"block": names.block(block), "rank": rank_text(rank)}
        case BestOf(stage, rank, number):
            values = {"stage": names.stage(stage), "rank": rank_text(rank), "number": rank_text(number)}
            if number == 1:
                return _("best %(rank)s of %(stage)s") % values
            return _("%(number)s best %(rank)s of %(stage)s") % values
        case Drawn(stage):
            return _("by draw, %(stage)s") % {"stage": names.stage(stage)}
        case _:
            return _("by ruling")


def destination_label(destination: str, names: Names, goes: str = "") -> str:
    """Return where a rank leads: a stage's name, the title, or nowhere.

    `goes` is the certain destination of the entrant who holds the rank, or empty while nothing is certain. Only a
    certain destination may be called "eliminated"; before that it is "below the cut".
    """
    if destination == OUT and not goes:
        return pgettext("destination", "below the cut")
    destination = goes or destination
    if (place := read_destination(destination)) is not None:
        return series_destination(place, names)
    if destination.startswith("best:"):
        return _("%(stage)s, if best of its rank") % {"stage": names.stage(destination.removeprefix("best:"))}
    if destination[:1].isdigit():
        return rank_text(int(destination.rstrip("stndrh")))
    return str(DESTINATIONS[destination]) if destination in DESTINATIONS else names.stage(destination)


DESTINATIONS: Mapping[str, StrPromise] = {
    CHAMPION: pgettext_lazy("destination", "champion"),
    OUT: pgettext_lazy("destination", "eliminated"),
    WITHDRAWN: pgettext_lazy("destination", "withdrawn"),
}


CUTS: Mapping[str, StrPromise] = {
    "in": gettext_lazy("above the cut"),
    "out": gettext_lazy("below the cut"),
    "through": pgettext_lazy("status", "certain"),
    "eliminated": pgettext_lazy("status", "eliminated"),
}
"""The side of a border; the last two only once they are certain."""


def slot_reason(reason: str) -> str:
    """Return the reason why a slot is still open, or an empty text if its state says enough."""
    return str(SLOT_REASONS.get(reason, ""))


SLOT_REASONS: Mapping[str, StrPromise] = {
    Reason.UNSEEDED: gettext_lazy("no player has this seed yet"),
    Reason.UNDRAWN: gettext_lazy("the draw is still to come"),
    Reason.NOT_STARTED: gettext_lazy("not started yet"),
    Reason.UNDER_WAY: gettext_lazy("being played"),
    Reason.TIED: gettext_lazy("tied: a ruling decides"),
    Reason.VACANT: gettext_lazy("no player holds this rank"),
    Reason.TWICE: gettext_lazy("this player already has a place here; the organizer decides"),
}


def wind_name(wind: str) -> str:
    """Return the name of a seat's wind."""
    return {
        Wind.EAST: pgettext("wind", "East"),
        Wind.SOUTH: pgettext("wind", "South"),
        Wind.WEST: pgettext("wind", "West"),
        Wind.NORTH: pgettext("wind", "North"),
    }[Wind(wind)]
