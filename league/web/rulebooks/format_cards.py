"""Cards of league formats: the title, the numbers and the ladder of each, as pages and documents show them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from league.selectors.competitions.format_ladder import format_ladder, format_names_of
from league.selectors.competitions.seating.plans import USUAL_MINUTES
from league.selectors.rulebooks.catalogue import own_formats
from league.web.standings.ladder_svg import MINI, Drawing, draw
from league.wording.names import Names, title_in
from league.wording.rulebooks.format_fit import FormatFact, fit_text, format_facts
from league.wording.rulebooks.format_sentences import phrase_text
from rulesets.formats import format_names, load_format
from scoring.format import EntrantKind, Format, Stage, close_roster
from scoring.format.description import describe
from scoring.format.fit import FormatSize, Proposal, size_of
from scoring.ruleset import FaultsError


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
    sketch: Drawing
    """The drawing without words, small enough for a list of formats."""
    names: Names
    players: str
    stages: list[str]
    facts: list[FormatFact]
    fit: list[FitNote] = field(default_factory=list)


def card_of(league_format: Format, name: str = "", proposal: Proposal | None = None) -> FormatCard:
    """Return the card of a format; a proposed one says why it fits."""
    card = _card(league_format, name or league_format.name, get_language())
    reasons = proposal.reasons if proposal else ()
    return replace(card, fit=[FitNote(reason.is_met, fit_text(reason, USUAL_MINUTES)) for reason in reasons])


@lru_cache(maxsize=128)
def _card(league_format: Format, name: str, _language: str | None) -> FormatCard:
    """Return the card without the reasons; cached, since a page shows dozens of formats."""
    ladder = format_ladder(league_format)
    return FormatCard(
        name=name,
        title=title_in(league_format.title),
        note=title_in(league_format.note) if league_format.note else "",
        drawing=draw(ladder),
        sketch=draw(ladder, MINI),
        names=format_names_of(league_format),
        players=players_text(league_format),
        stages=[_stage_words(stage) for stage in league_format.stages],
        facts=format_facts(size_of(league_format), USUAL_MINUTES, _largest(league_format)),
    )


def _largest(league_format: Format) -> FormatSize | None:
    """Return the size of a format for the most players that fill it; None if it has no bounds."""
    bounds = league_format.bounds
    if bounds is None:
        return None
    for players in range(bounds.most, bounds.least - 1, -1):
        with suppress(FaultsError):
            return size_of(close_roster(league_format, players))
    return None


def players_text(league_format: Format) -> str:
    """Return the number of players or teams that a format is for, in words."""
    if league_format.kind is EntrantKind.TEAMS:
        (entrants, *_more) = describe(league_format)[0].phrases
        return phrase_text(entrants)
    if bounds := league_format.bounds:
        return _("%(least)s to %(most)s players") % {"least": bounds.least, "most": bounds.most}
    count = league_format.seeds
    if not count:
        return _("any number of players")
    return ngettext("%(count)s player", "%(count)s players", count) % {"count": count}


def _stage_words(stage: Stage) -> str:
    """Return a stage's name with its number of hanchan."""
    if stage.hanchan is None:
        return title_in(stage.title)
    games = _("%(count)s hanchan") % {"count": stage.hanchan}
    return f"{title_in(stage.title)}: {games}"


def ready_formats() -> list[tuple[str, Format]]:
    """Return the formats that come with the product, by the number of their players."""
    return _by_size((name, load_format(name)) for name in format_names())


def offered_formats() -> list[tuple[str, Format]]:
    """Return the formats to choose from with the names that choose them, the newest revision of each own one."""
    own: dict[str, tuple[str, Format]] = {}
    for row, format_ in own_formats():
        own.setdefault(row.name, (f"{row.name}@{row.number}", format_))
    return _by_size([*ready_formats(), *own.values()])


def _by_size(formats: Iterable[tuple[str, Format]]) -> list[tuple[str, Format]]:
    return sorted(formats, key=lambda each: (not _least(each[1]), _least(each[1]), each[0]))


def _least(league_format: Format) -> int:
    return league_format.bounds.least if league_format.bounds else league_format.seeds
