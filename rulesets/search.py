"""Find the clauses that answer a question, in Japanese or in English.

The one idea: a question and a clause are compared by the small pieces they share. Japanese is not divided into
words, so its pieces are pairs of neighbouring characters; Latin words and numbers are whole pieces. A rare piece
weighs more than a common one, and the terms a clause is listed under weigh more than its text (a variant of BM25).
Nothing is random: the same question finds the same clauses in the same order everywhere.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from rulesets.clauses import SECTION_TITLES, Clause, books, load_book
from rulesets.normalization import normalize

LONGEST_QUESTION = 200
"""The number of characters of a question that are read."""

_KATAKANA_TO_HIRAGANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_GROUPED_NUMBER = re.compile(r"(?<=\d),(?=\d{3})")
_WORD = re.compile(r"[a-z0-9]+")
_JAPANESE = re.compile(r"[ぁ-ゖー々〆一-鿿]+")
_HIRAGANA = re.compile(r"[ぁ-ゖー]+")

_SPELLINGS = MappingProxyType(
    {
        "飜": "翻", "立直": "リーチ", "聴牌": "テンパイ", "不聴": "ノーテン", "和了": "アガリ", "あがり": "アガリ",
        "上がり": "アガリ", "上がる": "アガる", "アガリる": "アガる", "自摸": "ツモ", "栄和": "ロン", "暗槓": "暗カン",
        "明槓": "明カン", "アンカン": "暗カン", "槓": "カン", "振聴": "フリテン", "断么九": "タンヤオ",
        "断幺九": "タンヤオ", "食い": "喰い", "クイタン": "喰いタン", "チートイツ": "七対子", "ピンフ": "平和",
        "ホンイツ": "混一色", "チンイツ": "清一色", "トイトイ": "対々和", "対対和": "対々和", "飛び": "トビ",
        "ハコ": "箱", "オーラス": "最終局", "ダブルロン": "ダブロン", "リーチ棒": "供託リーチ棒",
        "積み棒": "本場積み棒",
        "赤ドラ": "赤牌赤ドラ", "ご祝儀": "チップ", "祝儀": "チップ", "もらえ": "受け取", "貰え": "受け取",
    }
)  # fmt: skip
"""Variant spellings of a word, with the one that is used for all."""

_ENGLISH = MappingProxyType(
    {
        "bankrupt": "bust", "busted": "bust", "busts": "bust", "draws": "draw", "drawn": "draw",
        "won": "win", "wins": "win", "winning": "win", "winner": "win", "paid": "pay", "pays": "pay",
        "payment": "pay", "payments": "pay", "declared": "declare", "declaring": "declare", "called": "call",
        "calling": "call", "calls": "call", "tsumo": "selfdraw", "stick": "stake", "sticks": "stake",
        "deposits": "stake", "deposit": "stake", "stakes": "stake", "tied": "level", "tie": "level", "ties": "level",
        "equal": "level", "chip": "prize", "chips": "prize", "prizes": "prize", "fan": "han", "tanyao": "simples",
        "liability": "liable", "pao": "liable", "kuikae": "swap", "closed": "concealed",
        "chiitoitsu": "pairs", "kokushi": "orphans", "starting": "start", "starts": "start",
        "uma": "placement",
    }
)  # fmt: skip
"""English words, with the form that clauses use."""

_STOP = frozenset(
    _WORD.findall(
        "a an the is are was be been being do does did of to in on at for from by with and or not no if it its i me my "
        "we you your he his she they them their there "
        "this that these those what which who whom whose when where why how "
        "much many can could may must shall should will would has have had happens happen as after before than then so "
        "one any all each get gets goes go need needs allowed play played"
    )
)

_TERM, _SAYS, _READING, _ASIDE = 4.0, 2.0, 0.6, 0.3
"""The weight of a piece among the terms, in the rule, in its interpretation, and in all other text."""

_HIRAGANA_PAIR = 0.4
"""The weight of a pair of hiragana, which is mostly grammar."""

_WHOLE_TERM = 1.5
"""The weight of a term that occurs whole in the question: in full from six characters on, less for shorter ones."""

_EVENNESS = 0.35
"""The strength of the penalty for long clauses (`b` in BM25)."""


@dataclass(frozen=True, slots=True)
class ClauseMatch:
    """A clause that a question finds."""

    book: str
    clause: Clause
    score: float
    """Higher is better; comparable within one question only."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A clause split into pieces."""

    book: str
    clause: Clause
    pieces: Mapping[str, float]
    terms: tuple[str, ...]
    length: float


@dataclass(frozen=True, slots=True)
class _Index:
    """The clauses of some books, with the number of clauses that contain each piece and each term."""

    entries: tuple[_Entry, ...]
    holders: Mapping[str, int]
    holders_of_term: Mapping[str, int]
    mean_length: float

    def rarity(self, count: int) -> float:
        """Return the weight of something that occurs in this number of clauses."""
        return math.log(1 + (len(self.entries) - count + 0.5) / (count + 0.5))


def find_clauses(question: str, book: str | None = None) -> tuple[ClauseMatch, ...]:
    """Return the clauses of a book, or of all books, that share something with the question, the best first.

    Raise KeyError if there is no such book.
    """
    index = _index((book,) if book is not None else books())
    asked = normalised(question[:LONGEST_QUESTION])
    pieces = Counter(pieces_of(asked))
    found = [
        ClauseMatch(entry.book, entry.clause, score)
        for entry in index.entries
        if (score := _score(entry, asked, pieces, index)) > 0
    ]
    # Equal scores are ordered by clause, so that the order is the same on every machine.
    return tuple(sorted(found, key=lambda each: (-each.score, each.book, each.clause.id)))


def normalised(text: str) -> str:
    """Return a text in one spelling: width, kana, case, grouped numbers, variants of a word."""
    text = _GROUPED_NUMBER.sub("", normalize("NFKC", text)).replace("・", "")
    for variant, usual in _SPELLINGS.items():
        # In the order of the table: some variants are parts of others, so it must not be sorted.
        text = text.replace(variant, usual)
    return text.lower().translate(_KATAKANA_TO_HIRAGANA)


def pieces_of(text: str) -> Iterator[str]:
    """Yield the pieces of a normalised text: pairs of Japanese characters, a lone kanji, Latin words, numbers."""
    for run in _JAPANESE.findall(text):
        yield from (run[at : at + 2] for at in range(len(run) - 1))
        if len(run) == 1 and not _HIRAGANA.fullmatch(run):
            yield run
    for word in _WORD.findall(text):
        if word not in _STOP:
            yield _stem(word)


def _stem(word: str) -> str:
    """Return a word without its English endings."""
    word = _ENGLISH.get(word, word)
    for ending in ("ing", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):  # noqa: PLR2004
            return word.removesuffix(ending)
    return word


def _score(entry: _Entry, asked: str, pieces: Mapping[str, int], index: _Index) -> float:
    """Return the score of a clause for a question: shared pieces and terms, weighted by rarity and length."""
    held_back = 1 - _EVENNESS + _EVENNESS * entry.length / index.mean_length
    score = 0.0
    for piece in pieces:
        weight = entry.pieces.get(piece, 0.0)
        if weight:
            # BM25 with k1 = 1.2, hence 2.2 = k1 + 1.
            score += _share(piece) * index.rarity(index.holders[piece]) * weight * 2.2 / (weight + 1.2 * held_back)
    for term in entry.terms:
        if term in asked:
            score += _WHOLE_TERM * min(len(term), 6) / 6 * index.rarity(index.holders_of_term[term])
    return score


def _share(piece: str) -> float:
    """Return the weight of a piece: little for mere hiragana."""
    return _HIRAGANA_PAIR if _HIRAGANA.fullmatch(piece) else 1.0


@cache
def _index(names: tuple[str, ...]) -> _Index:
    """Return the index of these books; cached."""
    entries = tuple(entry for name in names for entry in _entries(name))
    return _Index(
        entries,
        Counter(piece for entry in entries for piece in entry.pieces),
        Counter(term for entry in entries for term in entry.terms),
        sum(entry.length for entry in entries) / len(entries),
    )


@cache
def _entries(name: str) -> tuple[_Entry, ...]:
    """Return the clauses of a book; cached, since it is searched alone and among all books."""
    return tuple(_entry(name, clause) for clause in load_book(name).clauses)


def _entry(name: str, clause: Clause) -> _Entry:
    terms = tuple(dict.fromkeys(term for each in clause.terms if len(term := normalised(each)) > 1))
    pieces: dict[str, float] = {}
    length = 0
    for text, weight in _texts(clause):
        for piece in pieces_of(normalised(text)):
            pieces[piece] = pieces.get(piece, 0.0) + weight
            length += 1
    return _Entry(name, clause, pieces, terms, length)


def _texts(clause: Clause) -> Iterator[tuple[str, float]]:
    """Yield all texts of a clause, each with the weight of its pieces."""
    yield clause.id, _TERM
    yield from ((term, _TERM) for term in clause.terms)
    yield from ((name.replace("_", " "), _TERM) for name in clause.yaku)
    for text, weight in (
        (clause.says, _SAYS),
        (SECTION_TITLES[clause.section], _ASIDE),
        (clause.decision, _READING),
        (clause.ambiguous, _ASIDE),
    ):
        if text is not None:
            yield text.ja, weight
            yield text.en, weight
