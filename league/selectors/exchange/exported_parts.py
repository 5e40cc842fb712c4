"""Parts of a competition's file that need no competition: people with their pictures, and keys of rule books."""

from __future__ import annotations

import json
from base64 import b64encode
from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db.models import QuerySet

from league.files.shape import PlayerTable
from league.models import Entrant, Paifu, Picture, Player
from league.models.rules import Revision


def shown_pictures(rows: QuerySet[Picture]) -> dict[str, str]:
    """Return pictures as base64 by their digest."""
    return {digest: b64encode(bytes(data)).decode() for digest, data in rows.values_list("sha256", "data")}


def player_table(player: Player, source: Player | Entrant, pictures: Mapping[str, str]) -> PlayerTable:
    """Return a person as a table of the document, with the affiliation and country that the source has."""
    return PlayerTable.model_construct(
        key=player.key,
        name=player.name,
        name_kana=player.name_kana,
        name_romaji=player.name_romaji,
        affiliation=source.affiliation,
        country=source.country,
        number=player.number,
        handle=player.handle,
        short_name=player.short_name,
        is_team=player.is_team,
        is_public=player.is_public,
        is_erased=player.erased_at is not None,
        mark_glyph=player.mark_glyph,
        mark_colour=player.mark_colour,
        picture=pictures.get(player.picture, ""),
        is_entrant=isinstance(source, Entrant),
    )


def record_text(record: Paifu) -> str:
    """Return the record of an online game as canonical JSON, the same from each database."""
    return json.dumps(record.content, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def keys_of(revisions: Iterable[Revision]) -> dict[Revision, str]:
    """Return a unique key for every revision: its name, with a number from the second revision of a name on."""
    keys: dict[Revision, str] = {}
    numbers: defaultdict[str, int] = defaultdict(int)
    for revision in dict.fromkeys(revisions):
        numbers[revision.name] += 1
        number = numbers[revision.name]
        keys[revision] = revision.name if number == 1 else f"{revision.name}-{number}"
    return keys
