"""Decisions by officials: rulings on ties, points outside a hanchan, overrides of slots, closed blocks, draws.

A decision is a row that is never edited; taking it back ends the row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.models import (
    Adjustment,
    Audience,
    Block,
    Change,
    Closing,
    Competition,
    Credit,
    Departure,
    Draw,
    Entrant,
    Override,
    Player,
    ResultSheet,
    Ruling,
    Slot,
    Stage,
    TableSession,
    TeamMember,
)
from league.models.rulings import Decided
from league.platform.errors import Finding, RuleViolationError, conflict, refuse, refuse_without_reason
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.access.readers import Reader, leaves_held_back_table, sheets_held_back, tells_of_held_back_table
from league.selectors.rulebooks.rules_in_force import format_of, rules_at, ruleset_of
from league.selectors.standings.decisions import draws_of, overrides_of
from league.selectors.standings.derivation import derive, facts_at
from league.selectors.standings.facts import id_of
from league.services.access.changes import OpenChange, open_change
from league.services.access.guard import all_or_nothing, refuse_strangers, refuse_too_long
from league.services.competitions.byes import settle_all_byes
from league.services.results.absences import give_seat_back
from league.services.results.penalties import penalty_of
from league.services.results.preview import refuse_unseating
from league.services.results.sheets import lock_open
from league.wording.faults import plan_fault_text
from scoring.plan import ImpossiblePlanError, plan

CALLED_OFF = "closing.tables_called_off"
"""The kind of the change with the tables that closing a block called off."""
LARGEST_ADJUSTMENT = 10_000_000
"""The largest adjustment, at the ranking ledger's scale; a total with hundreds of them still fits its column."""


@all_or_nothing
def rule_on_tie(
    *,
    competition: Competition,
    scope: str,
    order: Sequence[Entrant],
    by: Actor,
    reason: str,
    accept: Collection[str] = (),
) -> Ruling:
    """Rule on a tie: put entrants that no result separates in order, best first.

    `scope` is the block's key, or the comparison across blocks that the ladder is awaiting. Raise unless exactly
    these entrants are tied there now.
    """
    require(by, competition, Capability.RULE)
    lock_open(competition)
    refuse_without_reason(reason)
    ids = [entrant.pk for entrant in order]
    # After the lock: two referees may rule on the same tie at once.
    refuse_second_ruling(competition, scope, order)
    if set(ids) not in [set(tie) for tie in ties_of(competition, scope)] or len(ids) != len(set(ids)):
        raise refuse(
            "no_such_tie",
            _("These entrants are not tied there any more, or not all of them are named. Reload and name all of them."),
            "/order",
        )
    change = open_change(competition, by)
    ruling = Ruling.objects.create(competition=competition, scope=scope, order=ids, reason=reason, made_n=change.n)
    refuse_unseating(change, accept)
    decide(change, "tie.ruled", ruling, after={"scope": scope, "order": ids})
    return ruling


def decide(change: OpenChange, kind: str, decision: Decided, *, before: object = None, after: object = None) -> None:
    """Record a decision with its reason; it is public at once only if nothing of which it may tell is held back."""
    is_public = nothing_held_back(change.competition, decision)
    change.record(kind, decision, before=before, after=after, reason=decision.reason, is_public=is_public)


def refuse_second_ruling(competition: Competition, scope: str, order: Sequence[Entrant]) -> None:
    """Raise ConflictError if this tie has been ruled on; the message states that ruling."""
    people = {entrant.pk: entrant for entrant in order}
    for ruling in Ruling.objects.standing().filter(competition=competition, scope=scope):
        if set(ruling.order) == set(people):
            raise conflict(
                "ruled_already",
                _("This tie has been ruled on: %(order)s (%(reason)s). To rule otherwise, take that back first.")
                % {"order": " > ".join(str(people[pk]) for pk in ruling.order), "reason": ruling.reason},
                ruling=ruling.pk,
            )


def ties_of(competition: Competition, scope: str) -> list[list[int]]:
    """Return the groups that share a rank in a block, or that a comparison across blocks cannot separate, as of now."""
    competition.refresh_from_db(fields=["version"])
    now = derive(facts_at(Reader(competition, Audience.STAFF, competition.version)))
    if scope not in now.standings:
        return [[id_of(one) for one in tie.entrants] for tie in now.resolution.awaiting if tie.scope == scope]
    shared: dict[int, list[int]] = {}
    for line in now.standings[scope].ranked:
        if line.tied:
            shared.setdefault(line.rank, []).append(id_of(line.entrant))
    return list(shared.values())


@all_or_nothing
def adjust_points(
    *,
    block: Block,
    entrant: Entrant,
    points: int,
    by: Actor,
    reason: str,
    accept: Collection[str] = (),
    member: Player | None = None,
    cause: str = "",
) -> Adjustment:
    """Add or deduct points outside a hanchan, at the ranking ledger's scale; those of a `member` are the team's too.

    With a `cause`, the key of a penalty that the rules list, the points are a deduction within its bounds.
    """
    require(by, block.competition, Capability.RULE)
    lock_open(block.competition)
    refuse_without_reason(reason)
    refuse_strangers(block.competition, entrant)
    penalty = penalty_of(ruleset_of(rules_at(block.competition)), cause, points)
    if points == 0 and penalty is None:
        raise refuse(
            "nothing_to_adjust", _("An adjustment of 0 changes nothing. Enter the points to give or take."), "/points"
        )
    if member is not None and not TeamMember.objects.filter(entrant=entrant, player=member).exists():
        message = _("%(name)s is no member of %(team)s.") % {"name": member, "team": entrant}
        raise refuse("not_a_member", message, "/player")
    if abs(points) > LARGEST_ADJUSTMENT:
        raise refuse("adjustment_too_large", _("No season is worth that many points. Check them."), "/points")
    change = open_change(block.competition, by)
    adjustment = Adjustment.objects.create(
        block=block, entrant=entrant, player=member, points=points, cause=cause, reason=reason, made_n=change.n
    )
    refuse_unseating(change, accept)
    after = {"entrant": entrant.pk, "points": points, **({"cause": cause} if cause else {})}
    decide(change, "points.adjusted", adjustment, after=after)
    return adjustment


@all_or_nothing
def override_slot(
    *,
    slot: Slot,
    source: str,
    by: Actor,
    reason: str,
    entrant: Entrant | None = None,
    accept: Collection[str] = (),
) -> Override:
    """Fill a slot from another source (such as ``po2#3``), or with an entrant by name (source ``ruling``)."""
    competition = slot.block.competition
    require(by, competition, Capability.MANAGE)
    lock_open(competition)
    refuse_without_reason(reason)
    refuse_too_long(Override, {"source": source})
    refuse_strangers(competition, entrant)
    change = open_change(competition, by)
    override = replace_source(change, slot, source, entrant, reason)
    # After writing: the new row takes part in the check, and a refusal rolls it back.
    refuse_impossible_plan(competition, "/source")
    refuse_unseating(change, accept)
    decide(
        change,
        "slot.overridden",
        override,
        before={"source": slot.source},
        after={"source": source, "entrant": entrant and entrant.pk},
    )
    return override


def replace_source(change: OpenChange, slot: Slot, source: str, entrant: Entrant | None, reason: str) -> Override:
    """Create the row that fills a slot from another source."""
    return Override.objects.create(
        block=slot.block,
        kind=Override.Kind.REPLACE,
        slot=slot,
        source=source,
        entrant=entrant,
        reason=reason,
        made_n=change.n,
    )


@all_or_nothing
def swap_slots(
    *, first: Slot, second: Slot, by: Actor, reason: str, accept: Collection[str] = ()
) -> tuple[Override, Override]:
    """Swap two slots: each is filled from the other's source, both in one change.

    One after the other would be refused, since in between two slots would have the same source.
    """
    competition = first.block.competition
    require(by, competition, Capability.MANAGE)
    lock_open(competition)
    refuse_without_reason(reason)
    refuse_odd_swap(first, second)
    (here, who), (there, whom) = source_now(first), source_now(second)
    change = open_change(competition, by)
    overrides = (
        replace_source(change, first, there, whom, reason),
        replace_source(change, second, here, who, reason),
    )
    refuse_impossible_plan(competition, "/other")
    refuse_unseating(change, accept)
    decide(
        change,
        "slots.swapped",
        overrides[0],
        before={"slots": [[first.block.key, first.number], [second.block.key, second.number]]},
        after={"slots": [[second.block.key, second.number], [first.block.key, first.number]]},
    )
    return overrides


def refuse_odd_swap(first: Slot, second: Slot) -> None:
    """Raise unless these are two different slots of one competition."""
    if first.pk == second.pk or first.block.competition_id != second.block.competition_id:
        raise refuse("nothing_to_swap", _("Choose another place of the same competition to change with."), "/other")


def source_now(slot: Slot) -> tuple[str, Entrant | None]:
    """Return the present source of a slot: its last override's, else the format's."""
    overrides = Override.objects.standing().filter(slot=slot, kind=Override.Kind.REPLACE)
    override = overrides.select_related("entrant").order_by("made_n").last()
    return (override.source, override.entrant) if override else (slot.source, None)


def refuse_impossible_plan(competition: Competition, pointer: str) -> None:
    """Raise unless the draws and overrides in force fit the format and each other; else nothing could be published."""
    reader = Reader(competition, Audience.STAFF, competition.version)
    league_format = format_of(rules_at(competition))
    try:
        plan(league_format, draws_of(reader), tuple(overrides_of(reader)))
    except ImpossiblePlanError as error:
        texts = [plan_fault_text(fault, league_format) for fault in error.faults]
        raise RuleViolationError(*(Finding("impossible_plan", text, pointer) for text in texts)) from error


@all_or_nothing
def pass_over(*, block: Block, entrant: Entrant, by: Actor, reason: str, accept: Collection[str] = ()) -> Override:
    """Exclude an entrant of the block from advancing; the next entrants move up, each by one place."""
    require(by, block.competition, Capability.MANAGE)
    lock_open(block.competition)
    refuse_without_reason(reason)
    refuse_strangers(block.competition, entrant)
    change = open_change(block.competition, by)
    override = Override.objects.create(
        block=block, kind=Override.Kind.PASS_OVER, entrant=entrant, reason=reason, made_n=change.n
    )
    refuse_impossible_plan(block.competition, "/entrant")
    refuse_unseating(change, accept)
    decide(change, "entrant.passed_over", override, after={"entrant": entrant.pk})
    return override


@all_or_nothing
def close_block(*, block: Block, by: Actor, reason: str, accept: Collection[str] = ()) -> Closing:
    """End a block before all its hanchan have been played: its standing is final, and no further result is taken.

    1. Refuse an open table, a block that is over or without results, and results that wait for confirmation.
    2. Refuse to unseat players of a later stage that has begun, unless that is accepted.
    3. Call off the block's tables without a result.
    """
    competition = block.competition
    require(by, competition, Capability.MANAGE)
    lock_open(competition)
    refuse_without_reason(reason)
    _refuse_odd_closing(block)
    change = open_change(competition, by)
    closing = Closing.objects.create(block=block, reason=reason, made_n=change.n)
    refuse_unseating(change, accept)
    decide(change, "block.closed", closing, after={"block": block.key})
    played = ResultSheet.objects.counting().filter(hanchan__block=block).values("hanchan__table_session")
    tables = TableSession.objects.filter(block=block, is_cancelled=False).exclude(pk__in=played)
    _call_off(closing, list(tables), by, is_cancelled=True)
    return closing


def _call_off(closing: Closing, tables: Sequence[TableSession], by: Actor, *, is_cancelled: bool) -> None:
    """Call the tables off together with their block, or schedule them again, as a change of its own."""
    if not tables:
        return
    change = open_change(closing.block.competition, by)
    TableSession.objects.filter(pk__in=[table.pk for table in tables]).update(is_cancelled=is_cancelled)
    change.record(
        CALLED_OFF if is_cancelled else "closing.tables_scheduled_again",
        closing,
        after={"table_sessions": [table.pk for table in tables]},
        is_public=any(table.is_released for table in tables),
    )


def _called_off_by(closing: Closing) -> list[TableSession]:
    """Return the tables that closing the block called off, and that are still called off."""
    rows = Change.objects.filter(competition=closing.block.competition, kind=CALLED_OFF, subject_id=str(closing.pk))
    tables = [table for change in rows for table in (change.after or {})["table_sessions"]]
    return list(TableSession.objects.filter(pk__in=tables, is_cancelled=True))


def _refuse_odd_closing(block: Block) -> None:
    """Raise unless the block is under way and none of its results waits."""
    competition, told = block.competition, {"block": block}
    if competition.kind == Competition.Kind.OPEN:
        raise refuse("open_table", _("An open table has no end; only a league's block can be closed."))
    if Closing.objects.standing().filter(block=block).exists():
        raise conflict("already_closed", _("%(block)s is closed already.") % told)
    competition.refresh_from_db(fields=["version"])
    if block.key in derive(facts_at(Reader(competition, Audience.STAFF, competition.version))).complete:
        message = _("All hanchan of %(block)s have been played; it is over without being closed.")
        raise conflict("block_complete", message % told)
    sheets = ResultSheet.objects.filter(hanchan__block=block)
    if not sheets.filter(state=ResultSheet.State.CONFIRMED).exists():
        message = _("%(block)s has no result yet. Enter one, or leave the block open.")
        raise refuse("nothing_played", message % told)
    if waiting := sheets.filter(state=ResultSheet.State.SUBMITTED).count():
        message = _("Results of %(block)s that wait for confirmation: %(count)s. Confirm or reject them first.")
        raise conflict("results_waiting", message % {**told, "count": waiting})


@all_or_nothing
def take_back(
    *, decision: Decided, competition: Competition, by: Actor, reason: str, accept: Collection[str] = ()
) -> None:
    """End a decision; its row stays. The public learns of it together with the results that are held back, if any.

    Both halves of a swap end together. A block whose closing is taken back is open again, with its tables; an entrant
    who had left plays on; one recorded as absent has the seat again while the hanchan has no result.
    """
    require(by, competition, Capability.MANAGE)
    lock_open(competition)
    refuse_without_reason(reason)
    change = open_change(competition, by)
    together = decided_with(decision, competition)
    # A conditional UPDATE under the lock: the second of two requests finds no open row.
    if not together.filter(ended_n=None).update(ended_n=change.n):
        raise conflict("already_taken_back", _("This has been taken back already."))
    if isinstance(decision, Departure):
        Entrant.objects.filter(pk=decision.entrant_id).update(withdrawn_at=None)
        settle_all_byes(change)
    if isinstance(decision, Credit):
        give_seat_back(decision)
    refuse_impossible_plan(competition, "")
    refuse_unseating(change, accept)
    kind = f"{type(decision).__name__.lower()}.taken_back"
    is_public = nothing_held_back(competition, decision)
    change.record(kind, together.earliest("pk"), reason=reason, is_public=is_public)
    if isinstance(decision, Closing):
        _call_off(decision, _called_off_by(decision), by, is_cancelled=False)


def decided_with(decision: Decided, competition: Competition) -> QuerySet[Override] | QuerySet[Decided]:
    """Return the decision's row, for a swap of slots together with the other half of it."""
    if isinstance(decision, Override):
        return Override.objects.filter(block__competition=competition, made_n=decision.made_n)
    return type(decision).objects.filter(pk=decision.pk)


@all_or_nothing
def draw_stage(*, stage: Stage, by: Actor, seed: str, reason: str, accept: Collection[str] = ()) -> Draw:
    """Draw which entrants of a stage play in which block, repeatably: the same seed gives the same draw.

    Each entrant's lot is the SHA-256 of the seed and the entrant's number in the stage; the lots in ascending order
    fill the blocks' slots one after the other.
    """
    competition = stage.competition
    require(by, competition, Capability.MANAGE)
    lock_open(competition)
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
    refuse_unseating(change, accept)
    decide(change, "stage.drawn", draw, after={"seed": seed, "result": result})
    return draw


def nothing_held_back(competition: Competition, decision: Decided | None = None) -> bool:
    """Return True if no result ever confirmed is held back, and no table of which the decision tells.

    Only then may the public learn of a decision at once.
    """
    tells = False
    if isinstance(decision, Credit | Departure):
        told = tells_of_held_back_table() if isinstance(decision, Credit) else leaves_held_back_table()
        tells = type(decision).objects.filter(told, pk=decision.pk).exists()
    return not tells and not sheets_held_back(competition, competition.version).exists()
