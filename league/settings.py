"""Django's settings, all of them from `league.environment`.

The one idea: the same code runs embedded (SQLite, one process) and in production (PostgreSQL, Redis,
Celery); only what the environment variables name differs.
"""

import os
from datetime import timedelta
from typing import Any

import structlog
from csp.constants import NONE, SELF
from kombu import Queue

from league import environment
from league.environment import ROOT

ENVIRONMENT = environment.read(os.environ)

# Django itself
DEBUG = ENVIRONMENT.debug
SECRET_KEY = ENVIRONMENT.secret_key
ALLOWED_HOSTS = list(ENVIRONMENT.allowed_hosts)
BASE_URL = ENVIRONMENT.base_url
DATA_DIR = ENVIRONMENT.data_dir
ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "league",
    "league.admin_site.DeskConfig",
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
    "django_structlog",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "knox",
    "rest_framework",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "league.views.language.LanguageSwitch",
    "league.views.guard.SpoilerGuard",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
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
    "CONN_MAX_AGE": None,
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": SQLITE_PRAGMAS,
    },
}
POSTGRESQL: dict[str, Any] = {
    "CONN_MAX_AGE": 0,
    "OPTIONS": {"pool": {"min_size": 1, "max_size": 16, "timeout": 10}, "connect_timeout": 5},
}
ON_SQLITE = ENVIRONMENT.database["ENGINE"].endswith("sqlite3")
DATABASES = {"default": ENVIRONMENT.database | (SQLITE if ON_SQLITE else POSTGRESQL)}

# Cache, broker and tasks: with Redis they are shared between processes, without it they are in process.
CACHES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "jantaku"}
}
if ENVIRONMENT.redis_url:
    CACHES["default"] = {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": ENVIRONMENT.redis_url,
        "KEY_PREFIX": "jantaku",
    }
CELERY_BROKER_URL = ENVIRONMENT.redis_url or "memory://localhost"
CELERY_BROKER_TRANSPORT_OPTIONS = {"socket_timeout": 5, "socket_connect_timeout": 5}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ALWAYS_EAGER = not ENVIRONMENT.redis_url
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "Asia/Tokyo"
# A worker serves both queues unless it is told otherwise (`--queues celery`): odds may have a worker of their own.
CELERY_TASK_QUEUES = [Queue("celery", routing_key="celery"), Queue("odds", routing_key="odds")]
CELERY_TASK_ROUTES = {"league.tasks.compute_odds": {"queue": "odds"}}
SWEEP_SECONDS = 5
CELERY_BEAT_SCHEDULE = {
    "sweep": {
        "task": "league.tasks.sweep",
        "schedule": SWEEP_SECONDS,
        "options": {"expires": SWEEP_SECONDS},
    }
}

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
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "pages:sign_in"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_HTTP_RESPONSE_CODE = 429
AXES_VERBOSE = False
AXES_CLIENT_IP_CALLABLE = "league.network.client_address"
REST_KNOX = {"TOKEN_TTL": timedelta(days=365), "TOKEN_PREFIX": "jtk_"}

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
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = [BASE_URL]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = ENVIRONMENT.is_secure
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
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "league.api.problems.exception_handler",
    "NUM_PROXIES": ENVIRONMENT.trusted_proxies,
    "COERCE_DECIMAL_TO_STRING": True,
}
REQUESTS_PER_MINUTE = {"read": 1200, "write": 300, "login": 10}
SPECTACULAR_SETTINGS = {
    "TITLE": "Jantaku",
    "DESCRIPTION": "Mahjong leagues: standings, brackets, results and rulesets. How to use it: docs/api.md.",
    "VERSION": "1",
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "PATH_CONVERTER_OVERRIDES": {"id": {"type": "string", "pattern": "^[1-9][0-9]{0,17}$"}},
    "ENUM_NAME_OVERRIDES": {
        "CompetitionStatus": "league.models.Competition.Status",
        "CompetitionKind": "league.models.Competition.Kind",
        "HanchanState": "league.models.Hanchan.State",
        "SheetState": "league.models.ResultSheet.State",
        "SlotStateName": "league.models.SlotState.State",
        "EndState": ["finished", "ended_by_time"],
        "VoidState": ["scheduled", "abandoned"],
        "LinkKind": ["seed", "rank", "best", "draw", "ruling"],
        "TableLinkKind": "league.models.TableLink.Kind",
        "RiichiDeclared": ["closed", "open"],
        "RiichiEnum": ["none", "riichi", "double", "open", "double_open"],
        "Wind": ["E", "S", "W", "N"],
        "YakuName": "scoring.ruleset.yaku.YakuName",
        "TulipMode": ["normal", "kakuhen", "16R"],
    },
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}

# Logs: structlog gives every line of a request the request's id.
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
                RENDERER,
            ],
            "foreign_pre_chain": SHARED_PROCESSORS,
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "structured"}},
    "root": {"handlers": ["console"], "level": ENVIRONMENT.log_level},
    "loggers": {"django": {"handlers": [], "level": ENVIRONMENT.log_level, "propagate": True}},
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
