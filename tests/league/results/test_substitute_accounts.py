"""House players under rules with a flat account for substitutes: results, standings, previews, verification."""

from __future__ import annotations

import pytest

from league.models import RulesetRevision, SeatResult
from league.services.competitions.arrivals import record_no_show
from league.services.operations.verification import differences_of
from league.services.results.entry import SheetEntry
from league.services.results.preview import preview_result
from league.services.rulebooks.revisions import keep
from league.services.standings.publishing import publish_standings
from rulesets import loader
from tests import factories
from tests.factories import SYSTEM, in_block
from tests.league.event import event, main, seat_of

pytestmark = pytest.mark.django_db
FIXED = 'no_show = { by = "substitutes", points = "-15.0", place = "last" }'
FLAT = """
[settlement.substitute]
ledger = "points"
amount = -15
replaces = "result"
clauses = ["ML-005"]
"""


@pytest.fixture(name="rules")
def _rules() -> RulesetRevision:
    text = loader.text_of("mleague").replace('name = "mleague"', 'name = "flat"', 1)
    return keep(RulesetRevision, "flat", text + FLAT)


def test_a_house_player_gets_the_flat_account_and_the_others_keep_points_and_places(rules: RulesetRevision) -> None:
    competition = event(FIXED, ruleset=rules)
    absent = in_block(main(competition))[0]
    hanchan = seat_of(absent, 1)
    record_no_show(block=main(competition), number=1, entrant=absent, by=SYSTEM, reason="overslept")
    scores = (36_000, 28_000, 22_000, 14_000)
    entry = factories.entry(factories.seated(hanchan), scores)
    preview = preview_result(hanchan=hanchan, entry=entry)
    assert [finding.code for finding in preview.findings] == []
    assert preview.settlement is not None
    assert preview.settlement.totals["points"] == (-150, 80, -180, -460)
    sheet = factories.play(hanchan, scores)
    rows = list(SeatResult.objects.filter(sheet=sheet).order_by("seat"))
    assert [(row.place, row.points) for row in rows] == [(1, -150), (2, 80), (3, -180), (4, -460)]
    assert [line["amount"] for line in rows[0].lines if line["cause"] == "substitute"] == ["-71"]
    assert SheetEntry.of_sheet(sheet).substitutes == (0,)
    publish_standings(competition.pk)
    ranked = main(competition).standings.filter(audience="staff")
    assert not ranked.filter(entrant__is_house=True).exists()
    assert list(differences_of(competition)) == []


def test_a_table_without_a_house_player_settles_as_usual(rules: RulesetRevision) -> None:
    competition = event(ruleset=rules)
    hanchan = seat_of(in_block(main(competition))[0], 1)
    sheet = factories.play(hanchan, (36_000, 28_000, 22_000, 14_000))
    assert sum(SeatResult.objects.filter(sheet=sheet).values_list("points", flat=True)) == 0
    assert "substitutes" not in sheet.facts
