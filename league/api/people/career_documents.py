"""Documents of careers and of records: results over all competitions that the reader may know of."""

from __future__ import annotations

import datetime as dt

from pydantic import Field

from league.models import Player
from league.selectors.people.careers import (
    Career,
    Figures,
    Opponent,
    SeasonLine,
    Streak,
    YearLine,
    figures_of,
    opponents_of,
    season_lines,
    years_of,
)
from league.selectors.people.honours import AwardWon, awards_won
from league.selectors.people.played_seats import PlayedSeat, RulesOfResults
from league.selectors.people.records import Holder, RecordKind, RecordLine, RecordTable
from league.web.document_parts import CompetitionRef, InBoth, NamedKey, ref
from league.web.documents import Amount, Document, Ref
from league.wording.formatting import decimal_text
from league.wording.names import person_name


class PersonRef(Document):
    """A reference to a player, a person or a team, inside another document."""

    id: Ref = Field(description="The player's id.")
    key: str = Field(description="The player's key, the same in every competition.")
    name: str = Field(description="The name in the language of the response.")
    is_team: bool = Field(description="True for a team.")


class BookRef(Document):
    """A reference to a rule book; points of different books are never added."""

    ruleset: str = Field(description="The name of the rule book.")
    title: InBoth = Field(description="Its title.")
    players: int = Field(description="The number of players at a table.")


class CareerScore(Document):
    """A final score with the hanchan in which it was reached."""

    score: int = Field(description="Table points.")
    hanchan: Ref = Field(description="The hanchan's id.")
    day: dt.date = Field(description="The business day, or the day of the hanchan.")


class CareerStreak(Document):
    """A run of hanchan."""

    length: int = Field(description="The number of hanchan.")
    first: Ref = Field(description="The id of the first one.")
    last: Ref = Field(description="The id of the last one.")


class CareerCounts(Document):
    """Counts of hanchan and their points."""

    hanchan: int = Field(description="The number of hanchan.")
    places: list[int] = Field(description="The number of firsts, seconds and so on.")
    average_place: str | None = Field(description="Two decimals; null without a hanchan.")
    points: Amount = Field(description="The points of these hanchan, without carry-overs and adjustments.")


class CareerBook(CareerCounts):
    """All hanchan under one rule book."""

    book: BookRef
    best: CareerScore = Field(description="The highest final score.")
    lowest: CareerScore = Field(description="The lowest final score.")
    firsts_in_a_row: CareerStreak | None = Field(description="The longest run of firsts; null below two.")
    not_last_in_a_row: CareerStreak | None = Field(description="The longest run without a last place; null below two.")


class CareerYear(CareerCounts):
    """The hanchan of one year under one rule book."""

    year: int = Field(description="The year.")
    ruleset: str = Field(description="The name of the rule book.")


class CareerSeason(Document):
    """A competition of a career."""

    competition: CompetitionRef
    entrant: Ref = Field(description="The id of the entrant: the player's own, or the team's for its member.")
    team: PersonRef | None = Field(description="The team played for; null for the player's own entry.")
    ruleset: str | None = Field(description="The name of the rule book; null before the first hanchan.")
    hanchan: int = Field(description="The number of hanchan of the player.")
    places: list[int] = Field(description="The number of firsts, seconds and so on; empty before the first hanchan.")
    points: Amount | None = Field(
        description="The points of these hanchan, for a team's member with the penalties that are also the member's."
    )
    block: NamedKey | None = Field(description="The block of the furthest stage that the entrant reached.")
    rank: int | None = Field(description="The entrant's rank there; null without one.")
    is_champion: bool = Field(description="True once the entrant is certain to have won the competition.")


class CareerGap(Document):
    """The points between two players under one rule book."""

    ruleset: str = Field(description="The name of the rule book.")
    points: Amount = Field(description="The player's points less the opponent's, over the hanchan of both.")


class CareerOpponent(Document):
    """An opponent, with the hanchan in which both sat."""

    player: PersonRef
    hanchan: int = Field(description="The number of these hanchan.")
    ahead: int = Field(description="Hanchan in which the player's place was the better one.")
    behind: int = Field(description="Hanchan in which the opponent's place was the better one.")
    points: list[CareerGap]


class CareerAward(Document):
    """An award that the player has won."""

    competition: CompetitionRef
    key: str = Field(description="The award's key in the format.")
    stage: str = Field(description="The key of the stage whose hanchan count for it.")
    is_shared: bool = Field(description="True if others are level.")


class CareerDocument(Document):
    """One player over all competitions that the reader may know of, as entrant and as a member of teams."""

    player: PersonRef
    books: list[CareerBook] = Field(description="By rule book, the one with most hanchan first.")
    years: list[CareerYear] = Field(description="The latest year first.")
    competitions: list[CareerSeason] = Field(description="The newest first.")
    awards: list[CareerAward]
    opponents: list[CareerOpponent] = Field(description="Those met most often first.")


class RecordHolder(Document):
    """A player who holds a record."""

    player: PersonRef
    team: PersonRef | None = Field(description="The team that a member played for; null otherwise.")
    competition: CompetitionRef
    hanchan: Ref = Field(description="The id of the hanchan that reached the record.")
    since: Ref | None = Field(description="The id of a run's first hanchan; null for other records.")
    hand: int | None = Field(description="The number of the hand in the hanchan's log, from 1; null for other records.")
    day: dt.date = Field(description="The business day, or the day of the hanchan.")


class RecordDocument(Document):
    """A record with its first holders."""

    kind: RecordKind = Field(description="The kind of the record.")
    value: Amount = Field(description="Table points, points of the ranking ledger, or a number of hanchan or times.")
    holders: list[RecordHolder] = Field(description="The first to reach it, at most three.")
    more: int = Field(description="The number of further holders.")


class BookRecords(Document):
    """The records under one rule book."""

    book: BookRef
    of_teams: bool = Field(description="True for records of teams, false for those of people.")
    records: list[RecordDocument]


class AllTimeRecordsDocument(Document):
    """The records over all leagues that the reader may know of."""

    years: list[int] = Field(description="The years with hanchan, the latest first.")
    tables: list[BookRecords] = Field(description="By rule book, the one with most hanchan first.")


LEDGER_POINTS = frozenset({RecordKind.MOST_POINTS, RecordKind.MOST_LOST, RecordKind.COMEBACK})


def person_ref(player: Player) -> PersonRef:
    """Return a reference to a player."""
    return PersonRef.build(player, name=person_name(player))


def book_ref(book: RulesOfResults) -> BookRef:
    """Return a reference to a book."""
    return BookRef.build(book, ruleset=book.name, title=InBoth(ja=book.title.ja, en=book.title.en))


def career_document(career: Career) -> CareerDocument:
    """Return a career."""
    return CareerDocument(
        player=person_ref(career.player),
        books=[career_book(each) for each in figures_of(career)],
        years=[career_year(each) for each in years_of(career)],
        competitions=[career_season(each) for each in season_lines(career)],
        awards=[career_award(each) for each in awards_won(career)],
        opponents=[career_opponent(each) for each in opponents_of(career)],
    )


def counts(each: Figures | YearLine) -> dict[str, object]:
    """Return the fields of `CareerCounts`."""
    average = each.record.average_place
    return {
        "hanchan": each.record.played,
        "places": list(each.record.places),
        "average_place": None if average is None else decimal_text(average, 2, "en"),
        "points": each.book.ledger.text(each.points),
    }


def career_book(each: Figures) -> CareerBook:
    """Return the figures under one book."""
    return CareerBook.model_validate(
        {
            **counts(each),
            "book": book_ref(each.book),
            "best": career_score(each.best),
            "lowest": career_score(each.worst),
            "firsts_in_a_row": career_streak(each.firsts),
            "not_last_in_a_row": career_streak(each.not_last),
        }
    )


def career_score(seat: PlayedSeat) -> CareerScore:
    """Return a final score with its hanchan."""
    return CareerScore(score=seat.score, hanchan=str(seat.hanchan), day=seat.day)


def career_streak(streak: Streak | None) -> CareerStreak | None:
    """Return a run of hanchan."""
    if streak is None:
        return None
    return CareerStreak(length=streak.length, first=str(streak.first.hanchan), last=str(streak.last.hanchan))


def career_year(each: YearLine) -> CareerYear:
    """Return the figures of a year."""
    return CareerYear.model_validate({**counts(each), "year": each.year, "ruleset": each.book.name})


def career_season(line: SeasonLine) -> CareerSeason:
    """Return a competition of the career."""
    row, record = line.standing, line.record
    return CareerSeason(
        competition=CompetitionRef.build(line.entry.reader.competition),
        entrant=str(line.entry.entrant.pk),
        team=person_ref(line.team) if line.team else None,
        ruleset=line.book.name if line.book else None,
        hanchan=record.played if record else 0,
        places=list(record.places) if record else [],
        points=line.book.ledger.text(line.points) if line.book else None,
        block=NamedKey.build(row.block) if row else None,
        rank=row.rank if row and row.is_ranked else None,
        is_champion=line.is_champion,
    )


def career_award(won: AwardWon) -> CareerAward:
    """Return an award."""
    return CareerAward(
        competition=CompetitionRef.build(won.reader.competition),
        key=won.award.key,
        stage=won.award.stage,
        is_shared=won.is_shared,
    )


def career_opponent(each: Opponent) -> CareerOpponent:
    """Return an opponent."""
    return CareerOpponent(
        player=person_ref(each.player),
        hanchan=each.together,
        ahead=each.ahead,
        behind=each.behind,
        points=[CareerGap(ruleset=book.name, points=book.ledger.text(points)) for book, points in each.gaps],
    )


def book_records(table: RecordTable) -> BookRecords:
    """Return the records under one book."""
    return BookRecords(
        book=book_ref(table.book),
        of_teams=table.of_teams,
        records=[record_document(line, table.book) for line in table.lines],
    )


def record_document(line: RecordLine, book: RulesOfResults) -> RecordDocument:
    """Return a record."""
    return RecordDocument(
        kind=line.kind,
        value=book.ledger.text(line.value) if line.kind in LEDGER_POINTS else str(line.value),
        holders=[record_holder(holder) for holder in line.holders],
        more=line.more,
    )


def record_holder(holder: Holder) -> RecordHolder:
    """Return a holder of a record."""
    return RecordHolder(
        player=person_ref(holder.player),
        team=person_ref(holder.team) if holder.team else None,
        competition=CompetitionRef.build(holder.hanchan.block.competition),
        hanchan=str(holder.hanchan.pk),
        since=ref(holder.since.pk if holder.since else None),
        hand=holder.hand,
        day=holder.day,
    )
