"""Preview of an import of online games: players, hanchan, every hand beside ours, and everything wrong or odd."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.models import Competition, Hanchan, ImportedPaifu, PaifuImport
from league.platform.errors import Finding, Level, ServiceError
from league.selectors.access.actors import Actor
from league.selectors.exchange.paifu_matching import AwaitingIndex, Match, PeopleIndex, SeatedPerson
from league.selectors.exchange.paifu_play import PaifuPlayed, play_kept
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.exchange.paifu_checks import (
    findings_of_game,
    refuse_known,
    refuse_other_size,
    refuse_unmatched,
)
from league.services.exchange.paifu_game import sheet_entry_of
from league.services.results.batches import Incoming, previewed_findings
from scoring.paifu.records import Paifu
from scoring.paifu.stored import parse_stored

RESEATED = "seats_not_as_scheduled"
"""A warning that means nothing here: the game seats its players as the log has them."""
Outcome = ImportedPaifu.Outcome


@dataclass(frozen=True, slots=True)
class GamePreview:
    """One game of an import as it would be imported now."""

    game: ImportedPaifu
    record: Paifu | None
    """None for a log that could not be read."""
    matches: tuple[Match, ...] = ()
    hanchan: Hanchan | None = None
    is_added: bool = False
    """True if an open table adds a hanchan for it."""
    offers: tuple[Hanchan, ...] = ()
    """Other hanchan that may be chosen."""
    played: PaifuPlayed | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Return True if only warnings are left."""
        return self.played is not None and not any(finding.level is Level.ERROR for finding in self.findings)


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """Games of an import, and the people who may be chosen for seats."""

    batch: PaifuImport
    games: tuple[GamePreview, ...]
    people: tuple[SeatedPerson, ...]

    @property
    def warnings(self) -> dict[str, list[str]]:
        """Return the warnings of games that are ready, by the code that accepts them, with the games' numbers."""
        found: dict[str, list[str]] = {}
        for one in self.games:
            for finding in one.findings if one.is_ready else ():
                found.setdefault(finding.code, []).append(f"{one.game.number}. {finding.message}")
        return found

    @property
    def ready(self) -> int:
        """Return the number of games that can be imported."""
        return sum(one.is_ready for one in self.games)


def preview_import(batch: PaifuImport, by: Actor) -> ImportPreview:
    """Return what an import would do now; nothing is written and nothing is locked.

    Games of one company take their hanchan in the order of play, as the import gives them out.
    """
    rows = list(batch.games.select_related("hanchan").order_by("number"))
    awaiting = AwaitingIndex.of(batch.competition, batch.table_session)
    pending = [row for row in rows if row.content is not None and row.outcome in {Outcome.PENDING, Outcome.REFUSED}]
    awaiting.reserved.update(row.hanchan_id for row in pending if row.hanchan_id is not None)
    people: dict[dt.date | None, PeopleIndex] = {None: PeopleIndex.of(batch.competition, None, batch.table_session)}
    games = [_preview(row, batch, awaiting, people) for row in rows]
    return ImportPreview(
        batch, _with_result_findings(games, batch.competition, by), tuple(people[None].seated.values())
    )


def _preview(
    row: ImportedPaifu,
    batch: PaifuImport,
    awaiting: AwaitingIndex,
    people: dict[dt.date | None, PeopleIndex],
) -> GamePreview:
    if row.content is None:
        return GamePreview(row, None)
    record = parse_stored(row.content)
    if row.outcome == Outcome.IMPORTED:
        return GamePreview(row, record, hanchan=row.hanchan)
    day = record.played_at.date() if record.played_at else None
    if day not in people:
        people[day] = PeopleIndex.of(batch.competition, day, batch.table_session)
    matches = people[day].matches(record, row.seats)
    if row.outcome == Outcome.LEFT_OUT:
        return GamePreview(row, record, matches)
    try:
        refuse_unmatched(matches)
    except ServiceError as error:
        return GamePreview(row, record, matches, findings=error.findings)
    entrants = [match.seated.entrant.pk for match in matches if match.seated]
    hanchan = awaiting.take(entrants, row.hanchan_id)
    offers = tuple(awaiting.offers(entrants, record.seats))
    is_added = hanchan is None and batch.competition.kind == Competition.Kind.OPEN and batch.table_session_id is None
    if hanchan is None and not is_added:
        message = _("No hanchan of these players awaits a result. Check the players, or schedule the hanchan first.")
        finding = Finding("no_such_hanchan", message, "/hanchan")
        return GamePreview(row, record, matches, offers=offers, findings=(finding,))
    return _played(GamePreview(row, record, matches, hanchan, is_added, offers), record, batch.competition)


def _played(one: GamePreview, record: Paifu, competition: Competition) -> GamePreview:
    """Return the preview with the game as our engine plays it, and everything wrong or odd about it."""
    rules = ruleset_of(one.hanchan.rules, one.hanchan.options) if one.hanchan else ruleset_of(rules_at(competition))
    entrants = [match.seated.entrant.pk for match in one.matches if match.seated]
    played: PaifuPlayed | None = None
    found: list[Finding] = []
    try:
        refuse_other_size(record, rules)
        refuse_known(record, competition, entrants)
        played = play_kept(one.game.content, rules)
        found += findings_of_game(played)
    except ServiceError as error:
        found += error.findings
    return GamePreview(one.game, record, one.matches, one.hanchan, one.is_added, one.offers, played, tuple(found))


def _with_result_findings(games: Sequence[GamePreview], competition: Competition, by: Actor) -> tuple[GamePreview, ...]:
    """Return the games with what recording their results would find; one batch reads the surroundings for all."""
    incoming = {
        place: Incoming(one.hanchan, sheet_entry_of(one.played, one.matches, one.hanchan), made_from=0)
        for place, one in enumerate(games)
        if one.played is not None and one.hanchan is not None and one.is_ready
    }
    if not incoming:
        return tuple(games)
    try:
        judged = previewed_findings(competition, list(incoming.values()), by)
    except ServiceError as error:
        judged = [error.findings] * len(incoming)
    added = {
        place: tuple(finding for finding in found if finding.code != RESEATED)
        for place, found in zip(incoming, judged, strict=True)
    }
    return tuple(replace(one, findings=(*one.findings, *added.get(place, ()))) for place, one in enumerate(games))
