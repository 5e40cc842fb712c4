"""The running table of an open table (a parlour's ranking of its guests), for guests and staff."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from league.forms.fields import DAY_INPUT
from league.models import Block, Competition
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import stamp_of
from league.selectors.parlour.board import business_day
from league.selectors.people.visibility import ledgers_shown
from league.selectors.standings.tallies import Order, StaleCursorError, TallyLine, Wanted, running_table
from league.selectors.standings.tally_sums import last_of_month
from league.views.base import REPRESENTATION, PageData, answer, reader_at, render_in_zone, show
from league.web.response_cache import Render
from league.wording.formatting import points_text
from scoring.ruleset import Ledger

PERIODS = (
    ("all", pgettext_lazy("period", "all time")),
    ("month", pgettext_lazy("period", "a month")),
    ("day", pgettext_lazy("period", "a day")),
    ("days", pgettext_lazy("period", "from a day to a day")),
)
ORDERS = (
    (Order.POINTS, gettext_lazy("points")),
    (Order.AVERAGE_PLACE, gettext_lazy("average place")),
    (Order.FIRSTS, gettext_lazy("rate of firsts")),
    (Order.FIRST_OR_SECOND, gettext_lazy("rate of firsts and seconds")),
    (Order.NOT_LAST, gettext_lazy("rate of not being last")),
    (Order.BEST_SCORE, gettext_lazy("highest score")),
    (Order.GAMES, gettext_lazy("games")),
)


class RankingForm(forms.Form):
    """The options of the table: period, order, and minimum number of games."""

    period = forms.ChoiceField(label=gettext_lazy("Period"), choices=PERIODS, required=False)
    day = forms.DateField(label=gettext_lazy("Day, or the first day"), required=False, widget=DAY_INPUT)
    to = forms.DateField(label=gettext_lazy("The last day"), required=False, widget=DAY_INPUT)
    order = forms.ChoiceField(label=gettext_lazy("Ordered by"), choices=ORDERS, required=False)
    minimum = forms.IntegerField(label=gettext_lazy("Minimum games"), min_value=1, max_value=99999, required=False)
    after = forms.CharField(widget=forms.HiddenInput, required=False, max_length=200)

    def wanted(self, today: dt.date) -> Wanted:
        """Return the requested table; missing or invalid options take their defaults."""
        asked = self.cleaned_data if self.is_valid() else {}
        since, until = self.span(asked.get("period") or "all", asked.get("day"), asked.get("to"), today)
        return Wanted(
            since=since,
            until=until,
            order=Order(asked.get("order") or Order.POINTS),
            minimum=asked.get("minimum") or 1,
            cursor=asked.get("after") or "",
        )

    def span(
        self, period: str, first: dt.date | None, last: dt.date | None, today: dt.date
    ) -> tuple[dt.date | None, dt.date | None]:
        """Return first and last day of the period; a missing day is today, a missing end of a span is open."""
        day = first or today
        match period:
            case "month":
                return day.replace(day=1), last_of_month(day)
            case "day":
                return day, day
            case "days":
                return first, last
            case _:
                return None, None

    def clean(self) -> dict[str, object]:
        """Refuse a span that ends before it begins."""
        cleaned = super().clean() or self.cleaned_data
        day, until = cleaned.get("day"), cleaned.get("to")
        if cleaned.get("period") == "days" and day and until and until < day:
            message = _("The last day, %(until)s, is before the first, %(day)s.") % {"until": until, "day": day}
            self.add_error("to", message)
        return cleaned


class RankingLine:
    """A line with its averages and rates, which stay exact fractions until they are formatted."""

    def __init__(self, line: TallyLine, players: int, others: Sequence[Ledger]) -> None:
        self.rank, self.tally = line.rank, line.tally
        places, games = line.average_place
        last = line.tally.places[players - 1]
        self.average_place = Fraction(places, games)
        self.firsts = Fraction(100 * line.tally.firsts, games)
        self.first_or_second = Fraction(100 * (line.tally.firsts + line.tally.seconds), games)
        self.not_last = Fraction(100 * (games - last), games)
        self.others = [points_text(self.tally.totals.get(ledger.key, 0), ledger.scale, plus=True) for ledger in others]


@require_safe
def ranking(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show the running table; redirect to its first page if a cursor belongs to a version that has passed."""

    def read() -> tuple[str, Render]:
        reader = reader_at(request, slug)
        if reader.competition.kind != Competition.Kind.OPEN:
            raise Http404(_("There is no such open table."))
        return etag_of(reader, *parts_of(request, reader)), partial(render_in_zone, render_ranking, request, reader)

    try:
        return answer(request, read)
    # A keyset page goes on within one published version; across versions guests could be missing or appear twice.
    except StaleCursorError:
        query = request.GET.copy()
        query.pop("after", None)
        return redirect(f"{request.path}?{query.urlencode()}")


def render_ranking(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Render the table that the URL asks for."""
    shown, form = PageData(reader), RankingForm(request.GET or None)
    wanted = form.wanted(business_day(reader.competition))
    return show(request, "standings/ranking/ranking.html", shown, **table_context(shown, wanted, form, request.GET))


def parts_of(request: HttpRequest, reader: Reader) -> tuple[object, ...]:
    """Return the query and the business day for the ETag; that day is the default of a missing one."""
    return REPRESENTATION, "ranking", str(business_day(reader.competition)), sorted(request.GET.lists())


def table_context(shown: PageData, wanted: Wanted, form: RankingForm, asked: QueryDict) -> dict[str, object]:
    """Return the template context of the table."""
    block: Block = shown.blocks[0]
    players = shown.ruleset.players
    page = running_table(shown.reader, block, wanted, players)
    others = [ledger for ledger in ledgers_shown(shown.reader, shown.ruleset) if not ledger.ranks]
    first, following = asked.copy(), asked.copy()
    first.pop("after", None)
    following["after"] = page.after
    return {
        "tab": "ranking",
        "form": RankingForm(initial=_initial(asked)),
        "page": page,
        "rows": [RankingLine(line, players, others) for line in page.lines],
        "others": others,
        "players": players,
        "places": range(1, players + 1),
        "following": following.urlencode() if page.after else "",
        "is_first": not wanted.cursor,
        "first": first.urlencode(),
        "chosen_errors": form.errors,
        "stamp": stamp_of(shown.reader),
    }


def _initial(asked: QueryDict) -> dict[str, object]:
    """Return the options as given, as far as they are valid; defaults for the rest."""
    usual = {"period": "all", "order": Order.POINTS, "minimum": 1}
    form = RankingForm(asked)
    form.is_valid()
    return usual | {key: value for key, value in form.cleaned_data.items() if value and key != "after"}
