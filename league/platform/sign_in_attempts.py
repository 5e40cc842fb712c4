"""What is noted of attempts to sign in, without what gives access.

An invitation is accepted at an address that is a key, and whoever signs in on the way to it carries that address along.
"""

from __future__ import annotations

from typing import Any

from axes.handlers.database import AxesDatabaseHandler

from league.platform.abuse_alerts import note_refused
from league.platform.masking import masked


class MaskedLists(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """The lists of django-axes, with keys hidden in the addresses they keep."""

    def user_login_failed(self, sender: Any, credentials: Any, request: Any = None, **kwargs: Any) -> None:
        """Note that a password was wrong."""
        hide_keys(request)
        note_refused("sign_in")
        super().user_login_failed(sender, credentials, request, **kwargs)

    def user_logged_in(self, sender: Any, request: Any, user: Any, **kwargs: Any) -> None:
        """Note that somebody signed in."""
        hide_keys(request)
        super().user_logged_in(sender, request, user, **kwargs)


def hide_keys(request: Any) -> None:
    """Where somebody signed in, as the lists may keep it."""
    if hasattr(request, "axes_path_info"):
        request.axes_path_info = masked(request.axes_path_info)
