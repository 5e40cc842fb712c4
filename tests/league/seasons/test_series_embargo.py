"""Tests of written rosters that follow from results under embargo: no page tells of them before the release."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Audience, Competition, Player, TableSession, Term
from league.selectors.seasons.series import series_of
from league.selectors.seasons.series_moves import shown_moves
from league.services.competitions.schedule import hold_back
from league.services.competitions.setup import CompetitionPlan, create_competition
from league.services.seasons.next_rosters import preview_next_roster, write_next_roster
from league.services.seasons.series import SeriesPlan, attach_competition, create_series, create_tiers
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM
from tests.league.seasons.pyramid import TWO_TIERS, enter, own_format, person, play, publish, series_of_two, tiers

pytestmark = pytest.mark.django_db

SPECIAL = TWO_TIERS.replace("B#1", "special#1").replace("[[tiers]]", '[[outside]]\nkey = "special"\n\n[[tiers]]', 1)
"""The first of a competition beside the tiers goes up, not the first of the lower tier."""


def player(name: str) -> Player:
    return Player.objects.get(name=f"{name}さん")


def hide_until() -> dt.datetime:
    return timezone.now() + dt.timedelta(days=2)


def release(competition: Competition) -> None:
    hold_back(table_session=TableSession.objects.get(competition=competition), until=None, by=SYSTEM)
    publish_standings(competition.pk)


def write(term: Term) -> None:
    write_next_roster(term=term, digest=preview_next_roster(term=term, by=SYSTEM).digest, by=SYSTEM)


def directions(term: Term, *names: str) -> list[str]:
    """Return where the pages of these players say that they go."""
    return [series_of(player(name), None)[term.series][0].direction for name in names]


def test_a_roster_waits_for_a_last_result_under_embargo_after_which_nothing_public_changed(client: Client) -> None:
    term = series_of_two().terms.get()
    hidden = tiers(term)["B"]
    play(tiers(term)["A"])
    play(hidden, public_at=hide_until())
    assert hidden.public_version < hidden.version
    write(term)
    starts = ("/series/spring/players", "/players")
    pages = [f"{start}/{player(name).key}/" for name in ("A4", "B1") for start in starts]
    before = {client.get(page).headers["ETag"] for page in pages}
    assert shown_moves(term, None).written is None
    assert directions(term, "A4", "B1") == ["", ""]
    release(hidden)
    assert shown_moves(term, None).written is not None
    assert directions(term, "A4", "B1") == ["down", "up"]
    assert not before & {client.get(page).headers["ETag"] for page in pages}


def test_a_roster_waits_for_a_result_under_embargo_in_a_competition_beside_the_tiers() -> None:
    own_format(4)
    series = create_series(plan=SeriesPlan(slug="spring", name="春", text=SPECIAL, is_public=True), by=SYSTEM)
    term = series.terms.get()
    for row in create_tiers(term=term, ruleset="mleague", by=SYSTEM):
        enter(row, [person(f"{row.tier}{n}", "spring") for n in range(1, 5)])
        publish(row)
        play(row)
    plan = CompetitionPlan(
        slug="special", name="特別", ruleset="mleague", league_format="tier-4", audience=Audience.PUBLIC
    )
    special = create_competition(plan=plan, by=SYSTEM)
    attach_competition(term=term, tier="special", competition=special, by=SYSTEM)
    enter(special, [player(f"B{number}") for number in (3, 1, 2, 4)])
    publish(special)
    play(special, public_at=hide_until())
    write(term)
    assert shown_moves(term, None).written is None
    assert directions(term, "A4", "B3") == ["", ""]
    release(special)
    assert shown_moves(term, None).written is not None
    assert directions(term, "A4", "B3") == ["down", "up"]
