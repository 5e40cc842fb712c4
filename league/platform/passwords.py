"""Password rules: a minimum and a maximum length, no common password, and no sequence or repetition.

There is no rule on which characters to use; a phrase of words is as good as any other password.
"""

from __future__ import annotations

from itertools import pairwise

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from rulesets.normalization import normalize

LONGEST = 128
LONGEST_BLOCK = 16
"""Most characters of a block whose repetition is recognized; bounds the work for an overlong password."""


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


class NotPredictable:
    """Password validator against sequences such as 123456789012 and repetitions such as abcabcabcabc.

    The list of common passwords holds few of twelve characters or more, so it misses these.
    """

    def validate(self, password: str, user: object = None) -> None:  # noqa: ARG002 - Django hands it over
        """Raise ValidationError for a sequence or a repeated block, in any case and any width of characters."""
        plain = normalize("NFKC", password).casefold()
        if is_sequence(plain) or is_repetition(plain):
            raise ValidationError(
                _("This password is a sequence or a repetition, such as 123456789012; choose several unrelated words."),
                code="password_predictable",
            )

    def get_help_text(self) -> str:
        """Return the rule as shown beside the password field."""
        return _("Not a sequence or a repetition, such as 123456789012 or abcabcabcabc.")


def is_sequence(text: str) -> bool:
    """Return True if each character follows the one before at the same distance; 0 follows 9."""
    circle = 10 if text.isdecimal() else 0x110000
    return len({(ord(after) - ord(before)) % circle for before, after in pairwise(text)}) <= 1


def is_repetition(text: str) -> bool:
    """Return True if a block of at most `LONGEST_BLOCK` characters fills the text twice or more."""
    longest = min(LONGEST_BLOCK, len(text) // 2)
    return any(text[length:] == text[:-length] for length in range(1, longest + 1))
