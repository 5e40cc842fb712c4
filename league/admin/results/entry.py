"""Entry screen of a table session: all its hanchan on one page, each with a form of its own.

1. A hanchan without a result is a form; one with a result is shown, with buttons to correct it or to take it back.
2. A form goes to `record_result`. Errors are shown at their fields, and everything typed is kept.
3. While the user types, the same form goes to the preview, which responds with the findings of the same engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Case, Count, F, OuterRef, Prefetch, Q, Subquery, When
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import PageView, actor_of, may, page_of
from league.admin.results.preview import preview_json
from league.forms.results.entry import Company, SheetForm, crowd_of, player_label
from league.models import (
    Change,
    Competition,
    Entrant,
    Hanchan,
    HanchanSeat,
    Player,
    ResultSheet,
    SeatResult,
    TableSession,
)
from league.platform.errors import ConflictError, ServiceError
from league.selectors.access.actors import Capability
from league.selectors.competitions.seating.draws import hanchan_with_drawn_seats
from league.selectors.operations.pending_tasks import next_table_with_gaps
from league.selectors.results.blind_sheets import is_blind
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.selectors.standings.blocks import entrants_who_may_sit
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
    """A seat of a result sheet that is shown read-only."""

    wind: str
    result: SeatResult


@dataclass(frozen=True, slots=True)
class Panel:
    """One hanchan on the screen: the sheet that counts, the one that awaits confirmation, and the form, if any."""

    hanchan: Hanchan
    rules: Ruleset
    counting: ResultSheet | None
    waiting: ResultSheet | None
    form: SheetForm | None
    asked: tuple[str, ...] = ()
    """Names of the cells that differ from the sheet of the other person in blind entry."""
    to_settle: tuple[ResultSheet, ...] = ()
    """Two differing sheets of blind entry, for a director who entered neither of them."""

    @property
    def key(self) -> str:
        """The key under which the browser keeps unsaved input; it changes with the revision."""
        own = self.waiting.revision if self.waiting and self.asked else 0
        return f"{self.hanchan.pk}:{max(own, self.counting.revision if self.counting else 0)}"

    @property
    def ledger(self) -> Ledger:
        """The ledger that ranks."""
        return self.rules.ranking_ledger

    @property
    def brought(self) -> list[str]:
        """The titles of the ledgers whose amounts are typed in, such as chips."""
        return [title_in(ledger.title) for ledger in self.rules.entered_ledgers]

    @property
    def has_chonbo(self) -> bool:
        """Return True if the rules settle chonbo after the game."""
        return self.rules.settlement.chonbo is not None

    @property
    def has_tobi(self) -> bool:
        """Return True if the rules have a tobi prize."""
        return self.rules.settlement.tobi is not None

    @property
    def shown(self) -> ResultSheet | None:
        """The sheet to show: the one that counts, or else the one that awaits confirmation."""
        return self.counting or self.waiting

    def seats(self) -> list[ShownSeat]:
        """Return the seats of the sheet shown."""
        return self.seats_of(self.shown) if self.shown else []

    def seats_of(self, sheet: ResultSheet) -> list[ShownSeat]:
        """Return the seats of a sheet with their winds."""
        winds = self.rules.setup.seat_winds
        return [ShownSeat(wind_name(winds[seat.seat]), seat) for seat in sheet.seats.all()]

    def settling(self) -> list[tuple[ResultSheet, list[ShownSeat]]]:
        """Return the sheets to settle, each with its seats."""
        return [(sheet, self.seats_of(sheet)) for sheet in self.to_settle]


@dataclass(frozen=True, slots=True)
class TableScreen:
    """A table session as one user sees it, read in a fixed number of queries."""

    session: TableSession
    hanchan: tuple[Hanchan, ...]
    counting: Mapping[int, ResultSheet]
    waiting: Mapping[int, ResultSheet]
    """The sheet that awaits confirmation, by hanchan; in blind entry the user's own only."""
    company: Company
    undecided: Mapping[int, tuple[ResultSheet, ...]]
    """All sheets that await confirmation, by hanchan, including those hidden from the user."""
    to_settle: Mapping[int, tuple[ResultSheet, ...]]
    drawn: frozenset[int] = frozenset()
    """The hanchan whose seats were drawn."""

    @property
    def competition(self) -> Competition:
        """The competition of the table."""
        return self.session.competition

    @property
    def is_blind(self) -> bool:
        """Return True if two people enter each result without seeing the other's sheet."""
        return is_blind(self.competition)

    def form(self, hanchan: Hanchan, data: object = None, corrects: int | None = None) -> SheetForm:
        """Return the hanchan's form.

        A correction starts from the sheet that counts, a cell asked again from one's own.
        """
        mine = self.waiting.get(hanchan.pk) if self.asked(hanchan) else None
        start = mine or (self.counting.get(hanchan.pk) if corrects is not None else None)
        return SheetForm(
            data,
            hanchan=hanchan,
            rules=rules_of(hanchan),
            company=self.company,
            corrects=corrects,
            start=SheetEntry.of_sheet(start) if start else None,
            are_seats_known=self.are_seats_known(hanchan),
            asked=self.asked(hanchan),
        )

    def are_seats_known(self, hanchan: Hanchan) -> bool:
        """Return whether to propose that the seats are right: as in the table's results, or if they were drawn."""
        if self.counting:
            return any(sheet.facts.get("are_seats_known") for sheet in self.counting.values())
        return hanchan.pk in self.drawn

    def asked(self, hanchan: Hanchan) -> tuple[str, ...]:
        """Return the cells in which the user's sheet differs from the other person's."""
        mine = self.waiting.get(hanchan.pk)
        return cells_to_ask(mine) if mine and self.is_blind and len(self.undecided[hanchan.pk]) > 1 else ()

    def panel(self, hanchan: Hanchan, form: SheetForm | None) -> Panel:
        """Return the panel of one hanchan."""
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
        """Return True if the user must still enter a sheet of this hanchan, or type some of its cells again."""
        if hanchan.state == Hanchan.State.ABANDONED or hanchan.pk in self.counting:
            return bool(self.asked(hanchan))
        return hanchan.pk not in self.waiting or bool(self.asked(hanchan))

    def open_form(self, hanchan: Hanchan, *, reopened: bool = False) -> SheetForm | None:
        """Return the hanchan's form if there is something to enter or it was requested, else None."""
        if not reopened and not self.is_open(hanchan):
            return None
        counting = self.counting.get(hanchan.pk)
        return self.form(hanchan, corrects=counting.revision if counting else None)


def rules_of(hanchan: Hanchan) -> Ruleset:
    """Return the ruleset of a hanchan with the options of its table."""
    return ruleset_of(hanchan.rules, hanchan.options)


def table_of(session: TableSession, request: HttpRequest) -> TableScreen:
    """Return one table session as the user sees it."""
    return tables_of([session], request)[0]


def tables_of(sessions: Sequence[TableSession], request: HttpRequest) -> list[TableScreen]:
    """Return table sessions of one competition as the user sees them, in as many queries as for one."""
    seats = HanchanSeat.objects.select_related("entrant__player", "player").order_by("seat")
    hanchan = (
        Hanchan.objects.filter(table_session__in=sessions)
        .select_related(
            "rules__ruleset", "rules__format", "block__stage", "block__competition", "table_session__session"
        )
        .prefetch_related(Prefetch("seats", seats))
        .annotate(photo_count=Count("photos", filter=Q(photos__removed_at=None)))
        .annotate(**objections(sessions, request))
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
    drawn = hanchan_with_drawn_seats(rows)
    return [
        table_from(
            session,
            [row for row in rows if row.table_session_id == session.pk],
            [sheet for sheet in found if sheet.hanchan.table_session_id == session.pk],
            companies[session.block_id],
            drawn,
            request,
        )
        for session in sessions
    ]


def objections(sessions: Sequence[TableSession], request: HttpRequest) -> dict[str, Subquery]:
    """Return annotations of hanchan with the reason for which the newest sheet was rejected: `objection`."""
    sheets = ResultSheet.objects.filter(hanchan=OuterRef("pk")).order_by("-revision")
    if any(is_blind(each.competition) for each in sessions):
        # In blind entry the reason may tell of a sheet that the other person must not see.
        sheets = sheets.filter(entered_by=request.user.pk)
    ended = Case(When(state=ResultSheet.State.REJECTED, then=F("ended_n")))
    reasons = Change.objects.filter(competition=OuterRef("block__competition"), n=OuterRef("rejected_n")).values(
        "reason"
    )
    return {"rejected_n": Subquery(sheets.values_list(ended)[:1]), "objection": Subquery(reasons[:1])}


def table_from(
    session: TableSession,
    hanchan: Sequence[Hanchan],
    sheets: Sequence[ResultSheet],
    company: Company,
    drawn: frozenset[int],
    request: HttpRequest,
) -> TableScreen:
    """Build the table as one user sees it from rows that were read for all tables."""
    undecided: dict[int, tuple[ResultSheet, ...]] = {}
    for sheet in sheets:
        if sheet.state == ResultSheet.State.SUBMITTED:
            undecided[sheet.hanchan_id] = (*undecided.get(sheet.hanchan_id, ()), sheet)
    own = {pk: [each for each in rows if each.entered_by_id == request.user.pk] for pk, rows in undecided.items()}
    blind = is_blind(session.competition)
    may_settle = blind and may(request, Capability.CORRECT, session.competition_id)
    return TableScreen(
        session=session,
        hanchan=tuple(hanchan),
        counting={sheet.hanchan_id: sheet for sheet in sheets if sheet.state == ResultSheet.State.CONFIRMED},
        # In blind entry the other person's sheet must not reach the page at all.
        waiting={pk: (own[pk] if blind else rows)[-1] for pk, rows in undecided.items() if own[pk] or not blind},
        company=company,
        undecided=undecided,
        to_settle={pk: rows for pk, rows in undecided.items() if may_settle and len(rows) > 1 and not own[pk]},
        drawn=drawn,
    )


def companies_of(sessions: Sequence[TableSession]) -> dict[int, Company]:
    """Return the entrants who can be chosen, by block id."""
    competitions = {session.competition_id for session in sessions}
    entrants = Entrant.objects.filter(competition__in=competitions).select_related("player")
    all_entrants = {one.pk: one for one in entrants}
    ids = {block.pk: entrants_who_may_sit(block) for block in {session.block for session in sessions}}
    return {
        block: Company(tuple(one for pk, one in all_entrants.items() if pk in members), all_entrants)
        for block, members in ids.items()
    }


def company_of(session: TableSession) -> Company:
    """Return the entrants who can be chosen at the table."""
    return companies_of([session])[session.block_id]


def number_in(query: Mapping[str, object], name: str) -> int | None:
    """Return a parameter as a number, or None if it is missing or not a number."""
    text = query.get(name)
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() else None


@dataclass(frozen=True, slots=True)
class SubmittedForm:
    """The outcome of a submitted result sheet: recorded now or earlier (`is_in`), or a form with errors."""

    form: SheetForm
    sheet: ResultSheet | None = None
    is_in: bool = False


def submit_sheet(request: HttpRequest, table: TableScreen, hanchan: Hanchan) -> SubmittedForm:
    """Record one hanchan's sheet from the request; on errors return its form with the input kept."""
    form = table.form(hanchan, request.POST, number_in(request.POST, f"h{hanchan.pk}-corrects"))
    if not form.is_valid():
        return SubmittedForm(form)
    try:
        return SubmittedForm(form, record(request, hanchan, form), is_in=True)
    # Another device was faster: either with this very result, or with a different one to correct.
    except ConflictError as error:
        if is_in_already(hanchan, form):
            return SubmittedForm(form, is_in=True)
        return SubmittedForm(form_against_what_counts(request, table, hanchan, error))
    except ServiceError as error:
        form.take(error)
        return SubmittedForm(form)


def record(request: HttpRequest, hanchan: Hanchan, form: SheetForm) -> ResultSheet:
    """Call `record_result` with the form's values."""
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
    """Return True if this very result counts already: the form was sent twice over a bad connection."""
    counting = ResultSheet.objects.counting_of(hanchan)
    typed = form.entry()
    if counting is None or form.corrects is not None:
        return False
    there = SheetEntry.of_sheet(counting)
    return all(
        getattr(there, name) == getattr(typed, name) for name in ("seats", "kyoutaku", "carried", "tobi", "forced_top")
    )


def form_against_what_counts(
    request: HttpRequest, table: TableScreen, hanchan: Hanchan, error: ConflictError
) -> SheetForm:
    """Return the input as a correction of the sheet that counts by now, after a conflict."""
    counting = ResultSheet.objects.counting_of(hanchan)
    fresh = table_of(table.session, request)
    form = fresh.form(hanchan, request.POST, counting.revision if counting else None)
    form.take(error)
    return form


def result_message(table: TableScreen, hanchan: Hanchan, taken: SubmittedForm) -> tuple[int, str]:
    """Return the level and the text of the message about a recorded sheet."""
    number, sheet = {"number": hanchan.round}, taken.sheet
    if sheet is None:
        return messages.INFO, _("Hanchan %(number)s was in already, exactly as you typed it.") % number
    if sheet.state == ResultSheet.State.CONFIRMED:
        is_new = taken.form.corrects is None
        text = _("Hanchan %(number)s is in and counts.") if is_new else _("Hanchan %(number)s is corrected and counts.")
        return messages.SUCCESS, text % number
    if not table.is_blind:
        if table.competition.confirmation == Competition.Confirmation.PLAYERS:
            return messages.SUCCESS, _("Hanchan %(number)s is in. Its players confirm it now.") % number
        return messages.SUCCESS, _("Hanchan %(number)s is in. A second person confirms it now.") % number
    if cells_to_ask(sheet):
        text = _("Hanchan %(number)s differs from the other entry. Look at the paper and type what is marked.")
        return messages.WARNING, text % number
    return messages.SUCCESS, _("Hanchan %(number)s is in. Another user enters it now without seeing yours.") % number


class EntryView(PageView[TableSession]):
    """The entry screen of one table session."""

    title = gettext_lazy("Enter results")
    table: TableScreen

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Find the table; raise Http404 if the user may not see it, PermissionDenied without SUBMIT."""
        rows = self.model_admin.get_queryset(request).select_related("competition", "session", "block__stage")
        session = rows.filter(pk=self.kwargs["pk"]).first()
        if session is None:
            raise Http404
        if not may(request, Capability.SUBMIT, session.competition_id):
            raise PermissionDenied
        self.table = table_of(session, request)
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show all hanchan; `correct` and `again` open the form of one that has a sheet already."""
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
        taken = submit_sheet(request, self.table, hanchan)
        if taken.is_in:
            messages.add_message(request, *result_message(self.table, hanchan, taken))
            return HttpResponseRedirect(f"{page_of(self.table.session, 'entry')}?saved={hanchan.pk}")
        self.table = table_of(self.table.session, request)
        others = [one for one in self.table.hanchan if one.pk != hanchan.pk and self.table.is_open(one)]
        return self.show(
            {**{one.pk: self.table.form(one) for one in others}, hanchan.pk: taken.form}, start_at=hanchan.pk
        )

    def first_open(self, forms: Mapping[int, SheetForm], reopened: int | None, saved: int | None) -> int | None:
        """Return the hanchan to begin with: the one reopened, else the first open one after the one saved."""
        if reopened in forms:
            return reopened
        order = [hanchan.pk for hanchan in self.table.hanchan]
        later = order[order.index(saved) + 1 :] + order[: order.index(saved) + 1] if saved in order else order
        return next((pk for pk in later if pk in forms), None)

    def show(self, forms: Mapping[int, SheetForm], start_at: int | None) -> HttpResponse:
        """Render the screen with the focus in the first field to fill in."""
        if start_at is not None:
            focus_first_field(forms[start_at])
        table = self.table
        panels = [table.panel(hanchan, forms.get(hanchan.pk)) for hanchan in table.hanchan]
        bound = any(form.is_bound for form in forms.values())
        return self.render_page(
            "entry",
            422 if bound else 200,
            is_nav_sidebar_enabled=False,
            subtitle=str(table.session),
            table=table.session,
            competition=table.competition,
            panels=panels,
            unit_hint=unit_hint(panels[0].rules) if panels else "",
            saved=number_in(self.request.GET, "saved"),
            done=sum(panel.counting is not None for panel in panels),
            substitutes=substitutes() if forms else [],
            crowd=crowd_of([table.company]) if forms else [],
            confirm_first=next((pk for pk in table.waiting if not forms), None),
            next_table=next_table_with_gaps(table.session) if not forms else None,
            may_correct=may(self.request, Capability.CORRECT, table.competition.pk),
            may_confirm=may(self.request, Capability.CONFIRM, table.competition.pk) and not table.is_blind,
            is_blind=table.is_blind,
            is_closed=table.competition.status == Competition.Status.CLOSED,
        )


def substitutes() -> Sequence[str]:
    """Return the labels of all players, at most `MOST_SUBSTITUTES_LISTED`, as possible substitutes."""
    players = Player.objects.filter(erased_at=None, merged_into=None, is_team=False)
    return [player_label(player) for player in players[:MOST_SUBSTITUTES_LISTED]]


def unit_hint(rules: Ruleset) -> str:
    """Return an example of a score as it is typed in this ruleset's unit, or an empty text if the unit is 1."""
    unit = rules.entry.unit
    if rules.typed_from:
        return _("gains and losses from 0, in units of %(unit)s: 0 is %(start)s, below zero with - or ▲") % {
            "unit": score_text(unit),
            "start": score_text(rules.setup.start),
        }
    if unit == 1:
        return ""
    example = rules.setup.return_ // unit
    return _("scores in units of %(unit)s: %(typed)s is %(score)s, below zero with - or ▲") % {
        "unit": score_text(unit),
        "typed": example,
        "score": score_text(example * unit),
    }


def focus_first_field(form: SheetForm) -> None:
    """Give the focus to the first field with an error, or else the first one to fill in."""
    form.fields[form.first_to_mend()].widget.attrs["autofocus"] = True


class PreviewView(PageView[Hanchan]):
    """Preview of a result sheet while it is typed. Nothing is written."""

    def post(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the preview as JSON."""
        seats = HanchanSeat.objects.select_related("entrant__player", "player").order_by("seat")
        rows = self.model_admin.get_queryset(request).select_related(
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
