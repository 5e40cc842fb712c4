"""Rulesets of a house's own: edited in the browser, verified by worked examples, stored as revisions.

A text is verified before it is stored, and a stored revision is never edited. A changed rule is a new revision;
competitions continue with the revision that they pinned.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import RulesetRevision
from league.platform.errors import Finding, Level, RuleViolationError, conflict, forbid, raise_for
from league.selectors.access.actors import Actor, AnyUser, has_right
from league.selectors.rulebooks.catalogue import MAY_WRITE
from league.services.access.changes import record_organization_change
from league.services.access.guard import refuse_unkept
from league.services.rulebooks.revisions import digest, keep, newer_revision, newest_number
from rulesets import examples, loader
from rulesets.lines import line_of
from scoring.ruleset import Fault, FaultsError, Ruleset

RULES_SOURCE = "ruleset.toml"
EXAMPLES_SOURCE = examples.FILE
LONGEST_TEXT = 200_000
LONGEST_NAME = 64
_NAME = re.compile(r"^name[ \t]*=.*$", re.MULTILINE)
_TITLE = re.compile(r"^title[ \t]*=.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ProofReport:
    """The result of verifying a text: its ruleset or its faults, and the report of its examples."""

    sha256: str
    ruleset: Ruleset | None = None
    faults: tuple[Fault, ...] = ()
    example_faults: tuple[Fault, ...] = ()
    report: examples.Report | None = None

    @property
    def is_sound(self) -> bool:
        """True if both texts are free of faults; examples may still fail."""
        return not (self.faults or self.example_faults)


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """A ruleset that is being edited."""

    text: str
    examples: str = ""
    seen: int = 0
    """The newest revision of its name that the author knew; 0 for none."""


def may_write_rulesets(user: AnyUser) -> bool:
    """Return True if the user may store rulesets: a right for the whole service, not for one competition."""
    return has_right(user, MAY_WRITE)


def tidied(text: str) -> str:
    """Return a text with Unix line ends and exactly one at the end; browsers send CRLF."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    return f"{lines}\n" if lines else ""


def cloned(text: str, name: str, ja: str = "", en: str = "") -> str:
    """Return the text of a ruleset under another name, and under another title if one is given."""
    renamed = _NAME.sub(lambda _found: f"name = {json.dumps(name)}", text, count=1)
    if not (ja or en):
        return renamed
    title = f"title = {{ ja = {_written(ja or en)}, en = {_written(en or ja)} }}"
    return _TITLE.sub(lambda _found: title, renamed, count=1)


def _written(words: str) -> str:
    return json.dumps(words, ensure_ascii=False)


@lru_cache(maxsize=16)
def prove(text: str, written_examples: str = "") -> ProofReport:
    """Parse a ruleset and run its examples under it; the faults of both are reported together."""
    sha256 = digest(text)
    try:
        rules = loader.parse(text, RULES_SOURCE)
    except FaultsError as error:
        return ProofReport(sha256, faults=error.faults)
    faults = tuple(_name_faults(rules.name, line_of("name", text)))
    if not written_examples.strip():
        return ProofReport(sha256, rules, faults)
    try:
        report = examples.run(examples.parse(written_examples, EXAMPLES_SOURCE, rules))
    except FaultsError as error:
        return ProofReport(sha256, rules, faults, error.faults)
    return ProofReport(sha256, rules, faults, report=report)


def _name_faults(name: str, line: int | None) -> Iterator[Fault]:
    """Yield a fault if an own ruleset uses the name of an installed one, or a name that is too long.

    The messages are untranslated, like those of the engine.
    """
    if name in loader.names():
        taken = ", ".join(loader.names())
        yield Fault(RULES_SOURCE, "name", name, f"belongs to the product; choose a name that is none of: {taken}", line)
    if len(name) > LONGEST_NAME:
        yield Fault(RULES_SOURCE, "name", name, f"must have at most {LONGEST_NAME} letters", line)


def keep_own_ruleset(*, draft: Draft, by: Actor, accept: Collection[str] = ()) -> RulesetRevision:
    """Store a ruleset as the next revision of its name; an identical text is not stored twice.

    1. Refuse actors without the right to write rulesets.
    2. Refuse a text with faults, or examples that cannot be run.
    3. Warn about examples that fail, and about a revision that another user has stored meanwhile.
    4. Store the text; examples are no rules, so those of a text stored before are replaced.

    The examples run before anything is locked, so that no other writer waits for them.
    """
    refuse_unkept({"draft": draft})
    if not by.is_system and not (by.user and may_write_rulesets(by.user)):
        raise forbid(_("You may not write rulesets. Ask an administrator for the right to add ruleset revisions."))
    draft = replace(draft, text=tidied(draft.text), examples=tidied(draft.examples))
    if max(len(draft.text), len(draft.examples)) > LONGEST_TEXT:
        message = _("A text of rules or examples has at most %(most)s characters.") % {"most": LONGEST_TEXT}
        raise RuleViolationError(Finding("text_too_long", message, "/text"))
    proof = prove(draft.text, draft.examples)
    if proof.ruleset is None or not proof.is_sound:
        raise RuleViolationError(*faults_found(proof))
    try:
        return _keep(proof, draft, by, accept)
    # Two authors took the same number at once; no competition's lock covers rulesets.
    except IntegrityError as error:
        message = _("Another user has just kept a revision of this ruleset. Look at it, then keep yours again.")
        raise conflict("kept_at_once", message) from error


@transaction.atomic
def _keep(proof: ProofReport, draft: Draft, by: Actor, accept: Collection[str]) -> RulesetRevision:
    """Write a verified text with its log line, unless there are warnings that the caller has not accepted."""
    name = proof.ruleset.name if proof.ruleset else ""
    raise_for(_warnings(proof, name, draft.seen), accept)
    newest = newest_number(RulesetRevision, name)
    revision = keep(RulesetRevision, name, draft.text)
    if revision.number > newest or revision.examples != draft.examples:
        revision.examples = draft.examples
        revision.save(update_fields=["examples"])
        after = {"name": name, "number": revision.number, "sha256": revision.sha256}
        record_organization_change("ruleset.kept", revision, by=by, after=after)
    return revision


def faults_found(proof: ProofReport) -> list[Finding]:
    """Return every fault as a finding, with its line number."""
    return [
        Finding("ruleset_fault", str(fault), pointer, params={"line": fault.line, "key": fault.key})
        for pointer, faults in (("/text", proof.faults), ("/examples", proof.example_faults))
        for fault in faults
    ]


def _warnings(proof: ProofReport, name: str, seen: int) -> list[Finding]:
    """Return warnings: failing examples, and a newer revision that the author has not seen."""
    found = []
    failed = len(proof.report.failed) if proof.report else 0
    if failed:
        message = ngettext(
            "%(count)s example fails. Keep the ruleset all the same?",
            "%(count)s examples fail. Keep the ruleset all the same?",
            failed,
        )
        found.append(Finding("examples_failed", message % {"count": failed}, "/examples", Level.WARNING))
    return [*found, *newer_revision(RulesetRevision, name, proof.sha256, seen)]
