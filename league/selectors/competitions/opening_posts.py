"""Texts for social media posts, in each language: that a league is online, with its next session, and its champion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league.models import Competition, Entrant, TableSession
from league.selectors.operations.pending_tasks import with_gaps
from league.selectors.results.bulletin import Bulletin
from league.wording.formatting import moment_text
from league.wording.names import person_name, title_of


def next_table(competition: Competition) -> TableSession | None:
    """Return the first table of the next session with a result to come; None if nothing is scheduled."""
    rows = TableSession.objects.filter(competition=competition, is_cancelled=False).select_related("session")
    return with_gaps(rows).order_by("session__number", "starts_at", "order", "pk").first()


def opening_posts(competition: Competition, address: str) -> tuple[Bulletin, ...]:
    """Return the posts, one per language, the active language first."""
    table = next_table(competition)
    return _in_each_language(competition, lambda: _lines(competition, table, address))


def title_posts(competition: Competition, champion: Entrant, address: str) -> tuple[Bulletin, ...]:
    """Return the posts that name the champion of a competition, one per language, the active language first."""

    def lines() -> Iterator[str]:
        values = {"name": title_of(competition), "player": person_name(champion.player)}
        yield _("%(name)s: the champion is %(player)s.") % values
        yield address

    return _in_each_language(competition, lines)


def _in_each_language(competition: Competition, lines: Callable[[], Iterator[str]]) -> tuple[Bulletin, ...]:
    here = translation.get_language()
    found = []
    for language, name in sorted(settings.LANGUAGES, key=lambda each: each[0] != here):
        with translation.override(language), timezone.override(ZoneInfo(competition.time_zone)):
            found.append(Bulletin(language, name, "\n".join(lines())))
    return tuple(found)


def _lines(competition: Competition, table: TableSession | None, address: str) -> Iterator[str]:
    yield _("%(name)s: standings, schedule and results are online.") % {"name": title_of(competition)}
    # A table held back is no news for the public yet.
    if table is not None and table.starts_at and table.is_released:
        when = " ".join(filter(None, (moment_text(table.starts_at), table.venue)))
        yield f"{title_of(table.session)}: {when}"
    yield address
