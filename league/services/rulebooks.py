"""Keeping revisions of rule files, and putting rules in force."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Block, Competition, FormatRevision, RulesetRevision, RulesInForce
from league.models.rules import Revision
from league.selectors.rules import format_of_revision, ruleset_of
from league.services.actor import Actor, Capability, require
from league.services.changes import next_version, record_change
from league.services.errors import Finding, RuleViolationError, refuse
from rulesets import loader
from rulesets.formats import format_names, format_text
from scoring.format import Format
from scoring.ruleset import OptionError


def digest(text: str) -> str:
    """SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def keep[R: Revision](model: type[R], name: str, text: str) -> R:
    """The revision with this very text: the one kept already, or a new one with the next number."""
    kept = model._default_manager.filter(name=name, sha256=digest(text)).first()
    if kept:
        return kept
    newest = model._default_manager.filter(name=name).aggregate(newest=Max("number"))["newest"] or 0
    return model._default_manager.create(name=name, number=newest + 1, text=text, sha256=digest(text))


def keep_ruleset(name: str) -> RulesetRevision:
    """The seed ruleset of this name as it is installed now."""
    if name not in loader.names():
        raise refuse(
            "unknown_ruleset",
            _("There is no ruleset “%(name)s”. Known: %(known)s.") % {"name": name, "known": ", ".join(loader.names())},
            "/ruleset",
        )
    return keep(RulesetRevision, name, loader.text_of(name))


def keep_format(name: str) -> FormatRevision:
    """The seed format of this name as it is installed now."""
    if name not in format_names():
        raise refuse(
            "unknown_format",
            _("There is no format “%(name)s”. Known: %(known)s.") % {"name": name, "known": ", ".join(format_names())},
            "/format",
        )
    return keep(FormatRevision, name, format_text(name))


@transaction.atomic
def put_rules_in_force(
    *,
    competition: Competition,
    ruleset: RulesetRevision,
    format: FormatRevision,
    by: Actor,
    options: Mapping[str, Any] | None = None,
    effective_from: dt.datetime | None = None,
    n: int | None = None,
) -> RulesInForce:
    """From a moment on the competition plays by these rules; games already scheduled keep theirs.

    `n` is given by a caller that records a change of its own.
    """
    require(by, competition, Capability.MANAGE)
    refuse_other_stages(competition, format_of_revision(format))
    version = n or next_version(competition)
    row = RulesInForce(
        competition=competition,
        ruleset=ruleset,
        format=format,
        options=dict(options or {}),
        effective_from=effective_from or timezone.now(),
        made_n=version,
    )
    refuse_bad_options(row)
    row.digest = digest(json.dumps([ruleset.sha256, format.sha256, row.options], sort_keys=True))
    row.save()
    if n is None:
        record_change(
            competition=competition,
            n=version,
            kind="rules.in_force",
            by=by,
            subject=row,
            after={"ruleset": str(ruleset), "format": str(format), "options": row.options, "digest": row.digest},
        )
    return row


def refuse_bad_options(rules: RulesInForce) -> None:
    """Options and values must be the book's own."""
    try:
        ruleset_of(rules)
    except OptionError as error:
        raise RuleViolationError(Finding("bad_option", str(error), "/options")) from error


def refuse_other_stages(competition: Competition, format: Format) -> None:
    """A competition that has its blocks may only take a format with the same ones."""
    have = set(Block.objects.filter(competition=competition).values_list("stage__key", "key"))
    wanted = {(stage.key, block.key) for stage in format.stages for block in stage.blocks}
    if have and have != wanted:
        raise refuse(
            "other_stages",
            _(
                "This format has other stages or blocks than the competition was set up with. Start a new competition for it."
            ),
            "/format",
        )
