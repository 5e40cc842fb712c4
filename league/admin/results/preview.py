"""JSON preview of a result sheet while it is typed: sum, places and points, findings, and the changes it would make."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _

from league.forms.results.entry import SheetForm, digest
from league.models import Hanchan
from league.platform.errors import Finding
from league.selectors.access.actors import Actor
from league.services.results.preview import Preview, RankChange, SlotChange, downstream_finding, preview_result
from league.web.entry_preview import finding_json, sum_json, unreadable
from league.wording.formatting import place_text, points_text, rank_text
from league.wording.names import names_of, person_name
from scoring.settlement import Settlement


def preview_json(form: SheetForm, by: Actor) -> dict[str, object]:
    """Return everything the engine can say about the sheet as typed so far, as a JSON object."""
    shown: dict[str, object] = {"sum": sum_json(form), "seats": [], "findings": [], "moves": [], "digest": ""}
    # A correction's reason is typed last and changes no figure of the preview.
    form.errors.pop("reason", None)
    if form.errors:
        return {**shown, "findings": list(unreadable(form))}
    entry = form.entry()
    preview = preview_result(hanchan=form.hanchan, entry=entry)
    findings = [*preview.findings, *downstream(form.hanchan, preview, by)]
    return {
        **shown,
        "digest": digest(entry),
        "findings": [finding_json(form, finding) for finding in findings],
        "seats": seats_json(preview.settlement, form) if preview.settlement else [],
        "moves": [*moves(form, preview.movements), *slots(form, preview.slot_changes)],
    }


def downstream(hanchan: Hanchan, preview: Preview, by: Actor) -> Iterable[Finding]:
    """Yield a finding if the result would change the entrants of a stage that already has results."""
    damage = [change for change in preview.slot_changes if change.has_results]
    if damage:
        yield downstream_finding(hanchan.block.competition, damage, by)


def seats_json(settlement: Settlement, form: SheetForm) -> list[dict[str, str | int]]:
    """Return the place and the points of each seat."""
    ledger = form.rules.ranking_ledger
    points = settlement.totals[ledger.key]
    return [
        {"place": place, "place_text": place_text(place), "points": points_text(points[seat], ledger.scale, plus=True)}
        for seat, place in enumerate(settlement.places)
    ]


def moves(form: SheetForm, movements: Iterable[RankChange]) -> Iterable[str]:
    """Yield a sentence for each entrant whose rank changes, with the new total."""
    scale = form.rules.ranking_ledger.scale
    no_rank = "–"
    for move in movements:
        yield _("%(name)s: %(before)s → %(after)s, total %(total)s") % {
            "name": person_name(form.company.all_entrants[move.entrant].player),
            "before": rank_text(move.rank_before) if move.rank_before else no_rank,
            "after": rank_text(move.rank_after) if move.rank_after else no_rank,
            "total": points_text(move.total_after, scale),
        }


def slots(form: SheetForm, changes: Iterable[SlotChange]) -> Iterable[str]:
    """Yield a sentence for each slot of the ladder whose entrant changes."""
    names = names_of(form.hanchan.block.competition.blocks.select_related("stage"))
    people = form.company.all_entrants
    for change in changes:
        yield _("%(block)s, place %(number)s: %(before)s → %(after)s") % {
            "block": names.block(change.block),
            "number": change.number,
            "before": person_name(people[change.before].player) if change.before else _("open"),
            "after": person_name(people[change.after].player) if change.after else _("open"),
        }
