"""REST resources for qualification conditions, explanations of ranks and what-if results."""

from __future__ import annotations

import pytest
from django.test import Client

from league.models import Hanchan
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api
from tests.league.played_season import Season, almost_finished

pytestmark = pytest.mark.django_db


def visitor() -> Api:
    """Return an anonymous API client."""
    return Api()


@pytest.fixture
def season() -> Season:
    """Return a season in which everything but the last hanchan of the final has been played."""
    return almost_finished()


def last(season: Season) -> Hanchan:
    """Return the hanchan still to be played."""
    return Hanchan.objects.get(block=season.block("final"), number=4)


def test_before_the_last_hanchan_each_rival_has_a_margin_for_each_pair_of_places(season: Season) -> None:
    (block,) = visitor().get("competitions/spring/conditions/")["blocks"]
    assert (block["key"], block["hanchan_left"], block["obstacles"]) == ("final", 1, [])
    (table,) = block["tables"]
    assert table["hanchan"] == str(last(season).pk)
    leader = block["players"][0]
    assert {rival["is"] for rival in leader["rivals"]} == {"same_table"}
    strict = [cell for cell in leader["rivals"][0]["cells"] if cell["own"]["first"] == cell["own"]["last"]]
    assert len([cell for cell in strict if cell["rival"]["first"] == cell["rival"]["last"]]) == 12
    assert {cell["kind"] for cell in strict if cell["own"]["first"] == 1} == {"always"}


def test_targets_state_how_many_must_be_behind_with_sentences_in_both_languages(season: Season) -> None:
    (block,) = visitor().get("competitions/spring/conditions/", block="final")["blocks"]
    (target,) = block["targets"]
    assert (target["places"], target["destination"]["key"]) == (1, "champion")
    leader = target["players"][0]
    assert (leader["status"], leader["behind"]) == ("open", 3)
    first = leader["sentences"][0]
    assert (first["says"], first["places"]) == ("enough", [1])
    assert first["label"]["en"] == "1st: enough for the title."
    assert first["label"]["ja"]


def test_a_complete_block_has_no_conditions(season: Season) -> None:
    assert visitor().get("competitions/spring/conditions/", block="A")["blocks"] == []


def test_with_several_hanchan_left_the_distance_to_the_target_is_given() -> None:
    season = Season("few")
    season.play_preliminary(hanchan_each=5)
    block = visitor().get("competitions/few/conditions/", block="A")["blocks"][0]
    assert block["tables"] == []
    assert block["players"][0]["rivals"] == []
    behind = block["targets"][0]["players"][1]
    assert behind["distance"]["left"] == 3
    assert behind["distance"]["is_in"] is False
    assert float(behind["distance"]["gap"]) > 0
    assert behind["sentences"] == []


def test_the_etag_is_stable_until_standings_are_published(season: Season) -> None:
    for address in ("conditions", "explanations", "what-if"):
        tag = visitor().send("get", f"competitions/spring/{address}/").headers["ETag"]
        again = visitor().send("get", f"competitions/spring/{address}/", None, {"if-none-match": tag})
        assert again.status_code == 304


def test_the_gap_between_neighbours_is_explained_by_hanchan(season: Season) -> None:
    (block,) = visitor().get("competitions/spring/explanations/", block="final")["blocks"]
    first = block["pairs"][0]
    assert (first["parted_by"], first["clause"]) == ("total", "CL-003")
    assert len(first["above"]["hanchan"]) == 3
    parts = sum(round(10 * float(part["points"])) for part in first["above"]["hanchan"])
    assert parts == round(10 * float(first["above"]["total"]))


@pytest.mark.clause("cinderella", "CL-022")
def test_equal_totals_are_explained_by_the_deciding_hanchan() -> None:
    competition = factories.final_table()
    table = factories.table(competition.blocks.get(), (), (1, 2))
    factories.play_all(table, (40_000, 30_000, 20_000, 10_000), (30_000, 40_000, 20_000, 10_000))
    publish_standings(competition.pk)
    (block,) = visitor().get("competitions/final/explanations/")["blocks"]
    first = block["pairs"][0]
    assert (first["parted_by"], first["clause"], first["gap"]) == ("hanchan", "CL-022", "0.0")
    assert first["decision"]["number"] == 2
    assert [part["decides"] for part in first["below"]["hanchan"]] == [False, True]


def test_a_what_if_result_shows_its_outcome_and_records_nothing(season: Season) -> None:
    hanchan, before = last(season), visitor().get("standings/", competition="spring", block="final")
    answer = visitor().get("competitions/spring/what-if/", results=f"{hanchan.pk}:10000,20000,30000,38000+2000")
    (table,) = answer["outcome"]["tables"]
    assert [seat["final_score"] for seat in table["seats"]] == [40_000, 30_000, 20_000, 10_000]
    assert answer["outcome"]["champion"]["state"] == "certain"
    assert len(answer["outcome"]["blocks"][0]["rows"]) == 4
    assert visitor().get("standings/", competition="spring", block="final") == before


def test_the_deposits_of_a_what_if_may_follow_a_plus_sign_that_is_not_escaped(season: Season) -> None:
    wanted = f"{last(season).pk}:10000,20000,30000,38000+2000"
    escaped = visitor().get("competitions/spring/what-if/", results=wanted)
    assert Client().get(f"/api/v1/competitions/spring/what-if/?results={wanted}").json() == escaped


def test_a_what_if_may_seat_an_entrant_whose_slot_is_still_open() -> None:
    league = factories.league()
    final = league.blocks.order_by("-stage__order")[0]
    people = factories.in_block(league.blocks.get(key="A"))[:4]
    hanchan = factories.table(final, people).hanchan.get(round=1)
    publish_standings(league.pk)
    answer = visitor().get("competitions/spring/what-if/", results=f"{hanchan.pk}:41200,30100,18700,10000")
    rows = next(block["rows"] for block in answer["outcome"]["blocks"] if block["key"] == final.key)
    assert [(row["rank_before"], row["total_before"], row["rank"]) for row in rows] == [
        (None, None, rank) for rank in (1, 2, 3, 4)
    ]
    page = Client().get("/c/spring/what-if/", {f"s{hanchan.pk}": ["41200", "30100", "18700", "10000"]})
    assert page.status_code == 200


def test_a_posted_what_if_gives_the_same_outcome_as_the_query(season: Season) -> None:
    hanchan = last(season)
    asked = visitor().get("competitions/spring/what-if/", results=f"{hanchan.pk}:10000,20000,30000,40000")
    sent = visitor().post(
        "competitions/spring/what-if/",
        {"results": [{"hanchan": str(hanchan.pk), "scores": [10_000, 20_000, 30_000, 40_000]}]},
    )
    assert sent == asked


def test_without_results_the_tables_in_play_are_listed(season: Season) -> None:
    answer = visitor().get("competitions/spring/what-if/")
    assert answer["outcome"] is None
    (table,) = answer["in_play"]
    assert (table["hanchan"], table["table_total"], len(table["entrants"])) == (str(last(season).pk), 100_000, 4)


def test_a_what_if_that_cannot_be_settled_is_refused_at_its_pointer(season: Season) -> None:
    hanchan = last(season)
    wrong = {"results": [{"hanchan": str(hanchan.pk), "scores": [10_000, 20_000, 30_000, 30_000]}]}
    refused = visitor().post("competitions/spring/what-if/", wrong, status=422)
    assert [(each["code"], each["pointer"]) for each in refused["errors"]] == [("table_sum", "/results/0")]
    refused = visitor().get("competitions/spring/what-if/", results=f"{hanchan.pk}:10000,20000,30000,30000", expect=400)
    assert [(each["code"], each["in"]) for each in refused["errors"]] == [("table_sum", "query")]


def test_a_what_if_for_a_hanchan_not_in_play_or_given_twice_is_refused(season: Season) -> None:
    played = Hanchan.objects.filter(block=season.block("final"), number=1).get()
    one = f"{last(season).pk}:25000,25000,25000,25000"
    for results in (f"{played.pk}:25000,25000,25000,25000", f"{one};{one}"):
        refused = visitor().get("competitions/spring/what-if/", results=results, expect=400)
        assert refused["errors"][0]["code"] == "not_in_play"
    assert visitor().get("competitions/spring/what-if/", 400, results="nonsense")["code"] == "invalid_request"


def test_an_open_table_exposes_no_games_of_its_guests() -> None:
    competition = factories.league("open", ruleset="banchi4", league_format="open-play", kind="open")
    publish_standings(competition.pk)
    assert visitor().get("competitions/open/conditions/")["blocks"] == []
    assert visitor().get("competitions/open/explanations/")["blocks"] == []
    assert visitor().get("competitions/open/what-if/")["in_play"] == []
