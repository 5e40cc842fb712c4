"""Guests of a parlour: entering them, the waiting list, and merging two entries of one person."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import (
    Competition,
    Entrant,
    HanchanSeat,
    Parlour,
    Player,
    SeatResult,
    Sitting,
    SittingSeat,
    WaitingGuest,
)
from league.platform.errors import RuleViolationError, conflict, refuse
from league.selectors.access.actors import Actor, Capability, competitions_where, has_right, require
from league.selectors.access.readers import visible_competitions
from league.selectors.parlour.board import business_day
from league.selectors.parlour.following import followed_games
from league.selectors.parlour.guests import NewGuest, TypedGuest, typed_guest
from league.selectors.people.personal_data import competitions_with
from league.services.access.changes import (
    after_last,
    lock,
    lock_parlours,
    lock_player,
    open_change,
    record_organization_change,
)
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.competitions.setup import new_player
from league.services.parlour.checks import lock_open_table, note
from league.services.parlour.sittings import Guest, join, seat_of_party
from league.services.parlour.terms import keep_terms
from league.services.people.merging import (
    move_in_series,
    move_pictures,
    move_seats,
    refuse_both_decided,
    refuse_both_in_league,
    takes_picture,
    terms_joined,
)
from league.services.people.online_accounts import move_accounts
from league.services.seasons.series import publish_places_again

LARGEST_PARTY = 20


@all_or_nothing
def enter_guest(*, competition: Competition, player: Player, by: Actor) -> Entrant:
    """Make a known player a guest of this open table; return the existing entrant if the player is one already."""
    competition = lock_open_table(competition, by)
    refuse_gone(player)
    there = Entrant.objects.filter(competition=competition, player=player).select_related("player").first()
    if there is not None:
        return there
    change = open_change(competition, by)
    entrant = new_entrant(competition, player, player)
    note(change, "entrants.entered", competition, after={"players": [player.pk]})
    return entrant


def new_entrant(competition: Competition, player: Player, source: Player | Entrant) -> Entrant:
    """Create an entrant with the source's affiliation and country.

    The number is the player's in another book of the house, or else the next one of all books.
    """
    house = Entrant.objects.filter(competition__parlour=competition.parlour_id)
    taken = Entrant.objects.filter(competition=competition).values("number")
    own = house.filter(player=player).exclude(number__in=taken).values_list("number", flat=True).first()
    number = own or after_last(house, "number")
    return Entrant.objects.create(
        competition=competition, player=player, number=number, affiliation=source.affiliation, country=source.country
    )


@all_or_nothing
def add_guest(*, competition: Competition, name: str, by: Actor, name_kana: str = "", number: str = "") -> Entrant:
    """Create a new player and enter the player as a guest. A member number belongs to one player only."""
    # The lock keeps two clerks of this open table from giving out one member number.
    lock_open_table(competition, by)
    refuse_too_long(Player, {"name": name, "name_kana": name_kana, "number": number})
    number = number.strip()
    holder = Player.objects.filter(number=number, merged_into=None, erased_at=None).first() if number else None
    if holder is not None:
        message = _("%(name)s has the number %(number)s already.") % {"name": holder, "number": number}
        raise conflict("number_taken", message, "/number")
    player = new_player(name=name, name_kana=name_kana.strip(), number=number, by=by)
    return enter_guest(competition=competition, player=player, by=by)


def refuse_gone(player: Player) -> None:
    """Raise if the player has been erased or merged into another entry by now."""
    if not Player.objects.filter(pk=player.pk, merged_into=None, erased_at=None).exists():
        raise refuse("player_gone", _("This entry is not in use any more. Choose another."), "/player")


@all_or_nothing
def add_waiting(
    *,
    competition: Competition,
    player: Player,
    by: Actor,
    party: int = 1,
    wish: str = "",
    at: dt.datetime | None = None,
) -> WaitingGuest:
    """Put a player, alone or with company, on the waiting list for a rule book; `party` counts all who wait.

    Raise ConflictError if the player waits or sits here already.
    """
    competition = lock_open_table(competition, by)
    refuse_gone(player)
    refuse_too_long(WaitingGuest, {"wish": wish})
    if not 1 <= party <= LARGEST_PARTY:
        message = _("Of a party, 1 to %(most)s people can wait, not %(given)s.")
        raise refuse("party_size", message % {"most": LARGEST_PARTY, "given": party}, "/party")
    house = competition.parlour_id
    waiting = WaitingGuest.objects.filter(competition__parlour=house, player=player, seated_at=None, gone_at=None)
    if waiting.exists():
        raise conflict("waits_already", _("%(name)s waits already.") % {"name": player}, "/player")
    seat = SittingSeat.objects.filter(
        sitting__table_session__competition__parlour=house, entrant__player=player, left_at=None, is_last_game=False
    ).first()
    if seat is not None:
        table = seat.sitting.table_session.table
        message = _("%(name)s sits at table %(table)s already.") % {"name": player, "table": table}
        raise conflict("sits_elsewhere", message, "/player")
    change = open_change(competition, by)
    row = WaitingGuest.objects.create(
        competition=competition, player=player, party=party, wish=wish.strip(), since=at or timezone.now()
    )
    note(change, "waiting.added", row, after={"player": player.pk, "party": party})
    return row


@all_or_nothing
def seat_waiting(
    *, waiting: WaitingGuest, sitting: Sitting, seat: int, by: Actor, player: Player | None = None
) -> SittingSeat:
    """Seat one of a waiting party on an empty chair: `player`, or else the one who is on the list.

    The rest of the party waits on, at the same place of the list and under the same name.
    """
    lock_open_table(waiting.competition, by)
    waiting = refuse_waits_no_more(waiting)
    guest = player or waiting.player
    entrant = enter_guest(competition=sitting.table_session.competition, player=guest, by=by)
    row = join(sitting=sitting, seat=seat, guest=Guest(entrant=entrant), by=by)
    # `join` takes guests off the list by name; another one of the party is taken off here.
    still = WaitingGuest.objects.filter(pk=waiting.pk, seated_at=None).first()
    if still is not None:
        seat_of_party(still, row.joined_at)
    return row


@all_or_nothing
def drop_waiting(*, waiting: WaitingGuest, by: Actor) -> None:
    """Remove a player from the waiting list, because they have left."""
    competition = lock_open_table(waiting.competition, by)
    waiting = refuse_waits_no_more(waiting)
    change = open_change(competition, by)
    waiting.gone_at = timezone.now()
    waiting.save(update_fields=["gone_at"])
    note(change, "waiting.gone", waiting, after={"player": waiting.player_id})


def refuse_waits_no_more(waiting: WaitingGuest) -> WaitingGuest:
    """Return the row as stored now; raise ConflictError if the player was seated or removed meanwhile."""
    found = WaitingGuest.objects.select_related("player", "competition").get(pk=waiting.pk)
    if found.seated_at is not None or found.gone_at is not None:
        raise conflict("waits_no_more", _("%(name)s waits no more.") % {"name": found.player})
    return found


@all_or_nothing
def merge_players(*, duplicate: Player, keep: Player, by: Actor, reason: str = "") -> None:
    """Merge two entries of one person: everything of `duplicate` counts for `keep` from now on.

    1. Refuse the same entry, one that is erased or merged, a guest of other houses alone as the one to keep, and two
       players who sat in one game: those are two people.
    2. At each open table the duplicate's entrant counts for the kept one's, which is created if needed. Results
       stay where they are. A player who sits or waits continues under the kept entry.
    3. In each league the duplicate's entrant becomes the kept player's; two who both entered one league are
       refused. At an open table where the duplicate only stood in, the seats become the kept player's.
    4. Memberships in teams, line-ups, decisions of series and results in rankings become the kept player's; one person
       is never in two teams of a competition on one day.
    5. The duplicate's picture is shown for the kept entry if that has none.
    6. Statements, payments and online accounts of both are the kept person's; the stamps of two cards are added.
    """
    # A counter locks its parlour: no guest is entered or waits under the duplicate from here on.
    lock_parlours()
    # All locks in the order of ids, the players before their competitions, so that no two changes of people deadlock.
    for player in sorted((duplicate, keep), key=lambda each: each.pk):
        lock_player(player)
    own, others = _entries_of(duplicate)
    affected = [*(entrant.competition for entrant in own), *others]
    terms = terms_joined(duplicate, keep)
    affected += Competition.objects.filter(term__in=terms)
    shows_picture = Competition.objects.filter(entrants__player=keep) if takes_picture(duplicate, keep) else ()
    for competition in sorted({*affected, *shows_picture}, key=lambda each: each.pk):
        lock(competition)
    duplicate, keep = refuse_unmergeable(duplicate, keep, by)
    for parlour in Parlour.objects.filter(guest_terms__player=duplicate).distinct().order_by("pk"):
        keep_terms(parlour, duplicate, keep, business_day(parlour.books.earliest("pk")))
    for entrant in own:
        _merge_entrant(entrant, keep, by, reason)
    _merge_waiting(duplicate, keep)
    for competition in others:
        move_seats(competition, duplicate, keep, by, reason)
    move_in_series(duplicate, keep)
    for term in terms:
        publish_places_again(term, by)
    move_accounts(duplicate, keep)
    move_pictures(duplicate, keep, by)
    standing_in = SittingSeat.objects.filter(stand_in=duplicate, left_at=None)
    followed = followed_games(list(standing_in.values_list("sitting__table_session", flat=True))).values()
    HanchanSeat.objects.filter(hanchan__in=followed, player=duplicate).update(player=keep)
    standing_in.update(stand_in=keep)
    Player.objects.filter(merged_into=duplicate).update(merged_into=keep)
    Player.objects.filter(pk=duplicate.pk).update(merged_into=keep)
    record_organization_change("players.merged", keep, by=by, reason=reason, after={"duplicate": duplicate.pk})


def _entries_of(player: Player) -> tuple[list[Entrant], list[Competition]]:
    """Return a player's entries at open tables; and the leagues that the player is in, with the tables stood in at."""
    guests = Entrant.objects.filter(player=player, competition__kind=Competition.Kind.OPEN)
    others = competitions_with([player]).exclude(pk__in=guests.values("competition"))
    return list(guests.select_related("competition").order_by("competition")), list(others)


def refuse_unmergeable(duplicate: Player, keep: Player, by: Actor) -> tuple[Player, Player]:
    """Return both players as stored now; raise unless the actor may merge them and they can be one person."""
    if duplicate.pk == keep.pk:
        raise refuse("same_player", _("Choose two different entries."), "/duplicate")
    duplicate, keep = Player.objects.get(pk=duplicate.pk), Player.objects.get(pk=keep.pk)
    refuse_gone(duplicate)
    own, others = _entries_of(duplicate)
    for competition in (*(entrant.competition for entrant in own), *others):
        require(by, competition, Capability.MANAGE)
    if not by.is_system and not own and not others and not has_right(by.user, "league.change_player"):
        raise refuse("nothing_to_merge", _("This entry plays nowhere you direct."), "/duplicate")
    refuse_guest_elsewhere(keep, by)
    refuse_gone(keep)
    refuse_met(duplicate, keep)
    refuse_both_in_league(duplicate, keep)
    refuse_both_decided(duplicate, keep)
    return duplicate, keep


def refuse_guest_elsewhere(keep: Player, by: Actor) -> None:
    """Raise if the entry to keep is known only to houses that the actor does not direct."""
    where = competitions_with([keep])
    if by.is_system or has_right(by.user, "league.change_player") or not where.exists():
        return
    known = visible_competitions(by.user).filter(kind=Competition.Kind.LEAGUE)
    directed = competitions_where(by.user, Capability.MANAGE)
    if not where.filter(Q(pk__in=known.values("pk")) | Q(pk__in=directed.values("pk"))).exists():
        message = _(
            "The entry to keep plays neither where you direct nor in a league that you may read. Ask an administrator, "
            "or enter the person as a guest of your house first."
        )
        raise refuse("nothing_to_merge", message, "/keep")


def refuse_met(duplicate: Player, keep: Player) -> None:
    """Raise if the two players sat in one game, or sit at tables of one house now."""
    games = SeatResult.objects.filter(entrant__player=duplicate).values("sheet")
    met = SeatResult.objects.filter(entrant__player=keep, sheet__in=games).select_related("sheet__hanchan").first()
    names = {"one": duplicate, "other": keep}
    if met is not None:
        message = _("%(one)s and %(other)s sat in one game (number %(game)s): they are two people.")
        raise refuse("two_people", message % {**names, "game": met.sheet.hanchan.number}, "/duplicate")
    sitting = SittingSeat.objects.filter(left_at=None)
    where = sitting.filter(entrant__player=duplicate).values("sitting__table_session__competition__parlour")
    if sitting.filter(entrant__player=keep, sitting__table_session__competition__parlour__in=where).exists():
        raise refuse("both_sit", _("%(one)s and %(other)s both sit at a table now.") % names, "/duplicate")


def _merge_entrant(entrant: Entrant, keep: Player, by: Actor, reason: str) -> None:
    """Let the entrant count for the kept player's entrant, which is created if needed."""
    competition = entrant.competition
    change = open_change(competition, by)
    kept = Entrant.objects.filter(competition=competition, player=keep).first()
    if kept is None:
        kept = new_entrant(competition, keep, entrant)
    # Chains are flattened: `merged_into` always points to an entry that is kept.
    Entrant.objects.filter(competition=competition, merged_into=entrant).update(merged_into=kept)
    Entrant.objects.filter(pk=entrant.pk).update(merged_into=kept)
    sitting = SittingSeat.objects.filter(entrant=entrant, left_at=None)
    followed = followed_games(list(sitting.values_list("sitting__table_session", flat=True))).values()
    seats = HanchanSeat.objects.filter(hanchan__in=followed, entrant=entrant)
    seats.filter(player=entrant.player_id).update(player=keep)
    seats.update(entrant=kept)
    sitting.update(entrant=kept)
    change.record(
        "players.merged",
        kept,
        reason=reason,
        before={"entrant": entrant.pk, "player": entrant.player_id},
        after={"entrant": kept.pk, "player": keep.pk},
    )


def _merge_waiting(duplicate: Player, keep: Player) -> None:
    """Let the kept player wait for the duplicate, but once in each parlour."""
    waiting = WaitingGuest.objects.filter(seated_at=None, gone_at=None)
    parlours = list(waiting.filter(player=keep).values_list("competition__parlour", flat=True))
    waiting.filter(player=duplicate, competition__parlour__in=parlours).update(gone_at=timezone.now())
    waiting.filter(player=duplicate).update(player=keep)


@dataclass(frozen=True, kw_only=True, slots=True)
class GuestChoice:
    """A guest as typed at the counter: chosen from the suggestions, to be looked up, or to be added."""

    text: str
    player: int | None = None
    is_new: bool = False


@all_or_nothing
def choose_guest(*, competition: Competition, choice: GuestChoice, by: Actor) -> Entrant:
    """Return the chosen guest as an entrant, entered or added if needed.

    Without a choice the text is looked up (`typed_guest`); “name/kana” or “name/kana/number” of an unknown person is a
    new guest. Raise if the text may mean several people, or may be a new guest's name and none was asked for.
    """
    return enter_guest(competition=competition, player=choose_player(competition, choice, by), by=by)


def choose_player(competition: Competition, choice: GuestChoice, by: Actor) -> Player:
    """Return the chosen player, creating a new one if that was chosen."""
    if choice.is_new:
        return _add_typed(competition, NewGuest.of(choice.text), by)
    typed = _known(competition, choice)
    return typed.player or _add_typed(competition, typed.new or NewGuest.of(choice.text), by)


def choose_known(competition: Competition, choice: GuestChoice) -> Player:
    """Return the chosen player; raise if the text is that of no known person."""
    player = _known(competition, choice).player
    if player is None:
        raise _unknown(choice.text)
    return player


def _known(competition: Competition, choice: GuestChoice) -> TypedGuest:
    """Return the guest meant by a choice; raise if that is still a question."""
    if choice.player is not None:
        player = Player.objects.filter(pk=choice.player).first()
        if player is None:
            raise refuse("unknown_player", _("There is no such player."), "/guest")
        return TypedGuest(player=player)
    typed = typed_guest(competition.parlour_id, choice.text)
    if typed.options:
        names = _(", ").join(guest.player.name for guest in typed.options[:3])
        message = _("“%(text)s” may mean: %(names)s. Choose one of them, or add a new guest.")
        raise refuse("several_players", message % {"text": choice.text, "names": names}, "/guest")
    if typed.player is None and typed.new is None:
        raise _unknown(choice.text)
    return typed


def _unknown(text: str) -> RuleViolationError:
    message = _("No guest was found for “%(text)s”. Add a new guest, such as “name/kana/number”.")
    return refuse("unknown_player", message % {"text": text}, "/guest")


def _add_typed(competition: Competition, new: NewGuest, by: Actor) -> Player:
    return add_guest(competition=competition, name=new.name, name_kana=new.kana, number=new.number, by=by).player
