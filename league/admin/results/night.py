"""Match night: all tables of a session on one screen, to enter, confirm and watch results.

1. Each table is a card with its hanchan and the form of the next one. Submitting a form updates its own card alone.
2. The browser polls the competition's version, a single number, and fetches the cards that differ from its own. A
   card with unsaved input is left alone until it is submitted.
3. Result sheets that await confirmation are listed in a queue beside the cards.

Without JavaScript the same forms lead to whole pages.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import ObjectLink, PageView, actor_of, may, page_of
from league.admin.results.entry import (
    Panel,
    ShownSeat,
    TableScreen,
    focus_first_field,
    number_in,
    result_message,
    submit_sheet,
    substitutes,
    tables_of,
    unit_hint,
)
from league.forms.results.entry import SheetForm, crowd_of
from league.models import Competition, Hanchan, RefereeCall, ResultSheet, Session, TableSession
from league.platform.errors import ServiceError
from league.selectors.access.actors import Capability
from league.selectors.access.readers import reader_of
from league.selectors.competitions.clock import clock_of
from league.selectors.competitions.seating.pairing_rounds import RoundState, due_pairings
from league.selectors.competitions.seating.plans import awaits_seats
from league.selectors.competitions.seating.rests import rests_in
from league.services.results.results import confirm_result
from league.wording.names import title_of

STAGES: Mapping[str, object] = {
    "scheduled": gettext_lazy("scheduled"),
    "running": gettext_lazy("running"),
    "mine": gettext_lazy("entered by you"),
    "waiting": gettext_lazy("awaiting confirmation"),
    "half": gettext_lazy("one of two sheets in"),
    "differs": gettext_lazy("the two sheets differ"),
    "confirmed": gettext_lazy("confirmed"),
    "abandoned": gettext_lazy("abandoned"),
}


@dataclass(frozen=True, slots=True)
class Chip:
    """The state of one hanchan in a word. `is_shown` marks the hanchan whose panel is open."""

    hanchan: Hanchan
    stage: str
    is_shown: bool
    approvals: int | None = None
    players: int = 0

    @property
    def label(self) -> str:
        """The state of the hanchan in words."""
        if self.approvals is not None:
            return _("%(count)s of %(players)s players confirmed") % {"count": self.approvals, "players": self.players}
        return str(STAGES[self.stage])


@dataclass(frozen=True, slots=True)
class Card:
    """One table on the screen."""

    table: TableScreen
    chips: tuple[Chip, ...]
    panel: Panel | None

    @property
    def session(self) -> TableSession:
        """The table session."""
        return self.table.session

    @property
    def done(self) -> int:
        """The number of hanchan with a confirmed result."""
        return len(self.table.counting)

    @property
    def version(self) -> str:
        """A digest of everything the card shows; the browser fetches the card again when it changes."""
        parts: list[object] = [self.session.is_released, str(self.session.public_at), self.session.table]
        for hanchan in self.table.hanchan:
            seats = [(seat.entrant_id, seat.player_id) for seat in hanchan.seats.all()]
            sheets = [(each.pk, approvals_of(each)) for each in self.table.undecided.get(hanchan.pk, ())]
            counting = self.table.counting.get(hanchan.pk)
            parts += [hanchan.state, seats, sheets, counting and counting.pk, photos_of(hanchan)]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class WaitingSheet:
    """A result sheet in the queue with its seats. `is_own` if the user entered it and so may not confirm it."""

    table: TableScreen
    hanchan: Hanchan
    sheet: ResultSheet
    seats: Sequence[ShownSeat]
    is_own: bool

    @property
    def is_plain(self) -> bool:
        """Return True if bulk confirmation may include it: no warnings, no correction, not the user's own."""
        is_odd = self.sheet.accepted_warnings or self.is_beside_log
        return not self.is_own and not is_odd and self.hanchan.pk not in self.table.counting

    @property
    def is_beside_log(self) -> bool:
        """Return True if it was typed although a score sheet was begun: confirming it may need a warning accepted."""
        return self.sheet.made_from_sequence is None and self.hanchan.started_at is not None


@dataclass(frozen=True, slots=True)
class NightMessage:
    """A message to the user with its level."""

    level: int
    text: str


MOST_AT_ONCE = 16
"""Tables that the screen shows at once, whose players change every round."""


class NightView(PageView[Session]):
    """The match night screen, and all forms submitted on it."""

    title = gettext_lazy("Match night")
    session: Session

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Find the session among those of the user's competitions; raise Http404 otherwise."""
        session = (
            self.model_admin.get_queryset(request).select_related("competition").filter(pk=self.kwargs["pk"]).first()
        )
        if session is None:
            raise Http404
        self.session = session
        return super().dispatch(request, *args, **kwargs)

    @property
    def competition(self) -> Competition:
        """The competition of the session."""
        return self.session.competition

    @property
    def may_enter(self) -> bool:
        """Return True if the user may submit results of this session."""
        is_open = self.competition.status != Competition.Status.CLOSED
        return is_open and may(self.request, Capability.SUBMIT, self.competition.pk)

    def get(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show all tables; `open` selects a hanchan, `correct` and `again` open its form."""
        tables = self.tables()
        cards = [self.card(table) for table in tables]
        self.focus(cards, number_in(request.GET, "saved"))
        return self.page(tables, cards)

    def post(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Submit a result sheet, or confirm sheets. A script gets the changed cards as JSON."""
        if not may(request, Capability.SUBMIT, self.competition.pk):
            raise PermissionDenied
        if "confirm" in request.POST:
            return self.answer(self.confirm_sheets())
        tables = self.tables()
        wanted = number_in(request.POST, "hanchan")
        found = next(((table, one) for table in tables for one in table.hanchan if one.pk == wanted), None)
        if found is None:
            raise Http404
        table, hanchan = found
        taken = submit_sheet(request, table, hanchan)
        if taken.is_in:
            said = NightMessage(*result_message(table, hanchan, taken))
            return self.answer([said], touched=table.session.pk, saved=hanchan.pk)
        focus_first_field(taken.form)
        return self.answer([], touched=table.session.pk, form=taken.form)

    def confirm_sheets(self) -> list[NightMessage]:
        """Confirm the posted result sheets and return the messages.

        A sheet that is refused does not stop the others. All run in one transaction, so standings are computed once.
        """
        by, done, said = actor_of(self.request), 0, []
        ids = [int(pk) for pk in self.request.POST.getlist("confirm") if pk.isascii() and pk.isdigit()]
        rows = ResultSheet.objects.filter(pk__in=ids, hanchan__table_session__session=self.session)
        # on_commit jobs run after the block, so that the standings follow once for all sheets.
        with transaction.atomic():
            for sheet in rows.select_related("hanchan__table_session__session", "hanchan__table_session__block"):
                try:
                    confirm_result(sheet=sheet, by=by)
                    done += 1
                except ServiceError as error:
                    where = f"{sheet.hanchan!s}: "
                    said += [NightMessage(messages.ERROR, where + finding.message) for finding in error.findings]
        if done:
            said.insert(0, NightMessage(messages.SUCCESS, _("Results confirmed: %(count)s.") % {"count": done}))
        return said

    @cached_property
    def rounds(self) -> list[int]:
        """The rounds of the session; empty if all tables are shown at once, being few or keeping their players."""
        games = Hanchan.objects.filter(table_session__session=self.session, table_session__is_cancelled=False)
        tables = dict(games.values_list("table_session").annotate(games=Count("pk")))
        if len(tables) <= MOST_AT_ONCE or max(tables.values()) > 1:
            return []
        return sorted(set(games.values_list("round", flat=True)))

    @property
    def round(self) -> int | None:
        """The round shown: the one asked for, that of the posted hanchan, or the first without all its results."""
        if not self.rounds:
            return None
        games = Hanchan.objects.filter(table_session__session=self.session, table_session__is_cancelled=False)
        posted = number_in(self.request.POST, "hanchan")
        opened = [number_in(self.request.GET, name) for name in ("correct", "again", "open")]
        named = games.filter(pk__in=[pk for pk in (posted, *opened) if pk]).values_list("round", flat=True).first()
        asked = named or number_in(self.request.POST or self.request.GET, "round")
        if asked in self.rounds:
            return asked
        counted = ResultSheet.objects.counting().filter(hanchan__table_session__session=self.session)
        missing = games.exclude(pk__in=counted.values("hanchan")).exclude(state=Hanchan.State.ABANDONED)
        first = missing.order_by("round").values_list("round", flat=True).first()
        return first or self.rounds[-1]

    def tables(self) -> list[TableScreen]:
        """Return the tables of the session, in their order; of one round alone if it shows one at a time."""
        rows = self.session.table_sessions.filter(is_cancelled=False).select_related(
            "competition", "session", "block__stage", "block__competition"
        )
        if (shown := self.round) is not None:
            waiting = ResultSheet.objects.filter(state=ResultSheet.State.SUBMITTED)
            rows = rows.filter(Q(hanchan__round=shown) | Q(hanchan__in=waiting.values("hanchan"))).distinct()
        return tables_of(list(rows.order_by("order", "pk")), self.request)

    def card(self, table: TableScreen, form: SheetForm | None = None) -> Card:
        """Return a table's card. Its panel is the requested hanchan, else the next to enter, else the last one."""
        correct, again = number_in(self.request.GET, "correct"), number_in(self.request.GET, "again")
        asked = form.hanchan.pk if form else correct or again or number_in(self.request.GET, "open")
        hanchan = next((one for one in table.hanchan if one.pk == asked), None) or next_of(table)
        if hanchan is None:
            return Card(table, (), None)
        if form is None and self.may_enter:
            form = table.open_form(hanchan, reopened=hanchan.pk in (correct, again))
        panel = table.panel(hanchan, form)
        return Card(table, tuple(self.chip(table, one, hanchan) for one in table.hanchan), panel)

    def chip(self, table: TableScreen, hanchan: Hanchan, shown: Hanchan) -> Chip:
        """Return the state of a hanchan; `shown` is the one whose panel is open."""
        sheets = table.undecided.get(hanchan.pk, ())
        asks_players = sheets and self.competition.confirmation == Competition.Confirmation.PLAYERS
        return Chip(
            hanchan,
            stage_of(table, hanchan, self.request.user.pk),
            is_shown=hanchan.pk == shown.pk,
            approvals=approvals_of(sheets[-1]) if asks_players else None,
            players=len(sheets[-1].seats.all()) if asks_players else 0,
        )

    def queue(self, tables: Sequence[TableScreen]) -> list[WaitingSheet]:
        """Return the sheets that await confirmation, in the order of the tables. Blind entry has no queue."""
        if not may(self.request, Capability.CONFIRM, self.competition.pk):
            return []
        return [each for table in tables if not table.is_blind for each in self.waiting_at(table)]

    def waiting_at(self, table: TableScreen) -> Iterator[WaitingSheet]:
        """Yield the result sheets of one table that await confirmation."""
        for hanchan in table.hanchan:
            sheet = table.waiting.get(hanchan.pk)
            if sheet is not None:
                seats = table.panel(hanchan, None).seats_of(sheet)
                yield WaitingSheet(table, hanchan, sheet, seats, sheet.entered_by_id == self.request.user.pk)

    def focus(self, cards: Sequence[Card], saved: int | None) -> None:
        """Set the focus to the first form after the table that was saved."""
        order = list(cards)
        at = next((place for place, card in enumerate(order) if saved in [one.pk for one in card.table.hanchan]), -1)
        for card in [*order[at + 1 :], *order[: at + 1]]:
            if card.panel and card.panel.form:
                focus_first_field(card.panel.form)
                return

    def answer(
        self,
        said: Sequence[NightMessage],
        *,
        touched: int | None = None,
        saved: int | None = None,
        form: SheetForm | None = None,
    ) -> HttpResponse:
        """Respond to a POST: with the changed cards for a script, otherwise with a redirect or the whole page."""
        # The write took a new version number; with the old one the browser would fetch again at once.
        self.competition.refresh_from_db(fields=["version"])
        tables = self.tables()
        if self.request.headers.get("Accept") == "application/json":
            cards = [self.card(table, form if table.session.pk == touched else None) for table in tables]
            return JsonResponse(self.parts(tables, cards, said, saved, touched), status=422 if form else 200)
        for each in said:
            messages.add_message(self.request, each.level, each.text)
        if form is None:
            return HttpResponseRedirect(f"{page_of(self.session, 'night')}?saved={saved or ''}")
        cards = [self.card(table, form if table.session.pk == touched else None) for table in tables]
        return self.page(tables, cards, status=422)

    def parts(
        self,
        tables: Sequence[TableScreen],
        cards: Sequence[Card],
        said: Sequence[NightMessage] = (),
        saved: int | None = None,
        touched: int | None = None,
    ) -> dict[str, object]:
        """Return the HTML fragments that differ from the versions the browser has."""
        have = dict(part.split(":", 1) for part in self.have().split(",") if ":" in part)
        queue = self.queue(tables)
        return {
            "version": self.competition.version,
            "said": [{"level": messages.DEFAULT_TAGS[each.level], "text": each.text} for each in said],
            "saved": saved,
            "cards": {
                str(card.session.pk): self.render_fragment("admin/league/includes/night_card.html", card=card)
                for card in cards
                if card.session.pk == touched or have.get(str(card.session.pk)) != card.version
            },
            "queue": self.render_fragment("admin/league/includes/night_queue.html", **self.queue_context(queue)),
            "hall": self.render_fragment("admin/league/includes/night_hall.html"),
        }

    def have(self) -> str:
        """Return the card versions sent by the browser, as `id:version` pairs separated by commas."""
        return str(self.request.POST.get("have") or self.request.GET.get("have", ""))

    def render_fragment(self, template: str, **more: object) -> str:
        """Render a fragment of the page."""
        return render_to_string(template, {**self.shared(), **more}, request=self.request)

    def queue_context(self, queue: Sequence[WaitingSheet]) -> dict[str, object]:
        """Return the queue, and the part of it that bulk confirmation may include."""
        return {"queue": queue, "plain": [each for each in queue if each.is_plain]}

    @cached_property
    def pairings(self) -> list[RoundState]:
        """The rounds that can be paired now, for users allowed to pair them; read after the last write."""
        if not may(self.request, Capability.MANAGE, self.competition.pk):
            return []
        return due_pairings(Competition.objects.filter(pk=self.competition.pk))

    def shared(self) -> dict[str, object]:
        """Return the template variables that every fragment needs."""
        clock = clock_of(self.session)
        calls = RefereeCall.objects.filter(table_session__session=self.session, answered_at=None)
        calls = calls.select_related("table_session__session", "table_session__block")
        return {
            "session": self.session,
            "competition": self.competition,
            "is_blind": self.competition.confirmation == Competition.Confirmation.BLIND,
            "by_players": self.competition.confirmation == Competition.Confirmation.PLAYERS,
            "may_enter": self.may_enter,
            "may_correct": may(self.request, Capability.CORRECT, self.competition.pk),
            "may_confirm": may(self.request, Capability.CONFIRM, self.competition.pk),
            "may_manage": may(self.request, Capability.MANAGE, self.competition.pk),
            "pairings": self.pairings,
            "clock": clock if clock.phase(timezone.now()) != "off" else None,
            "announcements": list(self.session.announcements.filter(ended_at=None)),
            "calls": list(calls.order_by("made_at")),
            "may_answer": may(self.request, Capability.RULE, self.competition.pk) or self.may_enter,
            "back": page_of(self.session, "night"),
        }

    def page(self, tables: Sequence[TableScreen], cards: Sequence[Card], status: int = 200) -> HttpResponse:
        """Render the whole screen."""
        panels = [card.panel for card in cards if card.panel]
        return self.render_page(
            "night",
            status,
            **self.shared(),
            **self.queue_context(self.queue(tables)),
            rounds=self.rounds,
            round=self.round,
            subtitle=title_of(self.session),
            is_nav_sidebar_enabled=False,
            cards=cards,
            links=list(self.links()),
            saved=number_in(self.request.GET, "saved"),
            substitutes=substitutes() if self.may_enter else [],
            crowd=crowd_of(table.company for table in tables) if self.may_enter else [],
            unit_hint=unit_hint(panels[0].rules) if panels else "",
            rests=rests_in(reader_of(self.competition, self.request.user), self.session),
            is_closed=self.competition.status == Competition.Status.CLOSED,
        )

    def links(self) -> Iterator[ObjectLink]:
        """Yield links to slips, clock, announcements, the day and projector, as far as the user may use them."""
        yield ObjectLink(_("The day"), page_of(self.competition, "day"))
        yield ObjectLink(_("State of the tables"), page_of(self.session, "floor"))
        if self.may_enter:
            if awaits_seats(self.session):
                yield ObjectLink(_("Draw the seats"), page_of(self.session, "draw-seats"), is_main=True)
            yield ObjectLink(_("Slips to print"), page_of(self.session, "slips"))
        if may(self.request, Capability.MANAGE, self.competition.pk):
            yield ObjectLink(_("Clock"), page_of(self.session, "timer"))
            yield ObjectLink(_("Announce"), page_of(self.session, "announce"))
            if self.session.announcements.filter(ended_at=None).exists():
                yield ObjectLink(_("Take down an announcement"), page_of(self.session, "take-down"))
        yield ObjectLink(_("Projector"), reverse("pages:projector", args=[self.competition.slug]))


class NightPartsView(NightView):
    """Fetch the cards that changed since the browser's versions."""

    http_method_names = ["get"]

    def get(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the fragments as JSON; `table` limits them to one card."""
        tables = self.tables()
        only = number_in(request.GET, "table")
        cards = [self.card(table) for table in tables if only in (None, table.session.pk)]
        if only is not None:
            self.focus(cards, None)
        return JsonResponse(self.parts(tables, cards, touched=only))


class NightVersionView(NightView):
    """The endpoint that the browser polls."""

    http_method_names = ["get"]

    def get(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Return the competition's version as JSON."""
        return JsonResponse({"version": self.competition.version})


def approvals_of(sheet: ResultSheet) -> int:
    """Return the number of players who approved the sheet, from the query's annotation."""
    return int(vars(sheet)["approval_count"])


def photos_of(hanchan: Hanchan) -> int:
    """Return the number of photos of the hanchan's slip, from the query's annotation."""
    return int(vars(hanchan)["photo_count"])


def next_of(table: TableScreen) -> Hanchan | None:
    """Return the hanchan to show: the first to enter, else the first that awaits confirmation, else the last."""
    open_ones = [one for one in table.hanchan if table.is_open(one)]
    waiting = [one for one in table.hanchan if one.pk in table.undecided]
    return next(iter([*open_ones, *waiting, *reversed(table.hanchan)]), None)


def stage_of(table: TableScreen, hanchan: Hanchan, user_id: int | None) -> str:
    """Return the state of a hanchan as a key of `STAGES`, from this user's point of view."""
    sheets = table.undecided.get(hanchan.pk, ())
    if sheets and table.is_blind:
        if len(sheets) > 1:
            return "differs"
        return "mine" if sheets[0].entered_by_id == user_id else "half"
    if sheets:
        return "waiting"
    if hanchan.pk in table.counting:
        return "confirmed"
    if hanchan.state == Hanchan.State.ABANDONED:
        return "abandoned"
    return "running" if hanchan.state == Hanchan.State.RUNNING else "scheduled"
