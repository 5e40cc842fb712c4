"""Tests of the spoiler guard: a visitor who turns it on sees no results of later sessions on any page."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from django.test import Client

from league.models import Competition, Hanchan, ResultSheet, Role, SlotState, Standing
from league.selectors.access.readers import Reader, reader_of
from league.selectors.standings.published import slot_states_of, standings_of
from league.services.results.rulings import adjust_points
from league.services.standings.odds import publish_odds
from tests import factories
from tests.league.played_season import BY, Season, almost_finished, preliminary
from tests.league.team_league import TeamLeague, team_league

pytestmark = pytest.mark.django_db
LINK = re.compile(r'href="([^"]+)"')


def visitor(until: int | None = None, slug: str = "spring") -> Client:
    """Return a client that reads English and optionally hides results after a session."""
    client = Client(headers={"accept-language": "en"})
    if until is not None:
        client.get(f"/c/{slug}/", {"until": until})
    return client


def content(client: Client, path: str) -> str:
    """Return a page from `<main` on, without the version in its data attributes."""
    response = client.get(path)
    assert response.status_code == 200, path
    text = response.content.decode()
    return re.sub(r'data-(version|odds)="\w*"', "", text[text.index("<main") :])


def without_posts(page: str) -> str:
    """Return the page without the prepared social media posts, which name the next table: the schedule is public."""
    return re.sub(r'(?s)<textarea.*?</textarea>|href="https://(?:x\.com|line\.me)/[^"]*"', "", page)


def results_in(page: str) -> str:
    """Return a page without the hanchan to come: those named for them are announced in the meantime."""
    return re.sub(r'<section class="sheet" aria-labelledby="now-title">.*?</section>', "", page, flags=re.DOTALL)


def every_page(client: Client, start: str, without: str = "") -> dict[str, str]:
    """Return all pages of the competition that links lead to, by path; none whose path matches `without`."""
    waiting, found = deque([start]), {}
    while waiting:
        path = waiting.popleft()
        if path in found or (without and re.search(without, path)):
            continue
        found[path] = content(client, path)
        links = (urlsplit(link).path for link in LINK.findall(found[path]))
        waiting.extend(
            link for link in links if link.startswith(("/c/", "/players/", "/records/")) and link.endswith("/")
        )
    return found


def test_every_guarded_page_is_as_of_the_chosen_session_and_reveals_no_later_results() -> None:
    season = preliminary()
    # Of a table's hanchan that have been played the first one is enough.
    alike = "|".join(f"/hanchan/{each.pk}/" for each in Hanchan.objects.exclude(round=1))
    then = every_page(visitor(2), "/c/spring/", without=f"/players/|/seating/|{alike}")
    assert len(then) > 50
    for day, key in enumerate(season.stages(), start=3):
        season.play_stage(key, day)
    publish_odds(season.competition.pk)
    assert all(content(visitor(), path) != then[path] for path in ("/c/spring/", "/c/spring/blocks/final/"))
    final = Standing.objects.filter(block=season.block("final"), audience="public", played__gt=0)
    assert final.count() == 4
    # Of the players' pages those of the finalists would reveal the most.
    others = season.competition.entrants.exclude(pk__in=final.values("entrant")).values_list("player__key", flat=True)
    guarded = every_page(visitor(2), "/c/spring/", without=f"{alike}|/players/(?:{'|'.join(others)})/")
    # New tables are announced meanwhile.
    schedule = {"/c/spring/", "/c/spring/sessions/", "/c/spring/projector/"}
    paths = then.keys() - schedule
    assert [path for path in paths if without_posts(guarded[path]) != without_posts(then[path])] == []
    later = Hanchan.objects.filter(table_session__session__number__gt=2)
    for hanchan in later:
        page = guarded[f"/c/spring/hanchan/{hanchan.pk}/"]
        sheet = ResultSheet.objects.get(hanchan=hanchan, state="confirmed")
        for seat in sheet.seats.all():
            assert f"{seat.final_score:,}" not in page
    for page in guarded.values():
        assert "Champion" not in page
    assert "No odds while results are hidden" in content(visitor(2), "/c/spring/odds/")
    start = visitor(2).get("/").content.decode()
    assert "Champion" not in start
    assert "Leading in Block" in start
    assert "Champion" in visitor().get("/").content.decode()


def test_guarded_calendars_name_no_player_who_advanced_by_a_hidden_result() -> None:
    season = almost_finished()
    block = season.block("final")
    finalists = factories.seated(Hanchan.objects.filter(block=block).earliest("number"))
    early = {one.entrant_id for one in slot_states_of(reader_at_session_2(season), [block]) if one.entrant_id}
    advanced = next(one.player for one in finalists if one.pk not in early)
    calendar, own = "/c/spring/blocks/final/calendar.ics", f"/c/spring/players/{advanced.key}/calendar.ics"
    name = advanced.name_romaji.split()[0]
    assert [name in visitor(until).get(calendar).content.decode() for until in (None, 2)] == [True, False]
    assert ["Final" in visitor(until).get(own).content.decode() for until in (None, 2)] == [True, False]


def reader_at_session_2(season: Season) -> Reader:
    return replace(reader_of(season.competition, None), until=2)


def play_third_evening(made: TeamLeague) -> None:
    """Play the evening that is scheduled, with scores like no others, and publish it."""
    for each in Hanchan.objects.filter(table_session__session__number=3).order_by("number"):
        made.play(each, (70_100, 20_200, 5_400, 4_300))
    made.publish()


def test_no_guarded_page_of_a_team_league_reveals_later_results() -> None:
    made = team_league(2)
    play_third_evening(made)
    others = "|".join(member.key for team in made.members[1:] for member in team)
    pages = every_page(visitor(2, "teams"), "/c/teams/", without=f"/(?:{others})/$")
    assert {"/c/teams/members/", "/c/teams/awards/", f"/c/teams/members/{made.members[0][0].key}/"} <= pages.keys()
    assert [path for path, page in pages.items() if re.search("70,100|20,200", without_posts(page))] == []
    assert "70,100" in content(visitor(), "/c/teams/awards/")


@pytest.mark.both_databases
def test_guarded_pages_of_members_and_awards_count_no_later_results() -> None:
    made = team_league(2)
    members = [f"members/{member.key}" for member in made.members[0]]
    paths = [f"/c/teams/{part}/" for part in ("members", "awards", "stages/regular/members", *members)]
    guarded = visitor(2, "teams")
    then = [results_in(content(guarded, path)) for path in paths]
    play_third_evening(made)
    now = [results_in(content(guarded, path)) for path in paths]
    assert [path for path, before, after in zip(paths, then, now, strict=True) if before != after] == []


def test_results_of_later_sessions_are_hidden_regardless_of_entry_order() -> None:
    season = Season()
    block = season.block("A")
    people = factories.in_block(block)
    early = season.schedule("A", people[:4], (1,), day=1)
    late = season.schedule("A", people[:4], (2,), day=2)
    season.play(late.hanchan.get())
    adjust_points(block=block, entrant=people[7], points=-50, reason="遅刻", by=BY)
    season.play(early.hanchan.get())
    season.publish()
    reader = replace(reader_of(season.competition, None), until=1)
    lines = standings_of(reader, blocks=[block])
    assert reader_of(season.competition, None).changes().filter(subject_type="adjustment").exists()
    assert not reader.changes().filter(subject_type="adjustment").exists()
    assert sum(line.played for line in lines) == 4
    assert {line.total for line in lines if line.entrant_id == people[7].pk} == {0}, "it may be of the hidden session"
    points = {seat.entrant_id: seat.points for seat in reader.seat_results()}
    assert {line.entrant_id: line.total for line in lines if line.played} == points
    assert all(state.state == SlotState.State.CERTAIN for state in slot_states_of(reader, [block]))


def test_the_guard_applies_to_its_competition_only_and_one_link_ends_it() -> None:
    almost_finished()
    almost_finished("autumn")
    client = visitor(2)
    banner = client.get("/c/spring/").content.decode()
    assert "Results after" in banner
    assert "are hidden." in banner
    assert 'name="until" value=""' in banner
    assert 'class="guarded"' not in client.get("/c/autumn/").content.decode()
    ended = client.get("/c/spring/blocks/A/?until=")
    assert (ended.status_code, ended["Location"]) == (302, "/c/spring/blocks/A/")
    assert 'class="guarded"' not in client.get("/c/spring/").content.decode()
    assert client.get("/c/spring/?until=x").status_code == 302


def test_guarded_and_unguarded_pages_have_different_etags() -> None:
    almost_finished()
    open_page, guarded = visitor().get("/c/spring/"), visitor(2).get("/c/spring/")
    assert open_page["ETag"] != guarded["ETag"]
    assert "Cookie" in guarded["Vary"]
    again = visitor(2).get("/c/spring/", headers={"if-none-match": guarded["ETag"]})
    assert again.status_code == 304


def test_the_settings_page_of_the_guard_lists_sessions_and_no_results() -> None:
    season = almost_finished()
    page = content(visitor(), "/c/spring/spoilers/")
    assert page.count("<option") == season.competition.sessions.count() + 1
    names = [entrant.player.name_romaji for entrant in factories.in_block(season.block("A"))]
    assert not any(name in page for name in names)
    assert "All results are hidden." in visitor(0).get("/c/spring/").content.decode()


@pytest.mark.both_databases
def test_organizers_can_use_the_guard_too() -> None:
    season = almost_finished()
    client = visitor(2)
    client.force_login(factories.user("organizer", Role.DIRECTOR, season.competition))
    assert "No players here yet." not in content(Client(), "/c/spring/blocks/final/")
    assert "played 0/4" in content(client, "/c/spring/blocks/final/")


def test_an_open_table_has_no_guard() -> None:
    season = almost_finished()
    Competition.objects.filter(pk=season.competition.pk).update(kind=Competition.Kind.OPEN)
    assert visitor().get("/c/spring/spoilers/").status_code == 404


def test_a_browser_keeps_at_most_twenty_guard_cookies() -> None:
    client = Client()
    for number in range(30):
        client.get(f"/c/season-{number}/", {"until": 1})
    kept = [name for name, morsel in client.cookies.items() if morsel.value]
    assert len(kept) == 20
    assert "until-season-29" in kept
    client.get(f"/c/{'x' * 2000}/", {"until": 1})
    assert len([name for name, morsel in client.cookies.items() if morsel.value]) == 20
