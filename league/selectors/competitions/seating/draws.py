"""Published draws that anyone can verify: the seed of each draw, and the lot of every number.

A draw is described by its entry in the change log, so the description stays the same however the season goes
on.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from league.models import Block, Change, Draw, Entrant, Hanchan, Session, Stage
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import entrants_by_id
from scoring.seating.draws import lot

SHOWN_OF_LOT = 12
"""Digits shown of a lot's 64; this many tell the lots apart."""


@dataclass(frozen=True, slots=True)
class Lot:
    """A number with its lot and the block it led to.

    The number is an entrant's number in the first draw, and a place in the pool in later ones.
    """

    number: int
    lot: str
    block: Block
    entrant: Entrant | None


@dataclass(frozen=True, slots=True)
class ShownDraw:
    """A draw: subject, seed, lots in ascending order, and a shell command that computes a lot."""

    change: Change
    subject: Stage | Session | None
    """None for the draw of the first blocks."""
    seed: str
    lots: tuple[Lot, ...]
    command: str


def drawn_in(reader: Reader) -> tuple[ShownDraw, ...]:
    """Return the draws in force that the reader may know of, in the order they were made."""
    found = [*blocks_drawn(reader), *stages_drawn(reader), *seats_drawn(reader)]
    return tuple(sorted(found, key=lambda drawn: drawn.change.n))


def blocks_drawn(reader: Reader) -> Iterator[ShownDraw]:
    """Yield the draw of the first blocks; only the latest filling of the blocks counts."""
    change = reader.changes().filter(kind="blocks.filled").order_by("-n").first()
    after = change.after if change is not None else None
    if change is None or not after or not after.get("seed"):
        return
    where = {entrant: int(block) for block, entrants in after["blocks"].items() for entrant in entrants}
    people = entrants_by_id(reader.competition, where)
    blocks = Block.objects.in_bulk(set(where.values()))
    placed = {people[pk].number: (blocks[block], people[pk]) for pk, block in where.items() if pk in people}
    yield drawn_from(change, None, after["seed"], placed)


def stages_drawn(reader: Reader) -> Iterator[ShownDraw]:
    """Yield the draws of stages that were neither repeated nor taken back."""
    changes = {change.subject_id: change for change in reader.deciding_changes().filter(kind="stage.drawn")}
    rows = reader.decisions(Draw, pk__in=[int(pk) for pk in changes]).exclude(seed="").select_related("stage")
    for row in rows.prefetch_related("stage__blocks"):
        blocks = {block.key: block for block in row.stage.blocks.all()}
        placed = {number: (blocks[block], None) for block, numbers in row.result.items() for number in numbers}
        yield drawn_from(changes[str(row.pk)], row.stage, row.seed, placed)


def seats_drawn(reader: Reader) -> Iterator[ShownDraw]:
    """Yield the draws of seats before a hanchan.

    The lots of each hanchan follow from the seed, its block and its number, so none are listed. The seed would tell the
    public who sits at a table held back, so it is hidden with it.
    """
    changes = list(reader.changes().filter(kind="seats.drawn").order_by("n"))
    if changes and not reader.is_staff:
        rows = Hanchan.objects.filter(table_session__competition=reader.competition, table_session__is_released=False)
        held_back = {str(pk) for pk in rows.values_list("pk", flat=True)}
        changes = [change for change in changes if held_back.isdisjoint((change.after or {}).get("seats", ()))]
    sessions = Session.objects.in_bulk([int(change.subject_id) for change in changes])
    for change in changes:
        seed = change.after["seed"] if change.after else ""
        yield ShownDraw(change, sessions.get(int(change.subject_id)), seed, (), command(f"{seed}:A:1:7"))


def drawn_from(
    change: Change, stage: Stage | None, seed: str, placed: Mapping[int, tuple[Block, Entrant | None]]
) -> ShownDraw:
    """Return a draw with the lots of these numbers and the block that each led to."""
    lots = sorted((lot(seed, number), number) for number in placed)
    rows = tuple(Lot(number, digest[:SHOWN_OF_LOT], *placed[number]) for digest, number in lots)
    return ShownDraw(change, stage, seed, rows, command(f"{seed}:{rows[0].number}") if rows else "")


def command(text: str) -> str:
    """Return a shell command that computes the lot of `text`, which is a seed with a number."""
    # printf instead of echo: echo would add a newline to the hashed text.
    return f"printf %s {shlex.quote(text)} | sha256sum"


def hanchan_with_drawn_seats(games: Sequence[Hanchan]) -> frozenset[int]:
    """Return the ids of those hanchan whose seats were drawn, by a whole schedule or for their session."""
    sessions = {str(game.table_session.session_id) for game in games}
    competitions = {str(game.block.competition_id) for game in games}
    scheduled = Q(subject_type="competition", subject_id__in=competitions, kind="schedule.written")
    rows = Change.objects.filter(
        scheduled | Q(subject_type="session", subject_id__in=sessions, kind="seats.drawn")
    ).values_list("kind", "after")
    written: set[int] = set()
    drawn: set[str] = set()
    for kind, after in rows:
        if kind == "seats.drawn":
            drawn.update((after or {}).get("seats", ()))
        else:
            written.update((after or {}).get("sessions", ()))
    return frozenset(game.pk for game in games if str(game.pk) in drawn or game.table_session.session_id in written)
