"""Slips of paper for a session: a page for each table, to be filled in by hand and typed in afterwards.

Printing is reading; a QR code needs a new link for the scorer, which is made on request and shown this once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ServiceView, actor_of, page_of
from league.admin.live.links import Slip, slip_of, warn_of_loopback
from league.admin.results.entry import rules_of
from league.forms.results.night import SlipsForm
from league.models import Hanchan, HanchanSeat, TableLink, TableSession
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor, Capability
from league.selectors.live.access import is_awaiting
from league.services.live.links import end_link, live_links, make_link
from league.wording.messages import wind_name
from league.wording.names import person_name
from scoring.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Paper:
    """The page of one table: who plays, a column of boxes for each hanchan, and the way to the score sheet."""

    table: TableSession
    hanchan: Sequence[Hanchan]
    rules: Ruleset
    names: Sequence[str]
    link: Slip | None

    @property
    def boxes(self) -> range:
        """A box for each digit of the largest score of the table, without the zeros that are printed."""
        return range(len(str(self.rules.table_total // self.rules.entry.unit)) - 1)

    @property
    def zeros(self) -> str:
        """What need not be written: 412 stands for 41,200."""
        return "0" * (len(str(self.rules.entry.unit)) - 1)

    @property
    def total(self) -> str:
        """What the scores of a hanchan add up to, with deposits left on the table."""
        return f"{self.rules.table_total:,}"

    @property
    def winds(self) -> str:
        """The first letters of the winds, to ring the one a player began with."""
        return " ".join(wind_name(wind)[0] for wind in self.rules.setup.seat_winds[: self.rules.players])

    @property
    def has_deposits(self) -> bool:
        """Whether sticks left on the table are written down."""
        return self.rules.settlement.kyoutaku is not None


class SlipsView(ServiceView):
    """The slips of a session."""

    capability = Capability.SUBMIT
    title = gettext_lazy("Slips to print")
    form_class = SlipsForm

    @override
    def get(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """The pages without links."""
        return self.papers({}, SlipsForm())

    @override
    def post(self, request: HttpRequest, **kwargs: Any) -> HttpResponse:
        """The pages, with new links where they were asked for."""
        form = SlipsForm(request.POST)
        made: dict[int, Slip] = {}
        if form.is_valid() and form.cleaned_data["with_links"]:
            try:
                made = self.linked(actor_of(request), ends_earlier=form.cleaned_data["ends_earlier"])
            except ServiceError as error:
                for finding in error.findings:
                    messages.error(request, finding.message)
        for slip in list(made.values())[:1]:
            warn_of_loopback(request, slip.address)
        return self.papers(made, form)

    @transaction.atomic
    def linked(self, by: Actor, *, ends_earlier: bool) -> dict[int, Slip]:
        """A new link for the scorer of every table that still plays."""
        made = {}
        for table in self.tables():
            if not is_awaiting(table.pk):
                continue
            earlier = live_links(table).filter(kind=TableLink.Kind.SCORER)
            for link in earlier.select_related("table_session__competition") if ends_earlier else ():
                end_link(link=link, by=by)
            new = make_link(table_session=table, kind=TableLink.Kind.SCORER, by=by)
            made[table.pk] = slip_of(self.request, new)
        return made

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [
            (str(self.competition()), page_of(self.competition())),
            (str(self.row), page_of(self.row, "night")),
        ]

    def tables(self) -> list[TableSession]:
        """The tables of the session, with their hanchan and who sits there."""
        seats = HanchanSeat.objects.select_related("entrant__player", "player").order_by("seat")
        hanchan = (
            Hanchan.objects.exclude(state=Hanchan.State.ABANDONED)
            .select_related("rules__ruleset")
            .prefetch_related(Prefetch("seats", seats))
            .order_by("round")
        )
        rows = TableSession.objects.filter(session=self.row, is_cancelled=False)
        rows = rows.select_related("competition", "session", "block").prefetch_related(Prefetch("hanchan", hanchan))
        return list(rows.order_by("order", "pk"))

    def papers(self, made: dict[int, Slip], form: SlipsForm) -> HttpResponse:
        """The page: what to print, and above it what is not printed."""
        assert self.desk is not None  # noqa: S101 - the address gives it
        tables = [table for table in self.tables() if table.hanchan.all()]
        live = TableLink.objects.filter(table_session__in=tables, ended_at=None, kind=TableLink.Kind.SCORER).exclude(
            pk__in=[slip.link.pk for slip in made.values()]
        )
        context = {
            **self.desk.admin_site.each_context(self.request),
            "title": self.title,
            "subtitle": str(self.row),
            "trail": self.trail(),
            "opts": self.desk.opts,
            "form": form,
            "session": self.row,
            "competition": self.competition(),
            "papers": [paper_of(table, made.get(table.pk)) for table in tables],
            "has_links": bool(made),
            "earlier": live.count(),
        }
        return render(self.request, "admin/league/slips.html", context)


def paper_of(table: TableSession, link: Slip | None) -> Paper:
    """The page of one table."""
    hanchan = list(table.hanchan.all())
    rules = rules_of(hanchan[0])
    seated = list(dict.fromkeys(person_name(seat.player) for one in hanchan for seat in one.seats.all()))
    names = seated or [""] * rules.players
    return Paper(table, hanchan, rules, names, link)
