"""While results come in, what everybody reads is a moment old at most, and nobody waits for what is being written."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Iterator

import pytest
import time_machine
from django.conf import LazySettings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league import kept_answers
from league.kept_answers import Wanted, kept_or_written
from league.models import Audience, Competition, Hanchan, Role, TableSession
from league.selectors import everybody, watching
from league.services.standings import publish_standings
from tests import factories
from tests.league.test_concurrency import together

PAGE = "/c/{slug}/blocks/A/"
DOCUMENT = "/api/v1/standings/?competition={slug}"
NOON = dt.datetime(2026, 11, 1, 12, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def _as_in_earnest(settings: LazySettings) -> Iterator[None]:
    settings.SERVED_AGAIN_SECONDS = 3
    cache.clear()
    yield
    everybody._rows.clear()
    watching._marks.clear()
    aside_is_done()


@pytest.fixture
def season() -> Competition:
    return factories.league()


@pytest.fixture
def moment() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def aside_is_done() -> None:
    kept_answers._writer().submit(int).result(timeout=60)


def test_what_waited_for_its_turn_to_be_written_is_as_old_as_the_version_it_was_asked_for() -> None:
    first, second = Wanted("one", place="here"), Wanted("two", place="here")
    kept_answers.keep(first, lambda: b"1", time.time() - 4)
    assert kept_answers.a_moment_old(second) is None
    kept_answers.keep(first, lambda: b"1", time.time() - 1)
    assert kept_answers.a_moment_old(second) == ("one", b"1")


def tag_at(address: str, season: Competition, client: Client | None = None) -> str:
    answer = (client or Client()).get(address.format(slug=season.slug))
    assert answer.status_code == 200
    return answer["ETag"]


def play_next(season: Competition) -> None:
    seated = TableSession.objects.filter(competition=season).first()
    seated = seated or factories.table(season.blocks.get(key="A"))
    hanchan = seated.hanchan.filter(state=Hanchan.State.SCHEDULED).order_by("round")[0]
    factories.play(hanchan, (41200 - 100 * hanchan.round, 30100, 18700, 10000 + 100 * hanchan.round))
    publish_standings(season.pk)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", [PAGE, DOCUMENT])
def test_a_page_of_a_moment_ago_is_read_again_while_the_next_is_written_aside(
    season: Competition, moment: time_machine.Traveller, address: str
) -> None:
    before = tag_at(address, season)
    play_next(season)
    assert tag_at(address, season) == before
    aside_is_done()
    after = tag_at(address, season)
    assert after != before
    cache.clear()
    assert tag_at(address, season) == after


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", [PAGE, DOCUMENT])
def test_whoever_has_the_page_of_a_moment_ago_need_not_load_it_again(
    season: Competition, moment: time_machine.Traveller, address: str
) -> None:
    before = tag_at(address, season)
    play_next(season)
    answer = Client().get(address.format(slug=season.slug), headers={"If-None-Match": before})
    assert (answer.status_code, answer["ETag"].removeprefix("W/")) == (304, before.removeprefix("W/"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("address", [PAGE, DOCUMENT])
def test_however_many_results_come_in_a_page_is_written_again_after_a_rest_only(
    season: Competition, moment: time_machine.Traveller, address: str
) -> None:
    tag_at(address, season)
    play_next(season)
    tag_at(address, season)
    aside_is_done()
    second = tag_at(address, season)
    play_next(season)
    for _visitor in range(3):
        assert tag_at(address, season) == second
    aside_is_done()
    assert tag_at(address, season) == second
    moment.shift(kept_answers.LONGEST_REST + 0.1)
    assert tag_at(address, season) == second
    aside_is_done()
    assert tag_at(address, season) != second


@pytest.mark.django_db
@pytest.mark.parametrize(("took", "rest"), [(0.0, 1), (0.06, 2), (0.2, 2)])
def test_what_is_dear_to_write_rests_longer_but_not_so_long_that_somebody_has_to_wait_for_it(
    moment: time_machine.Traveller, took: float, rest: int
) -> None:
    def write() -> bytes:
        time.sleep(took)
        return b"page"

    wanted = Wanted("two", place="here")
    kept_or_written(Wanted("one", place="here"), lambda: b"page")
    kept_or_written(wanted, write)
    aside_is_done()
    moment.shift(rest - 0.1)
    assert not kept_answers.is_to_be_renewed(wanted)
    moment.shift(0.2)
    assert kept_answers.is_to_be_renewed(wanted)


@pytest.mark.django_db
def test_while_the_next_is_being_written_for_long_nobody_writes_it_as_well(moment: time_machine.Traveller) -> None:
    goes_on = threading.Event()

    def slow() -> bytes:
        goes_on.wait(60)
        return b"second"

    def never() -> bytes:
        raise AssertionError("somebody else is at it")

    first, second = Wanted("first", place="here"), Wanted("second", place="here")
    kept_or_written(first, lambda: b"first")
    assert kept_or_written(second, slow).tag == "first"
    moment.shift(9.9)
    assert kept_or_written(second, never).tag == "first"
    goes_on.set()
    aside_is_done()
    assert kept_or_written(second, never).written == b"second"
    kept_answers.is_to_be_renewed(second)
    moment.shift(10.1)
    assert kept_or_written(Wanted("third", place="here"), lambda: b"third").tag == "third"


@pytest.mark.django_db
@pytest.mark.parametrize("address", [PAGE, DOCUMENT])
def test_what_is_older_than_a_moment_is_not_served_again(
    season: Competition, moment: time_machine.Traveller, address: str
) -> None:
    before = tag_at(address, season)
    tag_at(address, season)
    play_next(season)
    moment.shift(3.1)
    assert tag_at(address, season) != before


@pytest.mark.django_db
@pytest.mark.parametrize("address", [PAGE, DOCUMENT])
def test_whoever_is_signed_in_reads_what_is_newest(
    season: Competition, moment: time_machine.Traveller, address: str
) -> None:
    director = Client()
    director.force_login(factories.user("director", Role.DIRECTOR, season))
    before = tag_at(address, season), tag_at(address, season, director)
    play_next(season)
    assert tag_at(address, season, director) not in before


@pytest.mark.both_databases
@pytest.mark.django_db
@pytest.mark.parametrize("address", [PAGE, DOCUMENT])
def test_what_an_organizer_changes_about_a_competition_shows_at_once(
    season: Competition, moment: time_machine.Traveller, address: str
) -> None:
    before = tag_at(address, season)
    Competition.objects.filter(pk=season.pk).update(name="Another name")
    assert tag_at(address, season) != before
    Competition.objects.filter(pk=season.pk).update(audience=Audience.STAFF)
    assert Client().get(address.format(slug=season.slug)).status_code == 404


@pytest.mark.both_databases
@pytest.mark.django_db
@pytest.mark.parametrize("address", [PAGE, DOCUMENT, "/c/{slug}/version/"])
def test_what_was_read_a_fraction_of_a_second_ago_is_not_looked_up_again(
    season: Competition, moment: time_machine.Traveller, settings: LazySettings, address: str
) -> None:
    settings.KNOWN_SECONDS = 0.5
    for _once_understood in range(2):
        tag = tag_at(address, season)

    def looked_up() -> int:
        with CaptureQueriesContext(connection) as queries:
            answer = Client().get(address.format(slug=season.slug), headers={"If-None-Match": tag})
        assert answer.status_code == 304
        return len(queries)

    assert looked_up() == 0
    moment.shift(0.6)
    assert looked_up() == 1
    Competition.objects.filter(pk=season.pk).update(audience=Audience.STAFF)
    moment.shift(0.6)
    assert Client().get(address.format(slug=season.slug)).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_a_document_written_aside_is_the_one_that_would_have_been_answered_and_counts_for_nobody(
    season: Competition, moment: time_machine.Traveller, settings: LazySettings
) -> None:
    settings.REQUESTS_PER_MINUTE = {**settings.REQUESTS_PER_MINUTE, "read": 4}
    address = DOCUMENT.format(slug=season.slug)
    for _once_understood in range(2):
        tag_at(DOCUMENT, season)
    play_next(season)
    tag_at(DOCUMENT, season)
    aside_is_done()
    written_aside = Client().get(address)
    cache.clear()
    written_anew = Client().get(address)
    assert (written_aside.content, written_aside["ETag"]) == (written_anew.content, written_anew["ETag"])
    assert written_aside["Content-Type"] == written_anew["Content-Type"]


def test_those_who_ask_at_once_wait_for_one_who_writes() -> None:
    written = []

    def write() -> bytes:
        time.sleep(0.05)
        written.append(1)
        return b"page"

    answers = together(*[lambda: kept_or_written(Wanted('"tag"'), write)] * 4)
    assert answers == [kept_answers.Kept('"tag"', b"page")] * 4
    assert len(written) == 1


@pytest.mark.django_db
def test_where_writing_aside_fails_the_one_before_is_read_and_who_comes_later_is_told_why(
    moment: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> bytes:
        raise RuntimeError("a fault of the page")

    kept_or_written(Wanted("first", place="here"), lambda: b"first")
    assert kept_or_written(Wanted("second", place="here"), fails).tag == "first"
    aside_is_done()
    assert "a fault of the page" in caplog.text
    moment.shift(3.1)
    with pytest.raises(RuntimeError, match="a fault of the page"):
        kept_or_written(Wanted("second", place="here"), fails)


def test_one_that_was_begun_earlier_and_is_ready_later_does_not_come_back() -> None:
    def slow() -> bytes:
        kept_answers.keep(Wanted("second", place="here"), lambda: b"second", time.time())
        return b"first"

    with time_machine.travel(NOON) as traveller:
        kept_answers.keep(Wanted("first", place="here"), slow, time.time())
        traveller.shift(1)
        newest = kept_answers.a_moment_old(Wanted("third", place="here"))
    assert newest is not None
    assert newest.tag == "second"
