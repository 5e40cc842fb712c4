"""Service configuration, read from environment variables and secret files before anything starts.

pydantic-settings reads and validates every variable, so that all faults are reported at once. A field is named like
its variable, in lower case; its description states the allowed values; `repr=False` marks a secret, whose value
appears in no message and no repr. `Environment` configures an embedded service; `Production` requires the values that
`Environment` generates.

A variable that is not set may be a file of its name in the folder SECRETS_DIR. `league.settings` is built from the
record that `read` returns.
"""

import os
import secrets
from enum import StrEnum
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from pydantic import AfterValidator, BeforeValidator, DirectoryPath, Field, ValidationError, ValidationInfo
from pydantic_settings import BaseSettings, SettingsConfigDict

ROOT = Path(__file__).resolve().parents[2]
SECRET_LENGTH = 50
SECRET_VARIETY = 5
MOST_FALLBACKS = 3
TOKEN_LENGTH = 24
EVERY_ADDRESS = ("0.0.0.0", "::")  # noqa: S104 - compared with, never listened on here
LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
DAY = 24 * 60
LEAST_MINUTES, MOST_MINUTES = 15, 90 * DAY
SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")
DATABASE_SCHEMES = ("sqlite", "postgres", "postgresql")
REDIS_SCHEMES = ("redis", "rediss")
EMAIL_SCHEMES = ("smtp", "smtp+tls", "smtp+ssl")


class Mode(StrEnum):
    """The mode of the service."""

    EMBEDDED = "embedded"
    """One process on SQLite; the service generates its own secrets."""

    PRODUCTION = "production"
    """Behind a web server, with database, broker and secrets given; nothing is generated."""


class TwoFactor(StrEnum):
    """The accounts that must sign in with a code besides the password; an account that has set one up always does."""

    NOBODY = "nobody"
    """No account must."""

    SUPERUSERS = "superusers"
    """Superusers must."""

    ORGANIZERS = "organizers"
    """Superusers and directors of competitions must."""


class LogFormat(StrEnum):
    """The format of log lines."""

    JSON = "json"
    """One JSON object per line, for a collector."""

    CONSOLE = "console"
    """Text for a terminal."""


class Secret(str):
    """A text that its repr hides, so that no printed setting shows it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "'(hidden)'"


def _from_variable(mode: Mode) -> Mode:
    """Refuse a mode from a secret file: the variable alone decides which configuration is read."""
    if mode != os.environ.get("MODE"):
        raise ValueError(mode)
    return mode


def _folder(path: Path) -> Path:
    """Return the absolute path of a folder that exists or can be made, unlike one at or below a file."""
    found = path.expanduser().resolve()
    if any(each.exists() and not each.is_dir() for each in (found, *found.parents)):
        raise ValueError(path)
    return found


def _origin(text: str) -> str:
    """Return scheme, host and port of a URL that has nothing else."""
    parts = urlsplit(text.rstrip("/"))
    plain = parts.scheme in ("http", "https") and parts.hostname and not parts.username
    if not plain or parts.path or parts.query or parts.fragment or parts.port == 0:
        raise ValueError(text)
    return f"{parts.scheme}://{parts.netloc}"


def _https(url: str) -> str:
    if not url.startswith("https://"):
        raise ValueError(url)
    return url


def _origins(text: str) -> tuple[str, ...]:
    return tuple(_origin(each) for each in text.split())


def _host_names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    if not names or any("/" in name or " " in name or ":" in name.rpartition("]")[2] for name in names):
        raise ValueError(text)
    return names


def _no_wildcard(names: tuple[str, ...]) -> tuple[str, ...]:
    if "*" in names:
        raise ValueError(names)
    return names


def _networks(text: str) -> tuple[IPv4Network | IPv6Network, ...]:
    networks = tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    if not networks or any(network.prefixlen == 0 for network in networks):
        raise ValueError(text)
    return networks


def _off(debug: bool) -> bool:  # noqa: FBT001 - pydantic calls it
    if debug:
        raise ValueError(debug)
    return debug


def _varied(text: str) -> Secret:
    if len(set(text)) < SECRET_VARIETY:
        raise ValueError(SECRET_VARIETY)
    return Secret(text)


def _database(url: str) -> dict[str, object]:
    """Return Django's configuration of the database at a URL."""
    found: dict[str, Any] = dict(dj_database_url.parse(url))
    if urlsplit(url).scheme not in DATABASE_SCHEMES or found["NAME"] in ("", ":memory:"):
        raise ValueError(DATABASE_SCHEMES)
    if found.get("OPTIONS", {}).get("sslmode", SSL_MODES[0]) not in SSL_MODES:
        raise ValueError(SSL_MODES)
    return found | {"PASSWORD": Secret(found.get("PASSWORD") or "")}


def _replica(url: str, info: ValidationInfo) -> dict[str, object]:
    """Return Django's configuration of the replica; SQLite has none, neither here nor as the database it repeats."""
    found, primary = _database(url), info.data.get("database", {})
    if any(str(each.get("ENGINE", "")).endswith("sqlite3") for each in (found, primary)):
        raise ValueError("sqlite")
    return found


def _other_port(port: int, info: ValidationInfo) -> int:
    if port == info.data.get("port"):
        raise ValueError(port)
    return port


def _redis_url(url: str) -> Secret:
    """Refuse what a special character in the password leaves: reading its port fails, or its host is missing."""
    parts = urlsplit(url)
    whole = parts.hostname and parts.port != 0 and (parts.path.strip("/") or "0").isdecimal() and not parts.fragment
    if parts.scheme not in REDIS_SCHEMES or not whole:
        raise ValueError(REDIS_SCHEMES)
    return Secret(url)


def _email(url: str) -> dict[str, object]:
    """Return Django's EMAIL_ settings for the mail server at a URL."""
    parts = urlsplit(url)
    if parts.scheme not in EMAIL_SCHEMES or not parts.hostname:
        raise ValueError(EMAIL_SCHEMES)
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or 0,  # smtplib takes the usual port of the scheme for 0
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": Secret(unquote(parts.password or "")),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtp+ssl",
    }


def _sender(text: str, info: ValidationInfo) -> str:
    """Require a sender where there is a mail server, a wrong one included."""
    if info.data.get("email", True) and "@" not in text:
        raise ValueError(text)
    return text


def _font_file(path: str) -> str:
    from PIL import ImageFont  # noqa: PLC0415 - needed only where the variable is set

    try:
        ImageFont.truetype(path)
    except OSError as wrong:
        raise ValueError(path) from wrong
    return path


def _sentry_dsn(dsn: str) -> Secret:
    parts = urlsplit(dsn)
    whole = parts.scheme in ("http", "https") and parts.username and parts.hostname and parts.path.strip("/").isdigit()
    if not whole:
        raise ValueError("not a DSN")
    return Secret(dsn)


def _listen_url(host: str, port: int) -> str:
    """Return the URL of the address the service listens on, loopback where it listens on all of them."""
    shown = "127.0.0.1" if host in EVERY_ADDRESS else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}"


def _local_hosts(found: dict[str, Any]) -> tuple[str, ...]:
    """Return the host names of this machine and the one in BASE_URL.

    A service that listens on every address, as for tablets in a venue, cannot know its name in that network and
    accepts any host name unless BASE_URL or ALLOWED_HOSTS is set.
    """
    if found["host"] in EVERY_ADDRESS and not found["base_url"]:
        return ("*",)
    named = urlsplit(found["base_url"] or _listen_url(found["host"], found["port"])).hostname or ""
    return (*LOCAL_HOSTS, f"[{named}]" if ":" in named else named)


def own_secret(file: Path, length: int = SECRET_LENGTH) -> str:
    """Return a secret that is generated once and kept in a file that only its owner can read."""
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Written aside and linked into place: another process never reads half a secret, and all agree on one.
        made = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
        made.touch(mode=0o600)
        made.write_text(secrets.token_urlsafe(length), encoding="ascii")
        _keep_first(made, file)
    return file.read_text(encoding="ascii").strip()


def _keep_first(made: Path, file: Path) -> None:
    """Put the new file in place unless another process was faster.

    A hard link fails where a rename would overwrite.
    """
    try:
        file.hardlink_to(made)
    except FileExistsError:
        pass
    finally:
        made.unlink()


RandomKey = Annotated[str, Field(min_length=SECRET_LENGTH), AfterValidator(_varied)]
SecretKey = Annotated[RandomKey, Field(repr=False, description=f"{SECRET_LENGTH} or more random characters")]
DatabaseUrl = Annotated[
    dict[str, Any],
    BeforeValidator(_database),
    Field(
        validation_alias="DATABASE_URL",
        repr=False,
        description=f"postgres://USER:PASSWORD@HOST:PORT/NAME, ?sslmode= being {' or '.join(SSL_MODES)}, or sqlite:///FILE",
    ),
]
RedisUrl = Annotated[str, AfterValidator(_redis_url), Field(repr=False, description="redis://HOST:PORT/NUMBER")]
BaseUrl = Annotated[
    str,
    AfterValidator(_origin),
    Field(description="the address people open, such as https://league.example.org, without a path"),
]
HOSTS_ALLOWED = "host names separated by commas, without scheme or port"
Hosts = Annotated[tuple[str, ...], BeforeValidator(_host_names)]
YesNo = Annotated[bool, Field(description="1 or 0")]
Minutes = Annotated[
    int, Field(ge=LEAST_MINUTES, le=MOST_MINUTES, description=f"minutes, {LEAST_MINUTES} to {MOST_MINUTES}")
]


Proxies = Annotated[int, Field(ge=0, le=9, description="how many reverse proxies stand before the service, 0 to 9")]
WhoNeedsTwoFactor = Annotated[TwoFactor, Field(description=" or ".join(TwoFactor))]
LineFormat = Annotated[LogFormat, Field(description=" or ".join(LogFormat))]
Level = Annotated[
    Literal["DEBUG", "INFO", "WARNING", "ERROR"],
    BeforeValidator(str.upper),
    Field(description="DEBUG, INFO, WARNING, ERROR"),
]


class Variables(BaseSettings):
    """The way variables are read: named in upper case, empty ones treated as unset, lists given as text."""

    model_config = SettingsConfigDict(  # type: ignore[pydantic-alias]  # no field is given as an argument
        alias_generator=str.upper,
        case_sensitive=True,
        enable_decoding=False,
        env_ignore_empty=True,
        frozen=True,
        hide_input_in_errors=True,
        str_strip_whitespace=True,
        validate_default=False,
    )


class Environment(Variables):
    """Configuration of an embedded service, valid as a whole; texts that are secret are `Secret`."""

    mode: Annotated[Mode, AfterValidator(_from_variable)] = Field(Mode.EMBEDDED, description="embedded or production")
    secrets_dir: DirectoryPath | None = Field(None, description="a folder with one file for each secret")
    data_dir: Annotated[Path, AfterValidator(_folder)] = Field(ROOT / "var", description="a folder's path")
    debug: YesNo = False
    demo: YesNo = True
    secret_key: SecretKey = Field(default_factory=lambda found: Secret(own_secret(found["data_dir"] / "secret_key")))
    secret_key_fallbacks: Annotated[tuple[RandomKey, ...], BeforeValidator(str.split)] = Field(
        (),
        max_length=MOST_FALLBACKS,
        repr=False,
        description=f"up to {MOST_FALLBACKS} earlier values of SECRET_KEY, separated by spaces",
    )
    host: str = Field("127.0.0.1", description="an address to listen on")
    port: int = Field(8000, ge=1, le=65535, description="a number from 1 to 65535")
    stream_port: Annotated[int, AfterValidator(_other_port)] = Field(
        0, ge=0, le=65535, description="a number from 1 to 65535, other than PORT; 0 for no stream"
    )
    web_processes: int = Field(2, ge=1, le=64, description="1 to 64")
    web_threads: int = Field(8, ge=1, le=16, description="1 to 16")
    base_url: BaseUrl = ""
    allowed_hosts: Hosts = Field(default_factory=_local_hosts, description=HOSTS_ALLOWED)
    frame_hosts: Annotated[tuple[str, ...], BeforeValidator(_origins)] = Field(
        (), description="sites separated by spaces, such as https://club.example"
    )
    card_font: Annotated[str, AfterValidator(_font_file)] = Field(
        "", description="a TTF, OTF or TTC file with a Japanese font"
    )
    trusted_proxies: Proxies = 0
    database: DatabaseUrl = Field(
        default_factory=lambda found: {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": str(found["data_dir"] / "jantaku.sqlite3"),
        }
    )
    database_replica: Annotated[dict[str, Any], BeforeValidator(_replica)] = Field(
        {},
        validation_alias="DATABASE_REPLICA_URL",
        repr=False,
        description="postgres://USER:PASSWORD@HOST:PORT/NAME of a streaming replica, where DATABASE_URL is PostgreSQL; "
        f"?sslmode= is {' or '.join(SSL_MODES)}",
    )
    redis_url: RedisUrl = ""
    require_two_factor: WhoNeedsTwoFactor = TwoFactor.NOBODY
    signed_in_minutes: Minutes = 14 * DAY
    idle_minutes: Minutes = 3 * DAY
    tells_new_browsers: YesNo = Field(default=True, validation_alias="NEW_BROWSER_LETTERS")
    email: Annotated[dict[str, Any], BeforeValidator(_email)] = Field(
        {}, validation_alias="EMAIL_URL", repr=False, description="smtp+tls://USER:PASSWORD@HOST:PORT"
    )
    email_from: Annotated[str, AfterValidator(_sender)] = Field(
        "",
        validate_default=True,
        description="an address such as league@example.org, or Name <league@example.org>",
    )
    backup_dir: Annotated[Path, AfterValidator(lambda path: path.expanduser().resolve())] = Field(
        default_factory=lambda found: found["data_dir"] / "backups", description="a folder's path"
    )
    backups_kept: int = Field(14, ge=1, le=1000, description="1 to 1000")
    daily_backups: YesNo = True
    backup_overdue_hours: int = Field(36, ge=0, le=8760, description="hours, 0 to 8760")
    log_format: LineFormat = LogFormat.CONSOLE
    log_level: Level = "WARNING"
    webhook_allow_private: YesNo = False
    metrics_token: Annotated[str, AfterValidator(_varied)] = Field(
        "", min_length=TOKEN_LENGTH, repr=False, description=f"{TOKEN_LENGTH} or more random characters"
    )
    # A network of prefix length 0 (0.0.0.0/0) is refused: it would open the metrics to the whole internet.
    metrics_addresses: Annotated[tuple[IPv4Network | IPv6Network, ...], BeforeValidator(_networks)] = Field(
        (),
        description="addresses or networks separated by commas, such as 127.0.0.1, 10.0.0.0/8; not the whole internet",
    )
    sentry_dsn: Annotated[str, AfterValidator(_sentry_dsn)] = Field(
        "", repr=False, description="https://KEY@HOST/NUMBER"
    )

    @property
    def is_production(self) -> bool:
        """Return True for a production installation."""
        return self.mode is Mode.PRODUCTION

    @property
    def has_metrics(self) -> bool:
        """Return True if any client may read metrics; only then are they collected."""
        return bool(self.metrics_token or self.metrics_addresses)

    @property
    def metrics_dir(self) -> Path:
        """The folder in which the processes of this machine count."""
        return self.data_dir / "metrics"

    @property
    def listen_url(self) -> str:
        """The URL at which this machine itself reaches the service."""
        return _listen_url(self.host, self.port)

    @property
    def listens_on_all(self) -> bool:
        """Return True if the service listens on every address of the machine."""
        return self.host in EVERY_ADDRESS

    @property
    def is_secure(self) -> bool:
        """Return True if visitors reach the service over HTTPS."""
        return self.base_url.startswith("https://")


class Production(Environment):
    """Configuration behind a web server: secrets and servers are required, debug pages refused."""

    debug: Annotated[bool, AfterValidator(_off)] = Field(
        default=False, description="0 (debug pages are for development)"
    )
    demo: YesNo = False
    secret_key: SecretKey
    base_url: Annotated[BaseUrl, AfterValidator(_https)]
    allowed_hosts: Annotated[Hosts, AfterValidator(_no_wildcard)] = Field(
        default_factory=lambda found: (urlsplit(found["base_url"]).hostname,),
        description=f"{HOSTS_ALLOWED}; not every name (*)",
    )
    # nginx stands in front; with 0 every visitor would have the proxy's address and share one rate limit.
    trusted_proxies: Proxies = 1
    database: DatabaseUrl
    redis_url: RedisUrl
    require_two_factor: WhoNeedsTwoFactor = TwoFactor.SUPERUSERS
    log_format: LineFormat = LogFormat.JSON
    log_level: Level = "INFO"


def read() -> Environment:
    """Return the configuration that the environment variables and secret files describe.

    Raise ImproperlyConfigured naming every variable that is missing or wrong.
    """
    kind = Production if os.environ.get("MODE") == Mode.PRODUCTION else Environment
    folder = os.environ.get("SECRETS_DIR", "")
    try:
        found = kind(_secrets_dir=folder if folder and Path(folder).is_dir() else None)
        if found.has_metrics:
            found.metrics_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        return found
    except ValidationError as error:
        lines = "\n".join(f"  {line}" for line in _faults(error, kind))
    except OSError as reason:
        lines = f"  DATA_DIR cannot be used ({reason}); make it writable and its disk roomy, or set another folder"
    # Raised here and not above, so that no traceback shows pydantic's own error with it.
    raise ImproperlyConfigured(f"The environment variables cannot be used:\n{lines}")


def _faults(error: ValidationError, kind: type[Environment]) -> list[str]:
    """Return a line for each fault: the variable, its value unless it is a secret, and the allowed values."""
    fields = {field.validation_alias: field for field in kind.model_fields.values()}
    lines: dict[str, str] = {}
    for fault in error.errors(include_url=False, include_context=False):
        if fault["type"] == "default_factory_not_called":  # it rests on another variable, which is reported itself
            continue
        name, given = str(fault["loc"][0]).upper(), fault["input"]
        field = fields[name]
        told = "not set" if fault["type"] == "missing" or not given else repr(given) if field.repr else "(hidden)"
        lines[name] = f"{name} is {told}; allowed: {field.description}"
    return list(lines.values())
