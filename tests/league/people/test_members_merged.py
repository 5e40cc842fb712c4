"""Test merging, erasing and exporting people who are members of teams, or named in series and rankings."""

from __future__ import annotations

import datetime as dt
from copy import deepcopy
from typing import TYPE_CHECKING

import pytest

from league.models import (
    Adjustment,
    Change,
    Entrant,
    EventListed,
    EventResult,
    LineUp,
    MoveDecision,
    OpeningBalance,
    Player,
    Ranking,
    RankingRevision,
    Series,
    SeriesRevision,
    TeamMember,
    Term,
)
from league.platform.errors import RuleViolationError
from league.selectors.people.personal_data import person_document
from league.services.competitions.setup import new_player
from league.services.parlour.people import merge_players
from league.services.people.erasure import erase_player
from tests.factories import SYSTEM
from tests.league.team_league import MOVES_ON, TeamLeague

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(shared_rows: None) -> TeamLeague:
    """Return a league of teams with one hanchan played and the next evening scheduled."""
    league = TeamLeague()
    league.play_evenings(1)
    return league


@pytest.fixture
def made(played: TeamLeague) -> TeamLeague:
    return deepcopy(played)


def merge(duplicate: Player, keep: Player) -> None:
    merge_players(duplicate=duplicate, keep=keep, by=SYSTEM, reason="same person")


def add(made: TeamLeague, team: int, player: Player, since: dt.date | None = None) -> TeamMember:
    made.competition.refresh_from_db()
    entrant = made.teams[team]
    return TeamMember.objects.create(entrant=entrant, player=player, since=since, made_n=made.competition.version)


def everywhere(player: Player, made: TeamLeague) -> None:
    """Give a player a row in everything that refers to people."""
    hanchan = made.schedule()[0]
    team = hanchan.seats.order_by("seat")[0].entrant
    LineUp.objects.create(hanchan=hanchan, entrant=team, player=player, made_n=1, reason="")
    Adjustment.objects.create(
        block=made.block("regular"), entrant=team, player=player, points=-10, made_n=1, reason="late"
    )
    rules = SeriesRevision.objects.create(name="s", number=1, text="", sha256="s")
    series = Series.objects.create(slug="pyramid", name="Pyramid", rules=rules)
    term = Term.objects.create(series=series, number=1, name="1")
    MoveDecision.objects.create(term=term, player=player, kind=MoveDecision.Kind.LEAVES)
    OpeningBalance.objects.create(series=series, player=player, points=2)
    ranking = Ranking.objects.create(
        slug="points",
        name="Points",
        rules=RankingRevision.objects.create(name="r", number=1, text="", sha256="r"),
    )
    event = EventListed.objects.create(ranking=ranking, competition=made.competition, day=dt.date(2026, 1, 1))
    EventResult.objects.create(event=event, player=player, place=1, players=8)


REFERRING: tuple[Callable[[Player], bool], ...] = tuple(
    lambda player, model=model: model.objects.filter(player=player).exists()  # type: ignore[misc]
    for model in (TeamMember, LineUp, Adjustment, MoveDecision, OpeningBalance, EventResult)
)


def test_everything_that_refers_to_a_member_follows_the_person(made: TeamLeague) -> None:
    duplicate, keep = made.members[1][1], new_player(name="本人", by=SYSTEM)
    everywhere(duplicate, made)
    merge(duplicate, keep)
    assert [refers(keep) for refers in REFERRING] == [True] * 6
    assert not any(refers(duplicate) for refers in REFERRING)
    assert Change.objects.filter(kind="players.merged", competition=made.competition).exists()


def test_a_merge_never_puts_one_person_into_two_teams_on_one_day(made: TeamLeague) -> None:
    with pytest.raises(RuleViolationError, match="two teams of “") as refused:
        merge(made.members[1][0], made.members[2][0])
    assert refused.value.findings[0].code == "two_teams"


def test_memberships_in_two_teams_on_different_days_are_a_transfer(made: TeamLeague) -> None:
    newcomer = new_player(name="新人", by=SYSTEM)
    add(made, 3, newcomer, since=MOVES_ON)
    before = made.members[1][2]
    TeamMember.objects.filter(player=before).update(until=MOVES_ON - dt.timedelta(days=1))
    merge(newcomer, before)
    assert TeamMember.objects.standing().filter(player=before).count() == 2


@pytest.mark.both_databases
def test_two_memberships_in_one_team_become_one_over_the_days_of_both(made: TeamLeague) -> None:
    keep = made.members[1][2]
    TeamMember.objects.filter(player=keep).update(since=MOVES_ON, until=MOVES_ON + dt.timedelta(days=9))
    duplicate = new_player(name="重複", by=SYSTEM)
    add(made, 1, duplicate, since=MOVES_ON - dt.timedelta(days=3))
    merge(duplicate, keep)
    row = TeamMember.objects.standing().get(player=keep)
    assert (row.since, row.until) == (MOVES_ON - dt.timedelta(days=3), None)
    assert not TeamMember.objects.filter(player=duplicate).exists()
    assert TeamMember.objects.filter(player=keep).count() == 3, "the rows before are history"


def test_a_person_entered_alone_cannot_become_a_member_by_merging(made: TeamLeague) -> None:
    alone = new_player(name="個人", by=SYSTEM)
    # Services refuse such an entry; a competition whose format was for players once may have one.
    Entrant.objects.create(competition=made.competition, player=alone, number=99)
    with pytest.raises(RuleViolationError, match="alone or for a team"):
        merge(alone, made.members[1][0])


def test_two_people_named_for_one_game_cannot_be_merged(made: TeamLeague) -> None:
    one, other = (new_player(name=name, by=SYSTEM) for name in ("一", "二"))
    hanchan = made.schedule()[0]
    for seat, player in zip(hanchan.seats.order_by("seat"), (one, other), strict=False):
        LineUp.objects.create(hanchan=hanchan, entrant=seat.entrant, player=player, made_n=1, reason="")
    with pytest.raises(RuleViolationError, match="are named for one game"):
        merge(one, other)


def test_a_team_cannot_be_merged_with_a_person(made: TeamLeague) -> None:
    with pytest.raises(RuleViolationError, match="a team and a person"):
        merge(new_player(name="人", by=SYSTEM), made.teams[0].player)


def test_two_standing_decisions_after_one_term_cannot_become_one_persons(made: TeamLeague) -> None:
    one, other = (new_player(name=name, by=SYSTEM) for name in ("一", "二"))
    everywhere(one, made)
    MoveDecision.objects.create(term=Term.objects.get(), player=other, kind=MoveDecision.Kind.SEAT_KEPT)
    with pytest.raises(RuleViolationError, match="decision of a series"):
        merge(one, other)


@pytest.mark.both_databases
def test_a_persons_document_has_teams_line_ups_decisions_and_results_in_rankings(made: TeamLeague) -> None:
    player = made.members[1][1]
    everywhere(player, made)
    found = person_document(player)
    counts = {key: len(found[key]) for key in ("teams", "line_ups", "penalties", "series", "rankings")}  # type: ignore[arg-type]
    assert counts == {"teams": 1, "line_ups": 1, "penalties": 1, "series": 2, "rankings": 1}


def test_erasing_a_member_renews_the_pages_of_the_team_league(made: TeamLeague) -> None:
    player = made.members[1][1]
    before = made.competition.version
    erase_player(player=player, by=SYSTEM)
    made.competition.refresh_from_db()
    assert made.competition.version > before
    assert TeamMember.objects.filter(player=player).exists(), "the membership stays, without a name"
    player.refresh_from_db()
    assert player.name.startswith("消去された選手")
