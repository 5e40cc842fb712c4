"""Run a Cinderella League with the generated Python client, from its creation to its champion: `story.py SERVER`.

Copy it for a program of your own: each function is one step, in the order in which an organizer takes them.
"""

from __future__ import annotations

import datetime as dt
import json
import sys
import time
from typing import TypeVar
from uuid import uuid4

from jantaku_client import AuthenticatedClient, Client
from jantaku_client.api.auth import login, logout
from jantaku_client.api.competitions import (
    create_competition,
    fill_blocks,
    get_bracket,
    preview_schedule,
    rule_on_tie,
    set_competition_status,
    upsert_entrants,
    write_schedule,
)
from jantaku_client.api.hanchan import list_hanchan, preview_result, submit_result
from jantaku_client.api.people import upsert_people
from jantaku_client.api.sessions import draw_seats, list_sessions
from jantaku_client.api.standings import get_standings
from jantaku_client.models import (
    BlockFilling,
    Bracket,
    CompetitionDetail,
    CompetitionStatus,
    DecisionMade,
    DrawRequest,
    Entrants,
    EntriesRequest,
    EntryRequest,
    FilledBlocks,
    FillingRequest,
    Hanchan,
    HanchanPage,
    HanchanSeats,
    LoginRequest,
    NewCompetitionRequest,
    NewStatusRequest,
    People,
    PeopleListRequest,
    PersonRowRequest,
    Preview,
    ResultRequest,
    Schedule,
    ScheduleWishesRequest,
    SeatEntryRequest,
    SessionPage,
    Standings,
    Submitted,
    TieRequest,
    Token,
)

SLUG = "spring-python"
SEED = "8214"
SCORES = (45000, 30000, 15000, 10000)
"""The scores of every hanchan here, first dealer first; those of a real league come from its tables."""
ACCEPTED = ["same_scores_elsewhere"]
"""Warnings that were looked at: two tables with the same scores are unusual, but here they are right."""
Document = TypeVar("Document")


def expect(answer: object, kind: type[Document]) -> Document:
    """Return a response's document. Raise RuntimeError with the problem if the request was refused."""
    if not isinstance(answer, kind):
        raise RuntimeError(answer)
    return answer


def key() -> str:
    """Return a new idempotency key: a program keeps it, and sends it again if no response arrives."""
    return str(uuid4())


def log_in(server: str) -> AuthenticatedClient:
    """Log in for a token. A program that runs for a season has a token from the page of its account instead."""
    body = LoginRequest(username="organizer", password="correct horse")
    token = expect(login.sync(client=Client(base_url=server), body=body), Token)
    return AuthenticatedClient(base_url=server, token=token.token)


def create_league(client: AuthenticatedClient) -> None:
    """Create the league from its ready-made format and rule book, as a draft."""
    body = NewCompetitionRequest(
        slug=SLUG, name="春リーグ", name_en="Spring", ruleset="cinderella", format_="cinderella"
    )
    expect(create_competition.sync(client=client, body=body, idempotency_key=key()), CompetitionDetail)


def enter_players(client: AuthenticatedClient) -> None:
    """Bring sixteen members of a club in by the ids that they have there, and enter them."""
    members = [PersonRowRequest(external_id=f"py-{n}", name=f"Player {n}") for n in range(1, 17)]
    expect(upsert_people.sync(client=client, body=PeopleListRequest(people=members)), People)
    entries = [EntryRequest(external_id=member.external_id) for member in members]
    expect(upsert_entrants.sync(SLUG, client=client, body=EntriesRequest(people=entries)), Entrants)


def plan_season(client: AuthenticatedClient) -> None:
    """Fill the two blocks in a snake, look at the schedule, write it as it was shown, and publish the league."""
    filling = FillingRequest(filling=BlockFilling.SNAKE)
    expect(fill_blocks.sync(SLUG, client=client, body=filling), FilledBlocks)
    wishes = ScheduleWishesRequest(first_day=dt.date(2027, 4, 3), every=7, starts_at="13:00", seed=SEED)
    planned = expect(preview_schedule.sync(SLUG, client=client, body=wishes), Schedule)
    if planned.faults:
        raise RuntimeError(planned.faults)
    wishes.digest = planned.digest
    expect(write_schedule.sync(SLUG, client=client, body=wishes, idempotency_key=key()), Schedule)
    set_status(client, CompetitionStatus.PUBLISHED)


def set_status(client: AuthenticatedClient, status: CompetitionStatus) -> None:
    """Publish the league, or close it."""
    expect(set_competition_status.sync(SLUG, client=client, body=NewStatusRequest(status=status)), CompetitionDetail)


def play_season(client: AuthenticatedClient) -> None:
    """Play the sessions in order: those of the blocks, the three playoffs, the final."""
    sessions = expect(list_sessions.sync(client=client, competition=SLUG), SessionPage).results
    for session in sessions:
        games = expect(list_hanchan.sync(client=client, competition=SLUG, session=session.id), HanchanPage).results
        if not all(game.seats for game in games):
            # The players of a playoff are known now; their seats are drawn, and rotate from hanchan to hanchan.
            draw = DrawRequest(seed=SEED, is_for_all=True, rotates=True)
            games = expect(draw_seats.sync(session.id, client=client, body=draw), HanchanSeats).hanchan
        version = max([play(client, game, previews=game is games[-1]) for game in games])
        break_ties(client, published(client, version))


def play(client: AuthenticatedClient, game: Hanchan, *, previews: bool) -> int:
    """Submit the result of a hanchan, if wanted after a preview; return the competition's version with it."""
    seats = [
        SeatEntryRequest(entrant=str(seat.entrant), score=score) for seat, score in zip(game.seats, SCORES, strict=True)
    ]
    body = ResultRequest(seats=seats, accept=ACCEPTED)
    if previews:
        preview = expect(preview_result.sync(game.id, client=client, body=body), Preview)
        if unexpected := [found.detail for found in preview.findings if found.code not in ACCEPTED]:
            raise RuntimeError(unexpected)
    done = expect(submit_result.sync(game.id, client=client, body=body, idempotency_key=key()), Submitted)
    return int(done.effects.version)


def published(client: AuthenticatedClient, version: int) -> Bracket:
    """Return the bracket as soon as it contains a version: results in quick succession are published together."""
    while (bracket := expect(get_bracket.sync(SLUG, client=client), Bracket)).as_of < version:
        time.sleep(0.5)
    return bracket


def break_ties(client: AuthenticatedClient, bracket: Bracket) -> None:
    """Rule on the ties that the rule book leaves to the organizers: here the lower number goes first."""
    numbers = {entrant.id: entrant.number for entrant in bracket.entrants}
    for tie in bracket.awaiting:
        order = sorted(tie.entrants, key=lambda entrant: numbers[entrant])
        body = TieRequest(scope=tie.scope, order=order, reason="By number.")
        made = expect(rule_on_tie.sync(SLUG, client=client, body=body, idempotency_key=key()), DecisionMade)
        published(client, made.effects.version)


def read_back(client: AuthenticatedClient) -> dict[str, object]:
    """Return the champion, the total of each entrant in each block, and the champion's points hanchan by hanchan."""
    bracket = expect(get_bracket.sync(SLUG, client=client), Bracket)
    champion = bracket.champion and bracket.champion.entrant
    standings = expect(get_standings.sync(client=client, competition=SLUG), Standings)
    games = expect(list_hanchan.sync(client=client, competition=SLUG, entrant=str(champion)), HanchanPage).results
    return {
        "competition": SLUG,
        "champion": champion,
        "final": bracket.final,
        "totals": {block.key: {row.entrant: row.total for row in block.rows} for block in standings.blocks},
        "hanchan": {game.id: seat.points for game in games for seat in game.seats if seat.entrant == champion},
    }


def main(server: str) -> None:
    """Run the league and write what was read back as JSON."""
    client = log_in(server)
    create_league(client)
    enter_players(client)
    plan_season(client)
    play_season(client)
    set_status(client, CompetitionStatus.CLOSED)
    sys.stdout.write(json.dumps(read_back(client)))
    logout.sync_detailed(client=client)


main(*sys.argv[1:])
