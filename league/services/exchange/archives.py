"""Archives of competitions: export with standings, import that must reproduce them, and verification by a dry run."""

from __future__ import annotations

import json
from typing import TypedDict

from django.db import transaction
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from league.files.archive import Archive, ArchiveRefusedError, canonical, unpack_archive
from league.files.reading import CompetitionFile, read
from league.files.writing import as_json
from league.models import Audience, Competition, Membership, Outcome, Role, SlotState, Standing
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.exchange.competition_export import document_of
from league.services.access.changes import record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.competitions.setup import refuse_strangers
from league.services.exchange.competition_import import Progress, import_competition
from league.services.standings.publishing import publish_standings


@all_or_nothing
def archive_of(*, competition: Competition, by: Actor) -> Archive:
    """Return an archive of the competition, held-back results included, after bringing its standings up to date."""
    require(by, competition, Capability.MANAGE)
    publish_standings(competition.pk)
    competition.refresh_from_db()
    return Archive(as_json(document_of(competition)), standings_text(competition), competition.name, competition.slug)


def standings_text(competition: Competition) -> str:
    """Return the staff's published standings, slots and outcome as canonical JSON that names everything by key.

    It holds no ids and no names, so that two installations give the same text for the same facts.
    """
    staff = {"audience": Audience.STAFF}
    standings = Standing.objects.filter(block__competition=competition, **staff).select_related(
        "block", "entrant__player"
    )
    slots = SlotState.objects.filter(slot__block__competition=competition, **staff).select_related("slot__block")
    outcome = Outcome.objects.filter(competition=competition, **staff).select_related("champion__player").first()
    return canonical(
        {
            "standings": [_line(row) for row in standings.order_by("block__stage__order", "block__order", "position")],
            "slots": [
                [row.slot.block.key, row.slot.number, row.state, row.entrant.player.key if row.entrant else None]
                for row in slots.select_related("entrant__player").order_by(
                    "slot__block__stage__order", "slot__block__order", "slot__number"
                )
            ],
            "champion": outcome.champion.player.key if outcome and outcome.champion else None,
        }
    )


def _line(row: Standing) -> dict[str, object]:
    return {
        "block": row.block.key,
        "rank": row.rank if row.is_ranked else None,
        "player": row.entrant.player.key,
        "total": row.total,
        "carried": row.carried,
        "adjustment": row.adjustment,
        "played": row.played,
        "places": row.places,
        # Left out where they say nothing: archives of earlier releases must compare equal.
        **({"credited": row.credited} if row.credited else {}),
        **({"status": row.status} if row.status else {}),
    }


@transaction.atomic
def import_archive(
    *,
    data: bytes,
    by: Actor,
    slug: str = "",
    name: str = "",
    is_trial: bool = False,
    progress: Progress | None = None,
) -> Competition:
    """Import an archive, under another slug or name if those are given.

    1. Refuse actors without the right to create competitions, and a file whose digests do not match its bytes.
    2. Replay every event of the file through the services.
    3. Raise and roll back if the standings differ from those in the archive.
    4. Make the importing user a director of the competition.

    Raise ArchiveRefusedError, or ImportRefusedError with the faults of the competition's file.
    """
    refuse_strangers(by)
    archive = unpack_archive(data)
    file = renamed(read(archive.competition, "competition.json"), slug, name)
    competition = import_competition(file=file, by=Actor.system(by.door), progress=progress)
    refuse_other_standings(archive, standings_text(competition))
    if by.user is not None:
        Membership.objects.create(competition=competition, user=by.user, role=Role.DIRECTOR)
        record_organization_change("competition.imported", competition, by=by, after={"standings": archive.digest})
    if is_trial:
        transaction.set_rollback(True)
    return competition


def verify_archive(*, data: bytes) -> Competition:
    """Verify an archive: import it under a random slug, compare digests and standings, and roll everything back."""
    address = f"proof-{get_random_string(12, 'abcdefghijkmnpqrstuvwxyz')}"
    return import_archive(data=data, by=Actor.system(), slug=address, is_trial=True)


def renamed(file: CompetitionFile, slug: str, name: str) -> CompetitionFile:
    """Return the file with another slug and name, where those are given."""
    update = {key: value for key, value in (("slug", slug), ("name", name)) if value}
    table = file.document.competition.model_copy(update=update)
    return file.with_document(file.document.model_copy(update={"competition": table})) if update else file


def refuse_other_standings(archive: Archive, found: str) -> None:
    """Raise ArchiveRefusedError unless the standings computed here equal those of the archive.

    The same facts under the same rules lead to the same standings, so that a difference means a fault.
    """
    if archive.standings == found:
        return
    try:
        lines = _differences(json.loads(archive.standings), json.loads(found))
    except (ValueError, LookupError, TypeError, RecursionError):  # not even standings
        lines = []
    raise ArchiveRefusedError(
        _("The results of this archive do not lead to its standings here; nothing was kept. %(differences)s")
        % {"differences": "; ".join(lines[:5])}
    )


class Summary(TypedDict):
    """The standings in an archive, as far as they are compared."""

    standings: list[dict[str, object]]


def _differences(theirs: Summary, ours: Summary) -> list[str]:
    """Return a line for each standing that differs between the archive and this database."""
    return [
        "{block}: {rank}. {player} {total}".format(**before) + " → {rank}. {player} {total}".format(**after)
        for before, after in zip(theirs["standings"], ours["standings"], strict=False)
        if before != after
    ]
