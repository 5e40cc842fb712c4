"""The rules a competition or a hanchan is played by, as the engine's values."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.utils import timezone

from league.models import Competition, FormatRevision, RulesetRevision, RulesInForce
from league.selectors.readers import Reader
from rulesets.formats import parse_format
from rulesets.loader import parse
from scoring.format import Format
from scoring.ruleset import Ruleset


@lru_cache(maxsize=256)
def _ruleset(text: str, source: str, options: str) -> Ruleset:
    return parse(text, source).with_options(json.loads(options))


@lru_cache(maxsize=64)
def _format(text: str, source: str) -> Format:
    return parse_format(text, source)


def ruleset_of(rules: RulesInForce, table_options: Mapping[str, Any] | None = None) -> Ruleset:
    """The ruleset in force with its options; `table_options` are those of one table.

    Raise `scoring.ruleset.OptionError` if an option or its value is not the book's.
    """
    options = {**rules.options, **(table_options or {})}
    return _ruleset(rules.ruleset.text, str(rules.ruleset), json.dumps(options, sort_keys=True))


def ruleset_of_revision(revision: RulesetRevision) -> Ruleset:
    """The ruleset as the revision's text gives it, options at their defaults."""
    return _ruleset(revision.text, str(revision), "{}")


def format_of(rules: RulesInForce) -> Format:
    """The format in force."""
    return _format(rules.format.text, str(rules.format))


def format_of_revision(revision: FormatRevision) -> Format:
    """The format as the revision's text gives it."""
    return _format(revision.text, str(revision))


def rules_of(reader: Reader) -> RulesInForce:
    """The rules in force now in the reader's competition, read once for the reader."""
    if "rules" not in reader.known:
        reader.known["rules"] = rules_at(reader.competition)
    found: RulesInForce = reader.known["rules"]
    return found


def rules_at(competition: Competition, moment: dt.datetime | None = None) -> RulesInForce:
    """The rules in force in the competition at the moment, by default now.

    A moment before the first rules came into force is taken as that first moment: results of days before
    the competition was set up are played by its first rules.
    """
    rows = RulesInForce.objects.filter(competition=competition).select_related("ruleset", "format")
    rows = rows.defer("ruleset__examples")
    found = rows.filter(effective_from__lte=moment or timezone.now()).order_by("-effective_from").first()
    return found or rows.earliest("effective_from")
