"""Test log lines about requests that a client made wrongly."""

from __future__ import annotations

import logging

import pytest
from django.test import Client


def test_a_wrong_host_is_one_line_of_the_log_without_a_traceback(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert Client(headers={"host": "evil.example"}).get("/robots.txt").status_code == 400
    lines = [record for record in caplog.records if record.name.startswith("django.security")]
    assert len(lines) == 1
    assert "evil.example" in lines[0].getMessage()
    assert [record.getMessage() for record in caplog.records if record.exc_info or record.exc_text] == []
