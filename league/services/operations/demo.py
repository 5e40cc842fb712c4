"""Load the demonstration season, and remove it again without a trace."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from django.db.models import Model, Q, QuerySet
from django.utils import timezone

from league.demo import DemoGame, demo_games, demo_season
from league.models import (
    Adjustment,
    Block,
    Change,
    Closing,
    Competition,
    Credit,
    DayClose,
    Departure,
    Door,
    Draw,
    Entrant,
    EventListed,
    EventResult,
    Extra,
    GuestTerms,
    Hanchan,
    HouseTariff,
    LineUp,
    MoveDecision,
    OpeningBalance,
    Override,
    Paifu,
    PaifuImport,
    Pairing,
    Parlour,
    ParlourTable,
    Payment,
    Player,
    ResultSheet,
    RulesInForce,
    Ruling,
    Session,
    Sitting,
    SittingAmount,
    SittingSeat,
    SlipPhoto,
    Slot,
    Stage,
    Statement,
    StatementLine,
    TableEvent,
    TableSession,
    TeamMember,
    TillClose,
    WaitingGuest,
)
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.live.log import log_of
from league.services.access.guard import all_or_nothing
from league.services.competitions.first_page import set_first_page
from league.services.exchange.competition_import import import_competition
from league.services.live.log_import import ImportedLog, import_log
from league.services.live.results import submit_log
from league.services.standings.publishing import publish_standings


@all_or_nothing
def load_demo(*, by: Actor | None = None) -> Competition | None:
    """Import the demonstration season, its final being played today in its last hand; None if a demonstration exists.

    Raise ImportRefusedError if its slug is taken by another competition.
    """
    if Competition.objects.filter(is_demo=True).exists():
        return None
    zone = ZoneInfo("Asia/Tokyo")
    file = demo_season(timezone.now().astimezone(zone).date())
    by = by or Actor.system(Door.COMMAND)
    competition = import_competition(file=file, by=by, is_demo=True)
    set_first_page(competition=competition, is_first=True, by=by)
    for game in demo_games():
        _follow(competition, game, by)
    publish_standings(competition.pk)
    competition.refresh_from_db()
    return competition


def _follow(competition: Competition, game: DemoGame, by: Actor) -> None:
    """Import a game's log hand by hand, and submit its result if the game is over."""
    hanchan = Hanchan.objects.get(block__competition=competition, block__key=game["block"], number=game["number"])
    sequence = import_log(hanchan=hanchan, log=ImportedLog(game["entries"]), by=by)
    if log_of(hanchan).state.is_over:
        submit_log(hanchan=hanchan, sequence=sequence, by=by)


@all_or_nothing
def remove_demo(*, by: Actor) -> int:
    """Delete every demonstration with all its facts, and its players unless they play elsewhere; return their number.

    Facts are never deleted otherwise; a demonstration's data are not facts.
    """
    demos = list(Competition.objects.filter(is_demo=True))
    for competition in demos:
        require(by, competition, Capability.MANAGE)
        if competition.parlour is not None:
            for till in till_of_house(competition.parlour):
                till.delete()
        of_teams = Q(memberships__entrant__competition=competition)
        people = list(
            Player.objects.filter(Q(entrants__competition=competition) | of_teams).values_list("pk", flat=True)
        )
        Entrant.objects.filter(competition=competition).update(merged_into=None)
        for rows in facts_of(competition):
            rows.delete()
        house = competition.parlour
        competition.delete()
        if house is not None and not house.books.exists():
            house.delete()
        named = [
            model.objects.filter(player__in=people) for model in (MoveDecision, OpeningBalance, EventResult, TeamMember)
        ]
        kept = {player for rows in named for player in rows.values_list("player", flat=True)}
        gone = Player.objects.filter(pk__in=people, entrants=None, results=None).exclude(pk__in=kept)
        # First unlink duplicates from the entry kept: that entry then has no duplicates and is deleted below as well.
        gone.filter(waiting=None, duplicates=None).update(merged_into=None)
        gone.filter(waiting=None, duplicates=None).delete()
    return len(demos)


def till_of_house(parlour: Parlour) -> Sequence[QuerySet[Model]]:
    """Return the querysets of all rows of a parlour's till and tables, dependent rows first."""
    return [
        Payment.objects.filter(parlour=parlour),
        StatementLine.objects.filter(statement__parlour=parlour),
        Statement.objects.filter(parlour=parlour),
        Extra.objects.filter(parlour=parlour),
        GuestTerms.objects.filter(parlour=parlour),
        HouseTariff.objects.filter(parlour=parlour),
        TillClose.objects.filter(parlour=parlour),
        ParlourTable.objects.filter(parlour=parlour),
    ]


def facts_of(competition: Competition) -> Sequence[QuerySet[Model]]:
    """Return the querysets of all rows of a competition, dependent rows first, in the order they can be deleted."""
    return [
        EventListed.objects.filter(competition=competition),
        LineUp.objects.filter(entrant__competition=competition),
        TeamMember.objects.filter(entrant__competition=competition),
        DayClose.objects.filter(competition=competition),
        WaitingGuest.objects.filter(competition=competition),
        SittingAmount.objects.filter(sitting__table_session__competition=competition),
        SittingSeat.objects.filter(sitting__table_session__competition=competition),
        Sitting.objects.filter(table_session__competition=competition),
        PaifuImport.objects.filter(competition=competition),
        Paifu.objects.filter(hanchan__table_session__competition=competition),
        TableEvent.objects.filter(hanchan__table_session__competition=competition),
        SlipPhoto.objects.filter(hanchan__table_session__competition=competition),
        ResultSheet.objects.filter(hanchan__table_session__competition=competition),
        Hanchan.objects.filter(table_session__competition=competition),
        TableSession.objects.filter(competition=competition),
        Session.objects.filter(competition=competition),
        Ruling.objects.filter(competition=competition),
        Adjustment.objects.filter(block__competition=competition),
        Closing.objects.filter(block__competition=competition),
        Credit.objects.filter(block__competition=competition),
        Departure.objects.filter(entrant__competition=competition),
        Pairing.objects.filter(block__competition=competition),
        Override.objects.filter(block__competition=competition),
        Draw.objects.filter(stage__competition=competition),
        Slot.objects.filter(block__competition=competition),
        Block.objects.filter(competition=competition),
        Stage.objects.filter(competition=competition),
        Entrant.objects.filter(competition=competition),
        RulesInForce.objects.filter(competition=competition),
        Change.objects.filter(competition=competition),
    ]
