"""The records of two entries of one person, shown before they are merged."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from league.models import (
    Competition,
    Entrant,
    Extra,
    GuestTerms,
    Parlour,
    Payment,
    Player,
    ResultSheet,
    Sitting,
    SittingSeat,
    Statement,
    WaitingGuest,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Holdings:
    """Everything that counts for one entry of a person, as numbers of rows; `sits_at` names the table of now."""

    player: Player
    books: tuple[str, ...]
    games: int
    sittings: int
    sits_at: str
    waiting: int
    statements: int
    payments: int
    extras: int
    terms: int
    stamps: int | None


def holdings_of(player: Player, competitions: QuerySet[Competition]) -> Holdings:
    """Return what a player's entry holds in these competitions, with that of entries merged into it before."""
    person = Q(player=player) | Q(player__merged_into=player)
    of_house = person & Q(parlour__in=Parlour.objects.filter(books__in=competitions))
    entrants = Entrant.objects.filter(person, competition__in=competitions)
    names = entrants.order_by("competition__name").values_list("competition__name", flat=True)
    now = SittingSeat.objects.filter(entrant__in=entrants, left_at=None)
    waiting = WaitingGuest.objects.filter(person, competition__in=competitions, seated_at=None, gone_at=None)
    card = GuestTerms.objects.filter(of_house).order_by("from_day", "pk").last()
    return Holdings(
        player=player,
        books=tuple(dict.fromkeys(names)),
        games=ResultSheet.objects.counting().filter(seats__entrant__in=entrants).distinct().count(),
        sittings=Sitting.objects.filter(seats__entrant__in=entrants).distinct().count(),
        sits_at=now.values_list("sitting__table_session__table", flat=True).first() or "",
        waiting=waiting.count(),
        statements=Statement.objects.filter(of_house, cancelled_at=None).count(),
        payments=Payment.objects.filter(of_house).count(),
        extras=Extra.objects.filter(of_house, cancelled_at=None).count(),
        terms=GuestTerms.objects.filter(of_house).count(),
        stamps=card.stamps if card else None,
    )
