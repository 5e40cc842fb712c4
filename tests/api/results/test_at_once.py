"""Concurrent submissions over REST: retries of one request, and several scorers at the same moment."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections
from django.http import HttpResponse

from league.models import Change, Competition, ResultSheet, Role
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 6


@pytest.fixture
def competition() -> Competition:
    made = factories.final_table()
    factories.table(made.blocks.get())
    publish_standings(made.pk)
    return made


def body(competition: Competition, scores: tuple[int, ...] = factories.SCORES) -> dict[str, Any]:
    people = factories.in_block(competition.blocks.get())
    return {"seats": [{"entrant": str(who.pk), "score": score} for who, score in zip(people, scores, strict=True)]}


def sent(requests: list[tuple[Api, str, dict[str, Any], str]]) -> list[HttpResponse]:
    """Send all requests at the same time, each over its own database connection."""

    def send(request: tuple[Api, str, dict[str, Any], str]) -> HttpResponse:
        api, path, content, key = request
        try:
            return api.change(path, content, key=key)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(send, requests))


def test_concurrent_retries_of_one_submission_record_one_result(competition: Competition) -> None:
    user = factories.user(role=Role.SCORER, competition=competition)
    path = f"hanchan/{competition.table_sessions.get().hanchan.get(round=1).pk}/results/"
    before = Change.objects.count()
    answers = sent([(Api(user), path, body(competition), "once") for _ in range(AT_ONCE)])
    assert [answer.status_code for answer in answers] == [201] * AT_ONCE
    assert ResultSheet.objects.count() == 1
    assert Change.objects.count() == before + 1
    again = Api(user).change(path, body(competition), key="once")
    assert again.headers["Idempotency-Replayed"] == "true"
    originals = [answer for answer in answers if "Idempotency-Replayed" not in answer.headers]
    assert len(originals) == 1
    assert json.loads(again.content) == json.loads(originals[0].content)


def test_two_concurrent_submissions_of_one_hanchan_record_one_and_refuse_the_other(competition: Competition) -> None:
    apis = [Api(factories.user(role=Role.SCORER, competition=competition)) for _ in range(2)]
    path = f"hanchan/{competition.table_sessions.get().hanchan.get(round=1).pk}/results/"
    answers = sent([(api, path, body(competition), f"key-{number}") for number, api in enumerate(apis)])
    assert sorted(answer.status_code for answer in answers) == [201, 428]
    assert ResultSheet.objects.count() == 1


def test_concurrent_results_of_different_hanchan_all_count(competition: Competition) -> None:
    user = factories.user(role=Role.SCORER, competition=competition)
    hanchan = list(competition.table_sessions.get().hanchan.order_by("round"))
    scores = [(41200 + 100 * number, 30100 - 100 * number, 18700, 10000) for number in range(len(hanchan))]
    requests = [
        (Api(user), f"hanchan/{row.pk}/results/", body(competition, own), f"key-{row.pk}")
        for row, own in zip(hanchan, scores, strict=True)
    ]
    assert [answer.status_code for answer in sent(requests)] == [201] * len(hanchan)
    publish_standings(competition.pk)
    rows = Api().get("standings/", competition="final")["blocks"][0]["rows"]
    assert {row["played"] for row in rows} == {4}
