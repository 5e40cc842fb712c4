"""Management commands that speak English alone, as docs/operators.md and their own messages do."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import override
from typing_extensions import override as overrides


class EnglishCommand(BaseCommand):
    """A command whose errors, which services word in the active language, are in English like the rest of its text."""

    @overrides
    def execute(self, *args: Any, **options: Any) -> str | None:
        with override("en"):
            return super().execute(*args, **options)
