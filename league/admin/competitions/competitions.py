"""Admin of competitions and their stages, blocks and slots: create, enter players, seed, publish, close."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from django.contrib import admin
from django.db import transaction
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from typing_extensions import override

from league.admin.base import (
    LeagueModelAdmin,
    ObjectLink,
    ServiceView,
    may,
    may_set_up,
    page_of,
)
from league.admin.competitions.addresses import AddressView, FirstPageView, ProposedAddressView
from league.admin.competitions.dashboard import dashboard, settings_links
from league.admin.competitions.day import DayView
from league.admin.competitions.day_actions import LateView
from league.admin.competitions.pairing import PairView, TakePairingBackView, may_be_taken_back
from league.admin.competitions.replanning import ReplanView, RestorePlanView
from league.admin.competitions.seating import BalanceView, SwapView, is_in_league
from league.admin.competitions.wizard import NewLeagueView
from league.admin.competitions.wizard_schedule import SET_UP_PAGES
from league.admin.exchange.pages import FILE_PAGES, ArchiveInView
from league.admin.lists import RelatedFilter
from league.admin.people.pictures import CompetitionPictureView
from league.admin.readable import BLOCKS_OF_BLOCK, source_text
from league.admin.results.rulings import (
    AdjustView,
    CloseBlockView,
    DrawView,
    OverrideView,
    PassOverView,
    RuleView,
    SwapSlotsView,
    closing_links,
)
from league.admin.seasons.fixtures import FixturesView
from league.forms.competitions.setup import (
    CompetitionWordsForm,
    PastedRosterForm,
    RosterLine,
    RulesForm,
    SeedsForm,
    choice_of,
    localize_moment,
)
from league.forms.service import ServiceForm
from league.models import Block, Competition, Player, Slot, Stage
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor, Capability
from league.selectors.competitions.block_rounds import replannings
from league.selectors.competitions.seating.pairing import has_paired_rounds
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from league.services.competitions.editing import CompetitionWords, edit_competition
from league.services.competitions.setup import (
    enter_players,
    new_player,
    refuse_hiding_results,
    refuse_late_seeds,
    seed_block,
    set_status,
)
from league.services.rulebooks.revisions import RulesChoice, keep_format, keep_ruleset, put_rules_in_force
from rulesets.formats import format_names
from scoring.format import Assignment, Seating


class EditView(ServiceView[Competition, CompetitionWordsForm]):
    """Change a competition's name, audience and confirmation of results."""

    form_class = CompetitionWordsForm
    title = gettext_lazy("Edit")

    @override
    def form_arguments(self) -> dict[str, object]:
        return {
            "initial": {name: getattr(self.row, name) for name in CompetitionWordsForm.base_fields},
            "has_business_days": self.row.kind == Competition.Kind.OPEN,
        }

    @override
    def perform(self, form: CompetitionWordsForm, by: Actor) -> str:
        kept = {"day_starts_at": self.row.day_starts_at}
        edit_competition(competition=self.row, words=CompetitionWords(**kept | form.cleaned_data), by=by)
        return _("Saved.")


class StatusView(ServiceView[Competition, ServiceForm]):
    """Base of the pages that move a competition between draft, published and closed."""

    status = Competition.Status.PUBLISHED

    @override
    def perform(self, form: object, by: Actor) -> str:
        set_status(competition=self.row, status=self.status, by=by)
        return _("“%(name)s” is now: %(status)s.") % {"name": self.row.name, "status": self.status.label}


class PublishView(StatusView):
    """Publish a competition."""

    title = gettext_lazy("Publish")
    explanation = gettext_lazy(
        "From then on all visitors may read it, and its results can be entered and corrected. Tables that are held "
        "back stay hidden. Where only organizers may read it, it stays theirs."
    )
    submit = gettext_lazy("Publish")


class CloseView(StatusView):
    """Close a competition, which then accepts no more results."""

    status = Competition.Status.CLOSED
    title = gettext_lazy("Close the competition")
    explanation = gettext_lazy(
        "It stays readable, and what was decided stands. No result can be entered, corrected or taken back any more "
        "until it is opened again, which any director can do."
    )
    submit = gettext_lazy("Close the competition")
    is_grave = True


class WithholdView(StatusView):
    """Move a competition back to draft."""

    status = Competition.Status.DRAFT
    title = gettext_lazy("Back to draft")
    explanation = gettext_lazy(
        "Only its staff can read it from then on: its pages, its calendar and its place in the list are gone for all "
        "others, and links that were shared lead nowhere. Nothing is lost; it can be published again."
    )
    submit = gettext_lazy("Back to draft")
    is_grave = True

    @override
    def more_context(self, form: ServiceForm, effect: object = None) -> Iterable[tuple[str, object]]:
        try:
            # Ask before the form is submitted, so that the page can offer closing instead.
            refuse_hiding_results(self.row)
        except ServiceError as error:
            yield "refused", str(error)
            yield (
                "instead",
                [
                    ObjectLink(_("Close the competition..."), page_of(self.row, "close")),
                    ObjectLink(_("Edit"), page_of(self.row, "edit")),
                ],
            )


class EnterView(ServiceView[Competition, PastedRosterForm]):
    """Enter players in a competition."""

    form_class = PastedRosterForm
    title = gettext_lazy("Enter players")
    submit = gettext_lazy("Enter players")

    @override
    def form_arguments(self) -> dict[str, object]:
        return {"competition": self.row}

    @override
    def notes(self) -> Iterable[object]:
        count = self.row.entrants.count()
        return [ngettext("%(count)s player is entered.", "%(count)s players are entered.", count) % {"count": count}]

    @override
    @transaction.atomic
    def perform(self, form: PastedRosterForm, by: Actor) -> str:
        pasted = [self.player(found, by) for found in form.cleaned_data["pasted"]]
        before = self.row.entrants.count()
        enter_players(competition=self.row, players=[*pasted, *form.cleaned_data["known"]], by=by)
        count = self.row.entrants.count() - before
        return ngettext("%(count)s player entered.", "%(count)s players entered.", count) % {"count": count}

    def player(self, found: RosterLine | Player, by: Actor) -> Player:
        """Return the known player, or create one from the pasted line."""
        if isinstance(found, Player):
            return found
        return new_player(
            name=found.name,
            name_kana=found.kana,
            name_romaji=found.romaji,
            affiliation=found.affiliation,
            country=found.country,
            by=by,
        )


class RulesView(ServiceView[Competition, RulesForm]):
    """Put other rules in force from a moment on."""

    form_class = RulesForm
    title = gettext_lazy("Change the rules")
    explanation = gettext_lazy(
        "Games already scheduled keep theirs. Another format changes the stages where nothing has been played yet; "
        "what changes is shown before you confirm."
    )
    template = "admin/league/rules.html"

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Put the rules in force; with `look`, show the options of another ruleset and keep the input."""
        if "look" in request.POST:
            return self.show(self.form_with(None, RulesForm.typed_besides_options(request.POST)))
        return super().post(request, **kwargs)

    @override
    def form(self, data: object = None) -> RulesForm:
        return self.form_with(None if data is None else self.request.POST, {})

    def form_with(self, data: QueryDict | None, initial: Mapping[str, object]) -> RulesForm:
        """Return the form for the ruleset chosen in the input or in the address, else for the one in force."""
        rules = rules_at(self.row)
        chosen = self.request.POST.get("ruleset") or self.request.GET.get("ruleset", "")
        proposed = {"league_format": choice_of(rules.format, format_names()), **initial}
        return RulesForm(data, ruleset=chosen, rules=rules, initial=proposed)

    @override
    def perform(self, form: RulesForm, by: Actor) -> str:
        typed = form.cleaned_data
        choice = RulesChoice(
            ruleset=keep_ruleset(typed["ruleset"]),
            league_format=keep_format(typed["league_format"]),
            options=form.options_typed(),
            since=localize_moment(typed["since"], self.row),
            entrants=typed["entrants"],
        )
        rules = put_rules_in_force(competition=self.row, choice=choice, by=by, accept=form.accepted)
        return _("In force: %(rules)s.") % {"rules": rules}


class SeedView(ServiceView[Block, SeedsForm]):
    """Assign entrants to the seeded slots of a block."""

    title = gettext_lazy("Seed the block")
    explanation = gettext_lazy(
        "The order of the places is the order of the seeds. Places left empty at the end stay open."
    )

    @override
    def form(self, data: object = None) -> SeedsForm:
        all_entrants = self.row.competition.entrants.filter(is_house=False).select_related("player").order_by("number")
        return SeedsForm(data, block=self.row, all_entrants=list(all_entrants))

    @override
    def more_context(self, form: ServiceForm, effect: object = None) -> Iterable[tuple[str, object]]:
        try:
            refuse_late_seeds(self.row)
        except ServiceError as error:
            slots = f"{reverse('admin:league_slot_changelist')}?block__id__exact={self.row.pk}"
            yield "refused", str(error)
            yield "instead", [ObjectLink(_("Slots"), slots)]

    @override
    def perform(self, form: SeedsForm, by: Actor) -> str:
        seed_block(block=self.row, entrants=form.entrants(), by=by)
        return _("%(block)s: the places are filled.") % {"block": self.row}

    def after(self, form: object) -> str:
        """Go to the next block with empty seeds, or to the competition."""
        empty = Block.objects.filter(
            competition=self.row.competition, slots__source__startswith="seed:", slots__seeded=None
        ).exclude(pk=self.row.pk)
        following = empty.distinct().order_by("stage__order", "order").first()
        return page_of(following, "seed") if following else page_of(self.row.competition)


class WithEntrants(Protocol):
    """A competition with the annotation of the list."""

    entrant_count: int


@admin.register(Competition)
class CompetitionAdmin(LeagueModelAdmin[Competition]):
    """List competitions. The page of each leads to everything that belongs to it."""

    competition_path = "pk"
    list_display = ["titled", "status", "kind", "confirmation", "people", "is_up_to_date"]
    list_filter = ["status", "kind"]
    search_fields = ["name", "name_en", "slug"]
    change_form_template = "admin/league/competition/change_form.html"
    views = [
        ("edit", EditView),
        ("picture", CompetitionPictureView),
        ("address", AddressView),
        ("first-page", FirstPageView),
        ("publish", PublishView),
        ("close", CloseView),
        ("withhold", WithholdView),
        ("enter", EnterView),
        ("rules", RulesView),
        ("rule", RuleView),
        ("day", DayView),
        ("late", LateView),
        *SET_UP_PAGES,
        *FILE_PAGES,
    ]
    other_views = [
        ("set-up/", "set_up", NewLeagueView),
        ("set-up/address/", "proposed_address", ProposedAddressView),
        ("archive/", "archive", ArchiveInView),
    ]

    @override
    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return True for users with the service-wide permission to create competitions."""
        return self.has_module_permission(request) and may_set_up(request)

    @override
    def competition_id(self, row: object) -> int | None:
        return row.pk if isinstance(row, Competition) else None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Competition]:
        """Annotate the number of entrants."""
        return super().get_queryset(request).annotate(entrant_count=Count("entrants"))

    @admin.display(description=gettext_lazy("players"))
    def people(self, row: WithEntrants) -> int:
        """Return the number of entrants."""
        return row.entrant_count

    @admin.display(description=gettext_lazy("standings up to date"), boolean=True)
    def is_up_to_date(self, row: Competition) -> bool:
        """Return True if standings are computed from the newest version."""
        return row.computed_version == row.version

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Redirect to the guided set-up of a league; a parlour has its own."""
        if not self.has_add_permission(request):
            return super().add_view(request, form_url, extra_context)
        return HttpResponseRedirect(reverse("admin:league_competition_set_up"))

    @override
    def links(self, request: HttpRequest, row: Competition) -> Iterable[ObjectLink]:
        return settings_links(request, row)

    @override
    def page_context(self, request: HttpRequest, row: Competition) -> dict[str, object]:
        return {**super().page_context(request, row), **dashboard(request, row)}


def is_drawn(stage: Stage) -> bool:
    """Return True if the format assigns the stage's entrants to blocks by a draw."""
    stages = format_of(rules_at(stage.competition)).stages
    return any(each.key == stage.key and each.assignment is Assignment.DRAWN for each in stages)


@admin.register(Stage)
class StageAdmin(LeagueModelAdmin[Stage]):
    """List the stages of competitions."""

    list_display = ["titled", "in_competition", "hanchan_count"]
    fields = ["competition", "name", "name_en", "hanchan_count"]
    list_filter = [("competition", RelatedFilter)]
    list_select_related = ["competition"]
    search_fields = ["name", "name_en", "key"]
    views = [("draw", DrawView)]

    @override
    def links(self, request: HttpRequest, row: Stage) -> Iterable[ObjectLink]:
        if may(request, Capability.MANAGE, row.competition_id) and is_drawn(row):
            yield ObjectLink(_("Draw"), page_of(row, "draw"))


def table_links(block: Block) -> Iterable[ObjectLink]:
    """Yield the links to the pages that add tables: one by one, or pasted where fixtures are set one by one."""
    yield ObjectLink(_("New table"), f"{reverse('admin:league_tablesession_add')}?block={block.pk}")
    if format_of(rules_at(block.competition)).stage(block.stage.key).seating is Seating.FIXTURES:
        yield ObjectLink(_("Fixtures..."), page_of(block, "fixtures"))


def schedule_links(row: Block) -> Iterable[ObjectLink]:
    """Yield the links to the pages that look at a block's schedule, plan it again, or pair a round."""
    if is_in_league(row):
        yield ObjectLink(_("Balance of the schedule"), page_of(row, "balance"))
        yield ObjectLink(_("Plan the remaining rounds again..."), page_of(row, "replan"))
        if has_paired_rounds(format_of(rules_at(row.competition))):
            yield ObjectLink(_("Pair a round..."), page_of(row, "pair"))
            if may_be_taken_back(row):
                yield ObjectLink(_("Take a pairing back..."), page_of(row, "take-pairing-back"))
        if replannings(row):
            yield ObjectLink(_("Restore the earlier plan..."), page_of(row, "restore-plan"))


@admin.register(Block)
class BlockAdmin(LeagueModelAdmin[Block]):
    """List blocks: groups of entrants ranked against each other."""

    list_display = ["titled", "stage", "in_competition"]
    fields = ["competition", "stage", "name", "name_en"]
    list_filter = [("competition", RelatedFilter)]
    list_select_related = ["competition", "stage"]
    search_fields = ["name", "name_en", "key"]
    views = [
        ("seed", SeedView),
        ("adjust", AdjustView),
        ("fixtures", FixturesView),
        ("pass-over", PassOverView),
        ("close", CloseBlockView),
        ("balance", BalanceView),
        ("swap", SwapView),
        ("replan", ReplanView),
        ("restore-plan", RestorePlanView),
        ("pair", PairView),
        ("take-pairing-back", TakePairingBackView),
    ]

    @override
    def links(self, request: HttpRequest, row: Block) -> Iterable[ObjectLink]:
        standings = reverse("admin:league_standing_changelist")
        yield ObjectLink(_("Standings"), f"{standings}?block__id__exact={row.pk}")
        if may(request, Capability.RULE, row.competition_id):
            yield ObjectLink(_("Adjust points"), page_of(row, "adjust"))
        if may(request, Capability.MANAGE, row.competition_id):
            yield from schedule_links(row)
            if row.slots.filter(source__startswith="seed:").exists():
                yield ObjectLink(_("Seed the block"), page_of(row, "seed"))
            if row.competition.kind == Competition.Kind.LEAGUE:
                yield ObjectLink(_("Pass a player over"), page_of(row, "pass-over"))
            yield from table_links(row)
            yield from closing_links(row)


@admin.register(Slot)
class SlotAdmin(LeagueModelAdmin[Slot]):
    """List the slots of blocks."""

    competition_path = "block__competition"
    list_display = ["titled", "comes_from", "seeded", "in_competition"]
    list_filter = [
        ("block__competition", RelatedFilter),
        ("block", RelatedFilter),
    ]
    list_select_related = ["block__competition", "seeded__player"]
    search_fields = ["block__name", "seeded__player__name"]
    fields = ["block", "number", "comes_from", "seeded"]
    readonly_fields = ["comes_from"]
    views = [("override", OverrideView), ("swap", SwapSlotsView)]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Slot]:
        """Prefetch the blocks, whose names the sources contain."""
        return super().get_queryset(request).prefetch_related(BLOCKS_OF_BLOCK)

    @admin.display(description=gettext_lazy("source"))
    def comes_from(self, row: Slot) -> str:
        """Return the source in words."""
        return source_text(row.source, row.block.competition)

    @override
    def links(self, request: HttpRequest, row: Slot) -> Iterable[ObjectLink]:
        if may(request, Capability.MANAGE, row.block.competition_id):
            yield ObjectLink(_("Fill from elsewhere"), page_of(row, "override"))
            yield ObjectLink(_("Exchange two places"), page_of(row, "swap"))
