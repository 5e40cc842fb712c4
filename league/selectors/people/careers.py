"""Careers (通算成績): one person or team over all competitions that the visitor may read.

A person's hanchan are those that count for their own entry and those they sat through as a member of a team; a
substitute's count for the person entered. Points of different rule books are never added.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q

from league.models import Adjustment, Entrant, Outcome, Player, SeatResult, SlotState, Standing, TeamMember
from league.selectors.access.readers import Reader, Visitor, visible_competitions
from league.selectors.competitions.batches import published_rows, readers_of
from league.selectors.people.played_seats import PlayedSeat, RulesOfResults, books_of, played_seats
from league.selectors.people.player_records import Record, add_records, record_of_games
from league.selectors.people.records import History, runs
from league.selectors.people.search import holds, words_of
from league.selectors.seasons.teams import memberships_seen_by
from league.selectors.standings.published import outcome_of, standings_of


@dataclass(frozen=True, slots=True)
class CareerEntry:
    """A competition of a career: the entrant, and whether the player is a member of that team."""

    reader: Reader
    entrant: Entrant
    is_member: bool


@dataclass(frozen=True, slots=True)
class Career:
    """A player with all hanchan that the visitor may read, in the order of play."""

    player: Player
    entries: tuple[CareerEntry, ...]
    """The newest competition first."""
    seats: tuple[PlayedSeat, ...]
    books: Mapping[int, RulesOfResults]
    """By the id of the rules under which a hanchan was played."""

    @property
    def readers(self) -> list[Reader]:
        """Return the readers of the competitions, each once."""
        return list({entry.reader.competition.pk: entry.reader for entry in self.entries}.values())

    @property
    def years(self) -> list[int]:
        """Return the years of the hanchan, the latest first."""
        return sorted({seat.day.year for seat in self.seats}, reverse=True)

    @property
    def book_names(self) -> dict[str, RulesOfResults]:
        """Return the rule books of the hanchan by name."""
        return {self.books[seat.rules].name: self.books[seat.rules] for seat in self.seats}

    def only(self, year: int | None, book: str) -> Career:
        """Return the part of the career in one year, under one book, or all of it."""
        seats = tuple(
            seat for seat in self.seats if year in (None, seat.day.year) and book in ("", self.books[seat.rules].name)
        )
        if len(seats) == len(self.seats):
            return self
        played = {seat.entrant for seat in seats}
        return replace(self, seats=seats, entries=tuple(each for each in self.entries if each.entrant.pk in played))

    def who(self, seat: PlayedSeat) -> int:
        """Return the id of the player for whom a hanchan counts on this page: teams on a team's, else people."""
        return seat.entered if self.player.is_team else seat.person


def entries_of_career(player: Player, visitor: Visitor | None) -> tuple[CareerEntry, ...]:
    """Return the competitions of a player that the visitor may read, as entrant and as a member of a team."""
    visible = visible_competitions(visitor)
    # Subqueries instead of joins: with OR over joins a database may scan every seat of a large installation.
    member = TeamMember.objects.filter(player=player).order_by().values("entrant")
    sat = SeatResult.objects.filter(player=player, entrant__player__is_team=True).order_by().values("entrant")
    mine = Q(player=player) | Q(pk__in=member) | Q(pk__in=sat)
    rows = Entrant.objects.filter(mine, competition__in=visible).select_related("player")
    entrants = list(rows.order_by("-competition__created_at", "-competition", "pk"))
    readers = readers_of(visible.filter(pk__in={row.competition_id for row in entrants}), visitor)
    for row in entrants:
        row.competition = readers[row.competition_id].competition
    return tuple(
        CareerEntry(readers[row.competition_id], row, is_member=row.player_id != player.pk)
        for row in entrants
        if not readers[row.competition_id].guards_guests
    )


def career_of(player: Player, entries: Sequence[CareerEntry]) -> Career:
    """Return the career in these competitions; its queries do not depend on their number."""
    readers = list({entry.reader.competition.pk: entry.reader for entry in entries}.values())
    seats = played_seats(readers, _own(player))
    members = {(row.entrant_id, row.player_id) for row in memberships_seen_by(*readers, player=player)}
    played = {seat.entrant for seat in seats}
    # A membership that was taken back, or a seat that was corrected, leaves nothing behind.
    kept = tuple(
        each
        for each in entries
        if not each.is_member or each.entrant.pk in played or (each.entrant.pk, player.pk) in members
    )
    return Career(player, kept, tuple(seats), books_of(seats))


def _own(player: Player) -> Q:
    """Return the condition of the seats of a player, with those of entries merged at open tables."""
    entered = Entrant.objects.filter(Q(player=player) | Q(merged_into__player=player)).order_by()
    return Q(entrant__in=list(entered.values_list("pk", flat=True))) | Q(player=player, entrant__player__is_team=True)


@dataclass(frozen=True, slots=True)
class Streak:
    """A run of hanchan: its length, the first and the last of them."""

    length: int
    first: PlayedSeat
    last: PlayedSeat


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of some hanchan under one book."""

    book: RulesOfResults
    record: Record
    points: int
    """Sum of the hanchan, at the book's scale; carry-overs and adjustments are parts of a competition, not of these."""
    best: PlayedSeat
    worst: PlayedSeat
    firsts: Streak | None
    """The longest run of firsts, of two or more."""
    not_last: Streak | None


def figures_of(career: Career) -> tuple[Figures, ...]:
    """Return the figures by book, the one with most hanchan first."""
    return tuple(
        sorted((_figures(career, book, own) for book, own in by_book(career)), key=lambda each: -each.record.played)
    )


def by_book(career: Career) -> list[tuple[RulesOfResults, list[PlayedSeat]]]:
    """Return the hanchan of each book, in the order of play."""
    found: defaultdict[RulesOfResults, list[PlayedSeat]] = defaultdict(list)
    for seat in career.seats:
        found[career.books[seat.rules]].append(seat)
    return list(found.items())


def _figures(career: Career, book: RulesOfResults, seats: Sequence[PlayedSeat]) -> Figures:
    return Figures(
        book=book,
        record=record_of_seats(seats, book.players),
        points=points_of(seats),
        best=max(seats, key=lambda seat: seat.score),
        worst=min(seats, key=lambda seat: seat.score),
        firsts=_longest(career, seats, 1),
        not_last=_longest(career, seats, book.players - 1),
    )


def _longest(career: Career, seats: Sequence[PlayedSeat], worst_place: int) -> Streak | None:
    """Return the longest run of places not worse than this one, the earliest of equal ones."""
    history = History(seats, career.books[seats[0].rules].players, of_teams=career.player.is_team)
    best = max(runs(history, lambda seat: seat.place <= worst_place), key=lambda feat: feat.value, default=None)
    if best is None:
        return None
    by_hanchan = {seat.hanchan: seat for seat in seats}
    return Streak(best.value, by_hanchan[best.since or best.hanchan], by_hanchan[best.hanchan])


def points_of(seats: Iterable[PlayedSeat]) -> int:
    """Return the points of these hanchan, which must be of one book."""
    return sum(seat.points for seat in seats)


def record_of_seats(seats: Sequence[PlayedSeat], places: int) -> Record:
    """Return the record of these hanchan; `places` is the number of players at a table."""
    return record_of_games([(seat.place, seat.score) for seat in seats], places)


def combined_records(records: Iterable[Record]) -> tuple[Record, ...]:
    """Return the record over all books, for tables of four and of three separately, without points."""
    by_players: dict[int, Record] = {}
    for record in records:
        # Points cannot be summed across books: their ledgers have different units and scales.
        before = by_players.get(len(record.places))
        by_players[len(record.places)] = add_records(before, record) if before else record
    return tuple(record for _players, record in sorted(by_players.items(), reverse=True) if record.played)


@dataclass(frozen=True, slots=True)
class YearLine:
    """The figures of one year under one book."""

    year: int
    book: RulesOfResults
    record: Record
    points: int


def years_of(career: Career) -> tuple[YearLine, ...]:
    """Return the figures year by year and book by book, the latest year first."""
    found: defaultdict[tuple[int, RulesOfResults], list[PlayedSeat]] = defaultdict(list)
    for seat in career.seats:
        found[seat.day.year, career.books[seat.rules]].append(seat)
    lines = [
        YearLine(year, book, record_of_seats(own, book.players), points_of(own)) for (year, book), own in found.items()
    ]
    return tuple(sorted(lines, key=lambda line: (-line.year, -line.record.played, line.book.name)))


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A competition of the career in one line."""

    entry: CareerEntry
    book: RulesOfResults | None
    """None before the first hanchan."""
    record: Record | None
    points: int
    """Points of the own hanchan, and for a team's member of adjustments that are also the member's."""
    standing: Standing | None
    """The entrant's line in the furthest stage reached; a team's for its members."""
    is_champion: bool

    @property
    def team(self) -> Player | None:
        """Return the team that a person played for."""
        return self.entry.entrant.player if self.entry.is_member else None


def season_lines(career: Career) -> tuple[SeasonLine, ...]:
    """Return the competitions of the career, the newest first, in a fixed number of queries."""
    seats: defaultdict[int, list[PlayedSeat]] = defaultdict(list)
    for seat in career.seats:
        seats[seat.entrant].append(seat)
    standings = _furthest(career)
    champions = _champions(career.readers)
    adjusted = _adjustments(career)
    lines = []
    for entry in career.entries:
        key = entry.entrant.pk
        own = seats[key]
        book = career.books[own[-1].rules] if own else None
        lines.append(
            SeasonLine(
                entry=entry,
                book=book,
                record=record_of_seats(own, book.players) if book else None,
                points=points_of(own) + adjusted.get(key, 0),
                standing=standings.get(key),
                is_champion=key in champions,
            )
        )
    return tuple(lines)


def _furthest(career: Career) -> dict[int, Standing]:
    """Return each entrant's line in the last stage that they played in, by entrant id."""
    entrants = [entry.entrant.pk for entry in career.entries]
    rows = Standing.objects.filter(published_rows(career.readers, "block__competition"), entrant__in=entrants)
    found = list(rows.select_related("block__stage").order_by("block__stage__order", "block__order"))
    for entry in career.entries:
        if entry.reader.until is not None:
            found += standings_of(entry.reader, entrant=entry.entrant)
    return {row.entrant_id: row for row in found if row.has_points}


def _champions(readers: Sequence[Reader]) -> frozenset[int]:
    """Return the entrants that are certain champions."""
    rows = Outcome.objects.filter(published_rows(readers, "competition")).order_by()
    outcomes = [*rows, *(outcome for each in readers if each.until is not None and (outcome := outcome_of(each)))]
    certain = SlotState.State.CERTAIN
    return frozenset(row.champion_id for row in outcomes if row.champion_state == certain and row.champion_id)


def _adjustments(career: Career) -> dict[int, int]:
    """Return the points by entrant that teams were given or docked for the player, who is their member."""
    member_of = {entry.entrant.pk: entry.reader for entry in career.entries if entry.is_member}
    if not member_of:
        return {}
    rows = Adjustment.objects.filter(player=career.player, entrant__in=member_of).order_by()
    readers = {key: member_of[key] for key in rows.values_list("entrant", flat=True)}
    return {
        key: sum(row.points for row in reader.decisions(Adjustment, entrant=key, player=career.player))
        for key, reader in readers.items()
    }


@dataclass(frozen=True, slots=True)
class Opponent:
    """A player met at tables: how often, how often the own place was the better one, and the points between them."""

    player: Player
    together: int
    ahead: int
    behind: int
    gaps: tuple[tuple[RulesOfResults, int], ...]
    """By book, the own points less the opponent's."""


def opponents_of(career: Career, text: str = "") -> tuple[Opponent, ...]:
    """Return the opponents met most often first; only those whose name contains each word of the text."""
    own = {seat.sheet: seat for seat in career.seats}
    sheets = SeatResult.objects.filter(_own(career.player)).order_by().values("sheet")
    met: defaultdict[int, list[tuple[PlayedSeat, PlayedSeat]]] = defaultdict(list)
    for seat in played_seats(career.readers, Q(sheet__in=sheets)):
        mine = own.get(seat.sheet)
        if mine is not None and mine.seat != seat.seat:
            met[career.who(seat)].append((mine, seat))
    people = Player.objects.in_bulk(met)
    words = words_of(text)
    found = (_opponent(career, people[key], pairs) for key, pairs in met.items() if holds(people[key], words))
    return tuple(sorted(found, key=lambda each: (-each.together, each.player.name_kana, each.player.pk)))


def _opponent(career: Career, player: Player, pairs: Sequence[tuple[PlayedSeat, PlayedSeat]]) -> Opponent:
    gaps: defaultdict[RulesOfResults, int] = defaultdict(int)
    for mine, other in pairs:
        gaps[career.books[mine.rules]] += mine.points - other.points
    ahead = sum(mine.place < other.place for mine, other in pairs)
    behind = sum(mine.place > other.place for mine, other in pairs)
    return Opponent(player, len(pairs), ahead, behind, tuple(gaps.items()))


@dataclass(frozen=True, slots=True)
class TeamSeason:
    """A team's competition with its members, and the number of hanchan that each one played."""

    entry: CareerEntry
    members: tuple[tuple[Player, TeamMember | None, int], ...]
    """Member, the dates of the membership if it still holds, and hanchan; who played without one comes last."""


def members_by_season(career: Career) -> Iterator[TeamSeason]:
    """Yield the members of a team, competition by competition."""
    counts: defaultdict[tuple[int, int], int] = defaultdict(int)
    for seat in career.seats:
        counts[seat.entrant, seat.sat] += 1
    known = memberships_seen_by(*career.readers, entrant__in=[entry.entrant.pk for entry in career.entries])
    named = {(row.entrant_id, row.player_id) for row in known}
    others = Player.objects.in_bulk({player for entrant, player in counts if (entrant, player) not in named})
    for entry in career.entries:
        key = entry.entrant.pk
        rows = [(row.player, row, counts[key, row.player_id]) for row in known if row.entrant_id == key]
        rest = [
            (others[player], None, count)
            for (entrant, player), count in counts.items()
            if entrant == key and player in others and (key, player) not in named
        ]
        yield TeamSeason(entry, (*rows, *rest))
