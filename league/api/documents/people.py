"""Players across competitions."""

from __future__ import annotations

from collections.abc import Iterable

from league.api.documents.common import Document, competition_ref, ref
from league.models import Entrant, Player
from league.selectors.people import guards_guests
from league.selectors.readers import Reader


def player_document(player: Player, entrants: Iterable[Entrant], readers: dict[int, Reader]) -> Document:
    """A person and the competitions they are entered in, as far as the visitor may know of these.

    Somebody known only from open tables goes by the handle they chose.
    """
    own = [row for row in entrants if row.competition_id in readers]
    is_handle = all(guards_guests(readers[row.competition_id]) for row in own)
    return {
        "id": ref(player.pk),
        "key": player.key,
        "name": player.handle if is_handle else player.name,
        "kana": "" if is_handle else player.name_kana,
        "romaji": "" if is_handle else player.name_romaji,
        "affiliation": "" if is_handle else player.affiliation,
        "entrants": [
            {
                "id": ref(row.pk),
                "competition": competition_ref(readers[row.competition_id].competition),
                "number": row.number,
                "affiliation": "" if is_handle else row.affiliation,
            }
            for row in own
        ],
    }
