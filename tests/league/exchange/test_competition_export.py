"""Tests of the round trip of a competition through a file: nothing is lost and the file is deterministic."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from fractions import Fraction
from io import BytesIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db.models import Value
from django.db.models.functions import Concat
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from league.files.reading import file_of, read
from league.files.shape import FileDocument, parse_points, points_as_text
from league.files.writing import as_json, as_toml
from league.models import (
    Closing,
    Competition,
    Credit,
    Departure,
    Entrant,
    Hanchan,
    HanchanSeat,
    Outcome,
    Pairing,
    Picture,
    Player,
    ResultSheet,
    SlotState,
    TableSession,
)
from league.selectors.access.readers import reader_of
from league.selectors.competitions.seating.pairing_reasons import explained_tables
from league.selectors.exchange.competition_export import document_of
from league.services.access.changes import open_change
from league.services.competitions.departures import withdraw
from league.services.competitions.pairing import take_pairing_back
from league.services.competitions.schedule import seat_players
from league.services.competitions.setup import new_player
from league.services.exchange.archives import standings_text
from league.services.exchange.competition_import import import_competition
from league.services.people.pictures import set_picture
from league.services.results.results import abandon_hanchan, record_result, void_hanchan
from league.services.results.rulings import adjust_points, close_block, draw_stage, pass_over, rule_on_tie, take_back
from league.services.results.substitutes import name_substitute
from league.services.results.walkovers import declare_walkover
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, entry, in_block, league, play, seated, table
from tests.factories import entrants as add_entrants
from tests.league.event import event, main
from tests.league.example_leagues import import_league, import_season
from tests.league.files import IMPORT, LEVEL, final, imported
from tests.league.paired_league import pair, play_round, tournament
from tests.league.resting_league import play_rounds, resting_league, schedule


def under(document: FileDocument, slug: str) -> FileDocument:
    """Return the document with another slug."""
    return document.model_copy(update={"competition": document.competition.model_copy(update={"slug": slug})})


def assert_survives(competition: Competition) -> Competition:
    """Export, import under another slug and export again; require the same file, in TOML and in JSON."""
    document = document_of(competition)
    assert read(as_toml(document), "a.toml").document == document
    assert read(as_json(document), "a.json").document == document
    copied = under(document, f"{competition.slug}-copy")
    again = import_competition(file=file_of(copied, "copy"), by=IMPORT)
    assert document_of(again) == copied
    assert as_toml(document_of(again)) == as_toml(copied)
    return again


@pytest.mark.django_db
def test_a_whole_league_survives_the_round_trip() -> None:
    competition = import_league("L1")
    again = assert_survives(competition)
    champions = Outcome.objects.filter(competition__in=(competition, again)).values_list("champion__player__key")
    assert len(set(champions)) == 1


@pytest.mark.real
@pytest.mark.django_db
def test_a_published_season_survives_the_round_trip(real_data: Path, tmp_path: Path) -> None:
    begun = tmp_path / "league.jsonl"
    begun.write_text("".join((real_data / "league.jsonl").read_text().splitlines(keepends=True)[:30]))
    assert_survives(import_season(begun))


@pytest.mark.both_databases
@pytest.mark.django_db
def test_corrections_and_voided_results_survive_with_their_reasons() -> None:
    competition = league()
    first, second = table(competition.blocks.get(key="A"), numbers=(1, 2)).hanchan.order_by("round")
    play(first, (41200, 30100, 18700, 10000))
    play(second, (25000, 26000, 24000, 25000), chonbo=(1, 0, 0, 2))
    people = seated(first)
    seat_players(hanchan=table(competition.blocks.get(key="B")).hanchan.get(round=2), entrants=(), by=SYSTEM)
    corrected = entry([people[1], people[0], *people[2:]], (41200, 30100, 18700, 9000), kyoutaku=1000)
    record_result(hanchan=first, entry=corrected, by=SYSTEM, corrects=1, reason="seats swapped")
    void_hanchan(hanchan=second, by=SYSTEM, reason="wrong dealer", state=Hanchan.State.ABANDONED)
    document = document_of(competition)
    ours, theirs = document.tables[0].hanchan
    assert [result.reason for result in ours.results] == ["", "seats swapped"]
    assert [result.step for result in ours.results] == [1, 3]
    assert theirs.results[0].voided is not None
    assert (theirs.results[0].voided.reason, theirs.results[0].voided.step) == ("wrong dealer", 4)
    assert theirs.state == Hanchan.State.ABANDONED
    again = assert_survives(competition)
    states = ResultSheet.objects.filter(hanchan__block__competition=again).order_by("pk").values_list("state")
    assert sorted(states) == [("confirmed",), ("superseded",), ("superseded",)]


@pytest.mark.django_db
def test_a_league_with_rests_and_a_closed_block_survives_with_the_places_that_follow() -> None:
    competition = resting_league(5, 4)
    block = schedule(competition)
    play_rounds(block, most=3)
    mistaken = close_block(block=block, by=SYSTEM, reason="power cut")
    take_back(decision=mistaken, competition=competition, by=SYSTEM, reason="light again")
    play_rounds(block, most=4)
    close_block(block=block, by=SYSTEM, reason="too late")
    publish_standings(competition.pk)
    document = document_of(competition)
    assert [(row.block, row.reason, bool(row.taken_back)) for row in document.closings] == [
        ("A", "power cut", True), ("A", "too late", False)
    ]  # fmt: skip
    again = assert_survives(competition)
    places = SlotState.objects.filter(slot__block__competition=again, slot__block__key="final", audience="public")
    assert set(places.values_list("state", flat=True)) == {"certain"}
    without_steps = with_steps_removed(document)
    typed = import_competition(file=file_of(under(without_steps, "by-hand"), "by-hand"), by=IMPORT)
    assert Closing.objects.standing().filter(block__competition=typed).count() == 1


def with_steps_removed(document: FileDocument) -> FileDocument:
    """Return the document as it would be written by hand: no steps, and only the closing that holds."""
    tables = tuple(
        table.model_copy(
            update={
                "hanchan": tuple(
                    game.model_copy(
                        update={"results": tuple(one.model_copy(update={"step": None}) for one in game.results)}
                    )
                    for game in table.hanchan
                )
            }
        )
        for table in document.tables
    )
    holding = tuple(row.model_copy(update={"step": None}) for row in document.closings if not row.taken_back)
    return document.model_copy(update={"tables": tables, "closings": holding})


@pytest.mark.django_db
def test_decisions_survive_including_those_taken_back() -> None:
    competition = imported(final(LEVEL))
    final_block = competition.blocks.get()
    ann, bea, *_others = in_block(final_block)
    withdraw(entrant=ann, by=SYSTEM, reason="ill")
    mistaken = adjust_points(block=final_block, entrant=ann, points=-205, by=SYSTEM, reason="late")
    adjust_points(block=final_block, entrant=bea, points=-205, by=SYSTEM, reason="late too")
    take_back(decision=mistaken, competition=competition, by=SYSTEM, reason="she was not")
    passed = pass_over(block=final_block, entrant=ann, by=SYSTEM, reason="ill")
    take_back(decision=passed, competition=competition, by=SYSTEM, reason="well again")
    adjust_points(block=final_block, entrant=ann, points=-205, by=SYSTEM, reason="late after all")
    publish_standings(competition.pk)
    rule_on_tie(competition=competition, scope="final", order=[bea, ann], by=SYSTEM, reason="drawn by lot")
    publish_standings(competition.pk)
    document = document_of(competition)
    assert [row.taken_back.reason if row.taken_back else "" for row in document.adjustments] == ["she was not", "", ""]
    assert document.rulings[0].players == ("bea", "ann")
    again = assert_survives(competition)
    assert str(Outcome.objects.get(competition=again, audience="public").champion) == "Bea"


@pytest.mark.both_databases
@pytest.mark.django_db
def test_departures_rounds_not_played_and_the_day_of_an_entrant_survive() -> None:
    competition = imported(final(LEVEL))
    final_block = competition.blocks.get()
    ann, bea, cho, dai = in_block(final_block)
    together = open_change(competition, SYSTEM)
    shared = {"block": final_block, "number": 2, "made_n": together.n}
    Credit.objects.create(entrant=ann, kind="bye", **shared)
    mistaken = Credit.objects.create(entrant=bea, kind="no_show", points=-205, place=4, reason="not here", **shared)
    left = Departure.objects.create(entrant=cho, kind="disqualified", reason="signals", made_n=together.n)
    together.record("entrant.disqualified", cho, reason="signals")
    took_back = open_change(competition, SYSTEM)
    Credit.objects.filter(pk=mistaken.pk).update(ended_n=took_back.n)
    Departure.objects.filter(pk=left.pk).update(ended_n=took_back.n)
    took_back.record("credit.taken_back", mistaken, reason="appealed")
    gone = open_change(competition, SYSTEM)
    Departure.objects.create(entrant=dai, kind="withdrawn", reason="ill", made_n=gone.n)
    gone.record("entrant.withdrawn", dai, reason="ill")
    checked_in = dt.datetime(2026, 11, 24, 9, 30, tzinfo=dt.UTC)
    Entrant.objects.filter(pk=ann.pk).update(checked_in_at=checked_in)
    (house,) = add_entrants(competition, 1, prefix="House")
    Entrant.objects.filter(pk=house.pk).update(is_house=True)
    again = assert_survives(competition)
    rows = Credit.objects.filter(block__competition=again).order_by("pk")
    assert list(rows.values_list("entrant__player__key", "kind", "number", "points", "place", "reason")) == [
        ("ann", "bye", 2, None, None, ""),
        ("bea", "no_show", 2, -205, 4, "not here"),
    ]
    assert [row.ended_n is None for row in rows] == [True, False]
    leaving = Departure.objects.filter(entrant__competition=again).order_by("pk")
    assert [(str(row.entrant), row.kind, row.ended_n is None) for row in leaving] == [
        ("Cho", "disqualified", False),
        ("Dai", "withdrawn", True),
    ]
    entrants = {str(row): row for row in again.entrants.select_related("player")}
    assert [name for name, row in entrants.items() if row.withdrawn_at] == ["Dai"]
    assert entrants["Ann"].checked_in_at == checked_in
    assert [name for name, row in entrants.items() if row.is_house] == ["Player House1"]


@pytest.mark.both_databases
@pytest.mark.django_db
def test_paired_rounds_survive_with_their_reasons_and_byes() -> None:
    block = tournament(
        14,
        '{ numbers = "1", by = "draw" }, { numbers = "2-3", by = "standing" }',
        odd='by = "byes", points = "average"',
        tables=3,
    )
    take_pairing_back(pairing=pair(block, 1), by=SYSTEM, reason="a player came late")
    pair(block, 1)
    play_round(block, 1)
    pair(block, 2)
    again = assert_survives(block.competition)
    first, second = Pairing.objects.filter(block__competition=again).order_by("number")
    explained = explained_tables(second)
    assert [each.hanchan for each in explained] == list(
        Hanchan.objects.filter(block=second.block, number=2).order_by("pk").values_list("pk", flat=True)
    )
    origin = explained_tables(Pairing.objects.standing().get(block=block, number=2))
    assert [[str(who) for who in each.entrants] for each in explained] == [
        [str(who) for who in each.entrants] for each in origin
    ]
    byes = Credit.objects.standing().filter(block__competition=again, kind="bye")
    assert sorted(byes.values_list("number", flat=True)) == [1, 1, 2, 2]
    assert first.standing_version < second.standing_version
    publish_standings(block.competition_id)
    assert standings_text(again) == standings_text(block.competition)


@pytest.mark.django_db
def test_draws_survive_including_repeated_ones() -> None:
    competition = league(league_format="cinderella-2018")
    stage = competition.stages.get(key="semifinal")
    draw_stage(stage=stage, by=SYSTEM, seed="first", reason="in public")
    draw_stage(stage=stage, by=SYSTEM, seed="second", reason="the lots fell off the table")
    assert [draw.seed for draw in document_of(competition).draws] == ["first", "second"]
    assert_survives(competition)


@pytest.mark.django_db
def test_the_effect_of_a_late_correction_on_a_begun_stage_survives() -> None:
    competition = import_league("L1")
    block = competition.blocks.get(key="A")
    last = Hanchan.objects.filter(block=block, number=8).order_by("pk").first()
    assert last is not None
    sheet = last.sheets.get()
    people = [seat.entrant for seat in sheet.seats.order_by("seat")]
    record_result(
        hanchan=last,
        entry=entry(people, (100000, 0, 0, 0)),
        by=SYSTEM,
        accept={"later_stage_begun", "extreme_score"},
        corrects=1,
        reason="a digit was lost",
    )
    publish_standings(competition.pk)
    assert_survives(competition)


@pytest.mark.both_databases
@pytest.mark.django_db
def test_tiles_the_accent_a_country_and_pictures_survive_byte_for_byte() -> None:
    competition = league()
    Competition.objects.filter(pk=competition.pk).update(mark_glyph="春", mark_colour=3, accent="#7a1f3d")
    players = [entrant.player for entrant in competition.entrants.select_related("player")]
    Player.objects.filter(pk=players[0].pk).update(mark_glyph="★", mark_colour=0)
    competition.entrants.filter(player=players[1]).update(country="Ruritania")
    competition.refresh_from_db()
    for subject, side in ((competition, 300), (players[0], 70), (players[1], 256)):
        drawn = BytesIO()
        Image.effect_noise((side, side), 80).save(drawn, "PNG")
        drawn.seek(0)
        set_picture(subject=subject, file=drawn, by=SYSTEM)
    document = document_of(competition)
    stored = {bytes(row.data) for row in Picture.objects.all()}
    # As if in another installation: none of these people is known there.
    Player.objects.update(key=Concat(Value("old-"), "key"))
    again = import_competition(file=file_of(under(document, "copy"), "copy"), by=IMPORT)
    assert document_of(again) == under(document, "copy")
    assert {bytes(row.data) for row in Picture.objects.filter(competition=again)} < stored
    assert Player.objects.get(key=players[0].key).picture == players[0].picture
    assert again.entrants.get(player__key=players[1].key).country == "Ruritania"


@pytest.mark.django_db
def test_substitutes_named_before_the_result_survive() -> None:
    competition = imported(final("hanchan = [{ number = 1 }, { number = 2 }, { number = 3 }, { number = 4 }]\n"))
    first, second, third = Hanchan.objects.filter(block__competition=competition).order_by("number")[:3]
    ann = seated(first)[0]
    stand_in = new_player(by=SYSTEM, name="Stand-in")
    play(first)
    void_hanchan(hanchan=first, by=SYSTEM, reason="the wrong table")
    seat_players(hanchan=first, entrants=seated(first)[::-1], by=SYSTEM)
    for hanchan in (first, second, third):
        name_substitute(hanchan=hanchan, entrant=ann, player=stand_in, by=SYSTEM, reason="a cold")
    told = entry(seated(second))
    sat = replace(told, seats=(replace(told.seats[0], player=stand_in.pk), *told.seats[1:]))
    record_result(hanchan=second, entry=sat, by=SYSTEM)
    again = assert_survives(competition)
    seats = HanchanSeat.objects.filter(hanchan__block__competition=again, entrant__player=ann.player)
    assert list(seats.order_by("hanchan__number").values_list("player__name", flat=True)) == [
        *["Stand-in"] * 3,
        "Ann",
    ]


@pytest.mark.django_db
def test_the_settings_of_live_tables_survive() -> None:
    competition = league()
    Competition.objects.filter(pk=competition.pk).update(live_delay=30, advice=Competition.Advice.PUBLIC)
    competition.refresh_from_db()
    again = import_competition(file=file_of(under(document_of(competition), "copy"), "copy"), by=IMPORT)
    assert (again.live_delay, again.advice) == (30, Competition.Advice.PUBLIC)


@pytest.mark.django_db
def test_an_imported_correction_has_accepted_no_warning_that_did_not_occur() -> None:
    competition = league()
    hanchan = table(competition.blocks.get(key="A")).hanchan.get(round=1)
    play(hanchan)
    play(hanchan, (40000, 30000, 20000, 10000), corrects=1, reason="misread")
    again = import_competition(file=file_of(under(document_of(competition), "copy"), "copy"), by=IMPORT)
    sheets = ResultSheet.objects.filter(hanchan__block__competition=again)
    assert list(sheets.order_by("revision").values_list("accepted_warnings", flat=True)) == [[], []]


@pytest.mark.django_db
def test_embargoed_results_stay_under_embargo() -> None:
    tomorrow = timezone.now() + dt.timedelta(days=1)
    competition = league()
    held_back = table(competition.blocks.get(key="A"), public_at=tomorrow, stream_url="https://example.org/live")
    play(held_back.hanchan.get(round=1))
    publish_standings(competition.pk)
    again = assert_survives(competition)
    copied = TableSession.objects.get(competition=again)
    assert (copied.public_at, copied.is_released) == (tomorrow, False)
    assert not reader_of(again, None).seat_results().exists()
    assert ResultSheet.objects.counting().filter(hanchan__table_session=copied).count() == 1


@pytest.mark.django_db
def test_the_command_writes_what_the_import_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    competition = imported(final(LEVEL))
    call_command("export_competition", "cup")
    assert read(capsys.readouterr().out, "out").document == document_of(competition)
    call_command("export_competition", "cup", "--json")
    assert read(capsys.readouterr().out, "out").document == document_of(competition)
    for name in ("cup.toml", "cup.json"):
        call_command("export_competition", "cup", "--output", tmp_path / name)
        assert read((tmp_path / name).read_text(), name).document == document_of(competition)


@pytest.mark.both_databases
@pytest.mark.django_db
def test_sheets_that_do_not_count_are_left_out_with_a_notice(capsys: pytest.CaptureFixture[str]) -> None:
    competition = imported(final(LEVEL))
    hanchan = Hanchan.objects.get(number=4)
    ResultSheet.objects.create(
        hanchan=hanchan, revision=2, state=ResultSheet.State.SUBMITTED, rules=hanchan.rules, entered_n=1
    )
    call_command("export_competition", "cup")
    assert "1 sheets that do not count" in capsys.readouterr().err
    assert len(document_of(competition).tables[0].hanchan[3].results) == 1


@pytest.mark.both_databases
@pytest.mark.django_db
def test_exporting_an_unknown_competition_is_an_error() -> None:
    with pytest.raises(CommandError, match="There is no competition “cup”"):
        call_command("export_competition", "cup")


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0")))
def test_any_text_survives_toml_and_json(text: str) -> None:
    document = read(final().replace('name = "杯"', 'name = "x"'), "a").document
    competition = document.competition.model_copy(update={"time_zone": text})
    changed = document.model_copy(update={"competition": competition})
    assert read(as_toml(changed), "a").document == changed
    assert read(as_json(changed), "a").document == changed


@given(st.fractions())
def test_points_survive_being_written(points: Fraction) -> None:
    assert parse_points(points_as_text(points)) == points


@pytest.mark.django_db
def test_a_hanchan_that_was_abandoned_without_a_result_stays_so_elsewhere() -> None:
    competition = event('walkover = { by = "worth", worth = "10.0" }')
    first, second = main(competition).hanchan.filter(number=1)
    declare_walkover(hanchan=first, by=SYSTEM, reason="power cut")
    abandon_hanchan(hanchan=second, by=SYSTEM, reason="too late")
    publish_standings(competition.pk)
    again = assert_survives(competition)
    states = [list(main(one).hanchan.order_by("pk").values_list("state", flat=True)) for one in (competition, again)]
    assert states[0] == states[1] == [*["abandoned"] * 2, *["scheduled"] * 4]
