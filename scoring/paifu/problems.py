"""Refusals of a log: each names the kyoku, the value found, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from scoring.ruleset.end import RoundName

SENTENCES: Mapping[str, str] = {
    "empty": "The file is empty. Save the log again and choose that file.",
    "too_large": "The log has more than {most} bytes; no game needs that. Give each game in its own file.",
    "broken_gzip": "The file begins like a packed one, but cannot be unpacked. Save the log again.",
    "broken_text": "The file is no text. Save the log again, in UTF-8.",
    "unknown_format": "This is no log that can be read: it begins with “{found}”. Give an mjlog file, JSON of "
    "tenhou.net/6, or a record of Mahjong Soul as JSON.",
    "broken_xml": "The mjlog is damaged in line {line}: {why}. Save the log again.",
    "broken_json": "The JSON is damaged: {why}. Save the log again.",
    "too_deep": "The JSON is nested more deeply than any log. Save the log again.",
    "too_many": "The log has more parts than a game can have (more than {most}). Give each game in its own file.",
    "missing": "“{key}” is missing. Save the log again, complete.",
    "not_whole": "“{key}” must be a whole number from {least} to {most} (found {value}).",
    "not_text": "“{key}” must be text of at most {most} characters (found {value}).",
    "not_list": "“{key}” must be a list (found {value}).",
    "not_object": "“{key}” must be an object (found {value}).",
    "not_points": "“{key}” must be points with at most one decimal (found {value}).",
    "not_tile": "“{value}” is no tile.",
    "not_step": "“{value}” is no step of a hand.",
    "wrong_version": "The stored log has version {value}; this software reads {known}.",
    "not_stored": "The stored log cannot be read: {why}.",
    "players": "The log names {actual} players; a game has three or four.",
    "nameless": "The player of seat {seat} has no name.",
    "seats": "“{key}” must have one value for each of the {players} seats (found {actual}).",
    "no_hands": "The log has no hand. Give the log of a whole game.",
    "unfinished": "The hand has no end. Give the log of a finished game.",
    "after_end": "“{value}” follows although the hand is over.",
    "not_from_start": "The log begins here, not with the first hand of a game. Give the log of a whole game.",
    "unequal_start": "The players begin with different points: {scores}. Such a game cannot be taken.",
    "hands_out_of_order": "This hand cannot follow {before}. Give the log of a whole game, in order.",
    "scores_do_not_follow": "The scores at the beginning ({found}) are not those after the hand before ({expected}).",
    "sticks_do_not_follow": "{found} riichi sticks lie on the table; after the hand before there must be {expected}.",
    "points_lost": "The points on the table come to {found}; there must be {expected}.",
    "final_scores": "The final scores ({found}) do not follow from the last hand ({expected}, {sticks} sticks left).",
    "dealer": "Seat {seat} deals where seat {other} must. Save the log again.",
    "hand_size": "Seat {seat} has {actual} tiles where there must be {expected}.",
    "too_many_alike": "The hand shows {actual} of {tile}; there are four.",
    "not_in_hand": "Seat {seat} does not hold {tile} (step {step}).",
    "no_seat": "There is no seat {number} in a game of {players} players.",
    "not_the_turn": "It is not the turn of seat {seat} (step {step}).",
    "not_the_discard": "Seat {seat} calls {tile}, which is not the tile just discarded (step {step}).",
    "no_pon": "Seat {seat} has no pon of {tile} to add to (step {step}).",
    "no_such_call": "Seat {seat} cannot make this call: {tiles} (step {step}).",
    "riichi_twice": "Seat {seat} declares riichi again (step {step}).",
    "riichi_open": "Seat {seat} declares riichi with an open hand (step {step}).",
    "no_order": "The draws and discards of the seats do not fit together. Save the log again.",
    "result": "The end of the hand “{value}” is not known.",
    "winner": "Seat {seat} wins on {tile}, which was not played as the log says.",
    "winners_hand": "The winning hand of seat {seat} ({found}) is not the one it holds ({expected}).",
    "no_nagashi": "The log pays a nagashi mangan, but no seat has discarded terminals and honours alone.",
}
"""The English sentence of each code; translations use the same codes and parameters."""


SEATS = "ESWN"
"""The letters of the seats in sentences: the first dealer has E throughout the game."""
OF_SEATS = frozenset({"seat", "other"})
"""The parameters that are seats."""


class Position(NamedTuple):
    """A kyoku by its place in the game."""

    round: RoundName
    number: int
    honba: int

    def __str__(self) -> str:
        return f"{self.round.value}{self.number}-{self.honba}"


class PaifuError(ValueError):
    """Raised for a log that is refused: `code` and `params` say why, `kyoku` in which hand, if in one."""

    def __init__(self, code: str, kyoku: Position | None = None, **params: object) -> None:
        sentence = SENTENCES[code].format_map({key: shown_parameter(key, value) for key, value in params.items()})
        super().__init__(f"{kyoku}: {sentence}" if kyoku else sentence)
        self.code = code
        self.kyoku = kyoku
        self.params = params

    def at(self, kyoku: Position) -> PaifuError:
        """Return the same refusal with its kyoku."""
        return self if self.kyoku else PaifuError(self.code, kyoku, **self.params)


def shown_parameter(key: str, value: object) -> object:
    """Return a parameter as it stands in a sentence: seats as letters."""
    is_seat = key in OF_SEATS and isinstance(value, int) and 0 <= value < len(SEATS)
    return SEATS[value] if is_seat and isinstance(value, int) else value
