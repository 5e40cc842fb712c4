"""Setting up a competition: its stages from the format, its people, who is seeded where."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.models import Block, Competition, Entrant, Hanchan, Membership, Player, ResultSheet, Role, Slot, Stage
from league.services.actor import Actor, Capability, require
from league.services.changes import next_version, record_change
from league.services.errors import conflict, refuse
from league.services.rulebooks import keep_format, keep_ruleset, put_rules_in_force
from rulesets.formats import parse_format
from scoring.format import Format


@transaction.atomic
def create_competition(
    *,
    slug: str,
    name: str,
    ruleset: str,
    format: str,
    by: Actor,
    name_en: str = "",
    kind: Competition.Kind = Competition.Kind.LEAGUE,
    options: Mapping[str, Any] | None = None,
    time_zone: str = "Asia/Tokyo",
    audience: str = "public",
    confirmation: Competition.Confirmation = Competition.Confirmation.ONE,
    effective_from: dt.datetime | None = None,
    is_demo: bool = False,
) -> Competition:
    """Set up a competition as a draft; whoever creates it directs it.

    1. Refuse an address that is taken or malformed, and a time zone nobody knows.
    2. Lay out stages, blocks and slots as the format has them.
    3. Put ruleset, format and options in force.
    """
    refuse_bad_slug(slug)
    refuse_unknown_time_zone(time_zone)
    kept_ruleset, kept_format = keep_ruleset(ruleset), keep_format(format)
    competition = Competition.objects.create(
        slug=slug,
        name=name,
        name_en=name_en,
        kind=kind,
        time_zone=time_zone,
        audience=audience,
        confirmation=confirmation,
        is_demo=is_demo,
    )
    if by.user is not None:
        Membership.objects.create(competition=competition, user=by.user, role=Role.DIRECTOR)
    n = next_version(competition)
    lay_out(competition, parse_format(kept_format.text, str(kept_format)))
    rules = put_rules_in_force(
        competition=competition,
        ruleset=kept_ruleset,
        format=kept_format,
        by=by,
        options=options,
        effective_from=effective_from,
        n=n,
    )
    record_change(
        competition=competition,
        n=n,
        kind="competition.created",
        by=by,
        subject=competition,
        after={"slug": slug, "ruleset": str(kept_ruleset), "format": str(kept_format), "digest": rules.digest},
    )
    return competition


def lay_out(competition: Competition, format: Format) -> None:
    """Create the stages, blocks and slots of a format."""
    for order, stage in enumerate(format.stages, start=1):
        row = Stage.objects.create(
            competition=competition,
            key=stage.key,
            order=order,
            name=stage.title.ja,
            name_en=stage.title.en,
            hanchan_count=stage.hanchan,
        )
        for place, block in enumerate(stage.blocks, start=1):
            laid = Block.objects.create(
                competition=competition,
                stage=row,
                key=block.key,
                order=place,
                name=block.title.ja,
                name_en=block.title.en,
            )
            Slot.objects.bulk_create(
                Slot(block=laid, number=number, source=str(source))
                for number, source in enumerate(block.slots, start=1)
            )


def refuse_bad_slug(slug: str) -> None:
    """An address is lower-case letters, digits and hyphens, and used once."""
    if not slug or slug != slugify(slug):
        raise refuse(
            "bad_slug",
            _("“%(slug)s” cannot be an address. Use lower-case letters, digits and hyphens.") % {"slug": slug},
            "/slug",
        )
    if Competition.objects.filter(slug=slug).exists():
        raise conflict(
            "slug_taken",
            _("There is already a competition at “%(slug)s”. Choose another address.") % {"slug": slug},
            "/slug",
        )


def refuse_unknown_time_zone(name: str) -> None:
    """A time zone is one of the IANA database, such as Asia/Tokyo."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise refuse(
            "unknown_time_zone",
            _("There is no time zone “%(name)s”. Write it like Asia/Tokyo.") % {"name": name},
            "/time_zone",
        ) from error


@transaction.atomic
def set_status(*, competition: Competition, status: Competition.Status, by: Actor) -> Competition:
    """Publish a draft, close a season, or open it again."""
    require(by, competition, Capability.MANAGE)
    before = competition.status
    if before == status:
        return competition
    n = next_version(competition)
    competition.status = status
    competition.save(update_fields=["status"])
    record_change(
        competition=competition,
        n=n,
        kind=f"competition.{status}",
        by=by,
        subject=competition,
        before={"status": before},
        after={"status": status},
    )
    return competition


def new_player(*, name: str, key: str = "", **personal: Any) -> Player:
    """Add a person. Without a key one is made up; it never tells the name."""
    if not name.strip():
        raise refuse("name_needed", _("Please enter the player's name."), "/name")
    return Player.objects.create(
        name=name.strip(), key=key or f"p-{get_random_string(8, 'abcdefghjkmnpqrstuvwxyz23456789')}", **personal
    )


@transaction.atomic
def enter_players(*, competition: Competition, players: Sequence[Player], by: Actor) -> list[Entrant]:
    """Make players entrants of the competition, in this order; those entered already stay as they are."""
    require(by, competition, Capability.MANAGE)
    there = set(Entrant.objects.filter(competition=competition).values_list("player", flat=True))
    newcomers = [player for player in dict.fromkeys(players) if player.pk not in there]
    if newcomers:
        n = next_version(competition)
        last = Entrant.objects.filter(competition=competition).aggregate(last=Max("number"))["last"] or 0
        Entrant.objects.bulk_create(
            Entrant(competition=competition, player=player, number=last + place, affiliation=player.affiliation)
            for place, player in enumerate(newcomers, start=1)
        )
        touch_blocks(competition, n)
        record_change(
            competition=competition,
            n=n,
            kind="entrants.entered",
            by=by,
            subject=competition,
            after={"players": [player.pk for player in newcomers]},
        )
    return list(Entrant.objects.filter(competition=competition, player__in=players).select_related("player"))


@transaction.atomic
def seed_block(*, block: Block, entrants: Sequence[Entrant], by: Actor) -> None:
    """Put entrants into the block's slots, first to last; slots left over stay open.

    Refused once the block has a confirmed result: then who sits where is history, and an override is needed.
    """
    competition = block.competition
    require(by, competition, Capability.MANAGE)
    if ResultSheet.objects.counting().filter(hanchan__block=block).exists():
        raise conflict(
            "block_has_results",
            _("%(block)s already has results. Enter an override with its reason instead.") % {"block": block},
        )
    slots = list(block.slots.order_by("number"))
    if len(entrants) > len(slots):
        raise refuse(
            "too_many_entrants",
            _("%(block)s has %(slots)s places, not %(entrants)s.")
            % {"block": block, "slots": len(slots), "entrants": len(entrants)},
            "/entrants",
        )
    before = [slot.seeded_id for slot in slots]
    n = next_version(competition)
    block.slots.update(seeded=None)
    for slot, entrant in zip(slots, entrants, strict=False):
        slot.seeded = entrant
        slot.save(update_fields=["seeded"])
    touch_blocks(competition, n)
    record_change(
        competition=competition,
        n=n,
        kind="block.seeded",
        by=by,
        subject=block,
        before={"entrants": before},
        after={"entrants": [entrant.pk for entrant in entrants]},
    )


def touch_blocks(competition: Competition, n: int) -> None:
    """Everything of the competition may look different after change `n`."""
    Block.objects.filter(competition=competition).update(facts_n=n)


@transaction.atomic
def withdraw(*, entrant: Entrant, by: Actor, reason: str) -> None:
    """Mark an entrant as withdrawn; results stay. Who takes over later places is an override of its own."""
    require(by, entrant.competition, Capability.MANAGE)
    n = next_version(entrant.competition)
    Entrant.objects.filter(pk=entrant.pk).update(withdrawn_at=timezone.now())
    record_change(
        competition=entrant.competition,
        n=n,
        kind="entrant.withdrawn",
        by=by,
        subject=entrant,
        reason=reason,
        after={
            "hanchan_played": Hanchan.objects.filter(
                sheets__seats__entrant=entrant, sheets__state=ResultSheet.State.CONFIRMED
            ).count()
        },
    )
