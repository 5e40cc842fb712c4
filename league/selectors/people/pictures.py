"""Pictures of players and competitions, for the readers allowed to see their subjects."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F, Q, QuerySet

from league.models import Competition, Picture
from league.selectors.access.actors import Capability, competitions_where
from league.selectors.access.readers import Visitor, visible_competitions


@dataclass(frozen=True, slots=True)
class ReadablePicture:
    """The WebP data of a picture, and whether the public may see it."""

    data: bytes
    is_public: bool


def public_picture(digest: str) -> ReadablePicture | None:
    """Return the picture with this digest if the public sees it: of a public competition, or of a league's player.

    Guests of open tables are known by their handles alone.
    """
    public = visible_competitions(None)
    found = _shown_in(public, public.filter(kind=Competition.Kind.LEAGUE), digest)
    return ReadablePicture(found, is_public=True) if found is not None else None


def staff_picture(digest: str, visitor: Visitor) -> ReadablePicture | None:
    """Return the picture with this digest if it is shown in a competition that the visitor works for."""
    if not (visitor.is_authenticated and visitor.is_active):
        return None
    own = competitions_where(visitor, Capability.READ)
    found = _shown_in(own, own, digest)
    return ReadablePicture(found, is_public=False) if found is not None else None


def _shown_in(leagues: QuerySet[Competition], of_players: QuerySet[Competition], digest: str) -> bytes | None:
    """Return the data of a picture shown by one of these competitions, or of an entrant of the others."""
    shown = Q(competition__in=leagues, competition__picture=F("sha256")) | Q(
        player__entrants__competition__in=of_players, player__picture=F("sha256")
    )
    rows = Picture.objects.filter(shown, sha256=digest).order_by().values_list("data", flat=True)
    data = rows.first()
    return bytes(data) if data is not None else None
