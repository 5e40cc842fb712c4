"""Run the shipped nginx site on a free port in front of a service, for tests and benchmarks.

The file `deploy/nginx.conf` itself is used: only ports, paths and the address of the service are replaced.
"""

from __future__ import annotations

import os
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scripts.servers import LOCALHOST, UnavailableError, free_port, started, wait_for_port

CLIENT = "X-Test-Client"
"""The header by which a test chooses the address that nginx sees."""
SITE = Path(__file__).parent.parent / "deploy" / "nginx.conf"
MAIN = """{user}
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    scgi_temp_path {folder}/scgi;
    uwsgi_temp_path {folder}/uwsgi;
    set_real_ip_from {localhost};
    real_ip_header {client};
    include {folder}/site.conf;
}}
"""


@dataclass(frozen=True, slots=True)
class Proxy:
    """A running nginx: its port, and a TLS context that trusts its certificate."""

    port: int
    tls: ssl.SSLContext


@contextmanager
def nginx(folder: Path, service: int, stream: int = 8001) -> Iterator[Proxy]:
    """Serve the site over TLS in front of the ports of service and stream until the block ends.

    Its files go into the folder.

    Raise UnavailableError if nginx or openssl is not installed.
    """
    search = f"{os.environ.get('PATH', '')}:/usr/sbin"
    program, openssl = shutil.which("nginx", path=search), shutil.which("openssl", path=search)
    if not (program and openssl):
        msg = "no nginx: install Debian's packages nginx and openssl"
        raise UnavailableError(msg)
    port = free_port()
    (folder / "site.conf").write_text(site(folder, port, service, stream))
    user = "user root;" if os.geteuid() == 0 else ""  # workers of another user cannot open the folder
    (folder / "main.conf").write_text(MAIN.format(user=user, folder=folder, localhost=LOCALHOST, client=CLIENT))
    tls = _make_certificate(openssl, folder)
    log = folder / "log"
    with started([program, "-e", str(folder / "error.log"), "-c", str(folder / "main.conf")], log) as process:
        wait_for_port(port, process, log)
        yield Proxy(port, tls)


def site(folder: Path, port: int, service: int, stream: int) -> str:
    """Return the shipped file with ports, folders and the service's address replaced. ValueError if one is missing."""
    text = SITE.read_text()
    for old, new in {
        "listen 80;": f"listen {LOCALHOST}:{free_port()};",
        "listen [::]:80;": "",
        "listen 443 ssl": f"listen {LOCALHOST}:{port} ssl",
        "listen [::]:443 ssl http2;": "",
        "/etc/letsencrypt/live/league.example.org/": f"{folder}/",
        "/var/log/nginx/": f"{folder}/",
        "/var/cache/jantaku": f"{folder}/cache",
        f"http://{LOCALHOST}:8000": f"http://{LOCALHOST}:{service}",
        f"http://{LOCALHOST}:8001": f"http://{LOCALHOST}:{stream}",
    }.items():
        if old not in text:
            msg = f"{SITE} has no {old!r}"
            raise ValueError(msg)
        text = text.replace(old, new)
    return text


def _make_certificate(openssl: str, folder: Path) -> ssl.SSLContext:
    """Make a self-signed certificate, and return a client's context that trusts it alone."""
    key, certificate = folder / "privkey.pem", folder / "fullchain.pem"
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    files = ["-keyout", str(key), "-out", str(certificate), "-subj", "/CN=league.example.org"]
    subprocess.run([openssl, "req", "-x509", *curve, *files], check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    tls.check_hostname = False
    tls.load_verify_locations(certificate)
    return tls
