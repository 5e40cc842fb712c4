"""Number of examples of the fuzz tests (few in the suite, `FUZZ_EXAMPLES` of each in `make fuzz`), and odd values."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

ASKED = int(os.environ.get("FUZZ_EXAMPLES", "0"))


def times(few: int) -> int:
    """Return the number of tries: `few` in the suite, a fifth of `FUZZ_EXAMPLES` times `few` in `make fuzz`."""
    return few * max(1, ASKED // 5)


def tried(few: int, least: int = 0) -> settings:
    """Return Hypothesis settings: `few` fixed examples in the suite, `FUZZ_EXAMPLES` random ones in `make fuzz`.

    There at least `least` are tried.
    """
    return settings(
        max_examples=max(ASKED, least) if ASKED else few,
        deadline=None,
        derandomize=not ASKED,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )


ODD_TEXTS = (
    "", " ", "\0", "a\0b", "x" * 10_001, "-1", "0", "1", "9" * 19, "9" * 30, "9" * 5000, "-" + "9" * 19, "1e400", "NaN",
    "Infinity", "1.5", "1_000", "0x10", "٣", "²", "１２", "▲", "null", "[]", "{}", '{"a": 1}', "[" * 2000, "None", "on",
    "../../etc/passwd", "2026-13-45", "9999-12-31",
    "9999-12-31T23:59", "0001-01-01", "0001-01-01T00:00", "23:59", "1-4",
    "1-999999999999", "<b>&'\"", "\u202eab", "\r\n", "😀",
    "234m067p34p678s99s + 2p", "po2#3", "ruling", "a,b", "%",
    "_",
    "2026-03-29T02:30", "https://[::1", "//example.org", "http://127.0.0.1:1/", "javascript:1",
)  # fmt: skip
odd_texts = st.sampled_from(ODD_TEXTS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
