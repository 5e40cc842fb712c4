"""Idempotency keys: a request sent twice does its work once and gets the same response.

The key is claimed, the work done and the response stored in one transaction, so that either all of it exists or
nothing. A refusal, an outage or a crash leaves the key free, and a duplicate sent while the first is being
processed waits for its response.

A key belongs to one user, and its response is given only to requests with the same permissions: a token with fewer
or other scopes does not get the response of another. A program that has signed in again gets its own response.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TypedDict

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from league.models import IdempotencyKey
from league.platform.errors import refuse
from league.selectors.access.actors import grant_of


class StoredResponse(TypedDict, total=False):
    """The headers and the body of a response, as they are stored for a retry."""

    headers: dict[str, str]
    body: str


@dataclass(frozen=True, slots=True)
class Claim:
    """A key held by one request; `status` and `answer` are the stored response, None and empty if there is none yet."""

    pk: int
    status: int | None
    answer: StoredResponse

    @property
    def is_answered(self) -> bool:
        """Return True if the work was done by an earlier request."""
        return self.status is not None


def claim_key(*, user: User, key: str, route: str, fingerprint: str) -> Claim:
    """Claim the key for this request, or return the response stored under it; call it in the transaction of the work.

    Waits while another request works under this key. Raise RuleViolationError if the key was used for another
    request.
    """
    fingerprint = as_seen_by(user, fingerprint)
    taken = IdempotencyKey(user=user, key=key, route=route, body_sha256=fingerprint)
    # The upsert locks an existing row too: a duplicate waits here, and the sweep cannot delete an old key meanwhile.
    IdempotencyKey.objects.bulk_create(
        [taken], update_conflicts=True, unique_fields=["user", "key"], update_fields=["key"]
    )
    row = IdempotencyKey.objects.get(pk=taken.pk)
    if (row.route, row.body_sha256) != (route, fingerprint):
        raise refuse(
            "idempotency_key_reused",
            _("This Idempotency-Key was used for another request. Take a new one for every submission."),
        )
    answer: StoredResponse = row.response or StoredResponse()
    return Claim(row.pk, row.status, answer)


def as_seen_by(user: User, fingerprint: str) -> str:
    """Return the fingerprint that makes two requests equal: the request's, with the limits of the user's token."""
    grant = grant_of(user)
    if grant is None:
        return fingerprint
    # Otherwise a token with fewer scopes could read a response that was built for one with more.
    limits = json.dumps([fingerprint, sorted(grant.scopes), grant.competition_id])
    return hashlib.sha256(limits.encode()).hexdigest()


def keep_answer(claim: Claim, status: int, answer: StoredResponse) -> None:
    """Store the response for a request that is sent again."""
    IdempotencyKey.objects.filter(pk=claim.pk).update(status=status, response=answer)
