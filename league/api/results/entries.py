"""Serializers of submitted results, and their conversion to the entries that the services take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.fields import AcceptField, BoundedListField, IdField, OptionalTextField, StrictSerializer
from league.api.writing import Checked
from league.models import Entrant, Hanchan, Player
from league.platform.errors import Finding
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.services.results.blind_entry import ENDED_BY_TIME
from league.services.results.entry import SeatEntry, SheetEntry
from league.web.problems import ProblemError, error
from scoring.ruleset import OptionError, Ruleset
from scoring.ruleset.setup import KeptFrom

MOST = 10_000_000
MOST_SEATS = 8


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {"type": ["string", "integer", "boolean", "array"], "items": {"type": "integer"}},
    }
)
class OptionsField(serializers.DictField):
    """Maps the name of a house option of the table to its value."""

    def to_internal_value(self, data: dict[str, object]) -> dict[str, object]:
        """Check the types of the values; the service checks the names against the rule book."""
        values = super().to_internal_value(data)
        for key, value in values.items():
            is_list = isinstance(value, list) and all(isinstance(each, int) for each in value)
            if not is_list and not isinstance(value, str | int | bool):
                raise serializers.ValidationError({key: [_("A text, a number, true, false or a list of numbers.")]})
            if isinstance(value, str):
                serializers.CharField(max_length=64).run_validation(value)
        return values


class SeatEntryInput(StrictSerializer):
    """One seat; the list is in seat order from the first dealer."""

    entrant = IdField(help_text="The entrant's id.")
    player = IdField(required=False, help_text="The id of the player who sat, if not the entrant's own.")
    score = serializers.IntegerField(min_value=-MOST, max_value=MOST, help_text="Table points.")
    chonbo = serializers.IntegerField(min_value=0, max_value=99, default=0, help_text="The number of chonbo.")


class TobiInput(StrictSerializer):
    """A player who fell below zero, and the one who gets the prize for it, by seat."""

    busted = serializers.IntegerField(min_value=0, max_value=MOST_SEATS, help_text="The seat that went out.")
    receiver = serializers.IntegerField(min_value=0, max_value=MOST_SEATS, help_text="The seat that gets the prize.")


class ResultInput(StrictSerializer):
    """The result of a hanchan."""

    seats = BoundedListField(child=SeatEntryInput(), min_length=1, max_length=MOST_SEATS)
    kyoutaku = serializers.IntegerField(
        min_value=-MOST, max_value=MOST, default=0, help_text="Points of the deposits left on the table."
    )
    kept_from = serializers.ChoiceField(
        choices=[each.value for each in KeptFrom],
        default=KeptFrom.START.value,
        help_text="`zero` if scores are gains and losses: the starting score is added to each.",
    )
    are_seats_known = serializers.BooleanField(
        default=True, help_text="False if the seats were not noted; then the order of `seats` has no meaning."
    )
    options = OptionsField(required=False, help_text="The table's house options.")
    carried = serializers.DictField(
        child=BoundedListField(child=serializers.RegexField(r"^-?[0-9]{1,8}(\.[0-9]{1,4})?$"), max_length=MOST_SEATS),
        required=False,
        help_text="By ledger, the amount each seat brings from the table, such as chips.",
    )
    tobi = BoundedListField(child=TobiInput(), required=False, max_length=MOST_SEATS)
    state = serializers.ChoiceField(
        [Hanchan.State.FINISHED, Hanchan.State.ENDED_BY_TIME],
        default=Hanchan.State.FINISHED,
        help_text="How the game ended.",
    )
    reason = OptionalTextField(max_length=1000, help_text="Needed for a correction.")
    accept = AcceptField()


class ConfirmInput(StrictSerializer):
    """The confirmation of a submitted result."""

    accept = AcceptField()
    state = serializers.ChoiceField(
        [Hanchan.State.FINISHED, Hanchan.State.ENDED_BY_TIME],
        required=False,
        help_text="How the game ended; without it as the sheet says.",
    )


class RejectInput(StrictSerializer):
    """The rejection of a submitted result, with the reason shown to its author."""

    reason = serializers.CharField(max_length=1000, help_text="Shown with the result.")


class VoidInput(StrictSerializer):
    """The withdrawal of a result, with the reason that is published."""

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
"""JSON pointer and field, in a submission, of the cells that belong to no seat.

A forced top has no pointer, because it can be entered in the admin only.
"""


@dataclass(frozen=True, slots=True)
class CellPlace:
    """The location of a sheet's cell in a submission; `seat` is None for a cell of the whole table."""

    pointer: str
    field: str
    seat: int | None = None


def pointer_to(cell: str) -> CellPlace:
    """Return the location of a cell that `league.services.results.blind_entry` names."""
    if cell in WHOLE_CELLS:
        return CellPlace(*WHOLE_CELLS[cell])
    name, _underscore, number = cell.rpartition("_")
    kind, _underscore, ledger = name.partition("_")
    if kind == "carried":
        return CellPlace(f"/carried/{ledger}/{number}", name, int(number))
    if kind == "tobi":
        return CellPlace("/tobi", kind, int(number))
    field = "player" if kind == "substitute" else kind
    return CellPlace(f"/seats/{number}/{field}", field, int(number))


def in_seats(finding: Finding) -> Finding:
    """Return a finding about a sheet with its place in a submission, where scores and chonbo are within the seats."""
    match finding.pointer.split("/"):
        case ["", "scores" | "chonbo"]:
            return replace(finding, pointer="/seats")
        case ["", "scores", seat]:
            return replace(finding, pointer=f"/seats/{seat}/score")
        case ["", "chonbo", seat]:
            return replace(finding, pointer=f"/seats/{seat}/chonbo")
        case _:
            return finding


def entry_of(values: Checked, hanchan: Hanchan) -> SheetEntry:
    """Convert a validated submission to a `SheetEntry`. Raise ProblemError for unknown people and options."""
    options = values.get("options") or {}
    rules = rules_with(hanchan, options)
    return SheetEntry(
        seats=seats_of(values["seats"], hanchan, rules.setup.start if values["kept_from"] == KeptFrom.ZERO else 0),
        kyoutaku=values["kyoutaku"],
        are_seats_known=values["are_seats_known"],
        options=options,
        carried={
            key: tuple(to_ledger_scale(each, key, rules) for each in all_)
            for key, all_ in values.get("carried", {}).items()
        },
        tobi=tuple((pair["busted"], pair["receiver"]) for pair in values.get("tobi", ())),
    )


def rules_with(hanchan: Hanchan, options: Mapping[str, object]) -> Ruleset:
    """Return the hanchan's rules with the table's options. Raise ProblemError for an unknown option."""
    try:
        return ruleset_of(hanchan.rules, {**hanchan.options, **options})
    except OptionError as refused:
        raise ProblemError(
            "rule_violation", errors=[error("bad_option", str(refused), pointer="/options")]
        ) from refused


def seats_of(seats: Sequence[Checked], hanchan: Hanchan, base: int = 0) -> tuple[SeatEntry, ...]:
    """Return the seats, each with the named player or the entrant's own; `base` is added to each score.

    Raise ProblemError with every unknown entrant and player.
    """
    ids = [seat["entrant"] for seat in seats]
    named = Entrant.objects.filter(competition=hanchan.block.competition_id, pk__in=ids).order_by()
    entrants = dict(named.values_list("pk", "player"))
    others = Player.objects.filter(pk__in=[seat["player"] for seat in seats if "player" in seat]).order_by()
    players = set(others.values_list("pk", flat=True))
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
        SeatEntry(seat["entrant"], seat.get("player", entrants[seat["entrant"]]), base + seat["score"], seat["chonbo"])
        for seat in seats
    )


def to_ledger_scale(amount: str, key: str, rules: Ruleset) -> int:
    """Return an amount as an integer at its ledger's scale; 0 for an unknown ledger, which the rules refuse.

    Raise ProblemError if the amount is too fine for the ledger.
    """
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
