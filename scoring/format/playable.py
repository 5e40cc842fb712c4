"""Formats that can be read and described, but not yet played: what stands in the way, at its place in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scoring.format.model import EntrantKind, Format
from scoring.format.rounds import SeatedBy
from scoring.format.size_faults import turns
from scoring.format.stage import Seating, Stage
from scoring.ruleset.base import Fault, fault

SENTENCES: Mapping[str, str] = {
    "teams_not_yet": "competitions of teams cannot be played here yet",
    "roster_not_yet": "the number of entrants must be fixed before the start; write one number between %(least)s and "
    "%(most)s",
    "fixtures_not_yet": "stages whose fixtures are set one by one cannot be played here yet",
    "pairing_not_yet": "rounds seated by the standing or by draw cannot be played here yet",
    "withdrawal_not_yet": "a policy for withdrawals cannot be carried out here yet; leave it out",
    "odd_not_yet": "%(size)s entrants do not fill the tables; byes and substitutes cannot be played here yet",
}
"""A sentence for each part of the grammar that the service cannot carry out."""


def not_playable_yet(format_: Format) -> Iterator[Fault]:
    """Yield what keeps a competition from being started by this format; nothing if it can be."""
    if format_.kind is EntrantKind.TEAMS:
        yield fault(SENTENCES, "kind", str(format_.kind), "teams_not_yet", {})
    if format_.bounds is not None:
        params = {"least": format_.bounds.least, "most": format_.bounds.most}
        yield fault(SENTENCES, "entrants", None, "roster_not_yet", params)
    # The other policies wait for events that cannot be entered yet; withdrawals can be.
    if "withdrawal" in format_.policies.model_fields_set:
        yield fault(SENTENCES, "policies.withdrawal", None, "withdrawal_not_yet", {})
    for stage in format_.stages:
        yield from _stage(format_, stage)


def _stage(format_: Format, stage: Stage) -> Iterator[Fault]:
    where = f"stages.{stage.key}"
    if stage.seating is Seating.FIXTURES:
        yield fault(SENTENCES, f"{where}.seating", str(stage.seating), "fixtures_not_yet", {})
    paired = [plan for plan in stage.rounds if plan.by is not SeatedBy.PLAN]
    if paired:
        yield fault(SENTENCES, f"{where}.rounds", paired[0].numbers, "pairing_not_yet", {})
    for block in stage.blocks:
        size = format_.size(block.key)
        if size is not None and size * turns(stage) % (format_.players or 1):
            yield fault(SENTENCES, f"{where}.blocks.{block.key}", size, "odd_not_yet", {"size": size})
