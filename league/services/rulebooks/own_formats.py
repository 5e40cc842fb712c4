"""League formats of an organizer's own: verified as a text, stored as revisions that never change.

A changed format is a new revision; competitions continue with the revision that is in force for them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from league.models import FormatRevision
from league.platform.errors import (
    Finding,
    Level,
    PermissionRefusedError,
    RuleViolationError,
    conflict,
    raise_for,
    refuse,
)
from league.selectors.access.actors import Actor, Somebody
from league.selectors.rulebooks.catalogue import has_right_to_formats, source_text_of_format
from league.services.access.changes import record_organization_change
from league.services.access.guard import refuse_unkept
from league.services.rulebooks.own_rulesets import LONGEST_TEXT, cloned, tidied
from league.services.rulebooks.revisions import digest, keep
from league.wording.faults import fault_text
from rulesets.formats import format_names, parse_format
from rulesets.lines import line_of
from rulesets.toml_text import toml_of
from scoring.format import Block, Format, Stage
from scoring.ruleset import Fault, FaultsError
from scoring.ruleset.base import fault

SOURCE = "format.toml"
MOST_SOURCES = 10_000
MOST_BLOCKS = 200
MOST_ENTRANTS = 2_000
MOST_HANCHAN = 500
LONGEST_KEY = 32
LONGEST_TITLE = 100
_SPAN = re.compile(r"(\d{1,4})-(\d{1,4})$")
SENTENCES: Mapping[str, str] = {
    "name_of_product": "belongs to the product; choose a name that is none of: %(taken)s",
    "too_many_sources": "must fill at most %(most)s places all together",
    "too_many_blocks": "must have at most %(most)s blocks",
    "too_many_entrants": "must be at most %(most)s",
    "too_many_hanchan": "must be at most %(most)s",
    "key_too_long": "must have at most %(most)s letters",
    "title_too_long": "must have at most %(most)s letters",
}
"""Sentences of the faults that only an own format can have: a name that is taken, and what no table could hold."""


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


def may_write_formats(user: Somebody) -> bool:
    """Return True if the user may store formats: those who may set up competitions, or have the right to formats."""
    return has_right_to_formats(user)


def require_formats(by: Actor) -> None:
    """Raise PermissionRefusedError unless the actor may store formats."""
    if not by.is_system and not may_write_formats(by.user):
        message = _("You may not write formats. Ask an administrator for the permission to add competitions.")
        raise PermissionRefusedError(Finding("permission_refused", message))


@lru_cache(maxsize=32)
def check_format(text: str) -> FormatCheck:
    """Parse the text of a format; every fault is reported at once, with its line. Nothing is stored."""
    sha256 = digest(text)
    # Before the format itself is checked, which would take long.
    if (count := places_named(format_data(text))) > MOST_SOURCES:
        return FormatCheck(sha256, faults=(_wrong(text, "stages", count, "too_many_sources", most=MOST_SOURCES),))
    try:
        found = parse_format(text, SOURCE)
    except FaultsError as error:
        return FormatCheck(sha256, faults=error.faults)
    return FormatCheck(sha256, found, tuple(_own_faults(found, text)))


def places_named(data: object) -> int:
    """Return how many entrants the sources of a format's data name, roughly and without reading them one by one."""
    stages = data.get("stages") if isinstance(data, Mapping) else None
    rows = [row for row in stages if isinstance(row, Mapping)] if isinstance(stages, list) else []
    blocks = {str(row.get("key")): len(found) for row in rows if isinstance(found := row.get("blocks"), list)}
    total = 0
    for text in _texts(rows):
        span = _SPAN.search(text)
        ranks = max(int(span[2]) - int(span[1]) + 1, 1) if span else 1
        total += ranks * blocks.get(text.removeprefix("best:").partition("#")[0], 1)
    return total


def _texts(node: object) -> Iterator[str]:
    """Yield every source written in a format's data."""
    if isinstance(node, Mapping):
        if isinstance(text := node.get("from"), str):
            yield text
        node = list(node.values())
    for inner in node if isinstance(node, list) else ():
        yield from _texts(inner)


def _own_faults(found: Format, text: str) -> Iterator[Fault]:
    """Yield the faults of a sound format that only an own one can have."""
    if found.name in format_names():
        yield _wrong(text, "name", found.name, "name_of_product", taken=", ".join(format_names()))
    if len(found.blocks) > MOST_BLOCKS:
        yield _wrong(text, "stages", len(found.blocks), "too_many_blocks", most=MOST_BLOCKS)
    if (found.entrants or 0) > MOST_ENTRANTS:
        yield _wrong(text, "entrants", found.entrants, "too_many_entrants", most=MOST_ENTRANTS)
    for stage in found.stages:
        yield from _stage_faults(stage, text)


def _stage_faults(stage: Stage, text: str) -> Iterator[Fault]:
    """Yield what is too long or too much for the columns that hold a stage."""
    where = f"stages.{stage.key}"
    if (stage.hanchan or 0) > MOST_HANCHAN:
        yield _wrong(text, f"{where}.hanchan", stage.hanchan, "too_many_hanchan", most=MOST_HANCHAN)
    titled: list[tuple[str, Stage | Block]] = [(where, stage)]
    titled += [(f"{where}.blocks.{block.key}", block) for block in stage.blocks]
    for place, row in titled:
        if len(row.key) > LONGEST_KEY:
            yield _wrong(text, f"{place}.key", row.key, "key_too_long", most=LONGEST_KEY)
        if max(len(row.title.ja), len(row.title.en)) > LONGEST_TITLE:
            yield _wrong(text, f"{place}.title", row.title.ja, "title_too_long", most=LONGEST_TITLE)


def _wrong(text: str, key: str, value: object, code: str, **params: object) -> Fault:
    return replace(fault(SENTENCES, key, value, code, params), source=SOURCE, line=line_of(key, text))


def faults_found(check: FormatCheck, data: object = None, pointer: str = "/text") -> list[Finding]:
    """Return every fault as a finding, in the reader's language.

    For a text they all point to it, with key and line in `params`; for `data` each points to its own place below
    `pointer`.
    """
    return [
        Finding(
            each.code or "format_fault",
            fault_text(each),
            pointer if data is None else pointer + pointer_of(each.key, data),
            params={"key": each.key, "value": each.value, "allowed": fault_text(each), "line": each.line},
        )
        for each in check.faults
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


def newest_format(name: str) -> int:
    """Return the number of the newest revision of a name; 0 if there is none."""
    return FormatRevision.objects.filter(name=name).aggregate(newest=Max("number"))["newest"] or 0


def keep_own_format(*, text: str, by: Actor, seen: int | None = None, accept: Collection[str] = ()) -> FormatRevision:
    """Store a format as the next revision of its name; an identical text returns the revision stored before.

    1. Refuse actors who may not write formats.
    2. Refuse a text with faults, all of them at once, and one under the name of a format of the product.
    3. With `seen`, the newest revision that the author knew: warn about a newer one (code `newer_revision`).
    4. Store the text, with an entry in the organization's log.
    """
    refuse_unkept({"text": text})
    require_formats(by)
    text = tidied(text)
    if len(text) > LONGEST_TEXT:
        raise refuse("text_too_long", _("A format has at most %(most)s characters.") % {"most": LONGEST_TEXT}, "/text")
    check = check_format(text)
    if check.format is None or not check.is_sound:
        raise RuleViolationError(*faults_found(check))
    try:
        return _keep(check.format.name, text, by, seen, accept)
    # Two authors took the same number at once; no competition's lock covers formats.
    except IntegrityError as error:
        message = _("Somebody else has just kept a revision of this format. Look at it, then keep yours again.")
        raise conflict("kept_at_once", message) from error


@transaction.atomic
def _keep(name: str, text: str, by: Actor, seen: int | None, accept: Collection[str]) -> FormatRevision:
    """Write a verified text with its log line; a newer revision that the author has not seen must be accepted."""
    newest = newest_format(name)
    is_known = FormatRevision.objects.filter(name=name, sha256=digest(text)).exists()
    if seen is not None and newest > seen and not is_known:
        message = _("There is a revision %(number)s of “%(name)s” that you have not seen. Keep yours as the next one?")
        shown = message % {"number": newest, "name": name}
        raise_for([Finding("newer_revision", shown, "/text", Level.WARNING)], accept)
    revision = keep(FormatRevision, name, text)
    if not is_known:
        after = {"name": name, "number": revision.number, "sha256": revision.sha256}
        record_organization_change("format.kept", revision, by=by, after=after)
    return revision


def format_data(text: str) -> dict[str, object] | None:
    """Return the data of a format's text as it is written, faults and all; None if it cannot be read as TOML."""
    try:
        return toml_of(text)
    except ValueError:
        return None
