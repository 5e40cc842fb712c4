"""Texts of the tulip bonus (flipping wall tiles after a win): modes, chips, remarks, and input problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from league.wording.live.tiles import tile_of
from league.wording.live.yaku import limit_name, yaku_name
from league.wording.messages import engine_sentence
from league.wording.rulebooks.ruleset_settings import AWARDS
from scoring.ruleset.chips import AwardEvent
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.tulip import ChipPayers, FlipMode, Remark, StackLevel, TulipProblem
from scoring.tulip.machine import COMPLETION, MATCHES, TIMES
from scoring.tulip.problems import SENTENCES as PROBLEMS
from scoring.tulip.remarks import SENTENCES as REMARKS

MODES: Mapping[FlipMode, str | Promise] = MappingProxyType(
    {
        FlipMode.NORMAL: pgettext_lazy("tulip", "normal"),
        FlipMode.KAKUHEN: pgettext_lazy("tulip", "kakuhen"),
        FlipMode.TOP: pgettext_lazy("tulip", "16R"),
    }
)
LEVELS: Mapping[StackLevel, str | Promise] = MappingProxyType(
    {
        StackLevel.UPPER: pgettext_lazy("tile of a stack", "upper"),
        StackLevel.LOWER: pgettext_lazy("tile of a stack", "lower"),
    }
)
PAYERS: Mapping[ChipPayers, str | Promise] = MappingProxyType(
    {
        ChipPayers.DISCARDER: pgettext_lazy("tulip", "from the discarder"),
        ChipPayers.EACH: pgettext_lazy("tulip", "from each opponent"),
    }
)
LINES: Mapping[str, str | Promise] = MappingProxyType(
    {
        MATCHES: pgettext_lazy("tulip", "Matches"),
        COMPLETION: pgettext_lazy("tulip", "Completed"),
        TIMES: pgettext_lazy("tulip", "16R, on everything"),
    }
)


def line_text(name: str) -> str:
    """Return the name of a component of the chips."""
    if name in LINES:
        return str(LINES[name])
    return str(AWARDS[AwardEvent(name)]) if name in set(AwardEvent) else yaku_name(YakuName(name))


def remark_text(remark: Remark) -> str:
    """Return a remark as a sentence."""
    return engine_sentence(REMARKS[remark.code], remark.params, _READERS)


def problem_text(problem: TulipProblem) -> str:
    """Explain why an input is impossible."""
    return engine_sentence(PROBLEMS[problem.code], problem.params, _READERS)


def _limit(name: str) -> str:
    return limit_name(LimitName(name))


def _limits(names: str) -> str:
    return _(", ").join(map(_limit, names.split(", ")))


_READERS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        **dict.fromkeys(("tile", "stands_for", "other_tile"), tile_of),
        "limit": _limit,
        "known": _limits,
        "yaku": lambda name: yaku_name(YakuName(name)),
    }
)
"""Translators of parameters: tiles, limits and yaku become their names."""
