"""Play a Cinderella season to any point, with invented players and scores that depend only on their number."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from league.models import Block, Competition, Door, Entrant, Hanchan, SlotState, TableSession
from league.selectors.access.actors import Actor
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.competitions.setup import (
    CompetitionPlan,
    create_competition,
    enter_players,
    new_player,
    seed_block,
)
from league.services.competitions.setup import set_status as put_status
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.results.results import record_result
from league.services.standings.publishing import publish_standings
from tests.replayed import replayed

BY = Actor.system(Door.COMMAND)
EVENING = dt.datetime(2026, 10, 3, 19, 0, tzinfo=ZoneInfo("Asia/Tokyo"))
TABLES = ((0, 1, 2, 3), (4, 5, 6, 7), (0, 1, 4, 5), (2, 3, 6, 7))
FAMILY = (
    ("桜木", "さくらぎ", "Sakuragi"), ("水無月", "みなづき", "Minazuki"), ("白鳥", "しらとり", "Shiratori"),
    ("星野", "ほしの", "Hoshino"), ("月岡", "つきおか", "Tsukioka"), ("朝比奈", "あさひな", "Asahina"),
    ("小鳥遊", "たかなし", "Takanashi"), ("風間", "かざま", "Kazama"), ("雪村", "ゆきむら", "Yukimura"),
    ("花房", "はなぶさ", "Hanabusa"), ("氷室", "ひむろ", "Himuro"), ("音羽", "おとわ", "Otowa"),
    ("紅林", "くればやし", "Kurebayashi"), ("緑川", "みどりかわ", "Midorikawa"), ("千早", "ちはや", "Chihaya"),
    ("湊", "みなと", "Minato"),
)  # fmt: skip
GIVEN = (
    ("ひより", "Hiyori"), ("つむぎ", "Tsumugi"), ("あおい", "Aoi"), ("りん", "Rin"),
    ("かえで", "Kaede"), ("しおり", "Shiori"), ("まどか", "Madoka"), ("ことね", "Kotone"),
)  # fmt: skip


class Season:
    """Play a competition hanchan by hanchan; `publish` computes its standings."""

    def __init__(
        self,
        slug: str = "spring",
        *,
        status: str = "published",
        name: str = "春季シンデレラ杯",
        name_en: str = "Spring Cinderella Cup",
    ) -> None:
        plan = CompetitionPlan(
            slug=slug, name=name, name_en=name_en, ruleset="cinderella",
            league_format="cinderella", effective_from=EVENING - dt.timedelta(days=30),
        )  # fmt: skip
        self.competition = create_competition(plan=plan, by=BY)
        players = [
            new_player(
                name=f"{family} {given}",
                key=f"{slug}-{romaji.lower()}",
                name_kana=f"{kana} {given}",
                name_romaji=f"{romaji} {latin}",
                affiliation=("灯火荘", "雀会みどり", "卓球荘", "")[index % 4],
                by=BY,
            )
            for index, ((family, kana, romaji), (given, latin)) in enumerate(zip(FAMILY, GIVEN * 2, strict=True))
        ]
        entered = enter_players(competition=self.competition, players=players, by=BY)
        for key, seeds in (("A", entered[:8]), ("B", entered[8:])):
            seed_block(block=self.block(key), entrants=seeds, by=BY)
        if status != "draft":
            put_status(competition=self.competition, status=Competition.Status(status), by=BY)
        self.played = 0
        self.publish()

    def block(self, key: str) -> Block:
        """Return the block with this key."""
        return Block.objects.select_related("stage", "competition").get(competition=self.competition, key=key)

    def publish(self) -> None:
        """Compute the standings of all results so far."""
        publish_standings(self.competition.pk)
        self.competition.refresh_from_db()

    def schedule(self, key: str, company: Sequence[Entrant], numbers: Sequence[int], day: int) -> TableSession:
        """Schedule four players at a table of the block, on the given day of the season."""
        sessions = self.competition.sessions.filter(number=day)
        session = sessions.first() or create_session(competition=self.competition, by=BY)
        fixture = Fixture(
            block=self.block(key), numbers=numbers, entrants=company, table=f"{key}卓",
            starts_at=EVENING + dt.timedelta(days=7 * (day - 1)), venue="灯火荘",
        )  # fmt: skip
        return create_table_session(session=session, fixture=fixture, by=BY)

    def play(self, hanchan: Hanchan, scores: Sequence[int] | None = None, chonbo: int | None = None) -> None:
        """Enter a result; default scores follow from the number of results before it."""
        self.played += 1
        scores = scores or self.some_scores()
        seats = [
            SeatEntry(seat.entrant_id, seat.player_id, score, chonbo=int(chonbo == seat.seat))
            for seat, score in zip(hanchan.seats.order_by("seat"), scores, strict=True)
        ]
        result = SheetEntry(seats=tuple(seats), kyoutaku=100_000 - sum(scores))
        record_result(hanchan=hanchan, entry=result, by=BY, accept={"same_result_twice", "extreme_score"})

    def some_scores(self) -> tuple[int, ...]:
        """Return four scores without a tie."""
        n = self.played
        top, last = 38_000 + 700 * (n * 7 % 23), 9_000 + 500 * (n * 11 % 17) - 13_000 * (n % 9 == 0)
        second = 27_100 + 300 * (n * 5 % 7)
        row = (top, second, 100_000 - top - second - last, last)
        turn = n * 3 % 4
        return row[turn:] + row[:turn]

    def play_preliminary(self, hanchan_each: int = 8) -> None:
        """Play both blocks, two sessions of four hanchan for every player, up to `hanchan_each`."""
        for key in ("A", "B"):
            entrants = [slot.seeded for slot in self.block(key).slots.select_related("seeded__player") if slot.seeded]
            for index, table in enumerate(TABLES):
                first = 1 if index < 2 else 5
                company = [entrants[number] for number in table]
                played = self.schedule(key, company, range(first, first + 4), day=1 + index // 2)
                for hanchan in played.hanchan.filter(number__lte=hanchan_each):
                    self.play(hanchan)
        self.publish()

    def play_rest(self, key: str) -> None:
        """Play every hanchan of the block that has no result yet."""
        for hanchan in Hanchan.objects.filter(block=self.block(key), state=Hanchan.State.SCHEDULED).order_by("number"):
            self.play(hanchan)

    def play_stage(self, key: str, day: int, hanchan_each: int = 4) -> TableSession:
        """Play a playoff or the final with the players that the ladder sends there."""
        states = SlotState.objects.filter(slot__block=self.block(key), audience="staff").order_by("slot__number")
        company = [state.entrant for state in states.select_related("entrant__player") if state.entrant]
        table = self.schedule(key, company, range(1, 5), day)
        for hanchan in table.hanchan.filter(number__lte=hanchan_each):
            self.play(hanchan)
        self.publish()
        return table

    def stages(self) -> Iterator[str]:
        """Yield the playoffs and the final, in order."""
        yield from ("po1", "po2", "po3", "final")


@replayed
def preliminary(hanchan_each: int = 8) -> Season:
    """Play only the preliminary, up to `hanchan_each`."""
    season = Season()
    season.play_preliminary(hanchan_each)
    return season


@replayed
def almost_finished(slug: str = "spring") -> Season:
    """Play everything except the last hanchan of the final."""
    season = Season(slug)
    season.play_preliminary()
    for day, key in enumerate(season.stages(), start=3):
        season.play_stage(key, day, hanchan_each=3 if key == "final" else 4)
    return season
