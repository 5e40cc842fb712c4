"""Password rules: a minimum and a maximum length, and no common password.

There is no rule on which characters to use; a phrase of words is as good as any other password.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

LONGEST = 128


class NotEndless:
    """Password validator with a maximum length: hashing an endless text would cost more CPU than a sign-in may."""

    def __init__(self, most: int = LONGEST) -> None:
        self.most = most

    def validate(self, password: str, user: object = None) -> None:  # noqa: ARG002 - Django hands it over
        """Raise ValidationError for a password that is too long."""
        if len(password) > self.most:
            raise ValidationError(self.get_help_text(), code="password_too_long")

    def get_help_text(self) -> str:
        """Return the rule as shown beside the password field."""
        return _("At most %(most)s characters.") % {"most": self.most}
