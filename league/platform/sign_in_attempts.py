"""Records of sign-in attempts (django-axes) without secrets in the stored URLs.

The URL of an invitation is itself a key, and a visitor who signs in on the way to accepting it carries that URL along.
"""

from __future__ import annotations

from typing import Any

from axes.handlers.database import AxesDatabaseHandler

from league.platform.abuse_alerts import note_refused
from league.platform.masking import mask_text


class MaskedLists(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """The django-axes handler that stores attempts, with secrets in their URLs masked."""

    def user_login_failed(self, sender: Any, credentials: Any, request: Any = None, **kwargs: Any) -> None:
        """Record a failed sign-in."""
        hide_keys(request)
        note_refused("sign_in")
        super().user_login_failed(sender, credentials, request, **kwargs)

    def user_logged_in(self, sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
        """Record a successful sign-in."""
        hide_keys(request)
        super().user_logged_in(sender, request, user, **kwargs)


def hide_keys(request: Any) -> None:
    """Mask secrets in the URL that axes stores with an attempt."""
    if hasattr(request, "axes_path_info"):
        request.axes_path_info = mask_text(request.axes_path_info)
