"""Standings documents: self-describing columns, and rows with the criterion that decided each rank."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Literal

from django.utils.translation import gettext_lazy
from pydantic import Field

from league.api.competitions.competition_documents import Awaiting, Champion, awaiting_documents, champion_document
from league.models import Block, Outcome
from league.selectors.access.readers import Reader
from league.selectors.people.visibility import ledgers_shown, person_shown
from league.selectors.seasons.series_places import tier_names
from league.selectors.standings.tables import BlockTable, StandingLine
from league.web.document_parts import (
    LANGUAGES,
    EntrantDocument,
    EntrantFields,
    EntrantStatus,
    InBoth,
    LedgerDocument,
    NamedKey,
    OfCompetition,
    both,
    entrant,
    labels,
    ref,
    status_of,
)
from league.web.documents import Amount, Document, Ref
from league.wording.messages import TieDecision, decision_sentence, destination_label
from league.wording.names import Names, names_of
from scoring.ruleset import Ledger, Ruleset
from scoring.tiebreak import Criterion, Further


class Column(Document):
    """The meaning of a column, and the direction in which its values are better."""

    key: str = Field(description="The field of a row.")
    direction: Literal["asc", "desc"] | None = Field(
        description="Which values are better: the small or the large ones."
    )
    label: InBoth = Field(description="The meaning in words.")


class Destination(Document):
    """The destination that a rank leads to."""

    key: str = Field(
        description="A stage's key, best:STAGE, champion, 2nd, ..., withdrawn; out: to no stage further on. In a tier "
        "of a series: up:TIER, to:COMPETITION, gain:POINTS, stay:TIER, same:TIER, risk:POINTS, down:TIER, open:TIER; a "
        "third part is the total also needed, or of points the tier to which they move the holder. By a decision: "
        "leaves:TIER, declined:TIER, kept:TIER, placed:TIER."
    )
    label: InBoth = Field(
        description="Of out: eliminated only once neither a result nor a ruling can change it, until then below the "
        "cut."
    )


Leads = Mapping[tuple[str, str], Destination]
"""Destinations by their key and by the certain destination of the rank's holder (`Standing.goes`)."""


class Decision(Document):
    """The tie-break that separates an entrant from the neighbour above with the same total."""

    above: Ref = Field(description="The entrant above.")
    below: Ref = Field(description="The entrant below.")
    criterion: Literal[
        "points", "place", "score", "places", "best_score", "head_to_head", "prior", "seed", "lot", "ruling"
    ] = Field(description="The compared value.")
    number: int | None = Field(
        description="The hanchan that decided; for `places` the place counted; null for other criteria and rulings."
    )
    above_value: str = Field(description="The value of the entrant above.")
    below_value: str = Field(description="The value of the entrant below.")
    above_hanchan: Ref | None = Field(description="The hanchan of the entrant above.")
    below_hanchan: Ref | None = Field(description="The hanchan of the entrant below.")
    clause: str | None = Field(description="The clause of the rule book.")
    label: InBoth = Field(description="The reason in a sentence.")


class Placed(Document):
    """Base that puts the rank before the entrant."""

    rank: int | None = Field(
        description="The rank; entrants that nothing separates share it. Null for an entrant who left and has none."
    )
    position: int = Field(description="The place in the list, from 1; never shared.")
    tied: bool = Field(description="Another entrant shares the rank.")


class RoundNotPlayed(Document):
    """A hanchan that counts for an entrant without a result."""

    number: int = Field(description="The number of the hanchan in the block.")
    kind: Literal["bye", "no_show", "late", "walkover", "annulled"] = Field(
        description="A bye, an absence, a round before joining, a hanchan not played, or one with an entrant who left."
    )
    points: Amount | None = Field(description="Its worth, part of the total; null where amounts are not public.")
    place: int | None = Field(description="The place it counts as; null for none.")
    hanchan: Ref | None = Field(description="The hanchan, if it was played and counts nothing.")
    reason: str = Field(description="The organizers' reason; may be empty.")


class Standing(EntrantDocument, Placed):
    """An entrant's row in the standings."""

    status: EntrantStatus
    total: Amount | None = Field(description="The points of the block, with carried, adjustment and credited.")
    carried: Amount | None = Field(description="Points carried over from the stage before.")
    adjustment: Amount | None = Field(description="Points given or, as penalties, taken outside a hanchan.")
    credited: Amount | None = Field(description="Points for hanchan that count without having been played.")
    credits: list[RoundNotPlayed] = Field(description="Those hanchan, by number; most often none.")
    played: int = Field(description="Hanchan played, without `credits`.")
    planned: int | None = Field(description="Hanchan to be played; null in an open table.")
    places: list[int] = Field(description="How often first, second, third and fourth.")
    gap_to_above: Amount | None = Field(
        description="Points behind the entrant above; null for the first, and below a smaller total."
    )
    gap_to_border: Amount | None = Field(
        description="Points missing to the next better destination; null in the best, and for one who takes no place."
    )
    is_last_before_border: bool = Field(description="The next line leads somewhere else.")
    destination: Destination | None = Field(description="Where the rank leads; null where it leads nowhere.")
    decision: Decision | None = Field(description="What separates the entrant from the one above with the same total.")


class StandingsBorder(Document):
    """The border of a block: who is the last inside and the first outside now, and how far they are apart."""

    places: int = Field(description="How many places are above the border.")
    in_: Ref | None = Field(alias="in", description="The last entrant inside; null if the public may not know them.")
    out: Ref | None = Field(description="The first entrant outside; null if the public may not know them.")
    gap: Amount | None = Field(description="The points between the two; null where amounts are not public.")
    level: list[Ref] = Field(description="Entrants who share the rank on both sides of the border; most often none.")
    awaits_ruling: bool = Field(description="The organizers have to rule which of them go on.")


class BlockStandings(NamedKey):
    """The standings of a block."""

    stage: NamedKey
    planned: int | None = Field(description="Hanchan each entrant plays; null in an open table.")
    played: int = Field(description="Hanchan that count for every entrant who is still in.")
    is_complete: bool = Field(description="All hanchan are played, or the organizers have closed the block.")
    is_empty: bool = Field(description="No hanchan is played.")
    border: StandingsBorder | None = Field(
        description="The first border; null before the first result, and where all ranks lead to the same."
    )
    rows: list[Standing] = Field(description="The entrants, best first.")


class Standings(OfCompetition):
    """The standings of the requested blocks at one published version."""

    final: bool = Field(description="Everything is played and nothing awaits a ruling.")
    ledger: LedgerDocument = Field(description="The ledger of all totals.")
    columns: list[Column] = Field(description="The meaning of the fields of a row.")
    champion: Champion | None = Field(description="Null where the format has no champion.")
    awaiting: list[Awaiting] = Field(description="Ties that wait for a ruling.")
    blocks: list[BlockStandings] = Field(description="The tables, in the order of play.")


def standings_document(
    reader: Reader, tables: Sequence[BlockTable], every_block: Sequence[Block], outcome: Outcome | None, rules: Ruleset
) -> Standings:
    """Return the standings of the requested blocks at one version."""
    names = {
        language: names_of(every_block, language, tier_names(reader.competition, language)) for language in LANGUAGES
    }
    ledger = rules.ranking_ledger if rules.ranking_ledger in ledgers_shown(reader, rules) else None
    keys = {table.block.key for table in tables} | {table.block.stage.key for table in tables}
    awaiting = [tie for tie in awaiting_documents(outcome) if scope_of(tie.scope) in keys]
    lines = [line.standing for table in tables for line in table.lines]
    leads = destinations(((row.destination, row.goes) for row in lines), names)
    return Standings.build(
        reader,
        as_of=reader.shown_version,
        final=bool(tables) and all(table.is_complete for table in tables) and not awaiting,
        ledger=ledger_document(rules.ranking_ledger),
        columns=list(columns()),
        champion=champion_document(outcome),
        awaiting=awaiting,
        blocks=[block_standings(reader, table, ledger, leads, awaiting) for table in tables],
    )


def scope_of(scope: str) -> str:
    """Return the key of the block or the stage that a ruling's scope is about."""
    return scope.removeprefix("best:").partition("#")[0]


def ledger_document(ledger: Ledger) -> LedgerDocument:
    """Return the ledger in which totals are counted."""
    return LedgerDocument.build(ledger, label=ledger.title)


@cache
def columns() -> tuple[Column, ...]:
    """Return the meaning of each column of a row; `direction` tells which values are better."""
    described: Mapping[str, tuple[Literal["asc", "desc"] | None, object]] = {
        "rank": ("asc", gettext_lazy("Rank; entrants that nothing separates share it")),
        "name": (None, gettext_lazy("Entrant")),
        "total": ("desc", gettext_lazy("Points, with those carried over and adjustments")),
        "credited": (None, gettext_lazy("Points for hanchan that count without having been played")),
        "played": (None, gettext_lazy("Hanchan played")),
        "places": (None, gettext_lazy("How often first, second, third and fourth")),
        "gap_to_above": (None, gettext_lazy("Points behind the entrant above")),
        "gap_to_border": (None, gettext_lazy("Points missing to the next better destination")),
        "destination": (None, gettext_lazy("Where this rank leads")),
    }
    words = labels(described, lambda key, _language: str(described[key][1]))
    return tuple(
        Column(key=key, direction=direction, label=words[key]) for key, (direction, _text) in described.items()
    )


def block_standings(
    reader: Reader, table: BlockTable, ledger: Ledger | None, leads: Leads, awaiting: Sequence[Awaiting]
) -> BlockStandings:
    """Return the standings of one block, without entrants hidden from the reader."""
    known = [(line, entrant(reader, line.standing.entrant)) for line in table.lines]
    shown = [(line, names) for line, names in known if names["entrant"] is not None]
    return BlockStandings.build(
        table.block,
        planned=table.planned,
        played=table.played,
        is_complete=table.is_complete,
        is_empty=table.is_empty,
        border=border(reader, table, ledger, awaiting),
        rows=[row(line, names, table, ledger, leads) for line, names in shown],
    )


def border(
    reader: Reader, table: BlockTable, ledger: Ledger | None, awaiting: Sequence[Awaiting]
) -> StandingsBorder | None:
    """Return the first border of a block, or None if there is none."""
    found = table.border
    if found is None:
        return None
    rank = found.inside.rank if found.is_level else None
    level = [line.standing.entrant for line in table.lines if line.standing.rank == rank]
    awaited = {entrant for tie in awaiting if tie.scope == table.block.key for entrant in tie.entrants}
    return StandingsBorder(
        places=found.inside.position,
        in_=ref(found.inside.entrant_id) if person_shown(reader, found.inside.entrant.player) else None,
        out=ref(found.outside.entrant_id) if person_shown(reader, found.outside.entrant.player) else None,
        gap=points(found.gap, ledger),
        level=[str(each.pk) for each in level if person_shown(reader, each.player)],
        awaits_ruling=any(str(each.pk) in awaited for each in level),
    )


def row(line: StandingLine, names: EntrantFields, table: BlockTable, ledger: Ledger | None, leads: Leads) -> Standing:
    """Return one entrant's row; `names` are the fields of the entrant."""
    standing = line.standing
    return Standing(
        rank=standing.rank if standing.is_ranked else None,
        position=standing.position,
        tied=standing.is_tied,
        **names,
        status=status_of(standing),
        total=points(standing.total, ledger),
        carried=points(standing.carried, ledger),
        adjustment=points(standing.adjustment, ledger),
        credited=points(standing.credited, ledger),
        credits=[
            RoundNotPlayed.build(each, points=points(each.points, ledger))
            for each in table.credits.get(standing.entrant_id, ())
        ],
        played=standing.played,
        planned=table.planned,
        places=standing.places,
        gap_to_above=points(line.gap_to_above, ledger),
        gap_to_border=points(line.gap_to_border, ledger),
        is_last_before_border=line.is_last_before_border,
        destination=leads.get((standing.destination, standing.goes)),
        decision=decision(standing.decision, ledger),
    )


def points(value: int | None, ledger: Ledger | None) -> str | None:
    """Return an amount of the ranking ledger, or None if there is none or this audience may not see it."""
    return None if value is None or ledger is None else ledger.text(value)


def destinations(keys: Iterable[tuple[str, str]], names: Mapping[str, Names]) -> Leads:
    """Return the destinations; once a holder's destination is certain (`goes`), the label names it."""
    words = labels(
        ((key, goes) for key, goes in keys if key),
        lambda each, language: destination_label(each[0], names[language], each[1]),
    )
    return {(key, goes): Destination(key=key, label=label) for (key, goes), label in words.items()}


def destination(key: str, names: Mapping[str, Names], goes: str = "") -> Destination | None:
    """Return the destination of one rank, or None if it leads nowhere."""
    return destinations([(key, goes)], names).get((key, goes))


def decision(stored: TieDecision | None, ledger: Ledger | None) -> Decision | None:
    """Return the tie-break that separates the entrant from the neighbour above with the same total."""
    if stored is None or ledger is None:
        return None
    is_points = stored["criterion"] in {Criterion.POINTS, Further.HEAD_TO_HEAD}
    above, below = (
        ledger.text(value) if is_points else str(value) for value in (stored["above_value"], stored["below_value"])
    )
    kept = {name: value for name, value in stored.items() if name in Decision.model_fields}
    label = both(lambda _language: decision_sentence(stored, ledger.scale))
    return Decision.model_validate({**kept, "above_value": above, "below_value": below, "label": label})
