"""`manage.py openapi`: write the API's OpenAPI document to docs/openapi.json, which is committed."""

from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand

from league.web.openapi_document import openapi

FILE = Path(__file__).resolve().parent.parent.parent.parent / "docs" / "openapi.json"


class Command(BaseCommand):
    """Write docs/openapi.json after a change of the API."""

    help = "Write docs/openapi.json after the API has changed."

    def handle(self, *args: object, **options: object) -> None:
        """Write the file and say so."""
        FILE.write_bytes(openapi())
        self.stdout.write(f"{FILE} is written.")
