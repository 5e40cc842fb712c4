"""Filters of a player's card."""

from __future__ import annotations

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString

from league.wording.formatting import rank_text
from scoring.conditions import Says

FIGURE = re.compile(r"\d{1,3}(?:,\d{3})+|\d{3,}")
"""A margin or a score; places and ranks are shorter."""
CLASSES = {Says.ENOUGH: "ok", Says.OUT: "no"}

register = template.Library()


@register.filter
def rank_unit(rank: int) -> str:
    """Return what follows the figure of a rank: 位, or nd."""
    return rank_text(rank).removeprefix(str(rank))


@register.filter
def bold_figures(text: str) -> SafeString:
    """Return a text with its margins and scores in bold."""
    return SafeString(FIGURE.sub(r"<b>\g<0></b>", escape(text)))


@register.filter
def need_class(says: Says) -> str:
    """Return the class of a row of conditions: enough, out of reach, or nothing."""
    return CLASSES.get(says, "")
