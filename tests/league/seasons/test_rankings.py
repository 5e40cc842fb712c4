"""Rankings as they are kept: files, events, results that follow final tables, and what each visitor may know."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import AnonymousUser, Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import (
    Audience,
    Competition,
    EventListed,
    Hanchan,
    OrganizationChange,
    Player,
    Ranking,
    RankingRevision,
)
from league.models.ranking import EventResult
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.selectors.seasons.rankings import Board, board_of, outlook, visible_rankings
from league.services.competitions.setup import new_player, set_status
from league.services.operations.sweep import sweep
from league.services.parlour.people import add_guest, merge_players
from league.services.parlour.sittings import close_sitting, set_stand_in
from league.services.people.erasure import erase_player
from league.services.results.results import void_hanchan
from league.services.results.rulings import close_block
from league.services.seasons.rankings import (
    EventFacts,
    change_event,
    change_rules,
    create_ranking,
    edit_ranking,
    list_event,
    refresh_event,
    unlist_event,
)
from rulesets.rankings import ranking_names, ranking_text
from scoring.rankings.events import Event
from tests.factories import SYSTEM, actor, final_table, in_block, play_all, table, user
from tests.league import parlours
from tests.league.misseated import players_of
from tests.league.resting_league import resting_league
from tests.league.seasons.ranked_events import DAY, FIRST_WINS, played, players, publish, spring_and_summer

pytestmark = pytest.mark.django_db

LATER = DAY + dt.timedelta(60)


def ranking(source: str = "season-points", slug: str = "circuit") -> Ranking:
    return create_ranking(slug=slug, name="ランキング", name_en="Circuit", source=source, is_public=True, by=SYSTEM)


def listed(row: Ranking, competition: Competition, day: dt.date = DAY, days: int = 1) -> EventListed:
    return list_event(ranking=row, competition=competition, facts=EventFacts(day=day, days=days), by=SYSTEM)


def shown(row: Ranking, day: dt.date = LATER) -> list[tuple[str, int | None, str]]:
    return [(line.player.name if line.player else "", line.place, line.total) for line in board_of(row, day).lines()]


@pytest.mark.parametrize("name", ranking_names())
def test_every_ranking_of_the_product_can_be_made(name: str) -> None:
    row = ranking(name)
    assert row.rules.text == ranking_text(name)
    assert shown(row) == []
    assert OrganizationChange.objects.get(kind="ranking.made").subject_id == str(row.pk)


def test_the_points_of_two_seasons_add_up_by_person_and_each_term_has_its_event() -> None:
    spring = spring_and_summer()
    summer = Competition.objects.get(slug="summer")
    row = ranking()
    events = [listed(row, spring), listed(row, summer, LATER)]
    first, second, third, fourth = (each.name for each in players(spring))
    assert shown(row, DAY) == [(first, 1, "100"), (second, 2, "80"), (third, 3, "60"), (fourth, 4, "50")]
    assert sorted(shown(row)) == sorted([(first, 1, "150"), (fourth, 1, "150"), (second, 3, "140"), (third, 3, "140")])
    board = board_of(row, LATER)
    assert board.reckoned
    terms = board.reckoned.sum_of(players(spring)[0].pk).terms
    assert [(board.events[term.event], term.result.place, int(term.base)) for term in terms] == [
        (events[1], 4, 50),
        (events[0], 1, 100),
    ]


def test_an_event_counts_once_its_champion_is_certain_or_it_is_closed() -> None:
    running = played("running", 2)
    row = ranking()
    listed(row, running)
    assert shown(row) == []
    set_status(competition=running, status=Competition.Status.CLOSED, by=SYSTEM)
    publish(running)
    assert [place for _name, place, _total in shown(row)] == [1, 2, 3, 4]


def test_an_event_counts_whose_block_was_closed_before_its_last_table_was_played() -> None:
    short = final_table("short")
    play_all(table(short.blocks.get(), numbers=(1, 2)), *FIRST_WINS[:2])
    table(short.blocks.get(), numbers=(3, 4))
    row = ranking()
    listed(row, short)
    close_block(block=short.blocks.get(), reason="typhoon", by=SYSTEM)
    publish(short)
    assert [place for _name, place, _total in shown(row)] == [1, 2, 3, 4]


def test_a_corrected_competition_changes_the_ranking_and_the_sweep_does_what_a_lost_message_left() -> None:
    spring = played("spring")
    row = ranking()
    listed(row, spring)
    assert len(shown(row)) == 4
    last = spring.table_sessions.get().hanchan.order_by("round").last()
    assert last
    void_hanchan(hanchan=last, reason="wrong table", by=SYSTEM, accept=["later_stage_begun"])
    sweep()
    assert shown(row) == []
    assert not EventResult.objects.exists()


def test_copying_again_writes_nothing_where_nothing_changed_and_an_event_reads_only_itself() -> None:
    spring = spring_and_summer()
    summer = Competition.objects.get(slug="summer")
    row = ranking()
    first = listed(row, spring)
    ids = set(EventResult.objects.values_list("pk", flat=True))
    refresh_event(first)
    assert set(EventResult.objects.values_list("pk", flat=True)) == ids
    shown(row)
    second = listed(row, summer)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        shown(row)
    read = [query["sql"] for query in queries if "league_eventresult" in query["sql"]]
    assert len(read) == 1
    assert f"IN ({second.pk})" in read[0]
    assert ids < set(EventResult.objects.values_list("pk", flat=True))


def test_an_event_can_be_changed_and_taken_out_and_both_stay_in_the_history() -> None:
    row = ranking("mers")
    event = listed(row, played("spring"), days=1)
    changed = change_event(event=event, facts=EventFacts(day=DAY, days=2), by=SYSTEM, reason="two days")
    board = board_of(row, LATER)
    assert board.reckoned
    assert [term.weight for person in board.reckoned.people for term in board.reckoned.sum_of(person).terms] == [2] * 4
    with pytest.raises(ConflictError):
        unlist_event(event=event, by=SYSTEM)
    unlist_event(event=changed, by=SYSTEM, reason="not ours")
    assert shown(row) == []
    assert EventListed.objects.filter(ended_at=None).count() == 0
    assert EventListed.objects.count() == 2
    kinds = list(OrganizationChange.objects.order_by("pk").values_list("kind", flat=True))
    assert kinds[-3:] == ["ranking.event_listed", "ranking.event_changed", "ranking.event_unlisted"]


def test_competitions_that_the_public_may_not_know_count_for_those_who_may() -> None:
    row = ranking()
    hidden = played("hidden")
    listed(row, hidden)
    Competition.objects.filter(pk=hidden.pk).update(audience=Audience.STAFF)
    assert board_of(row, LATER, AnonymousUser()).lines() == []
    master = user("master", is_superuser=True)
    assert len(board_of(row, LATER, master).lines()) == 4


def test_a_result_under_embargo_does_not_count() -> None:
    competition = final_table("late")
    session = table(competition.blocks.get(), public_at=dt.datetime(2100, 1, 1, tzinfo=dt.UTC))
    play_all(session, *FIRST_WINS)
    publish(competition)
    row = ranking()
    listed(row, competition)
    assert shown(row) == []
    session.refresh_from_db()
    type(session).objects.filter(pk=session.pk).update(public_at=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
    sweep()
    sweep()
    assert len(shown(row)) == 4


def test_an_erased_person_keeps_the_line_without_a_name() -> None:
    spring = played("spring")
    row = ranking()
    listed(row, spring)
    erase_player(player=players(spring)[0], by=SYSTEM)
    name, place, total = shown(row)[0]
    assert (place, total) == (1, "100")
    assert "消去" in name or "Erased" in name


def test_a_rating_and_a_ladder_follow_the_games_of_an_open_table_and_guard_its_guests() -> None:
    parlour = parlours.parlour("banchi4")
    Competition.objects.filter(pk=parlour.pk).update(audience=Audience.PUBLIC)
    people = [*parlours.guests(parlour, 3), add_guest(competition=parlour, name="四郎", by=SYSTEM)]
    Player.objects.filter(pk=people[0].player_id).update(is_public=True, handle="Fox")
    sitting = parlours.sitting(parlour, people)
    for game in range(3):
        parlours.play(sitting, (41200 + 100 * game, 30100, 18700, 10000 - 100 * game))
    publish(parlour)
    rating, ladder = ranking("tenhou-r", "rate"), ranking("house-dan", "dan")
    for row in (rating, ladder):
        listed(row, parlour)
    public, master = (
        board_of(rating, visitor=None).lines(),
        board_of(rating, visitor=user("master", is_superuser=True)).lines(),
    )
    assert [line.player.name for line in public if line.player] == ["Fox"]
    assert [line.counting for line in master] == [3] * 4
    assert sum(line.exact for line in master) > 5900
    top = board_of(ladder, visitor=user("other", is_superuser=True)).lines()[0]
    assert (top.place, top.rank, top.total) == (1, 1, "0")
    with pytest.raises(RuleViolationError) as refused:
        listed(ranking(), parlour)
    assert refused.value.findings[0].code == "no_final_table"
    with pytest.raises(RuleViolationError):
        change_rules(ranking=rating, source="mers", by=SYSTEM)


def test_a_game_after_midnight_counts_on_its_business_day() -> None:
    league = final_table(day_starts_at=dt.time(6))
    night = dt.datetime(2026, 6, 2, 1, 30, tzinfo=ZoneInfo("Asia/Tokyo"))
    play_all(table(league.blocks.get(), numbers=(1,), starts_at=night))
    publish(league)
    row = ranking("tenhou-r")
    listed(row, league)
    assert len(shown(row, DAY)) == 4


def test_games_of_a_final_follow_those_of_the_stage_before_it_on_the_same_evening() -> None:
    league = resting_league(8, 2)
    block = league.blocks.get(key="A")
    people = in_block(block)
    for number, parts in ((1, (people[:4], people[4:])), (2, (people[::2], people[1::2]))):
        for nth, part in enumerate(parts):
            more = 1000 * number + 100 * nth
            play_all(table(block, part, (number,)), (41200 + more, 30100, 18700, 10000 - more))
    publish(league)
    final = league.blocks.get(key="final")
    finalists = players_of(final)
    play_all(table(final, finalists, (1,)), (10000, 18700, 30100, 41200))
    publish(league)
    row = ranking("tenhou-r")
    listed(row, league)
    (steps,) = [own for person, own in board_of(row, LATER).steps.items() if person == finalists[0].player_id]
    assert [Hanchan.objects.get(pk=step.game.key).block.key for step in steps] == ["A", "A", "final"]


def test_a_rating_reads_the_games_of_all_competitions_at_once_each_as_the_public_may_read_it() -> None:
    spring, late = spring_and_summer(), final_table("late")
    summer = Competition.objects.get(slug="summer")
    play_all(table(late.blocks.get(), public_at=dt.datetime(2100, 1, 1, tzinfo=dt.UTC)), *FIRST_WINS)
    void_hanchan(hanchan=Hanchan.objects.filter(block__competition=summer)[0], by=SYSTEM, reason="another table's")
    for competition in (summer, late):
        publish(competition)
    row, boards, read = ranking("tenhou-r"), list[Board](), list[int]()
    for competition in (spring, summer, late):
        listed(row, competition)
        with CaptureQueriesContext(connection) as queries:
            boards.append(board_of(row, LATER))
        read.append(len(queries))
    assert read == read[:1] * 3
    played_there = Hanchan.objects.filter(block__competition__in=[spring, summer], state=Hanchan.State.FINISHED)
    steps = [step for own in boards[-1].steps.values() for step in own]
    assert {step.game.key for step in steps} == set(played_there.values_list("pk", flat=True))
    assert played_there.count() == 7


def test_an_edited_event_keeps_its_place_among_those_of_its_day() -> None:
    spring = spring_and_summer()
    row = ranking("tenhou-r")
    first = listed(row, spring)
    listed(row, Competition.objects.get(slug="summer"))
    before = shown(row)
    change_event(event=first, facts=EventFacts(day=DAY, days=2), by=SYSTEM)
    assert shown(row) == before


@pytest.mark.parametrize("source", ["tenhou-r", "house-dan"])
def test_games_of_a_guest_entered_twice_count_as_those_of_one_person(source: str) -> None:
    boss, found = user("boss", is_superuser=True), []
    for slug in ("once", "twice"):
        parlour = parlours.parlour("banchi4", slug)
        one, *others = [*parlours.guests(parlour, 3), add_guest(competition=parlour, name="四郎", by=SYSTEM)]
        again = add_guest(competition=parlour, name="また", by=SYSTEM) if slug == "twice" else one
        for game, who in enumerate((one, again)):
            sitting = parlours.sitting(parlour, [who, *others])
            parlours.play(sitting, (41200 + 100 * game, 30100, 18700, 10000 - 100 * game))
            close_sitting(sitting=sitting, by=SYSTEM)
        if again != one:
            merge_players(duplicate=again.player, keep=one.player, by=SYSTEM)
        publish(parlour)
        row = ranking(source, f"{source}-{slug}")
        listed(row, parlour)
        found.append(
            [(line.place, line.rank, line.total, line.counting) for line in board_of(row, visitor=boss).lines()]
        )
    assert found[1] == found[0]
    assert [counting for _place, _rank, _total, counting in found[1]] == [2] * 4


def test_a_game_played_as_a_stand_in_counts_for_the_person_kept_by_a_merge() -> None:
    parlour, boss = parlours.parlour("banchi4"), user("boss", is_superuser=True)
    people = [*parlours.guests(parlour, 3), add_guest(competition=parlour, name="四郎", by=SYSTEM)]
    sitting = parlours.sitting(parlour, people)
    duplicate, keep = new_player(name="代打", by=SYSTEM), add_guest(competition=parlour, name="代打 太郎", by=SYSTEM)
    set_stand_in(seat=parlours.chair(sitting, 0), player=duplicate, by=SYSTEM)
    parlours.play(sitting)
    publish(parlour)
    row = ranking("tenhou-r")
    listed(row, parlour)
    assert board_of(row, visitor=boss).line_of(keep.player) is None
    merge_players(duplicate=duplicate, keep=keep.player, by=SYSTEM)
    publish(parlour)
    line = board_of(row, visitor=boss).line_of(keep.player)
    assert line
    assert line.counting == 1


def test_a_person_has_a_line_and_a_place_that_lifts_above_another() -> None:
    spring = played("spring")
    first, second, *_rest = players(spring)
    row = ranking()
    listed(row, spring)
    found = board_of(row, LATER).line_of(second)
    assert found
    assert (found.place, found.total) == (2, "80")
    board = board_of(row, LATER)
    wanted = outlook(board, second, first, Event(0, LATER, 16, {}))
    assert wanted
    assert wanted.needed == 12
    assert [wanted.places[number].listed for number in (11, 12)] == [102, 100]
    assert wanted.needed_in_any_case is None


def test_rankings_are_written_by_those_with_the_right_and_read_by_the_public_if_public() -> None:
    writer, reader = user("writer"), user("reader")
    writer.user_permissions.add(Permission.objects.get(codename="add_ranking"))
    writer = type(writer).objects.get(pk=writer.pk)
    with pytest.raises(PermissionRefusedError):
        create_ranking(slug="mine", name="x", source="mers", by=actor(reader))
    row = create_ranking(slug="mine", name="x", source="mers", by=actor(writer))
    assert not visible_rankings(reader).exists()
    assert visible_rankings(writer).get() == row
    edit_ranking(ranking=row, name="y", is_public=True, by=actor(writer))
    assert visible_rankings(None).get().name == "y"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"slug": "Not An Address"}, "bad_slug"),
        ({"name": " "}, "name_needed"),
        ({"source": "mers", "text": "x"}, "one_source"),
        ({"source": ""}, "one_source"),
        ({"source": "gone"}, "unknown_ranking"),
        ({"source": "", "text": "name ="}, "no_toml"),
        ({"source": "", "text": ranking_text("mers").replace("top = 1000, ", "")}, "needs_top"),
        ({"source": "", "text": "x" * 70_000}, "text_too_long"),
    ],
)
def test_a_ranking_that_cannot_be_is_refused_with_the_reason(given: dict[str, str], code: str) -> None:
    with pytest.raises(RuleViolationError) as refused:
        create_ranking(
            slug=given.get("slug", "mine"),
            name=given.get("name", "x"),
            source=given.get("source", "mers"),
            text=given.get("text", ""),
            by=SYSTEM,
        )
    assert [each.code for each in refused.value.findings] == [code]


def test_all_faults_of_a_new_ranking_are_told_at_once() -> None:
    ranking()
    text = ranking_text("mers").replace("top = 1000, ", "")
    with pytest.raises(RuleViolationError) as refused:
        create_ranking(slug="circuit", name=" ", text=text, by=SYSTEM)
    assert [each.code for each in refused.value.findings] == ["slug_taken", "name_needed", "needs_top"]
    assert RankingRevision.objects.count() == 1


def test_an_address_is_taken_once_and_a_competition_is_listed_once() -> None:
    row = ranking()
    with pytest.raises(ConflictError):
        ranking()
    spring = played("spring")
    listed(row, spring)
    with pytest.raises(ConflictError):
        listed(row, spring)
    with pytest.raises(RuleViolationError):
        change_event(event=row.events.get(), facts=EventFacts(day=DAY, days=0), by=SYSTEM)
    assert isinstance(board_of(row), Board)
