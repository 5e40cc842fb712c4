"""Documents of series: tiers and terms, the moves after a term with their reasons, and the roster that follows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import Field

from league.api.people.career_documents import PersonRef, person_ref
from league.models import MoveDecision, Series
from league.platform.errors import Finding
from league.selectors.seasons.series import TermSeasons
from league.selectors.seasons.series_faults import fault_findings, names_in
from league.selectors.seasons.series_moves import Direction, PlayerMove, TermMoves
from league.selectors.seasons.series_rules import rules_of_series
from league.web.document_parts import CompetitionRef, InBoth, exact_number, labels
from league.web.documents import Clauses, Document, Ref
from league.web.problem_documents import FindingDocument
from league.web.problems import finding_document
from league.web.seasons.series_lines import rule_text
from league.wording.seasons.series_moves import reason_text, tier_title
from scoring.pyramid.movement import DecisionKind, Gain, MoveReason


class SeriesHead(Document):
    """A series in a list."""

    id: Ref = Field(description="The series' id.")
    slug: str = Field(description="The series' name in addresses.")
    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")


class TierDocument(Document):
    """A tier of a series."""

    key: str = Field(description="The tier's key.")
    title: InBoth
    least: int = Field(description="The least number of players.")
    most: int = Field(description="The largest number of players.")
    format: str = Field(description="The name of the format that it is played by.")


class TierOfTerm(Document):
    """A tier in one term."""

    tier: str = Field(description="The tier's key.")
    competition: CompetitionRef
    champion: PersonRef | None = Field(description="The champion, once certain.")


class TermDocument(Document):
    """A term of a series."""

    number: int = Field(description="The term's number.")
    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")
    tiers: list[TierOfTerm] = Field(description="The tiers with a competition that may be read, from the top.")


class SeriesDocument(SeriesHead):
    """A series with its rules and terms."""

    rules: str = Field(description="The rules, as the text of a file.")
    tiers: list[TierDocument] = Field(description="From the top.")
    terms: list[TermDocument] = Field(description="The newest first.")


class GainDocument(Document):
    """Promotion or relegation points gained in one term."""

    tier: str = Field(description="The key of the tier.")
    term: int = Field(description="The number of the term.")
    points: int = Field(description="The points.")
    promotes: bool = Field(description="They promote; false for relegation points.")


class PassedOverDocument(Document):
    """A player whom a rule passed over."""

    player: PersonRef | None = Field(description="The player.")
    rank: int = Field(description="The rank.")
    reason: MoveReason


class DecisionOnMove(Document):
    """A decision of the organizers on a move."""

    id: Ref = Field(description="The decision's id.")
    kind: DecisionKind
    tier: str = Field(description="The tier's key, for those who return or are placed; otherwise empty.")
    reason: str = Field(description="The reason.")


class MoveDocument(Document):
    """The move of one player after a term."""

    player: PersonRef
    source: str = Field(alias="from", description="The key of the tier played in; empty for newcomers.")
    to: str = Field(description="A tier, a competition beside the tiers, or `out`; empty while a tie is open.")
    seat: str = Field(description="The tier of the next term; empty for those who leave.")
    direction: Direction = Field(description="The direction; `open` while a tie awaits the organizers.")
    reason: MoveReason
    text: InBoth
    rank: int | None = Field(description="The rank that the rule counts.")
    total: str | None = Field(description="The total in the own tier, exact.")
    size: int | None = Field(description="The number of players of the tier without those who leave.")
    rule: str = Field(description="The path of the rule in the file, such as `moves.2`; empty for decisions.")
    rule_text: str = Field(description="The rule as the file has it.")
    clauses: Clauses
    places: int | None = Field(description="The number of players that the rule moves.")
    needed: str | None = Field(description="The total or the points that the rule needs.")
    passed_over: list[PassedOverDocument] = Field(description="Those before this player whom the rule passed over.")
    points: int = Field(description="Promotion points that count after this term, before any are spent.")
    gains: list[GainDocument] = Field(description="The terms that these points come from.")
    decision: DecisionOnMove | None


class RosterTier(Document):
    """A tier of the next roster."""

    tier: str = Field(description="The tier's key.")
    size: int = Field(description="The number of players.")
    players: list[PersonRef] = Field(description="In the order of their seeds.")


class MovesDocument(Document):
    """The moves after a term, and the roster that follows."""

    series: SeriesHead
    term: int = Field(description="The number of the term.")
    is_provisional: bool = Field(description="Results are missing, so that the moves may change.")
    is_written: bool = Field(description="The roster of the next term is decided.")
    digest: str = Field(description="The digest of the roster and its reasons; writing repeats it.")
    moves: list[MoveDocument] = Field(description="Tiers from the top, then by rank; newcomers last.")
    roster: list[RosterTier] = Field(description="The next term's tiers from the top.")
    faults: list[FindingDocument] = Field(description="What keeps the roster from being written.")


def series_head(series: Series) -> SeriesHead:
    """Return a series in a list."""
    return SeriesHead(id=str(series.pk), slug=series.slug, name=series.name, name_en=series.name_en)


def series_document(series: Series, terms: Sequence[TermSeasons]) -> SeriesDocument:
    """Return a series with the terms that may be read."""
    rules = rules_of_series(series)
    titles = labels(rules.order, lambda key, _language: tier_title(rules.tier(key)))
    return SeriesDocument(
        **dict(series_head(series)),
        rules=series.rules.text,
        tiers=[
            TierDocument(
                key=tier.key,
                title=titles[tier.key],
                least=tier.size.least,
                most=tier.size.most,
                format=tier.format,
            )
            for tier in rules.tiers
        ],
        terms=[term_document(each) for each in terms],
    )


def term_document(found: TermSeasons) -> TermDocument:
    """Return a term with the tiers whose competition may be read."""
    return TermDocument(
        number=found.term.number,
        name=found.term.name,
        name_en=found.term.name_en,
        tiers=[
            TierOfTerm(
                tier=each.tier.key,
                competition=CompetitionRef.build(each.competition),
                champion=person_ref(each.champion.player) if each.champion else None,
            )
            for each in found.tiers
            if each.competition is not None
        ],
    )


def moves_document(found: TermMoves) -> MovesDocument:
    """Return the moves after a term."""
    rules = found.rules

    def text(number: int, _language: str) -> str:
        movement = found.moves[number].movement
        return reason_text(movement, rules, names_in(found), found.scale_of(movement))

    texts = labels(range(len(found.moves)), text)
    faults: list[Finding] = fault_findings(found)
    return MovesDocument(
        series=series_head(found.term.series),
        term=found.term.number,
        is_provisional=found.is_provisional,
        is_written=found.written is not None,
        digest=found.digest,
        moves=[
            _move(found, each, texts[number], rule_text(rules, each.movement.rule))
            for number, each in enumerate(found.moves)
        ],
        roster=[
            RosterTier(tier=each.tier.key, size=each.size, players=[person_ref(move.player) for move in each.moves])
            for each in found.tiers
        ],
        faults=[finding_document(each) for each in faults],
    )


def _move(found: TermMoves, move: PlayerMove, text: InBoth, rule: str) -> MoveDocument:
    movement = move.movement
    return MoveDocument(
        player=person_ref(move.player),
        source=movement.source,
        to=movement.to,
        seat=movement.seat,
        direction=move.direction,
        reason=movement.reason,
        text=text,
        rank=movement.rank,
        total=None if movement.total is None else exact_number(movement.total, found.scale_of(movement)),
        size=movement.size,
        rule=movement.rule,
        rule_text=rule,
        clauses=list(movement.clauses),
        places=movement.places,
        needed=None if movement.needed is None else exact_number(movement.needed),
        passed_over=[
            PassedOverDocument(
                player=person_ref(player) if (player := found.player_of(each.player)) else None,
                rank=each.rank,
                reason=each.reason,
            )
            for each in movement.passed
        ],
        points=movement.points,
        gains=gain_documents(movement.terms),
        decision=decision_document(move.decision) if move.decision else None,
    )


def decision_document(row: MoveDecision) -> DecisionOnMove:
    """Return a decision on a move."""
    return DecisionOnMove.build(row, id=str(row.pk), kind=DecisionKind(row.kind))


def gain_documents(gains: Iterable[Gain]) -> list[GainDocument]:
    """Return gains of points."""
    return [GainDocument(tier=each.tier, term=each.term, points=each.points, promotes=each.is_upward) for each in gains]
