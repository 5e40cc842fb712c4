"""REST documents of rounds and pairings: reading, previewing, publishing, and what an embargo hides."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from league.models import Block, Pairing, Role, TableSession
from league.services.competitions.schedule import hold_back
from league.services.standings.publishing import publish_standings
from tests.api.client import Api
from tests.factories import SYSTEM, user
from tests.league.paired_league import pair, play_round, tournament

pytestmark = pytest.mark.django_db

SWISS = (
    '{ numbers = "1", by = "draw" }, { numbers = "2", by = "standing", avoid = ["met"] }, '
    '{ numbers = "3", by = "plan" }'
)
ROUNDS = "competitions/open/blocks/A/rounds/"


@pytest.fixture(scope="module")
def shared_block(shared_rows: None) -> Block:
    """Return a block of eight players with the first round played."""
    block = tournament(8, SWISS)
    pair(block, 1)
    play_round(block, 1)
    publish_standings(block.competition_id)
    return block


@pytest.fixture
def block(shared_block: Block) -> Block:
    return Block.objects.get(pk=shared_block.pk)


def director(block: Block) -> Api:
    """Return a client of a director."""
    return Api(user(role=Role.DIRECTOR, competition=block.competition))


def test_the_rounds_tell_how_the_format_seats_them(block: Block) -> None:
    rounds = Api().get(ROUNDS)["rounds"]
    assert [(each["number"], each["seated_by"], each["avoid"], each["is_paired"]) for each in rounds] == [
        (1, "draw", [], True), (2, "standing", ["met"], False), (3, "plan", [], False),
    ]  # fmt: skip


def test_a_pairing_gives_the_terms_of_every_pair(block: Block) -> None:
    pairing = Pairing.objects.get()
    told = Api().get(f"{ROUNDS}1/pairing/")
    assert (told["cost"], told["bound"], told["bound_by"], told["is_optimal"]) == (40, 40, "optimum", True)
    assert (told["seed"], told["digest"]) == (pairing.seed, pairing.digest)
    assert told["standing_version"] == pairing.standing_version
    first = told["tables"][0]
    assert [seat["entrant"] for seat in first["seats"]] == [str(one) for one in pairing.tables[0]["entrants"]]
    assert sum(each["cost"] for each in first["pairs"]) == first["cost"] == 20
    Api().get(f"{ROUNDS}2/pairing/", expect=404)


def test_a_director_previews_and_publishes_a_pairing(block: Block) -> None:
    api = director(block)
    preview = api.post(f"{ROUNDS}2/pairing/preview/", {})
    assert preview["warnings"] == []
    published = api.post(f"{ROUNDS}2/pairing/", {"digest": preview["digest"]}, status=201)
    assert published["tables"] == preview["tables"]
    again = api.post(f"{ROUNDS}2/pairing/", {"digest": preview["digest"]}, status=409)
    assert again["errors"][0]["code"] == "paired_already"
    assert api.post(f"{ROUNDS}3/pairing/preview/", {}, status=409)["errors"][0]["code"] == "seated_by_plan"


def test_only_directors_preview_and_publish(block: Block) -> None:
    scorer = Api(user(role=Role.SCORER, competition=block.competition))
    scorer.post(f"{ROUNDS}2/pairing/preview/", {}, status=403)
    scorer.post(f"{ROUNDS}2/pairing/", {"digest": "0" * 64}, status=403)
    assert not Pairing.objects.filter(number=2).exists()


def test_a_pairing_made_from_a_held_back_result_is_not_public(block: Block) -> None:
    table = TableSession.objects.filter(block=block, hanchan__number=1)[0]
    hold_back(table_session=table, until=timezone.now() + dt.timedelta(days=1), by=SYSTEM)
    pair(block, 2)
    publish_standings(block.competition_id)
    Api().get(f"{ROUNDS}2/pairing/", expect=404)
    assert director(block).get(f"{ROUNDS}2/pairing/")["number"] == 2
