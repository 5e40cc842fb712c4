"""Test that hanchan annulled since an opponent left count in no figure, record, statistic or rating."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.test import Client

from league.models import Competition, Entrant, EventListed, Hanchan
from league.selectors.access.readers import Reader, public_reader_of
from league.selectors.people.careers import career_of, entries_of_career, figures_of, opponents_of
from league.selectors.people.player_records import entrant_page, season_of
from league.selectors.people.rates import rates_of_entrants
from league.selectors.people.records import RecordKind, all_time_records, records_of
from league.selectors.seasons.game_lines import games_played
from league.selectors.standings.meetings import meetings_of
from league.services.competitions.departures import withdraw
from league.services.standings.publishing import publish_standings
from rulesets.rankings import load_ranking
from tests.factories import SYSTEM
from tests.league.paired_league import event_with_byes, on_withdrawal, pair, play_round
from tests.league.tables import RON, followed

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Event:
    """A round in which the table of the one who left was annulled for the other three."""

    competition: Competition
    annulled: Hanchan
    gone: Entrant
    stayed: tuple[Entrant, ...]
    others: tuple[Entrant, ...]
    """Entrants of the table that counts."""

    @property
    def reader(self) -> Reader:
        """Return the public reader."""
        return public_reader_of(self.competition)


def seated(hanchan: Hanchan) -> list[Entrant]:
    """Return the entrants by seat."""
    return [seat.entrant for seat in hanchan.seats.select_related("entrant__player").order_by("seat")]


@pytest.fixture
def event() -> Event:
    """Return an event of two tables: the first dealer of the second one, with the better scores, has withdrawn."""
    block = event_with_byes(8, on_withdrawal("annul"))
    pair(block, 1)
    counting, annulled = play_round(block, 1)
    gone, *stayed = seated(annulled)
    withdraw(entrant=gone, by=SYSTEM, reason="ill")
    publish_standings(block.competition_id)
    block.competition.refresh_from_db()
    return Event(block.competition, annulled, gone, tuple(stayed), tuple(seated(counting)))


def test_no_record_is_set_in_an_annulled_hanchan_by_those_who_stayed_or_left(event: Event) -> None:
    for tables in (records_of(event.reader), all_time_records([event.reader]).tables):
        lines = {line.kind: line for table in tables for line in table.lines}
        holders = {holder.player for line in lines.values() for holder in line.holders}
        assert holders <= {entrant.player for entrant in event.others}
        assert lines[RecordKind.HIGHEST_SCORE].value < event.annulled.sheets.get().seats.get(place=1).final_score


def test_places_and_scores_of_an_annulled_hanchan_are_in_no_figure_of_those_who_stayed(event: Event) -> None:
    for entrant in event.stayed:
        page = entrant_page(event.reader, entrant, 4)
        assert (page.record.played, page.record.best, page.results) == (0, None, ())
        assert season_of(event.reader, entrant).record.played == 0
        career = career_of(entrant.player, entries_of_career(entrant.player, None))
        assert (career.seats, figures_of(career), opponents_of(career)) == ((), (), ())
    assert entrant_page(event.reader, event.gone, 4).record.played == 1, "the result stays with the one who left"


def test_the_page_of_one_who_stayed_lists_the_annulled_hanchan_with_no_points(event: Event) -> None:
    page = Client(headers={"accept-language": "en"}).get(f"/c/open/players/{event.stayed[0].player.key}/")
    text = page.content.decode()
    assert f'<a href="/c/open/hanchan/{event.annulled.pk}/">hanchan 1 (annulled)' in text
    assert "0 hanchan" in text


def test_an_annulled_hanchan_is_no_meeting_of_its_players(event: Event) -> None:
    block = event.annulled.block
    people = [row.pk for row in Entrant.objects.filter(competition=event.competition)]
    found = meetings_of(event.reader, block, people)
    met = {who for pair_met in found.pairs for who in pair_met}
    assert (found.hanchan, met) == (1, {entrant.pk for entrant in event.others})


def test_hands_of_an_annulled_hanchan_are_in_no_statistic_of_those_who_stayed() -> None:
    block = event_with_byes(8, on_withdrawal("annul"))
    pair(block, 1)
    hanchan = Hanchan.objects.filter(block=block, number=1).order_by("pk")[0]
    followed(hanchan, RON)
    gone, *stayed = seated(hanchan)
    publish_standings(block.competition_id)
    block.competition.refresh_from_db()
    before = rates_of_entrants(public_reader_of(block.competition))
    assert {before[entrant.pk].hanchan for entrant in stayed} == {1}
    withdraw(entrant=gone, by=SYSTEM, reason="ill")
    publish_standings(block.competition_id)
    block.competition.refresh_from_db()
    found = rates_of_entrants(public_reader_of(block.competition))
    assert set(found) == {gone.pk}


def test_an_annulled_hanchan_moves_no_rating(event: Event) -> None:
    day = event.competition.created_at.date()
    listed = EventListed(pk=1, competition=event.competition, day=day)
    steps = games_played("annulled", load_ranking("tenhou-r"), [listed], day)
    assert set(steps) == {entrant.player_id for entrant in event.others}
