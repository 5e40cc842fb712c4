"""Competitions whose players play online, and simulated games of theirs as logs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from django.contrib.auth.models import User

from league.files.pasted_logs import BroughtLog
from league.models import Block, Competition, Entrant, PaifuImport, Role, TableSession
from league.selectors.access.actors import Actor
from league.services.exchange.paifu_import import apply_paifu_import, begin_paifu_import, continue_paifu_import
from scoring.paifu.records import Paifu
from tests import factories
from tests.paifu.mjlog import write_mjlog
from tests.paifu.simulated import simulated
from tests.paifu.tenhou_json import write_tenhou_json

_simulated = cache(simulated)
NAMES = ("kaze", "mori", "hana", "tsuki")
"""The online names of the four players of the first table."""


def online_league(slug: str = "online", **plan: Any) -> Competition:
    """Create a league of four players by the rules of Tenhou."""
    return factories.final_table(slug, ruleset="tenhou4", **plan)


def block_of(competition: Competition) -> Block:
    """Return the only block."""
    return competition.blocks.get()


def table_of(competition: Competition) -> TableSession:
    """Schedule the four hanchan of the only table."""
    return factories.table(block_of(competition))


def four(competition: Competition) -> list[Entrant]:
    """Return the four players in the order of seats."""
    return factories.in_block(block_of(competition))


def scorer(competition: Competition, name: str = "scorer") -> Actor:
    """Return a scorer of the competition."""
    return factories.actor(factories.user(name, Role.SCORER, competition, is_staff=True))


def game(seed: int = 1, names: Sequence[str] = (), *, accounts: bool = False) -> Paifu:
    """Return a simulated game of these names, by default of those of `NAMES`."""
    found, called = _simulated(seed), names or NAMES
    players = [
        replace(each, name=name, account=f"id-{name}" if accounts else "")
        for each, name in zip(found.players, called, strict=True)
    ]
    return replace(found, players=tuple(players))


def named(competition: Competition) -> tuple[str, ...]:
    """Return the players' own names, by which logs find them."""
    return tuple(entrant.player.name for entrant in four(competition))


def brought(*games: Paifu) -> list[BroughtLog]:
    """Return games as the logs of files."""
    return [BroughtLog(f"{each.game}.mjlog", write_mjlog(each).encode()) for each in games]


def as_tenhou_json(played: Paifu) -> BroughtLog:
    """Return a game as the JSON of tenhou.net/6."""
    return BroughtLog("log.json", json.dumps(write_tenhou_json(played)).encode())


def applied(competition: Competition, *games: Paifu, by: Actor, accept: Sequence[str] = ()) -> PaifuImport:
    """Bring games and import them; return the import as it is afterwards."""
    batch = begin_paifu_import(competition=competition, logs=brought(*games), by=by)
    return finish(apply_paifu_import(batch=batch, by=by, accept=accept))


def finish(batch: PaifuImport) -> PaifuImport:
    """Go on with an import until it is done."""
    following: tuple[int, int] | None = (batch.pk, batch.done)
    while following is not None:
        following = continue_paifu_import(*following)
    batch.refresh_from_db()
    return batch


def outcomes(batch: PaifuImport) -> list[tuple[str, list[str]]]:
    """Return the outcome of each game with the codes of its findings."""
    return [(row.outcome, [each["code"] for each in row.findings]) for row in batch.games.order_by("number")]


def staff(user: User) -> Actor:
    """Return a user as an actor of the admin."""
    return factories.actor(user)
