"""Setup of a hanchan before it begins: seats, and options of the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _

from league.models import Entrant, Hanchan, HanchanSeat
from league.selectors.live.kyoku import Document
from league.selectors.live.log import TableLog
from league.selectors.live.table_options import allowed_text, table_options
from league.selectors.rulebooks.rules_in_force import is_of_teams
from league.selectors.seasons.line_ups import standing_line_ups
from league.selectors.seasons.teams import day_of, members_on
from league.selectors.standings.blocks import entrants_who_may_sit
from league.wording.messages import wind_name
from league.wording.names import person_name, title_in
from league.wording.rulebooks.ruleset_values import VALUES
from scoring.ruleset import Option
from scoring.ruleset.options import Choice, Flag, Subset


def setup_document(log: TableLog, seats: Sequence[HanchanSeat]) -> Document:
    """Return the present seats and options, and the choices for both."""
    rules = log.rules
    return {
        "entrants": entrants_to_seat(log.hanchan, seats),
        "seats": [seat.entrant_id for seat in seats],
        "seats_known": len(seats) == rules.players,
        "winds": [wind_name(wind) for wind in rules.setup.seat_winds[: rules.players]],
        "members": members_to_choose(log.hanchan, seats),
        "options": [option_document(key, option, log.options) for key, option in table_options(rules).items()],
    }


def entrants_to_seat(hanchan: Hanchan, seats: Sequence[HanchanSeat]) -> list[Document]:
    """Return the entrants that can be seated: the planned ones, or those of the block if none are planned."""
    if seats:
        return [{"id": seat.entrant_id, "name": person_name(seat.player)} for seat in seats]
    rows = Entrant.objects.filter(pk__in=entrants_who_may_sit(hanchan.block)).select_related("player")
    return [{"id": row.pk, "name": person_name(row.player)} for row in rows.order_by("number")]


def members_to_choose(hanchan: Hanchan, seats: Sequence[HanchanSeat]) -> list[Document]:
    """Return the teams without a line-up, each with the members of the day; a secret line-up is not told."""
    if not is_of_teams(hanchan.rules):
        return []
    named, of_day = standing_line_ups([hanchan]), members_on(hanchan.block.competition, day_of(hanchan.table_session))
    return [
        {
            "id": seat.entrant_id,
            "name": person_name(seat.entrant.player),
            "people": [{"id": one.pk, "name": person_name(one)} for one in of_day.get(seat.entrant_id, ())],
        }
        for seat in seats
        if (hanchan.pk, seat.entrant_id) not in named and seat.player_id == seat.entrant.player_id
    ]


def option_document(key: str, option: Option, values: Mapping[str, object]) -> Document:
    """Return one option of the table with its value and allowed values."""
    value = values.get(key, option.default)
    return {
        "key": key,
        "title": title_in(option.title),
        "kind": option.type,
        "value": list(value) if isinstance(value, tuple) else value,
        "values": [*choices(option)],
        "allowed": allowed_text(option),
    }


def choices(option: Option) -> Iterator[Document]:
    """Yield the values of an option, if they can be listed."""
    match option:
        case Flag():
            yield {"value": True, "label": _("yes")}
            yield {"value": False, "label": _("no")}
        case Choice(values=values) | Subset(values=values):
            for value in values:
                yield {"value": value, "label": str(VALUES.get(str(value), value))}
