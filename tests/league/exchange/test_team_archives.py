"""Tests of files and archives of team leagues: members, line-ups and members' penalties survive a round trip."""

from __future__ import annotations

import datetime as dt

import pytest

from league.files.archive import pack_archive
from league.files.reading import ImportRefusedError, file_of
from league.files.shape import FileDocument
from league.models import Adjustment, Competition, HanchanSeat, LineUp, SeatResult, TableSession, TeamMember
from league.selectors.exchange.competition_export import document_of
from league.services.exchange.archives import archive_of, import_archive, standings_text
from league.services.exchange.competition_import import import_competition
from tests import factories
from tests.league.team_league import MOVES_ON, TeamLeague, team_league

pytestmark = pytest.mark.django_db
DUE = dt.datetime(2026, 11, 2, 18, 0, tzinfo=dt.timezone(dt.timedelta(hours=9)))


def named_league() -> TeamLeague:
    """Return a league whose next fixture has one line-up announced and one that is secret."""
    league = team_league(3)
    coming = HanchanSeat.objects.filter(hanchan__state="scheduled").select_related("hanchan", "entrant").order_by("pk")
    TableSession.objects.filter(hanchan=coming[0].hanchan).update(line_ups_due_at=DUE, line_ups_are_secret=True)
    for seat, is_secret in ((coming[0], False), (coming[1], True)):
        league.competition.refresh_from_db()
        member = TeamMember.objects.filter(entrant=seat.entrant).order_by("order")[1].player
        LineUp.objects.create(
            hanchan=seat.hanchan, entrant=seat.entrant, player=member, is_secret=is_secret,
            made_n=league.competition.version,
        )  # fmt: skip
        if not is_secret:
            HanchanSeat.objects.filter(pk=seat.pk).update(player=member)
    league.publish()
    return league


def facts_of(competition: Competition) -> list[list[object]]:
    """Return the facts of teams by keys, without ids."""
    own = {"entrant__competition": competition}
    hanchan = "hanchan__table_session__session__number", "hanchan__number"
    return [
        list(rows)
        for rows in (
            TeamMember.objects.standing()
            .filter(**own)
            .order_by("player__key", "since")
            .values_list("entrant__player__key", "player__key", "since", "until", "is_captain"),
            LineUp.objects.standing()
            .filter(**own)
            .order_by(*hanchan, "player__key")
            .values_list(*hanchan, "entrant__player__key", "player__key", "is_secret", "reason"),
            HanchanSeat.objects.filter(**own).order_by(*hanchan, "seat").values_list(*hanchan, "seat", "player__key"),
            SeatResult.objects.filter(**own)
            .order_by("sheet__hanchan__number", "seat")
            .values_list("sheet__hanchan__number", "seat", "entrant__player__key", "player__key", "points"),
            Adjustment.objects.filter(**own).values_list("entrant__player__key", "player__key", "points", "reason"),
            TableSession.objects.filter(competition=competition)
            .order_by("session__number", "order")
            .values_list("line_ups_due_at", "line_ups_are_secret"),
        )
    ]


def test_a_team_league_survives_an_archive_with_its_members_line_ups_and_seats() -> None:
    league = named_league()
    archive = archive_of(competition=league.competition, by=factories.SYSTEM)
    again = import_archive(data=pack_archive(archive), by=factories.SYSTEM, slug="again")
    assert standings_text(again) == standings_text(league.competition)
    before, after = facts_of(league.competition), facts_of(again)
    assert after[0] == before[0]
    assert [row for row in after[1] if row in before[1]] == before[1]
    assert after[2:] == before[2:]
    twice = archive_of(competition=again, by=factories.SYSTEM)
    assert twice.competition.replace('"again"', '"teams"') == archive.competition


def test_a_team_gets_its_short_name_tile_and_colour_where_it_is_unknown() -> None:
    league = team_league(1)
    document = renamed(document_of(league.competition))
    again = import_competition(file=file_of(document, "file"), by=factories.SYSTEM)
    teams = [entrant.player for entrant in again.entrants.order_by("number").select_related("player")]
    marks = [(team.is_team, team.short_name, team.mark_glyph, team.mark_colour) for team in teams]
    assert marks[0] == (True, "港", "港", 0)
    assert marks == [
        (True, team.player.short_name, team.player.mark_glyph, team.player.mark_colour) for team in league.teams
    ]
    assert not again.entrants.filter(player__is_team=False).exists()


def renamed(document: FileDocument) -> FileDocument:
    """Return the file with other keys for all people and teams, under another address."""
    text = document.model_dump_json(exclude_defaults=True).replace('"teams-', '"others-')
    found = FileDocument.model_validate_json(text)
    return found.model_copy(update={"competition": found.competition.model_copy(update={"slug": "others"})})


def test_faults_of_members_and_line_ups_are_told_with_their_place() -> None:
    league = team_league(1)
    document = document_of(league.competition)
    first, *others = document.members
    members = (
        first.model_copy(update={"since": MOVES_ON, "until": MOVES_ON - dt.timedelta(days=1)}),
        others[0].model_copy(update={"player": "nobody"}),
        others[1].model_copy(update={"team": first.player}),
        others[1].model_copy(update={"player": first.team}),
        others[3].model_copy(update={"until": None}),
        *others[4:],
        others[3].model_copy(update={"team": document.members[-1].team}),
    )
    slug = document.competition.model_copy(update={"slug": "again"})
    broken = document.model_copy(update={"members": members, "competition": slug})
    with pytest.raises(ImportRefusedError) as refused:
        import_competition(file=file_of(broken, "file"), by=factories.SYSTEM)
    told = {fault.key: fault.message for fault in refused.value.faults}
    assert {key.split(".")[0] for key in told} == {"members"}
    assert "the last day is before the first" in told["members.0.until"]
    assert "no player of the file" in told["members.1.player"]
    assert "no entrant" in told["members.2.team"]
    assert "no member of a team" in told["members.3.player"]
    assert any("two teams on one day" in message for message in told.values())


def test_a_file_without_teams_names_nothing_of_teams() -> None:
    competition = factories.league()
    text = document_of(competition).model_dump_json(exclude_defaults=True)
    assert "member" not in text
    assert "line_up" not in text
