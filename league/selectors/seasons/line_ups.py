"""Line-ups: who is named for a team, how often members have played, and what speaks against a choice.

Everything here is for the organizers and the team itself. Public pages read `HanchanSeat.player`, which stays the team
until a secret line-up is announced.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import (
    Competition,
    Entrant,
    Hanchan,
    HanchanSeat,
    LineUp,
    Player,
    ResultSheet,
    SeatResult,
    Session,
    Stage,
    TableSession,
)
from league.platform.errors import Finding, Level
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from league.selectors.seasons.teams import day_of, members_on, memberships_seen_by
from league.wording.names import person_name
from scoring.teams.line_ups import (
    Appearance,
    Appearances,
    LineUpCode,
    LineUpFault,
    TeamAppearances,
    appearances,
    limit_in,
    line_up_faults,
)

SOON = dt.timedelta(hours=48)
"""Before a table starts, the time from which organizers are told of line-ups that are missing."""
FOR_TABLE = ("table_session__session", "table_session__competition", "block__stage", "rules__format", "rules__ruleset")


def standing_line_ups(hanchan: Iterable[Hanchan | int]) -> Mapping[tuple[int, int], LineUp]:
    """Return the line-ups that hold for these hanchan by the ids of hanchan and team, secret ones among them."""
    ids = [one if isinstance(one, int) else one.pk for one in hanchan]
    rows = LineUp.objects.standing().filter(hanchan__in=ids).select_related("player", "entrant__player")
    return {(row.hanchan_id, row.entrant_id): row for row in rows}


def is_due(table: TableSession, now: dt.datetime | None = None) -> bool:
    """Return True if the deadline for the table's line-ups has passed."""
    return table.line_ups_due_at is not None and table.line_ups_due_at <= (now or timezone.now())


def keeps_secret(table: TableSession) -> bool:
    """Return True if a line-up named now is secret until the table's deadline."""
    return table.line_ups_are_secret and table.line_ups_due_at is not None and not is_due(table)


@dataclass(frozen=True)
class Played:
    """Hanchan of a stage by team and person: those with a result, and those for which a member is named."""

    stage: Stage
    results: Counter[tuple[int, int]]
    """By ids of team and person."""
    by_team: Counter[int]
    named: Mapping[tuple[int, int], int]
    """Person named, by hanchan without a result and team."""
    coming: Counter[int]
    """Scheduled hanchan without a result by team; only where the stage has no number of hanchan."""

    def counts(self, team: int, *, without: int | None = None) -> Mapping[Hashable, int]:
        """Return the hanchan of each person for a team, those named among them, except in hanchan `without`."""
        found: Counter[Hashable] = Counter(
            {person: count for (of, person), count in self.results.items() if of == team}
        )
        found.update(person for (hanchan, of), person in self.named.items() if of == team and hanchan != without)
        return found

    def left(self, team: int, *, without: int | None = None) -> int:
        """Return the team's hanchan still to come for which no member is named; hanchan `without` counts as open."""
        count = self.stage.hanchan_count
        open_ones = self.coming[team] if count is None else max(count - self.by_team[team], 0)
        named = sum(1 for hanchan, of in self.named if of == team and hanchan != without)
        return max(open_ones - named, 0)


def played_in(stage: Stage, reader: Reader | None = None) -> Played:
    """Return the people who have played or are named in a stage, as a reader may see it; without one, as of now.

    The public is told nothing of secret line-ups: only members announced on the seats count for it.
    """
    rows = (
        reader.ranked_results(block__stage=stage)
        if reader
        else SeatResult.objects.filter(sheet__in=ResultSheet.objects.counting(), block__stage=stage)
    )
    pairs = list(rows.order_by().values_list("entrant", "player", "sheet__hanchan"))
    done = {hanchan for _entrant, _player, hanchan in pairs}
    seats = HanchanSeat.objects.filter(hanchan__block__stage=stage, hanchan__table_session__is_cancelled=False)
    seats = seats.exclude(hanchan__state=Hanchan.State.ABANDONED).order_by()
    if reader is not None:
        seats = seats.filter(hanchan__in=reader.hanchan())
    planned = [
        (hanchan, entrant, player, own)
        for hanchan, entrant, player, own in seats.values_list("hanchan", "entrant", "player", "entrant__player")
        if hanchan not in done
    ]
    named = {(hanchan, entrant): player for hanchan, entrant, player, own in planned if player != own}
    if reader is None or reader.is_staff:
        line_ups = LineUp.objects.standing().filter(hanchan__in={row[0] for row in planned}).order_by()
        named |= {(row[0], row[1]): row[2] for row in line_ups.values_list("hanchan", "entrant", "player")}
    return Played(
        stage,
        Counter((entrant, player) for entrant, player, _hanchan in pairs),
        Counter(entrant for entrant, _player, _hanchan in pairs),
        named,
        Counter(entrant for _hanchan, entrant, _player, _own in planned),
    )


def limit_of(stage: Stage, competition: Competition) -> Appearance:
    """Return the limits on appearances of a stage by the format in force."""
    return limit_in(format_of(rules_at(competition)), stage.key)


@dataclass(frozen=True, slots=True)
class MemberLine:
    """Hanchan of one member: played, and still possible."""

    player: Player
    own: Appearances


@dataclass(frozen=True, slots=True)
class TeamLines:
    """Hanchan of the members of a team in a stage."""

    entrant: Entrant
    stage: Stage
    limit: Appearance
    people: Mapping[int, Player]
    appearances: TeamAppearances

    @property
    def has_limits(self) -> bool:
        """Return True if the format limits appearances in this stage."""
        return self.limit.least is not None or self.limit.most is not None

    @property
    def rows(self) -> Sequence[MemberLine]:
        """The members in their order."""
        by_id = {each.player: each for each in self.appearances.members}
        return [MemberLine(person, by_id[pk]) for pk, person in self.people.items()]


def appearances_of(reader: Reader, stage: Stage) -> list[TeamLines]:
    """Return how often each team's members have played in a stage and may play, team by team.

    People who played for a team without being a member any more are listed with it.
    """
    members: defaultdict[int, list[Player]] = defaultdict(list)
    for row in memberships_seen_by(reader):
        members[row.entrant_id].append(row.player)
    return team_lines(stage, reader.competition, played_in(stage, reader), members)


def lines_of_team(entrant: Entrant, stage: Stage) -> TeamLines | None:
    """Return how often the members of one team have played in a stage, and may play; None if it is not in it."""
    competition = entrant.competition
    lines = team_lines(stage, competition, played_in(stage), members_on(competition, None))
    return next((line for line in lines if line.entrant == entrant), None)


def team_lines(
    stage: Stage, competition: Competition, played: Played, members: Mapping[int, Sequence[Player]]
) -> list[TeamLines]:
    """Return the appearances in a stage from who has played, team by team; `members` by the team's entrant id."""
    limit = limit_of(stage, competition)
    teams = Entrant.objects.filter(pk__in={*members, *played.by_team}, player__is_team=True).select_related("player")
    others = Player.objects.in_bulk({person for _team, person in played.results})
    lines = []
    for team in teams.order_by("number"):
        if played.by_team[team.pk] == 0 and stage.order and played.coming[team.pk] == 0:
            continue
        people = {one.pk: one for one in members.get(team.pk, ())}
        people |= {person: others[person] for of, person in played.results if of == team.pk}
        counts: dict[Hashable, int] = {person: count for (of, person), count in played.results.items() if of == team.pk}
        left = played.left(team.pk) + sum(1 for _hanchan, of in played.named if of == team.pk)
        lines.append(TeamLines(team, stage, limit, people, appearances(list(people), limit, counts, left)))
    return lines


@dataclass(frozen=True)
class LineUpCheck:
    """The facts by which line-ups of one hanchan are judged, read once."""

    hanchan: Hanchan
    members: Mapping[int, Sequence[Player]]
    limit: Appearance
    played: Played

    @classmethod
    def of(cls, hanchan: Hanchan) -> LineUpCheck:
        """Read the facts about a hanchan."""
        stage = hanchan.block.stage
        members = members_on(hanchan.block.competition, day_of(hanchan.table_session))
        limit = limit_in(format_of(hanchan.rules), stage.key)
        return cls(hanchan, members, limit, played_in(stage))

    def findings(self, entrant: Entrant, player: Player) -> list[Finding]:
        """Return what speaks against a member for a team's seat: errors, and warnings with their arithmetic."""
        here = self.hanchan.pk
        own = self.members.get(entrant.pk, ())
        faults = line_up_faults(
            {entrant.pk: player.pk},
            {entrant.pk: [one.pk for one in own]},
            self.limit,
            self.played.counts(entrant.pk, without=here),
            {entrant.pk: self.played.left(entrant.pk, without=here)},
            seats=1,
        )
        people = {one.pk: one for one in (*own, player)}
        return [self._finding(fault, entrant, people) for fault in faults]

    def _finding(self, fault: LineUpFault, entrant: Entrant, people: Mapping[int, Player]) -> Finding:
        who = people[fault.player] if isinstance(fault.player, int) else None
        level = Level.WARNING if fault.code.is_warning else Level.ERROR
        params = {**fault.numbers, "player": fault.player}
        return Finding(fault.code.value, fault_text(fault, entrant, who), "/player", level, params)


def fault_text(fault: LineUpFault, entrant: Entrant, player: Player | None) -> str:
    """Return a fault of a line-up as a sentence with its numbers."""
    said = {**fault.numbers, "name": person_name(player) if player else "", "team": person_name(entrant.player)}
    text = ""
    match fault.code:
        case LineUpCode.NOT_A_MEMBER:
            text = _("%(name)s does not play for %(team)s on this day. Choose one of its members.")
        case LineUpCode.TWICE_AT_TABLE:
            text = _("%(name)s sits at this table for another team.")
        case LineUpCode.TEAMS_AT_TABLE:
            text = _("%(teams)s teams are at this table of %(seats)s seats.")
        case LineUpCode.TOO_MANY:
            text = _("%(name)s has played or is named for %(played)s hanchan of this stage; the limit is %(most)s.")
        case LineUpCode.CANNOT_REACH_LEAST:
            text = ngettext(
                "%(name)s could then no longer reach the least: %(played)s + %(left)s - 1 = %(reach)s, and %(least)s "
                "hanchan is required.",
                "%(name)s could then no longer reach the least: %(played)s + %(left)s - 1 = %(reach)s, and %(least)s "
                "hanchan are required.",
                int(fault.numbers["least"]),
            )
    return text % said


@dataclass(frozen=True)
class TeamGame:
    """A coming hanchan of a team, for its link or captain's page and the organizers."""

    hanchan: Hanchan
    entrant: Entrant
    seats: tuple[HanchanSeat, ...]
    line_up: LineUp | None
    members: tuple[Player, ...]
    now: dt.datetime

    @property
    def is_late(self) -> bool:
        """Return True if the deadline has passed."""
        return is_due(self.hanchan.table_session, self.now)

    @property
    def is_open(self) -> bool:
        """Return True if the team may still name a member: before the deadline and the first deal, unless it left."""
        return self.entrant.withdrawn_at is None and not self.is_late and self.hanchan.started_at is None

    @cached_property
    def rivals(self) -> tuple[HanchanSeat, ...]:
        """The seats of the other teams, with their members as far as these are announced."""
        return tuple(seat for seat in self.seats if seat.entrant_id != self.entrant.pk)


def coming_hanchan(competition: Competition) -> QuerySet[Hanchan]:
    """Return the hanchan that still have to be played, in playing order."""
    rows = _to_play().filter(block__competition=competition)
    return rows.select_related(*FOR_TABLE, "block__competition").order_by(
        "table_session__session__number", "table_session__starts_at", "table_session__order", "round"
    )


def sessions_without_line_ups(competitions: QuerySet[Competition]) -> QuerySet[Session]:
    """Return the sessions with a table that starts soon and lacks a line-up, with the number of those in `missing`."""
    named = LineUp.objects.standing().filter(hanchan=OuterRef("hanchan"), entrant=OuterRef("entrant"))
    seats = HanchanSeat.objects.filter(
        hanchan__in=_to_play().filter(
            block__competition__in=competitions, table_session__starts_at__lte=timezone.now() + SOON
        ),
        player__is_team=True,
    ).exclude(Exists(named))
    rows = Session.objects.filter(table_sessions__hanchan__seats__in=seats).select_related("competition")
    return rows.annotate(missing=Count("table_sessions__hanchan__seats")).order_by("competition", "number")


def _to_play() -> QuerySet[Hanchan]:
    """Return the hanchan that still have to be played."""
    done = ResultSheet.objects.filter(state__in=[ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED])
    rows = Hanchan.objects.filter(table_session__is_cancelled=False)
    return rows.exclude(state=Hanchan.State.ABANDONED).exclude(pk__in=done.values("hanchan"))


def games_of_team(entrant: Entrant) -> list[TeamGame]:
    """Return the team's coming hanchan with what it may know: its own line-ups, and others once announced."""
    games = list(coming_hanchan(entrant.competition).filter(seats__entrant=entrant))
    return [game for game in team_games(entrant.competition, games) if game.entrant == entrant]


def team_games(competition: Competition, games: Sequence[Hanchan]) -> list[TeamGame]:
    """Return each team of these hanchan with its line-up and its members on that day, seat by seat."""
    named, seats = standing_line_ups(games), seats_of(games)
    by_day: dict[dt.date | None, Mapping[int, list[Player]]] = {}
    now, found = timezone.now(), []
    for one in games:
        day = day_of(one.table_session)
        if day not in by_day:
            by_day[day] = members_on(competition, day)
        for seat in seats.get(one.pk, ()):
            members = tuple(by_day[day].get(seat.entrant_id, ()))
            line_up = named.get((one.pk, seat.entrant_id))
            found.append(TeamGame(one, seat.entrant, seats[one.pk], line_up, members, now))
    return found


def seats_of(games: Sequence[Hanchan]) -> Mapping[int, tuple[HanchanSeat, ...]]:
    """Return the seats of these hanchan by hanchan id, first dealer first."""
    found: defaultdict[int, list[HanchanSeat]] = defaultdict(list)
    rows = HanchanSeat.objects.filter(hanchan__in=[one.pk for one in games])
    for seat in rows.select_related("entrant__player", "player").order_by("hanchan", "seat"):
        found[seat.hanchan_id].append(seat)
    return {pk: tuple(seats) for pk, seats in found.items()}
