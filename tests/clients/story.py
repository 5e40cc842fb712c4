"""Play a final with the generated Python client, and write its champion and totals: `story.py SERVER COMPETITION`."""

import json
import sys
from uuid import uuid4

from jantaku_client import AuthenticatedClient, Client
from jantaku_client.api.auth import login
from jantaku_client.api.competitions import get_bracket
from jantaku_client.api.hanchan import preview_result, submit_result
from jantaku_client.api.standings import get_standings
from jantaku_client.models import (
    Bracket,
    LoginRequest,
    Preview,
    ResultRequest,
    SeatEntryRequest,
    Standings,
    Submitted,
    Token,
)

SCORES = (45000, 30000, 15000, 10000)


def main(server: str, competition: str) -> None:
    """Log in, submit every hanchan after its preview, and read the bracket and the standings."""
    credentials = LoginRequest(username="scorer", password="correct horse")
    token = login.sync(client=Client(base_url=server), body=credentials)
    assert isinstance(token, Token)
    client = AuthenticatedClient(base_url=server, token=token.token)
    bracket = get_bracket.sync(competition, client=client)
    assert isinstance(bracket, Bracket)
    for hanchan in bracket.hanchan:
        seats = [
            SeatEntryRequest(entrant=str(seat.entrant), score=score)
            for seat, score in zip(hanchan.seats, SCORES, strict=True)
        ]
        body = ResultRequest(seats=seats)
        preview = preview_result.sync(hanchan.id, client=client, body=body)
        assert isinstance(preview, Preview), preview
        assert [seat.place for seat in preview.seats or ()] == [1, 2, 3, 4]
        body.accept = [finding.code for finding in preview.findings]
        done = submit_result.sync(hanchan.id, client=client, body=body, idempotency_key=str(uuid4()))
        assert isinstance(done, Submitted), done
    bracket = get_bracket.sync(competition, client=client)
    standings = get_standings.sync(client=client, competition=competition)
    assert isinstance(bracket, Bracket)
    assert isinstance(standings, Standings)
    totals = {row.entrant: row.total for block in standings.blocks for row in block.rows}
    sys.stdout.write(json.dumps({"champion": bracket.champion and bracket.champion.entrant, "totals": totals}))


main(*sys.argv[1:])
