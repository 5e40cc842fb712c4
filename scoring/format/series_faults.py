"""Validation of a series: each fault comes with its key, the value found and the values allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from scoring.ruleset.base import Choices, Fault, fault
from scoring.tiebreak import Further

if TYPE_CHECKING:
    from scoring.format.series import Move, PointsLedger, Series, Tier

SENTENCES: Mapping[str, str] = {
    "key_twice": "each tier and each competition outside needs a key of its own",
    "key_reserved": "this key has a meaning of its own; not allowed are %(reserved)s",
    "no_tier": "there is no tier %(tier)s; there are %(known)s",
    "no_goal": "there is neither a tier nor a competition outside with this key; there are %(known)s",
    "same_tier": "a move leads to another tier than %(tier)s",
    "outside_to_outside": "a move from a competition outside leads to a tier; there are %(known)s",
    "share_without_rounding": "a share of a tier needs [share] with rounding down or up",
    "rank_beyond": "tier %(tier)s may have only %(least)s entrants, so ranks 1 to %(least)s",
    "overlapping": "in a tier of %(size)s entrants it moves ranks that %(other)s moves too; each rank moves once",
    "next_without_if": "only a move with a condition passes a refused place on",
    "always_too_large": "after every term it has at least %(number)s entrants; allowed are at most %(most)s",
    "always_too_small": "after every term it has at most %(number)s entrants and needs %(least)s; "
    "add moves into it, or fill",
    "one_direction": "needs promote_at or demote_at, and only one of them",
    "top_tier": "there is no tier above %(tier)s to be promoted to",
    "out_of_reach": "within %(terms)s terms an entrant gains at most %(best)s points",
    "gains_beyond": "tier %(tier)s may have only %(least)s entrants",
    "ledger_twice": "a tier has one ledger for promotion and one for relegation",
    "no_hanchan": "a series has no results of single hanchan; the tiers' formats break ties by them",
    "no_results": "a series compares only orders; allowed are %(known)s",
}
"""A sentence for each fault: what is allowed instead of the value found."""

RESERVED = ("out",)
ORDERS = (Further.PRIOR, Further.SEED, Further.LOT)
"""Criteria that need no results."""
MOST_SIZES = 400
"""Sizes of a tier that are tried one by one; of more only the smallest and the largest ones."""


_wrong = partial(fault, SENTENCES)


def faults(series: Series) -> Iterator[Fault]:
    """Yield every fault of a series, in the order of the checks."""
    yield from _keys(series)
    yield from _criteria(series)
    for index, move in enumerate(series.moves):
        yield from _move(series, f"moves.{index}", move)
    if all(_is_readable(series, move) for move in series.moves):
        yield from _overlaps(series)
        for tier in series.tiers:
            yield from _sizes(series, tier)
    directions = Counter((ledger.tier, ledger.is_upward) for ledger in series.ledgers.values())
    for where, ledger in series.ledgers.items():
        if directions[ledger.tier, ledger.is_upward] > 1:
            yield _wrong(f"{where}.tier", ledger.tier, "ledger_twice")
        yield from _ledger(series, where, ledger)


def _keys(series: Series) -> Iterator[Fault]:
    rows = [("tiers", each.key) for each in series.tiers] + [("outside", each.key) for each in series.outside]
    counts = Counter(key for _, key in rows)
    for name, key in rows:
        if counts[key] > 1:
            yield _wrong(f"{name}.{key}.key", key, "key_twice")
        if key in RESERVED:
            yield _wrong(f"{name}.{key}.key", key, "key_reserved", reserved=Choices(RESERVED))


def _criteria(series: Series) -> Iterator[Fault]:
    if series.tiebreak.back_tracking:
        yield _wrong("tiebreak.back_tracking", len(series.tiebreak.back_tracking), "no_hanchan")
    for index, criterion in enumerate(series.tiebreak.then):
        if criterion not in ORDERS:
            yield _wrong(f"tiebreak.then.{index}", criterion.value, "no_results", known=Choices(ORDERS))


def _move(series: Series, where: str, move: Move) -> Iterator[Fault]:
    tiers, outside = tuple(series.order), tuple(each.key for each in series.outside)
    source = move.source
    if source.tier not in (*tiers, *outside):
        yield _wrong(f"{where}.from", str(source), "no_tier", tier=source.tier, known=Choices((*tiers, *outside)))
    elif source.tier in tiers and source.share is None and source.ranks[-1] > series.tier(source.tier).size.least:
        params = {"tier": source.tier, "least": series.tier(source.tier).size.least}
        yield _wrong(f"{where}.from", str(source), "rank_beyond", **params)
    if move.to not in (*tiers, *outside):
        yield _wrong(f"{where}.to", move.to, "no_goal", known=Choices((*tiers, *outside)))
    elif move.to == source.tier:
        yield _wrong(f"{where}.to", move.to, "same_tier", tier=source.tier)
    elif source.tier in outside and move.to in outside:
        yield _wrong(f"{where}.to", move.to, "outside_to_outside", known=Choices(tiers))
    if source.share is not None and series.share is None:
        yield _wrong(f"{where}.from", str(source), "share_without_rounding")
    if move.refused == "next" and move.condition is None:
        yield _wrong(f"{where}.refused", move.refused, "next_without_if")


def _is_readable(series: Series, move: Move) -> bool:
    """Return whether the numbers of a move can be reckoned."""
    return move.source.share is None or series.share is not None


def _tried(tier: Tier) -> tuple[int, ...]:
    """Return the sizes of a tier that are tried."""
    sizes = range(tier.size.least, tier.size.most + 1)
    return tuple(sizes) if len(sizes) <= MOST_SIZES else (*sizes[: MOST_SIZES // 2], *sizes[-MOST_SIZES // 2 :])


def _ranks(series: Series, move: Move, size: int) -> range:
    """Return the ranks, counted from the top, that a move takes of a tier of this size."""
    positions = move.source.positions(size, series.rounding)
    if not move.source.is_last:
        return positions
    return range(size + 1 - (positions.stop - 1), size + 1 - positions.start + 1)


def _overlaps(series: Series) -> Iterator[Fault]:
    """Check that no rank moves twice; a conditional move may be followed by one for those who were refused."""
    for index, move in enumerate(series.moves):
        if move.source.tier not in series.order:
            continue
        earlier = [
            each for each in series.moves[:index] if each.source.tier == move.source.tier and each.condition is None
        ]
        for size in _tried(series.tier(move.source.tier)) if earlier else ():
            own = set(_ranks(series, move, size))
            other = next((each for each in earlier if own & set(_ranks(series, each, size))), None)
            if other is not None:
                yield _wrong(f"moves.{index}.from", str(move.source), "overlapping", size=size, other=str(other.source))
                break


def _sizes(series: Series, tier: Tier) -> Iterator[Fault]:
    """Check that some allowed size of a tier can follow an allowed one; the lowest tier takes in newcomers."""

    def leaving(size: int, *, is_sure: bool) -> int:
        rows = [each for each in series.moves if each.source.tier == tier.key and each.to in series.order]
        return sum(len(_ranks(series, each, size)) for each in rows if not (is_sure and each.condition))

    coming = [move for move in series.moves if move.to == tier.key]
    from_tiers = [(move, _tried(series.tier(move.source.tier))) for move in coming if move.source.tier in series.order]
    # The numbers that move grow with the size of the tier they come from.
    fewest = sum(len(_ranks(series, move, sizes[0])) for move, sizes in from_tiers if move.condition is None)
    most = sum(len(_ranks(series, move, sizes[-1])) for move, sizes in from_tiers)
    smallest = min(size - leaving(size, is_sure=False) for size in _tried(tier)) + fewest
    largest = max(size - leaving(size, is_sure=True) for size in _tried(tier)) + most
    if smallest > tier.size.most:
        yield _wrong(
            f"tiers.{tier.key}.size.most", tier.size.most, "always_too_large", number=smallest, most=tier.size.most
        )
    is_fed = series.fill is not None or tier is series.tiers[-1] or len(from_tiers) < len(coming)
    if largest < tier.size.least and not is_fed:
        params = {"number": largest, "least": tier.size.least}
        yield _wrong(f"tiers.{tier.key}.size.least", tier.size.least, "always_too_small", **params)


def _ledger(series: Series, where: str, ledger: PointsLedger) -> Iterator[Fault]:
    if (ledger.promote_at is None) == (ledger.demote_at is None):
        yield _wrong(f"{where}.promote_at", ledger.promote_at, "one_direction")
    if ledger.tier not in series.order:
        yield _wrong(f"{where}.tier", ledger.tier, "no_tier", tier=ledger.tier, known=Choices(series.order))
        return
    if ledger.is_upward and ledger.tier == series.tiers[0].key:
        yield _wrong(f"{where}.tier", ledger.tier, "top_tier", tier=ledger.tier)
    best = max(ledger.gains) * ledger.within_terms
    if ledger.needed > best:
        name = "promote_at" if ledger.is_upward else "demote_at"
        yield _wrong(f"{where}.{name}", ledger.needed, "out_of_reach", terms=ledger.within_terms, best=best)
    least = series.tier(ledger.tier).size.least
    if len(ledger.gains) > least:
        yield _wrong(f"{where}.gains", len(ledger.gains), "gains_beyond", tier=ledger.tier, least=least)
