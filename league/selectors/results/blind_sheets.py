"""Which sheets a person may not see where two enter a result without seeing each other's.

The one idea: every door asks `hidden_sheets` and leaves out what it names. A sheet that never counted is its author's
alone until the hanchan has been decided; once two have come in that differ, a director who entered neither sees both.
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, Q, QuerySet

from league.models import Competition, ResultSheet


def hidden_sheets(user: User | AnonymousUser | None, settling: QuerySet[Competition]) -> QuerySet[ResultSheet, int]:
    """Ids of the sheets kept from this user, who settles what differs in the competitions `settling`."""
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
    if own_id:
        rows = rows.exclude(entered_by=own_id)
    return rows.exclude(is_decided).exclude(is_to_settle).order_by().values_list("pk", flat=True)


def is_blind(competition: Competition) -> bool:
    """Whether two people enter each result without seeing each other's sheet."""
    return competition.confirmation == Competition.Confirmation.BLIND
