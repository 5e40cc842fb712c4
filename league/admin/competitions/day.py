"""The day of an event: who is here, who is missing, and what is done about it, on one searchable page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import ObjectLink, ServiceView, may, page_of
from league.admin.competitions.day_actions import actions_for, day_of
from league.forms.service import ServiceForm
from league.models import Competition, Credit, Entrant
from league.platform.errors import ServiceError
from league.selectors.access.actors import Capability
from league.selectors.competitions.event_day import DayEntrant, EventDay, event_day, matching
from league.selectors.people.search import LONGEST
from league.selectors.seasons.teams import is_team_league
from league.services.competitions.arrivals import check_in, take_check_in_back
from league.services.competitions.roster import add_house_players

MOST_UNFOLDED = 40
"""The most entrants of a list that is not folded."""


@dataclass(frozen=True, slots=True)
class DayRow:
    """An entrant on the page with the links that the user may use."""

    day: DayEntrant
    links: tuple[ObjectLink, ...]
    credits: tuple[tuple[Credit, str], ...]
    """The rounds recorded as not played, each with the address that takes it back, empty without the right to."""


@dataclass(frozen=True, slots=True)
class DayList:
    """One of the lists of the page."""

    key: str
    title: str
    rows: tuple[DayRow, ...]

    @property
    def is_open(self) -> bool:
        """Return True if the list is shown unfolded."""
        return self.key in {"missing", "found"} and len(self.rows) <= MOST_UNFOLDED


class DayView(ServiceView[Competition, ServiceForm]):
    """Show all entrants of an event, and check them in by letters and Enter or by a button."""

    capability = Capability.READ
    title = gettext_lazy("The day")

    @override
    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        text = request.GET.get("find", "")[:LONGEST].strip()
        return self.page(text, found=matching(self.all_entrants, text) if text else None)

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Check an entrant in, take that back, or add a house player."""
        if not self.may_check_in:
            raise PermissionDenied
        try:
            for name, act in ACTIONS.items():
                if name in request.POST:
                    entrant = act(entrant=self.posted(name), by=self.actor())
                    return self.done(entrant)
            if "add_house" in request.POST:
                return self.add_house_player()
            return self.check_in_found(request.POST.get("find", "")[:LONGEST].strip())
        except ServiceError as error:
            for finding in error.findings:
                messages.error(request, finding.message)
            return self.page("", status=422)

    def posted(self, name: str) -> Entrant:
        """Return the entrant whose id the button posted; raise Http404 if it is none of the competition."""
        pk = self.request.POST.get(name, "")
        row = next((row for row in self.all_entrants if pk.isdecimal() and row.entrant.pk == int(pk)), None)
        if row is None:
            raise Http404
        return row.entrant

    def check_in_found(self, text: str) -> HttpResponse:
        """Check in the only missing entrant that the text finds; otherwise show all that it finds."""
        missing = matching(self.day.missing, text) if text else ()
        if len(missing) == 1:
            return self.done(check_in(entrant=missing[0].entrant, by=self.actor()))
        found = matching(self.all_entrants, text) if text else ()
        if not missing:
            none = _("No missing player is found by “%(text)s”. Enter letters of a name, or a number.")
            messages.error(self.request, none % {"text": text})
        return self.page(text, found=missing or found, status=200 if missing else 422)

    def add_house_player(self) -> HttpResponse:
        """Enter one more house player; the service refuses users without the right."""
        (added,) = add_house_players(competition=self.row, count=1, by=self.actor())
        messages.success(self.request, _("%(name)s is entered as a house player.") % {"name": added})
        return HttpResponseRedirect(day_of(self.row))

    def done(self, entrant: Entrant) -> HttpResponse:
        """Say what was done, and go back to the page, where the search field has the focus."""
        text = _("%(name)s is here.") if entrant.checked_in_at else _("%(name)s is missing again.")
        messages.success(self.request, text % {"name": entrant})
        return HttpResponseRedirect(day_of(self.row))

    @cached_property
    def day(self) -> EventDay:
        """The entrants by their state."""
        return event_day(self.row)

    @property
    def all_entrants(self) -> tuple[DayEntrant, ...]:
        """All entrants and house players."""
        day = self.day
        return (*day.missing, *day.here, *day.eliminated, *day.left, *day.house)

    @property
    def may_check_in(self) -> bool:
        """Return True if the user may check entrants in."""
        return may(self.request, Capability.SUBMIT, self.row.pk)

    @property
    def is_closed(self) -> bool:
        """Return True if the competition is over: the page is read only then."""
        return self.row.status == Competition.Status.CLOSED

    @property
    def may_manage(self) -> bool:
        """Return True if the user may change who plays."""
        return not self.is_closed and may(self.request, Capability.MANAGE, self.row.pk)

    def lists(self, found: Sequence[DayEntrant] | None) -> Iterator[DayList]:
        """Yield the lists of the page, those found first."""
        if found is not None:
            yield DayList("found", _("Found"), self.rows(found))
        yield DayList("missing", _("Missing"), self.rows(self.day.missing))
        yield DayList("here", _("Checked in"), self.rows(self.day.here))
        yield DayList("eliminated", _("Eliminated"), self.rows(self.day.eliminated))
        yield DayList("left", _("Withdrawn or disqualified"), self.rows(self.day.left))
        yield DayList("house", _("House players"), self.rows(self.day.house))

    def rows(self, entrants: Sequence[DayEntrant]) -> tuple[DayRow, ...]:
        """Return entrants with their links."""
        may_manage = self.may_manage
        return tuple(
            DayRow(
                row,
                () if self.is_closed else tuple(actions_for(self.request, row.entrant, row.departure)),
                tuple((credit, page_of(credit, "take-back") if may_manage else "") for credit in row.credits),
            )
            for row in entrants
        )

    def page(self, text: str, *, found: Sequence[DayEntrant] | None = None, status: int = 200) -> HttpResponse:
        """Render the page."""
        # Read again after a refused action.
        self.__dict__.pop("day", None)
        return self.render_page(
            "day",
            status,
            competition=self.row,
            has_teams=is_team_league(self.row),
            day=self.day,
            lists=list(self.lists(found)),
            find=text,
            is_closed=self.is_closed,
            may_check_in=self.may_check_in and not self.is_closed,
            may_manage=self.may_manage,
        )


ACTIONS: dict[str, Callable[..., Entrant]] = {"check_in": check_in, "check_in_back": take_check_in_back}
"""The services behind the buttons of a row, by the button's name."""
