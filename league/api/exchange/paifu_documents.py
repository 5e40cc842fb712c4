"""Documents of imports of online games: each game with its players, its hands beside ours, and its outcome."""

from __future__ import annotations

from pydantic import Field

from league.models import ImportedPaifu, OnlineService, PaifuImport
from league.selectors.exchange.paifu_matching import How, Match
from league.selectors.exchange.paifu_play import HandBeside
from league.services.exchange.paifu_preview import GamePreview, ImportPreview
from league.web.documents import Amount, Document, Moment, Ref
from league.wording.live.paifu import difference_text
from scoring.ruleset import Ruleset
from scoring.ruleset.end import RoundName


class PaifuSeatDocument(Document):
    """A player of the log, and the person found."""

    seat: int = Field(description="The seat, 0 for the first dealer.")
    name: str = Field(description="The name in the log.")
    account: str = Field(description="The service's id of the account; empty without one.")
    how: How = Field(description="The way in which the player was recognised.")
    entrant: Ref | None = Field(description="The entrant's id; null while unknown.")
    player: Ref | None = Field(description="The id of the person who sat; null while unknown.")


class PaifuDifference(Document):
    """One difference between the log and the rules in force."""

    code: str = Field(description="Stable; decide by this.")
    detail: str = Field(description="A sentence in the client's language.")


class PaifuHandDocument(Document):
    """A hand with the log's points beside ours."""

    round: RoundName = Field(description="The round wind.")
    number: int = Field(description="The kyoku of the round, from 1.")
    honba: int = Field(description="The honba.")
    log: list[int] = Field(description="The change of each seat in the log.")
    ours: list[int] | None = Field(description="The change of each seat by the rules in force; null if refused.")
    differences: list[PaifuDifference] = Field(description="Each difference with its reason.")


class PaifuFinding(Document):
    """Something wrong or odd about a game."""

    code: str = Field(description="Stable; decide by this.")
    level: str = Field(description="`error`, or `warning`, which can be accepted by its code.")
    detail: str = Field(description="A sentence in the client's language.")


class PaifuResult(Document):
    """A seat at the end of the game by the rules in force."""

    seat: int = Field(description="The seat, 0 for the first dealer.")
    log_score: int = Field(description="The final score in the log.")
    final_score: int = Field(description="The final score by the rules in force.")
    place: int = Field(description="The place, from 1.")
    points: Amount = Field(description="The points in the ledger that ranks.")


class PaifuGameDocument(Document):
    """One game of an import."""

    number: int = Field(description="The number of the game in this import, in the order of play.")
    name: str = Field(description="The name of the file.")
    outcome: ImportedPaifu.Outcome = Field(description="Pending, imported, refused, or left out.")
    is_ready: bool = Field(description="Only warnings are left; it would be imported.")
    source: OnlineService | None = Field(description="The online service; null if the log could not be read.")
    game: str = Field(description="The service's id of the game; empty without one.")
    played_at: Moment | None = Field(description="When it was played; null if the log does not say.")
    hanchan: Ref | None = Field(description="The hanchan found or chosen; null without one.")
    offers: list[Ref] = Field(description="Other hanchan that can be chosen.")
    seats: list[PaifuSeatDocument] = Field(description="The players by seat.")
    hands: list[PaifuHandDocument] = Field(description="The hands of a game that is not imported yet.")
    result: list[PaifuResult] | None = Field(description="The result by the rules in force; null while refused.")
    findings: list[PaifuFinding] = Field(description="Everything wrong or odd.")


class PaifuImportDocument(Document):
    """An import of online games."""

    id: Ref = Field(description="The id.")
    state: PaifuImport.State = Field(description="Previewed, waiting, running, or done.")
    done: int = Field(description="The number of games done.")
    total: int = Field(description="The number of games.")
    games: list[PaifuGameDocument] = Field(description="The games in the order of play.")


def import_document(preview: ImportPreview) -> PaifuImportDocument:
    """Return an import with its games as they would be imported now."""
    batch = preview.batch
    return PaifuImportDocument(
        id=str(batch.pk),
        state=PaifuImport.State(batch.state),
        done=batch.done,
        total=batch.total,
        games=[game_document(one) for one in preview.games],
    )


def game_document(one: GamePreview) -> PaifuGameDocument:
    """Return one game."""
    game, record, played = one.game, one.record, one.played
    names = [match.seated.player.name if match.seated else match.online.name for match in one.matches]
    kept = [] if one.findings or one.is_ready else game.findings
    return PaifuGameDocument(
        number=game.number,
        name=game.label,
        outcome=ImportedPaifu.Outcome(game.outcome),
        is_ready=one.is_ready,
        source=OnlineService(record.source.value) if record else None,
        game=record.game if record else "",
        played_at=record.played_at.isoformat() if record and record.played_at else None,
        hanchan=str(one.hanchan.pk) if one.hanchan else None,
        offers=[str(hanchan.pk) for hanchan in one.offers],
        seats=[seat_document(match) for match in one.matches],
        hands=[hand_document(hand, names, played.rules) for hand in played.hands] if played else [],
        result=result_documents(one),
        findings=[
            *(PaifuFinding(code=each.code, level=each.level, detail=each.message) for each in one.findings),
            *(PaifuFinding(code=each["code"], level=each["level"], detail=each["message"]) for each in kept),
        ],
    )


def seat_document(match: Match) -> PaifuSeatDocument:
    """Return a player of the log."""
    return PaifuSeatDocument(
        seat=match.online.seat,
        name=match.online.name,
        account=match.online.account,
        how=match.how,
        entrant=str(match.seated.entrant.pk) if match.seated else None,
        player=str(match.seated.player.pk) if match.seated else None,
    )


def hand_document(hand: HandBeside, names: list[str], rules: Ruleset) -> PaifuHandDocument:
    """Return a hand beside ours."""
    told, changes = hand.told, hand.changes
    return PaifuHandDocument(
        round=told.round,
        number=told.number,
        honba=told.honba,
        log=list(told.deltas),
        ours=None if changes is None else list(changes),
        differences=[
            PaifuDifference(code=each.code, detail=difference_text(each, names)) for each in hand.differences(rules)
        ],
    )


def result_documents(one: GamePreview) -> list[PaifuResult] | None:
    """Return the result by our rules; None while a hand is refused."""
    played, record = one.played, one.record
    if played is None or record is None or played.settlement is None:
        return None
    settled, ledger = played.settlement, played.rules.ranking_ledger
    return [
        PaifuResult(
            seat=seat,
            log_score=record.final_scores[seat],
            final_score=settled.final_scores[seat],
            place=settled.places[seat],
            points=ledger.text(settled.totals[ledger.key][seat]),
        )
        for seat in range(record.seats)
    ]
