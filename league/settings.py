"""Django's settings, all of them derived from `league.platform.environment`.

The same code runs embedded (SQLite, one process) and in production (PostgreSQL, Redis, Celery); the two differ only in
the values of environment variables.
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
from structlog.typing import Processor

from league.platform import environment
from league.platform.environment import ROOT
from league.platform.error_reports import start_reporting
from league.platform.log_lines import without_traceback
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
    # Outermost: every response gets the headers, those of the middleware below included.
    "league.web.middleware.security_headers.SafeHeaders",
    # Probes are answered before sessions, host check or HTTPS redirect, which a load balancer's request would fail.
    "league.web.middleware.probes.Probes",
    "league.web.middleware.request_log.RequestIds",
    "league.web.middleware.request_log.TellRequestId",
    "django.middleware.security.SecurityMiddleware",
    "league.web.middleware.static_files.StaticFiles",
    # WhiteNoise above answers static files before this; SafeHeaders gives them the strictest policy.
    "csp.middleware.CSPMiddleware",
    # Before anything reads cookies, parameters or forms into a query.
    "league.web.middleware.storable_text.StorableTexts",
    "django.contrib.sessions.middleware.SessionMiddleware",
    # Redirects before LocaleMiddleware chooses a language; the next request brings the cookie.
    "league.web.middleware.language.LanguageSwitch",
    "league.web.middleware.spoiler_guard.SpoilerGuard",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    # Adds `is_verified` to the user, which SignInMiddleware needs.
    "django_otp.middleware.OTPMiddleware",
    "league.web.sign_in.SignInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    # Innermost: knows the user, and sees the 404 of a view.
    "league.web.middleware.former_addresses.FormerAddresses",
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
            "libraries": dict.fromkeys(("i18n", "static"), "league.templatetags.constants"),
        },
    },
]
SILENCED_SYSTEM_CHECKS = [
    "templates.W003",  # the libraries `i18n` and `static` are replaced on purpose
    "axes.W002",  # no middleware of axes: both views of signing in tell of a locked name themselves
]

# Database: SQLite takes its write lock when a transaction begins, so writers wait for one another
# instead of failing when a reader turns writer.
# WAL lets readers go on while one writer commits; `synchronous=NORMAL` is durable against a crash of the process, and a
# power failure may lose the last commits but not corrupt the file.
SQLITE_PRAGMAS = (
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=20000;"
    " PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-32000;"
)
SQLITE: dict[str, object] = {
    "ENGINE": "league.sqlite",
    "CONN_MAX_AGE": None,
    "OPTIONS": {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": SQLITE_PRAGMAS,
    },
}
# Statement deadline of web processes. `lock_timeout` is shorter, so that waiting for a row has its own message.
STATEMENT_SECONDS = 30
POSTGRESQL: dict[str, Any] = {
    # The pool keeps connections open; persistent connections per thread (a value above 0) exclude a pool.
    "CONN_MAX_AGE": 0,
    # A connection is checked before use, so that a restarted server costs no request. The pool gives up a connection
    # attempt soon and makes a new one for the next request: its own back-off would grow to minutes.
    "CONN_HEALTH_CHECKS": True,
    "OPTIONS": {
        "pool": {"min_size": 1, "max_size": 16, "timeout": 5, "reconnect_timeout": 2},
        "connect_timeout": 5,
        # Executions after which a statement is prepared on its connection; Django's own cursors never prepare.
        "prepare_threshold": 5,
        # Waiting for a row lock ends with an error after 25 s. TCP keepalives detect a peer that vanished: the server
        # drops such a client with its locks, and clients drop such a server.
        "options": "-c lock_timeout=25s"
        " -c tcp_keepalives_idle=15 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3",
        "tcp_user_timeout": 20_000,
        "keepalives_idle": 15,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    },
}
ON_SQLITE = ENVIRONMENT.database["ENGINE"].endswith("sqlite3")
DATABASES: dict[str, dict[str, Any]] = {"default": ENVIRONMENT.database | (SQLITE if ON_SQLITE else POSTGRESQL)}
if not ON_SQLITE:  # the driver takes memory that an embedded service does without
    from league.platform.postgresql import DeadlineConnection

    POSTGRESQL["OPTIONS"]["pool"]["connection_class"] = DeadlineConnection
# Options that DATABASE_URL carries, such as ?sslmode=require.
DATABASES["default"]["OPTIONS"] |= ENVIRONMENT.database.get("OPTIONS", {})
# A replica is only ever read (`platform/replica.py`), and is left out when it does not answer soon.
if ENVIRONMENT.database_replica:
    from league.platform.postgresql import ReplicaConnection

    DATABASES["replica"] = {
        **POSTGRESQL,
        **ENVIRONMENT.database_replica,
        "OPTIONS": {
            **POSTGRESQL["OPTIONS"],
            "pool": {**POSTGRESQL["OPTIONS"]["pool"], "timeout": 1, "connection_class": ReplicaConnection},
            "connect_timeout": 2,
            **ENVIRONMENT.database_replica.get("OPTIONS", {}),
        },
        "TEST": {"MIRROR": "default"},
    }
    DATABASE_ROUTERS = ["league.platform.replica.ReplicaRouter"]

# Metrics are collected only if a client may read them. Processes of one machine share a folder, which
# prometheus_client must know before it is first imported.
if ENVIRONMENT.has_metrics:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(ENVIRONMENT.metrics_dir)
    for database in DATABASES.values():
        database["ENGINE"] = "league.sqlite.counted" if ON_SQLITE else "django_prometheus.db.backends.postgresql"
    MIDDLEWARE.insert(2, "django_prometheus.middleware.PrometheusBeforeMiddleware")
    MIDDLEWARE.append("django_prometheus.middleware.PrometheusAfterMiddleware")

# Cache, broker and tasks: with Redis they are shared between processes, without it they are in process.
CACHES: dict[str, dict[str, object]] = {
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
        # Retry once on a connection that Redis closed during a restart, but not after a timeout.
        "OPTIONS": {
            "socket_timeout": 0.5,
            "socket_connect_timeout": 0.5,
            "retry": Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
        },
    }
# Debounce: results recorded within this time after a competition was published are published together
# (`services/standings/debounce.py`).
PUBLISHED_APART_SECONDS = 0.5
# A message that cannot be sent at once is left to the sweep, so that no request waits for the broker: it is sent once,
# on a connection that is opened twice at most. Web processes have shorter timeouts (`web/operations/processes.py`).
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_timeout": 5,
    "socket_connect_timeout": 5,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0.1,
    "interval_max": 0.2,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_ALWAYS_EAGER = not ENVIRONMENT.redis_url
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
# A task that killed its worker is not redelivered, or it would kill the next; the sweep repeats the missing work.
CELERY_TASK_REJECT_ON_WORKER_LOST = False
# No regular task takes as long; one that does is ended before Redis's visibility timeout (1 h) would redeliver it.
CELERY_TASK_SOFT_TIME_LIMIT = 30 * 60
CELERY_TASK_TIME_LIMIT = 31 * 60
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "Asia/Tokyo"
# A worker serves all queues, alternately, unless `--queues celery,sweep` restricts it: odds, which take long, and
# webhooks, whose receivers may be slow, may have workers of their own, and a burst of results never delays the sweep.
CELERY_TASK_QUEUES = [Queue(name, routing_key=name) for name in ("celery", "odds", "sweep", "webhooks")]
CELERY_TASK_ROUTES = {
    "league.tasks.compute_odds": {"queue": "odds"},
    "league.tasks.improve_seating": {"queue": "odds"},
    "league.tasks.deliver_webhooks": {"queue": "webhooks"},
    "league.tasks.report_odds_worker": {"queue": "odds"},
    "league.tasks.sweep": {"queue": "sweep"},
}
# A sweep that no worker took in time expires, as the next follows; the clocks of two machines may differ by this much.
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

# Webhooks: 1 allows receivers in private networks and over plain HTTP.
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

# Authentication
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
    {"NAME": "league.platform.passwords.NotPredictable"},
]
LOGIN_URL = "pages:sign_in"
OTP_TOTP_ISSUER = "Jantaku"
# Sessions end this long after the sign-in, or after this long without a request. The defaults keep a parlour's counter
# signed in from one evening to the next, and over a day off.
SIGNED_IN_SECONDS = SESSION_COOKIE_AGE = ENVIRONMENT.signed_in_minutes * 60
IDLE_SECONDS = ENVIRONMENT.idle_minutes * 60
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
# Name and address together: a stranger cannot lock an organizer out, and one mistyped name does not lock a whole hall.
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_VERBOSE = False
AXES_ENABLE_ADMIN = False  # the admin has read-only lists of its own (league/admin/access/accounts.py)
AXES_HANDLER = "league.platform.sign_in_attempts.MaskedLists"
AXES_SENSITIVE_PARAMETERS = ["username", "ip_address", "next", "csrfmiddlewaretoken"]
AXES_CLIENT_IP_CALLABLE = "league.platform.network.visitor_network"
KNOX_TOKEN_MODEL = "knox.AuthToken"  # noqa: S105 - a model's name
REST_KNOX = {"TOKEN_TTL": timedelta(days=365), "TOKEN_PREFIX": "jtk_"}

# E-mail: none is sent without a mail server; pages show the content instead.
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

# Security headers and cookies
# No inline scripts or styles anywhere, and no other origin; only `views/standings/widgets.py` overrides
# `frame-ancestors`.
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
CARD_FONT = ENVIRONMENT.card_font
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_TRUSTED_ORIGINS = [BASE_URL] if BASE_URL else []
CSRF_FAILURE_VIEW = "league.web.error_pages.form_not_ours"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = ENVIRONMENT.is_secure
KNOWN_COOKIE_NAME = "jantaku_known"
if ENVIRONMENT.is_secure:  # browsers restrict cookies with the prefix __Host- to HTTPS, this host and path /
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
        "league.api.authentication.SignedInAuthentication",
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
# Per user, or per address of anonymous clients. A REST read that is answered with 304 is taken back from the count
# (`api/throttles.py`).
REQUESTS_PER_MINUTE = {"read": 1200, "write": 300, "login": 10, "sign_in": 30, "secret": 30, "search": 300, "file": 120}
SPECTACULAR_SETTINGS = {
    "TITLE": "Jantaku",
    "DESCRIPTION": "Mahjong leagues: standings, brackets, results and rulesets. How to use it: docs/api.md.",
    "VERSION": "1",
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "CONTACT": {"name": "The operator of this installation"},
    "SERVERS": [{"url": "/", "description": "The installation that serves this document."}],
    "OAS_VERSION": "3.1.0",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "AUTHENTICATION_WHITELIST": [
        "league.api.authentication.TokenAuthentication",
        "league.api.authentication.LinkAuthentication",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "docExpansion": "none", "filter": True},
    "COMPONENT_SPLIT_REQUEST": True,
    "WEBHOOKS": ["league.api.webhooks.views.MESSAGE"],
    "PATH_CONVERTER_OVERRIDES": {"id": {"type": "string", "pattern": "^[1-9][0-9]{0,17}$"}},
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enum_id_removal",
        "league.api.enums.name_enums",
        "league.api.examples.with_examples",
        "league.api.response_examples.with_response_examples",
        "league.api.operation_texts.complete_operations",
        "league.api.operation_texts.share_refusals",
        "league.api.webhooks.event_schemas.type_messages",
    ],
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
}

# Logs: structlog adds the request id to every line; secrets are masked last, on the rendered text.
SHARED_PROCESSORS: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]
RENDERER: Processor = (
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
        "one_line": {"()": "django.utils.log.CallbackFilter", "callback": without_traceback},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "structured", "filters": ["hide_routine_tasks"]}
    },
    "root": {"handlers": ["console"], "level": ENVIRONMENT.log_level},
    "loggers": {
        "django": {"handlers": [], "level": ENVIRONMENT.log_level, "propagate": True},
        # django-structlog logs the outcome of a request once, with its id; probes come every few seconds.
        "django.request": {"filters": ["only_exceptions"]},
        # Scanners send wrong Host headers all day; where Django notices it tells nothing.
        "django.security.DisallowedHost": {"filters": ["one_line"]},
        # At DEBUG these would log statements and template contexts, with the secrets in them.
        "django.db.backends": {"level": "INFO"},
        "django.template": {"level": "INFO"},
        # These repeat, for every task and sweep, the lines that django-structlog logs with the request id.
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

# Error reports, if SENTRY_DSN is set
start_reporting(ENVIRONMENT.sentry_dsn, ROOT, ENVIRONMENT.mode.value)
