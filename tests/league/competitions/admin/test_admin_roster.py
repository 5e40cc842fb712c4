"""Tests of an open tournament in the wizard: from its creation to the published schedule, with odd numbers."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Change, Competition, Credit, Entrant, Hanchan, HanchanSeat
from league.selectors.rulebooks.rules_in_force import rules_at
from league.services.rulebooks.own_formats import keep_own_format
from tests.factories import SYSTEM, play
from tests.fuzz.forms import forms_of
from tests.league.admin_pages import at
from tests.league.competitions.test_open_size import TEXTS

pytestmark = pytest.mark.django_db
BEGIN = "/admin/league/competition/set-up/"


def set_up(client: Client, name: str, expected: int, people: int) -> Competition:
    """Go through the wizard to the blocks page with this number of players entered."""
    keep_own_format(text=TEXTS[name].replace(f'name = "{name}"', 'name = "club"'), by=SYSTEM)
    begin = f"{BEGIN}?format=club@1&entrants={expected}"
    (form,) = [form for form in forms_of(begin, client.get(begin).content.decode()) if "options_of" in form.fields]
    assert form.untouched["entrants"] == [str(expected)]
    answer = client.post(begin, {**form.untouched, "name": "オープン", "every": "0"})
    made = Competition.objects.get()
    assert answer["Location"] == at(made, "set-up-players")
    pasted = {"pasted": "\n".join(f"選手{number}" for number in range(people))}
    seen = client.post(at(made, "set-up-players"), pasted).context["form"].digest
    entered = client.post(at(made, "set-up-players"), {**pasted, "enter": "1", "seen": seen})
    assert entered["Location"] == at(made, "set-up-blocks")
    return made


def publish(client: Client, made: Competition) -> str:
    """Write the proposed schedule and publish the competition; return the text of the schedule page before."""
    page = client.get(at(made, "set-up-schedule"), follow=True)
    (form,) = [form for form in forms_of("", page.content.decode()) if "seen" in form.fields]
    written = client.post(at(made, "set-up-schedule"), {**form.untouched, "write": "1"})
    assert written["Location"] == at(made, "set-up-publish")
    client.post(at(made, "set-up-publish"))
    made.refresh_from_db()
    assert made.status == Competition.Status.PUBLISHED
    return str(page.content.decode())


def seats(made: Competition) -> Counter[int]:
    """Return how many entrants are seated in each hanchan."""
    rows = HanchanSeat.objects.filter(hanchan__block__competition=made)
    return Counter(rows.values_list("hanchan__number", flat=True))


def test_a_swiss_of_37_is_set_up_with_byes_and_its_later_rounds_wait_for_their_pairing(chief: Client) -> None:
    made = set_up(chief, "swiss-40", expected=40, people=37)
    page = chief.get(at(made, "set-up-blocks")).content.decode()
    for text in (
        "37 players are entered.",
        "The format has 40 places.",
        "It can have 16 to 120.",
        "1 bye in each round",
    ):
        assert text in page
    (form,) = [form for form in forms_of("", page) if form.untouched.get("entrants") == ["37"]]
    answer = chief.post(at(made, "set-up-blocks"), {**form.untouched, "close": "1"})
    assert answer["Location"] == at(made, "set-up-blocks")
    assert rules_at(made).entrants == 37
    assert Change.objects.filter(competition=made, kind="roster.closed").count() == 1
    assert "rounds 3-5: paired by the standing" in publish(chief, made)
    assert seats(made) == {1: 36, 2: 36}
    assert Hanchan.objects.filter(block__competition=made).count() == 5 * 9
    assert Credit.objects.standing().filter(kind=Credit.Kind.BYE).count() == 2


def test_an_event_of_30_is_set_up_with_house_players(chief: Client) -> None:
    made = set_up(chief, "ema-64", expected=32, people=30)
    page = chief.get(at(made, "set-up-blocks")).content.decode()
    assert "2 house players" in page
    chief.post(at(made, "set-up-blocks"), {"entrants": "30", "close": "1"})
    assert "House player 1" in chief.get(at(made, "set-up-blocks")).content.decode()
    publish(chief, made)
    assert set(seats(made).values()) == {32}
    assert HanchanSeat.objects.filter(entrant__is_house=True).count() == 2 * 8


def test_another_number_is_shown_with_its_faults_or_what_follows_before_the_roster_is_closed(chief: Client) -> None:
    made = set_up(chief, "swiss-40", expected=40, people=37)

    def shown(data: dict[str, str], status: int = 200) -> Any:
        page = chief.post(at(made, "set-up-blocks"), data)
        assert page.status_code == status
        return page

    assert [way.fit.entrants for way in shown({"entrants": "36", "look": "1"}).context["closings"]] == [37, 36]
    assert "this format is for 16 to 120 entrants" in shown({"entrants": "12", "look": "1"}).content.decode()
    assert "Enter a whole number" in shown({"entrants": "many", "look": "1"}, 422).content.decode()
    for button, status in (("look", 200), ("close", 422)):
        assert "There are 37 players, fewer than 38." in shown({"entrants": "38", button: "1"}, status).content.decode()
    assert rules_at(made).entrants == 40


def test_those_who_have_checked_in_can_be_counted_alone(chief: Client) -> None:
    made = set_up(chief, "swiss-40", expected=20, people=20)
    Entrant.objects.filter(competition=made, number__lte=18).update(checked_in_at=timezone.now())
    page = chief.get(at(made, "set-up-blocks"))
    assert [(way.fit.entrants, way.only_present) for way in page.context["closings"]] == [(20, False), (18, True)]
    assert "2 of those entered get no place, and stay entered." in page.content.decode()
    chief.post(at(made, "set-up-blocks"), {"entrants": "18", "only_present": "on", "close": "1"})
    assert rules_at(made).entrants == 18


def test_after_the_first_result_the_page_says_that_the_number_stays(chief: Client) -> None:
    made = set_up(chief, "swiss-40", expected=16, people=16)
    chief.post(at(made, "set-up-blocks"), {"entrants": "16", "close": "1"})
    publish(chief, made)
    assert "Take it back to close the roster" in chief.get(at(made, "set-up-blocks")).content.decode()
    play(Hanchan.objects.filter(block__competition=made, number=1)[0])
    assert "A hanchan has begun: the number stays." in chief.get(at(made, "set-up-blocks")).content.decode()


def test_further_house_players_are_entered_by_their_number(chief: Client) -> None:
    made = set_up(chief, "ema-64", expected=16, people=16)
    assert chief.post(at(made, "set-up-blocks"), {"count": "0"}).status_code == 422
    assert chief.post(at(made, "set-up-blocks"), {"count": "2"}).status_code == 302
    assert Entrant.objects.filter(competition=made, is_house=True).count() == 2


def test_a_format_of_open_size_is_offered_with_its_bounds(chief: Client) -> None:
    keep_own_format(text=TEXTS["swiss-40"].replace('name = "swiss-40"', 'name = "club"'), by=SYSTEM)
    assert "16 to 120" in chief.get(BEGIN).content.decode()
    proposed = chief.get(f"{BEGIN}?players=37&at_table=4").content.decode()
    assert "?format=club@1&amp;entrants=37" in proposed
