"""Test that the configuration reports all its faults at once and reveals no secret."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from league.platform.environment import ROOT, Environment, LogFormat, Mode, own_secret
from tests.environments import read

SECRET = "kP3vN8xQ-rT6wYz1_bC5dFg7hJ9mLs2aEuVoXiKq4pR0nWt"
PRODUCTION = {
    "MODE": "production",
    "SECRET_KEY": SECRET + SECRET,
    "DATABASE_URL": "postgres://jantaku:hidden-word@db.example/jantaku",
    "REDIS_URL": "redis://:hidden-word@redis.example:6379/1",
    "BASE_URL": "https://league.example.org",
}


def embedded(folder: Path, **variables: str) -> Environment:
    return read({"DATA_DIR": str(folder)} | variables)


def test_the_embedded_mode_needs_no_variable(tmp_path: Path) -> None:
    found = embedded(tmp_path)
    assert found.mode is Mode.EMBEDDED
    assert found.database["NAME"] == str(tmp_path / "jantaku.sqlite3")
    assert (found.host, found.port, found.base_url) == ("127.0.0.1", 8000, "")
    assert found.listen_url == "http://127.0.0.1:8000"
    assert (found.redis_url, found.demo, found.trusted_proxies) == ("", True, 0)
    assert not found.is_secure


def test_production_uses_the_given_variables(tmp_path: Path) -> None:
    found = read(PRODUCTION | {"DATA_DIR": str(tmp_path)})
    assert found.is_production
    assert found.is_secure
    assert found.database["ENGINE"] == "django.db.backends.postgresql"
    assert found.allowed_hosts == ("league.example.org",)
    assert (found.demo, found.debug, found.trusted_proxies) == (False, False, 1)
    assert found.log_format is LogFormat.JSON
    assert not list(tmp_path.iterdir())


def test_production_invents_nothing_and_names_every_missing_variable(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        read({"MODE": "production", "DATA_DIR": str(tmp_path)})
    for name in ("SECRET_KEY", "DATABASE_URL", "REDIS_URL", "BASE_URL"):
        assert f"{name} is not set; allowed: " in str(refusal.value)
    assert not list(tmp_path.iterdir())


def test_frame_hosts_are_listed_one_by_one(tmp_path: Path) -> None:
    assert embedded(tmp_path).frame_hosts == ()
    named = embedded(tmp_path, FRAME_HOSTS="https://club.example  https://blog.example/")
    assert named.frame_hosts == ("https://club.example", "https://blog.example")


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("FRAME_HOSTS", "https://club.example *", "sites separated by spaces"),
        ("MODE", "staging", "embedded or production"),
        ("PORT", "0", "a number from 1 to 65535"),
        ("PORT", "eighty", "a number from 1 to 65535"),
        ("STREAM_PORT", "8000", "other than PORT"),
        ("DEMO", "perhaps", "1 or 0"),
        ("DEBUG", "2", "1 or 0"),
        ("BASE_URL", "league.example.org", "such as https://league.example.org"),
        ("BASE_URL", "https://league.example.org/path", "without a path"),
        ("ALLOWED_HOSTS", "https://league.example.org", "host names separated by commas"),
        ("ALLOWED_HOSTS", "league.example.org:8000", "without scheme or port"),
        ("ALLOWED_HOSTS", ",", "host names separated by commas"),
        ("CARD_FONT", "/nowhere/font.ttf", "a TTF, OTF or TTC file"),
        ("CARD_FONT", __file__, "a TTF, OTF or TTC file"),
        ("TRUSTED_PROXIES", "-1", "0 to 9"),
        ("WEB_PROCESSES", "0", "1 to 64"),
        ("WEB_THREADS", "many", "1 to 16"),
        ("METRICS_ADDRESSES", "0.0.0.0/0", "not the whole internet"),
        ("METRICS_ADDRESSES", "prometheus.example", "addresses or networks separated by commas"),
        ("BACKUPS_KEPT", "0", "1 to 1000"),
        ("BACKUP_OVERDUE_HOURS", "-1", "hours, 0 to 8760"),
        ("LOG_FORMAT", "xml", "json or console"),
        ("LOG_LEVEL", "LOUD", "DEBUG, INFO, WARNING, ERROR"),
    ],
)
def test_a_wrong_value_is_reported_with_the_allowed_values(tmp_path: Path, name: str, value: str, allowed: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        embedded(tmp_path, **{name: value})
    assert f"{name} is {value!r}; allowed: " in str(refusal.value)
    assert allowed in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", "hidden-word"),
        ("DATABASE_URL", "mysql://jantaku:hidden-word@db.example/jantaku"),
        ("DATABASE_URL", "postgres://"),
        ("DATABASE_URL", "postgres://jantaku:hidden-word@db.example/jantaku?sslmode=bogus"),
        ("DATABASE_REPLICA_URL", "sqlite:////hidden-word"),
        ("REDIS_URL", "https://hidden-word@redis.example"),
        ("REDIS_URL", "redis://:hidden-word#2@redis.example:6379/0"),
        ("REDIS_URL", "redis://league#hidden-word@redis.example:6379/0"),
        ("REDIS_URL", "redis://league:12/hidden-word@redis.example:6379/0"),
        ("REDIS_URL", "redis://redis.example:6379/hidden-word"),
        ("REDIS_URL", "unix:///run/hidden-word.sock"),
        ("METRICS_TOKEN", "hidden-word"),
        ("SECRET_KEY_FALLBACKS", "hidden-word"),
        ("EMAIL_URL", "https://league:hidden-word@mail.example"),
        ("SENTRY_DSN", "https://sentry.example/hidden-word"),
    ],
)
def test_a_wrong_secret_is_named_but_not_shown(name: str, value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=rf"{name} is \(hidden\); allowed: ") as refusal:
        read(PRODUCTION | {name: value})
    assert "hidden-word" not in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "value"), [("DEBUG", "1"), ("BASE_URL", "http://league.example.org"), ("ALLOWED_HOSTS", "*")]
)
def test_production_refuses_settings_that_are_safe_only_at_home(name: str, value: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"{name} is "):
        read(PRODUCTION | {name: value})


def test_a_wrong_base_url_in_production_is_reported_once() -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        read(PRODUCTION | {"BASE_URL": "league"})
    assert str(refusal.value).count("BASE_URL") == 1


def test_allowed_hosts_are_this_machine_and_the_host_of_the_base_url(tmp_path: Path) -> None:
    assert embedded(tmp_path, BASE_URL="http://tablet.local:8000").allowed_hosts == (
        "localhost",
        "127.0.0.1",
        "[::1]",
        "tablet.local",
    )


def test_a_service_on_all_interfaces_accepts_any_host_unless_hosts_are_set(tmp_path: Path) -> None:
    everywhere = embedded(tmp_path, HOST="0.0.0.0", PORT="8080")
    assert everywhere.allowed_hosts == ("*",)
    assert everywhere.base_url == ""
    assert everywhere.listen_url == "http://127.0.0.1:8080"
    assert embedded(tmp_path, HOST="::", ALLOWED_HOSTS="one.example, two.example").allowed_hosts == (
        "one.example",
        "two.example",
    )


def test_an_ipv6_address_is_written_in_brackets(tmp_path: Path) -> None:
    found = embedded(tmp_path, HOST="::1")
    assert found.listen_url == "http://[::1]:8000"
    assert "[::1]" in found.allowed_hosts


def test_the_secret_key_is_created_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "secret_key"
    first = own_secret(file)
    assert own_secret(file) == first
    assert len(first) >= 50
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert [path.name for path in file.parent.iterdir()] == ["secret_key"]


def test_the_first_of_two_processes_that_create_the_secret_key_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "secret_key"
    file.write_text("made by the other process", encoding="ascii")
    answers = iter([False, True])
    monkeypatch.setattr(Path, "exists", lambda path: next(answers))
    assert own_secret(file) == "made by the other process"
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def python(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a separate process, with these variables beside the bare minimum."""
    base = {name: os.environ[name] for name in ("PATH", "HOME", "DATA_DIR") if name in os.environ}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=base | variables,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_no_setting_shows_a_secret_in_its_repr(tmp_path: Path) -> None:
    secret = f"hidden-word-{SECRET}"
    secrets = {
        "SECRET_KEY": secret,
        "SECRET_KEY_FALLBACKS": f"{secret}-2 {secret}-3",
        "DATABASE_URL": f"{PRODUCTION['DATABASE_URL']}?sslmode=require",
        "METRICS_TOKEN": secret,
        "EMAIL_URL": "smtp+tls://league:hidden-word@mail.example:587",
        "EMAIL_FROM": "league@example.org",
        "SENTRY_DSN": "https://hidden-word@sentry.example/1",
    }
    program = (
        "import json; from django.conf import settings;"
        "print(json.dumps({name: repr(getattr(settings, name)) for name in dir(settings) if name.isupper()}))"
    )
    given = {"DJANGO_SETTINGS_MODULE": "league.settings", "DATA_DIR": str(tmp_path)}
    answer = python("-c", program, **PRODUCTION | secrets | given)
    assert answer.returncode == 0, answer.stderr
    found = json.loads(answer.stdout)
    assert "mode=<Mode.PRODUCTION" in found["ENVIRONMENT"]
    assert "'sslmode': 'require'" in found["DATABASES"]
    assert "'pool': {" in found["DATABASES"]
    assert {name for name, text in found.items() if "hidden-word" in text} == set()


def test_secrets_may_be_files_and_a_variable_takes_precedence_over_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    folder.mkdir()
    for name in ("SECRET_KEY", "DATABASE_URL", "REDIS_URL"):
        (folder / name).write_text(f"{PRODUCTION[name]}\n", encoding="utf-8")
    given = {"SECRETS_DIR": str(folder), "DATA_DIR": str(tmp_path), "REDIS_URL": "redis://127.0.0.1"}
    found = read({name: PRODUCTION[name] for name in ("MODE", "BASE_URL")} | given)
    assert (found.secret_key, found.redis_url) == (PRODUCTION["SECRET_KEY"], "redis://127.0.0.1")
    assert (found.database["HOST"], found.database["PASSWORD"]) == ("db.example", "hidden-word")
    (folder / "SECRET_KEY").write_text("hidden-word", encoding="utf-8")
    (folder / "MODE").write_text("production", encoding="utf-8")
    with pytest.raises(ImproperlyConfigured, match="MODE is 'production'; allowed: "):
        embedded(tmp_path, SECRETS_DIR=str(folder))
    with pytest.raises(ImproperlyConfigured, match=r"SECRET_KEY is \(hidden\); allowed: ") as refusal:
        read(PRODUCTION | {"SECRET_KEY": "", "SECRETS_DIR": str(folder)})
    assert "hidden-word" not in str(refusal.value)


def test_a_password_in_a_url_is_decoded_and_a_truncated_url_is_refused(tmp_path: Path) -> None:
    letters = {"EMAIL_URL": "smtp+ssl://league:a%2Fb%40c@mail.example", "EMAIL_FROM": "league@example.org"}
    found = embedded(
        tmp_path, DATABASE_URL="postgres://jantaku:a%2Fb%40c@db.example/jantaku?sslmode=require", **letters
    )
    assert found.database["PASSWORD"] == found.email["EMAIL_HOST_PASSWORD"] == "a/b@c"
    assert found.database["OPTIONS"] == {"sslmode": "require"}
    assert (found.email["EMAIL_USE_SSL"], found.email["EMAIL_USE_TLS"]) == (True, False)
    with pytest.raises(ImproperlyConfigured, match=r"DATABASE_URL is \(hidden\)"):
        embedded(tmp_path, DATABASE_URL="postgres://jantaku:hidden#word@db.example/jantaku")


def test_a_replica_belongs_to_postgresql_and_keeps_the_options_of_its_own_address(tmp_path: Path) -> None:
    replica = "postgres://jantaku:hidden-word@replica.example/jantaku?sslmode=require"
    found = embedded(tmp_path, DATABASE_URL="postgres://jantaku@db.example/jantaku", DATABASE_REPLICA_URL=replica)
    assert (found.database_replica["HOST"], found.database_replica["OPTIONS"]) == (
        "replica.example",
        {"sslmode": "require"},
    )
    assert "hidden-word" not in repr(found)
    with pytest.raises(ImproperlyConfigured, match=r"DATABASE_REPLICA_URL is \(hidden\); .* where DATABASE_URL is"):
        embedded(tmp_path, DATABASE_REPLICA_URL=replica)


def test_every_fault_is_reported_at_once_even_if_one_variable_depends_on_another(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured) as refusal:
        embedded(tmp_path, PORT="0", BASE_URL="x", SECRETS_DIR="/nowhere", EMAIL_URL="x", MODE="y")
    told = [line.split()[0] for line in str(refusal.value).splitlines()[1:]]
    assert sorted(told) == ["BASE_URL", "EMAIL_FROM", "EMAIL_URL", "MODE", "PORT", "SECRETS_DIR"]


def test_a_data_folder_that_cannot_be_one_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for path in (file, file / "data"):
        with pytest.raises(ImproperlyConfigured, match=f"DATA_DIR is '{path}'; allowed: a folder's path"):
            read(PRODUCTION | {"DATA_DIR": str(path), "METRICS_ADDRESSES": "127.0.0.1"})
    (tmp_path / "metrics").touch()
    with pytest.raises(ImproperlyConfigured, match=r"DATA_DIR cannot be used .*metrics.*make it writable"):
        embedded(tmp_path, METRICS_ADDRESSES="127.0.0.1")


def test_a_wrong_configuration_stops_the_service_before_it_starts() -> None:
    answer = python("manage.py", "check", MODE="production", SECRET_KEY="short")
    assert answer.returncode != 0
    assert "SECRET_KEY is (hidden)" in answer.stderr
    assert "REDIS_URL is not set" in answer.stderr


def test_production_serves_static_files_under_hashed_names(tmp_path: Path) -> None:
    # Compressing scripts and the files of other packages takes a minute and tests nothing more.
    others = ("*.js", "drf_spectacular_sidecar", "vendor", "rest_framework")
    leave_out = [option for name in others for option in ("--ignore", name)]
    answer = python("manage.py", "collectstatic", "--no-input", *leave_out, **PRODUCTION | {"DATA_DIR": str(tmp_path)})
    assert answer.returncode == 0, answer.stderr
    assert list((tmp_path / "static" / "admin" / "css").glob("base.*.css"))
    assert (tmp_path / "static" / "staticfiles.json").exists()
