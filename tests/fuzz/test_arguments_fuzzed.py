"""Fuzzed arguments of every service: odd texts, numbers and moments are accepted or refused with findings.

Each service is called correctly once; then each value in the call is replaced by one that no column can hold.
"""

from __future__ import annotations

import datetime as dt
import inspect
import pkgutil
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from django.db import models, transaction
from django.db.models.functions import Length
from django.test.utils import register_lookup
from django.utils import timezone

from league import services
from league.models import (
    Audience,
    Door,
    Entrant,
    EventListed,
    FormatDraft,
    Pairing,
    ParlourTable,
    Ranking,
    Role,
    Sitting,
    SittingSeat,
)
from league.platform.errors import ServiceError
from league.selectors.access.actors import Actor, Capability
from league.selectors.competitions.seating.plans import Calendar, Days, Wishes
from league.selectors.competitions.seating.replanning import ReplanWish
from league.selectors.competitions.session_moves import SessionMove
from league.selectors.seasons.teams import members_of, teams_of
from league.services.access import invitations, sign_in_sessions, tokens, two_factor
from league.services.access.tokens import TokenPlan
from league.services.competitions import (
    addresses,
    announcements,
    arrivals,
    departures,
    editing,
    first_page,
    pairing,
    replanning,
    roster,
    schedule,
    seating,
    seating_searches,
    session_moves,
    setup,
    wizard,
)
from league.services.competitions.arrivals import NoShowDecision
from league.services.competitions.editing import CompetitionWords, EntrantWords, PlayerWords, TableWords
from league.services.competitions.schedule import Fixture
from league.services.competitions.seating import SeatDraw
from league.services.competitions.setup import CompetitionPlan
from league.services.competitions.wizard import Filling, Newcomer
from league.services.exchange import paifu_import, season_archives
from league.services.exchange.paifu_import import GameChoice, begin_paifu_import
from league.services.live import log, log_import, referee_calls
from league.services.live import results as table_results
from league.services.live.log import NewEvent
from league.services.live.log_import import ImportedLog
from league.services.parlour import chairs, chips, days, following, games, people, sittings, statements, tariffs, terms
from league.services.parlour import setup as houses
from league.services.parlour.games import GameEntry
from league.services.parlour.people import GuestChoice
from league.services.parlour.sittings import Guest, SittingPlan
from league.services.people import online_accounts, upserts
from league.services.results import batches, corrections, photos, results, rulings, substitutes, walkovers
from league.services.results.batches import Incoming
from league.services.results.entry import SeatEntry, SheetEntry
from league.services.rulebooks import format_drafts, own_formats, own_rulesets, revisions
from league.services.rulebooks.own_rulesets import Draft
from league.services.rulebooks.revisions import RulesChoice, keep_format, keep_ruleset
from league.services.seasons import fixtures, line_ups, rankings, teams
from league.services.seasons.rankings import EventFacts
from league.services.seasons.teams import NewTeam
from league.services.standings.publishing import publish_standings
from league.services.webhooks import subscriptions
from rulesets import loader
from scoring.charges import Rate, Tariff
from tests import factories
from tests.factories import SYSTEM
from tests.fuzz.examples import ASKED
from tests.fuzz.series_calls import SERIES_CALLS
from tests.fuzz.unstorable import unstorable_columns
from tests.league import parlours
from tests.league.online import brought
from tests.league.parlours import house
from tests.league.resting_teams import evening, hanchan_of, resting_teams
from tests.league.tables import begun
from tests.paifu.simulated import simulated
from tests.permissions.world import picture

pytestmark = pytest.mark.django_db

LONG = "x" * 100_001
ODD: dict[type, tuple[Any, ...]] = {
    str: (LONG, "a\ud800b", "\0"),
    int: (10**30, 2**31, -1, 2**15, 2**63, -(2**63) - 1),
    dt.datetime: (dt.datetime.max.replace(tzinfo=dt.UTC), dt.datetime.min.replace(tzinfo=dt.UTC)),
    dt.date: (dt.date.max, dt.date.min),
}
"""Odd values by type; the two that break most code come first."""
MONTH = dt.timedelta(days=30)


class Here:
    """A league and a parlour with some rows of every kind."""

    def __init__(self) -> None:
        self.league = factories.league()
        self.final = factories.final_table()
        self.draft = factories.league("draft", status=None)
        self.empty = setup.create_competition(
            plan=CompetitionPlan(slug="empty", name="空", ruleset="cinderella", league_format="cinderella"), by=SYSTEM
        )
        self.open_size = factories.league("open", ruleset="mleague", league_format="swiss-40", entrants=16, status=None)
        self.block = self.league.blocks.get(key="A")
        self.people = factories.in_block(self.block)
        table = factories.table(self.block)
        self.table = table
        self.played, self.next, *_rest = table.hanchan.order_by("round")
        self.sheet = factories.play(self.played)
        self.session = table.session
        self.stage = self.league.stages.order_by("order")[1]
        self.slots = list(self.block.slots.order_by("number"))
        self.live = begun(factories.table(self.final.blocks.get()))
        self.of_teams = resting_teams()
        self.team, self.other_team, *_teams = teams_of(self.of_teams)
        self.team_member = members_of(self.team)[1]
        self.team_game = hanchan_of(evening(self.of_teams))[0]
        self.parlour = parlours.parlour("banchi3", audience=Audience.PUBLIC)
        self.guests = parlours.guests(self.parlour, 5)
        self.sitting = parlours.sitting(self.parlour, self.guests[:3])
        parlours.play(self.sitting)
        self.counted = parlours.sitting(self.parlour, [], table="2", chips="per_sitting")
        sittings.join(sitting=self.counted, seat=0, guest=Guest(entrant=self.guests[3]), by=SYSTEM)
        self.director = factories.user("director", Role.DIRECTOR, self.league, is_staff=True)
        self.by = Actor(self.director, Door.PAGE)
        self.hook = subscriptions.subscribe(owner=self.league, url="https://example.org/hook", by=SYSTEM).subscription
        self.online = begin_paifu_import(competition=self.league, logs=brought(simulated(1)), by=SYSTEM)
        for competition in (self.league, self.final, self.parlour):
            publish_standings(competition.pk)

    @property
    def pairing(self) -> Pairing:
        """Return a pairing of the second round, as it would be published."""
        return Pairing.objects.create(
            block=self.block, number=2, seed="1", standing_version=1, order=[], tables=[], cost=0, bound=0,
            bound_by="optimum", is_optimal=True, digest="d", made_n=self.block.competition.version,
        )  # fmt: skip

    @property
    def format_draft(self) -> FormatDraft:
        """Return a new draft of a format."""
        return format_drafts.start_draft(source="cinderella", name="maple", by=SYSTEM)

    facts = EventFacts(day=dt.date(2027, 1, 9), days=2, countries=3, needs_qualification=True)

    @property
    def ranking(self) -> Ranking:
        """Return a new ranking."""
        slug = f"circuit-{Ranking.objects.count()}"
        return rankings.create_ranking(slug=slug, name="年間", source="mers", by=SYSTEM)

    @property
    def event(self) -> EventListed:
        """Return an event of a new ranking."""
        return rankings.list_event(ranking=self.ranking, competition=self.final, facts=self.facts, by=SYSTEM)

    def entry(self, *people: Entrant) -> SheetEntry:
        """Return a sheet in which every field is set."""
        scores = (41200, 30100, 17700, 10000)
        seats = tuple(SeatEntry(who.pk, who.player_id, score, 1) for who, score in zip(people, scores, strict=True))
        return SheetEntry(
            seats=seats, kyoutaku=1, options={"a": 1}, carried={"b": (1, -1)}, tobi=((1, 0),), forced_top=0
        )

    @property
    def chair(self) -> SittingSeat:
        """Return an occupied chair."""
        found = SittingSeat.objects.filter(sitting=self.sitting, left_at=None).first()
        assert found is not None
        return found


NOW = timezone.now()
PERSON: dict[str, Any] = {
    "name_kana": "こう",
    "name_romaji": "Kou",
    "affiliation": "灯火会",
    "country": "日本",
    "number": "7",
}
CALENDAR = Calendar(first_day=dt.date(2027, 1, 9), every=7, starts_at=dt.time(12, 0), venue="灯火")
Call = Callable[[Here], Mapping[str, Any]]
CALLS: dict[Callable[..., Any], Call] = {
    teams.enter_teams: lambda here: {
        "competition": here.of_teams,
        "teams": [
            NewTeam(
                name="黒", name_kana="くろ", name_romaji="Kuro", short_name="黒", mark_glyph="黒", mark_colour=3,
                members=(Newcomer(name="黒1"),),
            )
        ],
        "accept": ("x",),
    },
    teams.add_member: lambda here: {
        "entrant": here.team, "player": here.people[0].player, "since": dt.date(2027, 1, 1),
        "until": dt.date(2027, 2, 1), "reason": "new",
    },
    teams.end_membership: lambda here: {
        "member": here.team_member, "until": dt.date(2027, 12, 1), "reason": "left"
    },
    teams.transfer: lambda here: {
        "member": here.team_member, "to": here.other_team, "since": dt.date(2027, 12, 1), "reason": "moved"
    },
    line_ups.name_line_up: lambda here: {
        "hanchan": here.team_game, "entrant": here.team, "player": here.team_member.player, "reason": "form",
        "accept": ("x",),
    },
    fixtures.add_fixtures: lambda here: {
        "block": here.team_game.block, "text": "2027-12-01 19:00, 赤, 青, 緑, 黄", "digest": "d"
    },
    line_ups.take_line_up_back: lambda here: {"hanchan": here.team_game, "entrant": here.team, "reason": "slip"},
    line_ups.set_line_up_deadline: lambda here: {
        "table": here.team_game.table_session, "due_at": NOW, "are_secret": True
    },
    setup.create_competition: lambda here: {
        "plan": CompetitionPlan(
            slug="new", name="新", name_en="New", ruleset="cinderella", league_format="cinderella", options={"a": 1},
            effective_from=NOW,
        )
    },
    setup.create_parlour: lambda here: {"slug": "house", "name": "灯火", "name_en": "Lantern", "currency": "JPY"},
    upserts.upsert_people: lambda here: {
        "rows": [upserts.PersonRow(external_id="m1", name="甲"), upserts.PersonRow(external_id="m2", name="乙")],
        "by": here.by,
    },
    upserts.upsert_entrants: lambda here: {
        "competition": here.draft, "people": [here.people[0].player], "by": SYSTEM,
        "words": [editing.EntrantWords(affiliation="A", country="B")],
    },
    setup.new_player: lambda here: {"name": "甲", "key": "k", **PERSON},
    arrivals.check_in: lambda here: {"entrant": here.people[5]},
    arrivals.take_check_in_back: lambda here: {"entrant": here.people[5]},
    arrivals.record_no_show: lambda here: {
        "block": here.block, "number": 2, "entrant": here.people[5], "reason": "gone",
        "decision": NoShowDecision(points=-300, is_last=True), "accept": ("x",),
    },
    arrivals.admit_late: lambda here: {
        "block": here.block, "player": here.people[5].player, "first": 2, "reason": "train", "accept": ("x",)
    },
    departures.withdraw: lambda here: {"entrant": here.people[5], "reason": "gone", "accept": ("x",)},
    departures.disqualify: lambda here: {"entrant": here.people[5], "reason": "gone", "accept": ("x",)},
    walkovers.declare_walkover: lambda here: {
        "hanchan": here.next, "points": 50, "reason": "power cut", "accept": ("x",)
    },
    corrections.revert_result: lambda here: {
        "hanchan": here.played, "revision": 1, "corrects": 1, "reason": "slip", "accept": ("x",)
    },
    editing.edit_competition: lambda here: {
        "competition": here.league, "words": CompetitionWords(name="春", name_en="Spring", live_delay=5)
    },
    editing.edit_entrant: lambda here: {
        "entrant": here.people[5], "words": EntrantWords(affiliation="灯火", country="JP")
    },
    editing.edit_session: lambda here: {"session": here.session, "name": "第一節", "name_en": "First"},
    editing.edit_table_session: lambda here: {
        "table_session": here.table,
        "words": TableWords(table="1", starts_at=NOW, venue="灯火", stream_url="https://example.org/"),
    },
    editing.edit_player: lambda here: {
        "player": here.people[0].player, "words": PlayerWords(**PERSON, name="甲", handle="h")
    },
    announcements.set_timer: lambda here: {"session": here.session, "ends_at": NOW + MONTH},
    announcements.extend_timer: lambda here: {"session": here.session, "minutes": 5},
    referee_calls.call_referee: lambda here: {"table_session": here.table, "about": "score"},
    announcements.announce: lambda here: {"session": here.session, "text": "開始", "text_en": "Begin"},
    invitations.write_invitation: lambda here: {
        "competition": here.league, "email": "a@example.org", "role": Role.READER, "language": "ja"
    },
    **SERIES_CALLS,
    season_archives.archive_of_ranking: lambda here: {"ranking": here.ranking, "day": here.facts.day},
    rankings.create_ranking: lambda here: {
        "slug": "new", "name": "新", "name_en": "New", "source": "mers", "text": "", "is_public": True
    },
    rankings.edit_ranking: lambda here: {"ranking": here.ranking, "name": "新", "name_en": "New", "is_public": True},
    rankings.change_rules: lambda here: {
        "ranking": here.ranking, "source": "season-points", "text": "", "reason": "fairer"
    },
    rankings.list_event: lambda here: {
        "ranking": here.ranking, "competition": here.final, "facts": here.facts, "reason": "counts"
    },
    rankings.change_event: lambda here: {"event": here.event, "facts": here.facts, "reason": "two days"},
    rankings.unlist_event: lambda here: {"event": here.event, "reason": "counts no more"},
    own_formats.keep_own_format: lambda here: {
        "text": own_formats.cloned_format("cinderella", "maple"), "seen": 1, "accept": ("x",)
    },
    format_drafts.start_draft: lambda here: {"source": "cinderella", "name": "maple", "title": "かえで"},
    format_drafts.change_draft: lambda here: {
        "draft": here.format_draft, "seen": 1, "text": 'name = "maple"', "data": {"name": "maple"}
    },
    format_drafts.undo_draft: lambda here: {"draft": here.format_draft, "seen": 1},
    format_drafts.redo_draft: lambda here: {"draft": here.format_draft, "seen": 1},
    format_drafts.discard_draft: lambda here: {"draft": here.format_draft, "seen": 1},
    format_drafts.keep_draft: lambda here: {"draft": here.format_draft, "seen": 1, "accept": ("x",)},
    own_rulesets.keep_own_ruleset: lambda here: {
        "draft": Draft(text=loader.text_of("cinderella").replace('"cinderella"', '"own"', 1), seen=0), "accept": ("x",)
    },
    chips.record_sitting_amounts: lambda here: {
        "sitting": here.counted, "ledger": "g", "amounts": {here.guests[3].pk: 0}
    },
    days.close_day: lambda here: {"parlour": house(here.parlour), "day": dt.date(2026, 1, 1)},
    days.reopen_day: lambda here: {"parlour": house(here.parlour), "day": dt.date(2026, 1, 1), "reason": "slip"},
    statements.settle: lambda here: {
        "parlour": house(here.parlour), "player": here.guests[0].player, "at": NOW, "expected": 600, "leaves": False
    },
    statements.pay_account: lambda here: {
        "parlour": house(here.parlour), "player": here.guests[0].player, "money": 600, "at": NOW
    },
    statements.cancel_statement: lambda here: {
        "statement": statements.settle(
            parlour=house(here.parlour), player=here.guests[1].player, by=SYSTEM, leaves=False
        ),
        "reason": "slip",
    },
    statements.add_extra: lambda here: {
        "parlour": house(here.parlour), "player": here.guests[0].player, "label": "茶", "money": 300, "at": NOW
    },
    tariffs.set_tariff: lambda here: {
        "parlour": house(here.parlour),
        "plan": tariffs.TariffPlan(
            from_day=dt.date(2026, 1, 1), tariff=Tariff(per_game=400), book=here.parlour, table="1"
        ),
    },
    houses.set_up_parlour: lambda here: {
        "plan": houses.ParlourPlan(
            slug="light", name="月光", name_en="Moonlight",
            books=(houses.BookPlan(ruleset="kansai3", tariff=Tariff(per_game=400)),),
            tables=(houses.TablePlan(name="1", usual_book=0),),
        )
    },
    houses.add_book: lambda here: {
        "parlour": house(here.parlour), "plan": houses.BookPlan(ruleset="kansai3", tariff=Tariff(top=200))
    },
    houses.add_table: lambda here: {"parlour": house(here.parlour), "name": "9", "usual_book": here.parlour},
    houses.edit_table: lambda here: {
        "table": ParlourTable.objects.create(parlour=house(here.parlour), name="8", order=8),
        "name": "7", "usual_book": here.parlour,
    },
    houses.remove_table: lambda here: {
        "table": ParlourTable.objects.create(parlour=house(here.parlour), name="6", order=6)
    },
    houses.edit_parlour: lambda here: {
        "parlour": house(here.parlour),
        "words": houses.HouseWords(
            name="月光", name_en="", day_starts_at=here.parlour.day_starts_at, is_public=False
        ),
    },
    terms.set_terms: lambda here: {
        "parlour": house(here.parlour), "player": here.guests[0].player, "rate": Rate.STUDENT, "stamps": 3,
        "day": dt.date(2026, 1, 1),
    },
    games.record_game: lambda here: {
        "sitting": here.sitting,
        "game": GameEntry(
            scores=(45000, 35000, 25000), first_dealer=0, kyoutaku=0, chonbo=(0, 0, 0), carried={"g": (100, -100, 0)},
            entrants=tuple(one.pk for one in here.guests[:3]),
        ),
        "expected_round": 2,
        "accept": ("x",),
        "at": NOW,
    },
    games.correct_last_game: lambda here: {
        "sitting": here.sitting, "corrects": 1, "reason": "slip", "expected_round": 1,
        "entry": SheetEntry(seats=tuple(
            SeatEntry(one.pk, one.player_id, score)
            for one, score in zip(here.guests[:3], (45000, 35000, 25000), strict=True)
        )),
    },
    following.start_followed_game: lambda here: {"sitting": here.sitting, "first_dealer": 0},
    following.abandon_followed_game: lambda here: {
        "sitting": following.start_followed_game(sitting=here.sitting, first_dealer=0, by=SYSTEM)
        .table_session.sitting,
        "reason": "slip",
    },
    following.confirm_followed_game: lambda here: {"sheet": here.sheet, "accept": ("x",)},
    games.take_back_last_game: lambda here: {"sitting": here.sitting, "reason": "slip"},
    people.add_guest: lambda here: {"competition": here.parlour, "name": "新", "name_kana": "しん", "number": "7"},
    people.add_waiting: lambda here: {
        "competition": here.parlour, "player": here.guests[4].player, "party": 2, "wish": "窓側",
        "at": NOW,
    },
    people.merge_players: lambda here: {
        "duplicate": here.guests[4].player, "keep": here.people[7].player, "reason": "same"
    },
    people.seat_waiting: lambda here: {
        "sitting": here.counted, "seat": 1,
        "waiting": people.add_waiting(competition=here.parlour, player=here.guests[4].player, by=SYSTEM),
    },
    people.choose_guest: lambda here: {
        "competition": here.parlour, "choice": GuestChoice(text="室戸 そら", player=here.guests[4].player_id)
    },
    sittings.open_sitting: lambda here: {
        "competition": here.parlour,
        "plan": SittingPlan(
            table="9", people=[Guest(entrant=here.guests[4])], kind=Sitting.Kind.SET, options={"a": 1},
            yen_per_hour=1500, at=NOW,
        ),
    },
    chairs.move_guest: lambda here: {"seat": here.chair, "sitting": here.counted, "chair": 1, "at": NOW + MONTH},
    chairs.swap_guests: lambda here: {
        "one": SittingSeat.objects.get(sitting=here.sitting, seat=1),
        "other": SittingSeat.objects.get(sitting=here.sitting, seat=2),
        "at": NOW + MONTH,
    },
    sittings.join: lambda here: {
        "sitting": here.counted, "seat": 1, "guest": Guest(entrant=here.guests[4]), "at": NOW
    },
    sittings.leave: lambda here: {"seat": here.chair, "at": NOW},
    sittings.close_sitting: lambda here: {"sitting": here.sitting, "at": NOW + MONTH, "accept": ("x",)},
    results.record_result: lambda here: {
        "hanchan": here.next, "entry": here.entry(*here.people[:4]), "corrects": 1, "reason": "slip", "made_from": 1,
        "accept": ("x",),
    },
    results.confirm_result: lambda here: {"sheet": here.sheet, "accept": ("x",)},
    results.reject_result: lambda here: {"sheet": here.sheet, "reason": "slip"},
    results.void_hanchan: lambda here: {"hanchan": here.played, "reason": "slip", "accept": ("x",)},
    results.abandon_hanchan: lambda here: {"hanchan": here.next, "reason": "slip"},
    results.resume_hanchan: lambda here: {"hanchan": here.next, "reason": "slip", "accept": ("x",)},
    photos.remove_photo: lambda here: {
        "photo": photos.attach_photo(hanchan=here.played, file=picture(), by=SYSTEM), "reason": "blurred"
    },
    sign_in_sessions.sign_out_elsewhere: lambda here: {"user": here.director, "here": "0123456789abcdef"},
    two_factor.reset: lambda here: {"user": here.director, "reason": "lost"},
    addresses.change_slug: lambda here: {"competition": here.league, "slug": "spring-2027"},
    first_page.set_first_page: lambda here: {"competition": here.league, "is_first": True},
    revisions.put_rules_in_force: lambda here: {
        "competition": here.league,
        "choice": RulesChoice(
            ruleset=keep_ruleset("cinderella"), league_format=keep_format("cinderella"), options={"rounding": "exact"},
            since=NOW,
        ),
    },
    rulings.rule_on_tie: lambda here: {
        "competition": here.league, "scope": "A", "order": here.people[4:8], "reason": "lots", "accept": ("x",)
    },
    rulings.adjust_points: lambda here: {
        "block": here.block, "entrant": here.people[0], "points": 5, "reason": "late", "accept": ("x",), "cause": ""
    },
    rulings.override_slot: lambda here: {
        "slot": here.slots[0], "source": "seed:1", "reason": "late", "entrant": here.people[0], "accept": ("x",)
    },
    rulings.swap_slots: lambda here: {
        "first": here.slots[0], "second": here.slots[1], "reason": "late", "accept": ("x",)
    },
    rulings.pass_over: lambda here: {
        "block": here.block, "entrant": here.people[0], "reason": "late", "accept": ("x",)
    },
    rulings.close_block: lambda here: {"block": here.block, "reason": "late"},
    rulings.take_back: lambda here: {
        "decision": rulings.adjust_points(
            block=here.block, entrant=here.people[0], points=5, reason="late", by=SYSTEM
        ),
        "competition": here.league, "reason": "slip", "accept": ("x",),
    },
    rulings.draw_stage: lambda here: {"stage": here.stage, "seed": "1", "reason": "lots", "accept": ("x",)},
    schedule.create_session: lambda here: {
        "competition": here.league, "name": "節", "name_en": "Session", "number": 9
    },
    schedule.create_table_session: lambda here: {
        "session": here.session,
        "fixture": Fixture(
            block=here.block, numbers=(5, 6), entrants=here.people[:4], table="2", starts_at=NOW, venue="灯火",
            stream_url="https://example.org/", public_at=NOW + MONTH,
        ),
    },
    schedule.hold_back: lambda here: {"table_session": here.table, "until": NOW + MONTH},
    roster.fit_roster: lambda here: {"competition": here.open_size, "entrants": 16},
    roster.add_house_players: lambda here: {"competition": here.draft, "count": 1},
    roster.admit: lambda here: {"competition": here.open_size, "people": [Newcomer(name="甲", **PERSON)]},
    seating.write_schedule: lambda here: {
        "competition": here.draft,
        "wishes": Wishes(
            calendar=CALENDAR, seed="1", days=Days.SESSION, minutes=60, absent={1: frozenset({1})}, hanchan=4,
            sessions=2, keeps_countries_apart=True, fewer_tables=(2, 1),
        ),
        "digest": "d",
    },
    seating_searches.improve_seating: lambda here: {
        "competition": here.draft,
        "wishes": Wishes(calendar=CALENDAR, seed="1", absent={1: frozenset({1})}, hanchan=4, sessions=2),
    },
    session_moves.move_session: lambda here: {
        "session": here.session, "digest": "d",
        "wish": SessionMove(day=NOW.date(), time=NOW.time(), venue="灯火", moves_later=True),
    },
    seating.draw_seats: lambda here: {"session": here.session, "draw": SeatDraw(seed="1", is_for_all=True)},
    seating.swap_players: lambda here: {
        "block": here.block, "numbers": (2, 3), "one": here.people[0], "other": here.people[1]
    },
    pairing.pair_round: lambda here: {"block": here.block, "number": 2, "digest": "d"},
    pairing.take_pairing_back: lambda here: {"pairing": here.pairing, "reason": "a player came late"},
    replanning.replan_rounds: lambda here: {
        "block": here.block, "digest": "d",
        "wish": ReplanWish(
            first=2, leaving=frozenset({here.people[0].pk}), joining=frozenset({here.people[7].pk}), newcomers=("新",),
            lost=frozenset({"1"}),
        ),
    },
    replanning.restore_plan: lambda here: {"block": here.block, "digest": "d"},
    wizard.set_up_league: lambda here: {
        "plan": CompetitionPlan(slug="new", name="新", ruleset="cinderella", league_format="cinderella"),
        "calendar": CALENDAR,
    },
    wizard.plan_calendar: lambda here: {"competition": here.draft, "calendar": CALENDAR},
    wizard.enter_roster: lambda here: {"competition": here.empty, "people": [Newcomer(name="甲", **PERSON)]},
    wizard.fill_blocks: lambda here: {
        "competition": here.empty, "filling": Filling.DRAWN, "seed": "1", "by_hand": {here.block.pk: here.people}
    },
    batches.take_results: lambda here: {
        "competition": here.league, "halt_after": 1,
        "incoming": [Incoming(here.next, here.entry(*here.people[:4]), "slip")],
    },
    substitutes.name_substitute: lambda here: {
        "hanchan": here.next, "entrant": here.people[0], "player": here.people[7].player, "reason": "ill",
        "accept": ("x",),
    },
    log.append_events: lambda here: {"hanchan": here.live, "after": 1, "events": [here_event()]},
    log.write_events: lambda here: {"hanchan": here.live, "after": 1, "events": [here_event()]},
    log.foresee: lambda here: {"hanchan": here.live, "events": [here_event()]},
    table_results.submit_log: lambda here: {
        "hanchan": here.live, "sequence": 1, "reason": "slip", "accept": ("x",), "ended_by_time": True
    },
    table_results.object_to_sheet: lambda here: {"sheet": here.sheet, "reason": "slip"},
    paifu_import.choose_in_import: lambda here: {
        "batch": here.online, "choices": {1: GameChoice({"0": (1, 1)}, here.next.pk)},
    },
    paifu_import.apply_paifu_import: lambda here: {"batch": here.online, "accept": ["online_points_differ"]},
    online_accounts.remember_account: lambda here: {
        "player": here.people[0].player, "service": "tenhou", "kind": "name", "text": "kaze",
    },
    log_import.import_log: lambda here: {
        "hanchan": here.next,
        "log": ImportedLog(
            entries=[{"type": "draw", "tenpai": [0, 2]}], seats=[one.pk for one in here.people[:4]], options={"a": 1},
            changes=[[1500, -1500, 1500, -1500]],
        ),
    },
    tokens.make_token: lambda here: {
        "plan": TokenPlan(label="overlay", scopes=[Capability.READ], expires_in=MONTH, competition=here.league),
        "by": here.by,
    },
    subscriptions.subscribe: lambda here: {"owner": here.league, "url": "https://example.org/", "events": ("x",)},
    subscriptions.change_webhook: lambda here: {
        "subscription": here.hook, "url": "https://example.org/", "events": ("result.confirmed",)
    },
}  # fmt: skip


def here_event() -> NewEvent:
    """Return an event as a device sends it."""
    return NewEvent("e99", "entry", {"entry": {"type": "draw", "tenpai": [0, 2]}})


def exchanged(value: Any) -> Iterator[tuple[str, int, Any]]:
    """Yield each replacement of one nested value: its place, the index of the odd value, and the whole."""
    if isinstance(value, bool | Enum | models.Model | Actor):
        return
    for kind, odd in ODD.items():
        if isinstance(value, kind):
            yield from (("", which, other) for which, other in enumerate(odd))
            return
    for name, inner, put in parts(value):
        for place, which, other in exchanged(inner):
            yield f"/{name}{place}", which, put(other)


def parts(value: Any) -> Iterator[tuple[object, Any, Callable[[Any], Any]]]:
    """Yield the members of a mapping, sequence or dataclass: name, value, and a function that replaces the value."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield name, inner, partial(_with_value, value, name)
            yield f"{name} (name)", name, partial(_with_name, inner)
    elif isinstance(value, list | tuple | frozenset):
        for index, each in enumerate(value):
            yield index, each, partial(_with_member, value, index)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield field.name, getattr(value, field.name), partial(_with_field, value, field.name)


def _with_value(whole: Mapping[Any, Any], name: object, other: Any) -> Any:
    return {**whole, name: other}


def _with_name(inner: Any, other: Any) -> Any:
    return {other: inner}


def _with_member(whole: Collection[Any], index: int, other: Any) -> Any:
    kind: Any = type(whole)
    return kind([*list(whole)[:index], other, *list(whole)[index + 1 :]])


def _with_field(whole: Any, name: str, other: Any) -> Any:
    return replace(whole, **{name: other})


def others(given: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the call with one value replaced; in the suite, with the two odd values in alternation over the places."""
    turn = 0
    for name, value in given.items():
        for place, which, other in exchanged(value):
            if ASKED or which == turn % 2:
                yield f"/{name}{place}", {**given, name: other}
            turn += which == 0


@pytest.fixture
def here(db: None) -> Iterator[Here]:
    """Return the rows that the services are called with; the `length` lookup is registered meanwhile."""
    with register_lookup(models.CharField, Length):
        yield Here()


@pytest.mark.both_databases
def test_every_service_accepts_or_refuses_values_that_no_column_holds(here: Here) -> None:
    problems = []
    for service, call in CALLS.items():
        with transaction.atomic():
            for place, given in others(call(here)):
                problems += [f"{service.__name__}{place}: {fault}" for fault in faults_of(here, service, given)]
            transaction.set_rollback(True)
    assert not problems, "\n".join(problems)


def faults_of(here: Here, service: Callable[..., Any], given: Mapping[str, Any]) -> list[str]:
    """Call the service and return the faults of its response or its writes; everything is rolled back."""
    try:
        with transaction.atomic():
            service(**{"by": SYSTEM, **given})
            publish_standings(here.league.pk)
            publish_standings(here.parlour.pk)
            stored = unstorable_columns()
            transaction.set_rollback(True)
    except ServiceError as refused:
        return [] if refused.findings and all(each.code and each.message for each in refused.findings) else ["no words"]
    except Exception as broken:  # noqa: BLE001 - every exception is a finding
        return [f"{type(broken).__name__}: {str(broken)[:100]!r}"]
    return [f"stored too much in {where}" for where in stored]


ELSEWHERE = {
    "accept", "accept_with_new_account",  # a token is compared by its digest, an account is validated by Django
    "import_archive", "import_competition", "import_teams", "keep_results",  # files: test_readers_fuzzed.py
    "import_season",  # files: exchange/test_season_archives.py
    "note_account_edited", "note_account_made", "note_arrival", "note_failure", "disable",
    "queue_next_messages",  # internal text
    "keep_picture",  # a picture is decoded before: tests/league/people/test_pictures.py
    "start_by_code", "link_by_code",  # a printed code is compared; the first dealer is that of start_followed_game
    "note_if_reused", "note_sign_in",  # a code is compared, never stored; a cookie is signed
}  # fmt: skip


def test_every_service_is_fuzzed_or_listed_as_tested_elsewhere() -> None:
    asked = {service.__qualname__ for service in CALLS}
    assert set(services_there()) - asked - ELSEWHERE == set()
    assert set(services_there()) >= ELSEWHERE


def services_there() -> Iterator[str]:
    """Yield the names of the transactional services that take a text, a number, a moment or a plan."""
    for found in pkgutil.walk_packages(services.__path__, "league.services."):
        module = import_module(found.name)
        for name, one in inspect.getmembers(module, inspect.isfunction):
            is_service = one.__module__ == found.name and not name.startswith("_") and hasattr(one, "__wrapped__")
            arguments = inspect.signature(one).parameters.values() if is_service else ()
            if any(takes_values(each, vars(module)) for each in arguments):
                yield name


def takes_values(argument: inspect.Parameter, known: Mapping[str, Any]) -> bool:
    """Tell if the argument is more than rows, choices and the actor."""
    names = re.findall(r"\w+", str(argument.annotation))
    return argument.name != "by" and any(name in PLAIN or is_dataclass(known.get(name)) for name in names)


PLAIN = ("str", "int", "dt", "Any", "bytes")
