"""Import and export in the admin: tables of results and rosters, checked before they are written, and archives."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.utils.crypto import get_random_string
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from typing_extensions import override

from league.admin.base import F, ServiceView, actor_of, may, page_of
from league.admin.exchange.questions import MOST_ROWS_SHOWN, Question
from league.files.archive import pack_archive
from league.files.result_rows import columns_of
from league.files.tables import ParsedTable, as_text, read_table
from league.files.writing_tables import Head, Sheet
from league.forms.exchange.files import LONGEST_PASTED, LONGEST_TOKEN, KeptTable, ResultsForm, SourceForm
from league.forms.service import ServiceForm
from league.models import Audience, Competition
from league.platform.errors import ServiceError
from league.selectors.access.actors import Capability
from league.selectors.access.readers import Reader
from league.selectors.exchange.table_export import Export
from league.selectors.exchange.team_export import members_sheet
from league.selectors.people.rosters import LONGEST_ROSTER, MatchedRow, Who, matched_roster
from league.selectors.rulebooks.rules_in_force import every_rules, rules_at, ruleset_of
from league.selectors.seasons.teams import is_team_league
from league.services.access.changes import held
from league.services.competitions.wizard import Newcomer, enter_roster
from league.services.exchange.archives import archive_of
from league.services.exchange.table_import import Choices, ImportReport, import_results
from league.services.results.batches import BatchOutcome
from league.web.access.visitors import user_of
from league.web.table_files import WRITERS, ZIP, as_attachment
from league.wording.formatting import language_of

MOST_FAULTS_SHOWN = 500
TOLD_EVERY = 0.5
"""Seconds between two progress reports of a table being read."""
KEPT_FOR = 600
LONG = 3
"""Seconds that a check must have taken for the page to say how long writing will take."""
TASK = re.compile(r"[A-Za-z0-9]{22}")
ROSTER = (
    Head("key", "キー"),
    Head("name", "氏名"),
    Head("kana", "よみ"),
    Head("romaji", "ローマ字"),
    Head("affiliation", "所属"),
    Head("number", "会員番号"),
    Head("country", "国・地域"),
)


@dataclass(slots=True)
class ImportProgress:
    """Progress of a table import, kept in the cache for the page that polls it. Without a task id nothing is kept."""

    key: str
    told_at: float = 0.0

    @classmethod
    def of(cls, whose: Sequence[int], task: str) -> ImportProgress:
        """Return the progress of a task; `whose` is competition and user, so that a task id alone reveals nothing."""
        return cls(f"table:{':'.join(map(str, whose))}:{task}" if TASK.fullmatch(task) else "")

    def tell(self, done: int, rows: int) -> None:
        """Store the number of rows done, at most every `TOLD_EVERY` seconds."""
        now = time.monotonic()
        if self.key and (done == rows or now - self.told_at >= TOLD_EVERY):
            self.told_at = now
            cache.set(self.key, {"done": done, "rows": rows}, KEPT_FOR)

    @property
    def told(self) -> dict[str, int]:
        """The last report; empty if none is known."""
        return (cache.get(self.key) or {}) if self.key else {}


@dataclass(frozen=True, slots=True)
class Count:
    """The number of rows with one outcome, with its label."""

    outcome: str
    label: str
    number: int


def outcome_words() -> dict[BatchOutcome, str]:
    """Return the labels of row outcomes in the user's language."""
    return {
        BatchOutcome.NEW: _("new"),
        BatchOutcome.CORRECTS: _("corrects"),
        BatchOutcome.SAME: _("there already"),
        BatchOutcome.ERROR: _("to mend"),
        BatchOutcome.WAITS: _("not looked at yet"),
    }


def who_words() -> dict[Who, str]:
    """Return the labels of roster matches in the user's language."""
    return {
        Who.NEW: _("new player"),
        Who.KNOWN: _("known player"),
        Who.ENTERED: _("entered already"),
        Who.SIMILAR: _("a known player?"),
        Who.DOUBLE: _("named twice"),
        Who.FAULTY: _("to mend"),
    }


def team_kinds() -> list[tuple[str, str]]:
    """Return the tables that only a league of teams has, with their labels."""
    return [
        ("members", _("Teams and members")),
        ("individuals", _("Individuals")),
        ("line-ups", _("Line-ups")),
    ]


class ExchangeView(ServiceView[Competition, F]):
    """Base of the import and export pages."""

    def page(self, template: str, status: int = 200, **context: object) -> HttpResponse:
        """Render a template of the exchange of files."""
        return self.render_page(f"exchange/{template}", status, competition=self.row, **context)

    @property
    def owner_ids(self) -> list[int]:
        """The ids of the competition and of the user, to which uploads are bound."""
        return [self.row.pk, user_of(self.request).pk]


class DataView(ExchangeView[ServiceForm]):
    """List the exports and imports of a competition."""

    http_method_names = ["get", "head", "options"]
    capability = Capability.READ
    title = gettext_lazy("Data in and out")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        return self.page(
            "data",
            exports=[
                (name, [(suffix, reverse("feeds:export", args=[self.row.slug, kind, suffix])) for suffix in WRITERS])
                for kind, name in self._kinds()
            ],
            may_submit=may(request, Capability.SUBMIT, self.row.pk),
            may_manage=may(request, Capability.MANAGE, self.row.pk),
            has_teams=is_team_league(self.row),
            takes_logs=any(ruleset_of(each).play is not None for each in every_rules(self.row)),
            download=page_of(self.row, "download"),
        )

    def _kinds(self) -> Sequence[tuple[str, str]]:
        return [
            ("standings", _("Standings")),
            ("results", _("Results, one hanchan to a row")),
            ("seats", _("Results, one seat to a row")),
            ("roster", _("Roster")),
            ("schedule", _("Schedule")),
            *(team_kinds() if is_team_league(self.row) else ()),
        ]


class DownloadView(ExchangeView[ServiceForm]):
    """Download files for staff only: templates to fill in, the archive."""

    http_method_names = ["get", "head", "options"]
    capability = Capability.READ
    title = gettext_lazy("Data in and out")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponseBase:
        kind, suffix = request.GET.get("kind", ""), request.GET.get("suffix", "")
        if kind == "archive":
            return self._archive()
        if suffix not in {"csv", "xlsx"} or kind not in {"results", "roster", "members"}:
            raise Http404
        language = language_of(get_language())
        reader = Reader(self.row, Audience.STAFF, self.row.computed_version)
        if kind == "members":
            sheet = members_sheet(reader)
        else:
            sheet = Export(reader).template() if kind == "results" else Sheet(_("Roster"), ROSTER, [])
        return as_attachment(WRITERS[suffix](sheet, language), f"{self.row.slug}-{kind}-template.{suffix}")

    def _archive(self) -> HttpResponse:
        if not may(self.request, Capability.MANAGE, self.row.pk):
            raise PermissionDenied
        archive = archive_of(competition=self.row, by=actor_of(self.request))
        return as_attachment(HttpResponse(pack_archive(archive), content_type=ZIP), f"{self.row.slug}-archive.zip")


class TableView(ExchangeView[SourceForm]):
    """Import a table in two steps: preview the outcome of each row, then write the table that was previewed."""

    form_class: type[SourceForm] = SourceForm
    template_kind = ""

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        if "task" in request.GET:
            return JsonResponse(ImportProgress.of(self.owner_ids, request.GET["task"]).told)
        return self._source(self.form_class())

    @property
    def stage(self) -> ImportProgress:
        """The progress of this request, which the waiting page polls."""
        return ImportProgress.of(self.owner_ids, self.request.POST.get("task", ""))

    @override
    def page(self, template: str, status: int = 200, **context: object) -> HttpResponse:
        pasted = self.request.POST.get("pasted", "")
        # Beside the token it must fit into one form; a byte takes up to three characters there.
        carried = pasted if 3 * len(pasted.encode()) <= LONGEST_PASTED else ""
        return super().page(template, status, task=get_random_string(22), pasted=carried, **context)

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        if "again" in request.POST:
            return self.bring_again()
        if "table" in request.POST:
            table = KeptTable.from_token(request.POST["table"], self.owner_ids)
            # The signature failed, or the token is older than a day, or it belongs to another user or competition.
            if table is None:
                return self.bring_again(_("What you looked at is too old or not yours. Bring the table again."))
            return self.decide(table)
        form = self.form_class(request.POST, request.FILES)
        if not form.is_valid():
            return self._source(form)
        table = self.read(form.source())
        if len(sealed := KeptTable.to_token(table, self.owner_ids)) > LONGEST_TOKEN:
            form.add_error(None, _("This table is too large for one form. Divide it."))
            return self._source(form)
        return self.look(table, sealed)

    def bring_again(self, error: str = "") -> HttpResponse:
        """Show the first form with what was pasted and chosen; an error says why the table was refused."""
        if error:
            messages.error(self.request, error)
        return self._source(self.form_class(initial=self.request.POST.dict()))

    def _source(self, form: ServiceForm) -> HttpResponse:
        return self.page(
            "bring",
            status=422 if form.errors else 200,
            form=form,
            explanation=self.explanation,
            kind=self.template_kind,
            download=page_of(self.row, "download"),
        )

    def read(self, source: bytes | str) -> ParsedTable:
        """Parse an uploaded file or a pasted text."""
        raise NotImplementedError

    def look(self, table: ParsedTable, sealed: str) -> HttpResponse:
        """Show the outcome of each row."""
        raise NotImplementedError

    def decide(self, table: ParsedTable) -> HttpResponse:
        """Write the table if it has no faults and the preview still holds."""
        raise NotImplementedError


class ResultsInView(TableView):
    """Import results from a table."""

    capability = Capability.SUBMIT
    title = gettext_lazy("Results from a table")
    explanation = gettext_lazy(
        "Nothing is written before you have seen what becomes of each row, and nothing at all unless every row is "
        "well. Looking does not hold up results entered meanwhile; writing a thousand rows takes some seconds."
    )
    form_class = ResultsForm
    template_kind = "results"

    @override
    def read(self, source: bytes | str) -> ParsedTable:
        return read_table(source, columns_of(ruleset_of(rules_at(self.row)), has_teams=is_team_league(self.row)))

    def choices(self) -> Choices:
        """Return the form's choices besides the table: accepted warnings, reason, scheduling, digest seen."""
        said = self.request.POST
        return Choices(
            accept=frozenset(said.getlist("accept")),
            reason=said.get("reason", "")[:500],
            schedules="schedules" in said,
            previewed=said.get("previewed", ""),
        )

    @override
    def look(self, table: ParsedTable, sealed: str) -> HttpResponse:
        choices = Choices(reason=self.choices().reason, schedules=self.choices().schedules)
        began = time.monotonic()
        try:
            report = import_results(
                competition=self.row, table=table, by=actor_of(self.request), choices=choices, progress=self.stage.tell
            )
        except ServiceError as error:
            return self.bring_again(str(error))
        return self._shown(report, sealed, choices, seconds=round(time.monotonic() - began))

    @override
    def decide(self, table: ParsedTable) -> HttpResponse:
        choices = self.choices()
        try:
            report = import_results(
                competition=self.row,
                table=table,
                by=actor_of(self.request),
                choices=choices,
                keep=True,
                progress=self.stage.tell,
            )
        except ServiceError as error:
            return self.bring_again(str(error))
        if not report.is_kept:
            has_changed = choices.previewed != report.digest
            return self._shown(report, self.request.POST["table"], choices, has_changed=has_changed)
        written = report.counts[BatchOutcome.NEW] + report.counts[BatchOutcome.CORRECTS]
        said = ngettext("%(count)s result is written.", "%(count)s results are written.", written)
        messages.success(self.request, said % {"count": written})
        return HttpResponseRedirect(page_of(self.row, "data"))

    def _shown(
        self, report: ImportReport, sealed: str, choices: Choices, *, seconds: int = 0, has_changed: bool = False
    ) -> HttpResponse:
        words = outcome_words()
        faults = report.all_faults
        return self.page(
            "results",
            status=422 if faults else 200,
            report=report,
            seconds=seconds if seconds >= LONG else 0,
            counts=[
                Count(outcome, words[outcome], report.counts[outcome]) for outcome in words if report.counts[outcome]
            ],
            rows=[(row, words[row.outcome]) for row in report.rows[:MOST_ROWS_SHOWN]],
            rows_left=max(0, len(report.rows) - MOST_ROWS_SHOWN),
            **shown_faults(faults),
            questions=[Question.of(code, found, choices.accept) for code, found in report.questions.items()],
            sealed=sealed,
            choices=choices,
            has_changed=has_changed,
            is_unaccepted=bool(choices.previewed) and not has_changed,
            writes=report.counts[BatchOutcome.NEW] + report.counts[BatchOutcome.CORRECTS],
        )


def shown_faults(faults: Sequence[object]) -> dict[str, object]:
    """Return the template variables of the faults of a table, of which a page shows the first ones."""
    left = max(0, len(faults) - MOST_FAULTS_SHOWN)
    return {"faults": faults[:MOST_FAULTS_SHOWN], "all_faults": faults, "faults_left": left}


class RosterInView(TableView):
    """Import players from a table."""

    title = gettext_lazy("Players from a table")
    explanation = gettext_lazy(
        "Columns: name, reading, roman letters, affiliation, member number, country, key. Known players are taken; "
        "where a name is like that of a known player, write the player's key into the table."
    )
    template_kind = "roster"

    @override
    def read(self, source: bytes | str) -> ParsedTable:
        return as_text(source)

    @override
    def look(self, table: ParsedTable, sealed: str) -> HttpResponse:
        return self._shown(self._matched(table), table, sealed)

    def _matched(self, table: ParsedTable) -> list[MatchedRow]:
        return matched_roster(self.row, text_of_rows(table)) if not table.faults else []

    @override
    def decide(self, table: ParsedTable) -> HttpResponse:
        # A button pressed twice sends two of these at once, and neither finds the players of the other.
        with held(self.row, [player for row in self._matched(table) for player in row.players]):
            return self._entered(table)

    def _entered(self, table: ParsedTable) -> HttpResponse:
        rows = self._matched(table)
        if table.faults or any(row.who not in {Who.NEW, Who.KNOWN, Who.ENTERED} for row in rows):
            return self._shown(rows, table, self.request.POST["table"])
        if self.request.POST.get("previewed") != seen(rows):
            return self._shown(rows, table, self.request.POST["table"], has_changed=True)
        people = [row.players[0] if row.players else newcomer(row) for row in rows if row.who is not Who.ENTERED]
        try:
            entered = enter_roster(competition=self.row, people=people, by=actor_of(self.request))
        except ServiceError as error:
            return self.bring_again(str(error))
        said = ngettext("%(count)s player entered.", "%(count)s players entered.", len(entered))
        messages.success(self.request, said % {"count": len(entered)})
        return HttpResponseRedirect(page_of(self.row, "data"))

    def _shown(
        self, rows: list[MatchedRow], table: ParsedTable, sealed: str, *, has_changed: bool = False
    ) -> HttpResponse:
        words = who_words()
        faults = [*map(str, table.faults), *(fault_of(row) for row in rows if fault_of(row))]
        if len(rows) > LONGEST_ROSTER:
            faults.append(_("At most %(most)s players at a time.") % {"most": LONGEST_ROSTER})
        if not rows and not faults:
            faults.append(_("Below the header there is nothing in this table."))
        writes = sum(row.who in {Who.NEW, Who.KNOWN} for row in rows)
        return self.page(
            "roster",
            status=422 if faults else 200,
            rows=[(row, words[row.who]) for row in rows],
            counts=[Count(who, words[who], number) for who in words if (number := sum(row.who is who for row in rows))],
            faults=faults,
            sealed=sealed,
            previewed=seen(rows),
            writes=0 if faults else writes,
            has_changed=has_changed,
        )


def text_of_rows(table: ParsedTable) -> str:
    """Return a table as tab-separated text with each row on its original line number."""
    lines: list[str] = []
    for row in table.rows:
        lines += [""] * (row.number - 1 - len(lines))
        lines.append("\t".join(" ".join(cell.split()) for cell in row.cells.values()))
    return "\n".join(lines)


def fault_of(row: MatchedRow) -> str:
    """Return the fault of a roster row that cannot be imported as it is; empty if it can."""
    if row.who is Who.FAULTY:
        return row.fault
    if row.who is Who.DOUBLE:
        return _("Line %(line)s: line %(first)s names the same person.") % {
            "line": row.row.line,
            "first": row.double_of,
        }
    if row.who is Who.SIMILAR:
        known = "; ".join(f"{player.name} ({player.key})" for player in row.players[:3])
        message = _("Line %(line)s: is %(name)s one of those known? Write the key, or enter them one by one: %(known)s")
        return message % {"line": row.row.line, "name": row.row.name, "known": known}
    return ""


def seen(rows: Sequence[MatchedRow]) -> str:
    """Return a text made of the matches shown, which differs as soon as one of them changes."""
    return ";".join(f"{row.row.line}:{row.who}:{row.players[0].pk if row.players else ''}" for row in rows)


def newcomer(row: MatchedRow) -> Newcomer:
    """Return the new player that a row describes."""
    said = row.row
    return Newcomer(
        name=said.name,
        name_kana=said.kana,
        name_romaji=said.romaji,
        affiliation=said.affiliation,
        number=said.number,
        country=said.country,
    )
