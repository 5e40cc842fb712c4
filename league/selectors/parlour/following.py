"""Games of a sitting that are followed hand by hand: the one in progress, and the codes printed on the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.core import signing
from django.db.models import Exists, OuterRef, Prefetch

from league.models import Hanchan, HanchanSeat, ParlourTable, ResultSheet, Sitting

SALT = "jantaku.parlour.table"


def followed_games(table_sessions: Sequence[int]) -> Mapping[int, Hanchan]:
    """Return, by table session, the game followed hand by hand that has no counting result yet, with its seats."""
    counting = ResultSheet.objects.counting().filter(hanchan=OuterRef("pk"))
    seats = HanchanSeat.objects.select_related("entrant__player", "player").order_by("seat")
    rows = (
        Hanchan.objects.filter(~Exists(counting), table_session__in=table_sessions, started_at__isnull=False)
        .exclude(state=Hanchan.State.ABANDONED)
        .select_related("block__competition", "table_session__competition", "rules__ruleset", "rules__format")
        .prefetch_related(Prefetch("seats", seats))
        .order_by("-round")
    )
    # The oldest is last and wins: a game that a director voided is played before the next one.
    return {row.table_session_id: row for row in rows}


def submitted_sheet(hanchan: Hanchan) -> ResultSheet | None:
    """Return the result that the table has submitted from its log and the counter has not confirmed yet."""
    rows = ResultSheet.objects.filter(
        hanchan=hanchan, state=ResultSheet.State.SUBMITTED, made_from_sequence__isnull=False
    )
    return rows.select_related("rules__ruleset").order_by("-revision").first()


def code_of(table: ParlourTable) -> str:
    """Return the signed code of a table, the same one at each call until the code is renewed."""
    return signing.Signer(salt=SALT).sign(f"{table.pk}.{table.code_number}")


def read_code(code: str) -> tuple[ParlourTable, int] | None:
    """Return the table of a code and the number it was printed with; None if the signature is not ours.

    The caller compares the number with the table's own: a lower one belongs to a code that was renewed.
    """
    try:
        value = signing.Signer(salt=SALT).unsign(code)
    except signing.BadSignature:
        return None
    key, _dot, number = value.partition(".")
    table = ParlourTable.objects.select_related("parlour").filter(pk=int(key)).first()
    return None if table is None else (table, int(number))


def sitting_at(table: ParlourTable) -> Sitting | None:
    """Return the open sitting at a table of the house, under whichever of its rule books; None without one."""
    rows = Sitting.objects.filter(
        closed_at=None, table_session__table=table.name, table_session__competition__parlour=table.parlour_id
    )
    return rows.select_related("table_session__competition").order_by("-opened_at", "-pk").first()
