"""Reports of a parlour over a period, on pages and as files: play, guests, waiting times, and income.

Figures of play are for every member of the staff, money for directors alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.forms.parlour.reports import NAMES, PeriodForm
from league.models import Competition, Parlour
from league.platform.rendering import render
from league.platform.throttling import rate_limited
from league.selectors.access.actors import Capability
from league.selectors.parlour.houses import books_of, house_day, require_in
from league.selectors.parlour.income import Income, income_of, money_of_guests
from league.selectors.parlour.reports import Period, Play, Use, Visits, people_of, play_of, visits_of, waits_of
from league.views.parlour.board import actor_of, frame, may, staff_page
from league.views.parlour.report_charts import BarChart, bar_chart
from league.views.parlour.report_tables import (
    ReportTable,
    guests_table,
    hour_text,
    income_tables,
    play_tables,
    short_month,
    time_text,
    waits_table,
)
from league.web.middleware.language import language_asked
from league.web.table_files import WRITERS, as_attachment
from league.wording.formatting import decimal_text, language_of, money_text, score_text

MOST_DAYS_SHOWN = 62
"""The longest period whose page lists every day; a file lists them all."""
SUFFIXES = ("csv", "xlsx")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a report: the parlour, its rule books, and the period."""

    request: HttpRequest
    parlour: Parlour
    books: Sequence[Competition]
    form: PeriodForm
    period: Period

    @property
    def may_see_money(self) -> bool:
        """Return True if the user is a director."""
        return may(self.request, self.parlour, Capability.MANAGE)


def _asked(request: HttpRequest, parlour: Parlour, capability: Capability = Capability.READ) -> Asked:
    """Return what was asked for; raise unless the user has the capability in every rule book."""
    require_in(actor_of(request), parlour, capability)
    form = PeriodForm(request.GET, today=house_day(parlour))
    return Asked(request, parlour, books_of(parlour), form, form.chosen())


def _page(
    asked: Asked,
    report: str,
    tables: Sequence[ReportTable],
    charts: Mapping[str, BarChart | None] | None = None,
    figures: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """Render a report; status 422 if the dates were refused."""
    query = {"first": asked.period.first.isoformat(), "last": asked.period.last.isoformat()}
    context = frame(
        asked.request,
        asked.parlour,
        "reports",
        report=report,
        form=asked.form,
        period=asked.period,
        ready=[(name, title, name == asked.form.ready) for name, title in NAMES.items()],
        query=urlencode({"period": asked.form.ready} if asked.form.ready else query),
        file_query=urlencode(query),
        tables=[replace(table.without_empty(), chart=(charts or {}).get(table.key)) for table in tables if table.rows],
        figures=figures,
        file_route="income_file" if report == "report_income" else "report_file",
    )
    return render(asked.request, "parlour/reports.html", context, status=200 if asked.form.is_valid() else 422)


# Play


@require_safe
@staff_page
def play(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Show games by hour, and the use of the tables."""
    asked = _asked(request, parlour)
    found = play_of(asked.books, asked.period)
    uses = found.by_hour()
    games = [(hour_text(hour), uses[hour].games) for hour in found.hours]
    return _page(
        asked,
        "reports",
        play_tables(found, asked.books, parlour.currency),
        {"hours": bar_chart(_("Games by hour"), games, score_text)},
        _figures(found),
    )


def _figures(play: Play) -> Sequence[tuple[str, str]]:
    """Return games, table time and games per table-hour of the whole period; nothing without play."""
    total = sum(play.by_hour().values(), Use())
    if not play.cells:
        return []
    rate = total.games_per_hour
    return [
        (_("Games"), score_text(total.games)),
        (_("Table time"), time_text(total.seconds)),
        (_("Games per table-hour"), "–" if rate is None else decimal_text(rate, 2)),
    ]


# Guests


@require_safe
@staff_page
def guests(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Show the visits of each guest, with money for directors."""
    asked = _asked(request, parlour)
    visits = visits_of(asked.books, asked.period)
    figures = [
        (_("Guests"), score_text(len(visits))),
        (_("Visits"), score_text(sum(len(own.days) for own in visits))),
        (_("New guests"), score_text(sum(own.is_new for own in visits))),
    ]
    return _page(asked, "report_guests", [_guests(asked, visits)], figures=figures if visits else [])


def _guests(asked: Asked, visits: Sequence[Visits]) -> ReportTable:
    money = money_of_guests(asked.parlour, asked.period) if asked.may_see_money else None
    return guests_table(visits, people_of(visits), asked.parlour, money)


# Waiting


@require_safe
@staff_page
def waiting(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Show how long guests waited for a seat."""
    asked = _asked(request, parlour)
    waits = waits_of(asked.books, asked.period)
    medians = [(hour_text(hour), each.median or 0) for hour, each in waits.items()]
    chart = bar_chart(_("Median wait by hour"), medians, _minutes)
    return _page(asked, "report_waiting", [waits_table(waits, parlour.currency)], {"waiting": chart})


def _minutes(minutes: int) -> str:
    return _("%(minutes)s min") % {"minutes": minutes}


# Income


@require_safe
@staff_page
def income(request: HttpRequest, parlour: Parlour) -> HttpResponse:
    """Show the income by day, month, hour and rule book."""
    asked = _asked(request, parlour, Capability.MANAGE)
    found = income_of(parlour, asked.books, asked.period)
    tables = income_tables(found, asked.books, parlour.currency)
    if asked.period.days > MOST_DAYS_SHOWN:
        tables = [table for table in tables if table.key != "days"]
    total = found.total()
    figures = [
        (_("Income"), money_text(sum(total.values()), parlour.currency)),
        (_("of it not settled"), money_text(total.open, parlour.currency)),
    ]
    return _page(asked, "report_income", tables, _income_charts(found, asked), figures if found.amounts else [])


def _income_charts(found: Income, asked: Asked) -> Mapping[str, BarChart | None]:
    """Return the charts by day, month and hour."""

    def text(money: int) -> str:
        return money_text(money, asked.parlour.currency)

    days = [(f"{day.month}/{day.day}", sum(row.values())) for day, row in found.by_day().items()]
    months = [(short_month(month), sum(row.values())) for month, row in found.by_month().items()]
    hours = [(hour_text(hour), sum(row.values())) for hour, row in found.by_hour().items() if hour is not None]
    return {
        "days": bar_chart(_("Income by day"), days, text),
        "months": bar_chart(_("Income by month"), months, text) if len(months) > 1 else None,
        "hours": bar_chart(_("Income by hour"), hours, text),
    }


# Files


def _guests_file(asked: Asked) -> Sequence[ReportTable]:
    return [_guests(asked, visits_of(asked.books, asked.period))]


def _waiting_file(asked: Asked) -> Sequence[ReportTable]:
    return [waits_table(waits_of(asked.books, asked.period), asked.parlour.currency)]


def _play_files(asked: Asked) -> Sequence[ReportTable]:
    return play_tables(play_of(asked.books, asked.period), asked.books, asked.parlour.currency)


def _income_files(asked: Asked) -> Sequence[ReportTable]:
    found = income_of(asked.parlour, asked.books, asked.period)
    return income_tables(found, asked.books, asked.parlour.currency)


@require_safe
@rate_limited("file")
@staff_page
def file(request: HttpRequest, parlour: Parlour, report: str, suffix: str) -> HttpResponseBase:
    """Return a table of play, guests or waiting times as a file."""
    tables = {"guests": _guests_file, "waiting": _waiting_file}.get(report, _play_files)
    return _file(_asked(request, parlour), report, suffix, tables)


@require_safe
@rate_limited("file")
@staff_page
def income_file(request: HttpRequest, parlour: Parlour, report: str, suffix: str) -> HttpResponseBase:
    """Return a table of the income as a file."""
    return _file(_asked(request, parlour, Capability.MANAGE), report, suffix, _income_files, "income-")


def _file(
    asked: Asked, report: str, suffix: str, tables: Callable[[Asked], Sequence[ReportTable]], prefix: str = ""
) -> HttpResponseBase:
    if suffix not in SUFFIXES or not asked.form.is_valid():
        raise Http404(_("There is no such file."))
    language = language_of(language_asked(asked.request))
    with translation.override(language):
        table = next((table for table in tables(asked) if table.key == report), None)
        if table is None:
            raise Http404(_("There is no such file."))
        response = WRITERS[suffix](table.sheet(), language)
    first, last = asked.period.ends
    name = f"{asked.parlour.slug}-{prefix}{report}-{first.isoformat()}-{last.isoformat()}.{suffix}"
    return as_attachment(response, name)
