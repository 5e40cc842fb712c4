"""The home page of a competition: what is played now or next, the current stage, the ladder, results and news."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils.translation import pgettext

from league.models import Competition, Entrant, Outcome, Prepared, SlotState
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import (
    TABLES_SHOWN,
    Stamp,
    entrants_by_id,
    hanchan_count,
    latest_corrections,
    running_games,
    running_mark,
    sessions_around,
    shown_tables,
    stamp_of,
)
from league.selectors.competitions.schedule import SessionTables, TableGame
from league.selectors.rulebooks.rules_in_force import format_of
from league.selectors.seasons.series import term_of
from league.selectors.seasons.series_rules import rules_of_term
from league.selectors.standings.ladder import Ladder, LadderStage, ladder_of, shortened
from league.selectors.standings.ladder_paths import paths_of
from league.selectors.standings.prepared import season_with
from league.selectors.standings.progress import Movement, movements_of
from league.selectors.standings.published import outcome_of
from league.selectors.standings.tables import BlockTable, result_grids, substituted_in
from league.templatetags.front import Results, ShownBlock
from league.views.base import PageData, competition_page_with, show
from league.views.seasons.team_home import team_context
from league.web.standings.ladder_svg import MINI, draw
from league.web.standings.large_fields import is_large
from league.wording.messages import DESTINATIONS
from league.wording.names import short_names
from league.wording.seasons.series_sentences import tier_titles

MOST_FOLLOWED = 2
"""Running tables whose scores are shown; more of them are listed with their players alone."""
NEXT_SHOWN = 4
GAMES_SHOWN = 2
NAMES_SHOWN = 6
"""Names in the summary line of a finished stage."""


@dataclass(frozen=True, slots=True)
class ShownStage:
    """A stage with its blocks."""

    stage: LadderStage
    blocks: tuple[ShownBlock, ...]
    is_complete: bool = False
    advanced: str = ""
    """Names of those who certainly went on from it, as far as there is room for them."""
    more: int = 0
    """Number of others who went on."""


@dataclass(frozen=True, slots=True)
class Now:
    """The games being played, and the next ones otherwise."""

    running: tuple[TableGame, ...]
    upcoming: tuple[TableGame, ...]
    more: int
    """Number of upcoming tables that are left out."""
    is_cut: bool
    """True if the session may have more tables than were read, so that their number is not known."""

    @property
    def are_followed(self) -> bool:
        """Return True if the running tables are few enough to show their scores."""
        return len(self.running) <= MOST_FOLLOWED


@competition_page_with(lambda reader: [running_mark(reader)])
def home(request: HttpRequest, reader: Reader) -> HttpResponse:
    """Show the competition's home page."""
    # Loads the results with the season, in the same query.
    season_with(reader, Prepared.Part.BLOCK)
    shown = PageData(reader)
    tables = shown_tables(reader)
    outcome = outcome_of(reader)
    ladder = ladder_of(tables, outcome)
    stamp = stamp_of(reader)
    latest, upcoming = sessions_around(reader, stamp)
    movements = movements_since(shown, tables, stamp)
    current = current_stages(ladder.stages)
    results = results_of(reader, current)
    others = (stage for stage in ladder.stages if stage not in current)
    folded = [folded_stage(stage, movements, results, shown.language) for stage in others]
    later = [stage for stage in folded if not stage.is_complete]
    finished = [stage for stage in folded if stage.is_complete]
    now = now_of(reader, upcoming)
    of_teams = (
        team_context(shown, current, results, upcoming or latest, now.running if now.are_followed else ())
        if shown.has_teams
        else {}
    )
    term = term_of(reader.competition)
    return show(
        request,
        "seasons/home.html" if shown.has_teams else "competitions/home.html",
        shown,
        tab="home",
        term=term,
        tier=tier_titles(rules_of_term(term)).get(reader.competition.tier, "") if term else "",
        tables=tables,
        now=now,
        running_mark=running_mark(reader),
        stages=[ShownStage(stage, shown_blocks(stage, movements, results)) for stage in current],
        folded=later + finished[::-1],
        has_large_field=any(is_large(len(block.rows)) for stage in ladder.stages for block in stage.blocks),
        substituted=substituted_in(reader, shown.blocks),
        **({} if shown.has_teams else drawings_of(ladder)),
        **of_teams,
        champion=champion_of(outcome),
        awaiting=awaiting_with_people(reader.competition, outcome),
        stamp=stamp,
        count=hanchan_count(tables, format_of(shown.rules), shown.ruleset.players),
        latest=latest_games(latest),
        latest_session=latest,
        upcoming=upcoming,
        corrections=() if reader.competition.kind == Competition.Kind.OPEN else latest_corrections(reader),
    )


def awaiting_with_people(competition: Competition, outcome: Outcome | None) -> list[dict[str, object]]:
    """Return the ties that await a decision, each with its entrants as `people`."""
    ties = outcome.awaiting if outcome else ()
    tied = {entrant for tie in ties for entrant in tie["entrants"]}
    people = entrants_by_id(competition, tied) if tied else {}
    return [{**tie, "people": [people[entrant] for entrant in tie["entrants"] if entrant in people]} for tie in ties]


def drawings_of(ladder: Ladder) -> dict[str, object]:
    """Return the context of the ladder's drawings; of one stage there is none."""
    if len(ladder.stages) == 1:
        return {}
    short = shortened(ladder)
    return {"drawing": draw(short), "mini": draw(short, MINI), "paths": paths_of(ladder)}


def champion_of(outcome: Outcome | None) -> Entrant | None:
    """Return the champion once the title is certain."""
    return outcome.champion if outcome and outcome.champion_state == SlotState.State.CERTAIN else None


def current_stages(stages: Sequence[LadderStage]) -> list[LadderStage]:
    """Return the stages under way; if there are none the next one, or the last one when all are finished."""
    left = [stage for stage in stages if not is_complete(stage)]
    begun = [stage for stage in left if any(drawn.has_ranks for drawn in stage.blocks)]
    return begun or left[:1] or list(stages[-1:])


def is_complete(stage: LadderStage) -> bool:
    """Return True if every block of the stage is finished."""
    return all(drawn.table.is_complete for drawn in stage.blocks)


def results_of(reader: Reader, stages: Sequence[LadderStage]) -> Mapping[int, Results]:
    """Return the results of these stages by block id; none for an open table, whose games are not public."""
    if reader.competition.kind == Competition.Kind.OPEN:
        return {}
    return result_grids(reader, [drawn.block for stage in stages for drawn in stage.blocks if drawn.has_ranks])


def shown_blocks(
    stage: LadderStage, movements: Mapping[int, Movement], results: Mapping[int, Results]
) -> tuple[ShownBlock, ...]:
    """Return the blocks of a stage with their rank changes and results."""
    return tuple(
        ShownBlock(drawn, movements.get(drawn.block.pk), results.get(drawn.block.pk, {})) for drawn in stage.blocks
    )


def folded_stage(
    stage: LadderStage, movements: Mapping[int, Movement], results: Mapping[int, Results], language: str
) -> ShownStage:
    """Return a stage that is not under way, with the names of those who went on from it for its summary line."""
    names = names_going_on(stage, language)
    shown = names if len(names) <= NAMES_SHOWN else names[: NAMES_SHOWN - 1]
    return ShownStage(
        stage,
        shown_blocks(stage, movements, results),
        is_complete(stage),
        pgettext("list of players", ", ").join(shown),
        len(names) - len(shown),
    )


def names_going_on(stage: LadderStage, language: str) -> Sequence[str]:
    """Return the short names of those who certainly went on from a stage, by block and rank."""
    rows = [row.standing for drawn in stage.blocks for row in drawn.rows if row.standing is not None]
    going = [row for row in rows if row.goes and row.goes not in DESTINATIONS]
    short = short_names({row.entrant_id: row.entrant.player for row in rows}, language) if going else {}
    return [short[row.entrant_id] for row in going]


def now_of(reader: Reader, upcoming: SessionTables | None) -> Now:
    """Return the running games of the next session, and the first awaited one of each other table."""
    games = [TableGame(table, table.awaited[0]) for table in (upcoming.tables if upcoming else ()) if table.awaited]
    # The published season has the states as of publishing, and the guard hides them.
    begun = running_games(reader) if reader.until is None else frozenset()
    running = tuple(game for game in games if game.played.hanchan.pk in begun)
    others = tuple(game for game in games if game.played.hanchan.pk not in begun and not is_cancelled(game))
    # While games are played, those that wait for them are on the schedule.
    shown = () if running else others[:NEXT_SHOWN]
    return Now(running, shown, 0 if running else len(others) - len(shown), len(games) >= TABLES_SHOWN)


def is_cancelled(game: TableGame) -> bool:
    """Return True if the game's table is not played."""
    return game.table.table_session.is_cancelled


def latest_games(latest: SessionTables | None) -> list[TableGame]:
    """Return the newest games with a result, the furthest hanchan first."""
    games = [
        TableGame(table, played)
        for table in (latest.tables if latest else ())
        for played in table.hanchan
        if played.sheet
    ]
    return sorted(games, key=lambda game: -game.played.hanchan.number)[:GAMES_SHOWN]


def movements_since(shown: PageData, tables: Sequence[BlockTable], stamp: Stamp) -> Mapping[int, Movement]:
    """Return the rank movements in the blocks that played in the newest session; none for an open table."""
    if stamp.session is None or shown.reader.competition.kind == Competition.Kind.OPEN:
        return {}
    return movements_of(shown.reader, tables, stamp.session, format_of(shown.rules), shown.ruleset.players)
