"""Provide rows as an older version or a manual edit may have left them; no service writes them today."""

from __future__ import annotations

from collections.abc import Callable

from league.models import Competition, Player, SeatResult, Session, TableSession

ODD: dict[str, tuple[Callable[[], object], str]] = {
    "a stream by FTP": (
        lambda: TableSession.objects.update(stream_url="ftp://example.org/final"),
        "tables.0.stream_url: must begin with https:// or http:// and have no blanks (found 'ftp://example.org/final')",
    ),
    "a stream that is a script": (
        lambda: TableSession.objects.update(stream_url="javascript:alert(1)"),
        "tables.0.stream_url: must begin with https:// or http:// and have no blanks (found 'javascript:alert(1)')",
    ),
    "a session of a very large number": (
        lambda: Session.objects.update(number=2_000_000),
        "sessions.0.number: must be less than or equal to 1000000 (found 2000000)",
    ),
    "a player without a name": (
        lambda: Player.objects.filter(key="final-final2").update(name=""),
        "players.final-final2.name: must have at least 1 character",
    ),
    "a key in Japanese": (
        lambda: Player.objects.filter(key="final-final2").update(key="鍵 2"),
        "players.鍵 2.key: must match pattern",
    ),
    "very many offences": (
        lambda: SeatResult.objects.filter(seat=0).update(chonbo=2_000),
        "results.0.chonbo.0: must be less than or equal to 1000 (found 2000)",
    ),
    "a time zone that is no more": (
        lambda: Competition.objects.update(time_zone="Mars/Olympus"),
        "competition.time_zone: there is no such time zone; write it like Asia/Tokyo (found 'Mars/Olympus')",
    ),
}
"""Changes to a final, each with the error that importing its file raises."""
