"""Readers: a competition as one audience may see it, at the published version that this audience reads.

Every page and every API response starts from a `Reader`. Selectors take one and query facts only through it, so
that nothing under embargo can leak through a selector that forgot to filter.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet

from league.models import (
    Audience,
    Block,
    Change,
    Competition,
    Credit,
    Departure,
    Hanchan,
    HanchanSeat,
    ResultSheet,
    SeatResult,
    TableSession,
)
from league.models.rulings import Decided
from league.selectors.access.actors import Capability, capabilities, competitions_where, is_master
from league.selectors.access.public_numbers import public_number

Visitor = AbstractBaseUser | AnonymousUser
D = TypeVar("D", bound=Decided)


@dataclass(frozen=True, slots=True)
class Reader:
    """One competition as one audience may see it.

    `version` is the published version that the audience reads; facts are read by it. Whatever leaves the service, every
    ETag included, contains `shown_version` in its place (`selectors.access.public_numbers`). With the
    spoiler guard (ネタバレ防止) on, the reader sees results up to the session number `until`: results of later
    sessions are left out whenever they were entered, and so are decisions made after the first of them.
    """

    competition: Competition
    audience: Audience
    version: int
    until: int | None = None
    """The number of the last session whose results are shown; None for all."""
    reads_prepared: bool = field(default=False, repr=False, compare=False)
    """True if selectors may read prepared rows (`selectors.standings.prepared`) instead of the facts."""
    known: dict[str, Any] = field(init=False, repr=False, compare=False, default_factory=dict)
    """Cache of data that selectors read once for this reader, by name."""

    @property
    def is_staff(self) -> bool:
        """Return True if results under embargo are shown."""
        return self.audience == Audience.STAFF

    @property
    def guards_guests(self) -> bool:
        """Return True if only the ranking of an open table is shown: its guests' games are private."""
        return self.competition.kind == Competition.Kind.OPEN and not self.is_staff

    @property
    def shown_version(self) -> int:
        """Return the version as this audience reads it."""
        return self.number_shown(self.version)

    def number_shown(self, n: int) -> int:
        """Return the number of a change as this audience reads it; the public's counts public changes only."""
        return n if self.is_staff else public_number(self.competition, n)

    def table_sessions(self) -> QuerySet[TableSession]:
        """Return the table sessions visible to this audience."""
        rows = TableSession.objects.filter(competition=self.competition)
        return rows if self.is_staff else rows.filter(is_released=True)

    def may_know(self, table: TableSession) -> bool:
        """Return True if this audience may know of the table session."""
        return self.is_staff or table.is_released

    def hanchan(self) -> QuerySet[Hanchan]:
        """Return the hanchan visible to this audience."""
        rows = Hanchan.objects.filter(table_session__competition=self.competition)
        return rows if self.is_staff else rows.filter(table_session__is_released=True)

    def sheets(self) -> QuerySet[ResultSheet]:
        """Return the sheets that count at the reader's version, of hanchan visible to this audience."""
        shown: dict[str, object] = {"hanchan__table_session__competition": self.competition}
        if self.until is not None:
            shown["hanchan__table_session__session__number__lte"] = self.until
        if not self.is_staff:
            shown["hanchan__table_session__is_released"] = True
        return ResultSheet.objects.counting_at(self.version).filter(**shown)

    def block_ids(self) -> list[int]:
        """Return the primary keys of the competition's blocks.

        Queries take the ids instead of a join: beside another table's million games the database then finds the results
        of these blocks alone.
        """
        return list(Block.objects.filter(competition=self.competition).order_by().values_list("pk", flat=True))

    def seat_results(self, **of: object) -> QuerySet[SeatResult]:
        """Return the seats of the sheets that count, filtered by `of` (a block, entrants), or those of every block."""
        shown: dict[str, object] = {"block__competition": self.competition, **of}
        if not of:
            shown = {"block__in": self.block_ids()}
        if self.until is not None:
            shown["sheet__hanchan__table_session__session__number__lte"] = self.until
        if not self.is_staff:
            shown["sheet__hanchan__table_session__is_released"] = True
        # exclude, not filter: `ended_n` is NULL while a sheet counts, and must pass.
        counted = SeatResult.objects.filter(sheet__confirmed_n__lte=self.version, **shown)
        return counted.exclude(sheet__ended_n__lte=self.version)

    def counts(self, confirmed_n: int, ended_n: int | None, session: int, *, is_released: bool) -> bool:
        """Return True if a sheet counts, given the changes that confirmed and ended it and its session's number.

        The same as `seat_results` filters by, for rows of several competitions read at once.
        """
        is_current = confirmed_n <= self.version and (ended_n is None or ended_n > self.version)
        is_spared = self.until is None or session <= self.until
        return is_current and is_spared and (self.is_staff or is_released)

    def ranked_results(self, **of: object) -> QuerySet[SeatResult]:
        """Return the same without those of house players, which count for no entrant."""
        return self.seat_results(**of).exclude(entrant__is_house=True)

    def decisions(self, model: type[D], **of: object) -> QuerySet[D]:
        """Return the rulings, adjustments, overrides or draws in force at the reader's version, oldest first.

        A decision made while results are under embargo may reveal them, so the public sees it only together with them.
        """
        until = self.known_until()
        rows = model.objects.filter(made_n__lte=until, **of).order_by("made_n")
        ended = Q(ended_n__lte=until)
        if self.is_staff:
            return rows.exclude(ended)
        if model is Credit:
            rows = rows.exclude(tells_of_held_back_table())
        hidden = self.hidden_changes()
        # Decisions that a hidden change ended stay in force: their disappearance would tell of it.
        return rows.exclude(made_n__in=hidden).exclude(ended & ~Q(ended_n__in=hidden))

    def known_until(self) -> int:
        """Return the number of the last change that the reader may know of: none made after a guarded result."""
        told = self._first_guarded_result()
        return self.version if told is None else min(self.version, told - 1)

    def deciding_changes(self) -> QuerySet[Change]:
        """Return the changes that make or end decisions, those hidden temporarily from the public among them.

        The caller filters by kind. A hidden change becomes visible with the results for whose sake it was hidden.
        """
        rows = Change.objects.filter(competition=self.competition, n__lte=self.version)
        told = self._first_guarded_result()
        if told is not None:
            rows = rows.filter(n__lt=told)
        return rows if self.is_staff else rows.exclude(n__in=self.hidden_changes())

    def hidden_changes(self) -> QuerySet[Change, int]:
        """Return the numbers of changes hidden from the public while tables are under embargo.

        They were made after the first result of such a table, or an entrant left by them who was absent from one.
        """
        hidden = Change.objects.filter(competition=self.competition, is_public=False).values_list("n", flat=True)
        tables, oldest = self._held_back()
        # Once nothing is under embargo, changes with `is_public` false are no longer secret.
        if not tables:
            return hidden.none()
        left = Departure.objects.filter(leaves_held_back_table(), entrant__competition=self.competition).order_by()
        by_leaving = Q(n__in=left.values("made_n"))
        return hidden.filter(by_leaving if oldest is None else by_leaving | Q(n__gt=oldest))

    def _held_back(self) -> tuple[list[int], int | None]:
        """Return the tables under embargo, and the number of the change that confirmed their first result."""
        if "embargo" not in self.known:
            tables = tables_held_back(self.competition)
            sheets = ResultSheet.objects.filter(confirmed_n__lte=self.version, hanchan__table_session__in=tables)
            self.known["embargo"] = tables, sheets.aggregate(oldest=Min("confirmed_n"))["oldest"]
        found: tuple[list[int], int | None] = self.known["embargo"]
        return found

    def _later_hanchan(self) -> QuerySet[Hanchan]:
        """Return the hanchan of sessions behind the spoiler guard."""
        rows = Hanchan.objects.filter(table_session__competition=self.competition)
        return rows.none() if self.until is None else rows.filter(table_session__session__number__gt=self.until)

    def _first_guarded_result(self) -> int | None:
        """Return the change number of the first result behind the spoiler guard, since corrected or not.

        None without one.

        Decisions made later may have been made in the light of that result.
        """
        if self.until is None:
            return None
        sheets = ResultSheet.objects.filter(hanchan__in=self._later_hanchan(), confirmed_n__lte=self.version)
        first: int | None = sheets.aggregate(first=Min("confirmed_n"))["first"]
        return first

    def changes(self) -> QuerySet[Change]:
        """Return the changes visible to this audience."""
        rows = Change.objects.filter(competition=self.competition, n__lte=self.version)
        if self.until is not None:
            later = [str(pk) for pk in self._later_hanchan().values_list("pk", flat=True)]
            rows = rows.exclude(subject_type="hanchan", subject_id__in=later)
        told = self._first_guarded_result()
        if told is not None:
            # Changes of earlier hanchan tell nothing of later sessions, so they stay visible whenever they were made.
            rows = rows.filter(Q(n__lt=told) | Q(subject_type="hanchan"))
        return rows if self.is_staff else rows.filter(is_public=True)


def tells_of_held_back_table() -> Q:
    """Return the condition for byes of a round with a table under embargo, and walkovers and absences at such a table.

    All tell who sits there, with or without a result. An absent entrant's seat has a house player until given back.
    """
    held_back = Hanchan.objects.filter(
        block=OuterRef("block"), number=OuterRef("number"), table_session__is_released=False
    )
    there = held_back.filter(seats__entrant=OuterRef("entrant"))
    with_house_player = held_back.filter(seats__entrant__is_house=True)
    return (
        Q(Exists(held_back), kind=Credit.Kind.BYE)
        | Q(Exists(there), kind__in=(Credit.Kind.WALKOVER, Credit.Kind.NO_SHOW))
        | Q(Exists(with_house_player), kind=Credit.Kind.NO_SHOW)
    )


def leaves_held_back_table() -> Q:
    """Return the condition for departures of entrants who were absent from a table under embargo before they left.

    The absence is a credit, or a house player sits there as the entrant's substitute.
    """
    absences = Credit.objects.filter(tells_of_held_back_table(), kind=Credit.Kind.NO_SHOW)
    substitutes = HanchanSeat.objects.filter(
        hanchan__table_session__is_released=False,
        player__entrants__is_house=True,
        player__entrants__competition=F("entrant__competition"),
    )
    return Q(Exists(absences.filter(entrant=OuterRef("entrant"), made_n__lt=OuterRef("made_n")))) | Q(
        Exists(substitutes.filter(entrant=OuterRef("entrant"), entrant__is_house=False))
    )


def sheets_held_back(competition: Competition, version: int) -> QuerySet[ResultSheet]:
    """Return the sheets confirmed up to a version that are under embargo; without any, staff and public see the same.

    Those corrected or voided since are among them: a decision made after the first may reveal it, whatever came later.
    """
    tables = tables_held_back(competition)
    return ResultSheet.objects.filter(confirmed_n__lte=version, hanchan__table_session__in=tables)


def tables_held_back(competition: Competition) -> list[int]:
    """Return the ids of the tables under embargo: usually none, and a join may look at every sheet of the season."""
    tables = TableSession.objects.filter(competition=competition, is_released=False).order_by()
    return list(tables.values_list("pk", flat=True))


def visible_competitions(visitor: Visitor | None) -> QuerySet[Competition]:
    """Return the competitions a visitor may know of: published public ones, and those where they have a role."""
    published = Q(audience=Audience.PUBLIC) & ~Q(status=Competition.Status.DRAFT)
    if visitor is None or not visitor.is_authenticated or not visitor.is_active:
        return Competition.objects.filter(published)
    own = competitions_where(visitor, Capability.READ)
    return own if is_master(visitor) else Competition.objects.filter(published | Q(pk__in=own.values("pk")))


def reader_of(competition: Competition, visitor: Visitor | None) -> Reader:
    """Return the competition's reader for this visitor; staff readers see results under embargo."""
    if visitor is not None and Capability.READ in capabilities(visitor, competition):
        return Reader(competition, Audience.STAFF, competition.computed_version)
    return public_reader_of(competition)


def public_reader_of(competition: Competition) -> Reader:
    """Return the public's reader of the competition, which uses prepared rows if there are any."""
    return Reader(competition, Audience.PUBLIC, competition.public_version, reads_prepared=True)
