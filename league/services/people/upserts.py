"""Keep people in step with a membership list elsewhere: rows are matched by their external id.

A row whose external id is known changes that person, another adds one, and one that says the same as before changes
nothing, so that a list can be sent again at any time. All rows are written, or none. A person who is not in the list
stays: a list may be a part. A duplicate that was merged leads to the person who was kept; erasing a person forgets the
external id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum

from django.utils.translation import gettext as _

from league.models import Competition, Entrant, Player
from league.platform.errors import Finding, Level, RuleViolationError, ServiceError
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import lock
from league.services.access.guard import all_or_nothing
from league.services.competitions.editing import EntrantWords, PlayerWords, edit_entrant, edit_player
from league.services.competitions.setup import enter_players, lock_unmerged, new_player
from league.services.people.permissions import refuse_strangers


@dataclass(frozen=True, kw_only=True, slots=True)
class PersonRow:
    """A person of a membership list; a field that is None stays as it is."""

    external_id: str
    name: str | None = None
    name_kana: str | None = None
    name_romaji: str | None = None
    affiliation: str | None = None
    country: str | None = None
    number: str | None = None


class Outcome(StrEnum):
    """The result of one row."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class UpsertedPerson:
    """A person after a row, with what the row did."""

    player: Player
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class UpsertedEntrant:
    """An entrant after a row, with what the row did to the entry in this competition."""

    entrant: Entrant
    outcome: Outcome


PERSONAL = tuple(each.name for each in fields(PersonRow) if each.name != "external_id")


@all_or_nothing
def upsert_people(*, rows: Sequence[PersonRow], by: Actor, places: Sequence[int] | None = None) -> list[UpsertedPerson]:
    """Add or change people by their external ids, in the order of the rows; all rows or none.

    `places` has the place of each row in the list that was sent, if that has other rows too.

    Raise RuleViolationError with a pointer to each row that names an id twice, or a new person without a name.
    """
    refuse_strangers(by)
    places = range(len(rows)) if places is None else places
    refuse_named_twice({place: row.external_id for place, row in zip(places, rows, strict=True)})
    known = people_by_external_id([row.external_id for row in rows])
    written: list[UpsertedPerson] = []
    faults: list[Finding] = []
    for place, row in zip(places, rows, strict=True):
        try:
            written.append(upserted(row, known.get(row.external_id), by))
        except ServiceError as error:
            faults += [moved(finding, place) for finding in error.findings]
    if faults:
        raise RuleViolationError(*faults)
    return written


def upserted(row: PersonRow, player: Player | None, by: Actor) -> UpsertedPerson:
    """Add or change one person."""
    given = {name: value for name in PERSONAL if (value := getattr(row, name)) is not None}
    if player is None:
        personal = {name: value for name, value in given.items() if name != "name"}
        made = new_player(name=row.name or "", by=by, external_id=row.external_id, **personal)
        return UpsertedPerson(made, Outcome.CREATED)
    before = {each.name: getattr(player, each.name) for each in fields(PlayerWords)}
    if all(before[name] == value for name, value in given.items()):
        return UpsertedPerson(player, Outcome.UNCHANGED)
    return UpsertedPerson(edit_player(player=player, words=PlayerWords(**{**before, **given}), by=by), Outcome.CHANGED)


def people_by_external_id(ids: Sequence[str]) -> dict[str, Player]:
    """Return the known people by external id; for a merged duplicate the person who was kept."""
    rows = Player.objects.filter(external_id__in=ids).select_related("merged_into")
    return {str(row.external_id): row.kept for row in rows}


@all_or_nothing
def upsert_entrants(
    *, competition: Competition, people: Sequence[Player], words: Sequence[EntrantWords | None], by: Actor
) -> list[UpsertedEntrant]:
    """Enter people into a competition in this order, and keep their clubs and countries of this season in step.

    `words` has one item for each person; None leaves club and country as they are. Those entered already stay, with
    their numbers.
    """
    require(by, competition, Capability.MANAGE)
    lock_unmerged(people)
    lock(competition)
    before = set(Entrant.objects.filter(competition=competition).values_list("player", flat=True))
    entered = {row.player_id: row for row in enter_players(competition=competition, players=people, by=by)}
    return [
        entry_outcome(entered[player.pk], said, by, is_new=player.pk not in before)
        for player, said in zip(people, words, strict=True)
    ]


def entry_outcome(entrant: Entrant, said: EntrantWords | None, by: Actor, *, is_new: bool) -> UpsertedEntrant:
    """Change an entry's club and country if they differ, and return what was done."""
    outcome = Outcome.CREATED if is_new else Outcome.UNCHANGED
    if said is not None and (said.affiliation, said.country) != (entrant.affiliation, entrant.country):
        entrant = edit_entrant(entrant=entrant, words=said, by=by)
        outcome = outcome if is_new else Outcome.CHANGED
    return UpsertedEntrant(entrant, outcome)


def refuse_named_twice(ids: Mapping[int, str]) -> None:
    """Raise RuleViolationError naming the rows, by their places, whose external id stands in an earlier row too."""
    counted = Counter(ids.values())
    seen: set[str] = set()
    faults = []
    for place, each in ids.items():
        if counted[each] > 1 and each in seen:
            message = _("“%(id)s” stands in the list twice. Send each person once.") % {"id": each}
            faults.append(Finding("named_twice", message, f"/people/{place}/external_id", Level.ERROR))
        seen.add(each)
    if faults:
        raise RuleViolationError(*faults)


def moved(finding: Finding, place: int) -> Finding:
    """Return a finding about one row as one about the list."""
    return replace(finding, pointer=f"/people/{place}{finding.pointer}")
