"""Guided set-up of a league in a few pages: format, rules and days, roster, blocks, schedule, publication.

Each page writes through one service and leads to the next. Input is kept when a service refuses it, and a draw or a
generated schedule is previewed before it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views import View
from typing_extensions import override

from league.admin.base import F, OrganizersModelAdmin, ServiceView, actor_of, may_set_up, page_of, public_page
from league.forms.competitions.wizard import (
    ByHandForm,
    DrawBlocksForm,
    LeagueForm,
    RosterForm,
    RowChoice,
    ScheduleForm,
    choices_of,
    first_day,
    fresh_seed,
    ruleset_named,
)
from league.forms.service import ServiceForm
from league.models import Change, Competition, Player, Session, Slot
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor
from league.selectors.competitions.format_ladder import format_ladder, format_names_of
from league.selectors.competitions.seating import (
    USUAL_MINUTES,
    SchedulePlan,
    calendar_of,
    counts_no_hanchan,
    has_schedule,
    planned_schedule,
    unscheduled_blocks,
)
from league.selectors.people.rosters import LONGEST_ROSTER, matched_roster
from league.services.competitions.seating import take_back_schedule, write_schedule
from league.services.competitions.setup import CompetitionPlan, set_status
from league.services.competitions.wizard import (
    Filling,
    active_entrants,
    enter_roster,
    fill_blocks,
    seeded_blocks,
    set_up_league,
)
from league.web.ladder_svg import draw
from league.wording.faults import not_playable_texts
from league.wording.names import title_in
from rulesets.formats import format_names, load_format
from scoring.format import Format, Stage
from scoring.seating import lot

HEX_SHOWN = 12


@dataclass(frozen=True, slots=True)
class WizardStep:
    """A page of the set-up in the list of steps."""

    number: int
    label: str
    url: str
    is_current: bool
    is_done: bool


def steps_of(competition: Competition | None, current: str) -> list[WizardStep]:
    """Return all steps. Those after the first have an address once the competition exists."""
    named = [
        ("rules", _("Format, rules, days"), True),
        ("players", _("Players"), competition is not None and competition.entrants.exists()),
        ("blocks", _("Blocks"), competition is not None and _are_filled(competition)),
        ("schedule", _("Schedule"), competition is not None and has_schedule(competition)),
        ("publish", _("Publication"), competition is not None and competition.status != Competition.Status.DRAFT),
    ]
    return [
        WizardStep(
            number,
            label,
            page_of(competition, f"set-up-{name}") if competition and name != "rules" else "",
            name == current,
            done and competition is not None,
        )
        for number, (name, label, done) in enumerate(named, start=1)
    ]


def _are_filled(competition: Competition) -> bool:
    """Return True if every seeded slot has its entrant."""
    slots = Slot.objects.filter(block__competition=competition, source__startswith="seed:")
    return slots.exists() and not slots.filter(seeded=None).exists()


@dataclass(frozen=True, slots=True)
class FormatCard:
    """A format to choose, with its ladder drawn as SVG."""

    name: str
    title: str
    note: str
    drawing: object
    names: object
    players: str
    stages: list[str]
    missing: list[str]
    """Reasons why no competition can be started by it yet."""


def card_of(league_format: Format) -> FormatCard:
    """Return the card of a format."""
    return FormatCard(
        name=league_format.name,
        title=title_in(league_format.title),
        note=title_in(league_format.note) if league_format.note else "",
        drawing=draw(format_ladder(league_format)),
        names=format_names_of(league_format),
        players=players_text(league_format),
        stages=[_stage_words(stage) for stage in league_format.stages],
        missing=not_playable_texts(league_format),
    )


def players_text(league_format: Format) -> str:
    """Return the number of players that a format is for, in words."""
    if bounds := league_format.bounds:
        return _("%(least)s to %(most)s players") % {"least": bounds.least, "most": bounds.most}
    count = league_format.seeds
    if not count:
        return _("any number of players")
    return ngettext("%(count)s player", "%(count)s players", count) % {"count": count}


def _stage_words(stage: Stage) -> str:
    """Return a stage's name with its number of hanchan."""
    if stage.hanchan is None:
        return title_in(stage.title)
    games = _("%(count)s hanchan") % {"count": stage.hanchan}
    return f"{title_in(stage.title)}: {games}"


class NewLeagueView(View):
    """First step: choose a format by its ladder, then the league's name, rules and days."""

    model_admin: OrganizersModelAdmin | None = None

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Raise PermissionDenied unless the user may create competitions."""
        if not may_set_up(request):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the formats, or the form of the chosen one."""
        if "format" not in request.GET:
            cards = [card_of(load_format(name)) for name in format_names()]
            return self.show("format", {"title": _("New league"), "cards": cards})
        return self.show_form(LeagueForm(league_format=self.format(), ruleset=request.GET.get("ruleset", "")))

    def post(self, request: HttpRequest) -> HttpResponse:
        """Create the draft; with `look`, show the options of another ruleset and keep the input."""
        chosen = request.POST.get("ruleset", "")
        if "look" in request.POST:
            typed = {name: value for name, value in request.POST.items() if not name.startswith("option_")}
            initial = {**typed, "options_of": chosen}
            return self.show_form(LeagueForm(league_format=self.format(), ruleset=chosen, initial=initial))
        form = LeagueForm(request.POST, league_format=self.format(), ruleset=chosen)
        if form.is_valid():
            try:
                made = set_up_league(plan=self.plan(form), calendar=form.calendar(), by=actor_of(request))
            except ServiceError as error:
                form.take(error)
            else:
                messages.success(
                    request, _("“%(name)s” is set up as a draft. Enter its players.") % {"name": made.name}
                )
                return HttpResponseRedirect(page_of(made, "set-up-players"))
        return self.show_form(form)

    def plan(self, form: LeagueForm) -> CompetitionPlan:
        """Return the competition's plan from the form."""
        typed = form.cleaned_data
        return CompetitionPlan(
            slug=typed["slug"] or free_slug(typed["name_en"], typed["name"], self.format().name),
            name=typed["name"],
            name_en=typed["name_en"],
            ruleset=typed["ruleset"],
            league_format=self.format().name,
            options=form.options_typed(),
            confirmation=Competition.Confirmation(typed["confirmation"]),
        )

    def format(self) -> Format:
        """Return the format named in the query string; raise Http404 if it is unknown."""
        name = self.request.GET.get("format", "")
        if name not in format_names():
            raise Http404
        return load_format(name)

    def show_form(self, form: LeagueForm) -> HttpResponse:
        """Render the form below the ladder of its format."""
        rules = ruleset_named(form.ruleset_name)
        card = card_of(self.format())
        context = (
            {"title": _("New league"), "card": card, "form": form, "options_title": title_in(rules.title)}
            if rules
            else {}
        )
        return self.show("rules", context, status=422 if form.errors else 200)

    def show(self, page: str, context: dict[str, object], status: int = 200) -> HttpResponse:
        """Render a page of the set-up before the competition exists."""
        assert self.model_admin is not None  # noqa: S101 - the address gives it
        shared = {
            **self.model_admin.admin_site.each_context(self.request),
            "steps": steps_of(None, "rules"),
            "opts": self.model_admin.opts,
            "trail": [(str(Competition._meta.verbose_name_plural), reverse("admin:league_competition_changelist"))],
        }
        return render(self.request, f"admin/league/setting_up/{page}.html", {**shared, **context}, status=status)


def free_slug(*names: str) -> str:
    """Return an unused slug made of the first name with Latin letters, with the year if it contains no digit."""
    base = next(filter(None, (slugify(name)[:50].strip("-") for name in names)))
    year = str(timezone.localdate().year)
    stem = base if any(letter.isdigit() for letter in base) else f"{base}-{year}"
    taken = set(Competition.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    candidates = [stem, *(f"{stem}-{number}" for number in range(2, len(taken) + 3))]
    return next(slug for slug in candidates if slug not in taken)


class SetUpView(ServiceView[Competition, F]):
    """Base of the steps after the competition exists."""

    page = ""

    def show_page(self, form: ServiceForm, **context: object) -> HttpResponse:
        """Render the page with the list of steps above it."""
        assert self.model_admin is not None  # noqa: S101 - the address gives it
        shared = {
            **self.model_admin.admin_site.each_context(self.request),
            "title": self.title,
            "subtitle": str(self.row),
            "steps": steps_of(self.row, self.page),
            "trail": list(self.trail()),
            "competition": self.row,
            "opts": self.model_admin.opts,
            "form": form,
        }
        status = 422 if form.errors else 200
        return render(self.request, f"admin/league/setting_up/{self.page}.html", {**shared, **context}, status=status)

    def do(
        self, form: ServiceForm, service: Callable[[Actor], object], done: str, following: str
    ) -> HttpResponse | None:
        """Call the service and redirect; if it refuses, add its errors to the form and return None."""
        try:
            service(actor_of(self.request))
        except ServiceError as error:
            form.take(error)
            return None
        messages.success(self.request, done)
        return HttpResponseRedirect(page_of(self.row, following))


class PlayersView(SetUpView[RosterForm]):
    """Roster step: paste or choose players, check them row by row, enter them."""

    page = "players"
    title = gettext_lazy("Players")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        return self.show_roster(RosterForm(competition=self.row), None)

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the preview; if the user has seen it, enter the roster."""
        form = RosterForm(request.POST, competition=self.row)
        if not form.is_valid():
            return self.show_roster(form, None)
        found = matched_roster(self.row, form.cleaned_data["pasted"])
        if len(found) > LONGEST_ROSTER:
            form.add_error("pasted", _("At most %(most)s lines at a time.") % {"most": LONGEST_ROSTER})
            return self.show_roster(form, None)
        rows = choices_of(found, request.POST, is_seen=form.is_seen)
        known = list(form.cleaned_data["known"])
        if "enter" not in request.POST or not form.is_seen:
            if not rows and not known:
                form.add_error("pasted", _("Paste or choose at least one player."))
            return self.show_roster(form, rows)
        return self.enter(form, rows, known)

    def enter(self, form: RosterForm, rows: Sequence[RowChoice], known: Sequence[Player]) -> HttpResponse:
        """Enter the roster, or show the errors of its rows."""
        if faults := [row.fault for row in rows if row.fault]:
            form.add_error(None, faults)
            return self.show_roster(form, rows)
        people = [person for row in rows if (person := row.person()) is not None]
        count = len(people) + len(known)
        done = ngettext("%(count)s player entered.", "%(count)s players entered.", count) % {"count": count}
        following = "set-up-blocks" if seeded_blocks(self.row) else "set-up-schedule"
        answer = self.do(
            form, lambda by: enter_roster(competition=self.row, people=[*people, *known], by=by), done, following
        )
        return answer or self.show_roster(form, rows)

    def show_roster(self, form: RosterForm, rows: Sequence[RowChoice] | None) -> HttpResponse:
        """Render the form, and below it each row as it was matched."""
        places = sum(block.slots.count() for block in seeded_blocks(self.row))
        return self.show_page(
            form, rows=rows, places=places, entered=active_entrants(self.row), counts=_counted(rows or ())
        )


def _counted(rows: Iterable[RowChoice]) -> dict[str, int]:
    """Return the number of rows by kind of match."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.matched.who.value] = counts.get(row.matched.who.value, 0) + 1
    return counts


class BlocksView(SetUpView[ServiceForm]):
    """Blocks step: assign entrants to blocks by draw, by number or by hand."""

    page = "blocks"
    title = gettext_lazy("Blocks")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        if not seeded_blocks(self.row):
            return HttpResponseRedirect(page_of(self.row, "set-up-schedule"))
        return self.show_blocks(DrawBlocksForm(initial={"seed": fresh_seed()}), self.hands())

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Fill the blocks by the method of the button that was pressed."""
        filling = request.POST.get("filling", "")
        if filling not in list(Filling):
            raise Http404
        lots = DrawBlocksForm(request.POST if filling == Filling.DRAWN else None, initial={"seed": fresh_seed()})
        hands = self.hands(request.POST if filling == Filling.BY_HAND else None)
        form = {Filling.DRAWN: lots, Filling.BY_HAND: hands}.get(Filling(filling), ServiceForm(request.POST))
        if form.is_valid():
            answer = self.do(
                form, lambda by: self.fill(Filling(filling), form, by), _("The blocks are filled."), "set-up-blocks"
            )
            if answer is not None:
                return answer
        return self.show_blocks(lots, hands, form)

    def fill(self, filling: Filling, form: ServiceForm, by: Actor) -> None:
        """Call the service."""
        fill_blocks(
            competition=self.row,
            filling=filling,
            seed=form.cleaned_data.get("seed", ""),
            by_hand=form.by_hand() if isinstance(form, ByHandForm) else None,
            by=by,
        )

    def hands(self, data: object = None) -> ByHandForm:
        """Return the form that assigns a block to each entrant."""
        placed = dict(
            Slot.objects.filter(block__competition=self.row).exclude(seeded=None).values_list("seeded", "block")
        )
        return ByHandForm(data, blocks=seeded_blocks(self.row), entrants=active_entrants(self.row), placed=placed)

    def show_blocks(self, lots: DrawBlocksForm, hands: ByHandForm, form: ServiceForm | None = None) -> HttpResponse:
        """Render the blocks as filled now, with the forms to fill them."""
        return self.show_page(
            form or lots,
            lots=lots,
            hands=hands,
            blocks=self.filled(),
            draw=self.last_draw(),
            is_filled=_are_filled(self.row),
            people=active_entrants(self.row),
        )

    def filled(self) -> list[tuple[object, list[Slot]]]:
        """Return each block with its slots."""
        slots = Slot.objects.filter(block__competition=self.row).select_related("seeded__player").order_by("number")
        return [(block, [slot for slot in slots if slot.block_id == block.pk]) for block in seeded_blocks(self.row)]

    def last_draw(self) -> dict[str, object] | None:
        """Return the draw in effect with each entrant's lot, so that it can be verified; None if not drawn."""
        kept = Change.objects.filter(competition=self.row, kind="blocks.filled").order_by("-n").first()
        if kept is None or not kept.after or kept.after["filling"] != Filling.DRAWN:
            return None
        seed = kept.after["seed"]
        drawn = {pk for own in kept.after["blocks"].values() for pk in own}
        people = [entrant for entrant in active_entrants(self.row) if entrant.pk in drawn]
        lots = sorted((lot(seed, entrant.number), entrant) for entrant in people)
        return {
            "seed": seed,
            "change": kept.n,
            "at": kept.at,
            "lots": [(place, digest[:HEX_SHOWN], entrant) for place, (digest, entrant) in enumerate(lots, start=1)],
        }


class ScheduleView(SetUpView[ScheduleForm]):
    """Schedule step: preview the whole schedule with its balance, then write it."""

    page = "schedule"
    title = gettext_lazy("Schedule")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        form = self.schedule_form(initial=self.proposed())
        plan = None
        if unscheduled_blocks(self.row) and not counts_no_hanchan(self.row):
            asked = self.schedule_form({name: _as_sent(form[name].value()) for name in form.fields})
            plan = planned_schedule(self.row, asked.wishes()) if asked.is_valid() else None
        return self.show_schedule(form, plan)

    def proposed(self) -> dict[str, object]:
        """Return initial values from the calendar chosen in the first step."""
        calendar = calendar_of(self.row)
        return {
            "first_day": calendar.first_day if calendar else first_day(),
            "every": calendar.every if calendar else 7,
            "starts_at": calendar.starts_at if calendar else "12:00",
            "venue": calendar.venue if calendar else "",
            "days": "session",
            "minutes": USUAL_MINUTES,
            "sessions": 1,
            "seed": fresh_seed(),
        }

    def schedule_form(self, data: object = None, **options: object) -> ScheduleForm:
        """Return the form, which asks for the number of hanchan only if the format leaves it open."""
        return ScheduleForm(data, counts_hanchan=not counts_no_hanchan(self.row), **options)

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Preview the schedule, write the one previewed, or remove the one written."""
        form = self.schedule_form(request.POST)
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
                _("The schedule is written. Nobody but the staff sees it before the league is published."),
                "set-up-publish",
            )
            if answer is not None:
                return answer
        return self.show_schedule(form, planned_schedule(self.row, form.wishes()))

    def show_schedule(self, form: ScheduleForm, plan: SchedulePlan | None) -> HttpResponse:
        """Render the form and the schedule that follows from it."""
        left = unscheduled_blocks(self.row)
        return self.show_page(form, plan=plan, left=left, has_schedule=has_schedule(self.row))


def _as_sent(value: object) -> object:
    """Return a field's value as a browser would send it."""
    return "" if value is None or value is False else str(value)


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
            _("“%(name)s” is published.") % {"name": self.row.name},
            "set-up-publish",
        )
        return answer or self.show_state(form)

    def show_state(self, form: ServiceForm) -> HttpResponse:
        """Render the sessions and players, and the steps still missing."""
        sessions = Session.objects.filter(competition=self.row).order_by("number").prefetch_related("table_sessions")
        return self.show_page(
            form,
            sessions=[(session, list(session.table_sessions.all())) for session in sessions],
            players=len(active_entrants(self.row)),
            is_filled=_are_filled(self.row) or not seeded_blocks(self.row),
            public_page=public_page(self.row),
        )


PAGES: tuple[tuple[str, type[View]], ...] = (
    ("set-up-players", PlayersView),
    ("set-up-blocks", BlocksView),
    ("set-up-schedule", ScheduleView),
    ("set-up-publish", PublicationView),
)
"""The steps of an existing competition, by their URL names."""


def next_page(competition: Competition) -> str:
    """Return the address of the first step not done yet."""
    open_steps = [step for step in steps_of(competition, "") if step.url and not step.is_done]
    return open_steps[0].url if open_steps else page_of(competition, "set-up-publish")
