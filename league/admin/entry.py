"""Match night: a table session with all its hanchan on one screen, each a form of its own.

1. A hanchan without a result is a form; one with a result is shown, with buttons to correct it or take it back.
2. A form goes to `record_result`; whatever that refuses stands at its field, and all that was typed stays.
3. While somebody types, the same form goes to the preview, which answers with what the same engine says of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import View

from league.admin.base import DeskAdmin, actor_of, may, page_of
from league.admin.preview import preview_json
from league.admin.start import next_table_with_gaps
from league.formatting import score_text
from league.forms.entry import Company, SheetForm, player_label
from league.messages import wind_name
from league.models import Competition, Entrant, Hanchan, HanchanSeat, Player, ResultSheet, SeatResult, TableSession
from league.names import title_in
from league.selectors.blocks import entrants_who_may_play
from league.selectors.rules import ruleset_of
from league.services.actor import Capability
from league.services.entry import SheetEntry
from league.services.errors import ConflictError, ServiceError
from league.services.results import record_result
from scoring.ruleset import Ledger, Ruleset

MOST_SUBSTITUTES_LISTED = 1000


@dataclass(frozen=True, slots=True)
class ShownSeat:
    """A seat of a sheet that is only read."""

    wind: str
    result: SeatResult


@dataclass(frozen=True, slots=True)
class Panel:
    """A hanchan on the screen: the sheet that counts, one that waits for confirmation, and the form, if any."""

    hanchan: Hanchan
    rules: Ruleset
    counting: ResultSheet | None
    waiting: ResultSheet | None
    form: SheetForm | None

    @property
    def key(self) -> str:
        """What marks this form where the browser keeps what was typed: another revision is another form."""
        return f"{self.hanchan.pk}:{self.counting.revision if self.counting else 0}"

    @property
    def ledger(self) -> Ledger:
        """The ledger standings are made of."""
        return self.rules.ranking_ledger

    @property
    def brought(self) -> list[str]:
        """The ledgers of which amounts are brought from the table, by name."""
        return [title_in(ledger.title) for ledger in self.rules.entered_ledgers]

    @property
    def has_chonbo(self) -> bool:
        """Whether chonbo are settled after the game."""
        return self.rules.settlement.chonbo is not None

    @property
    def has_tobi(self) -> bool:
        """Whether there is a prize for taking somebody out."""
        return self.rules.settlement.tobi is not None

    @property
    def shown(self) -> ResultSheet | None:
        """The sheet to read: the one that counts, or one that waits."""
        return self.counting or self.waiting

    def seats(self) -> list[ShownSeat]:
        """The seats of the sheet shown."""
        winds = self.rules.setup.seat_winds
        return [ShownSeat(wind_name(winds[seat.seat]), seat) for seat in self.shown.seats.all()] if self.shown else []


@dataclass(frozen=True, slots=True)
class Table:
    """A table session with everything its screen needs, read in a fixed number of queries."""

    session: TableSession
    hanchan: tuple[Hanchan, ...]
    counting: Mapping[int, ResultSheet]
    waiting: Mapping[int, ResultSheet]
    company: Company

    @property
    def competition(self) -> Competition:
        """The competition played."""
        return self.session.competition

    def form(self, hanchan: Hanchan, data: Any = None, corrects: int | None = None) -> SheetForm:
        """The hanchan's form; a correction starts from the sheet that counts."""
        counting = self.counting.get(hanchan.pk)
        start = SheetEntry.of_sheet(counting) if counting and corrects is not None else None
        return SheetForm(
            data,
            hanchan=hanchan,
            rules=rules_of(hanchan),
            company=self.company,
            corrects=corrects,
            start=start,
            are_seats_known=any(sheet.facts.get("are_seats_known") for sheet in self.counting.values()),
        )


def rules_of(hanchan: Hanchan) -> Ruleset:
    """The rules the hanchan is played by."""
    return ruleset_of(hanchan.rules, hanchan.options)


def table_of(session: TableSession) -> Table:
    """The table session, its hanchan with seats, their sheets, and who may play."""
    seats = HanchanSeat.objects.select_related("entrant__player", "player").order_by("seat")
    hanchan = tuple(
        session.hanchan.select_related("rules__ruleset", "block__stage", "block__competition")
        .prefetch_related(Prefetch("seats", seats))
        .order_by("round")
    )
    results = SeatResult.objects.select_related("entrant__player", "player").order_by("seat")
    sheets = (
        ResultSheet.objects.filter(
            hanchan__in=hanchan, state__in=[ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED]
        )
        .select_related("entered_by")
        .prefetch_related(Prefetch("seats", results))
        .order_by("revision")
    )
    return Table(
        session=session,
        hanchan=hanchan,
        counting={sheet.hanchan_id: sheet for sheet in sheets if sheet.state == ResultSheet.State.CONFIRMED},
        waiting={sheet.hanchan_id: sheet for sheet in sheets if sheet.state == ResultSheet.State.SUBMITTED},
        company=company_of(session),
    )


def company_of(session: TableSession) -> Company:
    """Who may play at the table."""
    everybody = {
        one.pk: one for one in Entrant.objects.filter(competition=session.competition_id).select_related("player")
    }
    ids = entrants_who_may_play(session.block)
    return Company(tuple(one for pk, one in everybody.items() if pk in ids), everybody)


def number_in(query: Any, name: str) -> int | None:
    """A number handed over in the address or a form."""
    text = query.get(name, "")
    return int(text) if text.isascii() and text.isdigit() else None


class EntryView(View):
    """The screen of one table session."""

    desk: DeskAdmin[TableSession] | None = None
    table: Table

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Find the table among those the user may see; whoever enters must be allowed to."""
        assert self.desk is not None  # noqa: S101 - the address gives it
        rows = self.desk.get_queryset(request).select_related("competition", "session", "block__stage")
        session = rows.filter(pk=kwargs["pk"]).first()
        if session is None:
            raise Http404
        if not may(request, Capability.SUBMIT, session.competition_id):
            raise PermissionDenied
        self.table = table_of(session)
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, pk: int) -> HttpResponse:
        """All hanchan; `correct` and `again` open the form of one that has a sheet already."""
        reopened = number_in(request.GET, "correct") or number_in(request.GET, "again")
        forms = {}
        for hanchan in self.table.hanchan:
            counting = self.table.counting.get(hanchan.pk)
            if hanchan.pk == reopened or not (counting or hanchan.pk in self.table.waiting):
                forms[hanchan.pk] = self.table.form(hanchan, corrects=counting.revision if counting else None)
        return self.show(forms, start_at=self.first_open(forms, reopened, number_in(request.GET, "saved")))

    def post(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Record one hanchan, then go on to the next."""
        wanted = number_in(request.POST, "hanchan")
        hanchan = next((one for one in self.table.hanchan if one.pk == wanted), None)
        if hanchan is None:
            raise Http404
        form = self.table.form(hanchan, request.POST, number_in(request.POST, f"h{hanchan.pk}-corrects"))
        if form.is_valid():
            try:
                return self.recorded(hanchan, self.record(hanchan, form))
            except ConflictError as error:
                if self.is_in_already(hanchan, form):
                    return self.recorded(hanchan, None)
                form = self.form_against_what_counts(hanchan, error)
            except ServiceError as error:
                form.take(error)
        others = [one for one in self.table.hanchan if one.pk != hanchan.pk and self.is_open(one)]
        return self.show({**{one.pk: self.table.form(one) for one in others}, hanchan.pk: form}, start_at=hanchan.pk)

    def record(self, hanchan: Hanchan, form: SheetForm) -> ResultSheet:
        """Hand the sheet in."""
        return record_result(
            hanchan=hanchan,
            entry=form.entry(),
            by=actor_of(self.request),
            accept=form.accepted,
            corrects=form.corrects,
            reason=form.cleaned_data.get("reason", ""),
            state=form.end_state,
        )

    def recorded(self, hanchan: Hanchan, sheet: ResultSheet | None) -> HttpResponse:
        """Say what became of the sheet and go on."""
        number = {"number": hanchan.number}
        if sheet is None:
            messages.info(self.request, _("Hanchan %(number)s was in already, exactly as you typed it.") % number)
        elif sheet.state == ResultSheet.State.CONFIRMED:
            messages.success(self.request, _("Hanchan %(number)s is in and counts.") % number)
        else:
            messages.success(self.request, _("Hanchan %(number)s is in. A second person confirms it now.") % number)
        return HttpResponseRedirect(f"{page_of(self.table.session, 'entry')}?saved={hanchan.pk}")

    def is_in_already(self, hanchan: Hanchan, form: SheetForm) -> bool:
        """Whether this very result counts: a form sent twice over a bad connection."""
        counting = ResultSheet.objects.counting().filter(hanchan=hanchan).first()
        typed = form.entry()
        if counting is None or form.corrects is not None:
            return False
        there = SheetEntry.of_sheet(counting)
        return all(
            getattr(there, name) == getattr(typed, name)
            for name in ("seats", "kyoutaku", "carried", "tobi", "forced_top")
        )

    def form_against_what_counts(self, hanchan: Hanchan, error: ConflictError) -> SheetForm:
        """What was typed, beside what counts by now: sent again it is a correction of that."""
        self.table = table_of(self.table.session)
        counting = self.table.counting.get(hanchan.pk)
        form = self.table.form(hanchan, self.request.POST, counting.revision if counting else None)
        form.take(error)
        return form

    def is_open(self, hanchan: Hanchan) -> bool:
        """Whether nothing has been handed in yet."""
        return hanchan.pk not in self.table.counting and hanchan.pk not in self.table.waiting

    def first_open(self, forms: Mapping[int, SheetForm], reopened: int | None, saved: int | None) -> int | None:
        """The hanchan to begin with: the one reopened, the first one after what was saved, or the first."""
        if reopened in forms:
            return reopened
        order = [hanchan.pk for hanchan in self.table.hanchan]
        later = order[order.index(saved) + 1 :] + order[: order.index(saved)] if saved in order else order
        return next((pk for pk in later if pk in forms), None)

    def show(self, forms: Mapping[int, SheetForm], start_at: int | None) -> HttpResponse:
        """The screen; the first field to fill in has the focus."""
        assert self.desk is not None  # noqa: S101 - the address gives it
        if start_at is not None:
            begin_with(forms[start_at])
        table = self.table
        panels = [self.panel(hanchan, forms.get(hanchan.pk)) for hanchan in table.hanchan]
        bound = any(form.is_bound for form in forms.values())
        context = {
            **self.desk.admin_site.each_context(self.request),
            "title": _("Enter results"),
            "is_nav_sidebar_enabled": False,
            "subtitle": str(table.session),
            "opts": self.desk.opts,
            "table": table.session,
            "competition": table.competition,
            "panels": panels,
            "unit_hint": unit_hint(panels[0].rules) if panels else "",
            "saved": number_in(self.request.GET, "saved"),
            "done": sum(panel.counting is not None for panel in panels),
            "substitutes": self.substitutes() if forms else [],
            "confirm_first": next((pk for pk in table.waiting if not forms), None),
            "next_table": next_table_with_gaps(table.session) if not forms else None,
            "may_correct": may(self.request, Capability.CORRECT, table.competition.pk),
            "may_confirm": may(self.request, Capability.CONFIRM, table.competition.pk),
            "is_closed": table.competition.status == Competition.Status.CLOSED,
        }
        return render(self.request, "admin/league/entry.html", context, status=422 if bound else 200)

    def panel(self, hanchan: Hanchan, form: SheetForm | None) -> Panel:
        """One hanchan on the screen."""
        return Panel(
            hanchan=hanchan,
            rules=rules_of(hanchan),
            counting=self.table.counting.get(hanchan.pk),
            waiting=self.table.waiting.get(hanchan.pk),
            form=form,
        )

    def substitutes(self) -> Sequence[str]:
        """Everybody who could stand in."""
        players = Player.objects.filter(erased_at=None, merged_into=None)
        return [player_label(player) for player in players[:MOST_SUBSTITUTES_LISTED]]


def unit_hint(rules: Ruleset) -> str:
    """How scores are typed, in an example of this table's size."""
    unit = rules.entry.unit
    if unit == 1:
        return ""
    example = rules.setup.return_ // unit
    return _("scores in units of %(unit)s: %(typed)s is %(score)s, below zero with - or ▲") % {
        "unit": score_text(unit),
        "typed": example,
        "score": score_text(example * unit),
    }


def begin_with(form: SheetForm) -> None:
    """Give the focus to the first field to mend, or to fill in."""
    form.fields[form.first_to_mend()].widget.attrs["autofocus"] = True


class PreviewView(View):
    """What the engine says of a sheet while it is typed; nothing is written."""

    desk: DeskAdmin[Hanchan] | None = None

    def post(self, request: HttpRequest, pk: int) -> HttpResponse:
        """The preview as JSON."""
        assert self.desk is not None  # noqa: S101 - the address gives it
        seats = HanchanSeat.objects.select_related("entrant__player", "player").order_by("seat")
        rows = self.desk.get_queryset(request).select_related(
            "rules__ruleset", "rules__format", "block__competition", "block__stage", "table_session__block"
        )
        hanchan = rows.filter(pk=pk).prefetch_related(Prefetch("seats", seats)).first()
        if hanchan is None:
            raise Http404
        if not may(request, Capability.SUBMIT, hanchan.block.competition_id):
            raise PermissionDenied
        counting = ResultSheet.objects.counting().filter(hanchan=hanchan).first()
        form = SheetForm(
            request.POST,
            hanchan=hanchan,
            rules=rules_of(hanchan),
            company=company_of(hanchan.table_session),
            corrects=number_in(request.POST, f"h{pk}-corrects"),
            start=SheetEntry.of_sheet(counting) if counting else None,
        )
        return JsonResponse(preview_json(form, actor_of(request)))
