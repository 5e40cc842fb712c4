"""Guided set-up of a league in a few pages: format, rules and days, roster, blocks, schedule, publication.

Each page writes through one service and leads to the next. Input is kept when a service refuses it, and a draw or a
generated schedule is previewed before it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from typing_extensions import override

from league.admin.base import F, PageView, ServiceView, actor_of, may_set_up, own_competitions, page_of
from league.admin.competitions.addresses import proposed_address
from league.admin.competitions.format_choice import format_choice
from league.admin.results.entry import number_in
from league.forms.competitions.roster import RosterForm, RowChoice, choices_of, readings_in
from league.forms.competitions.setup import choice_of
from league.forms.competitions.wizard import (
    ByHandForm,
    DrawBlocksForm,
    HousePlayersForm,
    LeagueForm,
    RosterSizeForm,
    fresh_seed,
)
from league.forms.service import ServiceForm
from league.models import Change, Competition, Player, Slot
from league.platform.errors import ServiceError
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Actor, Capability
from league.selectors.competitions.next_season import proposed_settings
from league.selectors.competitions.roster import (
    RosterFit,
    RosterState,
    active_entrants,
    house_players,
    is_scheduled,
    roster_fit,
    roster_state,
)
from league.selectors.people.rosters import LONGEST_ROSTER, Who, matched_roster, roster_text
from league.selectors.rulebooks.catalogue import format_revision_named
from league.selectors.rulebooks.rules_in_force import format_of_revision, rules_at
from league.selectors.seasons.teams import is_team_league
from league.services.access.changes import held
from league.services.competitions.roster import add_house_players, fit_roster
from league.services.competitions.setup import CompetitionPlan
from league.services.competitions.wizard import (
    Filling,
    enter_roster,
    fill_blocks,
    seeded_blocks,
    set_up_league,
)
from league.web.rulebooks.format_cards import card_of, offered_formats
from rulesets.formats import format_names, load_format
from scoring.format import EntrantKind, Format
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


def steps_of(competition: Competition | None, current: str, *, has_teams: bool) -> list[WizardStep]:
    """Return all steps. Those after the first have an address once the competition exists."""
    entrants = _("Teams") if has_teams else _("Players")
    named = [
        ("rules", _("Format, rules, days"), True),
        ("players", entrants, competition is not None and competition.entrants.exists()),
        ("blocks", _("Blocks"), competition is not None and are_filled(competition)),
        ("schedule", _("Schedule"), competition is not None and is_scheduled(competition)),
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


def are_filled(competition: Competition) -> bool:
    """Return True if every seeded slot has its entrant."""
    slots = Slot.objects.filter(block__competition=competition, source__startswith="seed:")
    return slots.exists() and not slots.filter(seeded=None).exists()


def season_before(request: HttpRequest) -> Competition | None:
    """Return the season named as the one before, if the user manages it."""
    rows = own_competitions(request, Capability.MANAGE).filter(kind=Competition.Kind.LEAGUE)
    return rows.filter(pk=number_in(request.GET, "before") or 0).first()


class NewLeagueView(PageView[Competition]):
    """First step: choose a format by its ladder, then the league's name, rules and days."""

    @override
    def is_allowed(self, request: HttpRequest) -> bool:
        return may_set_up(request)

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the formats, or the form of the chosen one; a next season begins with the format of the one before."""
        if "format" not in request.GET and self.before:
            usual = choice_of(rules_at(self.before).format, format_names())
            return HttpResponseRedirect(f"{request.path}?{urlencode({'format': usual, 'before': self.before.pk})}")
        if "format" not in request.GET:
            choice = format_choice(offered_formats(), request.GET)
            status = 422 if choice.form.errors else 200
            return self.show("format", {"title": _("New competition"), "form": choice.form, "choice": choice}, status)
        initial = proposed_settings(self.before) if self.before else {}
        initial |= {name: request.GET[name] for name in ("tables", "entrants") if name in request.GET}
        return self.show_form(self.form(ruleset=request.GET.get("ruleset", ""), initial=initial))

    def post(self, request: HttpRequest) -> HttpResponse:
        """Create the draft; with `look`, show the options of another ruleset and keep the input."""
        chosen = request.POST.get("ruleset", "")
        if "look" in request.POST:
            initial = LeagueForm.typed_besides_options(request.POST)
            return self.show_form(self.form(ruleset=chosen, initial=initial))
        form = self.form(request.POST, ruleset=chosen)
        if form.is_valid():
            try:
                made = set_up_league(plan=self.plan(form), calendar=form.calendar(), by=actor_of(request))
            except ServiceError as error:
                form.take(error)
            else:
                address = absolute_url("pages:home", made.slug, request=request)
                done = (
                    _("“%(name)s” is set up as a draft. Its address will be %(address)s. Enter its teams.")
                    if is_team_league(made)
                    else _("“%(name)s” is set up as a draft. Its address will be %(address)s. Enter its players.")
                )
                messages.success(request, done % {"name": made, "address": address})
                query = f"?before={self.before.pk}" if self.before else ""
                return HttpResponseRedirect(page_of(made, "set-up-players") + query)
        return self.show_form(form)

    @cached_property
    def before(self) -> Competition | None:
        """The season of which the new one is the next, if there is one."""
        return season_before(self.request)

    def form(
        self, data: QueryDict | None = None, *, ruleset: str, initial: Mapping[str, object] | None = None
    ) -> LeagueForm:
        """Return the form, whose rules begin as those of the season before."""
        in_force = rules_at(self.before) if self.before else None
        return LeagueForm(data, league_format=self.format(), ruleset=ruleset, initial=initial, in_force=in_force)

    def plan(self, form: LeagueForm) -> CompetitionPlan:
        """Return the competition's plan from the form."""
        typed = form.cleaned_data
        return CompetitionPlan(
            slug=self.proposed(form)["slug"],
            name=typed["name"],
            name_en=typed["name_en"],
            ruleset=typed["ruleset"],
            league_format=self.request.GET.get("format", ""),
            options=form.options_typed(),
            entrants=typed.get("entrants"),
            confirmation=Competition.Confirmation(typed["confirmation"]),
        )

    def proposed(self, form: LeagueForm) -> dict[str, str]:
        """Return the slug typed, or the one proposed, with the whole address."""
        typed = [str(form[name].value() or "") for name in ("slug", "name_en", "name")]
        return proposed_address(self.request, *typed, self.format().name)

    def format(self) -> Format:
        """Return the format named in the query string, `name@number` for an own one; raise Http404 if it is unknown."""
        name = self.request.GET.get("format", "")
        if name in format_names():
            return load_format(name)
        revision = format_revision_named(name)
        if revision is None:
            raise Http404
        return format_of_revision(revision)

    def show_form(self, form: LeagueForm) -> HttpResponse:
        """Render the form below the ladder of its format."""
        context = {
            "title": _("New competition"),
            "card": card_of(self.format()),
            "form": form,
            "proposed": self.proposed(form),
        }
        return self.show("rules", context, status=422 if form.errors else 200)

    def show(self, page: str, context: dict[str, object], status: int = 200) -> HttpResponse:
        """Render a page of the set-up before the competition exists."""
        has_teams = "format" in self.request.GET and self.format().kind is EntrantKind.TEAMS
        steps = steps_of(None, "rules", has_teams=has_teams)
        return self.render_page(f"setting_up/{page}", status, steps=steps, has_teams=has_teams, **context)

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [(str(Competition._meta.verbose_name_plural), reverse("admin:league_competition_changelist"))]


class SetUpView(ServiceView[Competition, F]):
    """Base of the steps after the competition exists."""

    page = ""

    def show_page(self, form: ServiceForm, **context: object) -> HttpResponse:
        """Render the page with the list of steps above it."""
        has_teams = is_team_league(self.row)
        return self.render_page(
            f"setting_up/{self.page_template()}",
            422 if form.errors else 200,
            steps=steps_of(self.row, self.page, has_teams=has_teams),
            competition=self.row,
            has_teams=has_teams,
            form=form,
            **context,
        )

    def page_template(self) -> str:
        """Return the name of the page's template."""
        return self.page

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
        pasted = roster_text(self.proposed_by) if self.proposed_by else ""
        return self.show_roster(RosterForm(competition=self.row, pasted=pasted), None)

    @cached_property
    def proposed_by(self) -> Competition | None:
        """The season before, whose entrants are proposed until some are entered."""
        return None if self.row.entrants.exists() else season_before(self.request)

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        if "enter" not in request.POST:
            return self.checked(request)
        # A button pressed twice sends two of these at once, and neither finds the players of the other.
        with held(self.row, self.named(request)):
            return self.checked(request)

    def named(self, request: HttpRequest) -> list[Player]:
        """Return the known players whom the roster may enter."""
        form = RosterForm(request.POST, competition=self.row)
        if not form.is_valid():
            return []
        found = matched_roster(self.row, form.cleaned_data["pasted"], readings_in(request.POST))
        return [*form.cleaned_data["known"], *(player for row in found for player in row.players)]

    def checked(self, request: HttpRequest) -> HttpResponse:
        """Show the preview; if the user has seen it, enter the roster."""
        form = RosterForm(request.POST, competition=self.row)
        if not form.is_valid():
            return self.show_roster(form, None)
        readings = readings_in(request.POST) if form.is_seen else {}
        found = matched_roster(self.row, form.cleaned_data["pasted"], readings)
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
        if rows and not known and all(row.matched.who is Who.ENTERED for row in rows):
            there = ngettext("%(count)s player is entered.", "%(count)s players are entered.", len(rows))
            messages.success(self.request, there % {"count": len(rows)})
            return HttpResponseRedirect(page_of(self.row, following))
        answer = self.do(
            form, lambda by: enter_roster(competition=self.row, people=[*people, *known], by=by), done, following
        )
        return answer or self.show_roster(form, rows)

    def show_roster(self, form: RosterForm, rows: Sequence[RowChoice] | None) -> HttpResponse:
        """Render the form, and below it each row as it was matched."""
        places = sum(block.slots.count() for block in seeded_blocks(self.row))
        return self.show_page(
            form,
            rows=rows,
            before=self.proposed_by,
            places=places,
            entered=active_entrants(self.row),
            counts=_counted(rows or ()),
            questions=sum(bool(row.readings) for row in rows or ()),
        )


def _counted(rows: Iterable[RowChoice]) -> dict[str, int]:
    """Return the number of rows by kind of match."""
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.matched.who.value] = counts.get(row.matched.who.value, 0) + 1
    return counts


@dataclass(frozen=True, slots=True)
class Closing:
    """A way to close the roster, with what follows from it."""

    fit: RosterFit
    entered: int
    only_present: bool

    @property
    def left_over(self) -> int:
        """Return how many of those entered get no place."""
        return max(self.entered - self.fit.entrants, 0)

    @property
    def is_possible(self) -> bool:
        """Return True if there are enough players and the format allows it."""
        return not self.fit.faults and self.fit.entrants <= self.entered


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
        """Fill the blocks by the method of the button that was pressed, or close the roster."""
        if "entrants" in request.POST:
            return self.close(RosterSizeForm(request.POST, has_teams=is_team_league(self.row)))
        if "count" in request.POST:
            return self.add_house(HousePlayersForm(request.POST))
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

    def close(self, form: RosterSizeForm) -> HttpResponse:
        """Close the roster with a number, or show what follows from it."""
        lots, hands = DrawBlocksForm(initial={"seed": fresh_seed()}), self.hands()
        if not form.is_valid() or "look" in self.request.POST:
            return self.show_blocks(lots, hands, form, size=form)
        typed = form.cleaned_data
        count = typed["entrants"]
        if is_team_league(self.row):
            done = ngettext(
                "The roster is closed with %(count)s team.", "The roster is closed with %(count)s teams.", count
            )
        else:
            done = ngettext(
                "The roster is closed with %(count)s player.", "The roster is closed with %(count)s players.", count
            )
        answer = self.do(
            form,
            lambda by: fit_roster(
                competition=self.row, entrants=count, only_present=typed["only_present"], by=by, accept=form.accepted
            ),
            done % {"count": count},
            "set-up-blocks",
        )
        return answer or self.show_blocks(lots, hands, form, size=form)

    def add_house(self, form: HousePlayersForm) -> HttpResponse:
        """Enter house players."""
        if form.is_valid():
            answer = self.do(
                form,
                lambda by: add_house_players(competition=self.row, count=form.cleaned_data["count"], by=by),
                _("The house players are entered."),
                "set-up-blocks",
            )
            if answer is not None:
                return answer
        return self.show_blocks(DrawBlocksForm(initial={"seed": fresh_seed()}), self.hands(), form, house_form=form)

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

    def show_blocks(
        self,
        lots: DrawBlocksForm,
        hands: ByHandForm,
        form: ServiceForm | None = None,
        size: RosterSizeForm | None = None,
        house_form: HousePlayersForm | None = None,
    ) -> HttpResponse:
        """Render the blocks as filled now, with the forms to fill them and to close the roster."""
        blocks = self.filled()
        roster = roster_state(self.row)
        return self.show_page(
            form or lots,
            lots=lots,
            hands=hands,
            blocks=blocks,
            places=sum(len(slots) for _block, slots in blocks),
            draw=self.last_draw(),
            is_filled=are_filled(self.row),
            # The places of an open tournament with one block are filled when its roster is closed.
            has_choice=roster is None or (are_filled(self.row) and len(blocks) > 1),
            people=active_entrants(self.row),
            roster=roster,
            closings=self.closings(roster, size) if roster else (),
            size_form=size or RosterSizeForm(has_teams=is_team_league(self.row)),
            house=house_players(self.row),
            house_form=house_form or HousePlayersForm(),
        )

    def closings(self, roster: RosterState, size: RosterSizeForm | None) -> list[Closing]:
        """Return the ways to close the roster: with all, with those who have checked in, with the number typed."""
        entered, present = len(roster.entered), len(roster.present)
        found = [Closing(roster_fit(self.row, entered), entered, only_present=False)] if entered else []
        if present and present != entered:
            found.append(Closing(roster_fit(self.row, present), entered, only_present=True))
        typed = size.cleaned_data.get("entrants") if size is not None and size.is_valid() else None
        if typed and typed not in {entered, present}:
            found.append(Closing(roster_fit(self.row, typed), entered, only_present=False))
        return found

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
