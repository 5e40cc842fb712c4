"""Settings for benchmarks: those of the service with the addresses of `benchmarks.urls` and without rate limits."""

from league.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.urls"
REQUESTS_PER_MINUTE = dict.fromkeys(REQUESTS_PER_MINUTE, 10**9)  # noqa: F405  # counted as ever, and never enough
