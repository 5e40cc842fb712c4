"""Create series and their terms, change their rules, and make competitions the tiers of a term."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.models import Competition, NextRoster, RulesetRevision, Series, SeriesRevision, Term
from league.platform.errors import RuleViolationError, conflict, forbid, refuse, refuse_without_reason
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.competitions.addresses import is_taken, numbered
from league.selectors.rulebooks.rules_in_force import format_of_revision
from league.selectors.seasons.series_rules import (
    RULES_CHANGED,
    may_add_series,
    may_change_series,
    places_of,
    rules_of_series,
)
from league.services.access.changes import lock, open_change, record_organization_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.competitions.addresses import refuse_malformed_slug
from league.services.competitions.setup import CompetitionPlan, create_competition
from league.services.rulebooks.own_formats import faults_found, refuse_long_format
from league.services.rulebooks.own_rulesets import tidied
from league.services.rulebooks.revisions import keep, keep_format
from rulesets.series import read_series
from scoring.format.series import Outside, Tier
from scoring.ruleset import FaultsError

SOURCE = "series.toml"
LONGEST_STEM = 40
"""Letters of a series' address in the addresses of its competitions."""
LARGEST_TERM = 9_999
P = TypeVar("P", Tier, Tier | Outside)


@dataclass(frozen=True, kw_only=True, slots=True)
class SeriesPlan:
    """Parameters of a new series; `text` is its file, `first_term` the number of the first term kept here."""

    slug: str
    name: str
    text: str
    name_en: str = ""
    first_term: int = 1
    is_public: bool = False
    is_demo: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SeriesWords:
    """Names of a series, and whether the public may read it."""

    name: str
    name_en: str
    is_public: bool


def require_series(by: Actor) -> None:
    """Raise PermissionRefusedError unless the actor may decide on the moves of series."""
    if not by.is_system and not may_change_series(by.user):
        raise forbid(_("You may not change series. Ask an administrator for the permission to change series."))


def refuse_adding(by: Actor) -> None:
    """Raise PermissionRefusedError unless the actor may set up series."""
    if not by.is_system and not may_add_series(by.user):
        raise forbid(_("You may not set up series. Ask an administrator for the permission to add series."))


def lock_series(series: Series) -> Series:
    """Lock the series' row until the transaction ends, and return it as stored now."""
    return Series.objects.select_for_update(of=("self",)).select_related("rules").get(pk=series.pk)


def lock_term(term: Term) -> Term:
    """Lock the series of a term, and return the term as stored now."""
    series = lock_series(Series(pk=term.series_id))
    found = Term.objects.get(pk=term.pk)
    found.series = series
    return found


def _kept_rules(text: str) -> SeriesRevision:
    """Store the text of a series as a revision; raise RuleViolationError with every fault."""
    refuse_long_format(text)
    text = tidied(text)
    try:
        rules = read_series(text, SOURCE)
    except FaultsError as error:
        raise RuleViolationError(*faults_found(error.faults)) from error
    return keep(SeriesRevision, rules.name, text)


@all_or_nothing
def create_series(*, plan: SeriesPlan, by: Actor) -> Series:
    """Create a series with its first term.

    1. Refuse actors without the permission, a slug that is taken or malformed, a missing name.
    2. Refuse a text with faults, all of them at once; otherwise store it as a revision.
    """
    refuse_adding(by)
    refuse_too_long(Series, {"slug": plan.slug, "name": plan.name, "name_en": plan.name_en})
    refuse_malformed_slug(plan.slug)
    _refuse_nameless(plan.name)
    _refuse_odd_term(plan.first_term, "/first_term")
    if Series.objects.filter(slug=plan.slug).exists():
        message = _("There is already a series at “%(slug)s”. Choose another address.")
        raise conflict("series_slug_taken", message % {"slug": plan.slug}, "/slug")
    revision = _kept_rules(plan.text)
    series = Series.objects.create(
        slug=plan.slug,
        name=plan.name.strip(),
        name_en=plan.name_en.strip(),
        rules=revision,
        is_public=plan.is_public,
        is_demo=plan.is_demo,
    )
    term = write_term(series, plan.first_term)
    after = {"slug": plan.slug, "rules": str(revision), "term": term.number, "is_public": plan.is_public}
    record_organization_change("series.created", series, by=by, after=after)
    return series


@all_or_nothing
def edit_series(*, series: Series, words: SeriesWords, by: Actor) -> Series:
    """Change the names of a series, or open it to the public."""
    require_series(by)
    refuse_too_long(Series, {"name": words.name, "name_en": words.name_en})
    _refuse_nameless(words.name)
    series = lock_series(series)
    before = {"name": series.name, "name_en": series.name_en, "is_public": series.is_public}
    after = {"name": words.name.strip(), "name_en": words.name_en.strip(), "is_public": words.is_public}
    if before != after:
        series.name, series.name_en, series.is_public = words.name.strip(), words.name_en.strip(), words.is_public
        series.save(update_fields=["name", "name_en", "is_public"])
        record_organization_change("series.edited", series, by=by, before=before, after=after)
        # The pages of the competitions link to the series by its name, and are cached by version.
        for competition in Competition.objects.filter(term__series=series).order_by("pk"):
            open_change(competition, by).record("competition.series_edited", competition)
    return series


@all_or_nothing
def revise_rules(*, series: Series, text: str, reason: str, by: Actor) -> SeriesRevision:
    """Give a series other rules; rosters that were written stay as they were decided.

    Refuse rules without a tier that a competition of the series is.
    """
    require_series(by)
    refuse_without_reason(reason)
    series = lock_series(series)
    before = series.rules
    revision = _kept_rules(text)
    if revision.pk == before.pk:
        return revision
    series.rules = revision
    keys = [each.key for each in places_of(rules_of_series(series))]
    lost = Competition.objects.filter(term__series=series).exclude(tier__in=keys).first()
    if lost is not None:
        message = _("“%(name)s” is tier %(tier)s of this series, which these rules do not have.")
        raise conflict("tier_in_use", message % {"name": lost, "tier": lost.tier}, "/text")
    series.save(update_fields=["rules"])
    record_organization_change(
        RULES_CHANGED, series, by=by, before={"rules": str(before)}, after={"rules": str(revision)}, reason=reason
    )
    # The tables of the tiers show what each rank leads to, so they are published again; terms whose next roster is
    # written keep the rules by which it was decided.
    decided = NextRoster.objects.filter(term__series=series, ended_at=None).values("term")
    for competition in Competition.objects.filter(term__series=series).exclude(term__in=decided).order_by("pk"):
        change = open_change(competition, by)
        change.record("competition.series_rules", competition, after={"rules": str(revision)}, reason=reason)
    return revision


def publish_places_again(term: Term, by: Actor) -> None:
    """Have the tables of a term's tiers published again: a decision has changed what their ranks lead to.

    Decisions on one tier also count in the others where tiers that are too small are filled.
    """
    for competition in Competition.objects.filter(term=term).order_by("pk"):
        open_change(competition, by).record("competition.series_places", competition)


@all_or_nothing
def add_term(*, series: Series, number: int, by: Actor) -> Term:
    """Add a term without competitions, such as an earlier one whose tables are to be kept too."""
    require_series(by)
    series = lock_series(series)
    _refuse_odd_term(number, "/number")
    if series.terms.filter(number=number).exists():
        message = _("Term %(number)s of this series exists already.") % {"number": number}
        raise conflict("term_exists", message, "/number")
    term = write_term(series, number)
    record_organization_change("series.term_added", series, by=by, after={"term": number})
    return term


def write_term(series: Series, number: int) -> Term:
    """Return a new term with its usual names."""
    return Term.objects.create(series=series, number=number, name=f"第{number}期", name_en=f"Term {number}")


@all_or_nothing
def attach_competition(*, term: Term, tier: str, competition: Competition, by: Actor) -> Competition:
    """Make an existing competition a tier of a term.

    Refuse an open table, a competition of another series, a tier that another competition is, and the tables of a term
    whose next roster is written.
    """
    require_series(by)
    require(by, competition, Capability.MANAGE)
    term = lock_term(term)
    refuse_written(term)
    lock(competition)
    competition.refresh_from_db()
    wanted = named_place(term, tier)
    if competition.kind != Competition.Kind.LEAGUE:
        message = _("“%(name)s” is an open table, which has no final table.")
        raise refuse("no_league", message % {"name": competition}, "/competition")
    if competition.term_id is not None and (competition.term_id, competition.tier) != (term.pk, tier):
        message = _("“%(name)s” is already the tier %(tier)s of a term. Take it out there first.")
        raise conflict(
            "competition_in_series", message % {"name": competition, "tier": competition.tier}, "/competition"
        )
    other = term.competitions.filter(tier=tier).exclude(pk=competition.pk).first()
    if other is not None:
        message = _("Tier %(tier)s of this term is “%(name)s”. Take it out first.")
        raise conflict("tier_taken", message % {"tier": tier, "name": other}, "/tier")
    place_in_series(competition, term, wanted, by)
    return competition


def place_in_series(competition: Competition, term: Term, tier: Tier | Outside, by: Actor) -> None:
    """Write that a competition is a tier of a term, in its own log."""
    change = open_change(competition, by)
    competition.term, competition.tier = term, tier.key
    competition.save(update_fields=["term", "tier"])
    after = {"series": term.series_id, "term": term.number, "tier": tier.key}
    change.record("competition.in_series", competition, after=after)


@all_or_nothing
def detach_competition(*, competition: Competition, reason: str, by: Actor) -> Competition:
    """Take a competition out of its term; it stays as it is otherwise."""
    require_series(by)
    require(by, competition, Capability.MANAGE)
    refuse_without_reason(reason)
    if competition.term is None:
        raise conflict("in_no_series", _("“%(name)s” is no tier of a series.") % {"name": competition})
    term = lock_term(competition.term)
    refuse_written(term)
    lock(competition)
    change = open_change(competition, by)
    before = {"series": term.series_id, "term": term.number, "tier": competition.tier}
    competition.term, competition.tier = None, ""
    competition.save(update_fields=["term", "tier"])
    change.record("competition.out_of_series", competition, before=before, reason=reason)
    return competition


@all_or_nothing
def create_tiers(
    *, term: Term, ruleset: str | RulesetRevision, by: Actor, entrants: dict[str, int] | None = None
) -> list[Competition]:
    """Create a draft for each tier of the term that has no competition yet, by the tier's format.

    `entrants` are the numbers of entrants expected in tiers whose format is of open size, by tier; otherwise the least
    number that the tier allows.
    """
    require_series(by)
    term = lock_term(term)
    there = set(term.competitions.values_list("tier", flat=True))
    expected = entrants or {}
    return [
        create_tier(term, tier, TierPlan(ruleset=ruleset, entrants=expected.get(tier.key, tier.size.least)), by)
        for tier in rules_of_series(term.series).tiers
        if tier.key not in there
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class TierPlan:
    """The rules and the number of entrants of a tier's new competition, and the one that it continues."""

    ruleset: str | RulesetRevision
    entrants: int
    options: dict[str, object] | None = None
    before: Competition | None = None


def create_tier(term: Term, tier: Tier, plan: TierPlan, by: Actor) -> Competition:
    """Create the draft of a tier and put it into the term; it has the settings of the competition that it continues."""
    league_format = keep_format(tier.format)
    is_open = format_of_revision(league_format).bounds is not None
    series, before = term.series, plan.before
    label = title_of_tier(tier, "ja"), title_of_tier(tier, "en")
    kept = (
        {
            "time_zone": before.time_zone,
            "day_starts_at": before.day_starts_at,
            "audience": before.audience,
            "confirmation": before.confirmation,
            "shows_odds": before.shows_odds,
        }
        if before
        else {}
    )
    competition = create_competition(
        plan=CompetitionPlan(
            slug=free_slug(series, term, tier),
            name=f"{series.name} {term.name} {label[0]}"[:100],
            name_en=f"{series.name_en or series.name} {term.name_en or term.name} {label[1]}"[:100],
            ruleset=plan.ruleset,
            options=plan.options or {},
            league_format=league_format,
            entrants=plan.entrants if is_open else None,
            is_demo=series.is_demo,
            **kept,  # type: ignore[arg-type]  # each value is the row's own of the same name
        ),
        by=by,
    )
    place_in_series(competition, term, tier, by)
    return competition


def title_of_tier(tier: Tier | Outside, language: str) -> str:
    """Return the tier's title in a language; its key without one."""
    return (tier.title.model_dump()[language] if tier.title else "") or tier.key


def free_slug(series: Series, term: Term, tier: Tier) -> str:
    """Return an address for a tier's competition that no other competition has or had."""
    stem = slugify(f"{series.slug[:LONGEST_STEM]}-{term.number}-{tier.key}")
    return next(slug for slug in numbered(stem) if not is_taken(slug))


def named_tier(term: Term, key: str) -> Tier:
    """Return the tier of this key; raise RuleViolationError with the keys that the rules have."""
    return _named(key, rules_of_series(term.series).tiers)


def named_place(term: Term, key: str) -> Tier | Outside:
    """Return the tier of this key, or the competition beside the tiers; raise RuleViolationError without one."""
    return _named(key, places_of(rules_of_series(term.series)))


def _named(key: str, known: Sequence[P]) -> P:
    found = next((each for each in known if each.key == key), None)
    if found is None:
        message = _("This series has no tier “%(tier)s”. It has: %(known)s.")
        raise refuse("unknown_tier", message % {"tier": key, "known": ", ".join(each.key for each in known)}, "/tier")
    return found


def refuse_written(term: Term) -> None:
    """Raise ConflictError once the roster of the next term is written: it followed from what is to be changed."""
    if term.next_rosters.filter(ended_at=None).exists():
        message = _("The roster after %(term)s is written. Take it back first.")
        raise conflict("roster_written", message % {"term": term})


def _refuse_nameless(name: str) -> None:
    if not name.strip():
        raise refuse("name_needed", _("Please enter the name of the series."), "/name")


def _refuse_odd_term(number: int, pointer: str) -> None:
    if not 1 <= number <= LARGEST_TERM:
        message = _("Terms have numbers from 1 to %(most)s.") % {"most": LARGEST_TERM}
        raise refuse("term_out_of_range", message, pointer)
