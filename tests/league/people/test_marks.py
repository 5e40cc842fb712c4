"""Test the marks of players and leagues: choosing them, deriving them, and telling them apart at a table."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from league.models import Competition, OrganizationChange, Player
from league.platform.errors import RuleViolationError
from league.services.competitions.editing import CompetitionWords, PlayerWords, edit_competition, edit_player
from league.services.competitions.setup import new_player
from league.services.people.erasure import erase_player
from league.wording.accents import DARK, NEEDED, PAPER, contrast, for_dark
from league.wording.marks import COLOURS, competition_mark, first_glyph, is_glyph, mark_of, marks_of
from tests.factories import SYSTEM, final_table, user
from tests.league.parlours import guests, parlour

pytestmark = pytest.mark.django_db


def person(name: str = "琥珀川 みお", **chosen: Any) -> Player:
    player = new_player(name=name, by=SYSTEM)
    return edit_player(player=player, words=PlayerWords(name=name, **chosen), by=SYSTEM) if chosen else player


@pytest.mark.both_databases
def test_a_chosen_mark_is_kept_and_logged_and_emptying_it_derives_it_again() -> None:
    player = person(mark_glyph="珀", mark_colour=11)
    player.refresh_from_db()
    assert (mark_of(player).glyph, mark_of(player).colour) == ("珀", 11)
    line = OrganizationChange.objects.get(kind="player.edited")
    assert line.after == {"fields": ["mark_colour", "mark_glyph"]}
    edit_player(player=player, words=PlayerWords(name=player.name), by=SYSTEM)
    player.refresh_from_db()
    assert (player.mark_glyph, player.mark_colour) == ("", None)
    assert mark_of(player).glyph == "琥"


@pytest.mark.parametrize("glyph", ["鷹", "A", "★", "7", "が", "葛\U000e0100", "か\u3099"])
def test_one_visible_character_is_a_glyph(glyph: str) -> None:
    assert is_glyph(glyph)


@pytest.mark.parametrize(
    "glyph", ["", "鷹狩", " ", "\u3000", "\u200b", "\u3164", "\u0301", "\n", "👨\u200d👩", "🇯🇵", "a" + "\u0301" * 20]
)
def test_several_characters_or_none_are_no_glyph(glyph: str) -> None:
    assert not is_glyph(glyph)


def test_a_mark_of_two_characters_or_an_unknown_colour_is_refused_at_its_field() -> None:
    for chosen, pointer in (({"mark_glyph": "琥珀"}, "/mark_glyph"), ({"mark_colour": COLOURS}, "/mark_colour")):
        with pytest.raises(RuleViolationError) as refused:
            person(**chosen)
        assert [finding.pointer for finding in refused.value.findings] == [pointer]


def test_the_first_glyph_keeps_its_variation_selector() -> None:
    assert first_glyph("葛\U000e0100西 あや") == "葛\U000e0100"
    assert first_glyph("  mio") == "M"


def test_a_table_never_shows_a_colour_twice_and_chosen_colours_come_first() -> None:
    wanted = mark_of(person("甲")).colour
    derived = next(
        player for player in (person(f"乙{number}") for number in range(200)) if mark_of(player).colour == wanted
    )
    chosen = person("丙", mark_colour=wanted)
    same = person("丁", mark_colour=wanted)
    marks = marks_of([derived, chosen, same])
    assert list(marks) == [derived.pk, chosen.pk, same.pk]
    assert marks[chosen.pk].colour == wanted
    assert marks[same.pk].colour == (wanted + 1) % COLOURS
    assert marks[derived.pk].colour == (wanted + 2) % COLOURS


def test_twelve_players_have_twelve_colours_and_a_thirteenth_repeats_one() -> None:
    people = [person(f"人{number}") for number in range(13)]
    assert len({mark.colour for mark in marks_of(people[:12]).values()}) == COLOURS
    assert len(marks_of(people)) == 13


def test_an_accent_needs_its_contrast_on_paper_and_the_error_names_the_ratio() -> None:
    competition = final_table()
    with pytest.raises(RuleViolationError) as refused:
        edit_competition(competition=competition, words=CompetitionWords(name="杯", accent="#d9a441"), by=SYSTEM)
    finding = refused.value.findings[0]
    assert (finding.code, finding.pointer) == ("accent_too_faint", "/accent")
    assert f"{int(contrast('#d9a441', PAPER) * 10) / 10:.1f} : 1" in finding.message
    for odd in ("red", "#12345", "#1234567", "#GGGGGG", "7a1f3d"):
        with pytest.raises(RuleViolationError):
            edit_competition(competition=competition, words=CompetitionWords(name="杯", accent=odd), by=SYSTEM)


@pytest.mark.parametrize("colour", ["#000000", "#0d5241", "#7a1f3d", "#00008b", "#5a3000"])
def test_an_accent_is_lightened_until_it_is_legible_in_the_dark(colour: str) -> None:
    assert contrast(for_dark(colour), DARK) >= NEEDED


def test_black_on_white_has_the_contrast_that_wcag_names() -> None:
    assert round(contrast("#000000", "#ffffff")) == 21


@pytest.mark.both_databases
def test_a_league_chooses_its_tile_and_accent_in_the_admin_and_an_error_keeps_what_was_typed() -> None:
    competition = final_table()
    client = Client(headers={"accept-language": "en"})
    client.force_login(user("chief", is_staff=True, is_superuser=True))
    page = f"/admin/league/competition/{competition.pk}/edit/"
    typed = {
        "name": "灯火杯", "name_en": "", "confirmation": "one", "audience": "public", "time_zone": "Asia/Tokyo",
        "day_starts_at": "00:00", "live_delay": "0", "advice": "staff",
        "mark_glyph": "灯", "mark_colour": "3", "accent": "#ffee00",
    }  # fmt: skip
    refused = client.post(page, typed)
    assert refused.status_code == 422
    assert "#ffee00" in refused.content.decode()
    assert client.post(page, typed | {"accent": "#7A1F3D"}).status_code == 302
    saved = Competition.objects.get(pk=competition.pk)
    assert (competition_mark(saved).glyph, saved.mark_colour, saved.accent) == ("灯", 3, "#7a1f3d")


def test_a_player_is_given_a_mark_in_the_admin_and_the_api_shows_it() -> None:
    competition = final_table()
    player = competition.entrants.select_related("player")[0].player
    client = Client(headers={"accept-language": "en"})
    client.force_login(user("chief", is_staff=True, is_superuser=True))
    sent = {"name": player.name, "mark_glyph": "★", "mark_colour": "5"}
    assert client.post(f"/admin/league/player/{player.pk}/edit/", sent).status_code == 302
    shown = Client().get(f"/api/v1/players/{player.pk}/").json()
    assert shown["mark"] == {"glyph": "★", "colour": 5}


def test_a_guest_under_a_handle_is_shown_by_its_first_character_and_not_by_the_chosen_one() -> None:
    room = parlour()
    guest = guests(room, 4)[0].player
    words = PlayerWords(name="山田", handle="taro", is_public=True, mark_glyph="山")
    edit_player(player=guest, words=words, by=SYSTEM)
    Competition.objects.filter(pk=room.pk).update(audience="public")
    shown = Client().get(f"/api/v1/players/{guest.pk}/").json()
    assert shown["mark"]["glyph"] == "T"


def test_erasing_a_player_erases_the_chosen_mark() -> None:
    player = person(mark_glyph="珀", mark_colour=11)
    erased = erase_player(player=player, by=SYSTEM)
    assert (erased.mark_glyph, erased.mark_colour) == ("", None)
