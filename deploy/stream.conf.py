"""gunicorn's configuration of the stream of live tables: `gunicorn --config deploy/stream.conf.py league.asgi`.

One process, whatever the number of clients: a connection is a coroutine, not a thread.
"""

import os
import sys
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from league.platform import environment

try:
    found = environment.read()
except ImproperlyConfigured as faults:
    sys.exit(str(faults))
if not found.stream_port:
    sys.exit("STREAM_PORT is not set: set it to the port of the stream, such as 8001.")

bind = [f"[{found.host}]:{found.stream_port}" if ":" in found.host else f"{found.host}:{found.stream_port}"]
workers = 1
worker_class = "asgi"
asgi_lifespan = "off"
preload_app = True
timeout = 60
graceful_timeout = 1  # a stream does not end by itself, and its clients connect again
control_socket_disable = True
loglevel = "info" if found.log_level == "DEBUG" else "warning"
if os.access("/dev/shm", os.W_OK):  # noqa: S108 - gunicorn's heartbeat file; a disk could block it
    worker_tmp_dir = "/dev/shm"  # noqa: S108


def post_worker_init(worker: Any) -> None:
    """Set the statement deadline of the process's queries."""
    from league.web.operations import processes

    processes.settle()
