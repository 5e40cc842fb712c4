"""Metrics for Prometheus: requests and queries from django-prometheus, and the league's own figures.

The league's figures are read from the database at the time of a scrape, so that processes need not count them. Only
the duration of publishing is measured where it happens. Several processes share one folder, as prometheus_client's
multiprocess mode requires; the sums of an ended process remain in it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, InterfaceError
from django.db.models import Count, Sum
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from redis import Redis
from redis.exceptions import RedisError

from league.models import Competition, ResultSheet, WebhookDelivery
from league.platform import replica
from league.platform.version import version
from league.selectors.operations import health

CONTENT_TYPE = CONTENT_TYPE_LATEST
COUNTED_FOR = 60
"""Seconds for which the count of result sheets is cached."""
BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
"""Upper bounds, in seconds, of the histogram of publishing times."""
PUBLISHING = Histogram(
    "jantaku_publish_seconds", "Time to compute and publish a competition's standings.", buckets=BUCKETS
)


def exposition() -> bytes:
    """Return all metrics in Prometheus's text format."""
    return generate_latest(registry())


def registry() -> CollectorRegistry:
    """Return a registry with the counters of all processes and a collector that reads the database and the broker."""
    found = CollectorRegistry()
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(found)  # type: ignore[no-untyped-call]  # prometheus_client has no type here
    else:
        found.register(_OfThisProcess())
    found.register(Service())
    return found


class _OfThisProcess(Collector):
    """The registry of this process, for a service of one process without a shared folder."""

    def collect(self) -> Iterator[Metric]:
        yield from REGISTRY.collect()


class Service(Collector):
    """Collector of figures from disk, database and broker.

    If one is unavailable, its metrics are missing and `up` is 0.
    """

    def collect(self) -> Iterator[Metric]:
        """Yield the service's own metrics, read now."""
        yield InfoMetricFamily("jantaku_build", "The version of the software.", value={"version": version()})
        yield from of_disk()
        yield replica_up()
        for name, source in (("database", of_database), ("broker", of_broker)):
            try:
                found = list(source())
            except (DatabaseError, InterfaceError, RedisError):
                found = []
                yield _up(name, well=False)
            else:
                yield _up(name, well=True)
            yield from found

    def describe(self) -> list[Metric]:
        """Return no descriptions, so that registering the collector makes no query."""
        return []


def of_disk() -> Iterator[Metric]:
    """Yield size and free space of the disk that holds static files and backups; a full disk stops everything."""
    room = shutil.disk_usage(settings.DATA_DIR)
    yield _gauge("disk_size_bytes", "Size of the disk that holds DATA_DIR.", room.total)
    yield _gauge("disk_free_bytes", "Bytes free on the disk that holds DATA_DIR.", room.free)


def _up(name: str, *, well: bool) -> Metric:
    return GaugeMetricFamily(f"jantaku_{name}_up", f"1 if the {name} answers.", value=int(well))


def replica_up() -> Metric:
    """Return 1 if the replica may be read now, 0 if it is behind or away; no sample without a replica."""
    found = GaugeMetricFamily("jantaku_replica_up", "1 if the replica answers and has what is published.")
    if replica.has_replica():
        try:
            found.add_metric([], int(replica.has_replayed(replica.published_position())))
        except (DatabaseError, InterfaceError):
            found.add_metric([], 0)
    return found


def of_database() -> Iterator[Metric]:
    """Yield changes, results, lag of the standings, heartbeats and webhook deliveries."""
    changes = Competition.objects.aggregate(number=Sum("version"))["number"] or 0
    yield CounterMetricFamily("jantaku_changes", "Changes of competitions ever made.", value=changes)
    yield CounterMetricFamily("jantaku_results", "Result sheets ever recorded.", value=results())
    yield from _of_backups()
    lag = health.staleness()
    yield _gauge("standings_lag_seconds", "Age of the oldest change not in the standings.", _seconds(lag.lag))
    yield _gauge("competitions_behind", "Competitions whose standings are behind.", lag.competitions)
    yield from _ages()
    waiting = health.waiting_deliveries()
    yield _gauge("webhook_deliveries_due", "Webhook deliveries whose time has come.", waiting.deliveries)
    yield from _deliveries()


def results() -> int:
    """Return the number of result sheets, counted at most once a minute because counting a million rows takes long."""
    counted: int = cache.get_or_set("metrics:results", ResultSheet.objects.count, COUNTED_FOR) or 0
    return counted


def of_broker() -> Iterator[Metric]:
    """Yield the number of waiting tasks in each Celery queue."""
    url = settings.ENVIRONMENT.redis_url
    if not url:
        return
    waiting = GaugeMetricFamily("jantaku_queue_length", "Tasks that wait in a queue.", labels=["queue"])
    with Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as client:
        for queue in settings.CELERY_TASK_QUEUES:
            waiting.add_metric([queue.name], client.llen(queue.name))
    yield waiting


def _ages() -> Iterator[Metric]:
    ages = GaugeMetricFamily(
        "jantaku_heartbeat_age_seconds", "Time since a part was heard of.", labels=["kind", "name"]
    )
    found = health.parts()
    for part in found:
        if part.age is not None:
            ages.add_metric([part.kind, part.name], _seconds(part.age))
    yield ages
    up = GaugeMetricFamily(
        "jantaku_part_up", "1 if any part of this kind is alive, also if none started.", labels=["kind"]
    )
    missing = health.kinds_not_alive(found)
    for kind in health.expected_kinds():
        up.add_metric([kind], int(kind not in missing))
    yield up


def _of_backups() -> Iterator[Metric]:
    """Yield the age of the newest backup, missing if none was ever made, and whether one is overdue."""
    newest = health.backup_age()
    if newest.age is not None:
        yield _gauge("backup_age_seconds", "Time since the newest backup.", _seconds(newest.age))
    told = "1 if the newest backup is older than BACKUP_OVERDUE_HOURS, or none was ever made."
    yield _gauge("backup_overdue", told, int(newest.is_overdue))


def _deliveries() -> Iterator[Metric]:
    states = GaugeMetricFamily("jantaku_webhook_deliveries", "Webhook deliveries kept, by state.", labels=["state"])
    rows = WebhookDelivery.objects.order_by().values("state").annotate(number=Count("pk"))
    for row in rows:
        states.add_metric([row["state"]], row["number"])
    yield states


def _gauge(name: str, told: str, value: float) -> Metric:
    return GaugeMetricFamily(f"jantaku_{name}", told, value=value)


def _seconds(span: timedelta) -> float:
    return span.total_seconds()
