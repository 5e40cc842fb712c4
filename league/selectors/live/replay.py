"""The record of a hanchan played online, replayed under the rules of its result: what the replay pages show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from league.models import Hanchan, Paifu, ResultSheet
from league.models.base import VersionedQuerySet
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedHanchan, played_hanchan
from league.selectors.exchange.paifu_play import PaifuPlayed, play_paifu
from league.selectors.rulebooks.rules_in_force import ruleset_of
from scoring.paifu.stored import parse_stored


def records_of(reader: Reader, hanchan: Hanchan) -> VersionedQuerySet:
    """Return the record of one of the reader's hanchan at the version that the reader reads; at most one row."""
    return Paifu.objects.as_of(reader.version).filter(hanchan=hanchan)


def has_replay(reader: Reader, hanchan: Hanchan, sheet: ResultSheet | None) -> bool:
    """Return True if the hanchan has a record to replay; `sheet` is its result that the reader may see, if any.

    A record is shown with a result alone, so that embargo and spoiler guard hide both.
    """
    return sheet is not None and records_of(reader, hanchan).exists()


def with_replay(reader: Reader, games: Sequence[PlayedHanchan]) -> set[int]:
    """Return the ids of those hanchan that have a record to replay, in one query."""
    shown = [game.hanchan.pk for game in games if game.sheet is not None]
    rows = Paifu.objects.as_of(reader.version).filter(hanchan__in=shown)
    return set(rows.order_by().values_list("hanchan", flat=True)) if shown else set()


@dataclass(frozen=True, slots=True)
class ShownReplay:
    """A replayed hanchan with the result that the reader may see."""

    game: PlayedHanchan
    played: PaifuPlayed

    @property
    def is_typed(self) -> bool:
        """Return True if the result was typed after the record was imported."""
        return self.game.sheet is None or self.game.sheet.made_from_sequence is None


def shown_replay(reader: Reader, hanchan: Hanchan) -> ShownReplay | None:
    """Return the replay of a hanchan; None unless it has a record and the reader may see its game and result."""
    if reader.guards_guests:
        return None
    (game,) = played_hanchan(reader, [hanchan])
    played = replay_of(reader, hanchan, game.sheet)
    return None if played is None else ShownReplay(game, played)


def replay_of(reader: Reader, hanchan: Hanchan, sheet: ResultSheet | None) -> PaifuPlayed | None:
    """Return the record as our engine plays it under the rules of the result; None if there is nothing to show."""
    row = records_of(reader, hanchan).first() if sheet is not None else None
    if row is None or sheet is None:
        return None
    record, rules = parse_stored(row.content), ruleset_of(sheet.rules, sheet.options)
    return play_paifu(record, rules) if record.seats == rules.players else None
