"""The alert rules in deploy/ ask for what the service measures, by the names it measures it under."""

from __future__ import annotations

import re

import pytest
import yaml
from django.conf import LazySettings

from league.platform.environment import ROOT
from league.web.metrics import registry
from tests.factories import final_table

RULES = yaml.safe_load((ROOT / "deploy" / "alerts.yaml").read_text())["groups"][0]["rules"]
OWN = re.compile(r"\bjantaku_\w+")


@pytest.mark.django_db
def test_every_metric_that_a_rule_asks_for_is_measured(settings: LazySettings) -> None:
    """Signs of life and queues have samples once there are any; that they are measured is told by their names."""
    settings.ENVIRONMENT = settings.ENVIRONMENT.model_copy(update={"redis_url": "redis://127.0.0.1:1/0"})
    final_table()
    measured = {family.name for family in registry().collect()}
    asked = {name for rule in RULES for name in OWN.findall(rule["expr"])}
    assert asked - measured == {"jantaku_queue_length"}  # there is no broker to ask here


def test_every_rule_says_what_it_means_and_how_urgent_it_is() -> None:
    assert len({rule["alert"] for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["annotations"]["summary"].endswith(".")


@pytest.mark.django_db
def test_the_disk_is_measured_where_files_are_kept() -> None:
    found = {family.name: family.samples[0].value for family in registry().collect() if "disk" in family.name}
    assert 0 < found["jantaku_disk_free_bytes"] <= found["jantaku_disk_size_bytes"]
