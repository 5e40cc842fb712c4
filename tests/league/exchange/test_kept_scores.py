"""Tests of scores kept from 0 and of substitutes' accounts in files of results and over REST (EB-002, EB-072)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from league.files.result_rows import columns_of
from league.files.tables import read_table
from league.models import Competition, Hanchan, ResultSheet, Role, RulesetRevision, SeatResult
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.services.competitions.arrivals import record_no_show
from league.services.exchange.table_import import Choices, ImportReport, import_results
from league.services.rulebooks.revisions import keep
from rulesets import loader
from tests import factories
from tests.api.client import Api
from tests.factories import SYSTEM, in_block, seated
from tests.league.event import event, main, seat_of
from tests.league.results.test_substitute_accounts import FIXED, FLAT

pytestmark = pytest.mark.django_db
SCORES = [46_200, 30_000, 24_000, 19_800]


def ema(kept_from: str) -> tuple[Competition, Hanchan]:
    """Create a final by the EMA's rules, with scores kept from the start or from 0."""
    options = {"kept_from": kept_from}
    competition = factories.final_table("ema", ruleset="ema2025", options=options)
    return competition, factories.table(competition.blocks.get(), table="1").hanchan.get(round=1)


def brought(competition: Competition, hanchan: Hanchan, scores: Sequence[int], kyoutaku: int = 0) -> ImportReport:
    """Import a file with one row."""
    rules = ruleset_of(rules_at(competition))
    names = [entrant.player.key for entrant in seated(hanchan)]
    head = ",".join(f"player{seat},score{seat}" for seat in range(1, 5))
    cells = ",".join(f'{name},"{score}"' for name, score in zip(names, scores, strict=True))
    text = f"id,{head},kyoutaku\n{hanchan.pk},{cells},{kyoutaku}\n"
    table = read_table(text.encode(), columns_of(rules))
    return import_results(competition=competition, table=table, by=SYSTEM, keep=True, choices=Choices())


def scores_of(hanchan: Hanchan) -> list[int]:
    """Return the scores of the result that counts, by seat."""
    sheet = ResultSheet.objects.counting_of(hanchan)
    assert sheet is not None
    return list(sheet.seats.order_by("seat").values_list("score", flat=True))


@pytest.mark.clause("ema2025", "EB-002")
@pytest.mark.parametrize(
    "scores",
    [(162, 0, -60, -102), (16_200, 0, -6_000, -10_200), (462, 300, 240, 198), (46_200, 30_000, 24_000, 19_800)],
    ids=["gains in hundreds", "gains in points", "scores in hundreds", "scores in points"],
)
def test_a_file_of_scores_kept_from_zero_is_read_by_the_sum_of_the_row(scores: Sequence[int]) -> None:
    competition, hanchan = ema("zero")
    assert brought(competition, hanchan, scores).is_kept
    assert scores_of(hanchan) == SCORES


@pytest.mark.clause("ema2025", "EB-002")
def test_gains_in_a_file_are_refused_where_scores_are_kept_from_the_start() -> None:
    competition, hanchan = ema("start")
    assert not brought(competition, hanchan, (16_200, 0, -6_000, -10_200)).is_kept


@pytest.mark.clause("ema2025", "EB-002")
@pytest.mark.parametrize("kept_from", ["start", "zero"])
def test_a_client_says_whether_the_scores_it_sends_are_kept_from_zero(kept_from: str) -> None:
    competition, hanchan = ema("start")
    api = Api(factories.user("scorer", Role.SCORER, competition))
    base = 30_000 if kept_from == "zero" else 0
    seats = [
        {"entrant": str(entrant.pk), "score": score - base}
        for entrant, score in zip(seated(hanchan), SCORES, strict=True)
    ]
    api.post(f"hanchan/{hanchan.pk}/results/", {"seats": seats, "kept_from": kept_from}, status=201)
    assert scores_of(hanchan) == SCORES


@pytest.mark.clause("ema2025", "EB-072")
@pytest.mark.parametrize("door", ["file", "REST"])
def test_a_substitute_gets_the_flat_account_by_file_and_over_rest(door: str) -> None:
    text = loader.text_of("mleague").replace('name = "mleague"', 'name = "flat"', 1)
    competition = event(FIXED, ruleset=keep(RulesetRevision, "flat", text + FLAT))
    absent = in_block(main(competition))[0]
    hanchan = seat_of(absent, 1)
    record_no_show(block=main(competition), number=1, entrant=absent, by=SYSTEM, reason="overslept")
    scores = (36_000, 28_000, 22_000, 14_000)
    if door == "file":
        assert brought(competition, hanchan, scores).is_kept
    else:
        api = Api(factories.user("scorer", Role.SCORER, competition))
        seats = [{"entrant": str(who.pk), "score": score} for who, score in zip(seated(hanchan), scores, strict=True)]
        api.post(f"hanchan/{hanchan.pk}/results/", {"seats": seats}, status=201)
    rows = SeatResult.objects.filter(sheet=ResultSheet.objects.counting_of(hanchan)).order_by("seat")
    assert [row.points for row in rows] == [-150, 80, -180, -460]
