"""Template filters for the shares of simulated seasons."""

from __future__ import annotations

from django import template

from league.wording import odds

register = template.Library()

register.filter("share_text", odds.share_text)
register.filter("error_text", odds.error_text)
