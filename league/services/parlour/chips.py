"""Chips that are counted once for a whole sitting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from league.models import Sitting, SittingAmount, SittingSeat
from league.platform.errors import Finding, conflict, raise_for, refuse
from league.selectors.access.actors import Actor
from league.selectors.parlour.board import Running, running
from league.services.access.changes import open_change
from league.services.access.guard import all_or_nothing
from league.services.parlour.checks import lock_open_table, note, refuse_closed_day
from league.wording.messages import problem_message
from league.wording.names import title_in
from scoring.problems import ResultProblem, Severity
from scoring.ruleset import Ledger


@all_or_nothing
def record_sitting_amounts(
    *, sitting: Sitting, ledger: str, amounts: Mapping[int, int], by: Actor
) -> list[SittingAmount]:
    """Enter each player's win or loss in a ledger over the sitting, by entrant id, at the ledger's scale.

    Entering again replaces the former amounts. Raise if chips are counted after every game or not at all, if an
    entrant did not sit here, or if a ledger in which players pay one another does not add up to zero. Amounts may
    be entered after the table was closed, as long as the day's books are open.
    """
    competition = lock_open_table(sitting.table_session.competition, by)
    table = running(sitting)
    refuse_closed_day(competition, table.day)
    if table.sitting.chips != Sitting.Chips.PER_SITTING:
        raise conflict(
            "chips_not_per_sitting",
            _("At this table chips are counted: %(when)s.") % {"when": table.sitting.get_chips_display()},
        )
    known = next((each for each in table.rules.entered_ledgers if each.key == ledger), None)
    if known is None:
        listed = ", ".join(each.key for each in table.rules.entered_ledgers) or _("nothing")
        message = _("These rules have no ledger %(ledger)s to enter amounts of. Known: %(known)s.")
        raise refuse("ledger_unknown", message % {"ledger": ledger, "known": listed}, "/ledger")
    raise_for(findings_of_amounts(table, known, amounts), ())
    change = open_change(competition, by)
    standing = SittingAmount.objects.filter(sitting=sitting, ledger=ledger, ended_n=None)
    before = {str(row.entrant_id): row.amount for row in standing}
    standing.update(ended_n=change.n)
    rows = SittingAmount.objects.bulk_create(
        SittingAmount(sitting=sitting, entrant_id=entrant, ledger=ledger, amount=amount, made_n=change.n)
        for entrant, amount in amounts.items()
    )
    after = {str(entrant): amount for entrant, amount in amounts.items()}
    note(change, "sitting.amounts", sitting, before=before, after={"ledger": ledger, "amounts": after})
    return rows


def findings_of_amounts(table: Running, ledger: Ledger, amounts: Mapping[int, int]) -> Iterator[Finding]:
    """Yield a finding for each wrong amount, with a pointer to its entrant."""
    sat = set(SittingSeat.objects.filter(sitting=table.sitting).values_list("entrant", flat=True))
    for entrant, amount in amounts.items():
        pointer = f"/amounts/{entrant}"
        if entrant not in sat:
            yield Finding("did_not_sit_here", _("A guest is named who did not sit at this table."), pointer)
        elif amount % ledger.step:
            yield _finding(_not_multiple(ledger, amount), pointer)
    total = sum(amounts.values())
    if ledger.zero_sum and total:
        params = {"ledger": title_in(ledger.title), "actual": ledger.text(total)}
        yield _finding(ResultProblem("ledger_sum", Severity.ERROR, "amounts", params), "/amounts")


def _not_multiple(ledger: Ledger, amount: int) -> ResultProblem:
    lower = amount - amount % ledger.step
    params = {
        "ledger": title_in(ledger.title),
        "amount": ledger.text(amount),
        "step": ledger.text(ledger.step),
        "lower": ledger.text(lower),
        "upper": ledger.text(lower + ledger.step),
    }
    return ResultProblem("ledger_not_multiple", Severity.ERROR, "amounts", params)


def _finding(problem: ResultProblem, pointer: str) -> Finding:
    return Finding(problem.code, problem_message(problem), pointer, params=dict(problem.params), clause=problem.clause)
