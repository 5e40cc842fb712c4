"""Checks of one table of an imported file: its players, its hanchan, and their results and states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.files.book import FileRules
from league.files.check_results import CheckedSheet, result_faults
from league.files.finding import FileFinding
from league.files.people import People
from league.files.reading import Path
from league.files.shape import HanchanTable, ResultTable, TableTable
from league.models import Hanchan
from scoring.rests import last_number
from scoring.ruleset import Ruleset

State = Hanchan.State


def line_up_faults(at: At, hanchan: HanchanTable, planned: Sequence[str]) -> Iterator[FileFinding]:
    """Yield the faults of line-ups: unknown members, teams that do not play, a team or a member named twice."""
    seen: set[str] = set()
    for number, row in enumerate(hanchan.line_ups):
        path: Path = (*at.path, "line_ups", number)
        yield from at.people.find_unknown((*path, "player"), row.player, is_entrant=False)
        if row.team not in planned:
            yield FileFinding((*path, "team"), row.team, _("this team does not play this hanchan"))
        for key in (row.team, row.player):
            if key in seen:
                yield FileFinding(path, key, _("this stands in the file twice"))
            seen.add(key)


def substitute_faults(at: At, hanchan: HanchanTable, planned: Sequence[str]) -> Iterator[FileFinding]:
    """Yield the faults of planned substitutes: unknown people, teams, entrants without a seat, people seated twice."""
    sits = [hanchan.substitutes.get(key, key) for key in planned]
    for entrant, person in hanchan.substitutes.items():
        path: Path = (*at.path, "substitutes", entrant)
        yield from at.people.find_unknown(path, person, is_entrant=False)
        if entrant in at.people.teams:
            message = _("A member sits for %(name)s: name one as the line-up. No other person can stand in for a team.")
            yield FileFinding(path, person, message % {"name": entrant})
        elif entrant not in planned:
            yield FileFinding(path, person, _("%(name)s does not sit in this hanchan.") % {"name": entrant})
        elif sits.count(person) > 1:
            yield FileFinding(path, person, _("%(name)s sits at this table already.") % {"name": person})


@dataclass(frozen=True, slots=True)
class At:
    """The context of a check: a path in the file, the file's people, and the table's rules if they could be read."""

    path: Path
    people: People
    rules: Ruleset | None

    def below(self, *parts: str | int) -> At:
        """Return the context for a path below this one."""
        return replace(self, path=(*self.path, *parts))


def table_faults(at: At, table: TableTable, book: FileRules) -> Iterator[FileFinding]:
    """Yield the faults of the table itself, then those of each of its hanchan."""
    if table.rules is not None and table.rules > len(book.rulesets):
        message = _("there are rules 1 to %(last)s") % {"last": len(book.rulesets)}
        yield FileFinding((*at.path, "rules"), table.rules, message)
    if table.is_cancelled and any(hanchan.counts for hanchan in table.hanchan):
        message = _("a table with a result that counts was not cancelled")
        yield FileFinding((*at.path, "is_cancelled"), table.is_cancelled, message)
    yield from _company(at.below("players"), table.players)
    last = None
    if book.format and at.rules and table.block in book.format.stage_of:
        last = last_number(book.format, table.block, at.rules.players)
    for index, hanchan in enumerate(table.hanchan):
        if last is not None and hanchan.number > last:
            message = _("this stage has hanchan 1 to %(last)s") % {"last": last}
            yield FileFinding((*at.path, "hanchan", index, "number"), hanchan.number, message)
        yield from _hanchan(at.below("hanchan", index), hanchan, table.players)


def _hanchan(at: At, hanchan: HanchanTable, at_table: Sequence[str]) -> Iterator[FileFinding]:
    """Yield the faults of a hanchan: its planned players, its line-ups, every result, and its history."""
    yield from _company(at.below("players"), hanchan.players or ())
    planned = at_table if hanchan.players is None else hanchan.players
    yield from line_up_faults(at, hanchan, planned)
    yield from substitute_faults(at, hanchan, planned)
    for number, result in enumerate(hanchan.results):
        yield from _result(at.below("results", number), result, planned)
    yield from _history(at, hanchan)


def _result(at: At, result: ResultTable, planned: Sequence[str]) -> Iterator[FileFinding]:
    """Yield the faults of a result: its players, substitutes and members, then the result itself."""
    yield from _company(at.below("players"), result.players or ())
    for key in ("substitutes", "members"):
        for entrant, person in getattr(result, key).items():
            yield from at.people.find_unknown((*at.path, key, entrant), person, is_entrant=False)
    yield from result_faults(CheckedSheet(at.path, result, planned, at.rules))


def _company(at: At, keys: Sequence[str]) -> Iterator[FileFinding]:
    """Yield faults of a list of players: it is empty, or has as many different entrants as the rules seat."""
    yield from at.people.find_all_unknown(at.path, keys)
    seats = at.rules.players if at.rules else len(keys)
    if keys and (len(keys) != seats or len(set(keys)) != seats):
        message = _("a table seats %(seats)s different players") % {"seats": seats}
        yield FileFinding(at.path, list(keys), message)


def _history(at: At, hanchan: HanchanTable) -> Iterator[FileFinding]:
    """Yield faults of a hanchan's history.

    Every result but the last was voided, or is corrected by the next one, which gives the reason; the state fits the
    last result.
    """
    for number, (before, after) in enumerate(zip(hanchan.results, hanchan.results[1:], strict=False), start=1):
        if before.voided is None and not after.reason:
            yield FileFinding(
                (*at.path, "results", number, "reason"), None, _("say why the result before was corrected")
            )
    allowed = _states(hanchan)
    if hanchan.state is not None and hanchan.state not in allowed:
        message = _("with these results the state is one of: %(allowed)s") % {"allowed": ", ".join(allowed)}
        yield FileFinding((*at.path, "state"), hanchan.state.value, message)


def _states(hanchan: HanchanTable) -> tuple[Hanchan.State, ...]:
    """Return the states that a hanchan with these results can have."""
    return (State.FINISHED, State.ENDED_BY_TIME) if hanchan.counts else (State.SCHEDULED, State.ABANDONED)
