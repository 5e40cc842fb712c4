"""Tests of changes to a player while results and other changes of the same player are saved: all of them succeed."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import partial
from typing import Any

import pytest

from league.files.pictures import StoredPicture
from league.models import Change, Player, ResultSheet, WaitingGuest
from league.platform.errors import ServiceError
from league.services.competitions.editing import EntrantWords, PlayerWords, edit_entrant, edit_player
from league.services.competitions.roster import admit
from league.services.competitions.setup import enter_players, new_player
from league.services.competitions.wizard import enter_roster
from league.services.parlour.people import add_waiting, enter_guest, merge_players
from league.services.people.erasure import erase_player
from league.services.people.pictures import keep_picture
from league.services.people.upserts import upsert_entrants
from tests.api.client import Api
from tests.factories import SYSTEM, final_table, in_block, league, play, seated, table, user
from tests.league import parlours
from tests.league.results.test_concurrency import at_once, same_as_rebuilt

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def words_of(player: Player) -> PlayerWords:
    """Return the player's data as stored now."""
    row = Player.objects.get(pk=player.pk)
    return PlayerWords(**{each.name: getattr(row, each.name) for each in fields(PlayerWords)})


def test_a_result_is_saved_while_one_of_its_players_is_erased_pictured_or_edited_over_rest() -> None:
    season = league()
    games = list(table(season.blocks.get(key="A")).hanchan.order_by("round"))
    one, other, third, _fourth = (entrant.player for entrant in seated(games[0]))
    picture = StoredPicture(data=b"picture", width=8, height=8)
    desk, path = Api(user("boss", is_superuser=True, is_staff=True)), f"/api/v1/people/{third.pk}/"
    tag = desk.client.get(path, headers=desk.headers).headers["ETag"]

    def edit() -> object:
        sent = {"name": third.name, "affiliation": "club"}
        headers = {**desk.headers, "If-Match": tag}
        return desk.client.put(path, sent, content_type="application/json", headers=headers).status_code

    at_once(lambda: play(games[0]), lambda: erase_player(player=one, by=SYSTEM))
    at_once(
        lambda: play(games[1], accept={"same_result_twice"}),
        lambda: keep_picture(subject=other, drawn=picture, by=SYSTEM),
    )
    assert at_once(lambda: play(games[2], accept={"same_result_twice"}), edit)[1] == 200
    assert ResultSheet.objects.counting().count() == 3
    season.refresh_from_db()
    numbers = Change.objects.filter(competition=season).order_by("n").values_list("n", flat=True)
    assert list(numbers) == list(range(1, season.version + 1))
    assert same_as_rebuilt(season)


def test_data_typed_while_a_player_is_erased_do_not_outlast_the_erasure() -> None:
    season = league()
    for entrant in in_block(season.blocks.get(key="A"))[:3]:
        player = entrant.player
        typed = replace(words_of(player), name_romaji="Typed meanwhile")
        stale = Player.objects.get(pk=player.pk)
        words = EntrantWords(affiliation="Typed meanwhile", country="")
        answers = at_once(
            partial(erase_player, player=player, by=SYSTEM),
            partial(edit_player, player=stale, words=typed, by=SYSTEM),
            partial(edit_entrant, entrant=entrant, words=words, by=SYSTEM),
        )
        assert not isinstance(answers[0], ServiceError)
        player.refresh_from_db()
        entrant.refresh_from_db()
        assert "Typed" not in player.name_romaji + entrant.affiliation


def test_no_entry_that_is_merged_at_this_moment_stays_in_a_competition() -> None:
    for number in range(6):
        season = final_table(slug=f"season-{number}")
        duplicate, keep = new_player(name="Twice", by=SYSTEM), new_player(name="Once", by=SYSTEM)
        merged, entered = at_once(
            partial(merge_players, duplicate=duplicate, keep=keep, by=SYSTEM),
            partial(enter_players, competition=season, players=[duplicate], by=SYSTEM),
        )
        codes = {
            one.code for answer in (merged, entered) if isinstance(answer, ServiceError) for one in answer.findings
        }
        assert codes <= {"player_gone"}
        there = season.entrants.filter(player__in=[duplicate, keep]).select_related("player")
        assert [one for one in there if one.player.merged_into_id is not None] == []


def test_a_roster_pasted_again_and_the_merge_of_one_of_its_players_do_not_wait_for_each_other() -> None:
    season = final_table()
    for number in range(6):
        duplicate, keep = new_player(name=f"Twice {number}", by=SYSTEM), new_player(name=f"Once {number}", by=SYSTEM)
        enter_players(competition=season, players=[duplicate], by=SYSTEM)
        again: dict[str, Any] = {"competition": season, "people": [duplicate], "by": SYSTEM}
        answers = at_once(
            partial(merge_players, duplicate=duplicate, keep=keep, by=SYSTEM),
            partial(enter_roster, **again),
            partial(upsert_entrants, words=[None], **again),
            partial(admit, **again),
        )
        refused = [answer for answer in answers if isinstance(answer, ServiceError)]
        assert {one.code for answer in refused for one in answer.findings} <= {"player_gone", "no_free_place"}
        assert season.entrants.filter(player=keep).exists()


def test_no_entry_that_is_merged_at_this_moment_stays_at_an_open_table_or_on_its_waiting_list() -> None:
    for number in range(6):
        book = parlours.parlour(slug=f"house-{number}")
        duplicate, keep = new_player(name="Twice", by=SYSTEM), new_player(name="Once", by=SYSTEM)
        answers = at_once(
            partial(merge_players, duplicate=duplicate, keep=keep, by=SYSTEM),
            partial(enter_guest, competition=book, player=duplicate, by=SYSTEM),
            partial(add_waiting, competition=book, player=duplicate, by=SYSTEM),
        )
        refused = [answer for answer in answers if isinstance(answer, ServiceError)]
        assert {one.code for answer in refused for one in answer.findings} <= {"player_gone"}
        assert not book.entrants.filter(player=duplicate, merged_into=None).exists()
        assert not WaitingGuest.objects.filter(player=duplicate).exists()


def test_two_entries_are_merged_while_the_one_kept_is_edited_and_the_other_gets_a_picture() -> None:
    season = league()
    people = [entrant.player for entrant in in_block(season.blocks.get(key="A"))]
    picture = StoredPicture(data=b"picture", width=8, height=8)
    for number, keep in enumerate(people[:4]):
        duplicate = new_player(name=f"Twice {number}", by=SYSTEM)
        answers = at_once(
            partial(merge_players, duplicate=duplicate, keep=keep, by=SYSTEM),
            partial(edit_player, player=keep, words=replace(words_of(keep), affiliation="Club"), by=SYSTEM),
            partial(keep_picture, subject=duplicate, drawn=picture, by=SYSTEM),
        )
        refused = [answer for answer in answers if isinstance(answer, ServiceError)]
        assert {one.code for answer in refused for one in answer.findings} <= {"player_gone"}
        duplicate.refresh_from_db()
        assert duplicate.merged_into_id == keep.pk
