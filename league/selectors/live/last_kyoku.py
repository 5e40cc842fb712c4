"""The requirements of each seat in the running kyoku, as a document: codes for programs, sentences for people.

In the last hanchan of a block the goals include advancing, judged by the block's standings as the reader may
know them. The caller decides which users may see the document, since at the table it would be advice.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from league.models import Hanchan, HanchanSeat, Ruling, Standing
from league.selectors.access.readers import Reader
from league.selectors.live.seats import seated_names, seats_of
from league.selectors.rulebooks.rules_in_force import format_of, ruleset_of
from league.selectors.seasons.series_places import tier_names
from league.selectors.standings.credits import annulled_in, credits_of
from league.selectors.standings.derivation import derive, facts_at
from league.selectors.standings.published import standings_of
from league.selectors.standings.rounds import closed_in, rounds_in
from league.selectors.standings.targets import targets_of
from league.wording.names import Names, names_of, person_name, short_names
from league.wording.standings.last_kyoku import Teller
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
from scoring.lines import WITHDRAWN
from scoring.problems import InvalidResultError
from scoring.pyramid.conditions import is_goal, read_destination
from scoring.rests import Rounds, has_rests
from scoring.ruleset import Ruleset
from scoring.standings import Entrant, Played, Row
from scoring.value import By

Document = dict[str, object]


@dataclass(frozen=True, slots=True)
class BlockGoal:
    """A destination that the first places of a block reach, or a better one."""

    destination: str
    needed: int | None = None
    """The total that it also needs, at the ledger's scale."""
    exempt: frozenset[Entrant] = frozenset()
    """Entrants whose ranks do not count for it."""


@dataclass(frozen=True, slots=True)
class KnownBlock:
    """The block's standings as the reader knows them: destinations of the ranks, and names of the entrants."""

    league: League
    goals: Mapping[int, BlockGoal]
    """By number of places."""
    people: Mapping[Entrant, str]


def last_kyoku_document(hanchan: Hanchan, state: State, rules: Ruleset, reader: Reader) -> Document:
    """Return whether this kyoku may end the game, and if so each seat's requirements for each goal."""
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
    is_full = len(seats) == len(seated)
    spoken = list(short_names({seat.seat: seat.player for seat in seats}).values()) if is_full else seated
    told = _answers(outcomes, block)
    teller = Teller(spoken, (block.people if block else {}).__getitem__, _names(hanchan))
    goals = block.goals if block else {}
    destinations = {places: goal.destination for places, goal in goals.items()}
    settled = set(_settled(goals, seats))
    return [
        {
            "seat": seat,
            "name": name,
            "short_name": spoken[seat],
            "goals": [
                _goal(each, teller, destinations)
                for each in told
                if each.seat == seat and not (isinstance(each.goal, Advance) and (each.goal.places, seat) in settled)
            ],
        }
        for seat, name in enumerate(seated)
    ]


def _settled(goals: Mapping[int, BlockGoal], seats: Sequence[HanchanSeat]) -> Iterator[tuple[int, int]]:
    """Yield the goals, by their places, and the seats for which decisions have settled them."""
    for places, goal in goals.items():
        yield from ((places, row.seat) for row in seats if row.entrant_id in goal.exempt)


def _answers(outcomes: Outcomes, block: KnownBlock | None) -> tuple[Answer, ...]:
    """Return the requirements of every seat.

    Goals of the block are left out where a ruling has left scores that cannot be settled.
    """
    goals: Sequence[Goal] = goals_of(outcomes.rules)
    if block is None:
        return answers(outcomes, goals)
    try:
        return answers(outcomes, (*goals, *_advances(block)))
    except InvalidResultError:
        return answers(outcomes, goals)


def _advances(block: KnownBlock) -> Iterator[Advance]:
    """Yield the goals of a block as the engine judges them."""
    for places, goal in block.goals.items():
        yield Advance(places, replace(block.league, exempt=goal.exempt), goal.needed)


def _names(hanchan: Hanchan) -> Names:
    """Return the names of the competition's stages and blocks, for the destinations of ranks."""
    competition = hanchan.block.competition
    return names_of(competition.blocks.select_related("stage"), tiers=tier_names(competition))


def _goal(answer: Answer, teller: Teller, destinations: Mapping[int, str]) -> Document:
    """Return one goal of a seat: as a sentence, and as the data it is made of."""
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
    """Return a run of hands with the same result; `last` is None if every larger hand belongs to it."""
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


def _block(hanchan: Hanchan, seats: Sequence[HanchanSeat], reader: Reader) -> KnownBlock | None:
    """Return the block if this is its last hanchan, its ranks lead somewhere and all players at the table are in it."""
    if not _is_last(hanchan, seats, reader):
        return None
    standings = [row for row in standings_of(reader, blocks=[hanchan.block]) if row.destination != WITHDRAWN]
    goals = _goals(standings, hanchan, reader)
    if not goals or not {seat.entrant_id for seat in seats} <= {row.entrant_id for row in standings}:
        return None
    return KnownBlock(
        league=_league(hanchan, seats, standings, reader),
        goals=goals,
        people={row.entrant_id: person_name(row.entrant.player) for row in standings},
    )


def _goals(standings: Sequence[Standing], hanchan: Hanchan, reader: Reader) -> Mapping[int, BlockGoal]:
    """Return each destination by the number of places that reach it or a better one.

    Elimination is no destination, nor are the final places behind a champion. In a tier of a series the decisions made
    so far count; of two goals with as many places the better one is kept.
    """
    if any(read_destination(row.destination) is not None for row in standings):
        targets = targets_of(derive(facts_at(reader)), hanchan.block.key)
        return {each.places: BlockGoal(each.destination, each.needed, each.exempt) for each in reversed(targets)}
    places = [row.destination for row in standings if row.destination != WITHDRAWN]
    going = [place for place in places if is_goal(place)]
    last_of = {place: number for number, place in enumerate(going, start=1)}
    return {number: BlockGoal(place) for place, number in last_of.items() if number < len(places)}


def _league(hanchan: Hanchan, seats: Sequence[HanchanSeat], standings: Sequence[Standing], reader: Reader) -> League:
    """Return the block's rows without this hanchan, as of the reader's version."""
    played = _played_before(hanchan, reader)
    rulings = reader.decisions(Ruling, competition=reader.competition, scope=hanchan.block.key)
    # Where all have played equally often and none has left, no round counts without having been played.
    is_even = len({row.played for row in standings}) == 1 and not any(row.status or row.credited for row in standings)
    credited = {} if is_even else credits_of(reader).get(hanchan.block.key, {})
    annulled = frozenset() if is_even else annulled_in(reader)
    return League(
        entrants=tuple(seat.entrant_id for seat in seats),
        number=hanchan.block.stage.hanchan_count or hanchan.number,
        rows=tuple(
            Row(
                row.entrant_id,
                tuple(game for game in played.get(row.entrant_id, ()) if (row.entrant_id, game.ref) not in annulled),
                row.carried,
                row.adjustment,
                tuple(each.counted for each in credited.get(row.entrant_id, ())),
            )
            for row in standings
            if row.destination != WITHDRAWN
        ),
        tiebreak=format_of(hanchan.rules).tiebreak.by_hanchan,
        rulings=tuple(tuple(ruling.order) for ruling in rulings),
    )


def _is_last(hanchan: Hanchan, seats: Sequence[HanchanSeat], reader: Reader) -> bool:
    """Return True if the hanchan is the last one in the block for each player at the table."""
    count, rounds = hanchan.block.stage.hanchan_count, _rounds(hanchan, reader)
    if count is None or (rounds is None and hanchan.number != count) or hanchan.block.key in closed_in(reader):
        return False
    played, place = _played_before(hanchan, reader), (hanchan.number, hanchan.pk)
    own = {seat.entrant_id: played.get(seat.entrant_id, ()) for seat in seats}
    if rounds is None:
        # A hanchan put off to a later day leaves the totals open.
        return all(
            len(games) + 1 == count or _counted(hanchan, entrant, games, reader) + 1 == count
            for entrant, games in own.items()
        )
    return all(
        rounds.own_number(entrant, [game.ref for game in games], hanchan.pk, place) == count
        for entrant, games in own.items()
    )


def _counted(hanchan: Hanchan, entrant: int, games: Sequence[Played], reader: Reader) -> int:
    """Return how many other hanchan of the block count for an entrant, those not played included."""
    given = credits_of(reader).get(hanchan.block.key, {}).get(entrant, ())
    numbers = {game.number for game in games} | {each.counted.number for each in given}
    return len(numbers - {hanchan.number})


def _rounds(hanchan: Hanchan, reader: Reader) -> Rounds | None:
    """Return the order of play in the hanchan's block; None in a block without rests."""
    key, league_format = hanchan.block.key, format_of(hanchan.rules)
    # Rules pinned by the start may be older than the block; those in force are asked only where they may differ.
    if key in league_format.stage_of and not has_rests(league_format, key, ruleset_of(hanchan.rules).players):
        return None
    return rounds_in(reader).get(key)


def _played_before(hanchan: Hanchan, reader: Reader) -> Mapping[int, Sequence[Played]]:
    """Return the other results of the block by entrant, in the order of their numbers; they are read once."""
    name = f"played before {hanchan.pk}"
    if name not in reader.known:
        reader.known[name] = _read_played_before(hanchan, reader)
    found: Mapping[int, Sequence[Played]] = reader.known[name]
    return found


def _read_played_before(hanchan: Hanchan, reader: Reader) -> Mapping[int, Sequence[Played]]:
    # The hanchan may have a result already, when it is being corrected: it must not count beside the running one.
    results = reader.ranked_results(block=hanchan.block).exclude(sheet__hanchan=hanchan)
    played: defaultdict[int, list[Played]] = defaultdict(list)
    names = ("entrant", "sheet__hanchan__number", "points", "place", "final_score", "sheet__hanchan")
    for entrant, *result in results.order_by("sheet__hanchan__number").values_list(*names):
        played[entrant].append(Played(*result))
    rounds = _rounds(hanchan, reader)
    return rounds.numbered(played) if rounds else played
