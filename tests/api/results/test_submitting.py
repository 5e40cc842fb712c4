"""Submitting results over REST: idempotency keys, permissions, revisions (If-Match), previews and blind entry."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections, transaction
from django.http import HttpResponse

from league.api.results.entries import pointer_to
from league.models import Change, Competition, Door, Hanchan, IdempotencyKey, ResultSheet, Role
from league.services.access.idempotency import claim_key
from league.services.competitions.setup import new_player
from league.services.standings.publishing import publish_standings
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db

SCORES = (41200, 30100, 18700, 10000)


@pytest.fixture
def competition() -> Competition:
    return factories.final_table()


@pytest.fixture
def hanchan(competition: Competition) -> Hanchan:
    table = factories.table(competition.blocks.get())
    publish_standings(competition.pk)
    return table.hanchan.get(round=1)


@pytest.fixture
def scorer(competition: Competition) -> Api:
    return Api(factories.user("scorer", Role.SCORER, competition))


@pytest.fixture
def director(competition: Competition) -> Api:
    return Api(factories.user("director", Role.DIRECTOR, competition))


def result(hanchan: Hanchan, scores: tuple[int, ...] = SCORES, **more: Any) -> dict[str, Any]:
    """Return the body of a submission for the seated entrants with these scores."""
    seats = [
        {"entrant": str(who.pk), "score": score} for who, score in zip(factories.seated(hanchan), scores, strict=True)
    ]
    return {"seats": seats, **more}


def results_of(hanchan: Hanchan) -> str:
    return f"hanchan/{hanchan.pk}/results/"


def code_of(response: HttpResponse) -> str:
    return str(json.loads(response.content)["code"])


def test_a_result_is_settled_and_returned_in_full(scorer: Api, hanchan: Hanchan) -> None:
    response = scorer.change(results_of(hanchan), result(hanchan))
    answer = json.loads(response.content)
    assert response.status_code == 201
    assert response.headers["ETag"] == answer["sheet"]["etag"] == f'"{hanchan.pk}-r1"'
    assert response.headers["Location"] == f"http://testserver/api/v1/hanchan/{hanchan.pk}/results/1/"
    assert [seat["points"] for seat in answer["sheet"]["seats"]] == ["51.2", "10.1", "-21.3", "-40.0"]
    assert [seat["place"] for seat in answer["hanchan"]["seats"]] == [1, 2, 3, 4]
    assert answer["sheet"]["state"] == "confirmed"
    assert answer["effects"]["version"] == Competition.objects.get().version


def test_the_response_to_a_submission_equals_the_documents_read_afterwards(director: Api, hanchan: Hanchan) -> None:
    first = director.post(results_of(hanchan), result(hanchan), status=201)
    assert_reads_as(director, hanchan, first)
    corrected = director.post(
        results_of(hanchan),
        result(hanchan, (30100, 41200, 18700, 10000), reason="rows swapped", accept=["seats_not_as_scheduled"]),
        if_match=first["sheet"]["etag"],
        status=201,
    )
    assert_reads_as(director, hanchan, corrected)


def assert_reads_as(api: Api, hanchan: Hanchan, answered: dict[str, Any]) -> None:
    """Assert that both parts of a response equal the documents at their addresses."""
    publish_standings(hanchan.block.competition_id)
    read = api.get(f"hanchan/{hanchan.pk}/")
    for seat in read["seats"]:
        seat["lines"] = None
    assert answered["hanchan"] == read
    assert answered["sheet"] == api.get(f"hanchan/{hanchan.pk}/results/{answered['sheet']['revision']}/")


def test_a_first_result_needs_at_most_35_queries(
    scorer: Api, hanchan: Hanchan, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(35):
        scorer.post(results_of(hanchan), result(hanchan), status=201)


@pytest.mark.django_db(transaction=True)
def test_with_immediate_computing_the_response_says_that_standings_are_published(scorer: Api, hanchan: Hanchan) -> None:
    answer = scorer.post(results_of(hanchan), result(hanchan), status=201)
    assert answer["effects"]["is_published"]
    rows = scorer.get("standings/", competition="final")["blocks"][0]["rows"]
    assert [row["total"] for row in rows] == ["51.2", "10.1", "-21.3", "-40.0"]


@pytest.mark.django_db(transaction=True)
def test_a_replayed_response_is_identical_to_the_original(scorer: Api, hanchan: Hanchan) -> None:
    first = scorer.change(results_of(hanchan), result(hanchan), key="once")
    again = scorer.change(results_of(hanchan), result(hanchan), key="once")
    assert (again.status_code, again.content) == (201, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.headers["ETag"] == first.headers["ETag"]
    assert again.headers["Location"] == first.headers["Location"]
    assert ResultSheet.objects.count() == 1


def test_the_change_records_entry_point_token_and_actor(scorer: Api, hanchan: Hanchan) -> None:
    scorer.post(results_of(hanchan), result(hanchan), status=201)
    change = Change.objects.latest("pk")
    assert change.door == Door.API
    assert change.credential.startswith("token:")
    assert change.actor is not None
    assert change.actor.username == "scorer"


def test_a_request_without_trailing_slash_has_the_same_idempotency_key(scorer: Api, hanchan: Hanchan) -> None:
    first = scorer.change(results_of(hanchan).rstrip("/"), result(hanchan), key="once")
    again = scorer.change(results_of(hanchan), result(hanchan), key="once")
    assert (first.status_code, again.content) == (201, first.content)
    assert again.headers["Idempotency-Replayed"] == "true"


def test_reusing_an_idempotency_key_with_another_body_is_refused(scorer: Api, hanchan: Hanchan) -> None:
    scorer.change(results_of(hanchan), result(hanchan), key="once")
    other = scorer.change(results_of(hanchan), result(hanchan, SCORES[::-1]), key="once")
    assert (other.status_code, code_of(other)) == (422, "idempotency_key_reused")


@pytest.mark.both_databases
def test_an_idempotency_key_without_a_response_can_be_used_again(scorer: Api, hanchan: Hanchan) -> None:
    scorer.change(results_of(hanchan), result(hanchan), key="once")
    ResultSheet.objects.all().update(state=ResultSheet.State.SUPERSEDED, ended_n=1)
    IdempotencyKey.objects.update(status=None, response=None)
    assert scorer.change(results_of(hanchan), result(hanchan), key="once").status_code == 201


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_dies_releases_its_idempotency_key(scorer: Api, hanchan: Hanchan) -> None:
    claimed, died = threading.Event(), threading.Event()

    def work() -> None:
        with transaction.atomic():
            claim_key(user=User.objects.get(username="scorer"), key="once", route="/", fingerprint="another")
            claimed.set()
            died.wait(20)
            connection.close()

    def send_again() -> int:
        try:
            return scorer.change(results_of(hanchan), result(hanchan), key="once").status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        working = pool.submit(work)
        assert claimed.wait(20)
        sent_again = pool.submit(send_again)
        with pytest.raises(TimeoutError):
            sent_again.result(timeout=0.3)
        died.set()
        working.result(timeout=20)
        assert sent_again.result(timeout=20) == 201


@pytest.mark.django_db(transaction=True)
def test_an_idempotency_key_is_locked_against_cleanup_while_it_is_in_use(scorer: Api, hanchan: Hanchan) -> None:
    scorer.change(results_of(hanchan), result(hanchan), key="once")
    IdempotencyKey.objects.update(route="/", body_sha256="the same")

    def drop() -> None:
        try:
            IdempotencyKey.objects.all().delete()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            claim_key(user=User.objects.get(username="scorer"), key="once", route="/", fingerprint="the same")
            dropping = pool.submit(drop)
            with pytest.raises(TimeoutError):
                dropping.result(timeout=0.3)
        dropping.result(timeout=20)


def test_a_refused_request_releases_its_idempotency_key(scorer: Api, hanchan: Hanchan) -> None:
    assert scorer.change(results_of(hanchan), result(hanchan, (1, 2, 3, 4)), key="once").status_code == 422
    assert scorer.change(results_of(hanchan), result(hanchan), key="once").status_code == 201


def test_a_submission_without_an_idempotency_key_is_refused(scorer: Api, hanchan: Hanchan) -> None:
    response = scorer.send("post", results_of(hanchan), result(hanchan))
    assert (response.status_code, code_of(response)) == (400, "idempotency_key_missing")
    assert not ResultSheet.objects.exists()


def test_a_malformed_idempotency_key_is_refused(scorer: Api, hanchan: Hanchan) -> None:
    for key in ("", "two words", "x" * 129, "鍵"):
        response = scorer.send("post", results_of(hanchan), result(hanchan), {"Idempotency-Key": key})
        assert response.status_code == 400, key


@pytest.mark.clause("cinderella", "CL-030")
def test_a_wrong_sum_is_refused_with_the_difference_and_its_clause(scorer: Api, hanchan: Hanchan) -> None:
    problem = scorer.post(results_of(hanchan), result(hanchan, (41200, 30100, 18700, 9800)), status=422)
    assert problem["code"] == "rule_violation"
    [error] = problem["errors"]
    assert (error["code"], error["level"], error["params"]["difference"]) == ("table_sum", "error", -200)
    assert "99,800" in error["detail"]
    assert error["clause"] == "CL-035"


def test_each_error_has_a_pointer(scorer: Api, hanchan: Hanchan) -> None:
    body = result(hanchan, (41250, 30050, 18700, 10000))
    body["seats"][3]["entrant"] = body["seats"][2]["entrant"]
    errors = scorer.post(results_of(hanchan), body, status=422)["errors"]
    assert {error["code"] for error in errors} == {"score_not_multiple", "player_twice"}
    assert all(error["pointer"] for error in errors)


def test_errors_and_findings_point_into_the_seats(scorer: Api, hanchan: Hanchan) -> None:
    body = result(hanchan, (41250, 30050, 18700, 10000))
    refused = scorer.post(results_of(hanchan), body, status=422)["errors"]
    previewed = scorer.post(f"{results_of(hanchan)}preview/", body)["findings"]
    assert [each["pointer"] for each in refused] == ["/seats/0/score", "/seats/1/score"]
    assert [each["pointer"] for each in previewed] == ["/seats/0/score", "/seats/1/score"]


def test_a_warning_can_be_accepted_by_its_code(scorer: Api, hanchan: Hanchan) -> None:
    body = result(hanchan, (125000, 5000, -10000, -20000))
    problem = scorer.post(results_of(hanchan), body, status=422)
    assert problem["code"] == "warnings_not_accepted"
    assert {error["level"] for error in problem["errors"]} == {"warning"}
    codes = sorted({error["code"] for error in problem["errors"]})
    assert (
        scorer.post(results_of(hanchan), {**body, "accept": codes}, status=201)["sheet"]["accepted_warnings"] == codes
    )


def test_a_second_result_without_if_match_gives_428(director: Api, hanchan: Hanchan) -> None:
    director.post(results_of(hanchan), result(hanchan), status=201)
    response = director.change(results_of(hanchan), result(hanchan, SCORES[::-1]))
    assert (response.status_code, code_of(response)) == (428, "revision_required")


def test_a_correction_with_if_match_and_reason_supersedes_the_first_sheet(director: Api, hanchan: Hanchan) -> None:
    first = director.change(results_of(hanchan), result(hanchan))
    body = result(hanchan, SCORES[::-1], reason="The slip was read upside down.")
    corrected = director.change(results_of(hanchan), body, if_match=first.headers["ETag"])
    assert corrected.status_code == 201
    assert corrected.headers["ETag"] == f'"{hanchan.pk}-r2"'
    states = {sheet.revision: sheet.state for sheet in ResultSheet.objects.all()}
    assert states == {1: "superseded", 2: "confirmed"}


def test_the_etags_of_the_hanchan_and_of_the_sheet_are_accepted_in_if_match(
    director: Api, competition: Competition, hanchan: Hanchan
) -> None:
    director.post(results_of(hanchan), result(hanchan), status=201)
    publish_standings(competition.pk)
    for path, scores in ((f"hanchan/{hanchan.pk}/", SCORES[::-1]), (f"hanchan/{hanchan.pk}/results/2/", SCORES)):
        tag = director.send("get", path).headers["ETag"]
        body = result(hanchan, scores, reason="Misread.")
        assert director.change(results_of(hanchan), body, if_match=tag).status_code == 201
        publish_standings(competition.pk)


def test_an_etag_with_a_gzip_suffix_added_by_a_proxy_is_accepted(director: Api, hanchan: Hanchan) -> None:
    director.post(results_of(hanchan), result(hanchan), status=201)
    body = result(hanchan, SCORES[::-1], reason="Misread.")
    assert director.change(results_of(hanchan), body, if_match=f'"{hanchan.pk}-r1-gzip"').status_code == 201


def test_a_correction_of_another_revision_is_refused(director: Api, hanchan: Hanchan) -> None:
    director.post(results_of(hanchan), result(hanchan), status=201)
    body = result(hanchan, SCORES[::-1], reason="Misread.")
    for tag in ('"{pk}-r7"', '"0-r1"', '"something else"', "*", 'W/"{pk}-r1"'):
        response = director.change(results_of(hanchan), body, if_match=tag.format(pk=hanchan.pk))
        assert (tag, response.status_code, code_of(response)) == (tag, 412, "stale_revision")


def test_a_correction_of_a_hanchan_without_result_gives_412(director: Api, hanchan: Hanchan) -> None:
    response = director.change(results_of(hanchan), result(hanchan), if_match=f'"{hanchan.pk}-r1"')
    assert response.status_code == 412


def test_a_scorer_may_not_correct(scorer: Api, hanchan: Hanchan) -> None:
    first = scorer.change(results_of(hanchan), result(hanchan))
    body = result(hanchan, SCORES[::-1], reason="Misread.")
    response = scorer.change(results_of(hanchan), body, if_match=first.headers["ETag"])
    assert (response.status_code, code_of(response)) == (403, "permission_refused")


def test_a_user_without_a_role_in_the_competition_may_read_but_not_submit(
    competition: Competition, hanchan: Hanchan
) -> None:
    factories.league("other")
    stranger = Api(factories.user("stranger", Role.DIRECTOR, Competition.objects.get(slug="other")))
    stranger.get(f"hanchan/{hanchan.pk}/")
    for path in (results_of(hanchan), f"{results_of(hanchan)}preview/"):
        assert stranger.change(path, result(hanchan)).status_code == 403
    assert not ResultSheet.objects.exists()


def test_an_anonymous_submission_gives_401(hanchan: Hanchan) -> None:
    response = Api().change(results_of(hanchan), result(hanchan))
    assert (response.status_code, code_of(response)) == (401, "not_authenticated")
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="jantaku"'


@pytest.mark.both_databases
def test_unknown_entrants_and_players_are_refused_at_their_pointers(scorer: Api, hanchan: Hanchan) -> None:
    body = result(hanchan)
    body["seats"][0]["entrant"] = "987654321"
    body["seats"][1]["player"] = "987654321"
    errors = scorer.post(results_of(hanchan), body, status=422)["errors"]
    found = {error["pointer"]: error["code"] for error in errors}
    assert found == {"/seats/0/entrant": "unknown_entrant", "/seats/1/player": "unknown_player"}


def test_a_substitute_is_named_beside_the_entrant(scorer: Api, competition: Competition, hanchan: Hanchan) -> None:
    stand_in = new_player(name="Stand In", by=factories.SYSTEM)
    body = result(hanchan, accept=["not_as_scheduled"])
    body["seats"][2]["player"] = str(stand_in.pk)
    seats = scorer.post(results_of(hanchan), body, status=201)["sheet"]["seats"]
    assert [seat["is_substitute"] for seat in seats] == [False, False, True, False]
    assert seats[2]["player_name"] == "Stand In"


def test_a_malformed_field_is_refused_at_its_pointer(scorer: Api, hanchan: Hanchan) -> None:
    changes: list[tuple[dict[str, Any], str]] = [
        ({"seats": []}, "/seats"),
        ({"seats": [{"entrant": "x", "score": 1}]}, "/seats/0/entrant"),
        ({"seats": [{"entrant": "1", "score": 10**400}]}, "/seats/0/score"),
        ({"seats": [{"entrant": "1", "score": 250.5}]}, "/seats/0/score"),
        ({"seats": [{"entrant": "1", "score": True}]}, "/seats/0/score"),
        ({"seats": [{"entrant": "1", "score": 1, "points": 3}]}, "/seats/0/points"),
        ({"kyoutaku": "many"}, "/kyoutaku"),
        ({"reason": "\x00"}, "/reason"),
        ({"reason": "\ud800"}, "/reason"),
        ({"options": {"x": {"y": 1}}}, "/options/x"),
        ({"carried": {"chips": ["1/0"]}}, "/carried/chips/0"),
        ({"tobi": [{"busted": 1}]}, "/tobi/0/receiver"),
        ({"winner": "1"}, "/winner"),
    ]
    for change, pointer in changes:
        problem = scorer.post(results_of(hanchan), {**result(hanchan), **change}, status=400)
        assert problem["code"] == "invalid_request", change
        assert pointer in {error["pointer"] for error in problem["errors"]}, change


def test_an_option_that_the_ruleset_does_not_have_is_refused(scorer: Api, hanchan: Hanchan) -> None:
    for value in ("blue", 3, True, [1, 2]):
        [error] = scorer.post(results_of(hanchan), result(hanchan, options={"dora": value}), status=422)["errors"]
        assert (value, error["code"], error["pointer"]) == (value, "bad_option", "/options")


def test_amounts_in_an_unknown_ledger_are_refused(scorer: Api, hanchan: Hanchan) -> None:
    body = result(hanchan, carried={"chips": ["1", "-1", "0", "0"]})
    assert "ledger_unknown" in {e["code"] for e in scorer.post(results_of(hanchan), body, status=422)["errors"]}


def test_a_preview_settles_and_writes_nothing(scorer: Api, hanchan: Hanchan) -> None:
    seen = scorer.post(f"{results_of(hanchan)}preview/", result(hanchan))
    assert [seat["points"] for seat in seen["seats"]] == ["51.2", "10.1", "-21.3", "-40.0"]
    assert {line["cause"] for line in seen["seats"][0]["lines"]} == {"return", "oka", "uma"}
    assert seen["movements"][0]["total_after"] == "51.2"
    assert not ResultSheet.objects.exists()


def test_a_preview_of_an_invalid_result_has_findings_and_no_settlement(scorer: Api, hanchan: Hanchan) -> None:
    seen = scorer.post(f"{results_of(hanchan)}preview/", result(hanchan, (1, 2, 3, 4)))
    assert seen["seats"] is None
    assert {finding["level"] for finding in seen["findings"]} == {"error"}


class TestWithASecondPerson:
    """Confirmation by a second person is required."""

    @pytest.fixture(autouse=True)
    def _second(self, competition: Competition) -> None:
        Competition.objects.update(confirmation=Competition.Confirmation.SECOND)

    @pytest.fixture
    def sheet(self, scorer: Api, hanchan: Hanchan) -> str:
        assert scorer.post(results_of(hanchan), result(hanchan), status=201)["sheet"]["state"] == "submitted"
        return f"{results_of(hanchan)}1/"

    def test_the_public_sees_no_unconfirmed_sheet(self, hanchan: Hanchan, sheet: str) -> None:
        assert Api().get(results_of(hanchan)) == {"results": []}
        Api().get(sheet, expect=404)

    @pytest.mark.both_databases
    def test_a_second_person_confirms_the_sheet(self, director: Api, sheet: str) -> None:
        assert director.post(f"{sheet}confirm/")["sheet"]["state"] == "confirmed"

    def test_an_author_cannot_confirm_their_own_sheet(self, scorer: Api, sheet: str) -> None:
        [error] = scorer.post(f"{sheet}confirm/", status=422)["errors"]
        assert error["code"] == "second_person_needed"

    def test_a_sheet_is_confirmed_only_once(self, director: Api, sheet: str) -> None:
        director.post(f"{sheet}confirm/")
        assert director.post(f"{sheet}confirm/", status=409)["errors"][0]["code"] == "sheet_not_waiting"

    def test_confirming_again_with_the_same_key_replays_the_response(self, director: Api, sheet: str) -> None:
        first = director.change(f"{sheet}confirm/", key="once")
        again = director.change(f"{sheet}confirm/", key="once")
        assert again.content == first.content
        assert again.headers["Idempotency-Replayed"] == "true"

    @pytest.mark.both_databases
    def test_rejecting_a_sheet_needs_a_reason(self, director: Api, sheet: str) -> None:
        director.post(f"{sheet}reject/", {}, status=400)
        assert director.post(f"{sheet}reject/", {"reason": "Another table."})["sheet"]["state"] == "rejected"

    def test_confirming_an_unknown_sheet_gives_404(self, director: Api, hanchan: Hanchan) -> None:
        director.post(f"{results_of(hanchan)}9/confirm/", status=404)

    def test_in_blind_entry_scorers_do_not_see_what_others_entered(
        self, competition: Competition, hanchan: Hanchan, scorer: Api, director: Api, sheet: str
    ) -> None:
        Competition.objects.update(confirmation=Competition.Confirmation.BLIND)
        other = Api(factories.user("other", Role.SCORER, competition))
        assert len(scorer.get(results_of(hanchan))["results"]) == 1
        assert other.get(results_of(hanchan))["results"] == []
        assert director.get(results_of(hanchan))["results"] == []


class TestTwoWhoEnterBlindly:
    """Blind entry: a differing sheet is kept; its author learns the differing fields, never the other's values."""

    OTHER = (41300, 30000, 18700, 10000)
    TELLING = ("41200", "41,200", "30100", "30,100", "51.2", "10.1")

    @pytest.fixture(autouse=True)
    def is_blind(self, competition: Competition) -> None:
        Competition.objects.update(confirmation=Competition.Confirmation.BLIND)

    @pytest.fixture
    def other(self, competition: Competition) -> Api:
        return Api(factories.user("other", Role.SCORER, competition))

    def test_the_first_sheet_waits_and_an_equal_second_one_confirms_it(
        self, scorer: Api, other: Api, hanchan: Hanchan
    ) -> None:
        first = scorer.post(results_of(hanchan), result(hanchan), status=201)["sheet"]
        assert (first["state"], first["differs_at"]) == ("submitted", [])
        assert other.post(results_of(hanchan), result(hanchan), status=201)["sheet"]["state"] == "confirmed"

    def test_a_differing_second_sheet_gives_409_with_the_differing_fields_but_no_values(
        self, scorer: Api, other: Api, hanchan: Hanchan
    ) -> None:
        scorer.post(results_of(hanchan), result(hanchan), status=201)
        body = result(hanchan, self.OTHER, state="ended_by_time")
        body["seats"][3]["chonbo"] = 1
        answer = other.change(results_of(hanchan), body)
        problem = json.loads(answer.content)
        assert (answer.status_code, problem["code"]) == (409, "sheets_differ")
        assert [(error["pointer"], error["params"]) for error in problem["errors"]] == [
            ("/seats/0/score", {"field": "score", "seat": 0}),
            ("/seats/1/score", {"field": "score", "seat": 1}),
            ("/seats/3/chonbo", {"field": "chonbo", "seat": 3}),
            ("/state", {"field": "state"}),
        ]
        assert not [each for each in self.TELLING if each in answer.content.decode()]

    def test_a_differing_sheet_is_kept_at_the_location_of_the_response(
        self, scorer: Api, other: Api, hanchan: Hanchan
    ) -> None:
        scorer.post(results_of(hanchan), result(hanchan), status=201)
        answer = other.change(results_of(hanchan), result(hanchan, self.OTHER))
        assert answer.headers["Location"] == f"http://testserver/api/v1/{results_of(hanchan)}2/"
        [own] = other.get(results_of(hanchan))["results"]
        assert (own["etag"], own["state"]) == (answer.headers["ETag"], "submitted")

    def test_both_authors_see_the_differing_fields_in_their_own_sheet(
        self, scorer: Api, other: Api, hanchan: Hanchan
    ) -> None:
        scorer.post(results_of(hanchan), result(hanchan), status=201)
        other.post(results_of(hanchan), result(hanchan, self.OTHER), status=409)
        for reader, own in ((scorer, "41200"), (other, "41300")):
            [sheet] = reader.get(results_of(hanchan))["results"]
            assert sheet["differs_at"] == ["/seats/0/score", "/seats/1/score"]
            assert str(sheet["seats"][0]["score"]) == own

    def test_a_director_reads_both_sheets_and_confirms_one(
        self, scorer: Api, other: Api, director: Api, hanchan: Hanchan
    ) -> None:
        scorer.post(results_of(hanchan), result(hanchan), status=201)
        other.post(results_of(hanchan), result(hanchan, self.OTHER), status=409)
        sheets = director.get(results_of(hanchan))["results"]
        assert [sheet["differs_at"] for sheet in sheets] == [[], []]
        assert director.post(f"{results_of(hanchan)}1/confirm/")["sheet"]["state"] == "confirmed"

    def test_a_differing_sheet_sent_again_with_its_key_replays_the_409(
        self, scorer: Api, other: Api, hanchan: Hanchan
    ) -> None:
        scorer.post(results_of(hanchan), result(hanchan), status=201)
        first = other.change(results_of(hanchan), result(hanchan, self.OTHER), key="once")
        again = other.change(results_of(hanchan), result(hanchan, self.OTHER), key="once")
        assert (again.status_code, again.content) == (409, first.content)
        assert again.headers["Content-Type"] == first.headers["Content-Type"] == "application/problem+json"
        assert again.headers["Idempotency-Replayed"] == "true"
        assert ResultSheet.objects.count() == 2

    def test_an_equal_sheet_sent_later_with_a_new_key_is_confirmed(
        self, scorer: Api, other: Api, hanchan: Hanchan
    ) -> None:
        scorer.post(results_of(hanchan), result(hanchan), status=201)
        other.post(results_of(hanchan), result(hanchan, self.OTHER), status=409)
        assert other.post(results_of(hanchan), result(hanchan), status=201)["sheet"]["state"] == "confirmed"


@pytest.mark.parametrize(
    ("cell", "pointer", "field", "seat"),
    [
        ("entrant_2", "/seats/2/entrant", "entrant", 2),
        ("substitute_1", "/seats/1/player", "player", 1),
        ("carried_table_chips_3", "/carried/table_chips/3", "carried_table_chips", 3),
        ("tobi_0", "/tobi", "tobi", 0),
        ("sticks", "/kyoutaku", "kyoutaku", None),
        ("are_seats_known", "/are_seats_known", "are_seats_known", None),
        ("forced_top", "", "forced_top", None),
    ],
)
def test_every_field_of_the_entry_form_maps_to_a_pointer_in_a_submission(
    cell: str, pointer: str, field: str, seat: int | None
) -> None:
    place = pointer_to(cell)
    assert (place.pointer, place.field, place.seat) == (pointer, field, seat)


def test_voiding_a_result_needs_its_revision_and_a_reason(director: Api, hanchan: Hanchan) -> None:
    tag = director.change(results_of(hanchan), result(hanchan)).headers["ETag"]
    void = f"hanchan/{hanchan.pk}/void/"
    body = {"reason": "Played with 35 dora indicators."}
    assert director.change(void, body).status_code == 428
    assert director.change(void, body, if_match=f'"{hanchan.pk}-r9"').status_code == 412
    answer = json.loads(director.change(void, body, if_match=tag).content)
    assert answer["sheet"] is None
    assert answer["hanchan"]["state"] == "scheduled"
    assert answer["hanchan"]["seats"][0]["score"] is None
    assert director.change(void, body, if_match=tag).status_code == 409


def test_a_closed_competition_accepts_no_results(scorer: Api, hanchan: Hanchan) -> None:
    Competition.objects.update(status=Competition.Status.CLOSED)
    assert scorer.post(results_of(hanchan), result(hanchan), status=409)["errors"][0]["code"] == "competition_closed"


def test_a_result_cannot_be_overwritten_or_deleted(director: Api, hanchan: Hanchan) -> None:
    for method in ("put", "patch", "delete"):
        response = getattr(director.client, method)(f"/api/v1/{results_of(hanchan)}", headers=director.headers)
        assert (method, response.status_code, code_of(response)) == (method, 405, "method_not_allowed")
        assert "POST" in response.headers["Allow"]
