"""Admin of rulesets written by organizers: clone, edit as TOML, run the examples, keep as a revision, put in force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ObjectLink, PageView, ServiceView, actor_of, may, own_competitions, page_of, show
from league.admin.rulebooks.rules import RevisionAdmin
from league.forms.rulebooks.own_rulesets import CloneForm, ForceForm, WritingForm
from league.models import Competition, RulesetRevision
from league.platform.errors import ServiceError
from league.selectors.access.actors import Capability
from league.services.rulebooks.own_rulesets import (
    Draft,
    ProofReport,
    cloned,
    keep_own_ruleset,
    may_write_rulesets,
    prove,
    tidied,
)
from league.services.rulebooks.revisions import newest_number, revision_named
from league.web.rulebooks.rule_facts import facts_of, options_of, value_text
from league.wording.names import title_in
from rulesets import examples, loader
from scoring.ruleset import Fault, Ruleset

LISTED = "admin:league_rulesetrevision_changelist"
WRITE = "admin:league_rulesetrevision_write"


@dataclass(frozen=True, slots=True)
class RulesetSource:
    """The text and the worked examples that a new ruleset starts from."""

    text: str
    examples: str


def source_named(text: str) -> RulesetSource | None:
    """Return a ruleset shipped with the product by its name, or a kept revision as `name@number`; None if unknown."""
    if text in loader.names():
        return RulesetSource(loader.text_of(text), examples.text_of(text))
    revision = revision_named(text)
    return RulesetSource(revision.text, revision.examples) if revision else None


def source_of(revision: RulesetRevision) -> str:
    """Return the name under which `source_named` finds a revision."""
    return f"{revision.name}@{revision.number}"


@dataclass(frozen=True, slots=True)
class MarkedFault:
    """A fault with the text of its line."""

    fault: Fault
    quoted: str

    @property
    def found(self) -> str:
        """The faulty value as Python writes it; empty if the fault has none."""
        return "" if self.fault.value is None else repr(self.fault.value)


def marked(faults: Iterable[Fault], text: str) -> list[MarkedFault]:
    """Return the faults with the text of their lines, in the order of the lines."""
    lines = text.splitlines()
    ordered = sorted(faults, key=lambda fault: fault.line or 0)
    return [
        MarkedFault(fault, lines[fault.line - 1].strip() if fault.line and fault.line <= len(lines) else "")
        for fault in ordered
    ]


@dataclass(frozen=True, slots=True)
class ValueTable:
    """A table of a ruleset's TOML file with its values and the clauses they come from."""

    key: str
    values: tuple[tuple[str, str], ...]
    clauses: tuple[str, ...]


def tables_of(ruleset: Ruleset) -> Iterator[ValueTable]:
    """Yield the tables of a ruleset with all values."""
    data = ruleset.data()
    for ledger in data.pop("ledgers"):
        yield from _tables(f"ledgers.{ledger['key']}", ledger)
    for key in ("setup", "entry", "end", "settlement", "play"):
        if key in data:
            yield from _tables(key, data[key])


def _tables(key: str, table: Mapping[str, object]) -> Iterator[ValueTable]:
    inner = {name: value for name, value in table.items() if isinstance(value, dict) and "clauses" in str(value)}
    values = tuple((name, value_text(value)) for name, value in table.items() if name not in {*inner, "clauses"})
    if values:
        clauses = table.get("clauses")
        yield ValueTable(key, values, tuple(clauses) if isinstance(clauses, list | tuple) else ())
    for name, value in inner.items():
        yield from _tables(f"{key}.{name}", value)


class RulesetsView(PageView[RulesetRevision]):
    """Base of the pages about rulesets, for users with the permission to write them."""

    @override
    def is_allowed(self, request: HttpRequest) -> bool:
        return self.model_admin.has_add_permission(request)

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [(str(RulesetRevision._meta.verbose_name_plural), reverse(LISTED))]


class CloneView(RulesetsView):
    """Choose a ruleset to start from and a name for the new one. Nothing is saved yet."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the empty form."""
        return self.show(CloneForm(initial={"source": request.GET.get("source", "")}))

    def post(self, request: HttpRequest) -> HttpResponse:
        """Redirect to the editor."""
        form = CloneForm(request.POST)
        if form.is_valid():
            return HttpResponseRedirect(f"{reverse(WRITE)}?{urlencode(form.cleaned_data)}")
        return self.show(form)

    def show(self, form: CloneForm) -> HttpResponse:
        """Render the form."""
        return self.render_page(
            "service_form",
            422 if form.errors else 200,
            title=_("New ruleset"),
            explanation=_(
                "Start from the ruleset that is nearest to your own. Its text opens for editing; "
                "nothing is kept until you say so."
            ),
            form=form,
            submit=_("Open the text"),
        )


class WriteView(RulesetsView):
    """Editor of a ruleset and its worked examples, which checks the text, runs the examples and keeps a revision."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the text to start from."""
        asked: QueryDict = request.GET
        source = source_named(asked.get("source", ""))
        if source is None:
            return HttpResponseRedirect(reverse("admin:league_rulesetrevision_add"))
        name = asked.get("name", "")
        title = (asked.get("title_ja", ""), asked.get("title_en", ""))
        text = cloned(source.text, name, *title) if name else source.text
        written = source.examples
        seen = newest_number(RulesetRevision, name or asked.get("source", "").partition("@")[0])
        return self.show(WritingForm(initial={"text": text, "examples": written, "seen": seen}), text, written)

    def post(self, request: HttpRequest) -> HttpResponse:
        """Check the text; keep it as a revision if that was asked for and nothing is wrong with it."""
        form = WritingForm(request.POST)
        if not form.is_valid():
            return self.show(form, request.POST.get("text", ""), request.POST.get("examples", ""))
        draft = Draft(**form.cleaned_data)
        if "keep" in request.POST:
            try:
                revision = keep_own_ruleset(draft=draft, by=actor_of(request), accept=form.accepted)
            except ServiceError as error:
                form.take(error)
            else:
                self.model_admin.log_addition(request, revision, _("Kept at the desk."))
                messages.success(request, _("Kept: %(revision)s.") % {"revision": revision})
                return HttpResponseRedirect(page_of(revision))
        return self.show(form, draft.text, draft.examples)

    def show(self, form: WritingForm, text: str, written_examples: str) -> HttpResponse:
        """Render the editor with the findings, the rules and the outcomes of the examples."""
        text, written_examples = tidied(text), tidied(written_examples)
        # A missing or overlong text is not parsed; the form's own error is enough.
        proof = ProofReport("") if form.is_bound and form.is_unreadable else prove(text, written_examples)
        is_refused = form.is_bound and bool(form.errors or form.warnings or not proof.is_sound)
        return self.render_page(
            "rulesets/write",
            422 if is_refused else 200,
            title=_("Write a ruleset"),
            form=form,
            **proof_context(proof, text, written_examples),
        )


def proof_context(proof: ProofReport, text: str, written_examples: str) -> dict[str, object]:
    """Return the template variables of a proof: faults by line, the rules in words, outcomes of the examples."""
    rules = proof.ruleset
    return {
        "proof": proof,
        "faults": marked(proof.faults, text),
        "example_faults": marked(proof.example_faults, written_examples),
        "report": proof.report,
        "ruleset": rules,
        "ruleset_title": title_in(rules.title) if rules else "",
        "facts": tuple(facts_of(rules)) if rules else (),
        "options": tuple(options_of(rules)) if rules else (),
        "tables": tuple(tables_of(rules)) if rules else (),
        "own_clauses": [(clause.id, title_in(clause.says)) for clause in rules.book.clause] if rules else [],
    }


class ForceView(ServiceView[RulesetRevision, ForceForm]):
    """Choose the competition whose rules change to a revision; the page of its rules asks for the rest."""

    form_class = ForceForm
    title = gettext_lazy("Put in force")
    explanation = gettext_lazy(
        "Choose the competition. On the next page you look at its options, and say from when on its new games are "
        "played by this revision."
    )
    submit = gettext_lazy("Go on to the competition's rules")

    @override
    def is_allowed(self, request: HttpRequest) -> bool:
        """Return True for directors of any competition; the service checks the chosen one."""
        return may(request, Capability.MANAGE)

    @override
    def form_arguments(self) -> dict[str, object]:
        competitions = own_competitions(self.request, Capability.MANAGE)
        return {"competitions": competitions.exclude(status=Competition.Status.CLOSED)}

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Go on to the rules of the chosen competition, with this revision chosen."""
        form = self.form(request.POST)
        if not form.is_valid():
            return self.show(form)
        query = urlencode({"ruleset": source_of(self.row)})
        return HttpResponseRedirect(f"{page_of(form.cleaned_data['competition'], 'rules')}?{query}")

    @override
    def trail(self) -> Iterable[tuple[str, str]]:
        return [
            (str(RulesetRevision._meta.verbose_name_plural), reverse(LISTED)),
            (str(self.row), page_of(self.row)),
        ]


@admin.register(RulesetRevision)
class RulesetRevisionAdmin(RevisionAdmin[RulesetRevision]):
    """List kept rulesets. A changed rule makes a new revision."""

    change_form_template = "admin/league/rulesets/revision.html"
    list_display = ["title", "number", "created_at", "played_by"]
    # The fields of the row alone; the template shows the values and the text.
    fields = readonly_fields = ("title", "number", "created_at", "sha256", "played_by")

    class Media:
        css = {"all": ["league/admin/rulesets.css"]}

    views = [("force", ForceView)]
    other_views = [("write/", "write", WriteView)]

    @override
    @admin.display(description=gettext_lazy("title"))
    def title(self, row: RulesetRevision) -> str:
        """Return the ruleset's own title."""
        rules = prove(row.text).ruleset
        return title_in(rules.title) if rules else row.name

    @admin.display(description=gettext_lazy("played by"))
    def played_by(self, row: RulesetRevision) -> str:
        """Return the names of the competitions that pinned the revision."""
        return _(", ").join(dict.fromkeys(str(rules.competition) for rules in row.rulesinforce_set.all())) or "–"

    @override
    def get_queryset(self, request: HttpRequest) -> QuerySet[RulesetRevision]:
        """Prefetch the competitions that pinned each revision."""
        return super().get_queryset(request).prefetch_related("rulesinforce_set__competition")

    @override
    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) or self.has_add_permission(request)

    @override
    def has_view_permission(self, request: HttpRequest, obj: RulesetRevision | None = None) -> bool:
        return super().has_view_permission(request, obj) or self.has_add_permission(request)

    @override
    def has_add_permission(self, request: HttpRequest) -> bool:
        """Return True for users with the service-wide permission to write rulesets."""
        return bool(request.user.is_active and request.user.is_staff) and may_write_rulesets(request.user)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: object = None) -> HttpResponse:
        """Show the page that asks for a ruleset to start from."""
        return show(CloneView, self, request)

    @override
    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        row = self.get_object(request, object_id)
        context = proof_context(prove(row.text, row.examples), row.text, row.examples) if row is not None else {}
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})

    @override
    def links(self, request: HttpRequest, row: RulesetRevision) -> Iterable[ObjectLink]:
        if self.has_add_permission(request):
            query = urlencode({"source": source_of(row)})
            if row.name not in loader.names():
                yield ObjectLink(_("Edit as a new revision"), f"{reverse(WRITE)}?{query}", is_main=True)
            yield ObjectLink(_("Clone"), f"{reverse('admin:league_rulesetrevision_add')}?{query}")
            yield ObjectLink(_("Compare rules"), reverse("pages:compare"))
        if may(request, Capability.MANAGE):
            yield ObjectLink(_("Put in force"), page_of(row, "force"))
