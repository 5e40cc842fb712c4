"""Health check of a container without a port: exit with 0 if this container's part sent a heartbeat lately.

Usage: `python deploy/heartbeat.py [--within SECONDS] KIND [NAME]`, such as `worker celery@$HOSTNAME`, or `beat`. It
reads the database without loading the service, which would cost seconds of a core every time.
"""

import argparse
import os
import sys
from pathlib import Path

import psycopg

SECONDS = 180
"""Heartbeats come every few seconds, or, with several workers of a kind, about as often as one of them gets a turn."""
NEWEST = "SELECT extract(epoch FROM now() - max(seen_at)) FROM league_heartbeat WHERE part = %s"


def database_url() -> str:
    """Return DATABASE_URL, from the variable or from its file in SECRETS_DIR."""
    given = os.environ.get("DATABASE_URL", "")
    folder = os.environ.get("SECRETS_DIR", "")
    return given or (Path(folder) / "DATABASE_URL").read_text(encoding="utf-8").strip()


def main(part: str, within: int) -> int:
    """Return 0 if the part was heard of within this number of seconds, else 1 with the reason."""
    try:
        with psycopg.connect(database_url(), connect_timeout=5) as connection:
            (age,) = connection.execute(NEWEST, [part]).fetchone() or (None,)
    except (psycopg.Error, OSError) as fault:
        print(f"the database does not answer: {type(fault).__name__}")
        return 1
    if age is None or age > within:
        print(f"{part}: " + ("no heartbeat yet" if age is None else f"last heartbeat {age:.0f} seconds ago"))
        return 1
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--within", type=int, default=SECONDS, metavar="SECONDS")
    parser.add_argument("part", nargs="+")
    given = parser.parse_args()
    sys.exit(main(" ".join(given.part), given.within))
