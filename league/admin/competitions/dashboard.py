"""Dashboard of a competition: its next session, missing results, people and schedule, and all settings below.

The page answers what to do now. One main action follows from the state of the competition; everything that belongs to
the competition is linked from here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.db.models import Count, Q
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from league.admin.base import ObjectLink, may, may_set_up, page_of, public_page
from league.admin.lists import changelist_url
from league.admin.operations.start import MOST_LISTED, is_under_way, next_step, things_to_do, under_way
from league.models import Audience, Competition, Outcome, ResultSheet, Role, RulesInForce, SlotState, TableSession
from league.selectors.access.actors import Capability
from league.selectors.competitions.match_days import (
    MatchDay,
    match_days,
    next_match_days,
    stage_progress,
)
from league.selectors.competitions.seating.plans import awaits_seats
from league.selectors.operations.pending_tasks import embargoed_tables, open_invitations, with_counts, with_people
from league.selectors.parlour.houses import house_slug
from league.selectors.rulebooks.rules_in_force import format_of, rules_at, ruleset_of
from league.selectors.seasons.team_statements import unconfirmed_teams
from league.selectors.seasons.teams import teams_of
from league.wording.names import person_name, title_in
from scoring.format import EntrantKind

FACTS = ("confirmation", "audience", "time_zone", "shows_odds", "live_delay", "advice")
"""The columns of a competition that the settings list with their values."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A setting in words, with the address of more about it."""

    label: str
    value: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class People:
    """The numbers of entrants, of those who have withdrawn, and of staff by role."""

    entrants: int
    withdrawn: int
    staff: Sequence[tuple[str, int]]


def dashboard(request: HttpRequest, competition: Competition) -> dict[str, object]:
    """Return the template context of a competition's page."""
    rules = rules_at(competition)
    is_league = competition.kind == Competition.Kind.LEAGUE
    has_teams = format_of(rules).kind is EntrantKind.TEAMS
    days = match_days(competition.sessions.filter(day=None).select_related("competition").order_by("number"))
    following = next_match_days(Competition.objects.filter(pk=competition.pk))
    next_day = next((day for day in following if not day.progress.is_done), None) or next(iter(following), None)
    stages = stage_progress(competition, rules) if is_league else []
    champion = champion_of(competition)
    todo = things_to_do(request, competition)
    return {
        **todo,
        "competition": competition,
        "is_league": is_league,
        "has_teams": has_teams,
        "main": main_action(request, competition, next_day, champion),
        "stages": stages,
        "champion": champion,
        "last_day": next((day for day in reversed(days) if day.progress.is_done), None),
        "next_day": next_day,
        "next_tables": with_people(list(tables_of(next_day))) if next_day else [],
        "awaits_seats": next_day is not None and awaits_seats(next_day.session),
        "to_play": [day for day in days if not day.progress.is_done and day != next_day],
        "played": [day for day in days if day.progress.is_done],
        "is_quiet": is_quiet(competition, todo, next_day),
        "held_back": list(embargoed_tables(under_way(request, Capability.READ, competition))[:MOST_LISTED]),
        "people": people_of(competition),
        "teams": teams_of(competition) if has_teams else [],
        "unconfirmed": unconfirmed_teams(competition) if has_teams else [],
        "invitations": list(open_invitations(under_way(request, Capability.MANAGE, competition))[:MOST_LISTED]),
        "facts": list(facts(competition, rules)),
        "addresses": addresses(competition, has_teams=has_teams),
        "seeded": list(seeded_blocks(request, competition)),
        "may_submit": may(request, Capability.SUBMIT, competition.pk),
        "may_manage": may(request, Capability.MANAGE, competition.pk),
    }


def is_quiet(competition: Competition, todo: Mapping[str, object], day: MatchDay | None) -> bool:
    """Return True if a published competition awaits nothing now, neither a decision nor results of today's session."""
    is_running = competition.status == Competition.Status.PUBLISHED
    return is_running and not any(todo.values()) and not (day and is_under_way(day))


def main_action(
    request: HttpRequest, competition: Competition, day: MatchDay | None, champion: str
) -> ObjectLink | None:
    """Return the one thing to do next in this state of the competition, or None if others have to do it."""
    is_open = competition.kind == Competition.Kind.OPEN
    match competition.status:
        case Competition.Status.DRAFT if may(request, Capability.MANAGE, competition.pk):
            step = None if is_open else next_step(competition)
            if step is None:
                return ObjectLink(_("Publish..."), page_of(competition, "publish"))
            return ObjectLink(_("Continue the set-up: %(step)s") % {"step": step.label}, step.url)
        case Competition.Status.PUBLISHED if is_open:
            return ObjectLink(_("Board of the tables"), reverse("pages:board", args=[house_slug(competition)]))
        case Competition.Status.PUBLISHED if day and not day.progress.is_done:
            night = ObjectLink(
                _("Enter results: %(session)s") % {"session": day.session}, page_of(day.session, "night")
            )
            return night if may(request, Capability.SUBMIT, competition.pk) else None
        case Competition.Status.PUBLISHED if champion and may(request, Capability.MANAGE, competition.pk):
            return ObjectLink(_("Close the competition..."), page_of(competition, "close"))
    return next_season(request, competition) if competition.status == Competition.Status.CLOSED else None


def next_season(request: HttpRequest, competition: Competition) -> ObjectLink | None:
    """Return the link to the set-up of a league like this one; in a series its next roster makes the next season."""
    is_single = competition.kind == Competition.Kind.LEAGUE and competition.term_id is None
    if competition.status == Competition.Status.DRAFT or not is_single:
        return None
    if not may_set_up(request) or not may(request, Capability.MANAGE, competition.pk):
        return None
    return ObjectLink(_("Next season..."), f"{reverse('admin:league_competition_set_up')}?before={competition.pk}")


def champion_of(competition: Competition) -> str:
    """Return the champion's name once it is certain, else an empty text."""
    certain = Outcome.objects.filter(
        competition=competition, audience=Audience.STAFF, champion_state=SlotState.State.CERTAIN
    )
    outcome = certain.select_related("champion__player").first()
    return person_name(outcome.champion.player) if outcome and outcome.champion else ""


def tables_of(day: MatchDay) -> Iterable[TableSession]:
    """Return the tables of a session with their counts."""
    tables = day.session.table_sessions.filter(is_cancelled=False).select_related("session", "block")
    return with_counts(tables).order_by("order", "pk")[: 2 * MOST_LISTED]


def people_of(competition: Competition) -> People:
    """Count the entrants and the staff."""
    entrants = competition.entrants.filter(merged_into=None).aggregate(
        all=Count("pk"), withdrawn=Count("pk", filter=Q(withdrawn_at__isnull=False))
    )
    roles = competition.memberships.order_by().values_list("role").annotate(number=Count("pk"))
    counts = dict(roles)
    staff = [(str(Role(role).label), counts[role]) for role in Role.values if role in counts]
    return People(entrants["all"], entrants["withdrawn"], staff)


def facts(competition: Competition, rules: RulesInForce) -> Iterator[Fact]:
    """Yield the settings with their values in words."""
    yield Fact(_("Rules"), title_in(ruleset_of(rules).title), page_of(rules.ruleset))
    yield Fact(_("Format"), title_in(format_of(rules).title), page_of(rules.format))
    if competition.kind == Competition.Kind.OPEN:
        yield Fact(_("business day starts at"), f"{competition.day_starts_at:%H:%M}")
    for name in FACTS:
        field = Competition._meta.get_field(name)
        value = getattr(competition, f"get_{name}_display", lambda name=name: getattr(competition, name))()
        shown = {True: _("yes"), False: _("no")}[value] if isinstance(value, bool) else str(value)
        yield Fact(str(getattr(field, "verbose_name", name)), shown)


def addresses(competition: Competition, *, has_teams: bool) -> dict[str, str]:
    """Return the addresses of the competition's lists and pages by name."""
    withdrawn = {"competition__id__exact": competition.pk, "withdrawn_at__isempty": 0}
    return {
        **{f"{model}s": changelist_url(model, competition) for model in ("tablesession", "entrant", "session")},
        "enter": page_of(competition, "set-up-players" if has_teams else "enter"),
        "set_up_schedule": page_of(competition, "set-up-schedule"),
        "public": public_page(competition),
        "withdrawn": f"{reverse('admin:league_entrant_changelist')}?{urlencode(withdrawn)}",
        "new_session": f"{reverse('admin:league_session_add')}?competition={competition.pk}",
        "new_table": f"{reverse('admin:league_tablesession_add')}?competition={competition.pk}",
        "staff": reverse("admin:league_membership_staff", args=[competition.pk]),
    }


def seeded_blocks(request: HttpRequest, competition: Competition) -> Iterator[ObjectLink]:
    """Yield links to assign the seeds of each block that has some, and no result yet."""
    if not may(request, Capability.MANAGE, competition.pk):
        return
    begun = ResultSheet.objects.counting().filter(hanchan__block__competition=competition).values("hanchan__block")
    blocks = competition.blocks.filter(slots__source__startswith="seed:").exclude(pk__in=begun).distinct()
    for block in blocks.select_related("stage").order_by("stage__order", "order"):
        yield ObjectLink(str(block), page_of(block, "seed"))


def settings_links(request: HttpRequest, competition: Competition) -> Iterator[ObjectLink]:
    """Yield the links to settings and records, grouped by heading."""
    look, rules, data, publishing = _("Look at"), _("Rules and structure"), _("Data"), _("Publishing")
    for label, model, path in record_lists(competition):
        yield ObjectLink(label, changelist_url(model, competition, path), group=look)
    yield ObjectLink(_("Data in and out"), page_of(competition, "data"), group=data)
    if not may(request, Capability.MANAGE, competition.pk):
        return
    yield ObjectLink(_("Webhooks"), changelist_url("webhooksubscription", competition), group=data)
    telling = f"{reverse('admin:league_webhooksubscription_add')}?people&competition={competition.pk}"
    yield ObjectLink(_("Tell people (Discord, Slack, LINE, mail)"), telling, group=data)
    yield ObjectLink(_("Change the rules"), page_of(competition, "rules"), group=rules)
    yield ObjectLink(_("Rules so far"), changelist_url("rulesinforce", competition), group=rules)
    yield ObjectLink(_("Stages"), changelist_url("stage", competition), group=rules)
    yield ObjectLink(_("Blocks"), changelist_url("block", competition), group=rules)
    yield ObjectLink(_("Slots"), changelist_url("slot", competition, "block__competition"), group=rules)
    yield ObjectLink(_("Name, audience, confirmation"), page_of(competition, "edit"), group=publishing)
    yield ObjectLink(_("Picture"), page_of(competition, "picture"), group=publishing)
    yield ObjectLink(_("Change the address"), page_of(competition, "address"), group=publishing)
    if may_set_up(request):
        yield ObjectLink(_("First page of this service"), page_of(competition, "first-page"), group=publishing)
    if following := next_season(request, competition):
        yield replace(following, group=publishing)
    if competition.status == Competition.Status.PUBLISHED:
        yield ObjectLink(_("Close the competition..."), page_of(competition, "close"), group=publishing)
        yield ObjectLink(_("Back to draft..."), page_of(competition, "withhold"), group=publishing, is_grave=True)
    else:
        reopened = competition.status == Competition.Status.CLOSED
        label = _("Open again...") if reopened else _("Publish...")
        yield ObjectLink(label, page_of(competition, "publish"), group=publishing)


def record_lists(competition: Competition) -> Iterator[tuple[str, str, str]]:
    """Yield the lists of what happened in the competition: label, model, and path to the competition."""
    if competition.kind == Competition.Kind.LEAGUE:
        yield _("Standings"), "standing", "block__competition"
    else:
        yield _("Totals of the guests"), "tally", "block__competition"
        yield _("Sittings"), "sitting", "table_session__competition"
    yield _("Results"), "resultsheet", "hanchan__block__competition"
    yield _("Rulings"), "ruling", "competition"
    yield _("Point adjustments"), "adjustment", "block__competition"
