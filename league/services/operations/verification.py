"""Verify that stored derived data follows from the facts: rebuild everything and compare; nothing is written.

Rebuilt are: the settlement of every counting sheet under the rules it pins; each block's standings, the slots and
the outcome for both audiences; the prepared rows of the public pages; the copies of the final table that rankings
keep; the numbering of the changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Model

from league.models import (
    AUDIENCES,
    Audience,
    Block,
    Competition,
    EventListed,
    Outcome,
    Prepared,
    ResultSheet,
    SeatResult,
    SlotState,
    Standing,
    Tally,
)
from league.selectors.access.readers import Reader, public_reader_of
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.selectors.standings.derivation import derive, facts_at, tallied_blocks
from league.selectors.standings.derived_rows import RowTargets, derivation_rows
from league.selectors.standings.prepared import LAYOUT
from league.selectors.standings.tally_sums import Key
from league.services.results.entry import SheetEntry
from league.services.results.sheets import line_as_json, ranking_points
from league.services.seasons.rankings import final_table
from league.services.standings.prepared import as_stored, prepared_parts
from league.services.standings.tallies import rebuilt_tallies
from scoring.ruleset import FaultsError
from scoring.settlement import InvalidResultError, Settlement, settle

DERIVED = frozenset({"id", "audience", "computed_version"})
"""Columns of a derived row that are not compared."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored value that does not follow from the facts."""

    where: str
    what: str
    stored: object
    rebuilt: object

    def __str__(self) -> str:
        return f"{self.where}: {self.what} is {self.stored!r}, but the facts give {self.rebuilt!r}"


def differences_of(competition: Competition) -> Iterator[Difference]:
    """Yield every difference, in the order: changes, sheets, derived rows, prepared rows and copies.

    While standings are behind the facts, their rows are not compared: being behind is the difference. Prepared rows
    and the copies for rankings are made from derived ones and compared only if those are right.
    """
    competition.refresh_from_db()
    yield from _numbering(competition)
    yield from _sheets(competition)
    if competition.computed_version == competition.version:
        derived = [difference for audience in AUDIENCES for difference in _derived(competition, audience)]
        yield from derived or (*_prepared(competition), *_copies(competition))


def _numbering(competition: Competition) -> Iterator[Difference]:
    """Check that changes are numbered from 1 to the version without gaps, and that the published versions fit."""
    where = competition.slug
    numbers = list(competition.changes.order_by("n").values_list("n", flat=True))
    missing = sorted(set(range(1, competition.version + 1)) - set(numbers))
    beyond = [n for n in numbers if n > competition.version]
    if missing or beyond:
        yield Difference(where, "numbers of changes missing or beyond the version", [*missing, *beyond], [])
    if competition.computed_version != competition.version:
        yield Difference(where, "computed version", competition.computed_version, competition.version)
    published = list(competition.changes.filter(is_public=True).order_by("n").values_list("n", flat=True))
    public = max((n for n in published if n <= competition.computed_version), default=0)
    if competition.public_version != public:
        yield Difference(where, "public version", competition.public_version, public)
    shown = sum(n <= competition.shown_n for n in published)
    if competition.shown_version != shown:
        yield Difference(where, "version shown to the public", competition.shown_version, shown)


def _sheets(competition: Competition) -> Iterator[Difference]:
    """Settle every counting sheet again and compare."""
    sheets = ResultSheet.objects.counting().filter(hanchan__table_session__competition=competition)
    related = sheets.select_related(
        "rules__ruleset",
        "rules__format",
        "hanchan__block",
        "hanchan__table_session__session",
        "hanchan__table_session__block",
    ).prefetch_related("seats")
    for sheet in related.order_by("pk").iterator(chunk_size=500):
        yield from _sheet(sheet)


def _sheet(sheet: ResultSheet) -> Iterator[Difference]:
    where = f"{sheet} (sheet {sheet.pk})"
    try:
        rules = ruleset_of(sheet.rules, sheet.options)
        entry = SheetEntry.of_sheet(sheet)
        settlement = settle(entry.hanchan_result(), rules)
    except (FaultsError, InvalidResultError) as error:
        yield Difference(where, "result", "settled", str(error))
        return
    points = ranking_points(sheet, entry, settlement)
    for seat in sheet.seats.all():
        rebuilt = {**_rebuilt(settlement, seat.seat), "points": points[seat.seat]}
        yield from _compared(f"{where}, seat {seat.seat}", seat, rebuilt)


def _rebuilt(settlement: Settlement, seat: int) -> Mapping[str, object]:
    """Return the values that a seat of a sheet must have."""
    return {
        "final_score": settlement.final_scores[seat],
        "place": settlement.places[seat],
        "totals": {ledger: totals[seat] for ledger, totals in settlement.totals.items()},
        "lines": [line_as_json(line) for line in settlement.lines if line.seat == seat],
    }


def _compared(where: str, row: SeatResult, rebuilt: Mapping[str, object]) -> Iterator[Difference]:
    for name, value in rebuilt.items():
        stored = getattr(row, name)
        if stored != value:
            yield Difference(where, name, stored, value)


def _derived(competition: Competition, audience: Audience) -> Iterator[Difference]:
    """Compare standings, slots, outcome and tallies of this audience."""
    version = competition.version if audience == Audience.STAFF else competition.public_version
    derivation = derive(facts_at(Reader(competition, audience, version)))
    rebuilt: tuple[Iterable[Model], ...] = derivation_rows(RowTargets.of(competition), derivation, audience)
    stored: tuple[Iterable[Model], ...] = (
        Standing.objects.filter(block__competition=competition, audience=audience),
        SlotState.objects.filter(slot__block__competition=competition, audience=audience),
        Outcome.objects.filter(competition=competition, audience=audience),
    )
    keys = ("block_id", "entrant_id"), ("slot_id",), ("competition_id",)
    for there, wanted, key in zip(stored, rebuilt, keys, strict=True):
        yield from _rows_compared(f"{competition.slug}, {audience}", _by_key(there, key), _by_key(wanted, key))

    for block in tallied_blocks(competition):
        yield from _tallies(Reader(competition, audience, competition.version), block)


def _prepared(competition: Competition) -> Iterator[Difference]:
    """Compare the prepared rows of a league's public pages; those of another release are never read."""
    if competition.kind != Competition.Kind.LEAGUE or not competition.computed_version:
        return
    rows = list(Prepared.objects.filter(competition=competition))
    if any(row.layout != LAYOUT for row in rows):
        return
    derivation = derive(facts_at(Reader(competition, Audience.PUBLIC, competition.public_version)))
    rebuilt = {(part, key): as_stored(data) for part, key, data in prepared_parts(competition, derivation)}
    stored = {(row.part, row.key): row.data for row in rows}
    for part, key in sorted(stored.keys() | rebuilt.keys()):
        there, wanted = stored.get((part, key), {}), rebuilt.get((part, key), {})
        for name in sorted(there.keys() | wanted.keys()):
            if there.get(name) != wanted.get(name):
                where = f"{competition.slug}, prepared {part} {key}"
                yield Difference(where, name, there.get(name), wanted.get(name))


def _copies(competition: Competition) -> Iterator[Difference]:
    """Compare the final table with the copy of it in each ranking that counts the competition."""
    events = list(EventListed.objects.filter(competition=competition, ended_at=None).select_related("ranking"))
    table = final_table(public_reader_of(competition)) if events else []
    rebuilt = {player: (place, len(table), points) for player, place, points in table}
    for event in events:
        where = f"{competition.slug}, ranking {event.ranking.slug}"
        if event.seen_version != competition.computed_version:
            yield Difference(where, "version copied", event.seen_version, competition.computed_version)
            continue
        stored = {row.player_id: (row.place, row.players, row.points) for row in event.results.all()}
        for player in sorted(stored.keys() | rebuilt.keys()):
            if stored.get(player) != rebuilt.get(player):
                what = f"place, players and points of player {player}"
                yield Difference(where, what, stored.get(player), rebuilt.get(player))


def _tallies(reader: Reader, block: Block) -> Iterator[Difference]:
    """Compare an open block's tallies with those computed from all results."""
    rebuilt = {key: each for key, each in rebuilt_tallies(reader, block).items() if each.says_something}
    stored = {
        Key(row.entrant_id, Tally.Period(row.period), row.since): row
        for row in Tally.objects.filter(block=block, audience=reader.audience)
    }
    for key in sorted(stored.keys() | rebuilt.keys()):
        where = f"{reader.competition.slug}, {reader.audience}, tally {'/'.join(map(str, key))}"
        row, each = stored.get(key), rebuilt.get(key)
        if row is None or each is None:
            yield Difference(where, "row", "missing" if row is None else "there", "none" if row else "one")
            continue
        for name, value in each.as_columns().items():
            if getattr(row, name) != value:
                yield Difference(where, name, getattr(row, name), value)


def _by_key(rows: Iterable[Model], key: tuple[str, ...]) -> dict[tuple[object, ...], Model]:
    return {tuple(getattr(row, name) for name in key): row for row in rows}


def _rows_compared(
    where: str, stored: Mapping[tuple[object, ...], Model], wanted: Mapping[tuple[object, ...], Model]
) -> Iterator[Difference]:
    """Yield missing rows, surplus rows, and differing columns of rows that exist on both sides."""
    for key in sorted(stored.keys() | wanted.keys()):
        there, rebuilt = stored.get(key), wanted.get(key)
        row = there or rebuilt
        kind = row._meta.model_name if row else ""
        name = f"{where}, {kind} {'/'.join(map(str, key))}"
        if there is None or rebuilt is None:
            yield Difference(name, "row", "missing" if there is None else "there", "none" if there else "one")
            continue
        for column in rebuilt._meta.concrete_fields:
            if column.name in DERIVED:
                continue
            old, new = getattr(there, column.attname), getattr(rebuilt, column.attname)
            if old != new:
                yield Difference(name, column.name, old, new)
