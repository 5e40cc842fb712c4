"""Houses: the rule books of a parlour, and the permissions of its staff, who work for all of them."""

from __future__ import annotations

import datetime as dt
from functools import reduce

from league.models import Competition, Parlour
from league.selectors.access.actors import Actor, AnyUser, Capability, capabilities, competitions_where, require
from league.selectors.access.readers import Visitor
from league.selectors.parlour.board import business_day


def books_of(parlour: Parlour) -> list[Competition]:
    """Return the open tables of a parlour, one for each rule book, in the order of their ids."""
    return list(Competition.objects.filter(parlour=parlour).order_by("pk"))


def house_slug(book: Competition) -> str:
    """Return the slug of the parlour that an open table belongs to."""
    return book.parlour.slug if book.parlour else ""


def played_books(parlour: Parlour) -> list[Competition]:
    """Return the books that are not closed, or all books once every one is closed."""
    books = books_of(parlour)
    return [book for book in books if book.status != Competition.Status.CLOSED] or books


def parlour_capabilities(user: AnyUser, parlour: Parlour) -> frozenset[Capability]:
    """Return what a user may do in every book of the parlour that is not closed."""
    own = [capabilities(user, book) for book in played_books(parlour)]
    return reduce(frozenset.intersection, own) if own else frozenset()


def require_in(actor: Actor, parlour: Parlour, capability: Capability) -> None:
    """Raise PermissionRefusedError unless the actor has the capability in every book that is not closed."""
    for book in played_books(parlour):
        require(actor, book, capability)


def parlours_of(visitor: Visitor) -> list[Parlour]:
    """Return the parlours with a book under way that the user may read as its staff."""
    books = competitions_where(visitor, Capability.READ).exclude(status=Competition.Status.CLOSED)
    return list(Parlour.objects.filter(books__in=books).distinct())


def house_day(parlour: Parlour) -> dt.date:
    """Return the present business day of a house: that of its first book."""
    return business_day(played_books(parlour)[0])
