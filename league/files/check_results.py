"""Checks of one result of an imported file against the rules of its table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.files.finding import FileFinding
from league.files.reading import Path
from league.files.shape import ResultTable
from league.wording.messages import problem_message
from scoring.problems import Severity, problems
from scoring.ruleset import OptionError, Ruleset
from scoring.settlement import HanchanResult


@dataclass(frozen=True, slots=True)
class CheckedSheet:
    """A result with its planned players, and the rules of its table if they could be read."""

    path: Path
    result: ResultTable
    planned: Sequence[str]
    rules: Ruleset | None


def result_faults(sheet: CheckedSheet) -> Iterator[FileFinding]:
    """Yield the faults of a result: first its players, then its scores under the rules."""
    yield from _people(sheet)
    if sheet.rules is None:
        return
    try:
        rules = sheet.rules.with_options(sheet.result.options)
    except OptionError as error:
        for fault in error.faults:
            yield FileFinding((*sheet.path, *fault.key.split(".")), fault.value, fault.message)
        return
    yield from _problems(sheet, rules)
    for key in ("points", "places"):
        known = getattr(sheet.result, key)
        if known is not None and len(known) != rules.players:
            message = _("give one for each of the %(players)s seats, or leave it out") % {"players": rules.players}
            yield FileFinding((*sheet.path, key), [str(each) for each in known], message)


def _people(sheet: CheckedSheet) -> Iterator[FileFinding]:
    """Yield a fault if no players are named, or if a substitute or a member sits for an entrant who did not play."""
    players = players_of(sheet)
    if not players:
        yield FileFinding((*sheet.path, "players"), None, _("say who played: here, at the hanchan or at the table"))
        return
    for key in ("substitutes", "members"):
        for entrant in getattr(sheet.result, key):
            if entrant not in players:
                yield FileFinding((*sheet.path, key, entrant), None, _("this player did not play this hanchan"))


def players_of(sheet: CheckedSheet) -> Sequence[str]:
    """Return the keys of the entrants of a result; without its own list, those planned for the hanchan."""
    return sheet.planned if sheet.result.players is None else sheet.result.players


def result_of(result: ResultTable) -> HanchanResult:
    """Convert the result to the rule engine's type."""
    return HanchanResult(
        scores=result.scores,
        kyoutaku=result.kyoutaku,
        chonbo=result.chonbo,
        carried=result.carried,
        tobi=result.tobi,
    )


def _problems(sheet: CheckedSheet, rules: Ruleset) -> Iterator[FileFinding]:
    """Yield the engine's errors, and its warnings that the file does not accept by their code."""
    found = list(problems(result_of(sheet.result), rules))
    for problem in found:
        path = (*sheet.path, *(int(part) if part.isdigit() else part for part in problem.pointer.split("/") if part))
        value = _value(sheet.result, path[len(sheet.path) :])
        if problem.level is Severity.ERROR:
            yield FileFinding(path, value, problem_message(problem))
        elif problem.level is Severity.WARNING and problem.code not in sheet.result.accept:
            yield FileFinding(path, value, f"{problem_message(problem)} {how_to_accept(problem.code)}")
    is_well = not any(problem.level is Severity.ERROR for problem in found)
    is_blind = is_well and not sheet.result.are_seats_known
    if is_blind and rules.seat_order_matters(sheet.result.scores, sheet.result.kyoutaku):
        message = _("with these scores the rules go by the seats: find out who sat where")
        yield FileFinding((*sheet.path, "are_seats_known"), False, message)  # noqa: FBT003 - the value found


def how_to_accept(code: str) -> str:
    """Return the hint for accepting a warning in the file."""
    return _('If it is right, write accept = ["%(code)s"].') % {"code": code}


def _value(result: ResultTable, path: Path) -> object:
    """Return the value at a path of the result, or None."""
    value: object = result
    for part in path:
        if isinstance(value, tuple) and isinstance(part, int):
            value = value[part] if part < len(value) else None
        else:
            value = getattr(value, str(part), None)
    return value
