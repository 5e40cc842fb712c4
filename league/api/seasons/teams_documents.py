"""Documents of teams: members by date, totals with all that they are made of, individuals, awards, and fixtures."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from league.api.competitions.hanchan_documents import HanchanState, Number, Round, state_of
from league.api.standings.standings_documents import ledger_document, points
from league.models import Adjustment, Entrant, HanchanSeat, Player, SeatResult, TeamMember
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import PlayedHanchan
from league.selectors.people.visibility import ledgers_shown, person_shown
from league.selectors.results.penalty_causes import cause_title
from league.selectors.rulebooks.rules_in_force import rules_of, ruleset_of
from league.selectors.seasons.members import MemberRow, ShownAward
from league.selectors.seasons.team_totals import CarriedTotal, TeamTotal
from league.web.document_parts import (
    EntrantDocument,
    InBoth,
    LedgerDocument,
    NamedKey,
    OfCompetition,
    OfSeat,
    entrant,
    exact,
    labels,
    moment,
    ref,
)
from league.web.documents import Amount, Clauses, Document, Moment, Ref
from league.wording.standings.awards import award_title
from scoring.format.stage import Carry, CarryRounding
from scoring.format.team import AwardBy
from scoring.ruleset import Ledger
from scoring.teams.awards import AwardLine

Day = Annotated[str, Field(json_schema_extra={"format": "date"})]


class MemberPerson(Document):
    """A person who plays for a team; all fields are null if the public may not know the person."""

    player: Ref | None = Field(description="The player's id.")
    player_key: str | None = Field(description="The player's key, the same in every competition.")
    player_name: str | None = Field(description="The player's name.")


class Membership(MemberPerson):
    """A person's time in a team; one who changed teams has a membership in each."""

    since: Day | None = Field(description="The first day; null: from the beginning.")
    until: Day | None = Field(description="The last day; null: until the end.")
    is_captain: bool = Field(description="The team's captain.")


class CarryDocument(Document):
    """The points that a team brought from the stage before."""

    total: Amount | None = Field(description="The total there; null where points follow from no total.")
    part: str | None = Field(description="What part of it goes along, such as 1/2; null likewise.")
    exact: Amount | None = Field(description="That part before it was rounded, exact; null likewise.")
    rounded: Amount = Field(description="The points carried over.")
    kind: Carry = Field(description="How points go along.")
    rounding: CarryRounding | None = Field(description="How the part was rounded; null where nothing was.")
    clauses: Clauses
    note: InBoth | None = Field(description="A remark of the format where no clause says it.")


class Penalty(MemberPerson):
    """Points given or taken outside a hanchan; with a player they are the member's too."""

    points: Amount = Field(description="The points.")
    cause: str = Field(description="The key of the penalty in the rules; empty for other points.")
    cause_name: InBoth | None = Field(description="The name of this penalty; null without one.")
    reason: str = Field(description="The organizers' reason.")


class TeamTotalDocument(Document):
    """A team's total in a block: carry, hanchan and penalties."""

    stage: NamedKey
    block: NamedKey
    rank: int | None = Field(description="The rank; null for a team that left and has none.")
    total: Amount = Field(description="Everything together.")
    carry: CarryDocument | None = Field(description="Null where nothing was carried over.")
    hanchan: Amount = Field(description="The points of the hanchan played.")
    adjustment: Amount = Field(description="The sum of the penalties.")
    penalties: list[Penalty] = Field(description="Penalties and other points outside hanchan, in order.")
    played: int = Field(description="Hanchan played.")
    planned: int | None = Field(description="Hanchan to be played; null where there is no number.")


class TeamNames(EntrantDocument):
    """A team with its short name and its tile."""

    short_name: str = Field(description="For charts and narrow columns; may be empty.")
    glyph: str = Field(description="The character on the team's tile; empty where it follows from the name.")
    colour: int | None = Field(description="The number of the tile's colour; null where it follows from the key.")


class TeamDocument(TeamNames):
    """A team of a competition."""

    number: int = Field(description="The team's number in the competition, from 1.")
    members: list[Membership] = Field(description="The members by date, those who have left too.")
    totals: list[TeamTotalDocument] = Field(description="Its totals in the order of play; empty where not public.")


class Teams(OfCompetition):
    """The teams of a competition by number."""

    ledger: LedgerDocument = Field(description="The ledger of all amounts.")
    teams: list[TeamDocument] = Field(description="The teams.")


class TeamOfCompetition(TeamDocument, OfCompetition):
    """One team of a competition."""

    ledger: LedgerDocument = Field(description="The ledger of all amounts.")


class Individual(MemberPerson):
    """Results of a member for a team; one who changed teams has a row for each."""

    rank: int | None = Field(description="The rank by total; equal totals share it. Null before the first hanchan.")
    team: Ref = Field(description="The team's entrant id.")
    team_key: str = Field(description="The team's key.")
    total: Amount | None = Field(description="Points of hanchan and penalties; null where amounts are not public.")
    adjustment: Amount | None = Field(description="The penalties that name the member, part of the total.")
    penalties: list[Penalty] = Field(description="These penalties and other points outside hanchan, in order.")
    played: int = Field(description="Hanchan played.")
    places: list[int] = Field(description="How often first, second, third and fourth.")
    best_score: int | None = Field(description="The highest final score; null before the first hanchan.")
    lowest_score: int | None = Field(description="The lowest final score; null likewise.")


class Awarded(MemberPerson):
    """A person's place in an award."""

    rank: int = Field(description="The place; equal figures share it.")
    shared: bool = Field(description="Another person has the same place.")
    value: Amount = Field(description="Points, a score, or for last places their share of 1; exact.")
    played: int = Field(description="Hanchan of the award's stage.")


class AwardDocument(Document):
    """An award with those who compete for it."""

    key: str = Field(description="The award's key in the format.")
    label: InBoth = Field(description="Its name.")
    stage: NamedKey
    by: AwardBy = Field(description="The figure that decides.")
    least_hanchan: int | None = Field(description="Hanchan below which a person does not compete; null for none.")
    final: bool = Field(description="The stage is over: those in first place have won it.")
    ranking: list[Awarded] = Field(description="Those who compete, best first.")


class Members(OfCompetition):
    """The individuals of a competition, the greatest total first, and the awards."""

    ledger: LedgerDocument = Field(description="The ledger of all amounts.")
    rows: list[Individual] = Field(description="A row for each team and member.")
    awards: list[AwardDocument] = Field(description="The awards of the format; most often none.")


class FixtureSeat(TeamNames, OfSeat):
    """A team's seat in a fixture."""

    line_up: MemberPerson | None = Field(description="The member who sits; null while not announced.")


class Fixture(Document):
    """A hanchan with the teams that meet in it."""

    hanchan: Ref = Field(description="The hanchan's id.")
    table_session: Ref = Field(description="The table session's id.")
    session: Ref = Field(description="The session's id.")
    stage: NamedKey
    block: NamedKey
    round: Round
    number: Number
    state: HanchanState
    starts_at: Moment | None = Field(description="The planned beginning of the table session.")
    line_ups_due_at: Moment | None = Field(description="Until when the teams name their members.")
    line_ups_are_secret: bool = Field(description="Line-ups are announced only then.")
    seats: list[FixtureSeat] = Field(description="The seats, first dealer first.")


def ledger_of(reader: Reader) -> tuple[LedgerDocument, Ledger | None]:
    """Return the ranking ledger as a document, and the ledger itself if this audience may see its amounts."""
    rules = ruleset_of(rules_of(reader))
    ranking = rules.ranking_ledger
    return ledger_document(ranking), ranking if ranking in ledgers_shown(reader, rules) else None


def member_person(reader: Reader, player: Player | None) -> MemberPerson:
    """Return a person; nulls for one hidden from the audience."""
    shown = person_shown(reader, player) if player else None
    if player is None or shown is None:
        return MemberPerson(player=None, player_key=None, player_name=None)
    return MemberPerson(player=str(player.pk), player_key=player.key, player_name=shown.name)


def team_names(reader: Reader, row: Entrant) -> TeamNames:
    """Return a team with its names and tile."""
    team = row.player
    return TeamNames(**entrant(reader, row), short_name=team.short_name, glyph=team.mark_glyph, colour=team.mark_colour)


def team_document(
    reader: Reader,
    row: Entrant,
    members: Sequence[TeamMember],
    totals: Sequence[TeamTotal],
    ledger: Ledger | None,
) -> TeamDocument:
    """Return a team with its members and totals."""
    return TeamDocument.model_validate(
        {
            **dict(team_names(reader, row)),
            "number": row.number,
            "members": [membership(reader, each) for each in members],
            "totals": [] if ledger is None else [total_document(reader, each, ledger) for each in totals],
        }
    )


def membership(reader: Reader, row: TeamMember) -> Membership:
    """Return a membership with its days."""
    return Membership.model_validate(
        {
            **dict(member_person(reader, row.player)),
            "since": day(row.since),
            "until": day(row.until),
            "is_captain": row.is_captain,
        }
    )


def day(value: dt.date | None) -> str | None:
    """Return a date in ISO 8601, or None."""
    return value.isoformat() if value else None


def total_document(reader: Reader, total: TeamTotal, ledger: Ledger) -> TeamTotalDocument:
    """Return a total with all that it is made of."""
    row = total.standing
    return TeamTotalDocument(
        stage=NamedKey.build(total.block.stage),
        block=NamedKey.build(total.block),
        rank=row.rank if row.is_ranked else None,
        total=ledger.text(row.total),
        carry=carry_document(total.carry, ledger) if total.carry else None,
        hanchan=ledger.text(total.won),
        adjustment=ledger.text(row.adjustment),
        penalties=[penalty(reader, each, each.player, ledger) for each in total.adjustments],
        played=row.played,
        planned=total.planned,
    )


def penalty(reader: Reader, row: Adjustment, member: Player | None, ledger: Ledger) -> Penalty:
    """Return an adjustment of a team with the member whom it names, if any."""
    title = cause_title(row)
    return Penalty.model_validate(
        {
            **dict(member_person(reader, member)),
            "points": ledger.text(row.points),
            "cause": row.cause,
            "cause_name": None if title is None else InBoth(ja=title.ja, en=title.en),
            "reason": row.reason,
        }
    )


def carry_document(carry: CarriedTotal, ledger: Ledger) -> CarryDocument:
    """Return the carry with the part before and after rounding."""
    rule, share = carry.rule, carry.rule.share if carry.total is not None else None
    return CarryDocument(
        total=points(carry.total, ledger),
        part=None if share is None else str(share),
        exact=None if carry.exact is None else exact(str(carry.exact / ledger.scale), ledger),
        rounded=ledger.text(carry.rounded),
        kind=rule.kind,
        rounding=rule.rounding,
        clauses=list(rule.clauses),
        note=InBoth.build(rule.note) if rule.note else None,
    )


def individual(reader: Reader, row: MemberRow, ledger: Ledger | None) -> Individual:
    """Return a member's row."""
    record = row.record
    return Individual.model_validate(
        {
            **dict(member_person(reader, row.player)),
            "rank": row.rank,
            "team": ref(row.team.pk),
            "team_key": row.team.player.key,
            "total": points(row.total, ledger),
            "adjustment": points(row.adjustment, ledger),
            "penalties": []
            if ledger is None
            else [penalty(reader, each, row.player, ledger) for each in row.adjustments],
            "played": record.played,
            "places": list(record.places),
            "best_score": record.best,
            "lowest_score": record.worst,
        }
    )


def award_documents(reader: Reader, found: Sequence[ShownAward], ledger: Ledger | None) -> Iterator[AwardDocument]:
    """Yield the awards; without amounts for an audience that may not see them, no ranking by points."""
    by_key = {each.award.key: each.award for each in found}
    titles = labels(by_key, lambda key, _language: award_title(by_key[key]))
    for each in found:
        is_by_points = each.award.by in {AwardBy.TOTAL, AwardBy.AVERAGE}
        lines = () if is_by_points and ledger is None else each.ranking.lines
        yield AwardDocument(
            key=each.award.key,
            label=titles[each.award.key],
            stage=NamedKey.build(each.stage),
            by=each.award.by,
            least_hanchan=each.award.least_hanchan,
            final=each.is_final,
            ranking=[
                Awarded.model_validate(
                    {
                        **dict(member_person(reader, each.person(line.entrant).player)),
                        "rank": line.rank,
                        "shared": line.is_shared,
                        "value": award_amount(line, ledger if is_by_points else None),
                        "played": line.hanchan,
                    }
                )
                for line in lines
            ],
        )


def award_amount(line: AwardLine, ledger: Ledger | None) -> str:
    """Return the figure of an award: points of the ledger, else a number or an exact share."""
    return str(line.value) if ledger is None else exact(str(Fraction(line.value, ledger.scale)), ledger)


def fixture_document(reader: Reader, played: PlayedHanchan) -> Fixture:
    """Return a fixture with its line-ups as far as they are announced."""
    row, table = played.hanchan, played.hanchan.table_session
    return Fixture(
        hanchan=str(row.pk),
        table_session=str(table.pk),
        session=str(table.session_id),
        stage=NamedKey.build(row.block.stage),
        block=NamedKey.build(row.block),
        round=row.round,
        number=row.number,
        state=state_of(played),
        starts_at=moment(table.starts_at, reader.competition),
        line_ups_due_at=moment(table.line_ups_due_at, reader.competition),
        line_ups_are_secret=table.line_ups_are_secret,
        seats=[fixture_seat(reader, seat) for seat in (played.results or played.planned)],
    )


def fixture_seat(reader: Reader, seat: HanchanSeat | SeatResult) -> FixtureSeat:
    """Return a seat; a seat that still shows the team has no line-up."""
    is_announced = seat.player_id != seat.entrant.player_id
    return FixtureSeat.model_validate(
        {
            "seat": seat.seat,
            **dict(team_names(reader, seat.entrant)),
            "line_up": member_person(reader, seat.player) if is_announced else None,
        }
    )


def members_by_team(rows: Sequence[TeamMember]) -> Mapping[int, Sequence[TeamMember]]:
    """Return memberships by the team's entrant id, in their order."""
    found: dict[int, list[TeamMember]] = {}
    for row in rows:
        found.setdefault(row.entrant_id, []).append(row)
    return found
