"""Test records of a competition and of all competitions: their holders, their hanchan, and the embargo."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Audience, Competition
from league.selectors.access.readers import Reader
from league.selectors.people.played_seats import PlayedSeat
from league.selectors.people.records import (
    Feat,
    History,
    RecordKind,
    RecordLine,
    best_of,
    comebacks,
    records_of,
    runs,
)
from league.services.results.rulings import adjust_points
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, final_table, in_block, league, play, play_all, table
from tests.league.tables import RON, followed

pytestmark = pytest.mark.django_db
FIRST = (41200, 30100, 18700, 10000)
SECOND = (30100, 45300, 14600, 10000)


def read(competition: Competition) -> dict[RecordKind, RecordLine]:
    publish_standings(competition.pk)
    competition.refresh_from_db()
    reader = Reader(competition, Audience.PUBLIC, competition.public_version)
    return {line.kind: line for table in records_of(reader) for line in table.lines}


def names(line: RecordLine) -> list[str]:
    return [holder.player.name for holder in line.holders]


def played(number: int, entrant: int, points: int, place: int = 2) -> PlayedSeat:
    return PlayedSeat(
        day=dt.date(2026, 4, 1), competition=1, session=1, stage=1, number=number, hanchan=number, seat=0, sheet=number,
        block=1, entrant=entrant, entered=entrant, is_team=False, sat=entrant, place=place, score=0, points=points,
        rules=1, sequence=None,
    )  # fmt: skip


def test_each_record_names_its_player_and_its_hanchan() -> None:
    competition = final_table()
    made = table(competition.blocks.get())
    play_all(made, FIRST, SECOND, (41100, 30200, 18700, 10000), (41000, 30300, 18700, 10000))
    found = read(competition)
    second = made.hanchan.get(round=2)
    highest = found[RecordKind.HIGHEST_SCORE]
    assert (highest.value, names(highest), highest.holders[0].hanchan) == (45300, ["final2"], second)
    assert (found[RecordKind.MOST_FIRSTS].value, names(found[RecordKind.MOST_FIRSTS])) == (3, ["final1"])
    row = found[RecordKind.FIRSTS_IN_A_ROW]
    assert (row.value, names(row)) == (2, ["final1"])
    assert (row.holders[0].since, row.holders[0].hanchan) == (made.hanchan.get(round=3), made.hanchan.get(round=4))


def test_equal_records_are_ordered_by_hanchan_and_three_holders_are_named() -> None:
    competition = final_table()
    play_all(table(competition.blocks.get()), (40000, 30000, 20000, 10000), (30000, 40000, 20000, 10000),
             (30000, 20000, 40000, 10000), (30000, 20000, 10000, 40000))  # fmt: skip
    highest = read(competition)[RecordKind.HIGHEST_SCORE]
    assert names(highest) == ["final1", "final2", "final3"]
    assert highest.more == 1


def test_a_player_who_reached_a_record_twice_is_named_once() -> None:
    feats = [Feat(7, 3, 1), Feat(8, 3, 2), Feat(7, 3, 4), Feat(9, 2, 5)]
    assert [(feat.who, feat.hanchan) for feat in best_of(feats)] == [(7, 1), (8, 2)]
    assert best_of([Feat(7, 0, 1)]) == []


def test_a_run_is_broken_by_a_last_place() -> None:
    rows = [played(number, 7, 0, place) for number, place in enumerate((1, 2, 3, 4, 2, 3), start=1)]
    assert [(feat.value, feat.since, feat.hanchan) for feat in runs(History(rows, 4), lambda row: row.place < 4)] == [
        (3, 1, 3),
        (2, 5, 6),
    ]


def test_a_comeback_counts_from_the_largest_gap_until_sole_first_place() -> None:
    rows = [
        played(1, 1, 500), played(1, 2, -300),
        played(2, 1, 100), played(2, 2, 100),
        played(3, 1, -600), played(3, 2, 700),
    ]  # fmt: skip
    (feat,) = comebacks(History(rows, 4))
    assert (feat.who, feat.value, feat.since, feat.hanchan) == (2, 800, 1, 3)


def test_points_carried_over_count_in_a_comeback() -> None:
    rows = [played(1, 1, 0), played(1, 2, 100), played(2, 1, 0), played(2, 2, 400)]
    (feat,) = comebacks(History(rows, 4, {(1, 1): 300, (2, 1): 5000}))
    assert (feat.who, feat.value) == (2, 200)


def test_a_penalty_counts_in_a_comeback_as_it_does_in_the_standings() -> None:
    competition = final_table()
    block = competition.blocks.get()
    played_at = table(block, numbers=(1, 2))
    one, _two, three, _four = in_block(block)
    play_all(played_at, FIRST, (30_100, 18_700, 41_200, 10_000))
    assert RecordKind.COMEBACK not in read(competition), "the first stays ahead"
    adjust_points(block=block, entrant=one, points=-1000, by=SYSTEM, reason="late")
    comeback = read(competition)[RecordKind.COMEBACK]
    assert (names(comeback), comeback.value) == ([three.player.name], 314)


def test_a_tie_for_first_place_is_no_comeback() -> None:
    rows = [played(1, 1, 100), played(1, 2, -100), played(2, 1, -100), played(2, 2, 100)]
    assert list(comebacks(History(rows, 4))) == []


def test_a_result_under_embargo_sets_no_public_record() -> None:
    competition = league()
    block = competition.blocks.get(key="A")
    play(table(block, numbers=(1,)).hanchan.get())
    before = read(competition)
    recorded = table(block, numbers=(2,), public_at=timezone.now() + dt.timedelta(days=1))
    play(recorded.hanchan.get(), (70000, 20000, 10000, 0))
    assert read(competition) == before


def test_the_page_names_records_in_words_with_a_constant_number_of_queries() -> None:
    competition = final_table()
    visitor = Client(headers={"accept-language": "en"})
    publish_standings(competition.pk)
    assert "No records yet." in visitor.get("/c/final/records/").content.decode()
    made = table(competition.blocks.get())
    counts, text = [], ""
    for number in (1, 4):
        for hanchan in made.hanchan.filter(round__lte=number).exclude(state="finished"):
            play(hanchan, (41200 - 100 * hanchan.round, 30100, 18700, 10000 + 100 * hanchan.round))
        publish_standings(competition.pk)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            text = visitor.get("/c/final/records/").content.decode()
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert "Highest score" in text
    assert "41,100" in text
    assert f'href="/c/final/hanchan/{made.hanchan.get(round=4).pk}/"' in text


def test_an_open_table_has_no_public_records_page() -> None:
    league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    assert Client().get("/c/parlour/records/").status_code == 404


def test_the_competition_page_links_to_its_records() -> None:
    final_table()
    assert 'href="/c/final/records/"' in Client().get("/c/final/").content.decode()


def test_records_of_hands_come_from_logs_and_link_to_the_hand() -> None:
    competition = final_table()
    made = table(competition.blocks.get(), numbers=(1, 2))
    first, second = made.hanchan.order_by("round")
    followed(first, RON)
    followed(second, RON, {**RON, "wins": [{"seat": 2, "value": {"yakuman": 1}}]})
    found = read(competition)
    largest = found[RecordKind.LARGEST_HAND]
    assert (names(largest), largest.holders[0].hanchan, largest.holders[0].hand) == (["final3"], second, 2)
    yakuman = found[RecordKind.FIRST_YAKUMAN]
    assert (names(yakuman), yakuman.value, yakuman.holders[0].hand) == (["final3"], 1, 2)
    address = f"/c/final/hanchan/{second.pk}/"
    assert f'href="{address}#kyoku-2"' in Client().get("/records/").content.decode()
    assert 'id="kyoku-2"' in Client().get(address).content.decode()


def test_a_correction_moves_a_record_to_its_new_holder() -> None:
    competition = final_table()
    hanchan = table(competition.blocks.get(), numbers=(1,)).hanchan.get()
    play(hanchan, (60000, 20000, 15000, 5000))
    assert names(read(competition)[RecordKind.HIGHEST_SCORE]) == ["final1"]
    play(hanchan, (20000, 60000, 15000, 5000), corrects=1, reason="seats mixed up")
    assert names(read(competition)[RecordKind.HIGHEST_SCORE]) == ["final2"]


def test_the_largest_margin_is_that_of_first_over_second() -> None:
    competition = final_table()
    play_all(table(competition.blocks.get(), numbers=(1, 2)), (41200, 30100, 18700, 10000), (60000, 20000, 15000, 5000))
    margin = read(competition)[RecordKind.LARGEST_MARGIN]
    assert (margin.value, names(margin)) == (40000, ["final1"])
