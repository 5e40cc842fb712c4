"""Perform the build steps of deploy/Dockerfile without a container engine, in a temporary root.

COPY copies from the build context, RUN runs the command in a clean environment with the image's ENV. Instead of
downloading, `pip install` finds the locked packages of this machine's virtual environment, and no others.
"""

from __future__ import annotations

import fnmatch
import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

from league.platform.environment import ROOT

FOLDERS = ("/srv/jantaku", "/var/lib/jantaku", "/var/backups/jantaku")
"""The folders of the image, which lie below the temporary root here."""
OF_ROOT = re.compile(r"groupadd")
"""Commands that create the image's user and its folder; they would change this machine."""


def steps_of(dockerfile: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile with their arguments, comments left out and continued lines joined."""
    lines = "\n".join(line for line in dockerfile.splitlines() if line.strip() and not line.startswith("#"))
    joined = re.sub(r"\\\n\s*", "", lines)
    return [(name, rest.strip()) for name, _space, rest in (line.partition(" ") for line in joined.splitlines())]


@cache
def context_of(folder: Path) -> list[str]:
    """Return the files of a folder that .dockerignore lets into the build, by Docker's rule: the last match decides."""
    rules = [line for line in (folder / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    # Only what a pattern with ! names is looked through, since everything else is left out by the first rule.
    assert rules[0] == "*"
    named = [folder / rule[1:] for rule in rules if rule.startswith("!")]
    files = [file for top in named for file in ([top] if top.is_file() else sorted(top.rglob("*"))) if file.is_file()]
    paths = [str(file.relative_to(folder)) for file in files]
    return [path for path in paths if is_let_in(path, rules)]


def is_let_in(path: str, rules: list[str]) -> bool:
    """Return True if the last rule that matches the path or a folder above it lets it in."""
    parts = path.split("/")
    tops = ["/".join(parts[: end + 1]) for end in range(len(parts))]
    let_in = True
    for rule in rules:
        pattern = rule.removeprefix("!")
        found = (
            any(fnmatch.fnmatchcase(part, pattern.removeprefix("**/")) for part in parts)
            if pattern.startswith("**/")
            else any(fnmatch.fnmatchcase(top, pattern) and pattern.count("/") == top.count("/") for top in tops)
        )
        if found:
            let_in = rule.startswith("!")
    return let_in


def pairs(text: str) -> dict[str, str]:
    """Return the names and values of an ENV or ARG instruction."""
    return {name: value for name, _is, value in (each.partition("=") for each in text.split())}


@dataclass
class Image:
    """A root in which the steps have been performed: its environment, its commands, and what was not performed."""

    root: Path
    variables: dict[str, str] = field(default_factory=dict)
    arguments: dict[str, str] = field(default_factory=dict)
    command: list[str] = field(default_factory=list)
    health: list[str] = field(default_factory=list)
    user: str = "root"
    left_out: list[str] = field(default_factory=list)

    @property
    def work(self) -> Path:
        """Return the image's working folder."""
        return self.root / "srv/jantaku"

    def here(self, text: str) -> str:
        """Return a text of the Dockerfile with the image's folders below the temporary root."""
        for each in FOLDERS:
            text = text.replace(each, f"{self.root}{each}")
        return text

    def environment(self) -> dict[str, str]:
        """Return the environment of the image's processes; nothing of this process's own is in it."""
        path = f"{self.root}/venv/bin:/usr/local/bin:/usr/bin:/bin"
        return {"PATH": path, "HOME": str(self.work)} | {key: self.here(text) for key, text in self.variables.items()}

    def perform(self, name: str, rest: str) -> None:
        """Perform one instruction; FROM, LABEL, WORKDIR and EXPOSE change nothing that is tried here."""
        performed = {
            "COPY": lambda: self.copy(*rest.split()),
            "RUN": lambda: self.run(rest),
            "ENV": lambda: self.variables.update(pairs(rest)),
            "ARG": lambda: self.arguments.update(pairs(rest)),
            "USER": lambda: setattr(self, "user", rest),
            "CMD": lambda: setattr(self, "command", json.loads(rest)),
            "HEALTHCHECK": lambda: setattr(self, "health", json.loads(rest.partition("CMD ")[2])),
        }
        if name not in ("FROM", "LABEL", "WORKDIR", "EXPOSE"):
            performed[name]()

    def run(self, command: str) -> None:
        """Run a command in the image's working folder; those that make users are left out."""
        if OF_ROOT.match(command):
            self.left_out.append(command)
            return
        variables = self.environment() | self.arguments
        subprocess.run(["sh", "-c", self.here(command)], cwd=self.work, env=variables, check=True)

    def copy(self, *names: str) -> None:
        """Copy files or folders of the build context, as they are let in, to the last of the names."""
        *sources, target = names
        for source in sources:
            found = [path for path in context_of(ROOT) if path == source or path.startswith(f"{source}/")]
            assert found, f"COPY {source} finds nothing in the build context"
            for path in found:
                inside = path.removeprefix(f"{source}/") if path != source else Path(path).name
                to = self.work / target / inside
                to.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / path, to)


def build(root: Path) -> Image:
    """Perform every step of the Dockerfile in this root."""
    image = Image(root)
    image.work.mkdir(parents=True)
    (root / "var/lib/jantaku").mkdir(parents=True)
    link_locked_packages(root / "venv")
    for name, rest in steps_of((ROOT / "deploy/Dockerfile").read_text()):
        image.perform(name, rest)
    return image


def link_locked_packages(folder: Path) -> None:
    """Make a virtual environment in which pip and the packages of requirements.txt are found, and no others."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (site,) = folder.glob("lib/python*/site-packages")
    locked = re.findall(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==", (ROOT / "requirements.txt").read_text(), re.MULTILINE)
    for name in ("pip", *locked):
        for file in distribution(name).files or ():
            top = file.parts[0]
            if top not in ("..", "__pycache__") and not (site / top).exists():
                (site / top).symlink_to(Path(str(distribution(name).locate_file(top))))
    script = folder / "bin/pip"
    script.write_text('#!/bin/sh\nexec python -m pip "$@"\n')
    script.chmod(0o755)
