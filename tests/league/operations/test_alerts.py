"""Tests that the alert rules in deploy/ use metrics that the service exports under the same names."""

from __future__ import annotations

import re

import pytest
import yaml
from django.conf import LazySettings

from league.api.live.stream import Stream
from league.api.live.stream_metrics import StreamCollector
from league.platform.environment import ROOT
from league.web.operations.metrics import registry
from tests.factories import final_table

RULES = yaml.safe_load((ROOT / "deploy" / "alerts.yaml").read_text())["groups"][0]["rules"]
GUIDE = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
JOB = re.compile(r'job="([\w-]+)"')
OWN = re.compile(r"\bjantaku_\w+")


@pytest.mark.django_db
def test_every_metric_of_an_alert_rule_is_exported(settings: LazySettings) -> None:
    """Compare names only, since heartbeats and queues have samples only once there are any."""
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"redis_url": "redis://127.0.0.1:1/0"})
    final_table()
    measured = {family.name for family in registry().collect()}
    measured |= {sample.name for family in StreamCollector(Stream()).collect() for sample in family.samples}
    asked = {name for rule in RULES for name in OWN.findall(rule["expr"])}
    assert asked - measured == {"jantaku_queue_length"}  # the test has no broker


def test_every_job_of_an_alert_rule_is_in_the_example_of_the_guide() -> None:
    asked = {job for rule in RULES for job in JOB.findall(rule["expr"])}
    assert asked == {"jantaku", "jantaku-stream"}
    assert asked <= set(re.findall(r"job_name: (\S+)", GUIDE))


def test_the_guide_has_the_first_check_of_every_alert() -> None:
    assert set(re.findall(r"^\| `(Jantaku\w+)` \|", GUIDE, re.MULTILINE)) == {rule["alert"] for rule in RULES}


def test_every_rule_has_a_summary_and_a_severity() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"].endswith(".")


@pytest.mark.django_db
def test_the_disk_metrics_have_plausible_values() -> None:
    found = {family.name: family.samples[0].value for family in registry().collect() if "disk" in family.name}
    assert 0 < found["jantaku_disk_free_bytes"] <= found["jantaku_disk_size_bytes"]
