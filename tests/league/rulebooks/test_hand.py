"""Test the hand calculator: typed input, taps without scripts, state in the URL, and errors."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import HttpResponse, QueryDict
from django.template.loader import render_to_string
from django.test import Client

from league.forms.rulebooks.hand import HandForm, Options, line_text, query_under
from league.selectors.rulebooks.hand_circumstances import known_by, known_by_any
from league.selectors.rulebooks.hand_tray import TapTarget, Tray
from league.selectors.rulebooks.hands import books_of_hands, options_of_hands
from league.views.rulebooks.hand_picker import picker_for
from rulesets import loader
from scoring.hand import NoHandsError, parse_tiles, tiles_text, wall_of
from scoring.ruleset import Ruleset
from tests import factories

pytestmark = pytest.mark.django_db
HAND = "234m567m34p678s99s + 2p"


def page(name: str = "cinderella", language: str = "en", **asked: Any) -> Any:
    path = f"/rules/{name}/hand/" if name else "/rules/hand/"
    return Client(headers={"Accept-Language": language}).get(path, asked)


def text_of(response: HttpResponse) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def shown(name: str = "cinderella", **asked: Any) -> str:
    response = page(name, **asked)
    assert response.status_code == 200, text_of(response)
    return text_of(response)


def value(name: str = "cinderella", **asked: Any) -> Any:
    path = f"/rules/{name}/hand/value/" if name else "/rules/hand/value/"
    return Client(headers={"Accept-Language": "en"}).get(path, asked)


def errors(name: str = "cinderella", **asked: Any) -> list[tuple[str, str]]:
    response = value(name, **asked)
    assert response.status_code == 422
    assert page(name, **asked).status_code == 422
    return [(each["code"], each["field"]) for each in response.json()["errors"]]


def tapped(name: str, **asked: Any) -> dict[str, str]:
    """Return the query to which a tap without scripts redirects."""
    response = page(name, **asked)
    assert response.status_code == 302
    return {key: found[0] for key, found in parse_qs(urlsplit(response.headers["Location"]).query).items()}


# Value of a hand


def test_the_empty_page_has_instructions_and_an_example() -> None:
    assert "Tap tiles or type a hand" in shown()
    assert "Show an example" in shown("")


@pytest.mark.clause("cinderella", "CL-103", "CL-106", "CL-042", "CL-044", "CL-143", "CL-144")
def test_a_typed_hand_is_explained_line_by_line_with_its_clauses() -> None:
    found = shown(hand="234m067m34p678s99s2p", riichi="riichi", dora="8s")
    assert "5 han 30 fu · Mangan 8,000" in found
    for words in ("Riichi CL-103", "Pinfu CL-106", "Dora × 2 CL-042", "Red fives × 1 CL-044"):
        assert words in found
    assert "ron with a closed hand CL-143" in found
    assert "the discarder: hand CL-144" in found
    html = page(hand="234m067m34p678s99s2p", riichi="riichi").content.decode()
    assert 'href="/rules/cinderella/#CL-103"' in html


def test_full_width_characters_and_capitals_are_accepted() -> None:
    assert line_text("２３４Ｍ５６７ｍ　３４p678S99s＋2P") == "234m567m 34p678s99s+2p"
    assert "1,000" in shown(hand="２３４Ｍ５６７ｍ　３４p678S99s＋2P")


def test_only_circumstances_that_the_rules_know_are_offered() -> None:
    boo, banchi = page("boo").content.decode(), page("banchi3").content.decode()
    for name in ("ippatsu", "houtei", "ura", "deposits", "pocchi", "forced"):
        assert f'name="{name}"' not in boo
        assert f'name="{name}"' in banchi
    assert 'value="chi"' in boo
    assert 'value="chi"' not in banchi
    assert 'value="nuki"' in banchi
    assert 'data-tile="gp"' in banchi
    assert 'data-tile="gp"' not in boo


def test_an_option_adds_its_circumstances_and_changes_the_value() -> None:
    assert 'name="pocchi"' not in page("superbingo").content.decode()
    assert 'name="pocchi"' in page("superbingo", option_pocchi="true").content.decode()
    hand = "1122334455667z + 7z"
    assert "not complete" in shown("boo", hand=hand)
    assert "Chiitoitsu" in shown("boo", hand=hand, option_new_yaku="chiitoitsu")


def test_invalid_options_are_refused_and_the_other_input_is_kept() -> None:
    assert ("option_value", "option_red_tiles") in errors("boo", hand=HAND, option_red_tiles="m=x")
    html = page("boo", hand=HAND, option_red_tiles="m=x").content.decode()
    assert 'value="m=x"' in html
    assert "+ 2p" in html


def test_payments_are_listed_in_every_ledger() -> None:
    found = shown("banchi3", hand="234p067p34s678s99s + 2s", riichi="riichi", ippatsu="on", discarder="E")
    assert "Paid: Table points" in found
    assert "Paid: G" in found
    assert "East (the discarder): ippatsu" in found


def test_a_hand_without_yaku_is_no_win_and_the_reason_is_shown() -> None:
    found = shown(hand="456s789p66m45p chi:123s + 3p")
    assert "No win" in found
    assert "The hand has no yaku" in found


def test_a_pocchi_is_assigned_the_tile_of_the_most_valuable_hand() -> None:
    asked = {"hand": "123p789p234s99s68s + wz", "by": "tsumo", "riichi": "riichi", "ippatsu": "on"}
    assert "The pocchi stands for 7 of bamboos" in shown("banchi3", **asked)
    assert "the winner may choose otherwise" in shown("banchi3", **asked)
    assert "the winner may choose otherwise" not in shown("banchi3", **asked, pocchi="7s")


def test_a_yakuman_that_ends_the_game_moves_no_points() -> None:
    found = shown("boo", hand="1112223334445z + 5z", option_yakuman="instant_a_top")
    assert "A top at once" in found
    assert "no points move" in found


def test_a_liable_player_is_shown() -> None:
    asked = {"hand": "123m9s pon:555z pon:666z pon:777z + 9s", "by": "tsumo", "liable": "E", "liable_for": "daisangen"}
    assert "East (the liable player): hand" in shown("banchi4", **asked)
    assert "Liable for" in shown("banchi4", **asked)


@pytest.mark.clause("kansai3", "KS-208")
def test_a_yaku_that_is_not_established_is_named_with_the_call_and_the_waits() -> None:
    called = shown("kansai3", hand="234p2267s pon:999m pon:555z + 8s")
    assert "the first call (9 of characters)" in called
    assert "Haku (white dragon)" in called
    waiting = shown("kansai3", hand="123678s6677z pon:999p + 6z")
    assert "no yaku is there on every wait (green dragon, red dragon)" in waiting


def test_dora_points_two_yakuman_bazoro_and_a_repeated_round_have_a_wording() -> None:
    assert "Dora × 1 BOO-091" in shown("boo", hand=HAND, dora="1p", option_bazoro="always1")
    assert "100 points" in shown("boo", hand=HAND, dora="1p")
    assert "Bazoro" in shown("boo", hand=HAND, option_bazoro="always1")
    assert "mangan" in shown("boo", hand="123345567789m9m + 9m")
    assert "2 yakuman" in shown("banchi4", hand="111222333z555z6z + 6z")
    assert "East again" in text_of(page("banchi3"))
    assert "2 han 20 fu 700 all" in shown("tenhou4", hand=HAND, by="tsumo", seat="E")


def test_liability_for_an_open_kan_and_a_hand_of_sevens_have_a_wording() -> None:
    assert errors("cinderella", hand=HAND, liable="E") == [("liability_not_played", "liable")]
    assert "no liability for an open kan" in text_of(page("cinderella", hand=HAND, liable="E"))
    fed = {"hand": "234m567m34p99s minkan:1111z + 2p", "by": "tsumo", "rinshan": "on", "liable": "E"}
    assert "The self-draw is paid like a ron." in shown("boo", **fed)
    assert "East (the discarder): hand" in shown("boo", **fed)
    found = shown("superbingo", hand="77777p777777s1b2b + 7p", by="tsumo")
    assert "sevens only" in found


def test_conflicting_options_are_refused() -> None:
    data = loader.load("boo").data()
    data["options"]["red_tiles"]["maximum"] = 5
    rules = Ruleset.model_validate_json(json.dumps(data))
    options = Options(rules, QueryDict("option_red_tiles=m%3D5 p%3D1 s%3D1"))
    assert options.ruled() == rules
    assert "do not go together" in str(options.non_field_errors())


# All rulesets side by side


def test_a_hand_is_valued_under_every_ruleset_side_by_side() -> None:
    assert "No seat is North here; the seats are East, South, West." in shown("", hand=HAND, seat="N")
    found = shown("", hand=HAND)
    for words in ("Cinderella League 1 han 30 fu 1,000", "There is no 2 of characters among the tiles"):
        assert words in found
    document = value("", hand=HAND).json()["value"]
    assert len(document["results"]) == len(books_of_hands(None))


def test_the_page_of_all_rulesets_and_that_of_each_link_to_each_other_with_the_hand() -> None:
    html = page("", hand=HAND, riichi="riichi").content.decode()
    assert "/rules/cinderella/hand/?hand=234567m34p67899s+%2B+2p&amp;riichi=riichi" in html
    assert "/rules/hand/?hand=234567m34p67899s+%2B+2p" in page(hand=HAND).content.decode()


# Taps without a script


def test_taps_build_a_hand() -> None:
    asked: dict[str, str] = {}
    for code in ("2m", "3m", "4m", "0m", "6m", "7m", "3p", "4p", "6s", "7s", "8s", "9s", "9s", "2p"):
        asked = tapped("cinderella", **asked, tap=code)
    assert asked == {"hand": "234067m34p67899s + 2p"}
    assert "Pinfu" in shown(**asked)
    assert tapped("cinderella", **asked, tap="1m") == asked


def test_a_tap_keeps_all_other_parameters() -> None:
    asked = {"hand": "12m", "riichi": "riichi", "honba": "2", "option_rounding": "exact", "to": "dora"}
    assert tapped("cinderella", **asked, tap="5z") == {
        "hand": "12m",
        "riichi": "riichi",
        "honba": "2",
        "dora": "5z",
        "to": "dora",
    }
    kept = tapped("boo", hand="12m", option_new_yaku="chiitoitsu", tap="3m")
    assert kept == {"hand": "123m", "option_new_yaku": "chiitoitsu"}


def test_tiles_and_melds_can_be_removed() -> None:
    asked = {"hand": "234567m34p + 2p chi:678s pon:777z", "dora": "1p"}
    assert tapped("cinderella", **asked, drop="m0")["hand"] == "234567m342p pon:777z"
    assert tapped("cinderella", **asked, drop="w")["hand"] == "234567m34p chi:678s pon:777z"
    assert "dora" not in tapped("cinderella", **asked, drop="d0")
    assert tapped("cinderella", **asked, clear="1") == {}


def test_a_tap_does_not_discard_unreadable_input() -> None:
    assert tapped("cinderella", hand="12x", tap="3m") == {"hand": "12x"}
    assert 'value="12x"' in page(hand="12x").content.decode()
    assert tapped("cinderella", hand="12x", clear="1") == {}


def test_an_incomplete_hand_is_no_error() -> None:
    for hand, missing in (("12m", 12), ("pon:777z", 11), ("12346m406p 11z", 4)):
        assert f"{missing} more for a complete hand" in shown(hand=hand)
        assert 'role="alert"' not in page(hand=hand).content.decode()
    assert value(hand="12m").json()["missing"] == 12


# Refused input


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"hand": "11112345m678p99s + 1m"}, ("too_many_alike", "hand")),
        ({"hand": "234m567m34p678s9s + 2p"}, ("tile_count", "hand")),
        ({"hand": "234m567m34p678s999s + 2p"}, ("tile_count", "hand")),
        ({"hand": "456s789s66m45p chi:124s + 3p"}, ("no_meld", "hand")),
        ({"hand": "234m567m234p678s99s", "win": "5p"}, ("win_not_in_hand", "hand")),
        ({"hand": HAND, "ippatsu": "on"}, ("ippatsu_without_riichi", "ippatsu")),
        ({"hand": "456s789s66m45p chi:123s + 3p", "riichi": "riichi"}, ("riichi_with_open_hand", "riichi")),
        ({"hand": HAND, "haitei": "on"}, ("haitei_with_ron", "haitei")),
        ({"hand": HAND, "discarder": "S"}, ("discarder_is_winner", "discarder")),
        ({"hand": HAND, "dora": "1z2z3z4z5z6z"}, ("too_many_indicators", "dora")),
        ({"hand": HAND, "liable": "E", "liable_for": "open_kan"}, ("invalid_choice", "liable_for")),
        ({"hand": "12x"}, ("not_a_letter", "hand")),
        ({"hand": "m"}, ("no_numbers", "hand")),
        ({"hand": "8z"}, ("no_tile", "hand")),
        ({"hand": "12"}, ("no_suit", "hand")),
        ({"hand": "1m + 12m"}, ("not_one_tile", "hand")),
        ({"hand": "1m + 2m", "win": "3m"}, ("win_twice", "hand")),
        ({"hand": "1m kan:1111z"}, ("no_meld_kind", "hand")),
        ({"hand": "1m" * 130}, ("max_length", "hand")),
        ({"hand": HAND, "dora": "1x"}, ("not_a_letter", "dora")),
        ({"hand": HAND, "honba": "some"}, ("number", "honba")),
        ({"hand": HAND, "seat": "X"}, ("invalid_choice", "seat")),
    ],
)
def test_an_impossible_hand_is_refused_at_its_field_and_the_input_is_kept(
    asked: dict[str, str], error: tuple[str, str]
) -> None:
    assert error in errors(**asked)
    html = page(language="ja", **asked).content.decode()
    assert 'role="alert"' in html
    typed = re.search(r'<input name="hand" value="([^"]*)"', html)
    assert typed
    assert signs(typed[1]) == signs(asked["hand"])


def signs(line: str) -> tuple[list[str], set[str]]:
    """Return the digits and the letters of a hand, however they are grouped."""
    return sorted(filter(str.isdigit, line)), set(filter(str.isalpha, line))


def test_an_unreadable_hand_is_refused_on_the_page_of_all_rulesets_too() -> None:
    assert errors("", hand="12x") == [("not_a_letter", "hand")]


def test_a_house_option_is_described_by_its_help() -> None:
    html = page("banchi3").content.decode()
    [described] = re.findall(r'name="option_gold_chip_g"[^>]* aria-describedby="([^"]+)"', html)
    assert f'id="{described}"' in html


def test_rulesets_without_hands_and_unknown_ones_have_no_calculator() -> None:
    for path in (
        "/rules/mleague/hand/",
        "/rules/nowhere/hand/",
        "/rules/cinderella/hand/?revision=9",
        "/rules/cinderella/hand/?revision=x",
    ):
        assert Client().get(path).status_code == 404


# URL, cache and tray


def test_an_unchanged_page_answers_304_to_its_etag() -> None:
    first = page(hand=HAND)
    again = Client(headers={"Accept-Language": "en", "If-None-Match": first.headers["ETag"]}).get(
        "/rules/cinderella/hand/", {"hand": HAND}
    )
    assert again.status_code == 304
    assert page(hand=HAND, riichi="riichi").headers["ETag"] != first.headers["ETag"]


def test_the_url_omits_default_values() -> None:
    asked = {"hand": HAND, "by": "ron", "seat": "S", "round": "E", "riichi": "none", "honba": "0", "win": ""}
    assert value(**asked).json()["query"] == "hand=234567m34p67899s+%2B+2p"


def tray(line: str = "", name: str = "cinderella", **more: str) -> tuple[Tray, Any]:
    return Tray.read(line, **more), wall_of(loader.load(name))


@pytest.mark.parametrize(
    ("line", "code", "target", "found"),
    [
        ("", "3s", TapTarget.CHI, "chi:345s"),
        ("", "9s", TapTarget.CHI, "chi:789s"),
        ("", "0s", TapTarget.CHI, "chi:067s"),
        ("", "1z", TapTarget.CHI, ""),
        ("", "7z", TapTarget.PON, "pon:777z"),
        ("", "5p", TapTarget.PON, "pon:555p"),
        ("", "0p", TapTarget.PON, "pon:055p"),
        ("", "5p", TapTarget.ANKAN, "ankan:5550p"),
        ("55p", "5p", TapTarget.PON, "55p"),
        ("1234m", "1m", TapTarget.MINKAN, "1234m"),
        ("123456789m123p", "1z", TapTarget.PON, "123456789m123p"),
    ],
)
def test_one_tap_adds_a_meld_with_plain_tiles_first_and_never_more_tiles_than_exist(
    line: str, code: str, target: TapTarget, found: str
) -> None:
    before, wall = tray(line)
    assert before.tap(parse_tiles(code)[0], target, wall).line == found


def test_a_meld_uses_red_fives_if_there_are_no_plain_ones() -> None:
    before, wall = tray(name="banchi3")
    assert before.tap(parse_tiles("0p")[0], TapTarget.PON, wall).line == "pon:000p"
    assert before.tap(parse_tiles("3p")[0], TapTarget.CHI, wall).line == "chi:340p"


def test_a_tile_in_a_meld_can_be_exchanged_for_its_red_copy() -> None:
    before, wall = tray("chi:345p")
    red = before.recolour("m0.2", wall)
    assert red.line == "chi:340p"
    assert red.recolour("m0.2", wall).line == "chi:345p"
    assert before.recolour("m0.0", wall) == before
    for place in ("m1.0", "m0.9", "x", "m", "m0"):
        assert before.recolour(place, wall) == before


def test_a_tap_on_a_five_in_a_meld_turns_it_red_without_a_script() -> None:
    assert tapped("cinderella", hand="12m chi:345p", recolour="m0.2")["hand"] == "12m chi:340p"


def test_a_page_that_needs_tiles_of_a_win_gets_an_empty_picker() -> None:
    picker = picker_for(loader.load("cinderella"))
    assert (picker.line, picker.missing, picker.submits) == ("", 14, False)
    assert 'type="submit"' not in render_to_string("rulebooks/hand/picker.html", {"picker": picker})
    with pytest.raises(NoHandsError):
        picker_for(loader.load("mleague"))


def test_flowers_are_set_aside_and_indicators_are_kept_separately() -> None:
    before, wall = tray(name="kansai3")
    aside = before.tap(parse_tiles("1f")[0], TapTarget.HAND, wall)
    assert aside.line == "nuki:1f"
    assert aside.tap(parse_tiles("1f")[0], TapTarget.HAND, wall) == aside
    turned = aside.tap(parse_tiles("2f")[0], TapTarget.DORA, wall).tap(parse_tiles("1z")[0], TapTarget.URA, wall)
    assert (tiles_text(turned.dora), tiles_text(turned.ura)) == ("2f", "1z")
    assert aside.tap(parse_tiles("4z")[0], TapTarget.NUKI, wall).line == "nuki:1f4z"
    assert aside.tap(parse_tiles("2f")[0], TapTarget.PON, wall) == aside
    assert turned.drop("u0").ura == ()
    assert turned.drop("n0").nuki == ()


def test_dropping_an_unknown_place_changes_nothing() -> None:
    before, _wall = tray("12m")
    for place in ("c9", "x0", "c", "m0", "cx"):
        assert before.drop(place) == before


def test_the_combined_wall_of_several_rulesets_contains_all_their_tiles() -> None:
    every = known_by_any(loader.load(name) for name in ("cinderella", "banchi3", "mleague"))
    one = known_by(loader.load("cinderella"))
    assert set(one.wall) < set(every.wall)
    assert set(one.calls) == set(every.calls)
    assert every.has_pocchi
    assert not one.has_pocchi


def test_only_options_that_affect_a_hand_are_offered() -> None:
    asked = options_of_hands(loader.load("boo"))
    assert {"bazoro", "new_yaku", "red_tiles", "yakuman", "honba_points"} <= set(asked)
    assert {"stake_per_sunk", "house_fee", "chonbo_penalty", "abort_four_winds", "furiten_delay", "kuikae"}.isdisjoint(
        asked
    )


def test_every_ruleset_has_a_valid_form_in_both_languages() -> None:
    for book in books_of_hands(None):
        for language in ("ja", "en"):
            response = page(book.name, language)
            assert response.status_code == 200
            assert HandForm(known_by(book.value), {"hand": ""}).is_valid()


def test_a_competitions_rules_link_to_the_calculator_with_its_options() -> None:
    competition = factories.final_table()
    html = Client(headers={"Accept-Language": "en"}).get(f"/c/{competition.slug}/ruleset/").content.decode()
    [address] = re.findall(r'href="(/rules/cinderella/hand/[^"]*)"', html)
    assert "revision=1" in address
    assert Client().get(address).status_code == 200
    options = {"new_yaku": ["chiitoitsu"], "house_fee": {}, "yakuman": "double_mangan"}
    asked = "revision=3&option_new_yaku=chiitoitsu&option_yakuman=double_mangan"
    assert query_under(loader.load("boo"), 3, options) == asked
