"""How the lot decided, for anybody to repeat: the seed of each draw, and every number's lot.

The one idea: a draw is told from the line it left in the log, so that it reads the same however the season went on.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from league.models import Block, Change, Draw, Entrant, Session, Stage
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import entrants_by_id
from scoring.seating.draws import lot

SHOWN_OF_LOT = 12
"""So many of a lot's 64 digits tell lots apart."""


@dataclass(frozen=True, slots=True)
class Lot:
    """A number with its lot, and where it came to; an entrant's number in the first draw, a place in the pool later."""

    number: int
    lot: str
    block: Block
    entrant: Entrant | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw: what was drawn, from which seed, its lots in ascending order, and how to work one out oneself."""

    change: Change
    subject: Stage | Session | None
    """None: the blocks at the beginning."""
    seed: str
    lots: tuple[Lot, ...]
    command: str


def drawn_in(reader: Reader) -> tuple[Drawn, ...]:
    """The draws that count and that the reader may know of, in the order they were made."""
    found = [*blocks_drawn(reader), *stages_drawn(reader), *seats_drawn(reader)]
    return tuple(sorted(found, key=lambda drawn: drawn.change.n))


def blocks_drawn(reader: Reader) -> Iterator[Drawn]:
    """Who was drawn into the first blocks; whatever filled them last is what counts."""
    change = reader.changes().filter(kind="blocks.filled").order_by("-n").first()
    after = change.after if change is not None else None
    if change is None or not after or not after.get("seed"):
        return
    where = {entrant: int(block) for block, entrants in after["blocks"].items() for entrant in entrants}
    people = entrants_by_id(reader.competition, where)
    blocks = Block.objects.in_bulk(set(where.values()))
    placed = {people[pk].number: (blocks[block], people[pk]) for pk, block in where.items() if pk in people}
    yield drawn_from(change, None, after["seed"], placed)


def stages_drawn(reader: Reader) -> Iterator[Drawn]:
    """Stages whose places were drawn and not drawn anew or taken back."""
    changes = {change.subject_id: change for change in reader.deciding_changes().filter(kind="stage.drawn")}
    rows = reader.decisions(Draw, pk__in=[int(pk) for pk in changes]).exclude(seed="").select_related("stage")
    for row in rows.prefetch_related("stage__blocks"):
        blocks = {block.key: block for block in row.stage.blocks.all()}
        placed = {number: (blocks[block], None) for block, numbers in row.result.items() for number in numbers}
        yield drawn_from(changes[str(row.pk)], row.stage, row.seed, placed)


def seats_drawn(reader: Reader) -> Iterator[Drawn]:
    """Seats drawn before a hanchan: the lots of each hanchan follow from the seed, its block and its number."""
    changes = list(reader.changes().filter(kind="seats.drawn").order_by("n"))
    sessions = Session.objects.in_bulk([int(change.subject_id) for change in changes])
    for change in changes:
        seed = change.after["seed"] if change.after else ""
        yield Drawn(change, sessions.get(int(change.subject_id)), seed, (), command(f"{seed}:A:1:7"))


def drawn_from(
    change: Change, stage: Stage | None, seed: str, placed: Mapping[int, tuple[Block, Entrant | None]]
) -> Drawn:
    """The lots of these numbers, each with the block it led to."""
    lots = sorted((lot(seed, number), number) for number in placed)
    rows = tuple(Lot(number, digest[:SHOWN_OF_LOT], *placed[number]) for digest, number in lots)
    return Drawn(change, stage, seed, rows, command(f"{seed}:{rows[0].number}") if rows else "")


def command(text: str) -> str:
    """What works out a lot at a terminal."""
    return f"printf %s {shlex.quote(text)} | sha256sum"
