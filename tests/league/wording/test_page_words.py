"""Test the wording of names, causes, sources and destinations on pages."""

import pytest
from django.template import Context, Template
from django.utils import translation

from league.models import Block, Invitation, OnlineService, Player, Stage, TeamMember
from league.templatetags import jantaku
from league.wording import changes, messages
from league.wording.faults import plan_fault_text
from league.wording.formatting import points_text
from league.wording.live.yaku import yaku_name
from league.wording.names import Names, names_of, person_name, reading_of, title_in, title_of
from rulesets.formats import load_format
from scoring.plan import ImpossiblePlanError, plan
from scoring.ruleset import Title, Wind
from scoring.ruleset.yaku import YakuName
from scoring.settlement import LineCause
from scoring.stages import Reason

NAMES = Names(blocks={"A": "Block A", "po1": "Playoff 1"}, stages={"preliminary": "Preliminary", "po1": "Playoff 1"})
MIO = Player(name="水無月 澪", name_kana="みなづき みお", name_romaji="Minazuki Mio")


@pytest.fixture(autouse=True)
def english() -> None:
    translation.activate("en")


def test_every_cause_of_a_settlement_has_a_name_and_an_unknown_one_is_shown_unchanged() -> None:
    assert len({messages.cause_name(cause) for cause in LineCause}) == len(LineCause)
    assert messages.cause_name("moonlight") == "moonlight"


def test_every_wind_and_every_reason_has_a_wording() -> None:
    assert [messages.wind_name(wind) for wind in Wind] == ["East", "South", "West", "North"]
    assert all(messages.slot_reason(reason) for reason in Reason if reason)
    assert messages.slot_reason("") == ""


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("seed:3", "Seed 3"),
        ("A#2", "2nd of Block A"),
        ("Z#1", "1st of Z"),
        ("best:preliminary#5", "best 5th of Preliminary"),
        ("best:preliminary#5/2", "2nd best 5th of Preliminary"),
        ("draw:po1", "by draw, Playoff 1"),
        ("ruling", "by ruling"),
    ],
)
def test_a_source_label_states_a_players_origin(source: str, words: str) -> None:
    assert messages.source_label(source, NAMES) == words


@pytest.mark.parametrize(
    ("destination", "words"),
    [
        ("po1", "Playoff 1"),
        ("champion", "champion"),
        ("out", "below the cut"),
        ("withdrawn", "withdrawn"),
        ("2nd", "2nd"),
        ("13th", "13th"),
        ("best:po1", "Playoff 1, if best of its rank"),
    ],
)
def test_a_destination_label_states_a_ranks_target(destination: str, words: str) -> None:
    assert messages.destination_label(destination, NAMES) == words


def test_a_player_who_certainly_does_not_advance_is_called_eliminated() -> None:
    assert messages.destination_label("out", NAMES, "out") == "eliminated"
    assert messages.destination_label("best:po1", NAMES, "out") == "eliminated"
    assert messages.destination_label("best:po1", NAMES, "po1") == "Playoff 1"


def decision(criterion: str, above: int, below: int) -> messages.ComparedValues:
    return {"criterion": criterion, "number": 8, "above_value": above, "below_value": below}


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (decision("points", 305, -121), "decided by points: 30.5 against -12.1."),
        (decision("place", 1, 2), "decided by place: 1st against 2nd."),
        (decision("score", 41200, 38000), "decided by final score: 41,200 against 38,000."),
        (decision("ruling", 1, 2), "the organizer's ruling decided."),
    ],
)
def test_a_decision_names_hanchan_criterion_and_both_values(made: messages.ComparedValues, words: str) -> None:
    assert messages.decision_sentence(made, 10).endswith(words)
    assert messages.criterion_name("unheard-of") == "unheard-of"


def test_names_are_in_the_readers_language_if_there_are_two() -> None:
    stage = Stage(key="preliminary", name="予選", name_en="Preliminary")
    block = Block(key="A", name="Aブロック", name_en="", stage=stage)
    assert title_of(stage, "en") == "Preliminary"
    assert title_of(stage, "ja") == "予選"
    assert title_of(block, "en") == "Aブロック", "a block without an English name keeps its Japanese one"
    assert names_of([block], "en") == Names({"A": "Aブロック"}, {"preliminary": "Preliminary"})
    assert title_in(Title(ja="決勝", en="Final"), "ja") == "決勝"
    assert title_in(Title(ja="決勝", en="Final"), "en") == "Final"


def test_a_player_has_a_name_and_a_reading_in_each_language() -> None:
    assert (person_name(MIO, "ja"), reading_of(MIO, "ja")) == ("水無月 澪", "みなづき みお")
    assert (person_name(MIO, "en"), reading_of(MIO, "en")) == ("Minazuki Mio", "水無月 澪")
    plain = Player(name="Anna")
    assert (person_name(plain, "en"), reading_of(plain, "en"), reading_of(plain, "ja")) == ("Anna", "", "")


def test_template_filters_format_amounts_and_show_none_as_a_dash() -> None:
    shown = Template("{% load jantaku %}{{ a|points:10 }} {{ b|points:10 }} {{ b|average }} {{ a|signed:10 }}")
    assert shown.render(Context({"a": 305, "b": None})) == "30.5 – – +30.5"
    assert jantaku.short_source("A#2") == "A 2"
    assert jantaku.short_source("best:preliminary#5") == "5th"
    assert points_text(0, 10) == "0.0"


def test_a_draw_that_fits_no_stage_of_a_format_is_refused_without_english_words() -> None:
    final = load_format("single-table-final")
    with pytest.raises(ImpossiblePlanError) as refused:
        plan(final, {"final": {"final": (1, 2, 3, 4)}}, ())
    with translation.override("ja"):
        assert [plan_fault_text(fault, final) for fault in refused.value.faults] == [
            "決勝：抽選で決めるステージはありません"
        ]


def test_a_word_of_two_meanings_has_a_japanese_word_for_each() -> None:
    with translation.override("ja"):
        assert str(OnlineService.TENHOU.label) == "天鳳"
        assert yaku_name(YakuName.TENHOU) == "天和"
        assert str(changes.FIELDS["since"]) == "加入日"
        assert TeamMember._meta.get_field("since").verbose_name == "加入日"
        assert Invitation._meta.get_field("withdrawn_at").verbose_name == "取り消し日時"
