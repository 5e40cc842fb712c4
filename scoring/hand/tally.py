"""Score one reading of a hand: its yaku, fu and price."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.hand.book import (
    FU_BITS,
    MANGAN,
    NEEDS_COMPANION,
    NEEDS_SETS,
    PAID_BITS,
    PINFU,
    REPLACES,
    YAKUMAN,
    Book,
    Price,
)
from scoring.hand.case import Case
from scoring.hand.fu import WITH_PINFU
from scoring.hand.reading import Form, Reading
from scoring.hand.records import Extra, FuLine, YakuLine
from scoring.hand.yaku.sets import TAKES_THE_PLACE_OF
from scoring.hand.yaku.tiles import CHARACTERS, HONOURS, SUITS_AND_HONOURS
from scoring.ruleset.value import LimitName, SeveralYakuman
from scoring.ruleset.yaku import Counts, YakuName
from scoring.value import Worth, limit_base, value

_TO_LEAVE_OUT = REPLACES | NEEDS_COMPANION
_NOTHING: frozenset[YakuName] = frozenset()


class HandScore:
    """The score of one reading."""

    __slots__ = ("case", "fu", "fu_lines", "han", "price", "reading", "yaku", "yaku_han", "yakuman")

    price: Price
    han: int
    fu: int
    fu_lines: tuple[FuLine, ...]

    def __init__(self, case: Case, reading: Reading, yaku: tuple[YakuLine, ...], yaku_han: int) -> None:
        self.case = case
        self.reading = reading
        self.yaku = yaku
        self.yaku_han = yaku_han
        """Han of yaku alone, with dora that count as yaku."""
        self.yakuman = 0

    @property
    def is_limit(self) -> bool:
        """True for a yakuman or an outright limit: fu, dora as han and further han do not matter."""
        return not self.fu

    def rank(self) -> tuple[int, int, int]:
        """Return a sort key that grows with value: points, then han, then fu."""
        case, worth = self.case, self.price.value
        points = worth.ron if case.is_ron else worth.tsumo(case.book.payers)
        # An instant top pays nothing, so its base points rank it instead of 0.
        return points or worth.base, self.han, self.fu


def yaku_of(case: Case, reading: Reading) -> tuple[tuple[YakuLine, ...], int, int]:
    """Return all yaku lines of a reading, the union of their marks, and their han.

    Ordinary yaku are listed in a yakuman hand too; `tally` leaves them out.
    """
    book = case.book
    lines, marks, han, outline = case.yaku
    key = reading.features << 1 | outline
    candidates = book.candidates.get(key)
    if candidates is None:
        candidates = book.find_candidates(key)
    for test, line, more, worth in candidates:
        if times := test(reading):
            lines += (line if times == 1 else YakuLine(line.name, line.worth * times, line.counts, line.clauses),)
            marks |= more
            han += worth * times
    # All honours in seven pairs is a yakuman only where the house says so (`all_honours_in_pairs`).
    if marks & NEEDS_SETS and reading.form is not Form.SETS:
        lines = tuple(line for line in lines if line.name is not YakuName.TSUUIISOU)
        marks = marks if any(line.counts is Counts.YAKUMAN for line in lines) else marks & ~YAKUMAN
    # Rare: the marks save the set operations below for nearly all hands.
    if marks & _TO_LEAVE_OUT:
        lines = _without_replaced(lines, book)
        han = sum(line.han for line in lines)
    return lines, marks, han


def _without_replaced(lines: tuple[YakuLine, ...], book: Book) -> tuple[YakuLine, ...]:
    """Return the lines without yaku that others replace, and without open all simples that lack a companion."""
    names = {line.name for line in lines}
    gone: set[YakuName | Extra] = set()
    for name in names:
        gone |= TAKES_THE_PLACE_OF.get(name, _NOTHING)
    tanyao = book.yaku[False].get(YakuName.TANYAO)
    if (
        tanyao is not None
        and tanyao.marks & NEEDS_COMPANION
        and names.isdisjoint(book.play.yaku_rules.tanyao_companions)
    ):
        lines = tuple(line for line in lines if line is not tanyao.line)
    return tuple(line for line in lines if line.name not in gone)


def tally(case: Case, reading: Reading) -> HandScore:
    """Return the score of a reading under the case's ruleset."""
    lines, marks, han = yaku_of(case, reading)
    if marks & YAKUMAN:
        return _yakuman(case, reading, lines)
    book, way = case.book, case.way
    found = HandScore(case, reading, lines, han)
    fu, fu_lines = book.fu.of(reading, case.seat, way.fu + WITH_PINFU if marks & PINFU else way.fu)
    if case.dora:
        worth = book.dora.han
        for place, there in case.dora:
            han += worth[place] * there
    if book.is_special or marks & MANGAN:
        _weigh_special(case, found, han, fu, is_limit=bool(marks & MANGAN))
    else:
        price = book.prices.get((han << FU_BITS | fu) << PAID_BITS | way.paid)
        found.price = price or book.find_price(han, fu, closed=case.closed, dealer=case.seat.dealer)
        found.han = han
        found.fu = fu
    found.fu_lines = fu_lines if found.fu else ()
    return found


def _yakuman(case: Case, reading: Reading, lines: Iterable[YakuLine]) -> HandScore:
    """Return the score of a yakuman hand: its yakuman and nothing else."""
    yakuman = tuple(line for line in lines if line.counts is Counts.YAKUMAN)
    if case.book.play.value.yakuman.several is SeveralYakuman.ONCE:
        # `once`: several yakuman count as one, so the largest single one decides.
        count = max(line.worth for line in yakuman)
    else:
        count = sum(line.worth for line in yakuman)
    found = HandScore(case, reading, yakuman, 0)
    found.price = _price(case, Worth(yakuman=count, closed=case.closed, dora=point_dora(case)))
    found.yakuman = count
    found.han = found.fu = 0
    found.fu_lines = ()
    return found


def point_dora(case: Case) -> int:
    """Return the number of dora that are paid in points."""
    return sum(line.count for line in case.book.dora.summarize(case.dora, closed=case.closed).lines if line.points)


def _weigh_special(case: Case, found: HandScore, han: int, fu: int, *, is_limit: bool) -> None:
    """Set the price of a hand under special rules.

    These are han that every hand has, outright limits, dora paid in points, and a last hand without limits.
    """
    book = case.book
    told = book.dora.summarize(case.dora, closed=case.closed)
    found.yaku_han += sum(line.han for line in told.lines if line.as_yaku)
    extra = book.bazoro(case.situation.round)
    found.yaku += extra
    if is_limit and not case.is_uncapped:
        _weigh_mangan(case, found, han + sum(line.han for line in extra), fu)
        return
    before = sum(line.han for line in found.yaku)
    # BOO-105: without limits a full flush counts han instead of its outright mangan; the difference is added below.
    found.yaku = tuple(map(book.uncapped, found.yaku))
    found.fu = fu
    found.han = han + sum(line.han for line in extra) + sum(line.han for line in found.yaku) - before
    found.price = _price(case, _worth(case, han=found.han, fu=fu))
    least = LimitName.MANGAN if is_limit else LimitName.HANEMAN if _is_manzu_half_flush(case, found) else None
    # BOO-105: uncapped, an outright mangan is still the least value of the hand.
    if least is not None and found.price.value.base < limit_base(least, book.play.value):
        found.price = _price(case, _worth(case, limit=least))


def _weigh_mangan(case: Case, found: HandScore, han: int, fu: int) -> None:
    """Set the price of an outright mangan, or of the other yaku if they are worth more; the two are not added."""
    found.price = _price(case, _worth(case, limit=LimitName.MANGAN))
    own = _price(case, _worth(case, han=han, fu=fu))
    # The other yaku must also be enough for a win by themselves.
    if found.yaku_han >= case.book.min_han and own.value.base > found.price.value.base:
        found.price, found.han, found.fu = own, han, fu
        found.yaku = tuple(line for line in found.yaku if line.counts is not Counts.MANGAN)
    else:
        found.han = found.fu = 0


def _worth(case: Case, *, han: int = 0, fu: int = 0, limit: LimitName | None = None) -> Worth:
    uncapped = case.is_uncapped and limit is None
    return Worth(han=han, fu=fu, limit=limit, closed=case.closed, dora=point_dora(case), uncapped=uncapped)


def _price(case: Case, worth: Worth) -> Price:
    return Price(value(worth, dealer=case.seat.dealer, play=case.book.play))


def _is_manzu_half_flush(case: Case, found: HandScore) -> bool:
    """Return whether the hand is a half flush in characters and the house pays it as a haneman at least."""
    if not case.book.play.yaku_rules.manzu_half_flush_haneman:
        return False
    return case.signature & SUITS_AND_HONOURS == CHARACTERS | HONOURS and any(
        line.name in (YakuName.HONITSU, YakuName.SHOUSHARIN) for line in found.yaku
    )
