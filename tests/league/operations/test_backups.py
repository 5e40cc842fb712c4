"""Tests of backup and restore: rows, sequences, passwords, tokens, two-factor devices, photos; and damaged files."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from threading import Thread

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import translation
from django_otp.plugins.otp_totp.models import TOTPDevice
from knox.models import AuthToken

from league.models import (
    Audience,
    Competition,
    Hanchan,
    OrganizationChange,
    Picture,
    Player,
    Role,
    SlipPhoto,
    TokenGrant,
)
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader
from league.selectors.access.snapshots import one_snapshot
from league.services.exchange.archives import standings_text
from league.services.operations import backups
from league.services.operations.verification import differences_of
from tests import factories
from tests.league.example_leagues import import_league

pytestmark = pytest.mark.django_db(transaction=True)


def all_rows() -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table that a backup contains."""
    found = {}
    for model in backups.kept_models():
        rows = backups.rows_of(model).order_by("pk").values_list()
        found[model._meta.label_lower] = [
            tuple(bytes(v) if isinstance(v, memoryview) else v for v in row) for row in rows
        ]
    return found


def empty_all_tables() -> None:
    """Empty all tables, as on a new machine."""
    call_command("flush", interactive=False, verbosity=0)


@pytest.fixture
def season() -> Competition:
    """Return a season with tokens, a two-factor device and a photo."""
    competition = import_league("L1")
    director = factories.user("director", Role.DIRECTOR, competition)
    TOTPDevice.objects.create(user=director, name="phone", confirmed=True)
    token, _text = AuthToken.objects.create(director)
    TokenGrant.objects.create(token=token, label="overlay", scopes=["read"], competition=competition)
    hanchan = Hanchan.objects.first()
    assert hanchan is not None
    SlipPhoto.objects.create(hanchan=hanchan, picture=bytes(range(256)), width=1, height=1, sha256="x")
    Picture.objects.create(competition=competition, data=bytes(range(256)), side=1, sha256="y")
    return competition


def test_a_restore_brings_back_every_row_after_a_total_loss(season: Competition, tmp_path: Path) -> None:
    file = tmp_path / "backup.zip"
    before, standings = all_rows(), standings_text(season)
    call_command("backup", str(file))
    empty_all_tables()
    assert not Competition.objects.exists()
    call_command("restore", str(file))
    assert all_rows() == before
    again = Competition.objects.get(slug=season.slug)
    assert standings_text(again) == standings
    assert list(differences_of(again)) == []
    assert User.objects.get(username="director").check_password("correct horse")
    assert bytes(SlipPhoto.objects.get().picture) == bytes(range(256))
    assert bytes(Picture.objects.get().data) == bytes(range(256))


def test_primary_keys_of_deleted_rows_are_not_reused_after_a_restore(tmp_path: Path) -> None:
    last = factories.user("gone").pk
    User.objects.filter(pk=last).delete()
    factories.final_table()
    backups.write_backup(tmp_path / "b.zip")
    empty_all_tables()
    backups.restore_backup(tmp_path / "b.zip")
    assert factories.user("next").pk > last


def test_a_non_empty_database_is_replaced_only_with_an_option(tmp_path: Path) -> None:
    factories.final_table()
    file = tmp_path / "b.zip"
    backups.write_backup(file)
    empty_all_tables()
    factories.user("somebody")
    with pytest.raises(CommandError, match="not empty"):
        call_command("restore", str(file))
    assert User.objects.filter(username="somebody").exists()
    call_command("restore", str(file), "--replace")
    assert not User.objects.filter(username="somebody").exists()
    assert Competition.objects.get().slug == "final"


def test_a_damaged_file_changes_nothing(tmp_path: Path) -> None:
    factories.final_table()
    file = tmp_path / "b.zip"
    backups.write_backup(file)
    whole = file.read_bytes()
    altered = bytearray(whole)
    altered[len(whole) // 2] ^= 1
    for data in (bytes(altered), whole[:-1], whole[: len(whole) // 2], b"", b"PK\x03\x04"):
        file.write_bytes(data)
        with translation.override("ja"), pytest.raises(CommandError, match=r"Nothing was restored: [A-Z]") as refused:
            call_command("restore", str(file), "--replace")
        assert str(refused.value).isascii(), "the language of the command, not that of the pages"
    assert Competition.objects.get().slug == "final"


def test_a_backup_with_unknown_migrations_is_refused_and_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "b.zip"
    known = backups.applied_migrations()
    with monkeypatch.context() as patched:
        patched.setattr(backups, "applied_migrations", lambda: (*known, ("league", "9999_later")))
        backups.write_backup(file)
    with pytest.raises(CommandError, match=r"league\.9999_later"):
        call_command("restore", str(file))


def test_values_return_to_their_columns_although_the_columns_are_in_another_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    factories.final_table()
    before, file = all_rows(), tmp_path / "b.zip"
    with monkeypatch.context() as patched:
        patched.setitem(Player._meta.__dict__, "concrete_fields", Player._meta.concrete_fields[::-1])
        backups.write_backup(file)
    empty_all_tables()
    call_command("restore", str(file))
    assert all_rows() == before


def test_a_backup_with_other_columns_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    factories.final_table()
    before, file = all_rows(), tmp_path / "b.zip"
    with monkeypatch.context() as patched:
        patched.setitem(Player._meta.__dict__, "concrete_fields", Player._meta.concrete_fields[:-1])
        backups.write_backup(file)
    with pytest.raises(CommandError, match=r"league\.player: the backup has other columns"):
        call_command("restore", str(file), "--replace")
    assert all_rows() == before


def test_the_same_version_after_a_restore_has_another_etag(tmp_path: Path) -> None:
    season, file = factories.final_table(), tmp_path / "b.zip"
    backups.write_backup(file)
    before = etag_of(Reader(season, Audience.PUBLIC, season.version))
    backups.restore_backup(file, replace=True)
    again = Competition.objects.get()
    assert (again.pk, again.version) == (season.pk, season.version)
    assert etag_of(Reader(again, Audience.PUBLIC, again.version)) != before


def test_a_backup_reads_one_snapshot_and_blocks_no_writer(tmp_path: Path) -> None:
    factories.final_table()

    def enter() -> None:
        try:
            factories.user("meanwhile")
        finally:
            connection.close()

    with one_snapshot():
        before = User.objects.count()
        writer = Thread(target=enter)
        writer.start()
        writer.join(timeout=15)
        assert not writer.is_alive()
        assert User.objects.count() == before
    assert User.objects.count() == before + 1
    contents = backups.write_backup(tmp_path / "b.zip")
    assert contents.rows["auth.user"] == before + 1
    assert (tmp_path / "b.zip").stat().st_mode & 0o077 == 0


def test_timestamps_texts_and_json_are_restored_exactly(tmp_path: Path) -> None:
    moment = dt.datetime(2026, 11, 22, 23, 59, 59, 123457, tzinfo=dt.UTC)
    Player.objects.create(key="odd", name="髙﨑 \u2028\\\"'\n𠮷", created_at=moment)
    OrganizationChange.objects.create(
        kind="x", door="admin", subject_type="x", subject_id="1", after={"a": [1.5, None, "\u0001", {"b": "é"}]}
    )
    before = all_rows()
    backups.write_backup(tmp_path / "b.zip")
    empty_all_tables()
    backups.restore_backup(tmp_path / "b.zip")
    assert all_rows() == before
    assert connection.vendor in {"sqlite", "postgresql"}
