"""One reading counted: its yaku, fu and value."""

from __future__ import annotations

from collections.abc import Iterable

from scoring.hand.book import MANGAN, NEEDS_COMPANION, PINFU, REPLACES, YAKUMAN, Book, Shape
from scoring.hand.case import Case
from scoring.hand.reading import Form, Reading
from scoring.hand.records import Extra, FuLine, YakuLine
from scoring.hand.yaku.sets import ALL_SETS, TAKES_THE_PLACE_OF
from scoring.hand.yaku.tiles import CHARACTERS, HONOURS, ONE_SUIT, SUITS_AND_HONOURS, signature
from scoring.ruleset.value import LimitName, SeveralYakuman
from scoring.ruleset.yaku import Counts, YakuName
from scoring.value import By, Value, Worth, limit_base, value

_FIRST_HONOUR = 27
NOTHING: frozenset[YakuName] = frozenset()


class Tally:
    """What a reading comes to."""

    __slots__ = ("fu", "fu_lines", "han", "reading", "value", "yaku", "yaku_han", "yakuman")

    def __init__(self, reading: Reading, yaku: tuple[YakuLine, ...]) -> None:
        self.reading = reading
        self.yaku = yaku
        self.yaku_han = 0
        """Han of yaku alone, dora that are yaku included."""
        self.han = 0
        self.fu = 0
        self.fu_lines: tuple[FuLine, ...] = ()
        self.yakuman = 0
        self.value: Value

    @property
    def is_limit(self) -> bool:
        """A yakuman, or a limit reached outright: dora as han, fu and further han do not matter."""
        return bool(self.yakuman) or not self.fu

    def rank(self, case: Case) -> tuple[int, int, int]:
        """The dearer reading first; of equal ones that with more han, then fu."""
        if case.situation.by is By.RON or case.way.as_ron:
            points = self.value.ron
        else:
            points = self.value.tsumo(case.book.rules.players - 1)
        return points or self.value.base, self.han, self.fu


def yaku_of(case: Case, reading: Reading) -> tuple[list[YakuLine], int]:
    """Every yaku of a reading, ordinary ones in a yakuman hand too, and all their marks."""
    facts, found = case.facts, case.way.found
    lines = [*found.lines, *case.yaku.lines]
    marks = found.marks | case.yaku.marks
    for test, line, mark in case.book.candidates(_outline(case, reading), closed=facts.closed):
        if times := test(reading):
            lines.append(line if times == 1 else YakuLine(line.name, line.worth * times, line.counts, line.clauses))
            marks |= mark
    if marks & (REPLACES | NEEDS_COMPANION):
        lines = _without_replaced(lines, case.book)
    return lines, marks


def _outline(case: Case, reading: Reading) -> int:
    """Which yaku can be there at all."""
    outline = Shape.NORTHS if case.facts.norths else 0
    if reading.form is Form.SETS:
        triplets = reading.triplets
        outline |= ALL_SETS - triplets.bit_count() | (triplets >> _FIRST_HONOUR).bit_count() << Shape.HONOURS_AT
        return outline | Shape.FLUSH if signature(case.facts.packed) & SUITS_AND_HONOURS in ONE_SUIT else outline
    return outline | (Shape.PAIRS if reading.form is Form.PAIRS else Shape.OTHER)


def _without_replaced(lines: list[YakuLine], book: Book) -> list[YakuLine]:
    """Leave out yaku whose place others take, and open all simples without a companion."""
    names = {line.name for line in lines}
    gone: set[YakuName | Extra] = set()
    for name in names:
        gone |= TAKES_THE_PLACE_OF.get(name, NOTHING)
    tanyao = book.yaku[False].get(YakuName.TANYAO)
    if (
        tanyao is not None
        and tanyao.marks & NEEDS_COMPANION
        and names.isdisjoint(book.play.yaku_rules.tanyao_companions)
    ):
        lines = [line for line in lines if line is not tanyao.line]
    return [line for line in lines if line.name not in gone]


def tally(case: Case, reading: Reading) -> Tally:
    """Count a reading."""
    lines, marks = yaku_of(case, reading)
    if marks & YAKUMAN:
        return _yakuman(case, reading, lines)
    found = Tally(reading, tuple(lines))
    for line in lines:
        found.yaku_han += line.han
    pinfu = bool(marks & PINFU)
    found.fu, found.fu_lines = case.book.fu.of(reading, pinfu=pinfu, replaced=case.situation.rinshan)
    found.yaku_han += case.dora.yaku_han
    found.han = found.yaku_han + case.dora.han - case.dora.yaku_han
    if marks & MANGAN or case.is_special:
        _special(case, found, is_limit=bool(marks & MANGAN))
    else:
        found.value = case.book.value(found.han, found.fu, closed=case.facts.closed, dealer=case.seat.dealer)
    return found


def _yakuman(case: Case, reading: Reading, lines: Iterable[YakuLine]) -> Tally:
    """A yakuman hand has its yakuman and nothing else."""
    yakuman = tuple(line for line in lines if line.counts is Counts.YAKUMAN)
    found = Tally(reading, yakuman)
    if case.book.play.value.yakuman.several is SeveralYakuman.ONCE:
        found.yakuman = max(line.worth for line in yakuman)
    else:
        found.yakuman = sum(line.worth for line in yakuman)
    worth = Worth(yakuman=found.yakuman, closed=case.facts.closed, dora=case.point_dora)
    found.value = value(worth, dealer=case.seat.dealer, play=case.book.play)
    return found


def _special(case: Case, found: Tally, *, is_limit: bool) -> None:
    """Han that every hand has, a limit reached outright or at least, dora paid in points, no limit at all."""
    book = case.book
    extra = book.bazoro(case.situation.round)
    found.yaku += extra
    found.han += sum(line.han for line in extra)
    if is_limit and not case.is_uncapped:
        found.han = found.fu = 0
        found.fu_lines = ()
        found.value = _worth(case, limit=LimitName.MANGAN)
        return
    if is_limit:
        before = sum(line.han for line in found.yaku)
        found.yaku = tuple(map(book.uncapped, found.yaku))
        found.han += sum(line.han for line in found.yaku) - before
    found.value = _worth(case, han=found.han, fu=found.fu)
    least = LimitName.MANGAN if is_limit else LimitName.HANEMAN if _is_manzu_half_flush(case, found) else None
    if least is not None and found.value.base < limit_base(least, book.play.value):
        found.value = _worth(case, limit=least)


def _worth(case: Case, *, han: int = 0, fu: int = 0, limit: LimitName | None = None) -> Value:
    uncapped = case.is_uncapped and limit is None
    worth = Worth(han=han, fu=fu, limit=limit, closed=case.facts.closed, dora=case.point_dora, uncapped=uncapped)
    return value(worth, dealer=case.seat.dealer, play=case.book.play)


def _is_manzu_half_flush(case: Case, found: Tally) -> bool:
    """A half flush in characters, where the house pays it as a haneman or better."""
    if not case.book.play.yaku_rules.manzu_half_flush_haneman:
        return False
    return signature(case.facts.packed) & SUITS_AND_HONOURS == CHARACTERS | HONOURS and any(
        line.name in (YakuName.HONITSU, YakuName.SHOUSHARIN) for line in found.yaku
    )
