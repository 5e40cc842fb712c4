"""Conditions pages (what each player needs): blocks in progress, and a sheet per table before its last hanchan."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.models import Block, Entrant, Hanchan, SlotState
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import entrants_at, stamp_of, table_session_of
from league.selectors.standings.conditions import (
    BlockConditions,
    PlayerConditions,
    conditions_of,
    elsewhere_text,
)
from league.selectors.standings.explanations import Explanation, Sum
from league.selectors.standings.facts import id_of
from league.selectors.standings.odds import odds_mark, odds_state
from league.selectors.standings.published import outcome_of
from league.selectors.standings.targets import Target
from league.views.base import PageData, competition_page_with, list_page, show
from league.views.competitions.schedule import refuse_if_closed
from league.web.long_lists import Wanted
from league.web.standings.large_fields import is_large
from league.wording.formatting import points_text
from league.wording.messages import compared_value, destination_label
from league.wording.names import Names, person_name, short_names
from league.wording.standings import conditions as words
from league.wording.standings.conditions import NeedRow, SeparatedBy, need_rows
from scoring.conditions import Cell, Distance, Profile, Span, Word
from scoring.lines import CHAMPION
from scoring.tiebreak import Entrant as Id

MOST_OPEN = 4
"""Maximum number of players whose conditions are shown unfolded."""


@dataclass(frozen=True, slots=True)
class ShownCell:
    """One line of a table cell: the rival's place, the condition, and the decision of a tie."""

    place: str
    text: str
    kind: str
    tie: str


@dataclass(frozen=True, slots=True)
class ShownRow:
    """An own place with a cell for each rival."""

    place: str
    cells: tuple[tuple[ShownCell, ...], ...]


@dataclass(frozen=True, slots=True)
class ShownTable:
    """Required margins over rivals, or final scores against rivals who have finished, by own place."""

    rivals: tuple[Entrant, ...]
    rows: tuple[ShownRow, ...]


@dataclass(frozen=True, slots=True)
class ShownTarget:
    """One target of one player in words."""

    title: str
    status: str
    summary: str
    """The status with the name of its target, for a list of all targets."""
    word: str
    distance: str
    behind: int | None
    """The number of other players that must end behind this one; None if there is no table of margins."""
    rows: tuple[NeedRow, ...]
    """The conditions of each own place; empty unless the player is before the last hanchan."""
    is_told: bool
    """True if the status says more than that nothing is decided."""


@dataclass(frozen=True, slots=True)
class ShownPlayer:
    """One player with every target, and the tables of margins behind them."""

    entrant: Entrant
    rank: int
    total: int
    targets: tuple[ShownTarget, ...]
    margins: ShownTable | None
    level: ShownTable | None
    """Margins for the cases in which players end with equal scores."""
    finished: ShownTable | None
    across: ShownTable | None
    """Margins over rivals at other tables, between final scores."""


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """The conditions of a block, as text for the template."""

    conditions: BlockConditions
    players: tuple[ShownPlayer, ...]
    obstacles: tuple[str, ...]

    @property
    def block(self) -> Block:
        """Return the block."""
        return self.conditions.block

    @property
    def is_short(self) -> bool:
        """Return True if the conditions of all players can be shown unfolded, side by side."""
        return len(self.conditions.targets) == 1 and len(self.players) <= MOST_OPEN

    @property
    def others(self) -> int:
        """Return the number of rivals of each player."""
        return len(self.conditions.ranked) - 1


@dataclass(frozen=True, slots=True)
class ShownPair:
    """The reason for the order of two neighbours in the ranking, in words."""

    above: Sum
    below: Sum
    by: str
    text: str
    decision: Mapping[str, object] | None
    above_text: str
    below_text: str
    clause: str | None

    @property
    def sums(self) -> tuple[Sum, Sum]:
        """Return the totals of both neighbours, with their parts."""
        return self.above, self.below


def shown_pairs(found: Sequence[Explanation], scale: int) -> Iterator[ShownPair]:
    """Yield every pair of neighbours in words."""
    for pair in found:
        decision = pair.decision if pair.by in {SeparatedBy.HANCHAN, SeparatedBy.FURTHER} else None
        values = (
            [
                compared_value(decision["criterion"], value, scale)
                for value in (decision["above_value"], decision["below_value"])
            ]
            if decision
            else ["", ""]
        )
        yield ShownPair(
            above=pair.above,
            below=pair.below,
            by=pair.by.value,
            text=words.explanation_text(pair.by, pair.gap, pair.decision, scale, by_total_alone=pair.by_total_alone),
            decision=decision,
            above_text=values[0],
            below_text=values[1],
            clause=pair.clause,
        )


@list_page(odds_state)
def conditions(request: HttpRequest, reader: Reader, *, wanted: Wanted) -> HttpResponse:
    """Show the conditions of every block in progress."""
    refuse_if_closed(reader)
    shown = PageData(reader)
    found = conditions_of(reader, is_asked=wanted.finds)
    blocks = [shown_block(each, shown.names) for each in found]
    # Without a target a block lists no players, however many are in it.
    sizes = [len(each.ranked) if each.targets else 0 for each in found]
    outcome = outcome_of(reader)
    return show(
        request,
        "standings/conditions/conditions.html",
        shown,
        tab="conditions",
        odds_mark=odds_mark(reader),
        wanted=wanted,
        all=sum(sizes),
        found=sum(len(each.players) for each in blocks),
        has_long_list=any(map(is_large, sizes)),
        blocks=blocks,
        is_over=outcome is not None and outcome.champion_state == SlotState.State.CERTAIN,
        stamp=stamp_of(reader),
    )


@competition_page_with(odds_state)
def sheet(request: HttpRequest, reader: Reader, key: int) -> HttpResponse:
    """Show the sheet of one table before its last hanchan, the same for all its players."""
    refuse_if_closed(reader)
    shown = PageData(reader)
    table = table_session_of(reader, key)
    if table is None:
        raise Http404(_("There is no such table."))
    last, seated = None, entrants_at(table)
    for each in conditions_of(reader, block=table.block, is_asked=lambda entrant: entrant.pk in seated):
        hanchan = next((row for row in each.last if row.table_session_id == table.pk), None)
        last = shown_block(each, shown.names, hanchan) if hanchan is not None and each.is_last else None
    return show(
        request,
        "standings/conditions/sheet.html",
        shown,
        tab="conditions",
        odds_mark=odds_mark(reader),
        table_session=table,
        session=table.session,
        this=last,
        stamp=stamp_of(reader),
    )


@dataclass(frozen=True, slots=True)
class Aim:
    """A target with its full title, its title without the number of places, and its destination."""

    target: Target
    title: str
    short: str
    label: str


def shown_block(found: BlockConditions, names: Names, hanchan: Hanchan | None = None) -> ShownBlock:
    """Return a block's conditions in words; with a hanchan, only its players, with the tables of all cases."""
    aims = [aim_of(each.target, names, is_best=each is found.targets[0]) for each in found.targets]
    people = names_in(found)
    by_player = zip(*(each.players for each in found.targets), strict=True)
    seats = None if hanchan is None else found.situation.tables[found.last.index(hanchan)].entrants
    return ShownBlock(
        conditions=found,
        players=tuple(
            _player(found, aims, targets, people, has_tables=hanchan is not None)
            for targets in by_player
            if seats is None or targets[0].ranked.entrant in seats
        ),
        obstacles=tuple(map(words.obstacle_text, found.obstacles)),
    )


def names_in(found: BlockConditions) -> dict[Hashable, str]:
    """Return what the entrants of a block are called in its conditions."""
    whole: dict[Hashable, str] = {each: person_name(row.player) for each, row in found.people.items()}
    return whole | short_names({line.entrant: found.people[id_of(line.entrant)].player for line in found.ranked})


def aim_of(target: Target, names: Names, *, is_best: bool) -> Aim:
    """Return the names of a target: the best one, such as the title, or "a stage or better"."""
    label = destination_label(target.destination, names)
    short = (
        label if is_best else pgettext("what is to be reached", "%(destination)s or better") % {"destination": label}
    )
    if target.places == 1:
        return Aim(target, short, short, label)
    places = _("first %(number)s") % {"number": target.places}
    title = pgettext("what is to be reached", "%(goal)s (%(places)s)") % {"goal": short, "places": places}
    return Aim(target, title, short, label)


def _player(
    found: BlockConditions,
    aims: Sequence[Aim],
    targets: Sequence[PlayerConditions],
    people: Mapping[Hashable, str],
    *,
    has_tables: bool,
) -> ShownPlayer:
    first = targets[0]
    tables = _Tables(found, first.ranked.entrant) if first.needs and has_tables else None
    return ShownPlayer(
        entrant=first.entrant,
        rank=first.ranked.rank,
        total=first.ranked.total,
        targets=tuple(_target(found, aim, each, people) for aim, each in zip(aims, targets, strict=True)),
        margins=tables.at_the_table(shared=False) if tables else None,
        level=tables.at_the_table(shared=True) if tables else None,
        finished=tables.over_finished() if tables else None,
        across=tables.across() if tables else None,
    )


def _target(found: BlockConditions, aim: Aim, player: PlayerConditions, people: Mapping[Hashable, str]) -> ShownTarget:
    needs = player.needs
    goal = words.goal_text(aim.target.destination, aim.label, is_last=aim.target.is_last_to_go_on)
    told = words.SentenceContext(people, elsewhere_text(found, needs.hangs_on, people) if needs else "", goal)
    is_title = aim.target.destination == CHAMPION
    status = words.status_text(player.status, is_title=is_title, is_last=aim.target.is_last_to_go_on)
    return ShownTarget(
        title=aim.title,
        status=status,
        # The chance of going on at all is not the chance of one stage, so no stage is named beside it.
        summary=status if is_title or aim.target.is_last_to_go_on else f"{aim.short}: {status}",
        word=player.status.word.value,
        distance=both_texts(
            distance_text(player.distance, found.scale, people), total_text(player.to_total, found.scale)
        ),
        behind=needs.behind if needs else None,
        rows=need_rows(player.sentences, told),
        is_told=player.status.word is not Word.OPEN or player.status.percent is not None,
    )


def distance_text(distance: Distance | None, scale: int, people: Mapping[Hashable, str]) -> str:
    """Describe the distance to the border, and what it means for each remaining hanchan."""
    if distance is None:
        return ""
    params = {"rival": people[distance.border], "gap": points_text(abs(distance.gap), scale)}
    if distance.average is None or distance.gap == 0:
        text = _("%(gap)s ahead of %(rival)s") if distance.is_in else _("%(gap)s behind %(rival)s")
        return text % params
    params |= {"average": words.average_text(abs(distance.average), scale, is_needed=not distance.is_in)}
    params |= {"left": str(distance.left)}
    if distance.is_in:
        return _("%(gap)s ahead of %(rival)s: %(average)s in each of %(left)s hanchan") % params
    return _("%(gap)s behind %(rival)s: %(average)s more in each of %(left)s hanchan") % params


def total_text(missing: int | None, scale: int) -> str:
    """Return how far the total is that a target also needs, as points missing or to spare; empty if it needs none."""
    if missing is None:
        return ""
    text = _("%(points)s short of the total needed") if missing > 0 else _("%(points)s above the total needed")
    return text % {"points": points_text(abs(missing), scale)}


def both_texts(rank: str, total: str) -> str:
    """Return the distances of both parts of a target: the rank, and the total where one is needed."""
    return pgettext("between parts of a condition", "; ").join(filter(None, (rank, total)))


@dataclass(frozen=True, slots=True)
class _Tables:
    """The tables of margins for one player in the last hanchan."""

    found: BlockConditions
    entrant: Id

    def _cases(self, *, shared: bool) -> Iterator[tuple[Span, Profile]]:
        """Yield every own place with every row of bonuses that it can have."""
        worth = self.found.situation.worth
        for span in worth.spans:
            if shared or not span.is_shared:
                yield from ((span, case) for case in worth.every if case.can_fill(span))

    def at_the_table(self, *, shared: bool) -> ShownTable | None:
        """Return margins over the rivals at the same table; with `shared`, for the cases with equal scores."""
        situation = self.found.situation
        table = situation.tables[situation.table_of[self.entrant]].entrants
        rivals = [each for each in table if each != self.entrant and each in situation.rows]
        return self._margins(rivals, shared=shared)

    def across(self) -> ShownTable | None:
        """Return margins over rivals whose last hanchan is at another table, without equal scores."""
        situation = self.found.situation
        own = situation.table_of[self.entrant]
        rivals = [each for each, table in situation.table_of.items() if table != own and each in situation.rows]
        return self._margins(rivals, shared=False)

    def _margins(self, rivals: Sequence[Id], *, shared: bool) -> ShownTable | None:
        """Return a table with a row for each own place, or None if it would be empty."""
        rows = []
        for span, case in self._cases(shared=shared):
            cells = tuple(tuple(self._cells(rival, span, case, shared=shared)) for rival in rivals)
            if any(cells):
                rows.append(ShownRow(words.case_text(span, case.floating), cells))
        return ShownTable(self._people(rivals), tuple(rows)) if rows else None

    def _cells(self, rival: Id, span: Span, case: Profile, *, shared: bool) -> Iterator[ShownCell]:
        """Yield the condition over one rival for each place of the rival; with `shared`, only for equal scores."""
        for duel in self.found.situation.duels(self.entrant, rival):
            for own, other in sorted(duel.pairs()) if duel.profile == case else ():
                if own == span and shared == (own.is_shared or other.is_shared):
                    cell = duel.cell(own, other)
                    yield shown_cell(cell, words.case_text(other, cell.rival_floating))

    def over_finished(self) -> ShownTable | None:
        """Return final scores needed against rivals who have played all their hanchan."""
        situation = self.found.situation
        rivals = [each for each in situation.finished if each in situation.rows]
        if not rivals:
            return None
        rows = tuple(
            ShownRow(
                words.case_text(span, case.floating),
                tuple((shown_cell(self._over_one(rival, case)[span], ""),) for rival in rivals),
            )
            for span, case in self._cases(shared=False)
        )
        return ShownTable(self._people(rivals), rows)

    def _over_one(self, rival: Id, case: Profile) -> Mapping[Span, Cell]:
        return self.found.situation.against_finished(self.entrant, rival, case)

    def _people(self, rivals: Sequence[Id]) -> tuple[Entrant, ...]:
        return tuple(self.found.people[rival] for rival in rivals)


def shown_cell(cell: Cell, place: str) -> ShownCell:
    """Return a cell in words."""
    return ShownCell(place, words.cell_text(cell), cell.kind.value, words.tie_text(cell))
