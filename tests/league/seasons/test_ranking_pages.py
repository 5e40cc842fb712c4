"""The pages of rankings: lines of any day, a person's sum, the place needed, and what visitors may not see."""

import datetime as dt
import io
import json
from typing import Any

import openpyxl
import pytest
from django.test import Client

from league.models import Competition, Player, Ranking
from league.services.competitions.editing import PlayerWords, edit_player
from league.services.parlour.people import add_guest
from league.services.seasons.rankings import EventFacts, create_ranking, edit_ranking, list_event
from tests.factories import SYSTEM, final_table, play, table
from tests.league import parlours
from tests.league.seasons.ranked_events import DAY, FIRST_WINS, players, publish, spring_and_summer

pytestmark = pytest.mark.django_db

AT = "?day=2026-08-01&lang=en"


def circuit(source: str = "mers") -> tuple[Ranking, Competition]:
    """A ranking over two leagues of the same four people."""
    spring = spring_and_summer()
    summer = Competition.objects.get(slug="summer")
    row = create_ranking(slug="circuit", name="サーキット", name_en="Circuit", source=source, is_public=True, by=SYSTEM)
    for competition, day in ((spring, DAY), (summer, DAY + dt.timedelta(30))):
        list_event(ranking=row, competition=competition, facts=EventFacts(day=day), by=SYSTEM)
    return row, spring


def text(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address, follow=True)
    assert answer.status_code == status, address
    return answer.content.decode()


def test_a_ranking_can_be_read_as_of_any_day_with_every_term_linked(client: Client) -> None:
    _row, spring = circuit()
    first = players(spring)[0]
    assert "Circuit" in text(client, "/rankings/?lang=en")
    page = text(client, f"/rankings/circuit/{AT}")
    assert page.count('class="n tot"') == 4
    assert first.name in page
    person = text(client, f"/rankings/circuit/players/{first.key}/{AT}")
    for told in ("1000", '/c/spring/"', '/c/summer/"', "Mean of the parts", "filled in", "sum ÷ weight"):
        assert told in person
    early = text(client, "/rankings/circuit/?day=2026-06-10&lang=en")
    assert "1 of 2 results that count" in early
    assert "No result counts on this day" in text(client, "/rankings/circuit/?day=2026-01-01&lang=en")


def test_a_ranking_of_teams_speaks_of_teams(client: Client) -> None:
    circuit()
    Player.objects.update(is_team=True)
    page = text(client, f"/rankings/circuit/{AT}")
    assert '<th scope="col">Team</th>' in page
    assert '<th scope="col">Player</th>' not in page
    assert "No team is called “zz”." in text(client, f"/rankings/circuit/{AT}&q=zz")
    for table_name in ("ranking", "terms"):
        heads = client.get(f"/rankings/circuit/{table_name}.csv?lang=ja").getvalue().decode().splitlines()[0]
        assert "チーム名" in heads
        assert "氏名" not in heads


@pytest.mark.parametrize(
    "words",
    [{"affiliation": "横浜"}, {"country": "FR"}, {"mark_glyph": "東"}, {"mark_colour": 3}, {"name_kana": "よこ"}],
)
def test_pages_kept_by_a_browser_show_a_club_country_tile_and_reading_once_they_change(
    client: Client, words: dict[str, Any]
) -> None:
    _row, spring = circuit()
    person = players(spring)[0]
    address = f"/rankings/circuit/{AT}&q=よこ"
    kept = {"if-none-match": client.get(address)["ETag"]}
    assert client.get(address, headers=kept).status_code == 304
    edit_player(player=person, words=PlayerWords(name=person.name, name_romaji=person.name_romaji, **words), by=SYSTEM)
    assert client.get(address, headers=kept).status_code == 200


def test_the_place_that_lifts_above_another_is_told_exactly(client: Client) -> None:
    _row, spring = circuit("season-points")
    one, two, *_others = players(spring)
    address = f"/rankings/circuit/players/{two.key}/{AT}&rival={one.key}&players=16&days=1"
    page = text(client, address)
    # 140 and 150: an eleventh place is worth 24, a sixteenth 15.
    assert "Place 16 or better lifts above" in page
    wrong = text(client, f"/rankings/circuit/players/{two.key}/{AT}&rival=nemo&players=16", status=422)
    assert 'value="nemo"' in wrong
    assert "No other player" in wrong
    assert 'value="99999"' in text(
        client, f"/rankings/circuit/players/{two.key}/{AT}&rival={one.key}&players=99999", status=422
    )


def test_a_search_finds_a_person_and_a_day_that_is_none_is_told(client: Client) -> None:
    _row, spring = circuit()
    one, two, *_others = players(spring)
    page = text(client, f"/rankings/circuit/{AT}&q={one.name}")
    assert one.name in page
    assert f">{two.name}</a>" not in page
    assert "No player is called" in text(client, f"/rankings/circuit/{AT}&q=nemo")
    assert "This is no day" in text(client, "/rankings/circuit/?day=soon&lang=en", status=422)
    assert client.get("/rankings/circuit/ranking.csv?day=soon").status_code == 404


def test_the_csv_has_exact_numbers(client: Client) -> None:
    _row, spring = circuit("season-points")
    answer = client.get("/rankings/circuit/ranking.csv?day=2026-08-01&lang=en")
    content = b"".join(answer.streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    rows = content.splitlines()
    assert rows[1].split(",")[4:] == ["150", "150", "2"]
    assert len(rows) == 5
    assert players(spring)[0].key in content


def test_every_term_of_a_sum_is_a_row_of_the_file_and_adds_up_to_the_total(client: Client) -> None:
    _row, spring = circuit("season-points")
    day = "day=2026-08-01"
    answer = client.get(f"/rankings/circuit/terms.xlsx?{day}&lang=en")
    book = openpyxl.load_workbook(io.BytesIO(answer.content)).active
    assert book is not None
    header, *rows = book.iter_rows(values_only=True)
    own = [dict(zip(header, row, strict=True)) for row in rows if row[0] == players(spring)[0].key]
    assert [(row["competition"], row["day"], row["place"]) for row in own] == [
        ("summer", "2026-07-01", 4), ("spring", "2026-06-01", 1)
    ]  # fmt: skip
    assert [row["product"] for row in own if row["status"] == "counts"] == [50, 100]
    from_rest = client.get(f"/api/v1/rankings/circuit/exports/terms/?format=csv&{day}&lang=en")
    assert from_rest.getvalue() == client.get(f"/rankings/circuit/terms.csv?{day}&lang=en").getvalue()
    assert len(json.loads(client.get(f"/api/v1/rankings/circuit/exports/ranking/?{day}").getvalue())) == 4
    assert client.get("/rankings/circuit/moves.csv").status_code == 404


def test_a_ranking_that_is_not_public_is_not_there_and_a_guarded_league_does_not_count(client: Client) -> None:
    row, spring = circuit("season-points")
    last = players(spring)[3].name
    assert "150" in text(client, f"/rankings/circuit/{AT}")
    client.get("/c/summer/?until=0")
    guarded = text(client, f"/rankings/circuit/{AT}")
    assert "150" not in guarded
    assert last in guarded
    assert '/c/summer/"' not in guarded
    edit_ranking(ranking=row, name="x", by=SYSTEM)
    for address in ("/rankings/circuit/", "/rankings/circuit/ranking.csv", "/rankings/circuit/players/x/"):
        assert client.get(address).status_code == 404
    assert "circuit" not in text(client, "/rankings/?lang=en")


@pytest.mark.parametrize("source", ["tenhou-r", "house-dan"])
def test_games_are_told_one_by_one_and_guests_only_by_their_handles(client: Client, source: str) -> None:
    parlour = parlours.parlour("banchi4")
    Competition.objects.filter(pk=parlour.pk).update(audience="public")
    people = [*parlours.guests(parlour, 3), add_guest(competition=parlour, name="四郎", by=SYSTEM)]
    fox = people[0].player
    fox.is_public, fox.handle = True, "Fox"
    fox.save()
    sitting = parlours.sitting(parlour, people)
    for game in range(2):
        parlours.play(sitting, (41200 + 100 * game, 30100, 18700, 10000 - 100 * game))
    publish(parlour)
    row = create_ranking(slug="house", name="店", source=source, is_public=True, by=SYSTEM)
    list_event(ranking=row, competition=parlour, facts=EventFacts(day=DAY), by=SYSTEM)
    page = text(client, "/rankings/house/?lang=en")
    assert "Fox" in page
    assert not any(entrant.player.name in page for entrant in people[1:])
    assert fox.name not in page or fox.name == "Fox"
    person = text(client, f"/rankings/house/players/{fox.key}/?lang=en")
    assert ("× (" in person) == (source == "tenhou-r")
    assert client.get(f"/rankings/house/players/{people[1].player.key}/").status_code == 404


@pytest.mark.parametrize(
    "address",
    ["/rankings/circuit/", "/api/v1/rankings/circuit/", "/api/v1/rankings/circuit/events/"],
)
def test_results_of_a_league_that_does_not_count_yet_leave_a_ranking_by_places_unchanged(
    client: Client, address: str
) -> None:
    row, _spring = circuit()
    running = final_table("running")
    games = table(running.blocks.get()).hanchan.order_by("round")
    list_event(ranking=row, competition=running, facts=EventFacts(day=DAY), by=SYSTEM)

    def mark() -> str:
        return client.get(address, {"day": "2026-08-01"} if "events" not in address else {})["ETag"]

    before = mark()
    for hanchan, scores in zip(games, FIRST_WINS, strict=True):
        assert mark() == before
        play(hanchan, scores)
        publish(running)
    assert mark() != before
