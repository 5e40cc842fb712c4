"""Tests of the places of a tier while it is played: borders, conditions and labels of promotion and relegation."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from league.models import Competition, Forecast, Hanchan, Standing
from league.selectors.access.readers import reader_of
from league.selectors.standings.conditions import BlockConditions, conditions_of
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.results.results import record_result
from league.services.rulebooks.own_formats import keep_own_format
from league.services.seasons.series import SeriesPlan, create_series, create_tiers, revise_rules
from league.services.standings.odds import publish_odds
from league.services.standings.publishing import publish_standings
from scoring.conditions import Word
from scoring.odds.shares import percent_text
from tests.factories import SYSTEM, entry, in_block
from tests.league.seasons.pyramid import SHUFFLED, TIER, enter, person, publish, tiers

pytestmark = pytest.mark.django_db

SERIES = """
name = "places"
kind = "series"
title = "places"
tiebreak = { then = ["prior"] }
moves = [
  { from = "A#1", to = "title" },
  { from = "A#last:1-2", to = "B" },
  { from = "B#1-2", to = "A", if = { total_at_least = "40.0" } },
]
ledger = { tier = "B", gains = [2, 1], promote_at = 3, within_terms = 2 }
outside = [{ key = "title", title = { ja = "決定戦", en = "Title match" } }]
tiers = [
  { key = "A", title = { ja = "A級", en = "League A" }, size = { least = 8, most = 8 }, format = "tier-8" },
  { key = "B", title = { ja = "B級", en = "League B" }, size = { least = 8, most = 8 }, format = "tier-8" },
]
"""


@pytest.fixture
def competitions() -> dict[str, Competition]:
    """Return two tiers of eight players after the first of two rounds, with the second one scheduled."""
    two_rounds = TIER.format(size=8).replace("hanchan = 1", "hanchan = 2").replace('numbers = "1"', 'numbers = "1-2"')
    keep_own_format(text=two_rounds, by=SYSTEM)
    plan = SeriesPlan(slug="places", name="春リーグ戦", name_en="Spring series", text=SERIES, is_public=True)
    series = create_series(plan=plan, by=SYSTEM)
    for tier in create_tiers(term=series.terms.get(), ruleset="mleague", by=SYSTEM):
        enter(tier, [person(f"{tier.tier}{n}", "places") for n in range(1, 9)])
        publish(tier)
        for round_ in (1, 2):
            schedule(tier, round_)
        for hanchan in Hanchan.objects.filter(block__competition=tier, number=1).order_by("pk"):
            finish(hanchan, SHUFFLED)
        publish_standings(tier.pk)
    return tiers(series.terms.get())


def schedule(tier: Competition, number: int) -> None:
    """Schedule a round: 1, 3, 5, 7 and the others at first, then the upper and the lower half by seed."""
    people = in_block(tier.blocks.select_related("stage", "competition").get())
    session = create_session(competition=tier, by=SYSTEM)
    for table, company in enumerate((people[::2], people[1::2]) if number == 1 else (people[:4], people[4:]), start=1):
        fixture = Fixture(block=tier.blocks.get(), numbers=(number,), entrants=company, table=str(table))
        create_table_session(session=session, fixture=fixture, by=SYSTEM)


def finish(hanchan: Hanchan, scores: tuple[int, ...]) -> None:
    company = [seat.entrant for seat in hanchan.seats.order_by("seat")]
    accepted = {"same_result_twice", "extreme_score"}
    record_result(hanchan=hanchan, entry=entry(company, scores), by=SYSTEM, accept=accepted)


def destinations(tier: Competition) -> list[str]:
    rows = Standing.objects.filter(block__competition=tier, audience="public").order_by("position")
    return [row.destination for row in rows]


def conditions(tier: Competition) -> BlockConditions:
    tier.refresh_from_db()
    (found,) = conditions_of(reader_of(tier, AnonymousUser()))
    return found


def test_ranks_lead_where_the_series_moves_them_and_conditions_say_what_that_requires(
    competitions: dict[str, Competition],
) -> None:
    assert destinations(competitions["A"]) == ["to:title", *["stay:A"] * 5, *["down:B"] * 2]
    assert destinations(competitions["B"]) == ["up:A:40"] * 2 + ["gain:2", "gain:1"] + ["same:B"] * 4
    of_a, of_b = conditions(competitions["A"]), conditions(competitions["B"])
    assert [(each.target.places, each.target.destination) for each in of_a.targets] == [(1, "to:title"), (6, "stay:A")]
    assert [(each.target.places, each.target.destination) for each in of_b.targets] == [
        (2, "up:A:40"),
        (3, "gain:2"),
        (4, "gain:1"),
    ]
    staying = of_a.targets[1].players
    assert all(player.needs and player.sentences for player in staying)
    assert not any(each.target.is_last_to_go_on for each in of_a.targets)


def test_new_rules_of_the_series_change_the_places_of_its_tiers(competitions: dict[str, Competition]) -> None:
    tier = competitions["A"]
    tier.refresh_from_db()
    assert tier.term is not None
    text = SERIES.replace('"A#1"', '"A#1-2"')
    revise_rules(series=tier.term.series, text=text, reason="two play for the title", by=SYSTEM)
    before = tier.version
    tier.refresh_from_db()
    assert tier.version > before
    publish_standings(tier.pk)
    assert destinations(tier) == [*["to:title"] * 2, *["stay:A"] * 4, *["down:B"] * 2]


def test_simulated_seasons_give_the_chance_of_staying_up(competitions: dict[str, Competition], client: Client) -> None:
    tier = competitions["A"]
    publish_odds(tier.pk)
    title, staying = conditions(tier).targets
    percents = {player.entrant.pk: player.status.percent for player in staying.players}
    assert all(percents.values())
    forecast = Forecast.objects.get(competition=tier, audience="public")
    (block,) = forecast.payload["blocks"]
    counts = dict(block["ranks"])
    assert percents == {entrant: percent_text(sum(ranks[:6]), forecast.seasons) for entrant, ranks in counts.items()}
    assert any(player.status.percent != percents[player.entrant.pk] for player in title.players)
    page = client.get(f"/c/{tier.slug}/conditions/", headers={"accept-language": "en"}).content.decode()
    assert "staying in League A or better: chance " in page


def test_a_rank_without_the_total_it_needs_is_not_certain(competitions: dict[str, Competition]) -> None:
    tier = competitions["B"]
    finish(
        Hanchan.objects.filter(block__competition=tier, number=2).order_by("pk")[0], (25_100, 25_000, 25_000, 24_900)
    )
    publish_standings(tier.pk)
    players = conditions(tier).targets[0].players
    done = [player for player in players if not player.left]
    short = [player for player in done if player.ranked.total < 400]
    assert 0 < len(short) < len(done)
    # Those who have finished below the total can no longer go up, whatever their rank.
    assert {player.status.word for player in short} == {Word.ELIMINATED}
    assert Word.ELIMINATED not in {player.status.word for player in done if player not in short}


def test_the_pages_of_a_tier_name_its_borders_and_what_staying_up_requires(
    competitions: dict[str, Competition], client: Client
) -> None:
    def page(tier: str, path: str, language: str = "en") -> str:
        response = client.get(f"/c/{competitions[tier].slug}/{path}", headers={"accept-language": language})
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", response.content.decode())).split())

    upper, lower, japanese = page("A", "blocks/all/"), page("B", "blocks/all/"), page("A", "blocks/all/", "ja")
    assert "↑ staying in League A · ↓ relegation to League B" in upper
    assert "↑ a place in Title match · ↓ staying in League A" in upper
    assert "promotion to League A with a total of 40.0 or more" in lower
    assert "A級残留" in japanese
    assert "B級降級" in japanese
    # Seventh after the first round, and so below the border.
    card = page("A", "players/places-a7/")
    assert "relegation to League B 27.8 behind Player A6" in card
    assert "What it takes: staying in League A or better (first 6)" in card
    assert "enough for staying in League A" in card
