"""Tables followed hand by hand: the overlay's document, and logs as they travel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from league.api.documents.common import Document, both, competition_ref, entrant, moment, ref
from league.api.documents.schedule import seat_of
from league.entry_words import entry_text
from league.models import Hanchan, HanchanSeat, TableLink
from league.selectors.live_kyoku import Kyoku, kyoku_of
from league.selectors.live_log import TableLog
from league.selectors.live_public import Live
from league.selectors.people import ledgers_shown, person_shown
from league.selectors.readers import Reader
from league.table_words import Seated, end_text, round_text, table_text
from scoring import written_log
from scoring.kyoku import KyokuResult
from scoring.kyoku.state import State
from scoring.ruleset import Ruleset

LOG_FORMAT = "jantaku-log-1"
NOBODY = "–"


def live_document(live: Live, advice: Mapping[str, Any] | None) -> Document:
    """The table as the audience may see it."""
    hanchan, reader = live.log.hanchan, live.reader
    state = live.log.state if live.is_followed else None
    return {
        "hanchan": ref(hanchan.pk),
        "competition": competition_ref(reader.competition),
        "table_session": ref(hanchan.table_session_id),
        "table": hanchan.table_session.table,
        "number": hanchan.number,
        "is_followed": live.is_followed,
        "is_over": state is not None and state.is_over,
        "is_final": live.sheet is not None,
        "delay": 0 if reader.is_staff else reader.competition.live_delay,
        "sequence": live.log.sequence,
        "started_at": moment(hanchan.started_at, reader.competition) if live.is_followed else None,
        "round": round_document(state) if state else None,
        "deposits": state.deposits(live.log.rules) if state else None,
        "seats": [live_seat(live, seat, state) for seat in live.seats] if state else [],
        "last": last_document(live) if state else None,
        "ends": end_documents(live, state) if state else [],
        "advice": advice,
    }


def round_document(state: State) -> Document:
    """Which kyoku is played."""
    return {
        "round": state.round,
        "number": state.number,
        "honba": state.honba,
        "dealer": state.dealer,
        "name": both(lambda _language: round_text(state)),
        "text": both(lambda _language: table_text(state)),
    }


def live_seat(live: Live, seat: HanchanSeat, state: State) -> Document:
    """Who sits there, with what now, and where that would lead if the game ended here."""
    rules, number = live.log.rules, seat.seat
    stake = next((stake for stake in state.hand.stakes if stake.seat == number), None)
    return {
        **seat_of(live.reader, seat),
        "wind": rules.setup.seat_winds[(number - state.dealer) % rules.players],
        "score": state.shown(rules)[number],
        "place": live.settlement.places[number],
        "riichi": None if stake is None else "open" if stake.open else "closed",
        "is_dead": number in state.hand.dead,
        "chonbo": state.chonbo_counts()[number],
        **league_document(live, seat, rules),
    }


def league_document(live: Live, seat: HanchanSeat, rules: Ruleset) -> Document:
    """Points of this game if it ended here, and in the block with and without them."""
    ledger, standing = rules.ranking_ledger, live.standings.get(seat.entrant_id)
    if ledger not in ledgers_shown(live.reader, rules):
        return dict.fromkeys(("points", "league_rank", "league_total", "league_total_now"))
    points = live.settlement.totals[ledger.key][seat.seat]
    total = standing.total if standing else 0
    before = total - points if live.sheet is not None else total
    return {
        "points": ledger.text(points),
        "league_rank": standing.rank if standing else None,
        "league_total": ledger.text(before),
        "league_total_now": ledger.text(before + points),
    }


def last_document(live: Live) -> Document | None:
    """What the last hand brought."""
    found = [kyoku for kyoku in kyoku_of(live.log.game.steps) if kyoku.result is not None]
    result = found[-1].result if found else None
    if result is None:
        return None
    return {
        "text": both(lambda _language: entry_text(result.outcome, seated_shown(live))),
        "kyoku": both(lambda _language: table_text(result.before)),
        "changes": list(result.changes()),
    }


def end_documents(live: Live, state: State) -> list[Document]:
    """Why the game is over."""
    return [
        {
            "reason": end.reason,
            "text": both(lambda _language, end=end: end_text(end, seated_shown(live))),  # type: ignore[misc]
            "clause": end.clause,
        }
        for end in state.ends
    ]


def seated_shown(live: Live) -> Seated:
    """Names as this audience may see them."""
    people = (person_shown(live.reader, seat.player) for seat in live.seats)
    return [shown.name if shown else NOBODY for shown in people]


def log_document(reader: Reader, log: TableLog) -> Document:
    """The entries that stand, each hand with what it brought; what a program sends elsewhere to play it again."""
    rules, hanchan = log.rules, log.hanchan
    return {
        "format": LOG_FORMAT,
        "hanchan": ref(hanchan.pk),
        "sequence": log.sequence,
        "ruleset": hanchan.rules.ruleset.name,
        "revision": hanchan.rules.ruleset.number,
        "digest": rules.digest,
        "options": dict(log.options),
        "seats": [{"seat": seat.seat, **entrant(reader, seat.entrant)} for seat in seats(hanchan)],
        "entries": written_log.write(log.writing.entries),
        "kyoku": [kyoku_document(kyoku) for kyoku in kyoku_of(log.game.steps)] if log.is_followed else [],
        "is_over": log.is_followed and log.state.is_over,
    }


def seats(hanchan: Hanchan) -> list[HanchanSeat]:
    """Who sits where."""
    return list(hanchan.seats.select_related("entrant__player", "player").order_by("seat"))


def kyoku_document(kyoku: Kyoku) -> Document:
    """One hand: which entries it had, the scores before, and what moved in order of payment."""
    before, result = kyoku.before, kyoku.result
    return {
        "round": before.round,
        "number": before.number,
        "honba": before.honba,
        "scores": list(before.scores),
        "entries": list(kyoku.numbers),
        "changes": None if result is None else list(result.changes()),
        "transfers": [] if result is None else transfers(result),
    }


def transfers(result: KyokuResult) -> list[Document]:
    """Every payment in order; None is the table."""
    return [
        {
            "ledger": each.ledger,
            "payer": each.payer,
            "receiver": each.receiver,
            "amount": each.amount,
            "cause": each.cause,
            "clause": each.clause,
        }
        for each in result.transfers
    ]


def link_document(link: TableLink, address: str | None = None) -> Document:
    """A link without what lets one in; its address is told once, when it is made."""
    competition = link.table_session.competition
    return {
        "id": ref(link.pk),
        "kind": link.kind,
        "entrant": ref(link.entrant_id),
        "made_at": moment(link.made_at, competition),
        "used_at": moment(link.used_at, competition),
        "ended_at": moment(link.ended_at, competition),
        "url": address,
    }
