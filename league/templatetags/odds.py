"""Shares of simulated seasons, as templates write them."""

from __future__ import annotations

from django import template

from league import odds_words

register = template.Library()

register.filter("share_text", odds_words.share_text)
register.filter("error_text", odds_words.error_text)
