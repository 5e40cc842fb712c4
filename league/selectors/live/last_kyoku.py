"""What each seat needs in the running kyoku, as a document: codes and parameters for programs, sentences for people.

In the last hanchan of a block advancing is among the goals, with the block's table as the reader may know it. Who may
see the document is the caller's to decide: at the table it is advice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from league.models import Hanchan, HanchanSeat, Ruling, Standing
from league.selectors.access.readers import Reader
from league.selectors.live.seats import seated_names, seats_of
from league.selectors.rulebooks.rules_in_force import format_of
from league.selectors.standings.published import standings_of
from league.wording.last_kyoku import Teller
from league.wording.names import Names, names_of, person_name
from scoring.kyoku.state import State
from scoring.last_kyoku import (
    Advance,
    Answer,
    DrawAnswer,
    Goal,
    League,
    Outcomes,
    Run,
    Rung,
    WaySet,
    answers,
    goals_of,
)
from scoring.lines import OUT, WITHDRAWN
from scoring.problems import InvalidResultError
from scoring.ruleset import Ruleset
from scoring.standings import Entrant, Played, Row
from scoring.value import By

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Block:
    """The block's table as the reader knows it: where its ranks lead, and who is in it."""

    league: League
    destinations: Mapping[int, str]
    """By how many get there or better."""
    people: Mapping[Entrant, str]


def last_kyoku_document(hanchan: Hanchan, state: State, rules: Ruleset, reader: Reader) -> Document:
    """Whether this kyoku may end the game, and then what every seat needs for every goal of its rules."""
    outcomes = Outcomes(state, rules)
    reasons = sorted(reason.value for reason in outcomes.reasons)
    found: Document = {
        "may_end": bool(reasons),
        "is_near_end": outcomes.is_near_end,
        "reasons": reasons,
        "seats": [],
    }
    if reasons:
        found["seats"] = _seats(hanchan, outcomes, reader)
    return found


def _seats(hanchan: Hanchan, outcomes: Outcomes, reader: Reader) -> list[Document]:
    seats = seats_of(hanchan)
    block = _block(hanchan, seats, reader)
    seated = seated_names(seats, outcomes.rules)
    told = _answers(outcomes, block)
    teller = Teller(seated, (block.people if block else {}).__getitem__, _names(hanchan))
    destinations = block.destinations if block else {}
    return [
        {
            "seat": seat,
            "name": name,
            "goals": [_goal(each, teller, destinations) for each in told if each.seat == seat],
        }
        for seat, name in enumerate(seated)
    ]


def _answers(outcomes: Outcomes, block: Block | None) -> tuple[Answer, ...]:
    """What every seat needs; nothing of the block where a ruling has left scores that no settlement takes."""
    goals: Sequence[Goal] = goals_of(outcomes.rules)
    if block is None:
        return answers(outcomes, goals)
    try:
        return answers(outcomes, (*goals, *(Advance(places, block.league) for places in block.destinations)))
    except InvalidResultError:
        return answers(outcomes, goals)


def _names(hanchan: Hanchan) -> Names:
    """Stages and blocks of the competition, for where a rank leads."""
    return names_of(hanchan.block.competition.blocks.select_related("stage"))


def _goal(answer: Answer, teller: Teller, destinations: Mapping[int, str]) -> Document:
    """One goal of a seat: in a sentence, and with everything it is made of."""
    goal = answer.goal
    return {
        "code": goal.code,
        "params": dict(goal.params),
        "text": teller.goal(goal, destinations),
        "status": answer.status.value,
        "needed": teller.needed(answer),
        "ways": [_way(way, teller) for way in answer.ways],
        "draw": teller.draws(answer, answer.draws),
        "draws": [_draw(draw) for draw in answer.draws],
        "draw_in_riichi": teller.draws(answer, answer.draws_in_riichi),
        "draws_in_riichi": [_draw(draw) for draw in answer.draws_in_riichi],
        "others": [{"seat": seat, "text": text} for seat, text in teller.threats(answer).items()],
        "may_go_on": answer.may_go_on,
        "waiting": list(answer.waiting),
        "waiting_text": teller.waiting(answer),
    }


def _way(way: WaySet, teller: Teller) -> Document:
    return {
        "by": way.by.value,
        "losers": list(way.losers),
        "runs": [_run(run, way.by, teller) for run in way.runs],
    }


def _run(run: Run, by: By, teller: Teller) -> Document:
    """Hands that come to the same; no last one where every larger hand is with them."""
    return {
        "verdict": run.verdict.value,
        "is_choice": run.is_choice,
        "first": _rung(run.first, by, teller),
        "last": None if run.is_to_top else _rung(run.last, by, teller),
    }


def _rung(rung: Rung, by: By, teller: Teller) -> Document:
    worth = rung.worth
    return {
        "points": rung.points,
        "from_dealer": rung.from_dealer,
        "from_other": rung.from_other,
        "limit": rung.limit.value if rung.limit is not None else None,
        "han": worth.han,
        "fu": worth.fu,
        "yakuman": worth.yakuman,
        "closed": worth.closed,
        "dora": worth.dora,
        "text": teller.rung(rung, by),
    }


def _draw(draw: DrawAnswer) -> Document:
    return {"tenpai": list(draw.tenpai), "verdict": draw.verdict.value, "is_choice": draw.is_choice}


def _block(hanchan: Hanchan, seats: Sequence[HanchanSeat], reader: Reader) -> Block | None:
    """The block in its last hanchan, where its ranks lead somewhere and everybody at the table is in it."""
    if hanchan.number != hanchan.block.stage.hanchan_count:
        return None
    standings = [row for row in standings_of(reader, blocks=[hanchan.block]) if row.destination != WITHDRAWN]
    destinations = _destinations(standings)
    if not destinations or not {seat.entrant_id for seat in seats} <= {row.entrant_id for row in standings}:
        return None
    return Block(
        league=_league(hanchan, seats, standings, reader),
        destinations=destinations,
        people={row.entrant_id: person_name(row.entrant.player) for row in standings},
    )


def _destinations(standings: Sequence[Standing]) -> Mapping[int, str]:
    """How many get to each destination or a better one; being out is none, nor are the places behind a champion."""
    places = [row.destination for row in standings]
    going = [place for place in places if place and place != OUT and not place[:1].isdigit()]
    last_of = {place: number for number, place in enumerate(going, start=1)}
    return {number: place for place, number in last_of.items() if number < len(places)}


def _league(hanchan: Hanchan, seats: Sequence[HanchanSeat], standings: Sequence[Standing], reader: Reader) -> League:
    """The block's rows without this hanchan, as of the version read."""
    results = reader.seat_results(block=hanchan.block).exclude(sheet__hanchan=hanchan)
    played: defaultdict[int, list[Played]] = defaultdict(list)
    in_order = results.order_by("sheet__hanchan__number")
    for entrant, *result in in_order.values_list("entrant", "sheet__hanchan__number", "points", "place", "final_score"):
        played[entrant].append(Played(*result))
    rulings = reader.decisions(Ruling, competition=reader.competition, scope=hanchan.block.key)
    return League(
        entrants=tuple(seat.entrant_id for seat in seats),
        number=hanchan.number,
        rows=tuple(
            Row(row.entrant_id, tuple(played[row.entrant_id]), row.carried, row.adjustment) for row in standings
        ),
        tiebreak=format_of(hanchan.rules).tiebreak,
        rulings=tuple(tuple(ruling.order) for ruling in rulings),
    )
