"""The schema of a competition's file, as strict pydantic models: unknown keys are refused, types never converted.

People are referred to by their `key`, blocks and stages by the format's keys, sessions by their number. Events of the
competition (results, rulings, ...) may state their order by `step`; either all of them do or none.
"""

from __future__ import annotations

import datetime as dt
import json
import re
from fractions import Fraction
from typing import Annotated

from pydantic import AfterValidator, Field, PlainSerializer, PlainValidator

from league.files.pictures import LONGEST_PORTRAIT, read_portrait
from league.models import Audience, Competition, Credit, Departure, Hanchan
from league.models.schedule import is_web_address
from league.wording.accents import NEEDED, PAPER, contrast, is_colour
from league.wording.marks import COLOURS, is_glyph
from scoring.paifu.stored import from_json
from scoring.ruleset.base import Strict

LONGEST_RECORD = 1_000_000

_AMOUNT = re.compile(r"[+-]?\d+(\.\d+)?|[+-]?\d+/\d*[1-9]\d*")


def parse_points(value: object) -> Fraction:
    """Parse points: an integer, a decimal in quotes, or a fraction in quotes for values without a finite decimal.

    Raise ValueError for anything else, floats and booleans included.
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str) and _AMOUNT.fullmatch(value):
        return Fraction(value)
    raise ValueError('points are an integer or a decimal in quotes, such as "-30.0"')


def points_as_text(points: Fraction) -> str:
    """Return a decimal with one to three digits after the point, or a fraction if three do not suffice."""
    for digits in (1, 2, 3):
        scaled = abs(points) * 10**digits
        if scaled.denominator == 1:
            whole, rest = divmod(scaled.numerator, 10**digits)
            return f"{'-' if points < 0 else ''}{whole}.{rest:0{digits}d}"
    return str(points)


Points = Annotated[Fraction, PlainValidator(parse_points), PlainSerializer(points_as_text)]
"""An exact amount of the ranking ledger."""

Key = Annotated[str, Field(pattern=r"^[-a-zA-Z0-9_]+$", max_length=64)]
"""A key of a person, a block, a stage or a text."""

Name = Annotated[str, Field(min_length=1, max_length=100)]
Short = Annotated[str, Field(max_length=100)]
Reason = Annotated[str, Field(min_length=1)]
Number = Annotated[int, Field(ge=1, le=1_000_000)]
Amount = Annotated[int, Field(ge=-1_000_000_000, le=1_000_000_000)]
"""Points on the table, or a ledger's smallest units: more than any game yields, and within a database integer."""

Count = Annotated[int, Field(ge=0, le=1_000)]
Step = Number | None


def record_text(text: str) -> str:
    """Return the JSON of an online game's record; raise ValueError unless it can be read."""
    if text:
        try:
            from_json(json.loads(text))
        except RecursionError as deep:
            raise ValueError("must be a record that is not nested too deeply") from deep
    return text


def stream_address(text: str) -> str:
    """Return the stream's URL. Raise ValueError unless it is an http or https address, or empty."""
    if text and not is_web_address(text):
        raise ValueError("must begin with https:// or http:// and have no blanks")
    return text


def one_glyph(text: str) -> str:
    """Return the character of a tile. Raise ValueError unless it is one visible character, or empty."""
    if text and not is_glyph(text):
        raise ValueError("must be one visible character")
    return text


def legible_accent(text: str) -> str:
    """Return the accent colour. Raise ValueError unless it is #rrggbb and legible on paper, or empty."""
    if text and not (is_colour(text) and contrast(text, PAPER) >= NEEDED):
        raise ValueError("must be a colour such as #0d5241 with a contrast of 4.5 : 1 and more on paper")
    return text


def stored_picture(text: str) -> str:
    """Return the picture as base64. Raise ValueError unless it is one as an export writes it, or empty."""
    if text:
        read_portrait(text)
    return text


Glyph = Annotated[str, AfterValidator(one_glyph)]
Colour = Annotated[int, Field(ge=0, lt=COLOURS)] | None
Base64Picture = Annotated[str, Field(max_length=LONGEST_PORTRAIT), AfterValidator(stored_picture)]


class CompetitionTable(Strict):
    """The settings of the competition itself."""

    slug: Annotated[str, Field(pattern=r"^[-a-z0-9_]+$", max_length=64)]
    name: Name
    name_en: Short = ""
    kind: Competition.Kind = Competition.Kind.LEAGUE
    status: Competition.Status = Competition.Status.DRAFT
    audience: Audience = Audience.PUBLIC
    confirmation: Competition.Confirmation = Competition.Confirmation.ONE
    shows_odds: bool = True
    time_zone: str = "Asia/Tokyo"
    day_starts_at: dt.time = dt.time(0, 0)
    advice: Competition.Advice = Competition.Advice.STAFF
    live_delay: Annotated[int, Field(ge=0, le=1440)] = 0
    mark_glyph: Glyph = ""
    mark_colour: Colour = None
    accent: Annotated[str, AfterValidator(legible_accent)] = ""
    picture: Base64Picture = ""
    """A square WebP without metadata, as base64."""


class RulesTable(Strict):
    """The rules that the competition plays by from a moment on. The first entry is the initial one."""

    ruleset: Key
    """The key of a text in this file, or the name of an installed ruleset."""
    format: Key
    """The key of a format in this file, or the name of an installed format."""
    options: dict[str, object] = {}
    since: dt.datetime | None = None
    """Start of the rules; None means the moment of the import."""
    entrants: int | None = Field(default=None, ge=1)
    """For a format of open size: the number of entrants for which it is written out."""


class PlayerTable(Strict):
    """A person. If a player with this key exists already, the existing one is used unchanged."""

    key: Key
    name: Name
    name_kana: Short = ""
    name_romaji: Short = ""
    affiliation: Short = ""
    """The person's affiliation in that season."""
    country: Annotated[str, Field(max_length=40)] = ""
    """The person's country or region in that season."""
    number: Annotated[str, Field(max_length=32)] = ""
    handle: Annotated[str, Field(max_length=50)] = ""
    short_name: Annotated[str, Field(max_length=20)] = ""
    is_team: bool = False
    """True for a team, whose members sit for it."""
    is_public: bool = False
    is_erased: bool = False
    """True for a person whose data has been erased."""
    mark_glyph: Glyph = ""
    mark_colour: Colour = None
    picture: Base64Picture = ""
    """A square WebP without metadata, as base64."""
    is_entrant: bool = True
    """False for a person who is only a substitute, and for members of teams."""
    is_house: bool = False
    """True for an entrant who fills a table and has no rank."""
    checked_in_at: dt.datetime | None = None


class MemberTable(Strict):
    """A member of a team, from the first to the last day given, both included. A transfer makes a second entry."""

    team: Key
    player: Key
    since: dt.date | None = None
    until: dt.date | None = None
    is_captain: bool = False


class SessionTable(Strict):
    """A numbered day of play."""

    number: Number
    name: Short = ""
    name_en: Short = ""


class TakenBack(Strict):
    """The reason why a decision or a result no longer holds."""

    reason: Reason
    step: Step = None


class ResultTable(Strict):
    """One revision of a hanchan's result. All lists are by seat from the first dealer."""

    scores: tuple[Amount, ...]
    """Points on the table, leftover deposits not included."""
    players: tuple[Key, ...] | None = None
    """Keys of the entrants whose result it is; None means the planned ones, in that order."""
    substitutes: dict[Key, Key] = {}
    """Maps the key of an entrant to the key of the person who played as substitute."""
    members: dict[Key, Key] = {}
    """Maps the key of a team to the key of the member who sat for it."""
    kyoutaku: Amount = 0
    chonbo: tuple[Count, ...] = ()
    are_seats_known: bool = True
    options: dict[str, object] = {}
    """House options of this table alone."""
    carried: dict[str, tuple[Amount, ...]] = {}
    """Maps a ledger to the amount that each seat brings from the table, in the ledger's smallest unit."""
    tobi: tuple[tuple[int, int], ...] = ()
    """Pairs of the seat that went out (below zero) and the seat that gets the prize."""
    points: tuple[Points, ...] | None = None
    """The known points of the result; if the rules compute others, the file is refused."""
    places: tuple[Number, ...] | None = None
    """The known places of the result; likewise."""
    accept: tuple[str, ...] = ()
    """Codes of warnings that were looked at and accepted."""
    reason: str = ""
    """The reason why the result before this one was corrected."""
    voided: TakenBack | None = None
    step: Step = None


class FileDecision(Strict):
    """Base of a decision by a person, with its reason."""

    reason: Reason
    step: Step = None


class LineUpTable(FileDecision):
    """The member named to sit for a team in a hanchan."""

    reason: str = ""
    team: Key
    player: Key
    is_secret: bool = False
    """True until the line-ups of the table are announced."""


class HanchanTable(Strict):
    """A hanchan. The last of its results counts, unless it was voided."""

    number: Number
    players: tuple[Key, ...] | None = None
    """Keys of the planned players, first dealer first; None means the players of the table."""
    state: Hanchan.State | None = None
    """None means finished if a result counts, otherwise scheduled."""
    substitutes: dict[Key, Key] = {}
    """Maps the key of an entrant to the key of the person planned to sit as substitute."""
    results: tuple[ResultTable, ...] = ()
    line_ups: tuple[LineUpTable, ...] = ()
    """The line-ups that hold; those that a result brings with it need not be named again."""
    paifu: Annotated[str, Field(max_length=LONGEST_RECORD), AfterValidator(record_text)] = ""
    """The record of the hanchan, played online, as JSON without names."""

    @property
    def counts(self) -> bool:
        """Return True if one of its results counts."""
        return bool(self.results) and self.results[-1].voided is None


class TableTable(Strict):
    """The players at one table, for one or several hanchan."""

    session: Number
    block: Key
    table: Annotated[str, Field(max_length=32)] = ""
    starts_at: dt.datetime | None = None
    venue: Short = ""
    stream_url: Annotated[str, Field(max_length=200), AfterValidator(stream_address)] = ""
    public_at: dt.datetime | None = None
    """The end of the embargo; before it the public sees nothing of this table."""
    is_cancelled: bool = False
    line_ups_due_at: dt.datetime | None = None
    """Line-ups are named before this moment."""
    line_ups_are_secret: bool = False
    """True if line-ups stay secret until then."""
    rules: Number | None = None
    """The number of the entry of `rules` it is played by, from 1; None means those in force when it starts."""
    players: tuple[Key, ...] = ()
    hanchan: tuple[HanchanTable, ...] = ()


class WithdrawalTable(FileDecision):
    """The withdrawal or disqualification of an entrant."""

    player: Key
    kind: Departure.Kind = Departure.Kind.WITHDRAWN
    taken_back: TakenBack | None = None


class CreditTable(FileDecision):
    """The worth of a round for an entrant who did not play it."""

    reason: str = ""
    block: Key
    number: Number
    """The number of the hanchan in the block."""
    player: Key
    kind: Credit.Kind
    points: Points | None = None
    """None for the mean of the entrant's own hanchan before this round."""
    place: Annotated[int, Field(ge=1, le=4)] | None = None
    taken_back: TakenBack | None = None


class DrawTable(FileDecision):
    """The draw of a drawn stage; its seed makes it repeatable."""

    stage: Key
    seed: Annotated[str, Field(max_length=64)]
    result: dict[Key, tuple[int, ...]] | None = None
    """Maps a block to the numbers drawn. The file is refused if the seed gives another draw."""
    taken_back: TakenBack | None = None


class OverrideTable(FileDecision):
    """A change of the entrants who advance: a slot gets another source, or an entrant is passed over."""

    block: Key
    slot: Number | None = None
    source: str = ""
    player: Key | None = None
    """The key of the entrant who gets the slot; only with the source `ruling`."""
    pass_over: Key | None = None
    swapped_with: tuple[Key, Number] | None = None
    """Block and number of the slot whose entrant is exchanged with this one's; then there is no source."""
    taken_back: TakenBack | None = None


class ClosingTable(FileDecision):
    """The end of a block before all its hanchan were played."""

    block: Key
    taken_back: TakenBack | None = None


class AdjustmentTable(FileDecision):
    """Points awarded or deducted outside a hanchan."""

    block: Key
    player: Key
    points: Points
    member: Key | None = None
    """The member of the team whose points these are too; None if they are the team's alone."""
    cause: str = ""
    """The key of the penalty in the rules; empty for other points."""
    taken_back: TakenBack | None = None


Cost = Annotated[int, Field(ge=0, lt=2**63)]


class PairedTwo(Strict):
    """Two players of a table with the terms of their cost."""

    players: tuple[Key, ...]
    apart: int
    """The difference of their places in the order."""
    met: int = 0
    same_club: bool = False
    same_country: bool = False
    cost: Cost = 0


class NearestFour(Strict):
    """The best four in a row of the order with a player of the table; empty if they are the table."""

    players: tuple[Key, ...] = ()
    cost: Cost = 0
    avoided: int = 0


class PairedTable(Strict):
    """A table of a paired round with the reasons for its players."""

    at: Number | None = None
    """The number of the entry of `tables` in the file, from 1."""
    table: str = ""
    players: tuple[Key, ...]
    cost: Cost = 0
    terms: tuple[PairedTwo, ...] = ()
    nearest: NearestFour = NearestFour()
    met: dict[Key, tuple[Key, ...]] = {}
    """Maps a player to the opponents nearby whom they had met before."""


class PairingTable(FileDecision):
    """A round paired by the standing or by lot, as it was published. The seats themselves are those of the tables."""

    reason: str = ""
    block: Key
    number: Number
    """The number of the hanchan in the block."""
    seed: Annotated[str, Field(max_length=160)] = ""
    standing: Annotated[int, Field(ge=0)] = 0
    """The last step that the standing took into account; 0 for none."""
    order: tuple[tuple[Key, ...], ...] = ()
    """The standing, best first; players who were level stand together."""
    tables: tuple[PairedTable, ...] = ()
    cost: Cost = 0
    bound: Cost = 0
    bound_by: Annotated[str, Field(max_length=16)] = ""
    broken: dict[str, int] = {}
    is_optimal: bool = False
    digest: Annotated[str, Field(max_length=64)] = ""


class RulingTable(FileDecision):
    """An organizer's decision on a tie that no rule breaks."""

    scope: str
    """A block's key, or a comparison across blocks such as best:preliminary#5."""
    players: tuple[Key, ...]
    """The order decided, best first."""
    taken_back: TakenBack | None = None


class TextTable(Strict):
    """The complete text of a ruleset or a format, under a key of this file."""

    key: Key
    name: Key
    text: str


class FileDocument(Strict):
    """The content of a file: a whole competition."""

    competition: CompetitionTable
    rules: tuple[RulesTable, ...]
    players: tuple[PlayerTable, ...] = ()
    seeds: dict[Key, tuple[Key, ...]] = {}
    """Maps a block to the keys of the players who were placed in its slots by hand, first slot first."""
    sessions: tuple[SessionTable, ...] = ()
    members: tuple[MemberTable, ...] = ()
    tables: tuple[TableTable, ...] = ()
    withdrawals: tuple[WithdrawalTable, ...] = ()
    credits: tuple[CreditTable, ...] = ()
    pairings: tuple[PairingTable, ...] = ()
    draws: tuple[DrawTable, ...] = ()
    overrides: tuple[OverrideTable, ...] = ()
    adjustments: tuple[AdjustmentTable, ...] = ()
    closings: tuple[ClosingTable, ...] = ()
    rulings: tuple[RulingTable, ...] = ()
    rulesets: tuple[TextTable, ...] = ()
    formats: tuple[TextTable, ...] = ()
