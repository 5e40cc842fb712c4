"""Search page of the admin header: people, competitions, series, rankings, sessions, tables and clauses at once."""

from __future__ import annotations

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.admin.base import own_competitions
from league.platform.rendering import render
from league.selectors.competitions.match_days import match_days
from league.selectors.operations.admin_search import LONGEST, search_admin


def search(request: HttpRequest) -> HttpResponse:
    """Render the matches for `?q=`, limited to rows that the user may see."""
    asked = request.GET.get("q", "")[:LONGEST].strip()
    found = search_admin(asked, own_competitions(request), request.user)
    context: dict[str, object] = {
        **admin.site.each_context(request),
        "title": _("Search"),
        "asked": asked,
        "found": found,
        "match_days": match_days(found.sessions),
    }
    return render(request, "admin/search.html", context)
