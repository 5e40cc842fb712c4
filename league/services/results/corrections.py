"""Revert a result to an earlier revision by writing a new revision, so that a revert can itself be reverted."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.translation import gettext as _

from league.models import Hanchan, ResultSheet
from league.platform.errors import conflict, refuse, refuse_without_reason
from league.selectors.access.actors import Actor
from league.services.access.guard import all_or_nothing
from league.services.results.entry import SheetEntry
from league.services.results.results import record_result


@all_or_nothing
def revert_result(
    *, hanchan: Hanchan, revision: int, corrects: int | None, by: Actor, reason: str, accept: Collection[str] = ()
) -> ResultSheet:
    """Submit the content of an earlier revision again as the newest; the warnings accepted then are accepted again.

    `corrects` is the revision that counts now, None after a result was taken back. The revert goes the way of every
    other correction: it is checked against the rules and confirmed as the competition requires.
    """
    refuse_without_reason(reason)
    sheet = ResultSheet.objects.filter(hanchan=hanchan, revision=revision).first()
    if sheet is None:
        raise refuse(
            "no_such_revision", _("This hanchan has no revision %(revision)s.") % {"revision": revision}, "/revision"
        )
    if sheet.state in {ResultSheet.State.CONFIRMED, ResultSheet.State.SUBMITTED}:
        raise conflict(
            "revision_counts_already",
            _("Revision %(revision)s is not an earlier one: it counts, or awaits confirmation.")
            % {"revision": revision},
        )
    return record_result(
        hanchan=hanchan,
        entry=SheetEntry.of_sheet(sheet),
        by=by,
        accept={*accept, *accepted_of_the_result(sheet)},
        corrects=corrects,
        reason=reason,
        state=ended_as(hanchan),
        made_from=sheet.made_from_sequence,
    )


def accepted_of_the_result(sheet: ResultSheet) -> set[str]:
    """Return the accepted warnings about the result itself; the effect on later stages must be accepted again."""
    return set(sheet.accepted_warnings) - {"later_stage_begun"}


def ended_as(hanchan: Hanchan) -> Hanchan.State:
    """Return the hanchan's final state as recorded; FINISHED where a voided result left it to be played again."""
    now = Hanchan.objects.values_list("state", flat=True).get(pk=hanchan.pk)
    return Hanchan.State.ENDED_BY_TIME if now == Hanchan.State.ENDED_BY_TIME else Hanchan.State.FINISHED
