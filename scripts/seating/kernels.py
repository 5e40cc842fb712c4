"""The compiled searches for companies and for table numbers.

A C compiler is needed to compute plans, not to use them.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).resolve().parent
COMPILE = ("cc", "-O3", "-march=native", "-std=c11", "-Wall", "-Wextra", "-Werror")


@dataclass(frozen=True, slots=True)
class Kernels:
    """A folder with the compiled programs."""

    folder: Path

    def companies(
        self, form: Sequence[int], moves: int, seed: int, start: Iterable[int] = (), *, has_tables: bool = False
    ) -> tuple[bytes, ...]:
        """Return the best base rounds found; `form` is players, rounds, modulus and fixed players.

        The search begins at `start`, the base rounds' players one after the other, or at random. With `has_tables` and
        modulus 1 the companies come in the order of their tables.
        """
        said = self._run("companies", [*form, moves, seed, int(has_tables)], start)
        players = form[0]
        return tuple(bytes(said[first : first + players]) for first in range(0, len(said), players))

    def tables(self, rounds: Sequence[bytes], moves: int, seed: int) -> tuple[bytes, ...]:
        """Return the companies' numbers in the order of the tables, for each round of companies of four."""
        players = len(rounds[0])
        said = self._run("tables", [players, len(rounds), moves, seed], b"".join(rounds))
        return tuple(bytes(said[first : first + players // 4]) for first in range(0, len(said), players // 4))

    def _run(self, program: str, arguments: Sequence[int], given: Iterable[int]) -> list[int]:
        done = subprocess.run(
            [self.folder / program, *map(str, arguments)],
            input=" ".join(map(str, given)),
            capture_output=True,
            text=True,
            check=True,
        )
        return [int(word) for word in done.stdout.split()]


def compiled() -> Kernels:
    """Compile the programs into a new folder that is left to the system to remove."""
    folder = Path(tempfile.mkdtemp(prefix="seating-"))
    for program in ("companies", "tables"):
        subprocess.run([*COMPILE, "-o", folder / program, SOURCES / f"{program}.c", "-lm"], check=True)
    return Kernels(folder)
