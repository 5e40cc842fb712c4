"""The same submission sent twice does its work once and gets the same answer.

A key is taken, the work done and the answer kept in one transaction: all of it is there, or nothing. So a refusal, an
outage and the death of a process all leave the key free, and whoever sends the same while it is being worked on waits
for its answer.

A key is its user's, and the answer is for whoever may do as much: a token made for less, or for something else, does
not get what was answered to another. A program that has signed in anew gets its own answer again.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from league.models import IdempotencyKey
from league.platform.errors import refuse
from league.selectors.access.actors import grant_of


@dataclass(frozen=True, slots=True)
class Claim:
    """A key held by one request; `status` and `answer` are those given before, None while there is none."""

    pk: int
    status: int | None
    answer: dict[str, Any]

    @property
    def is_answered(self) -> bool:
        """Whether the work was done before."""
        return self.status is not None


def claim_key(*, user: User, key: str, route: str, fingerprint: str) -> Claim:
    """Take the key for this request, or find the answer given under it; in the transaction of the work.

    Waits while another request is at work under this key. Refused if the key stands for another request.
    """
    fingerprint = as_seen_by(user, fingerprint)
    taken = IdempotencyKey(user=user, key=key, route=route, body_sha256=fingerprint)
    # Written anew where it is there already: its row is ours then, and no sweep of old keys takes it away meanwhile.
    IdempotencyKey.objects.bulk_create(
        [taken], update_conflicts=True, unique_fields=["user", "key"], update_fields=["key"]
    )
    row = IdempotencyKey.objects.get(user=user, key=key)
    if (row.route, row.body_sha256) != (route, fingerprint):
        raise refuse(
            "idempotency_key_reused",
            _("This Idempotency-Key was used for another request. Take a new one for every submission."),
        )
    return Claim(row.pk, row.status, row.response or {})


def as_seen_by(user: User, fingerprint: str) -> str:
    """What must be the same for a request to be the same: what is asked, and how much of its user's rights it has."""
    grant = grant_of(user)
    if grant is None:
        return fingerprint
    limits = json.dumps([fingerprint, sorted(grant.scopes), grant.competition_id])
    return hashlib.sha256(limits.encode()).hexdigest()


def keep_answer(claim: Claim, status: int, answer: dict[str, Any]) -> None:
    """Keep the answer for whoever sends the same again."""
    IdempotencyKey.objects.filter(pk=claim.pk).update(status=status, response=answer)
