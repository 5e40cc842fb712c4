"""Series as pages show them: the tiers from the top with the moves between them, in the reader's language."""

from __future__ import annotations

from dataclasses import dataclass

from league.selectors.seasons.series_rules import tiers_of_teams
from league.wording.names import title_in
from league.wording.seasons.series_moves import tier_title
from league.wording.seasons.series_sentences import series_sentences
from rulesets.series import load_series, series_names, series_text
from scoring.format import Series as SeriesRules


@dataclass(frozen=True, slots=True)
class TierCard:
    """A tier of the drawing."""

    key: str
    title: str
    size: str
    """The number of players or teams, such as “12 to 16”."""
    is_of_teams: bool


@dataclass(frozen=True, slots=True)
class SeriesCard:
    """The rules of a series in the reader's language."""

    name: str
    title: str
    tiers: tuple[TierCard, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReadySeries:
    """A series file that comes with the product."""

    name: str
    text: str
    card: SeriesCard


def series_card(rules: SeriesRules) -> SeriesCard:
    """Return the rules of a series as a card."""
    teams = tiers_of_teams(rules)
    return SeriesCard(
        rules.name,
        title_in(rules.title),
        tuple(
            TierCard(tier.key, tier_title(tier), _size(tier.size.least, tier.size.most), tier.key in teams)
            for tier in rules.tiers
        ),
        tuple(series_sentences(rules, teams)),
    )


def _size(least: int, most: int) -> str:
    return str(least) if least == most else f"{least}–{most}"


def ready_series() -> list[ReadySeries]:
    """Return the series files that come with the product."""
    return [ReadySeries(name, series_text(name), series_card(load_series(name))) for name in series_names()]
