"""The choice of a format for a new league: formats that fit a number of players first, each as its ladder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.http import QueryDict
from django.utils.translation import gettext as _

from league.forms.competitions.formats import FormatFinderForm
from league.selectors.competitions.format_ladder import format_ladder, format_names_of
from league.selectors.competitions.seating import USUAL_MINUTES
from league.web.ladder_svg import Drawing, draw
from league.wording.format_fit import FormatFact, fit_text, format_facts
from league.wording.names import Names, title_in
from rulesets.formats import format_names, load_format
from scoring.format import Format, Stage
from scoring.format_fit import Proposal, proposed_formats, size_of


@dataclass(frozen=True, slots=True)
class FitNote:
    """A sentence on why a format fits, or what has to change."""

    is_met: bool
    text: str


@dataclass(frozen=True, slots=True)
class FormatCard:
    """A format to choose, with its ladder drawn as SVG."""

    name: str
    title: str
    note: str
    drawing: Drawing
    names: Names
    players: int | None
    stages: list[str]
    facts: list[FormatFact]
    fit: list[FitNote] = field(default_factory=list)


def card_of(league_format: Format, name: str = "", proposal: Proposal | None = None) -> FormatCard:
    """Return the card of a format; a proposed one says why it fits."""
    return FormatCard(
        name=name or league_format.name,
        title=title_in(league_format.title),
        note=title_in(league_format.note) if league_format.note else "",
        drawing=draw(format_ladder(league_format)),
        names=format_names_of(league_format),
        players=league_format.entrants,
        stages=[_stage_words(stage) for stage in league_format.stages],
        facts=format_facts(size_of(league_format), USUAL_MINUTES),
        fit=[FitNote(reason.is_met, fit_text(reason, USUAL_MINUTES)) for reason in proposal.reasons]
        if proposal
        else [],
    )


def _stage_words(stage: Stage) -> str:
    """Return a stage's name with its number of hanchan."""
    if stage.hanchan is None:
        return title_in(stage.title)
    games = _("%(count)s hanchan") % {"count": stage.hanchan}
    return f"{title_in(stage.title)}: {games}"


def offered_formats() -> list[tuple[str, Format]]:
    """Return the formats to choose from with the names that choose them, by the number of their players."""
    formats = [(name, load_format(name)) for name in format_names()]
    return sorted(formats, key=lambda each: (each[1].entrants is None, each[1].entrants, each[0]))


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
    )
