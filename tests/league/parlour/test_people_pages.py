"""Tests of guest fields, the waiting list and changes of chairs on the parlour's pages, without JavaScript."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from league.models import Competition, Membership, Player, Role, Sitting
from league.selectors.parlour.board import running, waiting_list
from league.selectors.parlour.guests import house_players
from league.services.parlour.chairs import swap_guests
from league.services.parlour.people import add_guest, enter_guest, merge_players
from league.services.parlour.sittings import Guest, join, leave
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours

pytestmark = pytest.mark.django_db
OPEN = "/p/banchi3/board/open/"
NAMES = parlours.THREE


@pytest.fixture
def table(parlour: Competition) -> Sitting:
    """Return table 1 with the first three of five guests."""
    return parlours.sitting(parlour, parlours.guests(parlour, 5)[:3])


def opened(clerk: Client, **typed: str) -> tuple[int, str]:
    """Post the form of a new table; return the status and the page."""
    answer = clerk.post(OPEN, {"table": "7", "kind": "free", "chips": "per_game", **typed})
    return answer.status_code, html.unescape(answer.content.decode())


def fields_of(page: str, name: str) -> dict[str, str]:
    """Return a page's chosen values of the fields of a guest, as a browser would send them."""
    sent = {}
    for tag in re.findall(r"<input[^>]*>", page):
        found = re.search(r'name="([^"]*)"', tag)
        value = re.search(r'value="([^"]*)"', tag)
        is_off = " disabled" in tag or (re.search(r'type="(radio|checkbox)"', tag) and " checked" not in tag)
        if found and value and not is_off and found[1].endswith(name):
            sent[found[1]] = value[1]
    return sent


def test_a_table_is_opened_with_a_number_a_kana_reading_and_a_new_guest(clerk: Client, parlour: Competition) -> None:
    parlours.guests(parlour, 3)
    status, _page = opened(clerk, guest_0="３", guest_1="コタキ", guest_2="夜風 しの/よかぜ しの/077", first_dealer="2")
    assert status == 302
    sitting = Sitting.objects.get()
    assert parlours.names(sitting) == ["夜風 しの", NAMES[2], NAMES[1]]
    assert Player.objects.get(number="077").name_kana == "よかぜ しの"


def test_an_unknown_name_is_asked_about_once_and_one_more_enter_adds_the_guest(
    clerk: Client, parlour: Competition
) -> None:
    parlours.guests(parlour, 1)
    typed = {"guest_0": "1", "guest_1": "夜風 しの", "guest_2": ""}
    status, page = opened(clerk, **typed)
    assert status == 422
    assert "add “夜風 しの” as a new guest" in page
    asked = {**fields_of(page, "_0"), **fields_of(page, "_1"), **fields_of(page, "_2")}
    assert asked["guest_0"] == NAMES[0]
    assert (asked["guest_1"], asked["player_1"]) == ("夜風 しの", "new")
    assert page.count(" autofocus") == 1
    assert opened(clerk, **asked)[0] == 302
    assert parlours.names(Sitting.objects.get()) == [NAMES[0], "夜風 しの", "-"]


def test_a_new_guest_like_a_known_one_is_offered_both_ways(clerk: Client, parlour: Competition) -> None:
    known = parlours.guests(parlour, 1)[0]
    status, page = opened(clerk, guest_0="湯川 みなと/べつ")
    assert status == 422
    assert f'type="radio" name="player_0" value="{known.player_id}"' in page
    assert 'type="radio" name="player_0" value="new"' in page
    assert opened(clerk, guest_0="湯川 みなと/べつ", player_0="new")[0] == 302
    assert Player.objects.filter(name="湯川 みなと").count() == 2


def test_the_question_of_a_refused_guest_is_asked_at_the_counter(clerk: Client, table: Sitting) -> None:
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    seats = f"/p/banchi3/sittings/{table.pk}/seats/"
    typed = {"chair": "1", "action": "join", "guest": "夜風 しの", "house": "1"}
    page = html.unescape(clerk.post(seats, typed, follow=True).content.decode())
    assert "add “夜風 しの” as a new guest" in page
    page = page[page.index("inline join") :].split("</form>")[0]
    assert fields_of(page, "player") == {"player": "new"}
    assert fields_of(page, "house") == {"house": "1"}
    clerk.post(seats, {**typed, "player": "new"})
    assert parlours.names(table)[1] == "夜風 しの"


def test_guests_change_chairs_and_stand_ins_stay_until_back_at_the_counter(clerk: Client, table: Sitting) -> None:
    seats, counter = f"/p/banchi3/sittings/{table.pk}/seats/", f"/p/banchi3/sittings/{table.pk}/"
    page = html.unescape(clerk.get(counter).content.decode())
    assert f"Table 1: swap with {NAMES[2]}" in page
    clerk.post(seats, {"chair": "0", "action": "move", "place": f"{table.pk}:2:{parlours.chair(table, 2).pk}"})
    assert parlours.names(table) == [NAMES[2], NAMES[1], NAMES[0]]
    other = parlours.sitting(table.table_session.competition, [], table="2")
    clerk.post(seats, {"chair": "0", "action": "move", "place": f"{other.pk}:1"})
    assert parlours.names(other) == ["-", NAMES[2], "-"]
    assert clerk.post(seats, {"chair": "1", "action": "move", "place": "x:y"}).status_code == 404
    clerk.post(seats, {"chair": "1", "action": "stand_in", "guest": "5", "stays": "1"})
    assert parlours.chair(table, 1).stand_in_stays
    assert "until back" in clerk.get(counter).content.decode()


def test_a_button_of_an_old_page_does_nothing_to_the_guest_who_sits_there_now(clerk: Client, table: Sitting) -> None:
    seats, counter = f"/p/banchi3/sittings/{table.pk}/seats/", f"/p/banchi3/sittings/{table.pk}/"
    first, last = parlours.chair(table, 0).pk, parlours.chair(table, 2).pk
    shown = f'name="chair" value="0"><input type="hidden" name="who" value="{first}">'
    assert shown in clerk.get(counter).content.decode()
    swap_guests(one=parlours.chair(table, 0), other=parlours.chair(table, 1), by=SYSTEM)
    before = parlours.names(table)
    for action in ("leave", "last", "house", "stand_in", "move"):
        typed = {"chair": "0", "who": first, "action": action, "guest": "5", "place": f"{table.pk}:2:{last}"}
        page = clerk.post(seats, typed, follow=True)
        assert f"{NAMES[0]} no longer sits there, so nothing was changed." in page.content.decode()
    clerk.post(seats, {"chair": "0", "action": "move", "place": f"{table.pk}:2"})
    assert parlours.names(table) == before
    now = running(table).seated[0]
    assert (now.is_last_game, now.is_house, now.stand_in) == (False, False, None)


def test_who_last_played_for_the_house_is_offered_at_an_empty_chair(clerk: Client, table: Sitting) -> None:
    book, seats = table.table_session.competition, f"/p/banchi3/sittings/{table.pk}/seats/"
    player = add_guest(competition=book, name="店長 さん", by=SYSTEM).player
    button = f'<button class="light" name="player" value="{player.pk}">店長 さん</button>'
    join = {"chair": "1", "action": "join", "player": str(player.pk)}
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    assert button not in clerk.get(f"/p/banchi3/sittings/{table.pk}/").content.decode()

    clerk.post(seats, {**join, "house": "1"})
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    assert button in clerk.get(f"/p/banchi3/sittings/{table.pk}/").content.decode()
    assert [guest["house"] for guest in clerk.get("/p/banchi3/guests/", {"q": "店長"}).json()["guests"]] == [True]

    # Off duty the same person plays as a guest, and is no longer offered.
    clerk.post(seats, join)
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    assert button not in clerk.get(f"/p/banchi3/sittings/{table.pk}/").content.decode()


def test_who_plays_for_the_house_is_offered_under_the_entry_kept_of_two(parlour: Competition, table: Sitting) -> None:
    duplicate = add_guest(competition=parlour, name="てんちょう", by=SYSTEM)
    keep = add_guest(competition=parlour, name="店長 さん", by=SYSTEM).player
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    join(sitting=table, seat=1, guest=Guest(entrant=duplicate, is_house=True), by=SYSTEM)
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    assert house_players(parlour.parlour_id) == [duplicate.player]
    merge_players(duplicate=duplicate.player, keep=keep, by=SYSTEM)
    assert house_players(parlour.parlour_id) == [keep]


def test_a_party_waits_with_its_wish_and_the_rest_stays_on_the_list(clerk: Client, table: Sitting) -> None:
    path, board = "/p/banchi3/board/waiting/", "/p/banchi3/board/"
    clerk.post(path, {"action": "add", "guest": "4", "party": "2", "wish": "禁煙の卓"})
    page = clerk.get(board).content.decode()
    assert "2 people" in page
    assert "禁煙の卓" in page
    assert "wait unknown" in page
    leave(seat=parlours.chair(table, 0), by=SYSTEM)
    leave(seat=parlours.chair(table, 1), by=SYSTEM)
    assert "a seat at table 1 now" in clerk.get(board).content.decode()
    row = waiting_list([table.table_session.competition])[0]
    clerk.post(path, {"action": "seat", "waiting": row.pk, "place": f"{table.pk}:0"})
    assert f"company of {NAMES[3]}" in clerk.get(board).content.decode()
    rest = waiting_list([table.table_session.competition])[0]
    seat = {"action": "seat", "waiting": str(rest.pk), "place": f"{table.pk}:1"}
    asked = html.unescape(clerk.post(path, {**seat, "guest": "連れ 二"}, follow=True).content.decode())
    assert "add “連れ 二” as a new guest" in asked
    clerk.post(path, {**seat, "guest": "連れ 二", "player": "new"})
    assert parlours.names(table) == [NAMES[3], "連れ 二", NAMES[2]]
    assert waiting_list([table.table_session.competition]) == []


@pytest.mark.both_databases
@pytest.mark.parametrize("text", ["\0", "a\0b/c", "%_\\", "(*", "'"])
def test_no_text_breaks_the_search_or_a_question(clerk: Client, table: Sitting, text: str) -> None:
    assert clerk.get("/p/banchi3/guests/", {"q": text}).status_code in {200, 400}
    for path in ("board/", f"sittings/{table.pk}/"):
        assert clerk.get(f"/p/banchi3/{path}", {"guest": text, "chair": "1"}).status_code in {200, 400}


@pytest.mark.parametrize("party", ["0", "x", "99"])
def test_a_refused_party_keeps_what_was_typed(clerk: Client, table: Sitting, party: str) -> None:
    typed = {"action": "add", "guest": "4", "party": party, "wish": "窓側"}
    page = clerk.post("/p/banchi3/board/waiting/", typed, follow=True).content.decode()
    assert "1 to 20 people" in page
    assert fields_of(page, "wish") == {"wish": "窓側"}
    assert fields_of(page, "party") == {"party": party}
    assert NAMES[3] in fields_of(page, "guest")["guest"]
    assert waiting_list([table.table_session.competition]) == []


@pytest.mark.parametrize("directs_both", [True, False])
def test_a_merge_shows_the_records_of_a_guest_only_in_houses_that_the_user_directs(
    parlour: Competition, table: Sitting, directs_both: bool
) -> None:
    parlours.play(table)
    keep = parlours.chair(table, 0).entrant.player
    other = parlours.parlour("kansai3", name="山手")
    duplicate = add_guest(competition=other, name="ゆかわ", by=SYSTEM).player
    enter_guest(competition=other, player=keep, by=SYSTEM)
    user = factories.user("director", Role.DIRECTOR, other)
    if directs_both:
        Membership.objects.create(competition=parlour, user=user, role=Role.DIRECTOR)
    director = Client(headers={"accept-language": "en"})
    director.force_login(user)
    typed = {"player_duplicate": duplicate.pk, "player_keep": keep.pk}
    page = html.unescape(director.post("/p/kansai3/guests/merge/", typed).content.decode())
    preview = page[page.index("What will be one") :]
    assert "山手" in preview
    games = re.search(r"Games</th>(.*?)</tr>", preview)
    assert games
    assert re.findall(r">(\d+)<", games[1]) == ["0", "1" if directs_both else "0"]
    assert (parlour.name in preview) == directs_both


def test_a_guest_of_another_house_is_kept_only_by_a_director_of_both(parlour: Competition, table: Sitting) -> None:
    keep = parlours.chair(table, 0).entrant.player
    other = parlours.parlour("kansai3", name="山手")
    duplicate = add_guest(competition=other, name="ゆかわ", by=SYSTEM).player
    user = factories.user("director", Role.DIRECTOR, other, is_staff=True)
    director = Client(headers={"accept-language": "en"})
    director.force_login(user)
    typed = {"player_duplicate": duplicate.pk, "player_keep": keep.pk, "confirmed": f"{duplicate.pk}:{keep.pk}"}
    body = {"duplicate": str(duplicate.pk), "keep": str(keep.pk)}
    for refused in (
        director.post("/p/kansai3/guests/merge/", typed),
        director.post("/api/v1/parlours/kansai3/guests/merge/", body, content_type="application/json"),
        director.post(f"/admin/league/player/{duplicate.pk}/merge/", {"key": keep.key}),
    ):
        assert refused.status_code == 422
        assert "plays neither where you direct" in refused.content.decode()
    assert not Player.objects.exclude(merged_into=None).exists()
    Membership.objects.create(competition=parlour, user=user, role=Role.DIRECTOR)
    assert director.post("/p/kansai3/guests/merge/", typed).status_code == 302
    assert Player.objects.get(merged_into=keep) == duplicate


def test_two_people_who_met_are_refused_before_anything_is_merged(parlour: Competition, table: Sitting) -> None:
    director = Client(headers={"accept-language": "en"})
    director.force_login(factories.user("director", Role.DIRECTOR, parlour))
    parlours.play(table)
    typed = {"guest_duplicate": "1", "guest_keep": "2", "reason": "typed twice"}
    answer = director.post("/p/banchi3/guests/merge/", typed)
    page = html.unescape(answer.content.decode())
    assert answer.status_code == 422
    assert "sat in one game" in page
    assert "What will be one" not in page
    assert fields_of(page, "_keep")["guest_keep"] == NAMES[1]
    assert fields_of(page, "reason") == {"reason": "typed twice"}
