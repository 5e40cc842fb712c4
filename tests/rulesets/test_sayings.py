"""A house's own words for amounts: read strictly, one for each amount, by clauses its book has."""

import re

from rulesets import loader
from rulesets.clauses import load_book
from rulesets.sayings import sayings_of


def test_boo_has_words_for_amounts_and_other_books_go_by_figures() -> None:
    found = sayings_of("boo")
    assert (found[480].ja, found[480].en) == ("ヨンパア", "yon-paa")
    assert len(found) == 18
    assert not sayings_of("cinderella")
    assert not sayings_of("nobodys-book")


def test_every_saying_names_clauses_of_its_book() -> None:
    text = (loader.FOLDER / "boo" / "sayings.toml").read_text(encoding="utf-8")
    named = set(re.findall(r"BOO-\d{3}", text))
    assert len(named) == 6
    assert named <= set(load_book("boo").by_id)
