"""Results as clients hand them in."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.fields import IdField, StrictSerializer
from league.models import Entrant, Hanchan, Player
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.services.results.blind_entry import ENDED_BY_TIME
from league.services.results.entry import SeatEntry, SheetEntry
from league.web.problems import ProblemError, error
from scoring.ruleset import OptionError, Ruleset

MOST = 10_000_000
MOST_SEATS = 8


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {"type": ["string", "integer", "boolean", "array"], "items": {"type": "integer"}},
    }
)
class OptionsField(serializers.DictField):
    """Values of a table's house options by their names."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """The values; which of them the book knows is the service's question."""
        values = super().to_internal_value(data)
        for key, value in values.items():
            is_list = isinstance(value, list) and all(isinstance(each, int) for each in value)
            if not is_list and not isinstance(value, str | int | bool):
                raise serializers.ValidationError({key: [_("A text, a number, true, false or a list of numbers.")]})
            if isinstance(value, str):
                serializers.CharField(max_length=64).run_validation(value)
        return values


class AcceptField(serializers.ListField):
    """Codes of warnings that were looked at and are right."""

    def __init__(self) -> None:
        child = serializers.CharField(max_length=64)
        super().__init__(child=child, required=False, max_length=50, help_text=inspect.getdoc(type(self)))


class SeatEntryInput(StrictSerializer):
    """One seat, in order from the first dealer."""

    entrant = IdField(help_text="The entrant's id.")
    player = IdField(required=False, help_text="Who sat, if not the entrant's own player.")
    score = serializers.IntegerField(min_value=-MOST, max_value=MOST, help_text="Table points.")
    chonbo = serializers.IntegerField(min_value=0, max_value=99, default=0, help_text="The number of chonbo.")


class TobiInput(StrictSerializer):
    """A player who went out, and who gets the prize for it, by seat."""

    busted = serializers.IntegerField(min_value=0, max_value=MOST_SEATS, help_text="The seat that went out.")
    receiver = serializers.IntegerField(min_value=0, max_value=MOST_SEATS, help_text="The seat that gets the prize.")


class ResultInput(StrictSerializer):
    """A hanchan's result."""

    seats = serializers.ListField(child=SeatEntryInput(), min_length=1, max_length=MOST_SEATS)
    kyoutaku = serializers.IntegerField(
        min_value=-MOST, max_value=MOST, default=0, help_text="Points of the deposits left on the table."
    )
    are_seats_known = serializers.BooleanField(
        default=True, help_text="False where nobody noted who sat where; the order of seats then means nothing."
    )
    options = OptionsField(required=False, help_text="The table's house options.")
    carried = serializers.DictField(
        child=serializers.ListField(
            child=serializers.RegexField(r"^-?[0-9]{1,8}(\.[0-9]{1,4})?$"), max_length=MOST_SEATS
        ),
        required=False,
        help_text="By ledger, the amount each seat brings from the table, such as chips.",
    )
    tobi = serializers.ListField(child=TobiInput(), required=False, max_length=MOST_SEATS)
    state = serializers.ChoiceField(
        [Hanchan.State.FINISHED, Hanchan.State.ENDED_BY_TIME],
        default=Hanchan.State.FINISHED,
        help_text="How the game ended.",
    )
    reason = serializers.CharField(
        required=False, allow_blank=True, default="", max_length=1000, help_text="Needed for a correction."
    )
    accept = AcceptField()


class ConfirmInput(StrictSerializer):
    """A confirmation."""

    accept = AcceptField()
    state = serializers.ChoiceField(
        [Hanchan.State.FINISHED, Hanchan.State.ENDED_BY_TIME],
        required=False,
        help_text="How the game ended; without it as the sheet says.",
    )


class RejectInput(StrictSerializer):
    """A rejection, with the reason its author will read."""

    reason = serializers.CharField(max_length=1000, help_text="Shown with the result.")


class VoidInput(StrictSerializer):
    """Taking a result back, with the reason that is published."""

    reason = serializers.CharField(max_length=1000, help_text="Shown with the result.")
    accept = AcceptField()
    state = serializers.ChoiceField(
        [Hanchan.State.SCHEDULED, Hanchan.State.ABANDONED],
        default=Hanchan.State.SCHEDULED,
        help_text="Whether it will be played again.",
    )


WHOLE_CELLS: Mapping[str, tuple[str, str]] = {
    "sticks": ("/kyoutaku", "kyoutaku"),
    "are_seats_known": ("/are_seats_known", "are_seats_known"),
    "forced_top": ("", "forced_top"),
    ENDED_BY_TIME: ("/state", "state"),
}
"""Where a submission has the cells that belong to no seat; a forced top is entered at the desk alone."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a submission has a cell of the sheet; `seat` is None for what belongs to the table."""

    pointer: str
    field: str
    seat: int | None = None


def pointer_to(cell: str) -> Place:
    """The place of a cell that `league.services.results.blind_entry` names."""
    if cell in WHOLE_CELLS:
        return Place(*WHOLE_CELLS[cell])
    name, _underscore, number = cell.rpartition("_")
    kind, _underscore, ledger = name.partition("_")
    if kind == "carried":
        return Place(f"/carried/{ledger}/{number}", name, int(number))
    if kind == "tobi":
        return Place("/tobi", kind, int(number))
    field = "player" if kind == "substitute" else kind
    return Place(f"/seats/{number}/{field}", field, int(number))


def entry_of(values: Mapping[str, Any], hanchan: Hanchan) -> SheetEntry:
    """The entry as services take it. Raise ProblemError for people and options nobody knows."""
    options = values.get("options") or {}
    rules = rules_with(hanchan, options)
    return SheetEntry(
        seats=seats_of(values["seats"], hanchan),
        kyoutaku=values["kyoutaku"],
        are_seats_known=values["are_seats_known"],
        options=options,
        carried={
            key: tuple(stored(each, key, rules) for each in all_) for key, all_ in values.get("carried", {}).items()
        },
        tobi=tuple((pair["busted"], pair["receiver"]) for pair in values.get("tobi", ())),
    )


def rules_with(hanchan: Hanchan, options: Mapping[str, Any]) -> Ruleset:
    """The hanchan's rules with the table's options. Raise ProblemError if the book has no such option."""
    try:
        return ruleset_of(hanchan.rules, {**hanchan.options, **options})
    except OptionError as refused:
        raise ProblemError(
            "rule_violation", errors=[error("bad_option", str(refused), pointer="/options")]
        ) from refused


def seats_of(seats: list[Mapping[str, Any]], hanchan: Hanchan) -> tuple[SeatEntry, ...]:
    """The seats, each with its player: the one named, or the entrant's own."""
    ids = [seat["entrant"] for seat in seats]
    named = Entrant.objects.filter(competition=hanchan.block.competition_id, pk__in=ids).order_by()
    entrants = dict(named.values_list("pk", "player"))
    players = set(
        Player.objects.filter(pk__in=[seat["player"] for seat in seats if "player" in seat]).values_list(
            "pk", flat=True
        )
    )
    errors = []
    for index, seat in enumerate(seats):
        if seat["entrant"] not in entrants:
            detail = _("There is no such entrant in this competition.")
            errors.append(error("unknown_entrant", detail, pointer=f"/seats/{index}/entrant"))
        if "player" in seat and seat["player"] not in players:
            errors.append(error("unknown_player", _("There is no such player."), pointer=f"/seats/{index}/player"))
    if errors:
        raise ProblemError("rule_violation", errors=errors)
    return tuple(
        SeatEntry(seat["entrant"], seat.get("player", entrants[seat["entrant"]]), seat["score"], seat["chonbo"])
        for seat in seats
    )


def stored(amount: str, key: str, rules: Ruleset) -> int:
    """An amount at its ledger's scale; of an unknown ledger as it is, for the rules to refuse."""
    ledger = next((each for each in rules.ledgers if each.key == key), None)
    if ledger is None:
        return 0
    try:
        return ledger.stored(Fraction(amount))
    except ValueError as error_:
        detail = _("%(amount)s is too fine for %(ledger)s.") % {"amount": amount, "ledger": key}
        raise ProblemError(
            "rule_violation", errors=[error("amount_too_fine", detail, pointer=f"/carried/{key}")]
        ) from error_
