"""The recorded seats that a single result may repeat or contradict, in one SQL statement.

To write it, the ORM takes a fifth of the function calls of recording a result.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from league.models import Hanchan, ResultSheet
from league.selectors.access.raw_rows import fetch_rows, moment_of

JOINED = """
league_seatresult AS seat
JOIN league_resultsheet AS sheet ON sheet.id = seat.sheet_id
JOIN league_hanchan AS hanchan ON hanchan.id = sheet.hanchan_id
JOIN league_tablesession AS seating ON seating.id = hanchan.table_session_id
"""
SEATS = f"""
SELECT seat.id, seat.sheet_id, sheet.hanchan_id, hanchan.number, hanchan.round, seat.block_id,
hanchan.table_session_id, seating.session_id, sheet.state, sheet.entered_by_id, seat.entrant_id, seat.player_id,
seat.score, seating.starts_at
FROM {JOINED}
WHERE sheet.state IN ({{states}}) AND seat.id IN ({{found}})
ORDER BY seat.id
"""  # noqa: S608 - the values are parameters
FOUND = f"SELECT seat.id FROM {JOINED} WHERE "  # noqa: S608
IN_BLOCK = "seat.block_id = %s AND seat.entrant_id IN ({entrants})"
"""Seats of the result's entrants in its block."""
ALIKE_IN_BLOCK = f"{IN_BLOCK} AND (seat.score IN ({{scores}}) OR hanchan.number = %s)"
"""Those of them with one of its scores or with its number."""
AT_TABLE = "hanchan.table_session_id = %s"
IN_SESSION = """
seating.session_id = %s AND (seat.score IN ({scores}) OR (seat.player_id IN ({players}) AND hanchan.round = %s))
"""
"""Seats of the session with one of its scores, or of its players in the same round."""


def seats_beside(
    hanchan: Hanchan,
    seats: Sequence[tuple[int, int, int]],
    states: Collection[ResultSheet.State],
    *,
    is_open: bool,
    has_rests: bool,
    with_session: bool,
) -> list[tuple[Any, ...]]:
    """Return the recorded seats near a result with these entrants, players and scores, in the order of writing.

    They are its entrants' seats in the block (all if entrants rest there, else those with a score or the number in
    common), at an open table those of its table, and on request those of the session that are alike.
    """
    entrants, players, scores = ([seat[place] for seat in seats] for place in range(3))
    if is_open:
        near, parameters = AT_TABLE, [hanchan.table_session_id]
    elif has_rests:
        near, parameters = IN_BLOCK, [hanchan.block_id, *entrants]
    else:
        near, parameters = ALIKE_IN_BLOCK, [hanchan.block_id, *entrants, *scores, hanchan.number]
    # Not one condition with OR: each half finds its rows by an index.
    halves = [near]
    if with_session:
        halves.append(IN_SESSION)
        parameters += [hanchan.table_session.session_id, *scores, *players, hanchan.round]
    # An empty list is no SQL.
    marks = ", ".join(["%s"] * len(seats)) or "NULL"
    found = " UNION ".join([FOUND + half for half in halves]).format(entrants=marks, players=marks, scores=marks)
    statement = SEATS.format(states=", ".join(["%s"] * len(states)), found=found)
    return [(*row, moment_of(starts_at)) for *row, starts_at in fetch_rows(statement, [*states, *parameters])]
