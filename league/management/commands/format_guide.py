"""`manage.py format_guide`: write the guide to the ready formats and its pictures, which are committed."""

from __future__ import annotations

from pathlib import Path

from django.core.management.base import BaseCommand

from league.web.rulebooks.format_guide import PICTURES, guide_files

FOLDER = Path(__file__).resolve().parent.parent.parent.parent / "docs"


class Command(BaseCommand):
    """Write docs/formats.md, docs/formats.ja.md and docs/pictures/formats after a change of the ready formats."""

    help = "Write docs/formats.md, docs/formats.ja.md and their pictures after a ready format has changed."

    def handle(self, *args: object, **options: object) -> None:
        """Write the files, remove pictures of formats that no longer exist, and say so."""
        (FOLDER / PICTURES).mkdir(parents=True, exist_ok=True)
        files = {FOLDER / path: text for path, text in guide_files().items()}
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")
        for left in set((FOLDER / PICTURES).iterdir()) - set(files):
            left.unlink()
        self.stdout.write(f"{len(files)} files are written into {FOLDER}.")
