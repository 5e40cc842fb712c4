"""A reader finds the rule for a question among the first three clauses; the same question finds the same everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given

from rulesets.clauses import books, load_book
from rulesets.search import find_clauses, normalised, pieces_of
from tests.fuzz.examples import odd_texts
from tests.rulesets.rulebook_questions import QUESTIONS

FIRST = 3


def found(question: str, book: str | None = None) -> list[str]:
    return [each.clause.id for each in find_clauses(question, book)]


def test_ten_questions_are_asked_of_every_book_and_each_of_another_clause() -> None:
    assert sorted(QUESTIONS) == sorted(books())
    for name, asked in QUESTIONS.items():
        assert len({clause for _question, clause in asked}) == len(asked) == 10
        assert {clause for _question, clause in asked} <= set(load_book(name).by_id)


@pytest.mark.parametrize("book", QUESTIONS)
def test_the_clause_that_answers_is_among_the_first_three(book: str) -> None:
    first = {question: found(question, book)[:FIRST] for question, _clause in QUESTIONS[book]}
    assert [(question, first[question]) for question, clause in QUESTIONS[book] if clause not in first[question]] == []


@pytest.mark.parametrize(
    "question", ["チョンボは何ポイント", "ちょんぼは何ポイント", "ﾁｮﾝﾎﾞは何ポイント", "　チョンボは何ポイント？"]
)
def test_kana_and_width_make_no_difference(question: str) -> None:
    assert found(question, "cinderella") == found("チョンボは何ポイント", "cinderella")


@pytest.mark.parametrize(
    ("one", "other"), [("立直", "リーチ"), ("和了", "あがり"), ("聴牌", "テンパイ"), ("1,000点", "１０００点")]
)
def test_spellings_of_one_thing_are_one(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


def test_a_clause_is_found_by_its_number() -> None:
    assert found("BOO-020", "boo")[0] == "BOO-020"
    assert found("CL-082")[0] == "CL-082"


def test_terms_say_more_than_texts() -> None:
    assert found("チートイツ", "cinderella")[0] == "CL-119"
    assert found("包", "boo")[:1] == ["BOO-053"]


def test_without_a_book_all_of_them_are_searched() -> None:
    assert {each.book for each in find_clauses("チョンボ")} == set(books())


def test_words_that_say_nothing_find_nothing() -> None:
    assert found("", "boo") == found("?!", "boo") == found("what is the", "boo") == []
    assert list(pieces_of("")) == []


def test_there_is_no_search_in_a_book_that_is_none() -> None:
    with pytest.raises(KeyError):
        find_clauses("ドラ", "nothing")


@given(odd_texts)
def test_any_question_has_the_same_answer_twice_the_nearest_first(question: str) -> None:
    once, twice = find_clauses(question, "boo"), find_clauses(question, "boo")
    assert once == twice
    assert [each.score for each in once] == sorted((each.score for each in once), reverse=True)
    assert len({each.clause.id for each in once}) == len(once)
