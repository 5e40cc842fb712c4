"""What the environment variables say, checked before anything starts.

The one idea: every wrong variable is reported at once, each with its value and what is allowed, and
nothing is guessed in production. `league.settings` is built from the record that `read` returns.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent
SECRET_LENGTH = 50
SECRET_VARIETY = 5
HIGHEST_PORT = 65535
MOST_PROXIES = 9
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - compared with, never listened on here
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
DATABASE_SCHEMES = ("sqlite", "postgres", "postgresql")
REDIS_SCHEMES = ("redis", "rediss", "unix")
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
WORDS = {"1": True, "true": True, "yes": True, "on": True}
WORDS |= {"0": False, "false": False, "no": False, "off": False}


class Mode(StrEnum):
    """How the service is run."""

    EMBEDDED = "embedded"
    """One process on SQLite; secrets are made by the service itself."""

    PRODUCTION = "production"
    """Behind a web server, with database, broker and secrets given; nothing is made up."""


class LogFormat(StrEnum):
    """How log lines are written."""

    JSON = "json"
    """One JSON object per line, for a collector."""

    CONSOLE = "console"
    """For a person at a terminal."""


@dataclass(frozen=True, slots=True)
class Environment:
    """The service's configuration, valid as a whole."""

    mode: Mode
    debug: bool
    demo: bool
    data_dir: Path
    secret_key: str
    host: str
    port: int
    base_url: str
    allowed_hosts: tuple[str, ...]
    trusted_proxies: int
    database: dict[str, Any]
    redis_url: str
    log_format: LogFormat
    log_level: str

    @property
    def is_production(self) -> bool:
        """Is this a production installation?"""
        return self.mode is Mode.PRODUCTION

    @property
    def is_secure(self) -> bool:
        """Do visitors come by https?"""
        return self.base_url.startswith("https://")


class Reader:
    """Reads variables one by one and keeps every fault until `finish`."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.variables = variables
        self.faults: list[str] = []

    def fault(self, name: str, allowed: str, *, secret: bool = False) -> None:
        """Note that a variable is missing or wrong, and what is allowed."""
        value = self.variables.get(name, "")
        said = "not set" if not value else "(hidden)" if secret else repr(value)
        self.faults.append(f"{name} is {said}; allowed: {allowed}")

    def take(self, name: str, default: T, parse: Callable[[str], T], allowed: str) -> T:
        """The variable's value; the default when it is not set or wrong (a fault then)."""
        text = self.variables.get(name, "").strip()
        if not text:
            return default
        try:
            return parse(text)
        except (KeyError, ValueError):
            self.fault(name, allowed)
            return default

    def finish(self) -> None:
        """Refuse to start if anything was wrong."""
        if self.faults:
            lines = "\n".join(f"  {line}" for line in self.faults)
            raise ImproperlyConfigured(f"The environment variables cannot be used:\n{lines}")


def read(variables: Mapping[str, str]) -> Environment:
    """The configuration these variables describe.

    Raise ImproperlyConfigured naming every variable that is missing or wrong.
    """
    reader = Reader(variables)
    mode = reader.take("MODE", Mode.EMBEDDED, Mode, _one_of(Mode))
    production = mode is Mode.PRODUCTION
    data_dir = reader.take("DATA_DIR", ROOT / "var", _path, "a folder's path")
    host = reader.take("HOST", "127.0.0.1", str, "an address to listen on")
    port = reader.take("PORT", 8000, _within(1, HIGHEST_PORT), f"a number from 1 to {HIGHEST_PORT}")
    base_url = _base_url(reader, host, port, production=production)
    found = Environment(
        mode=mode,
        debug=_debug(reader, production=production),
        demo=reader.take("DEMO", not production, _yes_or_no, "1 or 0"),
        data_dir=data_dir,
        secret_key=_secret_key(reader, data_dir, production=production),
        host=host,
        port=port,
        base_url=base_url,
        allowed_hosts=_allowed_hosts(reader, host, base_url, production=production),
        trusted_proxies=reader.take(
            "TRUSTED_PROXIES",
            int(production),
            _within(0, MOST_PROXIES),
            f"how many reverse proxies stand before the service, 0 to {MOST_PROXIES}",
        ),
        database=_database(reader, data_dir, production=production),
        redis_url=_redis_url(reader, production=production),
        log_format=reader.take(
            "LOG_FORMAT",
            LogFormat.JSON if production else LogFormat.CONSOLE,
            LogFormat,
            _one_of(LogFormat),
        ),
        log_level=reader.take(
            "LOG_LEVEL", "INFO" if production else "WARNING", _listed(LOG_LEVELS), ", ".join(LOG_LEVELS)
        ),
    )
    reader.finish()
    return found


def own_secret(file: Path, length: int = SECRET_LENGTH) -> str:
    """A secret made once and kept in a file that only its owner can read."""
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
        made.touch(mode=0o600)
        made.write_text(secrets.token_urlsafe(length), encoding="ascii")
        _keep_first(made, file)
    return file.read_text(encoding="ascii").strip()


def _keep_first(made: Path, file: Path) -> None:
    """Put the new file in place unless another process was faster."""
    try:
        file.hardlink_to(made)
    except FileExistsError:
        pass
    finally:
        made.unlink()


def _base_url(reader: Reader, host: str, port: int, *, production: bool) -> str:
    """Where people reach the service; in production always said, and always by https."""
    allowed = "the address people open, such as https://league.example.org, without a path"
    shown = "127.0.0.1" if host in EVERY_ADDRESS else f"[{host}]" if ":" in host else host
    default = "" if production else f"http://{shown}:{port}"
    url = reader.take("BASE_URL", default, _origin, allowed)
    if production and "BASE_URL" not in " ".join(reader.faults) and not url.startswith("https://"):
        reader.fault("BASE_URL", allowed)
    return url


def _debug(reader: Reader, *, production: bool) -> bool:
    """Debug pages show internals: never in production."""
    debug = reader.take("DEBUG", default=False, parse=_yes_or_no, allowed="1 or 0")
    if debug and production:
        reader.fault("DEBUG", "0 (debug pages are for development)")
    return debug


def _secret_key(reader: Reader, data_dir: Path, *, production: bool) -> str:
    """The key that signs cookies: given in production, otherwise made once."""
    given = reader.variables.get("SECRET_KEY", "").strip()
    if not given and not production:
        return own_secret(data_dir / "secret_key")
    if len(given) < SECRET_LENGTH or len(set(given)) < SECRET_VARIETY:
        reader.fault("SECRET_KEY", f"{SECRET_LENGTH} or more random characters", secret=True)
    return given


def _allowed_hosts(reader: Reader, host: str, base_url: str, *, production: bool) -> tuple[str, ...]:
    """The names visitors may call the service by.

    An embedded service that listens on every address, as for tablets in a venue, cannot know what
    it is called there and answers to any name unless BASE_URL or ALLOWED_HOSTS says.
    """
    allowed = "host names separated by commas, without scheme or port"
    nothing: tuple[str, ...] = ()
    given = reader.take("ALLOWED_HOSTS", nothing, _host_names, allowed)
    if production and "*" in given:
        reader.fault("ALLOWED_HOSTS", f"{allowed}; not every name (*)")
    if given:
        return given
    named = urlsplit(base_url).hostname or ""
    if production:
        return (named,)
    if host in EVERY_ADDRESS and not reader.variables.get("BASE_URL"):
        return ("*",)
    return (*LOCAL_HOSTS, f"[{named}]" if ":" in named else named)


def _database(reader: Reader, data_dir: Path, *, production: bool) -> dict[str, Any]:
    """The database; its address holds a password, so a wrong one is never printed."""
    allowed = "postgres://USER:PASSWORD@HOST:PORT/NAME or sqlite:///FILE"
    url = reader.variables.get("DATABASE_URL", "").strip()
    if not url and not production:
        url = f"sqlite:///{data_dir / 'jantaku.sqlite3'}"
    scheme, _, place = url.partition("://")
    if scheme not in DATABASE_SCHEMES or not place.strip("/"):
        reader.fault("DATABASE_URL", allowed, secret=True)
        return {}
    return dict(environ.Env.db_url_config(url))


def _redis_url(reader: Reader, *, production: bool) -> str:
    """The broker and cache; without one everything runs in process."""
    url = reader.variables.get("REDIS_URL", "").strip()
    scheme, _, place = url.partition("://")
    if (url or production) and (scheme not in REDIS_SCHEMES or not place):
        reader.fault("REDIS_URL", "redis://HOST:PORT/NUMBER", secret=True)
    return url


def _one_of(kind: type[StrEnum]) -> str:
    return " or ".join(kind)


def _yes_or_no(text: str) -> bool:
    return WORDS[text.lower()]


def _path(text: str) -> Path:
    return Path(text).expanduser().resolve()


def _within(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        number = int(text)
        if not least <= number <= most:
            raise ValueError(text)
        return number

    return parse


def _listed(words: tuple[str, ...]) -> Callable[[str], str]:
    def parse(text: str) -> str:
        return words[words.index(text.upper())]

    return parse


def _origin(text: str) -> str:
    parts = urlsplit(text.rstrip("/"))
    plain = parts.scheme in ("http", "https") and parts.hostname and not parts.username
    if not plain or parts.path or parts.query or parts.fragment or parts.port == 0:
        raise ValueError(text)
    return f"{parts.scheme}://{parts.netloc}"


def _host_names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names or any("/" in name or " " in name for name in names):
        raise ValueError(text)
    return names
