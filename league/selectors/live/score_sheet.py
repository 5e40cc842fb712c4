"""The document of a live score sheet: the table, the inputs it accepts, the log and the result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from django.db.models import Count
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.models import Competition, Hanchan, HanchanSeat, ResultSheet, TableSession
from league.selectors.access.actors import Capability
from league.selectors.access.readers import reader_of, visible_competitions
from league.selectors.live.access import Visitor, may_read_advice
from league.selectors.live.advice import advice_of
from league.selectors.live.event_forms import asks
from league.selectors.live.kyoku import Document, end_document, log_documents, round_document
from league.selectors.live.log import TableLog, log_of, newest_sequence
from league.selectors.live.result_state import (
    lock_of,
    sheet_of,
    submit_document,
    submit_state,
    takes_place_of,
    typed_document,
)
from league.selectors.live.seats import seat_documents, seated_names, seats_of, settlement_documents
from league.selectors.live.setup import setup_document
from league.selectors.parlour.following import counts_chips
from league.wording import names
from league.wording.live.live import Seated
from league.wording.names import title_in, title_of
from league.wording.rulebooks.ruleset_ways import penalty_cost
from rulesets.clauses import books
from scoring.ruleset import Ruleset


def hanchan_open_to(visitor: Visitor) -> list[Hanchan]:
    """Return the hanchan of the table that a visitor may open, by round.

    A browser that has scanned the code on a parlour's table sees one game, the last one begun while its link lived:
    the guests of other games are strangers. A link that staff made opens all games of its table.
    """
    rows = list(
        Hanchan.objects.filter(table_session=visitor.table_session)
        .select_related("block__competition", "block__stage", "table_session__competition", "rules__ruleset")
        .order_by("round")
    )
    link = visitor.link
    by_code = link is not None and link.made_by_id is None and hasattr(visitor.table_session, "sitting")
    if visitor.is_staff or link is None or not by_code:
        return rows
    until = link.ended_at or timezone.now()
    return [row for row in rows if row.started_at is not None and row.started_at <= until][-1:]


def hanchan_at(visitor: Visitor, pk: int | None) -> Hanchan | None:
    """Return one hanchan of the visitor's table, by default the first without a submitted or confirmed result.

    An abandoned hanchan is returned only by its id, or if the table has no other.
    """
    rows = hanchan_open_to(visitor)
    if pk is not None:
        return next((row for row in rows if row.pk == pk), None)
    rows = [row for row in rows if row.state != Hanchan.State.ABANDONED] or rows
    done = handed_in(visitor.table_session)
    return next((row for row in rows if row.pk not in done), rows[-1] if rows else None)


def handed_in(table: TableSession) -> set[int]:
    """Return the ids of the hanchan with a result that counts or awaits confirmation."""
    states = (ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED)
    return set(
        ResultSheet.objects.filter(hanchan__table_session=table, state__in=states).values_list("hanchan", flat=True)
    )


def version_of(hanchan: Hanchan, visitor: Visitor) -> str:
    """Return a short digest of the document's inputs; the document is unchanged while the digest is the same."""
    sheets = ResultSheet.objects.filter(hanchan__table_session=hanchan.table_session_id)
    parts = [
        get_language(),
        newest_sequence(hanchan),
        hanchan.pk,
        hanchan.state,
        lock_of(hanchan),
        list(hanchan.seats.order_by("seat").values_list("entrant", "player")),
        list(sheets.order_by("pk").values_list("pk", "state").annotate(Count("approvals"))),
        visitor.kind,
        # A link that ends takes the right to write away, so the sheet must be rendered again.
        visitor.link and [visitor.link.pk, visitor.link.ended_at],
        # Advice on advancing follows the results of other tables.
        is_advised(hanchan, visitor) and reader_of(hanchan.block.competition, visitor.user).version,
    ]
    return hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:16]


def sheet_document(hanchan: Hanchan, visitor: Visitor) -> Document:
    """Return the complete document for this visitor."""
    # Taken before anything else is read: if an event arrives meanwhile, the client polls again instead of missing it.
    version = version_of(hanchan, visitor)
    log, seats = log_of(hanchan), seats_of(hanchan)
    seated = seated_names(seats, log.rules)
    sheet = sheet_of(hanchan)
    phase = phase_of(log, sheet)
    settles = log.is_followed and phase != "typed"
    return {
        "version": version,
        "sequence": log.sequence,
        **place_documents(hanchan, visitor),
        "you": visitor_document(visitor, hanchan, seats),
        "book": book_document(log.rules),
        "phase": phase,
        "locked": lock_of(hanchan),
        "result": typed_document(log, sheet),
        "setup": None if log.writing.lines else setup_document(log, seats),
        "seats": seat_documents(log, seats) if log.is_followed else [],
        "round": round_document(log.state, log.rules) if log.is_followed else None,
        "asks": asked_of(log) if log.is_followed else None,
        "penalties": penalties_document(visitor, hanchan, log.rules),
        "log": log_documents(log, seated) if log.is_followed else [],
        "undo": {"can": log.writing.can_undo, "entries": len(log.writing.lines)},
        "redo": {"can": log.writing.can_redo},
        "flagged": len(log.game.refused) if log.is_followed else 0,
        "end": end_of(log, phase, seated),
        "settlement": settlement_documents(log.state, log.rules, seated, seats) if settles else None,
        "submit": submit_document(log, sheet, visitor, seats),
        "advice": advice_for(visitor, log, sheet),
    }


def asked_of(log: TableLog) -> Document:
    """Return what can be entered now; no chips with a hand at a table that counts them otherwise."""
    found = asks(log.state, log.rules)
    is_open = log.hanchan.block.competition.kind == Competition.Kind.OPEN
    return {**found, "prizes": None} if is_open and not counts_chips(log.hanchan) else found


def penalties_document(visitor: Visitor, hanchan: Hanchan, rules: Ruleset) -> Document | None:
    """Return the penalties outside the game that the book lists, with the page to give one; None without permission."""
    listed = rules.settlement.penalties
    if not listed or Capability.RULE not in visitor.may:
        return None
    return {
        "url": reverse("admin:league_block_adjust", args=[hanchan.block_id]),
        "listed": [f"{title_in(each.title)} {penalty_cost(each, rules.ranking_ledger)}" for each in listed],
    }


def advice_for(visitor: Visitor, log: TableLog, sheet: ResultSheet | None) -> Document | None:
    """Return the requirements of each player in this hand.

    None once the hanchan's result counts, or where this visitor may not see them.
    """
    counts = sheet is not None and sheet.state == ResultSheet.State.CONFIRMED
    if counts or not is_advised(log.hanchan, visitor):
        return None
    return advice_of(log, reader_of(log.hanchan.block.competition, visitor.user))


def is_advised(hanchan: Hanchan, visitor: Visitor) -> bool:
    """Return True if this visitor may see what the hand needs."""
    competition = hanchan.block.competition
    return may_read_advice(competition, is_staff=visitor.is_staff, has_link=visitor.link is not None)


def place_documents(hanchan: Hanchan, visitor: Visitor) -> Document:
    """Return the competition, table and hanchan, and the other hanchan of the table."""
    competition, table = hanchan.block.competition, hanchan.table_session
    done = handed_in(table)
    current = hanchan_at(visitor, None)
    rows = [row for row in hanchan_open_to(visitor) if row.state != Hanchan.State.ABANDONED]
    return {
        "competition": {"slug": competition.slug, "name": title_of(competition), "kind": competition.kind},
        "table_session": {"id": table.pk, "name": table_name(visitor.table_session), "table": table.table},
        "hanchan": {
            "id": hanchan.pk,
            "round": hanchan.round,
            "number": hanchan.number,
            "state": hanchan.state,
            "started_at": hanchan.started_at and hanchan.started_at.isoformat(),
            "url": page_of(hanchan, visitor),
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


def page_of(hanchan: Hanchan, visitor: Visitor) -> str:
    """Return the URL of the hanchan's own page; empty where this visitor cannot open it."""
    competition = hanchan.block.competition
    reader = reader_of(competition, visitor.user)
    is_visible = visible_competitions(visitor.user).filter(pk=competition.pk).exists() and not reader.guards_guests
    if not is_visible or not reader.may_know(hanchan.table_session):
        return ""
    return reverse("pages:hanchan", args=[competition.slug, hanchan.pk])


def table_name(table: TableSession) -> str:
    """Name a table session by its session, block and table."""
    return " ".join(
        part for part in (title_of(table.session), title_of(table.block), names.table_name(table.table)) if part
    )


def visitor_document(visitor: Visitor, hanchan: Hanchan, seats: Sequence[HanchanSeat]) -> Document:
    """Return the kind and the permissions of the visitor."""
    entrant = visitor.approves_for
    is_open = lock_of(hanchan) is None
    may_write = is_open and visitor.may_write_to(hanchan)
    asks_players = hanchan.block.competition.confirmation == Competition.Confirmation.PLAYERS
    return {
        "kind": visitor.kind,
        "entrant": entrant,
        "seat": next((seat.seat for seat in seats if seat.entrant_id == entrant), None),
        "may_enter": may_write,
        "may_submit": may_write,
        "may_approve": is_open and asks_players and entrant is not None,
    }


def book_document(rules: Ruleset) -> Document:
    """Return the rule book in force at the table."""
    has_book = rules.name in books()
    return {
        "name": rules.name,
        "title": title_in(rules.title),
        "players": rules.players,
        "url": reverse("pages:rulebook", args=[rules.name]) if has_book else "",
        "can_follow": rules.play is not None,
    }


def phase_of(log: TableLog, sheet: ResultSheet | None) -> str:
    """Return the phase: `start`, `playing`, `over`, `waiting`, `confirmed`, or `typed` (see `takes_place_of`)."""
    if sheet is not None and takes_place_of(sheet, log):
        return "typed"
    if sheet is not None and sheet.state == ResultSheet.State.CONFIRMED:
        return "confirmed"
    if submit_state(log, sheet) == "waiting":
        return "waiting"
    if not log.is_followed:
        return "start"
    return "over" if log.state.is_over else "playing"


def end_of(log: TableLog, phase: str, seated: Seated) -> Document | None:
    """Return the reasons why the hanchan is over: the rules, or the time limit when it was handed in; None before."""
    found = end_document(log.state, seated) if log.is_followed and phase != "typed" else None
    is_in = phase in ("waiting", "confirmed") and log.hanchan.state == Hanchan.State.ENDED_BY_TIME
    if found is not None or not is_in:
        return found
    text = _("The time was up.")
    return {"reasons": [{"reason": "time", "text": text, "clause": None}], "text": text}
