"""Test the odds of a season: reproducible, within each audience's knowledge, and computed in the background."""

from __future__ import annotations

import datetime as dt
import html
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.files.reading import file_of
from league.forms.competitions.setup import CompetitionWordsForm
from league.management.embedded import publish_odds_behind
from league.models import Audience, Competition, Forecast, Hanchan, Role, TableSession
from league.selectors.access.readers import Reader, public_reader_of, reader_of
from league.selectors.exchange.competition_export import document_of
from league.selectors.standings.odds import Chance, advance_share, odds_of, odds_state
from league.services.competitions.editing import CompetitionWords, edit_competition
from league.services.competitions.schedule import hold_back
from league.services.exchange.competition_import import import_competition
from league.services.operations.sweep import release
from league.services.standings.odds import digest_of, odds_behind, publish_odds, season_of
from league.services.standings.publishing import publish_standings
from league.tasks import ask_for_odds, recompute_competition, sweep
from scoring.plan import PassOver
from tests.factories import SCORES, SYSTEM, entrants, final_table, in_block, league, play, table, user
from tests.league.files import IMPORT
from tests.league.large_fields import large_league, open_field
from tests.league.parlours import parlour
from tests.league.played_season import Season, preliminary

pytestmark = pytest.mark.django_db

OTHER_SCORES = (51_000, 26_000, 19_000, 4_000)


@pytest.fixture(autouse=True)
def few_seasons(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate only a thousand seasons."""
    monkeypatch.setattr("league.services.standings.odds.SEASONS", 1000)
    monkeypatch.setattr("league.services.standings.odds.BATCH", 500)
    monkeypatch.setattr("league.services.standings.odds.SEASONS_OF_LARGE_FIELDS", 500)
    cache.clear()


def mid_season(hanchan_each: int = 1) -> Competition:
    """Play a Cinderella season to the middle of its preliminaries, with odds."""
    season = preliminary(hanchan_each)
    publish_odds(season.competition.pk)
    return season.competition


def test_a_large_field_is_simulated_less_often_and_its_page_states_the_larger_error() -> None:
    league = large_league(open_field(72, 2, 1, 8), 1)
    Competition.objects.filter(pk=league.pk).update(shows_odds=True)
    publish_odds(league.pk)
    assert {row.seasons for row in Forecast.objects.filter(competition=league)} == {500}
    page = read("/c/large/odds/")
    assert "500" in page
    mid_season()
    assert set(Forecast.objects.exclude(competition=league).values_list("seasons", flat=True)) == {1000}


def public(competition: Competition) -> Reader:
    """Publish the standings and return the public reader."""
    publish_standings(competition.pk)
    competition.refresh_from_db()
    return reader_of(competition, AnonymousUser())


def read(path: str) -> str:
    """Return a page in English."""
    return Client(headers={"accept-language": "en"}).get(path).content.decode()


def last_hanchan(*results: Sequence[int]) -> Competition:
    """Play a final of four with these results in order."""
    competition = final_table()
    block = competition.blocks.get()
    played = table(block)
    for hanchan, scores in zip(played.hanchan.order_by("round"), results, strict=False):
        play(hanchan, scores)
    publish_standings(competition.pk)
    competition.refresh_from_db()
    return competition


def test_odds_are_stale_until_computed_from_the_published_standings() -> None:
    season = Season()
    assert odds_behind() == (season.competition.pk,)
    publish_odds(season.competition.pk)
    assert odds_behind() == ()
    season.play_preliminary(1)
    assert odds_behind() == (season.competition.pk,)


def test_saving_a_result_computes_no_odds_and_the_ticker_computes_them_once_for_all_results() -> None:
    season = preliminary(2)
    recompute_competition(season.competition.pk)
    sweep()
    ask_for_odds(season.competition.pk)
    assert not Forecast.objects.exists()
    publish_odds_behind()
    versions = set(Forecast.objects.values_list("computed_version", flat=True))
    assert versions == {Competition.objects.get().version}


def test_publishing_odds_that_are_up_to_date_reads_no_results() -> None:
    season = Season()
    publish_odds(season.competition.pk)
    with CaptureQueriesContext(connection) as queries:
        publish_odds(season.competition.pk)
    assert len(queries) == 2, [query["sql"] for query in queries]


@pytest.mark.usefixtures("unreachable_broker")
def test_an_unreachable_broker_causes_only_a_log_message(caplog: pytest.LogCaptureFixture) -> None:
    ask_for_odds(1)
    assert "the sweep repeats it" in caplog.text


def test_both_audiences_get_the_same_odds_from_the_same_knowledge() -> None:
    mid_season()
    staff, public = Forecast.objects.get(audience="staff"), Forecast.objects.get(audience="public")
    assert staff.digest == public.digest
    assert staff.payload == public.payload
    assert staff.seasons == 1000


def test_the_same_facts_always_give_the_same_odds() -> None:
    competition = mid_season()
    before = Forecast.objects.get(audience="public")
    Forecast.objects.all().delete()
    publish_odds(competition.pk)
    after = Forecast.objects.get(audience="public")
    assert (after.digest, after.payload) == (before.digest, before.payload)


@pytest.mark.both_databases
def test_a_change_without_effect_on_the_odds_keeps_them_and_their_time() -> None:
    """Rename the competition: a new version, but no change in the input of the odds."""
    competition = mid_season()
    before = Forecast.objects.get(audience="public")
    edit_competition(competition=competition, words=CompetitionWords(name="夏の杯"), by=SYSTEM)
    publish_standings(competition.pk)
    publish_odds(competition.pk)
    after = Forecast.objects.get(audience="public")
    assert after.computed_version == before.computed_version + 1
    assert (after.pk, after.digest, after.made_at) == (before.pk, before.digest, before.made_at)


def test_a_new_result_changes_the_odds() -> None:
    competition = mid_season()
    before = Forecast.objects.get(audience="public").digest
    last = TableSession.objects.filter(competition=competition).order_by("pk").last()
    assert last is not None
    play(last.hanchan.order_by("round")[0], OTHER_SCORES)
    publish_standings(competition.pk)
    publish_odds(competition.pk)
    assert Forecast.objects.get(audience="public").digest != before


def test_outdated_odds_do_not_replace_newer_ones() -> None:
    competition = mid_season()
    Forecast.objects.update(computed_version=competition.computed_version + 5, digest="newer", seasons=7)
    publish_odds(competition.pk)
    assert set(Forecast.objects.values_list("digest", "seasons")) == {("newer", 7)}


@pytest.mark.both_databases
def test_odds_of_an_older_method_are_hidden_and_recomputed() -> None:
    competition = mid_season()
    for forecast in Forecast.objects.all():
        forecast.method = 0
        forecast.digest = f"older {forecast.pk}"
        forecast.save()
    assert odds_of(public(competition)) is None
    assert advance_share(public_reader_of(competition)) == {}
    assert odds_behind() == (competition.pk,)
    publish_odds(competition.pk)
    assert odds_behind() == ()
    assert odds_of(public(competition)) is not None


def test_every_landmark_of_the_page_has_a_name_of_its_own() -> None:
    mid_season()
    names = re.findall(r'<(?:section|div)[^>]* aria-labelledby="([^"]+)"', read("/c/spring/odds/"))
    assert "far-title" in names
    assert len(names) == len(set(names))


def test_the_standings_of_the_only_block_stand_below_a_heading_of_level_two() -> None:
    publish_standings(last_hanchan(SCORES).pk)
    standings = read("/c/final/").partition("f-main")[2]
    assert re.findall(r"<h([1-6])", standings)[:2] == ["2", "3"]


@pytest.mark.both_databases
def test_organizers_switch_odds_off_and_on() -> None:
    competition = mid_season()
    words = CompetitionWords(name=competition.name, shows_odds=False)
    edit_competition(competition=competition, words=words, by=SYSTEM)
    publish_standings(competition.pk)
    assert odds_behind() == ()
    assert advance_share(public_reader_of(Competition.objects.get())) == {}
    page = read("/c/spring/odds/")
    assert "The organizers of this competition do not show any." in page
    assert '<a href="/c/spring/odds/"' not in page
    publish_odds(competition.pk)
    assert not Forecast.objects.exists()
    on = CompetitionWords(name=competition.name, shows_odds=True)
    edit_competition(competition=Competition.objects.get(), words=on, by=SYSTEM)
    publish_standings(competition.pk)
    assert odds_behind() == (competition.pk,)


def test_a_competition_file_states_whether_odds_are_shown() -> None:
    competition = league()
    words = CompetitionWords(name=competition.name, shows_odds=False)
    edit_competition(competition=competition, words=words, by=SYSTEM)
    document = document_of(competition)
    renamed = document.competition.model_copy(update={"slug": "copy"})
    copy = import_competition(file=file_of(document.model_copy(update={"competition": renamed}), "copy"), by=IMPORT)
    assert not copy.shows_odds


def test_an_organizer_can_switch_odds_off_in_the_admin() -> None:
    competition = league()
    desk = Client()
    desk.force_login(user(role=Role.DIRECTOR, competition=competition, is_staff=True))
    path = f"/admin/league/competition/{competition.pk}/edit/"
    kept = {name: getattr(competition, name) for name in CompetitionWordsForm.base_fields}
    typed = {name: value for name, value in kept.items() if value is not None}
    off = {name: value for name, value in typed.items() if name != "shows_odds"}
    assert 'name="shows_odds"' in desk.get(path).content.decode()
    desk.post(path, off)
    competition.refresh_from_db()
    assert not competition.shows_odds
    desk.post(path, typed)
    competition.refresh_from_db()
    assert competition.shows_odds


def test_an_open_table_has_no_odds() -> None:
    competition = parlour(audience=Audience.PUBLIC)
    publish_standings(competition.pk)
    assert odds_behind() == ()
    publish_odds(competition.pk)
    assert not Forecast.objects.exists()
    assert Client().get(f"/c/{competition.slug}/odds/").status_code == 404


def test_a_finished_competition_has_no_odds() -> None:
    competition = last_hanchan(OTHER_SCORES, SCORES, OTHER_SCORES[::-1], SCORES[::-1])
    publish_odds(competition.pk)
    assert odds_behind() == ()
    assert Forecast.objects.get(audience="public").payload["unforeseen"] == {"reason": "over", "where": ""}
    assert "Everything has been played" in read("/c/final/odds/")
    assert ">Title</a>" not in read("/c/final/blocks/final/")


def test_a_season_without_all_its_players_has_no_odds() -> None:
    competition = league(status=None)
    competition.blocks.get(key="A").slots.filter(number=1).update(seeded=None)
    publish_standings(competition.pk)
    publish_odds(competition.pk)
    assert Forecast.objects.get(audience="staff").payload["unforeseen"]["reason"] == "unseeded"


# ─── simulation ───


def test_simulated_hanchan_are_drawn_from_the_leagues_results_and_the_prior() -> None:
    competition = last_hanchan(OTHER_SCORES, SCORES)
    season, pool = season_of(public(competition))
    assert pool == {"own": 2, "made_up": 24}
    assert len(season.pool) == 26
    assert OTHER_SCORES in {outcome.scores for outcome in season.pool}


def test_scheduled_hanchan_are_simulated_with_their_players_and_cancelled_ones_are_left_out() -> None:
    competition = league()
    block = competition.blocks.get(key="A")
    people = in_block(block)
    table(block, people[4:], (1, 2))
    cancelled = table(block, people[:4], (1, 2))
    TableSession.objects.filter(pk=cancelled.pk).update(is_cancelled=True)
    season, _ = season_of(public(competition))
    assert [(each.number, each.entrants) for each in season.fixtures["A"]] == [
        (number, tuple(person.pk for person in people[4:])) for number in (1, 2)
    ]


def test_the_digest_covers_exactly_the_input_of_the_simulation() -> None:
    """Change links of results and reasons of decisions, which do not affect the simulation."""
    season, _ = season_of(public(last_hanchan(OTHER_SCORES)))
    elsewhere = {
        block: {who: tuple(replace(each, ref=f"{each.ref}!") for each in own) for who, own in rows.items()}
        for block, rows in season.played.items()
    }
    assert digest_of(replace(season, played=elsewhere)) == digest_of(season)
    ill, gone = (replace(season, overrides=(PassOver("final", 99, reason),)) for reason in ("ill", "gone"))
    assert digest_of(ill) == digest_of(gone) != digest_of(season)
    assert digest_of(replace(season, pool=season.pool[1:])) != digest_of(season)


# ─── embargo ───


def test_a_result_under_embargo_changes_no_public_odds_until_its_release() -> None:
    competition = mid_season()
    recorded = TableSession.objects.filter(competition=competition, block__key="A").order_by("pk").last()
    assert recorded is not None
    hold_back(table_session=recorded, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    publish_standings(competition.pk)
    publish_odds(competition.pk)
    announced = Forecast.objects.get(audience="public")
    state = odds_state(public(competition))
    play(recorded.hanchan.order_by("round")[0], OTHER_SCORES)
    publish_standings(competition.pk)
    publish_odds(competition.pk)
    after = Forecast.objects.get(audience="public")
    assert (after.digest, after.payload, after.made_at) == (announced.digest, announced.payload, announced.made_at)
    assert Forecast.objects.get(audience="staff").digest != after.digest
    assert odds_state(public(competition)) == state
    page = read("/c/spring/odds/")
    assert f"from version {competition.public_version}" in page
    assert "newer results are in" not in page
    recorded.refresh_from_db()
    release(recorded)
    publish_standings(competition.pk)
    publish_odds(competition.pk)
    assert Forecast.objects.get(audience="public").digest == Forecast.objects.get(audience="staff").digest


def test_public_odds_know_a_released_result_no_sooner_than_the_public_standings() -> None:
    competition = mid_season()
    recorded = TableSession.objects.filter(competition=competition, block__key="A").order_by("pk").last()
    assert recorded
    hold_back(table_session=recorded, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    play(recorded.hanchan.order_by("round")[0], OTHER_SCORES)
    reader = public(competition)
    hold_back(table_session=recorded, until=None, by=SYSTEM)
    publish_odds(competition.pk)
    staff, shown = Forecast.objects.get(audience="staff"), Forecast.objects.get(audience="public")
    assert digest_of(season_of(reader)[0]) == shown.digest != staff.digest
    public(competition)
    publish_odds(competition.pk)
    shown.refresh_from_db()
    assert shown.digest == Forecast.objects.get(audience="staff").digest


# ─── pages ───


def test_the_shares_of_a_running_block_sum_to_its_places() -> None:
    competition = mid_season()
    shares = advance_share(public_reader_of(competition))
    assert len(shares) == 16
    block = [entrant.pk for entrant in in_block(competition.blocks.get(key="A"))]
    assert sum(shares[entrant][0] for entrant in block) == 5 * 1000
    assert {seasons for _, seasons in shares.values()} == {1000}


def test_players_are_ordered_by_title_and_titles_never_exceed_finals() -> None:
    odds = odds_of(public(mid_season()))
    assert odds is not None
    titles = [player.title.share.count for player in odds.players if player.title.share]
    assert titles == sorted(titles, reverse=True)
    assert [stage.key for stage in odds.stages] == ["po1", "po2", "po3", "final"]
    for player in odds.players:
        final, title = player.stages[-1].share, player.title.share
        assert final is not None
        assert title is not None
        assert title.count <= final.count


def test_a_player_who_is_certainly_in_or_out_of_a_stage_has_no_share() -> None:
    season = preliminary()
    publish_odds(season.competition.pk)
    odds = odds_of(public(season.competition))
    assert odds is not None
    chances = {cell.chance for player in odds.players for cell in player.stages}
    assert chances == set(Chance)
    assert len(odds.players) == 2 + 2 + 2 + 4, "finalists, playoff 3, playoff 2, playoff 1"


def test_the_page_shows_shares_between_under_1_and_over_99_percent_and_explains_the_method() -> None:
    mid_season(7)
    page = read("/c/spring/odds/")
    told = set(re.findall(r">(&lt;1|&gt;99|\d+)%<", page))
    assert {"&lt;1", "&gt;99"} <= told
    assert not {"0", "100"} & told
    assert "1,000 times at random" in page
    assert "28 of this league's own and 24 made-up ones" in page
    assert "every player is taken to be equally strong" in page
    assert " style=" not in page


STATES = {"en": ("open", "almost in", "almost out"), "ja": ("未定", "ほぼ確定", "敗退濃厚")}
GOES_ON = {"en": "advances", "ja": "勝ち上がり"}
PLAYS_IN = {"en": "Plays in Playoff 1", "ja": "プレーオフ1出場"}
ADVANCES = {"en": "Advances", "ja": "勝ち上がり"}
PERCENT = r"[<>]?\d+%(?:未満|超)?"


def plain(part: str) -> str:
    """Return the text of a piece of HTML."""
    return html.unescape(re.sub(r"<[^>]+>", "", part)).strip()


def in_tables(page: str) -> Iterator[tuple[str, str, str]]:
    """Yield player, column heading and percentage of every cell with one; final ranks are keyed by block."""
    for head, rows in re.findall(r"<caption[^>]*>(.*?)</caption>(.*?)</table>", page, re.DOTALL):
        heads = [plain(each) for each in re.findall(r'<th scope="col"[^>]*>(.*?)</th>', rows, re.DOTALL)]
        for row in re.findall(r"<tr[^>]*>(<t.*?)</tr>", rows.partition("<tbody>")[2], re.DOTALL):
            cells = [plain(each) for each in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)]
            for title, cell in zip(heads, cells, strict=False):
                if re.fullmatch(PERCENT, cell):
                    is_rank = re.fullmatch(r"\d+(?:st|nd|rd|th|位|着)", title)
                    yield who_of(row), f"{plain(head)} {heads} {title}" if is_rank else title, cell


def in_statuses(page: str, language: str) -> Iterator[tuple[str, str, str]]:
    """Yield player, label and percentage of every status with an estimate."""
    for summary in re.findall(r"<summary>(.*?)</summary>", page, re.DOTALL):
        for status in re.findall(r'<span class="status \w+">(.*?)</span>', summary):
            for percent in re.findall(PERCENT, plain(status)):
                words = plain(status).replace(percent, "")
                for state in STATES[language]:
                    words = words.replace(state, "")
                name = re.findall(r'<strong>.*?</strong>|<span class="pair">.*?</span>', summary)[0]
                yield plain(name), re.sub(r"[\s:()（）]+", " ", words).strip(), percent


def who_of(row: str) -> str:
    """Return the player of a row."""
    return plain(re.findall(r'<a href="/c/spring/players/[^"]+">(.*?)</a>', row)[0])


@pytest.mark.parametrize("language", ["en", "ja"])
def test_each_label_has_one_percentage_per_player_on_all_pages(language: str) -> None:
    mid_season(3)
    client = Client(headers={"accept-language": language})
    said: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    advances: defaultdict[str, set[str]] = defaultdict(set)
    statuses = 0
    for path in ("/c/spring/odds/", "/c/spring/blocks/A/", "/c/spring/conditions/"):
        page = client.get(path).content.decode()
        page = page.partition('id="next-title"')[0]  # below, each percentage depends on a place and names it
        for player, words, percent in in_tables(page):
            said[player, words].add(percent)
            if words == ADVANCES[language]:
                advances[player].add(percent)
        for player, words, percent in in_statuses(page, language):
            statuses += 1
            said[player, words].add(percent)
            advances[player].add(percent)
            assert words == GOES_ON[language], "no stage beside the chance of going on"
    assert {key: found for key, found in said.items() if len(found) > 1} == {}
    assert len(advances) == 16
    assert all(len(found) == 1 for found in advances.values()), "the same on every page"
    assert statuses == 8 + 16, "once on the block's page, once among the conditions"
    in_playoff = {player: found for (player, words), found in said.items() if words == PLAYS_IN[language]}
    assert any(found != advances[player] for player, found in in_playoff.items()), "two different probabilities"


def test_in_the_last_block_the_estimate_is_labelled_as_the_title() -> None:
    publish_odds(last_hanchan(OTHER_SCORES).pk)
    page = read("/c/final/conditions/")
    told = re.findall(r'<span class="status \w+">(?:almost in \()?wins the title (?:&[lg]t;)?\d+%\)?</span>', page)
    assert len(told) == 4
    assert "advances" not in page


def test_the_last_block_has_a_title_column_instead_of_advances() -> None:
    publish_odds(last_hanchan(OTHER_SCORES).pk)
    page = read("/c/final/blocks/final/")
    assert ">Title</a>" in page
    assert ">Advances</a>" not in page
    odds = read("/c/final/odds/")
    assert "wins the title if the next hanchan ends in this place" in odds


def test_a_complete_block_has_no_chances_while_the_odds_are_those_before_its_last_result() -> None:
    competition = last_hanchan(OTHER_SCORES, SCORES, OTHER_SCORES[::-1])
    publish_odds(competition.pk)
    assert ">Title</a>" in read("/c/final/blocks/final/")
    play(Hanchan.objects.get(block__competition=competition, block__key="final", number=4), SCORES[::-1])
    publish_standings(competition.pk)
    assert ">Title</a>" not in read("/c/final/blocks/final/")


def test_pages_with_odds_get_a_new_etag_when_only_the_odds_change() -> None:
    season = preliminary(3)
    for path in ("/c/spring/odds/", "/c/spring/blocks/A/", "/api/v1/competitions/spring/odds/"):
        Forecast.objects.all().delete()
        before = Client().get(path)
        publish_odds(season.competition.pk)
        after = Client().get(path)
        assert before.headers["ETag"] != after.headers["ETag"], path
        assert before.content != after.content, path
        again = Client(headers={"if-none-match": after.headers["ETag"]}).get(path)
        assert again.status_code == 304, path


def test_a_page_says_if_its_odds_are_older_than_its_standings() -> None:
    competition = mid_season(4)
    last = TableSession.objects.filter(competition=competition).order_by("pk").last()
    assert last is not None
    play(last.hanchan.order_by("round")[0], OTHER_SCORES)
    publish_standings(competition.pk)
    assert "newer results are in" in read("/c/spring/odds/")


def test_before_the_first_odds_the_page_says_that_they_are_being_computed() -> None:
    Season()
    assert "They are being computed" in read("/c/spring/odds/")


def test_the_page_needs_no_more_queries_for_more_players() -> None:
    few, many = final_table(), mid_season()
    publish_standings(few.pk)
    publish_odds(few.pk)
    counts = []
    for path in ("/c/final/odds/", f"/c/{many.slug}/odds/"):
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            assert Client().get(path).status_code == 200
        counts.append(len(queries))
    assert counts[1] <= counts[0] + 2


def test_entrants_without_a_seat_do_not_prevent_odds() -> None:
    competition = league()
    entrants(competition, 2, prefix="R")
    publish_standings(competition.pk)
    publish_odds(competition.pk)
    assert odds_of(public(competition)) is not None
