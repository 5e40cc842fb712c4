"""Set up a small league of eight teams: a regular season of fixtures, a semifinal and a final.

Every team has three members, the first also a fourth one; one member changes teams during the season. Seats and scores
follow from the number of the hanchan, so that every test sees the same season.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any
from zoneinfo import ZoneInfo

from league.models import (
    Adjustment,
    Block,
    Competition,
    Entrant,
    FormatRevision,
    Hanchan,
    HanchanSeat,
    Player,
    TableSession,
    TeamMember,
)
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.competitions.setup import CompetitionPlan, create_competition, enter_players, seed_block
from league.services.competitions.setup import set_status as put_status
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import record_result
from league.services.results.rulings import adjust_points
from league.services.rulebooks.revisions import keep
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM
from tests.league.resting_league import NOTE
from tests.replayed import replayed

EVENING = dt.datetime(2026, 10, 5, 19, 0, tzinfo=ZoneInfo("Asia/Tokyo"))
MOVES_ON = EVENING.date() + dt.timedelta(days=14)
"""The day from which the fourth member of the first team plays for the last team."""
TEAMS = (
    ("港リベルタス", "みなとりべるたす", "Minato Libertas", "港", "港"),
    ("浅間ファルコン", "あさまふぁるこん", "Asama Falcons", "浅間", "隼"),
    ("琵琶湖スワンズ", "びわこすわんず", "Biwako Swans", "琵琶湖", "鳥"),
    ("八雲スターズ", "やくもすたーず", "Yakumo Stars", "八雲", "星"),
    ("紀州クレインズ", "きしゅうくれいんず", "Kishu Cranes", "紀州", "鶴"),
    ("伊那ドラゴンズ", "いなどらごんず", "Ina Dragons", "伊那", "龍"),
    ("白河フォックス", "しらかわふぉっくす", "Shirakawa Foxes", "白河", "狐"),
    ("能登アンカーズ", "のとあんかーず", "Noto Anchors", "能登", "錨"),
)
"""Name, reading, name in roman letters, short name and character of each team's tile."""
FAMILY = (
    ("青山", "あおやま", "Aoyama"), ("石橋", "いしばし", "Ishibashi"), ("上原", "うえはら", "Uehara"),
    ("江口", "えぐち", "Eguchi"), ("大槻", "おおつき", "Otsuki"), ("川端", "かわばた", "Kawabata"),
    ("北見", "きたみ", "Kitami"), ("黒木", "くろき", "Kuroki"),
)  # fmt: skip
GIVEN = (("あきら", "Akira"), ("かおる", "Kaoru"), ("しのぶ", "Shinobu"), ("みのる", "Minoru"))
COMPANIES = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 2, 4, 6), (1, 3, 5, 7), (0, 3, 5, 6), (1, 2, 4, 7))
"""The teams of each fixture, two fixtures for an evening; repeated until every team has played its hanchan."""


def stage_text(key: str, titles: tuple[str, str], hanchan: int, entrants: str, carry: str) -> str:
    """Return one stage of the format with its only block."""
    title = f'{{ ja = "{titles[0]}", en = "{titles[1]}" }}'
    return f"""
[[stages]]
key = "{key}"
title = {title}
hanchan = {hanchan}
seating = "fixtures"
assignment = "seeded"
carry_over = {{ {carry}, {NOTE} }}
{NOTE}
[[stages.blocks]]
key = "{key}"
title = {title}
entrants = [{{ from = "{entrants}", {NOTE} }}]
"""


def team_format(hanchan: int = 12) -> str:
    """Return the text of the format: `hanchan` for each team, then the best six, then the best four."""
    award = f'[[awards]]\nkey = "%s"\nstage = "regular"\nby = "%s"\n%s{NOTE}\n'
    return f"""
name = "small-team-league"
title = {{ ja = "小さなチームリーグ", en = "Small team league" }}
kind = "teams"
players = 4
entrants = 8
{NOTE}
[tiebreak]
back_tracking = [{{ by = "points" }}, {{ by = "place" }}, {{ by = "score" }}]
[champion]
block = "final"
{NOTE}
[team]
members = {{ least = 3, most = 4 }}
{NOTE}
[[limits]]
who = "player"
stage = "regular"
{"least = 2" if hanchan >= 8 else ""}
most = 8
{NOTE}
{award % ("points", "total", "")}{award % ("last-avoidance", "fourths_share", "least_hanchan = 2" + chr(10))}{
        award % ("best-score", "best_score", "")
    }{stage_text("regular", ("レギュラーシーズン", "Regular season"), hanchan, "seed:1-8", 'kind = "none"')}{
        stage_text("semi", ("セミファイナル", "Semifinal"), 4, "regular#1-6", 'kind = "half", rounding = "up"')
    }{stage_text("final", ("ファイナル", "Final"), 2, "semi#1-4", 'kind = "half", rounding = "up"')}"""


def new_team(slug: str, number: int) -> Player:
    """Create the team of this number, counted from 0."""
    name, kana, romaji, short, glyph = TEAMS[number]
    return Player.objects.create(
        key=f"{slug}-{romaji.lower().replace(' ', '-')}", name=name, name_kana=kana, name_romaji=romaji,
        short_name=short, mark_glyph=glyph, mark_colour=number, is_team=True,
    )  # fmt: skip


def new_member(slug: str, team: int, place: int) -> Player:
    """Create a person: the member at this place of the team."""
    (family, kana, romaji), (given, latin) = FAMILY[team], GIVEN[place]
    return Player.objects.create(
        key=f"{slug}-{romaji}-{latin}".lower(), name=f"{family} {given}",
        name_kana=f"{kana} {given}", name_romaji=f"{romaji} {latin}",
    )  # fmt: skip


class TeamLeague:
    """A league of teams, to be played evening by evening; `publish` computes its standings."""

    def __init__(self, slug: str = "teams", *, hanchan: int = 12, **plan: Any) -> None:
        values = {
            "name": "小さなチームリーグ",
            "name_en": "Small Team League",
            "ruleset": "mleague",
            "league_format": keep(FormatRevision, "small-team-league", team_format(hanchan)),
            "effective_from": EVENING - dt.timedelta(days=30),
        }
        self.competition = create_competition(plan=CompetitionPlan(slug=slug, **{**values, **plan}), by=SYSTEM)
        teams = [new_team(slug, number) for number in range(len(TEAMS))]
        self.teams: list[Entrant] = enter_players(competition=self.competition, players=teams, by=SYSTEM)
        self.members: list[list[Player]] = [
            [new_member(slug, team, place) for place in range(4 if team == 0 else 3)] for team in range(len(TEAMS))
        ]
        self.competition.refresh_from_db()
        made = self.competition.version
        TeamMember.objects.bulk_create(
            TeamMember(entrant=entrant, player=player, order=place, is_captain=place == 0, made_n=made)
            for entrant, own in zip(self.teams, self.members, strict=True)
            for place, player in enumerate(own)
        )
        self._transfer(made)
        seed_block(block=self.block("regular"), entrants=self.teams, by=SYSTEM)
        put_status(competition=self.competition, status=Competition.Status.PUBLISHED, by=SYSTEM)
        self.played = 0

    def _transfer(self, made: int) -> None:
        """Let the fourth member of the first team play for the last team from a day on."""
        moving = self.members[0][3]
        before = MOVES_ON - dt.timedelta(days=1)
        TeamMember.objects.filter(player=moving).update(until=before)
        TeamMember.objects.create(entrant=self.teams[-1], player=moving, order=3, since=MOVES_ON, made_n=made)

    def block(self, key: str) -> Block:
        """Return the block with this key."""
        return Block.objects.select_related("stage", "competition").get(competition=self.competition, key=key)

    def publish(self) -> None:
        """Compute the standings of all results so far."""
        publish_standings(self.competition.pk)
        self.competition.refresh_from_db()

    def schedule(self, key: str = "regular", *, companies: Sequence[Sequence[Entrant]] = ()) -> list[Hanchan]:
        """Schedule an evening: one fixture after the other at one table; every seat shows its team.

        Without companies the evening follows from its number.
        """
        session = create_session(competition=self.competition, by=SYSTEM)
        start = EVENING + dt.timedelta(days=7 * (session.number - 1))
        if not companies:
            first = 2 * (session.number - 1) % len(COMPANIES)
            companies = [[self.teams[team] for team in COMPANIES[first + place]] for place in range(2)]
        block = self.block(key)
        found: list[Hanchan] = []
        number = Hanchan.objects.filter(block=block).count()
        for place, company in enumerate(companies):
            # Teams take the seats in another order each time.
            turn = (session.number + place) % 4
            fixture = Fixture(
                block=block, numbers=(number + place + 1,), entrants=[*company[turn:], *company[:turn]],
                table="配信卓", starts_at=start + dt.timedelta(minutes=100 * place),
            )  # fmt: skip
            table: TableSession = create_table_session(session=session, fixture=fixture, by=SYSTEM)
            found += table.hanchan.order_by("round")
        return found

    def name_members(self, hanchan: Hanchan) -> None:
        """Seat a member for every team, in turn."""
        for seat in hanchan.seats.select_related("entrant"):
            seat.player = self.next_member(seat.entrant, hanchan)
            seat.save(update_fields=["player"])

    def next_member(self, entrant: Entrant, hanchan: Hanchan) -> Player:
        """Return the member who plays for a team: its members of that day play in turn."""
        start = hanchan.table_session.starts_at or EVENING
        day = start.astimezone(EVENING.tzinfo).date()
        rows = TeamMember.objects.filter(entrant=entrant).exclude(until__lt=day).exclude(since__gt=day)
        own: list[Player] = [row.player for row in rows.select_related("player").order_by("order")]
        return own[HanchanSeat.objects.filter(entrant=entrant, hanchan__number__lt=hanchan.number).count() % len(own)]

    def play(self, hanchan: Hanchan, scores: Sequence[int] | None = None) -> None:
        """Name the members and enter a result; default scores follow from the number of results before it."""
        self.name_members(hanchan)
        self.played += 1
        scores = scores or self.some_scores()
        seats = [
            SeatEntry(seat.entrant_id, seat.player_id, score)
            for seat, score in zip(hanchan.seats.order_by("seat"), scores, strict=True)
        ]
        entry = SheetEntry(seats=tuple(seats), kyoutaku=100_000 - sum(scores))
        record_result(hanchan=hanchan, entry=entry, by=SYSTEM, accept={"same_result_twice", "extreme_score"})

    def some_scores(self) -> tuple[int, ...]:
        """Return four scores without a tie."""
        n = self.played
        top, last = 38_000 + 700 * (n * 7 % 23), 9_000 + 500 * (n * 11 % 17) - 13_000 * (n % 9 == 0)
        second = 27_100 + 300 * (n * 5 % 7)
        row = (top, second, 100_000 - top - second - last, last)
        turn = n * 3 % 4
        return row[turn:] + row[:turn]

    def play_evenings(self, count: int) -> None:
        """Schedule and play `count` evenings of the regular season."""
        for _evening in range(count):
            for hanchan in self.schedule():
                self.play(hanchan)

    def penalize(self, team: int = 1, place: int = 0, points: int = -200) -> Adjustment:
        """Deduct points from a team and one of its members."""
        adjustment = adjust_points(
            block=self.block("regular"), entrant=self.teams[team], points=points, by=SYSTEM, reason="チョンボ",
            accept={"unseats"},
        )  # fmt: skip
        Adjustment.objects.filter(pk=adjustment.pk).update(player=self.members[team][place])
        return adjustment


@replayed
def team_league(evenings: int = 4) -> TeamLeague:
    """Return a published league with `evenings` evenings played, a penalty, and the next evening scheduled."""
    made = TeamLeague()
    made.play_evenings(evenings)
    made.penalize()
    made.schedule()
    made.publish()
    return made
