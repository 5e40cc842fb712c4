"""Edit descriptive data of a competition, a table or a player: names, addresses, times. No result depends on these.

Each edit is still a change of its competition, so that cached pages with the old text become stale.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext as _

from league.models import Audience, Competition, Entrant, Player, ResultSheet, Session, Sitting, TableSession
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor, Capability, require
from league.services.access.changes import lock, lock_house, lock_player, open_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.competitions.schedule import refuse_odd_stream, refuse_tables_of_closed
from league.services.competitions.setup import refuse_unknown_time_zone, refuse_waiting_at_open_table
from league.services.people.permissions import refuse_strangers
from league.services.people.pictures import record_edited_player
from league.wording.accents import NEEDED, PAPER, contrast, is_colour
from league.wording.marks import COLOURS, is_glyph

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True, kw_only=True, slots=True)
class CompetitionWords:
    """The settings of a competition that an organizer may change at any time."""

    name: str
    name_en: str = ""
    audience: Audience = Audience.PUBLIC
    confirmation: Competition.Confirmation = Competition.Confirmation.ONE
    time_zone: str = "Asia/Tokyo"
    day_starts_at: dt.time = dt.time(0, 0)
    shows_odds: bool = True
    advice: Competition.Advice = Competition.Advice.STAFF
    live_delay: int = 0
    mark_glyph: str = ""
    mark_colour: int | None = None
    accent: str = ""


LONGEST_DELAY = 24 * 60
"""The longest delay, in minutes, with which the public may follow a table live."""


@dataclass(frozen=True, kw_only=True, slots=True)
class EntrantWords:
    """An entrant's club and country in one competition."""

    affiliation: str = ""
    country: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class TableWords:
    """The fields of a scheduled table that an organizer may change."""

    table: str = ""
    starts_at: dt.datetime | None = None
    venue: str = ""
    stream_url: str = ""
    is_cancelled: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class PlayerWords:
    """The personal data of a player."""

    name: str
    name_kana: str = ""
    name_romaji: str = ""
    affiliation: str = ""
    country: str = ""
    number: str = ""
    handle: str = ""
    is_public: bool = False
    mark_glyph: str = ""
    mark_colour: int | None = None


@all_or_nothing
def edit_competition(*, competition: Competition, words: CompetitionWords, by: Actor) -> Competition:
    """Change a competition's name, audience, confirmation of results, time zone and display options.

    The rule books of a parlour share time zone and business day: changed for one of them, they change for all.
    """
    require(by, competition, Capability.MANAGE)
    refuse_without_name(words.name)
    refuse_unknown_time_zone(words.time_zone)
    refuse_waiting_at_open_table(competition.kind, words.confirmation)
    refuse_odd_delay(words.live_delay)
    refuse_odd_mark(words.mark_glyph, words.mark_colour)
    refuse_faint_accent(words.accent)
    day = {"time_zone": words.time_zone, "day_starts_at": words.day_starts_at}
    if competition.parlour_id is not None and any(getattr(competition, name) != day[name] for name in day):
        _, *others = lock_house(competition)
        _refuse_while_open(competition)
        for book in others:
            require(by, book, Capability.MANAGE)
            _edit(book, CompetitionWords(**{each.name: getattr(book, each.name) for each in fields(words)} | day), by)
    return _edit(competition, words, by)


def _refuse_while_open(book: Competition) -> None:
    """Raise ConflictError while guests play in the parlour: their games would move to another business day."""
    if Sitting.objects.filter(table_session__competition__parlour=book.parlour_id, closed_at=None).exists():
        message = _("Guests play now. Change the start of the business day while all tables are closed.")
        raise conflict("tables_open", message, "/day_starts_at")


def _edit(competition: Competition, words: CompetitionWords, by: Actor) -> Competition:
    if before := update_row(competition, words):
        change = open_change(competition, by)
        change.record("competition.edited", competition, before=before, after=new_values(competition, before))
    return competition


@all_or_nothing
def edit_session(*, session: Session, name: str, name_en: str, by: Actor) -> Session:
    """Rename a session."""
    require(by, session.competition, Capability.MANAGE)
    refuse_without_name(name)
    refuse_too_long(Session, {"name": name, "name_en": name_en})
    before = {"name": session.name, "name_en": session.name_en}
    after = {"name": name, "name_en": name_en}
    if before != after:
        session.name, session.name_en = name, name_en
        session.save(update_fields=["name", "name_en"])
        open_change(session.competition, by).record("session.edited", session, before=before, after=after)
    return session


@all_or_nothing
def edit_table_session(*, table_session: TableSession, words: TableWords, by: Actor) -> TableSession:
    """Change the place and time of a table, or cancel it; a table with results cannot be cancelled."""
    require(by, table_session.competition, Capability.MANAGE)
    lock(table_session.competition)
    table_session.refresh_from_db()
    if words.is_cancelled and ResultSheet.objects.counting().filter(hanchan__table_session=table_session).exists():
        raise conflict(
            "table_has_results",
            _("This table has results and cannot be cancelled. Take them back first, each with its reason."),
            "/is_cancelled",
        )
    if table_session.is_cancelled and not words.is_cancelled:
        refuse_tables_of_closed(table_session.block)
    refuse_odd_stream(words.stream_url)
    if before := update_row(table_session, words):
        change = open_change(table_session.competition, by)
        change.record(
            "table_session.edited",
            table_session,
            before=before,
            after=new_values(table_session, before),
            is_public=table_session.is_released,
        )
    return table_session


@all_or_nothing
def edit_player(*, player: Player, words: PlayerWords, by: Actor) -> Player:
    """Edit a player's personal data; every competition the player takes part in gets a change.

    The log names the changed fields but never a name, so that a player can be erased.
    """
    refuse_strangers(by)
    refuse_without_name(words.name)
    refuse_odd_mark(words.mark_glyph, words.mark_colour)
    lock_player(player)
    refuse_erased(player)
    if before := update_row(player, words):
        record_edited_player(player, sorted(before), by)
    return player


@all_or_nothing
def edit_entrant(*, entrant: Entrant, words: EntrantWords, by: Actor) -> Entrant:
    """Edit an entrant's club and country in this competition; the log names the changed fields, never the values."""
    require(by, entrant.competition, Capability.MANAGE)
    lock(entrant.competition)
    refuse_erased(entrant.player)
    if before := update_row(entrant, words):
        change = open_change(entrant.competition, by)
        change.record("entrant.edited", entrant, after={"fields": sorted(before)})
    return entrant


def refuse_erased(player: Player) -> None:
    """Raise ConflictError if the player's data has been erased: it cannot be entered again."""
    if Player.objects.filter(pk=player.pk).exclude(erased_at=None).exists():
        raise conflict("player_erased", _("This person's data was erased. Add a new player instead."))


def refuse_without_name(name: str) -> None:
    """Raise unless the name has a visible character."""
    if not name.strip():
        raise refuse("name_needed", _("Please enter a name."), "/name")


def refuse_odd_delay(minutes: int) -> None:
    """Raise unless the delay of live tables is between 0 minutes and one day."""
    if not 0 <= minutes <= LONGEST_DELAY:
        message = _("A delay is 0 to %(most)s minutes.") % {"most": LONGEST_DELAY}
        raise refuse("delay_out_of_range", message, "/live_delay")


def refuse_odd_mark(glyph: str, colour: int | None) -> None:
    """Raise unless the glyph is empty or one visible character, and the colour None or one of the twelve."""
    if glyph and not is_glyph(glyph):
        message = _("A tile shows one character; “%(glyph)s” is none or several. Leave it empty for the name's first.")
        raise refuse("glyph_not_one_character", message % {"glyph": glyph}, "/mark_glyph")
    if colour is not None and not 0 <= colour < COLOURS:
        message = _("There are the colours 0 to %(last)s, no %(colour)s. Choose one of them.")
        raise refuse("colour_unknown", message % {"last": COLOURS - 1, "colour": colour}, "/mark_colour")


def refuse_faint_accent(accent: str) -> None:
    """Raise unless the accent is empty or a colour #rrggbb with a contrast of 4.5 : 1 and more on paper."""
    if not accent:
        return
    if not is_colour(accent):
        message = _("“%(colour)s” is no colour. Write it as #rrggbb, such as #0d5241.") % {"colour": accent}
        raise refuse("accent_not_a_colour", message, "/accent")
    ratio = contrast(accent, PAPER)
    if ratio < NEEDED:
        # Cut off, not rounded: 4.49 must not be shown as 4.5.
        said = f"{int(ratio * 10) / 10:.1f}"
        message = _("%(colour)s has a contrast of %(ratio)s : 1 on paper and needs 4.5 : 1. Choose a darker colour.")
        raise refuse("accent_too_faint", message % {"colour": accent, "ratio": said}, "/accent")


def update_row(row: models.Model, words: DataclassInstance) -> dict[str, object]:
    """Write the values to the row; return the former values of the fields that changed."""
    refuse_too_long(type(row), words)
    before = {
        field.name: getattr(row, field.name)
        for field in fields(words)
        if getattr(row, field.name) != getattr(words, field.name)
    }
    for name, value in asdict(words).items():
        setattr(row, name, value)
    if before:
        row.save(update_fields=list(before))
    return {name: as_json(value) for name, value in before.items()}


def new_values(row: models.Model, before: dict[str, object]) -> dict[str, object]:
    """Return the new values of the fields in `before`."""
    return {name: as_json(getattr(row, name)) for name in before}


def as_json(value: object) -> object:
    """Return a value as the audit log stores it."""
    return value.isoformat() if isinstance(value, dt.datetime | dt.time) else value
