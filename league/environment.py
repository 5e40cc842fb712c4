"""What the environment variables say, checked before anything starts.

The one idea: every wrong variable is reported at once, each with its value and what is allowed, and
nothing is guessed in production. `league.settings` is built from the record that `read` returns.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent
SECRET_LENGTH = 50
SECRET_VARIETY = 5
MOST_FALLBACKS = 3
TOKEN_LENGTH = 24
HIGHEST_PORT = 65535
MOST_PROXIES = 9
MOST_PROCESSES = 64
MOST_THREADS = 16
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - compared with, never listened on here
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
DAY = 24 * 60
DAYS_SIGNED_IN, DAYS_IDLE = 14, 3
LEAST_MINUTES, MOST_MINUTES = 15, 90 * DAY
MINUTES_ALLOWED = f"minutes, {LEAST_MINUTES} to {MOST_MINUTES}"
DATABASE_SCHEMES = ("sqlite", "postgres", "postgresql")
REDIS_SCHEMES = ("redis", "rediss", "unix")
EMAIL_SCHEMES = ("smtp", "smtp+tls", "smtp+ssl")
LOG_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
WORDS = {"1": True, "true": True, "yes": True, "on": True}
WORDS |= {"0": False, "false": False, "no": False, "off": False}


class Mode(StrEnum):
    """How the service is run."""

    EMBEDDED = "embedded"
    """One process on SQLite; secrets are made by the service itself."""

    PRODUCTION = "production"
    """Behind a web server, with database, broker and secrets given; nothing is made up."""


class TwoFactor(StrEnum):
    """Who must sign in with a code besides the password. Whoever has set one up is always asked for it."""

    NOBODY = "nobody"
    """Everybody decides for themselves."""

    SUPERUSERS = "superusers"
    """Those who may do everything."""

    ORGANIZERS = "organizers"
    """Those, and the directors of competitions."""


class LogFormat(StrEnum):
    """How log lines are written."""

    JSON = "json"
    """One JSON object per line, for a collector."""

    CONSOLE = "console"
    """For a person at a terminal."""


class Secret(str):
    """A text that its repr hides, so that no printed setting shows it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'(hidden)'"


@dataclass(frozen=True, slots=True)
class Environment:
    """The service's configuration, valid as a whole; what holds a secret is a `Secret`."""

    mode: Mode
    debug: bool
    demo: bool
    data_dir: Path
    secret_key: str
    secret_key_fallbacks: tuple[str, ...]
    host: str
    port: int
    web_processes: int
    web_threads: int
    base_url: str
    allowed_hosts: tuple[str, ...]
    frame_hosts: tuple[str, ...]
    trusted_proxies: int
    database: dict[str, Any]
    redis_url: str
    require_two_factor: TwoFactor
    signed_in_minutes: int
    idle_minutes: int
    tells_new_browsers: bool
    email: dict[str, Any]
    email_from: str
    log_format: LogFormat
    log_level: str
    webhook_allow_private: bool
    metrics_token: str
    metrics_addresses: tuple[IPv4Network | IPv6Network, ...]
    sentry_dsn: str

    @property
    def is_production(self) -> bool:
        """Is this a production installation?"""
        return self.mode is Mode.PRODUCTION

    @property
    def has_metrics(self) -> bool:
        """May anybody read metrics? Only then are they counted."""
        return bool(self.metrics_token or self.metrics_addresses)

    @property
    def listen_url(self) -> str:
        """The URL at which this machine itself reaches the service."""
        return _listen_url(self.host, self.port)

    @property
    def listens_on_all(self) -> bool:
        """Does the service listen on every address of the machine?"""
        return self.host in EVERY_ADDRESS

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
    found = Environment(
        mode=mode,
        debug=_debug(reader, production=production),
        demo=reader.take("DEMO", not production, _yes_or_no, "1 or 0"),
        data_dir=data_dir,
        database=_database(reader, data_dir, production=production),
        redis_url=_redis_url(reader, production=production),
        email=_email(reader),
        email_from=_email_from(reader),
        webhook_allow_private=reader.take("WEBHOOK_ALLOW_PRIVATE", default=False, parse=_yes_or_no, allowed="1 or 0"),
        **_web(reader, production=production),
        **_accounts(reader, data_dir, production=production),
        **_watching(reader, production=production),
    )
    reader.finish()
    return found


def _web(reader: Reader, *, production: bool) -> dict[str, Any]:
    """Where the service listens, and what it is called from outside."""
    host = reader.take("HOST", "127.0.0.1", str, "an address to listen on")
    port = reader.take("PORT", 8000, _within(1, HIGHEST_PORT), f"a number from 1 to {HIGHEST_PORT}")
    base_url = _base_url(reader, production=production)
    proxies = f"how many reverse proxies stand before the service, 0 to {MOST_PROXIES}"
    return {
        "host": host,
        "port": port,
        "web_processes": reader.take("WEB_PROCESSES", 2, _within(1, MOST_PROCESSES), f"1 to {MOST_PROCESSES}"),
        "web_threads": reader.take("WEB_THREADS", 8, _within(1, MOST_THREADS), f"1 to {MOST_THREADS}"),
        "base_url": base_url,
        "allowed_hosts": _allowed_hosts(reader, host, base_url or _listen_url(host, port), production=production),
        "frame_hosts": _frame_hosts(reader),
        "trusted_proxies": reader.take("TRUSTED_PROXIES", int(production), _within(0, MOST_PROXIES), proxies),
    }


def _accounts(reader: Reader, data_dir: Path, *, production: bool) -> dict[str, Any]:
    """What signing in rests on, and how long it lasts."""
    usual = TwoFactor.SUPERUSERS if production else TwoFactor.NOBODY
    minutes = _within(LEAST_MINUTES, MOST_MINUTES)
    return {
        "secret_key": _secret_key(reader, data_dir, production=production),
        "secret_key_fallbacks": _secret_key_fallbacks(reader),
        "require_two_factor": reader.take("REQUIRE_TWO_FACTOR", usual, TwoFactor, _one_of(TwoFactor)),
        "signed_in_minutes": reader.take("SIGNED_IN_MINUTES", DAYS_SIGNED_IN * DAY, minutes, MINUTES_ALLOWED),
        "idle_minutes": reader.take("IDLE_MINUTES", DAYS_IDLE * DAY, minutes, MINUTES_ALLOWED),
        "tells_new_browsers": reader.take("NEW_BROWSER_LETTERS", default=True, parse=_yes_or_no, allowed="1 or 0"),
    }


def _watching(reader: Reader, *, production: bool) -> dict[str, Any]:
    """What the service tells of itself, and to whom."""
    usual = LogFormat.JSON if production else LogFormat.CONSOLE
    level = "INFO" if production else "WARNING"
    return {
        "log_format": reader.take("LOG_FORMAT", usual, LogFormat, _one_of(LogFormat)),
        "log_level": reader.take("LOG_LEVEL", level, _listed(LOG_LEVELS), ", ".join(LOG_LEVELS)),
        "metrics_token": _metrics_token(reader),
        "metrics_addresses": _metrics_addresses(reader),
        "sentry_dsn": _sentry_dsn(reader),
    }


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


def _base_url(reader: Reader, *, production: bool) -> str:
    """Return the URL of the service as people open it; required in production, and https there."""
    allowed = "the address people open, such as https://league.example.org, without a path"
    url = reader.take("BASE_URL", "", _origin, allowed)
    if production and "BASE_URL" not in " ".join(reader.faults) and not url.startswith("https://"):
        reader.fault("BASE_URL", allowed)
    return url


def _listen_url(host: str, port: int) -> str:
    """Return the URL of the address the service listens on, loopback where it listens on all of them."""
    shown = "127.0.0.1" if host in EVERY_ADDRESS else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


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
        return Secret(own_secret(data_dir / "secret_key"))
    if not _is_hard_to_guess(given):
        reader.fault("SECRET_KEY", f"{SECRET_LENGTH} or more random characters", secret=True)
    return Secret(given)


def _secret_key_fallbacks(reader: Reader) -> tuple[str, ...]:
    """The keys before this one, newest first: what they signed is still good."""
    given = tuple(map(Secret, reader.variables.get("SECRET_KEY_FALLBACKS", "").split()))
    if len(given) > MOST_FALLBACKS or not all(_is_hard_to_guess(key) for key in given):
        allowed = f"up to {MOST_FALLBACKS} earlier values of SECRET_KEY, separated by spaces"
        reader.fault("SECRET_KEY_FALLBACKS", allowed, secret=True)
    return given


def _is_hard_to_guess(key: str) -> bool:
    return len(key) >= SECRET_LENGTH and len(set(key)) >= SECRET_VARIETY


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
    return _with_secret("PASSWORD", environ.Env.db_url_config(url))


def _with_secret(name: str, found: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration in which the password of this name is a `Secret`."""
    return {**found, name: Secret(found.get(name) or "")}


def _redis_url(reader: Reader, *, production: bool) -> str:
    """The broker and cache; without one everything runs in process."""
    url = reader.variables.get("REDIS_URL", "").strip()
    scheme, _, place = url.partition("://")
    if (url or production) and (scheme not in REDIS_SCHEMES or not place):
        reader.fault("REDIS_URL", "redis://HOST:PORT/NUMBER", secret=True)
    return Secret(url)


def _frame_hosts(reader: Reader) -> tuple[str, ...]:
    """The other sites that may show a widget in a frame: each by name, for a frame lends them our face."""
    nobody: tuple[str, ...] = ()
    return reader.take("FRAME_HOSTS", nobody, _origins, "sites separated by spaces, such as https://club.example")


def _metrics_token(reader: Reader) -> str:
    """What Prometheus shows to read metrics; long enough not to be guessed."""
    token = reader.variables.get("METRICS_TOKEN", "").strip()
    if token and (len(token) < TOKEN_LENGTH or len(set(token)) < SECRET_VARIETY):
        reader.fault("METRICS_TOKEN", f"{TOKEN_LENGTH} or more random characters", secret=True)
    return Secret(token)


def _metrics_addresses(reader: Reader) -> tuple[IPv4Network | IPv6Network, ...]:
    """From where metrics may be read without a token."""
    nowhere: tuple[IPv4Network | IPv6Network, ...] = ()
    allowed = "addresses or networks separated by commas, such as 127.0.0.1, 10.0.0.0/8; not everybody's"
    return reader.take("METRICS_ADDRESSES", nowhere, _networks, allowed)


def _sentry_dsn(reader: Reader) -> str:
    """Where faults are reported to; the address holds a key, so a wrong one is never printed."""
    dsn = reader.variables.get("SENTRY_DSN", "").strip()
    parts = urlsplit(dsn)
    whole = parts.scheme in ("http", "https") and parts.username and parts.hostname and parts.path.strip("/").isdigit()
    if dsn and not whole:
        reader.fault("SENTRY_DSN", "https://KEY@HOST/NUMBER", secret=True)
    return Secret(dsn)


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    networks = tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    if not networks or any(network.prefixlen == 0 for network in networks):
        raise ValueError(text)
    return networks


def _email(reader: Reader) -> dict[str, Any]:
    """The mail server; without one no letters are sent. Its address holds a password: a wrong one is never printed."""
    url = reader.variables.get("EMAIL_URL", "").strip()
    scheme, _, place = url.partition("://")
    if url and (scheme not in EMAIL_SCHEMES or not place):
        reader.fault("EMAIL_URL", "smtp+tls://USER:PASSWORD@HOST:PORT", secret=True)
        return {}
    return _with_secret("EMAIL_HOST_PASSWORD", environ.Env.email_url_config(url)) if url else {}


def _email_from(reader: Reader) -> str:
    """Whom letters come from; said where letters are sent."""
    sender = reader.variables.get("EMAIL_FROM", "").strip()
    if reader.variables.get("EMAIL_URL", "").strip() and "@" not in sender:
        reader.fault("EMAIL_FROM", "an address such as league@example.org, or Name <league@example.org>")
    return sender


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


def _origins(text: str) -> tuple[str, ...]:
    return tuple(_origin(each) for each in text.split())


def _host_names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names or any("/" in name or " " in name for name in names):
        raise ValueError(text)
    return names
