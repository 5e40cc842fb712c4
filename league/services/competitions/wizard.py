"""Set up a league: rules and calendar, roster, and the entrants of each block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import cycle

from django.utils.translation import gettext as _

from league.models import Block, Competition, Entrant, HanchanSeat, Player, ResultSheet, Slot
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.competitions.roster import active_entrants
from league.selectors.competitions.seating.plans import Calendar
from league.services.access.changes import lock, open_change
from league.services.access.guard import all_or_nothing
from league.services.competitions.setup import CompetitionPlan, create_competition, enter_players, new_player
from scoring.seating import in_order_of_lots

LONGEST_RHYTHM = 366
LONGEST_SEED = 64


@all_or_nothing
def set_up_league(*, plan: CompetitionPlan, calendar: Calendar, by: Actor) -> Competition:
    """Create a draft with its rules, and store the planned days of play; no session is scheduled yet."""
    competition = create_competition(plan=plan, by=by)
    plan_calendar(competition=competition, calendar=calendar, by=by)
    return competition


@all_or_nothing
def plan_calendar(*, competition: Competition, calendar: Calendar, by: Actor) -> None:
    """Store when and where the league plays, as a log entry from which the schedule will be made."""
    require(by, competition, Capability.MANAGE)
    refuse_odd_rhythm(calendar)
    open_change(competition, by).record(
        "calendar.planned",
        competition,
        is_public=False,
        after={
            "first_day": calendar.first_day.isoformat(),
            "every": calendar.every,
            "starts_at": calendar.starts_at.isoformat(),
            "venue": calendar.venue,
            "tables": calendar.tables,
        },
    )


def refuse_odd_rhythm(calendar: Calendar) -> None:
    """Raise unless there are 0 to 366 days from one day of play to the next."""
    if not 0 <= calendar.every <= LONGEST_RHYTHM:
        message = _("From one day of play to the next are 0 to %(most)s days.") % {"most": LONGEST_RHYTHM}
        raise refuse("rhythm_out_of_range", message, "/every")


@dataclass(frozen=True, kw_only=True, slots=True)
class Newcomer:
    """A person in a roster without a player row yet."""

    name: str
    name_kana: str = ""
    name_romaji: str = ""
    affiliation: str = ""
    number: str = ""
    country: str = ""


@all_or_nothing
def enter_roster(*, competition: Competition, people: Sequence[Player | Newcomer], by: Actor) -> list[Entrant]:
    """Enter a roster in its order and create players who are not known yet: all of it, or nothing.

    1. Refuse an empty roster, and one that names a player twice, or one who was erased or merged.
    2. Add the newcomers, then enter all players.
    """
    require(by, competition, Capability.MANAGE)
    known = [person for person in people if isinstance(person, Player)]
    if not people:
        raise refuse("nobody_named", _("Paste or choose at least one player."), "/roster")
    for player in known:
        if known.count(player) > 1:
            raise refuse("named_twice", _("%(name)s is named twice. Each player enters once.") % {"name": player})
    gone = Player.objects.filter(pk__in=[player.pk for player in known]).exclude(merged_into=None, erased_at=None)
    if found := gone.first():
        message = _("%(name)s is no more an entry of its own. Look at the roster again.") % {"name": found}
        raise conflict("player_gone", message, "/roster")
    return enter_players(competition=competition, players=[player_of(person, by) for person in people], by=by)


def player_of(person: Player | Newcomer, by: Actor) -> Player:
    """Return the player, creating a newcomer."""
    return person if isinstance(person, Player) else new_player(**asdict(person), by=by)


class Filling(StrEnum):
    """Methods of assigning entrants to blocks."""

    BY_HAND = "hand"
    """The entrants of each block are given."""
    SNAKE = "snake"
    """In the order of their numbers from block to block and back again: 1 to A, 2 and 3 to B, 4 and 5 to A."""
    DRAWN = "draw"
    """In the order of their lots, which follow from a seed."""


def seeded_blocks(competition: Competition) -> list[Block]:
    """Return the blocks whose entrants are assigned before the season begins."""
    rows = Block.objects.filter(competition=competition, slots__source__startswith="seed:").distinct()
    return list(rows.select_related("stage").order_by("stage__order", "order"))


def snaked(entrants: Sequence[Entrant], sizes: Mapping[int, int]) -> dict[int, list[Entrant]]:
    """Assign entrants in a snake, from block to block and back; `sizes` has each block's places by its id."""
    filled: dict[int, list[Entrant]] = {pk: [] for pk in sizes}
    if not sizes:
        return filled
    there_and_back = cycle([*sizes, *reversed(sizes)])
    left = list(entrants)[: sum(sizes.values())]
    while left:
        block = next(there_and_back)
        if len(filled[block]) < sizes[block]:
            filled[block].append(left.pop(0))
    return filled


def assign_by_lots(entrants: Sequence[Entrant], sizes: Mapping[int, int], seed: str) -> dict[int, list[Entrant]]:
    """Assign entrants in the order of their lots, filling one block after the other.

    A lot is the SHA-256 of the seed, a colon and the entrant's number, so that every reader can repeat the draw.
    """
    by_number = {entrant.number: entrant for entrant in entrants}
    order = [by_number[number] for number in in_order_of_lots(by_number, seed)]
    filled = {}
    for pk, size in sizes.items():
        filled[pk], order = order[:size], order[size:]
    return filled


@all_or_nothing
def fill_blocks(
    *,
    competition: Competition,
    filling: Filling,
    by: Actor,
    seed: str = "",
    by_hand: Mapping[int, Sequence[Entrant]] | None = None,
) -> dict[int, list[Entrant]]:
    """Assign the entrants to the places of the first blocks; the log keeps the method and the seed.

    1. Refuse once there are results, or a schedule that seats them.
    2. Assign the entrants by hand, in a snake, or by lots from the seed.
    3. Refuse an entrant named twice or belonging to another competition.
    """
    require(by, competition, Capability.MANAGE)
    lock(competition)
    blocks = seeded_blocks(competition)
    _refuse_begun(blocks)
    slots = list(Slot.objects.filter(block__in=blocks, source__startswith="seed:").order_by("number"))
    sizes = {block.pk: sum(slot.block_id == block.pk for slot in slots) for block in blocks}
    entrants = active_entrants(competition)
    filled = _filled(filling, entrants, sizes, seed.strip(), by_hand or {})
    _refuse_bad_filling(filled, sizes, entrants)
    change = open_change(competition, by)
    before = {str(pk): [slot.seeded_id for slot in slots if slot.block_id == pk] for pk in sizes}
    Slot.objects.filter(pk__in=[slot.pk for slot in slots]).update(seeded=None)
    for pk, own in filled.items():
        for slot, entrant in zip([slot for slot in slots if slot.block_id == pk], own, strict=False):
            Slot.objects.filter(pk=slot.pk).update(seeded=entrant)
    change.record(
        "blocks.filled",
        competition,
        before={"blocks": before},
        after={
            "filling": filling.value,
            "seed": seed.strip() if filling is Filling.DRAWN else "",
            "blocks": {str(pk): [entrant.pk for entrant in own] for pk, own in filled.items()},
        },
    )
    return filled


def _filled(
    filling: Filling,
    entrants: Sequence[Entrant],
    sizes: Mapping[int, int],
    seed: str,
    by_hand: Mapping[int, Sequence[Entrant]],
) -> dict[int, list[Entrant]]:
    if filling is Filling.BY_HAND:
        return {pk: list(by_hand.get(pk, ())) for pk in sizes}
    if filling is Filling.SNAKE:
        return snaked(entrants, sizes)
    refuse_bad_seed(seed)
    return assign_by_lots(entrants, sizes, seed)


def refuse_bad_seed(seed: str) -> None:
    """Raise unless the seed is given and fits its field."""
    if not seed.strip():
        raise refuse(
            "seed_needed", _("Enter a seed: anything all players can check, such as the day's numbers."), "/seed"
        )
    if len(seed) > LONGEST_SEED:
        raise refuse("too_long", _("At most %(most)s characters.") % {"most": LONGEST_SEED}, "/seed")


def _refuse_begun(blocks: Sequence[Block]) -> None:
    """Raise once players are seated or have results, because the blocks are then no draft any more."""
    if not blocks:
        raise refuse("nothing_to_fill", _("This format names no places to fill: all entered players play."))
    if ResultSheet.objects.filter(hanchan__block__in=blocks).exists():
        raise conflict(
            "block_has_results",
            _("%(block)s already has results. Enter an override with its reason instead.") % {"block": blocks[0].stage},
        )
    if HanchanSeat.objects.filter(hanchan__block__in=blocks).exists():
        raise conflict(
            "block_is_scheduled",
            _("The schedule seats these players already. Take the schedule back first."),
        )


def _refuse_bad_filling(
    filled: Mapping[int, Sequence[Entrant]], sizes: Mapping[int, int], entrants: Sequence[Entrant]
) -> None:
    """Raise if an entrant is named twice or from elsewhere, or a block gets more entrants than it has places."""
    known = {entrant.pk for entrant in entrants}
    seen: set[int] = set()
    for pk, own in filled.items():
        if len(own) > sizes[pk]:
            message = _("There are %(slots)s places, not %(entrants)s.") % {"slots": sizes[pk], "entrants": len(own)}
            raise refuse("too_many_entrants", message, "/blocks")
        for entrant in own:
            if entrant.pk not in known:
                message = _("%(name)s does not play in this competition.") % {"name": entrant}
                raise refuse("not_entered", message, "/blocks")
            if entrant.pk in seen:
                message = _("%(name)s is named twice. Each player has one place.") % {"name": entrant}
                raise refuse("seeded_twice", message, "/blocks")
            seen.add(entrant.pk)
