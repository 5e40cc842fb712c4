"""The floor: the state of all tables of a round on one screen, and the calls for a referee.

The browser asks again every few seconds; an unchanged floor is answered with 304.
"""

from __future__ import annotations

from collections.abc import Iterable
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ServiceView, actor_of, may, page_of
from league.admin.results.entry import number_in
from league.forms.service import ServiceForm
from league.models import RefereeCall, Session
from league.platform.errors import ServiceError
from league.selectors.access.actors import Capability
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import reader_of
from league.selectors.competitions.clock import clock_of
from league.selectors.competitions.floor import Floor, TableState, floor_mark, floor_of
from league.services.live.referee_calls import answer_call
from league.web.response_cache import conditional_response
from league.wording.competitions.floor import stage_label

CALLS = "calls"
"""The filter for the tables that wait for a referee."""


class FloorView(ServiceView[Session, ServiceForm]):
    """Show the tables of a round; POST answers a call."""

    capability = Capability.READ
    title = gettext_lazy("State of the tables")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponseBase:
        """Show the floor, or 304 if the browser has it."""
        phase = clock_of(self.row).phase(timezone.now())
        reader = reader_of(self.competition(), request.user)
        query = {name: request.GET.get(name, "") for name in ("round", "show")}
        parts = [floor_mark(self.row), phase, query, request.user.pk, self.competition().version]
        waiting = [str(message) for message in messages.get_messages(request)]
        # Messages are shown once; the page that carries them is no other request's page.
        etag = etag_of(reader, "floor", *parts, waiting)
        floor = floor_of(reader, self.row, number_in(request.GET, "round"), is_over=phase == "over")
        return conditional_response(request, etag, lambda: self.page(floor, waiting), is_shared=False)

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Record that a referee goes to the table that called."""
        if not self.may_answer:
            raise PermissionDenied
        calls = RefereeCall.objects.filter(table_session__session=self.row).select_related("table_session__competition")
        call = calls.filter(pk=number_in(request.POST, "answer") or 0).first()
        if call is None:
            raise Http404
        try:
            answer_call(call=call, by=actor_of(request))
        except ServiceError as error:
            for finding in error.findings:
                messages.warning(request, finding.message)
        wanted = request.POST.get("next", "")
        is_ours = url_has_allowed_host_and_scheme(wanted, None)
        return HttpResponseRedirect(wanted if is_ours else page_of(self.row, "floor"))

    @property
    def may_answer(self) -> bool:
        """Return True if the user may answer calls."""
        pk = self.competition().pk
        return may(self.request, Capability.RULE, pk) or may(self.request, Capability.SUBMIT, pk)

    def page(self, floor: Floor | None, said: list[str]) -> HttpResponse:
        """Render the floor in the time zone of the competition."""
        wanted = self.request.GET.get("show", "")
        with timezone.override(ZoneInfo(self.competition().time_zone)):
            return self.render_page(
                "floor",
                is_nav_sidebar_enabled=False,
                session=self.row,
                floor=floor,
                said=said,
                clock=clock_of(self.row),
                may_answer=self.may_answer,
                wanted=wanted,
                stages=[(stage, stage_label(stage), count) for stage, count in floor.counts.items()] if floor else [],
                states=[state for state in floor.states if is_wanted(state, wanted)] if floor else [],
            )

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        yield str(self.competition()), page_of(self.competition())
        yield str(self.row), page_of(self.row, "night")


def is_wanted(state: TableState, wanted: str) -> bool:
    """Return True if the filter shows the table: all, those that wait for a referee, or those of one stage."""
    return wanted in ("", state.stage.value) or (wanted == CALLS and state.call is not None)
