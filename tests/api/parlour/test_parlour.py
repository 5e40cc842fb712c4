"""A parlour's evening over REST: the house is set up, guests sit, play, settle up and leave, and the day closes."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from league.models import Change, Competition, Door, ResultSheet, Role, Statement, TillClose
from league.selectors.access.actors import Actor, Capability
from league.services.access.tokens import TokenPlan, make_token
from league.services.competitions.addresses import change_slug
from tests import factories
from tests.api.client import Api
from tests.league import parlours

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ROOT = "parlours/banchi3"
GAME = {"first_dealer": 0, "scores": [62000, 33000, 10000]}


@pytest.fixture(scope="module")
def shared_book(shared_rows: None) -> Competition:
    """Return the only rule book of a parlour whose guests pay 400 for a game, the leader 200 more."""
    return parlours.parlour()


@pytest.fixture
def book(shared_book: Competition) -> Competition:
    return Competition.objects.get(pk=shared_book.pk)


@pytest.fixture
def clerk(book: Competition) -> Api:
    """Return the client of a scorer, by a token."""
    return Api(factories.user("clerk", Role.SCORER, book))


@pytest.fixture
def director(book: Competition) -> Api:
    """Return the client of the director, by a token."""
    return Api(factories.user("director", Role.DIRECTOR, book))


def tag(api: Api, path: str) -> str:
    """Return the ETag of a document."""
    return api.send("get", path).headers["ETag"]


def entered(api: Api, *names: str) -> list[str]:
    """Enter new guests, and return their players' ids."""
    return [api.post(f"{ROOT}/guests/", {"name": name}, status=201)["player"] for name in names]


def opened(api: Api, people: list[str], **more: Any) -> str:
    """Open table 1 for these players, and return the path of the sitting."""
    body = {"table": "1", "people": [{"player": player} for player in people], **more}
    return f"{ROOT}/sittings/{api.post(f'{ROOT}/sittings/', body, status=201)['id']}"


def seated(sitting: dict[str, Any]) -> list[str | None]:
    """Return the players' ids by chair."""
    return [chair["guest"] and chair["guest"]["player"] for chair in sitting["chairs"]]


def test_an_evening_from_the_first_guest_to_the_close_of_the_day(clerk: Api, book: Competition) -> None:
    people = entered(clerk, "湯川 みなと", "小滝 あおい", "沢渡 りく")
    late = entered(clerk, "羽黒 ゆい")[0]
    path = opened(clerk, people)
    assert clerk.get(f"{ROOT}/sittings/")["results"][0]["table"] == "1"
    waiting = clerk.post(f"{ROOT}/waiting/", {"player": late}, status=201)
    assert (waiting["party"], waiting["guest"]["name"]) == (1, "羽黒 ゆい")
    preview = clerk.post(f"{path}/games/preview/", {**GAME, "round": 1})
    assert preview["game"]["seats"][0]["place"] == 1
    assert not ResultSheet.objects.exists()
    played = clerk.post(f"{path}/games/", {**GAME, "round": 1, "players": people}, status=201)
    assert played["game"] == preview["game"] | {"hanchan": played["game"]["hanchan"]}
    assert (played["sitting"]["games"], played["sitting"]["next_round"]) == (1, 2)
    assert clerk.post(f"{path}/games/", {**GAME, "round": 1}, status=409)["errors"][0]["code"] == (
        "game_entered_meanwhile"
    )
    bill = clerk.get(f"{ROOT}/guests/{people[0]}/")
    assert (bill["total"], [line["kind"] for line in bill["lines"]]) == (600, ["game"])
    foreseen = clerk.post(f"{ROOT}/guests/{people[0]}/settle/preview/", {"expected": 600})
    assert (foreseen["statement"]["paid"], Statement.objects.count()) == (600, 0)
    settled = clerk.post(f"{ROOT}/guests/{people[0]}/settle/", {"expected": 600}, status=201)
    assert (settled["statement"]["number"], settled["bill"]["total"]) == (1, 0)
    assert clerk.get(f"{ROOT}/statements/")["results"][0]["money"] == 600
    assert clerk.get(f"{ROOT}/statements/1/")["lines"][0]["hanchan"] == played["game"]["hanchan"]
    free = clerk.get(path)
    assert seated(free) == [None, people[1], people[2]]
    sat = clerk.post(f"{ROOT}/waiting/{waiting['id']}/seat/", {"sitting": path.split("/")[-1], "chair": 0})
    assert seated(sat)[0] == late
    assert clerk.get(f"{ROOT}/waiting/")["results"] == []
    day = clerk.get(ROOT)["day"]
    assert clerk.post(f"{ROOT}/days/{day}/close/", {}, status=409)["errors"][0]["code"] == "tables_open"
    assert clerk.post(f"{path}/close/")["closed_at"] is not None
    assert clerk.post(f"{ROOT}/days/{day}/close/", {}, status=422)["errors"][0]["code"] == "guests_unsettled"
    body = {"accept": ["guests_unsettled"]}
    assert clerk.post(f"{ROOT}/days/{day}/close/preview/", body)["is_closed"] is True
    assert not TillClose.objects.exists()
    closed = clerk.post(f"{ROOT}/days/{day}/close/", body)
    assert (closed["is_closed"], closed["till"]["cash"], closed["till"]["closing"]) == (True, 600, 1400)
    assert [row["games"] for row in closed["books"][0]["guests"]] == [1, 1, 1]
    assert clerk.get(f"{ROOT}/guests/{people[1]}/")["on_account"] == 400
    assert clerk.send("post", f"{ROOT}/days/{day}/reopen/", {"reason": "x"}).status_code == 403
    doors = Change.objects.filter(competition=book, actor__username="clerk").values_list("door", "credential")
    assert {door for door, _credential in doors} == {Door.API}
    assert all(credential for _door, credential in doors)


def test_a_game_sent_again_with_its_key_is_entered_once(clerk: Api) -> None:
    path = opened(clerk, entered(clerk, "A", "B", "C"))
    first = clerk.change(f"{path}/games/", GAME, key="same")
    again = clerk.change(f"{path}/games/", GAME, key="same")
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.content, again.headers["Idempotency-Replayed"]) == (first.content, "true")
    assert ResultSheet.objects.count() == 1
    other = clerk.change(f"{path}/games/", {**GAME, "kyoutaku": 0}, key="same")
    assert other.status_code == 422
    assert clerk.send("post", f"{path}/games/", GAME).status_code == 400


def test_a_correction_needs_the_etag_of_the_sitting_and_a_stale_one_is_refused(clerk: Api) -> None:
    people = entered(clerk, "A", "B", "C")
    path = opened(clerk, people)
    clerk.post(f"{path}/games/", GAME, status=201)
    seen, body = tag(clerk, path), {"scores": [33000, 62000, 10000], "reason": "Exchanged"}
    for scores in ([62000, 33000, 10000, 0], [62000, 43000]):
        [fault] = clerk.post(f"{path}/games/last/correct/", {**body, "scores": scores}, 422, if_match=seen)["errors"]
        assert (fault["code"], fault["pointer"]) == ("score_count", "/scores")
    assert clerk.change(f"{path}/games/last/correct/", body).status_code == 428
    assert clerk.post(f"{path}/games/last/correct/preview/", body, if_match=seen)["game"]["revision"] == 2
    corrected = clerk.post(f"{path}/games/last/correct/", body, if_match=seen)
    assert [seat["score"] for seat in corrected["game"]["seats"]] == body["scores"]
    stale = clerk.post(f"{path}/games/last/correct/", body, status=412, if_match=seen)
    assert stale["code"] == "stale_revision"
    assert [row["revision"] for row in clerk.get(f"{path}/games/")["results"]] == [2]
    body = {"reason": "Wrong table"}
    assert clerk.post(f"{path}/games/last/take-back/", body, if_match=tag(clerk, path))["games"] == 0
    assert clerk.get(f"{path}/games/")["results"] == []


def test_refusals_point_to_members_of_the_body(clerk: Api) -> None:
    a, b, c, d = entered(clerk, "A", "B", "C", "D")
    path = opened(clerk, [a, b])
    waiting = clerk.post(f"{ROOT}/waiting/", {"player": d}, status=201)["id"]

    def pointer(where: str, body: dict[str, Any], status: int) -> str:
        return str(clerk.post(where, body, status)["errors"][0]["pointer"])

    assert pointer(f"{path}/seats/", {"chair": 2, "player": a}, 422) == "/player"
    assert pointer(f"{path}/seats/", {"chair": 1, "player": c}, 409) == "/chair"
    seat = f"{ROOT}/waiting/{waiting}/seat/"
    assert pointer(seat, {"sitting": path.rpartition("/")[2], "chair": 1}, 409) == "/chair"
    clerk.post(f"{path}/seats/", {"chair": 2, "player": c}, status=201)
    assert pointer(f"{path}/games/", {**GAME, "players": [a, b, d]}, 409) == "/players"


def test_the_etags_of_games_and_settlements_serve_for_the_next_change(clerk: Api) -> None:
    people = entered(clerk, "A", "B", "C")
    path, bill = opened(clerk, people), f"{ROOT}/guests/{people[0]}"
    recorded = clerk.change(f"{path}/games/", GAME)
    corrected = clerk.change(
        f"{path}/games/last/correct/",
        {"scores": [33000, 62000, 10000], "reason": "Exchanged"},
        if_match=recorded.headers["ETag"],
    )
    assert corrected.status_code == 200
    back = clerk.change(f"{path}/games/last/take-back/", {"reason": "Wrong table"}, if_match=corrected.headers["ETag"])
    assert back.status_code == 200
    settled = clerk.change(f"{bill}/settle/", {"leaves": False})
    terms = clerk.change(f"{bill}/terms/", {"rate": "student", "stamps": 3}, if_match=settled.headers["ETag"])
    assert (settled.status_code, terms.status_code) == (201, 200)


def test_guests_change_chairs_are_stood_in_for_and_leave(clerk: Api) -> None:
    a, b, c, d = entered(clerk, "A", "B", "C", "D")
    path = opened(clerk, [a, b])
    seen = tag(clerk, path)
    joined = clerk.change(f"{path}/seats/", {"chair": 2, "player": c}, if_match=seen)
    assert (joined.status_code, joined.headers["ETag"]) == (201, tag(clerk, path))
    assert clerk.post(f"{path}/seats/", {"chair": 2, "player": d}, status=409)["errors"][0]["code"] == "chair_taken"
    assert clerk.change(f"{path}/seats/0/leave/", {}, if_match=seen).status_code == 412
    assert seated(clerk.post(f"{path}/seats/0/swap/", {"chair": 2})) == [c, b, a]
    shown = clerk.post(f"{path}/seats/1/stand-in/", {"player": d, "stays": True})
    assert (shown["chairs"][1]["stand_in"]["player"], shown["chairs"][1]["stand_in_stays"]) == (d, True)
    assert clerk.post(f"{path}/seats/1/stand-in/", {"player": None})["chairs"][1]["stand_in"] is None
    assert clerk.post(f"{path}/seats/1/house/", {"is_house": True})["chairs"][1]["is_house"] is True
    clerk.post(f"{path}/seats/0/last-game/", {})
    assert seated(clerk.post(f"{path}/games/", GAME, status=201)["sitting"]) == [None, b, a]
    assert seated(clerk.post(f"{path}/seats/2/move/", {"chair": 0})) == [a, b, None]
    assert seated(clerk.post(f"{path}/seats/0/leave/")) == [None, b, None]
    assert clerk.change(f"{path}/seats/0/leave/", {}).status_code == 409
    assert clerk.change(f"{path}/seats/9/leave/", {}).status_code == 404
    assert clerk.post(f"{path}/close/")["closed_at"]
    assert clerk.post(f"{path}/reopen/")["closed_at"] is None


def test_a_bill_has_other_items_terms_and_payments_and_a_statement_is_cancelled(clerk: Api) -> None:
    guest = entered(clerk, "A")[0]
    path = f"{ROOT}/guests/{guest}"
    bill = clerk.post(f"{path}/extras/", {"label": "茶", "money": 300}, status=201)
    assert (bill["total"], bill["lines"][0]["detail"]) == (300, {"label": "茶"})
    extra = bill["lines"][0]["extra"]
    assert clerk.post(f"{path}/terms/", {"rate": "student", "stamps": 3})["rate"] == "student"
    settled = clerk.post(f"{path}/settle/", {"is_paid": False}, status=201)
    assert (settled["statement"]["paid"], settled["bill"]["on_account"]) == (0, 300)
    assert clerk.post(f"{path}/payments/", {"money": 400}, status=422)["errors"][0]["code"] == "not_on_account"
    assert clerk.post(f"{path}/payments/", {"money": 300}, status=201)["on_account"] == 0
    cancelled = clerk.post(
        f"{ROOT}/statements/1/cancel/", {"reason": "Wrong guest"}, if_match=tag(clerk, f"{ROOT}/statements/1")
    )
    assert cancelled["cancel_reason"] == "Wrong guest"
    clerk.send("delete", f"{path}/extras/{extra}/")
    assert clerk.get(path)["lines"] == []


def test_chips_are_entered_once_for_a_sitting(clerk: Api) -> None:
    people = entered(clerk, "A", "B", "C")
    path = opened(clerk, people, chips="per_sitting")
    clerk.post(f"{path}/games/", GAME, status=201)
    ledger = clerk.get(ROOT)["books"][0]["ledgers"][0]
    amounts = [
        {"player": player, "amount": amount} for player, amount in zip(people, ("400", "-100", "-300"), strict=True)
    ]
    answer = clerk.send("put", f"{path}/chips/", {"ledger": ledger, "amounts": amounts})
    assert answer.status_code == 200, answer.content.decode()
    found = clerk.get(path)["sitting_chips"]
    assert [(each["guest"]["player"], each["amount"]) for each in found] == list(
        zip(people, ("400", "-100", "-300"), strict=True)
    )
    wrong = clerk.send("put", f"{path}/chips/", {"ledger": ledger, "amounts": amounts[:1]})
    assert wrong.status_code == 422
    uneven = [{**amounts[0], "amount": "450"}, {**amounts[1], "amount": "-450"}]
    refused = json.loads(clerk.send("put", f"{path}/chips/", {"ledger": ledger, "amounts": uneven}).content)
    assert [each["pointer"] for each in refused["errors"]] == ["/amounts/0/amount", "/amounts/1/amount"]


def test_chips_that_name_a_guest_twice_are_refused(clerk: Api) -> None:
    people = entered(clerk, "A", "B", "C")
    path = opened(clerk, people, chips="per_sitting")
    ledger = clerk.get(ROOT)["books"][0]["ledgers"][0]
    twice = [{"player": people[0], "amount": amount} for amount in ("300", "0")]
    refused = json.loads(clerk.send("put", f"{path}/chips/", {"ledger": ledger, "amounts": twice}).content)
    assert [(each["code"], each["pointer"], each["detail"]) for each in refused["errors"]] == [
        ("named_twice", "/amounts/1/player", "A is named twice.")
    ]
    assert clerk.get(path)["sitting_chips"] == []


def test_a_followed_game_is_begun_and_abandoned(clerk: Api, book: Competition) -> None:
    path = opened(clerk, entered(clerk, "A", "B", "C"))
    followed = clerk.post(f"{path}/follow/", {"first_dealer": 1})["followed"]
    assert followed["submitted"] is None
    assert clerk.post(f"{path}/follow/confirm/", {}, status=409)["errors"][0]["code"] == "nothing_submitted"
    assert clerk.post(f"{path}/follow/abandon/", {"reason": "Power cut"})["followed"] is None


def test_a_director_changes_the_house_its_tables_and_fees(director: Api, clerk: Api) -> None:
    words = {"name": "月光", "name_en": "Moonlight", "day_starts_at": "07:00", "is_public": True}
    seen = tag(director, ROOT)
    assert clerk.send("put", f"{ROOT}/", words).status_code == 403
    assert director.send("put", f"{ROOT}/", words, {"If-Match": seen}).status_code == 200
    assert director.send("put", f"{ROOT}/", words, {"If-Match": seen}).status_code == 412
    found = director.get(ROOT)
    assert (found["name"], found["day_starts_at"], found["is_public"]) == ("月光", "07:00", True)
    table = director.post(f"{ROOT}/tables/", {"name": "1", "usual_book": "banchi3"}, status=201)["tables"][0]
    assert director.send("put", f"{ROOT}/tables/{table['id']}/", {"name": "2"}).status_code == 200
    assert director.get(ROOT)["tables"] == [{**table, "name": "2", "usual_book": None}]
    director.post(f"{ROOT}/tables/{table['id']}/renew-code/")
    fees = {"from_day": found["day"], "per_game": 500, "table": "2"}
    row = director.post(f"{ROOT}/tariffs/", fees, status=201)["results"][0]
    assert (row["per_game"], row["table"], row["book"], row["student_per_game"]) == (500, "2", None, None)
    assert director.send("delete", f"{ROOT}/tables/{table['id']}/").status_code == 200
    assert director.get(ROOT)["tables"] == []
    assert clerk.send("post", f"{ROOT}/tariffs/", fees).status_code == 403
    people = entered(clerk, "A", "B")
    assert (
        director.post(f"{ROOT}/guests/merge/", {"duplicate": people[1], "keep": people[0]})["results"][0]["player"]
        == people[0]
    )
    day = found["day"]
    director.post(f"{ROOT}/days/{day}/close/")
    assert director.post(f"{ROOT}/days/{day}/reopen/", {"reason": "Late game"})["is_closed"] is False


def test_an_administrator_sets_up_a_parlour_and_another_book(director: Api) -> None:
    chief = Api(factories.user("chief", is_superuser=True))
    body = {
        "slug": "lantern",
        "name": "灯火",
        "books": [{"ruleset": "banchi3", "tariff": {"per_game": 400}}],
        "tables": [{"name": "1", "usual_book": 0}],
    }
    made = chief.post("parlours/", body, status=201)
    assert (made["books"][0]["slug"], made["books"][0]["tariff"]["per_game"]) == ("lantern-banchi3", 400)
    assert made["tables"][0]["usual_book"] == "lantern-banchi3"
    assert director.send("post", "parlours/", body).status_code == 403
    assert [
        book["ruleset"] for book in chief.post("parlours/lantern/books/", {"ruleset": "kansai3"}, status=201)["books"]
    ] == [
        "banchi3",
        "kansai3",
    ]
    unknown = chief.post("parlours/lantern/books/", {"ruleset": "nothing"}, status=422)
    assert unknown["errors"][0]["code"] == "unknown_ruleset"
    assert [row["slug"] for row in director.get("parlours/")["results"]] == ["banchi3"]


def test_a_parlour_is_shown_to_its_staff_alone(book: Competition, clerk: Api) -> None:
    guest = entered(clerk, "A")[0]
    stranger, reader = Api(factories.user("stranger")), Api(factories.user("reader", Role.READER, book))
    for api, status in ((Api(), 401), (stranger, 404)):
        assert api.send("get", ROOT).status_code == status
        assert api.send("get", f"{ROOT}/sittings/").status_code == status
        assert api.get("parlours/")["results"] == []
    assert reader.get(f"{ROOT}/guests/", search="A")["results"][0]["player"] == guest
    assert reader.send("get", f"{ROOT}/guests/{guest}/").status_code == 403
    assert reader.client.get(reader.get(f"{ROOT}/guests/{guest}/link/")["url"]).status_code == 200
    assert reader.send("post", f"{ROOT}/sittings/", {}).status_code == 403


def test_a_token_for_the_counter_enters_guests_and_closes_no_day(book: Competition) -> None:
    director = factories.user("director", Role.DIRECTOR, book)
    scopes = (Capability.READ, Capability.SUBMIT)
    plan = TokenPlan(label="counter", scopes=scopes, expires_in=dt.timedelta(days=30), competition=book)
    api = Api()
    api.headers["Authorization"] = f"Bearer {make_token(plan=plan, by=Actor(director, Door.PAGE)).token}"
    path = opened(api, entered(api, "A", "B", "C"))
    assert api.post(f"{path}/games/", GAME, status=201)["sitting"]["games"] == 1
    day = api.get(ROOT)["day"]
    assert api.send("post", f"{ROOT}/days/{day}/close/", {}).status_code == 403
    assert api.send("post", "parlours/", {"slug": "other"}).status_code == 403


def test_a_former_address_of_a_rule_book_still_names_it(clerk: Api, book: Competition) -> None:
    change_slug(competition=book, slug="evening", by=factories.SYSTEM)
    guest = clerk.post(f"{ROOT}/guests/", {"name": "湯川 みなと", "book": "banchi3"}, status=201)
    assert book.entrants.get().player_id == int(guest["player"])
