"""Django's settings, all of them from `league.platform.environment`.

The one idea: the same code runs embedded (SQLite, one process) and in production (PostgreSQL, Redis,
Celery); only what the environment variables name differs.
"""

import logging
import os
from datetime import timedelta
from typing import Any

import structlog
from csp.constants import NONE, SELF
from kombu import Queue
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from league.platform import environment
from league.platform.environment import ROOT
from league.platform.error_reports import start_reporting
from league.platform.masking import mask_secrets

ENVIRONMENT = environment.read()

# Django itself
DEBUG = ENVIRONMENT.debug
SECRET_KEY = ENVIRONMENT.secret_key
SECRET_KEY_FALLBACKS = list(ENVIRONMENT.secret_key_fallbacks)
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts)
BASE_URL = ENVIRONMENT.base_url
DATA_DIR = ENVIRONMENT.data_dir
ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "league",
    "league.apps.OrganizersAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "axes",
    "csp",
    "django_filters",
    "django_htmx",
    "django_otp",
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "django_prometheus",
    "django_structlog",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "knox",
    "rest_framework",
]

MIDDLEWARE = [
    "league.web.middleware.security_headers.SafeHeaders",
    "league.web.middleware.probes.Probes",
    "league.web.middleware.request_log.RequestIds",
    "league.web.middleware.request_log.TellRequestId",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "league.web.middleware.storable_text.StorableTexts",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "league.web.middleware.language.LanguageSwitch",
    "league.web.middleware.spoiler_guard.SpoilerGuard",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "league.web.sign_in.SignInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
        },
    },
]

# Database: SQLite takes its write lock when a transaction begins, so writers wait for one another
# instead of failing when a reader turns writer.
SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000;"
    " PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-32000;"
)
SQLITE: dict[str, Any] = {
    "ENGINE": "league.sqlite",
    "CONN_MAX_AGE": None,
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": SQLITE_PRAGMAS,
    },
}
# A page waits no longer for a statement. Waiting for a row ends before (`lock_timeout`), with a message of its own.
STATEMENT_SECONDS = 30
POSTGRESQL: dict[str, Any] = {
    "CONN_MAX_AGE": 0,
    # A connection is tried before it is used, so that a restarted server costs no request. The pool gives up an attempt
    # soon and makes a new one for whoever asks next: its own pauses between attempts would grow to minutes.
    "CONN_HEALTH_CHECKS": True,
    "OPTIONS": {
        "pool": {"min_size": 1, "max_size": 16, "timeout": 5, "reconnect_timeout": 2},
        "connect_timeout": 5,
        # Who waits for a row so long is told so; and who vanished without a word is given up: a client by the server,
        # with what it had locked, and a server by its clients.
        "options": "-c lock_timeout=25s"
        " -c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3",
        "tcp_user_timeout": 20_000,
        "keepalives_idle": 15,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    },
}
ON_SQLITE = ENVIRONMENT.database["ENGINE"].endswith("sqlite3")
DATABASES = {"default": ENVIRONMENT.database | (SQLITE if ON_SQLITE else POSTGRESQL)}
if not ON_SQLITE:  # the driver takes memory that an embedded service does without
    from league.platform.statement_deadlines import DeadlineConnection

    POSTGRESQL["OPTIONS"]["pool"]["connection_class"] = DeadlineConnection
# Options that DATABASE_URL carries, such as ?sslmode=require.
DATABASES["default"]["OPTIONS"] |= ENVIRONMENT.database.get("OPTIONS", {})

# Metrics are counted only where somebody may read them. Processes of one machine share a folder, which
# prometheus_client must know before it is first imported.
if ENVIRONMENT.has_metrics:
    METRICS_DIR = DATA_DIR / "metrics"
    METRICS_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_DIR)
    DATABASES["default"]["ENGINE"] = (
        "league.sqlite.counted" if ON_SQLITE else "django_prometheus.db.backends.postgresql"
    )
    MIDDLEWARE.insert(2, "django_prometheus.middleware.PrometheusBeforeMiddleware")
    MIDDLEWARE.append("django_prometheus.middleware.PrometheusAfterMiddleware")

# Cache, broker and tasks: with Redis they are shared between processes, without it they are in process.
CACHES: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "jantaku",
        "OPTIONS": {"MAX_ENTRIES": 5_000},
    }
}
if ENVIRONMENT.redis_url:
    CACHES["default"] = {
        "BACKEND": "league.platform.cache_backends.ForgivingRedisCache",
        "LOCATION": ENVIRONMENT.redis_url,
        "KEY_PREFIX": "jantaku",
        # A connection that Redis closed while it restarted is opened once more; a timeout is not waited for twice.
        "OPTIONS": {
            "socket_timeout": 0.5,
            "socket_connect_timeout": 0.5,
            "retry": Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
        },
    }
# What comes in within this time after a competition was published is published together (`services/bursts.py`).
PUBLISHED_APART_SECONDS = 0.3
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 5, "socket_connect_timeout": 5}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# A message that cannot be sent at once is left to the sweep: nobody waits for the broker.
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.2}
CELERY_TASK_ALWAYS_EAGER = not ENVIRONMENT.redis_url
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# A task that ended its process is not sent at once again, to end the next: the sweep asks for what it left undone.
CELERY_TASK_REJECT_ON_WORKER_LOST = False
# No task takes as long; one that does is ended before Redis would hand its message to somebody else as well.
CELERY_TASK_SOFT_TIME_LIMIT = 30 * 60
CELERY_TASK_TIME_LIMIT = 31 * 60
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "Asia/Tokyo"
# A worker serves every queue unless it is told otherwise (`--queues celery,sweep`), in turn: odds, which take long, and
# webhooks, whose receivers may be slow, may have workers of their own; and the sweep waits behind no burst of results.
CELERY_TASK_QUEUES = [Queue(name, routing_key=name) for name in ("celery", "odds", "sweep", "webhooks")]
CELERY_TASK_ROUTES = {
    "league.tasks.compute_odds": {"queue": "odds"},
    "league.tasks.deliver_webhooks": {"queue": "webhooks"},
    "league.tasks.report_odds_worker": {"queue": "odds"},
    "league.tasks.sweep": {"queue": "sweep"},
}
# A sweep that nobody took in time is dropped, the next is on its way; the clocks of two machines may differ by as much.
SWEEP_SECONDS = 5
HEARTBEAT_SECONDS = 20
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # keeps nothing on disk: both entries run every few seconds
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "league.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": 12 * SWEEP_SECONDS},
    },
    "odds worker": {
        "task": "league.tasks.report_odds_worker",
        "schedule": HEARTBEAT_SECONDS,
        "options": {"expires": HEARTBEAT_SECONDS},
    },
}

# Webhooks: whether they may go into the own network, and by plain http.
WEBHOOK_ALLOW_PRIVATE = ENVIRONMENT.webhook_allow_private

# Language and time
LANGUAGE_CODE = "ja"
LANGUAGES = [("ja", "日本語"), ("en", "English")]
LANGUAGE_COOKIE_NAME = "jantaku_language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 60 * 60
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [ROOT / "league" / "locale"]
TIME_ZONE = "Asia/Tokyo"
USE_I18N = True
USE_TZ = True
FORMAT_MODULE_PATH = ["league.formats"]

# Static files: names with hashes in production, straight from the apps otherwise.
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static" if ENVIRONMENT.is_production else None
WHITENOISE_USE_FINDERS = not ENVIRONMENT.is_production
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if ENVIRONMENT.is_production
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

# Who may come in
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "league.web.sign_in.AccountBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "league.platform.passwords.NotEndless"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "pages:sign_in"
OTP_TOTP_ISSUER = "Jantaku"
# Whoever is signed in must sign in anew after so long, or after so long away: unless the environment is stricter, a
# parlour's counter stays open from one evening to the next, and over a day off.
SIGNED_IN_SECONDS = SESSION_COOKIE_AGE = ENVIRONMENT.signed_in_minutes * 60
IDLE_SECONDS = ENVIRONMENT.idle_minutes * 60
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_HTTP_RESPONSE_CODE = 429
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False  # its lists stand at the desk to be read alone (league/admin/access/accounts.py)
AXES_HANDLER = "league.platform.sign_in_attempts.MaskedLists"
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "next", "csrfmiddlewaretoken"]
AXES_CLIENT_IP_CALLABLE = "league.platform.network.visitor_network"
KNOX_TOKEN_MODEL = "knox.AuthToken"  # noqa: S105 - a model's name
REST_KNOX = {"TOKEN_TTL": timedelta(days=365), "TOKEN_PREFIX": "jtk_"}

# Letters: none where there is no mail server; pages show what would stand in them.
SENDS_LETTERS = bool(ENVIRONMENT.email)
EMAIL_BACKEND = ENVIRONMENT.email.get("EMAIL_BACKEND", "django.core.mail.backends.dummy.EmailBackend")
EMAIL_HOST = ENVIRONMENT.email.get("EMAIL_HOST", "")
EMAIL_PORT = ENVIRONMENT.email.get("EMAIL_PORT", 25)
EMAIL_HOST_USER = ENVIRONMENT.email.get("EMAIL_HOST_USER") or ""
EMAIL_HOST_PASSWORD = ENVIRONMENT.email.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS = ENVIRONMENT.email.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = ENVIRONMENT.email.get("EMAIL_USE_SSL", False)
DEFAULT_FROM_EMAIL = SERVER_EMAIL = ENVIRONMENT.email_from or "webmaster@localhost"
EMAIL_TIMEOUT = 10

# What browsers are told
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
FRAME_HOSTS = list(ENVIRONMENT.frame_hosts)
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = [BASE_URL] if BASE_URL else []
CSRF_FAILURE_VIEW = "league.web.error_pages.form_not_ours"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = ENVIRONMENT.is_secure
KNOWN_COOKIE_NAME = "jantaku_known"
if ENVIRONMENT.is_secure:  # browsers hold such names to https, to this host alone and to every path
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
    KNOWN_COOKIE_NAME = "__Host-jantaku_known"
if ENVIRONMENT.trusted_proxies:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
if ENVIRONMENT.is_production:
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 365 * 24 * 60 * 60
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True

# REST
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "league.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_THROTTLE_CLASSES": ["league.api.throttles.ReadThrottle"],
    "DEFAULT_RENDERER_CLASSES": ["league.api.renderers.JsonRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "league.web.problems.exception_handler",
    "NUM_PROXIES": ENVIRONMENT.trusted_proxies,
    "COERCE_DECIMAL_TO_STRING": True,
}
REQUESTS_PER_MINUTE = {"read": 1200, "write": 300, "login": 10, "sign_in": 30, "secret": 30, "search": 300, "file": 120}
SPECTACULAR_SETTINGS = {
    "TITLE": "Jantaku",
    "DESCRIPTION": "Mahjong leagues: standings, brackets, results and rulesets. How to use it: docs/api.md.",
    "VERSION": "1",
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "AUTHENTICATION_WHITELIST": ["league.api.authentication.TokenAuthentication"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "WEBHOOKS": ["league.api.webhooks.views.MESSAGE"],
    "PATH_CONVERTER_OVERRIDES": {"id": {"type": "string", "pattern": "^[1-9][0-9]{0,17}$"}},
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enum_id_removal",
        "league.api.enums.name_enums",
        "league.api.examples.with_examples",
    ],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}

# Logs: structlog gives every line of a request the request's id; secrets are masked in the end.
SHARED_PROCESSORS: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
RENDERER: Any = (
    structlog.processors.JSONRenderer()
    if ENVIRONMENT.log_format is environment.LogFormat.JSON
    else structlog.dev.ConsoleRenderer(colors=False)
)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processors": [
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                mask_secrets,
                RENDERER,
            ],
            "foreign_pre_chain": SHARED_PROCESSORS,
        }
    },
    "filters": {
        "hide_routine_tasks": {"()": "league.celery.HideRoutineTasks"},
        "only_exceptions": {"()": "django.utils.log.CallbackFilter", "callback": lambda record: bool(record.exc_info)},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "structured", "filters": ["hide_routine_tasks"]}
    },
    "root": {"handlers": ["console"], "level": ENVIRONMENT.log_level},
    "loggers": {
        "django": {"handlers": [], "level": ENVIRONMENT.log_level, "propagate": True},
        # What a request came to, django-structlog says once, with the request's id; probes come every few seconds.
        "django.request": {"filters": ["only_exceptions"]},
        # At the level DEBUG statements and the contexts of templates would be written out, with the keys in them.
        "django.db.backends": {"level": "INFO"},
        "django.template": {"level": "INFO"},
        # What these say of every task, each sweep among them, django-structlog says with the request's id.
        "celery.app.trace": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        # One line for each request that waits for a thread.
        "waitress.queue": {"level": "ERROR"},
    },
}
structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *SHARED_PROCESSORS,
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.StackInfoRenderer(),
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    cache_logger_on_first_use=True,
)
DJANGO_STRUCTLOG_CELERY_ENABLED = bool(ENVIRONMENT.redis_url)
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = DJANGO_STRUCTLOG_CELERY_TASK_START_LOG_LEVEL = logging.DEBUG

# Faults are reported where somebody asked for it
start_reporting(ENVIRONMENT.sentry_dsn, ROOT, ENVIRONMENT.mode.value)
