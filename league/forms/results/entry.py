"""Form of one hanchan's result sheet: one row for each seat, scores in the unit of the rules."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.forms import BoundField
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.competitions.entrants import EntrantField, is_crowd, labels_of
from league.forms.fields import AmountField, CountField, FieldOptions, ScoreField, count_in
from league.forms.service import ServiceForm
from league.models import Entrant, Hanchan, Player
from league.selectors.rulebooks.rules_in_force import is_of_teams
from league.selectors.seasons.line_ups import standing_line_ups
from league.selectors.seasons.teams import day_of, members_on
from league.services.results.entry import SeatEntry, SheetEntry
from league.wording.formatting import ScoreTextError, parse_score
from league.wording.messages import wind_name
from league.wording.names import person_name, title_in
from scoring.ruleset import Ruleset

SEAT_POINTERS = {"scores": "score", "chonbo": "chonbo"}
_KEY = re.compile(r".*\((?P<key>[-\w]+)\)\s*")


def player_label(player: Player) -> str:
    """Return a player's name with the key in brackets, which tells people with the same name apart."""
    return f"{player.name} ({player.key})"


class SubstituteField(forms.CharField):
    """A player by name, or by the key in brackets."""

    def __init__(self, **options: Unpack[FieldOptions]) -> None:
        super().__init__(max_length=200, **options)

    def clean(self, value: object) -> object:
        """Return the player, or None if there was no substitute."""
        text = super().clean(value)
        if not text:
            return None
        found = _KEY.fullmatch(text)
        wanted = Q(key=found["key"]) if found else Q(name=text) | Q(key=text)
        players = list(Player.objects.filter(wanted, erased_at=None, merged_into=None)[:2])
        if len(players) == 1:
            return players[0]
        message = (
            _("Several players are called “%(text)s”. Choose one from the list, with the key in brackets.")
            if players
            else _("There is no player “%(text)s”. Choose one from the list, or add the player first.")
        )
        raise ValidationError(message % {"text": text}, code="unknown_player")


class MemberField(forms.ChoiceField):
    """A member of one of the teams at the table, team by team; empty for the line-up."""

    def __init__(self, members: Mapping[Entrant, Sequence[Player]], *, label: str, help_text: str = "") -> None:
        groups = [(person_name(team.player), [(one.pk, person_name(one)) for one in members[team]]) for team in members]
        super().__init__(choices=[("", "—"), *groups], required=False, label=label, help_text=help_text)
        self.people = {str(one.pk): one for people in members.values() for one in people}

    def clean(self, value: object) -> Player | None:
        """Return the member, or None if none is chosen."""
        return self.people.get(super().clean(value))


@dataclass(frozen=True, slots=True)
class Company:
    """The entrants who can be chosen at a table: those of its block first, all of the competition by id."""

    of_block: tuple[Entrant, ...]
    all_entrants: Mapping[int, Entrant]

    def offered(self, planned: Sequence[Entrant]) -> list[Entrant]:
        """Return the entrants offered for a seat: those of the block, and those the schedule names."""
        return list(dict.fromkeys([*self.of_block, *planned]))


def crowd_of(companies: Iterable[Company]) -> list[str]:
    """Return the suggestions for the entrant fields of a page; empty if every block fits into a select."""
    large = (company.of_block for company in companies if is_crowd(company.of_block))
    return labels_of(list(dict.fromkeys(one for block in large for one in block)))


@dataclass(frozen=True, slots=True)
class SeatFields:
    """The bound fields of a seat, for the template."""

    index: int
    wind: str
    entrant: BoundField
    score: BoundField
    chonbo: BoundField | None
    tobi: BoundField | None
    carried: tuple[BoundField, ...]
    substitute: BoundField

    @property
    def errors(self) -> list[tuple[str, str]]:
        """The errors of the row in the order of its fields: the HTML id for aria-describedby, and the text."""
        fields = (self.entrant, self.score, *self.carried, self.tobi, self.chonbo, self.substitute)
        return [(f"{field.auto_id}_error", str(error)) for field in fields if field for error in field.errors]


class SheetForm(ServiceForm):
    """One hanchan's sheet. `corrects` is the revision it replaces, `asked` names the cells to type once more."""

    def __init__(
        self,
        data: object = None,
        *,
        hanchan: Hanchan,
        rules: Ruleset,
        company: Company,
        corrects: int | None = None,
        start: SheetEntry | None = None,
        are_seats_known: bool = False,
        asked: Collection[str] = (),
    ) -> None:
        planned = [seat.entrant for seat in hanchan.seats.all()]
        initial = initial_of(start, rules, company) if start else initial_of_seats(hanchan, known=are_seats_known)
        initial["ended_by_time"] = hanchan.state == Hanchan.State.ENDED_BY_TIME
        initial |= dict.fromkeys(asked, "")
        super().__init__(data, prefix=f"h{hanchan.pk}", initial={**initial, "corrects": corrects})
        self.hanchan, self.rules, self.company = hanchan, rules, company
        self.corrects, self.asked = corrects, tuple(asked)
        self.start = start or SheetEntry(seats=())
        self.fields.update(seat_fields(rules, company, planned))
        self.is_of_teams = is_of_teams(hanchan.rules)
        if self.is_of_teams:
            self.fields.update(member_fields(hanchan, rules, company.offered(planned)))
        self.fields.update(sheet_fields(rules))
        if corrects is not None:
            self.fields["reason"] = reason_field()
        self.describe()

    def describe(self) -> None:
        """Add the attributes by which scripts, styles and screen readers know each field."""
        for name, field in self.fields.items():
            of_seat = name[-1].isdigit()
            field.widget.attrs["data-role"] = name.rsplit("_", 1)[0] if of_seat else name
            if of_seat:
                # The column's head is no label of a field; a screen reader needs seat and column with each.
                field.widget.attrs["aria-label"] = str(field.label)
        for name in self.asked:
            self.fields[name].widget.attrs["data-asked"] = "1"

    @property
    def accepted(self) -> frozenset[str]:
        """Codes of the ticked warnings; empty if the input has changed since they were shown."""
        shown_for = self.data.get(self.add_prefix("accepted_for"), "")
        return super().accepted if self.is_valid() and shown_for == digest(self.entry()) else frozenset()

    def entry(self) -> SheetEntry:
        """Return the input as the service takes it."""
        typed = self.cleaned_data
        seats = tuple(self._seat(index) for index in self.seats)
        stick = self.rules.settlement.kyoutaku.unit if self.rules.settlement.kyoutaku else 0
        return SheetEntry(
            seats=seats,
            kyoutaku=typed.get("sticks", 0) * stick,
            are_seats_known=typed["are_seats_known"],
            options=self.start.options,
            tobi=self._tobi(),
            forced_top=seat_number(typed.get("forced_top", "")),
            carried={
                ledger.key: tuple(typed[f"carried_{ledger.key}_{index}"] for index in self.seats)
                for ledger in self.rules.entered_ledgers
            },
        )

    def _seat(self, index: int) -> SeatEntry:
        typed = self.cleaned_data
        entrant, substitute = typed[f"entrant_{index}"], typed[f"substitute_{index}"]
        return SeatEntry(
            entrant=entrant.pk,
            player=substitute.pk if substitute else entrant.player_id,
            score=typed[f"score_{index}"],
            chonbo=typed.get(f"chonbo_{index}", 0),
        )

    def _tobi(self) -> tuple[tuple[int, int], ...]:
        """Return the pairs (busted seat, seat of the player who busted it), in the order of the seats."""
        receivers = ((index, seat_number(self.cleaned_data.get(f"tobi_{index}", ""))) for index in self.seats)
        return tuple((index, receiver) for index, receiver in receivers if receiver is not None)

    @property
    def seats(self) -> range:
        """The numbers of the seats, first dealer first."""
        return range(self.rules.players)

    @property
    def end_state(self) -> Hanchan.State:
        """The state of the hanchan after this result: finished, or ended by time."""
        by_time = self.cleaned_data.get("ended_by_time")
        return Hanchan.State.ENDED_BY_TIME if by_time else Hanchan.State.FINISHED

    def scores_typed(self) -> list[int | None]:
        """Return the scores by seat, None where a score cannot be parsed yet."""
        texts = (self.data.get(self.add_prefix(f"score_{index}"), "") for index in self.seats)
        return [score_if_read(text, self.rules) for text in texts]

    def deposits_typed(self) -> int:
        """Return the points of the deposits left on the table, as far as they can be parsed yet."""
        kyoutaku = self.rules.settlement.kyoutaku
        return count_in(self.data.get(self.add_prefix("sticks"), "")) * kyoutaku.unit if kyoutaku else 0

    def field_at(self, pointer: str) -> str | None:
        """Return a pointer's field: `/scores/2` is the third seat's score, `/seats/0/entrant` the first's player."""
        match pointer.strip("/").split("/"):
            case ["seats", seat, "player"] if self.is_of_teams:
                name = f"substitute_{seat}"
            case ["seats", seat, "entrant" | "player"]:
                name = f"entrant_{seat}"
            case [("scores" | "chonbo") as kind, seat]:
                name = f"{SEAT_POINTERS[kind]}_{seat}"
            case ["carried", ledger, *seat]:
                name = f"carried_{ledger}_{seat[0] if seat else 0}"
            case ["tobi", number]:
                name = f"tobi_{self._tobi()[int(number)][0]}"
            case ["kyoutaku"]:
                name = "sticks"
            case [name, *_rest]:
                pass
            case _:
                return None
        return name if name in self.fields else None

    def rows(self) -> Iterator[SeatFields]:
        """Yield the rows of the seats, first dealer first."""
        winds = self.rules.setup.seat_winds
        for index in self.seats:
            yield SeatFields(
                index=index,
                wind=wind_name(winds[index]),
                entrant=self[f"entrant_{index}"],
                score=self[f"score_{index}"],
                chonbo=self[f"chonbo_{index}"] if f"chonbo_{index}" in self.fields else None,
                tobi=self[f"tobi_{index}"] if f"tobi_{index}" in self.fields else None,
                carried=tuple(self[f"carried_{ledger.key}_{index}"] for ledger in self.rules.entered_ledgers),
                substitute=self[f"substitute_{index}"],
            )

    @property
    def has_substitutes(self) -> bool:
        """Return True if the collapsed part of the form has input, errors or cells to type again."""
        asked = any(name.startswith("substitute_") or name == "ended_by_time" for name in self.asked)
        if self.is_of_teams:
            return asked
        return asked or any(row.substitute.value() or row.substitute.errors for row in self.rows())

    @property
    def entry_digest(self) -> str:
        """The digest of the input that the shown warnings are about."""
        return digest(self.entry()) if self.is_bound and self.is_valid() else ""

    def first_to_mend(self) -> str:
        """Return the name of the field to focus: the first with an error, else the first empty player or score."""
        wrong = [name for name in self.fields if name in self.errors] if self.is_bound else []
        empty = [name for name in self.fields if name.startswith("entrant_") and not self[name].value()]
        empty = [name for name in self.fields if name in self.asked] or empty
        return (wrong or ([] if self.is_bound else empty) or ["score_0"])[0]


def digest(entry: SheetEntry) -> str:
    """Return a short digest of the input, to which the acceptance of a warning is bound."""
    return hashlib.sha256(repr(entry).encode()).hexdigest()[:16]


TYPED = {"autocomplete": "off", "inputmode": "numeric", "size": "6"}


def seat_fields(rules: Ruleset, company: Company, planned: Sequence[Entrant]) -> dict[str, forms.Field]:
    """Return the fields of all seats: player, score, further ones the rules need, substitute."""
    fields: dict[str, forms.Field] = {}
    offered = company.offered(planned)
    for index in range(rules.players):
        wind = wind_name(rules.setup.seat_winds[index])
        fields[f"entrant_{index}"] = EntrantField(
            offered=offered,
            all_entrants=company.all_entrants,
            lists=False,
            label=_("%(wind)s: player") % {"wind": wind},
            error_messages={"required": _("Choose the player of this seat.")},
        )
        fields[f"score_{index}"] = ScoreField(
            rules=rules,
            base=rules.typed_from,
            label=_("%(wind)s: score") % {"wind": wind},
            widget=forms.TextInput(attrs=TYPED),
            error_messages={"required": _("Enter this player's score.")},
        )
        fields |= extra_fields(rules, index, wind)
        fields[f"substitute_{index}"] = SubstituteField(
            required=False,
            label=_("%(wind)s: substitute") % {"wind": wind},
            widget=forms.TextInput(attrs={"list": "substitutes", "autocomplete": "off"}),
        )
    return fields


def member_fields(hanchan: Hanchan, rules: Ruleset, offered: Sequence[Entrant]) -> dict[str, forms.Field]:
    """Return the fields of the members who sit for the teams, in place of the substitutes."""
    of_day = members_on(hanchan.block.competition, day_of(hanchan.table_session))
    members = {team: of_day[team.pk] for team in offered if team.pk in of_day}
    return {
        f"substitute_{index}": MemberField(
            members, label=_("%(wind)s: member") % {"wind": wind_name(rules.setup.seat_winds[index])}
        )
        for index in range(rules.players)
    }


def extra_fields(rules: Ruleset, index: int, wind: str) -> dict[str, forms.Field]:
    """Return the fields of a seat that only some books need: amounts of other ledgers, tobi, chonbo."""
    fields: dict[str, forms.Field] = {}
    for ledger in rules.entered_ledgers:
        fields[f"carried_{ledger.key}_{index}"] = AmountField(
            ledger=ledger,
            required=False,
            label=f"{wind}: {title_in(ledger.title)}",
            widget=forms.TextInput(attrs=TYPED),
        )
    if rules.settlement.tobi is not None:
        fields[f"tobi_{index}"] = forms.ChoiceField(
            choices=[choice for choice in wind_choices(rules) if choice[0] != str(index)],
            required=False,
            label=_("%(wind)s: taken out by") % {"wind": wind},
        )
    if rules.settlement.chonbo is not None:
        fields[f"chonbo_{index}"] = CountField(
            label=_("%(wind)s: chonbo") % {"wind": wind}, widget=forms.TextInput(attrs={**TYPED, "size": "2"})
        )
    return fields


def sheet_fields(rules: Ruleset) -> dict[str, forms.Field]:
    """Return the fields of the whole table."""
    fields: dict[str, forms.Field] = {}
    if rules.settlement.kyoutaku is not None:
        fields["sticks"] = CountField(
            label=_("Deposits left on the table (sticks of %(unit)s)")
            % {"unit": f"{rules.settlement.kyoutaku.unit:,}"},
            widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "numeric", "size": "2"}),
        )
    payment = rules.settlement.top_payment
    if payment is not None and payment.forced_top:
        fields["forced_top"] = forms.ChoiceField(
            choices=wind_choices(rules), required=False, label=_("Ended at once by a yakuman of")
        )
    fields["are_seats_known"] = forms.BooleanField(
        required=False, label=gettext_lazy("The seats are right (the first row was the first dealer)")
    )
    fields["ended_by_time"] = forms.BooleanField(required=False, label=gettext_lazy("Ended by time"))
    return fields


def wind_choices(rules: Ruleset) -> list[tuple[str, str]]:
    """Return the seats as choices, named by their winds."""
    winds = rules.setup.seat_winds[: rules.players]
    return [("", "—"), *((str(seat), wind_name(wind)) for seat, wind in enumerate(winds))]


def seat_number(text: str) -> int | None:
    """Return the chosen seat, or None."""
    return int(text) if text else None


def reason_field() -> forms.Field:
    """Return the field for the reason of a correction."""
    return forms.CharField(
        label=_("Reason for the correction"),
        help_text=_("It is published with the correction."),
        error_messages={"required": _("Please give a reason: it is published with the correction.")},
    )


def initial_of_seats(hanchan: Hanchan, *, known: bool) -> dict[str, object]:
    """Return the initial values of an empty sheet with the players of the schedule."""
    initial: dict[str, object] = {"are_seats_known": known}
    line_ups = standing_line_ups([hanchan]) if is_of_teams(hanchan.rules) else {}
    for seat in hanchan.seats.all():
        initial[f"entrant_{seat.seat}"] = seat.entrant_id
        if line_ups:
            named = line_ups.get((hanchan.pk, seat.entrant_id))
            initial[f"substitute_{seat.seat}"] = named.player_id if named else ""
        elif seat.player_id != seat.entrant.player_id:
            initial[f"substitute_{seat.seat}"] = player_label(seat.player)
    return initial


def initial_of(entry: SheetEntry, rules: Ruleset, company: Company) -> dict[str, object]:
    """Return the initial values of a sheet to correct."""
    stick = rules.settlement.kyoutaku.unit if rules.settlement.kyoutaku else 1
    initial: dict[str, object] = {"are_seats_known": entry.are_seats_known, "sticks": entry.kyoutaku // stick or ""}
    substitutes = Player.objects.in_bulk(
        [seat.player for seat in entry.seats if company.all_entrants[seat.entrant].player_id != seat.player]
    )
    for index, seat in enumerate(entry.seats):
        initial[f"entrant_{index}"] = seat.entrant
        initial[f"score_{index}"] = typed_score(seat.score, rules)
        initial[f"chonbo_{index}"] = seat.chonbo or ""
        if seat.player in substitutes:
            is_of_team = company.all_entrants[seat.entrant].player.is_team
            initial[f"substitute_{index}"] = seat.player if is_of_team else player_label(substitutes[seat.player])
    initial |= {f"tobi_{busted}": str(receiver) for busted, receiver in entry.tobi}
    initial["forced_top"] = "" if entry.forced_top is None else str(entry.forced_top)
    for key, amounts in entry.carried.items():
        for index, amount in enumerate(amounts):
            initial[f"carried_{key}_{index}"] = rules.ledger(key).text(amount)
    return initial


def read_score(text: str, rules: Ruleset) -> int:
    """Return the score that was typed, with the start added where scores are kept from 0; raise ScoreTextError."""
    return parse_score(text, unit=rules.entry.unit) + rules.typed_from


def score_if_read(text: str, rules: Ruleset) -> int | None:
    """Return the score that was typed; None if it cannot be parsed yet."""
    try:
        return read_score(text, rules)
    except ScoreTextError:
        return None


def typed_score(score: int, rules: Ruleset) -> str:
    """Return a score in its short typed form if that parses to the same score: 41,200 is 412."""
    typed = score - rules.typed_from
    short = str(typed // rules.entry.unit)
    return short if read_score(short, rules) == score else f"{typed:,}"
