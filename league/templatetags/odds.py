"""Shares of simulated seasons, as templates write them."""

from __future__ import annotations

from collections.abc import Mapping

from django import template

from league import odds_words
from league.selectors.odds import Share

register = template.Library()

register.filter("share_text", odds_words.share_text)
register.filter("error_text", odds_words.error_text)


@register.filter
def share_of(shares: Mapping[int, Share], entrant: int) -> Share | None:
    """The share of an entrant, if there is one."""
    return shares.get(entrant)
