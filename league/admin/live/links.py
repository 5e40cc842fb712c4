"""Links to a table for scorers and players: created, printed with a QR code, ended.

The secret address is part of the response that creates the link. No later page shows it.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import ServiceView, actor_of, page_of
from league.admin.results.entry import number_in
from league.forms.service import ServiceForm
from league.models import Competition, Entrant, TableLink, TableSession
from league.platform.errors import ServiceError
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Actor, Capability
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.live.links import NewLink, end_link, make_link
from league.wording.names import person_name


@dataclass(frozen=True, slots=True)
class Slip:
    """A link as it is handed over, with its address."""

    link: TableLink
    address: str

    @property
    def title(self) -> str:
        """Return the purpose of the link in words."""
        return title_of_link(self.link)


def slip_of(request: HttpRequest, new: NewLink) -> Slip:
    """Return a new link with its address as the organizer's own browser reaches the service."""
    return Slip(new.link, absolute_url("pages:table-link", new.token, request=request))


def title_of_link(link: TableLink) -> str:
    """Return the purpose of a link in words."""
    if link.entrant is not None:
        return _("%(name)s: confirm results") % {"name": person_name(link.entrant.player)}
    return _("Keep the score sheet")


class TableLinksView(ServiceView[TableSession, ServiceForm]):
    """List the links of a table, create new ones and end old ones."""

    capability = Capability.SUBMIT
    title = gettext_lazy("Links to this table")

    def get(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show the links of the table."""
        return self.page(())

    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Create links and show them once, or end a link and redirect."""
        by = actor_of(request)
        try:
            if request.POST.get("action") == "end":
                end_link(link=self.link(number_in(request.POST, "link")), by=by)
                messages.success(request, _("The link has ended."))
                return HttpResponseRedirect(page_of(self.row, "links"))
            made = self.make(request.POST.get("action", ""), by)
        except ServiceError as error:
            for finding in error.findings:
                messages.error(request, finding.message)
            return HttpResponseRedirect(page_of(self.row, "links"))
        return self.page([slip_of(request, new) for new in made])

    def make(self, action: str, by: Actor) -> list[NewLink]:
        """Create one link for the scorer, or one for each player of the table."""
        if action == "scorer":
            return [make_link(table_session=self.row, kind=TableLink.Kind.SCORER, by=by)]
        return [
            make_link(table_session=self.row, kind=TableLink.Kind.PLAYER, entrant=entrant, by=by)
            for entrant in self.players()
        ]

    def link(self, pk: int | None) -> TableLink:
        """Return the link of this table with the given id; raise Http404 if there is none."""
        found = self.links().filter(pk=pk or 0).first()
        if found is None:
            raise Http404
        return found

    def links(self) -> QuerySet[TableLink]:
        """Return the links of the table, newest first."""
        return TableLink.objects.filter(table_session=self.row).select_related("entrant__player", "made_by")

    def players(self) -> list[Entrant]:
        """Return the entrants seated at the table, by number."""
        rows = Entrant.objects.filter(hanchanseat__hanchan__table_session=self.row).select_related("player")
        return list(rows.distinct().order_by("number"))

    def page(self, slips: object) -> HttpResponse:
        """Render the page, with slips to print if links were just created."""
        competition = self.competition()
        links = [(link, title_of_link(link)) for link in self.links()]
        return self.render_page(
            "table_links",
            slips=slips,
            place=str(self.row),
            live=[each for each in links if each[0].ended_at is None],
            ended=sum(link.ended_at is not None for link, _title in links),
            players=self.players(),
            is_followable=ruleset_of(rules_at(competition)).play is not None,
            by_players=competition.confirmation == Competition.Confirmation.PLAYERS,
        )
