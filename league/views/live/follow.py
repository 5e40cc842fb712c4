"""Pages for following a table from outside: the public page hand by hand, and the overlay of a broadcast.

Both show only what the audience may see: delayed by the competition's delay, and nothing of an embargoed table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.models import Hanchan, HanchanSeat, Player, SeatResult
from league.platform.rendering import render
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import hanchan_of
from league.selectors.competitions.schedule import is_later
from league.selectors.live.access import reads_advice
from league.selectors.live.advice import advice_of
from league.selectors.live.kyoku import Document, KyokuDocument, log_documents
from league.selectors.live.outlook import outlooks_of
from league.selectors.live.public import Live, live_of, live_state
from league.selectors.live.replay import has_replay
from league.selectors.live.seats import seat_document
from league.selectors.people.visibility import ledgers_shown, person_shown
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.selectors.standings.tables import block_table, result_grid, substituted_in
from league.views.base import PageData, for_visitor, reader_at, render_in_zone, show
from league.views.competitions.hall_tables import hall_table
from league.views.competitions.schedule import refuse_if_closed
from league.views.live.kyoku_lines import graph_of
from league.views.live.score_graph import ScoreGraph
from league.views.live.sheet_words import overlay_words
from league.web.response_cache import SHARED, SHARED_BRIEFLY, Read, Render, cached_response
from league.wording.formatting import points_text, rank_text, score_text
from league.wording.live.live import end_text, hands_before_text, table_text
from league.wording.marks import marks_at
from league.wording.messages import wind_name
from league.wording.names import person_name

Shows = Callable[[HttpRequest, Reader, Hanchan, str], HttpResponse]
"""A function that renders a table's current state with a template."""
NO_PLAYER = "–"
"""The text shown for a seat whose player's name must not be shown."""


@require_safe
def follow(request: HttpRequest, slug: str, key: int) -> HttpResponseBase:
    """Show the page that follows a hanchan; its script polls the part that changes."""
    return answer_each(request, partial(read, request, slug, key, "live/follow.html"))


@require_safe
def follow_now(request: HttpRequest, slug: str, key: int) -> HttpResponseBase:
    """Return the part of that page that changes."""
    return answer_each(request, partial(read, request, slug, key, "live/now.html"), SHARED_BRIEFLY)


@require_safe
def nowbox(request: HttpRequest, slug: str, key: int) -> HttpResponseBase:
    """Return the box of a running game for the competition's page; empty unless the game is followed and running."""
    return answer_each(
        request, partial(read, request, slug, key, "competitions/front/nowbox_part.html", boxed), SHARED_BRIEFLY
    )


@require_safe
def screen(request: HttpRequest, slug: str, key: int) -> HttpResponseBase:
    """Return the hall screen's table of a running game's block; empty unless the game is followed and running."""
    return answer_each(
        request, partial(read, request, slug, key, "competitions/hall/live_table.html", screened), SHARED_BRIEFLY
    )


def answer_each(request: HttpRequest, read: Read, shared_as: str = SHARED) -> HttpResponseBase:
    """Return the page, cached for all only if the request has no session; parts that are polled only for a second.

    A device that came by a table's link has a session without an account and may read more than the public, so no
    shared cache may store its response.
    """

    def read_for_visitor() -> tuple[str, Render]:
        etag, render_page = read()
        return for_visitor(request, etag), render_page

    is_shared = settings.SESSION_COOKIE_NAME not in request.COOKIES
    return cached_response(request, read_for_visitor, is_shared=is_shared, shared_as=shared_as)


def read(request: HttpRequest, slug: str, key: int, template: str, shown_by: Shows | None = None) -> tuple[str, Render]:
    """Return the ETag of the page as this visitor may read it, and a function that renders it (`followed`)."""
    reader, row = visible_hanchan(request, slug, key)

    def page(request: HttpRequest, reader: Reader) -> HttpResponse:
        return (shown_by or followed)(request, reader, row, template)

    with timezone.override(ZoneInfo(reader.competition.time_zone)):
        return tag(request, reader, row, template), partial(render_in_zone, page, request, reader)


def visible_hanchan(request: HttpRequest, slug: str, key: int) -> tuple[Reader, Hanchan]:
    """Return the hanchan as this visitor may read it; raise Http404 if they may not see it."""
    reader = reader_at(request, slug)
    refuse_if_closed(reader)
    row = hanchan_of(reader, key)
    if row is None:
        raise Http404(_("There is no such hanchan."))
    if is_later(reader, row):
        raise Http404(_("This game is hidden: you asked not to see the results of its session yet."))
    return reader, row


def tag(request: HttpRequest, reader: Reader, row: Hanchan, part: str) -> str:
    """Return the ETag, which changes with the log, as far as the reader may follow it."""
    is_advised = reads_advice(request, reader, row.table_session)
    return etag_of(reader, "live", part, row.pk, is_advised, *live_state(reader, row))


def followed(request: HttpRequest, reader: Reader, row: Hanchan, template: str) -> HttpResponse:
    """Render the table's current state, its hands so far, and their graph."""
    live = live_of(reader, row)
    is_advised = live.is_running and reads_advice(request, reader, row.table_session)
    return show(
        request,
        template,
        PageData(reader),
        tab="sessions",
        hanchan=row,
        table_session=row.table_session,
        session=row.table_session.session,
        view=Followed.of(live) if live.is_followed else None,
        typed=Typed.of(live) if live.typed else None,
        advice=advice_of(live.log, reader) if is_advised else None,
        delay=0 if reader.is_staff else reader.competition.live_delay,
        has_replay=has_replay(reader, row, live.sheet),
    )


def boxed(request: HttpRequest, reader: Reader, row: Hanchan, template: str) -> HttpResponse:
    """Render a running game's box: kyoku, scores, and the total and rank of each player if it ended now."""
    live = live_of(reader, row)
    state = live.log.state
    seats = list(boxed_seats(live))
    box = {
        "kyoku": table_text(state),
        "deposits": state.deposits(live.log.rules),
        "is_over": state.is_over,
        "seats": seats,
        "marks": marks_at(live.seats),
    }
    return show(
        request,
        template,
        PageData(reader),
        hanchan=row,
        table_session=row.table_session,
        box=box if live.is_running else None,
    )


def screened(request: HttpRequest, reader: Reader, row: Hanchan, template: str) -> HttpResponse:
    """Render the table of the game's block as it would be if the game ended now."""
    live, shown = live_of(reader, row), PageData(reader)
    rules = live.log.rules
    part = None
    if live.is_running and rules.ranking_ledger in ledgers_shown(reader, rules):
        table = block_table(reader, row.block, with_slots=False)
        grid = result_grid(reader, table.block)
        part = hall_table(table, table.lines, grid, shown.names, rules.ranking_ledger.scale, live)
    return show(request, template, shown, part=part, substituted=substituted_in(reader, [row.block]))


def boxed_seats(live: Live) -> Iterator[Document]:
    """Yield the seats, first dealer first, with the player as far as this audience may know who it is.

    `total_text` and `rank_text` say how the player would stand in the block if the game ended now and all others stood
    still; they are missing where the ranking is not public.
    """
    ledger = live.log.rules.ranking_ledger
    is_shown = ledger in ledgers_shown(live.reader, live.log.rules)
    outlooks = outlooks_of(live)
    for seat, name in zip(live.seats, names_of(live), strict=True):
        outlook, standing = outlooks[seat.entrant_id], live.standings.get(seat.entrant_id)
        marked = "*" if standing and standing.has_points_outside else ""
        yield {
            **seat_document(seat.seat, live.log.state, live.log.rules, live.settlement),
            "name": name,
            "player": seat.player if name != NO_PLAYER else None,
            "total_text": f"{points_text(outlook.total, ledger.scale)}{marked}" if is_shown else "",
            "rank_text": rank_text(outlook.rank) if is_shown and outlook.rank else "",
        }


@dataclass(frozen=True, slots=True)
class Followed:
    """The part of a followed game that the page shows."""

    kyoku: str
    deposits: int
    is_running: bool
    seats: tuple[Document, ...]
    ends: tuple[str, ...]
    hands: tuple[KyokuDocument, ...]
    """The hands, oldest first; the last one may be in progress."""
    winds: tuple[str, ...]
    """Names of the seat winds, first dealer first."""
    names: tuple[str, ...]
    graph: ScoreGraph | None

    @classmethod
    def of(cls, live: Live) -> Followed:
        """Return the game as the reader may see it."""
        log, state, rules = live.log, live.log.state, live.log.rules
        names = names_of(live)
        hands = tuple(log_documents(log, names))
        by_place = sorted(range(rules.players), key=lambda seat: live.settlement.places[seat])
        return cls(
            kyoku=table_text(state),
            deposits=state.deposits(rules),
            is_running=live.is_running and not state.is_over,
            seats=tuple(seat_of(live, seat, names[seat]) for seat in by_place),
            ends=tuple(end_text(end, names) for end in state.ends),
            hands=hands,
            winds=tuple(wind_name(wind) for wind in rules.setup.seat_winds[: rules.players]),
            names=names,
            graph=graph_of(log, hands, names),
        )


@dataclass(frozen=True, slots=True)
class Typed:
    """The data of a game whose result was typed: that result, and separately the hands recorded before it."""

    seats: tuple[Document, ...]
    hands: tuple[KyokuDocument, ...]
    """The hands, oldest first."""
    note: str
    """A note on the hand at which the record ends; empty if there are no hands."""
    names: tuple[str, ...]
    graph: ScoreGraph | None

    @classmethod
    def of(cls, live: Live) -> Typed:
        """Return the result as typed, with the hands that the reader may see."""
        log, names = live.log, names_of(live)
        hands = tuple(log_documents(log, names)) if live.has_log else ()
        return cls(
            seats=tuple(typed_seats(live)),
            hands=hands,
            note=hands_before_text(log.state) if hands else "",
            names=names,
            graph=graph_of(log, hands, names) if hands else None,
        )


def typed_seats(live: Live) -> Iterator[Document]:
    """Yield the seats of a typed result, best place first, with the keys of `seat_of` that the page reads."""
    sheet = live.typed
    if sheet is None:
        return
    rules, are_known = ruleset_of(sheet.rules, sheet.options), sheet.facts.get("are_seats_known", True)
    ledger = rules.ranking_ledger
    is_shown = ledger in ledgers_shown(live.reader, rules)
    for seat in sorted(live.typed_seats, key=lambda seat: seat.place):
        points = seat.totals[ledger.key]
        yield {
            "wind_text": wind_name(rules.setup.seat_winds[seat.seat]) if are_known else "",
            "name": name_of(live.reader, seat.player),
            "team": team_of(seat),
            "place_now": seat.place,
            "score": seat.final_score,
            "score_text": _("not counted") if sheet.facts.get("is_verdict") else score_text(seat.final_score),
            "points_text": points_text(points, ledger.scale, plus=True) if is_shown else "",
            "is_minus": points < 0,
        }


def names_of(live: Live) -> tuple[str, ...]:
    """Return the players' names by seat, as this audience may see them."""
    return tuple(name_of(live.reader, seat.player) for seat in live.seats)


def name_of(reader: Reader, player: Player) -> str:
    """Return a player's name as this audience may see it, in the letters of its language."""
    shown, japanese = person_shown(reader, player), (get_language() or "").startswith("ja")
    return (shown.name if japanese else shown.romaji or shown.name) if shown else NO_PLAYER


def team_of(seat: HanchanSeat | SeatResult) -> str:
    """Return the name of the team for which a member sits; empty in any other seat."""
    own = seat.entrant.player
    return person_name(own) if own.is_team and seat.player_id != own.pk else ""


def seat_of(live: Live, seat: int, name: str) -> Document:
    """Return a seat with the points its player would get if the game ended now."""
    rules = live.log.rules
    ledger = rules.ranking_ledger
    shown = ledger in ledgers_shown(live.reader, rules)
    points = live.settlement.totals[ledger.key][seat]
    return {
        **seat_document(seat, live.log.state, rules, live.settlement),
        "name": name,
        "team": team_of(live.seats[seat]),
        "points_text": points_text(points, ledger.scale, plus=True) if shown else "",
        "is_minus": points < 0,
    }


@require_safe
def overlay(request: HttpRequest, table: int) -> HttpResponse:
    """Render the overlay's empty page, whose script reads the table through the REST API with the visitor's own rights.

    The page is the same for every number, so it does not reveal whether a table exists.
    """
    data = {
        "table": str(table),
        "urls": {"table": reverse("api:live-table", args=[table]), "hanchan": reverse("api:hanchan")},
        # The stream sends what the public may read; a visitor with a session may read more, or less.
        "streams": bool(settings.ENVIRONMENT.stream_port) and settings.SESSION_COOKIE_NAME not in request.COOKIES,
        "words": overlay_words(),
        "language": (get_language() or "en").split("-")[0],
    }
    return render(request, "live/overlay.html", {"data": data})
