"""Documents of the schedule for organizers: a plan, a move, the plan of a table, and announcements."""

from __future__ import annotations

from pydantic import Field

from league.api.competitions.hanchan_documents import HanchanDocument
from league.models import Competition
from league.selectors.competitions.courses import PlannedSession
from league.selectors.competitions.seating.plans import SchedulePlan
from league.selectors.competitions.session_moves import MovePlan
from league.web.document_parts import moment
from league.web.documents import Document, Moment, Ref


class PlannedTableDocument(Document):
    """A table of a plan."""

    block: str = Field(description="The block's key.")
    table: int = Field(description="The table's number.")
    starts_at: Moment = Field(description="The planned beginning.")
    numbers: list[int] = Field(description="The block's numbers of its hanchan.")
    seats: list[list[Ref]] = Field(
        description="For each hanchan the entrants' ids, first dealer first; empty while open."
    )


class PlannedSessionDocument(Document):
    """A session of a plan."""

    number: int = Field(description="The session's number.")
    name: str = Field(description="The name.")
    tables: list[PlannedTableDocument] = Field(description="Its tables.")


class ScheduleDocument(Document):
    """A schedule: as it would be written, or as it was."""

    digest: str = Field(description="Of all players, tables and times.")
    sessions: list[PlannedSessionDocument] = Field(description="In the order of play.")
    faults: list[str] = Field(description="Why it cannot be written; empty if it can.")
    waiting: list[str] = Field(description="Why some stages are not in it yet.")
    later: list[str] = Field(description="Which rounds are paired or drawn later.")


class TablePlan(Document):
    """The plan of a table, for its organizers."""

    id: Ref = Field(description="The table session's id.")
    table: str = Field(description="Its name in the hall.")
    starts_at: Moment | None = Field(description="The planned beginning.")
    venue: str = Field(description="Where it is played.")
    stream_url: str = Field(description="Of the broadcast.")
    is_cancelled: bool = Field(description="It will not be played.")
    public_at: Moment | None = Field(description="Results are held back until then.")


class MovedTableDocument(Document):
    """A table that moves."""

    id: Ref = Field(description="The table session's id.")
    before: Moment | None = Field(description="When it was planned.")
    after: Moment | None = Field(description="When it is planned now.")


class SessionMoveDocument(Document):
    """The tables that move with a session, and those that stay."""

    digest: str = Field(description="Of everything that moves and stays.")
    moved: list[MovedTableDocument] = Field(description="With their times.")
    staying: list[Ref] = Field(description="The ids of those that stay: played, running, or cancelled ones.")
    collisions: int = Field(description="The number of collisions that follow.")


class AnnouncementDocument(Document):
    """An announcement."""

    id: Ref = Field(description="The announcement's id.")
    text: str = Field(description="The words.")
    text_en: str = Field(description="In English; may be empty.")
    made_at: Moment = Field(description="The moment it was made.")


class HanchanSeats(Document):
    """The hanchan that changed."""

    hanchan: list[HanchanDocument] = Field(description="With their seats now.")


def planned_session(row: PlannedSession, competition: Competition) -> PlannedSessionDocument:
    """Return a session of a plan."""
    return PlannedSessionDocument(
        number=row.number,
        name=row.name,
        tables=[
            PlannedTableDocument(
                block=table.block.key,
                table=table.table,
                starts_at=moment(table.starts_at, competition),
                numbers=list(table.numbers),
                seats=[[str(entrant.pk) for entrant in seats] for seats in table.seats],
            )
            for table in row.tables
        ],
    )


def schedule_document(plan: SchedulePlan, competition: Competition) -> ScheduleDocument:
    """Return a schedule."""
    return ScheduleDocument(
        digest=plan.digest,
        sessions=[planned_session(row, competition) for row in plan.sessions],
        faults=list(plan.faults),
        waiting=list(plan.waiting),
        later=list(plan.later),
    )


def move_document(plan: MovePlan, competition: Competition) -> SessionMoveDocument:
    """Return a move."""
    return SessionMoveDocument(
        digest=plan.digest,
        moved=[
            MovedTableDocument(
                id=str(each.table.pk),
                before=moment(each.before.starts_at, competition),
                after=moment(each.after.starts_at, competition),
            )
            for each in plan.moved
        ],
        staying=[str(table.pk) for table, _reason in plan.staying],
        collisions=len(plan.collisions),
    )
