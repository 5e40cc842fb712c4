"""Create the world of the permission matrix: a public league, a draft, an open table, and a user per role.

It is created once per module and rolled back with its transaction; every request is rolled back separately.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from io import BytesIO
from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.test import Client
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice
from PIL import Image

from league.models import (
    Adjustment,
    Audience,
    Block,
    Change,
    Closing,
    Competition,
    Credit,
    DayClose,
    Departure,
    Door,
    Draw,
    Hanchan,
    Invitation,
    LineUp,
    Membership,
    MoveDecision,
    OnlineAccount,
    OrganizationChange,
    Outcome,
    Override,
    Pairing,
    ParlourTable,
    Ranking,
    ResultSheet,
    Role,
    RulesInForce,
    Ruling,
    SeatResult,
    Series,
    Session,
    SlotState,
    Stage,
    Standing,
    TableLink,
    Tally,
    TeamMember,
    TokenGrant,
)
from league.models.ranking import EventResult
from league.selectors.access.actors import Actor, Capability
from league.selectors.parlour.following import code_of
from league.services.access.invitations import invite
from league.services.access.sign_in_sessions import SEEN, SIGNED_IN
from league.services.access.tokens import TokenPlan, make_token
from league.services.competitions.announcements import announce
from league.services.competitions.schedule import hold_back
from league.services.live.links import make_link
from league.services.parlour.days import close_day
from league.services.parlour.people import add_waiting
from league.services.parlour.statements import settle
from league.services.people.pictures import set_picture
from league.services.results.photos import attach_photo
from league.services.rulebooks.format_drafts import start_draft
from league.services.seasons.rankings import EventFacts, create_ranking, list_event
from league.services.seasons.series import SeriesPlan, create_series
from league.services.standings.publishing import publish_standings
from league.services.webhooks.subscriptions import ping, subscribe
from league.views.parlour.statements import SIGNER
from rulesets.format_builder.edits import new_draft
from tests import factories
from tests.factories import SYSTEM
from tests.league import parlours
from tests.league.parlours import UNSETTLED, house
from tests.league.seasons.pyramid import TWO_TIERS
from tests.league.tables import event, write
from tests.league.team_league import TeamLeague
from tests.permissions.table import LINKS
from tests.replayed import replayed

MONTH = dt.timedelta(days=30)
TABLES_WORKED_AT = ("here", "draft", "open", "teams")
STAFF = {"reader": Role.READER, "referee": Role.REFEREE, "scorer": Role.SCORER, "director": Role.DIRECTOR}


@dataclass
class Place:
    """A competition with a row of every kind, and the parameters of its URLs."""

    competition: Competition
    rows: dict[str, Any] = field(default_factory=dict)
    words: dict[str, Any] = field(default_factory=dict)
    """Parameters of URLs that are not the number of a row."""


@dataclass
class World:
    """All places, and a client for every role."""

    places: dict[str, Place]
    roles: dict[str, Client]
    invitation: str
    link: str


@replayed
def make_world() -> World:
    """Create the world; the caller rolls the database back."""
    places = {
        "here": league_place("here"),
        "draft": league_place("draft", status=None),
        "elsewhere": league_place("elsewhere"),
        "open": open_place(),
        "teams": team_place(),
    }
    places["held"] = Place(places["here"].competition, dict(places["here"].rows), dict(places["here"].words))
    move_to_held_table(places["held"])
    # With a demonstration loaded, its button removes it, which is faster to test than loading one.
    Competition.objects.filter(pk=places["elsewhere"].competition.pk).update(is_demo=True)
    people = make_people(places)
    here, elsewhere = places["here"], places["elsewhere"]
    links = {
        "scorer's link": make_link(table_session=here.rows["tablesession"], kind=TableLink.Kind.SCORER, by=SYSTEM),
        "player's link": make_link(
            table_session=here.rows["tablesession"],
            kind=TableLink.Kind.PLAYER,
            entrant=here.rows["entrant"],
            by=SYSTEM,
        ),
        "link to another table": make_link(
            table_session=elsewhere.rows["tablesession"], kind=TableLink.Kind.SCORER, by=SYSTEM
        ),
    }
    roles = {"anonymous": Client(), **{name: signed_in(who) for name, who in people.items()}}
    roles["code not typed"] = awaiting_code(places)
    roles |= {name: by_link(made.token) for name, made in links.items()}
    roles |= {name: by_token(token) for name, token in make_tokens(people, places).items()}
    roles["other link sent"] = by_token(links["link to another table"].token, "Link")
    roles |= {f"{name} sent": by_token(made.token, "Link") for name, made in links.items() if name in LINKS}
    unused = make_link(table_session=here.rows["tablesession"], kind=TableLink.Kind.SCORER, by=SYSTEM)
    invited = invite(competition=here.competition, email="new@example.org", role=Role.READER, language="en", by=SYSTEM)
    for name, place in places.items():
        if name != "teams":
            gather(place, people)
    return World(places, roles, invited.address.rstrip("/").rsplit("/", 1)[-1], unused.token)


def waiting_sheet(competition: Competition, hanchan: Hanchan) -> ResultSheet:
    """Enter a result that awaits confirmation by a second user."""
    asked = Competition.objects.filter(pk=competition.pk)
    asked.update(confirmation=Competition.Confirmation.SECOND)
    typist = factories.user(f"{competition.slug}-typist", Role.SCORER, competition)
    sheet = factories.play(hanchan, (40000, 30000, 20000, 10000), by=factories.actor(typist))
    asked.update(confirmation=competition.confirmation)
    return sheet


def league_place(slug: str, **plan: Any) -> Place:
    """Create a table with a confirmed result, a waiting one, and one on the live score sheet."""
    competition = factories.final_table(slug, hanchan=6, **plan)
    block = competition.blocks.get()
    table = factories.table(block)
    first, second, third, fourth = table.hanchan.order_by("round")
    sheet = factories.play(first)
    waiting = waiting_sheet(competition, second)
    write(third, event("start"))
    place = Place(competition)
    place.rows = {
        "tablesession": table,
        "hanchan": first,
        "fourth": fourth,
        "resultsheet": waiting,
        "sheet": sheet,
        "tableevent": third.events.get(),
        "entrant": factories.in_block(block)[0],
        "block": block,
        "slot": block.slots.first(),
    }
    place.rows["slipphoto"] = attach_photo(hanchan=first, file=picture(), by=SYSTEM)
    place.words = {"digest": pictured(competition)}
    publish_standings(competition.pk)
    return place


def team_place() -> Place:
    """Create a league of teams with a fixture to come; only the routes of teams are tried here."""
    league = TeamLeague()
    hanchan = league.schedule()[0]
    seat = hanchan.seats.select_related("entrant__player").earliest("seat")
    member = league.members[league.teams.index(seat.entrant)][0]
    league.publish()
    rows = {"competition": league.competition, "hanchan": hanchan, "entrant": seat.entrant, "player": member}
    return Place(league.competition, rows, {"team": seat.entrant.player.key})


def open_place() -> Place:
    """Create a parlour's open table with a public ranking, a game, a waiting guest, and a closed day."""
    competition = parlours.parlour("banchi3", "open", audience="public")
    people = parlours.guests(competition, 4)
    sitting = parlours.sitting(competition, people[:3])
    sheet = parlours.play(sitting)
    bill = settle(parlour=house(competition), player=people[1].player, by=SYSTEM, leaves=False)
    assert bill
    waiting = add_waiting(competition=competition, player=people[3].player, by=SYSTEM)
    yesterday = timezone.localdate() - dt.timedelta(days=2)
    closed = close_day(parlour=house(competition), day=yesterday, by=SYSTEM, accept=UNSETTLED)
    place = Place(competition)
    place.rows = {
        "sitting": sitting,
        "waitingguest": waiting,
        "dayclose": DayClose.objects.get(competition=competition),
        "tillclose": closed,
        "statement": bill,
        "payment": bill.payments.get(),
        "hanchan": sheet.hanchan,
        "tablesession": sitting.table_session,
        "resultsheet": sheet,
        "entrant": people[0],
        "block": competition.blocks.get(),
    }
    table = ParlourTable.objects.create(parlour=house(competition), name="1", order=1)
    place.rows["parlourtable"] = table
    place.words = {
        "date": yesterday.isoformat(),
        "digest": pictured(competition),
        "number": bill.number,
        "signed": code_of(table),
        "bill": SIGNER.sign(str(bill.pk)),
    }
    publish_standings(competition.pk)
    return place


def in_series(competition: Competition) -> Series:
    """Return a public series at the competition's address, of which a league is tier A of the first term."""
    series = Series.objects.filter(slug=competition.slug).first()
    if series is None:
        plan = SeriesPlan(slug=competition.slug, name="春", text=TWO_TIERS, is_public=True)
        series = create_series(plan=plan, by=SYSTEM)
        leagues = Competition.objects.filter(pk=competition.pk, kind=Competition.Kind.LEAGUE)
        leagues.update(term=series.terms.get(), tier="A")
        entrant = competition.entrants.order_by("number")[0]
        MoveDecision.objects.create(term=series.terms.get(), player=entrant.player, kind="seat_kept", reason="r")
    return series


def in_ranking(competition: Competition) -> Ranking:
    """Return a public rating at the competition's address, for which its games count."""
    ranking = Ranking.objects.filter(slug=competition.slug).first()
    if ranking is None:
        ranking = create_ranking(slug=competition.slug, name="R", source="tenhou-r", is_public=True, by=SYSTEM)
        facts = EventFacts(day=timezone.localdate())
        event = list_event(ranking=ranking, competition=competition, facts=facts, by=SYSTEM)
        player = competition.entrants.order_by("number")[0].player
        EventResult.objects.create(event=event, player=player, place=1, players=1)
    return ranking


def move_to_held_table(place: Place) -> None:
    """Add a table under embargo and let the place refer to it."""
    block = place.rows["block"]
    table = factories.table(block, numbers=(5, 6))
    hold_back(table_session=table, until=timezone.now() + MONTH, by=SYSTEM)
    first, second = table.hanchan.order_by("round")
    sheet = factories.play(first, (39000, 31000, 20000, 10000))
    place.rows |= {"tablesession": table, "hanchan": first, "fourth": second, "resultsheet": sheet, "sheet": sheet}
    publish_standings(place.competition.pk)


def make_people(places: dict[str, Place]) -> dict[str, User]:
    """Create a user for every role."""
    found = {"player": factories.user("player")}
    found["scorer of another"] = factories.user("stranger", Role.SCORER, places["elsewhere"].competition, is_staff=True)
    for name, role in STAFF.items():
        found[name] = factories.user(name, is_staff=True)
        for key in TABLES_WORKED_AT:
            Membership.objects.create(competition=places[key].competition, user=found[name], role=role)
    found["captain"] = factories.user("captain")
    teams = places["teams"]
    Membership.objects.create(
        competition=teams.competition, user=found["captain"], role=Role.CAPTAIN, team=teams.rows["entrant"]
    )
    found["superuser"] = factories.user("superuser", is_staff=True, is_superuser=True)
    return found


def awaiting_code(places: dict[str, Place]) -> Client:
    """Return a director's client that has sent the password but not the second factor."""
    user = factories.user("half", is_staff=True)
    for key in TABLES_WORKED_AT:
        Membership.objects.create(competition=places[key].competition, user=user, role=Role.DIRECTOR)
    TOTPDevice.objects.create(user=user, name="phone", confirmed=True)
    return signed_in(user)


def make_tokens(people: dict[str, User], places: dict[str, Place]) -> dict[str, str]:
    """Create tokens with fewer rights than their makers have."""
    director, here = Actor(people["director"], Door.PAGE), places["here"].competition
    wide = factories.user("wide", Role.DIRECTOR, places["elsewhere"].competition, is_staff=True)
    for key in TABLES_WORKED_AT:
        Membership.objects.create(competition=places[key].competition, user=wide, role=Role.DIRECTOR)

    def made(by: Actor, competition: Competition | None, *scopes: Capability) -> str:
        plan = TokenPlan(label="overlay", scopes=scopes, competition=competition, expires_in=MONTH)
        return make_token(plan=plan, by=by).token

    return {
        "broadcast token": made(director, here, Capability.READ),
        "token to submit": made(director, here, Capability.READ, Capability.SUBMIT),
        "director's token for another": made(Actor(wide, Door.PAGE), places["elsewhere"].competition, *Capability),
    }


def signed_in(user: User) -> Client:
    """Return a client logged in with a password, whose requests need not store the times of its session yet."""
    client = Client(raise_request_exception=False)
    client.force_login(user, backend="league.web.sign_in.AccountBackend")
    session = client.session
    session[SIGNED_IN] = session[SEEN] = timezone.now().timestamp()
    session.save()
    return client


def by_link(token: str) -> Client:
    """Return a client that opened a link."""
    client = Client(raise_request_exception=False)
    client.get(f"/t/{token}/")
    return client


def by_token(token: str, scheme: str = "Token") -> Client:
    """Return a client that sends a token, or the token of a link."""
    return Client(raise_request_exception=False, headers={"Authorization": f"{scheme} {token}"})


def picture(shade: int = 255) -> BytesIO:
    """Return a small photo of one shade."""
    drawn = BytesIO()
    Image.new("L", (64, 64), shade).save(drawn, "JPEG")
    drawn.seek(0)
    return drawn


def pictured(competition: Competition) -> str:
    """Give the competition a picture that no other has; return its digest."""
    return set_picture(subject=competition, file=picture(20 * competition.pk % 256), by=SYSTEM).sha256


def gather(place: Place, people: dict[str, User]) -> None:
    """Create a row of every model in this place, for the pages that show one."""
    competition, rows = place.competition, place.rows
    newest = Change.objects.filter(competition=competition).order_by("-n")[0]
    decided = {"reason": "as agreed", "made_n": newest.n, "ended_n": newest.n}
    stage, block = Stage.objects.get(competition=competition), Block.objects.get(competition=competition)
    entrant = rows["entrant"]
    hook = subscribe(owner=competition, url="https://example.org/hook", by=SYSTEM).subscription
    session = Session.objects.filter(competition=competition)[0]
    rows |= {
        "announcement": announce(session=session, text="次は二回戦", by=SYSTEM),
        "competition": competition,
        "stage": stage,
        "block": block,
        "player": entrant.player,
        "session": session,
        "rulesinforce": RulesInForce.objects.filter(competition=competition)[0],
        "change": newest,
        "adjustment": Adjustment.objects.create(block=block, entrant=entrant, points=-5, **decided),
        "ruling": Ruling.objects.create(competition=competition, scope=block.key, order=[entrant.pk], **decided),
        "override": Override.objects.create(block=block, kind=Override.Kind.PASS_OVER, entrant=entrant, **decided),
        "credit": Credit.objects.create(
            block=block, entrant=entrant, number=1, kind=Credit.Kind.NO_SHOW, points=0, **decided
        ),
        "departure": Departure.objects.create(entrant=entrant, kind=Departure.Kind.WITHDRAWN, **decided),
        "closing": Closing.objects.create(block=block, **decided),
        "draw": Draw.objects.create(stage=stage, result={}, **decided),
        "onlineaccount": OnlineAccount.objects.get_or_create(
            player=entrant.player, service="tenhou", kind="account", text=f"account {entrant.pk}"
        )[0],
        "teammember": TeamMember.objects.create(entrant=entrant, player=entrant.player, **decided),
        "lineup": LineUp.objects.create(hanchan=rows["hanchan"], entrant=entrant, player=entrant.player, **decided),
        "seatresult": SeatResult.objects.filter(sheet=rows["resultsheet"])[0],
        "webhooksubscription": hook,
        "webhookdelivery": ping(subscription=hook, by=SYSTEM),
        "membership": Membership.objects.filter(competition=competition).first(),
        "invitation": Invitation.objects.filter(competition=competition).first(),
        "tokengrant": TokenGrant.objects.filter(competition=competition).first(),
        "standing": Standing.objects.filter(block=block, audience=Audience.STAFF).first(),
        "slotstate": SlotState.objects.filter(slot__block=block, audience=Audience.STAFF).first(),
        "outcome": Outcome.objects.filter(competition=competition, audience=Audience.STAFF).first(),
        "tally": Tally.objects.filter(block=block, audience=Audience.STAFF).first(),
        "organizationchange": OrganizationChange.objects.order_by("-pk")[0],
        "user": people["player"],
    }
    # As of the first change, so that no result held back in the world hides it.
    paired = {"seed": "1", "standing_version": 0, "order": [], "tables": [], "cost": 0, "bound": 0}
    proved = {"bound_by": "optimum", "is_optimal": True, "digest": "d", "made_n": 1}
    Pairing.objects.get_or_create(block=block, number=1, defaults=paired | proved)
    rows["rulesetrevision"] = rows["rulesinforce"].ruleset
    rows["series"] = series = in_series(competition)
    rows["movedecision"] = MoveDecision.objects.filter(term__series=series).first()
    place.words |= {"tier": "A"}
    rows["ranking"] = ranking = in_ranking(competition)
    rows["rankingrevision"], rows["eventlisted"] = ranking.rules, ranking.events.get()
    rows["events"], rows["eventresult"] = rows["eventlisted"], rows["eventlisted"].results.get()
    rows["contenttype"] = ContentType.objects.get_for_model(Competition)
    if "sheet" not in rows:
        rows["sheet"] = rows["resultsheet"]
    rows["tablelink"] = TableLink.objects.create(
        table_session=rows["tablesession"], kind=TableLink.Kind.SCORER, digest=f"digest of {rows['hanchan'].pk}"
    )
    rows["formatrevision"] = rows["rulesinforce"].format
    rows["drafts"] = start_draft(by=SYSTEM, data=new_draft("built", 12))
    rows["accessattempt"] = AccessAttempt.objects.create(
        username=str(rows["hanchan"].pk), ip_address="127.0.0.1", failures_since_start=len(rows)
    )
    rows["accesslog"] = AccessLog.objects.create(username="x", ip_address="127.0.0.1")
    rows["accessfailurelog"] = AccessFailureLog.objects.create(username="x", ip_address="127.0.0.1")


@contextmanager
def rolled_back(client: Client) -> Iterator[Client]:
    """Undo the effects of a request in the database and in the client's cookies."""
    kept = SimpleCookie({name: morsel.value for name, morsel in client.cookies.items()})
    with transaction.atomic():
        yield client
        transaction.set_rollback(True)
    client.cookies = kept
