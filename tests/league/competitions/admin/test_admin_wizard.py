"""Tests of the setup wizard in the admin: pages, stored values and rejected input."""

from __future__ import annotations

import html
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from league.models import Block, Change, Competition, Entrant, Hanchan, HanchanSeat, Player, Role
from league.selectors.competitions.seating.plans import calendar_of
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.live.log import NewEvent, append_events
from league.services.rulebooks.own_formats import keep_own_format
from league.wording.changes import field_words
from rulesets import loader
from rulesets.formats import format_names, format_text, load_format
from tests.factories import SYSTEM, final_table, user
from tests.fuzz.forms import forms_of
from tests.league.admin_pages import at
from tests.league.competitions.test_wizard import season, write
from tests.league.parlours import parlour
from tests.processor import processor_seconds

pytestmark = pytest.mark.django_db
BEGIN = "/admin/league/competition/set-up/"
RULES = {
    "name": "春季杯", "name_en": "Spring Cup", "slug": "", "ruleset": "cinderella", "options_of": "cinderella",
    "first_day": "2027-01-09", "every": "14", "starts_at": "18:30", "venue": "雀荘", "confirmation": "second",
}  # fmt: skip


def options(client: Client) -> dict[str, Any]:
    """Return the option values of the form as first shown."""
    form = client.get(f"{BEGIN}?format=cinderella").context["form"]
    return {row.name: row.value() for row in form.option_rows if row.value() not in {None, False}}


def test_the_format_choice_shows_every_format_as_a_ladder(chief: Client) -> None:
    page = chief.get("/admin/league/competition/add/", follow=True)
    cards = page.context["choice"].others
    assert {card.name for card in cards} == set(format_names())
    # The smallest league first, the formats for any number of players last.
    assert [cards[0].name, cards[-1].name] == ["single-table-final", "open-play"]
    drawn = {card.name: len(card.drawing.lines) for card in cards}
    assert drawn["cinderella"] == 16
    assert "4th of Block A" in page.content.decode()


def found(client: Client, query: str, status: int = 200) -> Any:
    """Return the formats that the first page shows for a size, and its text in one line."""
    page = client.get(f"{BEGIN}?{query}")
    assert page.status_code == status
    return page.context["choice"], " ".join(html.unescape(page.content.decode()).split())


def fixed(choice: Any) -> list[str]:
    """Return the names of the fitting formats of fixed size."""
    return [card.name for card in choice.fitting if card.name not in choice.open_sizes]


def open_sizes(choice: Any, players: int) -> set[str]:
    """Return the names of the shipped formats of open size that allow this number of players at tables of four."""
    bounds = {name: load_format(name).bounds for name in choice.open_sizes}
    return {name for name, own in bounds.items() if own and own.least <= players <= own.most}


def test_the_formats_that_fit_are_proposed_with_their_reasons_and_the_others_stay_below(chief: Client) -> None:
    choice, text = found(chief, "players=16&at_table=4&evenings=5&tables=4")
    assert fixed(choice) == ["blocks-16", "ladder-16", "round-robin-16", "evening-16"]
    assert open_sizes(choice, 16) <= {card.name for card in choice.fitting}
    assert {card.name for card in choice.nearby} == {"cinderella", "company-16", "double-elimination-16"}
    assert [card.name for card in choice.open] == ["open-play"]
    assert len(choice.others) == len(format_names()) - len(choice.fitting) - 4
    assert "Formats for 16 players" in text
    assert "Made for 16 players. One session on each evening." not in text
    for sentence in (
        "Made for 16 players.", "One session on each evening.", "4 evenings are left as spare days.",
        "4 tables at a time are enough.", "As many evenings as you like.",
        "Its 6 sessions on 5 evenings: up to 8 rounds in a row, about 8 hours.",
    ):  # fmt: skip
        assert sentence in text
    assert [(fact.label, fact.text) for fact in choice.fitting[0].facts] == [
        ("Number of players", "16"), ("Hanchan for each player", "8 to 12"), ("Number of sessions", "5"),
        ("Hours each session", "about 2 to 4"), ("Tables at a time", "4"),
    ]  # fmt: skip
    assert text.count('href="?format=') == len(format_names())


def test_each_format_has_its_stages_in_a_line_and_its_ladder_folded_behind_a_sketch(chief: Client) -> None:
    choice, text = found(chief, "players=16&at_table=4&evenings=5&tables=4")
    cards = [*choice.fitting, *choice.nearby, *choice.open, *choice.others]
    assert text.count('<details class="picture">') == sum(bool(card.sketch.lines) for card in cards) > 20
    assert '<p class="course">Blocks: 8 hanchan · Playoff 1: 2 hanchan · ' in text
    for card in cards:
        assert len(card.sketch.lines) == len(card.drawing.lines), card.name


def test_a_size_without_a_format_of_its_own_says_what_would_have_to_change(chief: Client) -> None:
    choice, text = found(chief, "players=14&at_table=4&evenings=&tables=3")
    assert choice.fitting == []
    assert "Formats for 14 players after a change" in text
    assert "No ready format fits" not in text
    assert "Made for 16 players: 2 more are needed." in text
    assert "Made for 12 players: 2 stand by as substitutes." in text
    assert "Made for 4 tables at a time. With 3 tables players take turns: up to 6 rounds, about 6 hours" in text
    choice, text = found(chief, "players=50&at_table=4")
    assert (fixed(choice), choice.nearby, [card.name for card in choice.open]) == ([], [], ["open-play"])
    assert {card.name for card in choice.fitting} == open_sizes(choice, 50)
    choice, text = found(chief, "players=40&at_table=3")
    assert (choice.fitting, choice.nearby, [card.name for card in choice.open]) == ([], [], ["open-play"])
    assert "No ready format fits 40 players" in text


def test_three_player_formats_are_proposed_for_tables_of_three_alone(chief: Client) -> None:
    threes, _text = found(chief, "players=9&at_table=3")
    assert [card.name for card in (*threes.fitting, *threes.nearby)] == ["sanma-9"]
    fours, _text = found(chief, "players=9&at_table=4")
    assert "sanma-9" not in {card.name for card in (*fours.fitting, *fours.nearby)}


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("players=&at_table=4", ["players"]),
        ("players=zehn&at_table=5&evenings=0&tables=-1", ["players", "at_table", "evenings", "tables"]),
        ("players=99999999999999999999&at_table=", ["players"]),
    ],
)
def test_an_impossible_size_is_refused_at_its_fields_and_every_format_stays(
    chief: Client, query: str, fields: list[str]
) -> None:
    choice, text = found(chief, query, 422)
    assert list(choice.form.errors) == fields
    assert len(choice.others) == len(format_names())
    assert "Nothing has been saved yet" not in text


def test_the_newest_revision_of_an_own_format_is_proposed_and_can_be_chosen(chief: Client) -> None:
    text = format_text("blocks-20").replace('name = "blocks-20"', 'name = "club"')
    keep_own_format(text=text, by=SYSTEM)
    keep_own_format(text=text.replace("2ブロック20人＋決勝", "クラブ選手権"), by=SYSTEM)
    choice, text = found(chief, "players=20&at_table=4")
    assert fixed(choice) == ["blocks-20", "club@2", "evening-20"]
    assert 'href="?format=club@2"' in text
    form = chief.get(f"{BEGIN}?format=club@2").context["form"]
    chosen = {row.name: row.value() for row in form.option_rows if row.value() not in {None, False}}
    chief.post(f"{BEGIN}?format=club@2", {**RULES, **chosen})
    assert str(Competition.objects.get().rules_in_force.get().format) == "club r2"
    assert chief.get(f"{BEGIN}?format=club@3").status_code == 404


def test_formats_are_proposed_in_japanese_too(chief: Client) -> None:
    page = chief.get(f"{BEGIN}?players=14&at_table=4", headers={"accept-language": "ja"}).content.decode()
    assert "16人用です。あと2人必要です。" in page
    assert "14人で、調整すれば使える大会形式" in page


def test_the_first_page_creates_a_draft_and_stores_its_calendar(chief: Client) -> None:
    answer = chief.post(f"{BEGIN}?format=cinderella", {**RULES, **options(chief)})
    made = Competition.objects.get()
    assert answer["Location"] == at(made, "set-up-players")
    assert (made.slug.startswith("spring-cup-20"), made.status, made.confirmation) == (True, "draft", "second")
    calendar = calendar_of(made)
    assert calendar is not None
    assert (str(calendar.first_day), calendar.every, str(calendar.starts_at)) == ("2027-01-09", 14, "18:30:00")
    assert made.rules_in_force.get().options == {}


def test_only_options_that_differ_from_the_ruleset_are_stored(chief: Client) -> None:
    chief.post(f"{BEGIN}?format=cinderella", {**RULES, **options(chief), "option_rounding": "exact"})
    assert Competition.objects.get().rules_in_force.get().options == {"rounding": "exact"}


def test_choosing_another_ruleset_shows_its_options_and_keeps_the_typed_values(chief: Client) -> None:
    page = chief.post(f"{BEGIN}?format=cinderella", {**RULES, "ruleset": "boo", "look": "1"})
    form = page.context["form"]
    assert (form["name"].value(), form["venue"].value(), form["options_of"].value()) == ("春季杯", "雀荘", "boo")
    assert len(form.option_rows) == 34
    assert not Competition.objects.exists()
    assert {name for name, _label in form.fields["ruleset"].choices}.isdisjoint({"banchi3", "kansai3"})


def untouched(page: Any) -> dict[str, Any]:
    """Return the data a browser posts for the first page's form unchanged, except for a name."""
    (form,) = [form for form in forms_of(BEGIN, page.content.decode()) if "options_of" in form.fields]
    return {**form.untouched, "name": "春季杯"}


@pytest.mark.parametrize("ruleset", loader.names())
def test_any_ruleset_can_be_submitted_unchanged_with_its_default_options(chief: Client, ruleset: str) -> None:
    begin = f"{BEGIN}?format=open-play"
    shown_for_another = untouched(chief.get(begin))
    shown_for_it = untouched(chief.post(begin, {**shown_for_another, "ruleset": ruleset, "look": "1"}))
    for sent in ({**shown_for_another, "ruleset": ruleset}, shown_for_it):
        answer = chief.post(begin, sent)
        made = Competition.objects.order_by("-pk")[0]
        assert answer["Location"] == at(made, "set-up-players")
        in_force = made.rules_in_force.get()
        assert (in_force.ruleset.name, in_force.options) == (ruleset, {})
    assert Competition.objects.count() == 2


def test_after_an_error_the_form_shows_the_options_of_the_newly_chosen_ruleset(chief: Client) -> None:
    begin = f"{BEGIN}?format=open-play"
    sent = {**untouched(chief.get(begin)), "name": "", "venue": "雀荘", "ruleset": "boo", "option_rounding": "exact"}
    page = chief.post(begin, sent)
    form = page.context["form"]
    assert (page.status_code, list(form.errors)) == (422, ["name", "__all__"])
    assert "You changed options of" in page.content.decode()
    assert (form["venue"].value(), form["options_of"].value()) == ("雀荘", "boo")
    assert form["option_stake_per_sunk"].value() == "A=1 B=1 C=1"
    assert chief.post(begin, {**untouched(page), "name": "年末BOO"}).status_code == 302
    assert Competition.objects.get().rules_in_force.get().options == {}


@pytest.mark.parametrize(
    ("other", "field"),
    [({"name": ""}, "name"), ({"slug": "Spring Cup!"}, "slug"), ({"first_day": "soon"}, "first_day"),
     ({"option_rounding": "never"}, "option_rounding")],
)  # fmt: skip
def test_errors_on_the_first_page_are_reported_at_their_fields(
    chief: Client, other: dict[str, str], field: str
) -> None:
    page = chief.post(f"{BEGIN}?format=cinderella", {**RULES, **options(chief), **other})
    assert (page.status_code, list(page.context["form"].errors)) == (422, [field])
    assert page.context["form"]["venue"].value() == "雀荘"
    assert not Competition.objects.exists()


def test_an_unknown_format_answers_404(chief: Client) -> None:
    assert chief.get(f"{BEGIN}?format=nothing").status_code == 404


def test_two_leagues_of_the_same_name_get_different_slugs(chief: Client) -> None:
    for _time in range(2):
        chief.post(f"{BEGIN}?format=cinderella", {**RULES, **options(chief), "slug": ""})
    first, second = Competition.objects.order_by("pk").values_list("slug", flat=True)
    assert second == f"{first}-2"


@pytest.mark.both_databases
def test_the_wizard_requires_the_add_permission_and_its_later_pages_a_director(client: Client) -> None:
    made = season()
    client.force_login(user(role=Role.SCORER, competition=made, is_staff=True))
    assert client.get(BEGIN).status_code == 403
    for page in ("set-up-players", "set-up-blocks", "set-up-schedule", "set-up-publish"):
        assert client.get(at(made, page)).status_code == 403
        assert client.post(at(made, page), {}).status_code == 403
    assert client.post(at(made.blocks.first(), "swap"), {}).status_code == 403
    stranger = user(is_staff=True)
    stranger.user_permissions.add(Permission.objects.get(codename="add_competition"))
    client.force_login(stranger)
    assert client.get(BEGIN).status_code == 200
    assert client.get(at(made, "set-up-players")).status_code == 404


def test_a_huge_roster_is_checked_within_five_seconds(chief: Client) -> None:
    made = season(people=0, league_format="open-play")

    def looked_at(text: str) -> Any:
        with processor_seconds(5):
            return chief.post(at(made, "set-up-players"), {"pasted": text})

    _hayashi, endless = looked_at("林\n" + "\u0301\u0323" * 50_000).context["rows"]
    assert endless.fault.endswith("is longer than 100 characters.")
    (row,) = looked_at("氏名(" + "(" * 100_000 + "\n林").context["rows"]
    assert row.row.name == "林"
    refused = looked_at("," * 100_000 + "\n林" * 100_000)
    assert refused.context["form"].errors["pasted"] == ["At most 500 lines at a time."]


def test_choices_made_for_another_roster_text_are_ignored(chief: Client) -> None:
    made = season(people=0, league_format="open-play")
    Player.objects.create(name="髙橋 花", key="demo-hana")
    seen = chief.post(at(made, "set-up-players"), {"pasted": "高橋花"}).context["form"].digest
    page = chief.post(at(made, "set-up-players"), {"pasted": "林", "enter": "1", "seen": seen, "row_1": "skip"})
    assert page.status_code == 200
    assert [row.chosen for row in page.context["rows"]] == ["new"]
    assert not made.entrants.exists()


@pytest.mark.both_databases
def test_known_players_can_be_selected_in_addition_to_a_pasted_roster(chief: Client) -> None:
    made = season(people=0, league_format="open-play")
    known = Player.objects.create(name="林", key="demo-hayashi")
    text = {"pasted": "山田", "known": [known.pk]}
    seen = chief.post(at(made, "set-up-players"), text).context["form"].digest
    answer = chief.post(at(made, "set-up-players"), {**text, "seen": seen, "enter": "1"})
    assert answer["Location"] == at(made, "set-up-schedule")
    assert [entrant.player.name for entrant in made.entrants.order_by("number")] == ["山田", "林"]


def test_the_number_of_queries_for_a_roster_is_bounded(chief: Client, django_assert_max_num_queries: Any) -> None:
    made = season(people=0, league_format="open-play")
    for number in range(60):
        Player.objects.create(name=f"選手{number:02}", key=f"demo-{number}")
    with django_assert_max_num_queries(30):
        page = chief.post(at(made, "set-up-players"), {"pasted": "\n".join(f"選手{number:02}" for number in range(60))})
    assert page.context["counts"] == {"known": 60}


def test_the_blocks_page_shows_how_to_repeat_the_draw(chief: Client) -> None:
    made = season()
    assert chief.post(at(made, "set-up-blocks"), {"filling": "draw", "seed": "moon"}).status_code == 302
    page = chief.get(at(made, "set-up-blocks"))
    assert page.content.decode().count('default"') == 1, "only the link to the schedule is the main action"
    lots = page.context["draw"]["lots"]
    assert "printf '%s' 'moon:1' | sha256sum" in html.unescape(page.content.decode())
    filled = [slot.seeded for _block, slots in page.context["blocks"] for slot in slots]
    assert [entrant for _place, _lot, entrant in lots] == filled
    assert [lot for _place, lot, _entrant in lots] == sorted(lot for _place, lot, _entrant in lots)


def test_the_blocks_page_says_how_many_players_are_lacking_and_leads_to_the_roster(chief: Client) -> None:
    made = season()
    assert "errornote" not in chief.get(at(made, "set-up-blocks")).content.decode()
    last = made.entrants.get(number=16)
    last.seeded_slots.update(seeded=None)
    last.delete()
    page = chief.get(at(made, "set-up-blocks")).content.decode()
    lacking = page[page.index("errornote") :].split("</p>")[0]
    assert "15 players are entered. The format has 16 places." in lacking
    assert at(made, "set-up-players") in lacking


@pytest.mark.both_databases
def test_blocks_are_filled_by_hand_and_too_many_players_are_rejected(chief: Client) -> None:
    made = season()
    first, second = made.blocks.filter(stage__order=1).order_by("order")
    people = list(made.entrants.order_by("number"))
    hands = {f"entrant_{one.pk}": (first if one.number % 2 else second).pk for one in people}
    assert chief.post(at(made, "set-up-blocks"), {"filling": "hand", **hands}).status_code == 302
    assert [slot.seeded for slot in first.slots.order_by("number")] == people[::2]
    crowded = {f"entrant_{one.pk}": first.pk for one in people}
    page = chief.post(at(made, "set-up-blocks"), {"filling": "hand", **crowded})
    assert (page.status_code, "There are 8 places, not 16." in page.content.decode()) == (422, True)
    assert chief.post(at(made, "set-up-blocks"), {"filling": "magic"}).status_code == 404


def schedule(page: Any) -> dict[str, Any]:
    """Return the schedule form's data as shown, with the digest of the shown plan."""
    form = page.context["form"]
    typed = {name: form[name].value() for name in form.fields if form[name].value() not in {None, False}}
    return {**typed, "seen": page.context["plan"].digest}


def test_the_schedule_is_previewed_and_then_written_unchanged(chief: Client) -> None:
    made = season()
    page = chief.get(at(made, "set-up-schedule"), follow=True)
    assert len(page.context["plan"].sessions) == 6
    assert not made.sessions.exists()
    answer = chief.post(at(made, "set-up-schedule"), {**schedule(page), "write": "1"})
    assert answer["Location"] == at(made, "set-up-publish")
    kept = Change.objects.get(kind="schedule.written").after or {}
    assert kept["digest"] == page.context["plan"].digest
    assert [key for key in kept if "_" in key and field_words(key, "competition") == key] == []


def test_reloading_the_schedule_repeats_it_and_another_one_is_drawn_on_demand(chief: Client) -> None:
    made = season()
    first = chief.get(at(made, "set-up-schedule"))
    seen, again = chief.get(first["Location"]), chief.get(first["Location"])
    assert seen.context["plan"].digest == again.context["plan"].digest
    sent = {**schedule(seen), "venue": "", "days": "block", "apart": "on", "absent": "5: 1-2", "another": "1"}
    other = chief.post(at(made, "set-up-schedule"), sent)
    assert other.status_code == 302
    drawn = chief.get(other["Location"])
    assert drawn.context["plan"].digest == chief.get(other["Location"]).context["plan"].digest
    assert drawn.context["plan"].digest != seen.context["plan"].digest
    kept = {name: drawn.context["form"][name].value() for name in ("venue", "days", "apart", "absent")}
    assert kept == {"venue": "", "days": "block", "apart": "on", "absent": "5: 1-2"}


def test_a_faulty_address_of_a_schedule_is_answered_with_its_errors(chief: Client) -> None:
    made = season()
    page = chief.get(at(made, "set-up-schedule"), {"seed": "x" * 100, "first_day": "soon"})
    assert (page.status_code, sorted(page.context["form"].errors)) == (422, ["first_day", "seed"])


def test_a_schedule_without_a_matching_preview_is_shown_instead_of_written(chief: Client) -> None:
    made = season()
    sent = {**schedule(chief.get(at(made, "set-up-schedule"), follow=True)), "seed": "other", "write": "1"}
    page = chief.post(at(made, "set-up-schedule"), sent)
    assert (page.status_code, "not the one you looked at" in page.content.decode()) == (422, True)
    assert not made.sessions.exists()
    again = chief.post(at(made, "set-up-schedule"), {**sent, "seen": page.context["plan"].digest})
    assert again.status_code == 302


def test_unreadable_absences_are_reported_and_other_values_are_kept(chief: Client) -> None:
    made = season()
    sent = {**schedule(chief.get(at(made, "set-up-schedule"), follow=True)), "absent": "甲は遅刻", "venue": "別会場"}
    page = chief.post(at(made, "set-up-schedule"), sent)
    assert list(page.context["form"].errors) == ["absent"]
    assert page.context["form"]["venue"].value() == "別会場"


def test_absences_that_leave_a_round_without_a_table_are_reported_and_kept(chief: Client) -> None:
    made = season("open-play", 9)
    sent = schedule(chief.get(at(made, "set-up-schedule"), {"hanchan": "4", "sessions": "1"}, follow=True))
    absent = "\n".join(f"{player}: 1" for player in range(1, 7))
    sent |= {"absent": absent, "write": "1"}
    page = chief.post(at(made, "set-up-schedule"), sent, headers={"accept-language": "en"})
    assert page.content.decode().count("In round 1 there is no table. Check the absences") == 1
    assert page.context["form"]["absent"].value() == absent


def test_wishes_are_kept_and_each_is_shown_with_its_cost(chief: Client) -> None:
    made = season("open-play", 8)
    # Two clubmates and two rounds: the searches end at once, with the best schedules possible.
    Entrant.objects.filter(competition=made, number__lte=2).update(affiliation="灯火荘", country="日本")
    sent = {
        **schedule(chief.get(at(made, "set-up-schedule"), {"hanchan": "1", "sessions": "1"}, follow=True)),
        "seating": "rounds",
        "apart": "on",
        "apart_countries": "on",
        "absent": "5: 1",
        "fewer_from": "2",
        "fewer_tables": "1",
    }
    page = chief.post(at(made, "set-up-schedule"), sent, headers={"accept-language": "en"})
    shown = page.content.decode()
    assert page.status_code == 200
    for words in ("What each wish costs", "Keeping clubs apart", "Keeping countries apart", "Late arrivals", "Fewer"):
        assert words in shown
    kept = {name: page.context["form"][name].value() for name in ("apart_countries", "fewer_from", "fewer_tables")}
    assert kept == {"apart_countries": True, "fewer_from": "2", "fewer_tables": "1"}
    assert sum(rest.players != () for session in page.context["plan"].sessions for rest in session.rests) > 0


def test_fewer_tables_need_both_the_hanchan_and_the_number(chief: Client) -> None:
    made = season()
    sent = {**schedule(chief.get(at(made, "set-up-schedule"), follow=True)), "fewer_from": "3", "venue": "別会場"}
    page = chief.post(at(made, "set-up-schedule"), sent)
    assert (page.status_code, list(page.context["form"].errors)) == (422, ["fewer_tables"])
    assert page.context["form"]["venue"].value() == "別会場"


def test_huge_absences_are_rejected_at_their_field(chief: Client) -> None:
    made = season("open-play", 4)
    for absent in ("1: 1-3000000", f"1: {'9' * 5_000}", "1: 1\n" * 100_000):
        with processor_seconds(5):
            page = chief.post(at(made, "set-up-schedule"), {"absent": absent})
        assert (page.status_code, "absent" in page.context["form"].errors) == (422, True)


def test_the_schedule_is_taken_back_and_planned_again(chief: Client) -> None:
    made = season()
    write(made)
    assert chief.post(at(made, "set-up-schedule"), {"take_back": "1"}).status_code == 302
    assert not made.sessions.exists()
    assert chief.get(at(made, "set-up-schedule"), follow=True).context["plan"].sessions
    page = chief.post(at(made, "set-up-schedule"), {"take_back": "1"})
    assert (page.status_code, "There is no schedule" in page.content.decode()) == (422, True)


def test_open_play_requires_the_number_of_hanchan(chief: Client) -> None:
    made = season("open-play", 16)
    page = chief.get(at(made, "set-up-schedule"), follow=True)
    assert page.context["plan"] is None
    sent = {name: page.context["form"][name].value() for name in page.context["form"].fields}
    sent = {name: value for name, value in sent.items() if value not in {None, False}}
    shown = chief.post(at(made, "set-up-schedule"), {**sent, "hanchan": "5", "sessions": "1"})
    assert shown.context["plan"].evenness[0].figures.squares == 120
    assert len(shown.context["plan"].sessions[0].tables) == 20


@pytest.mark.both_databases
def test_the_last_page_publishes(chief: Client) -> None:
    made = season()
    write(made)
    assert chief.get(at(made, "set-up-publish")).status_code == 200
    chief.post(at(made, "set-up-publish"), {})
    made.refresh_from_db()
    assert made.status == Competition.Status.PUBLISHED


def test_the_page_of_a_draft_links_to_the_next_step(chief: Client) -> None:
    made = season()
    assert at(made, "set-up-schedule") in chief.get(at(made, "change")).content.decode()
    write(made)
    assert at(made, "set-up-publish") in chief.get(at(made, "change")).content.decode()


@pytest.mark.both_databases
def test_seats_are_drawn_on_the_session_page_which_keeps_the_seed(chief: Client) -> None:
    final = final_table()
    session = create_session(competition=final, by=SYSTEM)
    create_table_session(session=session, fixture=Fixture(block=final.blocks.get(), numbers=(1, 2)), by=SYSTEM)
    assert chief.post(at(session, "draw-seats"), {"seed": "moon"}).status_code == 302
    assert HanchanSeat.objects.count() == 4
    assert "seed moon" in chief.get(at(session, "draw-seats")).content.decode()
    chief.post(at(session, "draw-seats"), {"seed": "sun"})
    page = chief.post(at(session, "draw-seats"), {"seed": "sun"})
    assert (page.status_code, "No seats are to be drawn" in page.content.decode()) == (422, True)


@pytest.fixture
def block() -> Block:
    """Return a block of eight players with new tables for every hanchan."""
    made = season("open-play", 8)
    write(made, hanchan=8, sessions=2)
    return made.blocks.get()


def test_the_balance_page_shows_the_counts_of_a_block_and_their_bounds(chief: Client, block: Block) -> None:
    page = chief.get(at(block, "balance")).content.decode()
    assert "at least 336" in page
    for proved in ("No plan repeats fewer meetings.", "No plan spreads meetings more evenly.", "No plan is more even."):
        assert page.count(proved) == 1
    assert page.count('<td class="wind">8</td>') == 8


@pytest.mark.both_databases
def test_a_swap_of_players_is_saved_only_after_a_preview_of_its_cost(chief: Client, block: Block) -> None:
    one, other = (
        hanchan.seats.order_by("seat")[0].entrant for hanchan in Hanchan.objects.filter(block=block, number=3)
    )
    typed = {"numbers": "3", "one": one.pk, "other": other.pk}
    page = chief.post(at(block, "swap"), {**typed, "save": "1"})
    exchange = page.context["exchange"]
    assert exchange.after.schedule != exchange.before.schedule
    assert not Change.objects.filter(kind="players.swapped").exists()
    asked = page.context["seen"]
    assert chief.post(at(block, "swap"), {**typed, "save": "1", "seen": asked}).status_code == 302
    assert Change.objects.filter(kind="players.swapped").exists()


def test_a_swap_in_a_hanchan_that_has_begun_is_refused_before_its_cost_is_shown(chief: Client, block: Block) -> None:
    hanchan = Hanchan.objects.filter(block=block, number=3).first()
    assert hanchan is not None
    append_events(hanchan=hanchan, events=[NewEvent("begin", "start", {})], after=0, by=SYSTEM)
    one, other = (seat.entrant for seat in hanchan.seats.order_by("seat")[:2])
    page = chief.post(at(block, "swap"), {"numbers": "3", "one": one.pk, "other": other.pk, "look": "1"})
    assert page.status_code == 422
    assert page.context["exchange"] is None
    assert "has begun" in page.context["form"].errors["numbers"][0]


def test_a_block_without_seats_has_no_balance_yet(chief: Client) -> None:
    made = season()
    for page in ("balance", "swap"):
        shown = chief.get(at(made.blocks.get(key="A"), page)).content.decode()
        assert "No players are seated" in shown
        assert f"/admin/league/competition/{made.pk}/set-up-schedule/" in shown
        assert "Let two players change places" not in shown


def test_the_balance_page_of_an_open_table_links_to_the_counter(chief: Client) -> None:
    made = parlour()
    for page in ("balance", "swap"):
        shown = chief.get(at(made.blocks.get(), page)).content.decode()
        assert "An open table has no schedule" in shown
        assert f'href="/p/{made.slug}/board/"' in shown


def test_the_preview_asks_whether_kana_behind_a_name_are_its_reading(chief: Client) -> None:
    Player.objects.create(name="林 薫 はやしかおるこ", key="k-hayashi")
    made = season("open-play", 0)
    page = at(made, "set-up-players")
    text = "渡辺 誠 わたなべまこと\n林 薫 はやしかおる\n森 望 もりのぞむ"
    shown = chief.post(page, {"pasted": text, "look": "1"})
    assert "Is わたなべまこと the reading?" in shown.content.decode()
    sent = {"pasted": text, "seen": shown.context["form"].digest, "enter": "1"}
    for row in shown.context["rows"]:
        sent |= {
            row.key: row.chosen,
            row.reading_key: row.matched.reading,
            f"seen_{row.reading_key}": row.matched.reading,
        }
    asked = chief.post(page, {**sent, "reading_2": "whole", "reading_3": "whole"})
    assert (asked.status_code, "Line 2: say who it is." in asked.content.decode()) == (422, True)
    assert not made.entrants.exists()
    again = {**sent, "reading_2": "whole", "seen_reading_2": "whole", "row_2": "new", "reading_3": "whole"}
    assert chief.post(page, again).status_code == 302
    names = made.entrants.order_by("number").values_list("player__name", "player__name_kana")
    assert list(names) == [("渡辺 誠", "わたなべまこと"), ("林 薫 はやしかおる", ""), ("森 望 もりのぞむ", "")]


def test_messages_call_a_competition_by_its_name_in_the_readers_language(chief: Client) -> None:
    made = season()
    write(made)
    Competition.objects.filter(pk=made.pk).update(name="春季杯", name_en="Spring Cup")
    for language, name in (("en", "Spring Cup"), ("ja", "春季杯")):
        Competition.objects.filter(pk=made.pk).update(status=Competition.Status.DRAFT)
        shown = chief.post(at(made, "set-up-publish"), headers={"accept-language": language}, follow=True)
        assert [name in str(message) for message in shown.context["messages"]] == [True]
