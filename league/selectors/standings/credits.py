"""Hanchan that count for entrants without a result, as pages and documents list them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from league.models import Competition, Departure
from league.models import Credit as DecidedCredit
from league.selectors.access.readers import Reader
from league.selectors.standings.derivation import facts_at
from league.selectors.standings.facts import Facts, id_or_none
from league.selectors.standings.leaving import counted_in
from league.selectors.standings.prepared import season_of
from scoring.tiebreak import Credit, CreditKind


@dataclass(frozen=True, slots=True)
class CountedCredit:
    """A hanchan that counts for an entrant without a result; points at the ranking ledger's scale."""

    number: int
    """The number of the hanchan in the block."""
    kind: str
    points: int
    place: int | None
    hanchan: int | None
    """Primary key of the hanchan, if it was played and counts nothing since an opponent left."""
    reason: str

    @property
    def counted(self) -> Credit:
        """Return it as a part of the engine's row."""
        return Credit(self.number, CreditKind(self.kind), self.points, self.place, self.hanchan)


CreditsOfBlocks = Mapping[str, Mapping[int, tuple[CountedCredit, ...]]]
"""By the block's key and the entrant's id, in the order of their numbers."""


def credits_of(reader: Reader) -> CreditsOfBlocks:
    """Return what counts without having been played, with its worth as of the reader's version."""
    if "credits" not in reader.known:
        season = season_of(reader)
        reader.known["credits"] = _read(reader) if season is None else _restored(season.credits)
    found: CreditsOfBlocks = reader.known["credits"]
    return found


def annulled_in(reader: Reader) -> frozenset[tuple[int, int]]:
    """Return entrant and hanchan by id of each result that counts nothing since an opponent left."""
    return frozenset(
        (entrant, each.hanchan)
        for block in credits_of(reader).values()
        for entrant, own in block.items()
        for each in own
        if each.hanchan is not None
    )


def credit_rows(reader: Reader) -> list[list[object]]:
    """Return the credits that count as prepared rows store them: the block's key, the entrant's id, the values."""
    return [
        [key, entrant, *astuple(each)]
        for key, block in credits_of(reader).items()
        for entrant, own in block.items()
        for each in own
    ]


def counted_credits(reader: Reader, facts: Facts) -> CreditsOfBlocks:
    """Return the credits that count by these facts, with the reasons of the decisions."""
    reasons = dict(_reasons(reader)) if facts.credits else {}
    found: dict[str, dict[int, tuple[CountedCredit, ...]]] = {}
    for key in facts.league_format.blocks:
        own = {
            entrant: tuple(
                CountedCredit(
                    each.number,
                    each.kind.value,
                    each.points,
                    each.place,
                    id_or_none(each.ref),
                    reasons.get((key, entrant, each.number), ""),
                )
                for each in settled
            )
            for entrant, settled in sorted(counted_in(facts, key)[1].items())
            if settled
        }
        if own:
            found[key] = own
    return found


def _reasons(reader: Reader) -> Iterator[tuple[tuple[str, int, int], str]]:
    """Yield the reason of each decided credit with the block's key, the entrant's id and the number."""
    rows = reader.decisions(DecidedCredit, block__competition=reader.competition)
    for key, entrant, number, reason in rows.values_list("block__key", "entrant", "number", "reason"):
        yield (key, entrant, number), reason


def _read(reader: Reader) -> CreditsOfBlocks:
    # Nothing is planned at an open table, so nothing can count there without having been played.
    if reader.competition.kind == Competition.Kind.OPEN:
        return {}
    given = reader.decisions(DecidedCredit, block__competition=reader.competition).order_by()
    left = reader.decisions(Departure, entrant__competition=reader.competition).order_by()
    # One query for the many competitions that have neither.
    found = given.values_list("pk").union(left.values_list("pk"))[:1]
    return counted_credits(reader, facts_at(reader)) if list(found) else {}


def _restored(rows: Sequence[Sequence[Any]]) -> CreditsOfBlocks:
    found: defaultdict[str, dict[int, tuple[CountedCredit, ...]]] = defaultdict(dict)
    for key, entrant, *values in rows:
        found[key][entrant] = (*found[key].get(entrant, ()), CountedCredit(*values))
    return found
