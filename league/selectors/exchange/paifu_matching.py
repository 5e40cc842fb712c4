"""Players and hanchan of games played online: matched by account, remembered name or name, and by the company."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from django.db.models import Exists, OuterRef, QuerySet

from league.models import Competition, Entrant, Hanchan, HanchanSeat, OnlineAccount, Player, ResultSheet, TableSession
from league.selectors.exchange.row_matching import ENTERED_WITH, name_of_cell
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.selectors.seasons.teams import is_team_league, memberships
from league.selectors.standings.blocks import entrants_who_may_sit
from scoring.paifu.records import Paifu, PaifuPlayer, PaifuSource

UNNAMED = frozenset({"noname", "nonamed", "player"})
"""Names, folded, that a service gives to players without an account: they name no person."""


class How(StrEnum):
    """The way in which a player of a log was recognised."""

    CHOSEN = "chosen"
    """Chosen by a person for this import."""
    ACCOUNT = "account"
    """By the service's id of the account."""
    REMEMBERED = "remembered"
    """By a name remembered from an earlier import."""
    NAME = "name"
    """By the player's own name or handle."""
    UNKNOWN = "unknown"
    """Not recognised."""


@dataclass(frozen=True, slots=True)
class SeatedPerson:
    """The entrant for whom a person sits, and the person: the same player, except for a member of a team."""

    entrant: Entrant
    player: Player

    @property
    def key(self) -> tuple[int, int]:
        """Return the ids of entrant and player."""
        return self.entrant.pk, self.player.pk


@dataclass(frozen=True, slots=True)
class Match:
    """A player of a log with the person that was found."""

    online: PaifuPlayer
    how: How
    seated: SeatedPerson | None = None
    candidates: tuple[SeatedPerson, ...] = ()
    """Several people to whom the name applies; none of them is taken."""


def is_nameless(name: str) -> bool:
    """Return True for a name that a service gives to all players without an account."""
    return not name.strip() or name_of_cell(name) in UNNAMED


@dataclass
class PeopleIndex:
    """The people who may sit in a competition, by the texts that online services and the league know them by."""

    seated: Mapping[tuple[int, int], SeatedPerson]
    accounts: Mapping[tuple[str, str, str], int]
    """The player by service, kind and text of a remembered account."""
    names: Mapping[str, frozenset[tuple[int, int]]]
    by_player: Mapping[int, tuple[tuple[int, int], ...]]

    @classmethod
    def of(cls, competition: Competition, day: dt.date | None = None, table: TableSession | None = None) -> PeopleIndex:
        """Load the people of a competition, or of one table; in a league of teams its members on the day."""
        people = people_of(competition, day)
        if table is not None:
            seats = HanchanSeat.objects.filter(hanchan__table_session=table)
            there = set(seats.order_by().values_list("entrant", flat=True))
            people = [seated for seated in people if seated.entrant.pk in there]
        ids = {seated.player.pk for seated in people}
        kept = OnlineAccount.objects.filter(player__in=ids) if len(ids) <= MOST_IDS else OnlineAccount.objects.all()
        accounts = {(row.service, row.kind, folded(row.kind, row.text)): row.player_id for row in kept}
        names: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)
        by_player: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for seated in people:
            by_player[seated.player.pk].append(seated.key)
            player = seated.player
            for text in filter(None, (player.key, player.name, player.name_kana, player.name_romaji, player.handle)):
                names[name_of_cell(text)].add(seated.key)
        return cls(
            {seated.key: seated for seated in people},
            accounts,
            {text: frozenset(keys) for text, keys in names.items()},
            {player: tuple(keys) for player, keys in by_player.items()},
        )

    def matches(self, paifu: Paifu, chosen: Mapping[str, Sequence[int]]) -> tuple[Match, ...]:
        """Return the match of each seat; `chosen` has ids of entrant and player by the seat's number as text."""
        return tuple(self._match(paifu.source, one, chosen.get(str(one.seat))) for one in paifu.players)

    def _match(self, source: PaifuSource, online: PaifuPlayer, chosen: Sequence[int] | None) -> Match:
        if chosen is not None:
            seated = self.seated.get((chosen[0], chosen[1]))
            return Match(online, How.CHOSEN if seated else How.UNKNOWN, seated)
        if is_nameless(online.name):
            return self._of_account(source, online) or Match(online, How.UNKNOWN)
        return (
            self._of_account(source, online)
            or self._remembered(source, OnlineAccount.Kind.NAME, online.name, online, How.REMEMBERED)
            or self._named(online)
        )

    def _of_account(self, source: PaifuSource, online: PaifuPlayer) -> Match | None:
        if not online.account:
            return None
        return self._remembered(source, OnlineAccount.Kind.ACCOUNT, online.account, online, How.ACCOUNT)

    def _remembered(self, source: PaifuSource, kind: str, text: str, online: PaifuPlayer, how: How) -> Match | None:
        player = self.accounts.get((source.value, kind, folded(kind, text)))
        keys = self.by_player.get(player, ()) if player is not None else ()
        return Match(online, how, self.seated[keys[0]]) if len(keys) == 1 else None

    def _named(self, online: PaifuPlayer) -> Match:
        keys = sorted(self.names.get(name_of_cell(online.name), ()))
        if len(keys) == 1:
            return Match(online, How.NAME, self.seated[keys[0]])
        return Match(online, How.UNKNOWN, None, tuple(self.seated[key] for key in keys))


MOST_IDS = 900
"""At most this many ids go into one query."""


def folded(kind: str, text: str) -> str:
    """Return the text by which a remembered account is found: ids exactly, names without blanks at their ends."""
    return text if kind == OnlineAccount.Kind.ACCOUNT else text.strip()


def people_of(competition: Competition, day: dt.date | None = None) -> list[SeatedPerson]:
    """Return those who may sit in the competition: its entrants, or the members of its teams on the day, by number."""
    if is_team_league(competition):
        rows = memberships(competition, day).filter(entrant__merged_into=None)
        return list({(row.entrant_id, row.player_id): SeatedPerson(row.entrant, row.player) for row in rows}.values())
    entrants = Entrant.objects.filter(competition=competition, merged_into=None).select_related("player")
    return [SeatedPerson(entrant, entrant.player) for entrant in entrants.order_by("number")]


def awaiting_hanchan(competition: Competition, table: TableSession | None = None) -> QuerySet[Hanchan]:
    """Return the hanchan of the competition, or of one table, that await a result, in the order of play."""
    known = ResultSheet.objects.filter(
        hanchan=OuterRef("pk"), state__in=[ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED]
    )
    rows = Hanchan.objects.filter(~Exists(known), table_session__competition=competition)
    if table is not None:
        rows = rows.filter(table_session=table)
    rows = rows.exclude(state=Hanchan.State.ABANDONED).exclude(table_session__is_cancelled=True)
    return rows.select_related(*ENTERED_WITH).order_by(
        "block__stage__order", "table_session__session__number", "round", "number", "table_session__order", "pk"
    )


@dataclass
class AwaitingIndex:
    """The hanchan that await a result, by their planned company; each is given out once."""

    hanchan: Mapping[int, Hanchan]
    planned: Mapping[int, tuple[int, ...]]
    """The planned entrants of each hanchan, first dealer first; none for an open one."""
    taken: set[int] = field(default_factory=set)
    """The hanchan given out."""
    reserved: set[int] = field(default_factory=set)
    """The hanchan chosen for games, which no other game takes."""

    @classmethod
    def of(cls, competition: Competition, table: TableSession | None = None) -> AwaitingIndex:
        """Load what awaits a result in the competition, or at one table."""
        hanchan = {row.pk: row for row in awaiting_hanchan(competition, table)}
        seats: defaultdict[int, list[int]] = defaultdict(list)
        rows = HanchanSeat.objects.filter(hanchan__table_session__competition=competition).order_by("hanchan", "seat")
        if table is not None:
            rows = rows.filter(hanchan__table_session=table)
        for pk, entrant in rows.values_list("hanchan", "entrant"):
            if pk in hanchan:
                seats[pk].append(entrant)
        return cls(hanchan, {pk: tuple(people) for pk, people in seats.items()})

    def take(self, entrants: Collection[int], chosen: int | None = None) -> Hanchan | None:
        """Return the chosen hanchan, or the first one planned for exactly these entrants, and give it out; else None.

        Several games of the same company take their hanchan in the order of play.
        """
        for row in self.hanchan.values():
            is_meant = (
                row.pk == chosen
                if chosen is not None
                else row.pk not in self.reserved and set(self.planned.get(row.pk, ())) == set(entrants)
            )
            if is_meant and row.pk not in self.taken:
                self.taken.add(row.pk)
                return row
        return None

    def offers(self, entrants: Collection[int], players: int) -> list[Hanchan]:
        """Return the hanchan that this company may choose: planned for it, or without players where it may sit."""
        may_sit: dict[int, frozenset[int]] = {}
        found = []
        for row in self.hanchan.values():
            if row.pk in self.taken or ruleset_of(row.rules).players != players:
                continue
            planned = self.planned.get(row.pk)
            if planned is None and row.block_id not in may_sit:
                may_sit[row.block_id] = entrants_who_may_sit(row.block)
            if set(planned) == set(entrants) if planned else set(entrants) <= may_sit.get(row.block_id, frozenset()):
                found.append(row)
        return found
