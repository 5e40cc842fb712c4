"""Printable result slips for a session, one page for each table, filled in by hand and entered afterwards.

GET only prints. A QR code needs a new scorer's link, which is created on POST and shown in that response only, since
the database keeps no more than its digest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.db import transaction
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ServiceView, actor_of, page_of
from league.admin.live.links import Slip, slip_of
from league.admin.results.entry import rules_of
from league.forms.results.night import SlipsForm
from league.models import Hanchan, HanchanSeat, Session, TableLink, TableSession
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor, Capability
from league.selectors.live.access import is_awaiting
from league.services.live.links import end_link, live_links, make_link
from league.wording.messages import wind_name
from league.wording.names import person_name
from scoring.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Paper:
    """The printed page of one table: players, a column of boxes for each hanchan, and the link to the score sheet."""

    table: TableSession
    hanchan: Sequence[Hanchan]
    rules: Ruleset
    names: Sequence[str]
    link: Slip | None

    @property
    def boxes(self) -> range:
        """Return a range with one item for each digit box of a score, without the printed zeros."""
        return range(len(str(self.rules.table_total // self.rules.entry.unit)) - 1)

    @property
    def zeros(self) -> str:
        """Return the zeros printed behind the boxes: with units of 100, 412 is written for 41,200."""
        return "0" * (len(str(self.rules.entry.unit)) - 1)

    @property
    def total(self) -> str:
        """Return the sum of the scores of a hanchan, including deposits left on the table."""
        return f"{self.rules.table_total:,}"

    @property
    def winds(self) -> str:
        """Return the initials of the seat winds, of which the writer circles the player's first one."""
        return " ".join(wind_name(wind)[0] for wind in self.rules.setup.seat_winds[: self.rules.players])

    @property
    def has_deposits(self) -> bool:
        """Return True if the slip asks for riichi deposits left on the table."""
        return self.rules.settlement.kyoutaku is not None


class SlipsView(ServiceView[Session, SlipsForm]):
    """Print the slips of a session."""

    capability = Capability.SUBMIT
    title = gettext_lazy("Slips to print")
    form_class = SlipsForm

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the slips without links."""
        return self.papers({}, SlipsForm())

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the slips, with new scorer's links if the form asks for them."""
        form = SlipsForm(request.POST)
        made: dict[int, Slip] = {}
        if form.is_valid() and form.cleaned_data["with_links"]:
            try:
                made = self.create_links(actor_of(request), ends_earlier=form.cleaned_data["ends_earlier"])
            except ServiceError as error:
                for finding in error.findings:
                    messages.error(request, finding.message)
        return self.papers(made, form)

    @transaction.atomic
    def create_links(self, by: Actor, *, ends_earlier: bool) -> dict[int, Slip]:
        """Create a scorer's link for each table that still plays and return the slips by table id."""
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
        """Return the session's tables with their hanchan and seats prefetched."""
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
        """Render the slips below the controls, which the print stylesheet hides."""
        assert self.model_admin is not None  # noqa: S101 - the address gives it
        tables = [table for table in self.tables() if table.hanchan.all()]
        live = TableLink.objects.filter(table_session__in=tables, ended_at=None, kind=TableLink.Kind.SCORER).exclude(
            pk__in=[slip.link.pk for slip in made.values()]
        )
        context = {
            **self.model_admin.admin_site.each_context(self.request),
            "title": self.title,
            "subtitle": str(self.row),
            "trail": self.trail(),
            "opts": self.model_admin.opts,
            "form": form,
            "session": self.row,
            "competition": self.competition(),
            "papers": [paper_of(table, made.get(table.pk)) for table in tables],
            "has_links": bool(made),
            "address": next((slip.address for slip in made.values()), ""),
            "earlier": live.count(),
        }
        return render(self.request, "admin/league/slips.html", context)


def slip_name(seat: HanchanSeat) -> str:
    """Return the name printed for a seat, marked if the entrant withdrew and no substitute is named."""
    name = person_name(seat.player)
    is_gone = seat.entrant.withdrawn_at and seat.player_id == seat.entrant.player_id
    return _("%(name)s (withdrawn)") % {"name": name} if is_gone else name


def paper_of(table: TableSession, link: Slip | None) -> Paper:
    """Return the printed page of one table."""
    hanchan = list(table.hanchan.all())
    rules = rules_of(hanchan[0])
    seated = list(dict.fromkeys(slip_name(seat) for one in hanchan for seat in one.seats.all()))
    names = seated or [""] * rules.players
    return Paper(table, hanchan, rules, names, link)
