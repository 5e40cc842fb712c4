"""`manage.py serve`: everything an embedded service needs, in one process.

Prepares the database, prints where to go and how to log in, and serves until it is stopped. In production gunicorn
loads `league.wsgi` instead, behind a reverse proxy and beside Celery workers and beat.

waitress reads requests and writes responses in one loop and hands only complete requests to its threads, so clients
that send nothing, half a head or half a body occupy none. With 300 of them open it kept 420 of 480 requests/s on the
demo's start page, where gunicorn's threads and granian (which reads bodies in the thread) stopped answering.
"""

import errno
import resource
import signal
import socket
import threading
from types import FrameType
from typing import Any, NoReturn

import waitress
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from league.management import embedded
from league.platform.site_url import network_urls
from league.services.standings.debounce import put_off_here
from league.web import processes

THREADS = 8
CONNECTIONS, OTHER_FILES = 3000, 200
"""Connections open at a time at most, and how many files the process keeps free for all else."""
IDLE_SECONDS = 10
"""A connection on which nothing arrives and nothing is being answered is closed after this time."""
LARGEST_BODY = 100 * 1024 * 1024
"""Bytes of a request; the views themselves allow far less."""


class Command(BaseCommand):
    """Prepare the service and serve it."""

    help = "Prepares the database and serves at HOST:PORT, with the ticker that stands in for Celery."

    def handle(self, *args: Any, **options: Any) -> None:
        """Refuse a taken port before anything is printed, then prepare, announce and serve."""
        environment = settings.ENVIRONMENT
        refuse_taken_port(environment.host, environment.port)
        login = embedded.prepare()
        connections.close_all()
        from league.wsgi import application

        processes.settle()
        start_background_work()
        self.stdout.write(announcement(login))
        self.stdout.flush()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)
        serve(application, environment.host, environment.port)


def serve(application: Any, host: str, port: int) -> None:
    """Serve until `stop` is called; requests that are being answered then are finished (at most 5 s)."""
    waitress.serve(
        application,
        listen=f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
        threads=THREADS,
        connection_limit=raise_file_limit(),
        channel_timeout=IDLE_SECONDS,
        cleanup_interval=IDLE_SECONDS // 2,
        asyncore_use_poll=True,
        max_request_body_size=LARGEST_BODY,
        # `league.platform.network` decides how many proxies' entries are believed.
        clear_untrusted_proxy_headers=False,
        ident=None,
    )


def raise_file_limit() -> int:
    """Let the process open as many files as it needs, and return how many connections that allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + OTHER_FILES
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(CONNECTIONS, soft - OTHER_FILES)


def stop(number: int, frame: FrameType | None) -> NoReturn:
    """End the server's loop; further signals must not interrupt the requests it still answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit


def start_background_work() -> None:
    """Without a broker the service itself sweeps and sends webhooks; with one beat and workers do."""
    if not settings.ENVIRONMENT.redis_url:
        embedded.start_ticker(threading.Event())
        embedded.start_messenger(threading.Event())
        put_off_here()


def announcement(login: embedded.Login) -> str:
    """Return the text that tells where the service is and how to log in."""
    password = login.password or "(the one you chose)"
    first, *others = [settings.BASE_URL] if settings.BASE_URL else network_urls()
    also = "".join(f"\n               or   {url}/" for url in others)
    return f"""
Jantaku is at       {first}/{also}
The admin is at     {first}/admin/
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
