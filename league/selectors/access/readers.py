"""Who is reading, and which published version they read.

Every page and every API answer starts from a `Reader`. It says for which audience things are shown and as of
which version; selectors take it and never look past it, so that nothing held back can leak through one that
forgot to ask.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Min, Q, QuerySet

from league.models import Audience, Block, Change, Competition, Hanchan, ResultSheet, SeatResult, TableSession
from league.models.rulings import Decided
from league.selectors.access.actors import Capability, capabilities, competitions_where, is_master

Visitor = AbstractBaseUser | AnonymousUser
D = TypeVar("D", bound=Decided)


@dataclass(frozen=True, slots=True)
class Reader:
    """One competition as one audience may see it.

    `version` is the published version the audience reads; every page's ETag is made of it. Whoever does not want to
    know it all yet (ネタバレ防止) reads `until` a session: results of later ones are not there, whenever they came in,
    nor what was decided after the first of them.
    """

    competition: Competition
    audience: Audience
    version: int
    until: int | None = None
    """The number of the last session whose results are shown; None for all."""
    reads_prepared: bool = field(default=False, repr=False, compare=False)
    """Whether selectors may read prepared rows (`selectors.prepared`) instead of the facts."""
    _held_back: list[int | None] = field(init=False, repr=False, compare=False, default_factory=list)
    """The number of the oldest result still held back, once it was looked up."""
    known: dict[str, Any] = field(init=False, repr=False, compare=False, default_factory=dict)
    """Data that selectors read once for this reader, by name."""

    @property
    def is_staff(self) -> bool:
        """Whether what is held back is shown."""
        return self.audience == Audience.STAFF

    def table_sessions(self) -> QuerySet[TableSession]:
        """The table sessions this audience may know of."""
        rows = TableSession.objects.filter(competition=self.competition)
        return rows if self.is_staff else rows.filter(is_released=True)

    def may_know(self, table: TableSession) -> bool:
        """Whether this audience may know of a table session of the competition."""
        return self.is_staff or table.is_released

    def hanchan(self) -> QuerySet[Hanchan]:
        """The hanchan this audience may know of."""
        rows = Hanchan.objects.filter(table_session__competition=self.competition)
        return rows if self.is_staff else rows.filter(table_session__is_released=True)

    def sheets(self) -> QuerySet[ResultSheet]:
        """The sheets that counted at the version read, of hanchan this audience may know of."""
        rows = ResultSheet.objects.counting_at(self.version).filter(
            hanchan__table_session__competition=self.competition
        )
        if self.until is not None:
            rows = rows.filter(hanchan__table_session__session__number__lte=self.until)
        return rows if self.is_staff else rows.filter(hanchan__table_session__is_released=True)

    def block_ids(self) -> list[int]:
        """Its blocks, written out: beside another table's million games a database finds the results of these alone."""
        return list(Block.objects.filter(competition=self.competition).order_by().values_list("pk", flat=True))

    def seat_results(self, **of: object) -> QuerySet[SeatResult]:
        """The seats of those sheets: of a block, of entrants, or, where `of` names nothing, of every block."""
        known = {"block__competition": self.competition, **of} if of else {"block__in": self.block_ids()}
        counted = SeatResult.objects.filter(sheet__confirmed_n__lte=self.version, **known)
        rows = counted.exclude(sheet__ended_n__lte=self.version)
        if self.until is not None:
            rows = rows.filter(sheet__hanchan__table_session__session__number__lte=self.until)
        return rows if self.is_staff else rows.filter(sheet__hanchan__table_session__is_released=True)

    def decisions(self, model: type[D], **of: object) -> QuerySet[D]:
        """The rulings, adjustments, overrides or draws that held at the version read, oldest first.

        One made while results are held back may tell of them: the public learns of it with them.
        """
        rows = model.objects.as_of(self.version).filter(**of).order_by("made_n")
        told = self._first_told_too_much()
        if told is not None:
            rows = rows.filter(made_n__lt=told)
        return rows if self.is_staff else rows.exclude(made_n__in=self.hidden_changes())

    def deciding_changes(self) -> QuerySet[Change]:
        """The changes of those kinds that make or end decisions, those kept from the public for a time among them.

        Whoever asks names the kinds: what was kept from the public becomes known with the results it was kept for.
        """
        rows = Change.objects.filter(competition=self.competition, n__lte=self.version)
        told = self._first_told_too_much()
        if told is not None:
            rows = rows.filter(n__lt=told)
        return rows if self.is_staff else rows.exclude(n__in=self.hidden_changes())

    def hidden_changes(self) -> QuerySet[Change, int]:
        """Numbers of the changes kept from the public, made after a result that is still held back."""
        oldest = self._oldest_held_back()
        hidden = Change.objects.filter(competition=self.competition, is_public=False).values_list("n", flat=True)
        return hidden.filter(n__gt=oldest) if oldest is not None else hidden.none()

    def _oldest_held_back(self) -> int | None:
        if not self._held_back:
            sheets = sheets_held_back(self.competition, self.version)
            self._held_back.append(sheets.aggregate(oldest=Min("confirmed_n"))["oldest"])
        return self._held_back[0]

    def _later_hanchan(self) -> QuerySet[Hanchan]:
        """The hanchan of sessions whose results the reader does not want to know."""
        rows = Hanchan.objects.filter(table_session__competition=self.competition)
        return rows.none() if self.until is None else rows.filter(table_session__session__number__gt=self.until)

    def _first_told_too_much(self) -> int | None:
        """The number of the first result of those sessions, corrected since or not: what was decided then may tell."""
        if self.until is None:
            return None
        sheets = ResultSheet.objects.filter(hanchan__in=self._later_hanchan(), confirmed_n__lte=self.version)
        first: int | None = sheets.aggregate(first=Min("confirmed_n"))["first"]
        return first

    def changes(self) -> QuerySet[Change]:
        """The changes this audience may know of."""
        rows = Change.objects.filter(competition=self.competition, n__lte=self.version)
        if self.until is not None:
            later = [str(pk) for pk in self._later_hanchan().values_list("pk", flat=True)]
            rows = rows.exclude(subject_type="hanchan", subject_id__in=later)
        told = self._first_told_too_much()
        if told is not None:
            rows = rows.filter(Q(n__lt=told) | Q(subject_type="hanchan"))
        return rows if self.is_staff else rows.filter(is_public=True)


def sheets_held_back(competition: Competition, version: int) -> QuerySet[ResultSheet]:
    """The sheets that counted at a version and are kept from the public; where there are none, all read the same."""
    sessions = TableSession.objects.filter(competition=competition, is_released=False).order_by()
    held_back = list(sessions.values_list("pk", flat=True))
    return ResultSheet.objects.counting_at(version).filter(hanchan__table_session__in=held_back)


def visible_competitions(visitor: Visitor | None) -> QuerySet[Competition]:
    """The competitions a visitor may know of: published public ones, and those they work for."""
    everybody = Q(audience=Audience.PUBLIC) & ~Q(status=Competition.Status.DRAFT)
    if visitor is None or not visitor.is_authenticated or not visitor.is_active:
        return Competition.objects.filter(everybody)
    own = competitions_where(visitor, Capability.READ)
    return own if is_master(visitor) else Competition.objects.filter(everybody | Q(pk__in=own.values("pk")))


def reader_of(competition: Competition, visitor: Visitor | None) -> Reader:
    """The competition as this visitor may read it: its staff see what is held back."""
    if visitor is not None and Capability.READ in capabilities(visitor, competition):
        return Reader(competition, Audience.STAFF, competition.computed_version)
    return public_reader_of(competition)


def public_reader_of(competition: Competition) -> Reader:
    """The competition as the public reads it, from prepared rows where there are any."""
    return Reader(competition, Audience.PUBLIC, competition.public_version, reads_prepared=True)
