"""View that plays a tulip (flipping the wall after a win): the request has the flips so far, the response all steps.

Nothing is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.base import CalculationView
from league.api.fields import BoundedListField, StrictSerializer
from league.api.results.entries import OptionsField
from league.api.rulebooks.hand_views import TilesInput
from league.api.rulebooks.tulip_documents import TILE, TulipDocument, tulip_document
from league.api.schema import describe_post
from league.api.writing import Checked
from league.selectors.rulebooks.catalogue import CatalogueEntry, rulesets_for
from league.web.problem_documents import FindingDocument
from league.web.problems import ProblemError, error
from league.wording.live.hands import unreadable_text
from league.wording.live.tulip import problem_text
from scoring.hand import By, NotationError, RiichiKind, Tile, parse_tiles
from scoring.ruleset import OptionError, Ruleset
from scoring.ruleset.value import LimitName
from scoring.ruleset.yaku import YakuName
from scoring.tulip import (
    InvalidTulipError,
    Tulip,
    TulipProblem,
    Wall,
    Won,
    declares_tulip,
    over_wall,
    replay,
)

MOST_TILES, MOST_STACKS = 120, 72
TILES = "Written together, such as 123m0p55z; 0 is a marked five, 1b and 2b are red and blue bingo tiles."


class TileField(s.RegexField):
    """One tile in the notation of the API."""

    def __init__(self, **options: Any) -> None:
        super().__init__(regex=TILE, **options)


class TulipInput(StrictSerializer):
    """A win with the tiles flipped after it so far, or with the whole wall."""

    hand = TilesInput(
        default=s.empty,
        allow_blank=False,
        help_text=f"Every tile of the completed hand, the winning one and melds included, kans with all four. {TILES}",
    )
    by = s.ChoiceField([each.value for each in By], help_text="How the hand was won.")
    riichi = s.ChoiceField(
        [each.value for each in RiichiKind], default=RiichiKind.NONE.value, help_text="The riichi that was declared."
    )
    ippatsu = s.BooleanField(default=False, help_text="Within one turn of riichi.")
    opened = s.BooleanField(default=False, help_text="Something was called.")
    limit = s.ChoiceField(
        [each.value for each in LimitName],
        allow_null=True,
        default=None,
        help_text="What the hand itself is worth, whatever a forced deal-in is paid; null below the limits.",
    )
    yakuman = BoundedListField(
        child=s.ChoiceField([each.value for each in YakuName]),
        max_length=8,
        required=False,
        help_text="By name, where they are known.",
    )
    forced = s.BooleanField(default=False, help_text="A forced deal-in to an open riichi.")
    nuki = TilesInput(help_text="Bonus tiles laid aside by the winner.")
    pocchi_as = TileField(
        allow_null=True, default=None, help_text="What the winner lets a drawn white pocchi stand for."
    )
    dora_indicators = TilesInput(help_text=TILES)
    ura_indicators = TilesInput(help_text="Turned after riichi only.")
    stacks = s.IntegerField(
        min_value=0,
        max_value=MOST_STACKS,
        allow_null=True,
        default=None,
        help_text="The number of stacks that still have their upper tile; null if they were not counted.",
    )
    flips = BoundedListField(
        child=TileField(), max_length=MOST_TILES, required=False, help_text="The tiles flipped so far."
    )
    wall = BoundedListField(
        child=BoundedListField(child=TileField(allow_blank=True), min_length=2, max_length=2),
        max_length=MOST_STACKS,
        required=False,
        help_text="In place of `stacks` and `flips`: every stack left, [upper, lower], from the one beside the "
        "outermost indicator outwards; an upper tile already drawn is empty.",
    )
    options = OptionsField(required=False, help_text="The table's house options.")
    revision = s.IntegerField(min_value=1, max_value=10**9, required=False, help_text="A revision of the ruleset.")

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        """Check that either the flips so far are given, or the whole wall, but not both."""
        if "wall" in attrs and ("flips" in attrs or attrs["stacks"] is not None):
            message = _("Send either the whole wall, or the stacks counted and the tiles flipped so far.")
            raise s.ValidationError({"wall": [s.ErrorDetail(message, "wall_and_flips")]})
        return attrs


@describe_post("flip_tulip", TulipInput, TulipDocument)
class TulipView(CalculationView):
    """Flip the wall after a win: the request has the tiles flipped so far, the response every step and the chips."""

    def post(self, request: Request, **path: object) -> Response:
        """Replay the flips and return the result; nothing is stored."""
        values: Checked = TulipInput.check(request.data)
        book = self.book(self.kwargs["name"], values.get("revision"))
        rules = apply_options(book.value, values.get("options") or {})
        return Response(tulip_document(book, rules, replay_flips(values, rules)))

    def book(self, name: str, revision: int | None) -> CatalogueEntry[Ruleset]:
        """Return the ruleset. Raise ProblemError if it has no tulip."""
        book = rulesets_for(self.request.user).book(name, revision)
        if book is None:
            raise Http404
        if not declares_tulip(book.value):
            raise ProblemError("not_found", _("Under these rules no tulip follows a win."))
        return book


def apply_options(rules: Ruleset, options: Mapping[str, object]) -> Ruleset:
    """Return the ruleset with these options. Raise ProblemError if it has no such option."""
    try:
        return rules.with_options(options)
    except OptionError as refused:
        raise ProblemError(
            "rule_violation", errors=[error("bad_option", str(refused), pointer="/options")]
        ) from refused


def replay_flips(values: Checked, rules: Ruleset) -> Tulip:
    """Return the tulip. Raise ProblemError with every impossible input, each with its pointer."""
    won = won_of(values)
    try:
        if "wall" in values:
            return over_wall(won, wall_of(values["wall"]), rules)
        log = [tile for number, text in enumerate(values.get("flips", ())) for tile in tiles(text, f"flips/{number}")]
        tulip = replay(won, log, rules)
    except InvalidTulipError as refused:
        raise ProblemError("rule_violation", errors=list(errors_of(refused.problems))) from refused
    if tulip.problems:
        raise ProblemError("rule_violation", errors=list(errors_of(tulip.problems)))
    return tulip


def errors_of(problems: Sequence[TulipProblem]) -> Iterator[FindingDocument]:
    """Yield each problem of the engine as an entry of `errors`."""
    for each in problems:
        yield error(each.code, problem_text(each), pointer=f"/{each.pointer}", params=each.params)


def won_of(values: Checked) -> Won:
    """Return the win as the engine's type."""
    return Won(
        hand=tiles(values["hand"], "hand"),
        by=By(values["by"]),
        riichi=RiichiKind(values["riichi"]),
        ippatsu=values["ippatsu"],
        opened=values["opened"],
        limit=LimitName(values["limit"]) if values["limit"] else None,
        yakuman=tuple(map(YakuName, values.get("yakuman", ()))),
        forced=values["forced"],
        nuki=tiles(values["nuki"], "nuki"),
        pocchi_as=tiles(values["pocchi_as"], "pocchi_as")[0] if values["pocchi_as"] else None,
        dora_indicators=tiles(values["dora_indicators"], "dora_indicators"),
        ura_indicators=tiles(values["ura_indicators"], "ura_indicators"),
        stacks=values["stacks"],
    )


def wall_of(stacks: Sequence[Sequence[str]]) -> Wall:
    """Return the stacks as the engine's type."""
    return tuple(
        (_tile(upper, f"wall/{number}/0"), _tile(lower, f"wall/{number}/1"))
        for number, (upper, lower) in enumerate(stacks)
    )


def _tile(text: str, pointer: str) -> Tile | None:
    return tiles(text, pointer)[0] if text else None


def tiles(text: str, pointer: str) -> tuple[Tile, ...]:
    """Parse tiles from their notation. Raise ProblemError if it cannot be read."""
    try:
        return parse_tiles(text)
    except NotationError as unreadable:
        wrong = error(unreadable.code, unreadable_text(unreadable), pointer=f"/{pointer}", params=unreadable.params)
        raise ProblemError("rule_violation", errors=[wrong]) from unreadable
