"""Events at a table in the reader's words: kyoku, payments, offences, ends of games, refusals.

The engine identifies seats by number; the texts name the players who sit in them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from league.wording.formatting import score_text, whole_number
from league.wording.live.yaku import limit_name, yaku_name
from league.wording.messages import format_parameter, number
from league.wording.rulebooks.ruleset_settings import ABORTIVE, AWARDS
from league.wording.rulebooks.ruleset_values import VALUES
from scoring.hand.possible import BAZORO, WIN
from scoring.kyoku import TurnCode
from scoring.kyoku.refusals import SENTENCES, Refusal
from scoring.kyoku.state import Cause, EndCause, EndReason, State
from scoring.kyoku.turning import Turn
from scoring.legality import Test
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.end import RoundName
from scoring.ruleset.flow import AbortiveKind, Penalty
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName

Words = Mapping[str, str | Promise]
Seated = Sequence[str]
"""The display names of the players by seat, first dealer first."""

ROUNDS: Words = MappingProxyType(
    {
        RoundName.EAST: pgettext_lazy("round of a game", "East"),
        RoundName.SOUTH: pgettext_lazy("round of a game", "South"),
        RoundName.WEST: pgettext_lazy("round of a game", "West"),
        RoundName.RETURN_EAST: pgettext_lazy("round of a game", "East again"),
        RoundName.RETURN_SOUTH: pgettext_lazy("round of a game", "South again"),
    }
)

CAUSES: Words = MappingProxyType(
    {
        Cause.STAKE: pgettext_lazy("payment", "riichi stake"),
        Cause.FINE: pgettext_lazy("payment", "fine"),
        Cause.STAKE_RETURNED: pgettext_lazy("payment", "riichi stake given back"),
        Cause.FINE_RETURNED: pgettext_lazy("payment", "fine given back"),
        Cause.HAND: pgettext_lazy("payment", "hand"),
        Cause.CLOSED: pgettext_lazy("payment", "closed hand"),
        Cause.DORA: pgettext_lazy("payment", "dora"),
        Cause.HONBA: pgettext_lazy("payment", "honba"),
        Cause.DEPOSITS: pgettext_lazy("payment", "deposits"),
        Cause.NOTEN: pgettext_lazy("payment", "noten payment"),
        Cause.NAGASHI: pgettext_lazy("payment", "nagashi"),
        Cause.CHONBO: pgettext_lazy("payment", "chonbo"),
        Cause.PRIZE: pgettext_lazy("payment", "prize"),
        Cause.TOBI: pgettext_lazy("payment", "prize for taking a player out"),
        Cause.RULING: pgettext_lazy("payment", "ruling"),
        Cause.SCORES: pgettext_lazy("payment", "as the scores show"),
    }
)

PENALTIES: Words = MappingProxyType(
    {
        Penalty.CHONBO: VALUES["chonbo"],
        Penalty.DEAD_HAND: VALUES["dead_hand"],
        Penalty.FINE: VALUES["fine"],
        Penalty.FINE_AND_DEAD_HAND: VALUES["fine_and_dead_hand"],
        Penalty.DEAD_HAND_AND_CHONBO: pgettext_lazy("penalty", "dead hand at once, and a chonbo"),
        Penalty.NO_RON_ON_TILE: pgettext_lazy("penalty", "no ron on that tile"),
        Penalty.REDECLARE: pgettext_lazy("penalty", "no win without another riichi"),
        Penalty.FINE_AND_REDECLARE: pgettext_lazy("penalty", "fine, and no win without another riichi"),
    }
)

OFFENCES: Words = MappingProxyType(
    {
        "act_of_dead_hand": pgettext_lazy("offence", "acting with a dead hand"),
        "call_broken_off": pgettext_lazy("offence", "a call not carried out"),
        "call_reworded": pgettext_lazy("offence", "a call changed into another"),
        "call_taken_back": pgettext_lazy("offence", "a call taken back"),
        "closed_furiten_riichi": pgettext_lazy("offence", "furiten riichi with a hidden hand"),
        "dead_wait_riichi": pgettext_lazy("offence", "riichi on a wait with no tile left"),
        "early_draw": pgettext_lazy("offence", "drawing before one's turn"),
        "empty_call": pgettext_lazy("offence", "an empty call"),
        "false_nine_terminals": pgettext_lazy("offence", "nine terminals declared falsely"),
        "false_win_shown": pgettext_lazy("offence", "false win, hand shown"),
        "forbidden_win_called": pgettext_lazy("offence", "a forbidden win called"),
        "furiten_riichi": pgettext_lazy("offence", "furiten riichi"),
        "furiten_ron_shown": pgettext_lazy("offence", "ron in furiten, hand shown"),
        "hand_shown": pgettext_lazy("offence", "false win or hand shown"),
        "incomplete_win_called": pgettext_lazy("offence", "a win called on an incomplete hand"),
        "mistaken_call": pgettext_lazy("offence", "a mistaken call"),
        "mistaken_call_after_discard": pgettext_lazy("offence", "a mistaken call noticed after the discard"),
        "mistaken_call_taken_back": pgettext_lazy("offence", "a mistaken call taken back"),
        "nine_terminals_shown": pgettext_lazy("offence", "hand shown for nine terminals"),
        "noten_riichi": pgettext_lazy("offence", "riichi without tenpai"),
        "noten_riichi_withdrawn": pgettext_lazy("offence", "riichi without tenpai taken back"),
        "noten_riichi_withdrawn_after_call": pgettext_lazy("offence", "riichi without tenpai taken back late"),
        "open_riichi_tile_discarded": pgettext_lazy("offence", "discarding what an open riichi waits for"),
        "passed_win_in_riichi": pgettext_lazy("offence", "a win let go after riichi"),
        "play_made_impossible": pgettext_lazy("offence", "making play impossible"),
        "riichi_taken_back": pgettext_lazy("offence", "riichi taken back"),
        "ron_on_shown_tile": pgettext_lazy("offence", "ron on a tile shown before"),
        "ron_then_call": pgettext_lazy("offence", "ron called, then a call made"),
        "swap_call": pgettext_lazy("offence", "swap call"),
        "tile_shown": pgettext_lazy("offence", "a tile shown"),
        "too_few_tiles": pgettext_lazy("offence", "too few tiles"),
        "too_many_tiles": pgettext_lazy("offence", "too many tiles"),
        "two_calls": pgettext_lazy("offence", "two calls at once"),
        "wall_wrecked": pgettext_lazy("offence", "the wall wrecked"),
        "win_called_in_riichi": pgettext_lazy("offence", "false win called after riichi"),
        "win_called_only": pgettext_lazy("offence", "false win called, hand not shown"),
        "wrong_kan_after_riichi": pgettext_lazy("offence", "wrong kan after riichi"),
        "wrong_meld": pgettext_lazy("offence", "a wrong set laid out"),
        "wrong_tile_count": pgettext_lazy("offence", "wrong number of tiles"),
    }
)
"""Names of the rule books' offences, by key; an offence of an own ruleset is shown by its key."""

REASONS: Words = MappingProxyType(
    {
        BAZORO: gettext_lazy("given to every hand"),
        WIN: gettext_lazy("a win needs a yaku"),
    }
)
"""Names of han sources that are neither yaku nor dora."""

TESTS: Words = MappingProxyType(
    {
        Test.BUST_WITHOUT_RISING: gettext_lazy("takes a player out and stays sunk"),
        Test.SINK_WITHOUT_RISING: gettext_lazy("sinks a player and stays sunk"),
        Test.BUST_WITHOUT_TOP: gettext_lazy("takes a player out without being top"),
        Test.C_TOP: gettext_lazy("ends the game with three players floating"),
    }
)
"""Names of the effects of a win that a rule book may forbid."""


def round_text(state: State) -> str:
    """Return the name of the current kyoku: 東3局, East 3."""
    return kyoku_text(state.round, state.number)


def kyoku_text(round_name: RoundName, count: int) -> str:
    """Return the name of a kyoku, given its round and number."""
    return pgettext("kyoku", "%(round)s %(number)s") % {"round": ROUNDS[round_name], "number": count}


def honba_text(count: int) -> str:
    """Return the number of honba as text: 2本場, 2 honba."""
    return pgettext("kyoku", "%(count)s honba") % {"count": count}


def table_text(state: State) -> str:
    """Return the current kyoku with its honba."""
    said = {"kyoku": round_text(state), "honba": honba_text(state.honba)}
    return pgettext("kyoku", "%(kyoku)s, %(honba)s") % said


def open_sheet_text(state: State) -> str:
    """Return the warning that an open score sheet exists, which a typed result would replace."""
    if state.is_over:
        return _(
            "The score sheet of this hanchan is finished, but not handed in. Hand it in there, or accept this if the "
            "result you type is the right one."
        )
    return _(
        "The score sheet of this hanchan is in progress: %(kyoku)s. Once this result counts, nothing more is recorded "
        "there. Accept this if the hanchan is over."
    ) % {"kyoku": table_text(state)}


def hands_before_text(state: State) -> str:
    """Return the note shown beside the hands of a score sheet whose hanchan has a typed result."""
    if state.is_over:
        return _("The hands recorded on the score sheet are kept. The result was not made from them.")
    return _("The hands recorded on the score sheet end before the result, at %(kyoku)s.") % {
        "kyoku": table_text(state)
    }


def offence_name(key: str) -> str:
    """Return the name of an offence, or its key if it is an own ruleset's."""
    return str(OFFENCES.get(key, key))


def award_name(event: str) -> str:
    """Return the event or yaku for which a prize is paid; empty for an unknown key."""
    if event in set(AwardEvent):
        return str(AWARDS[event])
    return yaku_name(YakuName(event)) if event in set(YakuName) else ""


def reason_name(key: str) -> str:
    """Return the name of a han source: a yaku, a prize whose tiles are dora, or one given by the rules."""
    if key in REASONS:
        return str(REASONS[key])
    return award_name(key) or key


def join_names(names: Sequence[object]) -> str:
    """Join several names into one text."""
    return _(", ").join(map(str, names))


def seats_text(seats: Sequence[int], seated: Seated) -> str:
    """Join the names of the players in several seats into one text."""
    return join_names([seated[seat] for seat in seats])


def end_text(end: EndCause, seated: Seated) -> str:
    """Explain as a sentence why the game is over."""
    return ENDS[end.reason](end.params, seated)


def _seats(params: Mapping[str, object]) -> Sequence[int]:
    """Return the seats among the parameters of a sentence. Raise TypeError if they are none."""
    seats = params["seats"]
    if not isinstance(seats, list | tuple):
        raise TypeError(f"seats must be a sequence, not {seats!r}")
    return seats


ENDS: Mapping[EndReason, Callable[[Mapping[str, object], Seated], str]] = {
    EndReason.YAKUMAN: lambda p, names: (
        _("A yakuman by %(name)s ends the game at once.") % {"name": names[whole_number(p, "seat")]}
    ),
    EndReason.BUST: lambda p, names: _("%(names)s went out.") % {"names": seats_text(_seats(p), names)},
    EndReason.TARGET: lambda p, _names: (
        _("A player has reached %(score)s.") % {"score": score_text(whole_number(p, "score"))}
    ),
    EndReason.SUDDEN_DEATH: lambda p, _names: (
        _("A hand of the extension has left a player with %(score)s or more.")
        % {"score": score_text(whole_number(p, "score"))}
    ),
    EndReason.AGARI_YAME: lambda _p, _names: _("The dealer of the last hand won and ends the game."),
    EndReason.TENPAI_YAME: lambda _p, _names: _("The dealer of the last hand was tenpai and ends the game."),
    EndReason.LAST_HAND: lambda _p, _names: _("The last hand is over."),
    EndReason.EXTENSION_END: lambda _p, _names: _("The last hand of the extension is over."),
    EndReason.TIME: lambda _p, _names: _("Time is up, and the last hand is over."),
    EndReason.OFFENCE: lambda _p, _names: _("A chonbo ends the game; the scores before the hand count."),
    EndReason.RULING: lambda p, _names: _("Ended by ruling: %(reason)s") % {"reason": p["reason"]},
}


def turn_text(turn: Turn, seated: Seated) -> str:
    """Explain as a sentence how the rules treated an event, such as two calls of ron."""
    return TURNS[turn.code](turn.params, seated)


TURNS: Mapping[TurnCode, Callable[[Mapping[str, object], Seated], str]] = {
    TurnCode.HEAD_BUMP: lambda p, names: (
        _("%(name)s is next in turn after the discarder and wins alone.") % {"name": names[whole_number(p, "seat")]}
    ),
    TurnCode.FORBIDDEN_PASSED_ON: lambda p, names: (
        _("%(name)s may not take this win; the next caller does.") % {"name": names[whole_number(p, "seat")]}
    ),
    TurnCode.RONS_DRAW: lambda p, _names: _("With %(count)s calls of ron the hand is drawn.") % dict(p),
    TurnCode.CHONBO_AT_DRAW: lambda p, names: (
        _("The draw brings it to light: %(offence)s (%(names)s). The hand becomes a chonbo.")
        % {"offence": offence_name(str(p["offence"])), "names": seats_text(_seats(p), names)}
    ),
    TurnCode.FOUR_KANS: lambda p, names: (
        _("The four kans of %(name)s stand and are paid as a yakuman.") % {"name": names[whole_number(p, "seat")]}
    ),
    TurnCode.FORCED_YAKUMAN: lambda _p, _names: _("Forced to deal into an open riichi: paid as a yakuman."),
}

NAMED: Mapping[str, Callable[[str], str]] = {
    "offence": offence_name,
    "penalty": lambda key: str(PENALTIES.get(key, key)),
    "kind": lambda key: str(ABORTIVE.get(key, key)),
    "event": award_name,
    "limit": lambda key: limit_name(LimitName(key)) if key in set(LimitName) else key,
    "limits": lambda keys: join_names([limit_name(LimitName(key)) for key in keys.split(", ")]),
    "because": lambda keys: join_names([reason_name(key) for key in keys.split(", ") if key]),
    "reasons": lambda keys: join_names([TESTS.get(key, key) for key in keys.split(", ")]),
    "round": lambda key: str(ROUNDS.get(key, key)),
}
"""Translators of refusal parameters whose values are keys of the engine."""

SEAT_FORMS = ("Seat {seat}", "seat {seat}", "席{seat}")
"""The spellings of a numbered seat in the engine's sentences and their translations."""


def refusal_text(refusal: Refusal, seated: Seated) -> str:
    """Return the reason why the engine refused an event, with players by name."""
    sentence, params = _(SENTENCES[refusal.code]), dict(refusal.params)
    seat = params.get("seat")
    if isinstance(seat, int) and 0 <= seat < len(seated):
        # A sentence says "seat 2": the whole phrase is replaced, or it would read "seat Tanaka".
        for form in SEAT_FORMS:
            sentence = sentence.replace(form, "{seat}")
        params["seat"] = seated[seat]
    return sentence.format_map({name: _param(name, value) for name, value in params.items()})


def _param(name: str, value: object) -> object:
    return NAMED[name](value) if name in NAMED and isinstance(value, str) else format_parameter(value)


def abortive_name(kind: AbortiveKind) -> str:
    """Return the name of an abortive draw."""
    return str(ABORTIVE[kind])


def change_text(amount: int) -> str:
    """Format a gain or a loss of points with its sign."""
    return f"+{number(amount)}" if amount > 0 else score_text(amount)


def time_left_text(hands: int | None) -> str:
    """Return the hands that are still played once time was called, the running one included; empty before."""
    if hands is None:
        return ""
    return _("Time is up: the last hand") if hands == 1 else _("Time is up: one more hand after this one")
