"""The live sheet's document: the table as it stands, what can be entered, the log, and how far the result is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from django.db.models import Count
from django.urls import reverse

from league import names
from league.models import Competition, Hanchan, HanchanSeat, ResultSheet, TableSession
from league.names import title_in, title_of
from league.selectors.live_access import Visitor, may_read_advice
from league.selectors.live_advice import advice_of
from league.selectors.live_asks import asks
from league.selectors.live_kyoku import Document, end_document, log_documents, round_document
from league.selectors.live_log import TableLog, log_of, newest_sequence
from league.selectors.live_seats import entered_documents, seat_documents, seated_names, seats_of, settlement_documents
from league.selectors.live_setup import setup_document
from league.selectors.live_submit import is_current, sheet_of, submit_document
from league.selectors.readers import reader_of
from rulesets.clauses import books
from scoring.ruleset import Ruleset


def hanchan_at(table: TableSession, pk: int | None) -> Hanchan | None:
    """One hanchan of the table, by default the one to be played now: the first that has no result handed in yet."""
    rows = list(
        Hanchan.objects.filter(table_session=table)
        .exclude(state=Hanchan.State.ABANDONED)
        .select_related("block__competition", "block__stage", "table_session__competition", "rules__ruleset")
        .order_by("round")
    )
    if pk is not None:
        return next((row for row in rows if row.pk == pk), None)
    done = handed_in(table)
    return next((row for row in rows if row.pk not in done), rows[-1] if rows else None)


def handed_in(table: TableSession) -> set[int]:
    """The hanchan that have a result, counting or awaiting confirmation."""
    states = (ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED)
    return set(
        ResultSheet.objects.filter(hanchan__table_session=table, state__in=states).values_list("hanchan", flat=True)
    )


def version_of(hanchan: Hanchan, visitor: Visitor) -> str:
    """What a document is made of, in short: it has not changed while this is the same."""
    sheets = ResultSheet.objects.filter(hanchan__table_session=hanchan.table_session_id)
    parts = [
        newest_sequence(hanchan),
        hanchan.pk,
        hanchan.state,
        list(hanchan.seats.order_by("seat").values_list("entrant", "player")),
        list(sheets.order_by("pk").values_list("pk", "state").annotate(Count("approvals"))),
        visitor.kind,
        visitor.link and [visitor.link.pk, visitor.link.ended_at],
    ]
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:16]


def sheet_document(hanchan: Hanchan, visitor: Visitor) -> Document:
    """Everything the sheet shows to this visitor."""
    version = version_of(hanchan, visitor)
    log, seats = log_of(hanchan), seats_of(hanchan)
    seated = seated_names(seats, log.rules)
    sheet = sheet_of(hanchan)
    return {
        "version": version,
        "sequence": log.sequence,
        **place_documents(hanchan, visitor),
        "you": visitor_document(visitor, hanchan, seats),
        "book": book_document(log.rules),
        "phase": phase_of(log, sheet),
        "setup": None if log.writing.lines else setup_document(log, seats),
        "seats": seat_documents(log, seats) if log.is_followed else [],
        "round": round_document(log.state, log.rules) if log.is_followed else None,
        "asks": asks(log.state, log.rules) if log.is_followed else None,
        "log": log_documents(log, seated) if log.is_followed else [],
        "undo": {"can": log.writing.can_undo, "entries": len(log.writing.lines)},
        "redo": {"can": log.writing.can_redo},
        "flagged": len(log.game.refused) if log.is_followed else 0,
        "end": end_document(log.state, seated) if log.is_followed else None,
        "settlement": settlement_documents(log.state, log.rules, seated)
        if log.is_followed
        else sheet_settlement(sheet, log),
        "submit": submit_document(log, sheet, visitor, seats),
        "advice": advice_for(visitor, log, sheet),
    }


def sheet_settlement(sheet: ResultSheet | None, log: TableLog) -> list[Document] | None:
    """What a sheet typed at the desk settles to, so that the players can confirm it without a log."""
    by_players = log.hanchan.block.competition.confirmation == Competition.Confirmation.PLAYERS
    return entered_documents(sheet, log.rules) if sheet is not None and by_players else None


def advice_for(visitor: Visitor, log: TableLog, sheet: ResultSheet | None) -> Document | None:
    """What each player needs in this hand, while the hanchan is on and where it may be said to this visitor."""
    competition = log.hanchan.block.competition
    may = may_read_advice(competition, is_staff=visitor.is_staff, has_link=visitor.link is not None)
    counts = sheet is not None and sheet.state == ResultSheet.State.CONFIRMED
    return advice_of(log, reader_of(competition, visitor.user)) if may and not counts else None


def place_documents(hanchan: Hanchan, visitor: Visitor) -> Document:
    """Which competition, table and hanchan this is, and which others the table plays."""
    competition, table = hanchan.block.competition, hanchan.table_session
    done = handed_in(table)
    current = hanchan_at(table, None)
    rows = Hanchan.objects.filter(table_session=table).exclude(state=Hanchan.State.ABANDONED).order_by("round")
    return {
        "competition": {"slug": competition.slug, "name": title_of(competition), "kind": competition.kind},
        "table_session": {"id": table.pk, "name": table_name(visitor.table_session), "table": table.table},
        "hanchan": {
            "id": hanchan.pk,
            "round": hanchan.round,
            "number": hanchan.number,
            "state": hanchan.state,
            "started_at": hanchan.started_at and hanchan.started_at.isoformat(),
        },
        "hanchan_list": [
            {
                "id": row.pk,
                "round": row.round,
                "number": row.number,
                "state": row.state,
                "has_result": row.pk in done,
                "is_current": current is not None and row.pk == current.pk,
            }
            for row in rows
        ],
    }


def table_name(table: TableSession) -> str:
    """A table session by its session, block and table."""
    return " ".join(
        part for part in (title_of(table.session), title_of(table.block), names.table_name(table.table)) if part
    )


def visitor_document(visitor: Visitor, hanchan: Hanchan, seats: Sequence[HanchanSeat]) -> Document:
    """Who looks, and what they may do."""
    entrant = visitor.approves_for
    may_write = visitor.may_write_to(hanchan)
    return {
        "kind": visitor.kind,
        "entrant": entrant,
        "seat": next((seat.seat for seat in seats if seat.entrant_id == entrant), None),
        "may_enter": may_write,
        "may_submit": may_write,
        "may_approve": entrant is not None,
    }


def book_document(rules: Ruleset) -> Document:
    """The rule book that is played by."""
    has_book = rules.name in books()
    return {
        "name": rules.name,
        "title": title_in(rules.title),
        "players": rules.players,
        "url": reverse("pages:rulebook", args=[rules.name]) if has_book else "",
        "can_follow": rules.play is not None,
    }


def phase_of(log: TableLog, sheet: ResultSheet | None) -> str:
    """How far the hanchan is."""
    if sheet is not None and sheet.state == ResultSheet.State.CONFIRMED:
        return "confirmed"
    if sheet is not None and sheet.state == ResultSheet.State.SUBMITTED and is_current(sheet, log):
        return "waiting"
    if not log.is_followed:
        return "start"
    return "over" if log.state.is_over else "playing"
