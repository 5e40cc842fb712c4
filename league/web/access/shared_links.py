"""Links that people pass on: as a QR code, and with a warning where other devices cannot open them."""

from __future__ import annotations

from io import BytesIO
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from league.platform.site_url import is_loopback, network_urls

QR_SCALE = 6


def qr_code(text: str) -> SafeString:
    """Return a text as an inline SVG QR code."""
    drawn = BytesIO()
    segno.make(text, error="m", micro=False).save(
        drawn, kind="svg", scale=QR_SCALE, xmldecl=False, svgns=False, dark="#000", light="#fff", omitsize=True
    )
    # Drawn here; the text is only in its modules.
    return SafeString(drawn.getvalue().decode())


def loopback_advice(url: str) -> str:
    """Return what to do about a link that opens on this machine only; empty if other devices can open it."""
    if not is_loopback(url):
        return ""
    values = {"host": urlsplit(url).netloc, "url": network_urls()[0]}
    if is_loopback(values["url"]) or settings.BASE_URL:
        text = _(
            "Phones cannot open %(host)s: it leads to this machine only. Start the service with HOST=0.0.0.0, or set"
            " BASE_URL to the address that people open; then take the link again."
        )
    else:
        text = _("Phones cannot open %(host)s: it leads to this machine only. Open %(url)s, then take the link again.")
    return text % values
