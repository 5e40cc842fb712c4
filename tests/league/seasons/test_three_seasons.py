"""Test three seasons of four tiers with random results: valid rosters, each move explained, undone and redone alike."""

from __future__ import annotations

import random

import pytest
from django.test import Client

from league.models import Competition, MoveDecision, Player, Series, Term
from league.selectors.seasons.series_moves import TermMoves, full_moves
from league.selectors.seasons.series_rules import rules_of_series
from league.services.competitions.setup import set_status
from league.services.results.rulings import rule_on_tie
from league.services.rulebooks.own_formats import keep_own_format
from league.services.seasons.moves import decide_move, decide_newcomer
from league.services.seasons.next_rosters import undo_next_roster, write_next_roster
from league.services.seasons.series import SeriesPlan, create_series, create_tiers
from league.services.standings.publishing import publish_standings
from scoring.pyramid.movement import RosterFaultCode
from tests.factories import SYSTEM
from tests.league.seasons.pyramid import FOUR_TIERS, OPEN_TIER, enter, names_in, person, play, tiers

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
    """Open the tiers to the public, seat each by chance and play them."""
    for competition in tiers(term).values():
        set_status(competition=competition, status=Competition.Status.PUBLISHED, by=SYSTEM)
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


def settle_ties(term: Term) -> TermMoves:
    """Rule on the level players at each border, by their entrants' numbers, and return the moves."""
    found = full_moves(term)
    for fault in found.faults:
        assert fault.code is RosterFaultCode.AWAITING
        competition = tiers(term)[fault.tier]
        level = competition.entrants.filter(player__in=[int(str(pk)) for pk in fault.players]).order_by("number")
        rule_on_tie(competition=competition, scope="all", order=list(level), by=SYSTEM, reason="抽選")
        publish_standings(competition.pk)
    return full_moves(term) if found.faults else found


def write(term: Term, digest: str) -> dict[str, list[str]]:
    """Write the roster after a term by its digest, and return the next term's entrants by tier."""
    write_next_roster(term=term, digest=digest, by=SYSTEM)
    following = term.series.terms.get(number=term.number + 1)
    return {key: names_in(row) for key, row in tiers(following).items()}


def test_three_seasons_of_four_tiers_are_valid_explained_and_can_be_redone(client: Client) -> None:
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    dice = random.Random(28)
    series = pyramid()
    rules = rules_of_series(series)
    for number in range(1, SEASONS + 1):
        term = series.terms.get(number=number)
        play_term(term, dice)
        decide(term, dice)
        found = settle_ties(term)
        assert not found.faults
        assert {move.player.pk for move in found.moves if move.movement.source} == set(found.tables.entrants)
        written = write(term, found.digest)
        undo_next_roster(term=term, reason="try again", by=SYSTEM)
        # Writing refuses any digest but that of the moves as they are now.
        assert write(term, found.digest) == written
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
