"""House options: what a rule book leaves to the house, and which of its values an option sets.

An option never reaches into the engine. Its value is written into the ruleset's own tables at the
paths the option names, and the result is validated like any other ruleset.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, JsonValue, model_validator

from scoring.ruleset.base import FaultsError, Ruled, Title, some

ROOTS = ("ledgers", "setup", "entry", "end", "play", "settlement")
"""The tables an option may reach into; not the ruleset's name, and no other option."""


def _path(path: str) -> str:
    root, *rest = path.split(".")
    if root not in ROOTS or not all(rest) or not rest:
        raise ValueError(f"must lead into one of {', '.join(ROOTS)}")
    return path


Path = Annotated[str, AfterValidator(_path)]
"""Where in the ruleset a value stands, such as "settlement.uma.amounts"."""


class OptionError(FaultsError):
    """Option values the rule book does not know, all of them at once."""


class Scope(StrEnum):
    """For what an option's value is fixed."""

    COMPETITION = "competition"
    """For a whole competition, or a house."""
    TABLE = "table"
    """Agreed at each table; asked when its games are entered."""


class _Option(Ruled, ABC):
    """What every kind of option has."""

    title: Title
    scope: Scope
    sets: tuple[Path, ...] = ()
    """The value itself is written to each of these."""
    default: Any

    @model_validator(mode="after")
    def _default_allowed(self) -> Self:
        """A default must be one of the values the option allows."""
        refusal = self.refusal(self.default)
        if refusal:
            raise ValueError(f"default {self.default!r}; {refusal}")
        return self

    @abstractmethod
    def refusal(self, value: object) -> str:
        """Return what is allowed, if the value is not; else nothing."""

    @abstractmethod
    def candidates(self) -> Iterator[JsonValue]:
        """Yield values whose settings must all give a valid ruleset."""

    def written(self, value: Any) -> Iterator[tuple[str, JsonValue]]:
        """Yield each path with what the value writes there."""
        for path in self.sets:
            yield path, value


class _Mapped(_Option):
    """An option whose values each stand for settings."""

    settings: dict[str, dict[Path, JsonValue]] = {}
    """For each value, what is written where."""

    @property
    def names(self) -> tuple[str, ...]:
        """The values as keys of `settings`."""
        return tuple(map(_name, self.candidates()))

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if not self.sets and not self.settings:
            raise ValueError("an option needs sets or settings")
        unknown = sorted(set(self.settings) - set(self.names))
        if unknown:
            allowed = ", ".join(self.names)
            raise ValueError(f"settings for {', '.join(unknown)}; the values are {allowed}")
        return self

    def written(self, value: Any) -> Iterator[tuple[str, JsonValue]]:
        """Yield each path with what the value writes there."""
        yield from super().written(value)
        yield from self.settings.get(_name(value), {}).items()


class Flag(_Mapped):
    """Yes or no."""

    type: Literal["flag"]
    default: bool

    def refusal(self, value: object) -> str:
        """True and false are allowed."""
        return "" if isinstance(value, bool) else "allowed: true, false"

    def candidates(self) -> Iterator[JsonValue]:
        """Both."""
        yield from (False, True)


class Choice(_Mapped):
    """One of several named or numbered values."""

    type: Literal["choice"]
    values: Annotated[tuple[str | int, ...], AfterValidator(some)]
    default: str | int

    def refusal(self, value: object) -> str:
        """The listed values are allowed."""
        known = any(value == each and type(value) is type(each) for each in self.values)
        return "" if known else f"allowed: {', '.join(map(repr, self.values))}"

    def candidates(self) -> Iterator[JsonValue]:
        """Each."""
        yield from self.values


class Integer(_Option):
    """A whole number within bounds."""

    type: Literal["integer"]
    minimum: int
    maximum: int
    step: Annotated[int, Field(gt=0)]
    default: int
    sets: Annotated[tuple[Path, ...], AfterValidator(some)]

    def refusal(self, value: object) -> str:
        """Multiples of the step from the least to the greatest are allowed."""
        if _whole(value, self.minimum, self.maximum) and (value - self.minimum) % self.step == 0:  # type: ignore[operator]
            return ""
        return f"allowed: {self.minimum} to {self.maximum} in steps of {self.step}"

    def candidates(self) -> Iterator[JsonValue]:
        """The default, the least and the greatest."""
        yield from (self.default, self.minimum, self.maximum)


class Integers(_Option):
    """A list of whole numbers of fixed length that add up to zero."""

    type: Literal["integers"]
    length: Annotated[int, Field(gt=0)]
    minimum: int
    maximum: int
    default: tuple[int, ...]
    sets: Annotated[tuple[Path, ...], AfterValidator(some)]

    def refusal(self, value: object) -> str:
        """So many numbers within bounds that add up to zero are allowed."""
        numbers = value if isinstance(value, list | tuple) else ()
        fits = len(numbers) == self.length and all(_whole(each, self.minimum, self.maximum) for each in numbers)
        if fits and sum(numbers) == 0:
            return ""
        return f"allowed: {self.length} whole numbers from {self.minimum} to {self.maximum} that add up to 0"

    def candidates(self) -> Iterator[JsonValue]:
        """The default."""
        yield list(self.default)


class Table(_Option):
    """A number for each of some keys."""

    type: Literal["table"]
    keys: Annotated[tuple[str, ...], AfterValidator(some)]
    optional_keys: tuple[str, ...]
    minimum: int
    maximum: int
    default: dict[str, int]
    sets: Annotated[tuple[Path, ...], AfterValidator(some)]

    def refusal(self, value: object) -> str:
        """A whole number within bounds for every key is allowed, and for the optional ones."""
        table = value if isinstance(value, dict) else {}
        fits = set(self.keys) <= set(table) <= {*self.keys, *self.optional_keys}
        if fits and all(_whole(each, self.minimum, self.maximum) for each in table.values()):
            return ""
        also = f" (and {', '.join(self.optional_keys)})" if self.optional_keys else ""
        return f"allowed: a whole number from {self.minimum} to {self.maximum} for each of {', '.join(self.keys)}{also}"

    def candidates(self) -> Iterator[JsonValue]:
        """The default."""
        yield dict(self.default)


class Subset(_Option):
    """Any of several names; `*` in a path stands for the name, and is set to true or false."""

    type: Literal["subset"]
    values: Annotated[tuple[str, ...], AfterValidator(some)]
    default: tuple[str, ...]
    sets: Annotated[tuple[Path, ...], AfterValidator(some)]

    def refusal(self, value: object) -> str:
        """Any selection without repetition is allowed."""
        chosen = value if isinstance(value, list | tuple) else (None,)
        if all(each in self.values for each in chosen) and len(set(chosen)) == len(chosen):
            return ""
        return f"allowed: any of {', '.join(self.values)}, each once"

    def candidates(self) -> Iterator[JsonValue]:
        """None and all."""
        yield []
        yield list(self.values)

    def written(self, value: Any) -> Iterator[tuple[str, JsonValue]]:
        """Yield for every name its path, and whether it is chosen."""
        for name in self.values:
            for path in self.sets:
                yield path.replace("*", name), name in value


Option = Annotated[Flag | Choice | Integer | Integers | Table | Subset, Field(discriminator="type")]


def _name(value: object) -> str:
    """Write a value as TOML spells it as a key."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _whole(value: object, minimum: int, maximum: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and minimum <= value <= maximum
