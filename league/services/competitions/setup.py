"""Create and set up competitions: stages from the format, players, entrants and seeds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from league.models import (
    Audience,
    Block,
    Competition,
    Entrant,
    FormatRevision,
    Membership,
    Parlour,
    Player,
    ResultSheet,
    Role,
    RulesetRevision,
    Slot,
)
from league.platform.errors import conflict, forbid, refuse
from league.selectors.access.actors import Actor, Capability, has_right, require
from league.selectors.competitions.addresses import is_parlour_slug_taken
from league.selectors.parlour.houses import require_in
from league.selectors.rulebooks.rules_in_force import is_of_teams, rules_at
from league.services.access.changes import (
    after_last,
    lock,
    lock_parlour_row,
    open_change,
    record_organization_change,
)
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.competitions.addresses import refuse_bad_slug, refuse_malformed_slug, refuse_taken_slug
from league.services.people.permissions import refuse_adding
from league.services.rulebooks.revisions import (
    RulesChoice,
    keep_format,
    keep_ruleset,
    size_said,
    write_rules,
)
from league.wording.names import title_of


@dataclass(frozen=True, kw_only=True, slots=True)
class CompetitionPlan:
    """Parameters of a new competition; `ruleset` and `league_format` name installed files, or are stored revisions."""

    slug: str
    name: str
    ruleset: str | RulesetRevision
    league_format: str | FormatRevision
    name_en: str = ""
    kind: Competition.Kind = Competition.Kind.LEAGUE
    options: Mapping[str, object] = field(default_factory=dict)
    entrants: int | None = None
    """For a format of open size: the number of entrants expected, until the roster is closed."""
    time_zone: str = "Asia/Tokyo"
    day_starts_at: dt.time = dt.time(0, 0)
    audience: Audience | None = None
    """The readers of the competition; by default the public for a league, the staff alone for an open table."""
    confirmation: Competition.Confirmation = Competition.Confirmation.ONE
    shows_odds: bool = True
    effective_from: dt.datetime | None = None
    is_demo: bool = False
    parlour: Parlour | None = None
    """The parlour of an open table; None makes one of its own, with its address and names."""


@all_or_nothing
def create_competition(*, plan: CompetitionPlan, by: Actor) -> Competition:
    """Create a competition as a draft, and make the creating user its director.

    1. Refuse actors without the permission, a slug that is taken or malformed, and an unknown time zone.
    2. Put ruleset, format and options in force, with the format's stages, blocks and slots.
    3. An open table becomes a book of its parlour, whose staff works for it too; only its directors add one.
    """
    refuse_strangers(by)
    refuse_too_long(Competition, plan)
    refuse_bad_slug(plan.slug)
    refuse_unknown_time_zone(plan.time_zone)
    refuse_waiting_at_open_table(plan.kind, plan.confirmation)
    ruleset, league_format = keep_ruleset(plan.ruleset), keep_format(plan.league_format)
    competition = Competition.objects.create(
        slug=plan.slug,
        name=plan.name,
        name_en=plan.name_en,
        kind=plan.kind,
        parlour=_parlour_of(plan, by),
        time_zone=plan.time_zone,
        day_starts_at=plan.day_starts_at,
        audience=plan.audience or usual_audience(plan.kind),
        confirmation=plan.confirmation,
        shows_odds=plan.shows_odds,
        is_demo=plan.is_demo,
    )
    refuse_taken_slug(plan.slug, competition)
    _give_roles(competition, by)
    change = open_change(competition, by)
    choice = RulesChoice(
        ruleset=ruleset,
        league_format=league_format,
        options=plan.options,
        since=plan.effective_from,
        entrants=plan.entrants,
    )
    rules = write_rules(choice, change)
    change.record(
        "competition.created",
        competition,
        after={
            "slug": plan.slug,
            "ruleset": str(ruleset),
            "format": str(league_format),
            "options": rules.options,
            "digest": rules.digest,
            **size_said(rules),
        },
    )
    return competition


def _give_roles(competition: Competition, by: Actor) -> None:
    """Make the creating user a director, and give the staff of the parlour, if there is one, its roles here too."""
    staff = Membership.objects.filter(competition__parlour__in=[competition.parlour_id])
    members = dict(staff.values_list("user", "role")) | ({by.user.pk: Role.DIRECTOR} if by.user else {})
    Membership.objects.bulk_create(
        Membership(competition=competition, user_id=user, role=role) for user, role in members.items()
    )


def _parlour_of(plan: CompetitionPlan, by: Actor) -> Parlour | None:
    """Return the parlour of a new open table, made now if the plan names none; None for a league."""
    if plan.kind != Competition.Kind.OPEN:
        return None
    if plan.parlour is None:
        return create_parlour(slug=plan.slug, name=plan.name, name_en=plan.name_en, by=by)
    require_in(by, plan.parlour, Capability.MANAGE)
    lock_parlour_row(plan.parlour.pk)
    return plan.parlour


@all_or_nothing
def create_parlour(*, slug: str, name: str, by: Actor, name_en: str = "", currency: str = "JPY") -> Parlour:
    """Create a parlour without a book; its first open table makes the creating user a director."""
    refuse_strangers(by)
    refuse_too_long(Parlour, {"slug": slug, "name": name, "name_en": name_en, "currency": currency})
    refuse_malformed_slug(slug)
    if is_parlour_slug_taken(slug):
        raise conflict(
            "parlour_slug_taken",
            _("There is already a parlour at “%(slug)s”. Choose another address.") % {"slug": slug},
            "/slug",
        )
    parlour = Parlour.objects.create(slug=slug, name=name, name_en=name_en, currency=currency)
    record_organization_change("parlour.created", parlour, by=by, after={"slug": slug})
    return parlour


def refuse_waiting_at_open_table(kind: str, confirmation: str) -> None:
    """Raise if results of an open table would wait for confirmation.

    There the next game begins at once, with the dealer that follows from the last game, so that no result can wait.
    """
    if kind == Competition.Kind.OPEN and confirmation != Competition.Confirmation.ONE:
        raise refuse(
            "no_waiting_at_open_table",
            _("At an open table a game counts as soon as it is entered. Choose “%(one)s”.")
            % {"one": Competition.Confirmation.ONE.label},
            "/confirmation",
        )


def usual_audience(kind: Competition.Kind) -> Audience:
    """Return the default audience: the public for a league, the staff for a parlour, whose games are private."""
    return Audience.STAFF if kind == Competition.Kind.OPEN else Audience.PUBLIC


def refuse_strangers(by: Actor) -> None:
    """Raise PermissionRefusedError unless the actor has the right to add competitions, which is given in the admin."""
    if not by.is_system and not has_right(by.user, "league.add_competition"):
        raise forbid(_("You may not set up competitions. Ask an administrator for the permission to add competitions."))


def refuse_unknown_time_zone(name: str) -> None:
    """Raise unless the name is a time zone of the IANA database, such as Asia/Tokyo."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise refuse(
            "unknown_time_zone",
            _("There is no time zone “%(name)s”. Write it like Asia/Tokyo.") % {"name": name},
            "/time_zone",
        ) from error


@all_or_nothing
def set_status(*, competition: Competition, status: Competition.Status, by: Actor) -> Competition:
    """Publish a draft, close a season, reopen it, or return it to draft while it has no results."""
    require(by, competition, Capability.MANAGE)
    lock(competition)
    # Read again under the lock: another request may have changed the status since this object was loaded.
    competition.refresh_from_db(fields=["status"])
    before = competition.status
    if before == status:
        return competition
    if status == Competition.Status.DRAFT:
        refuse_hiding_results(competition)
    change = open_change(competition, by)
    competition.status = status
    competition.save(update_fields=["status"])
    change.record(
        f"competition.{status}",
        competition,
        before={"status": before},
        after={"status": status},
    )
    return competition


def refuse_hiding_results(competition: Competition) -> None:
    """Raise if the competition has results that count or wait: it cannot be a draft again.

    Readers were promised these results; hiding them would take the promise back.
    """
    if has_results(competition):
        raise conflict(
            "has_results",
            _(
                "“%(name)s” has results and cannot be a draft again. To take no more results, close it; to let fewer "
                "people read it, change “Readable by”; a wrong result is corrected or taken back."
            )
            % {"name": title_of(competition)},
        )


def has_results(competition: Competition) -> bool:
    """Return True if any result counts or waits for confirmation."""
    there = (ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED)
    return ResultSheet.objects.filter(hanchan__block__competition=competition, state__in=there).exists()


@all_or_nothing
def new_player(*, name: str, by: Actor, key: str = "", **personal: object) -> Player:
    """Add a player. Without a key a random one is generated, which does not reveal the name."""
    refuse_adding(by)
    if not name.strip():
        raise refuse("name_needed", _("Please enter the player's name."), "/name")
    refuse_too_long(Player, {**personal, "name": name, "key": key})
    player = Player.objects.create(name=name.strip(), key=key or made_up_key(), **personal)
    record_organization_change("player.added", player, by=by)
    return player


def made_up_key() -> str:
    """Return a random key that reveals nothing about its player."""
    return f"p-{get_random_string(8, 'abcdefghjkmnpqrstuvwxyz23456789')}"


@all_or_nothing
def enter_players(*, competition: Competition, players: Sequence[Player], by: Actor) -> list[Entrant]:
    """Make players entrants of the competition, in this order; existing entrants stay as they are.

    Raise ConflictError if one of them has been merged into another entry.
    """
    require(by, competition, Capability.MANAGE)
    lock_unmerged(players)
    lock(competition)
    wants_teams = is_of_teams(rules_at(competition))
    if wrong := [one for one in players if one.is_team != wants_teams]:
        message = _("%(name)s is a team, and this competition is one of players.")
        if not wrong[0].is_team:
            message = _("%(name)s is a person, and teams play in this competition. Add a member to a team instead.")
        raise refuse("wrong_kind_of_entrant", message % {"name": wrong[0]}, "/players")
    there = set(Entrant.objects.filter(competition=competition).values_list("player", flat=True))
    newcomers = [player for player in dict.fromkeys(players) if player.pk not in there]
    if newcomers:
        change = open_change(competition, by)
        first = after_last(Entrant.objects.filter(competition=competition), "number")
        Entrant.objects.bulk_create(
            Entrant(
                competition=competition,
                player=player,
                number=number,
                affiliation=player.affiliation,
                country=player.country,
            )
            for number, player in enumerate(newcomers, start=first)
        )
        change.record(
            "entrants.entered",
            competition,
            after={"players": [player.pk for player in newcomers]},
        )
    return list(Entrant.objects.filter(competition=competition, player__in=players).select_related("player"))


def lock_unmerged(players: Sequence[Player]) -> None:
    """Lock players against merging, as stored now; raise ConflictError if one has been merged into another entry.

    A merge locks its players before their competitions, so services that enter players lock them first, too.
    """
    # Without a join: PostgreSQL reads the locked row again after waiting, but not the rows joined to it.
    rows = Player.objects.select_for_update(no_key=True).filter(pk__in=[player.pk for player in players])
    for row in rows.order_by("pk"):
        if row.merged_into is not None:
            message = _("%(name)s has been merged with %(kept)s. Choose the entry kept.")
            raise conflict("player_gone", message % {"name": row, "kept": row.merged_into}, "/players")


@all_or_nothing
def seed_block(*, block: Block, entrants: Sequence[Entrant], by: Actor) -> None:
    """Put entrants into the block's slots, first to last; the remaining slots stay empty.

    Raise ConflictError once the block has a confirmed result: then the seats are history, and an override is
    needed.
    """
    competition = block.competition
    require(by, competition, Capability.MANAGE)
    lock(competition)
    # Checked under the lock, so that no result can be confirmed while the seeds change.
    refuse_late_seeds(block)
    slots = list(block.slots.order_by("number"))
    refuse_bad_seeds(block, slots, entrants)
    before = [slot.seeded_id for slot in slots]
    change = open_change(competition, by)
    block.slots.update(seeded=None)
    for slot, entrant in zip(slots, entrants, strict=False):
        slot.seeded = entrant
        slot.save(update_fields=["seeded"])
    change.record(
        "block.seeded", block, before={"entrants": before}, after={"entrants": [entrant.pk for entrant in entrants]}
    )


def refuse_late_seeds(block: Block) -> None:
    """Raise ConflictError if the block has a confirmed result."""
    if ResultSheet.objects.counting().filter(hanchan__block=block).exists():
        raise conflict(
            "block_has_results",
            _("%(block)s already has results. Enter an override with its reason instead.") % {"block": block},
        )


def refuse_bad_seeds(block: Block, slots: Sequence[Slot], entrants: Sequence[Entrant]) -> None:
    """Raise unless the seeds fit the block's slots, all its slots take seeds, and each entrant is seeded once."""
    if not all(slot.source.startswith("seed:") for slot in slots):
        raise refuse(
            "block_not_seeded",
            _("Who plays in %(block)s follows from earlier results. Enter an override with its reason instead.")
            % {"block": block},
            "/entrants",
        )
    if len(entrants) > len(slots):
        raise refuse(
            "too_many_entrants",
            _("%(block)s has %(slots)s places, not %(entrants)s.")
            % {"block": block, "slots": len(slots), "entrants": len(entrants)},
            "/entrants",
        )
    elsewhere = Slot.objects.filter(block__competition=block.competition_id, seeded__in=entrants).exclude(block=block)
    seeded = {slot.seeded_id for slot in elsewhere}
    for index, entrant in enumerate(entrants):
        if entrant.is_house:
            message = _("%(name)s is a house player, who fills tables and takes no place.")
            raise refuse("house_player", message % {"name": entrant}, f"/entrants/{index}")
        if entrant.pk in seeded or entrant.competition_id != block.competition_id:
            raise refuse(
                "seeded_twice",
                _("%(name)s is seeded twice, or plays elsewhere. Each entrant takes one place.") % {"name": entrant},
                f"/entrants/{index}",
            )
        seeded.add(entrant.pk)
