"""Views of players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from league.api.base import DocumentView
from league.api.people.player_documents import PlayerDocument, player_document
from league.api.queries import PlayersQuery
from league.api.schema import describe_get
from league.models import Entrant, Player
from league.selectors.access.changed_rows import changed_players
from league.selectors.access.etags import etag_of_all
from league.selectors.access.readers import Reader, visible_competitions
from league.selectors.competitions.addresses import competition_at
from league.selectors.competitions.batches import readers_of
from league.selectors.people.visibility import players_in
from league.web.documents import Page


class PeopleView(DocumentView):
    """Base of documents about players, limited to competitions that the user may know of."""

    readers: dict[int, Reader]

    def open(self, **path: object) -> None:
        """Find the competitions whose players are shown."""
        rows = visible_competitions(self.request.user)
        if slug := self.query.get("competition"):
            competition = competition_at(slug, self.request.user)
            if competition is None:
                raise Http404
            rows = rows.filter(pk=competition.pk)
        self.readers = readers_of(rows, self.request.user)

    def etag(self) -> str:
        """Return an ETag made of the published versions of all these competitions."""
        return etag_of_all(self.readers.values(), *self.representation())

    def players(self, search: str = "") -> QuerySet[Player]:
        """Return the players of these competitions; of guests of open tables only those who opted in.

        A player shown by a handle is found by the handle only, never by name.
        """
        guarded = [pk for pk, reader in self.readers.items() if reader.guards_guests]
        entered = players_in(set(self.readers) - set(guarded)).order_by().values("pk")
        guests = Entrant.objects.filter(competition__in=guarded).values("player")
        under_name = Q(pk__in=entered)
        opted_in = Q(pk__in=guests, is_public=True) & ~Q(handle="")
        if search:
            names = Q(name__icontains=search) | Q(name_kana__icontains=search) | Q(name_romaji__icontains=search)
            under_name &= names | Q(key=search)
            # Matching the name as well would reveal the person behind a handle.
            opted_in &= Q(handle__icontains=search)
        return Player.objects.filter(under_name | opted_in, merged_into=None)

    def write_rows(self, rows: Sequence[Player]) -> list[PlayerDocument]:
        """Return each player with the competitions that they are entered in."""
        entered: defaultdict[int, list[Entrant]] = defaultdict(list)
        found = Entrant.objects.filter(player__in=rows, competition__in=list(self.readers)).order_by("competition")
        for row in found:
            entered[row.player_id].append(row)
        named = [pk for pk, reader in self.readers.items() if not reader.guards_guests]
        by_name = set(players_in(named).filter(pk__in=[row.pk for row in rows]).order_by().values_list("pk", flat=True))
        return [player_document(row, entered[row.pk], self.readers, is_handle=row.pk not in by_name) for row in rows]


@describe_get("list_players", Page[PlayerDocument], query=PlayersQuery)
class PlayersView(PeopleView):
    """List the players."""

    query_class = PlayersQuery

    def document(self) -> dict[str, object]:
        """Return one page, in the order of the readings of the names."""
        rows = self.players(self.query.get("search", "")).order_by("name_kana", "name", "pk")
        if "updated_since" in self.query:
            rows = changed_players(rows, self.readers.values(), self.query["updated_since"])
        return self.page_of(rows, self.write_rows)


@describe_get("get_player", PlayerDocument)
class PlayerView(PeopleView):
    """Return one player."""

    def document(self) -> PlayerDocument:
        """Return the player. Raise Http404 if the user may not know of them."""
        return self.write_rows([get_object_or_404(self.players(), pk=self.kwargs["pk"])])[0]
