"""Start page of the admin: the user's open tasks, read in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Count, QuerySet
from django.http import HttpRequest

from league.admin.base import may, may_set_up, own_competitions, page_of, public_page
from league.models import Block, Competition, ResultSheet
from league.platform.site_url import is_loopback, network_urls, site_url
from league.selectors.access.actors import Capability
from league.selectors.operations import health, pending_tasks
from league.selectors.results.blind_sheets import hidden_sheets
from league.selectors.webhooks.subscriptions import failing_webhooks, why_disabled
from league.web.visitors import user_of

MOST_LISTED = 20


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


def start_page(request: HttpRequest) -> dict[str, object]:
    """Return the template context of the start page. Tasks that the user may not do are left out."""
    own = own_competitions(request)
    todo = things_to_do(request)
    seasons = own.annotate(people=Count("entrants")).order_by("status", "kind", "-created_at")[:MOST_LISTED]
    return {
        **todo,
        "is_quiet": not any(todo.values()),
        "today": list(pending_tasks.sessions_today(own)),
        "held_back": list(pending_tasks.embargoed_tables(under_way(request, Capability.READ))[:MOST_LISTED]),
        "invitations": list(pending_tasks.open_invitations(under_way(request, Capability.MANAGE))[:MOST_LISTED]),
        "may_create": may_set_up(request),
        "may_have_demo": request.user.is_superuser,
        "phones_at": address_for_phones(request),
        "seasons": [
            SeasonLinks(one, public_page(one), urlencode({"competition__id__exact": one.pk})) for one in seasons
        ],
    }


def address_for_phones(request: HttpRequest) -> str:
    """Return the address at which phones in the venue open the service; empty where BASE_URL says it."""
    if settings.BASE_URL:
        return ""
    here = site_url(request)
    return f"{network_urls()[0] if is_loopback(here) else here}/"


def things_to_do(request: HttpRequest) -> dict[str, object]:
    """Return the lists of open tasks by name. All of them are empty on a quiet day."""
    entering = under_way(request, Capability.SUBMIT)
    managed = under_way(request, Capability.MANAGE)
    tables = list(pending_tasks.due_tables(entering)[: MOST_LISTED + 1])
    return {
        "silent": silent_parts(request),
        "behind": list(pending_tasks.lagging_competitions(own_competitions(request))),
        "tables": pending_tasks.with_people(tables[:MOST_LISTED]),
        "has_more_tables": len(tables) > MOST_LISTED,
        "sheets_waiting": list(sheets_waiting(under_way(request, Capability.CONFIRM), request)[:MOST_LISTED]),
        "ties": list(ties(under_way(request, Capability.RULE))),
        "draws": pending_tasks.draws_due(managed),
        "unseeded": list(pending_tasks.blocks_to_seed(managed)[:MOST_LISTED]),
        "webhooks": [(hook, why_disabled(hook)) for hook in failing_webhooks(managed)[:MOST_LISTED]],
    }


def under_way(request: HttpRequest, capability: Capability) -> QuerySet[Competition]:
    """Return the competitions that are not closed and in which the user has this capability."""
    return own_competitions(request, capability).exclude(status=Competition.Status.CLOSED)


def silent_parts(request: HttpRequest) -> Sequence[str]:
    """Return the parts of the service without a heartbeat for a minute; empty unless the user is a director."""
    return health.kinds_not_alive(health.parts()) if may(request, Capability.MANAGE) else ()


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
