"""The loader: what it reads, and how it refuses what is wrong, all at once."""

from collections.abc import Callable

import pytest
from pydantic import BaseModel

from rulesets import loader
from rulesets.lines import line_of
from rulesets.loader import RulesetError
from scoring.ruleset import Fault
from scoring.ruleset.base import Strict

TEXT = loader.text_of("cinderella")


def refused(text: str) -> tuple[Fault, ...]:
    with pytest.raises(RulesetError) as error:
        loader.parse(text, "house.toml")
    return error.value.faults


def changed(*changes: tuple[str, str]) -> str:
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def by_key(faults: tuple[Fault, ...]) -> dict[str, Fault]:
    return {fault.key: fault for fault in faults}


def test_the_rulesets_of_the_product_load() -> None:
    assert loader.names() == (
        "ariari",
        "banchi3",
        "banchi4",
        "boo",
        "cinderella",
        "ema2016",
        "ema2025",
        "jpmla",
        "jpmlb",
        "kansai3",
        "mahjongsoul3",
        "mahjongsoul4",
        "mleague",
        "mleague_full",
        "rmu",
        "saikouisen",
        "superbingo",
        "tenhou3",
        "tenhou4",
        "wrc",
    )
    assert [loader.load(name).name for name in loader.names()] == list(loader.names())


@pytest.mark.slow
def test_every_value_of_every_option_gives_a_valid_ruleset() -> None:
    for name in loader.names():
        assert loader.parse(loader.text_of(name), name) == loader.load(name)


def test_a_ruleset_is_read_once() -> None:
    assert loader.load("boo") is loader.load("boo")


@pytest.mark.parametrize("read", [loader.load, loader.text_of])
def test_an_unknown_name_is_no_ruleset(read: Callable[[str], object]) -> None:
    with pytest.raises(KeyError):
        read("../cinderella")


def test_broken_toml_is_told_with_line_and_column() -> None:
    (fault,) = refused(changed(("[settlement.uma]", "[settlement.uma")))
    assert (fault.source, fault.key, fault.line) == ("house.toml", "", line_of("settlement.oka", TEXT) + 4)  # type: ignore[operator]
    assert "column 16" in fault.message


def test_toml_broken_at_its_very_end_is_told_there() -> None:
    (fault,) = refused('name = "x"\ntitle = {')
    assert fault.line == 2


@pytest.mark.parametrize("text", ["a = " + "[" * 5000, "a = " + "9" * 5000])
def test_what_no_reader_can_take_in_is_no_toml(text: str) -> None:
    (fault,) = refused(text)
    assert fault.message.startswith("this is no TOML: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1 # " + "x" * 500_000, "it has 500008 characters; at most 500000 are read"),
        ("a = 1\n" + ".".join("k" * 17) + " = 1", "a key has more than 16 parts (at line 2, column 1)"),
        ("a = 9223372036854775808", "a number is too large"),
        ("a = " + "9" * 5000, "a number is too large"),
        ("a = [" + "0, " * 10_001 + "]", "a list or table has more than 10000 entries"),
        ("a = " + "[" * 17 + "]" * 17, "nested more than 16 levels deep"),
    ],
    ids=["length", "key", "number", "digits", "entries", "depth"],
)
def test_a_text_beyond_a_limit_is_refused_with_the_limit(text: str, message: str) -> None:
    (fault,) = refused(text)
    assert fault.message == f"this is no TOML: {message}"
    assert fault.line == len(text.splitlines())


@pytest.mark.parametrize(
    "text",
    [
        "a = 1 # " + "x" * 499_992,
        "a = 9223372036854775807",
        "a = [" + "0, " * 10_000 + "]",
        "a = " + "[" * 16 + "]" * 16,
    ],
    ids=["length", "number", "entries", "depth"],
)
def test_a_text_at_a_limit_is_read(text: str) -> None:
    assert loader.data_of(text, "own.toml").keys() == {"a"}


def test_a_long_value_is_shown_cut_short() -> None:
    fault = by_key(refused(changed(('ties = "shared"', f'ties = "{"x" * 500}"'))))["settlement.placing.ties"]
    assert len(str(fault)) < 250


def test_an_option_reaches_neither_the_name_nor_another_option() -> None:
    for path in ("name", "options.rounding.default", "settlement", "play..riichi"):
        faults = refused(changed(('"play.riichi.any_score" = true', f'"{path}" = true')))
        assert "must lead into one of ledgers, setup, entry, end, play, settlement" in {
            fault.message for fault in faults
        }


def test_unknown_keys_wrong_types_and_missing_keys_are_told_at_once() -> None:
    faults = by_key(
        refused(
            changed(
                ("start = 25000", 'start = "25000"'),
                ("return = 30000", "return = 30000.0"),
                ('ties = "shared"', 'ties = "share"'),
                ("[settlement.oka]\nreceiver", "[settlement.oka]\nreciever"),
                ("fu]\nfixed = 0", "fu]\nfixed = true"),
            )
        )
    )
    assert {key: fault.message for key, fault in faults.items()} == {
        "setup.start": "must be a whole number",
        "setup.return": "must be a whole number",
        "settlement.placing.ties": "must be 'shared' or 'by_seat'",
        "settlement.oka.receiver": "this key is required",
        "settlement.oka.reciever": "unknown key; did you mean 'receiver'? Allowed: clauses, receiver",
        "play.fu.fixed": "must be a whole number",
    }
    assert [faults[key].value for key in ("setup.start", "settlement.placing.ties")] == ["25000", "share"]
    assert faults["settlement.oka.receiver"].value is None


def test_every_fault_knows_its_line() -> None:
    fault = by_key(refused(changed(("per = 1000", "per = 0"))))["settlement.conversion.per"]
    assert TEXT.splitlines()[fault.line - 1 if fault.line else 0] == "per = 1000"
    assert str(fault).startswith(f"house.toml:{fault.line}: settlement.conversion.per: must be greater than 0")


def test_unknown_keys_do_not_hide_contradictions() -> None:
    faults = by_key(refused(changed(("amounts = [20, 10,", "extra = 1\namounts = [20,"))))
    assert set(faults) == {"settlement.uma.extra", "settlement.uma.amounts"}
    assert faults["settlement.uma.extra"].message == "unknown key; allowed: clauses, amounts, floating"


def test_unknown_keys_within_an_option_do_not_hide_contradictions() -> None:
    text = changed(('default = "nearest_alike"', 'default = "nearest_alike"\ndefalt = 1'), ('"CL-082"', '"CL-999"'))
    assert set(by_key(refused(text))) == {"options.rounding.defalt", "settlement.chonbo.clauses"}


def test_unknown_keys_within_an_entry_of_a_list_do_not_hide_contradictions() -> None:
    text = changed(('key = "points"', 'key = "points"\ncolour = "red"'), ('"CL-082"', '"CL-999"'))
    faults = by_key(refused(text))
    assert set(faults) == {"ledgers.points.colour", "settlement.chonbo.clauses"}


@pytest.mark.parametrize("value", ["1", "[1]"])
def test_an_unknown_key_with_the_name_of_its_table_s_kind_is_told_once(value: str) -> None:
    text = changed(
        ('default = "nearest_alike"', f'default = "nearest_alike"\nchoice = {value}'), ('"CL-082"', '"CL-999"')
    )
    assert [fault.key for fault in refused(text)] == ["options.rounding.choice", "settlement.chonbo.clauses"]


def test_an_unknown_yaku_suggests_the_nearest_one() -> None:
    fault = by_key(refused(changed(("\nsanshoku = {", "\nsanshoko = {"))))["play.yaku.sanshoko"]
    assert fault.message.startswith("unknown key; did you mean 'sanshoku'? Allowed: riichi, ")


def test_a_table_that_takes_no_keys_says_so() -> None:
    class Empty(Strict):
        """Nothing may stand here."""

    with pytest.raises(RulesetError, match="unknown key; none is allowed here"):
        loader.read_model("a = 1", "x.toml", Empty)


def test_the_kind_of_an_option_is_told_with_what_it_may_be() -> None:
    fault = by_key(refused(changed(('type = "flag"', 'type = "flog"'))))["options.riichi_min_score.type"]
    assert fault.message == "must be 'flag', 'choice', 'integer', 'integers', 'table' or 'subset'"
    assert "options.riichi_min_score.type" in by_key(refused(changed(('type = "flag"\n', ""))))


def test_a_value_that_fits_no_kind_is_told_once() -> None:
    fault = by_key(refused(changed(('default = "nearest_alike"', "default = 0.5"))))["options.rounding.default"]
    assert fault.message == "must be text in quotes or a whole number"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('default = "nearest_alike"', 'default = "nearest"', "default 'nearest'; allowed: 'nearest_alike'"),
        ("[options.rounding.settings.exact]", "[options.rounding.settings.exakt]", "the values are nearest_alike"),
    ],
)
def test_an_option_must_agree_with_itself(old: str, new: str, message: str) -> None:
    assert message in by_key(refused(changed((old, new))))["options.rounding"].message


def test_an_option_must_set_something() -> None:
    text = TEXT[: TEXT.index("[options.riichi_min_score.settings.false]")]
    assert by_key(refused(text))["options.riichi_min_score"].message == "an option needs sets or settings"


def test_a_default_must_set_what_the_tables_say() -> None:
    text = changed(('policy = "nearest_alike"', 'policy = "odd_to_first_seats"'))
    assert "must set what the ruleset's own tables say" in by_key(refused(text))["options.rounding.default"].message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"ledgers.points.scale" = 30', '"ledgers.points.scale" = 10', "multiples of 1/10"),
        ('"ledgers.points.scale" = 30', '"ledgers.pints.scale" = 30', "nothing to set"),
        ('"play.riichi.any_score" = false', '"play.riichi.any_scor" = false', "did you mean 'any_score'"),
    ],
)
def test_a_value_of_an_option_that_makes_no_ruleset_is_refused(old: str, new: str, message: str) -> None:
    (fault,) = refused(changed((old, new)))
    assert fault.key in ("options.rounding", "options.riichi_min_score")
    assert message in fault.message


def test_a_date_is_no_number() -> None:
    assert "play.tiles.copies" in by_key(refused(changed(("copies = 4", "copies = 2026-11-20"))))


def test_any_model_can_be_read() -> None:
    class Place(BaseModel):
        name: str

    assert loader.read_model('name = "hall"', "place.toml", Place) == Place(name="hall")


def test_an_empty_file_lacks_everything() -> None:
    assert {fault.message for fault in refused("")} == {"this key is required"}


class TestLines:
    TEXT = """\
name = "x"  # a comment
[a.b]
"c d" = 1
e.f = [
  2,
]

[[list]]
key = "one"
g = 1

[[list]]
g = 2

[[list.deep]]
key = 'two'
h = 3
"""

    @pytest.mark.parametrize(
        ("key", "line"),
        [
            ("name", 1),
            ("a.b", 2),
            ("a.b.c d", 3),
            ("a.b.e.f", 4),
            ("a.b.e.f.0", 4),
            ("list.one.g", 10),
            ("list.0.g", 10),
            ("list.1.g", 13),
            ("list.one", 9),
            ("a.b.missing", 2),
            ("missing", None),
            ("", None),
        ],
    )
    def test_a_key_is_found_on_its_line(self, key: str, line: int | None) -> None:
        assert line_of(key, self.TEXT) == line


def test_a_table_changed_beside_its_option_is_told_at_that_option_alone() -> None:
    text = loader.text_of("banchi4").replace("amounts = [0, 0, 0, 0]", "amounts = [20, 10, -10, -20]")
    with pytest.raises(loader.RulesetError) as refused:
        loader.parse(text, "own.toml")
    (fault,) = refused.value.faults
    assert fault.key == "options.uma.default"
    assert fault.message.endswith("settlement.uma.amounts is [20, 10, -10, -20]")
    assert text.splitlines()[(fault.line or 0) - 1] == "default = [0, 0, 0, 0]"


def test_a_list_of_tables_has_the_line_of_its_first() -> None:
    assert line_of("ledgers", 'name = "own"\n[[ledgers]]\nkey = "points"\n[[ledgers]]\n') == 2
