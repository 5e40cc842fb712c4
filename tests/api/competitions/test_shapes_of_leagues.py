"""REST documents of unusual leagues: drawn stages, exact fractions, overridden slots, ledgers entered with a result."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from league.models import Competition, Role
from league.services.results.rulings import draw_stage, override_slot
from league.services.standings.publishing import publish_standings
from league.web.document_parts import exact
from rulesets.loader import load
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db

CHIP_BOOK, CHIP_LEDGER = "banchi4", "g"


@pytest.mark.parametrize(
    ("amount", "text"), [("-30", "-30.0"), ("61/5", "12.2"), ("1/8", "0.125"), ("20/3", "20/3"), ("-1/40", "-0.025")]
)
def test_an_exact_amount_is_a_decimal_if_finite_and_a_fraction_otherwise(amount: str, text: str) -> None:
    assert exact(amount, load("cinderella").ranking_ledger) == text
    assert Fraction(text) == Fraction(amount)


def test_a_drawn_stage_has_a_pool_and_links_of_kind_draw() -> None:
    competition = factories.league("older", league_format="cinderella-2018")
    publish_standings(competition.pk)
    bracket = Api().get("competitions/older/bracket/")
    assert {pool["stage"] for pool in bracket["pools"]} == {"semifinal"}
    kinds = {link["kind"] for link in bracket["links"]}
    assert {"seed", "rank", "best", "draw"} <= kinds
    best = next(link for link in bracket["links"] if link["kind"] == "best")
    assert (best["from_stage"], best["from_block"]) == ("preliminary", None)
    stage = competition.stages.get(key="semifinal")
    draw_stage(stage=stage, by=factories.SYSTEM, seed="dice", reason="Drawn in public.")
    publish_standings(competition.pk)
    drawn = Api().get("competitions/older/bracket/")
    assert {slot["reason"] for slot in drawn["slots"] if slot["source"].startswith("draw:")} != {"undrawn"}


def test_an_override_shows_its_source_and_its_reason() -> None:
    competition = factories.final_table()
    block = competition.blocks.get()
    extra = factories.entrants(competition, 1, prefix="X")[0]
    slot = block.slots.get(number=4)
    override_slot(slot=slot, source="ruling", entrant=extra, by=factories.SYSTEM, reason="Fell ill.")
    publish_standings(competition.pk)
    bracket = Api().get("competitions/final/bracket/")
    shown = next(row for row in bracket["slots"] if row["id"] == str(slot.pk))
    assert (shown["entrant"], shown["source"], shown["note"]) == (str(extra.pk), "ruling", "Fell ill.")
    assert next(link["kind"] for link in bracket["links"] if link["slot"] == str(slot.pk)) == "ruling"


class TestChips:
    """A ruleset in which chips are entered with the result."""

    @pytest.fixture
    def competition(self) -> Competition:
        return factories.league("chips", ruleset=CHIP_BOOK, league_format="single-table-final", status=None)

    @pytest.fixture
    def scorer(self, competition: Competition) -> Api:
        return Api(factories.user(role=Role.DIRECTOR, competition=competition))

    def body(self, competition: Competition, *chips: str) -> tuple[str, dict[str, Any]]:
        """Return the preview path and the body of a submission with chips by seat."""
        people = factories.in_block(competition.blocks.get())
        hanchan = factories.table(competition.blocks.get(), people[: len(chips)], numbers=(1,)).hanchan.get()
        rules = load(CHIP_BOOK)
        seats = [{"entrant": str(who.pk), "score": rules.setup.start} for who in people[: len(chips)]]
        return f"hanchan/{hanchan.pk}/results/preview/", {"seats": seats, "carried": {CHIP_LEDGER: list(chips)}}

    def test_chip_amounts_are_accepted_at_the_scale_of_the_ledger(self, competition: Competition, scorer: Api) -> None:
        path, body = self.body(competition, "1500", "-500", "-500", "-500")
        seats = scorer.post(path, body)["seats"]
        chips = [line["amount"] for seat in seats for line in seat["lines"] if line["cause"] == "chips"]
        assert chips == ["1500", "-500", "-500", "-500"]

    def test_an_amount_finer_than_the_scale_of_the_ledger_is_refused(
        self, competition: Competition, scorer: Api
    ) -> None:
        path, body = self.body(competition, "0.5", "-0.5", "0", "0")
        [error] = scorer.post(path, body, status=422)["errors"]
        assert (error["code"], error["pointer"]) == ("amount_too_fine", f"/carried/{CHIP_LEDGER}")

    def test_chip_amounts_that_do_not_add_up_give_a_finding(self, competition: Competition, scorer: Api) -> None:
        path, body = self.body(competition, "1500", "-500", "-500", "0")
        assert "ledger_sum" in {finding["code"] for finding in scorer.post(path, body)["findings"]}
