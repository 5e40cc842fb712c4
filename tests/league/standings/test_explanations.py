"""Tests of the explanations of shared ranks: for now, or for good where the format compares only totals."""

from __future__ import annotations

import pytest
from django.test import Client

from league.models import Competition, FormatRevision
from league.services.rulebooks.revisions import keep
from league.services.standings.publishing import publish_standings
from rulesets.formats import format_text
from tests.factories import league, play, table

pytestmark = pytest.mark.django_db

LEVEL_SECONDS = (40000, 25000, 25000, 10000)


def totals_only() -> FormatRevision:
    """Return a format for one table without a champion, in which nothing but the totals is compared."""
    before, _back_tracking, rest = format_text("single-table-final").partition("back_tracking = [")
    return keep(FormatRevision, "totals-only", f"{before}[[stages]]{rest.partition('[[stages]]')[2]}")


def page_of(season: Competition, client: Client) -> str:
    """Return the English page of the only block."""
    publish_standings(season.pk)
    return client.get(f"/c/{season.slug}/blocks/final/", headers={"accept-language": "en"}).content.decode()


def test_level_entrants_of_a_finished_block_share_the_rank_by_rule_where_only_totals_count(client: Client) -> None:
    season = league(league_format=totals_only())
    games = list(table(season.blocks.get()).hanchan.order_by("round"))
    for hanchan in games[:3]:
        play(hanchan, LEVEL_SECONDS, accept={"same_result_twice"})
    under_way = page_of(season, client)
    assert "Level, so far with nothing to separate them" in under_way
    assert "by rule only the total counts here" in under_way
    play(games[3], LEVEL_SECONDS, accept={"same_result_twice"})
    over = page_of(season, client)
    assert "so far" not in over
    assert "They share the rank" in over
    assert "level in all; only the total counts, so they share the rank" in over
    document = client.get(f"/api/v1/competitions/{season.slug}/explanations/").json()
    assert [pair["label"]["en"] for pair in document["blocks"][0]["pairs"]][1].startswith(
        "level in all; only the total"
    )
