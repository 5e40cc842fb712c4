"""Tests of backups kept in a folder, of their recorded time, and of the notices about an outdated one."""

from __future__ import annotations

import datetime as dt
import threading
import time
from pathlib import Path

import pytest
import time_machine
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from league.management import embedded
from league.models import Heartbeat, Role
from league.selectors.access.etags import database_life
from league.selectors.operations.health import backup_age
from league.services.operations.backups import read_contents
from league.services.operations.heartbeats import forget_old
from league.services.operations.kept_backups import back_up_when_due, kept_backups
from league.web.operations.metrics import registry
from tests.factories import final_table, user

pytestmark = pytest.mark.django_db(transaction=True)
START = dt.datetime(2026, 11, 27, 4, 0, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)


@pytest.fixture
def folder(tmp_path: Path, settings: LazySettings) -> Path:
    """Return the folder of backups, of which three are kept."""
    place = tmp_path / "backups"
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"backup_dir": place, "backups_kept": 3})
    return place


def gauges() -> dict[str, float]:
    return {each.name: each.samples[0].value for each in registry().collect() if "backup" in each.name}


def test_the_newest_backups_are_kept_and_no_file_of_another_name_is_deleted(folder: Path) -> None:
    folder.mkdir()
    others = [folder / name for name in ("jantaku-2026-11-01.zip", "jantaku-20261101T040000Z.zip.copy", "notes.txt")]
    for other in others:
        other.write_text("kept by a person")
    for day in range(5):
        with time_machine.travel(START + day * DAY, tick=False):
            call_command("backup")
    names = [f"jantaku-202611{day}T040000Z.zip" for day in (29, 30)] + ["jantaku-20261201T040000Z.zip"]
    assert [file.name for file in kept_backups(folder)] == names[::-1]
    assert all(read_contents(file).count for file in kept_backups(folder))
    assert all(other.exists() for other in others)


def test_a_backup_that_cannot_be_written_deletes_nothing_and_records_no_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.mkdir()
    (folder / "jantaku-20261120T040000Z.zip").write_text("old")
    # A folder stands where the part of the new file would be written.
    with time_machine.travel(START, tick=False):
        (folder / ".jantaku-20261127T040000Z.zip.part").mkdir()
        with pytest.raises((CommandError, OSError)):
            call_command("backup")
    assert [file.name for file in kept_backups(folder)] == ["jantaku-20261120T040000Z.zip"]
    assert backup_age().made_at is None


def test_an_outdated_backup_is_shown_to_a_superuser_and_measured_until_one_is_made(
    folder: Path, chief: Client, tmp_path: Path
) -> None:
    scorer = Client(headers={"accept-language": "en"})
    scorer.force_login(user(role=Role.SCORER, competition=final_table(), is_staff=True))
    installed = dt.datetime.fromisoformat(database_life())
    with time_machine.travel(installed + dt.timedelta(minutes=14)):
        assert "No recent backup" not in chief.get("/admin/").content.decode()
        assert gauges() == {"jantaku_backup_overdue": 0}
    with time_machine.travel(installed + dt.timedelta(minutes=16)):
        assert "No backup has been made yet." in chief.get("/admin/").content.decode()
        assert "No recent backup" not in scorer.get("/admin/").content.decode()
        assert gauges() == {"jantaku_backup_overdue": 1}
    call_command("backup", str(tmp_path / "elsewhere.zip"))
    assert "No recent backup" not in chief.get("/admin/").content.decode()
    assert gauges()["jantaku_backup_overdue"] == 0
    Heartbeat.objects.filter(part="backup").update(seen_at=timezone.now() - dt.timedelta(hours=37))
    assert "The newest backup is of" in chief.get("/admin/").content.decode()
    assert gauges()["jantaku_backup_overdue"] == 1
    assert gauges()["jantaku_backup_age_seconds"] == pytest.approx(37 * 3600, abs=60)
    call_command("backup")
    assert "No recent backup" not in chief.get("/admin/").content.decode()


def test_the_age_that_counts_as_outdated_is_set_by_the_operator(folder: Path, settings: LazySettings) -> None:
    Heartbeat.objects.create(part="backup", seen_at=START)
    for hours, after, overdue in ((36, 36, False), (37, 36, True), (37, 48, False), (9999, 0, False)):
        settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"backup_overdue_hours": after})
        with time_machine.travel(START + dt.timedelta(hours=hours), tick=False):
            assert backup_age().is_overdue is overdue


def test_the_time_of_the_newest_backup_outlives_other_heartbeats() -> None:
    for part in ("backup", "worker one"):
        Heartbeat.objects.create(part=part, seen_at=timezone.now() - 3 * DAY)
    forget_old()
    assert list(Heartbeat.objects.values_list("part", flat=True)) == ["backup"]


def test_an_embedded_service_makes_a_backup_when_the_newest_is_a_day_old(folder: Path) -> None:
    for hours, files in ((0, 1), (23, 1), (24, 2), (30, 2)):
        with time_machine.travel(START + dt.timedelta(hours=hours), tick=False):
            back_up_when_due()
        assert len(kept_backups(folder)) == files


def test_the_thread_of_an_embedded_service_makes_the_first_backup_soon_after_the_start(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "FIRST_BACKUP_SECONDS", 0)
    stopped = threading.Event()
    keeper = embedded.start_backup_keeper(stopped)
    end = time.monotonic() + 60
    while backup_age().made_at is None and time.monotonic() < end:
        time.sleep(0.02)
    stopped.set()
    keeper.join(30)
    assert len(kept_backups(folder)) == 1
