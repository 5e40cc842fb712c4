"""Send Celery tasks to Redis behind the circuit breaker of the cache, which uses the same Redis.

A frozen Redis keeps its connections open, so that a message cost its sender 15 seconds: three timeouts of 5 seconds.
Each message only brings work forward that the sweep does anyway, so it is not sent while the circuit is open.
"""

from __future__ import annotations

import logging

from celery import Task
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from league.platform.cache_backends import BREAKER

logger = logging.getLogger(__name__)


def send_task(task: Task[..., object], *arguments: object, countdown: float = 0, expires: float | None = None) -> None:
    """Send a task with these arguments, delay and expiry in seconds; do nothing while the circuit is open.

    In embedded mode run the task now. Raise kombu.exceptions.OperationalError or redis.exceptions.RedisError if the
    message could not be sent.
    """
    if task.app.conf.task_always_eager:
        task.apply(arguments)
        return
    if not BREAKER.lets_through():
        return
    try:
        # The stubs lack None, Celery's default of `expires`.
        task.apply_async(arguments, countdown=countdown, expires=expires)  # type: ignore[arg-type]
    except (OperationalError, RedisError):
        BREAKER.open()
        raise
    BREAKER.close()


def send_or_leave(task: Task[..., object], *arguments: object, expires: float, name: str) -> None:
    """Send a task whose work the sweep repeats; if sending fails, log it by this name.

    In embedded mode, where tasks run in the sending process, do nothing: no request may wait for such work, and the
    ticker or the messenger thread does it.
    """
    if task.app.conf.task_always_eager:
        return
    try:
        send_task(task, *arguments, expires=expires)
    # Broad on purpose: the work is saved, and a failing broker must not turn its request into an error.
    except Exception:
        logger.exception("could not send %s; the sweep repeats it", name)
