"""Start page of the admin: the user's open tasks, read in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Case, Count, QuerySet, When
from django.http import HttpRequest

from league.admin.base import may, may_set_up, own_competitions, page_of, public_page
from league.admin.competitions.wizard import WizardStep, steps_of
from league.models import Block, Competition, ResultSheet
from league.platform.site_url import is_loopback, network_urls, site_url
from league.selectors.access.actors import Capability
from league.selectors.competitions.match_days import MatchDay, next_match_days
from league.selectors.competitions.seating.pairing_rounds import due_pairings
from league.selectors.live.referee_calls import open_calls_in
from league.selectors.operations import health, pending_tasks
from league.selectors.results.blind_sheets import hidden_sheets
from league.selectors.seasons.line_ups import sessions_without_line_ups
from league.selectors.seasons.teams import is_team_league
from league.selectors.webhooks.subscriptions import failing_webhooks, why_disabled
from league.web.access.visitors import user_of

MOST_LISTED = 20
MOST_DRAFTS = 5


@dataclass(frozen=True, slots=True)
class SeasonLinks:
    """A competition with links to the lists that organizers open most."""

    competition: Competition
    public_url: str
    query: str


@dataclass(frozen=True, slots=True)
class RulableTie:
    """A tie that needs a ruling, with the address of the page to rule on it."""

    competition: Competition
    where: str
    names: Sequence[str]
    url: str


@dataclass(frozen=True, slots=True)
class UnfinishedLeague:
    """A league being set up, with the step to continue with."""

    competition: Competition
    step: str
    url: str


BY_STATUS = Case(
    When(status=Competition.Status.PUBLISHED, then=0), When(status=Competition.Status.DRAFT, then=1), default=2
)
"""The order of competitions: what is played, then what is prepared, then what is over."""


def start_page(request: HttpRequest) -> dict[str, object]:
    """Return the template context of the start page. Tasks that the user may not do are left out."""
    own = own_competitions(request)
    todo = things_to_do(request)
    running = next_match_days(own.filter(status=Competition.Status.PUBLISHED))
    drafts = list(drafts_of(request))
    seasons = own.annotate(people=Count("entrants")).order_by(BY_STATUS, "kind", "-created_at")[:MOST_LISTED]
    return {
        **todo,
        "silent": silent_parts(request),
        "overdue_backup": overdue_backup(request),
        "drafts": drafts,
        "today": [day for day in running if day.is_today],
        "coming": [day for day in running if not day.is_today][:MOST_LISTED],
        "is_quiet": not any(todo.values())
        and not drafts
        and all(day.progress.is_done for day in running if day.is_today),
        "held_back": list(pending_tasks.embargoed_tables(under_way(request, Capability.READ))[:MOST_LISTED]),
        "invitations": list(pending_tasks.open_invitations(under_way(request, Capability.MANAGE))[:MOST_LISTED]),
        "may_create": may_set_up(request),
        "may_have_demo": request.user.is_superuser,
        "phones_at": address_for_phones(request),
        "seasons": [
            SeasonLinks(one, public_page(one), urlencode({"competition__id__exact": one.pk})) for one in seasons
        ],
    }


def is_under_way(day: MatchDay) -> bool:
    """Return True if the session is played today and lacks results."""
    return day.is_today and not day.progress.is_done


def drafts_of(request: HttpRequest) -> Iterator[UnfinishedLeague]:
    """Yield the leagues that the user is setting up, the newest first, with the step to continue with."""
    managed = own_competitions(request, Capability.MANAGE)
    leagues = managed.filter(status=Competition.Status.DRAFT, kind=Competition.Kind.LEAGUE)
    # Finding the step costs queries for each draft, so that only a few are listed.
    for competition in leagues.order_by("-created_at")[:MOST_DRAFTS]:
        step = next_step(competition)
        yield UnfinishedLeague(competition, step.label, step.url)


def next_step(draft: Competition) -> WizardStep:
    """Return the first step of the set-up that is not done yet; for a draft at least publishing is left."""
    return next(step for step in steps_of(draft, "", has_teams=is_team_league(draft)) if step.url and not step.is_done)


def address_for_phones(request: HttpRequest) -> str:
    """Return the address at which phones in the venue open the service; empty where BASE_URL says it."""
    if settings.BASE_URL:
        return ""
    here = site_url(request)
    return f"{network_urls()[0] if is_loopback(here) else here}/"


def things_to_do(request: HttpRequest, competition: Competition | None = None) -> dict[str, object]:
    """Return the lists of open tasks by name, of all competitions or of one. All are empty on a quiet day."""
    entering = under_way(request, Capability.SUBMIT, competition)
    managed = under_way(request, Capability.MANAGE, competition)
    confirming = under_way(request, Capability.CONFIRM, competition)
    answering = entering | under_way(request, Capability.RULE, competition)
    tables = list(pending_tasks.due_tables(entering)[: MOST_LISTED + 1])
    pairings = due_pairings(managed)
    to_pair = {state.block.pk for state in pairings}
    return {
        "behind": list(pending_tasks.lagging_competitions(narrowed(own_competitions(request), competition))),
        "calls": list(open_calls_in(answering)[:MOST_LISTED]),
        "tables": pending_tasks.with_people(tables[:MOST_LISTED]),
        "has_more_tables": len(tables) > MOST_LISTED,
        "line_ups": list(sessions_without_line_ups(managed)[:MOST_LISTED]),
        "sheets_waiting": list(sheets_waiting(confirming, request)[:MOST_LISTED]),
        "ties": list(ties(under_way(request, Capability.RULE, competition))),
        "draws": pending_tasks.draws_due(managed),
        "pairings": pairings,
        "left_open": [block for block in pending_tasks.blocks_left_open(managed) if block.pk not in to_pair],
        "twice": list(pending_tasks.places_held_twice(managed)[:MOST_LISTED]),
        "misseated": list(pending_tasks.misseated_tables(managed)[:MOST_LISTED]),
        "unseeded": list(pending_tasks.blocks_to_seed(managed)[:MOST_LISTED]),
        "webhooks": [
            (hook, why_disabled(hook))
            for hook in failing_webhooks(managed, None if competition else request.user)[:MOST_LISTED]
        ],
    }


def under_way(
    request: HttpRequest, capability: Capability, competition: Competition | None = None
) -> QuerySet[Competition]:
    """Return the competitions that are not closed and in which the user has this capability, or one of them."""
    rows = own_competitions(request, capability).exclude(status=Competition.Status.CLOSED)
    return narrowed(rows, competition)


def narrowed(rows: QuerySet[Competition], competition: Competition | None) -> QuerySet[Competition]:
    """Return the rows, or the one competition if it is among them."""
    return rows if competition is None else rows.filter(pk=competition.pk)


def silent_parts(request: HttpRequest) -> Sequence[str]:
    """Return the parts of the service without a heartbeat for a minute; empty unless the user is a director."""
    return health.kinds_not_alive(health.parts()) if may(request, Capability.MANAGE) else ()


def overdue_backup(request: HttpRequest) -> health.BackupAge | None:
    """Return the newest backup's age if it is outdated and the user is a superuser, who can have one made."""
    newest = health.backup_age() if request.user.is_superuser else None
    return newest if newest and newest.is_overdue else None


def sheets_waiting(competitions: QuerySet[Competition], request: HttpRequest) -> QuerySet[ResultSheet]:
    """Return the result sheets that await confirmation and are visible to the user, oldest first."""
    return pending_tasks.sheets_waiting(competitions).exclude(pk__in=hidden_from(request))


def hidden_from(request: HttpRequest) -> QuerySet[ResultSheet, int]:
    """Return the ids of result sheets hidden from the user by blind entry.

    Only blocks of competitions with blind entry are searched: without that limit, beside a million results, a
    database would look at each of them.
    """
    blind = Block.objects.filter(
        competition__in=own_competitions(request), competition__confirmation=Competition.Confirmation.BLIND
    )
    rows = hidden_sheets(user_of(request), own_competitions(request, Capability.CORRECT))
    return rows.filter(hanchan__block__in=list(blind.order_by().values_list("pk", flat=True)))


def ties(competitions: QuerySet[Competition]) -> Iterator[RulableTie]:
    """Yield each tie that decides a place, with the address of the page to rule on it."""
    for tie in pending_tasks.ties_awaiting(competitions):
        query = urlencode([("scope", tie.scope), *(("entrant", pk) for pk in tie.entrants)])
        url = f"{page_of(tie.competition, 'rule')}?{query}"
        yield RulableTie(tie.competition, tie.where, tie.names, url)
