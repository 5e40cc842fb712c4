"""Consistency checks of an imported file: unknown people, tables without their block, scores that do not add up.

Each check is a generator of findings: the path, the value found, and the values allowed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain

from django.utils.translation import gettext as _

from league.files.book import FileRules, book_of, zone_of
from league.files.check_tables import At, table_faults
from league.files.check_teams import member_faults
from league.files.finding import FileFinding
from league.files.people import People, people_of
from league.files.reading import CompetitionFile, Path
from league.files.shape import FileDecision, FileDocument, HanchanTable, OverrideTable, PairedTable
from scoring.format import Assignment, Format
from scoring.ruleset import Fault
from scoring.sources import Seed, parse_source


def check_file(file: CompetitionFile) -> tuple[FileRules, tuple[Fault, ...]]:
    """Return the rules of the file, and all its faults: of shape, of its rules, and contradictions within it."""
    book, faults = book_of(file)
    found = tuple(file.fault(each.path, each.value, each.message) for each in _found(file, book))
    return book, (*file.faults, *faults, *found)


def _found(file: CompetitionFile, book: FileRules) -> Iterator[FileFinding]:
    document, people = file.document, people_of(file)
    yield from _competition(file, document)
    yield from _duplicate_keys(document)
    yield from _steps(document)
    yield from _sessions(document)
    yield from member_faults(document, people)
    for index, table in enumerate(document.tables):
        yield from table_faults(At(("tables", index), people, book.ruleset_of(table)), table, book)
    yield from _numbers_played(document, book.format)
    yield from _who_decided(document, people)
    yield from _pairings(document, people)
    if book.format:
        yield from _seeds(document, book.format, people)
        yield from _blocks(document, book.format)
        yield from _overrides(document, book.format)
        yield from _draws(document, book.format)
    yield from _adjustments(document, book)
    yield from _credits(document, book)


def _competition(file: CompetitionFile, document: FileDocument) -> Iterator[FileFinding]:
    """Check that the file names rules, and that the time zone exists."""
    if not document.rules and not (isinstance(file.data, dict) and file.data.get("rules")):
        yield FileFinding(("rules",), None, _("name the rules: at least one entry with ruleset and format"))
    name = document.competition.time_zone
    if zone_of(name) is None:
        yield FileFinding(("competition", "time_zone"), name, _("there is no such time zone; write it like Asia/Tokyo"))


def _duplicate_keys(document: FileDocument) -> Iterator[FileFinding]:
    """Check that each key, and each session number, belongs to one entry only."""
    lists: Mapping[str, Sequence[object]] = {
        "players": [row.key for row in document.players],
        "sessions": [row.number for row in document.sessions],
        "rulesets": [row.key for row in document.rulesets],
        "formats": [row.key for row in document.formats],
    }
    for name, keys in lists.items():
        for index, key in enumerate(keys):
            if key in keys[:index]:
                yield FileFinding((name, index), key, _("this stands in the file twice"))


def _steps(document: FileDocument) -> Iterator[FileFinding]:
    """Check that either all events of the file have a step, or none of them has."""
    steps = list(steps_of(document))
    told = sum(step is not None for _path, step in steps)
    if 0 < told < len(steps):
        for path, step in steps:
            if step is None:
                yield FileFinding(
                    (*path, "step"), None, _("give every result and every decision its step, or none of them")
                )


def steps_of(document: FileDocument) -> Iterator[tuple[Path, int | None]]:
    """Yield the path of every event of the file, with its step or None."""
    for t, table in enumerate(document.tables):
        for h, hanchan in enumerate(table.hanchan):
            yield from _steps_of_hanchan(("tables", t, "hanchan", h), hanchan)
    for name, rows in decisions_of(document).items():
        for index, row in enumerate(rows):
            yield (name, index), row.step
            taken_back = getattr(row, "taken_back", None)
            if taken_back:
                yield (name, index, "taken_back"), taken_back.step


def _steps_of_hanchan(path: Path, hanchan: HanchanTable) -> Iterator[tuple[Path, int | None]]:
    for number, line_up in enumerate(hanchan.line_ups):
        yield (*path, "line_ups", number), line_up.step
    for number, result in enumerate(hanchan.results):
        at: Path = (*path, "results", number)
        yield at, result.step
        if result.voided:
            yield (*at, "voided"), result.voided.step


def decisions_of(document: FileDocument) -> Mapping[str, Sequence[FileDecision]]:
    """Return the lists of decisions by their key in the file."""
    return {
        "withdrawals": document.withdrawals,
        "draws": document.draws,
        "overrides": document.overrides,
        "credits": document.credits,
        "pairings": document.pairings,
        "adjustments": document.adjustments,
        "closings": document.closings,
        "rulings": document.rulings,
    }


def _sessions(document: FileDocument) -> Iterator[FileFinding]:
    """Check that every table belongs to a session of the file."""
    known = sorted(row.number for row in document.sessions)
    for index, table in enumerate(document.tables):
        if table.session not in known:
            message = _("there is no such session; there are: %(known)s") % {"known": _listed(known)}
            yield FileFinding(("tables", index, "session"), table.session, message)


def _numbers_played(document: FileDocument, league_format: Format | None) -> Iterator[FileFinding]:
    """Check that no player has two results for the same hanchan number of a block, or more results than hanchan.

    Only stages with a fixed number of hanchan are checked.
    """
    seen: set[tuple[str, int, str]] = set()
    played = Counter[tuple[str, str]]()
    for t, table in enumerate(document.tables):
        stage = league_format.stage_of.get(table.block) if league_format else None
        if stage is None or stage.hanchan is None:
            continue
        for h, hanchan in enumerate(table.hanchan):
            if not hanchan.counts:
                continue
            planned = table.players if hanchan.players is None else hanchan.players
            for player in hanchan.results[-1].players or planned:
                if (table.block, hanchan.number, player) in seen:
                    message = _("%(player)s has a result for hanchan %(number)s of %(block)s already")
                    told = {"player": player, "number": hanchan.number, "block": table.block}
                    yield FileFinding(("tables", t, "hanchan", h, "number"), hanchan.number, message % told)
                seen.add((table.block, hanchan.number, player))
                played[table.block, player] += 1
                if played[table.block, player] == stage.hanchan + 1:
                    message = _("%(player)s has more results than the %(count)s hanchan of %(block)s")
                    told = {"player": player, "count": stage.hanchan, "block": table.block}
                    yield FileFinding(("tables", t, "hanchan", h), hanchan.number, message % told)


def _who_decided(document: FileDocument, people: People) -> Iterator[FileFinding]:
    """Check that the players named in decisions are entrants of the file."""
    for i, withdrawal in enumerate(document.withdrawals):
        yield from people.find_unknown(("withdrawals", i, "player"), withdrawal.player)
    for i, credit in enumerate(document.credits):
        yield from people.find_unknown(("credits", i, "player"), credit.player)
    for i, adjustment in enumerate(document.adjustments):
        yield from people.find_unknown(("adjustments", i, "player"), adjustment.player)
        if adjustment.member is not None:
            yield from people.find_unknown(("adjustments", i, "member"), adjustment.member, is_entrant=False)
    for i, ruling in enumerate(document.rulings):
        yield from people.find_all_unknown(("rulings", i, "players"), ruling.players)
    for i, override in enumerate(document.overrides):
        named = {"player": override.player, "pass_over": override.pass_over}
        for key, player in named.items():
            yield from people.find_unknown(("overrides", i, key), player) if player is not None else ()


def _pairings(document: FileDocument, people: People) -> Iterator[FileFinding]:
    """Check that the players of paired rounds are entrants, and their tables in the file."""
    for i, pairing in enumerate(document.pairings):
        for level, keys in enumerate(pairing.order):
            yield from people.find_all_unknown(("pairings", i, "order", level), keys)
        for t, table in enumerate(pairing.tables):
            at: Path = ("pairings", i, "tables", t)
            yield from people.find_all_unknown((*at, "players"), named_in(table))
            if table.at is not None and table.at > len(document.tables):
                yield FileFinding((*at, "at"), table.at, _("the file has no such table"))


def named_in(table: PairedTable) -> tuple[str, ...]:
    """Return the keys of all players that a paired table names."""
    met = chain.from_iterable((key, *others) for key, others in table.met.items())
    pairs = chain.from_iterable(each.players for each in table.terms)
    return tuple(dict.fromkeys((*table.players, *pairs, *table.nearest.players, *met)))


def _seeds(document: FileDocument, league_format: Format, people: People) -> Iterator[FileFinding]:
    """Check that seeds are given for seeded blocks only, and at most one player for each seeded slot."""
    for block, keys in document.seeds.items():
        yield from people.find_all_unknown(("seeds", block), keys)
        seeded = _seeds_in(league_format, block) if block in league_format.blocks else []
        if not seeded:
            known = [key for key in league_format.blocks if _seeds_in(league_format, key)]
            message = _("players are seeded into these blocks: %(known)s") % {"known": _listed(known)}
            yield FileFinding(("seeds", block), None, message)
        elif len(keys) > len(seeded) or len(set(keys)) < len(keys):
            message = _("this block has places for %(slots)s different players") % {"slots": len(seeded)}
            yield FileFinding(("seeds", block), list(keys), message)


def _seeds_in(league_format: Format, block: str) -> list[Seed]:
    return [source for source in league_format.sources(block) if isinstance(source, Seed)]


def _blocks(document: FileDocument, league_format: Format) -> Iterator[FileFinding]:
    """Check that every block, and every ruling's scope, exists in the format."""
    message = _("the format has these blocks: %(known)s") % {"known": _listed(league_format.blocks)}
    for name in ("tables", "overrides", "credits", "pairings", "adjustments", "closings"):
        for index, row in enumerate(getattr(document, name)):
            if row.block not in league_format.blocks:
                yield FileFinding((name, index, "block"), row.block, message)
    for index, ruling in enumerate(document.rulings):
        stage = ruling.scope.removeprefix("best:").split("#")[0]
        is_comparison = ruling.scope.startswith("best:") and stage in league_format.blocks_of
        if ruling.scope not in league_format.blocks and not is_comparison:
            yield FileFinding(("rulings", index, "scope"), ruling.scope, message)


def _overrides(document: FileDocument, league_format: Format) -> Iterator[FileFinding]:
    """Check that an override either fills a slot of its block from a source, or passes over an entrant."""
    for index, row in enumerate(document.overrides):
        path: Path = ("overrides", index)
        if row.swapped_with is not None:
            yield from _swap(path, row, league_format)
            continue
        if (row.slot is None) == (row.pass_over is None) or bool(row.source) != (row.slot is not None):
            yield FileFinding(path, None, _("give either slot and source, or pass_over"))
            continue
        if row.slot is None:
            continue
        size = len(league_format.sources(row.block)) if row.block in league_format.blocks else row.slot
        if row.slot > size:
            yield FileFinding((*path, "slot"), row.slot, _("this block has slots 1 to %(last)s") % {"last": size})
        if (row.source == "ruling") != (row.player is not None):
            yield FileFinding(
                (*path, "player"), row.player, _("name a player with the source ruling, and only with it")
            )
        try:
            parse_source(row.source)
        except ValueError as error:
            yield FileFinding((*path, "source"), row.source, str(error))


def _swap(path: Path, row: OverrideTable, league_format: Format) -> Iterator[FileFinding]:
    """Check a swap: it names two existing slots and nothing else."""
    if row.slot is None or row.source or row.player or row.pass_over or row.swapped_with is None:
        yield FileFinding(path, None, _("of slots that change places name the two, and nothing else"))
        return
    for field, block, slot in (("slot", row.block, row.slot), ("swapped_with", *row.swapped_with)):
        size = len(league_format.sources(block)) if block in league_format.blocks else 0
        if slot > size:
            yield FileFinding((*path, field), slot, _("this block has slots 1 to %(last)s") % {"last": size})


def _draws(document: FileDocument, league_format: Format) -> Iterator[FileFinding]:
    """Check that draws are given for drawn stages only."""
    drawn = [stage.key for stage in league_format.stages if stage.assignment is Assignment.DRAWN]
    for index, row in enumerate(document.draws):
        if row.stage not in drawn:
            message = _("these stages are drawn: %(known)s") % {"known": _listed(drawn)}
            yield FileFinding(("draws", index, "stage"), row.stage, message)


def _adjustments(document: FileDocument, book: FileRules) -> Iterator[FileFinding]:
    """Check that the rules list a penalty's cause, that other points are not 0, and the scale of the ranking ledger."""
    listed = {each.key for rules in book.rulesets if rules for each in rules.settlement.penalties}
    for index, row in enumerate(document.adjustments):
        path: Path = ("adjustments", index, "points")
        if row.cause and row.cause not in listed:
            known = _listed(sorted(listed))
            message = _("the rules of the file list no such penalty; they have: %(known)s") % {"known": known}
            yield FileFinding(("adjustments", index, "cause"), row.cause, message)
        if row.points == 0 and not row.cause:
            yield FileFinding(path, "0", _("an adjustment of 0 changes nothing"))
        else:
            yield from _amount(path, row.points, book)


def _credits(document: FileDocument, book: FileRules) -> Iterator[FileFinding]:
    """Check that no entrant is credited twice for a round, and that the points are representable."""
    seen: set[tuple[str, int, str]] = set()
    for index, row in enumerate(document.credits):
        if row.points is not None:
            yield from _amount(("credits", index, "points"), row.points, book)
        if row.taken_back is None:
            if (row.block, row.number, row.player) in seen:
                yield FileFinding(("credits", index), row.player, _("this stands in the file twice"))
            seen.add((row.block, row.number, row.player))


def _amount(path: Path, points: Fraction, book: FileRules) -> Iterator[FileFinding]:
    """Check that an amount is a multiple of the ranking ledger's smallest unit."""
    scale = next((rules.ranking_ledger.scale for rules in book.rulesets if rules), None)
    if scale is not None and (points * scale).denominator != 1:
        yield FileFinding(path, str(points), _("the ledger keeps multiples of 1/%(scale)s") % {"scale": scale})


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values)) or _("none")
