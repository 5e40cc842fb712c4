"""Tests of invitations: single-use links that expire, are shown once and are stored only as a digest."""

from __future__ import annotations

import datetime as dt
import re

import pytest
import time_machine
from django.conf import LazySettings
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Change, Competition, Door, Invitation, Membership, Role
from league.platform.errors import ConflictError, PermissionRefusedError, RuleViolationError
from league.platform.masking import mask_text
from league.selectors.access.actors import Actor, Capability, capabilities
from league.services.access.invitations import accept, accept_with_new_account, invite, withdraw_invitation
from tests.factories import SYSTEM, final_table, league, user
from tests.league.team_league import TeamLeague

pytestmark = pytest.mark.django_db
ACCOUNT = {"username": "hana", "password": "a rather long one 4711", "again": "a rather long one 4711"}


def invited(competition: Competition, role: Role = Role.SCORER, language: str = "en") -> str:
    """Create an invitation and return its path."""
    made = invite(competition=competition, email="hana@example.org", role=role, language=language, by=SYSTEM)
    return "/" + made.address.split("/", 3)[3]


def token_in(path: str) -> str:
    return path.strip("/").split("/")[-1]


def test_the_invitation_mail_contains_the_link_and_uses_the_chosen_language(settings: LazySettings) -> None:
    settings.SENDS_LETTERS = True
    made = invite(competition=final_table(), email="hana@example.org", role=Role.SCORER, language="en", by=SYSTEM)
    assert made.is_sent
    (letter,) = mail.outbox
    assert letter.to == ["hana@example.org"]
    assert made.address in letter.body
    assert "You are invited" in letter.body


def test_without_a_mail_server_the_director_sees_the_link_once_and_no_mail_is_sent(client: Client) -> None:
    competition = final_table()
    client.force_login(user("chief", Role.DIRECTOR, competition, is_staff=True))
    page = client.post(
        f"/admin/league/membership/of/{competition.pk}/",
        {"action": "invite", "email": "hana@example.org", "role": "scorer", "language": "en"},
    ).content.decode()
    assert mail.outbox == []
    assert re.search(r"/invitation/[\w-]{20,}/", page)
    assert "/invitation/" not in client.get(f"/admin/league/membership/of/{competition.pk}/").content.decode()


def test_a_new_user_creates_an_account_and_gets_the_role(client: Client) -> None:
    competition = final_table()
    path = invited(competition)
    assert competition.name in client.get(path).content.decode()
    assert client.post(path, ACCOUNT)["Location"] == "/admin/"
    member = Membership.objects.get(user__username="hana")
    assert (member.role, member.user.email) == ("scorer", "hana@example.org")
    assert client.get("/account/").status_code == 200
    assert Client().get(path).status_code == 410


def test_a_weak_password_is_rejected_and_the_link_stays_valid(client: Client) -> None:
    path = invited(final_table())
    answer = client.post(path, {**ACCOUNT, "password": "password12", "again": "password12"})
    assert answer.status_code == 422
    assert 'value="hana"' in answer.content.decode()
    assert not Membership.objects.exists()
    assert client.post(path, ACCOUNT).status_code == 302


def test_an_existing_user_name_is_rejected_regardless_of_case(client: Client) -> None:
    user("Hana")
    assert client.post(invited(final_table()), ACCOUNT).status_code == 422
    assert not Membership.objects.exists()


def test_a_logged_in_user_accepts_with_their_own_account(client: Client) -> None:
    competition = final_table()
    mika = user("mika")
    client.force_login(mika)
    assert client.post(invited(competition)).status_code == 302
    assert Membership.objects.get(user=mika).role == Role.SCORER


def test_accepting_an_invitation_never_lowers_a_role() -> None:
    competition = final_table()
    director = user("chief", Role.DIRECTOR, competition)
    accept(token=token_in(invited(competition, Role.READER)), by=Actor(user=director, door=Door.PAGE))
    assert Membership.objects.get(user=director).role == Role.DIRECTOR


def test_a_scorer_who_becomes_a_referee_can_still_submit_results() -> None:
    competition = final_table()
    scorer = user("clerk", Role.SCORER, competition)
    accept(token=token_in(invited(competition, Role.REFEREE)), by=Actor(user=scorer, door=Door.PAGE))
    assert Capability.SUBMIT in capabilities(scorer, competition)


def test_a_captain_or_scorer_whose_role_an_invitation_does_not_change_is_told_so(client: Client) -> None:
    league = TeamLeague().competition
    one, other = league.entrants.order_by("number")[:2]
    rika, clerk = user("rika"), user("clerk", Role.SCORER, league, is_staff=True)
    Membership.objects.create(competition=league, user=rika, role=Role.CAPTAIN, team=one)
    for who, role, team, kept in (
        (rika, Role.CAPTAIN, other, "keep your role: captain of Minato Libertas."),
        (clerk, Role.CAPTAIN, one, "keep your role: scorer."),
        (clerk, Role.REFEREE, None, "keep your role: scorer."),
    ):
        made = invite(competition=league, email="a@example.org", role=role, language="en", by=SYSTEM, team=team)
        client.force_login(who)
        address = "/" + made.address.split("/", 3)[3]
        answer = client.post(address, follow=True, headers={"accept-language": "en"})
        assert kept in answer.content.decode()
    assert Membership.objects.get(user=rika).team == one


def test_a_new_captain_lands_on_the_line_ups_of_the_team_and_so_does_a_later_sign_in(client: Client) -> None:
    league = TeamLeague().competition
    team = league.entrants.earliest("number")
    made = invite(competition=league, email="a@example.org", role=Role.CAPTAIN, language="en", by=SYSTEM, team=team)
    path = "/" + made.address.split("/", 3)[3]
    assert "captain of Minato Libertas" in client.get(path, headers={"accept-language": "en"}).content.decode()
    answer = client.post(path, ACCOUNT, follow=True)
    assert answer.redirect_chain == [("/c/teams/line-ups/", 302)]
    assert "のスタッフになりました。" in answer.content.decode()
    client.logout()
    again = client.post(reverse("pages:sign_in"), {"username": "hana", "password": ACCOUNT["password"]})
    assert again["Location"] == "/c/teams/line-ups/"


def test_a_parlour_clerk_who_becomes_director_gets_admin_access() -> None:
    parlour = league("parlour", league_format="open-play", kind=Competition.Kind.OPEN)
    clerk = user("clerk", Role.SCORER, parlour)
    accept(token=token_in(invited(parlour, Role.DIRECTOR)), by=Actor(user=clerk, door=Door.PAGE))
    clerk.refresh_from_db()
    assert clerk.is_staff
    assert Membership.objects.get(user=clerk).role == Role.DIRECTOR


def test_a_link_works_once() -> None:
    token = token_in(invited(final_table()))
    accept(token=token, by=Actor(user=user("mika"), door=Door.PAGE))
    with pytest.raises(ConflictError):
        accept(token=token, by=Actor(user=user("hana"), door=Door.PAGE))
    with pytest.raises(ConflictError):
        accept_with_new_account(token=token, username="new", password=ACCOUNT["password"], by=SYSTEM)


@pytest.mark.both_databases
def test_an_expired_withdrawn_or_unknown_link_answers_410(client: Client) -> None:
    competition = final_table()
    old = invited(competition)
    Invitation.objects.update(expires_at=timezone.now() - dt.timedelta(minutes=1))
    assert client.get(old).status_code == 410
    taken_back = invited(competition)
    withdraw_invitation(invitation=Invitation.objects.latest("pk"), by=SYSTEM)
    assert client.get(taken_back).status_code == 410
    assert client.get("/invitation/nonsense/").status_code == 410


def test_a_second_invitation_to_the_same_address_replaces_the_first(client: Client) -> None:
    competition = final_table()
    first, second = invited(competition), invited(competition)
    assert client.get(first).status_code == 410
    assert client.get(second).status_code == 200


def test_only_a_director_can_invite_and_only_to_a_valid_mail_address() -> None:
    competition = final_table()
    scorer = Actor(user=user("scorer", Role.SCORER, competition), door=Door.ADMIN)
    with pytest.raises(PermissionRefusedError):
        invite(competition=competition, email="a@example.org", role=Role.DIRECTOR, language="ja", by=scorer)
    with pytest.raises(RuleViolationError):
        invite(competition=competition, email="nobody", role=Role.READER, language="ja", by=SYSTEM)


def test_the_token_is_not_stored_and_token_and_address_appear_in_no_log() -> None:
    path = invited(final_table())
    token = token_in(path)
    assert token not in str(list(Invitation.objects.values()))
    lines = str(list(Change.objects.values()))
    assert token not in lines
    assert "hana@example.org" not in lines
    assert token not in mask_text(f"GET {path}")


def test_guessing_secret_urls_is_rate_limited_and_valid_links_are_not(client: Client, settings: LazySettings) -> None:
    cache.clear()
    settings.REQUESTS_PER_MINUTE = {**settings.REQUESTS_PER_MINUTE, "secret": 3}
    path = invited(final_table())
    with time_machine.travel(timezone.now().replace(second=10), tick=False):  # within one minute, however slow
        assert {client.get(path).status_code for _visit in range(6)} == {200}
        answers = [client.get(f"/invitation/guess-number-{number}/").status_code for number in range(9)]
        links = [client.get(f"/t/guess-number-{number}/").status_code for number in range(9)]
    cache.clear()
    assert (answers[0], answers[-1]) == (410, 429)
    assert 429 in links


def test_searches_are_rate_limited(client: Client, settings: LazySettings) -> None:
    cache.clear()
    settings.REQUESTS_PER_MINUTE = {**settings.REQUESTS_PER_MINUTE, "search": 3}
    answers = [client.get("/players/", {"q": "x"}).status_code for _time in range(9)]
    cache.clear()
    assert (answers[0], 429 in answers) == (200, True)


def test_pages_with_a_key_in_the_url_send_a_strict_referrer_policy(client: Client) -> None:
    path = invited(final_table())
    assert client.get(path).headers["Referrer-Policy"] == "strict-origin"
    assert client.get(f"/login/?next={path}").headers["Referrer-Policy"] == "strict-origin"
    assert client.get("/").headers["Referrer-Policy"] == "same-origin"
