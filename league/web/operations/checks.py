"""System checks of Django (`manage.py check`) for what an operator would notice late."""

from __future__ import annotations

from collections.abc import Sequence

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning, register  # noqa: A004 - Django's name

from league.web.card_image import japanese_font


@register
def check_card_font(app_configs: Sequence[AppConfig] | None, **_options: object) -> list[CheckMessage]:
    """Warn if the service is public and its link previews have no font for Japanese."""
    if not settings.BASE_URL or japanese_font():
        return []
    return [
        Warning(
            "No Japanese font is installed: the pictures of link previews are in English.",
            hint="Install fonts-noto-cjk (Debian), or set CARD_FONT to a TTF, OTF or TTC file.",
            id="league.W001",
        )
    ]
