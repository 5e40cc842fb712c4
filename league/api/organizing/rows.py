"""Base of the changes of one row, whose competition follows from it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from django.db.models import Model, QuerySet
from django.http import Http404

from league.api.competitions.schedule_views import (
    hanchan_documents,
    hanchan_shown,
)
from league.api.organizing.base import OrganizerView
from league.api.organizing.schedule_documents import (
    HanchanSeats,
)
from league.models import Hanchan


class OfRowView(OrganizerView):
    """Base of the changes of one row, whose competition follows from it."""

    path_to_competition: ClassVar[str] = "competition"
    all_rows: ClassVar[QuerySet[Model]]
    """The rows of all competitions; only the competition's id is read from them."""

    def find_competition(self) -> None:
        """Find the competition of the row. Raise Http404 if there is no such row, or the user may not know of it."""
        rows = self.all_rows.filter(pk=self.kwargs["pk"]).order_by()
        self.find(pk=rows.values_list(self.path_to_competition, flat=True).first())
        # 404, not 403: an outsider must not learn that a row under embargo exists.
        if not self.shown_rows().filter(pk=self.kwargs["pk"]).exists():
            raise Http404

    @abstractmethod
    def shown_rows(self) -> QuerySet[Model]:
        """Return the rows of the competition that the reader may know of."""


def seats_now(view: OrganizerView, rows: Sequence[Hanchan]) -> HanchanSeats:
    """Return hanchan with their seats as they are now."""
    shown = hanchan_shown(view.reader).filter(pk__in=[row.pk for row in rows])
    return HanchanSeats(hanchan=hanchan_documents(view.reader, list(shown), lines=False))
