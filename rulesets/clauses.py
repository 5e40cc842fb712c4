"""The text of a rule book, clause by clause, in Japanese and English.

`ruleset.toml` holds the values that are executed, `clauses.toml` the texts; a clause's number joins the two. The
book's rule and its interpretation are kept apart: `says` is the rule of the book, unless `gap` marks a clause on which
the book is silent; `ambiguous` states the open question, and `decision` the interpretation applied.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache, cached_property
from types import MappingProxyType
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from rulesets.loader import FOLDER, read_model
from scoring.ruleset import Fault, Title
from scoring.ruleset.base import ClauseId, Strict, require_nonempty
from scoring.ruleset.faults import INCONSISTENT
from scoring.ruleset.yaku import YakuName

FILE = "clauses.toml"

_KANA_OR_KANJI = re.compile(r"[ぁ-ゖァ-ヺー一-鿿]")
_LATIN = re.compile(r"[A-Za-z]")


class Section(StrEnum):
    """The subject of a clause; a page shows the sections in this order."""

    SETUP = "setup"
    """Players, length of the game, starting scores."""
    WALL = "wall"
    """The tiles and the wall."""
    DEAL = "deal"
    """The beginning of a hand."""
    FLOW = "flow"
    """The next dealer, and the counters."""
    RIICHI = "riichi"
    """Declaring a waiting hand."""
    CALL = "call"
    """Taking another player's discard, and kans."""
    WIN = "win"
    """The conditions for a win."""
    DRAW = "draw"
    """A hand without a winner."""
    YAKU = "yaku"
    """The yaku and their han."""
    FU = "fu"
    """The smaller part of a hand's value."""
    VALUE = "value"
    """From han and fu to points; dora and limits."""
    PAYMENT = "payment"
    """The payers, the receivers and the amounts."""
    CHIPS = "chips"
    """Prizes beside the points."""
    PENALTY = "penalty"
    """The consequences of a mistake."""
    CONDUCT = "conduct"
    """Manners and procedure."""
    END = "end"
    """The end of a game, and the deposits left on the table then."""
    SETTLEMENT = "settlement"
    """From final scores to results."""
    TIEBREAK = "tiebreak"
    """The ranking of level players."""
    LEAGUE = "league"
    """Several games together."""
    OPTION = "option"
    """Choices that the book leaves to the house."""


SECTION_TITLES: Mapping[Section, Title] = MappingProxyType(
    {
        Section.SETUP: Title(ja="対局の形式と持ち点", en="The game and its starting points"),
        Section.WALL: Title(ja="牌と山", en="Tiles and wall"),
        Section.DEAL: Title(ja="配牌", en="Deal"),
        Section.FLOW: Title(ja="親と本場", en="Dealer and honba"),
        Section.RIICHI: Title(ja="リーチ", en="Riichi"),
        Section.CALL: Title(ja="鳴き・カン", en="Calls and kans"),
        Section.WIN: Title(ja="アガリとフリテン", en="Winning and furiten"),
        Section.DRAW: Title(ja="流局", en="Draws"),
        Section.YAKU: Title(ja="役", en="Yaku"),
        Section.FU: Title(ja="符", en="Fu"),
        Section.VALUE: Title(ja="ドラと点数", en="Dora and value"),
        Section.PAYMENT: Title(ja="点数の支払い", en="Payments"),
        Section.CHIPS: Title(ja="祝儀・チップ", en="Prizes and chips"),
        Section.PENALTY: Title(ja="ペナルティ", en="Penalties"),
        Section.CONDUCT: Title(ja="作法・その他", en="Conduct and remarks"),
        Section.END: Title(ja="終局", en="End of the game"),
        Section.SETTLEMENT: Title(ja="精算", en="Settlement"),
        Section.TIEBREAK: Title(ja="同点の扱い", en="Ties"),
        Section.LEAGUE: Title(ja="大会の進行", en="The competition"),
        Section.OPTION: Title(ja="選択ルール", en="House options"),
    }
)
"""The heading of each section."""


class Depth(StrEnum):
    """The knowledge of a game that is needed to execute a clause."""

    SETTLEMENT = "settlement"
    """The final scores and counts."""
    LEAGUE = "league"
    """The results of several games."""
    ROUND = "round"
    """The end of each hand: winner, payer, value, riichi, tenpai."""
    HAND = "hand"
    """The tiles of the winning hand."""
    WALL = "wall"
    """The tiles in the wall."""
    CONDUCT = "conduct"
    """Facts that only people at the table see."""


class ClauseStatus(StrEnum):
    """The way the software treats a clause."""

    EXECUTED = "executed"
    """The engine applies it by itself."""
    ENTERED = "entered"
    """The scorer enters its outcome, and the software calculates with that."""
    RULING = "ruling"
    """A person rules on it; the software shows the rule and records the ruling."""
    DESCRIPTIVE = "descriptive"
    """It explains, or orders the play of the hands; no result depends on it."""
    PENDING = "pending"
    """Not executed yet: its engine is not built."""


NOT_EXECUTED = frozenset({ClauseStatus.ENTERED, ClauseStatus.RULING, ClauseStatus.DESCRIPTIVE})
"""Every status that needs a reason."""


class Keeper(StrEnum):
    """The kind of body that plays by a book, and settles what the book leaves open."""

    HOUSE = "house"
    """A parlour."""
    ORGANIZER = "organizer"
    """The organizer of competitions."""


def _japanese(text: str) -> str:
    if not _KANA_OR_KANJI.search(text):
        raise ValueError("the Japanese text must be written in Japanese")
    return _trimmed(text)


def _english(text: str) -> str:
    if not _LATIN.search(text):
        raise ValueError("the English text must be written in Latin letters")
    return _trimmed(text)


def _trimmed(text: str) -> str:
    if text != text.strip():
        raise ValueError("must not begin or end with blanks")
    return text


class Text(Strict):
    """The same text in both languages."""

    ja: Annotated[str, AfterValidator(_japanese)]
    en: Annotated[str, AfterValidator(_english)]


def _each_once(terms: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(terms)) < len(terms):
        raise ValueError("must not name the same twice")
    return terms


Terms = Annotated[
    tuple[Annotated[str, Field(min_length=1)], ...], AfterValidator(require_nonempty), AfterValidator(_each_once)
]
"""Words under which readers look for a clause."""


class Clause(Strict):
    """One rule of a book."""

    id: ClauseId
    section: Section
    depth: Depth
    says: Text
    """The rule: the book's, in our words; an added one if `gap` is set."""
    terms: Terms
    gap: bool = False
    """The book does not contain it."""
    ambiguous: Text | None = None
    """The question that the book leaves open."""
    decision: Text | None = None
    """The interpretation applied, and its reason."""
    status: ClauseStatus
    why: Text | None = None
    """The reason why the software does not execute it."""
    options: Annotated[tuple[str, ...], AfterValidator(_each_once)] = ()
    """The options of the ruleset that the clause describes."""
    yaku: Annotated[tuple[YakuName, ...], AfterValidator(_each_once)] = ()
    """The yaku whose value the clause states."""
    reconstructed: bool = False
    """The value is lost in the surviving text of the book; this one is reconstructed."""

    @model_validator(mode="after")
    def _decided(self) -> Self:
        """Require a decision for everything that the book leaves open, and for nothing else."""
        if self.decision is None and (self.gap or self.ambiguous is not None or self.reconstructed):
            raise ValueError("what the book leaves open needs a decision")
        if self.decision is not None and not self.gap and self.ambiguous is None:
            raise ValueError("a decision needs what is ambiguous, or gap = true where the book is silent")
        return self

    @model_validator(mode="after")
    def _explained(self) -> Self:
        """Require a reason for a clause that the software does not execute."""
        if self.status in NOT_EXECUTED and self.why is None:
            raise ValueError(f"a clause of status {self.status} says why it is not executed")
        if self.status is ClauseStatus.EXECUTED and self.why is not None:
            raise ValueError("an executed clause has no reason why it is not")
        return self


class RuleBook(Strict):
    """The text of a rule book."""

    model_config: ClassVar[ConfigDict] = ConfigDict(
        strict=True, frozen=True, extra="forbid", ignored_types=(cached_property,)
    )

    title: Text
    """The title that the book gives itself."""
    publisher: Text
    """Its publisher."""
    about: Text
    """The kind of text it is, and the way it is interpreted."""
    kept_by: Keeper = Keeper.HOUSE
    """The body that settles what the book leaves open; pages name it so."""
    clauses: Annotated[tuple[Clause, ...], AfterValidator(require_nonempty)]

    @model_validator(mode="after")
    def _numbered(self) -> Self:
        found = tuple(_misnumbered([clause.id for clause in self.clauses]))
        if found:
            raise PydanticCustomError(INCONSISTENT, "inconsistent", {"found": found})
        return self

    @cached_property
    def by_id(self) -> Mapping[str, Clause]:
        """All clauses by number, in the book's order."""
        return MappingProxyType({clause.id: clause for clause in self.clauses})

    def sections(self) -> Mapping[Section, tuple[Clause, ...]]:
        """Return the clauses of each section that the book has, in the order of `Section`."""
        found = {section: tuple(each for each in self.clauses if each.section is section) for section in Section}
        return {section: clauses for section, clauses in found.items() if clauses}


def _misnumbered(ids: list[str]) -> Iterator[Fault]:
    """Yield each number with a prefix other than the book's, or not above the one before."""
    prefix = _prefix(ids[0])
    for index, number in enumerate(ids):
        key = f"clauses.{index}.id"
        if _prefix(number) != prefix:
            yield Fault("", key, number, f"every clause of the book is numbered {prefix}-...")
        elif number in ids[:index]:
            yield Fault("", key, number, "there is a clause of this number already")
        elif index and number < ids[index - 1]:
            yield Fault("", key, number, f"must stand before {ids[index - 1]}")


def _prefix(number: str) -> str:
    return number.partition("-")[0]


@cache
def books() -> tuple[str, ...]:
    """Return the names of the rulesets with a rule book to read, in alphabetical order."""
    return tuple(sorted(path.parent.name for path in FOLDER.glob(f"*/{FILE}")))


def book_text(name: str) -> str:
    """Return the text of a rule book's file; raise KeyError if there is none of this name."""
    if name not in books():
        raise KeyError(name)
    return (FOLDER / name / FILE).read_text(encoding="utf-8")


@cache
def load_book(name: str) -> RuleBook:
    """Return a rule book of the product, cached; raise KeyError if there is none of this name."""
    return parse_book(book_text(name), f"{name}/{FILE}")


def parse_book(text: str, source: str) -> RuleBook:
    """Parse a rule book from the text of a file; raise RulesetError with every fault."""
    return read_model(text, source, RuleBook)


def clause(name: str, number: str) -> Clause:
    """Return a clause of a rule book; raise KeyError if there is no such book or clause."""
    return load_book(name).by_id[number]
