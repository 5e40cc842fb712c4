"""Tests of the import of online games: players and hanchan found, hands and result written, each refusal named."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from functools import partial
from urllib.parse import quote

import pytest
from django.utils import timezone

from league.files.archive import pack_archive
from league.files.pasted_logs import BroughtLog, split_pasted
from league.models import (
    Change,
    Competition,
    Door,
    Hanchan,
    ImportedPaifu,
    OnlineAccount,
    Paifu,
    PaifuImport,
    Player,
    ResultSheet,
    Role,
    TableEvent,
    TableLink,
    TableSession,
)
from league.platform.errors import PermissionRefusedError, ServiceError
from league.selectors.access.actors import Actor
from league.selectors.live.log import log_of
from league.selectors.parlour.charges import charges_of_days
from league.selectors.people.personal_data import person_document
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.services.competitions.setup import new_player
from league.services.exchange.archives import archive_of, import_archive
from league.services.exchange.paifu_checks import NOT_OVER, OTHER_POINTS
from league.services.exchange.paifu_import import (
    KEPT,
    LOST_AFTER,
    GameChoice,
    apply_paifu_import,
    begin_paifu_import,
    choose_in_import,
    continue_paifu_import,
    forget_old_imports,
    imports_to_continue,
)
from league.services.exchange.paifu_preview import preview_import
from league.services.live.links import make_link
from league.services.parlour.people import merge_players
from league.services.people.erasure import erase_player
from league.services.people.online_accounts import forget_account, remember_account
from league.services.results.results import void_hanchan
from scoring.ruleset import Ruleset
from tests import factories
from tests.league import parlours
from tests.league.online import (
    applied,
    as_tenhou_json,
    brought,
    finish,
    four,
    game,
    named,
    online_league,
    outcomes,
    scorer,
    table_of,
)
from tests.league.tables import begun
from tests.paifu.tenhou_json import write_tenhou_json

pytestmark = pytest.mark.django_db


def seats_for(competition: Competition) -> dict[str, tuple[int, int]]:
    """Return the four players as choices for the seats of a log."""
    return {str(seat): (one.pk, one.player_id) for seat, one in enumerate(four(competition))}


def test_a_game_becomes_the_log_and_the_result_of_the_hanchan_of_its_players() -> None:
    competition = online_league()
    table = table_of(competition)
    by, played = scorer(competition), game(1, named(competition))
    batch = applied(competition, played, by=by)
    assert outcomes(batch) == [("imported", [])]
    hanchan = table.hanchan.get(round=1)
    log = log_of(hanchan)
    assert [result.changes() for result in log.game.kyoku] == [kyoku.deltas for kyoku in played.hands]
    sheet = ResultSheet.objects.counting_of(hanchan)
    assert sheet is not None
    assert [seat.final_score for seat in sheet.seats.order_by("seat")] == list(played.final_scores)
    assert sheet.made_from_sequence == log.sequence
    assert hanchan.state == Hanchan.State.FINISHED
    kinds = Change.objects.filter(competition=competition).order_by("-n").values_list("kind", flat=True)[:3]
    assert list(kinds) == ["result.confirmed", "hanchan.started", "paifu.imported"]


def test_a_preview_shows_every_hand_and_writes_nothing() -> None:
    competition = online_league()
    table_of(competition)
    by, played = scorer(competition), game(1, named(competition))
    batch = begin_paifu_import(competition=competition, logs=brought(played), by=by)
    before = Change.objects.count()
    [one] = preview_import(batch, by).games
    assert one.is_ready
    assert one.played is not None
    assert [hand.changes for hand in one.played.hands] == [kyoku.deltas for kyoku in played.hands]
    assert one.played.settlement is not None
    assert one.played.settlement.final_scores == played.final_scores
    assert (Change.objects.count(), TableEvent.objects.count(), Paifu.objects.count()) == (before, 0, 0)


def test_a_second_look_at_a_preview_plays_no_game_again_and_shows_the_same() -> None:
    competition = online_league()
    table_of(competition)
    by, games = scorer(competition), [game(seed, named(competition)) for seed in (1, 2)]
    batch = begin_paifu_import(competition=competition, logs=brought(*games), by=by)
    first, second = (preview_import(batch, by).games for _look in range(2))
    assert [one.played is other.played is not None for one, other in zip(first, second, strict=True)] == [True, True]
    assert [one.findings for one in first] == [one.findings for one in second]


def test_several_games_of_four_players_take_their_hanchan_in_the_order_of_play() -> None:
    competition = online_league()
    table = table_of(competition)
    first = game(1, named(competition))
    later = replace(game(2, named(competition)), game=first.game.replace("2026040520", "2026040521"))
    applied(competition, later, first, by=scorer(competition))
    records = Paifu.objects.order_by("hanchan__round").values_list("hanchan", "game")
    one, two = table.hanchan.order_by("round")[:2]
    assert list(records) == [(one.pk, first.game), (two.pk, later.game)]


@pytest.mark.parametrize("other_format", [False, True], ids=["same file", "other format"])
def test_the_same_game_is_refused_by_name_also_in_another_format(*, other_format: bool) -> None:
    competition = online_league()
    table_of(competition)
    by, played = scorer(competition), game(1, named(competition))
    applied(competition, played, by=by)
    logs = [as_tenhou_json(replace(played, game=""))] if other_format else brought(played)
    batch = begin_paifu_import(competition=competition, logs=logs, by=by)
    [one] = preview_import(batch, by).games
    assert [finding.code for finding in one.findings] == ["online_game_known"]
    assert outcomes(finish(apply_paifu_import(batch=batch, by=by))) == [("refused", ["online_game_known"])]
    assert Paifu.objects.count() == 1


def test_a_game_whose_result_was_taken_back_can_be_imported_again() -> None:
    competition = online_league()
    table = table_of(competition)
    director = factories.actor(factories.user("boss", Role.DIRECTOR, competition))
    played, hanchan = game(1, named(competition)), table.hanchan.get(round=1)
    applied(competition, played, by=director)
    void_hanchan(hanchan=hanchan, by=director, reason="wrong table")
    assert outcomes(applied(competition, played, by=director)) == [("imported", [])]
    assert list(Paifu.objects.order_by("pk").values_list("ended_n", flat=True))[1:] == [None]
    assert Paifu.objects.standing().count() == 1
    log = log_of(hanchan)
    assert [result.changes() for result in log.game.kyoku] == [kyoku.deltas for kyoku in played.hands]
    assert ResultSheet.objects.counting_of(hanchan) is not None


def test_unknown_names_are_asked_for_and_remembered_once_chosen() -> None:
    competition = online_league()
    table_of(competition)
    by, played = scorer(competition), game(1)
    batch = begin_paifu_import(competition=competition, logs=brought(played), by=by)
    assert outcomes(finish(apply_paifu_import(batch=batch, by=by))) == [("refused", ["online_player_unknown"])]
    choose_in_import(batch=batch, choices={1: GameChoice(seats_for(competition))}, by=by)
    assert outcomes(finish(apply_paifu_import(batch=batch, by=by))) == [("imported", [])]
    known = OnlineAccount.objects.filter(kind="name").order_by("player").values_list("text", "player")
    assert list(known) == [
        (player.name, one.player_id) for player, one in zip(played.players, four(competition), strict=True)
    ]
    assert outcomes(applied(competition, game(2), by=by)) == [("imported", [])]


def test_names_of_players_without_an_account_are_not_remembered() -> None:
    competition = online_league()
    table_of(competition)
    by, names = scorer(competition), ("NoName", *named(competition)[1:])
    batch = begin_paifu_import(competition=competition, logs=brought(game(1, names)), by=by)
    choose_in_import(batch=batch, choices={1: GameChoice({"0": seats_for(competition)["0"]})}, by=by)
    assert outcomes(finish(apply_paifu_import(batch=batch, by=by))) == [("imported", [])]
    assert not OnlineAccount.objects.filter(text="NoName").exists()


def test_one_name_for_two_players_asks_who_played() -> None:
    competition = online_league()
    table_of(competition)
    by, own = scorer(competition), named(competition)
    batch = begin_paifu_import(competition=competition, logs=brought(game(1, (own[0], *own[:1], *own[2:]))), by=by)
    [one] = preview_import(batch, by).games
    assert [finding.code for finding in one.findings] == ["online_player_twice"]


def test_a_game_of_other_people_finds_no_hanchan_and_names_it() -> None:
    competition = online_league()
    by = scorer(competition)
    batch = applied(competition, game(1, named(competition)), by=by)
    assert outcomes(batch) == [("refused", ["no_such_hanchan"])]


def test_a_game_for_other_rules_of_players_is_refused() -> None:
    competition = factories.final_table("paper", ruleset="mleague")
    table_of(competition)
    batch = applied(competition, game(1, named(competition)), by=scorer(competition))
    assert outcomes(batch) == [("refused", ["hands_unknown"])]


def test_other_points_by_our_rules_must_be_accepted_and_ours_count() -> None:
    competition = factories.final_table("mild", ruleset="cinderella")
    table = table_of(competition)
    by, played = scorer(competition), game(5, named(competition))
    batch = begin_paifu_import(competition=competition, logs=brought(played), by=by)
    preview = preview_import(batch, by)
    assert list(preview.warnings) == [OTHER_POINTS]
    assert preview.games[0].played is not None
    reasons = [each.code for hand in preview.games[0].played.hands for each in hand.differences(ruleset_at(table))]
    assert reasons == ["points_by_limit"]
    assert outcomes(finish(apply_paifu_import(batch=batch, by=by))) == [("refused", [OTHER_POINTS])]
    assert outcomes(finish(apply_paifu_import(batch=batch, by=by, accept=[OTHER_POINTS]))) == [("imported", [])]
    log = log_of(table.hanchan.get(round=1))
    assert [result.changes() for result in log.game.kyoku] != [kyoku.deltas for kyoku in played.hands]


def test_a_game_that_goes_on_by_our_rules_ends_by_time_once_accepted() -> None:
    competition = factories.final_table("mild", ruleset="cinderella")
    table = table_of(competition)
    by, played = scorer(competition), game(1, named(competition))
    assert outcomes(applied(competition, played, by=by)) == [("refused", [NOT_OVER])]
    batch = begin_paifu_import(competition=competition, logs=brought(played), by=by)
    finish(apply_paifu_import(batch=batch, by=by, accept=[NOT_OVER, OTHER_POINTS]))
    assert table.hanchan.get(round=1).state == Hanchan.State.ENDED_BY_TIME


def test_a_log_that_goes_on_after_the_end_by_our_rules_is_refused_with_the_hand() -> None:
    competition = factories.final_table("mild", ruleset="cinderella")
    table_of(competition)
    batch = applied(competition, game(3, named(competition)), by=scorer(competition))
    assert outcomes(batch) == [("refused", ["online_game_too_long"])]


def ruleset_at(table: TableSession) -> Ruleset:
    """Return the rules of a table's first hanchan."""
    return ruleset_of(table.hanchan.select_related("rules__ruleset").get(round=1).rules)


def test_unreadable_logs_are_named_and_leave_the_others_alone() -> None:
    competition = online_league()
    table_of(competition)
    by = scorer(competition)
    logs = [
        BroughtLog("broken.xml", b"<mjloggm"),
        *split_pasted("https://tenhou.net/0/?log=2026040520gm-0009-0000-1"),
        *brought(game(1, named(competition))),
    ]
    batch = begin_paifu_import(competition=competition, logs=logs, by=by)
    batch = finish(apply_paifu_import(batch=batch, by=by))
    assert outcomes(batch)[0] == ("imported", [])
    assert {codes[0] for _outcome, codes in outcomes(batch)[1:]} == {"broken_xml", "link_without_log"}
    assert (batch.state, batch.done, batch.total) == (PaifuImport.State.DONE, 3, 3)


def test_a_link_of_the_viewer_has_its_log_in_it() -> None:
    played = game(1)
    log = json.dumps(write_tenhou_json(played))
    link = f"https://tenhou.net/6/#json={quote(log)}"
    assert split_pasted(link)[0].data == log
    assert len(split_pasted(f"{link}\n\n{link}\n")) == 2


def test_a_game_can_be_left_out() -> None:
    competition = online_league()
    table_of(competition)
    by = scorer(competition)
    batch = begin_paifu_import(
        competition=competition, logs=brought(*(game(seed, named(competition)) for seed in (1, 2))), by=by
    )
    choose_in_import(batch=batch, choices={1: GameChoice(is_left_out=True)}, by=by)
    assert [outcome for outcome, _codes in outcomes(finish(apply_paifu_import(batch=batch, by=by)))] == [
        "left_out", "imported",
    ]  # fmt: skip


def test_a_chosen_hanchan_is_taken_and_not_given_to_another_game() -> None:
    competition = online_league()
    table = table_of(competition)
    by, two = scorer(competition), [game(seed, named(competition)) for seed in (1, 2)]
    batch = begin_paifu_import(competition=competition, logs=brought(*two), by=by)
    first = table.hanchan.get(round=1)
    choose_in_import(batch=batch, choices={2: GameChoice(hanchan=first.pk)}, by=by)
    finish(apply_paifu_import(batch=batch, by=by))
    rows = ImportedPaifu.objects.filter(batch=batch).order_by("number").values_list("hanchan__round", flat=True)
    assert list(rows) == [2, 1]


def test_a_hanchan_followed_at_its_table_keeps_its_own_log() -> None:
    competition = online_league()
    table = table_of(competition)
    begun(table)
    batch = applied(competition, game(1, named(competition)), by=scorer(competition))
    assert outcomes(batch) == [("refused", ["has_a_log"])]


def test_an_import_goes_on_where_a_lost_worker_left_it() -> None:
    competition = online_league()
    table_of(competition)
    by = scorer(competition)
    batch = begin_paifu_import(
        competition=competition, logs=brought(*(game(seed, named(competition)) for seed in (1, 2))), by=by
    )
    batch = apply_paifu_import(batch=batch, by=by)
    PaifuImport.objects.update(state=PaifuImport.State.RUNNING, touched_at=timezone.now())
    assert continue_paifu_import(batch.pk, 0) is None
    assert list(imports_to_continue()) == []
    PaifuImport.objects.update(touched_at=timezone.now() - 2 * LOST_AFTER)
    assert list(imports_to_continue()) == [(batch.pk, 0)]
    assert continue_paifu_import(batch.pk, 0) is None
    assert continue_paifu_import(batch.pk, 0) is None
    assert [outcome for outcome, _codes in outcomes(batch)] == ["imported"] * 2
    assert Paifu.objects.count() == 2


def test_only_those_who_may_enter_results_import() -> None:
    competition = online_league()
    table_of(competition)
    reader = factories.actor(factories.user("reader", Role.READER, competition))
    with pytest.raises(PermissionRefusedError):
        begin_paifu_import(competition=competition, logs=brought(game(1)), by=reader)
    batch = begin_paifu_import(competition=competition, logs=brought(game(1)), by=scorer(competition))
    with pytest.raises(PermissionRefusedError):
        apply_paifu_import(batch=batch, by=reader)
    with pytest.raises(PermissionRefusedError):
        choose_in_import(batch=batch, choices={1: GameChoice()}, by=reader)


def test_a_players_link_imports_a_game_of_its_own_table_and_organizers_confirm_it() -> None:
    competition = online_league()
    table = table_of(competition)
    link = make_link(
        table_session=table, kind=TableLink.Kind.PLAYER, entrant=four(competition)[0], by=factories.SYSTEM
    ).link
    by = Actor(user=None, door=Door.TABLE, link=link)
    with pytest.raises(PermissionRefusedError):
        begin_paifu_import(competition=competition, logs=brought(game(1)), by=by)
    batch = begin_paifu_import(competition=competition, logs=brought(game(1, named(competition))), by=by, table=table)
    assert outcomes(finish(apply_paifu_import(batch=batch, by=by))) == [("imported", [])]
    sheet = ResultSheet.objects.get(hanchan=table.hanchan.get(round=1))
    assert sheet.state == ResultSheet.State.SUBMITTED
    other = online_league("other")
    with pytest.raises(PermissionRefusedError):
        begin_paifu_import(competition=other, logs=brought(game(1)), by=by, table=table_of(other))


def test_stored_records_have_no_names_and_erasing_a_person_deletes_accounts_and_drafts() -> None:
    competition = online_league()
    table_of(competition)
    by = scorer(competition)
    batch = begin_paifu_import(competition=competition, logs=brought(game(1)), by=by)
    choose_in_import(batch=batch, choices={1: GameChoice(seats_for(competition))}, by=by)
    finish(apply_paifu_import(batch=batch, by=by))
    person = four(competition)[0].player
    assert '"kaze"' in json.dumps(person_document(person)["online_accounts"], default=str)
    assert "kaze" not in json.dumps(Paifu.objects.get().content, ensure_ascii=False)
    erase_player(player=person, by=factories.actor(factories.user("root", is_superuser=True)))
    assert not OnlineAccount.objects.filter(player=person).exists()
    assert not PaifuImport.objects.exists()
    assert Paifu.objects.count() == 1


def test_accounts_are_remembered_forgotten_and_follow_a_merged_player() -> None:
    competition = online_league()
    director = factories.actor(factories.user("boss", Role.DIRECTOR, competition))
    one, other = four(competition)[0].player, new_player(name="Twice", by=factories.SYSTEM)
    remember = partial(remember_account, service="tenhou", text=" kaze ", by=director)
    account = remember(player=one)
    assert remember(player=one) == account
    with pytest.raises(ServiceError, match="kaze"):
        remember(player=four(competition)[1].player)
    with pytest.raises(PermissionRefusedError):
        remember(player=one, by=scorer(competition))
    forget_account(account=account, by=director)
    assert not OnlineAccount.objects.exists()
    remember(player=other)
    merge_players(duplicate=other, keep=one, by=factories.SYSTEM)
    assert Player.objects.get(online_accounts__text="kaze") == one


def test_an_archive_holds_the_records_and_restores_them() -> None:
    competition = online_league()
    table_of(competition)
    director = factories.actor(factories.user("boss", Role.DIRECTOR, competition, is_superuser=True))
    applied(competition, game(1, named(competition)), by=director)
    data = pack_archive(archive_of(competition=competition, by=director))
    restored = import_archive(data=data, by=director, slug="again")
    first, second = Paifu.objects.order_by("pk")
    assert second.hanchan.block.competition == restored
    assert (second.content, second.digest, second.game) == (first.content, first.digest, first.game)


def test_old_imports_are_forgotten_with_the_names_in_them() -> None:
    competition = online_league()
    begin_paifu_import(competition=competition, logs=brought(game(1)), by=scorer(competition))
    forget_old_imports()
    assert PaifuImport.objects.count() == 1
    PaifuImport.objects.update(touched_at=timezone.now() - KEPT - dt.timedelta(minutes=1))
    forget_old_imports()
    assert not PaifuImport.objects.exists()


def test_an_open_table_adds_the_game_to_its_day_without_a_fee() -> None:
    competition = parlours.parlour("banchi4")
    people = factories.entrants(competition, 4)
    played = game(1, tuple(one.player.name for one in people))
    by = scorer(competition)
    batch = begin_paifu_import(competition=competition, logs=brought(played), by=by)
    [one] = preview_import(batch, by).games
    assert one.is_added
    accept = [finding.code for finding in one.findings]
    assert outcomes(finish(apply_paifu_import(batch=batch, by=by, accept=accept))) == [("imported", [])]
    hanchan = Hanchan.objects.get(block__competition=competition)
    day = dt.date(2026, 4, 5)
    assert hanchan.table_session.session.day == day
    assert ResultSheet.objects.counting_of(hanchan) is not None
    games = charges_of_days(parlours.house(competition), [day]).games
    assert [charge.charge.total for own in games.values() for charge in own] == [0] * 4
