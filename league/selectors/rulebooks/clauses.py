"""Data of a rule book's pages: clauses, the settings that cite them, tables of yaku and of payments.

Nothing is written down twice. Values come from the ruleset's file, amounts from the engine, and a clause's
number joins both with the text that people read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType

from django.urls import reverse

from rulesets import loader
from rulesets.clauses import Clause, books, load_book
from scoring.ruleset.play import Play
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import Yaku, YakuName
from scoring.value import Worth, value

FU = (20, 30, 40, 50, 60, 70, 80, 90, 100, 110)
"""The fu a hand can have after rounding; a book's own value for seven pairs (chiitoitsu) is added."""
NO_LIMIT_BELOW = 5
"""In a book without limits, payment tables have columns for fewer han than this."""


@dataclass(frozen=True, slots=True)
class ClauseInBook:
    """A clause with the name of its rule book."""

    book: str
    clause: Clause


@cache
def clauses_by_id() -> Mapping[str, ClauseInBook]:
    """Return every clause of every rule book by its id; ids are unique across books."""
    return MappingProxyType({each.id: ClauseInBook(name, each) for name in books() for each in load_book(name).clauses})


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of a ruleset with its path in the TOML file."""

    path: str
    value: object


@cache
def settings_by_clause(name: str) -> Mapping[str, tuple[Setting, ...]]:
    """Return the settings of a ruleset by the clause they cite, in the order of the file."""
    data = loader.load(name).data()
    data.pop("options", None)
    found: dict[str, list[Setting]] = {}
    for clauses, setting in _settings("", data):
        for each in clauses:
            found.setdefault(each, []).append(setting)
    return MappingProxyType({clause: tuple(settings) for clause, settings in found.items()})


def _settings(path: str, table: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], Setting]]:
    """Yield the values of a TOML table and its subtables, each with the clauses that its own table cites."""
    listed = table.get("clauses")
    clauses = tuple(listed) if isinstance(listed, list | tuple) else ()
    for key, found in table.items():
        where = f"{path}.{key}" if path else key
        if key == "clauses":
            continue
        if isinstance(found, dict) and _has_clauses(found):
            yield from _settings(where, found)
        elif isinstance(found, list) and any(isinstance(each, dict) for each in found):
            for each in found:
                yield from _settings(f"{where}.{each.get('key') or each.get('name')}", each)
        elif clauses and key not in {"title", "key", "name"}:
            yield clauses, Setting(where, found)


def _has_clauses(table: Mapping[str, object]) -> bool:
    return "clauses" in table or any(isinstance(each, dict) and _has_clauses(each) for each in table.values())


def yaku_of(play: Play) -> list[tuple[YakuName, Yaku]]:
    """Return the yaku that a house plays: by han ascending, then mangan, then yakuman.

    The guest wind is left out unless the rules have one.
    """
    order = {"han": 0, "mangan": 1, "yakuman": 2}
    left_out = set() if any(play.yaku_rules.guest_winds.values()) else {YakuName.GUEST_WIND}
    played = [(name, each) for name, each in play.yaku.items() if each.played and name not in left_out]
    return sorted(played, key=lambda item: (order[item[1].counts.value], item[1].closed))


@dataclass(frozen=True, slots=True)
class Paid:
    """The payment for a hand in points, without honba and other extras."""

    ron: int
    from_other: int
    from_dealer: int
    limit: LimitName | None


@dataclass(frozen=True, slots=True)
class PaymentRow:
    """One row of a payment table; None where no such hand exists."""

    fu: int
    paid: tuple[Paid | None, ...]


@dataclass(frozen=True, slots=True)
class PaymentTable:
    """Payments for hands below the limits, by fu and han."""

    dealer: bool
    tsumo: bool
    han: tuple[int, ...]
    rows: tuple[PaymentRow, ...]


@dataclass(frozen=True, slots=True)
class LimitRow:
    """The payment for a limit hand, for a non-dealer and for the dealer."""

    name: LimitName
    from_han: int | None
    """None for yakuman by their shape."""
    to_han: int | None
    """None for the highest limit."""
    other: Paid | None
    dealer: Paid | None


def payment_tables(play: Play) -> tuple[PaymentTable, ...]:
    """Return the four payment tables of a book: non-dealer and dealer, each by ron and by tsumo."""
    return tuple(_table(play, dealer=dealer, tsumo=tsumo) for dealer in (False, True) for tsumo in (False, True))


def limit_rows(play: Play) -> tuple[LimitRow, ...]:
    """Return the payment for each limit, the lowest first, yakuman last."""
    limits = play.value.limits
    ends: list[int | None] = [above.from_han - 1 for above in limits[1:]] + [None]
    rows = [
        LimitRow(limit.name, limit.from_han, end, *_both(Worth(limit=limit.name), play))
        for limit, end in zip(limits, ends[: len(limits)], strict=True)
    ]
    return (*rows, LimitRow(LimitName.YAKUMAN, None, None, *_both(Worth(yakuman=1), play)))


def _both(worth: Worth, play: Play) -> tuple[Paid | None, Paid | None]:
    return _paid(worth, play, dealer=False), _paid(worth, play, dealer=True)


def _paid(worth: Worth, play: Play, *, dealer: bool) -> Paid | None:
    """Return the engine's payment for the hand itself; None where the win ends the game and no points move."""
    found = value(worth, dealer=dealer, play=play)
    if found.instant_top:
        return None
    hand = found.parts[0]
    return Paid(hand.ron, hand.from_other, hand.from_dealer, found.limit)


def _table(play: Play, *, dealer: bool, tsumo: bool) -> PaymentTable:
    limits = play.value.limits
    han = tuple(range(min(1, play.win.min_han), limits[0].from_han if limits else NO_LIMIT_BELOW))
    rows = []
    for fu in (play.fu.fixed,) if play.fu.fixed else sorted({*FU, play.fu.seven_pairs}):
        paid = tuple(
            _paid(Worth(han=each, fu=fu, closed=True), play, dealer=dealer)
            if each >= least_han(fu, play, tsumo=tsumo)
            else None
            for each in han
        )
        if any(paid):
            rows.append(PaymentRow(fu, paid))
    return PaymentTable(dealer, tsumo, han, tuple(rows))


def least_han(fu: int, play: Play, *, tsumo: bool) -> int:
    """Return the fewest han with which a hand of `fu` fu can be won.

    Only pinfu has no fu beyond the base, and only seven pairs (chiitoitsu) have fu that are not rounded: such a
    hand has at least the han of its yaku, and of menzen tsumo if it is self-drawn. `IMPOSSIBLE` if there is no such
    hand.
    """
    rules = play.fu
    if rules.fixed:
        return 0
    if fu == rules.seven_pairs and fu % rules.round_up_to:
        return _han_of(YakuName.CHIITOITSU, play) + (_han_of(YakuName.MENZEN_TSUMO, play) if tsumo else 0)
    if fu > rules.base:
        return 0
    if tsumo:
        both = _han_of(YakuName.PINFU, play) + _han_of(YakuName.MENZEN_TSUMO, play)
        # Where pinfu does not go with tsumo, the 2 fu of the self-draw always lift a closed hand above the base.
        return both if play.yaku_rules.pinfu_with_tsumo else IMPOSSIBLE
    return _han_of(YakuName.PINFU, play) if rules.open_least <= rules.base else IMPOSSIBLE


IMPOSSIBLE = 99
"""Larger than the han of any column of a payment table."""


def _han_of(name: YakuName, play: Play) -> int:
    """Return the han of a yaku in a closed hand."""
    return play.yaku[name].closed


@lru_cache(maxsize=10_000)
def address(page: str, *keys: str | int) -> str:
    """Return the path of a public page such as `block`, given the keys in its pattern.

    A page may link to a thousand hanchan, and reversing a pattern takes as long as rendering a table row. The result
    never changes while the process runs, so it is cached.
    """
    return reverse(f"pages:{page}", args=keys)


def clause_address(number: str) -> str:
    """Return the URL of a clause; raises KeyError if no book has it."""
    return f"{address('rulebook', clauses_by_id()[number].book)}#{number}"
