"""What a password may be: long enough, not longer than anybody types, and not one that many people use.

No rule says which characters it must have; a phrase of words is as good as any.
"""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

LONGEST = 128


class NotEndless:
    """Refuse what is longer than anybody types: reckoning its digest would cost more than a sign-in may."""

    def __init__(self, most: int = LONGEST) -> None:
        self.most = most

    def validate(self, password: str, user: Any = None) -> None:  # noqa: ARG002 - Django hands it over
        """Raise ValidationError for a password that is too long."""
        if len(password) > self.most:
            raise ValidationError(self.get_help_text(), code="password_too_long")

    def get_help_text(self) -> str:
        """The rule, for whoever chooses a password."""
        return _("At most %(most)s characters.") % {"most": self.most}
