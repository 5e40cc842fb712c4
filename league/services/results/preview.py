"""Preview a result or decision before it counts: settlement, points, ranks, and the slots of later stages.

It also refuses changes that would move players in or out of a stage that already has results.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Audience, Block, Competition, Entrant, Hanchan, ResultSheet, SeatResult
from league.platform.errors import Finding, Level, raise_for
from league.selectors.access.actors import Actor, Capability, capabilities
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.selectors.standings.derivation import Derivation, derive, facts_at, with_hanchan
from league.selectors.standings.facts import Facts, id_of, id_or_none
from league.services.access.changes import OpenChange
from league.services.results.context import Surroundings
from league.services.results.entry import SheetEntry, findings_of, typing_findings
from league.wording.names import names_of, person_name
from scoring.settlement import Settlement, settle
from scoring.stages import Certainty
from scoring.standings import Played


@dataclass(frozen=True, slots=True)
class RankChange:
    """A change of an entrant's rank or total caused by a result; None before or after means not ranked."""

    entrant: int
    rank_before: int | None
    rank_after: int | None
    total_before: int
    total_after: int
    block: str


@dataclass(frozen=True, slots=True)
class SlotChange:
    """A change of a slot's certain occupant; `has_results` is true if the slot's block has already been played."""

    block: str
    number: int
    before: int | None
    after: int | None
    has_results: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """Findings about an entry, its settlement and its effects; no settlement if there is an error."""

    findings: tuple[Finding, ...]
    settlement: Settlement | None
    movements: tuple[RankChange, ...] = ()
    slot_changes: tuple[SlotChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """Everything a change moves in its competition: ranks and totals block by block, occupants of slots, the title."""

    movements: tuple[RankChange, ...]
    slot_changes: tuple[SlotChange, ...]
    champion: tuple[int | None, int | None] = (None, None)
    """The certain champion before and after."""


def preview_change(*, competition: Competition, act: Callable[[], object]) -> Effect:
    """Return the effect of a change by making it and rolling it back, so that preview and change cannot differ.

    Raise whatever `act` raises.
    """
    versions = Competition.objects.filter(pk=competition.pk).values_list("version", flat=True)
    with transaction.atomic():
        before = versions.get()
        act()
        # A decision may be several changes, such as a second absence that is a withdrawal too.
        effect = effect_of(competition, versions.get(), since=before)
        # Not an exception: messages queued with `on_commit` are dropped together with the rows.
        transaction.set_rollback(True)
    # The caller's object took the version number that has been rolled back.
    competition.refresh_from_db(fields=["version"])
    return effect


def effect_of(competition: Competition, n: int, *, since: int | None = None) -> Effect:
    """Return the difference between the standings as of version `since`, by default the one before, and `n`."""
    versions = (n - 1 if since is None else since, n)
    before, after = (derive(facts_at(Reader(competition, Audience.STAFF, version))) for version in versions)
    return effect_between(competition, before, after)


def effect_between(competition: Competition, before: Derivation, after: Derivation) -> Effect:
    """Return the difference between two standings of a competition, in the blocks that both have."""
    return Effect(
        tuple(
            moved for block in after.standings if block in before.standings for moved in movements(before, after, block)
        ),
        tuple(slot_changes(competition, before, after)),
        (champion_in(before), champion_in(after)),
    )


def champion_in(derivation: Derivation) -> int | None:
    """Return the certain champion; None before, and in a format without one."""
    champion = derivation.resolution.champion
    return id_or_none(champion.entrant) if champion and champion.state is Certainty.CERTAIN else None


def refuse_unseating(change: OpenChange, accept: Collection[str] = ()) -> None:
    """Raise if a decision would unseat a player from a stage that already has results.

    As with a result, a director may accept it by its code; decisions that the service itself replays are not
    checked again.
    """
    competition = change.competition
    if change.by.is_system or not blocks_with_results(competition):
        return
    damage = [one for one in effect_of(competition, change.n).slot_changes if one.has_results]
    if damage:
        raise_for([downstream_finding(competition, damage, change.by)], accept)


def preview_result(*, hanchan: Hanchan, entry: SheetEntry) -> Preview:
    """Return the effect of recording this entry.

    Nothing is written, and no permission beyond entering results is needed.
    """
    around = Surroundings(hanchan.block.competition, [(hanchan, entry)])
    entry = around.completed(hanchan, entry)
    findings = (*findings_of(hanchan, entry, around), *typing_findings(hanchan, entry, around))
    if any(finding.level is Level.ERROR for finding in findings):
        return Preview(findings, None)
    settlement = settle(entry.hanchan_result(), ruleset_of(hanchan.rules, {**hanchan.options, **entry.options}))
    competition = hanchan.block.competition
    facts, played = facts_now(competition), played_of_entry(hanchan, entry, settlement)
    before, after = derive(facts), derive(with_hanchan(facts, hanchan, played))
    return Preview(
        findings,
        settlement,
        tuple(movements(before, after, hanchan.block.key)),
        tuple(slot_changes(competition, before, after)),
    )


def facts_now(competition: Competition) -> Facts:
    """Return all facts of a competition as of its newest version."""
    return facts_at(Reader(competition, Audience.STAFF, competition.version))


def played_of_entry(hanchan: Hanchan, entry: SheetEntry, settlement: Settlement) -> dict[int, Played]:
    """Return the contribution of an entry to the standings, by entrant id."""
    points = settlement.totals[ruleset_of(hanchan.rules).ranking_ledger.key]
    return {
        seat.entrant: Played(
            hanchan.number, points[index], settlement.places[index], settlement.final_scores[index], hanchan.pk
        )
        for index, seat in enumerate(entry.seats)
    }


def played_of_sheet(sheet: ResultSheet, seats: Iterable[SeatResult] | None = None) -> dict[int, Played]:
    """Return the contribution of a sheet to the standings, by entrant id; `seats` saves a query if they are loaded."""
    hanchan = sheet.hanchan
    return {
        seat.entrant_id: Played(hanchan.number, seat.points, seat.place, seat.final_score, hanchan.pk)
        for seat in (sheet.seats.all() if seats is None else seats)
    }


def movements(before: Derivation, after: Derivation, block: str) -> Iterator[RankChange]:
    """Yield the entrants whose rank or total changes, in the order of the new standings."""
    earlier = {line.entrant: line for line in before.standings[block].ranked}
    for line in after.standings[block].ranked:
        old = earlier.pop(line.entrant, None)
        if old is None or (old.rank, old.total) != (line.rank, line.total):
            yield RankChange(
                id_of(line.entrant), old.rank if old else None, line.rank, old.total if old else 0, line.total, block
            )
    for entrant, old in earlier.items():
        yield RankChange(id_of(entrant), old.rank, None, old.total, 0, block)


def slot_changes(competition: Competition, before: Derivation, after: Derivation) -> Iterator[SlotChange]:
    """Yield the slots whose certain occupant changes, or that become certain or uncertain."""
    begun = blocks_with_results(competition)
    for block, slots in after.resolution.slots.items():
        # Another format may have other blocks, or other numbers of places in those not played yet.
        for old, new in zip(before.resolution.slots.get(block, ()), slots, strict=False):
            held = id_or_none(old.entrant) if old.state is Certainty.CERTAIN else None
            holds = id_or_none(new.entrant) if new.state is Certainty.CERTAIN else None
            if held != holds:
                yield SlotChange(block, new.number, held, holds, block in begun)


def blocks_with_results(competition: Competition) -> frozenset[str]:
    """Return the keys of the blocks that have a confirmed result."""
    played = ResultSheet.objects.counting().filter(hanchan__block__competition=competition)
    return frozenset(played.values_list("hanchan__block__key", flat=True))


def refuse_downstream_damage(
    *, hanchan: Hanchan, played: Mapping[int, Played], by: Actor, accept: Collection[str] = ()
) -> None:
    """Raise if a result would unseat a player from a stage that already has results.

    A director may accept it by its code, `later_stage_begun`; the reason is recorded with the change.
    """
    # A cheap query first: deriving standings twice is needed only if a later stage has begun.
    if later_blocks_begun(hanchan):
        raise_for(downstream_damage(hanchan, played, by, facts_now(hanchan.block.competition)), accept)


def downstream_damage(hanchan: Hanchan, played: Mapping[int, Played], by: Actor, facts: Facts) -> list[Finding]:
    """Return the finding, if any, that a result added to these facts unseats a player from a stage that has results."""
    competition = hanchan.block.competition
    before, after = derive(facts), derive(with_hanchan(facts, hanchan, played))
    damage = [change for change in slot_changes(competition, before, after) if change.has_results]
    return [downstream_finding(competition, damage, by)] if damage else []


def later_blocks_begun(hanchan: Hanchan) -> bool:
    """Return True if a later stage than the hanchan's has a confirmed result."""
    later = Block.objects.filter(competition=hanchan.block.competition, stage__order__gt=hanchan.block.stage.order)
    blocks = list(later.order_by().values_list("pk", flat=True))
    return SeatResult.objects.filter(block__in=blocks, sheet__state=ResultSheet.State.CONFIRMED).exists()


def downstream_finding(competition: Competition, damage: Sequence[SlotChange], by: Actor) -> Finding:
    """Return the finding that lists the slots that would change; a warning for directors, an error for others."""
    may = by.is_system or Capability.MANAGE in capabilities(by.user, competition)
    ids = {pk for change in damage for pk in (change.before, change.after) if pk is not None}
    people = Entrant.objects.filter(pk__in=ids).select_related("player")
    names = {entrant.pk: person_name(entrant.player) for entrant in people}
    blocks = names_of(competition.blocks.select_related("stage"))
    none = _("no player")
    listed = "; ".join(
        _("%(block)s, place %(number)s: %(before)s → %(after)s")
        % {
            "block": blocks.block(change.block),
            "number": change.number,
            "before": names.get(change.before or 0, none),
            "after": names.get(change.after or 0, none),
        }
        for change in damage
    )
    return Finding(
        "later_stage_begun",
        _(
            "This would change who plays in a stage that has results already (%(changes)s). Only a director may do so, "
            "with a reason."
        )
        % {"changes": listed},
        level=Level.WARNING if may else Level.ERROR,
        params={"slots": [[change.block, change.number] for change in damage]},
    )
