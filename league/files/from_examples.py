"""Converts worked examples of kind `standings` to a competition's file: a whole league, or a single block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from league.files.invented import InventedNames, invented_keys
from league.files.reading import ImportRefusedError
from league.files.shape import (
    CompetitionTable,
    FileDocument,
    HanchanTable,
    OverrideTable,
    PlayerTable,
    ResultTable,
    RulesTable,
    SessionTable,
    TableTable,
)
from league.models import Competition
from rulesets.example_kinds.standings import ExampleGame, StandingsExample, key_of
from rulesets.examples import ExampleFile
from scoring.format import Format
from scoring.ruleset import Fault
from scoring.sources import RankOf, Seed


def select_examples(file: ExampleFile, *, league: str = "", example_id: str = "") -> list[StandingsExample]:
    """Return the examples of a league, or the one with an id; by default those of the file's only league.

    Raise ImportRefusedError if there is no match, or if there are several leagues and none is named.
    """
    examples = [each for _kind, each in file.examples if isinstance(each, StandingsExample)]
    leagues = list(dict.fromkeys(each.league for each in examples if each.league))
    if not league and not example_id and len(leagues) == 1:
        league = leagues[0]
    found = [each for each in examples if (each.id == example_id if example_id else league and each.league == league)]
    if not found:
        message = _("name one league (%(leagues)s) or the id of one example of kind standings (%(ids)s)") % {
            "leagues": ", ".join(leagues),
            "ids": ", ".join(each.id for each in examples),
        }
        raise ImportRefusedError((Fault(file.source, "standings", example_id or league or None, message),))
    return found


def document_of_examples(
    file: ExampleFile, examples: Sequence[StandingsExample], target: InventedNames
) -> FileDocument:
    """Convert the examples to a published competition with players made from the names in them.

    Raise ImportRefusedError if the file names no format, or the examples differ in their options.
    """
    league_format = _format(file, examples)
    sessions = _first_sessions(league_format)
    keys = invented_keys((name for example in examples for name in example.players), target.slug)
    tables = [table for example in examples for table in _tables(example, league_format, sessions, keys)]
    used = sorted({table.session for table in tables})
    return FileDocument(
        competition=CompetitionTable(slug=target.slug, name=target.name, status=Competition.Status.PUBLISHED),
        rules=(RulesTable(ruleset=file.context.ruleset.name, format=league_format.name, options=examples[0].options),),
        players=tuple(PlayerTable(key=key, name=name) for name, key in keys.items()),
        seeds={
            key_of(each.stage): tuple(keys[name] for name in each.players)
            for each in examples
            if _is_seeded(each, league_format)
        },
        sessions=tuple(SessionTable(number=number) for number in used),
        tables=tuple(_labelled(tables)),
        overrides=tuple(_manual_slots(examples, league_format, keys)),
    )


def _format(file: ExampleFile, examples: Sequence[StandingsExample]) -> Format:
    league_format = file.context.format
    if league_format is None:
        message = _("name the format of the examples")
        raise ImportRefusedError((Fault(file.source, "conventions.format", None, message),))
    faults = []
    for each in examples:
        if key_of(each.stage) not in league_format.blocks:
            message = _("the format has these blocks: %(known)s") % {"known": ", ".join(league_format.blocks)}
            faults.append(Fault(file.source, f"standings.{each.id}.stage", each.stage, message))
        if each.options != examples[0].options:
            message = _("the examples of one league have the same options")
            faults.append(Fault(file.source, f"standings.{each.id}.options", each.options, message))
    if faults:
        raise ImportRefusedError(tuple(faults))
    return league_format


def _first_sessions(league_format: Format) -> dict[str, int]:
    """Return the number of each stage's first session."""
    first: dict[str, int] = {}
    number = 1
    for stage in league_format.stages:
        first[stage.key] = number
        number += stage.sessions or 1
    return first


def _tables(
    example: StandingsExample, league_format: Format, sessions: Mapping[str, int], keys: Mapping[str, str]
) -> Iterator[TableTable]:
    """Yield one table for the games of a session that the same people played."""
    block = key_of(example.stage)
    stage = league_format.stage_of[block]
    each_session = (stage.hanchan or len(example.games)) // (stage.sessions or 1)
    tables: dict[tuple[int, frozenset[str]], list[ExampleGame]] = {}
    for game in example.games:
        session = sessions[stage.key] + (game.no - 1) // each_session
        tables.setdefault((session, frozenset(game.players)), []).append(game)
    for (session, _players), games in tables.items():
        yield TableTable(
            session=session,
            block=block,
            players=tuple(keys[name] for name in games[0].players),
            hanchan=tuple(_hanchan(game, games[0], keys) for game in games),
        )


def _hanchan(game: ExampleGame, first: ExampleGame, keys: Mapping[str, str]) -> HanchanTable:
    players = None if game.players == first.players else tuple(keys[name] for name in game.players)
    result = ResultTable(
        scores=game.scores, kyoutaku=game.deposits, chonbo=game.chonbo, points=game.points, players=players
    )
    return HanchanTable(number=game.no, results=(result,))


def _labelled(tables: Sequence[TableTable]) -> Iterator[TableTable]:
    """Yield the tables with a table number within their session."""
    numbers: Counter[int] = Counter()
    for table in sorted(tables, key=lambda each: each.session):
        numbers[table.session] += 1
        yield table.model_copy(update={"table": f"{numbers[table.session]}卓"})


def _is_seeded(example: StandingsExample, league_format: Format) -> bool:
    return all(isinstance(source, Seed) for source in league_format.sources(key_of(example.stage)))


def _manual_slots(
    examples: Sequence[StandingsExample], league_format: Format, keys: Mapping[str, str]
) -> Iterator[OverrideTable]:
    """Yield overrides that fill by hand the slots of a block whose source is not part of the examples."""
    played = {key_of(each.stage) for each in examples}
    for example in examples:
        block = key_of(example.stage)
        sources = league_format.sources(block)
        led_to = all(isinstance(source, RankOf) and source.block in played for source in sources)
        if led_to or _is_seeded(example, league_format):
            continue
        reason = _("the example begins with this block")
        for slot, name in enumerate(example.players, start=1):
            yield OverrideTable(block=block, slot=slot, source="ruling", player=keys[name], reason=reason)
