"""Store revisions of rulesets and formats, and put rules in force for a competition."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Block, Competition, FormatRevision, RulesetRevision, RulesInForce
from league.models.rules import Revision
from league.platform.errors import Finding, RuleViolationError, conflict, refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.rulebooks.rules_in_force import format_of, format_of_revision, ruleset_of
from league.services.access.changes import after_last, open_change
from league.services.access.guard import all_or_nothing
from league.wording.faults import not_playable_texts
from rulesets import loader
from rulesets.formats import format_names, format_text
from scoring.format import Format
from scoring.ruleset import OptionError

R = TypeVar("R", bound=Revision)
LONGEST_NUMBER = 6


def digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def keep(model: type[R], name: str, text: str) -> R:
    """Return the revision with exactly this text: the stored one, or a new one with the next number."""
    kept = model.objects.filter(name=name, sha256=digest(text)).first()
    if kept:
        return kept
    number = after_last(model.objects.filter(name=name), "number")
    return model.objects.create(name=name, number=number, text=text, sha256=digest(text))


def keep_ruleset(name: str | RulesetRevision) -> RulesetRevision:
    """Return the revision of an installed ruleset's present text, or the newest revision of an own ruleset.

    `name@2` is the second revision of that name; a revision object is returned as it is. Raise RuleViolationError
    for an unknown name.
    """
    if isinstance(name, RulesetRevision):
        return name
    if name in loader.names():
        return keep(RulesetRevision, name, loader.text_of(name))
    found = revision_named(name)
    if found is None:
        own = RulesetRevision.objects.exclude(name__in=loader.names()).values_list("name", flat=True).distinct()
        known = ", ".join([*loader.names(), *sorted(own)])
        raise refuse(
            "unknown_ruleset",
            _("There is no ruleset “%(name)s”. Known: %(known)s.") % {"name": name, "known": known},
            "/ruleset",
        )
    return found


def revision_named(text: str) -> RulesetRevision | None:
    """Return the revision for `name@number`; without a number the newest of that name; None if there is none."""
    name, _at, number = text.partition("@")
    rows = RulesetRevision.objects.filter(name=name).order_by("-number")
    if number:
        rows = rows.filter(number=int(number)) if number.isdecimal() and len(number) <= LONGEST_NUMBER else rows.none()
    return rows.first()


def keep_format(name: str | FormatRevision) -> FormatRevision:
    """Return the revision of an installed format's present text; a revision object is returned as it is."""
    if isinstance(name, FormatRevision):
        return name
    if name not in format_names():
        raise refuse(
            "unknown_format",
            _("There is no format “%(name)s”. Known: %(known)s.") % {"name": name, "known": ", ".join(format_names())},
            "/format",
        )
    return keep(FormatRevision, name, format_text(name))


@dataclass(frozen=True, kw_only=True, slots=True)
class RulesChoice:
    """A choice of rules for a competition, in force from `since` on (None means now)."""

    ruleset: RulesetRevision
    league_format: FormatRevision
    options: Mapping[str, object] = field(default_factory=dict)
    since: dt.datetime | None = None


@all_or_nothing
def put_rules_in_force(*, competition: Competition, choice: RulesChoice, by: Actor) -> RulesInForce:
    """Put rules in force from a moment on; games already scheduled keep the rules that they pinned."""
    require(by, competition, Capability.MANAGE)
    change = open_change(competition, by)
    rules = write_rules(competition, choice, change.n)
    change.record(
        "rules.in_force",
        rules,
        after={
            "ruleset": str(rules.ruleset),
            "format": str(rules.format),
            "options": rules.options,
            "digest": rules.digest,
        },
    )
    return rules


def refuse_unplayable(league_format: Format) -> None:
    """Raise if the format has parts that no competition can be played by yet."""
    reasons = not_playable_texts(league_format)
    if reasons:
        raise refuse(
            "not_playable_yet",
            _("This format cannot be played yet: %(reasons)s.") % {"reasons": _("; ").join(reasons)},
            "/format",
        )


def write_rules(competition: Competition, choice: RulesChoice, n: int) -> RulesInForce:
    """Write the row for a choice of rules, as part of change `n`; raise for options that the ruleset does not have."""
    refuse_unplayable(format_of_revision(choice.league_format))
    refuse_other_stages(competition, format_of_revision(choice.league_format))
    rules = RulesInForce(
        competition=competition,
        ruleset=choice.ruleset,
        format=choice.league_format,
        options=dict(choice.options),
        effective_from=choice.since or timezone.now(),
        made_n=n,
    )
    refuse_bad_options(rules)
    refuse_other_players(rules)
    refuse_same_moment(rules)
    rules.digest = digest(
        json.dumps([choice.ruleset.sha256, choice.league_format.sha256, rules.options], sort_keys=True)
    )
    rules.save()
    return rules


def refuse_bad_options(rules: RulesInForce) -> None:
    """Raise unless all options and their values are defined by the ruleset."""
    try:
        ruleset_of(rules)
    except OptionError as error:
        raise RuleViolationError(Finding("bad_option", str(error), "/options")) from error


def refuse_other_players(rules: RulesInForce) -> None:
    """Raise unless the ruleset has as many players as the format and the competition's first rules.

    Totals of games with three and with four players never mix.
    """
    players = ruleset_of(rules).players
    first = RulesInForce.objects.filter(competition=rules.competition).select_related("ruleset").first()
    wanted = format_of(rules).players or (ruleset_of(first).players if first else players)
    if players != wanted:
        raise refuse(
            "other_players",
            _("This ruleset is for %(players)s players; this competition seats %(wanted)s at a table.")
            % {"players": players, "wanted": wanted},
            "/ruleset",
        )


def refuse_same_moment(rules: RulesInForce) -> None:
    """Raise ConflictError if other rules come into force at exactly this moment."""
    if RulesInForce.objects.filter(competition=rules.competition, effective_from=rules.effective_from).exists():
        raise conflict(
            "same_moment",
            _("Other rules come into force at this very moment already. Choose another one."),
            "/since",
        )


def refuse_other_stages(competition: Competition, league_format: Format) -> None:
    """Raise if the competition has stages and blocks and the format has other ones."""
    have = set(Block.objects.filter(competition=competition).values_list("stage__key", "key"))
    wanted = {(stage.key, block.key) for stage in league_format.stages for block in stage.blocks}
    if have and have != wanted:
        raise refuse(
            "other_stages",
            _(
                "This format has other stages or blocks than the competition was set up with. "
                "Start a new competition for it."
            ),
            "/format",
        )
