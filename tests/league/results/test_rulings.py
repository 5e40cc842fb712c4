"""Tests of the admin pages on decisions: rulings, adjustments, overrides, draws, withdrawals; none in a closed one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.test import Client

from league.models import Adjustment, Block, Competition, Outcome, Override, Ruling, Slot
from league.platform.errors import ConflictError
from league.services.competitions.arrivals import check_in, take_check_in_back
from league.services.competitions.departures import disqualify, withdraw
from league.services.competitions.setup import set_status
from league.services.results.rulings import (
    adjust_points,
    close_block,
    draw_stage,
    override_slot,
    pass_over,
    rule_on_tie,
    swap_slots,
    take_back,
)
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.factories import SYSTEM
from tests.league.admin_pages import at, done, errors_of

pytestmark = pytest.mark.django_db


@pytest.mark.both_databases
def test_the_start_page_links_to_the_ruling_on_a_tie(chief: Client) -> None:
    final = factories.final_table()
    table = factories.table(final.blocks.get())
    for place, hanchan in enumerate(table.hanchan.order_by("round")):
        factories.play(hanchan, (35000, 35000, 16000 - place * 100, 14000 + place * 100))
    publish_standings(final.pk)
    (tie,) = chief.get("/admin/").context["ties"]
    assert sorted(tie.names) == ["Player final1", "Player final2"]
    form = chief.get(tie.url).context["form"]
    first, second = (entrant.pk for entrant in form.tied)
    assert (
        "Put each player in one place"
        in errors_of(chief, tie.url, {"place_1": first, "place_2": first, "reason": "Lot"})["__all__"][0]
    )
    done(chief, tie.url, {"place_1": second, "place_2": first, "reason": "By lot"})
    publish_standings(final.pk)
    assert Ruling.objects.get().order == [second, first]
    assert Outcome.objects.get(audience="staff").champion_id == second
    assert chief.get("/admin/").context["ties"] == []
    assert "not tied there any more" in errors_of(chief, tie.url.replace("scope=final", "scope=x"), {
        "place_1": second, "place_2": first, "reason": "By lot"})["place_1"][0]  # fmt: skip
    assert chief.get(at(final, "rule")).status_code == 404


@pytest.mark.both_databases
def test_a_point_adjustment_needs_a_reason_and_can_be_taken_back(chief: Client) -> None:
    season = factories.league()
    block = season.blocks.get(key="A")
    entrant = factories.in_block(block)[0]
    values = {"entrant": entrant.pk, "points": "▲２０．５", "reason": "Late"}
    assert "not an amount" in errors_of(chief, at(block, "adjust"), {**values, "points": "x"})["points"][0]
    assert "more decimals" in errors_of(chief, at(block, "adjust"), {**values, "points": "0.05"})["points"][0]
    assert "changes nothing" in errors_of(chief, at(block, "adjust"), {**values, "points": "0"})["points"][0]
    done(chief, at(block, "adjust"), values)
    adjustment = Adjustment.objects.get()
    assert adjustment.points == -205
    publish_standings(season.pk)
    assert "-20.5" in chief.get("/admin/league/standing/").content.decode()
    assert "Take back..." in chief.get(at(adjustment, "change")).content.decode()
    done(chief, at(adjustment, "take-back"), {"reason": "On time after all"})
    assert "taken back already" in errors_of(chief, at(adjustment, "take-back"), {"reason": "Again"})["__all__"][0]


def test_an_entrant_is_passed_over_and_a_slot_is_filled_from_another_source(chief: Client) -> None:
    season = factories.league()
    block = season.blocks.get(key="A")
    people = factories.in_block(block)
    done(chief, at(block, "pass-over"), {"entrant": people[0].pk, "reason": "Withdrew"})
    slot = season.blocks.get(key="final").slots.get(number=1)
    override = at(slot, "override")
    assert "So far: 1st of Block A (A#1)" in chief.get(override).content.decode()
    assert "either a source or a player" in errors_of(chief, override, {"reason": "Ill"})["__all__"][0]
    assert "no block" in errors_of(chief, override, {"source": "Z#1", "reason": "Ill"})["source"][0]
    done(chief, override, {"source": "A#6", "reason": "Ill"})
    other = season.blocks.get(key="final").slots.get(number=2)
    done(chief, at(other, "override"), {"entrant": people[7].pk, "reason": "Invited"})
    assert list(Override.objects.order_by("made_n").values_list("kind", "source")) == [
        ("pass_over", ""), ("replace", "A#6"), ("replace", "ruling"),
    ]  # fmt: skip
    for decision in Override.objects.all():
        done(chief, at(decision, "take-back"), {"reason": "Changed again"})


@pytest.mark.both_databases
def test_a_stage_is_drawn_and_its_draw_is_taken_back(chief: Client) -> None:
    season = factories.league("drawn", league_format="cinderella-2018")
    stage = season.stages.get(key="semifinal")
    done(chief, at(stage, "draw"), {"seed": "4711", "reason": "Drawn in public"})
    draw = stage.draws.get()
    assert sorted(number for numbers in draw.result.values() for number in numbers) == list(range(1, 9))
    done(chief, at(draw, "take-back"), {"reason": "A player was missing"})
    other = season.stages.get(key="final")
    assert "is not drawn" in str(errors_of(chief, at(other, "draw"), {"seed": "1", "reason": "x"}))


@pytest.mark.both_databases
def test_an_entrant_withdraws(chief: Client) -> None:
    entrant = factories.in_block(factories.league().blocks.get(key="A"))[0]
    assert "Withdraw..." in chief.get(at(entrant, "change")).content.decode()
    done(chief, at(entrant, "withdraw"), {"reason": "Moved away"})
    entrant.refresh_from_db()
    assert entrant.withdrawn_at is not None


def test_a_place_that_cannot_be_filled_so_is_refused_in_the_readers_language(chief: Client) -> None:
    season = factories.league()
    slot = season.blocks.get(key="A").slots.get(number=7)
    later = season.blocks.get(key="po1").slots.get(number=1)
    swap = {"other": later.pk, "reason": "Asked to"}
    said = f"Block A, place 7: {later.source}: A is not played before this stage"
    assert said in errors_of(chief, at(slot, "swap"), swap)["other"][0]
    chief.defaults["HTTP_ACCEPT_LANGUAGE"] = "ja"
    told = errors_of(chief, at(slot, "swap"), swap)["other"][0]
    assert told.startswith(f"Aブロック 枠7：{later.source}：")
    override = {"source": "seed:99", "reason": "Asked to"}
    assert errors_of(chief, at(slot, "override"), override)["source"] == ["Aブロック 枠7：シードは1から16までです"]


def test_a_closed_competition_takes_no_decision_and_gives_none_back() -> None:
    season = factories.league("drawn", league_format="cinderella-2018")
    first = season.blocks.get(key="A")
    adjust_points(block=first, entrant=factories.in_block(first)[0], points=10, by=SYSTEM, reason="Fair play")
    # All rows were read while the competition was open, as by a request that begins just before it is closed.
    block, given = Block.objects.select_related("competition").get(pk=first.pk), Adjustment.objects.get()
    one, other = factories.in_block(block)[:2]
    set_status(competition=Competition.objects.get(pk=season.pk), status=Competition.Status.CLOSED, by=SYSTEM)
    slots = list(Slot.objects.filter(block__competition=season, block__key="final"))
    more: dict[str, Any] = {"by": SYSTEM, "reason": "Too late"}
    calls: tuple[Callable[[], object], ...] = (
        partial(adjust_points, block=block, entrant=one, points=10, **more),
        partial(rule_on_tie, competition=season, scope="A", order=[one, other], **more),
        partial(override_slot, slot=slots[0], source="A#2", **more),
        partial(swap_slots, first=slots[0], second=slots[1], **more),
        partial(pass_over, block=block, entrant=one, **more),
        partial(close_block, block=block, **more),
        partial(draw_stage, stage=season.stages.get(key="semifinal"), seed="4711", **more),
        partial(take_back, decision=given, competition=season, **more),
        partial(withdraw, entrant=one, **more),
        partial(disqualify, entrant=one, **more),
        partial(check_in, entrant=one, by=SYSTEM),
        partial(take_check_in_back, entrant=one, by=SYSTEM),
    )
    for decide in calls:
        with pytest.raises(ConflictError) as refused:
            decide()
        assert [finding.code for finding in refused.value.findings] == ["competition_closed"]
