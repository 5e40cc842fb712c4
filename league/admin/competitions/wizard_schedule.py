"""Last steps of the guided set-up: the schedule, and the publication."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import View
from typing_extensions import override

from league.admin.base import public_page
from league.admin.competitions.wizard import BlocksView, SetUpView, are_filled
from league.admin.seasons.set_up import EntrantsView
from league.forms.competitions.wizard import ScheduleForm, first_day, fresh_seed
from league.forms.service import ServiceForm
from league.models import Competition, Session
from league.platform.rendering import render
from league.selectors.competitions.match_days import match_days
from league.selectors.competitions.roster import active_entrants, is_scheduled
from league.selectors.competitions.seating.plans import (
    USUAL_MINUTES,
    SchedulePlan,
    calendar_of,
    counts_no_hanchan,
    counts_no_sessions,
    planned_schedule,
    unscheduled_blocks,
    usual_sessions,
)
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from league.selectors.seasons.teams import is_team_league, teams_without_members
from league.services.competitions.seating import take_back_schedule, write_schedule
from league.services.competitions.seating_searches import improve_seating, stop_searches
from league.services.competitions.setup import set_status
from league.services.competitions.wizard import seeded_blocks
from scoring.format import Seating

SEARCHES = "searches"
"""Parameter of the page's address that asks for the progress of the searches alone."""
LONGEST_QUERY = 4000
"""Characters of a query string that every proxy passes on; a longer form is answered without a redirect."""


class ScheduleView(SetUpView[ScheduleForm]):
    """Schedule step: preview the whole schedule with its balance, then write it."""

    page = "schedule"
    title = gettext_lazy("Schedule")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the schedule of the wishes in the query; the seed is always there, so a reload repeats the draw."""
        if not unscheduled_blocks(self.row):
            return self.show_schedule(self.schedule_form(initial=self.proposed()), None)
        if "seed" not in request.GET:
            return HttpResponseRedirect(f"{request.path}?{urlencode({**request.GET.dict(), 'seed': fresh_seed()})}")
        form = self.schedule_form(initial={**self.proposed(), **request.GET.dict()})
        asked = self.schedule_form({name: _as_sent(form[name].value()) for name in form.fields})
        if asked.is_valid():
            plan = planned_schedule(self.row, asked.wishes())
            return self.show_searches(plan) if SEARCHES in request.GET else self.show_schedule(form, plan)
        # Without a number of hanchan, which some formats leave open, there is nothing to show yet.
        is_begun = counts_no_hanchan(self.row) and "hanchan" not in request.GET
        return self.show_schedule(form if is_begun else asked, None)

    def proposed(self) -> dict[str, object]:
        """Return initial values from the calendar chosen in the first step."""
        calendar = calendar_of(self.row)
        return {
            "first_day": calendar.first_day if calendar else first_day(),
            "every": calendar.every if calendar else 7,
            "starts_at": calendar.starts_at if calendar else "12:00",
            "venue": calendar.venue if calendar else "",
            "tables": calendar.tables if calendar else None,
            "days": "session",
            "minutes": USUAL_MINUTES,
            "sessions": usual_sessions(self.row),
        }

    def schedule_form(self, data: object = None, **options: object) -> ScheduleForm:
        """Return the form, which asks for the numbers of hanchan and sessions only if the format leaves them open."""
        return ScheduleForm(
            data,
            asks_hanchan=counts_no_hanchan(self.row),
            asks_sessions=counts_no_sessions(self.row),
            has_teams=is_team_league(self.row),
            **options,
        )

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Preview the schedule, write the one previewed, or remove the one written."""
        form = self.schedule_form(request.POST)
        if "another" in request.POST and (address := self.address_of(form, fresh_seed())):
            return HttpResponseRedirect(address)
        if "take_back" in request.POST:
            answer = self.do(
                form,
                lambda by: take_back_schedule(competition=self.row, by=by),
                _("The schedule is taken back."),
                "set-up-schedule",
            )
            return answer or self.show_schedule(form, None)
        if not form.is_valid():
            return self.show_schedule(form, None)
        if "write" in request.POST:
            seen = form.cleaned_data["seen"]
            answer = self.do(
                form,
                # The digest of the preview: the service generates again under the lock and refuses a difference.
                lambda by: write_schedule(competition=self.row, wishes=form.wishes(), digest=seen, by=by),
                _("The schedule is written. Only the staff sees it before the league is published."),
                "set-up-publish",
            )
            if answer is not None:
                return answer
        elif "improve" in request.POST or "stop" in request.POST:
            answer = self.search(request, form)
            if answer is not None and (address := self.address_of(form, form["seed"].value())):
                return HttpResponseRedirect(address)
        return self.show_schedule(form, planned_schedule(self.row, form.wishes()))

    def search(self, request: HttpRequest, form: ScheduleForm) -> HttpResponse | None:
        """Begin or stop the search for a more even seating; None if it is refused."""
        if "stop" in request.POST:
            done = _("The search is stopped. What it has found is kept.")
            return self.do(form, lambda by: stop_searches(competition=self.row, by=by), done, "set-up-schedule")
        return self.do(
            form,
            lambda by: improve_seating(competition=self.row, wishes=form.wishes(), by=by),
            _("The search has begun. You may leave this page."),
            "set-up-schedule",
        )

    def address_of(self, form: ScheduleForm, seed: object) -> str:
        """Return the address of this page with the wishes of the form and a seed; empty if it would be too long."""
        sent = {name: _as_sent(form[name].value()) for name in form.fields if name != "seen"}
        query = urlencode({**sent, "seed": _as_sent(seed)})
        return f"{self.request.path}?{query}" if len(query) <= LONGEST_QUERY else ""

    def show_searches(self, plan: SchedulePlan) -> HttpResponse:
        """Render the progress of the searches alone, for the page that shows it."""
        response = render(self.request, "admin/league/setting_up/searches.html", {"plan": plan})
        response["Cache-Control"] = "no-store"
        return response

    def show_schedule(self, form: ScheduleForm, plan: SchedulePlan | None) -> HttpResponse:
        """Render the form and the schedule that follows from it."""
        left = unscheduled_blocks(self.row)
        preview = self.address_of(form, form["seed"].value())
        played = format_of(rules_at(self.row))
        fixed = [block for block in left if played.stage(block.stage.key).seating is Seating.FIXTURES]
        return self.show_page(
            form, plan=plan, left=left, fixed=fixed, has_schedule=is_scheduled(self.row), preview=preview
        )


def _as_sent(value: object) -> object:
    """Return a field's value as a browser would send it."""
    return {None: "", False: "", True: "on"}[value] if value is None or isinstance(value, bool) else str(value)


class PublicationView(SetUpView[ServiceForm]):
    """Last step: show the state of the competition and publish it."""

    page = "publish"
    title = gettext_lazy("Publication")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        return self.show_state(ServiceForm())

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Publish the competition."""
        form = ServiceForm(request.POST)
        form.is_valid()
        answer = self.do(
            form,
            lambda by: set_status(competition=self.row, status=Competition.Status.PUBLISHED, by=by),
            _("“%(name)s” is published.") % {"name": self.row},
            "set-up-publish",
        )
        return answer or self.show_state(form)

    def show_state(self, form: ServiceForm) -> HttpResponse:
        """Render the sessions and players, and the steps still missing."""
        sessions = Session.objects.filter(competition=self.row).order_by("number").select_related("competition")
        return self.show_page(
            form,
            sessions=match_days(sessions),
            players=len(active_entrants(self.row)),
            without_members=teams_without_members(self.row),
            is_filled=are_filled(self.row) or not seeded_blocks(self.row),
            public_page=public_page(self.row),
        )


SET_UP_PAGES: tuple[tuple[str, type[View]], ...] = (
    ("set-up-players", EntrantsView),
    ("set-up-blocks", BlocksView),
    ("set-up-schedule", ScheduleView),
    ("set-up-publish", PublicationView),
)
"""The steps of an existing competition, by their URL names."""
