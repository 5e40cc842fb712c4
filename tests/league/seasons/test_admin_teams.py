"""Teams in the admin: set-up, members, links, the line-ups of a session, and captains among the staff."""

from __future__ import annotations

import datetime as dt
import html

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import (
    Competition,
    Hanchan,
    HanchanSeat,
    LineUp,
    Membership,
    Player,
    Role,
    Session,
    Slot,
    TableSession,
)
from league.platform.errors import ServiceError
from league.selectors.seasons.pasted_teams import pasted_teams
from league.selectors.seasons.teams import members_of, memberships, teams_of
from league.services.access.memberships import add_member
from league.services.competitions.arrivals import record_no_show
from league.services.competitions.setup import CompetitionPlan, create_competition, new_player
from league.services.competitions.wizard import Newcomer
from league.services.seasons.line_ups import name_line_up
from league.services.seasons.teams import NewTeam, end_membership, enter_teams
from tests.factories import SYSTEM, seated, user
from tests.fuzz.forms import forms_of
from tests.league.resting_teams import evening, hanchan_of, people_of, resting_teams

pytestmark = pytest.mark.django_db
PASTED = """\
赤坂ドリブンズ / ドリブンズ / あかさか
  園田, 鈴木
渋谷: 多井、白鳥
風林火山\t二階堂\t勝又
雷電
"""


@pytest.fixture
def game(db: None) -> Hanchan:
    return hanchan_of(evening(resting_teams()))[0]


def test_teams_are_pasted_with_members_below_after_a_colon_or_in_cells() -> None:
    found = [(team.name, team.short_name, team.name_kana, team.members) for team in pasted_teams(PASTED)]
    assert found == [
        ("赤坂ドリブンズ", "ドリブンズ", "あかさか", ["園田", "鈴木"]),
        ("渋谷", "", "", ["多井", "白鳥"]),
        ("風林火山", "", "", ["二階堂", "勝又"]),
        ("雷電", "", "", []),
    ]


def test_the_set_up_enters_teams_with_known_and_new_members_after_a_look(chief: Client) -> None:
    competition = create_competition(
        plan=CompetitionPlan(slug="m", name="チーム", ruleset="mleague", league_format="team-league", entrants=4),
        by=SYSTEM,
    )
    known = new_player(name="多井", by=SYSTEM)
    for _twice in range(2):
        new_player(name="勝又", by=SYSTEM)
    address = reverse("admin:league_competition_set-up-players", args=[competition.pk])
    assert "Teams" in chief.get(address).content.decode()
    look = chief.post(address, {"pasted": PASTED, "has_captains": "on", "look": "1"})
    assert known.key in look.content.decode()
    seen = {"pasted": PASTED, "has_captains": "on", "enter": "1", "seen": look.context["form"].digest}
    refused = chief.post(address, seen)
    assert refused.status_code == 422
    assert "Several people are called so." in refused.content.decode()
    pasted = PASTED.replace("勝又", f"勝又 ({Player.objects.filter(name='勝又').latest('pk').key})")
    look = chief.post(address, {**seen, "pasted": pasted})
    answer = chief.post(address, {**seen, "pasted": pasted, "seen": look.context["form"].digest})
    assert answer.status_code == 302
    first, second, *_others = teams_of(competition)
    assert (first.player.short_name, first.player.name_kana) == ("ドリブンズ", "あかさか")
    assert [(row.player.name, row.is_captain) for row in members_of(first)] == [("園田", True), ("鈴木", False)]
    assert people_of(second)[0] == known
    assert Player.objects.filter(name="勝又").count() == 2


def test_the_roster_of_a_league_of_teams_is_closed_with_another_number_of_teams(chief: Client) -> None:
    competition = create_competition(
        plan=CompetitionPlan(slug="m", name="チーム", ruleset="mleague", league_format="team-league", entrants=4),
        by=SYSTEM,
    )
    teams = [NewTeam(name=f"T{n}", members=(Newcomer(name=f"a{n}"), Newcomer(name=f"b{n}"))) for n in range(6)]
    enter_teams(competition=competition, teams=teams, by=SYSTEM)
    address = reverse("admin:league_competition_set-up-blocks", args=[competition.pk])
    page = chief.get(address).content.decode()
    assert "6 teams are entered." in page
    assert "Close the roster with 6 teams" in page
    assert 'name="count"' not in page
    assert "player" not in page.split('id="content-main"')[1].replace("set-up-players", "")
    fewer = chief.post(address, {"entrants": "4", "look": "1"}, headers={"accept-language": "ja"}).content.decode()
    assert "ほかのチーム数で" in fewer
    assert "登録済みのうち2チームは枠がありません。" in fewer
    assert chief.post(address, {"entrants": "6", "close": "1"}).status_code == 302
    assert list(Slot.objects.filter(block__key="regular").values_list("seeded", flat=True).order_by("seeded")) == [
        team.pk for team in teams_of(competition)
    ]
    refused = chief.post(address, {"count": "1"})
    assert refused.status_code == 422
    assert "no house player fills a table" in refused.content.decode()


def test_the_absence_of_a_team_is_refused_with_what_to_do_instead(game: Hanchan) -> None:
    team = seated(game)[0]
    with pytest.raises(ServiceError) as refused:
        record_no_show(block=game.block, number=game.number, entrant=team, by=SYSTEM, reason="誰も来ない")
    (finding,) = refused.value.findings
    assert finding.code == "team_has_members"
    assert "walkover" in finding.message


def test_the_day_and_the_desk_of_a_league_of_teams_speak_of_teams(chief: Client, game: Hanchan) -> None:
    competition = game.block.competition
    day = chief.get(reverse("admin:league_competition_day", args=[competition.pk])).content.decode()
    assert "Teams 5 · checked in 0 · missing 5" in day
    assert "Absent..." not in day
    assert 'name="add_house"' not in day
    desk = chief.get(reverse("admin:league_competition_change", args=[competition.pk])).content.decode()
    assert "Teams and staff" in desk
    assert reverse("admin:league_competition_set-up-players", args=[competition.pk]) in desk
    assert reverse("admin:league_session_line-ups", args=[game.table_session.session_id]) in desk


def test_a_team_has_a_page_with_members_transfers_and_its_link(chief: Client, game: Hanchan) -> None:
    red, blue, *_others = teams_of(game.block.competition)
    address = reverse("admin:league_entrant_team", args=[red.pk])
    added = chief.post(reverse("admin:league_entrant_member", args=[red.pk]), {"player": "新人", "since": "2027-11-01"})
    assert added.status_code == 302
    *_three, fourth = members_of(red)
    assert (fourth.player.name, fourth.since) == ("新人", dt.date(2027, 11, 1))
    moved = {"to": blue.pk, "since": "2027-12-01", "reason": "移籍"}
    assert chief.post(reverse("admin:league_teammember_transfer", args=[fourth.pk]), moved).status_code == 302
    assert [row.until for row in members_of(red) if row.player == fourth.player] == [dt.date(2027, 11, 30)]
    second = members_of(red)[1]
    assert chief.post(reverse("admin:league_teammember_captain", args=[second.pk])).status_code == 302
    assert [row.player for row in members_of(red) if row.is_captain] == [second.player]
    row = next(row for row in members_of(red) if row.player == second.player)
    end = reverse("admin:league_teammember_end", args=[row.pk])
    assert chief.post(end, {"until": "", "reason": ""}).status_code == 422
    assert chief.post(end, {"until": "", "reason": "誤り"}).status_code == 302
    made = chief.post(address, {"action": "link"})
    assert "/line-ups/" in made.context["address"]
    assert chief.get(address).context["address"] == ""
    assert chief.post(address, {"action": "end-link"}).status_code == 302


def test_the_line_ups_of_a_session_are_named_with_deadlines_and_warnings(chief: Client, game: Hanchan) -> None:
    session: Session = game.table_session.session
    red = seated(game)[0]
    address = reverse("admin:league_session_line-ups", args=[session.pk])
    page = chief.get(address).content.decode()
    assert "4 line-ups are missing" in page
    due = {"deadline": "1", "due_at": "2026-01-01T12:00"}
    assert chief.post(address, {**due, "due_at": "", "are_secret": "on"}).status_code == 422
    assert chief.post(address, due).status_code == 302
    prefix = f"g{game.pk}-{red.pk}"
    named = {f"{prefix}-player": people_of(red)[2].pk, "reason": ""}
    late = chief.post(address, named)
    assert late.status_code == 422
    assert 'value="line_up_late"' in late.content.decode()
    assert chief.post(address, {**named, f"{prefix}-accept": "line_up_late"}).status_code == 302
    assert LineUp.objects.standing().get(hanchan=game).player == people_of(red)[2]
    assert "3 line-ups are missing" in chief.get(address).content.decode()


def test_a_deadline_that_two_tabs_change_is_shown_to_the_second_before_it_is_replaced(
    chief: Client, game: Hanchan
) -> None:
    row = game.table_session
    address = reverse("admin:league_session_line-ups", args=[row.session_id])
    [form] = [one for one in forms_of(address, chief.get(address).content.decode()) if "due_at" in one.fields]
    shown = {**dict(form.untouched), "deadline": "1"}
    assert chief.post(address, {**shown, "due_at": "2027-01-01T12:00"}).status_code == 302
    assert chief.post(address, shown).status_code == 302
    refused = chief.post(address, {**shown, "due_at": "2027-01-02T12:00"})
    assert refused.status_code == 422
    assert "12:00” here since you opened the page" in refused.content.decode()
    row.refresh_from_db()
    assert row.line_ups_due_at is not None
    assert timezone.localtime(row.line_ups_due_at).day == 1
    [again] = [one for one in forms_of(address, refused.content.decode()) if "due_at" in one.fields]
    assert chief.post(address, {**dict(again.untouched), "deadline": "1"}).status_code == 302
    row.refresh_from_db()
    assert timezone.localtime(row.line_ups_due_at).day == 2


def test_the_line_ups_of_a_session_are_saved_together_or_not_at_all(chief: Client, game: Hanchan) -> None:
    address = reverse("admin:league_session_line-ups", args=[game.table_session.session_id])
    red, blue, green, yellow = seated(game)
    chosen = {f"g{game.pk}-{team.pk}-player": str(people_of(team)[0].pk) for team in (red, blue, green)}
    stranger = {f"g{game.pk}-{yellow.pk}-player": str(people_of(red)[1].pk)}
    assert chief.post(address, {**chosen, **stranger}).status_code == 422
    assert not LineUp.objects.filter(hanchan=game).exists()
    assert chief.post(address, chosen).status_code == 302
    assert LineUp.objects.standing().filter(hanchan=game).count() == len(chosen)

    # In the meantime blue has named another member: what the page showed for it does not overwrite that.
    name_line_up(hanchan=game, entrant=blue, player=people_of(blue)[1], by=SYSTEM)
    stale = {f"initial-{name}": member for name, member in chosen.items()} | chosen
    later = {f"g{game.pk}-{yellow.pk}-player": people_of(yellow)[0].pk}
    assert chief.post(address, {**stale, **later}).status_code == 302
    sitting = {row.entrant: row.player for row in LineUp.objects.standing().filter(hanchan=game)}
    assert sitting[blue] == people_of(blue)[1]
    assert sitting[yellow] == people_of(yellow)[0]


def test_line_ups_lead_to_the_draw_of_seats_that_are_not_set(chief: Client, game: Hanchan) -> None:
    session = game.table_session.session
    game.seats.all().delete()
    draw = reverse("admin:league_session_draw-seats", args=[session.pk])
    for place in ("line-ups", "night"):
        assert draw in chief.get(reverse(f"admin:league_session_{place}", args=[session.pk])).content.decode()
    desk = reverse("admin:league_competition_change", args=[session.competition_id])
    assert draw in chief.get(desk).content.decode()


def test_the_draw_of_seats_of_a_team_league_speaks_of_teams(chief: Client, game: Hanchan) -> None:
    address = reverse("admin:league_session_draw-seats", args=[game.table_session.session_id])
    page = html.unescape(chief.get(f"{address}?lang=en", follow=True).content.decode())
    text = page[page.index("Each lot") : page.index("</form>", page.index("Each lot"))]
    assert "player" not in text.replace("the number of the player or team", "")
    assert "player or team" in text


def test_a_captain_is_added_to_the_staff_for_a_team(chief: Client, game: Hanchan) -> None:
    competition: Competition = game.block.competition
    red = teams_of(competition)[0]
    captain = user("captain")
    address = reverse("admin:league_membership_staff", args=[competition.pk])
    posted = {"action": "add", "user": "captain", "role": Role.CAPTAIN}
    assert chief.post(address, posted).status_code == 422
    assert chief.post(address, {**posted, "team": red.pk}).status_code == 302
    row = Membership.objects.get(user=captain)
    assert (row.role, row.team) == (Role.CAPTAIN, red)
    captain.refresh_from_db()
    assert not captain.is_staff
    assert chief.get(address).status_code == 200


def test_a_member_of_the_staff_becomes_the_captain_of_a_team(chief: Client, game: Hanchan) -> None:
    competition: Competition = game.block.competition
    red, blue, *_others = teams_of(competition)
    member = add_member(competition=competition, user=user("scorer"), role=Role.SCORER, by=SYSTEM)
    address = reverse("admin:league_membership_staff", args=[competition.pk])
    posted = {"action": "role", "member": member.pk, "role": Role.CAPTAIN}
    refused = chief.post(address, posted)
    assert refused.status_code == 422
    assert "Choose the team whose captain this is." in refused.content.decode()
    for team in (red, blue):
        assert chief.post(address, {**posted, "team": team.pk}).status_code == 302
        member.refresh_from_db()
        assert (member.role, member.team) == (Role.CAPTAIN, team)
    assert chief.post(address, {**posted, "role": Role.SCORER, "team": blue.pk}).status_code == 302
    member.refresh_from_db()
    assert (member.role, member.team) == (Role.SCORER, None)


def test_line_ups_that_are_missing_two_days_before_play_are_to_do(chief: Client, game: Hanchan) -> None:
    session = game.table_session.session
    address = reverse("admin:league_session_line-ups", args=[session.pk])
    own = reverse("admin:league_competition_change", args=[session.competition_id])

    def starts_in(hours: int) -> str:
        begins = timezone.now() + dt.timedelta(hours=hours)
        TableSession.objects.filter(session=session).update(starts_at=begins)
        return chief.get("/admin/").content.decode()

    assert address not in starts_in(60)
    assert address in starts_in(40)
    missing = HanchanSeat.objects.filter(hanchan__table_session__session=session).count()
    assert f"{missing} members not named yet" in chief.get(own).content.decode()
    seat = game.seats.all()[0]
    name_line_up(hanchan=game, entrant=seat.entrant, player=people_of(seat.entrant)[0], by=SYSTEM)
    assert f"{missing - 1} members not named yet" in chief.get(own).content.decode()
    TableSession.objects.filter(session=session).update(is_cancelled=True)
    assert address not in chief.get("/admin/").content.decode()


def test_the_page_of_a_team_league_leads_to_its_teams_and_the_next_line_ups(chief: Client, game: Hanchan) -> None:
    competition = game.block.competition
    page = chief.get(reverse("admin:league_competition_change", args=[competition.pk])).content.decode()
    for address in (
        reverse("admin:league_session_line-ups", args=[game.table_session.session_id]),
        *(reverse("admin:league_entrant_team", args=[team.pk]) for team in teams_of(competition)),
    ):
        assert f'href="{address}"' in page
        assert chief.get(address).status_code == 200


@pytest.mark.parametrize("page", ["late", "no-show"])
def test_pages_about_absent_and_late_players_lead_back_from_teams_with_what_to_do(
    chief: Client, game: Hanchan, page: str
) -> None:
    competition, team = game.block.competition, seated(game)[0]
    kind, row = ("competition", competition) if page == "late" else ("entrant", team)
    address = reverse(f"admin:league_{kind}_{page}", args=[row.pk])
    day = reverse("admin:league_competition_day", args=[competition.pk])
    for answer in (chief.get(address), chief.post(address, {"reason": "電車", "first": "2"})):
        assert (answer.status_code, answer.headers["Location"]) == (302, day)
    assert "as the line-up" in chief.get(day).content.decode()


@pytest.mark.parametrize(("language", "words"), [("en", ("player", "Player")), ("ja", ("選手",))])
def test_the_schedule_step_of_a_league_of_teams_speaks_of_teams(
    chief: Client, language: str, words: tuple[str, ...]
) -> None:
    competition = create_competition(
        plan=CompetitionPlan(slug="m", name="チーム", ruleset="mleague", league_format="team-league", entrants=5),
        by=SYSTEM,
    )
    teams = [NewTeam(name=f"T{n}", members=(Newcomer(name=f"a{n}"), Newcomer(name=f"b{n}"))) for n in range(5)]
    enter_teams(competition=competition, teams=teams, by=SYSTEM)
    chief.post(
        reverse("admin:league_competition_set-up-blocks", args=[competition.pk]), {"entrants": "5", "close": "1"}
    )
    address = reverse("admin:league_competition_set-up-schedule", args=[competition.pk])
    values = {"first_day": "2026-10-05", "every": "7", "starts_at": "19:00", "tables": "1", "days": "session",
              "minutes": "90", "sessions": "5", "hanchan": "8", "seed": "x"}  # fmt: skip
    answer = chief.get(address, values, headers={"accept-language": language})
    page = answer.content.decode().split('id="content-main"')[1].replace("set-up-players", "")
    assert "T0" in page, "the schedule is shown"
    for word in words:
        assert [page[max(at - 80, 0) : at + 40] for at in _places(page, word)] == []


def _places(text: str, word: str) -> list[int]:
    return [at for at in range(len(text)) if text.startswith(word, at)]


def test_the_publication_page_names_the_teams_without_members(chief: Client) -> None:
    competition = resting_teams()
    page = reverse("admin:league_competition_set-up-publish", args=[competition.pk])
    assert "Teams without members" not in chief.get(page).content.decode()
    red = teams_of(competition)[0]
    for member in memberships(competition).filter(entrant=red):
        end_membership(member=member, until=None, by=SYSTEM, reason="entered by mistake")
    assert "Teams without members: 赤. No result" in chief.get(page).content.decode()
