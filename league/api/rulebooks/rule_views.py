"""Views of rulesets."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from django.http import Http404

from league.api.base import DocumentView
from league.api.fields import PagedQuery
from league.api.queries import RevisionQuery
from league.api.rulebooks.rule_documents import RulesetDocument, ruleset_document
from league.api.schema import describe_get
from league.selectors.access.etags import etag
from league.selectors.rulebooks.catalogue import CatalogueEntry, Shelf, rulesets_for
from league.web.documents import Page
from league.web.live.hand_documents import RulesetHead, ruleset_head
from scoring.ruleset import Ruleset

Value = TypeVar("Value")


class ShelfView(DocumentView, Generic[Value]):
    """Base of documents about rule texts (rulesets, formats)."""

    shelf: Shelf[Value]

    def open(self, **path: object) -> None:
        """Load the collection of texts that the user may see."""
        self.shelf = self.visible_shelf()

    @abstractmethod
    def visible_shelf(self) -> Shelf[Value]:
        """Return the collection of texts that the user may see."""

    def etag(self) -> str:
        """Return an ETag made of names and revisions; the text of a revision never changes."""
        kept = list(self.shelf.kept.order_by("name", "number").values_list("name", "number"))
        return etag(kept, *self.representation())

    def book(self) -> CatalogueEntry[Value]:
        """Return the requested revision. Raise Http404 if there is none."""
        found = self.shelf.book(self.kwargs["name"], self.query.get("revision"))
        if found is None:
            raise Http404
        return found


class RulesetShelfView(ShelfView[Ruleset]):
    """Base of documents about rulesets."""

    def visible_shelf(self) -> Shelf[Ruleset]:
        """Return the rulesets that the user may see."""
        return rulesets_for(self.request.user)


@describe_get("list_rulesets", Page[RulesetHead], query=PagedQuery)
class RulesetsView(RulesetShelfView):
    """List the rulesets."""

    query_class = PagedQuery

    def document(self) -> dict[str, object]:
        """Return one page."""
        return self.page_of(list(self.shelf.books()), lambda books: [ruleset_head(book) for book in books])


@describe_get("get_ruleset", RulesetDocument, query=RevisionQuery)
class RulesetView(RulesetShelfView):
    """Return a ruleset with its values and house options."""

    query_class = RevisionQuery

    def document(self) -> RulesetDocument:
        """Return the requested revision."""
        return ruleset_document(self.book(), self.shelf.revisions(self.kwargs["name"]))
