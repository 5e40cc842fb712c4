"""Write the API's OpenAPI document to the file that is committed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from league.web.openapi_document import openapi

FILE = Path(__file__).resolve().parent.parent.parent.parent / "docs" / "openapi.json"


class Command(BaseCommand):
    """Write docs/openapi.json anew after the API has changed."""

    help = "Write docs/openapi.json anew after the API has changed."

    def handle(self, *args: Any, **options: Any) -> None:
        """One file, one sentence."""
        FILE.write_bytes(openapi())
        self.stdout.write(f"{FILE} is written.")
