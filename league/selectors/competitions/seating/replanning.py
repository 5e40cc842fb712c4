"""The remaining rounds of a block planned again: players leave or join, tables are lost, few people move.

A plan is a pure function of the block and the wish. The page shows it with its digest, and the service computes it
again under the lock and compares digests, so that the plan shown is the one written.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from django.db.models import Q
from django.utils.translation import gettext as _

from league.models import (
    Block,
    Change,
    Competition,
    Entrant,
    Hanchan,
    Override,
    Player,
    ResultSheet,
)
from league.platform.errors import conflict, refuse
from league.selectors.competitions.block_rounds import (
    BlockRounds,
    TableInRound,
    Turn,
    block_rounds,
    games_of,
    replannings,
)
from league.selectors.competitions.seating.designs import countries_of, groups_of, prices_apart
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.selectors.standings.blocks import entrants_who_may_play
from league.wording.names import round_name, title_of
from scoring.seating import rotate_seats
from scoring.seating.balance import Schedule
from scoring.seating.replan import Aim, Changes, Replan, replan

MOVES, MOVES_PER_SEAT = 100_000, 400
"""Limits of the search; 200 players and five rounds take about a second."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplanWish:
    """The changes for which rounds are planned again, from the hanchan with the number `first` on."""

    first: int
    aim: Aim = Aim.FEW_MOVES
    leaving: frozenset[int] = frozenset()
    """Ids of the entrants who play no more."""
    joining: frozenset[int] = frozenset()
    """Ids of the entrants who play from now on."""
    newcomers: tuple[str, ...] = ()
    """Names of players who are not known yet and join."""
    lost: frozenset[str] = frozenset()
    """Names of the tables that cannot be used any more."""
    keeps_clubs_apart: bool = False
    keeps_countries_apart: bool = False


@dataclass(frozen=True, slots=True)
class ChangedGame:
    """A hanchan whose players or seats change."""

    hanchan: Hanchan
    before: tuple[int, ...]
    """Ids of the entrants in the order of seats; empty if it was not to be played."""
    after: tuple[Entrant, ...]
    """Empty if it is not played any more."""


@dataclass(frozen=True, slots=True)
class PersonMove:
    """A player who changes tables, arrives, leaves or rests in a round."""

    entrant: Entrant
    before: TableInRound | None
    after: TableInRound | None
    kind: str
    """`moves`, `joins`, `leaves`, `rests`, or `plays` for a player who would have rested."""


@dataclass(frozen=True, slots=True)
class TableMove:
    """A table of a round whose players change: who goes, who comes, and who sits there then."""

    place: TableInRound
    going: tuple[Entrant, ...]
    coming: tuple[Entrant, ...]
    players: tuple[Entrant, ...]
    """In the order of seats; empty if the table is not used."""


@dataclass(frozen=True, slots=True)
class RoundMoves:
    """The announcement in the hall before a round."""

    turn: Turn
    people: tuple[PersonMove, ...]
    tables: tuple[TableMove, ...]
    rests: tuple[Entrant, ...]


@dataclass(frozen=True)
class ReplanPlan:
    """Rounds planned again, not written yet."""

    rounds: BlockRounds
    wish: ReplanWish
    players: tuple[Entrant, ...]
    """By the engine's numbers; newcomers, who are not stored yet, last."""
    places: tuple[TableInRound, ...]
    turns: tuple[Turn, ...]
    """The turns planned again."""
    found: Replan
    without_place: tuple[Entrant, ...] = field(default=())
    """Those who join and need a place in the block."""
    free_slots: tuple[int, ...] = field(default=())
    """Ids of the slots of leaving entrants without a result, whose places they take."""

    @cached_property
    def changed(self) -> tuple[ChangedGame, ...]:
        """Return the hanchan that change, in their order."""
        return tuple(game for number, turn in enumerate(self.turns) for game in self._changed_in(number, turn))

    def _changed_in(self, number: int, turn: Turn) -> Iterator[ChangedGame]:
        each = self.found.schedule[len(self.found.schedule) - len(self.turns) + number]
        orders = {frozenset(turn.company(place)): turn.games[place] for place in turn.games if turn.company(place)}
        for index, place in enumerate(self.places):
            if place not in turn.games:
                continue
            table = tuple(self.players[one] for one in each[index]) if index < len(each) else ()
            kept = orders.get(frozenset(one.pk for one in table if one.pk))
            by_pk = {one.pk: one for one in table}
            turned = rotate_seats(len(table), len(turn.numbers)) if table and len(turn.numbers) > 1 else ()
            for nth, game in enumerate(turn.games[place]):
                after = table
                if kept and len(by_pk) == len(kept[nth].seats):
                    after = tuple(by_pk[one] for one in kept[nth].seats)
                elif turned:
                    after = tuple(table[seat] for seat in turned[nth])
                before = () if game.is_off else game.seats
                if before != tuple(one.pk for one in after):
                    yield ChangedGame(game.hanchan, before, after)

    @cached_property
    def moves(self) -> tuple[RoundMoves, ...]:
        """Return what changes in each round, rounds without a change left out."""
        by_round: defaultdict[int, list[PersonMove]] = defaultdict(list)
        first = len(self.found.schedule) - len(self.turns)
        rests = [set(each) for each in self.found.rests]
        joining = {one for one, entrant in enumerate(self.players) if self._joins(entrant)}
        for move in self.found.moves:
            entrant = self.players[move.player]
            before, after = (None if place is None else self.places[place] for place in (move.before, move.after))
            kind = "moves"
            if after is None:
                kind = "rests" if move.player in rests[move.round - first] else "leaves"
            elif before is None:
                kind = "joins" if move.player in joining else "plays"
            by_round[move.round - first].append(PersonMove(entrant, before, after, kind))
        return tuple(
            RoundMoves(
                self.turns[number],
                tuple(sorted(people, key=lambda move: move.entrant.number)),
                tuple(self._table_moves(number)),
                tuple(sorted((self.players[one] for one in rests[number]), key=lambda one: one.number)),
            )
            for number, people in sorted(by_round.items())
        )

    def _joins(self, entrant: Entrant) -> bool:
        return is_newcomer(entrant) or entrant.pk in self.wish.joining

    def _table_moves(self, number: int) -> Iterator[TableMove]:
        """Yield the tables of a round whose players change."""
        turn = self.turns[number]
        by_pk = {entrant.pk: entrant for entrant in self.players}
        each = self.found.schedule[len(self.found.schedule) - len(self.turns) + number]
        for index, place in enumerate(self.places):
            before = [by_pk[one] for one in turn.company(place)]
            after = [self.players[one] for one in each[index]] if index < len(each) else []
            if set(map(id, before)) != set(map(id, after)):
                going = (one for one in before if one not in after)
                coming = (one for one in after if one not in before)
                yield TableMove(place, tuple(going), tuple(coming), tuple(after))

    @property
    def leaving(self) -> list[Entrant]:
        """Return those who had a seat and play no more, by number."""
        first = len(self.found.schedule) - len(self.turns)
        gone = {
            move.player
            for move in self.found.moves
            if move.after is None and move.player not in self.found.rests[move.round - first]
        }
        return sorted((self.players[one] for one in gone), key=lambda one: one.number)

    @property
    def rests_by_player(self) -> list[tuple[Entrant, int]]:
        """Return those who rest in the rounds planned again, by number, each with the number of rests."""
        counts = Counter(one for each in self.found.rests for one in each)
        return sorted(((self.players[one], count) for one, count in counts.items()), key=lambda each: each[0].number)

    @property
    def hanchan_range(self) -> tuple[int, int]:
        """Return the fewest and the most hanchan that those who play on have in the end."""
        playing = {one for table in self.found.schedule[-1] for one in table} | set(self.found.rests[-1])
        counts = Counter[int]()
        for turn, each in zip(self.rounds.turns, self.found.schedule, strict=True):
            for table in each:
                for one in table:
                    counts[one] += len(turn.numbers)
        numbers = [counts[one] for one in playing]
        return min(numbers), max(numbers)

    @property
    def digest(self) -> str:
        """Return a digest of all that is written, and of what it replaces."""
        wish = self.wish
        shown = [
            wish.first, wish.aim, sorted(wish.leaving), sorted(wish.joining), wish.newcomers, sorted(wish.lost),
            [[game.hanchan.pk, game.before, list(map(_identity, game.after))] for game in self.changed],
            list(map(_identity, self.without_place)), self.free_slots,
        ]  # fmt: skip
        return hashlib.sha256(json.dumps(shown).encode()).hexdigest()[:16]


def is_newcomer(entrant: Entrant) -> bool:
    """Return whether an entrant of a plan is not stored yet."""
    return entrant.pk is None


def _identity(entrant: Entrant) -> int | str:
    """Return what a digest knows an entrant by."""
    return entrant.player.name if is_newcomer(entrant) else entrant.pk


def planned_again(block: Block, wish: ReplanWish) -> ReplanPlan:
    """Plan a block's rounds again from a hanchan on.

    Raise RuleViolationError or ConflictError if nothing is left to plan, or the wish cannot be met.
    """
    rounds = block_rounds(block)
    start = _start_of(rounds, wish.first)
    size = ruleset_of(rules_at(block.competition)).players
    players = _players(rounds, wish)
    without, free = _places_to_take(block, players, wish, rounds.gone | wish.leaving)
    turns, index = rounds.turns[start:], {one.pk: number for number, one in enumerate(players)}
    _refuse_unknown_seats(turns)
    places = tuple(sorted({place for turn in rounds.turns for place in turn.games}))
    schedule = tuple(
        tuple(tuple(index[one] for one in turn.company(place)) for place in places) for turn in rounds.turns
    )
    changes = _changes(rounds, start, wish, players, places)
    found = _replanned(schedule, len(players), start, changes, wish.aim, size)
    if not any(table for each in found.schedule[start:] for table in each):
        raise refuse("too_few_left", _("Too few players are left for a table."), "/leaving")
    return ReplanPlan(rounds, wish, players, places, turns, found, without, free)


def _changes(
    rounds: BlockRounds, start: int, wish: ReplanWish, players: Sequence[Entrant], places: Sequence[TableInRound]
) -> Changes:
    """Return the wish as the engine knows it: players and tables by their index among these."""
    turns = rounds.turns[start:]
    used = {place for turn in turns for place in turn.games if turn.company(place)}
    apart = prices_apart(
        groups_of(one.affiliation for one in players) if wish.keeps_clubs_apart else (),
        groups_of(countries_of(players)) if wish.keeps_countries_apart else (),
    )
    away = (rounds.gone | wish.leaving) - wish.joining

    return Changes(
        leaving=frozenset(number for number, one in enumerate(players) if one.pk in away),
        arriving=frozenset(number for number, one in enumerate(players) if is_newcomer(one) or one.pk in wish.joining),
        lost=frozenset(number for number, place in enumerate(places) if place.label in wish.lost),
        spare=frozenset(number for number, place in enumerate(places) if place not in used),
        closed=tuple(
            frozenset(number for number, place in enumerate(places) if place not in turn.games) for turn in turns
        ),
        rested=_rests_had(rounds, start, players),
        apart=tuple(sorted(apart.items())),
    )


@lru_cache(maxsize=16)
def _replanned(schedule: Schedule, players: int, played: int, changes: Changes, aim: Aim, size: int) -> Replan:
    """Return the engine's plan; cached, since the page shows two plans and the service computes one again."""
    seats = sum(len(table) for each in schedule[played:] for table in each)
    moves = min(MOVES, MOVES_PER_SEAT * seats)
    return replan(schedule, players, played=played, changes=changes, aim=aim, size=size, moves=moves)


def _start_of(rounds: BlockRounds, first: int) -> int:
    """Return the place of the turn that begins with a hanchan, which must not have begun."""
    if rounds.block.competition.kind == Competition.Kind.OPEN:
        raise conflict("open_table", _("Guests of an open table play as they arrive; there is no plan."))
    begun = len(rounds.turns) - len(rounds.open_turns)
    for number, turn in enumerate(rounds.turns):
        if turn.numbers[0] == first and number >= begun:
            return number
    message = _("This round has begun, or is over. Choose a later one.")
    raise conflict("round_has_begun", message, "/first")


def _refuse_unknown_seats(turns: Sequence[Turn]) -> None:
    """Raise ConflictError unless it is known who plays at each table of these rounds."""
    for turn in turns:
        if any(not game.is_off and not game.seats for games in turn.games.values() for game in games):
            message = _("It is not known yet who plays in %(round)s. Seat the players first.")
            raise conflict("seats_unknown", message % {"round": turn.name}, "/first")


def _players(rounds: BlockRounds, wish: ReplanWish) -> tuple[Entrant, ...]:
    """Return all who have played, play or join, newcomers last as rows that are not stored."""
    competition = rounds.block.competition
    wanted = rounds.seated | wish.joining
    rows = Entrant.objects.filter(competition=competition, pk__in=wanted).select_related("player").order_by("number")
    players = list(rows)
    if unknown := (wish.joining | wish.leaving) - {one.pk for one in players}:
        raise refuse("no_such_entrant", _("There is no player %(player)s.") % {"player": min(unknown)}, "/joining")
    if both := wish.joining & (wish.leaving | rounds.present):
        name = next(one for one in players if one.pk in both)
        raise refuse("joins_and_plays", _("%(name)s plays here already.") % {"name": name}, "/joining")
    everyone = competition.entrants.select_related("player")
    last = max((one.number for one in everyone), default=0)
    for number, newcomer in enumerate(wish.newcomers, start=last + 1):
        if (
            any(newcomer in (one.player.name, one.player.name_romaji) for one in everyone)
            or wish.newcomers.count(newcomer) > 1
        ):
            message = _("%(name)s is entered already. Choose the player from the list.")
            raise refuse("entered_already", message % {"name": newcomer}, "/newcomers")
        players.append(Entrant(competition=competition, number=number, player=Player(name=newcomer)))
    return tuple(players)


def _places_to_take(
    block: Block, players: Sequence[Entrant], wish: ReplanWish, gone: Collection[int]
) -> tuple[tuple[Entrant, ...], tuple[int, ...]]:
    """Return who joins without a place in the block, and the ids of the slots that they take.

    A block with slots takes results of those who fill them alone. Free are the slots of those who leave without a
    result there.
    """
    may_play = entrants_who_may_play(block)
    without = tuple(one for one in players if is_newcomer(one) or (one.pk in wish.joining and one.pk not in may_play))
    if not without or not block.slots.exists():
        return (), ()
    played = ResultSheet.objects.counting().filter(hanchan__block=block)
    taken = Override.objects.standing().filter(block=block, kind=Override.Kind.REPLACE).values("slot")
    slots = block.slots.filter(Q(seeded__in=gone) | Q(seeded=None, source__startswith="seed:")).exclude(pk__in=taken)
    # Two queries: a slot without an entrant is unequal to none, and `NOT IN` with a null finds nothing.
    with_results = set(played.values_list("seats__entrant", flat=True))
    rows = slots.order_by("number").values_list("pk", "seeded")
    free = [pk for pk, entrant in rows if entrant not in with_results]
    if len(free) < len(without):
        message = _(
            "%(block)s has no place for %(missing)s of those who join: its places belong to players with results. "
            "Let them sit as substitutes, or leave them out."
        )
        told = {"block": block, "missing": len(without) - len(free)}
        raise refuse("no_place_in_block", message % told, "/joining")
    return without, tuple(free[: len(without)])


def _rests_had(rounds: BlockRounds, start: int, players: Sequence[Entrant]) -> tuple[int, ...]:
    """Return how many of the first turns each player has rested in: those without a seat since the player came."""
    present = rounds.present
    seated = [{one for place in turn.games for one in turn.company(place)} for turn in rounds.turns[:start]]
    return tuple(
        sum(
            turn.numbers[0] >= rounds.joined.get(one.pk, 0) and one.pk not in there
            for turn, there in zip(rounds.turns, seated, strict=False)
        )
        if one.pk in present
        else 0
        for one in players
    )


@dataclass(frozen=True, slots=True)
class Candidates:
    """Entrants who may leave and who may join, by number."""

    present: tuple[Entrant, ...]
    others: tuple[Entrant, ...]


def candidates_of(rounds: BlockRounds) -> Candidates:
    """Return the entrants who play on, and the others of the competition, those withdrawn left out."""
    rows = Entrant.objects.filter(competition=rounds.block.competition, merged_into=None)
    everyone = list(rows.select_related("player").order_by("number"))
    present = rounds.present
    return Candidates(
        tuple(one for one in everyone if one.pk in present),
        tuple(one for one in everyone if one.pk not in present and one.withdrawn_at is None),
    )


@dataclass(frozen=True, slots=True)
class Restoring:
    """The last replanning of a block, and the hanchan that return to their earlier players."""

    change: Change
    games: tuple[tuple[Hanchan, tuple[int, ...], tuple[int, ...]], ...]
    """Hanchan, ids of its entrants now, and ids of those before the replanning; empty if it is not played."""

    @property
    def digest(self) -> str:
        """Return a digest of what is restored."""
        shown = [self.change.n, [[hanchan.pk, now, then] for hanchan, now, then in self.games]]
        return hashlib.sha256(json.dumps(shown).encode()).hexdigest()[:16]


def restoring(block: Block) -> Restoring:
    """Return how the last replanning would be undone.

    Raise ConflictError if there is none, or a hanchan of it has begun or was changed since.
    """
    change = next(reversed(replannings(block)), None)
    if change is None:
        raise conflict("not_replanned", _("There is no earlier plan to restore."))
    before, after = (change.before or {})["seats"], (change.after or {})["seats"]
    games: list[tuple[Hanchan, tuple[int, ...], tuple[int, ...]]] = []
    for by_place in games_of(block).values():
        for game in by_place.values():
            key = str(game.hanchan.pk)
            if key not in after:
                continue
            now = () if game.is_off else game.seats
            told = {"round": f"{title_of(game.hanchan.table_session.session)} {round_name(game.hanchan)}"}
            if game.has_begun:
                message = _("%(round)s has begun; the earlier plan cannot be restored. Plan the rounds again instead.")
                raise conflict("round_has_begun", message % told)
            if list(now) != after[key]:
                message = _("Seats of %(round)s were changed since; the earlier plan cannot be restored.")
                raise conflict("seats_changed", message % told)
            games.append((game.hanchan, now, tuple(before[key])))
    return Restoring(change, tuple(games))
