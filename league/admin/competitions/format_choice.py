"""The choice of a format for a new league: those that fit a number of players, evenings and tables first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from league.forms.competitions.formats import FormatFinderForm
from league.web.rulebooks.format_cards import FormatCard, card_of
from scoring.format import Format
from scoring.format.fit import proposed_formats


@dataclass(frozen=True, slots=True)
class FormatChoice:
    """The formats to choose from, those that fit the input of the form first."""

    form: FormatFinderForm
    fitting: list[FormatCard]
    nearby: list[FormatCard]
    """Formats that fit after a change."""
    open: list[FormatCard]
    """Formats for any number of players."""
    others: list[FormatCard]
    open_sizes: frozenset[str]
    """Names of the formats of open size, for which the next step takes over the number of players."""

    @property
    def tables(self) -> int | None:
        """Return the number of tables in the form, which the next step takes over."""
        return self.form.cleaned_data.get("tables") if self.form.is_valid() else None


def format_choice(formats: Sequence[tuple[str, Format]], query: QueryDict) -> FormatChoice:
    """Return the form with its input, the formats that fit it, and all others."""
    form = FormatFinderForm(query if "players" in query else None)
    proposals = proposed_formats(formats, form.wish()) if form.is_valid() else ()
    names = {proposal.name for proposal in proposals}
    fixed = [proposal for proposal in proposals if proposal.size.players is not None]
    return FormatChoice(
        form=form,
        fitting=[card_of(each.format, each.name, each) for each in fixed if each.is_exact],
        nearby=[card_of(each.format, each.name, each) for each in fixed if not each.is_exact],
        open=[card_of(each.format, each.name, each) for each in proposals if each not in fixed],
        others=[card_of(each, name) for name, each in formats if name not in names],
        open_sizes=frozenset(name for name, each in formats if each.bounds),
    )
