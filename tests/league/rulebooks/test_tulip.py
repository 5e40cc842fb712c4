"""Test the tulip page without scripts: the winning hand, flips in the URL, undo, and errors."""

from __future__ import annotations

import re
import tomllib
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils.translation import override

from league.wording.live.tiles import tile_name
from league.wording.live.tulip import line_text, problem_text, remark_text
from rulesets import examples, loader
from scoring.hand import parse_tiles, tiles_text
from scoring.hand.tiles import NAME, NAMED
from scoring.ruleset.chips import AwardEvent
from scoring.tulip import Remark, TulipProblem
from scoring.tulip.problems import SENTENCES as PROBLEMS
from scoring.tulip.remarks import SENTENCES as REMARKS

pytestmark = pytest.mark.django_db
PAGE = "/rules/superbingo/tulip/"
WON = {"hand": "3467778p123999s + 0p", "by": "tsumo", "riichi": "riichi", "dora": "2z", "ura": "8s"}
"""The hand of worked example SB-T02."""
EXAMPLES: dict[str, Any] = {each["id"]: each for each in tomllib.loads(examples.text_of("superbingo"))["tulip"]}


def page(expect: int = 200, /, path: str = PAGE, **asked: str) -> str:
    """Request the page in English and return its HTML."""
    response = Client(headers={"Accept-Language": "en"}).get(f"{path}?{urlencode(asked)}")
    assert response.status_code == expect, response.content.decode()
    return response.content.decode()


def buttons(text: str) -> dict[str, str]:
    """Return each button's flip log, keyed by the button."""
    found = re.findall(r'<button name="flips" value="(\w*)" id="(?:flip-)?(\w+)"', text)
    return {key: log for log, key in found}


def total(text: str) -> int:
    """Return the number of chips at the top of the page."""
    found = re.search(r'tulip-total"><dt>[^<]*</dt><dd>(\d+)', text)
    assert found is not None
    return int(found.group(1))


def flips_of(example: str) -> list[str]:
    return [tile for tile, _ in EXAMPLES[example]["expect"]["flips"]]


def test_each_flip_leads_to_the_next_url_until_the_worked_example_is_complete() -> None:
    text = page(**WON)
    for flip in flips_of("SB-T02"):
        text = page(**WON, flips=buttons(text)[flip])
    assert total(text) == EXAMPLES["SB-T02"]["expect"]["total"] == 13
    assert "13 Chips from each opponent" in text
    assert "The winner gets 26 in all." in text
    assert "flip-" not in text
    for name, count, chips in (("Ura dora", 3, 3), ("Matches", 9, 9)):
        assert re.search(rf"{name} × {count} .*?<td class=\"num\">{chips}</td>", text)


def test_undo_drops_the_last_flip_and_start_over_drops_all() -> None:
    text = page(**WON, flips="8s5z4z")
    assert buttons(text)["undo"] == tiles_text(parse_tiles("8s5z"))
    assert buttons(text)["restart"] == ""
    assert "undo" not in buttons(page(**WON))


def test_before_the_first_flip_the_page_shows_the_mode_and_its_clauses() -> None:
    text = page(**WON)
    assert "kakuhen, both tiles of each stack are flipped" in text
    assert 'href="/rules/superbingo/#SB-037"' in text
    assert "Next: stack 1, upper tile" in text


def test_each_tile_shows_its_matches_and_the_number_left() -> None:
    text = page(**WON)
    assert 'aria-label="7 of circles, would match 5, 5 left"' in text
    assert 'aria-label="East, would match 0, 4 left"' in text
    assert 'aria-label="red bingo, would match 5, 2 left"' in text


def test_a_tile_with_no_copy_left_is_disabled() -> None:
    text = page(**WON, flips="9s")
    button = re.search(r'<button[^>]*id="flip-9s"[^>]*>', text)
    assert button is not None
    assert " disabled" in button.group()


def test_each_flip_is_shown_with_its_matches_and_clauses() -> None:
    text = page(**WON, flips="8s")
    step = text[text.index('class="tulip-step"') :]
    assert "Stack 1, upper" in step
    assert "+3" in step
    assert "Matches: 3." in step
    assert 'href="/rules/superbingo/#SB-055"' in step


def test_the_last_stack_can_be_declared_before_or_after_it_missed() -> None:
    text = page(**WON, flips="8s5z")
    assert "Last stack" in text
    assert '<input type="hidden" name="stacks" value="2">' in text
    assert total(page(**WON, flips="8s5z4z2p", stacks="2")) == 4 + 3 + 1 + 10
    missed = page(**WON, flips="6z1z")
    assert "That was the last stack" in missed
    done = page(**WON, flips="6z1z", stacks="1")
    assert "Completed" in done
    assert total(done) == 4 + 10
    assert 'id="last-stack"' not in done


def test_the_tulip_page_and_the_calculator_link_to_each_other() -> None:
    text = page(**WON, flips="8s")
    assert 'href="/rules/superbingo/hand/?hand=' in text
    value = page(path="/rules/superbingo/hand/", **WON)
    assert 'href="/rules/superbingo/tulip/?hand=' in value
    assert "/tulip/" not in page(path="/rules/banchi3/hand/", hand="123789p123789s1z + 1z", by="ron", riichi="riichi")


def test_the_rule_book_links_to_the_tulip_page() -> None:
    assert f'href="{PAGE}"' in page(path="/rules/superbingo/")
    assert "/tulip/" not in page(path="/rules/kansai3/")


def test_without_a_hand_the_page_links_to_the_calculator_and_an_example() -> None:
    text = page()
    assert 'href="/rules/superbingo/hand/"' in text
    example = re.search(r'href="\?(hand=[^"]*)"', text)
    assert example is not None
    shown = Client(headers={"Accept-Language": "en"}).get(f"{PAGE}?{example.group(1).replace('&amp;', '&')}")
    assert total(shown.content.decode()) == 8


def test_tiles_that_are_no_win_are_reported() -> None:
    text = page(hand="123456p45678s22z + 1z", riichi="riichi")
    assert "These tiles are no win" in text


def test_a_win_without_riichi_has_no_tulip_but_keeps_its_chips() -> None:
    text = page(hand="406777p2223477s + 7s", by="ron")
    assert "No tulip" in text
    assert total(text) == 1
    assert "The win followed no riichi" in text


def test_a_house_option_changes_the_chips() -> None:
    chips = page(**WON, flips="8s")
    dx = page(**WON, flips="8s", option_dx="true")
    assert total(chips) - total(dx) == 1
    assert '<input type="hidden" name="option_dx" value="true">' in dx


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"flips": "8s1m"}, "There is no 1 of characters among the tiles of this ruleset."),
        ({"flips": "8x"}, "Flipped so far"),
        ({"flips": "6z1z3s"}, "The tulip is over; nothing more is flipped."),
        ({"stacks": "many"}, "“many” is not a number."),
        ({"stacks": "99"}, "There cannot be 99 stacks; the wall has 56 at most."),
    ],
)
def test_an_invalid_flip_or_stack_count_is_reported_and_the_rest_is_kept(change: dict[str, str], said: str) -> None:
    text = page(422, **{**WON, "flips": "8s", **change})
    assert said in text
    assert 'role="alert"' in text
    assert 'class="tulip-pad"' in text


def test_an_impossible_hand_is_sent_back_to_the_calculator() -> None:
    text = page(422, **{**WON, "hand": "3467778p12399999s"})
    assert "Correct the winning hand" in text
    assert "tulip-pad" not in text


@pytest.mark.parametrize("name", ["cinderella", "kansai3"])
def test_a_ruleset_without_a_tulip_answers_404(name: str) -> None:
    text = page(404, path=f"/rules/{name}/tulip/")
    assert "There is no tulip under these rules." in text


def test_an_unknown_ruleset_answers_404() -> None:
    page(404, path="/rules/moon/tulip/")


def test_the_page_is_publicly_cacheable_and_answers_304_to_its_etag() -> None:
    client = Client()
    first = client.get(PAGE, WON)
    assert first.headers["Cache-Control"].startswith("public")
    again = client.get(PAGE, WON, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    other = client.get(PAGE, {**WON, "flips": "8s"}, headers={"If-None-Match": first.headers["ETag"]})
    assert other.status_code == 200


# ─── wording ───


@pytest.mark.parametrize("language", ["ja", "en"])
def test_every_remark_and_problem_has_a_wording(language: str) -> None:
    params: dict[str, object] = dict.fromkeys(("tile", "stands_for", "other_tile"), "7p")
    params |= dict.fromkeys(("count", "other_count", "times", "left", "chips", "actual", "most", "expected"), 3)
    params |= {"limit": "sanbaiman", "known": "mangan, kazoe", "yaku": "nagashi"}
    with override(language):
        said = [remark_text(Remark(code, (), params)) for code in REMARKS]
        said += [problem_text(TulipProblem(code, "", params)) for code in PROBLEMS]
        assert not [text for text in said if "{" in text or "7p" in text]
        named = tile_name(NAMED["7p"])
        assert sum(named in text for text in said) > 5
        assert all(line_text(event.value) for event in AwardEvent)
        assert line_text("all_seven") != "all_seven"


def test_a_number_that_is_no_tile_is_quoted_unchanged() -> None:
    with override("en"):
        assert problem_text(TulipProblem("not_a_tile", "hand", {"tile": 99})) == "99 is no tile."


def test_every_tile_of_the_wall_can_be_tapped() -> None:
    codes = {key for key in buttons(page(**WON)) if key in NAME}
    play = loader.load("superbingo").play
    assert play is not None
    assert codes == {*play.tiles.listed(), "1b", "2b"}
