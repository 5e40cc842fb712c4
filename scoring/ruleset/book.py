"""A ruleset as a whole: its tables, their consistency, and the effect of its options."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from scoring.ruleset import consistency
from scoring.ruleset.base import Fault, Strict, Title
from scoring.ruleset.end import End, RoundName
from scoring.ruleset.faults import INCONSISTENT, faults_of
from scoring.ruleset.ledgers import Ledger
from scoring.ruleset.options import Option, OptionError
from scoring.ruleset.paths import put
from scoring.ruleset.play import NoHandsError, Play
from scoring.ruleset.settling import DepositReceiver, RoundingPolicy, SettlementRules, Ties
from scoring.ruleset.setup import Entry, KeptFrom, Setup


class OwnClause(Strict):
    """A clause stated in the ruleset itself, for rules without a numbered rule book."""

    id: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]*-\d{3}$")]
    says: Title
    source: Title
    """The place where the rule is published."""


class ClauseIndex(Strict):
    """The index of the clauses that a ruleset's values refer to."""

    ids: tuple[Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]*-\d{3}\.\.\d{3}$")], ...]
    """The numbers in use, such as "CL-001..145"."""
    clause: tuple[OwnClause, ...] = ()
    """Clauses stated in the ruleset itself, since there is no book."""

    def known(self) -> frozenset[str]:
        """Return the identifiers of all clauses."""
        known = {each.id for each in self.clause}
        for numbers in self.ids:
            prefix, _, span = numbers.partition("-")
            first, last = span.split("..")
            known.update(f"{prefix}-{number:03d}" for number in range(int(first), int(last) + 1))
        return frozenset(known)


class Ruleset(Strict):
    """One way of playing and settling: values only, each with its clause.

    Two rulesets with the same digest are equal, from whatever file they came.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(
        strict=True, frozen=True, extra="forbid", ignored_types=(cached_property,)
    )

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]*$")]
    title: Title
    book: ClauseIndex
    players: Literal[3, 4]
    ledgers: tuple[Ledger, ...]
    setup: Setup
    entry: Entry
    end: End
    play: Play | None = None
    """The rules for hands; None if only final scores are settled."""
    settlement: SettlementRules
    options: dict[str, Option] = {}

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        found = tuple(consistency.faults(self))
        if found:
            raise PydanticCustomError(INCONSISTENT, "inconsistent", {"found": found})
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the values, independent of the order of keys and of comments in the file."""
        text = json.dumps(self.data(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def hand_rules(self) -> Play:
        """The rules for hands; raise NoHandsError if the ruleset only settles final scores."""
        if self.play is None:
            raise NoHandsError(f"the ruleset {self.name} has no rules for hands, only for final scores")
        return self.play

    def bazoro(self, round_name: RoundName | None) -> int:
        """Return the han that every hand of a round gets without a yaku (場ゾロ); of an unknown round the least."""
        value = self.hand_rules.value
        return value.bazoro_always + (value.bazoro_last_round if round_name is self.setup.rounds[-1] else 0)

    def is_last_hand(self, round_name: RoundName | None, number: int) -> bool:
        """Return whether this is the last hand of the last round without an extension (オーラス)."""
        return round_name is self.setup.rounds[-1] and number == self.players

    @cached_property
    def ranking_ledger(self) -> Ledger:
        """The ledger that standings are computed from."""
        return next(ledger for ledger in self.ledgers if ledger.ranks)

    def ledger(self, key: str) -> Ledger:
        """Return the ledger of this key; raise KeyError if the book has none."""
        for ledger in self.ledgers:
            if ledger.key == key:
                return ledger
        raise KeyError(key)

    @property
    def entered_ledgers(self) -> tuple[Ledger, ...]:
        """The ledgers whose amounts are entered with a result."""
        return tuple(ledger for ledger in self.ledgers if ledger.entered)

    @property
    def table_total(self) -> int:
        """The points at the table, deposits included."""
        return self.players * self.setup.start

    @property
    def typed_from(self) -> int:
        """The points to be added to a typed final score: the starting score where scores are kept from 0."""
        return self.setup.start if self.entry.kept_from is KeptFrom.ZERO else 0

    def data(self) -> dict[str, Any]:
        """Return the values in the form of a ruleset file."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    def with_options(self, values: Mapping[str, object]) -> Ruleset:
        """Return the ruleset with these option values, itself if they change nothing; the others keep their defaults.

        The chosen values become the defaults of the result, so it can be narrowed again: first by the competition,
        then by the table. Raise OptionError with every value that is not allowed.
        """
        faults = tuple(self._refused(values))
        if faults:
            raise OptionError(faults)
        if not values:
            return self
        data = self.data()
        own = json.dumps(data)
        # All options are written, in the order of the file: two may set the same path, and the later one wins.
        for key, option in self.options.items():
            value = values.get(key, option.default)
            for path, setting in option.settings_of(value):
                put(data, path, setting)
            data["options"][key]["default"] = value
        text = json.dumps(data)
        if text == own:
            return self
        try:
            # Through JSON: strict validation takes enum members from their text only in that mode.
            return Ruleset.model_validate_json(text)
        except ValidationError as error:
            raise OptionError(faults_of(error, Ruleset, data, self.name)) from error

    def _refused(self, values: Mapping[str, object]) -> Iterator[Fault]:
        for key, value in values.items():
            if key not in self.options:
                known = ", ".join(self.options) or "none"
                message = f"no such option; the options are: {known}"
                yield Fault(self.name, f"options.{key}", value, message)
            elif refusal := self.options[key].refusal(value):
                yield Fault(self.name, f"options.{key}", value, refusal)

    def seat_order_matters(self, scores: tuple[int, ...], kyoutaku: int = 0) -> bool:
        """Return whether the order of seats from the first dealer can change anything for these scores."""
        tied = len(set(scores)) < len(scores)
        if self.settlement.placing.ties is Ties.BY_SEAT:
            return tied
        left, level = self.settlement.kyoutaku, scores.count(max(scores))
        if left is not None and kyoutaku > 0 and level > 1:
            is_shared = left.receiver is DepositReceiver.SHARED and kyoutaku % (level * self.entry.unit) == 0
            if left.receiver is not DepositReceiver.NOBODY and not is_shared:
                return True
        rounding = self.settlement.rounding
        odd = rounding is not None and rounding.policy is RoundingPolicy.ODD_TO_FIRST_SEATS
        return odd and tied
