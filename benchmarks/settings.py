"""The service's settings, with one address more and nobody told to wait: what benchmarks run it under."""

from league.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.urls"
REQUESTS_PER_MINUTE = dict.fromkeys(REQUESTS_PER_MINUTE, 10**9)  # noqa: F405  # counted as ever, and never enough
