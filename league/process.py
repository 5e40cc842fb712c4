"""What a process that serves does once it has loaded the service.

Threads of one process compute in turn, and whoever collects garbage lets nobody else compute meanwhile: both are waited
for by everybody who asks for a page.
"""

import gc
import sys

TURN_SECONDS = 0.0005
"""So long a thread computes before another gets its turn: who reads waits little while a result is worked on."""
NEW_OBJECTS, YOUNG, OLD = 10_000, 20, 50
"""Garbage is looked for after so many new objects; among older and old ones every so many times."""


def settle() -> None:
    """Let threads take turns often, and look for no garbage among what was loaded: it stays as long as the process."""
    sys.setswitchinterval(TURN_SECONDS)
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS, YOUNG, OLD)
