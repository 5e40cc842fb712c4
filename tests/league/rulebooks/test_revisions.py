"""Test that competitions start by formats of every kind, and that ties are broken as its format says."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from django.test import Client

from league.models import Competition, FormatRevision, Standing
from league.services.competitions.setup import CompetitionPlan, create_competition
from league.services.rulebooks.revisions import keep
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, league, play, table

EXAMPLES = Path(__file__).resolve().parents[3] / "rulesets" / "formats" / "examples" / "formats.examples.toml"
TEXTS = {each["name"]: each["text"] for each in tomllib.loads(EXAMPLES.read_text(encoding="utf-8"))["format"]}


def created(name: str, text: str) -> Competition:
    plan = CompetitionPlan(slug=name, name=name, ruleset="mleague", league_format=keep(FormatRevision, name, text))
    return create_competition(plan=plan, by=SYSTEM)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["mleague-2019", "mleague-2025"])
def test_a_team_league_is_laid_out_as_stages_of_one_block(name: str) -> None:
    made = created(name, TEXTS[name])
    assert list(made.blocks.order_by("stage__order").values_list("key", flat=True)) == ["regular", "semi", "final"]


@pytest.mark.django_db
def test_a_format_with_arranged_tables_is_laid_out_as_blocks() -> None:
    text = TEXTS["wrc-224"].replace("{ least = 64, most = 400 }", "64")
    made = created("wrc", text)
    tables = list(made.stages.get(key="four").blocks.order_by("order").values_list("key", "name_en"))
    assert tables == [(f"four{n}", f"Round of 16 table {n}") for n in range(1, 5)]
    (block,) = made.stages.get(key="four").blocks.filter(key="four1")
    assert list(block.slots.order_by("number").values_list("source", flat=True)) == [
        "eight1#1",
        "eight5#1",
        "eight4#2",
        "eight8#2",
    ]


OWN = """
name = "evening"
title = "Evening"
players = 4
entrants = 4
tiebreak = { then = ["places", "seed"] }
champion = { block = "final" }

[[stages]]
key = "final"
title = "Final"
hanchan = 1
seating = "stay"
assignment = "seeded"
carry_over = { kind = "none" }
blocks = [{ key = "final", title = "Final", entrants = [{ from = "seed:*" }] }]
"""


@pytest.mark.django_db
@pytest.mark.both_databases
def test_a_tie_is_broken_as_the_format_says_and_pages_tell_by_what(client: Client) -> None:
    made = league(league_format=keep(FormatRevision, "evening", OWN))
    play(table(made.blocks.get(key="final"), numbers=(1,)).hanchan.get(), (25000, 25000, 25000, 25000))
    publish_standings(made.pk)
    rows = Standing.objects.filter(block__key="final", audience="public").order_by("position")
    seeded = [slot.seeded_id for slot in made.blocks.get(key="final").slots.order_by("number")]
    assert [row.entrant_id for row in rows] == seeded
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert [(row.decision or {}).get("criterion") for row in rows] == [None, "seed", "seed", "seed"]
    assert [(row.decision or {}).get("above_value") for row in rows] == [None, 1, 2, 3]
    (block,) = client.get("/api/v1/standings/", {"competition": made.slug}).json()["blocks"]
    label = block["rows"][1]["decision"]["label"]
    assert label == {
        "ja": "トータル同点のため、シード順で決定（1対2）。",
        "en": "Level on points; decided by the seed: 1 against 2.",
    }
    page = client.get(f"/c/{made.slug}/blocks/final/", headers={"accept-language": "ja"}).content.decode()
    assert "トータル同点、シード順で決定" in page
