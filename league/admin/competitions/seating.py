"""Pages about seats: draw them for a session, swap two players with the cost shown first, and measure the balance."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from typing_extensions import override

from league.admin.base import ServiceView, actor_of, may, page_of
from league.admin.results.confirmation import digest_of
from league.forms.competitions.wizard import SeatDrawForm, SwapForm, fresh_seed
from league.forms.service import ServiceForm
from league.models import Block, Change, Competition, Hanchan, HanchanSeat, Session
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor, Capability
from league.selectors.competitions.seating.evenness import block_evenness, exchange_effect, scheduled_players
from league.selectors.operations.pending_tasks import misseated_tables
from league.services.access.changes import held
from league.services.competitions.seating import SeatDraw, draw_seats, swap_players, swappable_seats
from league.wording.names import person_name, round_name, table_name, title_of

DRAWS_SHOWN = 10


class DrawSeatsView(ServiceView[Session, SeatDrawForm]):
    """Draw the seats of a session by lot (場決め)."""

    form_class = SeatDrawForm
    capability = Capability.SUBMIT
    title = gettext_lazy("Draw the seats")
    explanation = gettext_lazy(
        "Each lot is the SHA-256 of the seed, the block, the hanchan and the number of the player or team, with colons "
        "between them; the smallest lot starts as the first dealer. Where tables change every round, the lots of the "
        "first round drawn are places in a schedule in which as few as possible meet again. The seed stands in the log."
    )
    submit = gettext_lazy("Draw the seats")

    @override
    def form_arguments(self) -> dict[str, object]:
        competition = Competition.objects.filter(pk=self.row.competition_id)
        is_again = misseated_tables(competition).filter(session=self.row).exists()
        return {"initial": {"seed": fresh_seed(), "is_for_all": is_again, "redraws": is_again}}

    @override
    def notes(self) -> Iterable[object]:
        return [*self.past_draws(), *self.seating_lines()]

    def past_draws(self) -> Iterable[str]:
        """Yield a line for each earlier draw of the session, newest first."""
        kept = Change.objects.filter(
            competition=self.row.competition, kind="seats.drawn", subject_type="session", subject_id=str(self.row.pk)
        )
        for change in kept.order_by("-n")[:DRAWS_SHOWN]:
            yield _("Drawn before: seed %(seed)s (change %(number)s).") % {
                "seed": (change.after or {}).get("seed", ""), "number": change.n,
            }  # fmt: skip

    def seating_lines(self) -> Iterable[str]:
        """Yield a line with the seating of each hanchan that has no result sheet yet."""
        open_ones = Hanchan.objects.filter(table_session__session=self.row, state=Hanchan.State.SCHEDULED)
        rows = HanchanSeat.objects.filter(hanchan__in=open_ones.exclude(sheets__isnull=False)).order_by(
            "hanchan__table_session__order", "hanchan__round", "seat"
        )
        names: dict[Hanchan, list[str]] = {}
        for seat in rows.select_related("hanchan__table_session__session", "hanchan__block", "entrant__player"):
            names.setdefault(seat.hanchan, []).append(person_name(seat.entrant.player))
        for hanchan, people in names.items():
            table = table_name(hanchan.table_session.table)
            yield f"{title_of(hanchan.block)} · {table} · {round_name(hanchan)}: {' – '.join(people)}"

    @override
    def perform(self, form: SeatDrawForm, by: Actor) -> str:
        drawn = draw_seats(session=self.row, draw=SeatDraw(**form.cleaned_data), by=by)
        said = ngettext(
            "The seats of %(count)s hanchan are drawn.", "The seats of %(count)s hanchan are drawn.", len(drawn)
        )
        return said % {"count": len(drawn)}

    @override
    def after(self, form: object) -> str:
        return page_of(self.row, "draw-seats")


def is_in_league(block: Block) -> bool:
    """Return True if the tables of the block are planned; at an open table guests play as they arrive."""
    return block.competition.kind == Competition.Kind.LEAGUE


class BalanceView(ServiceView[Block, ServiceForm]):
    """Show how balanced a block's schedule is, beside the bound that counting gives."""

    http_method_names = ["get", "head", "options"]
    capability = Capability.READ
    title = gettext_lazy("Balance of the schedule")
    template = "admin/league/setting_up/balance.html"

    @override
    def more_context(self, form: ServiceForm, effect: object = None) -> Iterable[tuple[str, object]]:
        yield "competition", self.competition()
        yield "evenness", block_evenness(self.row) if is_in_league(self.row) else None
        yield "swap_page", page_of(self.row, "swap")
        yield "replan_page", page_of(self.row, "replan")
        yield "may_manage", may(self.request, Capability.MANAGE, self.competition().pk)


class SwapView(ServiceView[Block, SwapForm]):
    """Swap two players in the schedule, after showing the cost."""

    title = gettext_lazy("Change places")
    template = "admin/league/setting_up/swap.html"

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the cost; if the user has seen the cost of this very swap, make it."""
        form = self.form(request.POST)
        if not form.is_valid():
            return self.show(form)
        one, other = (form.players[form.cleaned_data[name]] for name in ("one", "other"))
        numbers = form.hanchan()
        try:
            # Pressed twice, the button would change the places and change them back.
            with held(self.competition()):
                is_seen = "save" in request.POST and form.cleaned_data["seen"] == self.mark(form)
                if is_seen:
                    swap_players(block=self.row, numbers=numbers, one=one, other=other, by=actor_of(request))
                else:
                    swappable_seats(block=self.row, numbers=numbers, one=one, other=other)
        except ServiceError as error:
            form.take(error)
            return self.show(form)
        if not is_seen:
            return self.show(form, exchange_effect(self.row, numbers, one, other))
        messages.success(request, _("The seats are set."))
        return HttpResponseRedirect(page_of(self.row, "balance"))

    def mark(self, form: SwapForm) -> str:
        """Return the digest that must come back as `seen`, made of the swap asked for and the seats as they are."""
        _players, tables = scheduled_players(self.row)
        return f"{digest_of(form.asked)}-{digest_of(tables)}"

    @override
    def form(self, data: object = None) -> SwapForm:
        """Return the form with the block's players, sessions and hanchan to choose from."""
        if not is_in_league(self.row):
            return SwapForm(data, players=(), where=())
        players, _tables = scheduled_players(self.row)
        return SwapForm(data, players=players, where=list(self.places()))

    def places(self) -> Iterable[tuple[str, str]]:
        """Yield the choices of the swap: each session with all its hanchan, then each hanchan alone."""
        rows = Hanchan.objects.filter(block=self.row, table_session__is_cancelled=False)
        games: dict[Session, dict[int, Hanchan]] = {}
        for hanchan in rows.select_related("table_session__session").order_by("number"):
            games.setdefault(hanchan.table_session.session, {})[hanchan.number] = hanchan
        in_order = sorted(games.items(), key=lambda each: each[0].number)
        for session, own in in_order:
            if len(own) > 1:
                yield (
                    ",".join(map(str, own)),
                    _("%(session)s, all hanchan (%(numbers)s)")
                    % {
                        "session": title_of(session),
                        "numbers": ", ".join(str(hanchan.round) for hanchan in own.values()),
                    },
                )
        for session, own in in_order:
            for number, hanchan in own.items():
                yield str(number), f"{title_of(session)} {round_name(hanchan)}"

    @override
    def more_context(self, form: SwapForm, effect: object = None) -> Iterable[tuple[str, object]]:
        """Yield the cost of the swap if one was chosen."""
        mark, (asked, _dash, then) = self.mark(form), self.request.POST.get("seen", "").partition("-")
        yield "competition", self.competition()
        yield "exchange", effect
        yield "seen", mark
        yield "has_changed", mark.startswith(f"{asked}-") and mark != f"{asked}-{then}"
