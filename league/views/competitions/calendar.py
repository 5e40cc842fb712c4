"""Calendars to subscribe to (iCalendar, RFC 5545): of a competition's tables, a block's, or a player's.

Calendar programs keep no cookie, so the URL may name the language: `?lang=en`; the spoiler guard holds for a file that
a browser opens, not for a subscription. With `?subscribe` the response redirects to the same URL under `webcal:`, which
calendar programs take as a subscription to refresh regularly.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from zoneinfo import ZoneInfo

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event, vText

from league.models import Block, Entrant
from league.platform.site_url import site_url
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.competitions.calendars import CalendarEntry, calendar_of
from league.views.base import conditional, reader_at
from league.views.competitions.schedule import refuse_if_closed
from league.web.middleware.language import language_asked
from league.wording.names import person_name, sitter_name, table_name, title_of

CONTENT_TYPE = "text/calendar; charset=utf-8"
ASKED_AGAIN_AFTER = dt.timedelta(hours=1)
"""The refresh interval suggested to calendar programs."""


class Subscription(HttpResponseRedirect):
    """A redirect to a calendar program, by the scheme `webcal`."""

    allowed_schemes = ["webcal", "webcals"]


@require_safe
def competition_calendar(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return the calendar of all tables of the competition that have a time."""
    reader = calendar_reader(request, slug)
    return calendar(request, reader)


@require_safe
def block_calendar(request: HttpRequest, slug: str, key: str) -> HttpResponseBase:
    """Return the calendar of one block's tables."""
    reader = calendar_reader(request, slug)
    block = Block.objects.filter(competition=reader.competition, key=key).first()
    if block is None:
        raise Http404(_("There is no such block."))
    return calendar(request, reader, block=block)


@require_safe
def player_calendar(request: HttpRequest, slug: str, key: str) -> HttpResponseBase:
    """Return the calendar of the tables at which one player sits."""
    reader = calendar_reader(request, slug)
    rows = Entrant.objects.filter(competition=reader.competition, player__key=key).select_related("player")
    entrant = rows.first()
    if entrant is None:
        raise Http404(_("There is no such player here."))
    return calendar(request, reader, entrant=entrant)


def calendar_reader(request: HttpRequest, slug: str) -> Reader:
    """Return the competition as the visitor may read it, with the spoiler guard applied.

    Raise Http404 if there is none, or if it is an open table, whose games are not public.
    """
    reader = reader_at(request, slug)
    refuse_if_closed(reader)
    return reader


def calendar(
    request: HttpRequest, reader: Reader, *, block: Block | None = None, entrant: Entrant | None = None
) -> HttpResponseBase:
    """Return the calendar, 304 if the client has the current one, or the redirect that subscribes to it."""
    site = site_url(request)
    language = language_asked(request) or translation.get_language()
    if "subscribe" in request.GET:
        return Subscription(f"webcal://{site.partition('://')[2]}{request.path}?lang={language}")
    with translation.override(language):
        of = title_of(block) if block else person_name(entrant.player) if entrant else ""
        name = " ".join(part for part in (title_of(reader.competition), of) if part)
        etag = etag_of(reader, "ics", request.path, name, site)

        def make() -> HttpResponse:
            with timezone.override(ZoneInfo(reader.competition.time_zone)):
                text = calendar_bytes(name, calendar_of(reader, block=block, entrant=entrant), site)
            return HttpResponse(text, content_type=CONTENT_TYPE)

        return conditional(request, etag, make)


def calendar_bytes(name: str, entries: Sequence[CalendarEntry], site: str) -> bytes:
    """Return the calendar file, with the time zones that its entries use."""
    file = Calendar()
    file.add("prodid", "-//Jantaku//calendar//EN")
    file.add("version", "2.0")
    file.add("method", "PUBLISH")
    for key in ("name", "x-wr-calname"):
        # A calendar's name is one line, whatever was typed; as a text its commas and backslashes are escaped.
        file.add(key, vText(" ".join(name.split())))
    file.add("refresh-interval", ASKED_AGAIN_AFTER, parameters={"VALUE": "DURATION"})
    for entry in entries:
        file.add_component(event(entry, site))
    file.add_missing_timezones()
    return bytes(file.to_ical())


def event(entry: CalendarEntry, site: str) -> Event:
    """Return one table as an event: place, time, players, and link; a cancelled one is marked and blocks no time."""
    row = entry.table_session
    zone = ZoneInfo(row.competition.time_zone)
    page = f"{site}{reverse('pages:table', args=[row.competition.slug, row.pk])}"
    found = Event()
    # The same table has the same UID in every calendar, so a program that subscribes to two shows it once.
    found.add("uid", entry.uid)
    found.add("sequence", entry.sequence)
    found.add("dtstamp", entry.changed_at.astimezone(dt.UTC))
    found.add("last-modified", entry.changed_at.astimezone(dt.UTC))
    found.add("dtstart", calendar_time(entry.starts_at, zone))
    found.add("dtend", calendar_time(entry.ends_at, zone))
    found.add(
        "summary", " ".join(filter(None, (title_of(row.competition), title_of(row.block), table_name(row.table))))
    )
    found.add("description", "\n".join(described(entry, page)))
    found.add("url", row.stream_link or page)
    found.add("status", "CANCELLED" if row.is_cancelled else "CONFIRMED")
    found.add("transp", "TRANSPARENT" if row.is_cancelled else "OPAQUE")
    if row.venue:
        found.add("location", row.venue)
    return found


def calendar_time(moment: dt.datetime, zone: ZoneInfo) -> dt.datetime:
    """Return the local time, or UTC for one that occurs twice: a local time in a calendar stands for the first."""
    local = moment.astimezone(zone)
    return moment.astimezone(dt.UTC) if local.fold else local


def described(entry: CalendarEntry, page: str) -> list[str]:
    """Return session, players, stream and page as lines of the event's description."""
    row = entry.table_session
    people = _(", ").join(map(sitter_name, entry.seats))
    lines = [title_of(row.session), people or _("players to be announced")]
    if row.stream_link:
        lines.append(_("Stream: %(address)s") % {"address": row.stream_link})
    return [*lines, page]
