"""Validation of a format's rules for teams: limits that every allowed number of members can keep, awards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from scoring.ruleset.base import Choices, Fault, fault

if TYPE_CHECKING:
    from scoring.format.model import Format
    from scoring.format.team import Limit

SENTENCES: Mapping[str, str] = {
    "only_teams": "only a format of kind teams has this key",
    "no_stage": "there is no stage %(stage)s; there are %(known)s",
    "limit_falls": "least must not be greater than most (%(most)s)",
    "limit_empty": "needs least, most or both",
    "limit_too_high": "%(members)s members with at least %(least)s hanchan each need %(needed)s; "
    "the team plays %(hanchan)s in this stage",
    "limit_too_low": "%(members)s members with at most %(most)s hanchan each play %(reached)s; "
    "the team plays %(hanchan)s in this stage",
    "award_key_twice": "each award needs a key of its own",
}
"""A sentence for each fault: what is allowed instead of the value found."""


_wrong = partial(fault, SENTENCES)


def team_faults(format_: Format) -> Iterator[Fault]:
    """Yield the faults of teams, limits and awards."""
    if format_.kind != "teams":
        if format_.team is not None:
            yield _wrong("team", None, "only_teams")
        if format_.limits:
            yield _wrong("limits", None, "only_teams")
    if format_.team is not None and format_.team.replace is not None:
        yield from _stage(format_, "team.replace.stage", format_.team.replace.stage)
    for index, limit in enumerate(format_.limits):
        yield from _stage(format_, f"limits.{index}.stage", limit.stage)
        yield from _limit(format_, f"limits.{index}", limit)
    keys = Counter(award.key for award in format_.awards)
    for award in format_.awards:
        yield from _stage(format_, f"awards.{award.key}.stage", award.stage)
        if keys[award.key] > 1:
            yield _wrong(f"awards.{award.key}.key", award.key, "award_key_twice")


def _stage(format_: Format, where: str, key: str) -> Iterator[Fault]:
    if key not in format_.blocks_of:
        yield _wrong(where, key, "no_stage", stage=key, known=Choices(format_.blocks_of))


def _limit(format_: Format, where: str, limit: Limit) -> Iterator[Fault]:
    least, most = limit.least, limit.most
    if least is None and most is None:
        yield _wrong(where, None, "limit_empty")
    if least is not None and most is not None and least > most:
        yield _wrong(f"{where}.least", least, "limit_falls", most=most)
    hanchan = format_.stage(limit.stage).hanchan if limit.stage in format_.blocks_of else None
    if hanchan is None or format_.team is None:
        return
    members = format_.team.members
    if least is not None and least * members.most > hanchan:
        params = {"members": members.most, "least": least, "needed": least * members.most, "hanchan": hanchan}
        yield _wrong(f"{where}.least", least, "limit_too_high", **params)
    if most is not None and most * members.least < hanchan:
        params = {"members": members.least, "most": most, "reached": most * members.least, "hanchan": hanchan}
        yield _wrong(f"{where}.most", most, "limit_too_low", **params)
