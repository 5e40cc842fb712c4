"""The till of a parlour's business day: what the day earned, what statements settled of it, and the money taken.

Money is the house's side: positive is income. The other ledgers stay among the guests; their sums are the guests' side
turned round, so a ledger in which players pay one another shows zero.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, Sum

from league.models import Parlour, Payment, Statement, StatementLine, TillClose
from league.selectors.parlour.dues import Due, DueLine, Kind, amounts_of, as_line, dues_of

BookLedger = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums of lines: money in the smallest unit, and the other ledgers by book and ledger, both as the house's side."""

    money: int
    amounts: Mapping[BookLedger, int]

    @classmethod
    def of(cls, lines: Iterable[DueLine]) -> Sums:
        """Sum lines of guests."""
        rows = list(lines)
        return cls(sum(line.money for line in rows), {key: -amount for key, amount in amounts_of(rows).items()})

    def __add__(self, other: Sums) -> Sums:
        sums = Counter(self.amounts)
        sums.update(other.amounts)
        return Sums(self.money + other.money, dict(sums))

    def as_json(self) -> dict[str, object]:
        """Return the sums for storage."""
        amounts = [[book, ledger, amount] for (book, ledger), amount in sorted(self.amounts.items())]
        return {"money": self.money, "amounts": amounts}

    @classmethod
    def of_json(cls, kept: Mapping[str, Any]) -> Sums:
        """Return stored sums."""
        return cls(kept["money"], {(book, ledger): amount for book, ledger, amount in kept["amounts"]})


@dataclass(frozen=True, slots=True)
class Till:
    """The till of one business day.

    `settled` is what statements hold of the day as they were made, `late` the differences of later corrections,
    settled or not, `unsettled` what guests still owe; `closing` is their sum. `earned` is the closing money by what was
    charged: `fee`, `top`, `hours`, `set`, `extra`. `cash` is the money taken on the day, less the money given back.
    `on_account` is the change of what guests have on account: the day's statements less its payments.
    """

    day: dt.date
    settled: Sums
    late: Sums
    unsettled: Sums
    earned: Mapping[str, int]
    taken: int
    given_back: int
    on_account: int
    statements: int

    @property
    def closing(self) -> Sums:
        """Return the sum of everything that counts in the day."""
        return self.settled + self.late + self.unsettled

    @property
    def cash(self) -> int:
        """Return the money in the till from this day."""
        return self.taken - self.given_back

    def as_json(self) -> dict[str, object]:
        """Return the till as JSON for storage."""
        return {
            "settled": self.settled.as_json(),
            "late": self.late.as_json(),
            "unsettled": self.unsettled.as_json(),
            "earned": dict(self.earned),
            "taken": self.taken,
            "given_back": self.given_back,
            "on_account": self.on_account,
            "statements": self.statements,
        }

    @classmethod
    def of_json(cls, day: dt.date, kept: Mapping[str, Any]) -> Till:
        """Return a till from its stored JSON."""
        settled, late, unsettled = (Sums.of_json(kept[name]) for name in ("settled", "late", "unsettled"))
        return cls(
            day=day,
            settled=settled,
            late=late,
            unsettled=unsettled,
            earned=kept["earned"],
            taken=kept["taken"],
            given_back=kept["given_back"],
            on_account=kept["on_account"],
            statements=kept["statements"],
        )


def till_closed(parlour: Parlour, day: dt.date) -> TillClose | None:
    """Return the close of a business day that is in force, if any."""
    return TillClose.objects.filter(parlour=parlour, day=day, ended_at=None).first()


def till_of(parlour: Parlour, day: dt.date, dues: Mapping[int, Due] | None = None) -> Till:
    """Compute the till of a business day from the present facts; `dues` spares computing them again."""
    held = StatementLine.objects.filter(statement__parlour=parlour, statement__cancelled_at=None, day=day)
    lines = [as_line(row) for row in held]
    owed = [line for due in (dues_of(parlour) if dues is None else dues).values() for line in due.lines]
    owed = [line for line in owed if line.day == day]
    payments = Payment.objects.filter(parlour=parlour, day=day)
    taken = payments.aggregate(taken=Sum("money", filter=Q(money__gt=0)), back=Sum("money", filter=Q(money__lt=0)))
    made = Statement.objects.filter(parlour=parlour, day=day, cancelled_at=None)
    charged = made.aggregate(sum=Sum("money"))["sum"] or 0
    # Money taken for a cancelled statement is given back as another payment; neither changes an account.
    paid = payments.filter(statement__cancelled_at=None).aggregate(sum=Sum("money"))["sum"] or 0
    return Till(
        day=day,
        settled=Sums.of(line for line in lines if not line.is_late),
        late=Sums.of(line for line in (*lines, *owed) if line.is_late),
        unsettled=Sums.of(line for line in owed if not line.is_late),
        earned=_earned([*lines, *owed]),
        taken=taken["taken"] or 0,
        given_back=-(taken["back"] or 0),
        on_account=charged - paid,
        statements=made.count(),
    )


def _earned(lines: Iterable[DueLine]) -> Mapping[str, int]:
    """Return the money by what was charged; a difference of a game counts as its fee."""
    sums: defaultdict[str, int] = defaultdict(int)
    for line in lines:
        if line.kind == Kind.GAME and not line.is_late:
            top = line.detail.get("top")
            sums["top"] += top if isinstance(top, int) else 0
            sums["fee"] += line.money - (top if isinstance(top, int) else 0)
        else:
            sums["fee" if line.kind == Kind.GAME else str(line.kind)] += line.money
    return {key: money for key, money in sums.items() if money}
