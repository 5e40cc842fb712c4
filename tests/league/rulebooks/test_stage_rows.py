"""Test another format in a running competition: what is played stays, what comes later follows the format."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Competition, RulesInForce, Slot
from league.platform.errors import RuleViolationError, ServiceError, WarningsNotAcceptedError
from league.selectors.access.readers import public_reader_of
from league.selectors.live.last_kyoku import last_kyoku_document
from league.selectors.rulebooks.rules_in_force import format_of, rules_at, ruleset_of
from league.selectors.standings.derivation import derive
from league.services.results.preview import facts_now
from league.services.rulebooks.own_formats import cloned_format, keep_own_format
from league.services.rulebooks.revisions import (
    RulesChoice,
    keep_format,
    keep_ruleset,
    put_rules_in_force,
)
from league.services.rulebooks.stage_rows import layout_now, layout_of
from league.services.standings.publishing import publish_standings
from scoring.kyoku.state import State
from scoring.ruleset.end import RoundName
from tests import factories
from tests.factories import SYSTEM

pytestmark = pytest.mark.django_db
CINDERELLA = cloned_format("cinderella", "maple")
PLAYOFF_2 = CINDERELLA[CINDERELLA.index('[[stages]]\nkey = "po2"') : CINDERELLA.index('[[stages]]\nkey = "po3"')]
WITHOUT_PLAYOFF_2 = CINDERELLA.replace(PLAYOFF_2, "").replace("po2#1-2", "po1#1-2")


def choice(text: str, since: dt.datetime | None = None) -> RulesChoice:
    league_format = keep_own_format(text=text, by=SYSTEM)
    return RulesChoice(ruleset=keep_ruleset("cinderella"), league_format=league_format, since=since)


def force(season: Competition, text: str, **more: object) -> RulesInForce:
    by = factories.actor(factories.user(is_superuser=True))
    return put_rules_in_force(competition=season, choice=choice(text), by=by, **more)  # type: ignore[arg-type]


def codes(error: pytest.ExceptionInfo[ServiceError]) -> list[str]:
    return [finding.code for finding in error.value.findings]


def begun() -> Competition:
    """Return a season with one result in block A."""
    season = factories.league()
    factories.play(factories.table(season.blocks.get(key="A")).hanchan.get(round=1))
    season.refresh_from_db()
    return season


def test_later_stages_may_go_while_the_preliminary_is_played() -> None:
    season = begun()
    seeds = dict(Slot.objects.exclude(seeded=None).values_list("source", "seeded"))
    before = derive(facts_now(season)).standings["A"]
    with pytest.raises(WarningsNotAcceptedError) as refused:
        force(season, WITHOUT_PLAYOFF_2)
    assert codes(refused) == ["stages_change"]
    assert "Playoff 2" in str(refused.value)
    rules = force(season, WITHOUT_PLAYOFF_2, accept={"stages_change"})
    assert layout_now(season) == layout_of(format_of(rules))
    assert not season.stages.filter(key="po2").exists()
    assert [stage.order for stage in season.stages.order_by("order")] == [1, 2, 3, 4]
    assert dict(Slot.objects.exclude(seeded=None).values_list("source", "seeded")) == seeds
    season.refresh_from_db()
    assert derive(facts_now(season)).standings["A"] == before
    force(season, CINDERELLA, accept={"stages_change"})
    assert layout_now(season) == layout_of(format_of(rules_at(season)))


OTHER_SEEDS = CINDERELLA.replace('"seed:1-8"', '"seed:5-12"').replace(
    '{ from = "seed:9-16"', '{ from = "seed:1-4" }, { from = "seed:13-16"'
)


@pytest.mark.parametrize(
    "text",
    [
        CINDERELLA.replace("hanchan = 8\nsessions = 2", "hanchan = 12\nsessions = 3"),
        CINDERELLA.replace('"preliminary"', '"regular"').replace('"preliminary#', '"regular#'),
        OTHER_SEEDS,
    ],
    ids=["hanchan", "stage", "seeds"],
)
def test_what_is_played_stays_as_it_is(text: str) -> None:
    with pytest.raises(RuleViolationError) as refused:
        force(begun(), text, accept={"stages_change"})
    assert codes(refused) == ["block_in_use"]


def test_titles_of_played_stages_may_change() -> None:
    season = begun()
    force(season, CINDERELLA.replace("Aブロック", "赤組"))
    assert season.blocks.get(key="A").name == "赤組"


@pytest.mark.both_databases
def test_before_the_first_table_any_format_takes_the_place_of_another() -> None:
    season = factories.league()
    rules = force(season, cloned_format("single-table-final", "only"), accept={"stages_change"})
    assert layout_now(season) == layout_of(format_of(rules))
    assert set(Slot.objects.values_list("source", "seeded__number")) == {(f"seed:{n}", n) for n in range(1, 5)}
    assert season.entrants.count() == 16


def test_a_block_of_a_later_format_takes_results_of_days_before_it_came_into_force() -> None:
    season = factories.league()
    force(season, cloned_format("single-table-final", "only").replace('"final"', '"top4"'), accept={"stages_change"})
    evening = timezone.now() - dt.timedelta(days=3)
    table = factories.table(season.blocks.get(), starts_at=evening)
    *earlier, last = table.hanchan.order_by("round")
    for place, hanchan in enumerate(earlier, start=1):
        factories.play(hanchan, (41200 + 100 * place, 30100, 18700, 10000 - 100 * place))
    publish_standings(season.pk)
    state = State((25000,) * 4, RoundName.SOUTH, 4)
    assert last_kyoku_document(last, state, ruleset_of(last.rules), public_reader_of(season))["seats"]
    factories.play(last)


def test_other_stages_come_into_force_at_once_and_after_all_others() -> None:
    season = factories.league()
    for since in (timezone.now() + dt.timedelta(days=1), timezone.now() - dt.timedelta(days=400)):
        with pytest.raises(RuleViolationError) as refused:
            put_rules_in_force(competition=season, choice=choice(WITHOUT_PLAYOFF_2, since), by=SYSTEM)
        assert codes(refused) == ["other_stages"]


def test_a_block_with_a_table_cannot_go_before_it_is_played() -> None:
    season = factories.league()
    factories.table(season.blocks.get(key="B"))
    choice_of_other = RulesChoice(ruleset=keep_ruleset("cinderella"), league_format=keep_format("open-play"))
    with pytest.raises(RuleViolationError) as refused:
        put_rules_in_force(competition=season, choice=choice_of_other, by=SYSTEM)
    assert codes(refused) == ["block_in_use"]


@pytest.mark.both_databases
def test_the_page_of_rules_shows_what_changes_and_asks_first(chief: Client) -> None:
    season = factories.league()
    keep_own_format(text=WITHOUT_PLAYOFF_2, by=SYSTEM)
    typed = {"ruleset": "cinderella", "league_format": "maple@1"}
    page = f"/admin/league/competition/{season.pk}/rules/"
    asked = chief.post(page, typed)
    assert "stages_change" in asked.content.decode()
    assert chief.post(page, {**typed, "accept": "stages_change"}).status_code == 302
    assert not season.stages.filter(key="po2").exists()
