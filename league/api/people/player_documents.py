"""Player documents: players across competitions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from league.models import Competition, Entrant, Player
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.clauses import address
from league.web.document_parts import CompetitionRef
from league.web.documents import Document, Ref
from league.wording.marks import COLOURS, first_glyph, mark_of


class MarkDocument(Document):
    """The tile shown beside a name."""

    glyph: str = Field(description="The character on the tile.")
    colour: int = Field(description="The number of its colour.", ge=0, lt=COLOURS)


PicturePath = Annotated[
    str, Field(description="The path of the picture on this host, a square WebP; empty without one.")
]


def picture_path(row: Player | Competition) -> str:
    """Return the path of the picture of a player or competition, empty without one."""
    return address("picture", row.picture) if row.picture else ""


class PlayerEntry(Document):
    """A competition that a player is entered in."""

    id: Ref = Field(description="The entrant's id in that competition.")
    competition: CompetitionRef
    number: int = Field(description="The entrant's number in the competition.")
    affiliation: str = Field(description="The affiliation as of that season.")
    country: str = Field(description="The country or region as of that season.")


class PlayerDocument(Document):
    """A person or a team, with the competitions that they are entered in."""

    id: Ref = Field(description="The player's id.")
    key: str = Field(description="The player's key, the same in every competition.")
    is_team: bool = Field(description="True for a team.")
    name: str = Field(description="The name, or the handle of a player known from open tables alone.")
    kana: str = Field(description="The reading of the name in kana.")
    romaji: str = Field(description="The name in Latin letters.")
    affiliation: str = Field(description="The affiliation as of now.")
    country: str = Field(description="The country or region as of now.")
    mark: MarkDocument = Field(description="The player's mark, chosen or derived from name and key.")
    picture: PicturePath
    entrants: list[PlayerEntry] = Field(description="The competitions the reader may know of, oldest first.")


def player_document(
    player: Player, entrants: Iterable[Entrant], readers: dict[int, Reader], *, is_handle: bool
) -> PlayerDocument:
    """Return a person with those of their competitions that the reader may know.

    `is_handle` is for a person known from open tables alone, who is shown by the handle they chose.
    """
    own = [row for row in entrants if row.competition_id in readers]
    entered = [
        PlayerEntry.build(
            row,
            competition=readers[row.competition_id].competition,
            affiliation="" if is_handle else row.affiliation,
            country="" if is_handle else row.country,
        )
        for row in own
    ]
    if is_handle:
        # A chosen character is usually the first of the name, which the handle hides.
        own_mark = MarkDocument(glyph=first_glyph(player.handle), colour=mark_of(player).colour)
        return PlayerDocument.build(
            player,
            name=player.handle,
            kana="",
            romaji="",
            affiliation="",
            country="",
            mark=own_mark,
            picture="",
            entrants=entered,
        )
    return PlayerDocument.build(
        player,
        kana=player.name_kana,
        romaji=player.name_romaji,
        mark=MarkDocument.build(mark_of(player)),
        picture=picture_path(player),
        entrants=entered,
    )
