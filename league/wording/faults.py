"""Sentences for the faults of rule files and formats, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _

from league.wording.formatting import language_of
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
