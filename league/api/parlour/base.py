"""Base of the views of a parlour: found by its slug, read and changed by its staff alone."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.permissions import IsAuthenticated

from league.api.authentication import actor_of
from league.api.throttles import ReadThrottle, WriteThrottle
from league.api.writing import ChangeView, ContentView, content_tag
from league.models import Competition, Parlour, Player, Sitting
from league.platform.errors import refuse
from league.selectors.access.actors import Capability, competitions_where
from league.selectors.competitions.addresses import competition_at
from league.selectors.parlour.houses import books_of, played_books, require_in
from league.services.access.changes import lock_parlour_row
from league.web.documents import Document
from league.web.problems import not_found


class ParlourView(ContentView):
    """Base of a parlour's documents."""

    permission_classes = [IsAuthenticated]
    throttle_classes = [ReadThrottle, WriteThrottle]
    reads: ClassVar[Capability] = Capability.READ
    """The capability that reading needs in every book that is not closed."""
    parlour: Parlour
    time_zone: str | None = None

    def open(self, **path: object) -> None:
        """Find the parlour and build the document."""
        self.find_parlour()
        if self.reads is not Capability.READ:
            require_in(actor_of(self.request), self.parlour, self.reads)
        self.found = self.build()

    def find_parlour(self) -> None:
        """Find the parlour of the path. Raise ProblemError unless the user works for one of its books."""
        own = competitions_where(self.request.user, Capability.READ).filter(parlour__slug=self.kwargs["slug"])
        book = own.select_related("parlour").order_by("pk").first()
        if book is None or book.parlour is None:
            raise not_found(_("There is no such parlour."))
        self.parlour, self.time_zone = book.parlour, book.time_zone

    @abstractmethod
    def build(self) -> Document:
        """Build the document from the facts as they are now."""

    def book(self, slug: str | None) -> Competition:
        """Return the rule book of this slug, or the first one; raise RuleViolationError if the house has none such."""
        books = played_books(self.parlour)
        if slug is None:
            return books[0]
        named = competition_at(slug, self.request.user)
        book = next((each for each in books if each == named), None)
        if book is None:
            known = ", ".join(each.slug for each in books)
            message = _("“%(slug)s” is no rule book of this parlour. Known: %(known)s.")
            raise refuse("unknown_book", message % {"slug": slug, "known": known}, "/book")
        return book

    def player(self, pk: int, pointer: str = "/player") -> Player:
        """Return the player of this id, the entry kept after merging; raise RuleViolationError for an unknown one."""
        player = Player.objects.select_related("merged_into").filter(pk=pk, erased_at=None, is_team=False).first()
        if player is None:
            raise refuse("unknown_player", _("There is no such player."), pointer)
        return player.kept

    def sitting(self, pk: int) -> Sitting:
        """Return a sitting of the parlour. Raise Http404 for an unknown id."""
        rows = Sitting.objects.filter(table_session__competition__in=books_of(self.parlour))
        return get_object_or_404(rows.select_related("table_session__competition"), pk=pk)


class ParlourWriteView(ParlourView, ChangeView):
    """Base of the changes of a parlour."""

    capability: ClassVar[Capability] = Capability.SUBMIT

    def locate(self) -> None:
        """Find the parlour and check the permission."""
        self.find_parlour()
        self.require_right()

    def require_right(self) -> None:
        """Raise PermissionRefusedError unless the user may make the change."""
        require_in(actor_of(self.request), self.parlour, self.capability)

    def current_tag(self) -> str:
        """Return the ETag of the document that GET gives here, with the house locked."""
        lock_parlour_row(self.parlour.pk)
        return content_tag(self.build())
