"""Template tags and filters for the shares of simulated seasons."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from django import template
from django.utils.safestring import SafeString

from league.wording.standings import odds

if TYPE_CHECKING:
    from scoring.odds.shares import Share

register = template.Library()
NONE = SafeString("–")

register.filter("share_text", odds.share_text)
register.filter("error_text", odds.error_text)


@register.simple_tag
def chance_bar(share: Share | None) -> SafeString:
    """Return a share in percent with its bar below it; a dash without one."""
    if not share:
        return NONE
    return SafeString(
        f'<span class="chance"><span class="num">{escape(odds.share_text(share))}</span><svg class="share"'
        ' viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="of"'
        f' width="100" height="6"/><rect class="is" width="{share.percent}" height="6"/></svg></span>'
    )
