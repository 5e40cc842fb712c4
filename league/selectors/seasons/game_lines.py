"""Ratings and ladders: the counting games of the listed competitions, in order, and each person's steps.

The steps are kept in this process by the published versions of the competitions; a day only cuts them off.
"""

from __future__ import annotations

import datetime as dt
import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Count, Max, Min, Sum
from django.db.models.functions import Coalesce

from league.models import Block, Competition, EventListed, Player, ResultSheet, SeatResult
from league.selectors.access.readers import public_reader_of
from league.selectors.parlour.board import business_day
from league.selectors.people.played_seats import annulled_over
from scoring.format import Ranking as RankingRules
from scoring.rankings.games import Game
from scoring.rankings.ladder import LadderStep, climb
from scoring.rankings.ratings import RatingStep, rate

MOST_KEPT = 8
CHUNK = 500
"""The most ids in one query."""

Step = RatingStep[int] | LadderStep[int]
Steps = Mapping[int, Sequence[Step]]

_kept: OrderedDict[tuple[object, ...], Steps] = OrderedDict()
_lock = threading.Lock()


def games_played(sha256: str, rules: RankingRules, events: Sequence[EventListed], day: dt.date) -> Steps:
    """Return each person's steps up to a day, by the person's id, in the order of play; house players are left out."""
    key = (
        sha256,
        *(
            (event.pk, event.made_at, event.day, event.competition.created_at, event.competition.public_version)
            for event in events
        ),
    )
    with _lock:
        steps = _kept.pop(key, None)
        if steps is None:
            steps = _steps(rules, events)
        _kept[key] = steps
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return {person: own[:count] for person, own in steps.items() if (count := _until(own, day))}


def _until(steps: Sequence[Step], day: dt.date) -> int:
    return bisect_right(steps, day, key=lambda step: step.game.day)


def _steps(rules: RankingRules, events: Sequence[EventListed]) -> Steps:
    games = _games(events)
    found: dict[int, Sequence[Step]] = {}
    if rules.rating is not None:
        found |= rate(rules.rating, games)
    if rules.ladder is not None:
        found |= climb(rules.ladder, games)
    house = set(
        Player.objects.filter(entrants__is_house=True, entrants__competition__in=[e.competition_id for e in events])
        .order_by()
        .values_list("pk", flat=True)
    )
    return {person: steps for person, steps in found.items() if person not in house}


def games_digest(event: EventListed) -> str:
    """Return a digest of the counting games that the public may read; empty without one."""
    # A correction or a revision is another sheet, so that ids tell every change apart.
    games = public_reader_of(event.competition).seat_results().filter(seat=0).order_by()
    count, last, total = games.aggregate(n=Count("pk"), last=Max("sheet"), total=Sum("sheet")).values()
    return f"{count}:{last}:{total}" if count else ""


def _games(events: Sequence[EventListed]) -> list[Game[int]]:
    """Read the counting games of the competitions that the public may read, without those annulled."""
    by_competition = {event.competition_id: event for event in events}
    readers = {key: public_reader_of(event.competition) for key, event in by_competition.items()}
    annulled = {hanchan for _entrant, hanchan in annulled_over(readers.values())}
    entered = _entered([key for key, reader in readers.items() if reader.competition.kind == Competition.Kind.OPEN])
    found: dict[int, Game[int]] = {}
    for row in _seats(list(readers)):
        competition, hanchan, player, place, stage, round_, session, day, starts_at, *state = row
        confirmed_n, ended_n, is_released = state
        # Filtered here: each competition has its own version, which no condition shared by all can name.
        is_counted = readers[competition].counts(confirmed_n, ended_n, session, is_released=is_released)
        if not is_counted or hanchan in annulled:
            continue
        game, event = found.get(hanchan), by_competition[competition]
        places = (*(game.places if game else ()), (player, place))
        held = day or (business_day(event.competition, starts_at) if starts_at else event.day)
        # A league's games were planned, and follow their rounds, which each stage of a session counts by itself. Of one
        # day the competitions follow one another; the ids of events are no order, since an edit lists an event again.
        order = (competition, session, *((entered[hanchan],) if hanchan in entered else (stage, round_)), hanchan)
        found[hanchan] = Game(hanchan, event.pk, held, order, places)
    return list(found.values())


def _seats(competitions: Sequence[int]) -> Iterator[Sequence[Any]]:
    """Yield the columns that `_games` needs of each seat with a confirmed result, by hanchan and seat."""
    table = "sheet__hanchan__table_session"
    # Ids instead of a join: beside another table's million games the database then finds the results of these blocks.
    blocks = list(Block.objects.filter(competition__in=competitions).order_by().values_list("pk", flat=True))
    for first in range(0, len(blocks), CHUNK):
        rows = SeatResult.objects.filter(block__in=blocks[first : first + CHUNK], sheet__confirmed_n__isnull=False)
        yield from rows.order_by("sheet__hanchan", "seat").values_list(
            "block__competition",
            "sheet__hanchan",
            # At an open table results stay with the entry under which they were played.
            Coalesce("player__merged_into", "player"),
            "place",
            "sheet__hanchan__block__stage__order",
            "sheet__hanchan__round",
            f"{table}__session__number",
            f"{table}__session__day",
            f"{table}__starts_at",
            "sheet__confirmed_n",
            "sheet__ended_n",
            f"{table}__is_released",
        )


def _entered(competitions: Sequence[int]) -> Mapping[int, int]:
    """Return the first change that confirmed a result, by hanchan: at open tables the order of play.

    Ids would do as long as hanchan are made when they are played; an import makes them table by table.
    """
    sheets = ResultSheet.objects.filter(hanchan__block__competition__in=competitions).exclude(confirmed_n=None)
    return dict(sheets.order_by().values_list("hanchan").annotate(Min("confirmed_n")))
