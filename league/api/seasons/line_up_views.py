"""The line-up of a team in a hanchan: read as far as one may know it, named and taken back."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from pydantic import Field
from rest_framework.request import Request

from league.api.authentication import actor_of
from league.api.competitions.writes import player_of
from league.api.fields import AcceptField, IdField, OptionalTextField, StrictSerializer
from league.api.results.views import HanchanRowView
from league.api.schema import describe_get
from league.api.seasons.teams_documents import MemberPerson, member_person
from league.api.writing import Checked, WritingView, describe_write
from league.models import Entrant, Hanchan, HanchanSeat, LineUp
from league.platform.errors import PermissionRefusedError
from league.selectors.access.actors import Actor
from league.selectors.access.readers import Reader
from league.selectors.seasons.line_ups import standing_line_ups
from league.services.results.sheets import lock_hanchan
from league.services.seasons.line_ups import name_line_up, require_team, take_line_up_back
from league.web.documents import Document, Ref


class TeamLineUp(Document):
    """The member who sits for a team in a hanchan."""

    hanchan: Ref = Field(description="The hanchan's id.")
    team: Ref = Field(description="The team's entrant id.")
    team_key: str = Field(description="The team's key.")
    line_up: MemberPerson | None = Field(description="The member; null while none is named, or not announced to you.")
    is_secret: bool = Field(description="Only the team and the organizers are told so far.")


class LineUpInput(StrictSerializer):
    """The member to sit for the team."""

    player = IdField(help_text="The player's id; a member of the team on that day.")
    reason = OptionalTextField(max_length=500, help_text="Needed after the first deal.")
    accept = AcceptField()


@describe_get("get_line_up", TeamLineUp)
@describe_write("name_line_up", LineUpInput, TeamLineUp, method="put", match=True)
@describe_write("take_line_up_back", None, None, method="delete", match=True)
class LineUpView(HanchanRowView, WritingView):
    """Return the member who sits for a team. A PUT names one, a DELETE takes the line-up back.

    The team's captain and the organizers read a secret line-up too, and may change it until the first deal. Both
    changes may be repeated: the second time nothing happens.
    """

    def entrant(self) -> Entrant:
        """Return the team of the path. Raise Http404 if it has no seat in the hanchan."""
        rows = HanchanSeat.objects.filter(hanchan=self.kwargs["pk"], entrant__player__is_team=True)
        seat = get_object_or_404(
            rows.select_related("entrant__player", "entrant__competition"), entrant__player__key=self.kwargs["team"]
        )
        return seat.entrant

    def line_up(self, entrant: Entrant) -> LineUp | None:
        """Return the line-up that the user may know of: a secret one only for the team and the organizers."""
        found = standing_line_ups([self.kwargs["pk"]]).get((self.kwargs["pk"], entrant.pk))
        if found is None or not found.is_secret:
            return found
        try:
            require_team(actor_of(self.request), entrant)
        except PermissionRefusedError:
            return None
        return found

    def etag(self) -> str:
        """Return an ETag made of the line-up alone, so that it can be sent in If-Match."""
        get_object_or_404(self.reader.hanchan(), pk=self.kwargs["pk"])
        return tag_of(self.kwargs["pk"], self.entrant(), self.line_up(self.entrant()))

    def write(self, reader: Reader) -> TeamLineUp:
        """Return the line-up."""
        get_object_or_404(reader.hanchan(), pk=self.kwargs["pk"])
        entrant = self.entrant()
        found = self.line_up(entrant)
        return TeamLineUp(
            hanchan=str(self.kwargs["pk"]),
            team=str(entrant.pk),
            team_key=entrant.player.key,
            line_up=member_person(reader, found.player) if found else None,
            is_secret=found is not None and found.is_secret,
        )

    def put(self, request: Request, **path: object) -> HttpResponse:
        """Name the member."""
        hanchan, entrant = self.changeable()
        values = LineUpInput.check(request.data)
        return self.run_once(lambda by: self.name(hanchan, entrant, values, by))

    def name(self, hanchan: Hanchan, entrant: Entrant, values: Checked, by: Actor) -> TeamLineUp:
        """Name the member and return the line-up. Raise RuleViolationError for an unknown player."""
        named = {**values, "player": player_of(values["player"])}
        name_line_up(hanchan=hanchan, entrant=entrant, by=by, **named)
        return self.write(self.reader)

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Take the line-up back; after the first deal another member is named instead, with a reason."""
        hanchan, entrant = self.changeable()
        return self.run_once(lambda by: take_line_up_back(hanchan=hanchan, entrant=entrant, by=by))

    def changeable(self) -> tuple[Hanchan, Entrant]:
        """Return hanchan and team for a user allowed to name its line-up. Raise PermissionRefusedError for others."""
        hanchan, entrant = self.hanchan(), self.entrant()
        require_team(actor_of(self.request), entrant)
        return hanchan, entrant

    def current_tag(self) -> str:
        """Return the ETag of the line-up as it is now, with the hanchan locked."""
        lock_hanchan(self.hanchan())
        return self.etag()

    def tag_after(self, document: Document) -> str:
        """Return the ETag of the line-up after a change."""
        return self.etag()


def tag_of(hanchan: int, entrant: Entrant, line_up: LineUp | None) -> str:
    """Return the ETag of a team's line-up in a hanchan."""
    held = "none" if line_up is None else f"{line_up.pk}{'s' if line_up.is_secret else ''}"
    return f'"{hanchan}-{entrant.pk}-line-up-{held}"'
