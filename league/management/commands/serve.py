"""`manage.py serve`: the whole embedded service in one process.

Prepares the database, prints address and login, and serves until it is stopped. In production gunicorn loads
`league.wsgi` instead, behind a reverse proxy and beside Celery workers and beat.

waitress reads requests and writes responses in one loop and hands only complete requests to its threads, so clients
that send nothing, half a head or half a body occupy none. With 300 of them open it kept 420 of 480 requests/s on the
demo's start page, where gunicorn's threads and granian (which reads bodies in the thread) stopped answering.
"""

import errno
import resource
import signal
import socket
import threading
from collections.abc import Iterable
from types import FrameType
from typing import NoReturn
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import waitress
import waitress.server
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.urls import reverse

from league.management import data_folder, embedded
from league.management.connections import Connection
from league.management.progress import progress
from league.models import Competition
from league.platform.environment import Environment
from league.platform.site_url import network_urls
from league.services.standings.debounce import debounce_in_this_process
from league.web.operations import processes

THREADS = 8
CONNECTIONS, OTHER_FILES = 3000, 200
"""Most open connections, and the number of file descriptors reserved for everything else."""
SPARE = 50
"""Connections below the limit at which idle ones are closed for new ones, so that the limit is not reached."""
IDLE_SECONDS = 10
"""Seconds after which a connection is closed if nothing arrives, or too slowly, and no request is being answered."""
LARGEST_BODY = 100 * 1024 * 1024
"""Bytes of a request; the views themselves allow far less."""


class Command(BaseCommand):
    """Prepare the database and serve."""

    help = "Prepares the database and serves at HOST:PORT, with the ticker that stands in for Celery."
    # Checks load every page, so they run once the start cannot be refused any more.
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: object) -> None:
        """Check that the port is free before printing anything, then prepare, print the login and serve."""
        environment = settings.ENVIRONMENT
        refuse_taken_port(environment.host, environment.port)
        with data_folder.claimed(settings.DATA_DIR):
            self.prepare_and_serve(environment)

    def prepare_and_serve(self, environment: Environment) -> None:
        """Check and prepare the database, print the login, and serve until stopped."""
        with progress(self.tell) as begin:
            data_folder.refuse_damaged_database()
            with data_folder.explained(settings.DATA_DIR):
                login = embedded.prepare(begin)
            # The threads open connections of their own; this one would stay open unused.
            connections.close_all()
            begin("loading the pages")
            from league.wsgi import application  # noqa: PLC0415 - loads all pages, so the database must be prepared

            self.check()
            processes.settle()
        start_background_work()
        self.tell(announcement(login))
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, stop)
        serve(application, environment.host, environment.port)

    def tell(self, text: str) -> None:
        """Print a text at once."""
        self.stdout.write(text)
        self.stdout.flush()


def serve(application: WSGIHandler, host: str, port: int) -> None:
    """Serve until `stop` is called; requests being answered then are finished (at most 5 s)."""
    limit = raise_file_limit()
    Connection.most = limit - SPARE
    waitress.server.TcpWSGIServer.channel_class = Connection
    waitress.serve(
        without_bodies_for_head(application),
        listen=f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
        threads=THREADS,
        connection_limit=limit,
        channel_timeout=IDLE_SECONDS,
        cleanup_interval=IDLE_SECONDS // 2,
        asyncore_use_poll=True,
        max_request_body_size=LARGEST_BODY,
        # `league.platform.network` decides how many proxies' entries are believed.
        clear_untrusted_proxy_headers=False,
        ident=None,
    )


def without_bodies_for_head(application: WSGIHandler) -> WSGIApplication:
    """Return an application that sends no body in response to HEAD.

    Django leaves that to the server, and waitress sends what it gets: on a connection that is kept open the client
    would read the body as the beginning of the next response.
    """

    def respond(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        response = application(environ, start_response)
        if environ["REQUEST_METHOD"] != "HEAD":
            return response
        response.close()
        return ()

    return respond


def raise_file_limit() -> int:
    """Raise the limit of open files as far as needed; return the number of connections it allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + OTHER_FILES
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(CONNECTIONS, soft - OTHER_FILES)


def stop(number: int, frame: FrameType | None) -> NoReturn:
    """End the server's loop. Further signals are ignored, so that they cannot interrupt requests being answered."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit


def start_background_work() -> None:
    """Start the ticker and the webhook sender in this process, unless Celery beat and workers do that.

    Unless DAILY_BACKUPS=0 the daily backups are made here too.
    """
    if settings.ENVIRONMENT.daily_backups:
        embedded.start_backup_keeper(threading.Event())
    if not settings.ENVIRONMENT.redis_url:
        embedded.start_ticker(threading.Event())
        embedded.start_messenger(threading.Event())
        debounce_in_this_process()


def announcement(login: embedded.Login) -> str:
    """Return the text with the addresses of the service and the login."""
    password = login.password or "(the one you chose)"
    first, *others = [settings.BASE_URL] if settings.BASE_URL else network_urls()
    also = "".join(f"\n               or   {url}/" for url in others)
    has_first = Competition.objects.filter(is_first_page=True).exists()
    everything = f"\nAll competitions    {first}{reverse('pages:competitions')}" if has_first else ""
    return f"""
Jantaku is at       {first}/{also}{everything}
The admin is at     {first}/admin/
  name              {login.name}
  password          {password}
Data are kept in    {settings.DATA_DIR}
Stop with           Ctrl-C
"""


def refuse_taken_port(host: str, port: int) -> None:
    """Raise CommandError if the port is in use, or the address does not belong to this machine."""
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
