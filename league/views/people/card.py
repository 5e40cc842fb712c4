"""A player's card in words: what `PlayerCard` found, as the page, the page "me" and the fragment show it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.models import Block, Entrant
from league.selectors.access.readers import Reader
from league.selectors.people.player_card import Fate, NextGame, PlayerCard, Running
from league.selectors.people.statuses import entrant_status
from league.selectors.standings.explanations import Explanation
from league.views.base import PageData
from league.views.standings.conditions import ShownPlayer, ShownTarget, shown_block
from league.web.previews import total_text
from league.wording.formatting import outside_text, points_text, rank_text
from league.wording.live.live import table_text
from league.wording.messages import destination_label
from league.wording.names import Names, person_name, short_names, title_of
from league.wording.standings.conditions import SeparatedBy, explanation_text
from league.wording.standings.odds import percent_text
from scoring.conditions import Word
from scoring.lines import CHAMPION, OUT, WITHDRAWN
from scoring.pyramid.conditions import is_decided, read_destination


@dataclass(frozen=True, slots=True)
class Figure:
    """One of the card's figures under its word; `is_minus` for an amount below zero."""

    title: str
    text: str
    is_minus: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class ShownStop:
    """One stop of the path: its name, what was reached there, and for the last one what it is."""

    title: str
    text: str
    leads: str
    is_spared: bool


@dataclass(frozen=True, slots=True)
class ShownNeighbour:
    """The arithmetic between the player and a neighbour in the standings."""

    title: str
    name: str
    sum: str
    """The difference of the totals as a sum; empty where they are level."""
    text: str
    clause: str | None


@dataclass(frozen=True, slots=True)
class ShownNeed:
    """The conditions to meet now: rows by own place before the last hanchan, else the distance to the border."""

    title: str
    target: ShownTarget
    has_more: bool
    """True if the conditions page has another target of the player."""


@dataclass(frozen=True)
class ShownCard:
    """The card of a player, as text for the templates."""

    card: PlayerCard
    figures: tuple[Figure, ...]
    why: str
    neighbours: tuple[ShownNeighbour, ...]
    need: ShownNeed | None
    company: str
    """The other players at the next game."""
    kyoku: str
    if_ended: str
    """Total and rank if the running game ended now; empty without one."""
    path: tuple[ShownStop, ...]

    @property
    def entrant(self) -> Entrant:
        """Return the entrant."""
        return self.card.entrant

    @property
    def next_game(self) -> NextGame | None:
        """Return the next game."""
        return self.card.next_game


def shown_card(reader: Reader, entrant: Entrant, shown: PageData) -> ShownCard:
    """Return the card of an entrant of a league in words."""
    card = PlayerCard(reader, entrant)
    scale = shown.ruleset.ranking_ledger.scale
    rows = [line.standing for line in card.table.lines] if card.table else []
    names = short_names({row.entrant_id: row.entrant.player for row in rows})
    above, below = card.neighbours
    game = card.next_game
    seats = [seat for seat in game.seats if seat.entrant_id != entrant.pk] if game else []
    others = [seat.entrant.player if seat.entrant.player.is_team else seat.player for seat in seats]
    running = game.running if game else None
    return ShownCard(
        card=card,
        figures=tuple(filter(None, (total_of(card, scale), gap_of(card, scale), chance_of(card, shown.names)))),
        why=why_text(above, below, names, scale),
        neighbours=tuple(
            neighbour_of(pair, scale, is_above=pair is above) for pair in (above, below) if pair is not None
        ),
        need=need_of(card, shown),
        company=pgettext("list of players", ", ").join(short_names(dict(enumerate(others))).values()),
        kyoku=table_text(running.log.state) if running else "",
        if_ended=if_ended(running, scale) if running else "",
        path=tuple(stops_of(card, shown, scale)),
    )


def total_of(card: PlayerCard, scale: int) -> Figure | None:
    """Return the total in the present block, once there is something to add up."""
    row = card.standing
    if row is None or not row.has_points:
        return None
    return Figure(
        pgettext("standings", "Total"),
        points_text(row.total, scale),
        row.total < 0,
        outside_text(row.adjustment, row.credited, scale),
    )


def gap_of(card: PlayerCard, scale: int) -> Figure | None:
    """Return the gap to the leader or to the border; nothing once all is certain."""
    border = card.border
    if border is None or card.fate is not Fate.OPEN:
        return None
    if border.is_title:
        title = _("Ahead of 2nd") if border.is_in else _("To the lead")
    else:
        title = _("Above the border") if border.is_in else _("To the border")
    return Figure(title, points_text(abs(border.gap), scale))


def chance_of(card: PlayerCard, names: Names) -> Figure | None:
    """Return the one chance that counts now, or what is certain instead."""
    certain = {
        Fate.CHAMPION: (_("Title"), pgettext("fate", "won")),
        Fate.THROUGH: (_("Going on"), pgettext("fate", "certain")),
        Fate.OUT: (_("Going on"), pgettext("fate", "eliminated")),
        Fate.WITHDRAWN: (
            _("State"),
            entrant_status(card.reader.competition, card.entrant, card.reader) or _("withdrawn"),
        ),
    }
    if card.fate in certain:
        return Figure(*certain[card.fate])
    if card.fate is Fate.PLACED and card.standing is not None:
        return Figure(_("Final rank"), rank_text(card.standing.rank))
    if card.chance is not None:
        return Figure(_("Title chance") if card.is_last else _("Going on"), percent_text(card.chance.text))
    is_settled = card.standing is not None and is_decided(card.standing.destination)
    if not is_settled and (card.border is None or card.border.is_title):
        return None
    if card.standing is not None and read_destination(card.standing.destination) is not None:
        return Figure(_("As it stands"), destination_label(card.standing.destination, names))
    return Figure(_("As it stands"), _("above the cut") if card.border and card.border.is_in else _("below the cut"))


def why_text(above: Explanation | None, below: Explanation | None, names: Mapping[int, str], scale: int) -> str:
    """Say in one sentence what stands between the player and both neighbours."""
    parts = []
    if above is not None:
        other = above.above
        words = {"rank": rank_text(other.rank), "name": names[other.entrant.pk], "gap": points_text(above.gap, scale)}
        is_total = above.by is SeparatedBy.TOTAL
        parts.append(_("%(gap)s behind %(name)s (%(rank)s)") % words if is_total else level_text(above, words, scale))
    if below is not None:
        other = below.below
        words = {"rank": rank_text(other.rank), "name": names[other.entrant.pk], "gap": points_text(below.gap, scale)}
        is_total = below.by is SeparatedBy.TOTAL
        parts.append(_("%(gap)s ahead of %(name)s (%(rank)s)") % words if is_total else level_text(below, words, scale))
    return pgettext("between neighbours", "; ").join(parts)


def level_text(pair: Explanation, words: Mapping[str, str], scale: int) -> str:
    """Say what separates level neighbours."""
    reason = explanation_text(pair.by, pair.gap, pair.decision, scale, by_total_alone=pair.by_total_alone)
    return _("%(name)s (%(rank)s): %(reason)s") % {**words, "reason": reason}


def neighbour_of(pair: Explanation, scale: int, *, is_above: bool) -> ShownNeighbour:
    """Return the reason for the order of the player and a neighbour, with the arithmetic."""
    other = pair.above if is_above else pair.below
    is_total = pair.by is SeparatedBy.TOTAL
    less = f"({points_text(pair.below.total, scale)})" if pair.below.total < 0 else points_text(pair.below.total, scale)
    reason = explanation_text(pair.by, pair.gap, pair.decision, scale, by_total_alone=pair.by_total_alone)
    return ShownNeighbour(
        title=_("Above") if is_above else _("Below"),
        name=person_name(other.entrant.player),
        sum=f"{points_text(pair.above.total, scale)} − {less} = {points_text(pair.gap, scale)}" if is_total else "",
        text="" if is_total else reason,
        clause=pair.clause,
    )


def need_of(card: PlayerCard, shown: PageData) -> ShownNeed | None:
    """Return what is needed to go on at all, or for the best destination once that is certain; None if nothing is."""
    if card.conditions is None or card.fate not in {Fate.OPEN, Fate.THROUGH}:
        return None
    block = shown_block(card.conditions, shown.names)
    player = block.players[0] if block.players else None
    target = target_of(player) if player else None
    if player is None or target is None or not (target.rows or target.distance):
        return None
    return ShownNeed(target.title, target, has_more=len(player.targets) > 1)


def target_of(player: ShownPlayer) -> ShownTarget | None:
    """Return the easiest target that is not settled yet."""
    settled = {Word.CERTAIN.value, Word.ELIMINATED.value}
    return next((each for each in reversed(player.targets) if each.word not in settled), None)


def if_ended(running: Running, scale: int) -> str:
    """Say where the player would stand if the running game ended now."""
    if running.total is None:
        return ""
    total = points_text(running.total, scale)
    if running.rank is None:
        return _("if it ended now: %(total)s") % {"total": total}
    return _("if it ended now: %(total)s (%(rank)s)") % {"total": total, "rank": rank_text(running.rank)}


def stops_of(card: PlayerCard, shown: PageData, scale: int) -> Iterator[ShownStop]:
    """Yield the stops of the path in words."""
    for stop in card.path:
        row = stop.standing
        if row is None:
            titles = dict.fromkeys(title_of(block.stage) for block in stop.spared)
            title = pgettext("list of stages", ", ").join(titles)
            yield ShownStop(title, pgettext("path", "spared"), pgettext("path", "seeded"), is_spared=True)
            continue
        reached = [rank_text(row.rank) if row.is_ranked else "–", total_text(row, scale)] if row.has_points else []
        # The next stop says where an earlier one led.
        leads = last_stop(card, shown) if stop.is_here else ""
        yield ShownStop(stage_title(row.block), " ".join(reached) or "–", leads, is_spared=False)


def last_stop(card: PlayerCard, shown: PageData) -> str:
    """Say what the last stop of the path is: the present one, or the end with where it leads."""
    ends = {Fate.OUT: OUT, Fate.CHAMPION: CHAMPION, Fate.WITHDRAWN: WITHDRAWN}
    if card.fate in ends:
        return destination_label(ends[card.fate], shown.names, ends[card.fate])
    if card.fate is Fate.PLACED and card.standing is not None and card.is_in_series:
        return destination_label(card.standing.destination, shown.names, card.standing.goes)
    return _("here now") if card.fate is not Fate.PLACED else pgettext("path", "the end")


def stage_title(block: Block) -> str:
    """Return the name of a block, with its stage unless they share the name or the block's contains it."""
    stage, own = title_of(block.stage), title_of(block)
    return own if stage in own else f"{stage} {own}"
