"""One line of text for each entry of a table's log: the player, the event, and the value of the hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.wording.live.hands import han_text
from league.wording.live.live import Seated, abortive_name, offence_name, seats_text
from league.wording.live.yaku import limit_name
from league.wording.messages import number
from scoring.hanchan import Entry
from scoring.kyoku.outcomes import (
    AbortiveDraw,
    ChonboCalled,
    DeadHand,
    Draw,
    FourKansStand,
    Nagashi,
    Offended,
    Points,
    Riichi,
    RiichiWithdrawn,
    Ron,
    RonCalls,
    Ruling,
    ScoresOnly,
    TimeCalled,
    Tsumo,
    Win,
)
from scoring.ruleset.value import LimitName
from scoring.value import Worth

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


def entry_text(entry: Entry, seated: Seated) -> str:
    """Return a log entry as one line of text."""
    return TEXTS[type(entry)](entry, seated)


EVENTS: Mapping[str, StrPromise] = {
    "start": gettext_lazy("The game begins"),
    "options": gettext_lazy("Options of the table"),
    "undo": gettext_lazy("Undone"),
    "redo": gettext_lazy("Done again"),
    "edit": gettext_lazy("Corrected: %(entry)s"),
    "remove": gettext_lazy("An entry removed"),
}
"""Labels of the events of a log that are not an entry by themselves, by kind."""


def event_text(kind: str, entry: Entry | None, seated: Seated) -> str:
    """Return an event of a log as one line of text; `entry` is the entry that it adds or puts in another's place."""
    text = entry_text(entry, seated) if entry else ""
    return str(EVENTS[kind]) % {"entry": text} if kind in EVENTS else text


def value_text(value: Worth | Points) -> str:
    """Return the value of a hand as text: "3 han 40 fu", a limit, yakuman, or the points paid."""
    if isinstance(value, Points):
        return _("%(points)s points") % {"points": _paid(value)}
    if value.yakuman > 1:
        return _("%(count)s yakuman") % {"count": value.yakuman}
    if value.yakuman:
        return limit_name(LimitName.YAKUMAN)
    if value.limit is not None:
        return limit_name(value.limit)
    if not value.fu:
        return han_text(value.han)
    return _("%(han)s han %(fu)s fu") % {"han": value.han, "fu": value.fu}


def _paid(value: Points) -> str:
    """Return the points paid: one amount for ron, else "other/dealer" as for tsumo."""
    amounts = (value.ron,) if value.ron else (value.from_other, value.from_dealer)
    return "/".join(number(each) for each in amounts if each)


def win_text(win: Win, seated: Seated) -> str:
    """Return the winner's name and the value of the hand."""
    return _("%(name)s %(value)s") % {"name": seated[win.seat], "value": value_text(win.value)}


def _wins(wins: Sequence[Win], seated: Seated) -> str:
    return _(", ").join(win_text(win, seated) for win in wins)


def _ron(entry: Ron, names: Seated) -> str:
    return _("Ron: %(wins)s, from %(loser)s") % {"wins": _wins(entry.wins, names), "loser": names[entry.loser]}


def _calls(entry: RonCalls, names: Seated) -> str:
    wins = _wins(entry.calls, names)
    return _("Ron called: %(wins)s, from %(loser)s") % {"wins": wins, "loser": names[entry.loser]}


def _tsumo(entry: Tsumo, names: Seated) -> str:
    return _("Tsumo: %(win)s") % {"win": win_text(entry.win, names)}


def _draw(entry: Draw, names: Seated) -> str:
    if not entry.tenpai:
        return _("Exhaustive draw, all noten")
    return _("Exhaustive draw, tenpai: %(names)s") % {"names": seats_text(entry.tenpai, names)}


def _nagashi(entry: Nagashi, names: Seated) -> str:
    return _("Terminals and honours only among the discards: %(names)s") % {"names": seats_text(entry.seats, names)}


def _abortive(entry: AbortiveDraw, _names: Seated) -> str:
    return _("Abortive draw: %(kind)s") % {"kind": abortive_name(entry.kind)}


def _chonbo(entry: ChonboCalled, names: Seated) -> str:
    who = seats_text(entry.offenders, names)
    if not entry.offence:
        return _("Chonbo: %(names)s") % {"names": who}
    return _("Chonbo: %(names)s, %(offence)s") % {"names": who, "offence": offence_name(entry.offence)}


def _riichi(entry: Riichi, names: Seated) -> str:
    text = _("Open riichi: %(name)s") if entry.open else _("Riichi: %(name)s")
    return text % {"name": names[entry.seat]}


def _offended(entry: Offended, names: Seated) -> str:
    return _("Offence: %(name)s, %(offence)s") % {"name": names[entry.seat], "offence": offence_name(entry.offence)}


TEXTS: Mapping[type[Any], Callable[[Any, Seated], str]] = {
    Riichi: _riichi,
    Offended: _offended,
    RiichiWithdrawn: lambda entry, names: _("Riichi taken back: %(name)s") % {"name": names[entry.seat]},
    TimeCalled: lambda _entry, _names: _("Time called"),
    DeadHand: lambda entry, names: _("No win any more: %(name)s") % {"name": names[entry.seat]},
    Ron: _ron,
    RonCalls: _calls,
    Tsumo: _tsumo,
    FourKansStand: lambda entry, names: _("Four kans: %(name)s") % {"name": names[entry.seat]},
    Draw: _draw,
    Nagashi: _nagashi,
    AbortiveDraw: _abortive,
    ChonboCalled: _chonbo,
    ScoresOnly: lambda _entry, _names: _("Scores as the table shows them"),
    Ruling: lambda entry, _names: _("Ruling: %(reason)s") % {"reason": entry.reason},
}
