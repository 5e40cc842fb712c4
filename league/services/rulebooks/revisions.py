"""Store revisions of rulesets and formats, and put rules in force for a competition."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import Competition, FormatRevision, RulesetRevision, RulesInForce
from league.models.rules import Revision
from league.platform.errors import Finding, Level, RuleViolationError, conflict, raise_for, refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.rulebooks.catalogue import format_revision_named, revision_among
from league.selectors.rulebooks.rules_in_force import (
    every_rules,
    format_of,
    format_of_revision,
    latest,
    ruleset_of,
)
from league.selectors.standings.derivation import Derivation, derive
from league.services.access.changes import OpenChange, after_last, open_change
from league.services.access.guard import all_or_nothing
from league.services.results.preview import Effect, downstream_finding, effect_between, facts_now
from league.services.rulebooks.stage_rows import StructureChange, adapt_stages, layout_now, layout_of
from league.wording.faults import fault_text, plan_fault_text
from rulesets import loader
from rulesets.formats import format_names, format_text
from scoring.format import Format, close_roster
from scoring.ruleset import FaultsError, OptionError
from scoring.stages import ImpossiblePlanError

R = TypeVar("R", bound=Revision)


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


def newest_number(model: type[Revision], name: str) -> int:
    """Return the number of the newest revision of a name; 0 if there is none."""
    return model.objects.filter(name=name).aggregate(newest=Max("number"))["newest"] or 0


def newer_revision(model: type[Revision], name: str, sha256: str, seen: int) -> Iterator[Finding]:
    """Yield a warning if there is a revision newer than the one seen, unless the text with this digest is stored."""
    number = newest_number(model, name)
    if number > seen and not model.objects.filter(name=name, sha256=sha256).exists():
        message = _("There is a revision %(number)s of “%(name)s” that you have not seen. Keep yours as the next one?")
        shown = {"number": number, "name": name}
        yield Finding("newer_revision", message % shown, "/text", Level.WARNING)


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
        message = _("There is no ruleset “%(name)s”. Known: %(known)s.")
        shown = {"name": name, "known": _known_names(RulesetRevision, loader.names())}
        raise refuse("unknown_ruleset", message % shown, "/ruleset")
    return found


def revision_named(text: str) -> RulesetRevision | None:
    """Return the revision for `name@number`; without a number the newest of that name; None if there is none."""
    return revision_among(RulesetRevision.objects.all(), text)


def keep_format(name: str | FormatRevision) -> FormatRevision:
    """Return the revision of an installed format's present text, or the newest revision of an own format.

    `name@2` is the second revision of that name; a revision object is returned as it is. Raise RuleViolationError
    for an unknown name.
    """
    if isinstance(name, FormatRevision):
        return name
    if name in format_names():
        return keep(FormatRevision, name, format_text(name))
    found = format_revision_named(name)
    if found is None:
        message = _("There is no format “%(name)s”. Known: %(known)s.")
        shown = {"name": name, "known": _known_names(FormatRevision, format_names())}
        raise refuse("unknown_format", message % shown, "/format")
    return found


def _known_names(model: type[Revision], installed: Sequence[str]) -> str:
    """Return the names of what is installed, then of own revisions, as a list in a sentence."""
    own = model.objects.exclude(name__in=installed).values_list("name", flat=True).distinct()
    return ", ".join([*installed, *sorted(own)])


@dataclass(frozen=True, kw_only=True, slots=True)
class RulesChoice:
    """A choice of rules for a competition, in force from `since` on (None means now)."""

    ruleset: RulesetRevision
    league_format: FormatRevision
    options: Mapping[str, object] = field(default_factory=dict)
    since: dt.datetime | None = None
    entrants: int | None = None
    """For a format of open size: the number of entrants; None means as many as the rules in force have."""


@all_or_nothing
def put_rules_in_force(
    *, competition: Competition, choice: RulesChoice, by: Actor, accept: Collection[str] = ()
) -> RulesInForce:
    """Put rules in force from a moment on; games already scheduled keep the rules that they pinned.

    Another format changes stages, blocks and slots as far as nothing has been played there (`adapt_stages`). Two
    things must be accepted by their codes: such a change (`stages_change`), and one that unseats players from a stage
    with results (`later_stage_begun`).
    """
    require(by, competition, Capability.MANAGE)
    change = open_change(competition, by)
    rules = write_rules(choice, change, accept)
    change.record(
        "rules.in_force",
        rules,
        after={
            "ruleset": str(rules.ruleset),
            "format": str(rules.format),
            "options": rules.options,
            "digest": rules.digest,
            **size_said(rules),
        },
    )
    return rules


def size_said(rules: RulesInForce) -> dict[str, int]:
    """Return the number of entrants as a log line has it: only for a format of open size."""
    return {} if rules.entrants is None else {"entrants": rules.entrants}


def write_rules(choice: RulesChoice, change: OpenChange, accept: Collection[str] = ()) -> RulesInForce:
    """Write the row for a choice of rules, as part of a change, and adapt the stages to its format.

    Raise for options that the ruleset does not have, and for a format that does not fit what has been played.
    """
    competition = change.competition
    earlier = every_rules(competition)
    rules = RulesInForce(
        competition=competition,
        ruleset=choice.ruleset,
        format=choice.league_format,
        options=dict(choice.options),
        entrants=entrants_of(choice, earlier),
        effective_from=choice.since or timezone.now(),
        made_n=change.n,
    )
    refuse_bad_options(rules)
    refuse_other_players(rules)
    refuse_league_at_open_table(rules)
    refuse_same_moment(rules)
    size = [] if rules.entrants is None else [rules.entrants]
    rules.digest = digest(
        json.dumps([choice.ruleset.sha256, choice.league_format.sha256, rules.options, *size], sort_keys=True)
    )
    league_format = format_of(rules)
    if not earlier:
        rules.save()
        adapt_stages(competition, league_format)
        return rules
    if not is_newest(rules, earlier):
        refuse_other_stages(competition, league_format)
        rules.save()
        return rules
    before = format_of(latest(earlier))
    if before == league_format:
        rules.save()
        return rules
    known = derive(facts_now(competition))
    structure = adapt_stages(competition, league_format, before)
    rules.save()
    effect = effect_of_format(change, known)
    if not change.by.is_system:
        raise_for([*structure_findings(structure), *unseating_findings(change, effect)], accept)
    return rules


def is_newest(rules: RulesInForce, earlier: Sequence[RulesInForce]) -> bool:
    """Return True if these rules are in force at once, and no other ones follow them."""
    return rules.effective_from <= timezone.now() and rules.effective_from > earlier[-1].effective_from


def effect_of_format(change: OpenChange, before: Derivation) -> Effect:
    """Return what the format that has just been written changes; raise if draws or overrides do not fit it."""
    facts = facts_now(change.competition)
    try:
        after = derive(facts)
    except ImpossiblePlanError as error:
        message = _("Draws or overrides of this competition do not fit the format: %(faults)s.")
        faults = _("; ").join(plan_fault_text(fault, facts.league_format) for fault in error.faults)
        raise refuse("decisions_do_not_fit", message % {"faults": faults}, "/format") from error
    return effect_between(change.competition, before, after)


def unseating_findings(change: OpenChange, effect: Effect) -> Iterator[Finding]:
    """Yield a warning for directors, an error for others, if players are unseated from a stage that has results."""
    damage = [one for one in effect.slot_changes if one.has_results]
    if damage:
        yield downstream_finding(change.competition, damage, change.by)


def structure_findings(structure: StructureChange) -> Iterator[Finding]:
    """Yield a warning that says what a format changes in the stages and blocks."""
    parts = [
        _("new: %(blocks)s") % {"blocks": _(", ").join(structure.added)} if structure.added else "",
        _("gone: %(blocks)s") % {"blocks": _(", ").join(structure.removed)} if structure.removed else "",
        _("filled or played differently: %(blocks)s") % {"blocks": _(", ").join(structure.changed)}
        if structure.changed
        else "",
        _("seeded players who lose their place: %(count)s") % {"count": structure.unseeded}
        if structure.unseeded
        else "",
    ]
    if any(parts):
        message = _("This format changes the stages (%(changes)s). Nothing that has been played changes.")
        shown = message % {"changes": "; ".join(filter(None, parts))}
        yield Finding("stages_change", shown, "/format", Level.WARNING)


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


def refuse_league_at_open_table(rules: RulesInForce) -> None:
    """Raise if an open table would have a format with fixed entrants, a number of hanchan, or a champion."""
    league_format = format_of(rules)
    is_ranking = len(league_format.stages) == 1 and league_format.champion is None
    has_end = any(stage.hanchan for stage in league_format.stages)
    is_open = all(block.is_open for block in league_format.blocks.values())
    if rules.competition.kind == Competition.Kind.OPEN and not (is_ranking and is_open and not has_end):
        raise refuse(
            "league_at_open_table",
            _(
                "At an open table anyone plays any number of games. Choose a format of one open stage without an "
                "end, such as “open-play”, or create a league."
            ),
            "/format",
        )


def refuse_same_moment(rules: RulesInForce) -> None:
    """Raise ConflictError if other rules come into force at exactly this moment."""
    if RulesInForce.objects.filter(competition=rules.competition, effective_from=rules.effective_from).exists():
        raise conflict(
            "same_moment",
            _("Other rules come into force at this very moment already. Choose another one."),
            "/since",
        )


def entrants_of(choice: RulesChoice, earlier: Sequence[RulesInForce]) -> int | None:
    """Return the number of entrants for which the chosen format is written out; None for one of fixed size.

    Raise for a number that the format does not allow or that does not fill its tables, saying how many would.
    """
    league_format = format_of_revision(choice.league_format)
    bounds = league_format.bounds
    if bounds is None:
        if choice.entrants not in {None, league_format.seeds}:
            message = _("This format is for %(places)s players, not %(entrants)s; its number of players is fixed.")
            raise refuse(
                "fixed_size", message % {"places": league_format.seeds, "entrants": choice.entrants}, "/entrants"
            )
        return None
    entrants = choice.entrants or (format_of(latest(earlier)).seeds if earlier else 0)
    if not entrants:
        message = _("This format is for %(least)s to %(most)s players. Enter how many are expected.")
        raise refuse("entrants_needed", message % {"least": bounds.least, "most": bounds.most}, "/entrants")
    try:
        close_roster(league_format, entrants)
    except FaultsError as error:
        message = _("The format cannot be played by %(entrants)s players: %(faults)s.")
        faults = _("; ").join(dict.fromkeys(map(fault_text, error.faults)))
        raise refuse("roster_not_closed", message % {"entrants": entrants, "faults": faults}, "/entrants") from error
    return entrants


def refuse_other_stages(competition: Competition, league_format: Format) -> None:
    """Raise if the format has another structure than the competition, whose rows show one structure only."""
    if layout_now(competition) != layout_of(league_format):
        raise refuse(
            "other_stages",
            _(
                "This format has other stages, blocks or places than the competition has now. Such a format comes into "
                "force at once and after all others; leave the moment empty."
            ),
            "/format",
        )
