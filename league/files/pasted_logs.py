"""Logs of online games pasted as text: the text of one, or several to a line, or links with the log in them."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote

IN_LINK = "#json="
"""The part of a viewer's link after which it has the whole log."""


@dataclass(frozen=True, slots=True)
class BroughtLog:
    """One log as it was brought: a file's name or a line's number, and its bytes or text."""

    label: str
    data: bytes | str = field(repr=False)

    @property
    def is_bare_link(self) -> bool:
        """Return True for a link that names a game without having its log."""
        return isinstance(self.data, str) and self.data.startswith(("http://", "https://"))


def split_pasted(text: str) -> list[BroughtLog]:
    """Return the logs in a pasted text: each line where all lines are links or whole logs, else one log."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return []
    if all(is_link(line) or is_whole(line) for line in lines):
        return [BroughtLog(str(number), log_in(line)) for number, line in enumerate(lines, start=1)]
    return [BroughtLog("", text.strip())]


def is_link(line: str) -> bool:
    """Return True for a web address."""
    return line.startswith(("http://", "https://")) and " " not in line


def is_whole(line: str) -> bool:
    """Return True for a line that may be a whole log of its own: a JSON object or an XML element."""
    return (line.startswith("{") and line.endswith("}")) or (
        line.startswith("<mjloggm") and line.endswith("</mjloggm>")
    )


def log_in(line: str) -> str:
    """Return the log that a viewer's link has in it; any other line as it is."""
    head, mark, log = line.partition(IN_LINK)
    return unquote(log) if mark and is_link(head) else line
