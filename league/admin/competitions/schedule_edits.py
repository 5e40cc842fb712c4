"""Pages that add and edit sessions, tables and seats, hold a table back and void a hanchan."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import (
    F,
    M,
    ServiceView,
    own_competitions,
    page_of,
)
from league.admin.lists import OFFERED
from league.admin.results.confirmation import LookFirstView
from league.admin.results.entry import number_in
from league.forms.competitions.schedule import (
    HoldBackForm,
    SeatsForm,
    SessionForm,
    SessionNameForm,
    TableForm,
    TableWordsForm,
)
from league.forms.service import ReasonForm, ServiceForm
from league.models import Block, Competition, Entrant, Hanchan, Session, TableSession
from league.selectors.access.actors import Actor, Capability
from league.selectors.rulebooks.rules_in_force import format_of, rules_at, ruleset_of
from league.selectors.standings.blocks import entrants_who_may_sit
from league.services.access.changes import after_last
from league.services.competitions.editing import TableWords, edit_session, edit_table_session
from league.services.competitions.schedule import Fixture, create_session, create_table_session, hold_back, seat_players
from league.services.results.results import void_hanchan
from scoring.rests import has_rests


def players_of(block: Block) -> list[Entrant]:
    """Return the entrants who certainly play in a block, or all entrants while none is known yet."""
    all_entrants = block.competition.entrants.select_related("player").order_by("number")
    certain = entrants_who_may_sit(block)
    return [one for one in all_entrants if one.pk in certain] or list(all_entrants)


class AddingView(ServiceView[M, F]):
    """Base of the pages that add to the competition or block named in the query string."""

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [(str(self.competition()), page_of(self.competition()))]


class AddSessionView(AddingView[Competition, SessionForm]):
    """Add a session to a competition."""

    form_class = SessionForm
    title = gettext_lazy("New session")

    @override
    def find(self, request: HttpRequest) -> Competition:
        row = own_competitions(request).filter(pk=number_in(request.GET, "competition") or 0).first()
        if row is None:
            raise Http404
        return row

    @override
    def perform(self, form: SessionForm, by: Actor) -> str:
        session = create_session(competition=self.row, by=by, **form.cleaned_data)
        return _("%(session)s is there. Add its tables next.") % {"session": session}

    @override
    def after(self, form: object) -> str:
        return f"{reverse('admin:league_tablesession_add')}?competition={self.row.pk}"


class EditSessionView(ServiceView[Session, SessionNameForm]):
    """Rename a session."""

    form_class = SessionNameForm
    title = gettext_lazy("Rename")

    @override
    def form_arguments(self) -> dict[str, object]:
        return {"initial": {"name": self.row.name, "name_en": self.row.name_en}}

    @override
    def perform(self, form: SessionNameForm, by: Actor) -> str:
        edit_session(session=self.row, by=by, **form.cleaned_data)
        return _("Saved.")


class AddTableView(AddingView[Block, TableForm]):
    """Schedule a table of a block."""

    title = gettext_lazy("New table")
    explanation = gettext_lazy("Seats may be left open and changed until the result is in.")

    @override
    def find(self, request: HttpRequest) -> Block:
        blocks = Block.objects.filter(competition__in=own_competitions(request)).select_related("competition", "stage")
        row = blocks.filter(pk=number_in(request.GET, "block") or 0).first()
        if row is None:
            raise Http404
        return row

    @override
    def form(self, data: object = None) -> TableForm:
        newest = list(self.row.competition.sessions.order_by("-number").values_list("pk", flat=True)[:OFFERED])
        wanted = number_in(self.request.GET, "session") or next(iter(newest), None)
        sessions = self.row.competition.sessions.filter(pk__in=[*newest, wanted])
        rules = ruleset_of(rules_at(self.row.competition))
        initial = {"session": wanted, "numbers": self.next_numbers()}
        return TableForm(data, sessions=sessions, rules=rules, entrants=players_of(self.row), initial=initial)

    def next_numbers(self) -> str:
        """Return the hanchan numbers to propose: up to `SESSION_OF` of a stage with a fixed number, else 1.

        In a block with rests, whose rounds are numbered through, the next one.
        """
        planned, rules = self.row.stage.hanchan_count, rules_at(self.row.competition)
        if planned and has_rests(format_of(rules), self.row.key, ruleset_of(rules).players):
            return str(after_last(Hanchan.objects.filter(block=self.row), "number"))
        return f"1-{min(planned, SESSION_OF)}" if planned else "1"

    @override
    def perform(self, form: TableForm, by: Actor) -> str:
        typed = dict(form.cleaned_data)
        details = {name: typed[name] for name in ("table", "starts_at", "venue", "stream_url", "public_at")}
        fixture = Fixture(block=self.row, numbers=typed["numbers"], entrants=form.seated(), **details)
        table = create_table_session(session=typed["session"], fixture=fixture, by=by)
        return _("%(table)s is scheduled.") % {"table": table}

    def after(self, form: TableForm) -> str:
        """Return to this page for the next table of the same session."""
        session = form.cleaned_data["session"].pk
        return f"{reverse('admin:league_tablesession_add')}?block={self.row.pk}&session={session}"


SESSION_OF = 4


class EditTableView(ServiceView[TableSession, TableWordsForm]):
    """Change the time, venue and stream of a table, or cancel it."""

    form_class = TableWordsForm
    title = gettext_lazy("Edit")

    @override
    def form_arguments(self) -> dict[str, object]:
        return {"initial": {name: getattr(self.row, name) for name in TableWordsForm.base_fields}}

    @override
    def perform(self, form: TableWordsForm, by: Actor) -> str:
        edit_table_session(table_session=self.row, words=TableWords(**form.cleaned_data), by=by)
        return _("Saved.")


class HoldBackView(ServiceView[TableSession, HoldBackForm]):
    """Put a table under embargo until a moment."""

    form_class = HoldBackForm
    title = gettext_lazy("Hold back")
    explanation = gettext_lazy(
        "Until then the public sees nothing of this table, not even that it exists: results, points, who sits there."
    )

    @override
    def form_arguments(self) -> dict[str, object]:
        return {"initial": {"until": self.row.public_at}}

    @override
    def perform(self, form: HoldBackForm, by: Actor) -> str:
        hold_back(table_session=self.row, until=form.cleaned_data["until"], by=by)
        return _("Held back.") if not self.row.is_released else _("Released: that moment has passed.")


class ReleaseView(ServiceView[TableSession, ServiceForm]):
    """End the embargo of a table at once."""

    title = gettext_lazy("Release")
    explanation = gettext_lazy("The public sees this table and its results at once. What was seen cannot be unseen.")
    submit = gettext_lazy("Release now")
    is_grave = True

    @override
    def perform(self, form: object, by: Actor) -> str:
        hold_back(table_session=self.row, until=None, by=by)
        return _("Released.")


class SeatView(ServiceView[Hanchan, SeatsForm]):
    """Seat the players of a hanchan that has no result."""

    capability = Capability.SUBMIT
    title = gettext_lazy("Seats")
    explanation = gettext_lazy("In order from the first dealer; all empty: not known.")

    @override
    def form(self, data: object = None) -> SeatsForm:
        seated = [seat.entrant for seat in self.row.seats.select_related("entrant__player").order_by("seat")]
        # Also those who sit here and have lost the place in the block.
        entrants = list(dict.fromkeys([*players_of(self.row.block), *seated]))
        rules = ruleset_of(self.row.rules)
        return SeatsForm(data, rules=rules, entrants=entrants, seated=[entrant.pk for entrant in seated])

    @override
    def perform(self, form: SeatsForm, by: Actor) -> str:
        seat_players(hanchan=self.row, entrants=form.seated(), by=by)
        return _("The seats are set.")


class VoidView(LookFirstView[Hanchan, ReasonForm]):
    """Void the confirmed result of a hanchan."""

    capability = Capability.CORRECT
    form_class = ReasonForm
    title = gettext_lazy("Take back a result")
    explanation = gettext_lazy(
        "The hanchan has no result from then on and can be entered again. The sheet and this reason stay in the log."
    )
    submit = gettext_lazy("Take back")
    is_grave = True
    look_at_once = True

    @override
    def act(self, form: ReasonForm, by: Actor, accept: Collection[str]) -> object:
        return void_hanchan(hanchan=self.row, by=by, reason=form.cleaned_data["reason"], accept=accept)

    @override
    def done(self, form: object) -> str:
        return _("The result of hanchan %(number)s is taken back.") % {"number": self.row.round}

    @override
    def after(self, form: object) -> str:
        return page_of(self.row.table_session, "entry")
