"""Close the roster of a format of open size, make house players, and admit those who come after the start."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Competition, Entrant, Override, Player, ResultSheet, RulesInForce, Slot
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.competitions.roster import (
    active_entrants,
    has_begun,
    house_needed,
    house_players,
    is_scheduled,
    present_of,
)
from league.selectors.rulebooks.rules_in_force import format_of, format_of_revision, is_of_teams, rules_at, ruleset_of
from league.services.access.changes import OpenChange, after_last, lock, open_change
from league.services.access.guard import all_or_nothing
from league.services.competitions.replanning import BEGUN
from league.services.competitions.setup import lock_unmerged, new_player
from league.services.competitions.wizard import Newcomer, enter_roster
from league.services.results.rulings import override_slot
from league.services.results.sheets import lock_open
from league.services.rulebooks.revisions import RulesChoice, write_rules

HOUSE_NAME = "補欠{n}"
HOUSE_NAME_ROMAJI = "House player {n}"
MOST_HOUSE_PLAYERS = 20
SIZE_ALONE = frozenset({"stages_change"})
"""The finding that stages change: another number of entrants says so itself."""


@all_or_nothing
def fit_roster(
    *, competition: Competition, entrants: int, by: Actor, only_present: bool = False, accept: Collection[str] = ()
) -> RulesInForce:
    """Close the roster with this number of entrants; it can be closed again until a hanchan has begun.

    1. Refuse a format of fixed size, a competition that has begun, and a schedule that seats players.
    2. Put the same rules in force for the number; refuse one that the format does not allow.
    3. Give the places to the entrants by number, those who have one first; with `only_present` to those who have
       checked in. The others stay entered without a place.
    4. Make the house players that fill the tables.
    """
    require(by, competition, Capability.MANAGE)
    lock_open(competition)
    before = rules_at(competition)
    if format_of_revision(before.format).bounds is None:
        message = _("This format is for %(places)s players; its number of players is fixed.")
        raise refuse("fixed_size", message % {"places": format_of(before).seeds}, "/entrants")
    if has_begun(competition):
        message = _("A hanchan has begun. Admit those who come later, and record those who leave.")
        raise conflict("roster_begun", message)
    if is_scheduled(competition):
        message = _("The schedule seats these players already. Take the schedule back first.")
        raise conflict("block_is_scheduled", message)
    people = active_entrants(competition)
    people = present_of(people) if only_present else people
    if len(people) < entrants:
        message = ngettext(
            "There is %(count)s player, fewer than %(entrants)s.",
            "There are %(count)s players, fewer than %(entrants)s.",
            len(people),
        )
        raise refuse("too_few_entrants", message % {"count": len(people), "entrants": entrants}, "/entrants")
    change = open_change(competition, by)
    rules = _resize(before, entrants, change, accept)
    change.record(
        "roster.closed",
        rules,
        before={"entrants": before.entrants},
        after={
            "entrants": entrants,
            "only_present": only_present,
            "seeds": _fill_seeds(competition, people),
            "house": [one.pk for one in _fill_house(competition, by)],
        },
    )
    return rules


def _resize(rules: RulesInForce, entrants: int, change: OpenChange, accept: Collection[str] = ()) -> RulesInForce:
    """Put the same rules in force for another number of entrants."""
    choice = RulesChoice(ruleset=rules.ruleset, league_format=rules.format, options=rules.options, entrants=entrants)
    return write_rules(choice, change, SIZE_ALONE | set(accept))


def _fill_seeds(competition: Competition, people: Sequence[Entrant]) -> dict[str, int]:
    """Give the seeded places to these entrants alone, by number, those who have a place first; return who has which."""
    slots = _seeded_slots(competition)
    known = {entrant.pk for entrant in people}
    kept = {slot.seeded_id for slot in slots} & known
    waiting = iter([entrant.pk for entrant in people if entrant.pk not in kept])
    Slot.objects.filter(pk__in=[slot.pk for slot in slots if slot.seeded_id not in kept]).update(seeded=None)
    for slot in slots:
        if slot.seeded_id not in kept:
            slot.seeded_id = next(waiting, None)
            slot.save(update_fields=["seeded"])
    return {slot.source.removeprefix("seed:"): slot.seeded_id for slot in slots if slot.seeded_id}


def _seeded_slots(competition: Competition) -> list[Slot]:
    """Return the slots that take seeds, in the order of the seeds' numbers."""
    slots = Slot.objects.filter(block__competition=competition, source__startswith="seed:")
    return sorted(slots, key=lambda slot: int(slot.source.removeprefix("seed:")))


@all_or_nothing
def add_house_players(*, competition: Competition, count: int, by: Actor) -> list[Entrant]:
    """Enter house players (補欠), who fill tables: they have no rank, take no place, and count for no entrant."""
    require(by, competition, Capability.MANAGE)
    lock(competition)
    if not 1 <= count <= MOST_HOUSE_PLAYERS:
        message = _("Enter 1 to %(most)s house players.")
        raise refuse("house_players_out_of_range", message % {"most": MOST_HOUSE_PLAYERS}, "/count")
    if is_of_teams(rules_at(competition)):
        message = _(
            "In a league of teams no house player fills a table. Enter a further team, or let a team rest by the "
            "fixtures."
        )
        raise refuse("teams_without_house_players", message)
    added = _enter_house(competition, count, by)
    open_change(competition, by).record("house.entered", competition, after={"entrants": [one.pk for one in added]})
    return added


def _fill_house(competition: Competition, by: Actor) -> list[Entrant]:
    """Enter the house players that the format in force needs and the competition does not have."""
    rules = rules_at(competition)
    needed = house_needed(format_of(rules), ruleset_of(rules).players)
    return _enter_house(competition, needed - len(house_players(competition)), by)


def _enter_house(competition: Competition, count: int, by: Actor) -> list[Entrant]:
    there = Entrant.objects.filter(competition=competition, is_house=True).count()
    first = after_last(Entrant.objects.filter(competition=competition), "number")
    return [
        Entrant.objects.create(
            competition=competition, player=_house_player(there + nth, by), number=first + nth - 1, is_house=True
        )
        for nth in range(1, count + 1)
    ]


def _house_player(number: int, by: Actor) -> Player:
    """Return the player row of the n-th house player, one for all competitions."""
    name = HOUSE_NAME.format(n=number)
    rows = Player.objects.filter(entrants__is_house=True, name=name, merged_into=None, erased_at=None)
    known = rows.order_by("pk").first()
    return known or new_player(name=name, name_romaji=HOUSE_NAME_ROMAJI.format(n=number), by=by)


@all_or_nothing
def admit(*, competition: Competition, people: Sequence[Player | Newcomer], by: Actor) -> list[Entrant]:
    """Enter people after the roster was closed and give each a place; return their entrants by number.

    1. Enter those who are not entered yet; refuse entrants who have left.
    2. Let them take free places. For the others a format of open size gets places at the end, as far as it allows;
       in one of fixed size they take the places of players who have left without a result.
    """
    require(by, competition, Capability.MANAGE)
    lock_unmerged([person for person in people if isinstance(person, Player)])
    lock_open(competition)
    entered = enter_roster(competition=competition, people=people, by=by)
    for entrant in entered:
        if entrant.withdrawn_at:
            message = _("%(name)s has left this competition. Take the withdrawal back first.")
            raise conflict("entrant_has_left", message % {"name": entrant}, "/people")
    entered.sort(key=lambda entrant: entrant.number)
    slots = _seeded_slots(competition)
    placed = {slot.seeded_id for slot in slots} | _placed_by_ruling(competition)
    waiting = [entrant for entrant in entered if entrant.pk not in placed] if slots else []
    missing = max(len(waiting) - sum(slot.seeded_id is None for slot in slots), 0)
    rules = rules_at(competition)
    takes_over = bool(missing) and format_of_revision(rules.format).bounds is None
    if takes_over:
        _take_over(competition, waiting[-missing:], by)
    change = open_change(competition, by)
    if missing and not takes_over:
        _resize(rules, format_of(rules).seeds + missing, change)
    free = [slot for slot in _seeded_slots(competition) if slot.seeded_id is None]
    for slot, entrant in zip(free, waiting, strict=False):
        slot.seeded = entrant
        slot.save(update_fields=["seeded"])
    change.record(
        "roster.admitted",
        competition,
        after={
            "entrants": [entrant.pk for entrant in waiting],
            "places": 0 if takes_over else missing,
            "house": [one.pk for one in _fill_house(competition, by)],
        },
    )
    return entered


def _placed_by_ruling(competition: Competition) -> set[int | None]:
    """Return the entrants who have taken the place of another one by a decision."""
    rows = Override.objects.standing().filter(block__competition=competition, kind=Override.Kind.REPLACE)
    return set(rows.values_list("entrant", flat=True))


def _take_over(competition: Competition, entrants: Sequence[Entrant], by: Actor) -> None:
    """Give entrants the places of players who have left without a result; raise if there are too few of these."""
    taken = Override.objects.standing().filter(block__competition=competition, kind=Override.Kind.REPLACE)
    played = ResultSheet.objects.counting().filter(hanchan__block__competition=competition)
    with_results = set(played.values_list("seats__entrant", flat=True))
    slots = Slot.objects.filter(block__competition=competition, seeded__withdrawn_at__isnull=False)
    slots = slots.exclude(pk__in=taken.values("slot")).select_related("block__competition", "block__stage")
    left = [slot for slot in slots.order_by("block", "number") if slot.seeded_id not in with_results]
    if (missing := len(entrants) - len(left)) > 0:
        message = ngettext(
            "%(count)s place is missing: the format has a fixed number, and no further player has left without a "
            "result.",
            "%(count)s places are missing: the format has a fixed number, and no further players have left without a "
            "result.",
            missing,
        )
        raise conflict("no_free_place", message % {"count": missing}, "/people")
    reason = _("Comes after the start, in place of a player who has left without a result")
    for slot, entrant in zip(left, entrants, strict=False):
        override_slot(slot=slot, source="ruling", entrant=entrant, reason=reason, by=by, accept=BEGUN)
