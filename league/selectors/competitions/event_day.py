"""The entrants of an event on a day of play: here, missing, eliminated or gone, and the seats still to be played."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.db.models import QuerySet
from django.db.models.functions import TruncDate
from django.utils import timezone

from league.models import (
    Audience,
    Competition,
    Credit,
    Departure,
    Entrant,
    Hanchan,
    HanchanSeat,
    ResultSheet,
    TableSession,
)
from league.selectors.access.readers import Reader
from league.selectors.people.search import folded
from league.selectors.rulebooks.rules_in_force import format_of, rules_at
from league.selectors.standings.published import standings_of
from league.wording.names import round_name, table_name
from scoring.format.rounds import SeatedBy
from scoring.lines import OUT

ENTERED = (ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED)


@dataclass(frozen=True, slots=True)
class DayEntrant:
    """An entrant with the state on the day, the next seat, the departure, and the rounds recorded as not played."""

    entrant: Entrant
    state: str
    """`missing`, `here`, `eliminated`, `left` or `house`."""
    seat: str
    """Round and table of the next hanchan, empty without one."""
    departure: Departure | None
    credits: tuple[Credit, ...]


@dataclass(frozen=True, slots=True)
class EventDay:
    """The entrants of a competition by their state; `entered` counts all but house players."""

    missing: tuple[DayEntrant, ...]
    here: tuple[DayEntrant, ...]
    eliminated: tuple[DayEntrant, ...]
    """Those who have nothing left to play, and have not come on this day."""
    left: tuple[DayEntrant, ...]
    house: tuple[DayEntrant, ...]

    @property
    def entered(self) -> int:
        """The number of entrants without house players."""
        return len(self.missing) + len(self.here) + len(self.eliminated) + len(self.left)


def event_day(competition: Competition) -> EventDay:
    """Return all entrants of a competition by their state, in the order of numbers."""
    rows = Entrant.objects.filter(competition=competition, merged_into=None)
    entrants = list(rows.select_related("player", "competition").order_by("number"))
    departures = {row.entrant_id: row for row in Departure.objects.standing().filter(entrant__competition=competition)}
    credits_: defaultdict[int, list[Credit]] = defaultdict(list)
    for credit in Credit.objects.standing().filter(block__competition=competition).order_by("block", "number"):
        credits_[credit.entrant_id].append(credit)
    seats = next_seats(competition)
    gone = eliminated_in(competition) - seats.keys()
    before = day_before(competition)
    found: defaultdict[str, list[DayEntrant]] = defaultdict(list)
    for one in entrants:
        state = "house" if one.is_house else "left" if one.withdrawn_at else ""
        state = state or ("here" if has_come(one, before) else "eliminated" if one.pk in gone else "missing")
        row = DayEntrant(one, state, seats.get(one.pk, ""), departures.get(one.pk), tuple(credits_[one.pk]))
        found[state].append(row)
    return EventDay(*(tuple(found[state]) for state in ("missing", "here", "eliminated", "left", "house")))


def day_before(competition: Competition) -> dt.date | None:
    """Return the day of play before the present one, in the competition's time zone; None on the first and before."""
    zone = ZoneInfo(competition.time_zone)
    played = TableSession.objects.filter(competition=competition, is_cancelled=False, starts_at__isnull=False)
    days = played.annotate(on=TruncDate("starts_at", tzinfo=zone)).filter(on__lte=timezone.localdate(timezone=zone))
    return next(iter(days.order_by("-on").values_list("on", flat=True).distinct()[1:2]), None)


def has_come(entrant: Entrant, before: dt.date | None) -> bool:
    """Return True if the entrant was checked in after the day `before`, the day of play before the present one."""
    came = entrant.checked_in_at
    zone = ZoneInfo(entrant.competition.time_zone)
    return came is not None and (before is None or timezone.localdate(came, zone) > before)


def eliminated_in(competition: Competition) -> frozenset[int]:
    """Return the ids of the entrants who are certainly eliminated, as the organizers know it."""
    if competition.kind == Competition.Kind.OPEN:
        return frozenset()
    reader = Reader(competition, Audience.STAFF, competition.computed_version)
    return frozenset(row.entrant_id for row in standings_of(reader) if row.goes == OUT)


def next_seats(competition: Competition) -> Mapping[int, str]:
    """Return round and table of each entrant's next hanchan, by the entrant's id."""
    seats = open_seats(HanchanSeat.objects.filter(hanchan__block__competition=competition))
    found: dict[int, str] = {}
    for seat in seats:
        found.setdefault(seat.entrant_id, seat_text(seat.hanchan))
    return found


def open_seats(seats: QuerySet[HanchanSeat]) -> QuerySet[HanchanSeat]:
    """Return the seats of hanchan that are to be played and have no result, in the order of play."""
    entered = ResultSheet.objects.filter(state__in=ENTERED).values("hanchan")
    to_play = seats.filter(
        hanchan__state__in=(Hanchan.State.SCHEDULED, Hanchan.State.RUNNING),
        hanchan__table_session__is_cancelled=False,
    ).exclude(hanchan__in=entered)
    return to_play.select_related("hanchan__table_session__session", "hanchan__block__stage").order_by(
        "hanchan__block__stage__order", "hanchan__number", "hanchan"
    )


def seat_text(hanchan: Hanchan) -> str:
    """Return round and table of a hanchan."""
    return f"{round_name(hanchan)} · {table_name(hanchan.table_session.table) or '–'}"


def is_planned(hanchan: Hanchan) -> bool:
    """Return whether the seats of a hanchan follow from a plan made before the first round."""
    stage = format_of(rules_at(hanchan.block.competition)).stage(hanchan.block.stage.key)
    return all(plan.by is SeatedBy.PLAN for plan in stage.rounds if hanchan.number in plan.rounds())


def matching(rows: Iterable[DayEntrant], text: str) -> Sequence[DayEntrant]:
    """Return the entrants with this number, or whose name or reading contains each word of the text."""
    words = [folded(word) for word in text.split()]
    number = "".join(words)
    return [
        row for row in rows if str(row.entrant.number) == number or all(word in _names(row.entrant) for word in words)
    ]


def _names(entrant: Entrant) -> str:
    player = entrant.player
    return " ".join(map(folded, (player.name, player.name_kana, player.name_romaji)))
