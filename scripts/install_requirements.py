"""Install locked requirements with progress: `python scripts/install_requirements.py requirements.txt ...`.

The first download takes half a minute on a good line and minutes on a bad one, and quiet pip says nothing meanwhile.
With `--venv FOLDER` it creates the virtual environment instead, which may take as long. It runs before anything is
installed, so it needs the standard library alone.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path

EVERY_SECONDS = 5
LINES_OF_A_FAILURE = 30
PACKAGE = re.compile(r"^[A-Za-z0-9]\S*==", re.MULTILINE)
COLLECTING = "Collecting "
INSTALLING = "Installing collected packages"
# --no-deps keeps pip from resolving again: with hashes, an extra such as coverage[toml] fails as soon as a release
# newer than the locked one exists. --no-compile: Python compiles a file at its first import, and most
# files are never imported.
PIP = (sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off",
       "--require-hashes", "--no-deps", "--no-compile")  # fmt: skip


class Step:
    """A command with what it is doing now, and the end of its output."""

    def __init__(self, doing: str) -> None:
        self.doing, self.begun = doing, time.monotonic()
        self.last = deque[str](maxlen=LINES_OF_A_FAILURE)

    def run(self, command: Sequence[str]) -> int:
        """Run the command with its progress every few seconds; return its exit code, and print its end if it failed."""
        done = threading.Event()
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            threading.Thread(target=self.tell, args=(done,), daemon=True).start()
            for line in process.stdout or ():
                self.last.append(line)
                self.read(line)
        done.set()
        if process.returncode:
            print("".join(self.last), file=sys.stderr)
        return process.returncode

    def tell(self, done: threading.Event) -> None:
        """Print the elapsed time and what is being done until done."""
        while not done.wait(EVERY_SECONDS):
            print(f"  {time.monotonic() - self.begun:3.0f} s: {self.doing}", flush=True)

    def read(self, line: str) -> None:
        """Follow the command by a line of its output."""


class Installation(Step):
    """The installation of a number of packages by pip."""

    def __init__(self, packages: int) -> None:
        super().__init__("starting pip")
        self.packages, self.collected = packages, 0

    def read(self, line: str) -> None:
        """Count the packages found, and notice when pip begins to install them."""
        if line.startswith(COLLECTING):
            self.collected += 1
            self.doing = f"downloading, {self.collected} of {self.packages} packages"
        elif line.startswith(INSTALLING):
            self.doing = f"installing {self.packages} packages"


def packages_in(files: Iterable[str]) -> int:
    """Return the number of packages that the files lock, each counted once."""
    return len({found for file in files for found in PACKAGE.findall(Path(file).read_text(encoding="utf-8"))})


def main(arguments: Sequence[str]) -> int:
    """Create the environment or install the files' packages, and return the exit code."""
    if arguments[0] == "--venv":
        folder = arguments[1]
        print(f"Creating {folder}", flush=True)
        return Step("creating the virtual environment").run([sys.executable, "-m", "venv", folder])
    packages = packages_in(arguments)
    print(f"Installing {packages} packages", flush=True)
    return Installation(packages).run([*PIP, *(word for file in arguments for word in ("-r", file))])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
