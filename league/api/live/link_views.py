"""The REST views that the holder of a table's link may use at their own table, with the rights of its pages."""

from __future__ import annotations

from collections.abc import Sequence

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.views import APIView

from league.api.authentication import LinkAuthentication, SignedInAuthentication, TokenAuthentication, held_link
from league.api.results.views import HanchanRowView
from league.models import Audience, Competition, Hanchan
from league.selectors.access.actors import LINK_CAPABILITIES, Capability
from league.selectors.access.readers import Reader
from league.selectors.live.access import visitor_by_link
from league.selectors.live.score_sheet import hanchan_at


def reader_at_table(competition: Competition) -> Reader:
    """Return the reader for a link's own table: neither an embargo nor a delay hides a game from those who play it."""
    return Reader(competition, Audience.STAFF, competition.computed_version)


class OpenToLinks(APIView):
    """Base of the views that the holder of a table's link may use at their own table.

    A link gives the rights that it has on the pages of its table. Elsewhere its holder is anonymous.
    """

    authentication_classes: Sequence[type[BaseAuthentication]] = [
        LinkAuthentication,
        TokenAuthentication,
        SignedInAuthentication,
    ]

    def check_permissions(self, request: Request) -> None:
        """Leave a link's permission to the view, which knows its table, and to the services."""
        if held_link(request) is None:
            super().check_permissions(request)


class LinkedHanchanView(OpenToLinks, HanchanRowView):
    """Base of the views of one hanchan that a link to its table opens; for another table its holder is anonymous."""

    def linked_hanchan(self) -> Hanchan | None:
        """Return the hanchan of the path if the request holds a link to its table, and set the reader."""
        link = held_link(self.request)
        found = hanchan_at(visitor_by_link(link), self.kwargs["pk"]) if link else None
        if found is not None:
            self.reader = reader_at_table(found.block.competition)
        return found

    def hanchan(self) -> Hanchan:
        """Return the hanchan. Raise Http404 if neither the link nor the user opens it."""
        return self.linked_hanchan() or super().hanchan()

    def require_capability(self, capability: Capability) -> None:
        """Refuse a user or a link without the capability, before anything of the request body is read.

        A scorer's link that has ended with its table passes: the service repeats what it had accepted, and refuses new
        changes.
        """
        link = held_link(self.request)
        if link is None or capability not in LINK_CAPABILITIES[link.kind] or self.linked_hanchan() is None:
            super().require_capability(capability)
