"""Names of the stages that a table has reached in a round."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

STAGES: Mapping[str, Promise] = MappingProxyType(
    {
        "unseated": gettext_lazy("not paired yet"),
        "seated": gettext_lazy("not begun"),
        "playing": gettext_lazy("playing"),
        "overdue": gettext_lazy("time over"),
        "waiting": gettext_lazy("awaiting confirmation"),
        "done": gettext_lazy("result in"),
    }
)


def stage_label(stage: str) -> str:
    """Return the name of a table's stage."""
    return str(STAGES[stage])
