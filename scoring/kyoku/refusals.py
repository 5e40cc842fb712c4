"""The reasons why an act or outcome is refused, as codes with sentences that players understand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from scoring.clause_lookup import clause_of
from scoring.ruleset import Ruleset

SENTENCES: Mapping[str, str] = {
    "game_over": "The game is over; nothing more can happen in it.",
    "seat_unknown": "Seat {seat} does not exist; the seats are 0 to {last}.",
    "seat_twice": "Seat {seat} is named twice.",
    "riichi_twice": "Seat {seat} is in riichi already.",
    "riichi_without_points": "Riichi needs {needs} points; seat {seat} has {score}.",
    "riichi_dead_hand": "Seat {seat} has lost the right to win and may not declare riichi.",
    "no_open_riichi": "This book has no open riichi.",
    "third_riichi_open": "The third riichi of a hand has to be open.",
    "not_in_riichi": "Seat {seat} is not in riichi.",
    "no_fines": "This book has no fines.",
    "no_dead_hands": "This book knows no loss of the right to win.",
    "offence_unknown": "The book lists no offence {offence}; it has {known}.",
    "offence_voids_hand": "The offence {offence} makes the hand void at once: enter a chonbo.",
    "offence_no_chonbo": "The offence {offence} is no chonbo: it costs {penalty}.",
    "offence_needs_riichi": "Only a player in riichi can commit {offence}, and seat {seat} is not in riichi. Enter the "
    "riichi first, or another offence.",
    "no_time_limit": "This book has no time limit. Where a referee ends the game, enter a ruling.",
    "time_called_twice": "Time was called already in this game.",
    "no_offences": "Under these rules no offence can be committed.",
    "no_winner": "No winner is named.",
    "no_offender": "No offender is named.",
    "winner_is_loser": "Seat {seat} cannot win on their own discard.",
    "second_ron": "Only one player wins on a discard: the next in turn after the discarder, seat {seat}.",
    "rons_draw_hand": "When {count} players call ron no player wins: the hand is drawn.",
    "no_call_stands": "None of the calls can be taken: every one of the wins is forbidden.",
    "winner_dead_hand": "Seat {seat} has lost the right to win in this hand.",
    "win_needs_riichi": "Seat {seat} took a riichi back and may win only after declaring it again.",
    "win_forbidden": "Seat {seat} may not take this win: {reasons}.",
    "han_missing": "A hand won like this has at least {least} han ({because}); {han} are given. Check the han.",
    "fu_missing": "A hand of {han} han needs its fu.",
    "fu_impossible": "No hand has {fu} fu. Check the fu.",
    "fu_not_by_ron": "No hand won on a discard has {fu} fu. Check the fu.",
    "fu_not_by_tsumo": "No hand won by self-draw has {fu} fu. Check the fu.",
    "fu_not_closed": "Only an opened hand won like this has {fu} fu. Check the fu, or whether the hand was opened.",
    "fu_not_open": "Only a closed hand won like this has {fu} fu. Check the fu, or whether the hand was opened.",
    "fu_needs_han": "A hand of {fu} fu won like this has at least {least} han ({because}); {han} are given. Check "
    "han and fu.",
    "han_too_many": "No hand of {fu} fu won like this has more than {most} han; {han} are given. Check han and fu.",
    "han_skipped": "No hand of {fu} fu won like this has {han} han; the nearest have {nearest}. Check han and fu.",
    "limit_too_low": "A hand won like this has at least {least} han ({because}), more than a {limit}. Check the value.",
    "limit_impossible": "No hand won like this is paid as a {limit}; it can be {limits}. Check the value.",
    "limit_uncapped": "No limit applies in the last hand, so {limit} is no value. Enter han and fu.",
    "capped_hand": "The limits apply to this hand; it is entered as one without limits. Leave that out.",
    "fu_fixed": "Every hand has {fixed} fu here; {fu} are given.",
    "limit_unknown": "This book has no {limit}; it has {known}.",
    "yakuman_negative": "A hand cannot have {yakuman} yakuman.",
    "yakuman_too_many": "A hand won like this has at most {most} yakuman; {yakuman} are given. Check the number.",
    "dora_count": "A hand won like this is paid for at most {most} dora; {count} are given. Check the number.",
    "points_missing": "A win brings points; none are given.",
    "points_not_multiple": "The payment {points} is no multiple of {unit}.",
    "points_impossible": "No hand won like this pays {points}, honba not counted; the nearest are {nearest}. Check the "
    "points.",
    "points_from_dealer": "The dealer pays nothing to themselves; {points} are given.",
    "no_liability": "Under these rules no player is liable for this.",
    "liable_is_winner": "Seat {seat} cannot be liable for their own hand.",
    "liable_without_yakuman": "Liability for {liable} yakuman, but the hand has {yakuman}.",
    "open_kan_by_tsumo": "Who fed an open kan is liable for a win on its replacement tile, which is a self-draw.",
    "forced_without_open_riichi": "Seat {seat} has no open riichi that a player could be forced to deal into.",
    "open_kan_closed_hand": "Seat {seat} won after an open kan, so the hand is open and not in riichi. Correct the "
    "hand, or leave the liability out.",
    "robbed_by_tsumo": "Seat {seat} drew the winning tile; only a tile of another player can be robbed. Enter a win by "
    "ron, or leave it out.",
    "robbed_and_forced": "Seat {seat} won on a robbed tile, which is no discard that a player could be forced to. "
    "Enter one of the two.",
    "open_riichi_not_forced": "The winning tile of the open riichi of seat {seat} was discarded without need: it is "
    "taken back and no player wins. Enter the offence {offence} of the discarder and play "
    "on; or enter that the discard was forced, or that the tile was robbed.",
    "riichi_open_hand": "Seat {seat} is in riichi, so the hand is closed; it is entered as open. Leave that out, or "
    "correct the riichi.",
    "prize_needs_riichi": "Seat {seat} is not in riichi and can have no prize for {event}. Enter the riichi, or leave "
    "the prize out.",
    "double_without_riichi": "Seat {seat} is not in riichi, so it was no double riichi. Enter the riichi, or leave it "
    "out.",
    "no_double_riichi": "This book does not play double riichi. Enter a riichi.",
    "no_prizes": "This book has no prizes.",
    "prize_unknown": "This book has no prize for {event}; it has {known}.",
    "prize_follows": "The prize for {event} follows from the value of the hand. Leave it out.",
    "prize_too_many": "A hand has at most {most} for {event}; {count} are given. Check the number.",
    "prize_negative": "A prize cannot be {amount}.",
    "tenpai_dead_hand": "Seat {seat} has lost the right to win and counts as not tenpai.",
    "tenpai_needs_riichi": "Seat {seat} took a riichi back and counts as not tenpai without declaring it again.",
    "four_riichi_end_hand": "All are in riichi: the hand was broken off.",
    "not_all_in_riichi": "Not all players are in riichi.",
    "abortive_not_played": "This book does not break a hand off for {kind}.",
    "no_nagashi": "This book pays nothing for terminals and honours only among one's discards.",
    "nagashi_in_riichi": "Seat {seat} is in riichi, which spoils it here.",
    "four_kans_do_not_stand": "Under these rules four kans have to be won like any hand.",
    "score_count": "There are {actual} scores; there must be {expected}.",
    "score_not_multiple": "The score {score} is no multiple of {unit}.",
    "deposits_after_win": "The scores leave {left} points on the table, but the winner takes all that lies there.",
    "deposits_after_draw": "The scores leave {left} points on the table; it must be {least} and whole stakes on top.",
    "amounts_sum": "The amounts for {ledger} add up to {actual}; what players pay one another adds up to 0.",
    "reason_missing": "A ruling needs its reason.",
    "clause_unknown": "The book has no clause {clause}.",
    "amount_not_positive": "An amount that moves must be more than 0; {amount} is given.",
    "move_to_self": "An amount has to move from one seat, or the table, to another.",
    "ledger_unknown": "There is no ledger {ledger} that moves at the table; there are {known}.",
    "deposits_missing": "There are only {deposits} points on the table.",
    "position_unknown": "There is no kyoku {round}{number} with {honba} honba in this game.",
}
"""The English sentence of each code; translations use the same codes and parameters."""


RESTS_ON: Mapping[str, str] = {
    **dict.fromkeys(("riichi_twice", "riichi_without_points", "no_open_riichi", "not_in_riichi"), "play.riichi"),
    **dict.fromkeys(
        ("third_riichi_open", "forced_without_open_riichi", "robbed_and_forced", "open_riichi_not_forced"),
        "play.riichi.open",
    ),
    **dict.fromkeys(("riichi_open_hand", "double_without_riichi"), "play.riichi"),
    "no_double_riichi": "play.riichi",
    **dict.fromkeys(("han_too_many", "han_skipped"), "play.value"),
    "prize_needs_riichi": "play.chips.rules",
    "robbed_by_tsumo": "play.win",
    **dict.fromkeys(("riichi_dead_hand", "winner_dead_hand", "tenpai_dead_hand"), "play.penalties.dead_hand"),
    **dict.fromkeys(("win_needs_riichi", "tenpai_needs_riichi"), "play.penalties.redeclare"),
    **dict.fromkeys(("second_ron", "rons_draw_hand"), "play.several_winners"),
    **dict.fromkeys(("win_forbidden", "no_call_stands"), "play.legality"),
    "han_missing": "play.win",
    **dict.fromkeys(
        (
            *("fu_missing", "fu_impossible", "fu_not_by_ron", "fu_not_by_tsumo", "fu_not_closed", "fu_not_open"),
            *("fu_needs_han", "fu_fixed"),
        ),
        "play.fu",
    ),
    **dict.fromkeys(
        ("limit_unknown", "limit_too_low", "limit_impossible", "limit_uncapped", "capped_hand", "yakuman_too_many"),
        "play.value",
    ),
    **dict.fromkeys(("points_not_multiple", "points_from_dealer", "points_impossible"), "play.payments"),
    **dict.fromkeys(
        ("no_liability", "liable_without_yakuman", "open_kan_by_tsumo", "open_kan_closed_hand"), "play.pao"
    ),
    **dict.fromkeys(("prize_unknown", "prize_follows", "prize_too_many", "prize_negative"), "play.chips.rules"),
    **dict.fromkeys(("four_riichi_end_hand", "abortive_not_played", "no_nagashi"), "play.draws"),
    "nagashi_in_riichi": "play.draws.nagashi",
    "four_kans_do_not_stand": "play.yaku_rules",
    "time_called_twice": "end.time",
    "score_count": "setup",
    "score_not_multiple": "entry",
    **dict.fromkeys(("deposits_after_win", "deposits_after_draw"), "settlement.kyoutaku"),
}
"""For each code, the table of the ruleset whose clause it rests on, if there is one."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason for a refusal."""

    code: str
    pointer: str = ""
    """The wrong part of the outcome: "loser", "wins/0/value/fu"."""
    params: Mapping[str, object] = field(default_factory=dict)
    clause: str = ""
    """The clause of the book that it rests on, if there is one."""

    def __str__(self) -> str:
        return SENTENCES[self.code].format_map(self.params)


class InvalidOutcomeError(ValueError):
    """Raised for a refused act or outcome; `refusals` holds all reasons."""

    def __init__(self, refusals: tuple[Refusal, ...]) -> None:
        super().__init__("\n".join(map(str, refusals)))
        self.refusals = refusals


Refusals = Iterator[Refusal]


def refusal(code: str, pointer: str = "", **params: object) -> Refusal:
    """Return a refusal with its parameters and no clause yet."""
    return Refusal(code, pointer, params)


def with_clauses(refusals: tuple[Refusal, ...], rules: Ruleset) -> tuple[Refusal, ...]:
    """Return the refusals with the clauses of this book."""
    return tuple(replace(each, clause=clause_of(each.code, each.params, rules, RESTS_ON)) for each in refusals)
