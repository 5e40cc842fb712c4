"""The public list of corrections and decisions in a competition, in words and with their reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.models import Adjustment, Closing, Credit, Departure, Draw, Entrant, Hanchan, Override, Ruling
from league.selectors.access.readers import Reader
from league.selectors.competitions.overview import stamp_of
from league.selectors.results.corrections import OF_THE_DAY, Correction, correction_page
from league.views.base import PageData, competition_page, show
from league.views.competitions.schedule import refuse_if_closed
from league.wording.formatting import points_text, score_text
from league.wording.messages import source_label
from league.wording.names import Names, person_name, title_of

COMPARISON = "best:"


@dataclass(frozen=True, slots=True)
class ShownCorrection:
    """A correction in words."""

    title: str
    lines: tuple[str, ...]
    correction: Correction

    @property
    def hanchan(self) -> Hanchan | None:
        """Return the hanchan whose result was corrected, or None for another kind of decision."""
        subject = self.correction.subject
        return subject if isinstance(subject, Hanchan) else None


@competition_page
def corrections(request: HttpRequest, reader: Reader, before: int | None = None) -> HttpResponse:
    """List every correction and decision that the reader may see, newest first, in keyset pages."""
    refuse_if_closed(reader)
    shown = PageData(reader)
    page = correction_page(reader, before)
    scale = shown.ruleset.ranking_ledger.scale
    return show(
        request,
        "results/corrections.html",
        shown,
        tab="corrections",
        rows=[in_words(row, shown.names, scale) for row in page.rows],
        next_before=page.before,
        stamp=stamp_of(reader),
    )


def in_words(row: Correction, names: Names, scale: int) -> ShownCorrection:
    """Return a correction's title, and the changes it made."""
    title = {
        "result.corrected": _("Result corrected"),
        "result.voided": _("Result taken back"),
        "points.adjusted": _("Points adjusted"),
        "tie.ruled": _("Ruling on a tie"),
        "slot.overridden": _("Place filled by the organizers"),
        "slots.swapped": _("Two places exchanged by the organizers"),
        "entrant.passed_over": _("Passed over"),
        "block.closed": _("Block closed"),
        "entrant.withdrawn": _("Withdrawn"),
        "entrant.disqualified": _("Disqualified"),
        "entrant.no_show": _("Absence recorded"),
        "hanchan.walkover": _("Walkover declared"),
        "departure.taken_back": _("Departure taken back"),
        "credit.taken_back": _("Count of a round not played taken back"),
        "adjustment.taken_back": _("Adjustment taken back"),
        "ruling.taken_back": _("Ruling taken back"),
        "override.taken_back": _("Organizers' decision on a place taken back"),
        "closing.taken_back": _("Closed block opened again"),
        "draw.taken_back": _("Draw taken back"),
    }[row.change.kind]
    lines = day_lines(row, scale) if row.change.kind in OF_THE_DAY else lines_of(row, names, scale)
    return ShownCorrection(title, tuple(lines), row)


def day_lines(row: Correction, scale: int) -> Iterator[str]:
    """Yield a line with the players who are missing or have left, and what that counts."""
    after = row.change.after or {}
    match row.subject:
        case Hanchan():
            people = (row.people[pk] for pk in after.get("entrants", [after.get("entrant")]) if pk in row.people)
            worth = "" if after["points"] is None else f": {points_text(after['points'], scale, plus=True)}"
            yield f"{_(', ').join(person_name(one.player) for one in people)}{worth}"
        case Entrant() as subject:
            yield person_name(subject.player)
        case Departure() as subject:
            yield f"{person_name(subject.entrant.player)}: {subject.get_kind_display()}"
        case Credit() as subject:
            points = _("mean of the own hanchan") if subject.points is None else points_text(subject.points, scale)
            yield f"{person_name(subject.entrant.player)}: {subject.get_kind_display()} ({points})"


def lines_of(row: Correction, names: Names, scale: int) -> Iterator[str]:
    """Yield lines that compare the state before with the state after."""
    match row.subject:
        case Hanchan():
            yield from sheet_lines(row)
        case Adjustment() as subject:
            name, points = person_name(subject.entrant.player), points_text(subject.points, scale, plus=True)
            yield _("%(name)s: %(points)s in %(block)s") % {
                "name": name,
                "points": points,
                "block": names.block(subject.block.key),
            }
        case Ruling() as subject:
            order = _(", ").join(person_name(row.people[key].player) for key in subject.order if key in row.people)
            yield _("%(ranking)s: in this order %(order)s") % {"ranking": ranking(subject.scope, names), "order": order}
        case Override() if row.change.kind == "slots.swapped":
            yield swap_line(row.change.before, names)
        case Override() as subject:
            yield override_line(subject, names)
        case Closing() as subject:
            yield names.block(subject.block.key)
        case Draw() as subject:
            yield title_of(subject.stage)


def sheet_lines(row: Correction) -> Iterator[str]:
    """Yield one line for each seat, and one for the remaining deposits if they changed."""
    for seat in row.seats:
        yield f"{person_name(seat.entrant.player)}: {side(seat.before)} → {side(seat.after)}"
    before, after = row.change.before, row.change.after
    if before and after and before["kyoutaku"] != after["kyoutaku"]:
        yield _("Deposits left on the table: %(before)s → %(after)s") % {
            "before": score_text(before["kyoutaku"]),
            "after": score_text(after["kyoutaku"]),
        }


def side(seat: Mapping[str, int] | None) -> str:
    """Return a seat's score with its chonbo; a dash for a seat that is missing on this side."""
    if seat is None:
        return "–"
    score = score_text(seat["score"])
    return f"{score} ({_('Chonbo')} {seat['chonbo']})" if seat["chonbo"] else score


def ranking(scope: str, names: Names) -> str:
    """Name the ranking that was ruled on: a block's, or a comparison across the blocks of a stage."""
    if scope.startswith(COMPARISON):
        return _("Comparison across %(stage)s") % {
            "stage": names.stage(scope.removeprefix(COMPARISON).partition("#")[0])
        }
    return names.block(scope)


def swap_line(before: Mapping[str, Sequence[tuple[str, int]]] | None, names: Names) -> str:
    """Name the two places that were exchanged."""
    places = before["slots"] if before else ()
    said = [_("%(block)s, place %(number)s") % {"block": names.block(key), "number": number} for key, number in places]
    return " ⇄ ".join(said)


def override_line(row: Override, names: Names) -> str:
    """Name the player who fills a place and the one replaced, or the player who does not advance."""
    block = names.block(row.block.key)
    who = person_name(row.entrant.player) if row.entrant else ""
    if row.kind == Override.Kind.PASS_OVER or row.slot is None:
        return _("%(name)s does not go on from %(block)s; the next player takes the place") % {
            "name": who,
            "block": block,
        }
    return _("%(block)s, place %(number)s: %(before)s → %(after)s") % {
        "block": block,
        "number": row.slot.number,
        "before": source_label(row.slot.source, names),
        "after": who or source_label(row.source, names),
    }
