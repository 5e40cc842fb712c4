"""Each rule book's own events, followed hand by hand in a sitting with the table's options and confirmed there."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import pytest

from league.models import Hanchan, ResultSheet, Role
from league.selectors.parlour.board import running
from league.selectors.parlour.following import followed_game
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.services.parlour.following import confirm_followed_game, start_followed_game
from scoring.hanchan import result_of
from scoring.settlement import settle
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.tables import Device

pytestmark = pytest.mark.django_db
Json = dict[str, Any]


@dataclass(frozen=True)
class Book:
    """A rule book with its house options and table options, the events it offers, and a game that has them."""

    name: str
    asked: Mapping[str, object]
    """Values in the sheet's `asks`, by path."""
    entries: Sequence[Json]
    in_picker: tuple[str, ...] = ()
    """Return the offers of the picker of the winning hand: special tiles and norths or flowers set aside (`nuki`)."""
    house: Mapping[str, object] = field(default_factory=dict)
    table: Mapping[str, object] = field(default_factory=dict)
    people: int = 3
    ends: tuple[str, ...] = ()
    """Reasons for which the game is over by the rules; the time is up where there are none."""


def win(seat: int, *, forced: bool = False, **value: object) -> Json:
    """Return a win: of its keywords those that name an award are counted, the others say what the hand is worth."""
    counts = {key: value.pop(key) for key in ("ippatsu", "ura", "red", "gold", "flush") if key in value}
    found: Json = {"seat": seat, "value": value, "prizes": {"counts": counts}}
    return {**found, "forced": True} if forced else found


BOOKS = (
    Book(
        "cinderella",
        {"riichi/stake": 1000, "dead_hand": True, "prizes": None, "several/two": "head_bump"},
        ({"type": "dead_hand", "seat": 2}, {"type": "draw", "tenpai": [0, 1]}),
        people=4,
    ),
    Book(
        "banchi4",
        {"prizes/counts": ["ippatsu", "ura", "red", "gold"], "nagashi/worth": "mangan", "fine/amount": 1000},
        ({"type": "ron", "loser": 3, "wins": [win(1, han=3, fu=40, red=1, gold=1)]},),
        people=4,
        in_picker=("gs", "wz"),
    ),
    Book(
        "banchi3",
        {"riichi/open": {"stake": 2000}, "forced": True, "prizes/counts": ["ippatsu", "ura", "red", "gold"]},
        (
            {"type": "tsumo", "win": win(1, limit="haneman", red=2, gold=1)},
            {"type": "riichi", "seat": 0, "open": True},
            {"type": "ron", "loser": 2, "wins": [win(0, yakuman=1, forced=True)]},
        ),
        house={"sink_uma": 10000, "gold_chip_g": 400, "honba_tsumo": "each"},
        ends=("bust",),
        in_picker=("nuki", "gp", "wz"),
    ),
    Book(
        "kansai3",
        {"prizes/counts": ["ippatsu", "ura", "flush"], "nagashi/nature": "win", "four_kans_stand": True},
        (
            {"type": "tsumo", "win": win(1, limit="haneman", flush=1)},
            # Two winners take one guest out: the one sitting next to the right is paid first and gets the prize.
            {"type": "ron", "loser": 2, "wins": [win(0, limit="sanbaiman"), win(1, limit="baiman")]},
        ),
        ends=("bust",),
        in_picker=("nuki", "1f", "4z"),
    ),
    Book(
        "superbingo",
        {"prizes/each": True, "prizes/fixed": ["all_seven"], "riichi/open": {"stake": 1000}, "forced": True},
        (
            {"type": "riichi", "seat": 0, "open": True},
            {"type": "tsumo", "win": {**win(0, limit="mangan", ippatsu=1), "prizes": {"each": 7}}},
        ),
        table={"pocchi": True, "dx": True},
        in_picker=("nuki", "1b", "wz"),
    ),
    Book(
        "boo",
        {"prizes/counts": ["ura"], "riichi/stake": 0, "draw/tenpai": False, "several/two": "head_bump"},
        (
            {"type": "riichi", "seat": 2},
            {"type": "ron", "loser": 3, "wins": [win(2, han=2, fu=40, ura=2)]},
            {"type": "tsumo", "win": win(1, yakuman=1)},
        ),
        house={"ura_chips": True, "yakuman": "instant_a_top", "gentsuu": "own_fee"},
        people=4,
        ends=("yakuman",),
    ),
)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.name)
def test_the_events_of_a_book_are_offered_at_the_table_and_confirmed_with_its_numbers(book: Book) -> None:
    competition = parlours.parlour(book.name, options=dict(book.house))
    sitting = parlours.sitting(competition, parlours.guests(competition, book.people), options=dict(book.table))
    hanchan = start_followed_game(sitting=sitting, first_dealer=book.people - 1, by=SYSTEM)
    device = Device.of_scorer(sitting.table_session)
    asks = device.document()["asks"]
    assert {path: at(asks, path) for path in book.asked} == book.asked
    page = device.client.get(f"/tables/{sitting.table_session_id}/sheet/", headers={"Accept-Language": "en"})
    assert all(f'"{name}"' in page.content.decode() for name in book.in_picker)
    tulip = re.findall(r'href="(/rules/[a-z]+/tulip/[^"]+)"', page.content.decode())
    assert [device.client.get(unescape(link)).status_code for link in tulip] == [200] * (book.name == "superbingo")
    assert ["option_dx=true" in link for link in tulip] == [True] * (book.name == "superbingo")
    answer = device.enter(*book.entries)
    assert answer.status_code == 200, answer.content.decode()[:600]
    document = json.loads(answer.content)
    assert tuple(each["reason"] for each in (document["end"] or {"reasons": ()})["reasons"]) == book.ends
    said = device.post("submit", sequence=document["sequence"], ended_by_time=not book.ends, accept=["extreme_score"])
    assert json.loads(said.content)["submit"]["state"] == "waiting", said.content.decode()[:600]
    followed = followed_game(Hanchan.objects.get())
    rules = ruleset_of(hanchan.rules, followed.hanchan.options)
    settled = settle(result_of(followed.log.state, rules), rules)
    clerk = factories.actor(factories.user("clerk", Role.SCORER, competition))
    assert followed.sheet is not None
    sheet = confirm_followed_game(sheet=followed.sheet, by=clerk)
    assert sheet.state == ResultSheet.State.CONFIRMED
    for ledger, totals in settled.totals.items():
        assert tuple(row.totals[ledger] for row in sheet.seats.order_by("seat")) == tuple(totals)
    shown = [seat["points_text"] for seat in document["settlement"]]
    ranking = [each.key for each in followed.shown].index(rules.ranking_ledger.key)
    assert [seat.totals[ranking] for seat in followed.seats] == shown
    assert running(sitting).games == 1


def at(document: object, path: str) -> object:
    """Return a value of a document by its path; the key of a list's entry is its `event` or `yaku`."""
    for key in path.split("/"):
        assert isinstance(document, dict), path
        document = document[key]
    if isinstance(document, list):
        return [each.get("event") or each.get("yaku") for each in document]
    return document
