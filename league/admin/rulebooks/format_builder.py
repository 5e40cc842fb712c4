"""The format builder: a draft as cards, one for each stage, with the ladder redrawn after every change.

The page is a view of the draft's text. Each change is stored at once as a state of the draft, so that it can be undone
and nothing typed is lost; with JavaScript a changed field sends the form, without it the button "Update" does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from typing_extensions import override

from league.admin.base import PageView, actor_of, page_of
from league.forms.rulebooks.format_builder import FormatForm, StageForm, VenueForm
from league.forms.service import ServiceForm
from league.models import FormatDraft, FormatRevision
from league.platform.errors import ConflictError, ServiceError
from league.selectors.competitions.format_ladder import format_ladder, format_names_of
from league.selectors.rulebooks.catalogue import may_write_formats
from league.selectors.rulebooks.rules_in_force import format_of_revision
from league.services.rulebooks.format_drafts import (
    can_redo,
    can_undo,
    change_draft,
    discard_draft,
    draft_text,
    keep_draft,
    redo_draft,
    undo_draft,
)
from league.web.standings.ladder_svg import draw
from league.wording.names import title_in
from league.wording.rulebooks.format_builder import draft_names, fit_label, problem_text, resting_note, shown_title
from league.wording.rulebooks.format_sentences import format_sentences
from rulesets.format_builder import continuations, edits, rounds
from rulesets.format_builder.checking import Problem, Sketch, drawn, problems, read_draft, sketch_of
from rulesets.format_builder.continuations import Onward, onward
from rulesets.format_builder.editing import stage_named
from rulesets.format_builder.picks import Draft
from scoring.format.numbers import FormatNumbers, StageNumbers, format_numbers
from scoring.ruleset import FaultsError

LISTED = "admin:league_formatrevision_changelist"
LONGEST_NUMBER, LONGEST_COUNTER = 6, 9
ADDING = frozenset({"stage-add", "go-cut", "go-knock-out", "go-double", "go-final"})
"""Buttons after which the last stage is new."""
UNCOUNTED = frozenset({"not_earlier", "unknown_block", "unknown_stage"})
"""Codes of faults with which the way of an entrant through the stages cannot be followed."""


def draft_page(draft: FormatDraft, name: str = "draft") -> str:
    """Return the address of a draft's page, or of one beside it."""
    return reverse(f"admin:league_formatrevision_{name}", args=[draft.pk])


@dataclass(frozen=True, slots=True)
class Fix:
    """A button that puts a valid value into a field."""

    label: str
    action: str


@dataclass(frozen=True, slots=True)
class ShownProblem:
    """A problem beside the field that causes it."""

    text: str
    fixes: tuple[Fix, ...]


Shown = Mapping[str, Sequence[ShownProblem]]
"""Problems by the field that they belong to."""


@dataclass(frozen=True, slots=True)
class WayOn:
    """Buttons that add the stages of one way on from a stage."""

    label: str
    """Empty if the one button says all."""
    buttons: tuple[Fix, ...]


@dataclass(frozen=True, slots=True)
class StageCard:
    """A stage with its form, its problems, and its numbers."""

    form: StageForm
    number: int
    is_first: bool
    is_last: bool
    numbers: StageNumbers | None
    problems: Shown = field(default_factory=dict)
    onward: Sequence[WayOn] = ()

    @property
    def note(self) -> str:
        """Return the resting players of each round; empty if none rests, and for teams, whose fixtures are set."""
        return resting_note(self.numbers, self.form.names) if self.numbers and not self.form.is_for_teams else ""


class FormatsView(PageView[FormatRevision]):
    """Base of the pages about formats, for users allowed to write them."""

    @override
    def is_allowed(self, request: HttpRequest) -> bool:
        return request.user.is_active and request.user.is_staff and may_write_formats(request.user)

    def page(self, template: str, status: int = 200, **context: object) -> HttpResponse:
        """Render a template of formats."""
        return self.render_page(f"formats/{template}", status, **context)

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [(_("Formats"), reverse(LISTED))]


class DraftView(FormatsView):
    """Base of the pages of one draft."""

    draft: FormatDraft

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Find the draft; raise Http404 if it was kept or discarded."""
        found = FormatDraft.objects.filter(pk=self.kwargs["draft"]).first()
        if found is None and may_write_formats(request.user):
            raise Http404
        self.draft = found or FormatDraft()
        return super().dispatch(request, *args, **kwargs)

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [*super().trail(), (str(self.draft), draft_page(self.draft))]

    def seen(self) -> int:
        """Return the counter of the draft that the page showed."""
        text = self.request.POST.get("seen", "")
        return int(text) if text.isdecimal() and len(text) <= LONGEST_COUNTER else 0

    def data(self) -> Draft | None:
        """Return the data of the draft; None if its text has faults that only the text can correct."""
        try:
            return read_draft(draft_text(self.draft))
        except FaultsError:
            return None


class BuilderView(DraftView):
    """The cards of a draft."""

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return ()

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the draft."""
        data = self.data()
        if data is None:
            return HttpResponseRedirect(draft_page(self.draft, "draft_text"))
        return self.show(data, *self.forms(data))

    def forms(self, data: Draft, typed: object = None) -> tuple[FormatForm, list[StageForm]]:
        """Return the forms of a draft, bound to the input if given."""
        return FormatForm(typed, draft=data), [StageForm(typed, draft=data, stage=each) for each in data["stages"]]

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Store what was changed, then do what the button says; show the page again if a field cannot be read."""
        data = self.data()
        if data is None:
            return HttpResponseRedirect(draft_page(self.draft, "draft_text"))
        action, *more = request.POST.get("do", "update").split()
        whole, stages = self.forms(data, request.POST)
        try:
            if action in STEPS:
                STEPS[action](draft=self.draft, seen=self.seen(), by=actor_of(request))
                return self.again(action=action)
            if not all([whole.is_valid(), *(form.is_valid() for form in stages)]):
                return self.show(data, whole, stages, status=422)
            changed = acted(edited(data, whole, stages), action, more)
            self.draft = change_draft(draft=self.draft, seen=self.seen(), by=actor_of(request), data=changed)
            if action == "keep":
                return self.keep(changed)
        except ServiceError as error:
            return self.refused(data, error)
        return self.again(changed, action)

    def again(self, changed: Draft | None = None, action: str = "") -> HttpResponse:
        """Redirect to the page that the button leads to."""
        if action == "discard":
            return HttpResponseRedirect(reverse(LISTED))
        if action in {"trial", "text"}:
            return HttpResponseRedirect(draft_page(self.draft, "trial" if action == "trial" else "draft_text"))
        venue = self.request.POST.get("venue", "").strip()
        query = f"?{urlencode({'venue': venue})}" if venue else ""
        anchor = f"#stage-{changed['stages'][-1]['key']}" if changed and action in ADDING else ""
        return HttpResponseRedirect(f"{draft_page(self.draft)}{query}{anchor}")

    def keep(self, data: Draft) -> HttpResponse:
        """Keep the draft as a revision, or show what is missing."""
        if problems(data):
            return self.show(data, *self.forms(data), status=422, wants_to_keep=True)
        accept = self.request.POST.getlist("accept")
        revision = keep_draft(draft=self.draft, seen=self.draft.counter, by=actor_of(self.request), accept=accept)
        return kept(self.request, revision)

    def refused(self, data: Draft, error: ServiceError) -> HttpResponse:
        """Show a service's findings above the newest state of the draft, with the input in the fields."""
        status = 409 if isinstance(error, ConflictError) else 422
        if not FormatDraft.objects.filter(pk=self.draft.pk).exists():
            messages.error(self.request, " ".join(finding.message for finding in error.findings))
            return HttpResponseRedirect(reverse(LISTED))
        self.draft.refresh_from_db()
        newest = self.data() or data
        form = ServiceForm(self.request.POST)
        form.is_valid()
        form.take(error)
        whole, stages = self.forms(newest, self.request.POST)
        return self.show(newest, whole, stages, status=status, form=form)

    def show(
        self,
        data: Draft,
        whole: FormatForm,
        stages: Sequence[StageForm],
        *,
        status: int = 200,
        form: ServiceForm | None = None,
        wants_to_keep: bool = False,
    ) -> HttpResponse:
        """Render the builder."""
        sketch, found = drawn(data), problems(data)
        is_counted = not any(problem.fault.code in UNCOUNTED for problem in found)
        numbers = format_numbers(sketch) if is_counted else None
        venue = VenueForm(self.request.GET if self.request.GET.get("venue") else None)
        return self.page(
            "draft",
            status,
            title=_("Build a format"),
            subtitle=shown_title(data["title"]),
            draft=self.draft,
            form=form,
            whole=whole,
            cards=list(cards(data, stages, found, numbers)),
            problems=shown(found, ""),
            count=sum(
                len(told) for stage in ("", *(form.key for form in stages)) for told in shown(found, stage).values()
            ),
            wants_to_keep=wants_to_keep,
            missing=list(dict.fromkeys(f"{_where(problem, data)}{problem_text(problem)}" for problem in found)),
            sentences=[] if found else format_sentences(sketch_of(data)),
            numbers=numbers,
            venue=venue,
            needs=needs_of(numbers, venue),
            can_undo=can_undo(self.draft),
            can_redo=can_redo(self.draft),
            may_add=len(data["stages"]) < edits.MOST_STAGES,
            **ladder_context(sketch),
        )


def kept(request: HttpRequest, revision: FormatRevision) -> HttpResponse:
    """Say that a draft was kept, and redirect to its revision."""
    title = title_in(format_of_revision(revision).title)
    messages.success(request, _("Kept: “%(title)s”, %(revision)s.") % {"title": title, "revision": revision})
    return HttpResponseRedirect(page_of(revision))


def ladder_context(sketch: Sketch) -> dict[str, object]:
    """Return the template variables of a ladder."""
    return {"drawing": draw(format_ladder(sketch)), "names": format_names_of(sketch)}


def cards(
    data: Draft, stages: Sequence[StageForm], found: Sequence[Problem], numbers: FormatNumbers | None
) -> Iterable[StageCard]:
    """Yield the card of each stage."""
    for place, form in enumerate(stages):
        own = numbers.stages[place] if numbers else None
        ways = tuple(ways_on(form.key, onward(data, form.key)))
        yield StageCard(form, place + 1, place == 0, place == len(stages) - 1, own, shown(found, form.key), ways)


def ways_on(key: str, ways: Onward) -> Iterable[WayOn]:
    """Yield the buttons for the ways on from a stage."""
    for action, label, counts in (
        ("go-cut", _("Cut to the best"), ways.cuts),
        ("go-knock-out", _("Knock-out of"), ways.knock_outs),
        ("go-double", _("Double elimination of"), ways.eliminations),
    ):
        if counts:
            yield WayOn(label, tuple(Fix(str(count), f"{action} {key} {count}") for count in counts))
    if ways.has_final:
        yield WayOn("", (Fix(_("Final of the best table"), f"go-final {key}"),))
    if ways.has_consolation:
        yield WayOn("", (Fix(_("The others play for their places"), f"go-consolation {key}"),))


def shown(found: Sequence[Problem], stage: str) -> Shown:
    """Return the problems of a stage, or of the format as a whole, by their fields."""
    by_field: dict[str, list[ShownProblem]] = {}
    for problem in found:
        if problem.stage == stage:
            fixes = tuple(
                Fix(fit_label(problem.field, value), f"take-{problem.field} {stage} {value}") for value in problem.fits
            )
            told = by_field.setdefault(problem.field, [])
            # Blocks of one size have one fault each, which is the same sentence.
            if (same := ShownProblem(problem_text(problem), fixes)) not in told:
                told.append(same)
    return by_field


def _where(problem: Problem, data: Draft) -> str:
    names = draft_names(data)
    return _("%(stage)s: ") % {"stage": names.stage(problem.stage)} if problem.stage else ""


def needs_of(numbers: FormatNumbers | None, venue: VenueForm) -> str:
    """Return how many rounds the format takes with the tables of the venue; empty if that is unknown."""
    if numbers is None or not venue.is_bound or not venue.is_valid() or numbers.games is None:
        return ""
    tables = venue.cleaned_data["venue"]
    count = 0
    for stage in numbers.stages:
        games, at_once = stage.games or 0, min(tables, stage.tables or tables)
        count += max(stage.rounds or 0, -(-games // max(at_once, 1)))
    text = ngettext("With %(tables)s: %(count)s round in all", "With %(tables)s: %(count)s rounds in all", count)
    room = ngettext("%(count)s table", "%(count)s tables", tables) % {"count": tables}
    return text % {"tables": room, "count": count}


def edited(data: Draft, whole: FormatForm, stages: Sequence[StageForm]) -> Draft:
    """Return the draft with the changed fields of all forms."""
    data = whole.edit(data)
    for form in stages:
        data = form.edit(data)
    return whole.crown(data)


def acted(data: Draft, action: str, more: Sequence[str]) -> Draft:
    """Return the draft after a button; one that names what is not there changes nothing."""
    if action == "stage-add":
        return edits.add_stage(data)
    make, takes = ACTIONS.get(action, (None, 0))
    if make is None or not more or more[0] not in {stage["key"] for stage in data["stages"]}:
        return data
    numbers = [int(part) for part in more[1:] if part.isdecimal() and len(part) < LONGEST_NUMBER]
    return make(data, more[0], *numbers) if len(numbers) == takes else data


def _take_hanchan(data: Draft, key: str, value: int) -> Draft:
    stage = stage_named(data, key)
    return edits.set_play(data, key, value, stage.get("sessions"), stage["seating"])


def _take_sessions(data: Draft, key: str, value: int) -> Draft:
    stage = stage_named(data, key)
    return edits.set_play(data, key, stage.get("hanchan"), value, stage["seating"])


def _stage_up(data: Draft, key: str) -> Draft:
    return edits.move_stage(data, key, -1)


def _stage_down(data: Draft, key: str) -> Draft:
    return edits.move_stage(data, key, 1)


def _pick_up(data: Draft, key: str, number: int) -> Draft:
    return edits.move_pick(data, key, number, -1)


def _pick_down(data: Draft, key: str, number: int) -> Draft:
    return edits.move_pick(data, key, number, 1)


ACTIONS: Mapping[str, tuple[Callable[..., Draft], int]] = {
    "stage-remove": (edits.remove_stage, 0),
    "stage-up": (_stage_up, 0),
    "stage-down": (_stage_down, 0),
    "pick-remove": (edits.remove_pick, 1),
    "pick-up": (_pick_up, 1),
    "pick-down": (_pick_down, 1),
    "part-add": (rounds.add_part, 0),
    "part-remove": (rounds.remove_part, 1),
    "go-cut": (continuations.cut, 1),
    "go-knock-out": (continuations.knock_out, 1),
    "go-double": (continuations.double_elimination, 1),
    "go-final": (continuations.final, 0),
    "go-consolation": (continuations.consolation, 0),
    "take-blocks": (edits.set_blocks, 1),
    "take-hanchan": (_take_hanchan, 1),
    "take-sessions": (_take_sessions, 1),
}
"""Effect of a button on the stage whose key it names, and the number of further numbers that it names."""
STEPS: Mapping[str, Callable[..., object]] = {"undo": undo_draft, "redo": redo_draft, "discard": discard_draft}
"""Services of the buttons that leave the fields of the page aside."""
