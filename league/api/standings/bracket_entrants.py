"""The entrants of a bracket, with their places in the whole competition."""

from __future__ import annotations

from pydantic import Field

from league.api.standings.bracket_parts import DepartureDocument, PlacedBy, departure_document, left_as, placed_by
from league.models import Entrant, Standing
from league.selectors.standings.bracket import Bracket, Reached
from league.web.document_parts import EntrantStatus, person, status_of
from league.web.documents import Document, Moment, Ref


class BracketEntrant(Document):
    """An entrant, with affiliation and country of that season."""

    id: Ref = Field(description="The entrant's id.")
    key: str = Field(description="The player's key, the same in every competition.")
    player: Ref = Field(description="The player's id.")
    number: int = Field(description="The entrant's number in the competition.")
    name: str | None = Field(description="The name.")
    kana: str | None = Field(description="The reading of the name in kana.")
    romaji: str | None = Field(description="The name in Latin letters.")
    affiliation: str | None = Field(description="The affiliation as of that season.")
    country: str | None = Field(description="The country or region as of that season.")
    is_team: bool = Field(description="A team, whose members sit for it.")
    is_house: bool = Field(description="A house player, who fills a table and has no rank.")
    withdrawn_at: Moment | None = Field(description="The moment the entrant left.")
    departure: DepartureDocument | None = Field(
        description="How, when and after which hanchan; null for one who plays."
    )
    status: EntrantStatus
    placement: int | None = Field(
        description="The place in the whole competition as it stands: by the last stage reached, then the rank there, "
        "then earlier stages; level entrants share it. Null for an entrant without a rank there."
    )
    final_rank: int | None = Field(
        description="The same once the whole competition is decided (`final`), from 1 to n; null before."
    )
    placed_by: PlacedBy | None = Field(description="What decides the place first; null for an entrant in no block.")


def entrant_document(
    found: Bracket,
    row: Entrant,
    placement: int | None,
    line: Standing | None,
    reached: Reached | None,
    *,
    is_final: bool,
) -> BracketEntrant:
    """Return an entrant with names, affiliation and country of that season; `line` is the last row of the standings."""
    left = departure_document(found, row, line)
    return BracketEntrant(
        id=str(row.pk),
        key=row.player.key,
        player=str(row.player_id),
        number=row.number,
        **person(found.reader, row),
        is_team=row.player.is_team,
        is_house=row.is_house,
        withdrawn_at=left.at if left else None,
        departure=left,
        status=status_of(line) if line else left_as(left) if left else "playing",
        placement=placement,
        final_rank=placement if is_final else None,
        placed_by=placed_by(reached),
    )
