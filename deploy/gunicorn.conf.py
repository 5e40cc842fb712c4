"""gunicorn's configuration in production: `gunicorn --config deploy/gunicorn.conf.py league.wsgi`.

Worker processes wait mostly for the database, so each has several threads. No process is replaced after a number of
requests, since that would cut off its other threads' responses. The code is loaded once, before the processes are
forked, so that a worker that dies is replaced at once; each worker opens its own connections after the fork.
"""

import os
import sys
from contextlib import suppress
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from gunicorn.http.errors import ParseException

from league.platform import environment
from league.web.operations import processes

CHUNK = 64 * 1024
"""Bytes of a body that are read at once after the response."""

try:
    found = environment.read()
except ImproperlyConfigured as faults:
    sys.exit(str(faults))

bind = [f"[{found.host}]:{found.port}" if ":" in found.host else f"{found.host}:{found.port}"]
workers = found.web_processes
worker_class = "gthread"
preload_app = True
threads = found.web_threads
timeout = 60
graceful_timeout = 30
keepalive = 5
max_requests = 0
control_socket_disable = True
loglevel = "info" if found.log_level == "DEBUG" else "warning"
if os.access("/dev/shm", os.W_OK):  # noqa: S108 - gunicorn's heartbeat file; a disk could block it
    worker_tmp_dir = "/dev/shm"  # noqa: S108


def on_starting(server: Any) -> None:
    """Delete the metric files of processes that no longer exist."""
    if found.has_metrics:
        from league.platform.metric_files import forget_dead_processes

        forget_dead_processes(found.metrics_dir)


def post_worker_init(worker: Any) -> None:
    """Prepare a worker process to serve (`league.web.operations.processes.settle`)."""
    processes.settle()


def post_request(worker: Any, request: Any, environ: dict[str, Any], response: Any) -> None:
    """Read what a response did not wait for: a connection closed on unread bytes is reset, and the proxy says 502."""
    body = environ.get("wsgi.input")
    with suppress(OSError, ParseException):
        while body and body.read(CHUNK):
            pass


def child_exit(server: Any, worker: Any) -> None:
    """Tell the metrics that a worker process has ended, so that its gauges no longer count."""
    if found.has_metrics:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker.pid, str(found.metrics_dir))  # type: ignore[no-untyped-call]
