"""Sentences for the faults of rule files and formats, in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _

from scoring.ruleset import Fault


def fault_text(fault: Fault) -> str:
    """Return what is allowed instead of the value found; a fault without a sentence of its own stays English."""
    return _(fault.sentence) % fault.params if fault.sentence else fault.message
