"""Previews of links: one sentence of standing for a page's head, and the card that chat applications show with it.

The sentence is made from what the page has read already, so it costs no query and shows no more than the page does.
The card (`league_card` and the others) is made for the anonymous visitor alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from league.models import Competition, Entrant, Outcome, Player, Ranking, Series, SlotState, Standing
from league.selectors.competitions.overview import Stamp
from league.selectors.competitions.schedule import PlayedHanchan
from league.selectors.people.pictures import public_picture
from league.selectors.people.player_records import PlayerTotal
from league.selectors.rulebooks.clauses import address
from league.selectors.standings.tables import BlockTable, StandingLine
from league.web.card_image import ROWS, Card, CardRow
from league.wording.formatting import date_text, outside_text, place_text, points_text, rank_text, score_text
from league.wording.marks import Mark, competition_mark, mark_of, marks_at, marks_of
from league.wording.names import person_name, sitter_name, title_of

CARDS = {"home": "home", "champion": "home", "block": "block", "entrant": "entrant", "hanchan": "hanchan"}
"""The pages with a card of their own by route name, with the first part of the name of the card's route."""
IN_COMPETITIONS = frozenset(
    {*CARDS, "advanced", "charts", "ranking", "entrants", "sessions", "session", "table", "conditions", "odds", "rules"}
    | {"records", "corrections"}
)
"""The pages of a competition that have one canonical URL; all of them are public if the competition is."""
ELSEWHERE = {
    "start": "cards",
    "player": "player",
    "rulebook": "book",
    "all-time": "tables",
    "series-list": "rows",
    "series": "series",
    "series-term": "series",
    "rankings": "rankings",
    "ranking-across": "ranking",
}
"""The other pages with a preview, with a name that their context has unless the page was not found."""
SENTENCE_LINES = 3


@dataclass(frozen=True, slots=True)
class Preview:
    """The texts and URLs of a page's head; URLs are absolute if BASE_URL is set."""

    title: str
    description: str
    url: str
    """The URL in the visitor's language of that moment."""
    image: str
    """The URL of the card; empty without one."""

    @property
    def canonical(self) -> str:
        """Return the URL that search engines keep for this language."""
        return in_language(self.url, get_language() or "")

    @property
    def alternates(self) -> list[tuple[str, str]]:
        """Return each language with its URL."""
        return [(language, in_language(self.url, language)) for language, _name in settings.LANGUAGES]


def in_language(url: str, language: str) -> str:
    """Return a page's URL in a fixed language."""
    return f"{url}?lang={language}"


def public_url(path: str) -> str:
    """Return the absolute URL of a path, or the path alone without BASE_URL.

    Pages are cached for all visitors, so the host that one of them has named must not stand in them.
    """
    return f"{str(settings.BASE_URL).rstrip('/')}{path}"


def preview_of(request: HttpRequest, shown: Mapping[str, object]) -> Preview | None:
    """Return the preview of a page from its template context; None for pages that are not for search engines."""
    match = request.resolver_match
    name = match.url_name if match else None
    if match is None or name is None:
        return None
    competition = shown.get("competition")
    if not isinstance(competition, Competition):
        if shown.get(ELSEWHERE.get(name, "")) is None:
            return None
        return Preview(_site_title(shown), _("Standings, schedules and rules of mahjong leagues."), _url(request), "")
    if name not in IN_COMPETITIONS or not competition.is_readable_by_public:
        return None
    image = ""
    if name in CARDS and settings.BASE_URL and not (name == "hanchan" and not _has_result(shown)):
        keys = [str(match.kwargs["key"])] if "key" in match.kwargs else []
        path = address(f"{CARDS[name]}-card", competition.slug, *keys, get_language() or "")
        reader = shown["reader"]
        image = public_url(f"{path}?v={getattr(reader, 'version', 0)}")
    return Preview(_title(shown, competition), sentence(shown, competition), _url(request), image)


def _url(request: HttpRequest) -> str:
    return public_url(request.path)


def _site_title(shown: Mapping[str, object]) -> str:
    player, across = shown.get("player"), shown.get("series") or shown.get("ranking")
    if isinstance(across, Series | Ranking):
        return f"{title_of(across)} – Jantaku"
    return f"{person_name(player)} – Jantaku" if isinstance(player, Player) else "Jantaku"


def _has_result(shown: Mapping[str, object]) -> bool:
    played = shown.get("played")
    return isinstance(played, PlayedHanchan) and bool(played.results)


def _title(shown: Mapping[str, object], competition: Competition) -> str:
    """Return the title of a page without its site."""
    player, block, played = shown.get("player"), shown.get("this_block"), shown.get("played")
    league = title_of(competition)
    if isinstance(played, PlayedHanchan):
        return f"{hanchan_title(played)} – {league}"
    if isinstance(player, Player):
        return f"{person_name(player)} – {league}"
    return f"{block} – {league}" if block is not None else league


def hanchan_title(played: PlayedHanchan) -> str:
    """Return the block and number of a hanchan."""
    hanchan = played.hanchan
    return pgettext("a preview", "%(block)s, hanchan %(number)s") % {
        "block": title_of(hanchan.block),
        "number": hanchan.number,
    }


def sentence(shown: Mapping[str, object], competition: Competition) -> str:
    """Return one sentence about what the page shows."""
    scale = shown.get("scale")
    found = _of_page(shown, scale) if isinstance(scale, int) else ""
    return found or _("Standings, schedule and rules of %(league)s.") % {"league": title_of(competition)}


def _of_page(shown: Mapping[str, object], scale: int) -> str:
    played, page = shown.get("played"), shown.get("page")
    if isinstance(played, PlayedHanchan):
        return hanchan_sentence(played, scale)
    if (totals := getattr(page, "totals", None)) is not None and isinstance(shown.get("player"), Player):
        return totals_sentence(totals, scale)
    table, tables = shown.get("table"), shown.get("tables")
    main = table if isinstance(table, BlockTable) else main_table(tables if isinstance(tables, tuple | list) else ())
    champion = shown.get("champion")
    first = _("Champion: %(name)s.") % {"name": person_name(champion.player)} if isinstance(champion, Entrant) else ""
    return " ".join(part for part in (first, table_sentence(main, scale) if main else "") if part)


def main_table(tables: Sequence[object]) -> BlockTable | None:
    """Return the furthest of the blocks' tables with a result; None without one. A session's tables are others."""
    blocks = [table for table in tables if isinstance(table, BlockTable)]
    return next((table for table in reversed(blocks) if table.lines and not table.is_empty), None)


def table_sentence(table: BlockTable, scale: int) -> str:
    """Return how far a block has been played, and its first lines."""
    first = islice((line.standing for line in table.lines if line.standing.is_ranked), SENTENCE_LINES)
    lines = _(", ").join(
        f"{rank_text(row.rank)} {person_name(row.entrant.player)} {total_text(row, scale)}" for row in first
    )
    return f"{progress_text(table)}: {lines}" if lines and not table.is_empty else ""


def total_text(row: Standing, scale: int) -> str:
    """Return the total, with the points in it from outside the hanchan in parentheses."""
    outside = outside_text(row.adjustment, row.credited, scale)
    return f"{points_text(row.total, scale)}{f' ({outside})' if outside else ''}"


def progress_text(table: BlockTable) -> str:
    """Return a block's name, with the number of hanchan that all its entrants have played in a league."""
    block = title_of(table.block)
    if not table.planned:
        return block
    return _("%(block)s after hanchan %(number)s") % {"block": block, "number": table.played}


def totals_sentence(totals: Sequence[PlayerTotal], scale: int) -> str:
    """Return rank and total of a player in the furthest block."""
    row = next((each.standing for each in reversed(totals) if each.standing.played), None)
    if row is None:
        return ""
    return _("%(name)s: %(block)s, %(rank)s, total %(total)s.") % {
        "name": person_name(row.entrant.player),
        "block": title_of(row.block),
        "rank": rank_text(row.rank),
        "total": total_text(row, scale),
    }


def hanchan_sentence(played: PlayedHanchan, scale: int) -> str:
    """Return places, players and points of a hanchan, or its players before it is played."""
    if played.results:
        lines = [
            f"{place_text(seat.place)} {sitter_name(seat)} {points_text(seat.points, scale, plus=True)}"
            for seat in played.by_place
        ]
    else:
        lines = [sitter_name(seat) for seat in played.planned]
    return f"{hanchan_title(played)}: {_(', ').join(lines)}" if lines else ""


@dataclass(frozen=True, slots=True)
class CardData:
    """The data that every card of a competition needs."""

    competition: Competition
    scale: int
    stamp: Stamp

    @property
    def state(self) -> str:
        """Return the day of the newest change; empty behind the spoiler guard."""
        return date_text(self.stamp.updated_at) if self.stamp.updated_at else ""


def league_card(data: CardData, table: BlockTable | None, outcome: Outcome | None = None) -> Card:
    """Return the card of a league or block: the champion or leader, and the first lines of its table."""
    champion = outcome.champion if outcome and outcome.champion_state == SlotState.State.CERTAIN else None
    lines = table.lines if table else ()
    leader = next((line.standing for line in lines if line.standing.is_ranked and not line.standing.is_tied), None)
    seal = pgettext("a seal", "Champion") if champion else ""
    first = champion or (leader.entrant if leader and table and not table.is_empty else None)
    who = first.player if first else None
    return _card(data, table, lines[:ROWS], who, seal)


def player_card(data: CardData, table: BlockTable | None, player: Player) -> Card:
    """Return the card of a player: the lines around their own in the furthest block."""
    lines = table.lines if table else ()
    own = next((at for at, line in enumerate(lines) if line.standing.entrant.player_id == player.pk), 0)
    start = max(0, min(own - ROWS // 2, len(lines) - ROWS))
    return _card(data, table, lines[start : start + ROWS], player, "", marked=player)


def _card(
    data: CardData,
    table: BlockTable | None,
    lines: Sequence[StandingLine],
    who: Player | None,
    seal: str,
    marked: Player | None = None,
) -> Card:
    competition = data.competition
    marks = marks_of(line.standing.entrant.player for line in lines)
    own = next((line.standing for line in table.lines if line.standing.entrant.player == who), None) if table else None
    return Card(
        title=title_of(competition),
        state=data.state,
        mark=(marks.get(who.pk) or mark_of(who)) if who else competition_mark(competition),
        seal=seal,
        name=person_name(who) if who else title_of(competition),
        note=f"{rank_text(own.rank)} {total_text(own, data.scale)}" if own and own.played else "",
        heading=progress_text(table) if table else "",
        columns=(_("Places"), pgettext("standings", "Total")) if lines else ("", ""),
        rows=tuple(_row(line, marks, data.scale, marked) for line in lines),
        address=_address(competition),
        accent=competition.accent,
        picture=picture_of(who or competition),
    )


def picture_of(row: Player | Competition) -> bytes:
    """Return the picture of a player or competition as the public sees it, empty without one."""
    found = public_picture(row.picture) if row.picture else None
    return found.data if found else b""


def _row(line: StandingLine, marks: Mapping[int, Mark], scale: int, marked: Player | None) -> CardRow:
    row, player = line.standing, line.standing.entrant.player
    return CardRow(
        rank=str(row.rank) if row.is_ranked else "",
        mark=marks[player.pk],
        name=person_name(player),
        between="-".join(str(count) for count in row.places),
        total=f"{points_text(row.total, scale)}{'*' if row.adjustment or row.credited else ''}"
        if row.has_points
        else "",
        is_marked=player == marked,
        ends_inside=line.is_last_before_border,
    )


def hanchan_card(data: CardData, played: PlayedHanchan) -> Card:
    """Return the card of a hanchan with a result: its winner, and the players by place."""
    seats = played.by_place
    marks = marks_at(seats)
    winner = seats[0].player
    return Card(
        title=title_of(data.competition),
        state=data.state,
        mark=marks[winner.pk],
        seal="",
        name=sitter_name(seats[0]),
        note=f"{place_text(seats[0].place)} {points_text(seats[0].points, data.scale, plus=True)}",
        heading=hanchan_title(played),
        columns=(_("Final score"), _("Points")),
        rows=tuple(
            CardRow(
                rank=str(seat.place),
                mark=marks[seat.player_id],
                name=sitter_name(seat),
                between=score_text(seat.final_score),
                total=points_text(seat.points, data.scale),
            )
            for seat in seats
        ),
        address=_address(data.competition),
        accent=data.competition.accent,
        picture=picture_of(winner),
    )


def _address(competition: Competition) -> str:
    """Return the competition's address as people type it; empty without BASE_URL."""
    if not settings.BASE_URL:
        return ""
    return public_url(address("home", competition.slug)).split("://", 1)[1].rstrip("/")
