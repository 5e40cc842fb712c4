"""What people decide: ties that no rule breaks, points outside a hanchan, who advances, draws."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import (
    Adjustment,
    Audience,
    Block,
    Competition,
    Draw,
    Entrant,
    Outcome,
    Override,
    ResultSheet,
    Ruling,
    Slot,
    Stage,
)
from league.models.rulings import Decided
from league.selectors.readers import Reader
from league.selectors.rules import format_of, rules_at
from league.services.actor import Actor, Capability, require
from league.services.changes import open_change
from league.services.errors import Finding, RuleViolationError, conflict, refuse, refuse_without_reason
from league.services.standings import draws_of, overrides_of
from scoring.plan import ImpossiblePlanError, plan


@transaction.atomic
def rule_on_tie(*, competition: Competition, scope: str, order: Sequence[Entrant], by: Actor, reason: str) -> Ruling:
    """Put entrants whom no result separates in order, best first.

    `scope` is the block's key, or the comparison across blocks the ladder says it awaits. Refused unless exactly
    such a tie stands there now.
    """
    require(by, competition, Capability.RULE)
    refuse_without_reason(reason)
    ids = [entrant.pk for entrant in order]
    if set(ids) not in [set(tie) for tie in ties_of(competition, scope)] or len(ids) != len(set(ids)):
        raise refuse(
            "no_such_tie",
            _("These entrants are not tied there any more, or not all of them are named. Reload and name all of them."),
            "/order",
        )
    change = open_change(competition, by)
    ruling = Ruling.objects.create(competition=competition, scope=scope, order=ids, reason=reason, made_n=change.n)
    change.record(
        "tie.ruled",
        ruling,
        after={"scope": scope, "order": ids},
        reason=reason,
        is_public=nothing_held_back(competition),
    )
    return ruling


def ties_of(competition: Competition, scope: str) -> list[list[int]]:
    """Groups that share a rank in a block, or that a comparison across blocks cannot separate."""
    block = Block.objects.filter(competition=competition, key=scope).first()
    if block is None:
        outcome = Outcome.objects.filter(competition=competition, audience=Audience.STAFF).first()
        return [tie["entrants"] for tie in outcome.awaiting if tie["scope"] == scope] if outcome else []
    shared: dict[int, list[int]] = {}
    for line in block.standings.filter(audience=Audience.STAFF, is_tied=True):
        shared.setdefault(line.rank, []).append(line.entrant_id)
    return list(shared.values())


@transaction.atomic
def adjust_points(*, block: Block, entrant: Entrant, points: int, by: Actor, reason: str) -> Adjustment:
    """Give or take points outside a hanchan, at the ranking ledger's scale."""
    require(by, block.competition, Capability.RULE)
    refuse_without_reason(reason)
    if points == 0:
        raise refuse(
            "nothing_to_adjust", _("An adjustment of 0 changes nothing. Enter the points to give or take."), "/points"
        )
    change = open_change(block.competition, by)
    adjustment = Adjustment.objects.create(block=block, entrant=entrant, points=points, reason=reason, made_n=change.n)
    change.record(
        "points.adjusted",
        adjustment,
        after={"entrant": entrant.pk, "points": points},
        reason=reason,
        is_public=nothing_held_back(block.competition),
    )
    return adjustment


@transaction.atomic
def override_slot(*, slot: Slot, source: str, by: Actor, reason: str, entrant: Entrant | None = None) -> Override:
    """Fill a slot from another source (such as ``po2#3``), or with an entrant by name (source ``ruling``)."""
    competition = slot.block.competition
    require(by, competition, Capability.MANAGE)
    refuse_without_reason(reason)
    change = open_change(competition, by)
    override = Override.objects.create(
        block=slot.block,
        kind=Override.Kind.REPLACE,
        slot=slot,
        source=source,
        entrant=entrant,
        reason=reason,
        made_n=change.n,
    )
    refuse_impossible_plan(competition, "/source")
    change.record(
        "slot.overridden",
        override,
        before={"source": slot.source},
        after={"source": source, "entrant": entrant and entrant.pk},
        reason=reason,
        is_public=nothing_held_back(competition),
    )
    return override


def refuse_impossible_plan(competition: Competition, pointer: str) -> None:
    """The draws and overrides that hold must fit the format and each other; else nothing could be published."""
    reader = Reader(competition, Audience.STAFF, competition.version)
    try:
        plan(format_of(rules_at(competition)), draws_of(reader), tuple(overrides_of(reader)))
    except ImpossiblePlanError as error:
        raise RuleViolationError(*(Finding("impossible_plan", fault, pointer) for fault in error.faults)) from error


@transaction.atomic
def pass_over(*, block: Block, entrant: Entrant, by: Actor, reason: str) -> Override:
    """An entrant of the block does not go on; whoever is next takes each place behind."""
    require(by, block.competition, Capability.MANAGE)
    refuse_without_reason(reason)
    change = open_change(block.competition, by)
    override = Override.objects.create(
        block=block, kind=Override.Kind.PASS_OVER, entrant=entrant, reason=reason, made_n=change.n
    )
    refuse_impossible_plan(block.competition, "/entrant")
    change.record(
        "entrant.passed_over",
        override,
        after={"entrant": entrant.pk},
        reason=reason,
        is_public=nothing_held_back(block.competition),
    )
    return override


@transaction.atomic
def take_back(*, decision: Decided, competition: Competition, by: Actor, reason: str) -> None:
    """End a ruling, an adjustment, an override or a draw; its row stays."""
    require(by, competition, Capability.MANAGE)
    refuse_without_reason(reason)
    change = open_change(competition, by)
    if not type(decision).objects.filter(pk=decision.pk, ended_n=None).update(ended_n=change.n):
        raise conflict("already_taken_back", _("This has been taken back already."))
    refuse_impossible_plan(competition, "")
    change.record(f"{type(decision).__name__.lower()}.taken_back", decision, reason=reason)


@transaction.atomic
def draw_stage(*, stage: Stage, by: Actor, seed: str, reason: str) -> Draw:
    """Spread a drawn stage's entrants over its blocks, repeatably: anybody with the seed gets the same draw.

    Each entrant's lot is the SHA-256 of the seed and the entrant's number in the stage; the lots in ascending order
    fill the blocks' slots one after the other.
    """
    competition = stage.competition
    require(by, competition, Capability.MANAGE)
    league_format = format_of(rules_at(competition))
    pool = len(league_format.pool(stage.key))
    if not pool:
        raise refuse(
            "nothing_to_draw", _("%(stage)s is not drawn: its format says who sits where.") % {"stage": stage}, "/stage"
        )
    lots = sorted(range(1, pool + 1), key=lambda number: hashlib.sha256(f"{seed}:{number}".encode()).hexdigest())
    result: dict[str, list[int]] = {}
    for block in league_format.stage(stage.key).blocks:
        size = block.size or 0
        result[block.key], lots = lots[:size], lots[size:]
    change = open_change(competition, by)
    Draw.objects.filter(stage=stage, ended_n=None).update(ended_n=change.n)
    draw = Draw.objects.create(stage=stage, result=result, seed=seed, reason=reason, made_n=change.n)
    refuse_impossible_plan(competition, "/stage")
    change.record(
        "stage.drawn",
        draw,
        after={"seed": seed, "result": result},
        reason=reason,
        is_public=nothing_held_back(competition),
    )
    return draw


def nothing_held_back(competition: Competition) -> bool:
    """Whether the public knows every result that counts: only then may it learn of a decision at once."""
    return (
        not ResultSheet.objects.counting()
        .filter(hanchan__table_session__competition=competition, hanchan__table_session__is_released=False)
        .exists()
    )
