"""Test series of team leagues: members are carried over, and the format's rule on replacing members is followed."""

from __future__ import annotations

import datetime as dt
import html
import re

import pytest
from django.db.models import QuerySet
from django.test import Client

from league.models import Audience, Change, Competition, FormatRevision, Membership, Player, Role, TeamMember
from league.selectors.access.change_log import render_changes
from league.selectors.seasons.kept_members import TAKEN_OUT
from league.selectors.seasons.series_duties import replacement_duties
from league.selectors.seasons.series_moves import full_moves
from league.selectors.seasons.series_tables import full_tables
from league.services.access.memberships import add_member
from league.services.competitions.editing import EntrantWords, edit_entrant
from league.services.competitions.setup import set_status
from league.services.rulebooks.revisions import RulesChoice, keep, put_rules_in_force
from league.services.seasons.next_rosters import undo_next_roster, write_next_roster
from league.services.seasons.series import SeriesPlan, attach_competition, create_series
from league.services.seasons.team_links import end_team_links, make_team_link, team_link_of
from league.services.seasons.teams import transfer
from league.wording.names import person_name
from tests.factories import SYSTEM, user
from tests.league.seasons.pyramid import tiers
from tests.league.team_league import TeamLeague, team_format

pytestmark = pytest.mark.django_db
SERIES = """
name = "team-series"
kind = "series"
title = { ja = "チームのシリーズ", en = "Series of teams" }
tiebreak = {}

[[tiers]]
key = "M"
size = { least = 8, most = 8 }
format = "small-team-league"
"""
RULE = 'replace = { stage = "semi", missed_in_a_row = 1, least = 2 }\n'


def test_teams_go_on_with_their_members_and_those_who_missed_the_stage_replace_some() -> None:
    league = TeamLeague()
    text = team_format().replace("members = {", f"{RULE}members = {{", 1)
    rules = league.competition.rules_in_force.get()
    choice = RulesChoice(ruleset=rules.ruleset, league_format=keep(FormatRevision, "small-team-league", text))
    put_rules_in_force(competition=league.competition, choice=choice, by=SYSTEM)
    series = create_series(plan=SeriesPlan(slug="teams", name="団体", text=SERIES), by=SYSTEM)
    term = series.terms.get()
    attach_competition(term=term, tier="M", competition=league.competition, by=SYSTEM)
    assert replacement_duties(full_tables(term), None) == []
    set_status(competition=league.competition, status=Competition.Status.CLOSED, by=SYSTEM)
    league.publish()
    duties = replacement_duties(full_tables(term), None)
    assert {(duty.missed, duty.least) for duty in duties} == {(1, 2)}
    write_next_roster(term=term, digest=full_moves(term).digest, by=SYSTEM)
    following = tiers(series.terms.get(number=2))["M"]
    rows = TeamMember.objects.standing()
    stayed = rows.filter(entrant__competition=league.competition, until=None).values_list("entrant__player", "player")
    carried = rows.filter(entrant__competition=following)
    assert sorted(carried.values_list("entrant__player", "player")) == sorted(stayed)
    assert {(row.since, row.until) for row in carried} == {(None, None)}
    undo_next_roster(term=term, reason="too early", by=SYSTEM)
    assert not TeamMember.objects.filter(entrant__competition=following).exists()
    assert not following.entrants.exists()


def test_a_captain_of_a_team_that_is_taken_out_again_is_removed_with_a_line_in_the_log() -> None:
    league = TeamLeague()
    series = create_series(plan=SeriesPlan(slug="teams", name="団体", text=SERIES), by=SYSTEM)
    term = series.terms.get()
    attach_competition(term=term, tier="M", competition=league.competition, by=SYSTEM)
    set_status(competition=league.competition, status=Competition.Status.CLOSED, by=SYSTEM)
    league.publish()
    write_next_roster(term=term, digest=full_moves(term).digest, by=SYSTEM)
    following = tiers(series.terms.get(number=2))["M"]
    team = following.entrants.earliest("number")
    member = add_member(competition=following, user=user("rika"), role=Role.CAPTAIN, by=SYSTEM, team=team)
    undo_next_roster(term=term, reason="too early", by=SYSTEM)
    assert not Membership.objects.filter(pk=member.pk).exists()
    change = Change.objects.get(competition=following, kind="member.removed")
    assert change.before == {"user": member.user_id, "role": "captain", "team": team.pk}


def test_a_transfer_in_the_drafts_of_a_next_term_returns_when_its_roster_is_written_again(chief: Client) -> None:
    league = TeamLeague()
    series = create_series(plan=SeriesPlan(slug="teams", name="団体", text=SERIES), by=SYSTEM)
    term = series.terms.get()
    attach_competition(term=term, tier="M", competition=league.competition, by=SYSTEM)
    set_status(competition=league.competition, status=Competition.Status.CLOSED, by=SYSTEM)
    league.publish()
    write_next_roster(term=term, digest=full_moves(term).digest, by=SYSTEM)
    following = tiers(series.terms.get(number=2))["M"]
    one, other = following.entrants.order_by("number")[:2]
    moved = TeamMember.objects.standing().filter(entrant=one).latest("order")
    transfer(member=moved, to=other, since=dt.date(2027, 1, 10), reason="Changes teams", by=SYSTEM)
    days = ("entrant__player", "player", "since", "until", "order", "is_captain", "reason")
    before = sorted(members_of(following).values_list(*days), key=str)
    for _time in range(2):
        undo_next_roster(term=term, reason="too early", by=SYSTEM)
        page = html.unescape(chief.get(f"/admin/league/series/{series.pk}/terms/1/roster/").content.decode())
        assert f"as they were changed there before the roster was taken back: {one}, {other}" in page
        write_next_roster(term=term, digest=full_moves(term).digest, by=SYSTEM)
        assert sorted(members_of(following).values_list(*days), key=str) == before
    kept, taken_out = (Change.objects.filter(competition=following, kind=kind) for kind in ("members.kept", TAKEN_OUT))
    (piece,) = render_changes([*kept[:1]])[0].pieces
    assert person_name(moved.player) in piece.after
    assert not re.search(r"\d", piece.after), "names, not ids"
    assert [piece.label for piece in render_changes([*taken_out[:1]])[0].pieces] == ["players"]


def test_club_country_and_link_of_a_team_return_when_the_roster_is_written_again() -> None:
    league = TeamLeague()
    series = create_series(plan=SeriesPlan(slug="teams", name="団体", text=SERIES), by=SYSTEM)
    term = series.terms.get()
    attach_competition(term=term, tier="M", competition=league.competition, by=SYSTEM)
    set_status(competition=league.competition, status=Competition.Status.CLOSED, by=SYSTEM)
    league.publish()
    write_next_roster(term=term, digest=full_moves(term).digest, by=SYSTEM)
    following = tiers(series.terms.get(number=2))["M"]
    first, second = following.entrants.order_by("number")[:2]
    edit_entrant(entrant=first, words=EntrantWords(affiliation="港クラブ", country="日本"), by=SYSTEM)
    kept, ended = (make_team_link(entrant=entrant, by=SYSTEM).token for entrant in (first, second))
    for time in range(2):
        undo_next_roster(term=term, reason="too early", by=SYSTEM)
        assert team_link_of(kept) is None
        write_next_roster(term=term, digest=full_moves(term).digest, by=SYSTEM)
        again = following.entrants.get(player=first.player)
        assert (again.affiliation, again.country) == ("港クラブ", "日本")
        link, other = team_link_of(kept), team_link_of(ended)
        assert link is not None
        assert link.entrant == again
        assert (other is None) == (time == 1)
        end_team_links(entrant=following.entrants.get(player=second.player), by=SYSTEM)
    (row,) = render_changes([*Change.objects.filter(competition=following, kind=TAKEN_OUT)[:1]])
    assert [piece.label for piece in row.pieces] == ["players"]


def members_of(competition: Competition) -> QuerySet[TeamMember]:
    """Return the standing memberships of a competition."""
    return TeamMember.objects.standing().filter(entrant__competition=competition)


def test_pages_of_a_series_of_teams_speak_of_teams_and_a_newcomer_is_a_team(chief: Client) -> None:
    league = TeamLeague()
    plan = SeriesPlan(slug="teams", name="団体", text=SERIES, is_public=True)
    term = create_series(plan=plan, by=SYSTEM).terms.get()
    attach_competition(term=term, tier="M", competition=league.competition, by=SYSTEM)
    Competition.objects.update(audience=Audience.PUBLIC)
    set_status(competition=league.competition, status=Competition.Status.CLOSED, by=SYSTEM)
    league.publish()
    admin = f"/admin/league/series/{term.series_id}/"
    for path, en, ja in (
        ("/series/teams/", "M: 8 teams.", "M：8チーム。"),
        (f"{admin}terms/1/", "8 teams", "8チーム"),
        (f"{admin}terms/1/roster/", "8 teams (8 allowed)", "8チーム（規定は8チーム）"),
        ("/series/teams/terms/1/moves.csv?lang={}", "name", "チーム名"),
    ):
        texts = {
            lang: b"".join(chief.get(path.format(lang), headers={"accept-language": lang})).decode()
            for lang in ("en", "ja")
        }
        assert en in texts["en"]
        assert ja in texts["ja"]
        assert not re.search(r"\d players|8名|氏名", texts["en"] + texts["ja"])
    typed = {"who": "新星", "kind": "placed", "tier": "M", "is_new": "on", "reason": "joins"}
    assert chief.post(f"{admin}terms/1/decide/", typed).status_code == 302
    assert Player.objects.get(name="新星").is_team
    roster = html.unescape(chief.get(f"{admin}terms/1/roster/").content.decode())
    assert "Place teams in another tier." in roster
