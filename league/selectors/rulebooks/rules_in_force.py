"""The rules of a competition or a hanchan as values of the engine, parsed once per text and options."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from django.utils import timezone

from league.models import Competition, FormatRevision, RulesetRevision, RulesInForce
from league.models.rules import Revision
from league.selectors.access.readers import Reader
from league.selectors.standings.prepared import season_of
from rulesets.formats import parse_format
from rulesets.loader import parse
from scoring.format import Format, close_roster
from scoring.format.model import EntrantKind
from scoring.ruleset import Ledger, Ruleset


@dataclass(frozen=True, slots=True)
class RevisionText:
    """A revision's text by its digest; it is read from the database only if it was not parsed before."""

    sha256: str
    source: str
    """Name of the revision, for messages."""
    # Not compared: the cache key is the digest, and reading `revision.text` of a deferred column costs a query.
    revision: Revision = field(compare=False, repr=False)


@lru_cache(maxsize=256)
def _ruleset(text: RevisionText, options: str) -> Ruleset:
    return parse(text.revision.text, text.source).with_options(json.loads(options))


@lru_cache(maxsize=64)
def _format(text: RevisionText) -> Format:
    return parse_format(text.revision.text, text.source)


def _text(revision: Revision) -> RevisionText:
    return RevisionText(revision.sha256, str(revision), revision)


def ruleset_of(rules: RulesInForce, table_options: Mapping[str, object] | None = None) -> Ruleset:
    """Return the ruleset in force with its options; `table_options` are those of one table.

    Raise `scoring.ruleset.OptionError` if the book does not know an option or its value.
    """
    options = {**rules.options, **(table_options or {})}
    return _ruleset(_text(rules.ruleset), json.dumps(options, sort_keys=True))


def ruleset_of_revision(revision: RulesetRevision) -> Ruleset:
    """Return the ruleset of the revision's text with options at their defaults."""
    return _ruleset(_text(revision), "{}")


@lru_cache(maxsize=64)
def _closed(text: RevisionText, entrants: int) -> Format:
    return close_roster(_format(text), entrants)


def format_of(rules: RulesInForce) -> Format:
    """Return the format in force, one of open size written out for the number of entrants in force.

    Raise FaultsError for a number of entrants that the format does not allow.
    """
    text = _text(rules.format)
    return _format(text) if rules.entrants is None else _closed(text, rules.entrants)


def is_of_teams(rules: RulesInForce) -> bool:
    """Return True if the entrants are teams by these rules."""
    return _format(_text(rules.format)).kind is EntrantKind.TEAMS


def format_of_revision(revision: FormatRevision) -> Format:
    """Return the format of the revision's text."""
    return _format(_text(revision))


def rules_of(reader: Reader) -> RulesInForce:
    """Return the rules now in force in the reader's competition, read once per reader."""
    if "rules" not in reader.known:
        reader.known["rules"] = latest(rules_in(reader))
    found: RulesInForce = reader.known["rules"]
    return found


def remember_rules(readers: Sequence[Reader]) -> None:
    """Read the rules now in force in all these competitions in one query, for `rules_of`."""
    unread = {reader.competition.pk: reader for reader in readers if "rules" not in reader.known}
    rows = RulesInForce.objects.filter(competition__in=unread).select_related("ruleset", "format")
    rules: dict[int, list[RulesInForce]] = {}
    for row in rows.defer("ruleset__text", "ruleset__examples", "format__text").order_by("effective_from"):
        rules.setdefault(row.competition_id, []).append(row)
    for key, own in rules.items():
        unread[key].known["rules"] = latest(own)


def rules_in(reader: Reader) -> Sequence[RulesInForce]:
    """Return all rules of the reader's competition, oldest first, read once per reader."""
    if "every_rules" not in reader.known:
        season = season_of(reader)
        reader.known["every_rules"] = season.rules if season else every_rules(reader.competition)
    found: Sequence[RulesInForce] = reader.known["every_rules"]
    return found


def latest(rules: Sequence[RulesInForce], moment: dt.datetime | None = None) -> RulesInForce:
    """Return the rules in force at the moment, by default now, from all rules of a competition, oldest first."""
    at = moment or timezone.now()
    return next((row for row in reversed(rules) if row.effective_from <= at), rules[0])


def rules_at(competition: Competition, moment: dt.datetime | None = None) -> RulesInForce:
    """Return the rules in force in the competition at the moment, by default now.

    A moment before the first rules came into force gets the first ones: results of days before the competition was
    set up are settled by its first rules.
    """
    return latest(every_rules(competition), moment)


def ledgers_of(rules: Sequence[RulesInForce]) -> list[Ledger]:
    """Return the ledgers of all rules, oldest first, that have been in force: the newest ones first, each key once."""
    now = timezone.now()
    past = [row for row in reversed(rules) if row.effective_from <= now] or rules[:1]
    found: dict[str, Ledger] = {}
    for row in past:
        for ledger in ruleset_of(row).ledgers:
            found.setdefault(ledger.key, ledger)
    return list(found.values())


def every_rules(competition: Competition) -> list[RulesInForce]:
    """Return all rules of a competition, oldest first, without their texts, which are loaded when first parsed."""
    rows = RulesInForce.objects.filter(competition=competition).select_related("ruleset", "format")
    return list(rows.defer("ruleset__text", "ruleset__examples", "format__text").order_by("effective_from"))
