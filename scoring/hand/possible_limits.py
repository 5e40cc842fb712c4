"""The limits that a hand can reach under a ruleset, given how it was won."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from scoring.hand.possible import Circumstances, Impossible, possible_values
from scoring.ruleset import Ruleset
from scoring.ruleset.play import Play
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import Counts
from scoring.value import Worth, base_points

_MOST_TABLES = 1024


@lru_cache(maxsize=_MOST_TABLES)
def possible_limits(rules: Ruleset, circumstances: Circumstances, *, uncapped: bool = False) -> tuple[LimitName, ...]:
    """Return the limits that some hand won in this way is paid by, lowest first, without yakuman.

    With `uncapped` no han reach a limit, but some yaku are one by themselves. Raise NoHandsError if the ruleset has no
    rules for hands.
    """
    table, play = possible_values(rules, circumstances), rules.hand_rules
    limits = play.value.limits
    if not limits:
        return ()
    found = set(_outright(play))
    for (fu, closed), least in table.items():
        # More han than those of the last limit change nothing.
        for han in range(least.han, max(least.han, limits[-1].from_han) + 1):
            reached, _ = base_points(Worth(han=han, fu=fu, closed=closed, uncapped=uncapped), play)
            found |= set() if reached is None else {reached}
    return tuple(each.name for each in limits if each.name in found)


def why_limit_impossible(
    rules: Ruleset, circumstances: Circumstances, limit: LimitName, *, uncapped: bool = False
) -> Impossible | None:
    """Return the reason why no hand won in this way is paid by this limit; None if one is, and for a yakuman."""
    possible = possible_limits(rules, circumstances, uncapped=uncapped)
    if limit in possible or limit is LimitName.YAKUMAN:
        return None
    if uncapped:
        return Impossible("limit_uncapped", "limit", {"limit": limit.value})
    names = [each.name for each in rules.hand_rules.value.limits]
    is_low = possible and limit in names and names.index(limit) < names.index(possible[0])
    least = min(possible_values(rules, circumstances).values(), key=lambda each: each.han, default=None)
    if is_low and least is not None and least.han >= rules.hand_rules.value.limits[0].from_han:
        params = {"limit": limit.value, "least": least.han, "because": ", ".join(least.because)}
        return Impossible("limit_too_low", "limit", params)
    known = ", ".join((*possible, LimitName.YAKUMAN))
    return Impossible("limit_impossible", "limit", {"limit": limit.value, "limits": known})


def _outright(play: Play) -> Iterator[LimitName]:
    """Yield the limits that a yaku has by itself, whatever the han."""
    if any(yaku.played and yaku.counts is Counts.MANGAN for yaku in play.yaku.values()):
        yield LimitName.MANGAN
    if play.yaku_rules.manzu_half_flush_haneman:
        yield LimitName.HANEMAN
