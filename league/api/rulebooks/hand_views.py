"""Views that score a hand: a request has the tiles and circumstances, the response the value with all its parts.

Nothing is stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base import CalculationView
from league.api.fields import BoundedListField, StrictSerializer
from league.api.schema import describe_post
from league.api.writing import Checked
from league.selectors.rulebooks.catalogue import CatalogueEntry, rulesets_for
from league.selectors.rulebooks.hands import books_of_hands, score_everywhere, score_under
from league.web.live.hand_documents import ScoredEverywhere, ScoredHand, comparison_document, scored_document
from league.web.problem_documents import FindingDocument
from league.web.problems import ProblemError, error
from league.wording.live.hands import problem_text, unreadable_text
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
)
from scoring.hand.notation import NUKI, parse_melds
from scoring.ruleset import FaultsError, Ruleset, Wind
from scoring.ruleset.end import RoundName
from scoring.ruleset.yaku import YakuName

Read = TypeVar("Read")
LONGEST, MOST_MELDS, MOST_LIABLE, MOST_POINTS = 64, 8, 3, 10_000_000
TILES = "Such as 123m0p55z: 0 is a red five, g a gold one, 1z to 7z East to red dragon, wz the white pocchi."


def _names(names: type[StrEnum]) -> list[str]:
    return [each.value for each in names]


class TilesInput(s.CharField):
    """Several tiles written together."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": LONGEST, "default": "", "allow_blank": True, "help_text": TILES, **options})


@extend_schema_field({"type": "object", "additionalProperties": {}})
class HouseOptionsField(s.DictField):
    """Maps the name of a house option to its value; the ruleset defines the names."""


class LiableInput(StrictSerializer):
    """A player with liability for the win (包, sekinin barai)."""

    seat = s.ChoiceField(_names(Wind), help_text="The wind of the seat.")
    yaku = s.ChoiceField(
        _names(YakuName),
        allow_null=True,
        default=None,
        help_text="Null for the open kan the win's replacement is of.",
    )


class HandInput(StrictSerializer):
    """A winning hand, with the circumstances of the win."""

    concealed = TilesInput(required=False, default=s.empty, help_text=f"Without the winning tile. {TILES}")
    tiles = TilesInput(
        required=False, default=s.empty, help_text="In place of `concealed`: with the winning tile among them."
    )
    win = s.CharField(max_length=2, help_text="The winning tile.")
    melds = BoundedListField(
        child=s.CharField(max_length=LONGEST),
        max_length=MOST_MELDS,
        required=False,
        help_text="In the order called: chi:123s, pon:777p, minkan:1111z, kakan:1111z, ankan:1111z; nuki:44z for tiles "
        "set aside.",
    )
    by = s.ChoiceField(_names(By), help_text="How the hand was won.")
    seat_wind = s.ChoiceField(_names(Wind), help_text="The winner's; the dealer is East.")
    round = s.ChoiceField(_names(RoundName), default=RoundName.EAST.value, help_text="The round.")
    riichi = s.ChoiceField(_names(RiichiKind), default=RiichiKind.NONE.value, help_text="The riichi that was declared.")
    ippatsu = s.BooleanField(default=False, help_text="Within one turn of riichi.")
    haitei = s.BooleanField(default=False, help_text="The last tile of the wall.")
    houtei = s.BooleanField(default=False, help_text="The last discard.")
    rinshan = s.BooleanField(default=False, help_text="The replacement tile of a kan.")
    first_turn = s.BooleanField(default=False, help_text="In the first turn, before any call.")
    forced = s.BooleanField(default=False, help_text="The discarder had no other tile against an open riichi.")
    last_hand = s.BooleanField(default=False, help_text="The last hand of the last round.")
    unshown = s.BooleanField(default=False, help_text="The drawn tile was put among the others before it was shown.")
    robbed = s.ChoiceField(_names(Robbed), default=Robbed.NOTHING.value, help_text="The tile that was robbed.")
    dora_indicators = TilesInput()
    ura_indicators = TilesInput()
    honba = s.IntegerField(min_value=0, max_value=MOST_POINTS, default=0, help_text="The honba counters.")
    deposits = s.IntegerField(min_value=0, max_value=MOST_POINTS, default=0, help_text="In points.")
    pocchi_as = s.CharField(
        max_length=2, allow_null=True, default=None, help_text="The tile a wild pocchi is; null for the best one."
    )
    discarder = s.ChoiceField(_names(Wind), allow_null=True, default=None, help_text="The seat that dealt in.")
    liable = BoundedListField(child=LiableInput(), max_length=MOST_LIABLE, required=False)

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        """Check that either all tiles are given, or those without the winning one, but not both."""
        if ("tiles" in attrs) == ("concealed" in attrs):
            message = _("Send either `concealed`, without the winning tile, or `tiles`, with it.")
            raise s.ValidationError({"concealed": [s.ErrorDetail(message, "tiles_or_concealed")]})
        return attrs


class ScoreInput(HandInput):
    """A hand to be scored under one ruleset."""

    options = HouseOptionsField(required=False, help_text="House options; those left out stand at their defaults.")
    revision = s.IntegerField(min_value=1, max_value=1_000_000, required=False, help_text="A revision of the ruleset.")


@describe_post("score_hand", ScoreInput, ScoredHand)
class ScoreView(CalculationView):
    """Return the value of a hand under a ruleset, with all its parts."""

    def post(self, request: Request, **path: object) -> Response:
        """Return the value, or the reason why it is no win. Raise ProblemError at each impossible input."""
        values: Checked = ScoreInput.check(request.data)
        book = self.book(self.kwargs["name"], values.get("revision"))
        rules = apply_options(book.value, values.get("options") or {})
        scored = score_under(book, rules, hand_of(values), situation_of(values))
        if scored.problems:
            raise ProblemError("rule_violation", errors=[_error(each, values) for each in scored.problems])
        return Response(scored_document(scored))

    def book(self, name: str, revision: int | None) -> CatalogueEntry[Ruleset]:
        """Return the ruleset. Raise ProblemError if it does not define how hands are scored."""
        book = rulesets_for(self.request.user).book(name, revision)
        if book is None:
            raise Http404
        if book.value.play is None:
            raise ProblemError("not_found", _("This ruleset does not say how hands are played; it settles scores."))
        return book


@describe_post("compare_hand", HandInput, ScoredEverywhere)
class CompareHandView(CalculationView):
    """Score the same hand under every ruleset that defines hands, house options at their defaults."""

    def post(self, request: Request) -> Response:
        """Return a value for each ruleset, or the reason why the hand is impossible under it."""
        values: Checked = HandInput.check(request.data)
        hand, situation = hand_of(values), situation_of(values)
        return Response(comparison_document(score_everywhere(hand, situation, books_of_hands(request.user))))


def apply_options(rules: Ruleset, options: Mapping[str, object]) -> Ruleset:
    """Return the ruleset with these options. Raise ProblemError naming each unknown or forbidden one."""
    try:
        return rules.with_options(options)
    except FaultsError as refused:
        wrong = [_option_error(fault.key, str(fault.message)) for fault in refused.faults]
        raise ProblemError("rule_violation", errors=wrong) from refused


def _option_error(key: str, message: str) -> FindingDocument:
    known = key.removeprefix("options.") if key.startswith("options.") else ""
    return error("bad_option", message, pointer=f"/options/{known}" if known else "/options")


def hand_of(values: Checked) -> Hand:
    """Return the hand as the engine's type. Raise ProblemError at notation that cannot be read."""
    melds = tuple(values.get("melds", ()))
    for number, meld in enumerate(melds):
        _read(partial(parse_melds, (meld,)), f"melds/{number}")
    _read(lambda: Hand.parse("", values["win"]), "win")
    if "concealed" in values:
        return _read(lambda: Hand.parse(values["concealed"], values["win"], melds), "concealed")
    return _read(lambda: Hand.parse_complete(values["tiles"], values["win"], melds), "tiles")


def situation_of(values: Checked) -> Situation:
    """Return the circumstances as the engine's type. Raise ProblemError at tiles that cannot be read."""
    named = values["pocchi_as"]
    pocchi = _tiles(named, "pocchi_as") if named is not None else ()
    return Situation(
        by=By(values["by"]),
        seat_wind=Wind(values["seat_wind"]),
        round=RoundName(values["round"]),
        riichi=RiichiKind(values["riichi"]),
        robbed=Robbed(values["robbed"]),
        dora_indicators=_tiles(values["dora_indicators"], "dora_indicators"),
        ura_indicators=_tiles(values["ura_indicators"], "ura_indicators"),
        pocchi_as=pocchi[0] if pocchi else None,
        discarder=Wind(values["discarder"]) if values["discarder"] else None,
        liable=tuple(
            Liability(Wind(each["seat"]), YakuName(each["yaku"]) if each["yaku"] else None)
            for each in values.get("liable", ())
        ),
        ippatsu=values["ippatsu"],
        haitei=values["haitei"],
        houtei=values["houtei"],
        rinshan=values["rinshan"],
        first_turn=values["first_turn"],
        forced=values["forced"],
        last_hand=values["last_hand"],
        unshown=values["unshown"],
        honba=values["honba"],
        deposits=values["deposits"],
    )


def _tiles(text: str, pointer: str) -> tuple[Tile, ...]:
    return _read(lambda: parse_tiles(text), pointer)


def _read(read: Callable[[], Read], pointer: str) -> Read:
    """Return the result of a parser, or raise ProblemError that points at its input."""
    try:
        return read()
    except NotationError as unreadable:
        where = "win" if unreadable.code == "win_not_in_hand" else pointer
        wrong = error(unreadable.code, unreadable_text(unreadable), pointer=f"/{where}", params=unreadable.params)
        raise ProblemError("rule_violation", errors=[wrong]) from unreadable


def _error(problem: HandProblem, values: Checked) -> FindingDocument:
    """Return a problem of the engine with its place in the body."""
    pointer = _pointer(problem.pointer, values)
    return error(problem.code, problem_text(problem), pointer=pointer, params=problem.params)


def _pointer(pointer: str, values: Checked) -> str:
    """Return the JSON pointer in the body for a part of the hand or of the situation."""
    # The engine counts melds and set-aside tiles separately; the body has them in one list.
    first, _slash, rest = pointer.partition("/")
    melds: Sequence[str] = values.get("melds", ())
    if first == "situation":
        return f"/{rest}"
    if first == "concealed":
        return "/concealed" if "concealed" in values else "/tiles"
    if first == "melds":
        return f"/melds/{list(_places(melds, is_nuki=False))[int(rest)]}"
    if first == "nuki":
        return f"/melds/{next(_places(melds, is_nuki=True))}"
    return f"/{pointer}"


def _places(melds: Sequence[str], *, is_nuki: bool) -> Iterator[int]:
    """Yield the indexes in `melds` of the real melds, or of the tiles set aside (nuki)."""
    return (place for place, meld in enumerate(melds) if meld.startswith(f"{NUKI}:") == is_nuki)
