"""A game kyoku by kyoku for pages: its score graph and, once it is over, the payments of every hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.models import Hanchan, HanchanSeat, SeatResult
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedHanchan
from league.selectors.live.kyoku import Document, KyokuDocument, ResultDocument, log_documents
from league.selectors.live.log import TableLog, log_behind
from league.selectors.live.seats import seats_of
from league.selectors.people.visibility import ledgers_shown
from league.views.live.score_graph import ScoreGraph, score_graph
from league.web.standings.ladder_svg import fitted
from league.wording.live.live import hands_before_text, honba_text, kyoku_text
from league.wording.names import person_name
from scoring.ruleset.base import TABLE_POINTS

UNITS = 14
"""Width of the name beside a line of the graph, in half-width letters; Japanese letters take two."""


def graph_of(log: TableLog, hands: Sequence[KyokuDocument], names: Sequence[str]) -> ScoreGraph | None:
    """Return the graph of the scores after each finished hand."""
    over = [(hand, result) for hand in hands if (result := hand["result"])]
    scores = [tuple(log.game.start.scores), *(tuple(result["scores_after"]) for _hand, result in over)]
    return score_graph([fitted(name, UNITS) for name in names], scores, [title_of_hand(hand) for hand, _result in over])


def title_of_hand(hand: KyokuDocument) -> str:
    """Return a hand's short title: round and number, with honba if there are any."""
    title = kyoku_text(hand["round"], hand["number"])
    return f"{title} {honba_text(hand['honba'])}" if hand["honba"] else title


@dataclass(frozen=True, slots=True)
class PaymentLine:
    """One payment in words."""

    payer: str
    receiver: str
    text: str
    cause: str
    clause: str


@dataclass(frozen=True, slots=True)
class ScoreChange:
    """A player's gain or loss in a hand, and the score after it."""

    name: str
    text: str
    change: int
    after: str
    prizes: tuple[str, ...]
    """Prizes beside the points, in the ledgers that the audience may see."""


@dataclass(frozen=True, slots=True)
class KyokuLine:
    """One hand: its events, the players' gains and losses, and the payments."""

    title: str
    short: str
    lines: tuple[str, ...]
    said: tuple[str, ...]
    turns: tuple[Document, ...]
    judgements: tuple[Document, ...]
    moved: tuple[ScoreChange, ...]
    payments: tuple[PaymentLine, ...]


@dataclass(frozen=True, slots=True)
class GameLog:
    """A finished game."""

    note: str
    """A note on the hand at which the log ends, if the result was typed; else empty."""
    names: tuple[str, ...]
    graph: ScoreGraph | None
    start: tuple[int, ...]
    kyoku: tuple[KyokuLine, ...]


def game_log(reader: Reader, row: Hanchan, played: PlayedHanchan) -> GameLog | None:
    """Return the hands of a hanchan that has a result; None if no hand was completed on a score sheet.

    A result made from the log has the hands that it was made from; a typed result has those recorded before it. `row`
    is the hanchan with its rules fetched.
    """
    sheet = played.sheet
    if sheet is None:
        return None
    log, is_typed = log_behind(sheet, row), sheet.made_from_sequence is None
    if is_typed and not log.has_hands:
        return None
    names = tuple(person_name(seat.player) for seat in sat_at(row, played))
    hands = log_documents(log, names)
    shown = {TABLE_POINTS, *(ledger.key for ledger in ledgers_shown(reader, log.rules))}
    return GameLog(
        note=hands_before_text(log.state) if is_typed else "",
        names=names,
        graph=graph_of(log, hands, names),
        start=tuple(log.game.start.scores),
        kyoku=tuple(kyoku_line(hand, result, names, shown) for hand in hands if (result := hand["result"])),
    )


def sat_at(row: Hanchan, played: PlayedHanchan) -> Sequence[HanchanSeat | SeatResult]:
    """Return the seats of the hands, first dealer first: those of the result made from them, else as planned."""
    if played.sheet is None or played.sheet.made_from_sequence is None:
        return seats_of(row)
    return sorted(played.results, key=lambda seat: seat.seat)


def has_game_log(played: PlayedHanchan) -> bool:
    """Return True if `game_log` has hands to show; the log is read only for a result typed beside it."""
    sheet = played.sheet
    if sheet is None or not played.has_hands:
        return False
    return sheet.made_from_sequence is not None or log_behind(sheet, played.hanchan).has_hands


def kyoku_line(hand: KyokuDocument, result: ResultDocument, names: Sequence[str], shown: set[str]) -> KyokuLine:
    """Return a finished hand in words, with the prizes of the ledgers in `shown` only."""
    prizes = [each for each in result["prizes"] if each["key"] in shown]
    return KyokuLine(
        title=hand["text"],
        short=title_of_hand(hand),
        lines=tuple(entry["text"] for entry in hand["entries"]),
        said=tuple(result["said"]),
        turns=tuple(result["turns"]),
        judgements=tuple({**each, "name": names[each["seat"]]} for each in result["judgements"]),
        moved=tuple(
            ScoreChange(
                name=name,
                text=result["changes_text"][seat],
                change=result["changes"][seat],
                after=result["scores_after_text"][seat],
                prizes=tuple(
                    f"{each['title']} {each['changes_text'][seat]}" for each in prizes if Decimal(each["changes"][seat])
                ),
            )
            for seat, name in enumerate(names)
        ),
        payments=tuple(payments(result["transfers"], names, shown)),
    )


def payments(transfers: Sequence[Mapping[str, Any]], names: Sequence[str], shown: set[str]) -> Iterator[PaymentLine]:
    """Yield the payments in the order in which the rules make them."""
    for each in transfers:
        if each["ledger"] in shown:
            cause = f"{each['cause_text']} ({each['event']})" if each["event"] else each["cause_text"]
            yield PaymentLine(
                payer=side(each["payer"], names),
                receiver=side(each["receiver"], names),
                text=f"{each['ledger_title']} {each['text']}".strip(),
                cause=_("%(cause)s, as liable player") % {"cause": cause} if each["liable"] else cause,
                clause=each["clause"]["id"] if each["clause"] else "",
            )


def side(seat: int | None, names: Sequence[str]) -> str:
    """Return the name of a payer or receiver; None means the table (deposits)."""
    return pgettext("payer or receiver", "the table") if seat is None else names[seat]
