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
from django.db.models import Count, Prefetch, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import View

from league.admin.base import DeskAdmin, actor_of, may, page_of
from league.admin.results.preview import preview_json
from league.forms.results.entry import Company, SheetForm, crowd_of, player_label
from league.models import Competition, Entrant, Hanchan, HanchanSeat, Player, ResultSheet, SeatResult, TableSession
from league.platform.errors import ConflictError, ServiceError
from league.selectors.access.actors import Capability
from league.selectors.operations.pending_tasks import next_table_with_gaps
from league.selectors.results.blind_sheets import is_blind
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.selectors.standings.blocks import entrants_who_may_play
from league.services.results.blind_entry import cells_to_ask
from league.services.results.entry import SheetEntry
from league.services.results.results import record_result
from league.wording.formatting import score_text
from league.wording.messages import wind_name
from league.wording.names import title_in
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
    asked: tuple[str, ...] = ()
    """The cells that differ from what somebody else entered without seeing this sheet."""
    to_settle: tuple[ResultSheet, ...] = ()
    """Sheets of two people that differ, for a director who entered neither."""

    @property
    def key(self) -> str:
        """What marks this form where the browser keeps what was typed: another revision is another form."""
        own = self.waiting.revision if self.waiting and self.asked else 0
        return f"{self.hanchan.pk}:{max(own, self.counting.revision if self.counting else 0)}"

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
        return self.seats_of(self.shown) if self.shown else []

    def seats_of(self, sheet: ResultSheet) -> list[ShownSeat]:
        """The seats of a sheet."""
        winds = self.rules.setup.seat_winds
        return [ShownSeat(wind_name(winds[seat.seat]), seat) for seat in sheet.seats.all()]

    def settling(self) -> list[tuple[ResultSheet, list[ShownSeat]]]:
        """The sheets to settle, each with its seats."""
        return [(sheet, self.seats_of(sheet)) for sheet in self.to_settle]


@dataclass(frozen=True, slots=True)
class Table:
    """A table session with everything its screen shows to one person, read in a fixed number of queries."""

    session: TableSession
    hanchan: tuple[Hanchan, ...]
    counting: Mapping[int, ResultSheet]
    waiting: Mapping[int, ResultSheet]
    """What awaits confirmation, as far as this person may see it: where two enter blindly their own."""
    company: Company
    undecided: Mapping[int, tuple[ResultSheet, ...]]
    """All sheets that wait, by hanchan, seen or not."""
    to_settle: Mapping[int, tuple[ResultSheet, ...]]

    @property
    def competition(self) -> Competition:
        """The competition played."""
        return self.session.competition

    @property
    def is_blind(self) -> bool:
        """Whether two people enter here without seeing each other's sheet."""
        return is_blind(self.competition)

    def form(self, hanchan: Hanchan, data: Any = None, corrects: int | None = None) -> SheetForm:
        """The hanchan's form; a correction starts from the sheet that counts, a cell asked again from one's own."""
        mine = self.waiting.get(hanchan.pk) if self.asked(hanchan) else None
        start = mine or (self.counting.get(hanchan.pk) if corrects is not None else None)
        return SheetForm(
            data,
            hanchan=hanchan,
            rules=rules_of(hanchan),
            company=self.company,
            corrects=corrects,
            start=SheetEntry.of_sheet(start) if start else None,
            are_seats_known=any(sheet.facts.get("are_seats_known") for sheet in self.counting.values()),
            asked=self.asked(hanchan),
        )

    def asked(self, hanchan: Hanchan) -> tuple[str, ...]:
        """The cells in which this person's sheet differs from somebody else's."""
        mine = self.waiting.get(hanchan.pk)
        return cells_to_ask(mine) if mine and self.is_blind and len(self.undecided[hanchan.pk]) > 1 else ()

    def panel(self, hanchan: Hanchan, form: SheetForm | None) -> Panel:
        """One hanchan on the screen."""
        return Panel(
            hanchan=hanchan,
            rules=rules_of(hanchan),
            counting=self.counting.get(hanchan.pk),
            waiting=self.waiting.get(hanchan.pk),
            form=form,
            asked=self.asked(hanchan),
            to_settle=self.to_settle.get(hanchan.pk, ()),
        )

    def is_open(self, hanchan: Hanchan) -> bool:
        """Whether this person has something to enter: nothing counts, and they are not through with it."""
        if hanchan.state == Hanchan.State.ABANDONED or hanchan.pk in self.counting:
            return bool(self.asked(hanchan))
        return hanchan.pk not in self.waiting or bool(self.asked(hanchan))

    def open_form(self, hanchan: Hanchan, *, reopened: bool = False) -> SheetForm | None:
        """The hanchan's form where there is something to enter, or where it was asked for."""
        if not reopened and not self.is_open(hanchan):
            return None
        counting = self.counting.get(hanchan.pk)
        return self.form(hanchan, corrects=counting.revision if counting else None)


def rules_of(hanchan: Hanchan) -> Ruleset:
    """The rules the hanchan is played by."""
    return ruleset_of(hanchan.rules, hanchan.options)


def table_of(session: TableSession, request: HttpRequest) -> Table:
    """The table session, its hanchan with seats, their sheets, and who may play."""
    return tables_of([session], request)[0]


def tables_of(sessions: Sequence[TableSession], request: HttpRequest) -> list[Table]:
    """Table sessions of one competition as this person sees them, in as many queries as for one."""
    seats = HanchanSeat.objects.select_related("entrant__player", "player").order_by("seat")
    hanchan = (
        Hanchan.objects.filter(table_session__in=sessions)
        .select_related("rules__ruleset", "block__stage", "block__competition", "table_session")
        .prefetch_related(Prefetch("seats", seats))
        .annotate(photo_count=Count("photos", filter=Q(photos__removed_at=None)))
        .order_by("round")
    )
    results = SeatResult.objects.select_related("entrant__player", "player").order_by("seat")
    sheets = (
        ResultSheet.objects.filter(
            hanchan__table_session__in=sessions, state__in=[ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED]
        )
        .select_related("entered_by", "hanchan__block")
        .annotate(approval_count=Count("approvals"))
        .prefetch_related(Prefetch("seats", results))
        .order_by("revision")
    )
    rows, found = list(hanchan), list(sheets)
    companies = companies_of(sessions)
    return [
        table_from(
            session,
            [row for row in rows if row.table_session_id == session.pk],
            [sheet for sheet in found if sheet.hanchan.table_session_id == session.pk],
            companies[session.block_id],
            request,
        )
        for session in sessions
    ]


def table_from(
    session: TableSession,
    hanchan: Sequence[Hanchan],
    sheets: Sequence[ResultSheet],
    company: Company,
    request: HttpRequest,
) -> Table:
    """What one person sees of what was read."""
    undecided: dict[int, tuple[ResultSheet, ...]] = {}
    for sheet in sheets:
        if sheet.state == ResultSheet.State.SUBMITTED:
            undecided[sheet.hanchan_id] = (*undecided.get(sheet.hanchan_id, ()), sheet)
    own = {pk: [each for each in rows if each.entered_by_id == request.user.pk] for pk, rows in undecided.items()}
    blind = is_blind(session.competition)
    may_settle = blind and may(request, Capability.CORRECT, session.competition_id)
    return Table(
        session=session,
        hanchan=tuple(hanchan),
        counting={sheet.hanchan_id: sheet for sheet in sheets if sheet.state == ResultSheet.State.CONFIRMED},
        waiting={pk: (own[pk] if blind else rows)[-1] for pk, rows in undecided.items() if own[pk] or not blind},
        company=company,
        undecided=undecided,
        to_settle={pk: rows for pk, rows in undecided.items() if may_settle and len(rows) > 1 and not own[pk]},
    )


def companies_of(sessions: Sequence[TableSession]) -> dict[int, Company]:
    """Who may play, by block."""
    competitions = {session.competition_id for session in sessions}
    entrants = Entrant.objects.filter(competition__in=competitions).select_related("player")
    everybody = {one.pk: one for one in entrants}
    ids = {block.pk: entrants_who_may_play(block) for block in {session.block for session in sessions}}
    return {
        block: Company(tuple(one for pk, one in everybody.items() if pk in members), everybody)
        for block, members in ids.items()
    }


def company_of(session: TableSession) -> Company:
    """Who may play at the table."""
    return companies_of([session])[session.block_id]


def number_in(query: Any, name: str) -> int | None:
    """A number handed over in the address or a form."""
    text = query.get(name, "")
    return int(text) if text.isascii() and text.isdigit() else None


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of a sheet that was typed: it is in, now or before; or its form says what is wrong."""

    form: SheetForm
    sheet: ResultSheet | None = None
    is_in: bool = False


def take(request: HttpRequest, table: Table, hanchan: Hanchan) -> Taken:
    """Hand in one hanchan's sheet as it was typed; what is refused stands in the form, beside what was typed."""
    form = table.form(hanchan, request.POST, number_in(request.POST, f"h{hanchan.pk}-corrects"))
    if not form.is_valid():
        return Taken(form)
    try:
        return Taken(form, record(request, hanchan, form), is_in=True)
    except ConflictError as error:
        if is_in_already(hanchan, form):
            return Taken(form, is_in=True)
        return Taken(form_against_what_counts(request, table, hanchan, error))
    except ServiceError as error:
        form.take(error)
        return Taken(form)


def record(request: HttpRequest, hanchan: Hanchan, form: SheetForm) -> ResultSheet:
    """Hand the sheet in."""
    return record_result(
        hanchan=hanchan,
        entry=form.entry(),
        by=actor_of(request),
        accept=form.accepted,
        corrects=form.corrects,
        reason=form.cleaned_data.get("reason", ""),
        state=form.end_state,
    )


def is_in_already(hanchan: Hanchan, form: SheetForm) -> bool:
    """Whether this very result counts: a form sent twice over a bad connection."""
    counting = ResultSheet.objects.counting_of(hanchan)
    typed = form.entry()
    if counting is None or form.corrects is not None:
        return False
    there = SheetEntry.of_sheet(counting)
    return all(
        getattr(there, name) == getattr(typed, name) for name in ("seats", "kyoutaku", "carried", "tobi", "forced_top")
    )


def form_against_what_counts(request: HttpRequest, table: Table, hanchan: Hanchan, error: ConflictError) -> SheetForm:
    """What was typed, beside what counts by now: sent again it is a correction of that."""
    counting = ResultSheet.objects.counting_of(hanchan)
    fresh = table_of(table.session, request)
    form = fresh.form(hanchan, request.POST, counting.revision if counting else None)
    form.take(error)
    return form


def said_of(table: Table, hanchan: Hanchan, sheet: ResultSheet | None) -> tuple[int, str]:
    """What became of a sheet that is in, and how good the news is."""
    number = {"number": hanchan.number}
    if sheet is None:
        return messages.INFO, _("Hanchan %(number)s was in already, exactly as you typed it.") % number
    if sheet.state == ResultSheet.State.CONFIRMED:
        return messages.SUCCESS, _("Hanchan %(number)s is in and counts.") % number
    if not table.is_blind:
        if table.competition.confirmation == Competition.Confirmation.PLAYERS:
            return messages.SUCCESS, _("Hanchan %(number)s is in. Its players confirm it now.") % number
        return messages.SUCCESS, _("Hanchan %(number)s is in. A second person confirms it now.") % number
    if cells_to_ask(sheet):
        text = _(
            "Hanchan %(number)s differs from what somebody else entered. Look at the paper and type what is marked."
        )
        return messages.WARNING, text % number
    return messages.SUCCESS, _("Hanchan %(number)s is in. Somebody else enters it now without seeing yours.") % number


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
        self.table = table_of(session, request)
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, pk: int) -> HttpResponse:
        """All hanchan; `correct` and `again` open the form of one that has a sheet already."""
        reopened = number_in(request.GET, "correct") or number_in(request.GET, "again")
        found = {one.pk: self.table.open_form(one, reopened=one.pk == reopened) for one in self.table.hanchan}
        forms = {key: form for key, form in found.items() if form is not None}
        return self.show(forms, start_at=self.first_open(forms, reopened, number_in(request.GET, "saved")))

    def post(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Record one hanchan, then go on to the next."""
        wanted = number_in(request.POST, "hanchan")
        hanchan = next((one for one in self.table.hanchan if one.pk == wanted), None)
        if hanchan is None:
            raise Http404
        taken = take(request, self.table, hanchan)
        if taken.is_in:
            messages.add_message(request, *said_of(self.table, hanchan, taken.sheet))
            return HttpResponseRedirect(f"{page_of(self.table.session, 'entry')}?saved={hanchan.pk}")
        self.table = table_of(self.table.session, request)
        others = [one for one in self.table.hanchan if one.pk != hanchan.pk and self.table.is_open(one)]
        return self.show(
            {**{one.pk: self.table.form(one) for one in others}, hanchan.pk: taken.form}, start_at=hanchan.pk
        )

    def first_open(self, forms: Mapping[int, SheetForm], reopened: int | None, saved: int | None) -> int | None:
        """The hanchan to begin with: the one reopened, the first one after what was saved, or the first."""
        if reopened in forms:
            return reopened
        order = [hanchan.pk for hanchan in self.table.hanchan]
        later = order[order.index(saved) + 1 :] + order[: order.index(saved) + 1] if saved in order else order
        return next((pk for pk in later if pk in forms), None)

    def show(self, forms: Mapping[int, SheetForm], start_at: int | None) -> HttpResponse:
        """The screen; the first field to fill in has the focus."""
        assert self.desk is not None  # noqa: S101 - the address gives it
        if start_at is not None:
            begin_with(forms[start_at])
        table = self.table
        panels = [table.panel(hanchan, forms.get(hanchan.pk)) for hanchan in table.hanchan]
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
            "substitutes": substitutes() if forms else [],
            "crowd": crowd_of([table.company]) if forms else [],
            "confirm_first": next((pk for pk in table.waiting if not forms), None),
            "next_table": next_table_with_gaps(table.session) if not forms else None,
            "may_correct": may(self.request, Capability.CORRECT, table.competition.pk),
            "may_confirm": may(self.request, Capability.CONFIRM, table.competition.pk) and not table.is_blind,
            "is_blind": table.is_blind,
            "is_closed": table.competition.status == Competition.Status.CLOSED,
        }
        return render(self.request, "admin/league/entry.html", context, status=422 if bound else 200)


def substitutes() -> Sequence[str]:
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
        counting = ResultSheet.objects.counting_of(hanchan)
        form = SheetForm(
            request.POST,
            hanchan=hanchan,
            rules=rules_of(hanchan),
            company=company_of(hanchan.table_session),
            corrects=number_in(request.POST, f"h{pk}-corrects"),
            start=SheetEntry.of_sheet(counting) if counting else None,
        )
        return JsonResponse(preview_json(form, actor_of(request)))
