"""Run the benchmarks, all or those named, and write their output into docs/benchmarks.md.

`python -m benchmarks [NAME ...]`. Each runs in a process of its own and gets a section of its own; the sections of
those that did not run stay as they are. With `--dry` nothing is written. BENCH_ON=sqlite or postgresql runs those
over HTTP on that database alone, into a section of its own.
"""

from __future__ import annotations

import datetime as dt
import importlib
import os
import platform
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "benchmarks.md"
NAMES = (
    "requests", "proxied", "slow_clients", "published", "watchers", "overlays", "open_table", "recompute", "imports",
    "memory", "hands", "odds", "conditions", "seating", "replanning", "pairing", "tournament_day", "rankings",
    "online_games",
)  # fmt: skip
ON = ("", "_sqlite", "_postgresql")
SUFFIX = f"_{os.environ['BENCH_ON']}" if os.environ.get("BENCH_ON") else ""
SECTION = re.compile(r"^## (?P<name>[a-z_]+)\n(?P<text>.*?)(?=^## [a-z_]+\n|\Z)", re.MULTILINE | re.DOTALL)


def main(arguments: list[str]) -> int:
    """Run the `main` of each module named; it has failed unless it returns 0."""
    names = [name for name in arguments if name != "--dry"]
    unknown = sorted(set(names) - set(NAMES))
    if unknown:
        print(f"There is no benchmark {', '.join(unknown)}. Known: {', '.join(NAMES)}.")
        return 2
    failed = 0
    for name in names or NAMES:
        print(f"== {name}", flush=True)
        failed |= run(name, is_kept="--dry" not in arguments)
    return failed


def run(name: str, *, is_kept: bool) -> int:
    """Run one benchmark, print its output as it comes, and keep it as its section."""
    circumstances, began, said = machine(), time.perf_counter(), []
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.one", name], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout  # noqa: S101 - piped
    for line in process.stdout:
        print(line, end="", flush=True)
        said.append(line.rstrip())
    status = process.wait()
    if is_kept:
        seconds = time.perf_counter() - began
        keep(name + SUFFIX, section(name, said, f"{circumstances}; took {seconds:.0f} s", status))
    return int(status != 0)


def section(name: str, said: list[str], circumstances: str, status: int) -> str:
    """Return a section: the module's docstring, when and where it ran, and its output as tables and lists."""
    about = (importlib.import_module(f"benchmarks.{name}").__doc__ or "").strip()
    lines = [line if line.startswith(("|", "-")) or not line else f"- {line}" for line in said]
    ended = "" if status == 0 else "\n**Not everything that is promised was kept in this run.**\n"
    return f"{about}\n\n*{circumstances}.*\n{ended}\n" + "\n".join(spaced(lines)).strip()


def spaced(lines: list[str]) -> list[str]:
    """Insert a blank line between lists and tables."""
    found: list[str] = []
    for line in lines:
        if found and line and found[-1] and line.startswith("|") != found[-1].startswith("|"):
            found.append("")
        found.append(line)
    return found


def keep(name: str, text: str) -> None:
    """Write a section into the file. The text before the first section is written by hand and stays."""
    old = FIGURES.read_text()
    head = SECTION.split(old, maxsplit=1)[0]
    sections = {found["name"]: found["text"] for found in SECTION.finditer(old)} | {name: text}
    order = [each + on for each in NAMES for on in ON if each + on in sections]
    FIGURES.write_text(
        "\n\n".join([head.strip(), *(f"## {each}\n\n{sections[each].strip()}" for each in order)]) + "\n"
    )


def machine() -> str:
    """Return date, processor, memory and versions of this run."""
    processor = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return ", ".join(
        [
            f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d %H:%M} UTC",
            f"{os.cpu_count()} cores of {processor[1] if processor else platform.machine()}",
            f"{memory:.0f} GB",
            f"Python {platform.python_version()}",
            *databases(),
            f"load {os.getloadavg()[0]:.1f} before it began",
        ]
    )


def databases() -> list[str]:
    """Return the versions of the databases installed here."""
    import sqlite3

    found = [f"SQLite {sqlite3.sqlite_version}"]
    for name, pattern, folder in (
        ("PostgreSQL", r"[\d.]+", "/usr/lib/postgresql/*/bin/postgres"),
        ("Redis", r"v=([\d.]+)", "/usr/bin/redis-server"),
    ):
        programs = sorted(Path("/").glob(folder.lstrip("/")))
        if programs:
            said = subprocess.run([programs[-1], "--version"], capture_output=True, text=True, check=False).stdout
            version = re.search(pattern, said)
            found += [f"{name} {version[version.lastindex or 0]}"] if version else []
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
