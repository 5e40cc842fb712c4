"""Base of the changes of a competition over REST: the permission first, then the body, then one service."""

from __future__ import annotations

from abc import abstractmethod
from fractions import Fraction
from typing import ClassVar

from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from league.api.authentication import actor_of
from league.api.base import CompetitionView
from league.api.writing import ChangeView, content_tag
from league.models import Block, Competition, Entrant, Player
from league.platform.errors import refuse
from league.selectors.access.actors import Capability, require
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.access.changes import lock
from league.web.documents import Document


def entrant_of(competition: Competition, pk: int, pointer: str = "/entrant") -> Entrant:
    """Return the entrant of this id; raise RuleViolationError for one of no such id in the competition."""
    rows = Entrant.objects.select_related("player", "competition").filter(competition=competition)
    found = rows.filter(pk=pk, merged_into=None).first()
    if found is None:
        raise refuse("unknown_entrant", _("There is no such entrant in this competition."), pointer)
    return found


def player_of(pk: int, pointer: str = "/player") -> Player:
    """Return the player of this id; raise RuleViolationError for one unknown, merged or erased."""
    player = Player.objects.filter(pk=pk, merged_into=None, erased_at=None).first()
    if player is None:
        raise refuse("unknown_player", _("There is no such player."), pointer)
    return player


def ranking_points(competition: Competition, text: str) -> int:
    """Return points at the ranking ledger's scale. Raise RuleViolationError if they have too many decimals."""
    try:
        return ruleset_of(rules_at(competition)).ranking_ledger.stored(Fraction(text))
    except ValueError as fine:
        message = _("“%(text)s” has more decimals than this is counted in.") % {"text": text}
        raise refuse("too_fine", message, "/points") from fine


class CompetitionWriteView(ChangeView, CompetitionView):
    """Base of the changes of a competition, and of documents that its staff alone reads as they are now."""

    capability: ClassVar[Capability] = Capability.MANAGE
    reads: ClassVar[Capability] = Capability.READ
    """The capability that reading needs."""

    @property
    def competition(self) -> Competition:
        """Return the competition of the path."""
        return self.reader.competition

    def open(self, **path: object) -> None:
        """Find the competition. Raise PermissionRefusedError unless the user may read this."""
        self.find_competition()
        require(actor_of(self.request), self.competition, self.reads)

    def locate(self) -> None:
        """Find the competition and check the permission to change it."""
        self.find_competition()
        self.time_zone = self.competition.time_zone
        require(actor_of(self.request), self.competition, self.capability)

    def find_competition(self) -> None:
        """Find the competition of the path. Raise Http404 if the user may not know of it."""
        self.find(slug=self.kwargs["slug"])

    def etag(self) -> str:
        """Return the ETag of the content as it is now, which can be sent in If-Match."""
        return content_tag(self.write(self.reader))

    def current_tag(self) -> str:
        """Return the ETag of the document that GET gives here, with the competition locked."""
        lock(self.competition)
        return content_tag(self.write(self.reader))

    def block_of_path(self) -> Block:
        """Return the block whose key is in the path. Raise Http404 for an unknown one."""
        rows = Block.objects.select_related("competition", "stage").filter(competition=self.competition)
        return get_object_or_404(rows, key=self.kwargs["key"])

    def entrant_of_path(self) -> Entrant:
        """Return the entrant whose id is in the path. Raise Http404 for an unknown one."""
        rows = Entrant.objects.filter(competition=self.competition, merged_into=None)
        return get_object_or_404(rows.select_related("player", "competition"), pk=self.kwargs["pk"])

    def entrant(self, pk: int, pointer: str = "/entrant") -> Entrant:
        """Return the entrant of this id; raise RuleViolationError for one of no such id in the competition."""
        return entrant_of(self.competition, pk, pointer)

    @abstractmethod
    def write(self, reader: Reader) -> Document:
        """Return the document that the change concerns, as it is now."""
