"""Admin of league formats: ready ones, the organizers' own with their revisions, drafts; start, text and trial."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ObjectLink, actor_of, may_set_up, page_of, show
from league.admin.rulebooks.format_builder import (
    BuilderView,
    DraftView,
    FormatsView,
    draft_page,
    kept,
)
from league.admin.rulebooks.own_rulesets import marked
from league.admin.rulebooks.rules import RevisionAdmin
from league.forms.rulebooks.format_builder import TABLES, FormatTextForm, StartForm
from league.models import FormatDraft, FormatRevision
from league.platform.errors import ConflictError, RuleViolationError, ServiceError
from league.selectors.competitions.format_ladder import format_names_of, invented_name, trial_ladder
from league.selectors.rulebooks.catalogue import may_write_formats, own_formats, source_text_of_format
from league.selectors.rulebooks.format_trials import try_format
from league.selectors.rulebooks.rules_in_force import format_of_revision
from league.services.rulebooks.format_drafts import change_draft, draft_text, free_format_name, keep_draft, start_draft
from league.services.rulebooks.own_formats import check_format
from league.services.rulebooks.own_rulesets import tidied
from league.web.rulebooks.format_cards import FormatCard, card_of, ready_formats
from league.web.standings.ladder_svg import draw
from league.wording.faults import fault_text
from league.wording.messages import destination_label
from league.wording.names import Names, title_in
from league.wording.rulebooks.format_builder import shown_title
from rulesets.format_builder.checking import drawn, is_only_beyond, problems, read_draft
from rulesets.format_builder.edits import new_draft
from rulesets.format_builder.picks import Draft
from rulesets.format_builder.teams import TEAMS, set_kind
from rulesets.formats import format_names
from rulesets.toml_text import toml_of
from scoring.format import Format
from scoring.format.trial import Scenario, Trial, seed_of
from scoring.ruleset import Fault, FaultsError

LONGEST_SEED = 6
NEW_PLAYERS = 12
SCENARIOS = (
    (Scenario.USUAL.value, gettext_lazy("by chance")),
    (Scenario.FAVOURITES.value, gettext_lazy("the favourites always win")),
    (Scenario.LEVEL.value, gettext_lazy("all players are level, so that every border needs a ruling")),
)


@dataclass(frozen=True, slots=True)
class OwnFormat:
    """An organizers' format with its revisions, newest first."""

    card: FormatCard
    revisions: tuple[FormatRevision, ...]


def own_cards() -> Iterator[OwnFormat]:
    """Yield the organizers' formats, each with the card of its newest revision."""
    for _name, rows in groupby(own_formats(), lambda row: row[0].name):
        revisions = tuple(rows)
        yield OwnFormat(card_of(revisions[0][1]), tuple(revision for revision, _format in revisions))


class ListView(FormatsView):
    """Formats with their pictures, and the drafts."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the list."""
        return self.page(
            "list",
            title=_("Formats"),
            drafts=FormatDraft.objects.select_related("owner"),
            own=list(own_cards()),
            ready=[card_of(found, name) for name, found in ready_formats()],
            may_set_up=may_set_up(request),
            trail=[],
        )


class StartView(FormatsView):
    """Begin a draft: from a number of players, from a format, or from a text."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the ways to begin."""
        players = request.GET.get("players", "")
        initial = {"players": players if players.isdecimal() and len(players) < LONGEST_SEED else NEW_PLAYERS}
        if (table := request.GET.get("table", "")) in {str(size) for size, _word in TABLES}:
            initial["table"] = table
        return self.show(StartForm(initial=initial), FormatTextForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        """Begin a draft and open it; show the form again if it cannot be begun."""
        way = request.POST.get("way", "")
        if way == "from":
            return self.begin_from(request.POST.get("source", ""), is_clone="clone" in request.POST)
        if way == "text":
            return self.begin_with_text(FormatTextForm(request.POST, request.FILES))
        form = StartForm(request.POST)
        if not form.is_valid():
            return self.show(form, FormatTextForm(), status=422)
        typed = form.cleaned_data
        name = free_format_name(typed["title"])
        draft = new_draft(name, typed["players"], typed["table"], typed["title"])
        return self.begin(set_kind(draft, TEAMS) if typed["kind"] == TEAMS else draft)

    def begin(self, data: Draft, source: str = "") -> HttpResponse:
        """Open a draft with this data."""
        draft = start_draft(by=actor_of(self.request), source=source, name=data["name"], data=data)
        return HttpResponseRedirect(draft_page(draft))

    def begin_from(self, source: str, *, is_clone: bool) -> HttpResponse:
        """Open a draft of a format: a next revision of an own one, a new format otherwise."""
        text = source_text_of_format(source)
        if text is None:
            raise Http404
        data = dict(toml_of(text))
        if is_clone or data["name"] in format_names():
            data["name"] = free_format_name(str(data["name"]))
            data["title"] = _copied(data["title"])
        return self.begin(data, source)

    def begin_with_text(self, form: FormatTextForm) -> HttpResponse:
        """Open a draft of a text, or show every fault that keeps it from being read."""
        if not form.is_valid():
            return self.show(StartForm(), form, status=422)
        text = tidied(form.cleaned_data["text"])
        try:
            data = read_draft(text)
        except FaultsError as error:
            if not is_only_beyond(error.faults):
                return self.show(StartForm(), form, status=422, faults=error.faults, text=text)
            data = dict(toml_of(text))
        if data["name"] in format_names():
            data["name"] = free_format_name(str(data["name"]))
        return self.begin(data)

    def show(
        self,
        form: StartForm,
        text_form: FormatTextForm,
        *,
        status: int = 200,
        faults: Sequence[Fault] = (),
        text: str = "",
    ) -> HttpResponse:
        """Render the ways to begin."""
        if text:
            # A file's text is put into the field, so that it can be corrected there.
            text_form = FormatTextForm(initial={"text": text})
        return self.page(
            "start",
            status,
            title=_("Build a format"),
            form=form,
            text_form=text_form,
            faults=worded(faults, text),
            sources=list(sources()),
        )


def _copied(title: object) -> object:
    """Return the title of a copy."""
    if isinstance(title, dict):
        return {"ja": f"{title['ja']}（写し）", "en": f"{title['en']} (copy)"}
    return f"{title} +"


def sources() -> Iterator[tuple[str, str]]:
    """Yield the formats that a draft can begin from: the organizers' newest revisions, then the ready ones."""
    for own in own_cards():
        yield f"{own.revisions[0].name}@{own.revisions[0].number}", own.card.title
    for name, found in ready_formats():
        yield name, title_in(found.title)


@dataclass(frozen=True, slots=True)
class WordedFault:
    """A fault in the reader's language, with its line."""

    text: str
    key: str
    line: int | None
    quoted: str


def worded(faults: Sequence[Fault], text: str) -> list[WordedFault]:
    """Return faults in the reader's language, in the order of their lines."""
    return [
        WordedFault(fault_text(each.fault), each.fault.key, each.fault.line, each.quoted)
        for each in marked(faults, text)
    ]


class TextView(DraftView):
    """The text of a draft: to look at, to change, to take away."""

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the text, or send it as a file."""
        text = draft_text(self.draft)
        if "file" in request.GET:
            return text_file(text, self.draft.name)
        return self.show(FormatTextForm(initial={"text": text}), text)

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Store the text as the next state of the draft; one with faults is stored too, and shows them."""
        form = FormatTextForm(request.POST, request.FILES)
        if not form.is_valid():
            return self.show(form, request.POST.get("text", ""), status=422)
        text = tidied(form.cleaned_data["text"])
        try:
            self.draft = change_draft(draft=self.draft, seen=self.seen(), by=actor_of(request), text=text)
            if "keep" in request.POST and check_format(text).is_sound:
                accept = request.POST.getlist("accept")
                by, seen = actor_of(request), self.draft.counter
                return kept(request, keep_draft(draft=self.draft, seen=seen, by=by, accept=accept))
        except ServiceError as error:
            form.take(error)
            self.draft.refresh_from_db()
            return self.show(form, text, status=409 if isinstance(error, ConflictError) else 422)
        if "keep" in request.POST or self.data() is None:
            status = 200 if check_format(text).is_sound else 422
            return self.show(FormatTextForm(initial={"text": text}), text, status=status)
        return HttpResponseRedirect(draft_page(self.draft))

    def show(self, form: FormatTextForm, text: str, status: int = 200) -> HttpResponse:
        """Render the text with its faults."""
        return self.page(
            "text",
            status,
            title=_("The format as a text"),
            draft=self.draft,
            form=form,
            faults=worded(check_format(text).faults, text),
            is_shown=self.data() is not None,
        )


class TrialView(DraftView):
    """A draft, played to the end with invented results."""

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the trial with the seed of the query string."""
        data = self.data()
        if data is None or problems(data):
            messages.warning(request, _("A format with faults cannot be tried out. They are marked below."))
            return HttpResponseRedirect(draft_page(self.draft))
        text = request.GET.get("seed", "")
        seed = int(text) if text.isdecimal() and len(text) < LONGEST_SEED else 1
        asked = request.GET.get("results", "")
        scenario = Scenario(asked) if asked in list(Scenario) else Scenario.USUAL
        found = drawn(data)
        try:
            played = try_format(found, seed, scenario)
        except RuleViolationError as error:
            messages.warning(request, str(error))
            return HttpResponseRedirect(draft_page(self.draft))
        return self.page(
            "trial",
            title=_("Try it out"),
            subtitle=shown_title(data["title"]),
            draft=self.draft,
            seed=seed,
            again=seed + 1,
            scenario=scenario.value,
            scenarios=SCENARIOS,
            played=trial_context(found, played),
        )


def trial_context(league_format: Format, played: Trial) -> dict[str, object]:
    """Return the template variables of a trial: its ladder, its tables, the champion, ties that awaited a ruling."""
    ladder = trial_ladder(league_format, played)
    names = format_names_of(league_format)
    tables = [
        (block, [(line.standing, _goes(line.standing.destination, names)) for line in block.table.lines])
        for stage in ladder.stages
        for block in stage.blocks
    ]
    return {
        "drawing": draw(ladder),
        "names": names,
        "tables": tables,
        "scale": played.scale,
        "champion": invented_name(league_format, played.champion) if played.champion is not None else "",
        "rulings": [
            {
                "block": names.block(tie.scope),
                "players": "・".join(invented_name(league_format, seed_of(entrant)) for entrant in tie.entrants),
            }
            for tie in played.rulings
        ],
        "games": sum(len(block.games) for block in played.blocks),
    }


def _goes(destination: str, names: Names) -> str:
    """Return where a rank leads; empty in a block that leads nowhere."""
    return destination_label(destination, names, destination) if destination else ""


def text_file(text: str, name: str) -> HttpResponse:
    """Return a text as a file to save."""
    answer = HttpResponse(text, content_type="application/toml; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name or "format"}.toml"'
    return answer


@admin.register(FormatRevision)
class FormatRevisionAdmin(RevisionAdmin[FormatRevision]):
    """List formats; the builder makes new revisions."""

    change_form_template = "admin/league/formats/revision.html"
    # The fields of the row alone; the template shows the ladder and the text.
    fields = readonly_fields = ("name", "number", "created_at", "sha256")
    other_views = [
        ("build/", "build", StartView),
        ("drafts/<int:draft>/", "draft", BuilderView),
        ("drafts/<int:draft>/text/", "draft_text", TextView),
        ("drafts/<int:draft>/trial/", "trial", TrialView),
    ]

    @override
    @admin.display(description=gettext_lazy("title"))
    def title(self, row: FormatRevision) -> str:
        """Return the format's title, which organizers know; the key of one that does not load."""
        with suppress(FaultsError):
            return shown_title(format_of_revision(row).title.model_dump())
        return row.name

    @override
    def trail_to(self, row: FormatRevision) -> list[tuple[str, str]]:
        return [(_("Formats"), reverse("admin:league_formatrevision_changelist"))]

    def changelist_view(self, request: HttpRequest, extra_context: object = None) -> HttpResponse:
        """Show the formats with pictures to users allowed to write them, to others the list of revisions."""
        if may_write_formats(request.user):
            return show(ListView, self, request)
        return super().changelist_view(request, None)

    @override
    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) or may_write_formats(request.user)

    @override
    def has_view_permission(self, request: HttpRequest, obj: FormatRevision | None = None) -> bool:
        return super().has_view_permission(request, obj) or may_write_formats(request.user)

    @override
    def get_urls(self) -> list[URLPattern]:
        """Add the export."""
        export = path("<int:pk>/export/", self.admin_site.admin_view(self.export), name="league_formatrevision_export")
        return [export, *super().get_urls()]

    def export(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Send the text of a revision as a file."""
        row = self.get_object(request, str(pk))
        if row is None or not self.has_view_permission(request, row):
            raise Http404
        return text_file(row.text, row.name)

    @override
    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        context: dict[str, object] = {}
        if row is not None:
            with suppress(FaultsError):
                found = format_of_revision(row)
                context = {"card": card_of(found), "may_build": may_write_formats(request.user)}
                context |= {"source": f"{row.name}@{row.number}", "is_own": row.name not in format_names()}
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    @override
    def links(self, request: HttpRequest, row: FormatRevision) -> Iterable[ObjectLink]:
        if may_set_up(request):
            query = "?format=" + (row.name if row.name in format_names() else f"{row.name}@{row.number}")
            url = reverse("admin:league_competition_set_up") + query
            yield ObjectLink(_("Create a league with it"), url, is_main=True)
        yield ObjectLink(_("Download the text"), page_of(row, "export"), group=_("Look at"))
