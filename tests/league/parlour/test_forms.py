"""Tests of the counter's form fields for chips and options, and of the number of queries of the board."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.forms import MultipleChoiceField
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from league.forms.parlour.counter import ChipsField
from league.forms.parlour.settling import ExtraForm, PayForm
from league.forms.rulebooks.options import option_field, option_fields, sent_untouched
from league.selectors.live.table_options import allowed_text, usual
from league.selectors.parlour.board import open_sittings
from rulesets import loader
from scoring.ruleset import Option
from scoring.ruleset.options import Subset
from tests.league import parlours


@pytest.fixture(autouse=True)
def _english() -> Any:
    """Activate English for the error messages."""
    with translation.override("en"):
        yield


@pytest.mark.parametrize(
    ("book", "ledger", "typed", "amount"),
    [
        ("banchi3", "g", "5", 500),
        ("banchi3", "g", "-12", -1200),
        ("banchi3", "g", "▲１２", -1200),
        ("banchi3", "g", "500", 500),
        ("banchi3", "g", "1,200", 1200),
        ("banchi3", "g", "550", 550),
        ("banchi3", "g", "", 0),
        ("banchi3", "g", "0", 0),
        ("banchi4", "g", "3", 1500),
        ("superbingo", "chips", "-7", -7),
    ],
)
def test_chips_are_read_as_steps_of_the_ledger_or_as_full_amounts(
    book: str, ledger: str, typed: str, amount: int
) -> None:
    field = ChipsField(ledger=loader.load(book).ledger(ledger))
    assert field.clean(typed) == amount


@pytest.mark.parametrize("typed", ["x", "5.5", "1/0", "--5"])
def test_an_invalid_amount_is_rejected_with_an_example(typed: str) -> None:
    field = ChipsField(ledger=loader.load("banchi3").ledger("g"))
    with pytest.raises(ValidationError, match="Type it like 5 or -12"):
        field.clean(typed)


def option(book: str, key: str) -> Option:
    """Return an option of a ruleset."""
    return loader.load(book).options[key]


@pytest.mark.parametrize(
    ("book", "key", "typed", "value"),
    [
        ("superbingo", "dx", "on", True),
        ("superbingo", "chip_tiles", "p=2 s=0", {"p": 2, "s": 0}),
        ("superbingo", "chip_tiles", "p２、s1", {"p": 2, "s": 1}),
        ("boo", "stake_per_sunk", "A=2 B1 Ｃ＝3", {"A": 2, "B": 1, "C": 3}),
        ("banchi4", "start", "26,000", 26000),
        ("banchi4", "uma", "20, 10, -10, -20", [20, 10, -10, -20]),
        ("boo", "starting_score", "4000", 4000),
        ("boo", "multi_ron", "all", "all"),
        ("boo", "new_yaku", ["sanshoku"], ["sanshoku"]),
    ],
)
def test_an_option_of_any_type_is_read_from_its_field(book: str, key: str, typed: Any, value: Any) -> None:
    assert option_field(option(book, key)).clean(typed) == value


@pytest.mark.parametrize(
    ("book", "key", "typed", "allowed"),
    [
        ("superbingo", "chip_tiles", "p=9 s=1", "a whole number from 0 to 4 for each of p, s"),
        ("superbingo", "chip_tiles", "p", "a whole number from 0 to 4 for each of p, s"),
        ("banchi4", "start", "1", "20000 to 30000 in steps of 1000"),
        ("banchi4", "start", "many", "20000 to 30000 in steps of 1000"),
        ("banchi4", "uma", "20, 10", "4 whole numbers from -100 to 100 that add up to 0"),
        ("boo", "multi_ron", "both", "head_bump, all"),
    ],
)
def test_an_invalid_option_value_is_rejected_with_the_allowed_values(
    book: str, key: str, typed: str, allowed: str
) -> None:
    with pytest.raises(ValidationError, match=allowed):
        option_field(option(book, key)).clean(typed)


def test_every_type_of_option_describes_its_allowed_values() -> None:
    assert allowed_text(option("superbingo", "dx")) == "yes or no"
    assert allowed_text(option("boo", "new_yaku")).startswith("any of iipeikou")
    assert isinstance(option_field(option("boo", "new_yaku")), MultipleChoiceField)


@pytest.mark.parametrize("book", loader.names())
def test_every_untouched_option_of_every_ruleset_is_read_as_its_default(book: str) -> None:
    options = loader.load(book).options
    fields = option_fields(options, {})
    sent = sent_untouched(fields)
    for key, one in options.items():
        texts = sent.get(f"option_{key}", [])
        is_several = isinstance(one, Subset)
        read = fields[f"option_{key}"].clean(texts if is_several else next(iter(texts), False))
        assert (key, read) == (key, usual(one))


def test_fields_start_with_the_given_value_or_the_default_of_the_ruleset() -> None:
    options = loader.load("boo").options | loader.load("superbingo").options | loader.load("banchi4").options
    fields = option_fields(options, {"chip_tiles": {"p": 0, "s": 2}})
    assert fields["option_chip_tiles"].initial == "p=0 s=2"
    assert fields["option_uma"].initial == "0, 0, 0, 0"
    assert fields["option_new_yaku"].initial == []
    assert fields["option_start"].initial == 25000


@pytest.mark.django_db
def test_the_board_needs_as_many_queries_for_many_tables_as_for_one() -> None:
    parlour = parlours.parlour("boo")
    people = parlours.guests(parlour, 5)
    first = parlours.sitting(parlour, people[:4])
    parlours.play(first)
    with CaptureQueriesContext(
        connection,
    ) as few:
        open_sittings([parlour])
    for name in ("2", "3", "4"):
        parlours.sitting(parlour, [], table=name)
    for _ in range(3):
        parlours.play(first, accept={"same_result_twice"})
    with CaptureQueriesContext(connection) as many:
        open_sittings([parlour])
    assert len(many) == len(few)


def test_the_amounts_of_the_page_that_settles_up_have_labels_of_their_own() -> None:
    item, payment = ExtraForm(currency="JPY"), PayForm(currency="JPY", balance=500)
    assert item["money"].label != payment["paid"].label
