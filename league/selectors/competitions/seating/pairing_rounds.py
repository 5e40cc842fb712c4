"""Rounds of blocks whose format pairs them: which are paired, and which can be paired now."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, QuerySet

from league.models import Block, Competition, Hanchan, HanchanSeat, Pairing, ResultSheet, RulesInForce, TableEvent
from league.selectors.competitions.seating.pairing import has_paired_rounds, round_plan
from league.selectors.rulebooks.rules_in_force import format_of, latest
from league.selectors.standings.blocks import entrants_who_may_play
from scoring.format.rounds import RoundPlan


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round of a block: how the format seats it, and how many of its tables are seated and have results."""

    block: Block
    number: int
    plan: RoundPlan | None
    """None if it is seated by the plan."""
    pairing: Pairing | None
    tables: int
    seated: int
    results: int
    has_begun: bool

    @property
    def is_open(self) -> bool:
        """Return whether it is to be paired and has not been."""
        return self.plan is not None and self.pairing is None and not self.has_begun

    @property
    def is_played(self) -> bool:
        """Return whether all its tables have results."""
        return self.results == self.tables


def round_states(blocks: Sequence[Block]) -> dict[int, list[RoundState]]:
    """Return the rounds that have tables, by the block's id and in order; in a fixed number of queries.

    The blocks need their stages and competitions.
    """
    rows = Hanchan.objects.filter(block__in=blocks, table_session__is_cancelled=False)
    rows = rows.exclude(state=Hanchan.State.ABANDONED).annotate(
        is_seated=Exists(HanchanSeat.objects.filter(hanchan=OuterRef("pk"))),
        has_result=Exists(ResultSheet.objects.counting().filter(hanchan=OuterRef("pk"))),
        has_sheets=Exists(ResultSheet.objects.filter(hanchan=OuterRef("pk"))),
        has_events=Exists(TableEvent.objects.filter(hanchan=OuterRef("pk"))),
    )
    columns = ("block", "number", "state", "is_seated", "has_result", "has_sheets", "has_events")
    found: defaultdict[tuple[int, int], list[tuple[bool, bool, bool]]] = defaultdict(list)
    for block, number, state, is_seated, has_result, has_sheets, has_events in rows.order_by().values_list(*columns):
        has_begun = state != Hanchan.State.SCHEDULED or has_sheets or has_events
        found[block, number].append((is_seated, has_result, has_begun))
    pairings = Pairing.objects.standing().filter(block__in=blocks)
    paired = {(pairing.block_id, pairing.number): pairing for pairing in pairings}
    formats = {pk: format_of(rules) for pk, rules in rules_of_competitions({each.competition_id for each in blocks})}
    by_id = {block.pk: block for block in blocks}
    states: dict[int, list[RoundState]] = {block.pk: [] for block in blocks}
    for (pk, number), games in sorted(found.items()):
        block = by_id[pk]
        states[pk].append(
            RoundState(
                block=block,
                number=number,
                plan=round_plan(formats[block.competition_id], block.stage.key, number),
                pairing=paired.get((pk, number)),
                tables=len(games),
                seated=sum(is_seated for is_seated, _has_result, _has_begun in games),
                results=sum(has_result for _is_seated, has_result, _has_begun in games),
                has_begun=any(has_begun for _is_seated, _has_result, has_begun in games),
            )
        )
    return states


def rules_of_competitions(competitions: Iterable[int]) -> Iterator[tuple[int, RulesInForce]]:
    """Yield the rules in force now by the competition's id, in one query."""
    rows = RulesInForce.objects.filter(competition__in=list(competitions)).select_related("ruleset", "format")
    by_competition: defaultdict[int, list[RulesInForce]] = defaultdict(list)
    for row in rows.defer("ruleset__text", "ruleset__examples", "format__text").order_by("effective_from"):
        by_competition[row.competition_id].append(row)
    return ((pk, latest(own)) for pk, own in by_competition.items())


def due_pairings(competitions: QuerySet[Competition]) -> list[RoundState]:
    """Return the rounds that can be paired now: the next one of each block, once all results before it are in."""
    leagues = competitions.filter(kind=Competition.Kind.LEAGUE, status=Competition.Status.PUBLISHED)
    ids = leagues.order_by().values_list("pk", flat=True)
    paired = [pk for pk, rules in rules_of_competitions(ids) if has_paired_rounds(format_of(rules))]
    if not paired:
        return []
    blocks = list(Block.objects.filter(competition__in=paired).select_related("stage", "competition"))
    states = round_states(blocks)
    due = []
    for block in sorted(blocks, key=lambda each: (each.competition_id, each.stage.order, each.order)):
        following = next((state for state in states[block.pk] if state.is_open), None)
        if following is None or following.plan is None:
            continue
        before = [state for state in states[block.pk] if state.number < following.number]
        if following.plan.of is not None:
            before += [
                state
                for other in blocks
                if other.competition_id == block.competition_id and other.stage.key == following.plan.of
                for state in states[other.pk]
            ]
        if all(state.is_played for state in before) and entrants_who_may_play(block):
            due.append(following)
    return due
