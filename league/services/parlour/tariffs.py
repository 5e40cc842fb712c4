"""Set the fees of a parlour from a business day on; a row is appended, the ones before it stay."""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict, dataclass

from django.utils.translation import gettext as _

from league.models import Competition, DayClose, HouseTariff, Parlour, TillClose
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.parlour.checks import lock_parlour, note
from league.wording.formatting import day_text
from scoring.charges import Tariff

LONGEST_UNIT = 24 * 60
"""The longest unit, in minutes, of guests by the hour."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TariffPlan:
    """Fees from a business day on, for one rule book (None: all) and one table (empty: all)."""

    from_day: dt.date
    tariff: Tariff
    book: Competition | None = None
    table: str = ""


@all_or_nothing
def set_tariff(*, parlour: Parlour, plan: TariffPlan, by: Actor) -> HouseTariff:
    """Append the fees that hold from a business day on; every book concerned logs them.

    Raise ConflictError if the books of that day or of a later one are closed: what was counted then would change.
    """
    books = lock_parlour(parlour, by, Capability.MANAGE)
    refuse_too_long(HouseTariff, {"table": plan.table})
    refuse_odd_fees(plan.tariff)
    if plan.book is not None and plan.book not in books:
        raise refuse("not_of_this_parlour", _("This rule book is none of this parlour's."), "/book")
    refuse_before_a_close(parlour, plan.from_day)
    row = HouseTariff.objects.create(
        parlour=parlour,
        book=plan.book,
        table=plan.table.strip(),
        from_day=plan.from_day,
        by=by.user,
        **asdict(plan.tariff),
    )
    after = {"table": row.table, "from_day": row.from_day.isoformat(), **asdict(plan.tariff)}
    for book in [plan.book] if plan.book else books:
        note(open_change(book, by), "tariff.set", row, after=after)
    return row


def refuse_odd_fees(tariff: Tariff) -> None:
    """Raise unless no fee is negative and guests by the hour have both a unit and its fee, or neither."""
    for name, value in asdict(tariff).items():
        if value is not None and value < 0:
            raise refuse("fee_negative", _("A fee is 0 or more."), f"/{name}")
    if tariff.hour_unit_minutes > LONGEST_UNIT:
        message = _("A unit of time has at most %(most)s minutes.") % {"most": LONGEST_UNIT}
        raise refuse("unit_too_long", message, "/hour_unit_minutes")
    if tariff.hour_unit and not tariff.hour_unit_minutes:
        raise refuse("unit_needed", _("Say how many minutes this fee is for."), "/hour_unit_minutes")


def refuse_before_a_close(parlour: Parlour, day: dt.date) -> None:
    """Raise ConflictError if the business day or a later one is closed, at the till or in one of the books."""
    if closed := _closed_since(parlour, day):
        message = _("The books of %(day)s are closed. New fees hold from a later day on.")
        raise conflict("day_closed", message % {"day": day_text(max(closed))}, "/from_day")


def first_day_of_new_fees(parlour: Parlour, today: dt.date) -> dt.date:
    """Return today, or the day after the last closed one if the books of today or of a later day are closed."""
    closed = _closed_since(parlour, today)
    return max(closed) + dt.timedelta(days=1) if closed else today


def _closed_since(parlour: Parlour, day: dt.date) -> list[dt.date]:
    tills = TillClose.objects.filter(parlour=parlour, ended_at=None, day__gte=day)
    books = DayClose.objects.filter(competition__parlour=parlour, ended_n=None, day__gte=day)
    return [*tills.values_list("day", flat=True), *books.values_list("day", flat=True)]
