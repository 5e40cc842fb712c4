"""Set up Django for tests, with nothing from the developer's own environment or data.

DATABASE_URL alone is kept, so that the same tests run on SQLite and on PostgreSQL.
"""

import atexit
import os
import shutil
import tempfile

for name in (
    "MODE",
    "SECRETS_DIR",
    "REDIS_URL",
    "DATABASE_REPLICA_URL",
    "BASE_URL",
    "ALLOWED_HOSTS",
    "HOST",
    "PORT",
    "DEBUG",
    "DEMO",
    "METRICS_TOKEN",
    "METRICS_ADDRESSES",
    "SENTRY_DSN",
):
    os.environ.pop(name, None)
if "TEST_DATA_DIR" not in os.environ:
    os.environ["TEST_DATA_DIR"] = tempfile.mkdtemp(prefix="jantaku-test-")
    atexit.register(shutil.rmtree, os.environ["TEST_DATA_DIR"], ignore_errors=True)
os.environ["DATA_DIR"] = os.environ["TEST_DATA_DIR"]

from league.settings import *  # noqa: E402, F403
from league.settings import DATA_DIR, DATABASES, LOGGING, ON_SQLITE  # noqa: E402

ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1", "[::1]"]
# Every test reads the newest version at once, except those that set another interval.
PUBLISHED_APART_SECONDS = 0
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")} if ON_SQLITE else {}
LOGGING["root"]["level"] = "WARNING"  # type: ignore[index]
# Look up each static file on request, not all of them before a test client's first response: saves 17 ms.
WHITENOISE_AUTOREFRESH = True
