"""Faults at random moments: parts of the service are killed, or frozen for a while."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import psycopg

from scripts.fault_clients import Tally
from scripts.fault_parts import Part, Service

LONGEST_PAUSE = 60
OF_CHILD = 0.6
FROZEN = 0.4
"""Part of the faults in which processes are frozen; in the others they are killed."""
LONGEST_FREEZE = 30.0
"""Seconds: longer than the clients' timeout and than the lock timeout, as long as the statement deadline."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A part of the service, whether one of its children alone is hit, and for how long it is frozen (0: killed)."""

    name: str
    of_child: bool
    seconds: float

    def __str__(self) -> str:
        return f"{self.name}{' (child)' if self.of_child else ''} {'frozen' if self.seconds else 'killed'}"


class Killer:
    """Kills or freezes parts at random moments, and restarts or resumes them a little later."""

    def __init__(self, service: Service, tally: Tally, seed: int, longest_freeze: float = LONGEST_FREEZE) -> None:
        self.service, self.tally, self.longest_freeze = service, tally, longest_freeze
        self.chance = random.Random(seed)
        self.recoveries: defaultdict[str, list[float]] = defaultdict(list)
        """For each kind of fault the seconds from its end to the next result that was answered."""
        self.freezes: list[tuple[str, float, float]] = []
        """For each freeze the kind of fault, its start and its end on the monotonic clock."""
        self.in_submission = 0
        self.in_recompute = 0

    @property
    def number(self) -> int:
        """Return the number of faults so far."""
        return sum(map(len, self.recoveries.values()))

    def strike(self) -> None:
        """Kill or freeze a part or one of its children, then wait until results come in again."""
        fault = self.next_fault()
        part = self.service.parts[fault.name]
        if fault.name == "web":
            self.wait_for(lambda: self.tally.under_way > 0)
            self.in_submission += self.tally.under_way > 0
        if fault.name == "worker":
            self.in_recompute += self.wait_for(self.is_computing)
        if fault.seconds:
            self.freeze(part, fault)
        else:
            self.kill(part, fault)
        known, ended = len(self.tally.answered), time.monotonic()
        self.wait_for(lambda: len(self.tally.answered) > known, LONGEST_PAUSE)
        self.recoveries[str(fault)].append(time.monotonic() - ended)
        more = known + self.chance.randrange(4)
        self.wait_for(lambda: len(self.tally.answered) > more)

    def kill(self, part: Part, fault: Fault) -> None:
        """Kill the part and restart it after a moment, or kill a child, which the part itself must replace."""
        if fault.of_child:
            part.lose_child(self.chance)
        else:
            # The pause afterwards is the time that systemd would take to restart the part.
            part.cut_off()
            time.sleep(self.chance.choice((0, 0.2, 0.5, 1, 2)))
        self.service.keep_alive()

    def freeze(self, part: Part, fault: Fault) -> None:
        """Freeze the part or a child for the fault's seconds, then let it run on with what it had begun."""
        began = time.monotonic()
        with part.frozen(self.chance if fault.of_child else None):
            time.sleep(fault.seconds)
        self.freezes.append((str(fault), began, time.monotonic()))

    def slowest_reads(self) -> dict[str, float]:
        """Return for each kind of freeze the seconds of the slowest page requested after its first second."""
        slowest: defaultdict[str, float] = defaultdict(float)
        for kind, began, ended in self.freezes:
            seconds = [read.seconds for read in self.tally.reads if began + 1 <= read.began < ended]
            slowest[kind] = max(slowest[kind], *seconds, 0)
        return slowest

    def next_fault(self) -> Fault:
        """Return a random fault; freezes last from one second to the longest, short ones more often."""
        seconds = self.longest_freeze ** self.chance.random() if self.chance.random() < FROZEN else 0
        if self.service.database == "sqlite":
            return Fault("web", of_child=False, seconds=seconds)  # one process, without children
        name = self.chance.choices(("postgres", "redis", "worker", "web", "beat"), (5, 4, 5, 6, 1))[0]
        of_child = name in ("web", "worker", "postgres") and self.chance.random() < OF_CHILD
        return Fault(name, of_child, seconds)

    def wait_for(self, holds: Callable[[], bool], seconds: float = 2) -> bool:
        """Return True if the condition came to hold in time: a kill shall hit work under way."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if holds():
                return True
            time.sleep(0.002)
        return False

    def is_computing(self) -> bool:
        """Return True if a worker is computing standings now.

        Outdated standings alone say little: in a burst of results publishing waits for a second.
        """
        from league.services.standings.debounce import is_at_work

        server = self.service.parts["postgres"].server
        assert server  # noqa: S101 - only asked on PostgreSQL
        with suppress(psycopg.Error), psycopg.connect(server.address, autocommit=True, connect_timeout=1) as asking:
            behind = asking.execute("SELECT id FROM league_competition WHERE computed_version < version").fetchall()
            return any(is_at_work(pk) for (pk,) in behind)
        return False
