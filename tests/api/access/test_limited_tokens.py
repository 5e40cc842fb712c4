"""Tokens limited by scope and competition: they allow what they were made for and nothing else."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from knox.models import AuthToken

from league.models import Competition, Door, Hanchan, OrganizationChange, Role, TokenGrant
from league.platform.errors import PermissionRefusedError, RuleViolationError
from league.selectors.access.actors import Actor, Capability
from league.services.access.memberships import remove_member
from league.services.access.tokens import NewToken, TokenPlan, make_token, revoke_token, sign_in_by_token
from league.services.competitions.schedule import hold_back
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db
EVERYTHING = tuple(Capability)
MONTH = dt.timedelta(days=30)


def token_of(user: User, *scopes: Capability, competition: Competition | None = None) -> NewToken:
    plan = TokenPlan(label="overlay", scopes=scopes, competition=competition, expires_in=MONTH)
    return make_token(plan=plan, by=Actor(user=user, door=Door.PAGE))


def api_with(token: str) -> Api:
    api = Api()
    api.headers["Authorization"] = f"Token {token}"
    return api


def secret_of(competition: Competition) -> Hanchan:
    """Return a hanchan whose result is under embargo."""
    table = factories.table(competition.blocks.all()[0])
    hold_back(table_session=table, until=timezone.now() + dt.timedelta(days=1), by=factories.SYSTEM)
    hanchan = table.hanchan.get(round=1)
    factories.play(hanchan)
    return hanchan


@pytest.fixture
def chief() -> User:
    """Return a superuser."""
    factories.final_table("somewhere")
    return factories.user("chief", is_superuser=True, is_staff=True)


@pytest.mark.both_databases
def test_a_read_token_sees_embargoed_results_in_its_competition_only(chief: User) -> None:
    own, other = factories.final_table("own"), factories.final_table("other")
    draft = factories.final_table("draft", status=None)
    seen, hidden = secret_of(own), secret_of(other)
    api = api_with(token_of(chief, Capability.READ, competition=own).token)
    api.get(f"hanchan/{seen.pk}/")
    api.get(f"hanchan/{seen.pk}/results/")
    api.get(f"hanchan/{hidden.pk}/", expect=404)
    api.get(f"competitions/{draft.slug}/", expect=404)
    assert Api().send("get", f"hanchan/{seen.pk}/").status_code == 404
    assert {row["slug"] for row in api.get("competitions/")["results"]} == {"own", "other", "somewhere"}


@pytest.mark.both_databases
def test_a_read_token_writes_nothing(chief: User) -> None:
    own = factories.final_table("own")
    hanchan = secret_of(own)
    api = api_with(token_of(chief, Capability.READ, competition=own).token)
    before = own.changes.count()
    for method, path, body in writes(hanchan):
        answer = api.send(method, path, body, headers={"Idempotency-Key": f"key-{method}-{len(path)}-0123456789"})
        assert answer.status_code == 403, (path, answer.status_code)
    assert own.changes.count() == before


def writes(hanchan: Hanchan) -> list[tuple[str, str, Any]]:
    seats = [{"entrant": str(seat.entrant_id), "score": 25000} for seat in hanchan.seats.order_by("seat")]
    return [
        ("post", f"hanchan/{hanchan.pk}/results/", {"seats": seats}),
        ("post", f"hanchan/{hanchan.pk}/void/", {"reason": "none"}),
        ("post", f"table-sessions/{hanchan.table_session_id}/links/", {"kind": "scorer"}),
    ]


def test_a_submitting_token_submits_in_its_competition_only(chief: User) -> None:
    own, other = factories.final_table("own"), factories.final_table("other")
    token = token_of(chief, Capability.READ, Capability.SUBMIT, Capability.CONFIRM, competition=own)
    for competition, expected in ((own, 201), (other, 403)):
        hanchan = factories.table(competition.blocks.all()[0]).hanchan.get(round=1)
        seats = [
            {"entrant": str(seat.entrant_id), "score": score}
            for seat, score in zip(hanchan.seats.order_by("seat"), factories.SCORES, strict=True)
        ]
        answer = api_with(token.token).send(
            "post",
            f"hanchan/{hanchan.pk}/results/",
            {"seats": seats},
            headers={"Idempotency-Key": f"submitting-{competition.slug}-0123456789"},
        )
        assert answer.status_code == expected, answer.content
    line = own.changes.get(kind="result.confirmed")
    assert line.credential == f"token:{token.row.digest[:12]}"


@pytest.mark.both_databases
def test_a_response_kept_under_an_idempotency_key_is_replayed_only_for_the_same_scopes(chief: User) -> None:
    own = factories.final_table("own")
    hanchan = factories.table(own.blocks.all()[0]).hanchan.get(round=1)
    seats = [
        {"entrant": str(seat.entrant_id), "score": score}
        for seat, score in zip(hanchan.seats.order_by("seat"), factories.SCORES, strict=True)
    ]
    wide = (Capability.READ, Capability.SUBMIT, Capability.CONFIRM)

    def hand_in(token: str) -> tuple[int, str | None]:
        answer = api_with(token).send(
            "post", f"hanchan/{hanchan.pk}/results/", {"seats": seats}, headers={"Idempotency-Key": "the-same"}
        )
        return answer.status_code, answer.headers.get("Idempotency-Replayed")

    assert hand_in(token_of(chief, *wide, competition=own).token) == (201, None)
    assert hand_in(token_of(chief, *wide, competition=own).token) == (201, "true")
    for other in (
        token_of(chief, Capability.SUBMIT, competition=own),
        token_of(chief, Capability.SUBMIT, Capability.CONFIRM, competition=own),
        token_of(chief, *wide),
        sign_in_by_token(user=chief, by=Actor(user=chief, door=Door.API)),
    ):
        assert hand_in(other.token) == (422, None)


@pytest.mark.both_databases
def test_a_token_loses_the_rights_that_its_maker_loses() -> None:
    own = factories.final_table("own")
    maker = factories.user("maker", Role.READER, own)
    hanchan = secret_of(own)
    api = api_with(token_of(maker, Capability.READ, competition=own).token)
    api.get(f"hanchan/{hanchan.pk}/")
    remove_member(member=own.memberships.get(user=maker), by=factories.SYSTEM)
    api.get(f"hanchan/{hanchan.pk}/", expect=404)


def test_a_user_cannot_make_a_token_with_rights_they_lack() -> None:
    own, other = factories.final_table("own"), factories.final_table("other")
    scorer = factories.user("scorer", Role.SCORER, own)
    with pytest.raises(RuleViolationError):
        token_of(scorer, Capability.MANAGE, competition=own)
    with pytest.raises(RuleViolationError):
        token_of(scorer, Capability.READ, competition=other)
    with pytest.raises(RuleViolationError):
        token_of(scorer)


def test_a_limited_superusers_token_has_no_right_for_the_whole_service(chief: User) -> None:
    from league.selectors.access.actors import has_right, is_master
    from league.services.access.tokens import bearer_of

    row = bearer_of(token_of(chief, *EVERYTHING).token)
    assert row
    assert not is_master(row.user)
    assert not has_right(row.user, "league.add_competition")
    with pytest.raises(PermissionRefusedError):
        token_of(row.user, Capability.READ)


def test_a_token_expires_and_is_not_accepted_by_pages(chief: User) -> None:
    own = factories.final_table("own", status=None)
    token = token_of(chief, Capability.READ, competition=own).token
    api_with(token).get("competitions/own/")
    page = Client().get("/c/own/", headers={"Authorization": f"Token {token}"})
    assert page.status_code == 404
    AuthToken.objects.update(expiry=timezone.now() - dt.timedelta(seconds=1))
    assert api_with(token).send("get", "competitions/").status_code == 401


@pytest.mark.both_databases
def test_the_last_use_is_recorded_at_most_once_a_minute(chief: User) -> None:
    api = api_with(token_of(chief, Capability.READ).token)
    api.get("competitions/")
    first = TokenGrant.objects.get().used_at
    assert first
    api.get("competitions/")
    assert TokenGrant.objects.get().used_at == first
    TokenGrant.objects.update(used_at=first - dt.timedelta(minutes=2))
    api.get("competitions/")
    assert TokenGrant.objects.filter(used_at__gte=first).exists()


@pytest.mark.both_databases
def test_a_director_revokes_tokens_of_their_own_competition(chief: User, client: Client) -> None:
    own, other = factories.final_table("own"), factories.final_table("other")
    director = factories.user("director", Role.DIRECTOR, own, is_staff=True)
    mine, foreign = (token_of(chief, Capability.READ, competition=each) for each in (own, other))
    by = Actor(user=director, door=Door.ADMIN)
    with pytest.raises(PermissionRefusedError):
        revoke_token(row=foreign.row, by=by)
    client.force_login(director)
    staff = f"/admin/league/membership/of/{own.pk}/"
    assert "overlay" in client.get(staff).content.decode()
    client.post(staff, {"action": "revoke", "token": mine.row.grant.pk})
    assert api_with(mine.token).send("get", "competitions/").status_code == 401
    assert OrganizationChange.objects.filter(kind="token.revoked", actor=director).exists()


@pytest.mark.both_databases
def test_the_page_shows_a_new_token_once(client: Client) -> None:
    own = factories.final_table("own")
    maker = factories.user("maker", Role.SCORER, own)
    client.force_login(maker)
    typed = {"label": "overlay", "scopes": ["read"], "competition": own.pk, "days": 7}
    page = client.post("/account/tokens/", typed).content.decode()
    token = page.split("<code>jtk_")[1].split("<")[0]
    assert api_with(f"jtk_{token}").send("get", "competitions/").status_code == 200
    again = client.get("/account/tokens/").content.decode()
    assert token not in again
    assert "overlay" in again
    assert token not in str(list(AuthToken.objects.values())) + str(list(OrganizationChange.objects.values()))
    assert client.post("/account/tokens/", {**typed, "scopes": ["manage"]}).status_code == 422
    client.post("/account/tokens/revoke/", {"token": AuthToken.objects.get().digest})
    assert not AuthToken.objects.exists()


def test_a_user_cannot_revoke_the_token_of_another_user_on_the_page(client: Client, chief: User) -> None:
    row = token_of(chief, Capability.READ).row
    client.force_login(factories.user("somebody"))
    assert client.post("/account/tokens/revoke/", {"token": row.digest}).status_code == 404
    assert AuthToken.objects.exists()


def test_a_token_logs_itself_out(chief: User) -> None:
    api = api_with(token_of(chief, Capability.READ).token)
    assert api.post("auth/logout/", status=204) is None
    assert not AuthToken.objects.exists()
