"""Visibility of result sheets under blind double entry, where two people enter a result independently.

Every view, API endpoint and export excludes the ids that `hidden_sheets` returns. A sheet that never counted is
visible to its author alone until the hanchan has been decided; once two differing sheets are in, a director who
entered neither of them sees both in order to settle the difference.
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, Q, QuerySet

from league.models import Competition, ResultSheet


def hidden_sheets(user: User | AnonymousUser | None, settling: QuerySet[Competition]) -> QuerySet[ResultSheet, int]:
    """Return the ids of the sheets hidden from `user`.

    `settling` are the competitions in which this user settles differing sheets. Without a user, or for an anonymous
    one, every undecided sheet is hidden.
    """
    same = ResultSheet.objects.filter(hanchan=OuterRef("hanchan"))
    own_id = user.pk if user is not None else None
    waits = same.filter(state=ResultSheet.State.SUBMITTED)
    is_decided = Exists(same.filter(confirmed_n__gte=OuterRef("entered_n")))
    is_one_of_two = Q(state=ResultSheet.State.SUBMITTED) & Exists(waits.exclude(pk=OuterRef("pk")))
    has_entered = Exists(waits.filter(entered_by=own_id)) if own_id else Q(pk=None)
    is_to_settle = Q(hanchan__block__competition__in=settling) & is_one_of_two & ~has_entered
    rows = ResultSheet.objects.filter(
        hanchan__block__competition__confirmation=Competition.Confirmation.BLIND, confirmed_n=None
    )
    # An anonymous user has no primary key; excluding `entered_by=None` would uncover sheets that have no account, such
    # as those of a table's link.
    if own_id:
        rows = rows.exclude(entered_by=own_id)
    return rows.exclude(is_decided).exclude(is_to_settle).order_by().values_list("pk", flat=True)


def is_blind(competition: Competition) -> bool:
    """Return True if two people enter each result of the competition without seeing each other's sheet."""
    return competition.confirmation == Competition.Confirmation.BLIND
