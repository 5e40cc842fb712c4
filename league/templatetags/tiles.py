"""Template tags that draw tiles from one SVG sprite.

`{% tile "5p" %}` is one tile with its name, `{% tile "back" %}` one face down; `{% tile "1z" "turned" %}` lies on its
side, `{% tile "1z" silent=True %}` is hidden from screen readers where its name is written beside it. `{% tiles
"123m0p55z" %}` is a row. Tiles are written in the engine's notation. A page with tiles loads `league/tiles/tiles.css`.
"""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from league.wording.live.tiles import TILE_CODES, name_of
from scoring.hand.tiles import NAME, Tile, parse_tiles

register = template.Library()

_SILENT = SafeString('aria-hidden="true"')


@register.simple_tag
def tile(code: str, look: str = "", *, silent: bool = False) -> SafeString:
    """Draw one tile; `look` adds CSS classes, `silent` hides it from screen readers."""
    if code not in TILE_CODES:
        raise template.TemplateSyntaxError(f"there is no tile {code!r}")
    said = _SILENT if silent else format_html('role="img" aria-label="{}"', name_of(code))
    return format_html(
        '<svg class="{}" viewBox="0 0 60 80" width="27" height="36" {}><use href="{}#t{}"/></svg>',
        f"tile-face {look}".strip(),
        said,
        static("league/tiles/tiles.svg"),
        code,
    )


@register.simple_tag
def tiles(hand: str | tuple[Tile, ...], *, silent: bool = False) -> SafeString:
    """Draw a row of tiles in the order given, from notation or from the engine's tile numbers; `silent` as above."""
    found = parse_tiles(hand) if isinstance(hand, str) else hand
    return format_html(
        '<span class="tile-row">{}</span>', format_html_join("", "{}", ((tile(NAME[t], silent=silent),) for t in found))
    )
