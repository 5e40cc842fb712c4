"""The offer to pass on a published competition: address, QR code, a text to post, and what comes next."""

from __future__ import annotations

from django import template
from django.template.context import RequestContext
from django.urls import reverse

from league.models import Competition
from league.platform.site_url import absolute_url
from league.selectors.competitions.opening_posts import next_table, opening_posts

register = template.Library()


@register.inclusion_tag("admin/league/includes/share.html", takes_context=True)
def share(context: RequestContext, competition: Competition, *, has_next: bool = False) -> dict[str, object]:
    """Render the offer, with the next session if wanted; nothing for a competition that the public may not read."""
    if not competition.is_readable_by_public:
        return {}
    address = absolute_url("pages:home", competition.slug, request=context["request"])
    table = next_table(competition) if has_next else None
    return {
        "address": address,
        "broadcast": reverse("pages:share", args=[competition.slug]),
        "bulletins": opening_posts(competition, address),
        "session": table.session if table else None,
        "starts_at": table.starts_at if table else None,
    }
