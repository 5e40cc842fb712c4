"""Pages that move a whole session, and move it back: both show first which tables and players are affected."""

from __future__ import annotations

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from typing_extensions import override

from league.admin.base import F, ServiceView, page_of
from league.admin.results.confirmation import digest_of
from league.forms.competitions.schedule import MoveSessionForm
from league.forms.service import ServiceForm
from league.models import Session
from league.platform.errors import ServiceError
from league.selectors.competitions.session_moves import (
    Clash,
    Collision,
    MoveBack,
    MovePlan,
    SessionMove,
    Staying,
    first_start,
    last_move,
    planned_move,
)
from league.services.competitions.session_moves import move_session
from league.wording.names import person_name, title_of

STAYS = {
    Staying.RESULTS: gettext_lazy("has results"),
    Staying.RUNNING: gettext_lazy("is being played"),
    Staying.CANCELLED: gettext_lazy("is cancelled"),
    Staying.NO_TIME: gettext_lazy("has no time yet"),
    Staying.EDITED: gettext_lazy("was edited after the move"),
}


def collision_text(one: Collision) -> str:
    """Return a collision as a sentence; the place of the other table says in which competition it is."""
    of_another = one.other.competition_id != one.table.competition_id
    other = f"{title_of(one.other.competition)} · {one.other}" if of_another else str(one.other)
    named = {"table": one.table, "other": other, "session": title_of(one.other.session)}
    if one.kind is Clash.SESSION:
        return _("%(session)s is on the same day.") % named
    if one.kind is Clash.TABLE:
        return _("The same table is taken twice: %(table)s, and %(other)s.") % named
    people = _(", ").join(map(person_name, one.people))
    return _("At two tables at once, %(table)s and %(other)s: %(people)s.") % {**named, "people": people}


class MovingView(ServiceView[Session, F]):
    """A move of a session: the first POST shows what it does, the second one makes it."""

    template = "admin/league/session_move.html"
    submit = gettext_lazy("Move")

    def wish(self, form: F) -> SessionMove | MoveBack:
        """Return the move that the form asks for."""
        raise NotImplementedError

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        form = self.form(request.POST)
        if not form.is_valid():
            return self.show(form)
        try:
            wish = self.wish(form)
            plan = planned_move(self.row, wish)
            if request.POST.get("seen") == self.mark(form, plan):
                move_session(session=self.row, wish=wish, digest=plan.digest, by=self.actor())
                moved = ngettext("%(count)s table is moved.", "%(count)s tables are moved.", len(plan.moved))
                messages.success(request, moved % {"count": len(plan.moved)})
                return HttpResponseRedirect(self.after(form))
        except ServiceError as error:
            form.take(error)
            return self.show(form)
        return self.show(form, plan)

    def mark(self, form: ServiceForm, plan: MovePlan) -> str:
        """Return the digest that must come back as `seen`, made of the typed values and the plan."""
        return f"{digest_of(sorted(form.cleaned_data.items()))}-{plan.digest}"

    @override
    def show(self, form: F, effect: object = None) -> HttpResponse:
        # The admin's own zone may be another one than the league's.
        with timezone.override(ZoneInfo(self.row.competition.time_zone)):
            return super().show(form, effect)

    @override
    def more_context(self, form: ServiceForm, effect: object = None) -> Iterator[tuple[str, object]]:
        yield "looks_first", True
        if not isinstance(effect, MovePlan):
            return
        mark, (typed, _dash, seen) = self.mark(form, effect), self.request.POST.get("seen", "").partition("-")
        yield "plan", effect
        yield "staying", [(table, STAYS[reason]) for table, reason in effect.staying]
        yield "collisions", [collision_text(one) for one in effect.collisions]
        yield "seen", mark
        yield "has_changed", bool(seen) and mark.startswith(f"{typed}-") and not mark.endswith(f"-{seen}")


class MoveSessionView(MovingView[MoveSessionForm]):
    """Move a session, and the later ones if wanted, to another day, time or venue."""

    form_class = MoveSessionForm
    title = gettext_lazy("Move the session")
    explanation = gettext_lazy(
        "All its tables move together. Tables that have results or are being played stay. Nothing is saved before you "
        "have seen what moves."
    )

    @override
    def form_arguments(self) -> dict[str, object]:
        start = first_start(self.row)
        return {"initial": {"day": start.date(), "time": start.time()} if start else {}}

    @override
    def wish(self, form: MoveSessionForm) -> SessionMove:
        return SessionMove(**form.cleaned_data)


class MoveBackView(MovingView[ServiceForm]):
    """Undo the last move of a session."""

    title = gettext_lazy("Move back")
    explanation = gettext_lazy("The tables return to where they were before the last move.")
    submit = gettext_lazy("Move back")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        form = self.form({})
        form.is_valid()
        try:
            return self.show(form, planned_move(self.row, self.wish(form)))
        except ServiceError as error:
            messages.error(request, str(error))
            return HttpResponseRedirect(page_of(self.row))

    @override
    def wish(self, form: ServiceForm) -> MoveBack:
        change = last_move(self.row)
        return MoveBack(change=change.n if change else 0)
