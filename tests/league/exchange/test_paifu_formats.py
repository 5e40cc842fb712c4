"""Tests of the import of online games in each format, with three players, of teams, and with a token's rights."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.utils import timezone

from league.files.pasted_logs import BroughtLog
from league.models import (
    Competition,
    Door,
    Hanchan,
    HanchanSeat,
    OnlineAccount,
    Paifu,
    PaifuImport,
    ResultSheet,
    Role,
)
from league.selectors.access.actors import Actor, Capability
from league.selectors.live.log import log_of
from league.services.access.tokens import TokenPlan, bearer_of, make_token
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.exchange.paifu_import import (
    LOST_AFTER,
    apply_paifu_import,
    begin_paifu_import,
    continue_paifu_import,
    imports_to_continue,
)
from scoring.paifu.records import Paifu as Record
from scoring.paifu.records import PaifuSource
from tests import factories
from tests.league.online import as_tenhou_json, brought, finish, game, named, online_league, outcomes, scorer, table_of
from tests.league.team_league import TeamLeague
from tests.paifu.mahjongsoul import write_mahjongsoul
from tests.paifu.simulated import renamed, simulated

pytestmark = pytest.mark.django_db
TRIO = ("haru", "natsu", "aki")


def as_mjlog(played: Record) -> BroughtLog:
    """Return a game as mjlog."""
    return brought(played)[0]


def as_mahjongsoul(played: Record) -> BroughtLog:
    """Return a game as a record of Mahjong Soul."""
    return BroughtLog("record.json", json.dumps(write_mahjongsoul(played)).encode())


def trio(ruleset: str) -> tuple[Competition, Hanchan]:
    """Create a competition of three players with one hanchan."""
    competition = factories.league("trio", ruleset=ruleset, league_format="open-play")
    entrants = factories.entrants(competition, 3)
    fixture = Fixture(block=competition.blocks.get(), numbers=(1,), entrants=entrants)
    session = create_session(competition=competition, by=factories.SYSTEM)
    return competition, create_table_session(session=session, fixture=fixture, by=factories.SYSTEM).hanchan.get()


def imported(competition: Competition, *logs: BroughtLog, accept: tuple[str, ...] = ()) -> PaifuImport:
    """Bring logs and import them; return the import as it is afterwards."""
    by = scorer(competition)
    batch = begin_paifu_import(competition=competition, logs=logs, by=by)
    return finish(apply_paifu_import(batch=batch, by=by, accept=accept))


@pytest.mark.parametrize(
    ("ruleset", "write", "source"),
    [
        ("tenhou3", as_mjlog, PaifuSource.TENHOU),
        ("tenhou3", as_tenhou_json, PaifuSource.TENHOU),
        ("tenhou3", as_mahjongsoul, PaifuSource.MAHJONGSOUL),
    ],
    ids=["mjlog", "tenhou.net/6", "Mahjong Soul"],
)
def test_three_players_are_imported_from_each_format(
    ruleset: str, write: Callable[[Record], BroughtLog], source: PaifuSource
) -> None:
    competition, hanchan = trio(ruleset)
    names = [row.entrant.player.name for row in HanchanSeat.objects.filter(hanchan=hanchan).order_by("seat")]
    played = renamed(simulated(2, 3), names, 1)
    assert outcomes(imported(competition, write(played))) == [("imported", [])]
    assert Paifu.objects.get().source == source.value
    assert [result.changes() for result in log_of(hanchan).game.kyoku] == [kyoku.deltas for kyoku in played.hands]
    sheet = ResultSheet.objects.counting_of(hanchan)
    assert sheet is not None
    assert list(sheet.seats.order_by("seat").values_list("final_score", flat=True)) == list(played.final_scores)


def test_a_record_of_mahjong_soul_is_imported_and_its_accounts_are_remembered() -> None:
    competition = online_league()
    hanchan = table_of(competition).hanchan.get(round=1)
    played = game(1, named(competition))
    assert outcomes(imported(competition, as_mahjongsoul(played))) == [("imported", [])]
    row = Paifu.objects.get()
    assert (row.hanchan, row.source) == (hanchan, "mahjongsoul")
    assert all(each["account"] == "" for each in row.content["players"])
    accounts = OnlineAccount.objects.filter(service="mahjongsoul", kind="account").values_list("text", flat=True)
    assert sorted(accounts) == [str(10_000_000 + seat) for seat in range(4)]
    renamed_there = replace(game(2), players=tuple(replace(each, name=f"x{each.seat}") for each in game(2).players))
    batch = begin_paifu_import(competition=competition, logs=[as_mahjongsoul(renamed_there)], by=factories.SYSTEM)
    assert outcomes(finish(apply_paifu_import(batch=batch, by=factories.SYSTEM))) == [("imported", [])]


def test_a_game_of_teams_counts_for_the_teams_of_the_members_who_played_it() -> None:
    league = TeamLeague(ruleset="tenhou4")
    hanchan = league.schedule()[0]
    teams = [row.entrant for row in HanchanSeat.objects.filter(hanchan=hanchan).order_by("seat")]
    members = [league.members[league.teams.index(team)][1] for team in teams]
    played = game(1, [member.name for member in members])
    assert outcomes(imported(league.competition, as_mjlog(played))) == [("imported", [])]
    sheet = ResultSheet.objects.counting_of(hanchan)
    assert sheet is not None
    seats = [(seat.entrant_id, seat.player_id, seat.final_score) for seat in sheet.seats.order_by("seat")]
    assert seats == [
        (team.pk, member.pk, score) for team, member, score in zip(teams, members, played.final_scores, strict=True)
    ]


@pytest.mark.both_databases
def test_an_interrupted_import_is_finished_and_refuses_to_import_twice() -> None:
    competition = online_league()
    table_of(competition)
    by = scorer(competition)
    logs = [as_mjlog(game(1, named(competition))), as_mahjongsoul(game(2, named(competition)))]
    batch = apply_paifu_import(batch=begin_paifu_import(competition=competition, logs=logs, by=by), by=by)
    # A worker took the import and was lost before its first commit.
    silent = timezone.now() - 2 * LOST_AFTER
    PaifuImport.objects.filter(pk=batch.pk).update(state=PaifuImport.State.RUNNING, touched_at=silent)
    assert list(imports_to_continue()) == [(batch.pk, 0)]
    assert continue_paifu_import(batch.pk, 0) is None
    assert outcomes(batch) == [("imported", []), ("imported", [])]
    again = begin_paifu_import(competition=competition, logs=logs, by=by)
    again = finish(apply_paifu_import(batch=again, by=by))
    assert outcomes(again) == [("refused", ["online_game_known"])] * 2
    assert Paifu.objects.count() == ResultSheet.objects.count() == 2


@pytest.mark.parametrize(
    ("scope", "outcome"),
    [(Capability.SUBMIT, ("imported", [])), (Capability.READ, ("refused", ["permission_refused"]))],
)
def test_a_background_import_has_the_rights_of_the_token_it_was_begun_with(
    scope: Capability, outcome: tuple[str, list[str]]
) -> None:
    competition = online_league()
    table_of(competition)
    boss = factories.user("boss", Role.DIRECTOR, competition)
    plan = TokenPlan(label="bot", scopes=(Capability.SUBMIT,), competition=competition, expires_in=dt.timedelta(days=1))
    row = bearer_of(make_token(plan=plan, by=Actor(user=boss, door=Door.PAGE)).token)
    assert row is not None
    by = Actor(user=row.user, door=Door.API, credential="abcdef")
    batch = begin_paifu_import(competition=competition, logs=brought(game(1, named(competition))), by=by)
    batch = apply_paifu_import(batch=batch, by=by)
    assert (batch.scopes, batch.credential) == ([Capability.SUBMIT], "abcdef")
    PaifuImport.objects.update(scopes=[scope])
    assert outcomes(finish(batch)) == [outcome]


def test_an_import_whose_account_was_deleted_stops_instead_of_going_on_with_every_right() -> None:
    competition = online_league()
    table_of(competition)
    by = scorer(competition)
    batch = begin_paifu_import(competition=competition, logs=brought(game(1, named(competition))), by=by)
    batch = apply_paifu_import(batch=batch, by=by)
    PaifuImport.objects.update(made_by=None)
    assert outcomes(finish(batch)) == [("refused", ["account_gone"])]
    assert not Paifu.objects.exists()
