"""Tests of penalties outside a hanchan, whose causes and bounds the rule book lists (EA-058, WR-056)."""

from __future__ import annotations

import pytest
from django.test import Client

from league.files.reading import file_of
from league.models import Adjustment, Change, Competition, ResultSheet, RulesetRevision
from league.platform.errors import RuleViolationError
from league.selectors.exchange.competition_export import document_of
from league.selectors.results.penalty_causes import reason_text
from league.services.exchange.competition_import import import_competition
from league.services.results.rulings import adjust_points
from league.services.rulebooks.revisions import keep
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, final_table, in_block, play, table

pytestmark = pytest.mark.django_db

LISTED = """
[[settlement.penalties]]
key = "warning"
title = { ja = "注意", en = "Warning" }
least = 0
most = 0
step = 1
clauses = ["CL-001"]

[[settlement.penalties]]
key = "point_penalty"
title = { ja = "減点", en = "Point penalty" }
least = 1
most = 64
step = "0.5"
clauses = ["CL-001"]
"""


@pytest.fixture
def season() -> Competition:
    """Return a final whose first hanchan was played, under rules that list two penalties."""
    made = final_table()
    rules = made.rules_in_force.get()
    rules.ruleset = keep(RulesetRevision, rules.ruleset.name, rules.ruleset.text + LISTED)
    rules.save()
    made.save()
    play(table(made.blocks.get()).hanchan.get(round=1), (30000, 35000, 20000, 15000))
    publish_standings(made.pk)
    return made


def penalize(season: Competition, points: int, cause: str, seat: int = 1) -> Adjustment:
    block = season.blocks.get()
    return adjust_points(
        block=block, entrant=in_block(block)[seat], points=points, by=SYSTEM, reason="phone rang", cause=cause,
        accept={"unseats"},
    )  # fmt: skip


def test_a_penalty_lowers_the_total_and_no_score(season: Competition) -> None:
    made = penalize(season, -200, "point_penalty")
    assert (made.points, made.cause, made.reason) == (-200, "point_penalty", "phone rang")
    change = Change.objects.get(n=made.made_n, competition=season, kind="points.adjusted")
    assert change.after == {"entrant": made.entrant_id, "points": -200, "cause": "point_penalty"}
    seats = ResultSheet.objects.get().seats.order_by("seat")
    assert [seat.score for seat in seats] == [30000, 35000, 20000, 15000]


def test_a_warning_costs_nothing_and_stays_on_record(season: Competition) -> None:
    made = penalize(season, 0, "warning")
    assert (made.points, reason_text(made)) == (0, "Warning: phone rang")


def test_an_archive_keeps_the_cause_of_a_penalty_also_of_a_warning_without_points(season: Competition) -> None:
    penalize(season, -200, "point_penalty")
    penalize(season, 0, "warning")
    document = document_of(season)
    assert [row.cause for row in document.adjustments] == ["point_penalty", "warning"]
    copied = document.model_copy(update={"competition": document.competition.model_copy(update={"slug": "copy"})})
    restored = import_competition(file=file_of(copied, "copy"), by=SYSTEM)
    rows = Adjustment.objects.filter(block__competition=restored).order_by("made_n")
    assert list(rows.values_list("points", "cause", "reason")) == [
        (-200, "point_penalty", "phone rang"),
        (0, "warning", "phone rang"),
    ]


def test_pages_and_the_admin_name_the_penalty(chief: Client, season: Competition) -> None:
    made = penalize(season, -200, "point_penalty")
    publish_standings(season.pk)
    block = season.blocks.get()
    page = chief.get(f"/c/{season.slug}/blocks/{block.key}/", headers={"accept-language": "en"}).content.decode()
    assert "Point penalty: phone rang" in page
    assert "Point penalty" in chief.get("/admin/league/adjustment/").content.decode()
    assert "Point penalty" in chief.get(f"/admin/league/adjustment/{made.pk}/change/").content.decode()


@pytest.mark.parametrize(
    ("points", "cause", "code", "says"),
    [
        (-5, "point_penalty", "penalty_out_of_bounds", "costs 1.0 to 64.0 in steps of 0.5; 0.5 is given"),
        (-641, "point_penalty", "penalty_out_of_bounds", "64.1 is given"),
        (-11, "point_penalty", "penalty_out_of_bounds", "1.1 is given"),
        (200, "point_penalty", "penalty_out_of_bounds", "is given"),
        (-10, "warning", "penalty_out_of_bounds", "costs 0.0; 1.0 is given"),
        (-200, "yawning", "penalty_unknown", "they have: Warning, Point penalty."),
        (0, "", "nothing_to_adjust", "changes nothing"),
    ],
)
def test_a_penalty_beyond_the_rules_is_refused(
    season: Competition, points: int, cause: str, code: str, says: str
) -> None:
    with pytest.raises(RuleViolationError) as refused:
        penalize(season, points, cause)
    (finding,) = refused.value.findings
    assert (finding.code, says in finding.message) == (code, True)
    assert not Adjustment.objects.exists()


def test_the_page_offers_the_causes_of_the_rules_and_deducts_what_is_typed(chief: Client, season: Competition) -> None:
    block = season.blocks.get()
    address = f"/admin/league/block/{block.pk}/adjust/"
    shown = chief.get(address).content.decode()
    assert "Point penalty (1.0 to 64.0 in steps of 0.5)" in shown
    assert "Warning (0.0)" in shown
    typed = {"entrant": in_block(block)[0].pk, "cause": "point_penalty", "points": "20", "reason": "Late again"}
    refused = chief.post(address, {**typed, "points": "80"}).content.decode()
    assert "costs 1.0 to 64.0" in refused
    seen = chief.post(address, typed).context["seen"]
    assert chief.post(address, {**typed, "seen": seen}).status_code == 302
    assert Adjustment.objects.get().points == -200
