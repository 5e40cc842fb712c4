"""The same submission sent twice does its work once and gets the same answer.

A key is claimed before the work begins and answered in the transaction of the work itself: either both are there or
neither. A claim whose process died is taken over after a while. A refusal changes nothing and frees the key.

A key is its user's, and the answer is for whoever may do as much: a token made for less, or for something else, does
not get what was answered to another. A program that has signed in anew gets its own answer again.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import IdempotencyKey
from league.services.actor import grant_of
from league.services.errors import ConflictError, conflict, refuse

GIVEN_UP_AFTER = dt.timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Claim:
    """A key held by one request; `status` and `answer` are those given before, None while there is none."""

    pk: int
    since: dt.datetime
    status: int | None
    answer: dict[str, Any]

    @property
    def is_answered(self) -> bool:
        """Whether the work was done before."""
        return self.status is not None


def claim_key(*, user: User, key: str, route: str, fingerprint: str) -> Claim:
    """Take the key for this request, or find the answer given under it.

    Refused if the key stands for another request, or if its request is still being worked on.
    """
    now = timezone.now()
    fingerprint = as_seen_by(user, fingerprint)
    try:
        row, is_new = IdempotencyKey.objects.get_or_create(
            user=user, key=key, defaults={"route": route, "body_sha256": fingerprint, "created_at": now}
        )
    except IntegrityError as freed:  # somebody held it a moment ago and has let it go
        raise in_use() from freed
    if not is_new:
        if (row.route, row.body_sha256) != (route, fingerprint):
            raise refuse(
                "idempotency_key_reused",
                _("This Idempotency-Key was used for another request. Take a new one for every submission."),
            )
        if row.status is None and not taken_over(row, now):
            raise in_use()
    return Claim(row.pk, now if row.status is None else row.created_at, row.status, row.response or {})


def as_seen_by(user: User, fingerprint: str) -> str:
    """What must be the same for a request to be the same: what is asked, and how much of its user's rights it has."""
    grant = grant_of(user)
    if grant is None:
        return fingerprint
    limits = json.dumps([fingerprint, sorted(grant.scopes), grant.competition_id])
    return hashlib.sha256(limits.encode()).hexdigest()


def in_use() -> ConflictError:
    """Another request has the key."""
    return conflict(
        "idempotency_key_in_use",
        _("The first request with this Idempotency-Key is still being worked on. Try again in a moment."),
    )


def taken_over(row: IdempotencyKey, now: dt.datetime) -> bool:
    """Whether this request takes the key from one that seems to have died; only one of several can."""
    old = IdempotencyKey.objects.filter(pk=row.pk, status=None, created_at=row.created_at)
    return row.created_at < now - GIVEN_UP_AFTER and bool(old.update(created_at=now))


def keep_answer(claim: Claim, status: int, answer: dict[str, Any]) -> None:
    """Keep the answer with the work, in its transaction; refused if the claim was taken over meanwhile."""
    held = IdempotencyKey.objects.filter(pk=claim.pk, created_at=claim.since)
    if not held.update(status=status, response=answer):
        raise in_use()


def free_key(claim: Claim) -> None:
    """Let the key go: nothing was done under it."""
    IdempotencyKey.objects.filter(pk=claim.pk, created_at=claim.since, status=None).delete()
