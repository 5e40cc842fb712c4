"""The page of the rules in force: the values that players ask for, house options, and the stages with their sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.forms.rulebooks.hand import query_under
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import stamp_of
from league.selectors.rulebooks.rules_in_force import format_of
from league.views.base import PageData, competition_page, show
from league.web.rulebooks.rule_facts import facts_of, options_of
from league.wording.messages import source_label
from league.wording.names import Names, title_in
from scoring.format import Assignment, Format, Stage, smallest_roster


@competition_page
def rules(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show the rules in force in a competition."""
    shown = PageData(reader)
    league_format = format_of(shown.rules)
    return show(
        request,
        "rulebooks/rules.html",
        shown,
        tab="rules",
        rules=shown.rules,
        ruleset=shown.ruleset,
        title=title_in(shown.ruleset.title),
        hand_query=query_under(shown.ruleset, shown.rules.ruleset.number, shown.rules.options),
        format_title=title_in(league_format.title),
        facts=tuple(facts_of(shown.ruleset)),
        options=tuple(options_of(shown.ruleset)),
        stages=tuple(stages_of(league_format, shown.names)),
        back_tracking=league_format.tiebreak.back_tracking,
        further=league_format.tiebreak.then,
        clause_total=league_format.tiebreak.clause_total,
        clause_ruling=league_format.tiebreak.clause_ruling,
        stamp=stamp_of(reader),
    )


@dataclass(frozen=True, slots=True)
class StageRules:
    """A stage in words: its length, and the sources of the players in each block."""

    title: str
    hanchan: int | None
    sessions: int | None
    clauses: tuple[str, ...]
    blocks: tuple[tuple[str, str], ...]
    """Each block's name with the sources of its players."""


def stages_of(league_format: Format, names: Names) -> Iterator[StageRules]:
    """Yield the format's stages in the order of play; before the roster is closed, for the fewest entrants."""
    league_format = smallest_roster(league_format)
    for stage in league_format.stages:
        yield StageRules(
            title=title_in(stage.title),
            hanchan=stage.hanchan,
            sessions=stage.sessions,
            clauses=stage.clauses,
            blocks=tuple(_blocks_of(league_format, stage, names)),
        )


def _blocks_of(league_format: Format, stage: Stage, names: Names) -> Iterator[tuple[str, str]]:
    if stage.assignment is Assignment.DRAWN:
        pool = _(", ").join(source_label(str(source), names) for source in league_format.pool(stage.key))
        yield _("drawn from"), pool
    for block in stage.blocks:
        if block.is_open:
            yield title_in(block.title), _("open to all players")
        elif stage.assignment is Assignment.SEEDED:
            sources = [str(source) for source in league_format.sources(block.key)]
            yield title_in(block.title), _together(sources, names)


def _together(sources: list[str], names: Names) -> str:
    """Return the sources in words; seeds only as their number, because single seeds say little."""
    seeds = [source for source in sources if source.startswith("seed:")]
    words = [_("%(count)s seeded players") % {"count": len(seeds)}] if seeds else []
    words += [source_label(source, names) for source in sources if source not in seeds]
    return _(", ").join(words)
