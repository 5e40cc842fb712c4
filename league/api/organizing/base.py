"""Base of the operations of organizers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework.response import Response

from league.api.competitions.writes import CompetitionWriteView
from league.api.writing import ContentView, content_tag
from league.models import Block, Entrant
from league.platform.errors import refuse
from league.services.access.changes import lock
from league.web.documents import Document


class OrganizerView(ContentView, CompetitionWriteView):
    """Base of the changes of one competition; `change` makes them through a service and returns the response.

    A GET, where there is one, needs the same capability as the change.
    """

    def open(self, **path: object) -> None:
        """Find the competition, check the permission, and build the document."""
        self.locate()
        self.found = self.build()

    def write(self, reader: object) -> Document:
        """Return the document."""
        return self.found

    def answer(self, request: object, tag: str) -> HttpResponse:
        """Return the response with the document: settings are not versioned."""
        return Response(self.found)

    def current_tag(self) -> str:
        """Return the ETag of the document that GET gives here, with the competition locked."""
        lock(self.competition)
        self.competition.refresh_from_db()
        return content_tag(self.build())

    def block_of(self, key: str, pointer: str = "/block") -> Block:
        """Return the competition's block of this key. Raise RuleViolationError naming the known ones."""
        rows = {row.key: row for row in Block.objects.filter(competition=self.competition).select_related("stage")}
        if key not in rows:
            message = _("“%(key)s” is not part of this competition. Known: %(known)s.")
            raise refuse("no_such_key", message % {"key": key, "known": ", ".join(rows)}, pointer)
        return rows[key]

    def entrants_of(self, ids: Iterable[int], pointer: str = "/entrants") -> list[Entrant]:
        """Return entrants of the competition in this order. Raise RuleViolationError for an unknown id."""
        wanted: Sequence[int] = list(ids)
        rows = Entrant.objects.filter(competition=self.competition, pk__in=wanted).select_related("player")
        known = {row.pk: row for row in rows}
        for place, pk in enumerate(wanted):
            if pk not in known:
                message = _("There is no entrant %(id)s in this competition.")
                raise refuse("unknown_entrant", message % {"id": pk}, f"{pointer}/{place}")
        return [known[pk] for pk in wanted]
