"""Form to bring logs of online games, and the choices made for them on the preview."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.files.pasted_logs import BroughtLog, split_pasted
from league.forms.fields import number_of
from league.forms.service import ServiceForm
from league.services.exchange.paifu_import import MOST_GAMES, GameChoice

LARGEST_LOG = 4_000_000
"""Most bytes read of one file, above any log of one game."""
LONGEST_PASTED = 2_000_000
MOST_SEATS = 4


class SeveralFilesInput(forms.ClearableFileInput):
    """File input for several files."""

    allow_multiple_selected = True


class SeveralFilesField(forms.FileField):
    """Several files at once."""

    widget = SeveralFilesInput

    @override
    def clean(self, data: object, initial: object = None) -> list[UploadedFile[bytes]]:
        """Return the files; without one an empty list."""
        files = data if isinstance(data, list | tuple) else [data]
        check = super().clean
        return [check(file, initial) for file in files if file]


class LogsForm(ServiceForm):
    """Logs as files or as pasted text."""

    logs_in_files = SeveralFilesField(
        label=gettext_lazy("Files"),
        required=False,
        help_text=gettext_lazy(
            "Logs of Tenhou (mjlog, or JSON of tenhou.net/6) and of Mahjong Soul (JSON). Up to 100 at once."
        ),
        widget=SeveralFilesInput(attrs={"accept": ".mjlog,.xml,.gz,.json,.txt"}),
    )
    pasted = forms.CharField(
        label=gettext_lazy("Or paste logs"),
        required=False,
        strip=False,
        max_length=LONGEST_PASTED,
        widget=forms.Textarea(attrs={"rows": 6, "cols": 80, "spellcheck": "false"}),
        help_text=gettext_lazy(
            "The text of a log, or links of tenhou.net/6 that have the log in them, one to a line. This service asks "
            "no game server: of other links download the log first."
        ),
    )

    def clean(self) -> dict[str, object]:
        """Require a log, and not too many."""
        typed = super().clean() or {}
        if self.errors:
            return typed
        count = len(typed.get("logs_in_files") or []) + len(split_pasted(str(typed.get("pasted", ""))))
        if not count:
            raise ValidationError(_("Choose files or paste a log."))
        if count > MOST_GAMES:
            raise ValidationError(_("Bring 1 to %(most)s logs at once.") % {"most": MOST_GAMES})
        return typed

    def logs(self) -> list[BroughtLog]:
        """Return the logs, files first. Of an oversized file only one byte over the limit is read."""
        return [*self._files(), *split_pasted(str(self.cleaned_data["pasted"]))]

    def _files(self) -> Iterator[BroughtLog]:
        for file in self.cleaned_data["logs_in_files"]:
            yield BroughtLog(file.name or "", bytes(file.read(LARGEST_LOG + 1)))


def choices_in(data: QueryDict, numbers: Sequence[int]) -> dict[int, GameChoice]:
    """Return the choices of a preview's form for those games that it had, by number."""
    return {number: choice_in(data, number) for number in numbers if f"game-{number}" in data}


def choice_in(data: QueryDict, number: int) -> GameChoice:
    """Return the choices for one game: people by seat as "entrant.player", the hanchan, or to leave it out."""
    seats = {}
    for seat in range(MOST_SEATS):
        entrant, _dot, player = data.get(f"seat-{number}-{seat}", "").partition(".")
        one, other = number_of(entrant), number_of(player)
        if one is not None and other is not None:
            seats[str(seat)] = (one, other)
    return GameChoice(seats, number_of(data.get(f"hanchan-{number}")), f"leave-{number}" in data)
