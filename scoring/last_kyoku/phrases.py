"""English sentences of an answer's phrases, and the rendering of a phrase.

A phrase is a code with its parts; parts may be phrases, seats and entrants. The engine renders English; other
languages supply sentences for the same codes and render them in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce

from scoring.standings import Entrant

SENTENCES: Mapping[str, str] = {
    "safe": "nothing is needed: it is safe whatever happens",
    "safe_if_over": "nothing is needed if the game ends with this hand",
    "any_win": "any win will do",
    "goes_on": "after a win the game goes on",
    "some_go_on": "not with one hand, but after some wins the game goes on",
    "not_with_one_hand": "not with one hand",
    "barred": "no win is allowed in this hand",
    "tsumo": "tsumo {hands}",
    "ron": "ron {hands}",
    "direct": "direct hit {hands}",
    "from_others": "from the others {hands}",
    "from_seat": "from {name} {hands}",
    "ways": "{one}, {other}",
    "anything": "with anything",
    "only": "exactly {hand}",
    "to": "{first} to {last}",
    "except": "{hands} (but not {gaps})",
    "gaps": "{one} or {other}",
    "stopping": "{ways}, ending the game as dealer where it would go on",
    "others_go_on": "{ways}; after other wins the game goes on",
    "mangan": "mangan",
    "haneman": "haneman",
    "baiman": "baiman",
    "sanbaiman": "sanbaiman",
    "kazoe": "counted yakuman",
    "yakuman": "yakuman",
    "double_yakuman": "double yakuman",
    "triple_yakuman": "triple yakuman",
    "many_yakuman": "{count} yakuman",
    "han_fu": "{fu} fu {han} han",
    "han": "{han} han",
    "closed": "{hand}, closed",
    "dora": "{hand}, {count} dora",
    "named": "{points} ({hand})",
    "each": "{points} from each",
    "split": "{from_other}-{from_dealer}",
    "draw_any": "any draw will do",
    "draw_never": "no draw will do",
    "draw_if_tenpai": "at a draw if {name} is tenpai",
    "draw_if_noten": "at a draw if {name} is not tenpai",
    "draw_own_tenpai": "at a draw if tenpai",
    "draw_own_noten": "at a draw if not tenpai",
    "draw_with": "at a draw with {patterns}",
    "draw_without": "at any draw but with {patterns}",
    "draw_depends": "at a draw depending on who is tenpai",
    "goes_on_any": "after a draw the game goes on",
    "goes_on_if_tenpai": "after a draw with {name} tenpai the game goes on",
    "goes_on_if_noten": "after a draw with {name} not tenpai the game goes on",
    "goes_on_own_tenpai": "after a draw the game goes on if tenpai",
    "goes_on_own_noten": "after a draw the game goes on if not tenpai",
    "goes_on_with": "after a draw with {patterns} the game goes on",
    "goes_on_without": "after any draw but with {patterns} the game goes on",
    "goes_on_depends": "after some draws the game goes on",
    "all_tenpai": "all tenpai",
    "all_noten": "no player tenpai",
    "alone_tenpai": "{name} alone tenpai",
    "together_tenpai": "{names} tenpai",
    "names": "{one} and {other}",
    "patterns": "{one}; {other}",
    "lost_if": "lost if {name} wins: {ways}",
    "lost_if_any": "lost if {name} wins at all",
    "kept_if": "kept whatever {name} wins",
    "waiting": "depends on results still to come: {names}",
    "goal_win": "to win the game",
    "goal_place": "to be {place} or better",
    "goal_not_last": "not to be last",
    "goal_float": "to have {line} or more",
    "goal_floating_place": "to be {place} or better with {line} or more",
    "goal_top_A": "to be the top and alone above the line",
    "goal_top_B": "to be the top with no more than one other above the line",
    "goal_top_C": "to be the top with at least one player below the line",
    "goal_place_line": "to be {own} with {line} or more",
    "goal_place_line_missed": "to be {own} with {place} below {line}",
    "goal_not_out": "not to go out",
    "goal_advance": "to be among the first {places} of the block",
}
"""The sentence of each code; translations use the same codes and parts."""


@dataclass(frozen=True, slots=True)
class SeatName:
    """Reference to a seat, rendered as its player's name."""

    seat: int


@dataclass(frozen=True, slots=True)
class EntrantName:
    """Reference to an entrant, rendered as the entrant's name."""

    entrant: Entrant


@dataclass(frozen=True, slots=True)
class PlaceName:
    """A place, rendered in the ordinal form of the language."""

    place: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase, given by its code and parts."""

    code: str
    parts: Mapping[str, Part] = field(default_factory=dict)


Part = Phrase | SeatName | EntrantName | PlaceName | int


@dataclass(frozen=True, slots=True)
class Speaker:
    """Rendering context: a language's sentences, and functions for names and places."""

    sentence: Callable[[str], str]
    """Returns the sentence of a code."""
    seat: Callable[[int], str]
    entrant: Callable[[Entrant], str]
    place: Callable[[int], str]

    def say(self, part: Part) -> str:
        """Render a phrase, a name, or a number with thousands separators as text."""
        match part:
            case Phrase(code, parts):
                return self.sentence(code).format_map({name: self.say(each) for name, each in parts.items()})
            case SeatName(seat):
                return self.seat(seat)
            case EntrantName(entrant):
                return self.entrant(entrant)
            case PlaceName(place):
                return self.place(place)
            case _:
                return f"{part:,}"


ENGLISH = Speaker(
    sentence=SENTENCES.__getitem__,
    seat=lambda seat: f"seat {seat}",
    entrant=str,
    place=lambda place: f"number {place}",
)
"""The engine's own language."""


def join_phrases(code: str, parts: Iterable[Part]) -> Part:
    """Chain several parts with a phrase of this code; a single part is returned as it is."""
    return reduce(lambda one, other: Phrase(code, {"one": one, "other": other}), parts)
