"""Test the comparison page, which settles one game under every matching ruleset and keeps it in the URL."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from league.models import Competition, RulesetRevision
from league.selectors.rulebooks.comparison import ComparedColumn, ComparedGame, NotComparableError, comparison, notes_of
from league.services.rulebooks.own_rulesets import Draft, cloned, keep_own_ruleset
from league.services.rulebooks.revisions import RulesChoice, keep_format, put_rules_in_force
from rulesets import loader
from scoring.settlement import HanchanResult, settle
from tests import factories
from tests.factories import SYSTEM

pytestmark = pytest.mark.django_db
PAGE = "/rules/compare/"
SCORES = (41_200, 30_100, 18_700, 10_000)
OF_100_000 = ["ariari", "banchi4", "cinderella", "mahjongsoul4", "mleague", "mleague_full", "tenhou4"]
OF_120_000 = ["ema2016", "ema2025", "jpmla", "jpmlb", "rmu", "saikouisen", "wrc"]


def compared(scores: tuple[int, ...] = SCORES, **more: Any) -> dict[str, ComparedColumn]:
    return {each.book.name: each for each in comparison(ComparedGame(scores, **more), None)}


def body(response: Any) -> str:
    return str(response.content.decode())


def own(text: str) -> RulesetRevision:
    return keep_own_ruleset(draft=Draft(text=cloned(text, "tomoshibi", "灯火荘", "Tomoshibi")), by=SYSTEM)


def test_a_game_is_settled_under_every_ruleset_with_the_same_players_and_points() -> None:
    assert sorted(compared()) == OF_100_000
    assert sorted(compared((50_000, 40_000, 15_000))) == ["banchi3", "kansai3", "mahjongsoul3", "tenhou3"]
    assert sorted(compared((45_000, 36_000, 24_000, 15_000))) == OF_120_000
    assert list(compared((3_000, 2_500, 1_500, 1_000))) == ["boo"]
    assert list(compared((45_000, 30_000, 15_000))) == ["superbingo"]


def test_each_column_equals_the_engines_settlement() -> None:
    for name, column in compared().items():
        assert column.settlement == settle(HanchanResult(SCORES), loader.load(name))


def test_mleague_pays_ten_more_than_cinderella_to_first_and_takes_it_from_last() -> None:
    found = compared()
    assert found["cinderella"].ranking_totals == (512, 101, -213, -400)
    assert found["mleague"].ranking_totals == (612, 101, -213, -500)


def test_the_lines_of_a_column_sum_to_its_totals_and_cite_their_clauses() -> None:
    for column in compared(deposits=1_000, scores=(41_200, 29_100, 18_700, 10_000)).values():
        for ledger, totals, rows in column.ledgers():
            assert all(row.clause for row in rows)
            for seat, total in enumerate(totals):
                amounts = [row.amounts[seat] or Fraction(0) for row in rows]
                assert sum(amounts, Fraction(0)) * ledger.scale == total


def test_deposits_count_towards_the_points_of_the_table() -> None:
    found = compared((40_200, 30_100, 18_700, 10_000), deposits=1_000)
    assert found["cinderella"].ranking_totals[0] == 512


def test_a_chonbo_is_deducted_if_the_rules_do_so_and_otherwise_noted_as_left_out() -> None:
    found = compared(chonbo=(0, 1, 0, 0))
    assert found["cinderella"].ranking_totals[1] == 101 - 400
    assert found["mleague"].ranking_totals[1] == 101 - 200
    assert found["tenhou4"].settlement is not None
    assert [problem.code for problem in found["tenhou4"].problems] == ["chonbo_unused"]
    assert notes_of(found["tenhou4"]) == ["Here a chonbo is paid at the table; none was reckoned."]


def test_a_ruleset_that_cannot_settle_the_game_says_so_and_the_others_remain() -> None:
    found = compared((50_100, 39_900, 15_000))
    assert found["tenhou3"].settlement is not None
    assert found["kansai3"].settlement is None
    assert notes_of(found["kansai3"])[0] == "Scores are multiples of 1,000 here; 50,100 is none."


def test_a_prize_without_a_named_receiver_is_left_out_with_a_note() -> None:
    found = compared((80_000, 30_000, -5_000))
    assert "the prize for it is not reckoned" in notes_of(found["kansai3"])[0]


def test_options_have_their_default_values() -> None:
    options = {"rounding": "nearest_alike", "riichi_min_score": False, "dead_hand_tenpai": False}
    assert compared()["cinderella"].options == options


def test_a_custom_ruleset_is_compared_once_a_public_competition_uses_it() -> None:
    season: Competition = factories.final_table()
    revision = own(loader.text_of("mleague").replace("[30, 10, -10, -30]", "[15, 5, -5, -15]"))
    assert "tomoshibi" not in compared()
    choice = RulesChoice(ruleset=revision, league_format=keep_format("single-table-final"))
    put_rules_in_force(competition=season, choice=choice, by=SYSTEM)
    assert compared()["tomoshibi"].ranking_totals == (462, 51, -163, -350)


@pytest.mark.parametrize(
    ("game", "field", "code"),
    [
        (ComparedGame((100_000,)), "scores", "score_count"),
        (ComparedGame((20_000,) * 5), "scores", "score_count"),
        (ComparedGame((25_000, 25_000, 25_000, 24_900)), "scores", "table_sum"),
        (ComparedGame((10**9, -(10**9), 50_000, 50_000)), "scores", "score_range"),
        (ComparedGame(SCORES, deposits=-1_000), "deposits", "kyoutaku_negative"),
        (ComparedGame(SCORES, deposits=10**12), "deposits", "score_range"),
        (ComparedGame(SCORES, chonbo=(1,)), "chonbo", "chonbo_count"),
        (ComparedGame(SCORES, chonbo=(0, 0, 0, -1)), "chonbo", "chonbo_count"),
        (ComparedGame(SCORES, chonbo=(0, 0, 0, 10**6)), "chonbo", "chonbo_count"),
    ],
)
def test_an_invalid_game_is_refused_at_its_field(game: ComparedGame, field: str, code: str) -> None:
    with pytest.raises(NotComparableError) as refused:
        comparison(game, None)
    assert (refused.value.field, refused.value.code) == (field, code)


def test_a_wrong_sum_is_refused_with_the_possible_sums(client: Client) -> None:
    response = client.get(PAGE, {"scores": "250,250,250,249"}, headers={"accept-language": "en"})
    assert response.status_code == 422
    assert response["Cache-Control"] == "no-store"
    (message,) = response.context["form"].errors["scores"]
    assert "add up to 99,900" in message
    assert "100,000 (" in message
    assert "Cinderella League" in message
    assert 'value="249"' in body(response)


@pytest.mark.parametrize("query", ["scores=412,301,187,100", "scores=412&scores=30%2C100&scores=187&scores=10000"])
def test_the_url_contains_the_scores_in_one_parameter_or_in_one_per_seat(client: Client, query: str) -> None:
    page = body(client.get(f"{PAGE}?{query}", headers={"accept-language": "en"}))
    assert "Cinderella League" in page
    assert "+51.2" in page
    assert "CL-037" in page
    assert "3 house options at their defaults" in page
    assert 'value="412"' in page


def test_a_japanese_page_shows_minus_as_a_triangle(client: Client) -> None:
    page = body(client.get(f"{PAGE}?scores=412,301,187,100", headers={"accept-language": "ja"}))
    assert "▲40.0" in page
    assert "シンデレラリーグ" in page


def test_three_scores_and_an_empty_fourth_are_a_game_of_three(client: Client) -> None:
    response = client.get(f"{PAGE}?scores=500&scores=400&scores=150&scores=", headers={"accept-language": "en"})
    assert [column.name for column in response.context["columns"]] == [
        "banchi3",
        "kansai3",
        "mahjongsoul3",
        "tenhou3",
    ]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("scores=3000,2500,1500,1000", "boo"),
        ("scores=30,25,15,10", "boo"),
        ("scores=402,301,187,100&deposits=1000", "cinderella"),
        ("scores=40200,30100,18700,10000&deposits=1000&chonbo=0,1,0,0", "cinderella"),
        ("scores=１１００００&scores=▲3,500&scores=△35&scores=-30", "cinderella"),
    ],
)
def test_short_scores_are_points_if_a_ruleset_has_such_totals_and_hundreds_otherwise(
    client: Client, query: str, name: str
) -> None:
    response = client.get(f"{PAGE}?{query}")
    assert response.status_code == 200
    assert name in [column.name for column in response.context["columns"]]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("scores=one,two,three,four", "scores"),
        ("scores=412&scores=&scores=301&scores=287", "scores"),
        ("scores=412,301,187,100&deposits=some", "deposits"),
        ("scores=412,301,187,100&deposits=-10", "deposits"),
        ("scores=412,301,187,100&chonbo=x", "chonbo"),
        ("scores=412,301,187,100&chonbo=-1", "chonbo"),
        ("scores=412,301,187,100&chonbo=0,0,0,0,1", "chonbo"),
        ("scores=" + "9" * 5000, "scores"),
        ("scores=412,301,187,100&chonbo=" + "1" * 5000, "chonbo"),
    ],
)
def test_wrong_input_is_reported_at_its_field(client: Client, query: str, field: str) -> None:
    response = client.get(f"{PAGE}?{query}", headers={"accept-language": "en"})
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    assert "<h2" not in body(response)


def test_the_page_without_a_game_shows_an_example_link(client: Client) -> None:
    for query in ("", "?scores=", "?deposits=1000"):
        response = client.get(PAGE + query)
        assert response.status_code == 200
        assert "?scores=41200,30100,18700,10000" in body(response)


def test_a_comparison_is_publicly_cacheable_and_answers_304_to_its_etag(client: Client) -> None:
    address = f"{PAGE}?scores=412,301,187,100"
    first = client.get(address)
    assert first["Cache-Control"].startswith("public")
    assert {"Accept-Language", "Cookie"} <= set(first["Vary"].split(", "))
    assert client.get(address, headers={"if-none-match": first["ETag"]}).status_code == 304
    other = client.get(f"{PAGE}?scores=412,301,186,101", headers={"if-none-match": first["ETag"]})
    assert other.status_code == 200
    assert client.post(address).status_code == 405


def test_the_page_respects_the_content_security_policy_and_escapes_input(client: Client) -> None:
    response = client.get(f"{PAGE}?scores=412,301,187,100")
    assert "default-src 'self'" in response["Content-Security-Policy"]
    assert " style=" not in body(response)
    assert "<script" not in body(response)
    smuggled = client.get(PAGE, {"scores": '"><script>alert(1)</script>,1,2,3'})
    assert "<script>" not in body(smuggled)


def test_pages_link_to_the_comparison(client: Client) -> None:
    season = factories.final_table()
    for address in ("/", f"/c/{season.slug}/ruleset/"):
        assert f'href="{PAGE}"' in body(client.get(address))
