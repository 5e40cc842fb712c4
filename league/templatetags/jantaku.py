"""Template tags and filters for names, numbers and labels in the reader's language.

Tags that write HTML, here and in the other modules, escape each text and return a `SafeString`. They do not call
`mark_safe`, which first looks for lazy texts: ten function calls for each of hundreds of rows and names.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import TYPE_CHECKING, NamedTuple, TypedDict, TypeVar

from django import template
from django.forms import BoundField
from django.http import HttpRequest
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.models import (
    Competition,
    Credit,
    Entrant,
    Hanchan,
    HanchanSeat,
    Player,
    SeatResult,
    SlotState,
    Standing,
)
from league.platform.site_url import site_url
from league.selectors.access.readers import Reader
from league.selectors.people.statuses import entrant_status
from league.selectors.results.penalty_causes import reason_text
from league.selectors.rulebooks.clauses import address
from league.selectors.standings.progress import Movement
from league.selectors.standings.what_if import TriedLine
from league.web.access.shared_links import loopback_advice, qr_code
from league.web.access.visitors import is_signed_in
from league.web.previews import Preview, preview_of
from league.web.standings import ladder_svg
from league.wording import formatting, messages, names
from league.wording.formatting import outside_text
from league.wording.marks import Mark, colour_of, competition_mark, mark_of, marks_at
from league.wording.seasons.series_moves import tier_title
from scoring.tiebreak import CreditKind

if TYPE_CHECKING:
    from league.selectors.standings.ladder_paths import Paths
    from league.selectors.standings.odds import BlockAdvance
    from league.selectors.standings.tables import BlockTable
    from league.web.long_lists import Wanted

V = TypeVar("V")
PICTURE_SIZE = (256, 256)
"""Width and height in pixels of a stored picture at its largest: they keep the place free while it loads."""
LONGEST_MARK = 3
"""Letters of a block's key that is a mark such as A or po1; a longer key is a word that no reader knows."""


class LeagueContext(TypedDict, total=False):
    """The entries of a page's template context that tags read; each page has those that its tags need."""

    request: HttpRequest
    reader: Reader
    competition: Competition
    names: names.Names
    scale: int
    language: str
    is_closed: bool
    has_teams: bool
    places: Sequence[int]
    substituted: Container[tuple[int, int]]
    movement: Movement | None
    advance: BlockAdvance | None
    has_outside: bool
    table: BlockTable
    wanted: Wanted
    paths: Paths
    lit: str


class PageValues(NamedTuple):
    """The values of a page that its rows built in Python need, looked up once for all of them."""

    context: LeagueContext
    competition: Competition
    slug: str
    language: str
    scale: int
    names: names.Names
    is_closed: bool
    substituted: Container[tuple[int, int]]
    paths: Paths | None
    lit: str


def page_values(context: LeagueContext) -> PageValues:
    """Return the values of a page for its rows."""
    competition = context["competition"]
    return PageValues(
        context,
        competition,
        competition.slug,
        context["language"],
        context["scale"],
        context["names"],
        context.get("is_closed", False),
        context.get("substituted", ()),
        context.get("paths"),
        context.get("lit") or "",
    )


register = template.Library()
register.simple_tag(address)
register.simple_tag(qr_code)
register.simple_tag(loopback_advice)


register.filter("title_of", names.title_of)
register.filter("title_in", names.title_in)
register.filter("role_title", names.role_title)
register.filter("tier_title", tier_title)
register.filter("table_name", names.table_name)
register.filter("book_name", names.book_name)
register.filter("round_name", names.round_name)
register.filter("game_name", names.game_name)
register.filter("person", names.person_name)
register.filter("sitter", names.sitter_name)
register.filter("club", names.club_text)
register.filter("reading", names.reading_of)
register.filter("day_text", formatting.day_text)
register.filter("day", formatting.date_text)
register.filter("moment", formatting.moment_text)
register.filter("clock", formatting.time_text)
register.filter("rank_text", formatting.rank_text)
register.filter("place_text", formatting.place_text)
register.filter("score", formatting.score_text)
register.filter("money", formatting.money_text)
register.filter("criterion", messages.criterion_name)
register.filter("decision_criterion", messages.decision_criterion)
register.filter("source", messages.source_label)
register.filter("because", messages.slot_reason)
register.filter("reason", reason_text)
register.filter("table_marks", marks_at)
register.filter("fitted", ladder_svg.fitted)


_TOOL = (
    '<a class="tool{}" href="{}"{}><svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">'
    '<circle cx="12" cy="8" r="4"/><path d="M4 21c0-5 4-7 8-7s8 2 8 7"/></svg><span class="vh">{}</span></a>'
)


@register.simple_tag(takes_context=True)
def person_link(context: LeagueContext, entrant: Entrant) -> SafeString:
    """Return an entrant's name with a link to their page; guests of an open table have no page and no link."""
    player, language = entrant.player, context.get("language")
    if context.get("is_closed"):
        return SafeString(escape(names.person_name(player, language)))
    return SafeString(linked_name(player, context["competition"].slug, language))


def linked_name(player: Player, slug: str, language: str | None) -> str:
    """Return a player's name with a link to their page in a competition, escaped."""
    name, path = names.person_name(player, language), address("entrant", slug, player.key)
    return f'<a href="{escape(path)}">{escape(name)}</a>'


def shown_name(page: PageValues, player: Player) -> str:
    """Return an entrant's name as `person_link` does, for rows built in Python."""
    if page.is_closed:
        return escape(names.person_name(player, page.language))
    return linked_name(player, page.slug, page.language)


@register.simple_tag(takes_context=True)
def member_link(context: LeagueContext, player: Player) -> SafeString:
    """Return the name of a team's member with a link to the member's page."""
    return format_html(
        '<a href="{}">{}</a>', address("member", context["competition"].slug, player.key), names.person_name(player)
    )


@register.simple_tag(takes_context=True)
def seat_name(context: LeagueContext, seat: HanchanSeat | SeatResult, *, is_linked: bool = False) -> SafeString:
    """Return the name of a seat, with a second line where two names belong to it.

    A team's seat has its member and the team, or says that the member is not announced; a substitute stands below the
    player who was entered.
    """
    entrant, language = seat.entrant, context.get("language")
    own = person_link(context, entrant) if is_linked else escape(names.person_name(entrant.player, language))
    if seat.player_id == entrant.player_id:
        below = escape(_("not announced")) if entrant.player.is_team else ""
    elif entrant.player.is_team:
        sits = member_link(context, seat.player) if is_linked else escape(names.person_name(seat.player, language))
        own, below = sits, own
    else:
        below = escape(_("substitute: %(name)s") % {"name": names.person_name(seat.player, language)})
    return SafeString(f"{own} <small>{below}</small>" if below else own)


@register.simple_tag(takes_context=True)
def outside_mark(context: LeagueContext, row: Standing, *, is_linked: bool = True) -> SafeString:
    """Return the mark beside a total that has points from outside the hanchan, with the amounts; else nothing.

    It links to the list of them on the block's page, except where pages are only looked at, or private.
    """
    if not row.has_points_outside:
        return SafeString()
    text = escape(outside_text(row.adjustment, row.credited, context["scale"]))
    if context.get("is_closed") or not is_linked:
        return SafeString(
            f'<abbr title="{text}"><span aria-hidden="true">*</span><span class="visually-hidden">{text}</span></abbr>'
        )
    path = escape(address("block", context["competition"].slug, row.block.key))
    return SafeString(f' <a class="why" href="{path}#adjustments" title="{text}" aria-label="{text}">*</a>')


@register.filter
def credit_kind(kind: str) -> str:
    """Return the reason for which a round counts without having been played."""
    return _("annulled") if kind == CreditKind.ANNULLED else str(Credit.Kind(kind).label)


@register.simple_tag(takes_context=True)
def site_advice(context: LeagueContext) -> str:
    """Return what to do if the page's links, such as a calendar's, open on this machine only; else an empty text."""
    return loopback_advice(site_url(context["request"]))


@register.simple_tag(takes_context=True)
def as_of(context: LeagueContext, hanchan: Hanchan) -> str:
    """Return the furthest hanchan that counts on the page, in words."""
    session, language = hanchan.table_session.session, context["language"]
    values = {
        "session": names.title_of(session, language),
        "block": names.title_of(hanchan.block, language),
        "number": hanchan.round,
    }
    if context["competition"].kind == Competition.Kind.OPEN:
        return _("As of %(session)s") % values
    if session.name == hanchan.block.name:
        return _("As of %(block)s, hanchan %(number)s") % values
    return _("As of %(session)s, %(block)s, hanchan %(number)s") % values


@register.simple_tag(takes_context=True)
def sign_in_link(context: LeagueContext) -> SafeString:
    """Return the link to sign in, or to the account of a visitor who is signed in; ETags tell the two pages apart."""
    request = context.get("request")
    # An error page may be rendered before the visitor is known, or without a request.
    if request is not None and hasattr(request, "user") and is_signed_in(request):
        return format_html(_TOOL, " on", address("account"), "", _("Account"))
    return format_html(_TOOL, "", address("sign_in"), SafeString(' rel="nofollow"'), _("Sign in"))


@register.simple_tag(takes_context=True)
def status_word(context: LeagueContext, entrant: Entrant) -> str:
    """Return how an entrant has left, or that the player is a house player; else an empty text."""
    return entrant_status(context["competition"], entrant, context.get("reader"))


@register.simple_tag(takes_context=True)
def status_tag(context: LeagueContext, entrant: Entrant) -> SafeString:
    """Return the mark beside the name of an entrant who left or is a house player, with a blank before it, if any."""
    return SafeString(written_status(context, entrant))


def written_status(context: LeagueContext, entrant: Entrant) -> str:
    """Return the mark of `status_tag`, for rows built in Python."""
    word = entrant_status(context["competition"], entrant, context.get("reader"))
    return f' <span class="tag">{escape(word)}</span>' if word else ""


@register.simple_tag
def mark(player: Player, table: Mapping[int, Mark] | None = None) -> SafeString:
    """Return the player's mark, among the marks of a table (`marks_of`) if they are given.

    Screen readers skip the tile, since the name stands beside it.
    """
    return _tile((table or {}).get(player.pk) or mark_of(player))


@register.simple_tag
def seat_mark(seat: HanchanSeat | SeatResult, kind: str = "t") -> SafeString:
    """Return the mark of the one who sits; a member sits under the team's."""
    return portrait(seat.entrant.player if seat.entrant.player.is_team else seat.player, kind)


@register.simple_tag
def portrait(player: Player, kind: str = "t") -> SafeString:
    """Return the player's picture in the frame of their tile, or the tile: for tiles of 40 px and more."""
    return _picture(player, kind, mark_of(player)) if player.picture else _tile(mark_of(player), kind)


@register.filter
def colour_class(player: Player) -> str:
    """Return the class that sets `--c` to the player's colour."""
    return f"c{colour_of(player)}"


@register.simple_tag(takes_context=True)
def preview(context: Context) -> Preview | None:
    """Return title, description and URLs for the page's head; None for pages without a preview."""
    request = context.get("request")
    return (
        preview_of(request, {str(name): value for name, value in context.flatten().items()})
        if request is not None
        else None
    )


@register.simple_tag
def league_portrait(competition: Competition, kind: str = "t") -> SafeString:
    """Return the competition's picture, never smaller than 40 px, or its filled tile, unlike those of players."""
    shown = competition_mark(competition)
    return _picture(competition, kind, shown) if competition.picture else _tile(shown, f"{kind} fill")


def _picture(row: Player | Competition, kind: str, shown: Mark) -> SafeString:
    return format_html(
        '<span class="{} pic c{}" aria-hidden="true"><img src="{}" alt="" width="{}" height="{}"></span>',
        kind, shown.colour, address("picture", row.picture), *PICTURE_SIZE,
    )  # fmt: skip


def _tile(shown: Mark, kind: str = "t") -> SafeString:
    # The kind is a class of ours and needs no escaping.
    form = f"{kind} fill" if shown.is_filled else kind
    return SafeString(f'<span class="{form} c{shown.colour}" aria-hidden="true">{escape(shown.glyph)}</span>')


def substitute_mark() -> SafeString:
    """Return the mark beside the name of a player for whom a substitute sat, with a link to the note on it."""
    words = escape(_("A substitute sat for this player"))
    return SafeString(f'<a class="why" href="#substituted" target="_self" aria-label="{words}">†</a>')


@register.simple_tag
def glyph(x: int, y: int, state: str) -> SafeString:
    """Return the circle around (x, y) of an SVG that shows how certain a slot is: filled, half, empty, or with “!”."""
    shapes: Mapping[str, str] = {
        SlotState.State.PROVISIONAL: f'<path d="M{x} {y - 5}a5 5 0 0 0 0 10z"/>',
        SlotState.State.RULING: f'<text x="{x}" y="{y + 4}">!</text>',
    }
    return SafeString(
        f'<g class="glyph {state}" aria-hidden="true"><circle cx="{x}" cy="{y}" r="5"/>{shapes.get(state, "")}</g>'
    )


@register.filter
def shown_value(field: BoundField) -> SafeString:
    """Return the hidden input with the value that the page shows, for a field whose choices are rendered one by one."""
    return field.as_hidden(only_initial=True) if field.field.show_hidden_initial else SafeString("")


@register.filter
def points(value: int | None, scale: int) -> str:
    """Format an amount at a ledger's scale; a dash for None."""
    return "–" if value is None else formatting.points_text(value, scale)


@register.filter
def signed(value: int, scale: int) -> str:
    """Format an amount with its sign, also for gains."""
    return formatting.points_text(value, scale, plus=True)


@register.filter
def amount(value: Fraction, scale: int) -> str:
    """Format an exact amount of a settlement line with its sign."""
    return formatting.amount_text(value, scale, plus=True)


@register.filter
def average(value: Fraction | None) -> str:
    """Format an average to two decimals; a dash for None."""
    return "–" if value is None else formatting.decimal_text(value, 2)


@register.filter
def percent(value: Fraction | None) -> str:
    """Format a share in percent to one decimal; a dash for None."""
    return "–" if value is None else f"{formatting.decimal_text(value, 1)}%"


@register.filter
def leads_to(row: Standing | TriedLine, known: names.Names) -> str:
    """Return the destination of a line's rank, or of its entrant once that is certain."""
    return messages.destination_label(row.destination, known, row.goes)


def short_source(text: str) -> str:
    """Return the shortest form of a slot's source: A 2 for block A, the rank alone for longer keys."""
    key, _hash, rank = text.removeprefix("best:").partition("#")
    place = rank.partition("/")[0]
    return formatting.rank_text(int(place)) if place.isdecimal() and len(key) > LONGEST_MARK else f"{key} {rank}"


def moved(movement: Movement, standing: Standing) -> SafeString:
    """Return an arrow with the number of ranks an entrant rose or fell since the last session; empty if unchanged."""
    by = movement.of(standing.entrant_id, standing.rank) if standing.is_ranked else 0
    if not by:
        return SafeString()
    way, arrow, words = ("up", "↑", _("up %(count)s")) if by > 0 else ("down", "↓", _("down %(count)s"))
    return SafeString(
        f'<span class="moved {way}"><span aria-hidden="true">{arrow}{abs(by)}</span>'
        f'<span class="visually-hidden">{escape(words % {"count": abs(by)})}</span></span>'
    )


@register.filter
def had_substitute(standing: Standing, substituted: Container[tuple[int, int]]) -> bool:
    """Return True if a substitute played for the entrant in a result of this block."""
    return (standing.block_id, standing.entrant_id) in substituted


@register.filter
def goes_on(standing: Standing) -> bool:
    """Return True if the destination of a rank is worth showing: a rank in the final already says it itself."""
    where = standing.destination
    return bool(where) and where != "champion" and not where[0].isdigit()


@register.filter
def of(values: Mapping[object, V], key: object) -> V | None:
    """Return the value of a key; None without one."""
    return values.get(key)


@register.filter
def at(values: Sequence[V], place: int) -> V:
    """Return the value of a place, counted from 1."""
    return values[place - 1]
