"""The round clock of a session, with the calls that follow from the time limit of the rules in force."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from league.models import Competition, Session
from league.selectors.access.readers import Reader
from league.selectors.competitions.schedule import sessions_shown
from league.selectors.rulebooks.rules_in_force import rules_at, rules_of, ruleset_of
from league.wording.competitions.clock import early_call, time_call, time_rule
from scoring.ruleset.end import TimeLimit

SHOWN_AFTER = dt.timedelta(hours=2)
"""A clock that ended longer ago belongs to an earlier round, which the organizers forgot to turn off."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock of a session. `ends_at` is None while it is off; `limit` is None if the rules say nothing of time."""

    session: Session
    ends_at: dt.datetime | None
    limit: TimeLimit | None

    @property
    def call_at(self) -> dt.datetime | None:
        """Return the moment of the call before the end; None without one."""
        if self.ends_at is None or self.limit is None or not self.limit.call_minutes:
            return None
        return self.ends_at - dt.timedelta(minutes=self.limit.call_minutes)

    @property
    def minutes(self) -> int | None:
        """Return the minutes of a round by the rules; None if they say nothing."""
        return self.limit.minutes if self.limit else None

    @property
    def rule(self) -> str:
        """Return what the rules say about the end of the time; empty if nothing."""
        return time_rule(self.limit)

    @property
    def early_call(self) -> str:
        """Return the words of the call before the end."""
        return early_call(self.limit)

    @property
    def call(self) -> str:
        """Return the words of the call when time is up."""
        return time_call(self.limit)

    @property
    def clauses(self) -> tuple[str, ...]:
        """Return the clauses that the rule comes from."""
        return self.limit.clauses if self.limit else ()

    def phase(self, now: dt.datetime) -> str:
        """Return `off`, `running`, `called` (the call before the end was due) or `over`."""
        if self.ends_at is None or now > self.ends_at + SHOWN_AFTER:
            return "off"
        if now >= self.ends_at:
            return "over"
        return "called" if self.call_at and now >= self.call_at else "running"


def clock_of(session: Session) -> Clock:
    """Return the clock of a session under the rules now in force."""
    return Clock(session, session.timer_ends_at, ruleset_of(rules_at(session.competition)).end.time)


def clock_now(reader: Reader, now: dt.datetime) -> Clock | None:
    """Return the clock that runs or has just ended, of the sessions that the reader may see; None if all are off."""
    if reader.competition.kind != Competition.Kind.LEAGUE:
        return None
    set_ones = [row for row in sessions_shown(reader) if row.timer_ends_at is not None]
    limit = ruleset_of(rules_of(reader)).end.time if set_ones else None
    clocks = [Clock(row, row.timer_ends_at, limit) for row in set_ones]
    return next((clock for clock in reversed(clocks) if clock.phase(now) != "off"), None)
