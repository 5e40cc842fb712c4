"""Metrics of the stream for Prometheus: its clients, the documents that they follow, and the clients it turned away.

The process of the stream answers for itself, because its figures are in its memory. They are read at a scrape.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from typing import Any, Protocol

from django.conf import settings
from django.http import HttpRequest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from league.web.operations.metrics_access import may_read_metrics


class Refusal(StrEnum):
    """The reason for which the stream turned a client away."""

    FULL = "full"
    """It has as many clients, or follows as many documents, as it may."""
    NOT_FOUND = "not_found"
    """The public may not read the document, or there is none."""
    UNREAD = "unread"
    """The document could not be read: the database is away or slow."""
    SLOW = "slow"
    """The client did not take what was sent."""


class Measured(Protocol):
    """The figures of a stream."""

    clients: int

    @property
    def refused(self) -> Mapping[Refusal, int]:
        """The number of clients turned away, by reason."""

    def reading_ages(self) -> Collection[float]:
        """Return for each document that is followed the seconds since it was last read."""


class StreamCollector(Collector):
    """Collector of the figures of a stream."""

    def __init__(self, stream: Measured) -> None:
        self.stream = stream

    def collect(self) -> Iterator[Metric]:
        """Yield the figures as they are now."""
        ages = self.stream.reading_ages()
        yield gauge("clients", "Overlays that are connected.", self.stream.clients)
        yield gauge("documents", "Documents of live tables that are followed.", len(ages))
        told = "Time since the document that waits longest was read; 0 if none is followed."
        yield gauge("reading_age_seconds", told, max(ages, default=0.0))
        refused = CounterMetricFamily("jantaku_stream_refused", "Overlays turned away.", labels=["reason"])
        for reason in Refusal:
            refused.add_metric([reason], self.stream.refused.get(reason, 0))
        yield refused


def gauge(name: str, told: str, value: float) -> Metric:
    """Return a figure of the stream."""
    return GaugeMetricFamily(f"jantaku_stream_{name}", told, value=value)


def exposition(stream: Measured) -> bytes:
    """Return the metrics in Prometheus's text format."""
    registry = CollectorRegistry()
    registry.register(StreamCollector(stream))
    return generate_latest(registry)


def may_read(scope: Mapping[str, Any], headers: Mapping[str, str]) -> bool:
    """Return True if the client of an ASGI request may read metrics, by the rule of the web service."""
    request = HttpRequest()
    request.META["REMOTE_ADDR"] = (scope.get("client") or ("",))[0]
    for name in ("authorization", "x-forwarded-for"):
        request.META[f"HTTP_{name.upper().replace('-', '_')}"] = headers.get(name, "")
    return settings.ENVIRONMENT.has_metrics and may_read_metrics(request)
