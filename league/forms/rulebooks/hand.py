"""Form of a winning hand and its circumstances as query parameters, so that the address can be shared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.forms.fields import plain
from league.forms.rulebooks.options import option_field, written
from league.selectors.live.table_options import allowed_text, usual
from league.selectors.rulebooks.hand_circumstances import CircumstanceFlag, Known
from league.selectors.rulebooks.hands import options_of_hands
from league.wording.live.hands import RIICHI, ROBBED, problem_text, round_name, unreadable_text
from league.wording.live.tiles import tile_name
from league.wording.live.yaku import yaku_name
from league.wording.messages import wind_name
from league.wording.names import title_in
from league.wording.rulebooks.ruleset_settings import setting_text
from scoring.hand import (
    By,
    Hand,
    HandProblem,
    Liability,
    NotationError,
    RiichiKind,
    Robbed,
    Situation,
    Tile,
    parse_tiles,
    tiles_text,
)
from scoring.hand.tiles import KIND, KINDS
from scoring.ruleset import Option, Ruleset, Wind
from scoring.ruleset.end import RoundName
from scoring.ruleset.options import Choice, Subset
from scoring.ruleset.options import Flag as YesNo
from scoring.ruleset.yaku import YakuName

LONGEST_LINE = 240
LONGEST_NUMBER = 7
OPEN_KAN = "open_kan"
NOTHING_YET = "no_tiles"
"""The engine's error code for a line without tiles or with melds only: a hand just begun."""
OPTION = "option_"
TILES = {"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
FLAGS: Mapping[CircumstanceFlag, str | Promise] = {
    CircumstanceFlag.IPPATSU: pgettext_lazy("circumstance", "ippatsu"),
    CircumstanceFlag.HAITEI: pgettext_lazy("circumstance", "last tile of the wall (haitei)"),
    CircumstanceFlag.HOUTEI: pgettext_lazy("circumstance", "last discard (houtei)"),
    CircumstanceFlag.RINSHAN: pgettext_lazy("circumstance", "on a replacement tile (rinshan)"),
    CircumstanceFlag.FIRST_TURN: pgettext_lazy("circumstance", "first turn (tenhou, chiihou, renhou)"),
    CircumstanceFlag.FORCED: pgettext_lazy("circumstance", "no other discard was left against the open riichi"),
    CircumstanceFlag.LAST_HAND: pgettext_lazy("circumstance", "last hand of the last round"),
    CircumstanceFlag.UNSHOWN: pgettext_lazy("circumstance", "drawn tile mixed with the hand before it was shown"),
}
BY: Mapping[By, str | Promise] = {
    By.RON: pgettext_lazy("win", "ron"),
    By.TSUMO: pgettext_lazy("win", "tsumo (self-draw)"),
}
_FIELD_OF = {"seat_wind": "seat", "dora_indicators": "dora", "ura_indicators": "ura", "pocchi_as": "pocchi"}
"""Field names of those parts of the situation that the form names otherwise."""


def line_text(text: str) -> str:
    """Return a typed hand in the engine's notation: full-width letters, capitals and brackets are normalized."""
    return " ".join("".join(map(_letter, text)).split())


def _letter(letter: str) -> str:
    return {"＋": "+", "：": ":", "　": " ", "・": " "}.get(letter) or (plain(letter) or " ").lower()


class Options(forms.Form):
    """The house options that can change a hand's value; missing ones take the book's defaults."""

    def __init__(self, rules: Ruleset, asked: QueryDict) -> None:
        self.rules = rules
        self.options = options_of_hands(rules)
        given = asked.copy()
        for key, option in self.options.items():
            if f"{OPTION}{key}" not in given:
                found = _as_text(written(option, option.default))
                given.setlist(f"{OPTION}{key}", found)
        super().__init__(given)
        self.given = given
        for key, option in self.options.items():
            self.fields[f"{OPTION}{key}"] = _option_field(option)

    @property
    def chosen(self) -> dict[str, object]:
        """The values that differ from the book's own; empty while the form has errors."""
        if not self.is_valid():
            return {}
        values = {key: self.cleaned_data[f"{OPTION}{key}"] for key in self.options}
        return {key: value for key, value in values.items() if value != usual(self.options[key])}

    def ruled(self) -> Ruleset:
        """Return the ruleset under these options; the ruleset unchanged while the form has errors."""
        try:
            return self.rules.with_options(self.chosen)
        except ValueError as error:
            self.add_error(None, ValidationError(_("These options do not go together: %(why)s.") % {"why": error}))
            return self.rules

    def query(self) -> Iterator[tuple[str, str]]:
        """Yield the query parameters of the values that differ from the defaults."""
        for key in self.chosen:
            texts = self.given.getlist(f"{OPTION}{key}")
            yield from ((f"{OPTION}{key}", text) for text in texts if text or len(texts) == 1)


def query_under(rules: Ruleset, revision: int | None, options: Mapping[str, object]) -> str:
    """Return the calculator's query string for a revision of a ruleset, or the newest, under these options."""
    asked = options_of_hands(rules)
    chosen = [
        (f"{OPTION}{key}", text)
        for key, value in options.items()
        if key in asked
        for text in _as_text(written(asked[key], value))
    ]
    return urlencode([*([("revision", revision)] if revision is not None else ()), *chosen])


def _option_field(option: Option) -> forms.Field:
    """Return the field of an option, with its values in words."""
    if isinstance(option, YesNo):
        field: forms.Field = forms.TypedChoiceField(
            choices=[("true", _("yes")), ("false", _("no"))], coerce=lambda text: text == "true"
        )
    else:
        field = option_field(option)
    if isinstance(option, Subset):
        field = _Several(
            required=False,
            choices=[(name, setting_text("", name)) for name in option.values],
            widget=forms.CheckboxSelectMultiple,
        )
    elif not isinstance(option, YesNo | Choice):
        field.help_text = allowed_text(option)
    field.label = title_in(option.title)
    return field


class _Several(forms.MultipleChoiceField):
    """Checkboxes with an empty value beside them, which tells "none ticked" from "not asked"."""

    def clean(self, value: Sequence[str]) -> object:
        """Return the chosen values."""
        return super().clean([each for each in value if each])


def _as_text(value: object) -> list[str]:
    if isinstance(value, bool):
        return ["true" if value else "false"]
    return [str(each) for each in value] or [""] if isinstance(value, list) else [str(value)]


@dataclass(frozen=True, slots=True)
class HandQuery:
    """A hand with its circumstances."""

    hand: Hand
    situation: Situation


class HandForm(forms.Form):
    """A hand in one line, and the circumstances that the ruleset knows."""

    hand = forms.CharField(label=gettext_lazy("Hand"), required=False, max_length=LONGEST_LINE)
    win = forms.CharField(
        label=gettext_lazy("Winning tile, if not the last"),
        required=False,
        max_length=8,
        widget=forms.TextInput(attrs=TILES),
    )
    by = forms.ChoiceField(label=gettext_lazy("Won by"), required=False, choices=list(BY.items()))
    dora = forms.CharField(
        label=gettext_lazy("Dora indicators"), required=False, max_length=40, widget=forms.TextInput(attrs=TILES)
    )

    def __init__(self, known: Known, asked: QueryDict | Mapping[str, object]) -> None:
        given = QueryDict(mutable=True)
        given["seat"] = known.seats[1].value
        for name, text in asked.items():
            given[name] = str(text)
        super().__init__(given)
        self.known = known
        self.fields["seat"] = _choice(_("Seat wind"), [(wind.value, _seat_name(wind)) for wind in known.seats])
        self.fields["round"] = _choice(_("Round"), [(name.value, round_name(name)) for name in known.rounds])
        self._declared()
        self._counted()
        self._paid()
        self.asked: HandQuery | None = None

    def _declared(self) -> None:
        """Add the fields for riichi, robbing, and circumstances with yes or no."""
        known = self.known
        self.fields["riichi"] = _choice(_("Riichi"), [(kind.value, RIICHI[kind]) for kind in known.riichi])
        if len(known.robbed) > 1:
            self.fields["robbed"] = _choice(_("Robbed tile"), [(kind.value, ROBBED[kind]) for kind in known.robbed])
        for flag in known.flags:
            self.fields[flag.value] = forms.BooleanField(label=str(FLAGS[flag]), required=False)

    def _counted(self) -> None:
        """Add the fields for ura indicators, honba, deposits, and the tile a pocchi stands for."""
        known = self.known
        if known.has_ura:
            self.fields["ura"] = forms.CharField(
                label=_("Ura indicators"), required=False, max_length=40, widget=forms.TextInput(attrs=TILES)
            )
        if known.has_honba:
            self.fields["honba"] = _number(_("Honba"))
        if known.has_deposits:
            self.fields["deposits"] = _number(_("Deposits on the table, in points"))
        if known.has_pocchi:
            kinds = [tile for tile in known.wall if tile < KINDS]
            kinds += sorted({KIND[tile] for tile in known.wall if tile >= KINDS and KIND[tile] >= 0} - {*kinds})
            choices = [("", _("the dearest")), *((tiles_text((kind,)), tile_name(kind)) for kind in sorted(kinds))]
            self.fields["pocchi"] = _choice(_("The pocchi stands for"), choices)

    def _paid(self) -> None:
        """Add the fields for the discarder and for liability (pao)."""
        known = self.known
        seats = [("", "–"), *((wind.value, _seat_name(wind)) for wind in known.seats)]
        self.fields["discarder"] = _choice(_("Dealt in"), seats)
        if known.liable or known.liable_kan:
            self.fields["liable"] = _choice(_("Liable (pao)"), seats)
            names = [(name.value, yaku_name(name)) for name in known.liable]
            kan = [(OPEN_KAN, _("an open kan"))] if known.liable_kan else []
            self.fields["liable_for"] = _choice(_("Liable for"), [*names, *kan])

    @property
    def line(self) -> str:
        """The hand as typed, in the engine's notation."""
        return line_text(str(self.data.get("hand", "")))

    def tiles_typed(self, name: str) -> str:
        """Return the tiles typed in a field, in the engine's notation."""
        return line_text(str(self.data.get(name, ""))).replace(" ", "")

    def clean(self) -> dict[str, object]:
        """Set `asked` to the hand and its situation if both can be parsed."""
        values = super().clean() or {}
        hand, dora, ura = self._hand(), self._tiles("dora"), self._tiles("ura")
        if hand is not None and not self.errors:
            self.asked = HandQuery(hand, self._situation(dora, ura))
        return values

    def _hand(self) -> Hand | None:
        if not self.line:
            return None
        try:
            return Hand.read(self.line, line_text(self.cleaned_data.get("win", "")))
        except NotationError as error:
            # While tiles are tapped together the line is incomplete at first, which is no error.
            if error.code != NOTHING_YET:
                self.refuse("hand", unreadable_text(error), error.code)
            return None

    def _tiles(self, name: str) -> tuple[Tile, ...]:
        try:
            return parse_tiles(self.tiles_typed(name))
        except NotationError as error:
            self.refuse(name, unreadable_text(error), error.code)
            return ()

    def _situation(self, dora: tuple[Tile, ...], ura: tuple[Tile, ...]) -> Situation:
        values = self.cleaned_data
        flags = {flag.value: bool(values.get(flag.value)) for flag in CircumstanceFlag}
        return Situation(
            by=By(values.get("by") or By.RON),
            seat_wind=Wind(values.get("seat") or self.usual_seat),
            round=RoundName(values.get("round") or self.known.rounds[0]),
            riichi=RiichiKind(values.get("riichi") or RiichiKind.NONE),
            robbed=Robbed(values.get("robbed") or Robbed.NOTHING),
            dora_indicators=dora,
            ura_indicators=ura,
            honba=values.get("honba") or 0,
            deposits=values.get("deposits") or 0,
            pocchi_as=parse_tiles(values["pocchi"])[0] if values.get("pocchi") else None,
            discarder=Wind(values["discarder"]) if values.get("discarder") else None,
            liable=tuple(self._liable()),
            **flags,
        )

    def _liable(self) -> Iterator[Liability]:
        values = self.cleaned_data
        if values.get("liable"):
            what = values.get("liable_for") or OPEN_KAN
            yield Liability(Wind(values["liable"]), None if what == OPEN_KAN else YakuName(what))

    @property
    def usual_seat(self) -> Wind:
        """The default seat: the first that is not the dealer's."""
        return self.known.seats[1]

    def refuse(self, name: str, message: str, code: str) -> None:
        """Add an error to a field, or to the hand if the form lacks the field."""
        self.add_error(name if name in self.fields else "hand", ValidationError(message, code=code))

    def take(self, problems: Iterable[HandProblem]) -> None:
        """Add the engine's problems to the fields they point to."""
        for problem in problems:
            first, _slash, rest = problem.pointer.partition("/")
            name = rest.split("/")[0] if first == "situation" else "hand"
            self.refuse(_FIELD_OF.get(name, name), problem_text(problem), problem.code)

    def chosen(self, **changed: str) -> Iterator[tuple[str, str]]:
        """Yield the query parameters that differ from their defaults."""
        usual = {"by": By.RON.value, "seat": self.usual_seat.value, "round": self.known.rounds[0].value}
        usual |= {"riichi": RiichiKind.NONE.value, "robbed": Robbed.NOTHING.value, "honba": "0", "deposits": "0"}
        for name in self.fields:
            text = changed.get(name, str(self.data.get(name, ""))).strip()
            if text and text != usual.get(name) and (name != "liable_for" or self.data.get("liable")):
                yield name, text


def _seat_name(wind: Wind) -> str:
    return _("%(wind)s (dealer)") % {"wind": wind_name(wind)} if wind is Wind.EAST else wind_name(wind)


def _choice(label: str, choices: Iterable[tuple[str, str | Promise]]) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, required=False, choices=list(choices))


class _Number(forms.CharField):
    """A number of 0 or more; full-width digits and thousands separators are accepted."""

    def clean(self, value: object) -> object:
        """Return the number; 0 if left empty."""
        text = plain(super().clean(value)).replace(",", "")
        if not text:
            return 0
        if not (text.isascii() and text.isdigit()):
            raise ValidationError(_("“%(text)s” is not a number. Enter 0 or more.") % {"text": value}, code="number")
        return int(text)


def _number(label: str) -> forms.Field:
    widget = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "placeholder": "0"})
    return _Number(label=label, required=False, max_length=LONGEST_NUMBER, widget=widget)
