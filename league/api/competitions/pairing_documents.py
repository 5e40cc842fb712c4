"""Documents of rounds and of their pairings: the tables, the terms of their cost, the bound and the seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from league.models import Block, Entrant, Hanchan, Pairing
from league.platform.errors import Finding
from league.selectors.access.readers import Reader
from league.selectors.competitions.seating.pairing import PlannedPairing, pairings_in, round_plan
from league.selectors.competitions.seating.pairing_reasons import ExplainedTable, explained_plan, explained_tables
from league.selectors.rulebooks.rules_in_force import format_of, rules_of
from league.web.document_parts import EntrantDocument, NamedKey, OfCompetition, OfSeat, entrant, ref
from league.web.documents import Document, Ref
from league.web.problem_documents import FindingDocument
from league.web.problems import finding_document
from scoring.format.rounds import Avoided, SeatedBy
from scoring.seating.pairing_search import BoundBy


class RoundDocument(Document):
    """A round of a block, and how the format seats it."""

    number: int = Field(description="The number of the hanchan in the block, from 1.")
    seated_by: SeatedBy
    of: str | None = Field(description="The key of the stage whose standing seats it; null for its own stage.")
    avoid: list[Avoided] = Field(description="What is avoided where a pairing without it exists, the first the most.")
    is_paired: bool = Field(description="Its pairing is published and no result in it is held back.")


class RoundsDocument(OfCompetition):
    """The rounds of a block that have tables."""

    block: NamedKey
    rounds: list[RoundDocument] = Field(description="In order.")


class PairedSeat(EntrantDocument, OfSeat):
    """An entrant at a table of a pairing."""

    place: int = Field(
        description="The place in the standing that the round was paired by, from 1; level ones share it."
    )


class PairTerm(Document):
    """Two of a table with the terms of their cost."""

    seats: list[int] = Field(description="The seats of the two.")
    apart: int = Field(description="The difference of their places in the order.")
    met: int = Field(description="The number of their earlier meetings.")
    is_same_club: bool = Field(description="They are of one club.")
    is_same_country: bool = Field(description="They are of one country.")
    cost: int = Field(description="The cost of the two together.")


class NearestCompany(Document):
    """The best four in a row of the order that include one of a table, if they are others."""

    entrants: list[Ref | None] = Field(description="Their ids; null where not public.")
    cost: int = Field(description="What they would cost.")
    avoided: int = Field(description="Pairs among them that are to be avoided.")


class PairingTable(Document):
    """A table of a pairing, with the reasons for it."""

    number: int = Field(description="Its place among the tables of the round, from 1.")
    table: str = Field(description="The table's name in the hall; empty for one that would be made.")
    hanchan: Ref | None = Field(description="The id of the hanchan; null for one that would be made.")
    cost: int = Field(description="The sum over its six pairs.")
    seats: list[PairedSeat] = Field(description="The four, the first dealer first.")
    pairs: list[PairTerm] = Field(description="The six pairs.")
    nearest: NearestCompany | None


class PairingFacts(OfCompetition):
    """The values that a pairing and its preview share."""

    block: NamedKey
    number: int = Field(description="The number of the hanchan in the block, from 1.")
    seed: str = Field(description="Lots are the SHA-256 of the seed, a colon and the entrant's number.")
    digest: str = Field(description="The digest of everything the pairing was made from; publishing repeats it.")
    standing_version: int = Field(description="The number of the newest change that the standing takes into account.")
    cost: int = Field(description="The sum over the tables.")
    bound: int = Field(description="No pairing with as few avoided pairs costs less.")
    bound_by: BoundBy
    is_optimal: bool = Field(description="It is proved that no better pairing exists.")
    not_avoided: dict[str, int] = Field(description="By kind to be avoided: how often it could not be.")
    tables: list[PairingTable] = Field(description="In the order of their numbers.")


class PairingDocument(PairingFacts):
    """A published pairing; a later correction does not change it."""


class PairingPreview(PairingFacts):
    """A pairing as it would be published now."""

    sitting_out: list[EntrantDocument] = Field(description="The entrants with a bye.")
    warnings: list[FindingDocument] = Field(description="To be accepted by their codes when it is published.")


def rounds_document(reader: Reader, block: Block) -> RoundsDocument:
    """Return the rounds of a block that the reader may know of."""
    shown = reader.hanchan().filter(block=block, table_session__is_cancelled=False)
    numbers = (
        shown.exclude(state=Hanchan.State.ABANDONED).order_by("number").values_list("number", flat=True).distinct()
    )
    format_ = format_of(rules_of(reader))
    paired = {row.number for row in pairings_in(reader) if row.block_id == block.pk}
    rounds = []
    for number in numbers:
        plan = round_plan(format_, block.stage.key, number)
        rounds.append(
            RoundDocument(
                number=number,
                seated_by=plan.by if plan else SeatedBy.PLAN,
                of=plan.of if plan else None,
                avoid=list(plan.avoid) if plan else [],
                is_paired=number in paired,
            )
        )
    return RoundsDocument.build(reader, as_of=reader.shown_version, block=block, rounds=rounds)


def pairing_document(reader: Reader, pairing: Pairing) -> PairingDocument:
    """Return a published pairing."""
    tables = _tables(reader, explained_tables(pairing))
    return PairingDocument.build(
        pairing,
        competition=reader.competition,
        as_of=reader.shown_version,
        standing_version=reader.number_shown(pairing.standing_version),
        not_avoided=_not_avoided(pairing.broken),
        tables=tables,
    )


def preview_document(reader: Reader, planned: PlannedPairing) -> PairingPreview:
    """Return a pairing that is not published yet, with its warnings."""
    found = planned.found
    return PairingPreview.build(
        planned,
        competition=reader.competition,
        as_of=reader.shown_version,
        standing_version=reader.number_shown(planned.standing_version),
        cost=found.cost,
        bound=found.bound,
        bound_by=found.bound_by,
        is_optimal=found.is_optimal,
        not_avoided=_not_avoided({kind.value: count for kind, count in found.broken.items()}),
        tables=_tables(reader, explained_plan(planned)),
        sitting_out=[_entrant(reader, one) for one in planned.sitting_out],
        warnings=_warnings(planned.findings),
    )


def _warnings(findings: Sequence[Finding]) -> list[FindingDocument]:
    return [finding_document(finding) for finding in findings]


def _not_avoided(broken: Mapping[str, int]) -> dict[str, int]:
    return {kind: count for kind, count in broken.items() if count}


def _entrant(reader: Reader, row: Entrant) -> EntrantDocument:
    return EntrantDocument(**entrant(reader, row))


def _tables(reader: Reader, tables: Sequence[ExplainedTable]) -> list[PairingTable]:
    return [_table(reader, table) for table in tables]


def _table(reader: Reader, table: ExplainedTable) -> PairingTable:
    seat_of = {one.pk: seat for seat, one in enumerate(table.entrants)}
    return PairingTable(
        number=table.number,
        table=table.label,
        hanchan=ref(table.hanchan),
        cost=table.cost,
        seats=[
            PairedSeat(seat=seat, place=place, **entrant(reader, one)) for seat, (one, place) in enumerate(table.seats)
        ],
        pairs=[
            PairTerm.build(each, seats=sorted((seat_of[each.one.pk], seat_of[each.other.pk]))) for each in table.pairs
        ],
        nearest=NearestCompany(
            entrants=[entrant(reader, one)["entrant"] for one in table.nearest],
            cost=table.nearest_cost,
            avoided=table.nearest_avoided,
        )
        if table.nearest
        else None,
    )
