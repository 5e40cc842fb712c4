"""The tulip at the table (flipping wall tiles after a win): each flip is tapped in.

Matches, mode, guarantees, chips follow.

The URL carries everything: the winning hand, in the calculator's notation, and the log of flips. A tap leads to the
URL with one flip more, undo to the one with one less. The page's script fetches the same URLs and inserts the result.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl

from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_safe

from league.forms.rulebooks.tulip import TulipForm
from league.platform.rendering import render
from league.selectors.rulebooks.tulip import Ahead, rows_ahead, tulip_after
from league.views.base import conditional
from league.views.rulebooks import hand
from league.wording.live.tiles import tile_name
from league.wording.live.tulip import LEVELS, MODES, PAYERS, line_text, problem_text, remark_text
from league.wording.names import title_in
from rulesets.clauses import books
from scoring.hand import Tile, tiles_text
from scoring.hand.tiles import NAME
from scoring.ruleset import Ruleset
from scoring.tulip import ChipPayers, Flip, FlipEnd, InvalidTulipError, Remark, Tulip, WallPlace, declares_tulip

REFUSED, MISSING = 422, 404
EXAMPLE = "hand=3467778p123999s+%2B+0p&by=tsumo&riichi=riichi&dora=2z&ura=8s&flips=8s5z4z2p"


@dataclass(frozen=True, slots=True)
class ShownRemark:
    """A sentence with the clauses it rests on."""

    text: str
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownFlip:
    """One flip."""

    number: int
    where: WallPlace
    row: str
    code: str
    name: str
    matched: tuple[str, ...]
    chips: int
    mode: str
    remarks: tuple[ShownRemark, ...]


@dataclass(frozen=True, slots=True)
class ChipLine:
    """A component of the chips."""

    name: str
    count: int
    chips: int
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PadTile:
    """A tile to tap, and the log that would result."""

    code: str
    name: str
    matches: int
    left: int
    log: str


@dataclass(frozen=True, slots=True)
class ShownTulip:
    """The current state of a tulip as text."""

    mode: str
    mode_key: str
    guarantees: int
    hits: int
    total: int
    payers: str
    in_all: int
    """The chips that all payers pay together."""
    is_shared: bool
    """True if more than one player pays."""
    awaits: WallPlace | None
    row: str
    """The tile of the stack (upper or lower) that is flipped next."""
    is_over: bool
    is_completed: bool
    is_missed: bool
    matching: tuple[str, ...]
    steps: tuple[ShownFlip, ...]
    """The flips, latest first."""
    start: tuple[ShownRemark, ...]
    lines: tuple[ChipLine, ...]
    pad: tuple[tuple[PadTile, ...], ...]
    flips: str
    undone: str
    """The log without its last flip."""
    stack: int
    """The stack being flipped, or the last one that was."""
    stacks: int | None
    """The number of stacks left in the wall, if it was entered."""


@require_safe
def tulip(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show the page, or return 304."""
    return conditional(request, hand.etag_of_input(request, "tulip", name), lambda: _page(request, name))


def _page(request: HttpRequest, name: str) -> HttpResponse:
    """Ask for the winning hand first, then for the flips."""
    page = hand.read(request, name)
    assert page.book is not None, "a ruleset that is named is found or missing"  # noqa: S101 - told to the type checker
    title = {"name": name, "title": title_in(page.book.value.title), "has_rulebook": name in books()}
    if not declares_tulip(page.book.value):
        return render(request, "rulebooks/tulip/none.html", title, status=MISSING)
    form = TulipForm(request.GET)
    form.is_valid()
    found = None if page.is_refused else _tulip(page, form)
    is_refused = page.is_refused or bool(form.errors)
    context = {
        **title,
        "page": page,
        "form": form,
        "example": EXAMPLE,
        "is_refused": is_refused,
        "carried": _carried(page),
        "tulip": None if found is None else shown_tulip(found, page.scored[0].rules),
        "chips": "" if found is None else _ledger(page.scored[0].rules),
    }
    return render(request, "rulebooks/tulip/tulip.html", context, status=REFUSED if is_refused else 200)


def _tulip(page: hand.CalculatorPage, form: TulipForm) -> Tulip | None:
    """Return the tulip if the hand wins; problems are added to the form and the faulty value is left out."""
    if not page.scored:
        return None
    try:
        found = tulip_after(page.scored[0], form.cleaned_data.get("flips", ()), form.cleaned_data.get("stacks"))
    except InvalidTulipError as error:
        uncounted = [problem for problem in error.problems if problem.pointer == "stacks"]
        for problem in uncounted or error.problems:
            form.add_error("stacks" if uncounted else None, ValidationError(problem_text(problem), code=problem.code))
        # `add_error` has removed the wrong number of stacks from `cleaned_data`, so this recursion ends.
        return _tulip(page, form) if uncounted else None
    for problem in found.problems if found else ():
        form.add_error("flips", ValidationError(problem_text(problem), code=problem.code))
    return found


def _carried(page: hand.CalculatorPage) -> list[tuple[str, str]]:
    """Return the winning hand and its circumstances as hidden fields of the page's forms."""
    return parse_qsl(page.query, keep_blank_values=True)


def _ledger(rules: Ruleset) -> str:
    """Return the title of the chips' ledger."""
    assert rules.play is not None, "a ruleset with a tulip is played"  # noqa: S101 - told to the type checker
    assert rules.play.chips is not None, "a tulip is paid in chips"  # noqa: S101 - likewise
    return title_in(rules.ledger(rules.play.chips.rules.ledger).title)


def shown_tulip(found: Tulip, rules: Ruleset) -> ShownTulip:
    """Return the tulip in the reader's language."""
    state, log = found.state, found.state.flipped
    payers = rules.players - 1 if found.payers is ChipPayers.EACH else 1
    return ShownTulip(
        mode=str(MODES[state.mode]) if state.mode else "",
        mode_key=state.mode.name.lower() if state.mode else "none",
        guarantees=state.guarantees,
        hits=state.hits,
        total=found.total,
        payers=str(PAYERS[found.payers]),
        in_all=found.total * payers,
        is_shared=payers > 1,
        awaits=state.awaits,
        row=str(LEVELS[state.level]),
        is_over=state.end is not None,
        is_completed=state.is_completed,
        is_missed=state.end is FlipEnd.MISSED,
        matching=_codes(state.matching),
        steps=tuple(_step(step) for step in reversed(found.steps)),
        start=tuple(map(_remark, found.start.remarks)),
        lines=tuple(ChipLine(line_text(line.name), line.count, line.chips, line.clauses) for line in found.lines),
        pad=tuple(tuple(_pad(each, log) for each in row) for row in rows_ahead(state, rules)),
        flips=tiles_text(log),
        undone=tiles_text(log[:-1]),
        stack=state.stack,
        stacks=found.start.won.stacks,
    )


def _step(step: Flip) -> ShownFlip:
    return ShownFlip(
        number=step.number,
        where=step.place,
        row=str(LEVELS[step.place.level]),
        code=NAME[step.tile],
        name=tile_name(step.tile),
        matched=_codes(step.matched),
        chips=step.chips,
        mode=str(MODES[step.mode]),
        remarks=tuple(map(_remark, step.remarks)),
    )


def _remark(remark: Remark) -> ShownRemark:
    return ShownRemark(remark_text(remark), remark.clauses)


def _pad(ahead: Ahead, log: tuple[Tile, ...]) -> PadTile:
    code = NAME[ahead.tile]
    return PadTile(code, tile_name(ahead.tile), ahead.matches, ahead.left, tiles_text((*log, ahead.tile)))


def _codes(tiles: tuple[Tile, ...]) -> tuple[str, ...]:
    return tuple(NAME[tile] for tile in tiles)
