"""Tests of archives: an import elsewhere yields the same standings or is refused, and any changed bit is detected."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from league.files.archive import Archive, ArchiveRefusedError, pack_archive, unpack_archive
from league.models import Competition, Player, ResultSheet, Role
from league.platform.errors import PermissionRefusedError
from league.services.exchange.archives import archive_of, import_archive, standings_text, verify_archive
from league.services.operations.verification import differences_of
from league.services.parlour.people import merge_players
from league.services.parlour.sittings import close_sitting
from league.services.people.erasure import erase_player
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.league import parlours
from tests.league.example_leagues import import_league
from tests.league.odd_rows import ODD

SMALL = pack_archive(Archive('{"competition": {}}', "{}", "杯", "cup"))


@pytest.fixture(scope="module")
def final(shared_rows: None) -> Competition:
    """Return a final with one result."""
    competition = factories.final_table()
    factories.play(factories.table(competition.blocks.get(), starts_at=timezone.now()).hanchan.get(round=1))
    publish_standings(competition.pk)
    competition.refresh_from_db()
    return competition


@pytest.mark.django_db
def test_an_imported_archive_of_a_league_has_the_same_standings() -> None:
    competition = import_league("L1")
    data, same = (pack_archive(archive_of(competition=competition, by=factories.SYSTEM)) for _time in range(2))
    assert data == same
    again = import_archive(data=data, by=factories.SYSTEM, slug="elsewhere", name="写し")
    assert standings_text(again) == standings_text(competition)
    assert (again.slug, again.name) == ("elsewhere", "写し")
    assert list(differences_of(again)) == []


@pytest.mark.django_db
def test_an_archive_of_an_open_table_counts_the_games_of_a_merged_entry_for_the_one_kept() -> None:
    parlour = parlours.parlour("banchi4")
    guests = parlours.guests(parlour, 5)
    for table, twice in (("1", guests[0]), ("2", guests[4])):
        sitting = parlours.sitting(parlour, [twice, *guests[1:4]], table=table)
        parlours.play(sitting, (41200, 30100, 18700, 10000) if table == "1" else (10000, 18700, 30100, 41200))
        close_sitting(sitting=sitting, by=factories.SYSTEM)
    merge_players(duplicate=guests[4].player, keep=guests[0].player, by=factories.SYSTEM)
    data = pack_archive(archive_of(competition=parlour, by=factories.SYSTEM))
    verify_archive(data=data)
    again = import_archive(data=data, by=factories.SYSTEM, slug="again")
    rows = again.entrants.order_by("number").values_list("player__key", flat=True)
    assert list(rows) == [guest.player.key for guest in guests[:4]]
    assert list(differences_of(again)) == []


@pytest.mark.django_db
def test_a_restored_result_keeps_the_warnings_about_other_tables_that_were_accepted(final: Competition) -> None:
    ResultSheet.objects.update(accepted_warnings=["at_two_tables"])
    data = pack_archive(archive_of(competition=final, by=factories.SYSTEM))
    again = import_archive(data=data, by=factories.SYSTEM, slug="elsewhere")
    assert ResultSheet.objects.get(hanchan__block__competition=again).accepted_warnings == ["at_two_tables"]


@pytest.mark.django_db
def test_verifying_an_archive_writes_nothing(final: Competition) -> None:
    data = pack_archive(archive_of(competition=final, by=factories.SYSTEM))
    verify_archive(data=data)
    assert Competition.objects.count() == 1


@pytest.mark.django_db
def test_an_archive_whose_results_contradict_its_standings_is_refused(final: Competition) -> None:
    archive = archive_of(competition=final, by=factories.SYSTEM)
    forged = Archive(archive.competition, archive.standings.replace('"rank": 1', '"rank": 2', 1), "x", "x")
    with pytest.raises(ArchiveRefusedError, match="do not lead"):
        import_archive(data=pack_archive(forged), by=factories.SYSTEM, slug="forged")
    assert Competition.objects.count() == 1


@given(place=st.integers(0, len(SMALL) - 1), bit=st.integers(0, 7))
def test_any_changed_bit_is_detected(place: int, bit: int) -> None:
    altered = bytearray(SMALL)
    altered[place] ^= 1 << bit
    with pytest.raises(ArchiveRefusedError):
        unpack_archive(bytes(altered))


@given(st.binary(max_size=400) | st.integers(0, len(SMALL) - 1).map(lambda end: SMALL[:end]))
def test_any_other_bytes_are_refused_with_a_message(data: bytes) -> None:
    with pytest.raises(ArchiveRefusedError):
        unpack_archive(data)


def test_an_archive_is_a_valid_zip_file_with_exactly_three_members() -> None:
    with zipfile.ZipFile(io.BytesIO(SMALL)) as file:
        assert file.testzip() is None
        assert file.namelist() == ["manifest.json", "competition.json", "standings.json"]


@pytest.mark.django_db
def test_a_scorer_can_neither_export_nor_import_an_archive(final: Competition) -> None:
    scorer = factories.actor(factories.user(role=Role.SCORER, competition=final))
    with pytest.raises(PermissionRefusedError):
        archive_of(competition=final, by=scorer)
    with pytest.raises(PermissionRefusedError):
        import_archive(data=SMALL, by=scorer)


@pytest.mark.django_db
@pytest.mark.usefixtures("final")
def test_commands_write_verify_and_import_an_archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "final.zip"
    call_command("archive_competition", "final", str(file))
    call_command("verify_archive", str(file))
    call_command("import_archive", str(file), slug="again")
    assert "is whole" in capsys.readouterr().out
    assert Competition.objects.filter(slug="again").exists()
    file.write_bytes(file.read_bytes()[:-70] + b"x" + file.read_bytes()[-69:])
    with pytest.raises(CommandError, match=r"altered|end is missing"):
        call_command("verify_archive", str(file))


@pytest.mark.django_db
@pytest.mark.usefixtures("final")
@pytest.mark.parametrize("name", ODD)
def test_commands_export_invalid_rows_and_their_import_names_the_place(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, told = ODD[name]
    store()
    file = tmp_path / "final.zip"
    call_command("archive_competition", "final", str(file))
    with pytest.raises(CommandError) as refused:
        call_command("import_archive", str(file), slug="again")
    assert told in str(refused.value)
    for kind in ("toml", "json"):
        call_command("export_competition", "final", output=tmp_path / f"final.{kind}")
        text = (tmp_path / f"final.{kind}").read_text().replace('"final"', '"again"', 1)
        (tmp_path / f"again.{kind}").write_text(text)
        with pytest.raises(CommandError) as refused:
            call_command("import_competition", str(tmp_path / f"again.{kind}"))
        assert told in capsys.readouterr().err + str(refused.value)


@pytest.mark.django_db
def test_an_erased_person_stays_erased_in_another_installation(final: Competition) -> None:
    erased = erase_player(player=final.entrants.earliest("number").player, by=factories.SYSTEM)
    data = pack_archive(archive_of(competition=final, by=factories.SYSTEM))
    # No person of the archive is known in the other installation.
    Player.objects.filter(pk=erased.pk).update(key="p-of-the-first")
    again = import_archive(data=data, by=factories.SYSTEM, slug="elsewhere", name="写し")
    restored = again.entrants.earliest("number").player
    assert restored.pk != erased.pk
    assert restored.erased_at is not None
    assert [one.player.erased_at for one in again.entrants.exclude(player=restored)] == [None] * 3
