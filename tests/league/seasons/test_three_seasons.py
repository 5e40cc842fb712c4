"""Test three seasons of four tiers with random results: valid rosters, each move explained, undone and redone alike."""

from __future__ import annotations

import random

import pytest
from django.test import Client

from league.models import MoveDecision, Player, Series, Term
from league.selectors.seasons.series_moves import full_moves
from league.selectors.seasons.series_rules import rules_of_series
from league.services.results.rulings import rule_on_tie
from league.services.rulebooks.own_formats import keep_own_format
from league.services.seasons.moves import decide_move, decide_newcomer
from league.services.seasons.next_rosters import undo_next_roster, write_next_roster
from league.services.seasons.series import SeriesPlan, create_series, create_tiers
from league.services.standings.publishing import publish_standings
from scoring.pyramid.movement import RosterFaultCode
from tests.factories import SYSTEM
from tests.league.seasons.pyramid import FOUR_TIERS, OPEN_TIER, enter, names_in, person, play, publish, tiers

pytestmark = pytest.mark.django_db
SEASONS = 3


def pyramid() -> Series:
    """Create a series of four tiers with sixteen players each."""
    keep_own_format(text=OPEN_TIER, by=SYSTEM)
    series = create_series(plan=SeriesPlan(slug="four", name="四部", text=FOUR_TIERS, is_public=True), by=SYSTEM)
    for competition in create_tiers(term=series.terms.get(), ruleset="mleague", by=SYSTEM):
        enter(competition, [person(f"{competition.tier}{n}", "four") for n in range(1, 17)])
    return series


def play_term(term: Term, dice: random.Random) -> None:
    """Publish the tiers, seat each by chance and play them."""
    for competition in tiers(term).values():
        publish(competition)
        people = list(competition.entrants.select_related("player").order_by("number"))
        dice.shuffle(people)
        play(competition, people, dice)


def decide(term: Term, dice: random.Random) -> None:
    """Let one player of the lowest tier leave, a newcomer take the place, and the first of C decline."""
    lowest = tiers(term)["D"].entrants.select_related("player").order_by("number")
    leaver = dice.choice([row.player for row in lowest])
    decide_move(term=term, player=leaver, kind=MoveDecision.Kind.LEAVES, reason="転居", by=SYSTEM)
    decide_newcomer(term=term, name=f"新人{term.number}さん", tier="D", reason="入会", by=SYSTEM)
    free = [move for move in full_moves(term).moves if move.movement.source == "C" and move.direction == "up"]
    decide_move(term=term, player=free[0].player, kind=MoveDecision.Kind.DECLINED, reason="辞退", by=SYSTEM)


def settle_ties(term: Term) -> None:
    """Rule on the level players at each border, by their entrants' numbers."""
    for fault in full_moves(term).faults:
        assert fault.code is RosterFaultCode.AWAITING
        competition = tiers(term)[fault.tier]
        level = competition.entrants.filter(player__in=[int(str(pk)) for pk in fault.players]).order_by("number")
        rule_on_tie(competition=competition, scope="all", order=list(level), by=SYSTEM, reason="抽選")
        publish_standings(competition.pk)


def write(term: Term) -> dict[str, list[str]]:
    """Write the roster after a term, and return the next term's entrants by tier."""
    write_next_roster(term=term, digest=full_moves(term).digest, by=SYSTEM)
    following = term.series.terms.get(number=term.number + 1)
    return {key: names_in(row) for key, row in tiers(following).items()}


@pytest.mark.parametrize("seed", [28, pytest.param(64, marks=pytest.mark.slow)])
def test_three_seasons_of_four_tiers_are_valid_explained_and_can_be_redone(client: Client, seed: int) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    dice = random.Random(seed)
    series = pyramid()
    rules = rules_of_series(series)
    for number in range(1, SEASONS + 1):
        term = series.terms.get(number=number)
        play_term(term, dice)
        decide(term, dice)
        settle_ties(term)
        found = full_moves(term)
        assert not found.faults
        assert {move.player.pk for move in found.moves if move.movement.source} == set(found.tables.entrants)
        written = write(term)
        undo_next_roster(term=term, reason="try again", by=SYSTEM)
        assert full_moves(term).digest == found.digest
        assert write(term) == written
        for tier in rules.tiers:
            assert tier.size.least <= len(written[tier.key]) <= tier.size.most
        everyone = [name for names in written.values() for name in names]
        assert len(set(everyone)) == len(everyone) == 64
        page = client.get(f"/series/four/terms/{number}/").content.decode()
        for move in found.moves:
            assert str(Player.objects.get(pk=move.player.pk).name_romaji or move.player.name) in page
        assert "The roster of the next term was decided" in page
        assert page.count('class="reason s"') >= sum(
            move.direction in {"up", "down", "out", "in"} for move in found.moves
        )
