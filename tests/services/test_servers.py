"""Test that the server fixtures are real servers."""

import psycopg
import pytest
from django.db import connection
from redis import Redis

from league.celery import app


def test_the_postgres_fixture_is_a_server_that_creates_databases(postgres_server: str) -> None:
    with psycopg.connect(postgres_server, autocommit=True) as server:
        server.execute("CREATE DATABASE made_by_a_test")
        server.execute("DROP DATABASE made_by_a_test")


def test_the_redis_fixture_is_a_server_that_keeps_values(redis_server: str) -> None:
    with Redis.from_url(redis_server) as client:
        client.set("key", "value")
        assert client.get("key") == b"value"


def test_a_real_worker_knows_the_tasks_of_the_service(celery_worker: None) -> None:
    replies = app.control.inspect(timeout=5, limit=1).registered()
    assert replies
    assert "league.tasks.sweep" in next(iter(replies.values()))


@pytest.mark.both_databases
@pytest.mark.django_db
def test_foreign_keys_are_checked_on_the_database_under_test() -> None:
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            assert cursor.execute("PRAGMA foreign_keys").fetchone() == (1,)
            assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    else:
        assert connection.vendor == "postgresql"
