"""The terms of guests: their rate, and their stamp cards."""

from __future__ import annotations

import datetime as dt

from django.utils.translation import gettext as _

from league.models import GuestTerms, Parlour, Player
from league.platform.errors import refuse
from league.selectors.access.actors import Actor
from league.selectors.parlour.board import business_day
from league.selectors.parlour.charges import charges_of_days, terms_of_guests
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing
from league.services.parlour.checks import lock_parlour, note
from league.services.parlour.statements import refuse_closed_till
from scoring.charges import Rate

MOST_STAMPS = 1000


@all_or_nothing
def set_terms(
    *,
    parlour: Parlour,
    player: Player,
    rate: Rate,
    by: Actor,
    stamps: int | None = None,
    day: dt.date | None = None,
) -> GuestTerms:
    """Set a guest's rate and stamps from a business day on, by default today.

    `stamps` are those on the card as the day begins; None takes the card away. Games of that day that were settled
    under other terms are due with the difference.
    """
    books = lock_parlour(parlour, by)
    person = Player.objects.get(pk=player.pk).kept
    from_day = day or business_day(books[0])
    refuse_closed_till(parlour, from_day)
    if stamps is not None and not 0 <= stamps <= MOST_STAMPS:
        message = _("A card has 0 to %(most)s stamps, not %(stamps)s.")
        raise refuse("stamps_out_of_range", message % {"most": MOST_STAMPS, "stamps": stamps}, "/stamps")
    change = open_change(books[0], by)
    row = GuestTerms.objects.create(
        parlour=parlour, player=person, from_day=from_day, rate=rate.value, stamps=stamps, by=by.user
    )
    note(change, "guest.terms", row, after={"player": person.pk, "rate": rate.value, "stamps": stamps})
    return row


def stamps_now(parlour: Parlour, player: Player, day: dt.date) -> tuple[int | None, int | None]:
    """Return the stamps on a guest's card as a business day begins, and at present; None without a card."""
    person = player.kept_id
    row = terms_of_guests(parlour).at(person, day)
    if row is None or row.stamps is None:
        return None, None
    charges = charges_of_days(parlour, [day], [person])
    now = charges.stamps_after.get(person, row.stamps)
    return charges.stamps_before.get(person, now), now


def keep_terms(parlour: Parlour, duplicate: Player, keep: Player, day: dt.date) -> GuestTerms | None:
    """Give the kept entry the stamps of both cards, as the business day begins; None if only one of them has terms.

    Where the kept entry has no terms, those of the duplicate hold for it (`TermsOfGuests`).
    """
    rows = GuestTerms.objects.filter(parlour=parlour, player__in=[duplicate, keep])
    if {row.player_id for row in rows} != {duplicate.pk, keep.pk}:
        return None
    both = [stamps_now(parlour, player, day)[0] for player in (duplicate, keep)]
    cards = [stamps for stamps in both if stamps is not None]
    own = terms_of_guests(parlour).at(keep.pk, day)
    rate = Rate.ORDINARY if own is None else Rate(own.rate)
    return GuestTerms.objects.create(
        parlour=parlour, player=keep, from_day=day, rate=rate.value, stamps=sum(cards) if cards else None
    )


def carry_stamps(parlour: Parlour, day: dt.date, by: Actor) -> None:
    """Write the stamps on each card after a business day as terms of the next day, when its books close."""
    charges, after = charges_of_days(parlour, [day]), day + dt.timedelta(days=1)
    for person, stamps in charges.stamps_after.items():
        row = charges.terms.at(person, after)
        # Terms that a clerk set for the next day already say how many stamps there are.
        if row is not None and (row.from_day <= day or row.is_carried) and row.stamps != stamps:
            GuestTerms.objects.create(
                parlour=parlour,
                player_id=person,
                from_day=after,
                rate=row.rate,
                stamps=stamps,
                is_carried=True,
                by=by.user,
            )
