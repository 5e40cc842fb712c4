"""Formats over REST: the file itself, checking, storing as a revision, and trials with invented results."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission

from league.api.examples import FORMAT
from league.models import FormatRevision, OrganizationChange
from rulesets.formats import format_text
from tests import factories
from tests.api.client import Api

pytestmark = pytest.mark.django_db


def writer() -> Api:
    user = factories.user()
    user.user_permissions.add(Permission.objects.get(codename="add_competition"))
    return Api(user)


def test_a_format_comes_as_its_file_too() -> None:
    answer = Api().send("get", "formats/cinderella/", format="toml")
    assert answer.headers["Content-Type"] == "application/toml; charset=utf-8"
    assert answer.content.decode() == format_text("cinderella") == Api().get("formats/cinderella/")["text"]


@pytest.mark.both_databases
def test_a_format_is_stored_as_the_next_revision_and_an_equal_text_once() -> None:
    api = writer()
    first = api.post("formats/", {"toml": FORMAT})
    assert (first["name"], first["revision"], first["revisions"]) == ("evening", 1, [1])
    assert api.post("formats/", {"toml": FORMAT}) == first
    second = api.post("formats/", {"toml": FORMAT.replace("hanchan = 4", "hanchan = 8")})
    assert (second["revision"], second["revisions"]) == (2, [1, 2])
    assert OrganizationChange.objects.filter(kind="format.kept", door="api").count() == 2
    assert api.get("formats/evening/", revision=1)["text"] == FORMAT
    assert "evening" in {row["name"] for row in api.get("formats/")["results"]}


def test_values_are_stored_like_a_file_and_come_back_as_sent() -> None:
    api = writer()
    values = {**api.get("formats/cinderella-2018/")["values"], "name": "autumn"}
    kept = api.post("formats/", {"values": values})
    assert kept["values"] == values
    assert kept["text"].startswith('name = "autumn"\n')


def test_a_format_that_no_competition_uses_is_hidden_from_the_public() -> None:
    writer().post("formats/", {"toml": FORMAT})
    assert Api().send("get", "formats/evening/").status_code == 404
    assert Api().send("post", "formats/evening/trial/", {}).status_code == 404


def test_every_fault_is_listed_at_its_place_with_what_is_allowed() -> None:
    values = {
        "name": "evening", "title": "Evening", "players": 4, "entrants": 4, "tiebreak": {},
        "stages": [
            {
                "key": "only", "title": "Only", "hanchan": 4, "seating": "sideways", "assignment": "seeded",
                "carry_over": {"kind": "none"},
                "blocks": [{"key": "A", "title": "A", "entrants": [{"from": "seed:1-4"}], "colour": "red"}],
            }
        ],
    }  # fmt: skip
    problem = writer().post("formats/", {"values": values}, status=422)
    pointers = {each["pointer"]: each for each in problem["errors"]}
    assert set(pointers) == {"/values/stages/0/seating", "/values/stages/0/blocks/0/colour"}
    assert pointers["/values/stages/0/seating"]["params"]["value"] == "sideways"
    assert "rounds" in pointers["/values/stages/0/seating"]["params"]["allowed"]
    assert not FormatRevision.objects.exists()


def test_faults_of_the_format_as_a_whole_have_codes_of_their_own() -> None:
    text = FORMAT.replace("seed:1-4", "seed:1-5").replace('kind = "none"', 'kind = "half", rounding = "up"')
    problem = writer().post("formats/", {"toml": text}, status=422)
    assert {each["code"] for each in problem["errors"]} == {"seeds_differ", "nothing_carried"}
    assert {each["pointer"] for each in problem["errors"]} == {"/toml"}
    assert all(each["params"]["line"] for each in problem["errors"])


def test_storing_needs_the_permission_to_set_up_competitions() -> None:
    assert Api().send("post", "formats/", {"toml": FORMAT}).status_code == 401
    assert Api(factories.user()).send("post", "formats/", {"toml": FORMAT}).status_code == 403


def test_checking_stores_nothing_and_tells_what_a_sound_format_needs() -> None:
    found = Api().post("formats/check/", {"toml": FORMAT})
    assert (found["sound"], found["faults"], found["text"]) == (True, [], FORMAT)
    assert (found["numbers"]["games"], found["numbers"]["tables"]) == (4, 1)
    wrong = Api(language="ja").post("formats/check/", {"toml": "name = 3"})
    assert (wrong["sound"], wrong["numbers"]) == (False, None)
    assert wrong["faults"]
    assert not FormatRevision.objects.exists()


@pytest.mark.parametrize("body", [{}, {"toml": "", "values": {}}, {"values": {"name": None}}, {"values": []}])
def test_a_body_without_one_format_is_refused(body: dict[str, object]) -> None:
    assert Api().send("post", "formats/check/", body).status_code in (400, 422)


def test_a_text_that_is_no_toml_is_a_fault_at_its_line() -> None:
    (fault,) = Api().post("formats/check/", {"toml": 'name = "a"\nbroken'})["faults"]
    assert fault["params"]["line"] == 2


def test_a_trial_plays_the_format_to_its_end() -> None:
    found = Api().post("formats/cinderella/trial/", {"seed": 3})
    assert found == Api().post("formats/cinderella/trial/", {"seed": 3})
    assert [block["block"] for block in found["blocks"]] == ["A", "B", "po1", "po2", "po3", "final"]
    assert found["blocks"][-1]["rows"][0]["entrant"] == found["champion"]
    assert found["blocks"][-1]["rows"][0]["destination"] == "champion"
    assert found["rulings"] == []
    level = Api().post("formats/cinderella/trial/", {"scenario": "level"})
    assert level["rulings"][0]["scope"] == "A"


def test_a_format_too_large_for_a_trial_is_refused() -> None:
    api = writer()
    large = FORMAT.replace("seed:1-4", "seed:1-400").replace("entrants = 4", "entrants = 400")
    api.post("formats/", {"toml": large.replace("hanchan = 4", "hanchan = 40")})
    problem = api.post("formats/evening/trial/", {}, status=422)
    assert [each["code"] for each in problem["errors"]] == ["trial_too_large"]


def test_a_format_that_can_no_longer_be_loaded_is_left_out() -> None:
    api = writer()
    FormatRevision.objects.create(name="forgotten", number=1, text="unknown = true", sha256="0" * 64)
    names = {row["name"] for row in api.get("formats/")["results"]}
    assert "cinderella" in names
    assert "forgotten" not in names
    assert api.send("get", "formats/forgotten/").status_code == 404
