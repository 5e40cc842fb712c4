"""Common parts of the models of formats: names in two languages, keys, citations, ranges and shares."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Self

from pydantic import BeforeValidator, Field, PlainSerializer, PlainValidator, model_validator

from scoring.ruleset.base import ClauseId, Count, Positive, SentenceError, Strict, Title
from scoring.sources import KEY, LARGEST

SENTENCES: Mapping[str, str] = {
    "no_share": 'a share is a fraction between 0 and 1 in quotes such as "1/3"',
    "falling_bounds": "least must not be greater than most, and most at most %(largest)s",
}
"""A sentence for each fault of a value: what is allowed instead."""

_SHARE = re.compile(r"(?P<above>[1-9]\d{0,2})/(?P<below>[1-9]\d{0,2})")


def _in_both_languages(value: object) -> object:
    return {"ja": value, "en": value} if isinstance(value, str) else value


Name = Annotated[Title, BeforeValidator(_in_both_languages)]
"""A title in both languages; a text alone, as in an organizer's own format, stands for both."""

Key = Annotated[str, Field(pattern=rf"^{KEY}$", max_length=40)]


def parse_share(value: object) -> Fraction:
    """Parse a share such as "1/3"; raise SentenceError unless it lies between 0 and 1."""
    if isinstance(value, Fraction):
        return value
    match = _SHARE.fullmatch(value) if isinstance(value, str) else None
    share = Fraction(int(match["above"]), int(match["below"])) if match else Fraction(0)
    if not 0 < share < 1:
        raise SentenceError(SENTENCES, "no_share")
    return share


Share = Annotated[Fraction, PlainValidator(parse_share), PlainSerializer(str)]
"""An exact share of a total or of a number of entrants, between 0 and 1."""


class Bounds(Strict):
    """The least and the most of something, both included."""

    least: Count
    most: Positive

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if not self.least <= self.most <= LARGEST:
            raise SentenceError(SENTENCES, "falling_bounds", largest=LARGEST)
        return self

    def __contains__(self, number: int) -> bool:
        """Return whether a number lies within the bounds."""
        return self.least <= number <= self.most


class Cited(Strict):
    """A rule with the clauses it comes from, or with a note where no rule book has a clause for it.

    Every format of the product has one of the two; an organizer's own format may leave out both.
    """

    clauses: tuple[ClauseId, ...] = ()
    note: Name | None = None


def fields_of(model: Strict) -> dict[str, object]:
    """Return the fields of a model by name, as they are; for a changed copy without anything cached in the old one."""
    return {name: getattr(model, name) for name in type(model).model_fields}


def numbers_text(numbers: Sequence[int], most: int = 10) -> str:
    """Write the first numbers of a list, and the last one if there are more."""
    shown = ", ".join(map(str, numbers[:most]))
    return shown if len(numbers) <= most else f"{shown}, ... {numbers[-1]}"
