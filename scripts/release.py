"""Write the files of a release: `python -m scripts.release [REVISION]`, by default of HEAD into var/release.

The source archive contains the files of one commit and nothing else. Its bytes depend on the commit alone (files in
the order of the tree, the commit's time, no name of a user, no time of packing), so that anyone with the repository
can make it again and compare the digest in SHA256SUMS. Another implementation of zlib may compress the same tar to
other bytes: then compare the digests of the unpacked tar files. The SBOM is added if `make audit` has written one.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMS = "SHA256SUMS"
LEVEL = 9


class ReleaseRefusedError(Exception):
    """Raised when a commit cannot be released; the message says what to change."""


def git(*arguments: str, root: Path = ROOT) -> bytes:
    """Return the output of a git command in the repository. Raise ReleaseRefusedError with git's own message."""
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=False)  # noqa: S607 - PATH's git
    if done.returncode:
        raise ReleaseRefusedError(done.stderr.decode(errors="replace").strip())
    return done.stdout


def version_at(revision: str, root: Path = ROOT) -> str:
    """Return the version that pyproject.toml declares at a revision.

    Raise ReleaseRefusedError if CHANGELOG.md has no section for it.
    """
    version: str = tomllib.loads(git("show", f"{revision}:pyproject.toml", root=root).decode())["project"]["version"]
    changes = git("show", f"{revision}:CHANGELOG.md", root=root).decode()
    if not re.search(rf"^## \[{re.escape(version)}\]", changes, re.MULTILINE):
        raise ReleaseRefusedError(f"CHANGELOG.md has no section [{version}]; write what operators must know of it.")
    return version


def source_archive(revision: str, version: str, root: Path = ROOT) -> bytes:
    """Return the commit's files as a gzip-compressed tar archive, below one folder named like the release."""
    # tar.umask: modes must not depend on the machine's git configuration.
    tar = git("-c", "tar.umask=0022", "archive", "--format=tar", f"--prefix=jantaku-{version}/", revision, root=root)
    return gzip.compress(tar, LEVEL, mtime=0)


def write_release(revision: str, folder: Path, *, root: Path = ROOT) -> list[Path]:
    """Write the archive, the SBOM if there is one, and SHA256SUMS into the folder; return the files."""
    version = version_at(revision, root)
    folder.mkdir(parents=True, exist_ok=True)
    archive = folder / f"jantaku-{version}.tar.gz"
    archive.write_bytes(source_archive(revision, version, root))
    files = [archive]
    if (root / "var" / "sbom.json").exists():
        files.append(Path(shutil.copyfile(root / "var" / "sbom.json", folder / f"jantaku-{version}.sbom.json")))
    sums = folder / SUMS
    sums.write_text("".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files))
    return [*files, sums]


def main(arguments: list[str]) -> int:
    """Write the release and print its files; return 1 with a message if it is refused."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", nargs="?", default="HEAD")
    parser.add_argument("--output", type=Path, default=ROOT / "var" / "release")
    given = parser.parse_args(arguments)
    try:
        files = write_release(given.revision, given.output)
    except ReleaseRefusedError as reason:
        print(reason, file=sys.stderr)
        return 1
    print(*files, sep="\n")
    if git("status", "--porcelain", "--untracked-files=no"):
        print("The working tree has changes that are not committed; they are not in the release.", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
