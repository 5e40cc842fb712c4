"""Refusals of online logs, and differences between a log and our engine, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.wording.live.hands import no_win_text, problem_text, round_name
from league.wording.live.live import Seated, change_text, honba_text, kyoku_text, refusal_text
from league.wording.log_entries import value_text
from league.wording.messages import engine_sentence, wind_name
from scoring.hand import NoWin
from scoring.paifu.compare import SENTENCES as DIFFERENCES
from scoring.paifu.compare import Changes, Counted, Difference, Reason, Side
from scoring.paifu.problems import OF_SEATS, SENTENCES, PaifuError, Position, shown_parameter
from scoring.ruleset.end import RoundName
from scoring.value import Worth


def position_text(position: Position) -> str:
    """Return the name of a kyoku with its honba: 東2局1本場."""
    kyoku, honba = kyoku_text(position.round, position.number), honba_text(position.honba)
    return _("%(kyoku)s %(honba)s") % {"kyoku": kyoku, "honba": honba}


def paifu_refusal_text(error: PaifuError) -> str:
    """Return the reason why a log was refused, with its kyoku."""
    params = {key: _parameter(key, value) for key, value in error.params.items()}
    sentence = engine_sentence(SENTENCES[error.code], params)
    if error.kyoku is None:
        return sentence
    return _("%(kyoku)s: %(sentence)s") % {"kyoku": position_text(error.kyoku), "sentence": sentence}


def _parameter(key: str, value: object) -> object:
    if isinstance(value, Position):
        return position_text(value)
    shown = shown_parameter(key, value)
    return wind_name(shown) if key in OF_SEATS and isinstance(shown, str) else value


def difference_text(difference: Difference, seated: Seated) -> str:
    """Return a difference as a sentence; `seated` are the names of the players by seat."""
    ours = _side(difference.ours) if difference.why is None else _reason(difference.why, seated)
    sentence = engine_sentence(DIFFERENCES[difference.code], {"ours": ours, "theirs": _side(difference.theirs)})
    if difference.seat is None:
        return sentence
    return _("%(name)s: %(sentence)s") % {"name": seated[difference.seat], "sentence": sentence}


def _side(side: Side) -> str:
    if isinstance(side, Counted):
        return value_text(Worth(han=side.han, fu=side.fu, yakuman=side.yakuman))
    if isinstance(side, Changes):
        return _(", ").join(map(change_text, side.amounts))
    if isinstance(side, Position):
        return position_text(side)
    return round_name(side) if isinstance(side, RoundName) else ""


def _reason(why: Reason, seated: Seated) -> str:
    """Return the reason of a refusal, without the full stops of its sentences."""
    if isinstance(why, NoWin):
        told = [no_win_text(why)]
    elif isinstance(why, tuple):
        told = [refusal_text(each, seated) for each in why]
    else:
        told = [problem_text(each) for each in why.problems]
    return _("; ").join(each.rstrip(".。") for each in told)
