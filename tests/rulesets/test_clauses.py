"""The rule books as people read them: whole, in both languages, and in step with the values."""

import re
from collections.abc import Iterator

import pytest

from rulesets import clauses, loader
from rulesets.clauses import SECTION_TITLES, Clause, ClauseStatus, RuleBook, Section, Text
from rulesets.formats import format_names, format_text, load_format

NUMBER = re.compile(r"\b[A-Z][A-Z0-9]*-\d{3}\b")

BOOKS = {
    "banchi3": [f"B3-{number:03d}" for number in range(1, 87)],
    "banchi4": [f"B4-{number:03d}" for number in range(1, 79)],
    "boo": [f"BOO-{number:03d}" for number in (*range(1, 133), *range(150, 155))],
    "cinderella": [f"CL-{number:03d}" for number in range(1, 146)],
    "kansai3": [
        f"KS-{number:03d}"
        for number in (*range(1, 105), *range(201, 217), *range(218, 221), *range(222, 224), *range(225, 227))
    ],
    "superbingo": [f"SB-{number:03d}" for number in (*range(1, 106), *range(201, 215), *range(217, 219))],
}
"""The numbers of these books, none lost."""

COUNTED = {"banchi3": 86, "banchi4": 78, "boo": 137, "cinderella": 145, "kansai3": 127, "superbingo": 121}
"""How many clauses each rule sheet comes to."""

LONGEST = {"says": 220, "ambiguous": 150, "decision": 320, "why": 100}
"""So many characters one paragraph may have, for people who read Japanese on a telephone."""

BOOK = """
title.ja = "規則"
title.en = "Rules"
publisher.ja = "雀荘"
publisher.en = "A parlour"
about.ja = "見本"
about.en = "A sample"
"""

CLAUSE = """
[[clauses]]
id = "XX-001"
section = "setup"
depth = "round"
status = "executed"
terms = ["半荘"]
says.ja = "半荘戦とする。"
says.en = "A game is a hanchan."
"""


def texts_of(clause: Clause) -> Iterator[tuple[str, Text]]:
    """Every text of a clause with the name of its part."""
    parts = {
        "says": clause.says,
        "ambiguous": clause.ambiguous,
        "decision": clause.decision,
        "why": clause.why,
    }
    yield from ((part, text) for part, text in parts.items() if text is not None)


def every_text() -> Iterator[tuple[Clause, str, Text]]:
    """Every text of every book."""
    for name in clauses.books():
        for clause in clauses.load_book(name).clauses:
            yield from ((clause, part, text) for part, text in texts_of(clause))


def refused(changes: dict[str, str], text: str = BOOK + CLAUSE) -> str:
    """What is said of a book in which lines were changed."""
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    with pytest.raises(loader.RulesetError) as error:
        clauses.parse_book(text, "sample/clauses.toml")
    return str(error.value)


# ─── what the books hold ───


@pytest.mark.parametrize("name", BOOKS)
def test_no_clause_of_the_book_is_lost(name: str) -> None:
    assert [clause.id for clause in clauses.load_book(name).clauses] == BOOKS[name]


def test_the_books_have_as_many_clauses_as_were_counted() -> None:
    assert {name: len(clauses.load_book(name).clauses) for name in BOOKS} == COUNTED


def test_the_texts_and_the_values_know_the_same_clauses() -> None:
    for name in clauses.books():
        assert set(clauses.load_book(name).by_id) == loader.load(name).book.known(), name


def test_every_clause_that_a_value_cites_can_be_read() -> None:
    for name in clauses.books():
        cited = set(NUMBER.findall(loader.text_of(name)))
        for format_name in format_names():
            if load_format(format_name).rulebook == name:
                cited |= set(NUMBER.findall(format_text(format_name)))
        assert cited <= set(clauses.load_book(name).by_id), name


def test_every_clause_that_a_text_mentions_can_be_read() -> None:
    for name in clauses.books():
        book = clauses.load_book(name)
        texts = [text for clause in book.clauses for _, text in texts_of(clause)]
        for text in texts:
            assert set(NUMBER.findall(text.ja)) | set(NUMBER.findall(text.en)) <= set(book.by_id), name


def test_an_option_and_the_clause_that_describes_it_name_each_other() -> None:
    for name in clauses.books():
        options = loader.load(name).options
        for clause in clauses.load_book(name).clauses:
            for option in clause.options:
                assert clause.id in options[option].clauses


def test_a_yaku_and_the_clause_that_gives_its_worth_name_each_other() -> None:
    for name in clauses.books():
        play = loader.load(name).play
        for clause in clauses.load_book(name).clauses:
            for yaku in clause.yaku:
                assert play is not None
                assert clause.id in play.yaku[yaku].clauses


@pytest.mark.parametrize("name", BOOKS)
def test_every_option_and_every_yaku_has_its_clause(name: str) -> None:
    book, rules = clauses.load_book(name), loader.load(name)
    assert rules.play is not None
    assert sorted(option for clause in book.clauses for option in clause.options) == sorted(rules.options)
    assert sorted(yaku for clause in book.clauses for yaku in clause.yaku) == sorted(rules.play.yaku)


def test_no_japanese_text_is_longer_than_people_read() -> None:
    paragraphs = [(clause.id, part, each) for clause, part, text in every_text() for each in text.ja.splitlines()]
    assert [(number, part) for number, part, each in paragraphs if len(each) > LONGEST[part]] == []


def test_japanese_sentences_end_like_those_of_a_rule_book() -> None:
    for clause, part, text in every_text():
        assert text.ja.endswith(("。", "）")), (clause.id, part)
        assert not re.search(r"(です|ます|ください|ません)。", text.ja), (clause.id, part)


def test_no_text_speaks_of_what_a_reader_cannot_see() -> None:
    unseen = re.compile(r"\bthe source\b|\bvectors?\b|\bcatalogue\b|\bline \d", re.IGNORECASE)
    assert [clause.id for clause, _, text in every_text() if unseen.search(text.en)] == []


def test_a_book_is_shown_section_by_section() -> None:
    book = clauses.load_book("cinderella")
    sections = book.sections()
    assert list(sections) == [section for section in Section if section in sections]
    assert Section.CHIPS not in sections
    assert sorted(clause.id for part in sections.values() for clause in part) == BOOKS["cinderella"]
    assert set(SECTION_TITLES) == set(Section)


def test_a_clause_is_found_under_its_number() -> None:
    assert "30,000" in clauses.clause("cinderella", "CL-035").says.ja
    assert clauses.clause("cinderella", "CL-030").gap
    assert clauses.clause("cinderella", "CL-085").status is ClauseStatus.RULING


def test_there_is_no_other_book_and_no_other_clause() -> None:
    with pytest.raises(KeyError):
        clauses.load_book("mleague")
    with pytest.raises(KeyError):
        clauses.clause("cinderella", "CL-146")


# ─── what is refused ───


def test_the_sample_is_a_book() -> None:
    book = clauses.parse_book(BOOK + CLAUSE, "sample/clauses.toml")
    assert isinstance(book, RuleBook)
    assert book.clauses[0].why is None


def test_both_languages_are_asked_for() -> None:
    assert "this key is required" in refused({'says.en = "A game is a hanchan."\n': ""})
    assert "written in Japanese" in refused({'says.ja = "半荘戦とする。"': 'says.ja = "A hanchan."'})
    assert "Latin letters" in refused({'says.en = "A game is a hanchan."': 'says.en = "半荘"'})
    assert "blanks" in refused({"半荘戦とする。": "半荘戦とする。 "})


def test_a_word_to_look_under_is_asked_for_and_stands_there_once() -> None:
    assert "must not be empty" in refused({'terms = ["半荘"]': "terms = []"})
    assert "the same twice" in refused({'terms = ["半荘"]': 'terms = ["半荘", "半荘"]'})


@pytest.mark.parametrize("status", ["entered", "ruling", "descriptive"])
def test_a_clause_that_is_not_executed_says_why(status: str) -> None:
    said = refused({'status = "executed"': f'status = "{status}"'})
    assert f"a clause of status {status} says why it is not executed" in said


def test_an_executed_clause_has_no_reason_not_to_be() -> None:
    why = 'why.ja = "理由。"\nwhy.en = "A reason."'
    assert "an executed clause has no reason" in refused({'status = "executed"': f'status = "executed"\n{why}'})


def test_a_decision_needs_something_open() -> None:
    decision = 'decision.ja = "そうする。"\ndecision.en = "So be it."\n'
    assert "a decision needs what is ambiguous" in refused({'depth = "round"': f'depth = "round"\n{decision}'})


@pytest.mark.parametrize(
    "open_", ["gap = true", "reconstructed = true", 'ambiguous.ja = "不明。"\nambiguous.en = "Not said."']
)
def test_what_is_open_needs_a_decision(open_: str) -> None:
    assert "needs a decision" in refused({'depth = "round"': f'depth = "round"\n{open_}'})


def test_numbers_are_of_one_book_unique_and_in_order() -> None:
    three = CLAUSE.replace("001", "002") + CLAUSE.replace("XX", "YY") + CLAUSE.replace("001", "002") + CLAUSE
    said = refused({}, BOOK + three)
    assert "clauses.1.id: every clause of the book is numbered XX-... (found 'YY-001')" in said
    assert "clauses.2.id: there is a clause of this number already (found 'XX-002')" in said
    assert "clauses.3.id: must stand before XX-002 (found 'XX-001')" in said


def test_a_book_without_clauses_is_none() -> None:
    assert "must not be empty" in refused({}, BOOK + "clauses = []\n")


def test_a_clause_names_an_option_once() -> None:
    said = refused({'depth = "round"': 'depth = "round"\noptions = ["start", "start"]'})
    assert "the same twice" in said


def test_an_unknown_key_is_told_with_its_line() -> None:
    assert "sample/clauses.toml:16: clauses.0.note: unknown key" in refused(
        {'says.en = "A game is a hanchan."': 'note = "x"\nsays.en = "A game is a hanchan."'}
    )
