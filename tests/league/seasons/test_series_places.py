"""Tests of the places of a tier while it is played: borders, conditions and labels of promotion and relegation."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from league.models import Competition, Forecast, Hanchan, MoveDecision, Player, Standing, Term
from league.selectors.access.readers import reader_of
from league.selectors.seasons.series_moves import full_moves
from league.selectors.standings.conditions import BlockConditions, conditions_of
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.operations.verification import differences_of
from league.services.results.results import record_result
from league.services.rulebooks.own_formats import keep_own_format
from league.services.seasons.moves import decide_move, take_move_decision_back
from league.services.seasons.series import SeriesPlan, create_series, create_tiers, revise_rules
from league.services.standings.odds import publish_odds
from league.services.standings.publishing import publish_standings
from scoring.conditions import Word
from scoring.conditions.profile import Span
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
def competitions(term: Term) -> dict[str, Competition]:
    """Return the tiers of the term."""
    return tiers(term)


@pytest.fixture(scope="module")
def term(shared_rows: None) -> Term:
    """Return a term of two tiers of eight players after the first of two rounds, with the second one scheduled."""
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
    return series.terms.get()


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


def decide(tier: Competition, name: str, kind: MoveDecision.Kind) -> MoveDecision:
    tier.refresh_from_db()
    assert tier.term is not None
    row = decide_move(term=tier.term, player=player_of(tier, name), kind=kind, reason="転居", by=SYSTEM)
    publish_standings(tier.pk)
    return row


def player_of(tier: Competition, name: str) -> Player:
    return tier.entrants.get(player__name=f"{name}さん").player


def names_by_destination(tier: Competition, destination: str) -> list[str]:
    rows = Standing.objects.filter(block__competition=tier, audience="public", destination=destination)
    return [row.entrant.player.name.removesuffix("さん") for row in rows.order_by("position")]


def test_decisions_made_during_the_season_move_the_borders_of_tables_conditions_and_chances(
    competitions: dict[str, Competition],
) -> None:
    tier = competitions["A"]
    first, *_rest, last = names_in_table(tier)
    kept = decide(tier, last, MoveDecision.Kind.SEAT_KEPT)
    decide(tier, first, MoveDecision.Kind.LEAVES)
    assert destinations(tier) == ["leaves:A", "to:title", *["stay:A"] * 3, *["down:B"] * 2, "kept:A"]
    # The moves as they stand are the same, but for level players: only the table puts them in some order.
    ways = {each.player.name.removesuffix("さん"): each.direction for each in full_moves(kept.term).moves}
    down = names_by_destination(tier, "down:B")
    assert {ways[name] for name in down} == {"down", "open"}
    assert not [name for name in names_in_table(tier) if ways[name] == "down" and name not in down]
    title, staying = conditions(tier).targets
    assert [(each.target.places, len(each.target.exempt)) for each in (title, staying)] == [(1, 1), (4, 2)]
    words = {each.entrant.player.name.removesuffix("さん"): each.status.word for each in staying.players}
    assert (words[last], words[first]) == (Word.CERTAIN, Word.ELIMINATED)
    assert all(each.needs for each in staying.players if each.entrant.pk not in staying.target.exempt)
    assert not any(each.needs or each.distance for each in staying.players if each.entrant.pk in staying.target.exempt)
    publish_odds(tier.pk)
    forecast = Forecast.objects.get(competition=tier, audience="public")
    (block,) = forecast.payload["blocks"]
    counted = dict(block["goals"]["stay:A"])
    assert sum(counted.values()) == 4 * forecast.seasons
    assert {counted[entrant] for entrant in staying.target.exempt} == {0}
    take_move_decision_back(decision=kept, reason="plays on", by=SYSTEM)
    publish_standings(tier.pk)
    assert destinations(tier) == ["leaves:A", "to:title", *["stay:A"] * 4, *["down:B"] * 2]
    assert not list(differences_of(tier))


def test_a_total_that_promotion_needs_is_part_of_its_conditions_and_of_its_chance(
    competitions: dict[str, Competition],
) -> None:
    tier = competitions["B"]
    publish_odds(tier.pk)
    found = conditions(tier)
    promotion = found.targets[0]
    assert (promotion.target.destination, promotion.target.needed) == ("up:A:40", 400)
    forecast = Forecast.objects.get(competition=tier, audience="public")
    (block,) = forecast.payload["blocks"]
    reached, ranks = dict(block["goals"]["up:A:40"]), dict(block["ranks"])
    # In some seasons the second has less than 40 points: then the rank is reached and promotion is not.
    assert 0 < sum(reached.values()) < 2 * forecast.seasons
    for player in promotion.players:
        entrant = player.entrant.pk
        assert reached[entrant] <= sum(ranks[entrant][:2])
        assert player.status.percent == percent_text(reached[entrant], forecast.seasons)
        assert player.to_total == 400 - player.ranked.total
        assert player.needs is not None
        for place in player.needs.places:
            for way in (way for case in place.cases for way in case.sure):
                own = [each.least for each in way if each.rival is None]
                bonus = found.situation.worth.bonus[Span(place.place)]
                # 30,000 points are returned, a thousand of them are a point, at a scale of ten.
                assert own or 400 - player.ranked.total <= bonus
                least = max(own, default=0)
                assert player.ranked.total + bonus + least * found.situation.worth.per_unit // 100 >= 400 or not own


def test_the_pages_say_whose_decision_has_moved_a_border(competitions: dict[str, Competition], client: Client) -> None:
    tier = competitions["B"]
    first, second, *_rest = names_in_table(tier)
    decide(tier, first, MoveDecision.Kind.DECLINED)
    decide(tier, second, MoveDecision.Kind.LEAVES)

    def page(path: str) -> str:
        response = client.get(f"/c/{tier.slug}/{path}", headers={"accept-language": "en"})
        return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", response.content.decode())).split())

    told = f"Player {first} (1st) declines, Player {second} (2nd) leaves: 4th, too, leads to promotion to League A."
    table = page("blocks/all/")
    assert told in table
    assert "declines promotion" in table
    assert "leaves the series" in table
    assert told in page("conditions/")
    assert told in page(f"players/{player_of(tier, names_in_table(tier)[3]).key}/")
    assert "As it stands declines promotion" in page(f"players/{player_of(tier, first).key}/")


def names_in_table(tier: Competition) -> list[str]:
    """Return the names of a tier's players in the order of its public table."""
    rows = Standing.objects.filter(block__competition=tier, audience="public").order_by("position")
    return [row.entrant.player.name.removesuffix("さん") for row in rows.select_related("entrant__player")]
