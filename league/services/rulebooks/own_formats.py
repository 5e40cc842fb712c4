"""League formats of an organizer's own: verified as a text, stored as revisions that never change.

A changed format is a new revision; competitions continue with the revision that is in force for them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from league.models import FormatRevision
from league.platform.errors import Finding, RuleViolationError, conflict, forbid, raise_for, refuse
from league.selectors.access.actors import Actor
from league.selectors.rulebooks.catalogue import may_write_formats, source_text_of_format
from league.services.access.changes import record_organization_change
from league.services.access.guard import refuse_unkept
from league.services.rulebooks.own_rulesets import cloned, tidied
from league.services.rulebooks.revisions import digest, keep, newer_revision, newest_number
from league.wording.faults import fault_text
from rulesets.format_toml import format_toml
from rulesets.formats import format_names, parse_format
from rulesets.lines import line_of
from rulesets.toml_text import toml_of
from scoring.format import Format
from scoring.format.limits import limit_faults, size_faults
from scoring.ruleset import Fault, FaultsError

SOURCE = "format.toml"
RESERVED = ("check",)
"""Names that the API's addresses use for something else."""
LONGEST_FORMAT = 60_000


@dataclass(frozen=True, slots=True)
class FormatCheck:
    """The result of checking a text: the format, or everything that is wrong with it."""

    sha256: str
    format: Format | None = None
    faults: tuple[Fault, ...] = ()

    @property
    def is_sound(self) -> bool:
        """True if the text may be stored."""
        return self.format is not None and not self.faults


def require_formats(by: Actor) -> None:
    """Raise PermissionRefusedError unless the actor may store formats."""
    if not by.is_system and not may_write_formats(by.user):
        raise forbid(_("You may not write formats. Ask an administrator for the permission to add competitions."))


@lru_cache(maxsize=32)
def check_format(text: str) -> FormatCheck:
    """Parse the text of a format; every fault is reported at once, with its line. Nothing is stored."""
    sha256 = digest(text)
    # Before the format itself is checked, which would take long.
    faults = tuple(size_faults(format_data(text)))
    found = None
    if not faults:
        try:
            found = parse_format(text, SOURCE)
        except FaultsError as error:
            return FormatCheck(sha256, faults=error.faults)
        faults = tuple(limit_faults(found, format_names(), RESERVED))
    return FormatCheck(
        sha256, found, tuple(replace(each, source=SOURCE, line=line_of(each.key, text)) for each in faults)
    )


def faults_found(
    faults: Iterable[Fault], data: object = None, pointer: str = "/text", code: str = "format_fault"
) -> list[Finding]:
    """Return every fault as a finding, in the reader's language; `code` is that of faults without their own.

    For a text they all point to it, with key and line in `params`; for `data` each points to its own place below
    `pointer`.
    """
    return [
        Finding(
            each.code or code,
            fault_text(each),
            pointer if data is None else pointer + pointer_of(each.key, data),
            params={"key": each.key, "value": each.value, "allowed": fault_text(each), "line": each.line},
        )
        for each in faults
    ]


def pointer_of(key: str, data: object) -> str:
    """Return a fault's dotted key as a JSON pointer; stages and blocks are named by their own `key` there."""
    steps: list[str] = []
    for part in key.split(".") if key else ():
        step = part
        if isinstance(data, Sequence) and not isinstance(data, str):
            named = [n for n, each in enumerate(data) if isinstance(each, Mapping) and each.get("key") == part]
            step = str(named[0]) if named else part
            data = data[int(step)] if step.isdecimal() and int(step) < len(data) else None
        else:
            data = data.get(part) if isinstance(data, Mapping) else None
        steps.append("/" + step.replace("~", "~0").replace("/", "~1"))
    return "".join(steps)


def cloned_format(source: str, name: str, title: str = "") -> str:
    """Return the text of a format under another name, and under another title if one is given.

    `source` is the name of a format of the product, or `name@number` of a stored revision. Raise
    RuleViolationError if there is none.
    """
    text = source_text_of_format(source)
    if text is None:
        raise refuse("unknown_format", _("There is no format “%(name)s”.") % {"name": source}, "/source")
    return cloned(text, name, title)


def keep_own_format(*, text: str, by: Actor, seen: int | None = None, accept: Collection[str] = ()) -> FormatRevision:
    """Store a format as the next revision of its name; an identical text returns the revision stored before.

    1. Refuse actors not allowed to write formats.
    2. Refuse a text with faults, all of them at once, and one under the name of a format of the product.
    3. With `seen`, the newest revision that the author knew: warn about a newer one (code `newer_revision`).
    4. Store the text, with an entry in the organization's log.
    """
    refuse_unkept({"text": text})
    require_formats(by)
    text = tidied(text)
    refuse_long_format(text)
    check = check_format(text)
    if check.format is None or not check.is_sound:
        raise RuleViolationError(*faults_found(check.faults))
    try:
        return _keep(check.format.name, text, by, seen, accept)
    # Two authors took the same number at once; no competition's lock covers formats.
    except IntegrityError as error:
        message = _("Another organizer has just kept a revision of this format. Look at it, then keep yours again.")
        raise conflict("kept_at_once", message) from error


@transaction.atomic
def _keep(name: str, text: str, by: Actor, seen: int | None, accept: Collection[str]) -> FormatRevision:
    """Write a verified text with its log line; a newer revision that the author has not seen must be accepted."""
    if seen is not None:
        raise_for(newer_revision(FormatRevision, name, digest(text), seen), accept)
    newest = newest_number(FormatRevision, name)
    revision = keep(FormatRevision, name, text)
    if revision.number > newest:
        after = {"name": name, "number": revision.number, "sha256": revision.sha256}
        record_organization_change("format.kept", revision, by=by, after=after)
    return revision


def refuse_long_format(text: str, pointer: str = "/text") -> None:
    """Raise RuleViolationError for a text that is longer than any format."""
    if len(text) > LONGEST_FORMAT:
        message = _("A format has at most %(most)s characters.") % {"most": LONGEST_FORMAT}
        raise refuse("text_too_long", message, pointer)


def written(data: Mapping[str, object]) -> str:
    """Return a format's data as TOML text. Raise RuleViolationError for values that TOML cannot have."""
    try:
        return format_toml(data)
    except (TypeError, ValueError) as error:
        message = _("This cannot be written as TOML: %(error)s.") % {"error": error}
        raise refuse("no_toml", message, "/values") from error


def format_data(text: str) -> dict[str, object] | None:
    """Return the data of a format's text as it is written, faults and all; None if it cannot be read as TOML."""
    try:
        return toml_of(text)
    except ValueError:
        return None
