"""The Ruleset model: exact amounts, ledgers, seat order, and options."""

import json
from fractions import Fraction

import pytest
from pydantic import TypeAdapter, ValidationError

from rulesets import loader
from scoring.ruleset import Fault, Ledger, OptionError, Ruleset, Scope
from scoring.ruleset.base import Amount
from scoring.ruleset.end import Bust, BustLine
from scoring.ruleset.paths import get, put

CINDERELLA, BANCHI4, BOO = loader.load("cinderella"), loader.load("banchi4"), loader.load("boo")
AMOUNT: TypeAdapter[Fraction] = TypeAdapter(Amount)


def ledger(scale: int) -> Ledger:
    return CINDERELLA.ranking_ledger.model_copy(update={"scale": scale})


@pytest.mark.parametrize(
    ("written", "amount"), [(40, Fraction(40)), ("12.5", Fraction(25, 2)), ("-0.05", Fraction(-1, 20))]
)
def test_an_amount_is_an_integer_or_a_decimal_in_quotes(written: object, amount: Fraction) -> None:
    assert AMOUNT.validate_python(written) == amount
    assert AMOUNT.dump_python(amount) == written
    assert AMOUNT.validate_python(amount) == amount


@pytest.mark.parametrize("written", [12.5, True, "1/3", "1e3", None])
def test_other_values_are_not_amounts(written: object) -> None:
    with pytest.raises(ValidationError, match="an amount is an integer or a decimal"):
        AMOUNT.validate_python(written)


def test_a_fault_is_written_with_file_line_key_and_value() -> None:
    assert str(Fault("a.toml", "setup.start", 0, "must be more", 3)) == "a.toml:3: setup.start: must be more (found 0)"
    assert str(Fault("a.toml", "", None, "this is no TOML")) == "a.toml: this is no TOML"


class TestLedgers:
    def test_a_ledger_stores_integers_at_its_scale(self) -> None:
        assert ledger(10).stored(Fraction(-183, 10)) == -183

    def test_an_amount_finer_than_the_scale_is_refused(self) -> None:
        with pytest.raises(ValueError, match="no multiple of 1/10"):
            ledger(10).stored(Fraction(1, 3))

    @pytest.mark.parametrize(
        ("scale", "stored", "text"),
        [(10, -183, "-18.3"), (10, 5, "0.5"), (1, -40, "-40"), (100, 7, "0.07"), (30, 406, "203/15"), (30, 0, "0")],
    )
    def test_a_stored_integer_is_written_as_a_decimal_or_a_fraction(self, scale: int, stored: int, text: str) -> None:
        assert ledger(scale).text(stored) == text

    def test_a_ledger_is_found_by_its_key(self) -> None:
        assert BANCHI4.ledger("g") is BANCHI4.entered_ledgers[0]
        with pytest.raises(KeyError):
            BANCHI4.ledger("p")


class TestRuleset:
    def test_the_table_holds_what_the_players_start_with(self) -> None:
        assert (CINDERELLA.table_total, loader.load("kansai3").table_total) == (100000, 105000)

    def test_scores_kept_from_zero_are_typed_without_what_the_players_start_with(self) -> None:
        rules = loader.load("ema2025")
        assert [rules.with_options({"kept_from": kept}).typed_from for kept in ("start", "zero")] == [0, 30000]

    def test_rulesets_with_the_same_values_are_equal_whatever_their_comments(self) -> None:
        text = "# another file\n" + loader.text_of("cinderella")
        again = loader.parse(text, "copy.toml")
        assert again == CINDERELLA
        assert hash(again) == hash(CINDERELLA)
        assert again.digest == CINDERELLA.digest
        assert CINDERELLA != BANCHI4
        assert CINDERELLA != "cinderella"

    def test_a_dumped_ruleset_is_read_as_the_same_ruleset(self) -> None:
        for name in loader.names():
            rules = loader.load(name)
            assert Ruleset.model_validate_json(rules.model_dump_json(by_alias=True)) == rules

    @pytest.mark.clause("cinderella", "CL-057")
    def test_seats_matter_where_tied_leaders_take_deposits(self) -> None:
        level = (34600, 11800, 18000, 34600)
        assert CINDERELLA.seat_order_matters(level, 1000)
        assert not CINDERELLA.seat_order_matters(level, 0)
        assert not CINDERELLA.seat_order_matters((11800, 34600, 18000, 18000), 1000)
        assert not CINDERELLA.seat_order_matters((11800, 34600, 18000, 35600), 1000)

    @pytest.mark.clause("cinderella", "CL-039")
    def test_seats_matter_where_the_odd_tenth_goes_by_seat(self) -> None:
        rules = CINDERELLA.with_options({"rounding": "odd_to_first_seats"})
        assert rules.seat_order_matters((30200, 30200, 9400, 30200))
        assert not rules.seat_order_matters((30200, 30100, 9400, 30300))

    @pytest.mark.clause("banchi4", "B4-073")
    def test_seats_matter_for_every_tie_where_ties_go_by_seat(self) -> None:
        assert BANCHI4.seat_order_matters((26000, 30000, 30000, 14000))
        assert not BANCHI4.seat_order_matters((26000, 30100, 29900, 14000))

    def test_without_deposits_and_rounding_seats_do_not_matter_for_ties(self) -> None:
        data = CINDERELLA.data()
        del data["play"], data["settlement"]["kyoutaku"]
        data["options"] = {}
        data["settlement"]["uma"]["amounts"] = [20, 16, -16, -20]
        data["settlement"]["rounding"]["policy"] = "exact"
        data["ledgers"][0]["scale"] = 30
        rules = Ruleset.model_validate(data, strict=False)
        assert not rules.seat_order_matters((30200, 30200, 9400, 30200))

    @pytest.mark.parametrize(
        ("line", "out"),
        [(BustLine.BELOW_ZERO, {-100}), (BustLine.AT_ZERO, {-100, 0}), (BustLine.NEVER, set())],
    )
    def test_a_player_is_bust_below_zero_at_zero_or_never(self, line: BustLine, out: set[int]) -> None:
        bust = Bust(line=line, clauses=("CL-048",))
        assert {score for score in (-100, 0, 100) if bust.is_bust(score)} == out


class TestOptions:
    def test_chosen_values_become_the_defaults_for_further_options(self) -> None:
        house = BOO.with_options({"starting_score": 4000})
        table = house.with_options({"min_stick": 20})
        assert table.setup.start == 4000
        assert table.options["starting_score"].default == 4000
        assert table == BOO.with_options({"min_stick": 20, "starting_score": 4000})

    def test_without_options_the_ruleset_is_unchanged(self) -> None:
        assert BOO.with_options({}) is BOO

    def test_default_values_give_the_ruleset_as_written(self) -> None:
        for name in loader.names():
            rules = loader.load(name)
            defaults = {key: option.default for key, option in rules.options.items()}
            assert rules.with_options(defaults) == rules

    def test_every_invalid_option_is_reported_at_once_with_the_allowed_values(self) -> None:
        with pytest.raises(OptionError) as refused:
            BANCHI4.with_options(
                {"start": 25500, "uma": [20, 10, -10], "kiriage": 1, "several_yakuman": "twice", "rate": 5}
            )
        faults = {fault.key: fault.message for fault in refused.value.faults}
        assert faults == {
            "options.start": "allowed: 20000 to 30000 in steps of 1000",
            "options.uma": "allowed: 4 whole numbers from -100 to 100 that add up to 0",
            "options.kiriage": "allowed: true, false",
            "options.several_yakuman": "allowed: 'add', 'once'",
            "options.rate": "no such option; the options are: start, return, uma, kiriage, several_yakuman, "
            "extension_repeat, pao_ron_covers, dead_hand_tenpai",
        }
        assert "twice" in str(refused.value)

    def test_an_option_for_a_ruleset_without_options_is_refused(self) -> None:
        with pytest.raises(OptionError, match="the options are: none"):
            loader.load("kansai3").with_options({"start": 30000})

    def test_contradictory_option_values_are_refused(self) -> None:
        with pytest.raises(OptionError, match="return must be at least start"):
            BANCHI4.with_options({"start": 30000, "return": 25000})

    @pytest.mark.parametrize("value", [[20, 10, -10, -19], [20.0, 10, -10, -20], "20/10", [True, 0, 0, -1], None])
    def test_a_list_option_needs_whole_numbers_that_add_up_to_zero(self, value: object) -> None:
        with pytest.raises(OptionError, match="that add up to 0"):
            BANCHI4.with_options({"uma": value})

    @pytest.mark.parametrize(
        "value", [{"A": 1, "B": 1}, {"A": 1, "B": 1, "C": -1}, {"A": 1, "B": 1, "C": 1, "D": 1}, 5]
    )
    def test_a_table_option_needs_a_number_for_each_key(self, value: object) -> None:
        with pytest.raises(OptionError, match="for each of A, B, C"):
            BOO.with_options({"stake_per_sunk": value})
        with pytest.raises(OptionError, match=r"for each of A, B, C \(and gentsuu\)"):
            BOO.with_options({"house_fee": value})

    @pytest.mark.clause("boo", "BOO-059")
    def test_a_selection_option_switches_each_name_separately(self) -> None:
        assert BOO.play is not None
        yaku = BOO.with_options({"new_yaku": ["sanshoku", "ryuuiisou"]}).play.yaku  # type: ignore[union-attr]
        names = ("iipeikou", "chiitoitsu", "sanshoku", "ryuuiisou")
        played = {key.value for key in yaku if key.value in names and yaku[key].played}
        assert played == {"sanshoku", "ryuuiisou"}

    @pytest.mark.parametrize("value", [["sanshoku", "sanshoku"], ["toitoi"], [1], [{}], "sanshoku", 5])
    def test_a_selection_option_accepts_known_names_once(self, value: object) -> None:
        with pytest.raises(OptionError, match="each once"):
            BOO.with_options({"new_yaku": value})

    @pytest.mark.clause("superbingo", "SB-063", "SB-087", "SB-092")
    def test_some_options_are_chosen_per_table(self) -> None:
        options = loader.load("superbingo").options
        assert {key for key, option in options.items() if option.scope is Scope.TABLE} == {
            "chip_tiles",
            "dx",
            "pocchi",
        }

    @pytest.mark.clause("superbingo", "SB-087", "SB-088", "SB-089", "SB-090", "SB-091")
    def test_one_flag_can_change_several_parts_of_the_ruleset(self) -> None:
        play = loader.load("superbingo").with_options({"dx": True, "chip_tiles": {"p": 4, "s": 4}}).play
        assert play is not None
        assert (play.tiles.total, play.wall.replacements) == (116, 12)
        assert sum(play.tiles.bingo.values()) == 8
        assert sum(play.tiles.red.values()) == 4
        assert play.value.open_hands_step_up

    @pytest.mark.parametrize(
        ("key", "default", "allowed"),
        [
            ("several_yakuman", "twice", "allowed: 'add', 'once'"),
            ("start", 25500, "allowed: 20000 to 30000 in steps of 1000"),
            ("uma", [20, 10, -10, -10], "that add up to 0"),
        ],
    )
    def test_a_default_that_the_option_does_not_allow_is_refused(self, key: str, default: object, allowed: str) -> None:
        data = BANCHI4.data()
        data["options"][key]["default"] = default
        with pytest.raises(ValidationError, match=allowed):
            Ruleset.model_validate(data, strict=False)

    @pytest.mark.parametrize("value", [250, 450])
    def test_steps_are_counted_from_the_minimum(self, value: int) -> None:
        data = BANCHI4.data()
        data["options"]["start"] |= {"minimum": 250, "maximum": 450, "step": 200, "default": value}
        data["options"]["start"]["sets"] = ["end.extension.below"]
        option = Ruleset.model_validate(data, strict=False).options["start"]
        assert option.refusal(value) == ""
        assert option.refusal(350) == "allowed: 250 to 450 in steps of 200"

    def test_the_default_is_among_the_candidates_of_an_option(self) -> None:
        for name in loader.names():
            for option in loader.load(name).options.values():
                tried = [json.dumps(list(option.settings_of(value))) for value in option.candidates()]
                assert json.dumps(list(option.settings_of(option.default))) in tried, (name, option)

    @pytest.mark.parametrize("path", ["setup", "setup.", "setup..start", "name", "options.start.default"])
    def test_an_option_may_set_only_values_of_the_ruleset_tables(self, path: str) -> None:
        data = BANCHI4.data()
        data["options"]["start"]["sets"] = [path]
        with pytest.raises(ValidationError, match="must lead into one of ledgers, setup, entry"):
            Ruleset.model_validate(data, strict=False)

    def test_a_path_through_a_missing_or_plain_value_reads_nothing_and_writing_there_is_an_error(self) -> None:
        data: dict[str, object] = {"a": {"b": 1}, "list": [{"key": "x"}, 5]}
        put(data, "a.c.d", 2)
        put(data, "list.x.y", 3)
        assert data == {"a": {"b": 1, "c": {"d": 2}}, "list": [{"key": "x", "y": 3}, 5]}
        found = [get(data, path) for path in ("a.c.d", "list.x.y", "list.z.y", "a.b.c")]
        assert found == [2, 3, None, None]
        for path in ("a.b.c", "list.z.y", "list.0", "a.b.c.d"):
            with pytest.raises(KeyError):
                put(data, path, 4)
