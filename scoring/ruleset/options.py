"""House options: choices that a rule book leaves to the house, and the values that each of them sets.

The engine does not know options. An option's value is written into the ruleset's own tables at the paths it names,
and the result is validated like any other ruleset.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Literal, Self, TypeGuard

from pydantic import AfterValidator, Field, JsonValue, model_validator

from scoring.ruleset.base import FaultsError, Ruled, Title, require_nonempty

ROOTS = ("ledgers", "setup", "entry", "end", "play", "settlement")
"""The tables that an option may change; not the ruleset's name, and no other option."""


def _path(path: str) -> str:
    root, *rest = path.split(".")
    if root not in ROOTS or not all(rest) or not rest:
        raise ValueError(f"must lead into one of {', '.join(ROOTS)}")
    return path


Path = Annotated[str, AfterValidator(_path)]
"""The path of a value in the ruleset, such as "settlement.uma.amounts"."""


class OptionError(FaultsError):
    """Raised for option values that the rule book does not allow, with all of them at once."""


class Scope(StrEnum):
    """The level at which an option's value is fixed."""

    COMPETITION = "competition"
    """For a whole competition, or a house."""
    TABLE = "table"
    """Agreed at each table; asked when its games are entered."""


class _Option(Ruled, ABC):
    """The common fields of all kinds of options."""

    title: Title
    scope: Scope
    sets: tuple[Path, ...] = ()
    """The paths to which the value itself is written."""
    default: object

    @model_validator(mode="after")
    def _default_allowed(self) -> Self:
        """Require a default that the option itself allows."""
        refusal = self.refusal(self.default)
        if refusal:
            raise ValueError(f"default {self.default!r}; {refusal}")
        return self

    @abstractmethod
    def refusal(self, value: object) -> str:
        """Return a text with the allowed values if this value is refused; else an empty text."""

    @abstractmethod
    def candidates(self) -> Iterator[JsonValue]:
        """Yield sample values, each of which must give a valid ruleset."""

    def settings_of(self, value: object) -> Iterator[tuple[str, object]]:
        """Yield each path with the value to write there."""
        for path in self.sets:
            yield path, value


class _Mapped(_Option):
    """An option each of whose values stands for a group of settings."""

    settings: dict[str, dict[Path, JsonValue]] = {}
    """For each value, the paths and values to write."""

    @property
    def names(self) -> tuple[str, ...]:
        """The option's values as keys of `settings`."""
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

    def settings_of(self, value: object) -> Iterator[tuple[str, object]]:
        """Yield each path with the value to write there, then the settings of this value."""
        yield from super().settings_of(value)
        yield from self.settings.get(_name(value), {}).items()


class Flag(_Mapped):
    """An option with the values true and false."""

    type: Literal["flag"]
    default: bool

    def refusal(self, value: object) -> str:
        """Allow true and false."""
        return "" if isinstance(value, bool) else "allowed: true, false"

    def candidates(self) -> Iterator[JsonValue]:
        """Yield both values."""
        yield from (False, True)


class Choice(_Mapped):
    """An option with one of several named or numbered values."""

    type: Literal["choice"]
    values: Annotated[tuple[str | int, ...], AfterValidator(require_nonempty)]
    default: str | int

    def refusal(self, value: object) -> str:
        """Allow the listed values."""
        # `True == 1` in Python: without the type test a boolean would pass for a number.
        known = any(value == each and type(value) is type(each) for each in self.values)
        return "" if known else f"allowed: {', '.join(map(repr, self.values))}"

    def candidates(self) -> Iterator[JsonValue]:
        """Yield each value."""
        yield from self.values


class Integer(_Option):
    """An option with a whole number within bounds."""

    type: Literal["integer"]
    minimum: int
    maximum: int
    step: Annotated[int, Field(gt=0)]
    default: int
    sets: Annotated[tuple[Path, ...], AfterValidator(require_nonempty)]

    def refusal(self, value: object) -> str:
        """Allow multiples of the step from the minimum to the maximum."""
        if _whole(value, self.minimum, self.maximum) and (value - self.minimum) % self.step == 0:
            return ""
        return f"allowed: {self.minimum} to {self.maximum} in steps of {self.step}"

    def candidates(self) -> Iterator[JsonValue]:
        """Yield the default, the minimum and the maximum."""
        yield from (self.default, self.minimum, self.maximum)


class Integers(_Option):
    """An option with a list of whole numbers, of fixed length, that add up to zero."""

    type: Literal["integers"]
    length: Annotated[int, Field(gt=0)]
    minimum: int
    maximum: int
    default: tuple[int, ...]
    sets: Annotated[tuple[Path, ...], AfterValidator(require_nonempty)]

    def refusal(self, value: object) -> str:
        """Allow lists of this length, within bounds, that add up to zero."""
        numbers = value if isinstance(value, list | tuple) else ()
        fits = len(numbers) == self.length and all(_whole(each, self.minimum, self.maximum) for each in numbers)
        if fits and sum(numbers) == 0:
            return ""
        return f"allowed: {self.length} whole numbers from {self.minimum} to {self.maximum} that add up to 0"

    def candidates(self) -> Iterator[JsonValue]:
        """Yield the default."""
        yield list(self.default)


class NumberTable(_Option):
    """An option with a number for each of some keys."""

    type: Literal["table"]
    keys: Annotated[tuple[str, ...], AfterValidator(require_nonempty)]
    optional_keys: tuple[str, ...]
    minimum: int
    maximum: int
    default: dict[str, int]
    sets: Annotated[tuple[Path, ...], AfterValidator(require_nonempty)]

    def refusal(self, value: object) -> str:
        """Allow a whole number within bounds for every key, and for optional keys."""
        table = value if isinstance(value, dict) else {}
        fits = set(self.keys) <= set(table) <= {*self.keys, *self.optional_keys}
        if fits and all(_whole(each, self.minimum, self.maximum) for each in table.values()):
            return ""
        also = f" (and {', '.join(self.optional_keys)})" if self.optional_keys else ""
        return f"allowed: a whole number from {self.minimum} to {self.maximum} for each of {', '.join(self.keys)}{also}"

    def candidates(self) -> Iterator[JsonValue]:
        """Yield the default."""
        yield dict(self.default)


class Subset(_Option):
    """An option with any of several names; `*` in a path stands for the name, and is set to true or false."""

    type: Literal["subset"]
    values: Annotated[tuple[str, ...], AfterValidator(require_nonempty)]
    default: tuple[str, ...]
    sets: Annotated[tuple[Path, ...], AfterValidator(require_nonempty)]

    def refusal(self, value: object) -> str:
        """Allow any selection without repetition."""
        chosen = value if isinstance(value, list | tuple) else (None,)
        if all(each in self.values for each in chosen) and len(set(chosen)) == len(chosen):
            return ""
        return f"allowed: any of {', '.join(self.values)}, each once"

    def candidates(self) -> Iterator[JsonValue]:
        """Yield the empty selection and the full one."""
        yield []
        yield list(self.values)

    def settings_of(self, value: object) -> Iterator[tuple[str, object]]:
        """Yield the path of every name, with True if it is chosen."""
        chosen = value if isinstance(value, list | tuple) else ()
        for name in self.values:
            for path in self.sets:
                yield path.replace("*", name), name in chosen


Option = Annotated[Flag | Choice | Integer | Integers | NumberTable | Subset, Field(discriminator="type")]


def _name(value: object) -> str:
    """Write a value in the spelling of a TOML key."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _whole(value: object, minimum: int, maximum: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and minimum <= value <= maximum
