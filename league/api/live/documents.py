"""Documents of tables followed live: the table's current state for overlays, and the exchange format of logs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Literal, TypedDict

from pydantic import Field

from league.api.competitions.hanchan_documents import Number
from league.api.competitions.seat_documents import Seated, seat_of
from league.api.people.player_documents import MarkDocument, PicturePath, picture_path
from league.models import Hanchan, HanchanSeat, ResultSheet, SeatResult, TableLink
from league.selectors.access.readers import Reader
from league.selectors.live.kyoku import Kyoku, kyoku_of
from league.selectors.live.log import TableLog
from league.selectors.live.outlook import Cut, outlooks_of
from league.selectors.live.public import Live
from league.selectors.people.visibility import ledgers_shown, person_shown
from league.selectors.rulebooks.rules_in_force import ruleset_of
from league.web.document_parts import (
    CompetitionRef,
    EntrantDocument,
    EntrantStatus,
    InBoth,
    OfSeat,
    both,
    entrant,
    moment,
    status_of,
)
from league.web.documents import Amount, Document, Moment, Ref, Values
from league.wording.live.live import Seated as SeatedNames
from league.wording.live.live import end_text, round_text, table_text
from league.wording.log_entries import entry_text
from league.wording.marks import first_glyph, marks_at
from league.wording.messages import CUTS
from league.wording.names import round_name, title_of
from scoring import written_log
from scoring.kyoku.state import EndCause, State
from scoring.ruleset import Ruleset, Wind
from scoring.ruleset.end import RoundName

LOG_FORMAT = "jantaku-log-1"
HIDDEN_NAME = "–"
Round = Annotated[RoundName, Field(description="The round: East, South, West, or a return to one.")]
KyokuNumber = Annotated[int, Field(description="The kyoku of the round, from 1.")]
Honba = Annotated[int, Field(description="The honba counters.")]


class KyokuNow(Document):
    """The kyoku in progress."""

    round: Round
    number: KyokuNumber
    honba: Honba
    dealer: int = Field(description="The seat that deals.")
    name: InBoth = Field(description="Which kyoku: 南4局, South 4.")
    text: InBoth = Field(description="The same with its counters: 南4局 1本場.")
    hands_left: int | None = Field(
        description="Hands still to be played, this one included, since the time ran out; null before, or without a "
        "time limit in the rules."
    )


class LiveSeat(Seated):
    """A seat of a table followed live, or of a typed result; the first dealer's seat comes first."""

    wind: Wind | None = Field(
        description="The wind the seat has now; of a typed result the first one, null where the seats are not known."
    )
    score: int = Field(
        description="Stakes and fines of the running hand are laid out; of a typed result the final score."
    )
    place: int = Field(description="If the game ended here.")
    riichi: Literal["closed", "open"] | None = Field(description="The riichi declared in this hand.")
    is_dead: bool = Field(description="Has lost the right to win in this hand.")
    chonbo: int = Field(description="The number of chonbo so far.")
    points: Amount | None = Field(description="What the game would bring if it ended here.")
    status: EntrantStatus
    mark: MarkDocument | None = Field(
        description="The player's tile, its colour unique at the table; null where the player is not public."
    )
    picture: PicturePath
    league_rank: int | None = Field(description="Published rank in the block.")
    league_total: Amount | None = Field(description="In the block without this game.")
    league_total_now: Amount | None = Field(description="In the block with this game as it stands.")
    league_rank_now: int | None = Field(description="In the block with this game as it stands; level totals share it.")
    cut: Cut | None = Field(
        description="The side of the border with this game as it stands; `through` and `eliminated` only once that is "
        "certain. Null where the block has no border, and where it divides level totals."
    )
    cut_text: InBoth | None = Field(description="The same in words.")


class LastKyoku(Document):
    """The result of the previous kyoku."""

    text: InBoth = Field(description="The result in words.")
    kyoku: InBoth = Field(description="Which kyoku it was.")
    changes: list[int] = Field(description="The change of each score by seat.")


class EndDocument(Document):
    """The reason why a game is over."""

    reason: str = Field(description="A code.")
    text: InBoth = Field(description="The reason in words.")
    clause: str = Field(description="The clause of the rule book; may be empty.")


class LiveDocument(Document):
    """The current state of a table, for broadcasts and overlays."""

    hanchan: Ref = Field(description="The hanchan's id.")
    competition: CompetitionRef
    table_session: Ref = Field(description="The table session's id.")
    table: str = Field(description="The table's name in the hall; may be empty.")
    title: InBoth = Field(description="The block and the round: 決勝 4回戦.")
    accent: str = Field(description="The competition's accent colour, #rrggbb; empty where none is chosen.")
    number: Number
    is_followed: bool = Field(
        description="The game is kept hand by hand and has begun; false once a typed result counts."
    )
    is_over: bool = Field(description="The game has ended.")
    is_final: bool = Field(description="Its result counts.")
    is_typed: bool = Field(
        description="Its result counts and was typed instead of made from the log: the seats show that result alone."
    )
    delay: int = Field(description="The delay in minutes.")
    sequence: int = Field(description="The newest event of the log that is known.")
    started_at: Moment | None = Field(description="The moment of the first hand.")
    round: KyokuNow | None = Field(
        description="The kyoku that is played; null before the game begins and beside a typed result."
    )
    deposits: int | None = Field(description="Points of the deposits on the table; null like the kyoku.")
    seats: list[LiveSeat] = Field(description="The seats; empty before the game begins, unless its result was typed.")
    last: LastKyoku | None = Field(description="The result of the last hand.")
    ends: list[EndDocument] = Field(description="Why the game is over; empty while it goes on.")
    advice: Values | None = Field(description="What each player needs, where it may be said.")


class LogSeat(EntrantDocument, OfSeat):
    """The entrant of a seat."""


class LogTransfer(Document):
    """One payment; null stands for the table."""

    ledger: str = Field(description="`table` for table points, else a ledger of the ruleset.")
    payer: int | None = Field(description="The seat that pays.")
    receiver: int | None = Field(description="The seat that is paid.")
    amount: int = Field(description="Table points, or an integer at the ledger's scale.")
    cause: str = Field(description="The key of the reason.")
    clause: str = Field(description="The clause of the rule book; may be empty.")


class LogKyoku(Document):
    """One kyoku of the log."""

    round: Round
    number: KyokuNumber
    honba: Honba
    scores: list[int] = Field(description="The scores before the hand by seat.")
    entries: list[int] = Field(description="Numbers of its entries in the log.")
    changes: list[int] | None = Field(description="The change of each score; null while the hand is played.")
    transfers: list[LogTransfer] = Field(description="The payments in order.")


class Log(Document):
    """A game's log: the entries that are in effect, and the results of each kyoku."""

    format: str = Field(description="The name of the form, jantaku-log-1.")
    hanchan: Ref = Field(description="The hanchan's id.")
    sequence: int = Field(description="The newest event; send it as `after`.")
    ruleset: str = Field(description="The ruleset's name.")
    revision: int = Field(description="The revision of the ruleset.")
    digest: str = Field(description="Of the rules with the options of this table.")
    options: Values = Field(description="The options of this table.")
    seats: list[LogSeat] = Field(description="The seats, first dealer first.")
    entries: list[Values] = Field(description="The entries, as an import takes them.")
    kyoku: list[LogKyoku] = Field(description="The hands in order.")
    is_over: bool = Field(description="The game has ended.")
    is_typed: bool = Field(description="A typed result counts: the hands end before it, or do not lead to it.")


class TableLinkDocument(Document):
    """A link that gives its holder access to one table."""

    id: Ref = Field(description="The link's id.")
    kind: TableLink.Kind = Field(description="A scorer's link, or that of a player who confirms.")
    entrant: Ref | None = Field(description="The entrant who confirms.")
    made_at: Moment = Field(description="The moment it was made.")
    used_at: Moment | None = Field(description="The moment it was last used.")
    ended_at: Moment | None = Field(description="The moment it was taken back.")
    url: str | None = Field(description="Told once, when the link is made.")


class TableLinks(Document):
    """The links to a table."""

    results: list[TableLinkDocument] = Field(description="The links, newest first.")


def live_document(live: Live, advice: Mapping[str, object] | None) -> LiveDocument:
    """Return the table's state as the audience may see it."""
    hanchan, reader = live.log.hanchan, live.reader
    state = live.log.state if live.is_followed else None
    return LiveDocument.build(
        live,
        hanchan=hanchan.pk,
        competition=reader.competition,
        table_session=hanchan.table_session_id,
        table=hanchan.table_session.table,
        title=both(lambda language: f"{title_of(hanchan.block, language)} {round_name(hanchan)}"),
        accent=reader.competition.accent,
        number=hanchan.number,
        is_over=live.typed is not None or (state is not None and state.is_over),
        is_final=live.sheet is not None,
        is_typed=live.typed is not None,
        delay=0 if reader.is_staff else reader.competition.live_delay,
        sequence=live.log.sequence,
        started_at=moment(hanchan.started_at, reader.competition) if live.has_log else None,
        round=round_document(state) if state else None,
        deposits=state.deposits(live.log.rules) if state else None,
        seats=live_seats(live, state) if state else typed_seats(live),
        last=last_document(live) if state else None,
        ends=[end_document(live, end) for end in state.ends] if state else [],
        advice=advice,
    )


def round_document(state: State) -> KyokuNow:
    """Return the kyoku in progress."""
    return KyokuNow.build(
        state, name=both(lambda _language: round_text(state)), text=both(lambda _language: table_text(state))
    )


def live_seats(live: Live, state: State) -> list[LiveSeat]:
    """Return the seats with their current scores, and the places and points if the game ended here."""
    rules = live.log.rules
    points = live.settlement.totals[rules.ranking_ledger.key]
    stakes: dict[int, Literal["closed", "open"]] = {
        stake.seat: "open" if stake.open else "closed" for stake in state.hand.stakes
    }
    beside, scores = beside_seats(live), state.current_scores(rules)
    return [
        LiveSeat(
            **seat_of(live.reader, seat),
            wind=rules.setup.seat_winds[(seat.seat - state.dealer) % rules.players],
            score=scores[seat.seat],
            place=live.settlement.places[seat.seat],
            riichi=stakes.get(seat.seat),
            is_dead=seat.seat in state.hand.dead,
            chonbo=state.chonbo_counts()[seat.seat],
            **beside(seat, points[seat.seat], rules),
        )
        for seat in live.seats
    ]


def typed_seats(live: Live) -> list[LiveSeat]:
    """Return the seats of a typed result that counts; they contain nothing from the log."""
    sheet = live.typed
    if sheet is None:
        return []
    rules, are_known = ruleset_of(sheet.rules, sheet.options), sheet.facts.get("are_seats_known", True)
    beside = beside_seats(live)
    return [
        LiveSeat(
            **seat_of(live.reader, seat),
            wind=rules.setup.seat_winds[seat.seat] if are_known else None,
            score=seat.final_score,
            place=seat.place,
            riichi=None,
            is_dead=False,
            chonbo=seat.chonbo,
            **beside(seat, seat.totals[rules.ranking_ledger.key], rules),
        )
        for seat in live.typed_seats
    ]


class Beside(TypedDict):
    """The last fields of `LiveSeat`: the player's mark, the points of this game, and the league."""

    points: str | None
    status: Literal["playing", "withdrawn", "disqualified"]
    mark: MarkDocument | None
    picture: str
    league_rank: int | None
    league_total: str | None
    league_total_now: str | None
    league_rank_now: int | None
    cut: Cut | None
    cut_text: InBoth | None


def beside_seats(live: Live) -> Callable[[HanchanSeat | SeatResult, int, Ruleset], Beside]:
    """Return the function that gives the last fields of a seat, from its points in this game and the rules.

    `league_total` is without this game, `league_total_now` as if it ended here. Points, ranks and the border are null
    if the ledger is not public.
    """
    outlooks = outlooks_of(live)
    marks = marks_at(live.typed_seats or live.seats)

    def beside(seat: HanchanSeat | SeatResult, points: int, rules: Ruleset) -> Beside:
        ledger, standing = rules.ranking_ledger, live.standings.get(seat.entrant_id)
        is_shown = ledger in ledgers_shown(live.reader, rules)
        outlook = outlooks[seat.entrant_id]
        total = standing.total if standing else 0
        # A counting result is part of the published total already; adding it again would count it twice.
        before = total - points if live.sheet is not None else total
        person = person_shown(live.reader, seat.player)
        # A handle hides the picture, and the chosen character, which is usually the first of the name.
        is_named = person is not None and person.name == seat.player.name
        glyph = marks[seat.player_id].glyph if is_named else ""
        cut = outlook.cut if is_shown else None
        return {
            "points": ledger.text(points) if is_shown else None,
            "status": status_of(standing) if standing else "playing",
            "mark": MarkDocument(glyph=glyph or first_glyph(person.name), colour=marks[seat.player_id].colour)
            if person
            else None,
            "picture": picture_path(seat.player) if is_named else "",
            "league_rank": standing.rank if is_shown and standing and standing.is_ranked else None,
            "league_total": ledger.text(before) if is_shown else None,
            "league_total_now": ledger.text(before + points) if is_shown else None,
            "league_rank_now": outlook.rank if is_shown else None,
            "cut": cut,
            "cut_text": both(lambda _language: str(CUTS[cut])) if cut else None,
        }

    return beside


def last_document(live: Live) -> LastKyoku | None:
    """Return the result of the previous kyoku, or None."""
    found = [kyoku for kyoku in kyoku_of(live.log.game.steps) if kyoku.result is not None]
    result = found[-1].result if found else None
    if result is None:
        return None
    return LastKyoku(
        text=both(lambda language: entry_text(result.outcome, shown_names(live, language))),
        kyoku=both(lambda _language: table_text(result.before)),
        changes=list(result.changes()),
    )


def end_document(live: Live, end: EndCause) -> EndDocument:
    """Return one reason why the game is over."""
    return EndDocument.build(end, text=both(lambda language: end_text(end, shown_names(live, language))))


def shown_names(live: Live, language: str) -> SeatedNames:
    """Return the names by seat as this audience may see them, in the letters of the language."""
    people = [person_shown(live.reader, seat.player) for seat in live.seats]
    if language != "ja":
        return [(shown.romaji or shown.name) if shown else HIDDEN_NAME for shown in people]
    return [shown.name if shown else HIDDEN_NAME for shown in people]


def log_document(reader: Reader, log: TableLog, sheet: ResultSheet | None) -> Log:
    """Return the effective entries and each kyoku with its result, from which another program can replay the game.

    `sheet` is the result that counts.
    """
    rules, hanchan = log.rules, log.hanchan
    return Log(
        format=LOG_FORMAT,
        hanchan=str(hanchan.pk),
        sequence=log.sequence,
        ruleset=hanchan.rules.ruleset.name,
        revision=hanchan.rules.ruleset.number,
        digest=rules.digest,
        options=dict(log.options),
        seats=[LogSeat(seat=seat.seat, **entrant(reader, seat.entrant)) for seat in seats(hanchan)],
        entries=written_log.write(log.writing.entries),
        kyoku=[kyoku_document(kyoku) for kyoku in kyoku_of(log.game.steps)] if log.is_followed else [],
        is_over=log.is_followed and log.state.is_over,
        is_typed=sheet is not None and sheet.made_from_sequence is None,
    )


def seats(hanchan: Hanchan) -> list[HanchanSeat]:
    """Return the seats with their people, first dealer first."""
    return list(hanchan.seats.select_related("entrant__player", "player").order_by("seat"))


def kyoku_document(kyoku: Kyoku) -> LogKyoku:
    """Return one kyoku: its entry numbers, the scores before it, and the payments in order."""
    result = kyoku.result
    return LogKyoku.build(
        kyoku.before,
        entries=kyoku.numbers,
        changes=None if result is None else result.changes(),
        transfers=() if result is None else result.transfers,
    )


def link_document(link: TableLink, address: str | None = None) -> TableLinkDocument:
    """Return a link without its secret; `address` contains it and is returned once, when the link is made."""
    competition = link.table_session.competition
    return TableLinkDocument.build(
        link,
        entrant=link.entrant_id,
        made_at=moment(link.made_at, competition),
        used_at=moment(link.used_at, competition),
        ended_at=moment(link.ended_at, competition),
        url=address,
    )
