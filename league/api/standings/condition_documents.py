"""Documents of conditions to advance, explanations of ranks, and hypothetical results (what-if)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from league.api.competitions.competition_documents import Champion, SlotStateName
from league.api.standings.standings_documents import Decision, Destination, decision, destination, points
from league.models import Block, Entrant
from league.selectors.access.readers import Reader
from league.selectors.seasons.series_places import tier_names
from league.selectors.standings.conditions import BlockConditions, PlayerConditions, TargetConditions, elsewhere_text
from league.selectors.standings.explanations import Explanation, Sum, explanations
from league.selectors.standings.facts import id_of
from league.selectors.standings.tables import BlockTable, ResultCell
from league.selectors.standings.targets import Target as ConditionTarget
from league.selectors.standings.what_if import TableInPlay, TriedBlock, TriedSlot, TriedTable, WhatIfOutcome
from league.web.document_parts import (
    LANGUAGES,
    EntrantDocument,
    InBoth,
    NamedKey,
    OfCompetition,
    both,
    entrant,
    ref,
)
from league.web.documents import Amount, Document, Ref
from league.wording.messages import destination_label
from league.wording.names import Names, names_of, person_name
from league.wording.standings import conditions as words
from league.wording.standings.conditions import SeparatedBy
from scoring.conditions import Cell as MarginCell
from scoring.conditions import Distance, MarginKind, Obstacle, Says, Sentence, TieLevel, Word
from scoring.ruleset import Ledger
from scoring.tiebreak import TieBreak

EntrantId = Annotated[Ref, Field(description="The entrant's id.")]
HanchanId = Annotated[Ref, Field(description="The hanchan's id.")]
Number = Annotated[int, Field(description="The hanchan's number in the block, from 1.")]
OneRank = Annotated[int, Field(description="The rank; entrants that nothing separates share it.")]
Total = Annotated[Amount, Field(description="The total in the block.")]
Clause = Annotated[str | None, Field(description="The clause of the rule book.")]


class ObstacleDocument(Document):
    """A reason why score margins do not decide the target."""

    code: Obstacle = Field(description="Stable; decide by this.")
    label: InBoth = Field(description="The obstacle in words.")


class LastTable(Document):
    """A table before its last hanchan of the block."""

    table_session: Ref = Field(description="The table session's id.")
    hanchan: HanchanId
    number: Number
    entrants: list[Ref] = Field(description="The entrants at the table.")


class ConditionSentence(Document):
    """The consequence of some of the player's own places."""

    says: Says = Field(description="The kind of sentence.")
    places: list[int] = Field(description="The own places it is about.")
    label: InBoth = Field(description="The sentence.")


class DistanceDocument(Document):
    """The distance to the border in the current standings."""

    border: Ref = Field(description="The last entrant above the border; for one above it, the first below.")
    is_in: bool = Field(description="The entrant is above the border.")
    gap: Amount = Field(description="The border's total less the own one.")
    left: int = Field(description="Hanchan still to play.")
    average: Amount | None = Field(description="The gap in each hanchan left, exact; null where none is left.")


class PlayerNeeds(Document):
    """A player's conditions for a target."""

    entrant: EntrantId
    status: Word = Field(description="certain and eliminated are proved.")
    percent: str | None = Field(
        description="The estimate behind the word, such as 97 or >99: in how many percent of simulated seasons the "
        "player goes on from the block, to this destination or a better one; for the title, wins it."
    )
    distance: DistanceDocument | None = Field(description="How far it is to the border; null without one.")
    behind: int | None = Field(description="The number of rivals that must end behind; null without margins.")
    sentences: list[ConditionSentence] = Field(description="The conditions as sentences.")


class Target(Document):
    """A target; the first `places` ranks reach it or better."""

    places: int = Field(description="The number of places that reach it.")
    destination: Destination
    needed: Amount | None = Field(description="The total that it also needs; null for the place alone.")
    exempt: list[EntrantId] = Field(
        description="Entrants whose ranks do not count for it, by decisions made for the next term of a series."
    )
    players: list[PlayerNeeds] = Field(description="What each player needs, in the order of the standings.")


class Places(Document):
    """The places an entrant fills: one, or the several shared by players with level scores."""

    first: int = Field(description="The best of them.")
    last: int = Field(description="The worst of them.")


class TieDocument(Document):
    """The tie-break for exactly level totals."""

    at: int = Field(description="The margin at which totals are level.")
    outcome: TieLevel = Field(description="Where the player then stands.")
    decided_by: Literal["points", "place", "score"] | None = Field(description="The compared value; null for a ruling.")
    number: int | None = Field(description="The hanchan that decides.")
    clause: Clause


class Margin(Document):
    """The condition for ending above a rival at these places."""

    own: Places = Field(description="The player's places.")
    rival: Places | None = Field(description="The rival's places; null for a rival without hanchan left.")
    kind: MarginKind = Field(description="Whether a margin is needed at all.")
    least: int = Field(
        description="The smallest difference to the rival's final score; for a finished rival, the own score."
    )
    tie: TieDocument | None = Field(description="Null where totals cannot come out level.")
    floating: list[int] = Field(
        description="The numbers of floating players at the player's table for which it holds; empty for any number."
    )
    rival_floating: list[int] = Field(description="The same for the rival's table, where that is another one.")


class Rival(Document):
    """A rival, with the margins by places."""

    entrant: EntrantId
    is_: Literal["same_table", "other_table", "finished", "more_left"] = Field(
        alias="is", description="Where the rival plays the last hanchan."
    )
    cells: list[Margin] = Field(description="The margins by places.")


class NeedyPlayer(EntrantDocument):
    """A player with the conditions over each rival; none before the block's last hanchan is next."""

    rank: OneRank
    total: Total
    left: int = Field(description="Hanchan still to play.")
    rivals: list[Rival] = Field(description="The rivals with the margins over them.")


class BlockConditionsDocument(NamedKey):
    """A block in progress."""

    hanchan_left: int = Field(description="The most hanchan an entrant still has to play.")
    obstacles: list[ObstacleDocument] = Field(description="Why margins do not say it all; empty where they do.")
    tables: list[LastTable] = Field(description="The tables before their last hanchan.")
    targets: list[Target] = Field(description="The targets with the needs of each player.")
    players: list[NeedyPlayer] = Field(description="The players with the margins over each rival.")


class Conditions(OfCompetition):
    """The conditions of all players. No chonbo is assumed, except for certain and eliminated."""

    blocks: list[BlockConditionsDocument] = Field(description="The blocks under way.")


class Summand(Document):
    """One hanchan of a total."""

    id: HanchanId
    number: Number
    points: Amount = Field(description="The points it brought.")
    place: int = Field(description="The place, from 1.")
    decides: bool = Field(description="It parted the neighbours.")


class SumDocument(Document):
    """A total with its components."""

    entrant: EntrantId
    rank: OneRank
    total: Total
    carried: Amount = Field(description="Points carried over from the stage before.")
    adjustment: Amount = Field(description="Points given or taken outside a hanchan.")
    credited: Amount = Field(description="Points for hanchan that count without having been played.")
    hanchan: list[Summand] = Field(description="The hanchan of the total.")


class Pair(Document):
    """Two neighbours in the standings, and the reason for their order."""

    above: SumDocument = Field(description="The entrant above.")
    below: SumDocument = Field(description="The entrant below.")
    parted_by: SeparatedBy = Field(description="What separates them.")
    gap: Amount = Field(description="The difference of the totals.")
    decision: Decision | None = Field(description="The tie-break, where it decided.")
    clause: Clause
    label: InBoth = Field(description="The reason in a sentence.")


class ExplainedBlock(NamedKey):
    """The pairs of neighbours of a block, best first."""

    pairs: list[Pair] = Field(description="Each entrant with the next below.")


class Explanations(OfCompetition):
    """The reasons for all ranks."""

    blocks: list[ExplainedBlock] = Field(description="The blocks asked for.")


class InPlay(Document):
    """A hanchan for which hypothetical results may be sent; seats are from the first dealer on."""

    hanchan: HanchanId
    block: str = Field(description="The block's key.")
    number: Number
    entrants: list[Ref] = Field(description="The entrants by seat.")
    table_total: int = Field(description="The points on the table.")
    unit: int = Field(description="Scores are multiples of this.")


class TriedSeatDocument(Document):
    """The settlement of a hypothetical result for one seat."""

    entrant: EntrantId
    place: int = Field(description="The place, from 1.")
    final_score: int = Field(description="The score with the deposits given out.")
    points: Amount = Field(description="The points it would bring.")


class TriedTableDocument(Document):
    """A settled hypothetical result, first place first."""

    hanchan: HanchanId
    seats: list[TriedSeatDocument] = Field(description="The seats, first place first.")


class TriedRow(EntrantDocument):
    """A row of a block's standings under the hypothetical results."""

    rank: OneRank
    tied: bool = Field(description="Another entrant shares the rank.")
    total: Total
    rank_before: int | None = Field(description="The rank without the trials; null if only a trial seats the entrant.")
    total_before: Amount | None = Field(description="The total without the trials; null like `rank_before`.")
    destination: Destination | None = Field(description="Where the rank would lead.")


class TriedBlockDocument(NamedKey):
    """A block's standings under the hypothetical results."""

    rows: list[TriedRow] = Field(description="The entrants, best first.")


class TriedSlotDocument(Document):
    """A slot of a later block whose entrant, or whose certainty, would change."""

    block: str = Field(description="The block's key.")
    number: int = Field(description="The slot's number in the block.")
    source: str = Field(description="Such as A#2 (second of block A).")
    state: SlotStateName
    before: Ref | None = Field(description="The entrant's id without the trials.")
    after: Ref | None = Field(description="The entrant's id with the trials.")


class TriedOutcome(Document):
    """The consequences of the hypothetical results."""

    tables: list[TriedTableDocument] = Field(description="The settled trials.")
    blocks: list[TriedBlockDocument] = Field(description="The tables of the blocks as they would be.")
    slots: list[TriedSlotDocument] = Field(description="The slots that would change.")
    champion: Champion


class WhatIf(OfCompetition):
    """The tables in play, and the changes under the hypothetical results; null if none were sent."""

    in_play: list[InPlay] = Field(description="The hanchan whose results may be tried out.")
    outcome: TriedOutcome | None = Field(description="What the results would change; null where none was given.")


def conditions_document(
    reader: Reader, found: Sequence[BlockConditions], every_block: Sequence[Block], ledger: Ledger
) -> Conditions:
    """Return the conditions of every entrant in every block in progress."""
    names = {
        language: names_of(every_block, language, tier_names(reader.competition, language)) for language in LANGUAGES
    }
    blocks = [_Conditions(reader, each, names, ledger).document() for each in found]
    return Conditions.build(reader, as_of=reader.shown_version, blocks=blocks)


class _Conditions:
    """Builds the conditions of one block."""

    def __init__(self, reader: Reader, found: BlockConditions, names: Mapping[str, Names], ledger: Ledger) -> None:
        self.reader, self.found, self.names, self.ledger = reader, found, names, ledger

    def document(self) -> BlockConditionsDocument:
        """Return the document of the block."""
        found = self.found
        return BlockConditionsDocument.build(
            found.block,
            hanchan_left=found.hanchan_left,
            obstacles=[obstacle_document(each) for each in found.obstacles],
            tables=[
                LastTable(
                    table_session=str(hanchan.table_session_id),
                    hanchan=str(hanchan.pk),
                    number=hanchan.number,
                    entrants=[str(id_of(each)) for each in table.entrants],
                )
                for hanchan, table in zip(found.last, found.situation.tables, strict=True)
            ],
            targets=[self.target(each) for each in found.targets],
            players=[self.player(each) for each in found.targets[0].players],
        )

    def target(self, conditions: TargetConditions) -> Target:
        """Return a target with the conditions of each player."""
        target = conditions.target
        return Target.build(
            target,
            destination=destination(target.destination, self.names),
            needed=points(target.needed, self.ledger),
            exempt=[str(id_of(each)) for each in sorted(target.exempt, key=id_of)],
            players=[self.needs(each, target) for each in conditions.players],
        )

    def needs(self, player: PlayerConditions, target: ConditionTarget) -> PlayerNeeds:
        """Return the conditions of one player for one target."""
        return PlayerNeeds(
            entrant=str(player.entrant.pk),
            status=player.status.word,
            percent=player.status.percent,
            distance=self.distance(player.distance),
            behind=player.needs.behind if player.needs else None,
            sentences=[
                ConditionSentence.build(
                    each,
                    label=both(partial(self.sentence_text, player, target, each)),
                )
                for each in player.sentences
            ],
        )

    def sentence_text(
        self, player: PlayerConditions, target: ConditionTarget, sentence: Sentence, language: str
    ) -> str:
        """Return a sentence about one player and target in a language."""
        return words.sentence_text(sentence, self.sentence_names(player, target, language))

    def sentence_names(self, player: PlayerConditions, target: ConditionTarget, language: str) -> words.SentenceContext:
        """Return the names that the sentences contain, in a language."""
        people: dict[Hashable, str] = {key: person_name(row.player, language) for key, row in self.found.people.items()}
        groups = player.needs.hangs_on if player.needs else ()
        label = destination_label(target.destination, self.names[language])
        goal = words.goal_text(target.destination, label, is_last=target.is_last_to_go_on)
        return words.SentenceContext(people, elsewhere_text(self.found, groups, people), goal)

    def distance(self, found: Distance | None) -> DistanceDocument | None:
        """Return the distance to the border, or None without a border."""
        if found is None:
            return None
        average = None if found.average is None else str(found.average / self.ledger.scale)
        return DistanceDocument.build(
            found, border=id_of(found.border), gap=self.ledger.text(found.gap), average=average
        )

    def player(self, player: PlayerConditions) -> NeedyPlayer:
        """Return a player with the margins on which all targets rest."""
        line = player.ranked
        return NeedyPlayer(
            **entrant(self.reader, player.entrant),
            rank=line.rank,
            total=self.ledger.text(line.total),
            left=player.left,
            rivals=list(self.rivals(player)) if player.needs else [],
        )

    def rivals(self, player: PlayerConditions) -> Iterator[Rival]:
        """Yield the margins over each rival, place by place."""
        situation, own = self.found.situation, player.ranked.entrant
        for rival in situation.rows:
            if rival == own:
                continue
            cells: list[MarginCell] = []
            kind = "more_left"
            if rival in situation.table_of:
                duels = tuple(situation.duels(own, rival))
                cells = [duel.cell(*places) for duel in duels for places in sorted(duel.pairs())]
                kind = "same_table" if duels[0].is_same_table else "other_table"
            elif rival in situation.finished:
                cells = list(situation.all_against_finished(own, rival))
                kind = "finished"
            margins = [cell_document(cell) for cell in cells]
            yield Rival.model_validate({"entrant": id_of(rival), "is": kind, "cells": margins})


def obstacle_document(obstacle: Obstacle) -> ObstacleDocument:
    """Return a reason why margins do not say it all."""
    return ObstacleDocument(code=obstacle, label=both(lambda _language: words.obstacle_text(obstacle)))


def cell_document(cell: MarginCell) -> Margin:
    """Return the margin at these places; `least` is a margin, or a final score over a finished rival."""
    tie = cell.tie and TieDocument.build(cell.tie, outcome=cell.tie.level, decided_by=cell.tie.criterion or None)
    return Margin.build(cell, tie=tie, floating=list(cell.floating), rival_floating=list(cell.rival_floating))


def explanations_document(
    reader: Reader,
    tables: Sequence[tuple[BlockTable, Mapping[int, Mapping[int, ResultCell]]]],
    tiebreak: TieBreak,
    ledger: Ledger,
) -> Explanations:
    """Return the reasons for every rank in the requested blocks."""
    blocks = [
        ExplainedBlock.build(
            table.block, pairs=[pair_document(pair, ledger) for pair in explanations(table, results, tiebreak)]
        )
        for table, results in tables
    ]
    return Explanations.build(reader, as_of=reader.shown_version, blocks=blocks)


def pair_document(pair: Explanation, ledger: Ledger) -> Pair:
    """Return the reason why one neighbour ranks above the other."""
    return Pair(
        above=sum_document(pair.above, ledger),
        below=sum_document(pair.below, ledger),
        parted_by=pair.by,
        gap=ledger.text(pair.gap),
        decision=decision(pair.decision, ledger) if pair.by is not SeparatedBy.TOTAL else None,
        clause=pair.clause,
        label=both(
            lambda _language: words.explanation_text(
                pair.by, pair.gap, pair.decision, ledger.scale, by_total_alone=pair.by_total_alone
            )
        ),
    )


def sum_document(found: Sum, ledger: Ledger) -> SumDocument:
    """Return a total with its components."""
    return SumDocument(
        entrant=str(found.entrant.pk),
        rank=found.rank,
        total=ledger.text(found.total),
        carried=ledger.text(found.carried),
        adjustment=ledger.text(found.adjustment),
        credited=ledger.text(found.credited),
        hanchan=[
            Summand.build(
                cell,
                id=cell.hanchan,
                number=number,
                points=ledger.text(cell.points),
                decides=number == found.decided_by,
            )
            for number, cell in found.cells
        ],
    )


def what_if_document(
    reader: Reader,
    tables: Sequence[TableInPlay],
    outcome: WhatIfOutcome | None,
    every_block: Sequence[Block],
    ledger: Ledger,
) -> WhatIf:
    """Return the tables in play, and the changes that the hypothetical results would cause."""
    names = {
        language: names_of(every_block, language, tier_names(reader.competition, language)) for language in LANGUAGES
    }
    return WhatIf.build(
        reader,
        as_of=reader.shown_version,
        in_play=[in_play_document(each) for each in tables],
        outcome=None if outcome is None else outcome_document(reader, outcome, names, ledger),
    )


def in_play_document(table: TableInPlay) -> InPlay:
    """Return a hanchan for which results may be tried out; its seats are from the first dealer on."""
    return InPlay(
        hanchan=str(table.hanchan.pk),
        block=table.hanchan.block.key,
        number=table.hanchan.number,
        entrants=[str(seat.entrant_id) for seat in table.seats],
        table_total=table.ruleset.table_total,
        unit=table.ruleset.entry.unit,
    )


def outcome_document(
    reader: Reader, outcome: WhatIfOutcome, names: Mapping[str, Names], ledger: Ledger
) -> TriedOutcome:
    """Return the changes that would follow."""
    return TriedOutcome.build(
        outcome,
        tables=[tried_table(each, ledger) for each in outcome.tables],
        blocks=[tried_block(reader, each, names, ledger) for each in outcome.blocks],
        slots=[tried_slot(each) for each in outcome.slots],
        champion={"state": outcome.champion_state, "entrant": _id(outcome.champion)},
    )


def tried_table(table: TriedTable, ledger: Ledger) -> TriedTableDocument:
    """Return a settled hypothetical result, first place first."""
    seats = [
        TriedSeatDocument.build(seat, entrant=seat.entrant.pk, points=ledger.text(seat.points)) for seat in table.seats
    ]
    return TriedTableDocument(hanchan=str(table.trial.table.hanchan.pk), seats=seats)


def tried_block(reader: Reader, block: TriedBlock, names: Mapping[str, Names], ledger: Ledger) -> TriedBlockDocument:
    """Return a block's standings under the hypothetical results."""
    rows = [
        TriedRow(
            **entrant(reader, row.entrant),
            rank=row.line.rank,
            tied=row.line.tied,
            total=ledger.text(row.line.total),
            rank_before=row.before.rank if row.before else None,
            total_before=ledger.text(row.before.total) if row.before else None,
            destination=destination(row.destination, names, row.goes),
        )
        for row in block.lines
    ]
    return TriedBlockDocument.build(block.block, rows=rows)


def tried_slot(slot: TriedSlot) -> TriedSlotDocument:
    """Return a slot whose entrant, or whose certainty, would change."""
    return TriedSlotDocument.build(slot, block=slot.block.key, before=_id(slot.before), after=_id(slot.after))


def _id(row: Entrant | None) -> str | None:
    return ref(row.pk) if row else None
