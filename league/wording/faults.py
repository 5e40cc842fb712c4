"""Sentences for the faults of rule files and formats, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.wording.formatting import language_of
from league.wording.names import title_in
from scoring.format import Format
from scoring.plan import PlanFault
from scoring.ruleset import Fault
from scoring.ruleset.base import Choices


def fault_text(fault: Fault) -> str:
    """Return what is allowed instead of the value found; a fault without a sentence of its own stays English."""
    if fault.parts and language_of() != "en":
        return " / ".join(map(fault_text, fault.parts))
    if not fault.sentence:
        return fault.message
    params = {name: _one_of(value) if isinstance(value, Choices) else value for name, value in fault.params.items()}
    return _(fault.sentence) % params


def _one_of(choices: Choices) -> str:
    """Return allowed values in the reader's language; in English as in the message."""
    return str(choices) if language_of() == "en" else _(", ").join(choices)


def plan_fault_text(found: PlanFault, league_format: Format) -> str:
    """Return what does not fit at a place of the format, with the titles of its block or stage."""
    titles = {stage.key: stage.title for stage in league_format.stages}
    titles |= {key: block.title for key, block in league_format.blocks.items()}
    where = title_in(titles[found.block]) if found.block in titles else found.block
    if found.slot is not None:
        where = _("%(block)s, place %(number)s") % {"block": where, "number": found.slot}
    text = fault_text(found.fault)
    for about in (found.fault.value, where):
        if about:
            text = _("%(about)s: %(fault)s") % {"about": about, "fault": text}
    return text
