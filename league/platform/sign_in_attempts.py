"""Records of sign-in attempts (django-axes) without secrets in the stored URLs.

The URL of an invitation is itself a key, and a visitor who signs in on the way to accepting it carries that URL along.
"""

from __future__ import annotations

from axes.handlers.database import AxesDatabaseHandler

from league.platform.abuse_alerts import note_refused
from league.platform.masking import mask_text


class MaskedLists(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """The django-axes handler that stores attempts, with secrets in their URLs masked."""

    def user_login_failed(self, sender: object, credentials: object, request: object = None, **kwargs: object) -> None:
        """Record a failed sign-in."""
        hide_keys(request)
        note_refused("sign_in")
        super().user_login_failed(sender, credentials, request, **kwargs)

    def user_logged_in(self, sender: object, request: object, user: object, **kwargs: object) -> None:
        """Record a successful sign-in."""
        hide_keys(request)
        super().user_logged_in(sender, request, user, **kwargs)


def hide_keys(request: object) -> None:
    """Mask secrets in the URL that axes stores with an attempt."""
    if hasattr(request, "axes_path_info"):
        request.axes_path_info = mask_text(request.axes_path_info)
