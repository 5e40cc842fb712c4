"""The place of every entrant in a whole competition: the last stage reached, then the rank there, then earlier ones.

The one idea: stages that lead to the title come first. An entrant who went out of them and played on elsewhere, such
as in a consolation, stands among those who went out in the same stage, before those who did not play on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import TypeVar

from scoring.format import Format
from scoring.sources import BestOf, RankOf
from scoring.tiebreak import Entrant

E = TypeVar("E", bound=Entrant)


def final_places(format_: Format, ranks: Mapping[str, Mapping[E, int | None]]) -> Mapping[E, int | None]:
    """Return each entrant's place from 1, shared by those who are level in every stage.

    `ranks` are those of each block; None for an entrant without one. Such an entrant has no place either, if it is so
    in the last stage reached.
    """
    order = {stage.key: number for number, stage in enumerate(format_.stages, start=1)}
    titled = stages_to_the_title(format_)
    reached: dict[E, dict[int, int | None]] = {}
    for block, own in ranks.items():
        stage = format_.stage_of[block].key
        for entrant, rank in own.items():
            reached.setdefault(entrant, {})[order[stage]] = rank
    main = {order[key] for key in titled}
    keys = {
        entrant: _weakness(stages, max((each for each in stages if each in main), default=0))
        for entrant, stages in reached.items()
        if stages[max(stages)] is not None
    }
    found: dict[E, int | None] = dict.fromkeys(reached)
    above = sorted(keys.values())
    return found | {entrant: bisect_left(above, key) + 1 for entrant, key in keys.items()}


def _weakness(stages: Mapping[int, int | None], furthest: int) -> tuple[int, ...]:
    """Return a sort key, the best first, from an entrant's rank in each stage and the furthest one to the title."""
    latest_first = sorted(stages, reverse=True)
    # The furthest stage on the way to the title counts before one outside of it, whichever was played later.
    return (-furthest, -latest_first[0], *(stages[each] or 0 for each in latest_first))


def stages_to_the_title(format_: Format) -> frozenset[str]:
    """Return the keys of the stages from which an entrant can still become champion; all if there is no champion."""
    if format_.champion is None:
        return frozenset(stage.key for stage in format_.stages)
    found = {format_.stage_of[format_.champion.block].key}
    for stage in reversed(format_.stages):
        if stage.key not in found:
            continue
        blocks = format_.blocks_of[stage.key]
        for source in (*format_.pool(stage.key), *(each for block in blocks for each in format_.sources(block))):
            if isinstance(source, RankOf):
                found.add(format_.stage_of[source.block].key)
            elif isinstance(source, BestOf):
                found.add(source.stage)
    return frozenset(found)
