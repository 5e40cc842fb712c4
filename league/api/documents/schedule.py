"""Sessions, table sessions, hanchan and the sheets of their results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from league.api.documents.common import (
    Document,
    block_ref,
    cause_label,
    competition_ref,
    entrant,
    exact,
    moment,
    ref,
    stage_ref,
)
from league.models import Hanchan, HanchanSeat, ResultSheet, RulesInForce, SeatResult, Session, TableSession
from league.selectors.people import guards_guests, ledgers_shown, person_shown
from league.selectors.readers import Reader
from league.selectors.rules import ruleset_of
from league.selectors.schedule import PlayedHanchan, PlayedTable
from scoring.ruleset import Ruleset

OVER = (Hanchan.State.FINISHED, Hanchan.State.ENDED_BY_TIME)


class RulesOf:
    """The rules of many hanchan, each of a competition's few rules in force read once; not those at hand already."""

    def __init__(self, reader: Reader, *at_hand: RulesInForce) -> None:
        self._reader = reader
        self._rows = {row.pk: row for row in at_hand}

    def of(self, row: Hanchan | ResultSheet) -> Ruleset:
        """The rules that a hanchan or a sheet pins."""
        if row.rules_id not in self._rows:
            rows = RulesInForce.objects.filter(competition=self._reader.competition).select_related("ruleset")
            self._rows |= {found.pk: found for found in rows}
        return ruleset_of(self._rows[row.rules_id], row.options)


def session_document(reader: Reader, row: Session, tables: list[int]) -> Document:
    """A session and the ids of its tables."""
    return {
        "id": ref(row.pk),
        "competition": competition_ref(reader.competition),
        "number": row.number,
        "name": row.name,
        "name_en": row.name_en,
        "table_sessions": [str(pk) for pk in tables],
    }


def table_document(reader: Reader, played: PlayedTable) -> Document:
    """A table session with its hanchan in short."""
    row = played.table_session
    return {
        **table_facts(reader, row),
        "competition": competition_ref(reader.competition),
        "session": {
            "id": ref(row.session_id),
            "number": row.session.number,
            "name": row.session.name,
            "name_en": row.session.name_en,
        },
        "stage": stage_ref(row.block.stage),
        "block": block_ref(row.block),
        "is_complete": played.is_complete,
        "entrants": [entrant(reader, seat.entrant) for seat in played.entrants],
        "hanchan": [
            {
                "id": ref(each.hanchan.pk),
                "round": each.hanchan.round,
                "number": each.hanchan.number,
                "state": state_of(each),
            }
            for each in played.hanchan
        ],
    }


def table_facts(reader: Reader, row: TableSession) -> Document:
    """Where and when."""
    return {
        "id": ref(row.pk),
        "table": row.table,
        "starts_at": moment(row.starts_at, reader.competition),
        "venue": row.venue,
        "stream_url": row.stream_link,
        "public_at": moment(row.public_at, reader.competition),
        "is_cancelled": row.is_cancelled,
    }


def state_of(played: PlayedHanchan) -> str:
    """How far a hanchan is, as far as the version read knows: over only once its result counts in it."""
    if played.sheet is None and played.hanchan.state in OVER:
        return Hanchan.State.RUNNING
    return played.hanchan.state


def hanchan_document(reader: Reader, played: PlayedHanchan, rules: RulesOf, *, lines: bool) -> Document:
    """A hanchan with the sheet that counts; `lines` itemises the settlement."""
    row, sheet = played.hanchan, played.sheet
    own = rules.of(sheet or row)
    return {
        "id": ref(row.pk),
        "competition": competition_ref(reader.competition),
        "stage": stage_ref(row.block.stage),
        "block": block_ref(row.block),
        "session": ref(row.table_session.session_id),
        "table_session": ref(row.table_session_id),
        "starts_at": moment(row.table_session.starts_at, reader.competition),
        "round": row.round,
        "number": row.number,
        "state": state_of(played),
        "rules": ref(row.rules_id),
        "sheet": sheet_head(reader, sheet) if sheet else None,
        "seats": seats_of(reader, played, own, lines=lines),
    }


def seats_of(reader: Reader, played: PlayedHanchan, rules: Ruleset, *, lines: bool) -> list[Document]:
    """Who sat, or is to sit, first dealer first."""
    if played.sheet is None:
        return [planned_seat(reader, seat) for seat in played.planned]
    return [result_seat(reader, seat, rules, lines=lines) for seat in played.results]


def planned_seat(reader: Reader, seat: HanchanSeat) -> Document:
    """A seat before there is a result."""
    nothing = dict.fromkeys(("score", "final_score", "chonbo", "place", "points"))
    return {**seat_of(reader, seat), **nothing, "totals": {}, "lines": None}


def result_seat(reader: Reader, seat: SeatResult, rules: Ruleset, *, lines: bool) -> Document:
    """A seat of a result: what was entered and what the rules made of it."""
    shown = {ledger.key: ledger for ledger in ledgers_shown(reader, rules)}
    ranking = rules.ranking_ledger
    return {
        **seat_of(reader, seat),
        "score": seat.score,
        "final_score": seat.final_score,
        "chonbo": seat.chonbo,
        "place": seat.place,
        "points": ranking.text(seat.points) if ranking.key in shown else None,
        "totals": {key: ledger.text(seat.totals[key]) for key, ledger in shown.items() if key in seat.totals},
        "lines": [line(each, rules) for each in seat.lines if each["ledger"] in shown] if lines else None,
    }


def seat_of(reader: Reader, seat: HanchanSeat | SeatResult) -> Document:
    """Who sits there: the entrant who scores, and the player, who differs for a substitute."""
    player = person_shown(reader, seat.player)
    return {
        "seat": seat.seat,
        **entrant(reader, seat.entrant),
        "player": ref(seat.player_id) if player else None,
        "player_name": player.name if player else None,
        "is_substitute": seat.player_id != seat.entrant.player_id,
    }


def line(stored: Mapping[str, Any], rules: Ruleset) -> Document:
    """One itemised amount, with its cause and clause."""
    return {
        "ledger": stored["ledger"],
        "amount": exact(stored["amount"], rules.ledger(stored["ledger"])),
        "cause": stored["cause"],
        "label": cause_label(stored["cause"]),
        "clause": stored["clause"],
        "params": stored["params"],
    }


def sheet_head(reader: Reader, sheet: ResultSheet) -> Document:
    """A sheet without its seats; `etag` is what a correction sends in If-Match."""
    return {
        "id": ref(sheet.pk),
        "revision": sheet.revision,
        "etag": sheet_tag(sheet),
        "state": state_at(reader, sheet),
        "kyoutaku": sheet.kyoutaku,
        "are_seats_known": sheet.facts.get("are_seats_known", True),
        "options": {} if guards_guests(reader) else sheet.options,
        "reason": sheet.reason,
        "accepted_warnings": sheet.accepted_warnings,
        "entered_at": moment(sheet.entered_at, reader.competition),
        "confirmed_at": moment(sheet.confirmed_at, reader.competition),
    }


def state_at(reader: Reader, sheet: ResultSheet) -> str:
    """The sheet's state; one that counted at the version read was confirmed then, whatever came later."""
    counted = sheet.confirmed_n is not None and sheet.confirmed_n <= reader.version
    ended = sheet.ended_n is not None and sheet.ended_n <= reader.version
    return ResultSheet.State.CONFIRMED if counted and not ended else sheet.state


def sheet_document(reader: Reader, sheet: ResultSheet, rules: RulesOf) -> Document:
    """A sheet with its settlement, line by line."""
    own = rules.of(sheet)
    return {
        "hanchan": ref(sheet.hanchan_id),
        **sheet_head(reader, sheet),
        "seats": [result_seat(reader, seat, own, lines=True) for seat in sheet.seats.all()],
    }


def sheet_tag(sheet: ResultSheet) -> str:
    """The tag of a revision, for If-Match."""
    return f'"{sheet.hanchan_id}-r{sheet.revision}"'
