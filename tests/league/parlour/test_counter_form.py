"""Tests of the counter's columns, of a verdict typed instead of scores, and of a bust over several payments."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from django.utils import translation

from league.forms.parlour.counter import CounterGame, GameForm
from league.services.parlour.games import Person
from rulesets import loader
from scoring.ruleset import Ruleset
from scoring.settlement import settle
from tests.league import parlours

EVENINGS = Path(__file__).parent / "evenings"
EVENING = {
    "stake_per_sunk": {"A": 3000, "B": 2000, "C": 2000},
    "house_fee": {"A": 300, "B": 200, "C": 100, "gentsuu": 150},
    "gentsuu": "own_fee",
    "ura_chips": True,
    "yakuman": "instant_a_top",
}
"""Options of a boo house with fees in units."""


@pytest.fixture(autouse=True)
def _english() -> Any:
    """Activate English for the messages."""
    with translation.override("en"):
        yield


def form(rules: Ruleset, dealer: int = 0, **typed: Any) -> GameForm:
    """Return the form of a first game with these values."""
    data = QueryDict(mutable=True)
    for name, value in {"dealer": dealer, **typed}.items():
        data.setlist(name, [str(each) for each in value] if isinstance(value, list) else [str(value)])
    people = tuple(Person(number, number) for number in range(rules.players))
    names = parlours.THREE[: rules.players]
    game = CounterGame(rules=rules, people=people, names=names, round=1, dealer=dealer, asks_chips=True)
    return GameForm(data, game=game)


def boo() -> Ruleset:
    """Return the boo book of the house."""
    return loader.load("boo").with_options(EVENING)


def scores(*typed: int | str) -> dict[str, Any]:
    """Return the score fields by chair."""
    return {f"score_{chair}": str(score) for chair, score in enumerate(typed)}


def heads(book: str, language: str) -> list[tuple[str, str, str, str]]:
    """Return title, unit, note and expected sum of a book's columns, typed ones first."""
    rules = boo() if book == "boo" else loader.load(book)
    with translation.override(language):
        made = form(rules)
        columns = [made.score_column, *made.typed_columns, *made.settled_columns]
        return [(each.title, each.unit, each.note, each.expected) for each in columns]


@pytest.mark.parametrize(
    ("book", "expected"),
    [
        (
            "superbingo",
            [
                ("持ち点", "×1,000", "", "供託込み90,000点"),
                ("手牌のチップ", "枚", "", "0"),
                ("チップ計", "枚", "手牌・着順・トビ込み", ""),
            ],
        ),
        (
            "boo",
            [
                ("持ち点", "×10", "", "8,000点"),
                ("手牌のご祝儀", "枚", "", "0"),
                ("支払い", "単位", "", ""),
                ("ご祝儀計", "枚", "", ""),
            ],
        ),
        (
            "banchi3",
            [
                ("持ち点", "×1,000", "", "供託込み105,000点"),
                ("手牌の祝儀", "×100 G", "", "0"),
                ("G計", "", "手牌・素点込み", ""),
            ],
        ),
        (
            "banchi4",
            [
                ("持ち点", "×100", "", "供託込み100,000点"),
                ("手牌の祝儀", "×500 G", "トビ込み", "0"),
                ("ポイント", "", "", ""),
                ("祝儀計", "G", "", ""),
            ],
        ),
        (
            "kansai3",
            [
                ("持ち点", "×1,000", "", "供託込み105,000点"),
                ("手牌のチップ", "×100 P", "", "0"),
                ("ポイント", "", "トビ込み", ""),
                ("チップ計", "P", "", ""),
            ],
        ),
        ("cinderella", [("持ち点", "×100", "", "供託込み100,000点"), ("ポイント", "", "チョンボ込み", "")]),
    ],
)
def test_each_column_names_its_unit_its_parts_and_the_right_sum(book: str, expected: list[tuple[str, ...]]) -> None:
    assert heads(book, "ja") == expected


@pytest.mark.parametrize("book", loader.names())
@pytest.mark.parametrize("language", ["ja", "en"])
def test_no_two_columns_of_a_book_have_the_same_title(book: str, language: str) -> None:
    shown = heads(book, language)
    assert len({title for title, *_rest in shown}) == len(shown)
    assert not [title for title, unit, *_rest in shown if unit and unit.casefold() in title.casefold().split()]


VERDICTS = [
    ((418, 130, 142, 110), {"top": 0, "top_type": "A"}),
    ((418, 130, 142, 110), {"top": 0, "payers": [1, 2, 3]}),
    ((96, 342, 244, 118), {"top": 1, "top_type": "B", "payers": [0, 3]}),
    ((210, 230, 310, 50), {"top": 2, "top_type": "C", "payers": [3]}),
    ((130, 200, 410, 60), {"top": 2, "top_type": "gentsuu", "payers": [0, 3]}),
    ((200, 200, 200, 200), {"top": 0, "top_type": "none"}),
    ((100, 300, 110, 290), {"top": 2, "top_type": "A", "forced_top": 2}),
]
"""Scores as typed, in tens, and the verdict that they lead to."""


@pytest.mark.parametrize(("points", "verdict"), VERDICTS)
@pytest.mark.parametrize("dealer", [0, 3])
def test_a_verdict_alone_is_settled_like_the_scores(
    points: tuple[int, ...], verdict: dict[str, Any], dealer: int
) -> None:
    if verdict.get("top_type") == "none":
        verdict = {**verdict, "top": dealer}
    forced = {key: verdict[key] for key in ("forced_top",) if key in verdict}
    made = [
        form(boo(), dealer, **scores(*points), **forced),
        form(boo(), dealer, **verdict),
        form(boo(), dealer, **scores(*points), **verdict),
    ]
    assert [dict(each.errors) for each in made] == [{}, {}, {}]
    settled = [settle(each.sheet().hanchan_result(), boo()) for each in made]
    assert len({tuple(each.totals["units"]) for each in settled}) == 1
    assert len({each.top for each in settled}) == 1
    assert [each.sheet().is_verdict for each in made] == [False, True, False]


def games_of(evening: str) -> list[dict[str, Any]]:
    """Return the games of a worked evening."""
    games: list[dict[str, Any]] = tomllib.loads((EVENINGS / f"{evening}-evening.toml").read_text("utf-8"))["game"]
    return games


def test_the_verdicts_of_an_evening_lead_to_the_settlement_of_its_scores() -> None:
    for game in games_of("boo"):
        typed, expected = game["typed"], game["expect"]
        kind = "gentsuu" if expected["gentsuu"] else typed["type"] or "none"
        fields: dict[str, Any] = {"top": typed["top"], "top_type": kind, "payers": typed["payers"]}
        if "forced_top" in game:
            fields["forced_top"] = game["forced_top"]
        made = form(boo(), **fields)
        assert not made.errors, game["n"]
        assert settle(made.sheet().hanchan_result(), boo()).totals["units"] == tuple(expected["units"]), game["n"]
        beside = form(boo(), **fields | scores(*(score // 10 for score in game["scores"])))
        assert not beside.errors, game["n"]


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({**scores(418, 130, 142, 110), "top": 1, "top_type": "A"}, "top", "By the scores 湯川 みなと is the top"),
        ({**scores(96, 342, 244, 118), "top": 1, "top_type": "A"}, "top", "these pay: 湯川 みなと, 羽黒 ゆい"),
        ({**scores(96, 342, 244, 118), "top": 1, "top_type": "gentsuu", "payers": [0, 3]}, "top", "By the scores"),
        ({"top": 1, "top_type": "none"}, "top", "By the scores 湯川 みなと is the top"),
        ({"top": 1, "top_type": "A", "forced_top": 2}, "top", "By the scores 沢渡 りく is the top"),
        ({"top": 1, "top_type": "B", "payers": [0]}, "payers", "2 pay; 1 are marked"),
        ({"top": 1, "top_type": "B"}, "payers", "2 pay; 0 are marked"),
        ({"top": 1, "top_type": "A", "payers": [1, 2, 3]}, "payers", "The top does not pay"),
        ({"top": 1}, "top_type", "Choose the kind of top"),
        ({"top_type": "A"}, "top", "Name the top"),
        ({}, "score_0", "Enter this player's score."),
        ({**scores(418, 130, 142, ""), "top": 0, "top_type": "A"}, "score_3", "Enter this player's score."),
    ],
)
def test_a_contradicting_or_incomplete_verdict_is_refused_at_its_field(
    typed: dict[str, Any], field: str, message: str
) -> None:
    made = form(boo(), **typed)
    assert message in " ".join(map(str, made.errors.get(field, [])))


def test_books_without_kinds_of_top_ask_for_no_verdict() -> None:
    made = [form(loader.load(book)) for book in loader.names() if loader.load(book).settlement.top_payment is None]
    assert made
    assert not any(each.verdict for each in made)


BUST = {"bust_payer": 2, "bust_had": 11, "due_1": 12, "due_0": 8}
"""Paid in turn order from the payer's right: 8,000 leave 3,000, and 12,000 are too much."""


def test_the_receiver_of_a_bust_prize_follows_from_the_order_of_the_payments() -> None:
    rules = loader.load("kansai3")
    made = form(rules, **scores(50, 64, -9), **BUST)
    assert not made.errors
    assert made.entry().tobi == ((2, 1),)
    others = [form(rules, 1, **scores(50, 64, -9), **BUST), form(rules, **scores(50, 64, -9), **{**BUST, "due_0": 12})]
    assert not any(each.errors for each in others)
    assert [each.entry().tobi for each in others] == [((1, 0),), ((2, 0),)]


def test_the_bust_payments_of_an_evening_name_the_receiver_that_its_clerk_marked() -> None:
    found = [game for game in games_of("kansai3") if "bust_payments" in game]
    assert found
    for game in found:
        payments = game["bust_payments"]
        due = {f"due_{seat}": amount // 1000 for seat, amount in payments["due"]}
        typed = {"bust_payer": payments["from"], "bust_had": payments["had"] // 1000, **due}
        made = form(loader.load("kansai3"), **scores(*(score // 1000 for score in game["scores"])), **typed)
        assert made.is_valid()
        assert [list(pair) for pair in made.entry().tobi] == game["tobi"]


@pytest.mark.parametrize(
    ("typed", "field", "message"),
    [
        ({**BUST, "tobi_2": 0}, "tobi_2", "By the payments 小滝 あおい takes this player out"),
        ({**BUST, "bust_payer": ""}, "bust_payer", "Choose the player"),
        ({**BUST, "bust_had": ""}, "bust_had", "before the first payment"),
        ({**BUST, "bust_had": "x"}, "bust_had", "is not a score"),
        ({**BUST, "bust_had": "40"}, "bust_had", "is not bust"),
        ({**BUST, "due_2": 1}, "due_2", "to the other players"),
        ({"bust_payer": 2, "bust_had": 11}, "due_0", "to the other players"),
    ],
)
def test_payments_that_make_no_bust_are_refused_at_their_field(typed: dict[str, Any], field: str, message: str) -> None:
    made = form(loader.load("kansai3"), **scores(50, 64, -9), **typed)
    assert message in " ".join(map(str, made.errors.get(field, [])))


def test_only_books_with_one_receiver_at_settlement_ask_for_the_payments() -> None:
    assert [book for book in loader.names() if form(loader.load(book)).bust] == ["kansai3"]
