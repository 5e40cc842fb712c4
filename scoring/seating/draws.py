"""Reproducible draws for decisions the rules leave to chance: they follow from a seed, so anyone can repeat them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

FOUR_IN_TURN = ((0, 1, 2, 3), (1, 3, 0, 2), (2, 0, 3, 1), (3, 2, 1, 0))
"""Every player starts once from each wind, and sits once directly after each other player."""
THREE_IN_TURN = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
MASK = 2**64 - 1


def lot(seed: str, number: int) -> str:
    """Return a number's lot: the SHA-256 of the seed, a colon and the number, in hexadecimal."""
    return hashlib.sha256(f"{seed}:{number}".encode()).hexdigest()


def in_order_of_lots(numbers: Iterable[int], seed: str) -> tuple[int, ...]:
    """Return the numbers in the order of their lots, the smallest first."""
    return tuple(sorted(numbers, key=lambda number: lot(seed, number)))


def draw_order(count: int, seed: str) -> tuple[int, ...]:
    """Return the numbers from 0 to `count` - 1 in the order of their lots."""
    return in_order_of_lots(range(count), seed)


def rotate_seats(size: int, games: int) -> tuple[tuple[int, ...], ...]:
    """Return the seats of players who stay at one table, game by game: each wind once in every `size` games."""
    turns = FOUR_IN_TURN if size == len(FOUR_IN_TURN) else THREE_IN_TURN
    return tuple(turns[game % size] for game in range(games))


def stream(seed: int) -> Iterator[int]:
    """Yield pseudo-random integers below 2**64 from a seed (SplitMix64)."""
    state = seed & MASK
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        yield mixed ^ (mixed >> 31)
