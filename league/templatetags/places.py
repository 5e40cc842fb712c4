"""Tags about the places of a tier of a series: what decisions made during the term change."""

from __future__ import annotations

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString

from league.models import Block
from league.selectors.standings.place_changes import passed_entrants, place_changes
from league.templatetags.jantaku import LeagueContext
from league.wording.names import person_name
from league.wording.seasons.series_moves import change_text

register = template.Library()


@register.simple_tag(takes_context=True)
def places_changed(context: LeagueContext, block: Block) -> SafeString:
    """Return a list of what decisions change about the places of a block, with their reasons; empty without any."""
    changes = place_changes(context["reader"], block)
    people: dict[object, str] = {pk: person_name(row.player) for pk, row in passed_entrants(changes).items()}
    lines = "".join(f"<li>{escape(change_text(each, context['names'], people))}</li>" for each in changes)
    return SafeString(f'<ul class="quiet">{lines}</ul>' if lines else "")
