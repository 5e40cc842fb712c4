"""Header of the admin: links to the tasks the user may do, and a search box over everything the user may see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from league.admin.base import may, may_set_up, own_competitions
from league.models import Competition
from league.selectors.access.actors import Capability
from league.selectors.rulebooks.catalogue import may_write_formats
from league.selectors.seasons.rankings import may_write_rankings
from league.selectors.seasons.series_rules import may_change_series
from league.services.rulebooks.own_rulesets import may_write_rulesets


@dataclass(frozen=True, slots=True)
class Task:
    """A link in the header. `is_here` marks the one that the current page belongs to."""

    label: str
    url: str
    is_here: bool


def tasks_of(request: HttpRequest) -> list[Task]:
    """Return the header links for the user, with the current one marked."""
    return [Task(label, url, is_within(request.path, [url, *more])) for label, url, more in all_tasks(request)]


def all_tasks(request: HttpRequest) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield each task allowed to the user: label, address, and the addresses of further pages that belong to it."""
    lists = listing("tablesession", "session", "hanchan", "resultsheet")
    yield _("To do"), reverse("admin:index"), ()
    if may(request, Capability.READ):
        yield _("Match days"), listing("session")[0], lists
    if may(request, Capability.READ) or may_set_up(request):
        yield _("Competitions"), listing("competition")[0], listing("entrant", "stage", "block", "slot", "standing")
        yield _("Players"), listing("player")[0], ()
    yield from tasks_across(request)
    if may(request, Capability.READ) or may_set_up(request) or may_write_rulesets(request.user):
        writes_formats = may_write_formats(request.user)
        formats = listing("formatrevision")
        yield _("Rules"), listing("rulesetrevision")[0], listing("rulesinforce") + (() if writes_formats else formats)
        if writes_formats:
            yield _("Formats"), formats[0], ()
    if has_parlour(request):
        yield (
            _("Parlour"),
            reverse("pages:boards"),
            listing("sitting", "waitingguest", "dayclose", "statement", "payment", "tillclose", "tally"),
        )
    if may(request, Capability.READ):
        yield _("Log"), listing("change")[0], listing("ruling", "adjustment", "override", "closing", "draw")
    yield _("Account"), reverse("pages:account"), ()


def tasks_across(request: HttpRequest) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield the tasks across competitions that are allowed to the user."""
    if may_change_series(request.user):
        yield _("Series"), listing("series")[0], ()
    if may_write_rankings(request.user):
        yield _("Rankings"), listing("ranking")[0], listing("eventlisted")


def has_parlour(request: HttpRequest) -> bool:
    """Return True if the user works for an open table that is not closed."""
    parlours = own_competitions(request).filter(kind=Competition.Kind.OPEN)
    return parlours.exclude(status=Competition.Status.CLOSED).exists()


@cache
def listing(*models: str) -> tuple[str, ...]:
    """Return the addresses of the changelists of these models; each page needs about forty, always the same."""
    return tuple(reverse(f"admin:league_{model}_changelist") for model in models)


def is_within(path: str, addresses: Iterable[str]) -> bool:
    """Return True if the path is one of the addresses or below one of them. The start page has no pages below it."""
    # Every admin address begins with the start page's, which would mark "To do" everywhere.
    start = reverse("admin:index")
    return any(path == url or (url != start and path.startswith(url)) for url in addresses)
