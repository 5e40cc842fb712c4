"""Stages, blocks and slots of a competition, made from its format and adapted when another format comes into force.

The one idea: rows are matched by their keys. What has been played keeps its stage, its blocks and the sources of its
slots; everything later may be added, removed, filled from elsewhere or given another title.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.models import Block, Competition, Slot, Stage
from league.platform.errors import Finding, RuleViolationError
from league.wording.names import title_in, title_of
from scoring.format import Format
from scoring.format import Stage as FormatStage

Layout = Mapping[tuple[str, str], tuple[int | None, tuple[str, ...]]]
"""By stage and block, in the order of play: hanchan for each entrant, and the sources of the slots."""


def layout_of(league_format: Format) -> Layout:
    """Return the structure that a format asks for."""
    return {
        (stage.key, block.key): (stage.hanchan, tuple(map(str, league_format.sources(block.key))))
        for stage in league_format.stages
        for block in stage.all_blocks
    }


def layout_now(competition: Competition) -> Layout:
    """Return the structure that the rows of a competition have now."""
    sources: dict[int, list[str]] = {}
    for slot in Slot.objects.filter(block__competition=competition).order_by("number"):
        sources.setdefault(slot.block_id, []).append(slot.source)
    rows = Block.objects.filter(competition=competition).select_related("stage").order_by("stage__order", "order")
    return {(row.stage.key, row.key): (row.stage.hanchan_count, tuple(sources.get(row.pk, ()))) for row in rows}


@dataclass(frozen=True, slots=True)
class StructureChange:
    """What a format adds to a competition's structure and takes from it; titles in the reader's language."""

    added: tuple[str, ...] = ()
    """Blocks that are new."""
    removed: tuple[str, ...] = ()
    """Blocks that are gone."""
    changed: tuple[str, ...] = ()
    """Blocks whose entrants come from elsewhere, or that have another number of places or hanchan."""
    unseeded: int = 0
    """Seeds that lose their place, since the format has fewer."""


def adapt_stages(competition: Competition, league_format: Format, before: Format | None = None) -> StructureChange:
    """Make the competition's stages, blocks and slots those of a format.

    `before` is the format that was in force. Raise RuleViolationError with one finding for each block in the way: one
    that would go or whose entrants would change although it has tables, points or decisions. Seeds keep their numbers.
    """
    if before is not None:
        _refuse_touching_played(competition, before, league_format)
    old, new = layout_now(competition), layout_of(league_format)
    titles = {block.key: title_of(block) for block in Block.objects.filter(competition=competition)}
    seated = Slot.objects.filter(block__competition=competition).exclude(seeded=None)
    seeds = dict(seated.values_list("source", "seeded"))
    _remove(competition, league_format)
    _write_stages(competition, league_format)
    return StructureChange(
        added=tuple(title_in(league_format.blocks[block].title) for stage, block in new if (stage, block) not in old),
        removed=tuple(titles[block] for stage, block in old if (stage, block) not in new),
        changed=tuple(titles[key[1]] for key in new if key in old and old[key] != new[key]),
        unseeded=_write_slots(competition, league_format, seeds),
    )


def _refuse_touching_played(competition: Competition, before: Format, after: Format) -> None:
    """Raise for each block with facts that the new format takes away, or whose stage it changes."""
    found = []
    for block in _with_facts(competition):
        stage = after.stage_of.get(block.key)
        if stage is None or stage.key != block.stage.key:
            message = _(
                "“%(block)s” has tables, points or decisions already. A format without it needs a new competition."
            )
            found.append(Finding("block_in_use", message % {"block": title_of(block)}, "/format"))
        elif block.key in before.stage_of and not _keeps_played_part(before, after, block.key):
            message = _(
                "“%(block)s” has tables, points or decisions already. Its entrants, its hanchan and what is carried "
                "over must stay as they are."
            )
            found.append(Finding("block_in_use", message % {"block": title_of(block)}, "/format"))
    if found:
        raise RuleViolationError(*found)


def _with_facts(competition: Competition) -> Iterable[Block]:
    """Return the blocks that facts refer to: tables, adjustments, overrides, credits, or a draw of their stage."""
    rows = Block.objects.filter(competition=competition).select_related("stage")
    facts = ("table_sessions", "hanchan", "adjustments", "overrides", "stage__draws", "credits")
    held = {pk for fact in facts for pk in rows.filter(**{f"{fact}__isnull": False}).values_list("pk", flat=True)}
    return [block for block in rows if block.pk in held]


def _keeps_played_part(before: Format, after: Format, block: str) -> bool:
    """Return whether results of a block keep what they rest on; places may be added at the end."""
    sources, same = before.sources(block), after.sources(block)
    return same[: len(sources)] == sources and _played_part(before, block) == _played_part(after, block)


def _played_part(league_format: Format, block: str) -> object:
    """Return everything of a format, but the sources of the slots, that the results of a block rest on."""
    stage: FormatStage = league_format.stage_of[block]
    return (
        stage.hanchan,
        stage.assignment,
        stage.carry_over.model_copy(update={"clauses": (), "note": None}),
        league_format.blocks[block].is_open,
        league_format.pool(stage.key),
    )


def _remove(competition: Competition, league_format: Format) -> None:
    """Delete the stages and blocks that the format does not have; no fact refers to them."""
    for block in Block.objects.filter(competition=competition).select_related("stage"):
        stage = league_format.stage_of.get(block.key)
        if stage is None or stage.key != block.stage.key:
            block.slots.all().delete()
            block.delete()
    keys = [stage.key for stage in league_format.stages]
    Stage.objects.filter(competition=competition).exclude(key__in=keys).delete()


def _write_stages(competition: Competition, league_format: Format) -> None:
    """Create and change the rows of stages and blocks in the order of the format."""
    stages = {row.key: row for row in Stage.objects.filter(competition=competition)}
    blocks = {row.key: row for row in Block.objects.filter(competition=competition)}
    _make_room(stages.values())
    _make_room(blocks.values())
    for order, stage in enumerate(league_format.stages, start=1):
        row = stages.get(stage.key) or Stage(competition=competition, key=stage.key)
        row.order, row.hanchan_count = order, stage.hanchan
        row.name, row.name_en = stage.title.ja, stage.title.en
        row.save()
        for place, block in enumerate(stage.all_blocks, start=1):
            laid = blocks.get(block.key) or Block(competition=competition, stage=row, key=block.key)
            laid.order, laid.name, laid.name_en = place, block.title.ja, block.title.en
            laid.save()


def _make_room(rows: Iterable[Stage] | Iterable[Block]) -> None:
    """Move rows behind all others first, since no two may have the same place even for a moment."""
    for row in rows:
        row.order += 100_000
        row.save(update_fields=["order"])


def _write_slots(competition: Competition, league_format: Format, seeds: Mapping[str, int]) -> int:
    """Create, change and delete slots where the sources differ; return the number of seeds that lose their place."""
    there = {(slot.block_id, slot.number): slot for slot in Slot.objects.filter(block__competition=competition)}
    wanted = {
        (block.pk, number): str(source)
        for block in Block.objects.filter(competition=competition)
        for number, source in enumerate(league_format.sources(block.key), start=1)
    }
    moved = [slot for place, slot in there.items() if wanted.get(place) != slot.source]
    # All at once before any is filled: no entrant may have two slots of a block even for a moment.
    Slot.objects.filter(pk__in=[slot.pk for slot in moved]).update(seeded=None)
    Slot.objects.filter(pk__in=[slot.pk for place, slot in there.items() if place not in wanted]).delete()
    changed = [slot for slot in moved if (slot.block_id, slot.number) in wanted]
    new = [Slot(block_id=block, number=number) for block, number in wanted if (block, number) not in there]
    for slot in (*changed, *new):
        slot.source = wanted[slot.block_id, slot.number]
        slot.seeded_id = seeds.get(slot.source)
    Slot.objects.bulk_update(changed, ["source", "seeded"])
    Slot.objects.bulk_create(new)
    return len(set(seeds) - set(wanted.values()))
