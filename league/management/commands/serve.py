"""`manage.py serve`: everything an embedded service needs, in one process tree.

Prepares the database, says where to go and how to log in, and serves until it is stopped. In production a server such
as gunicorn loads `league.wsgi` instead, beside Celery workers and beat.
"""

import errno
import socket
import threading
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from gunicorn.app.base import BaseApplication
from gunicorn.workers.gthread import ThreadWorker

from league import embedded, process
from league.services.bursts import put_off_here

THREADS = 8
GRACE_SECONDS = 5


class Command(BaseCommand):
    """Prepare the service and serve it."""

    help = "Prepares the database and serves at HOST:PORT, with the ticker that stands in for Celery."

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse a taken port before anything is printed, then prepare, announce and serve."""
        environment = settings.ENVIRONMENT
        refuse_taken_port(environment.host, environment.port)
        login = embedded.prepare()
        leave_database()
        self.stdout.write(announcement(environment.base_url, login))
        self.stdout.flush()
        Server(environment.host, environment.port).run()


class Worker(ThreadWorker):
    """A worker that finishes the requests it has, however it is told to stop.

    gunicorn's own shuts its pool down from within the signal handler, which waits for ever if the signal comes while a
    request is being handed to the pool.
    """

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Ctrl-C ends the service as gently as a termination."""
        self.handle_exit(sig, frame)


class Server(BaseApplication):
    """gunicorn with one process of several threads, and the ticker in it."""

    def __init__(self, host: str, port: int) -> None:
        self.bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        super().__init__()

    def load_config(self) -> None:
        """One process, so that pages and ticker share one cache."""
        values = {
            "bind": self.bind,
            "workers": 1,
            "threads": THREADS,
            "worker_class": Worker,
            "graceful_timeout": GRACE_SECONDS,
            "loglevel": "warning",
            "control_socket_disable": True,
            "post_worker_init": _begin,
        }
        for name, value in values.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The service itself."""
        from league.wsgi import application

        return application


def announcement(address: str, login: embedded.Login) -> str:
    """What to tell whoever started the service."""
    password = login.password or "(the one you chose)"
    return f"""
Jantaku is at       {address}/
The admin is at     {address}/admin/
  name              {login.name}
  password          {password}
Data are kept in    {settings.DATA_DIR}
Stop with           Ctrl-C
"""


def refuse_taken_port(host: str, port: int) -> None:
    """Raise CommandError if something else listens there already, or the address is not this machine's."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as reason:
            if reason.errno == errno.EADDRINUSE:
                msg = f"Port {port} is taken. Stop what uses it, or choose another: make run PORT={port + 1}"
            else:
                msg = f"Cannot listen at {host}:{port}: {reason.strerror or reason}. Set HOST and PORT."
            raise CommandError(msg) from reason


def leave_database() -> None:
    """Close every connection and pool: a process that forks must not share them with its child."""
    for connection in connections.all(initialized_only=True):
        connection.close()
        close_pool = getattr(connection, "close_pool", None)
        if close_pool:
            close_pool()


def _begin(worker: object) -> None:
    """Without a broker nothing else sweeps or sends webhooks; with one beat and workers do."""
    process.settle()
    if not settings.ENVIRONMENT.redis_url:
        embedded.start_ticker(threading.Event())
        embedded.start_messenger(threading.Event())
        put_off_here()
