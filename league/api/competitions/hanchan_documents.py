"""Documents of hanchan: their state at the version read, the sheet that counts, and their seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from league.api.competitions.moment_documents import Times, times
from league.api.competitions.seat_documents import Seat, planned_seat, result_seat
from league.api.competitions.sheet_documents import RulesOf, SheetHead, sheet_head
from league.models import Hanchan
from league.selectors.access.readers import Reader
from league.selectors.competitions.moments import GameMoments
from league.selectors.competitions.schedule import PlayedHanchan
from league.selectors.standings.prepared import HanchanRow
from league.web.document_parts import CompetitionRef, NamedKey, moment
from league.web.documents import Moment, Ref
from scoring.ruleset import Ruleset

OVER = (Hanchan.State.FINISHED, Hanchan.State.ENDED_BY_TIME)
HanchanState = Annotated[
    Hanchan.State, Field(description="Over only once the result counts in the version that was read.")
]
Round = Annotated[int, Field(description="The hanchan's place in its table session (回戦), from 1.")]
Number = Annotated[int, Field(description="The hanchan's number for those at the table in the block, from 1.")]


class HanchanRef(Times):
    """A hanchan without its seats."""

    id: Ref = Field(description="The hanchan's id.")
    round: Round
    number: Number
    state: HanchanState


class HanchanDocument(Times):
    """A hanchan with the result sheet that counts."""

    id: Ref = Field(description="The hanchan's id.")
    competition: CompetitionRef
    stage: NamedKey
    block: NamedKey
    session: Ref = Field(description="The session's id.")
    table_session: Ref = Field(description="The table session's id.")
    starts_at: Moment | None = Field(description="The planned beginning of the table session.")
    round: Round
    number: Number
    state: HanchanState
    rules: Ref = Field(description="The id of the rules it is settled by, as in the competition's `rules`.")
    sheet: SheetHead | None = Field(description="The sheet that counts; null before there is a result.")
    seats: list[Seat] = Field(description="The seats, first dealer first.")


def state_of(played: PlayedHanchan) -> Hanchan.State:
    """Return the state of a hanchan at the version read: over only once its result counts."""
    return hanchan_state(played.hanchan, is_over=played.sheet is not None)


def hanchan_state(row: Hanchan | HanchanRow, *, is_over: bool) -> Hanchan.State:
    """Return the same if the caller knows whether a result counts."""
    # The row may be ahead of the version read: its result is not computed yet, or under embargo.
    return Hanchan.State.RUNNING if not is_over and row.state in OVER else Hanchan.State(row.state)


def hanchan_document(
    reader: Reader, played: PlayedHanchan, rules: RulesOf, moments: GameMoments, *, lines: bool
) -> HanchanDocument:
    """Return a hanchan with the sheet that counts; with `lines`, its settlement is itemised."""
    row, sheet = played.hanchan, played.sheet
    own = rules.of(sheet or row)
    return HanchanDocument.build(
        row,
        competition=reader.competition,
        stage=row.block.stage,
        session=row.table_session.session_id,
        table_session=row.table_session_id,
        starts_at=moment(row.table_session.starts_at, reader.competition),
        **times(moments, reader.competition),
        state=state_of(played),
        rules=row.rules_id,
        sheet=sheet_head(reader, sheet) if sheet else None,
        seats=seats_of(reader, played, own, lines=lines),
    )


def seats_of(reader: Reader, played: PlayedHanchan, rules: Ruleset, *, lines: bool) -> Sequence[Seat]:
    """Return the seats of the result, or the planned ones without a result, first dealer first."""
    if played.sheet is None:
        return [planned_seat(reader, seat) for seat in played.planned]
    return [result_seat(reader, seat, rules, lines=lines) for seat in played.results]
