"""Seats in a live document: scores, winds, places if the game ended now, and allowed actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from fractions import Fraction

from league.models import Competition, Hanchan, HanchanSeat, ResultSheet
from league.selectors.live.clauses import clause_link
from league.selectors.live.kyoku import Document
from league.selectors.live.log import TableLog
from league.selectors.people.visibility import hide_behind_handle
from league.wording.formatting import amount_text, place_text, points_text, score_text
from league.wording.live.live import Seated, offence_name, refusal_text
from league.wording.marks import marks_at
from league.wording.messages import line_name, wind_name
from league.wording.names import person_name, title_in
from scoring.hanchan import result_of
from scoring.kyoku import verify_act
from scoring.kyoku.outcomes import DeadHand, Riichi
from scoring.kyoku.state import State
from scoring.ruleset import Ruleset
from scoring.settlement import Settlement, settle


def seats_of(hanchan: Hanchan) -> Sequence[HanchanSeat]:
    """Return the planned seats in order, first dealer first; a parlour's guests by handle if they chose one."""
    seats = list(hanchan.seats.select_related("entrant__player", "player").order_by("seat"))
    if hanchan.block.competition.kind == Competition.Kind.OPEN:
        for seat in seats:
            hide_behind_handle(seat.player)
    return seats


def seated_names(seats: Sequence[HanchanSeat], rules: Ruleset) -> Seated:
    """Return the players' names by seat, or the seat winds if not every seat is taken."""
    if len(seats) == rules.players:
        return [person_name(seat.player) for seat in seats]
    return [wind_name(wind) for wind in rules.setup.seat_winds[: rules.players]]


def seat_documents(log: TableLog, seats: Sequence[HanchanSeat]) -> list[Document]:
    """Return the present state of every seat."""
    state, rules = log.state, log.rules
    names = seated_names(seats, rules)
    settlement = settled_now(state, rules, seats)
    marks = marks_at(seats)
    return [
        {
            **seat_document(seat, state, rules, settlement),
            "mark": asdict(marks[seats[seat].player_id]) if len(seats) == rules.players else None,
            "entrant": seats[seat].entrant_id if seat < len(seats) else None,
            "name": names[seat],
            "can": can_document(seat, state, rules, names),
        }
        for seat in range(rules.players)
    ]


def seat_document(seat: int, state: State, rules: Ruleset, settlement: Settlement) -> Document:
    """Return a seat's score and its events in this hand, without the player."""
    wind = rules.setup.seat_winds[(seat - state.dealer) % rules.players]
    score, place, hand = state.current_scores(rules)[seat], settlement.places[seat], state.hand
    stake = next((stake for stake in hand.stakes if stake.seat == seat), None)
    return {
        "seat": seat,
        "wind": wind,
        "wind_text": wind_name(wind),
        "is_dealer": seat == state.dealer,
        "score": score,
        "score_text": score_text(score),
        "place_now": place,
        "place_text": place_text(place),
        "ledgers": [
            {
                "key": ledger.key,
                "title": title_in(ledger.title),
                "amount": ledger.text(state.amounts(ledger.key)[seat]),
                "text": points_text(state.amounts(ledger.key)[seat], ledger.scale),
            }
            for ledger in rules.entered_ledgers
        ],
        "riichi": None if stake is None else "open" if stake.open else "closed",
        "dead": seat in hand.dead,
        "redeclare": seat in hand.redeclare,
        "fines": hand.fines.count(seat),
        "chonbo": state.chonbo_counts()[seat],
        "pending": [offence_name(each.offence) for each in hand.pending if each.seat == seat],
    }


def can_document(seat: int, state: State, rules: Ruleset, names: Seated) -> Document:
    """Return the actions that can be entered for this player during the hand, with reasons against a riichi."""
    play = rules.hand_rules
    closed = verify_act(state, Riichi(seat), rules)
    opened = play.riichi.open is None or verify_act(state, Riichi(seat, open=True), rules)
    why = [refusal_text(each, names) for each in closed]
    return {
        "riichi": not closed,
        "open_riichi": not opened,
        "withdraw": seat in state.hand.declared() and not state.is_over,
        "dead_hand": seat not in state.hand.dead and not verify_act(state, DeadHand(seat), rules),
        "why_not": " ".join(why),
    }


def settled_now(state: State, rules: Ruleset, seats: Sequence[HanchanSeat]) -> Settlement:
    """Return the settlement of the game if it ended in this state, with the flat account of house players."""
    house = (number for number, seat in enumerate(seats) if seat.entrant.is_house)
    substitutes = tuple(house) if rules.settlement.substitute is not None else ()
    return settle(replace(result_of(state, rules), substitutes=substitutes), rules)


def settlement_documents(state: State, rules: Ruleset, seated: Seated, seats: Sequence[HanchanSeat]) -> list[Document]:
    """Return the settlement of the present state by seat."""
    settlement, ranking = settled_now(state, rules, seats), rules.ranking_ledger
    return [
        {
            "seat": seat,
            "name": name,
            "place": settlement.places[seat],
            "place_text": place_text(settlement.places[seat]),
            "final_score": settlement.final_scores[seat],
            "final_score_text": score_text(settlement.final_scores[seat]),
            "points_text": points_text(settlement.totals[ranking.key][seat], ranking.scale, plus=True),
            "totals": [
                {
                    "ledger": ledger.key,
                    "title": title_in(ledger.title),
                    "text": points_text(settlement.totals[ledger.key][seat], ledger.scale, plus=True),
                }
                for ledger in rules.ledgers
                if ledger.key in settlement.totals
            ],
            "lines": settlement_lines(settlement, seat, rules),
        }
        for seat, name in enumerate(seated)
    ]


def entered_documents(sheet: ResultSheet, rules: Ruleset) -> list[Document]:
    """Return the settlement of a typed sheet by seat."""
    ranking = rules.ranking_ledger
    rows = list(sheet.seats.select_related("player").order_by("seat"))
    if sheet.hanchan.block.competition.kind == Competition.Kind.OPEN:
        for row in rows:
            hide_behind_handle(row.player)
    return [
        {
            "seat": row.seat,
            "name": person_name(row.player),
            "place": row.place,
            "place_text": place_text(row.place),
            "final_score": row.final_score,
            "final_score_text": score_text(row.final_score),
            "points_text": points_text(row.points, ranking.scale, plus=True),
            "totals": [
                {
                    "ledger": ledger.key,
                    "title": title_in(ledger.title),
                    "text": points_text(row.totals[ledger.key], ledger.scale, plus=True),
                }
                for ledger in rules.ledgers
                if ledger.key in row.totals
            ],
            "lines": [
                {
                    "ledger": line["ledger"],
                    "label": line_name(line["cause"], line["params"]),
                    "text": amount_text(Fraction(line["amount"]), rules.ledger(line["ledger"]).scale, plus=True),
                    "clause": clause_link(line["clause"]),
                }
                for line in row.lines
            ],
        }
        for row in rows
    ]


def settlement_lines(settlement: Settlement, seat: int, rules: Ruleset) -> list[Document]:
    """Return the lines of one seat in the order of the settlement."""
    return [
        {
            "ledger": line.ledger,
            "label": line_name(line.cause, line.params),
            "text": amount_text(line.amount, rules.ledger(line.ledger).scale, plus=True),
            "clause": clause_link(line.clause),
        }
        for line in settlement.lines
        if line.seat == seat
    ]
