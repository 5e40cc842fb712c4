"""Test sending webhooks over HTTP: only to public addresses, within time limits, with TLS."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from league.models.webhooks import DeliveryFault
from league.services.webhooks.http import MOST_READ, Sender, SendingError, is_public
from tests.league.webhook_receiver import Receiver, receiver, saying

OWN_NETWORK = Sender(allow_private=True)
PUBLIC = "93.184.216.34"
MAKE_CERTIFICATE = (
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    " -subj /CN=hooks.example.org -addext subjectAltName=DNS:hooks.example.org"
)


def fault_of(sender: Sender, url: str) -> DeliveryFault:
    with pytest.raises(SendingError) as refusal:
        sender.post(url, b"{}", {})
    return refusal.value.fault


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.9.10",
        "0.0.0.0",
        "10.0.0.7",
        "172.16.3.4",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "198.18.0.1",
        "192.0.0.9",
        "192.0.2.1",
        "192.31.196.1",
        "192.52.193.1",
        "192.88.99.1",
        "192.175.48.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fd00::1",
        "fec0::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::7f00:1",
        "::ffff:192.0.0.9",
        "64:ff9b::a00:1",
        "64:ff9b:1::a00:1",
        "2002:7f00:1::",
        "2001:0:1234::1",
        "2001:db8::1",
        "2002:a00:1::1",
        "2620:4f:8000::1",
        "3fff::1",
        "5f00::1",
    ],
)
def test_non_public_addresses_are_refused(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    found = Sender(resolve=lambda _host, _port: [address])
    assert fault_of(found, "https://hooks.example.org/") is DeliveryFault.ADDRESS_REFUSED


@pytest.mark.parametrize("address", [PUBLIC, "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_public_addresses_are_accepted(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


def test_a_host_with_one_private_address_is_refused() -> None:
    found = Sender(resolve=lambda _host, _port: [PUBLIC, "10.0.0.1"])
    assert fault_of(found, "https://hooks.example.org/") is DeliveryFault.ADDRESS_REFUSED


def test_the_error_does_not_reveal_the_private_address_of_a_host() -> None:
    with pytest.raises(SendingError) as refusal:
        Sender(resolve=lambda _host, _port: ["10.20.30.40"]).post("https://database.internal/", b"{}", {})
    assert "10.20.30.40" not in str(refusal.value)


def test_all_spellings_of_localhost_are_refused() -> None:
    with receiver() as inside:
        for host in ("localhost", "127.1", "2130706433", "[::1]", "[::ffff:7f00:1]"):
            with pytest.raises(SendingError) as refusal:
                Sender().post(f"https://{host}:{inside.port}/", b"{}", {})
            assert refusal.value.fault is DeliveryFault.ADDRESS_REFUSED
        assert inside.requests == []


def test_a_host_is_resolved_once_so_that_dns_rebinding_has_no_effect() -> None:
    with receiver() as inside:
        asked: list[str] = []

        def rebinding(host: str, _port: int) -> list[str]:
            asked.append(host)
            return ["127.0.0.1"] if len(asked) == 1 else ["127.0.0.2"]

        answer = Sender(allow_private=True, resolve=rebinding).post(f"http://bound.example:{inside.port}/", b"{}", {})
        assert answer.status == 204
        assert asked == ["bound.example"]
        assert inside.requests[0].headers["host"] == f"bound.example:{inside.port}"


@pytest.mark.parametrize("url", ["http://hooks.example.org/", "https://hooks.example.org:25/", "ftp://hooks.example/"])
def test_only_https_to_allowed_ports_is_accepted(url: str) -> None:
    assert fault_of(Sender(resolve=lambda _host, _port: [PUBLIC]), url) is DeliveryFault.ADDRESS_REFUSED


def test_an_unknown_host_is_reported_like_one_that_is_not_public() -> None:
    def unknown(_host: str, _port: int) -> list[str]:
        raise socket.gaierror

    assert fault_of(Sender(resolve=unknown), "https://nowhere.example/") is DeliveryFault.ADDRESS_REFUSED


def test_a_silent_name_server_causes_a_timeout() -> None:
    done = threading.Event()

    def silent(_host: str, _port: int) -> list[str]:
        done.wait()
        return []

    assert fault_of(Sender(resolve=silent, seconds=0.2), "https://slow.example/") is DeliveryFault.TIMEOUT
    done.set()


def test_a_refused_connection_is_reported() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        assert fault_of(OWN_NETWORK, f"http://127.0.0.1:{taken.getsockname()[1]}/") is DeliveryFault.CONNECTION_FAILED


def test_a_receiver_that_drips_its_response_causes_a_timeout() -> None:
    done = threading.Event()

    def drip(handler: BaseHTTPRequestHandler) -> None:
        while not done.wait(0.05):
            handler.wfile.write(b"H")
            handler.wfile.flush()

    with receiver(drip) as slow:
        assert fault_of(Sender(allow_private=True, seconds=0.5), slow.url) is DeliveryFault.TIMEOUT
        done.set()


def test_only_the_beginning_of_a_large_response_is_read() -> None:
    with receiver(saying(200, b"x" * 50_000_000)) as big:
        answer = OWN_NETWORK.post(big.url, b"{}", {})
    assert answer.is_success
    assert len(answer.text) == MOST_READ


@pytest.mark.parametrize("status", [200, 410])
@pytest.mark.parametrize("is_held", [False, True])
def test_the_status_counts_if_the_body_breaks_off_or_never_ends(status: int, is_held: bool) -> None:
    done = threading.Event()

    def broken(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 %d Said\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab" % status)
        handler.wfile.flush()
        if is_held:
            done.wait(5)

    with receiver(broken) as odd:
        assert Sender(allow_private=True, seconds=0.5).post(odd.url, b"{}", {}).status == status
        done.set()


def test_a_response_with_endless_headers_is_refused() -> None:
    def endless(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: " % n + b"y" * 4000 + b"\r\n" for n in range(90)))

    with receiver(endless) as odd:
        assert fault_of(OWN_NETWORK, odd.url) is DeliveryFault.ANSWER_TOO_LONG


def test_a_response_that_is_not_http_is_reported() -> None:
    def mail(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"220 mail ready\r\n")

    with receiver(mail) as odd:
        assert fault_of(OWN_NETWORK, odd.url) is DeliveryFault.ANSWER_UNREADABLE


def test_a_redirect_is_not_followed() -> None:
    with receiver() as inside, receiver(saying(302, Location=inside.url)) as leading:
        answer = OWN_NETWORK.post(leading.url, b"{}", {})
        assert (answer.status, answer.is_success) == (302, False)
        assert inside.requests == []


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Create a certificate for hooks.example.org, which only this test trusts, and its key."""
    folder = tmp_path_factory.mktemp("certificate")
    key, made = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        [*MAKE_CERTIFICATE.split(), "-keyout", str(key), "-out", str(made)],
        check=True,
        capture_output=True,
    )
    return made, key


@pytest.fixture
def encrypted(certificate: tuple[Path, Path]) -> Iterator[Receiver]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with receiver(context=context) as made:
        yield made


def to_loopback(_host: str, _port: int) -> list[str]:
    return ["127.0.0.1"]


def test_the_certificate_must_match_the_requested_host(certificate: tuple[Path, Path], encrypted: Receiver) -> None:
    trusting = ssl.create_default_context(cafile=str(certificate[0]))
    sender = Sender(allow_private=True, resolve=to_loopback, context=trusting)
    assert sender.post(f"https://hooks.example.org:{encrypted.port}/in", b"{}", {}).status == 204
    assert encrypted.requests[0].path == "/in"
    assert fault_of(sender, f"https://other.example.org:{encrypted.port}/in") is DeliveryFault.TLS_FAILED


def test_an_untrusted_certificate_is_refused(encrypted: Receiver) -> None:
    sender = Sender(allow_private=True, resolve=to_loopback)
    assert fault_of(sender, f"https://hooks.example.org:{encrypted.port}/in") is DeliveryFault.TLS_FAILED
    assert encrypted.requests == []
