"""Tests of written rosters that follow from results under embargo: no page tells of them before the release."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Competition, TableSession, Term
from league.selectors.seasons.series import series_of
from league.selectors.seasons.series_moves import shown_moves
from league.services.competitions.schedule import hold_back
from league.services.seasons.next_rosters import preview_next_roster, write_next_roster
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM
from tests.league.seasons.pyramid import play, player, series_of_two, series_with_special, tiers

pytestmark = pytest.mark.django_db


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
    term = series_with_special(public_at=hide_until()).terms.get()
    special = tiers(term)["special"]
    write(term)
    assert shown_moves(term, None).written is None
    assert directions(term, "A4", "B3") == ["", ""]
    release(special)
    assert shown_moves(term, None).written is not None
    assert directions(term, "A4", "B3") == ["down", "up"]
