"""Format documents: values and text, faults, the numbers of a format, and trials with invented results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from league.api.rulebooks.rule_documents import Revisions
from league.platform.errors import Finding
from league.selectors.rulebooks.catalogue import CatalogueEntry
from league.web.document_parts import InBoth
from league.web.documents import Amount, Document, Values
from league.web.live.hand_documents import Digest, Revision
from league.web.problem_documents import FindingDocument
from league.web.problems import finding_document
from scoring.format import Format
from scoring.format.numbers import FormatNumbers, StageNumbers
from scoring.format.trial import Scenario, Trial, TrialBlock, seed_of
from scoring.ruleset.ledgers import points_text

Count = Annotated[int | None, Field(description="Null where the format leaves it open.")]


class FormatHead(Document):
    """A league format without its values."""

    name: str = Field(description="The format's name in addresses.")
    title: InBoth
    entrants: int | None = Field(description="The number of entrants; null for any number, or one within bounds.")
    entrants_least: int | None = Field(description="The least number of entrants, until the roster is closed.")
    entrants_most: int | None = Field(description="The greatest number of entrants, until the roster is closed.")
    revision: Revision
    digest: Digest


class FormatDocument(FormatHead):
    """A league format: stages, blocks, rules of advancement, tie-breaks."""

    revisions: Revisions
    values: Values = Field(description="The values by table and key, as in the format's file.")
    text: str = Field(description="The file itself, as TOML.")


class BlockNumbersDocument(Document):
    """The numbers of one block; each is null where the format leaves it open."""

    block: str = Field(description="The block's key.")
    entrants: Count
    tables: int | None = Field(description="Tables that play at once.")
    resting: int | None = Field(description="Entrants who rest in a round.")
    rounds: int | None = Field(description="How often tables are formed.")
    games: int | None = Field(description="Hanchan at all tables together.")


class StageNumbersDocument(Document):
    """The numbers of one stage; each is null where the format leaves it open."""

    stage: str = Field(description="The stage's key.")
    entrants: Count
    hanchan: int | None = Field(description="Hanchan of each entrant.")
    hanchan_in_row: int | None = Field(description="Hanchan of a table before tables are formed again.")
    sessions: int | None = Field(description="Days of play.")
    tables: int | None = Field(description="Tables that play at once.")
    resting: int | None = Field(description="Entrants who rest in a round.")
    rounds: int | None = Field(description="How often tables are formed.")
    games: int | None = Field(description="Hanchan at all tables together.")
    blocks: list[BlockNumbersDocument]


class FormatNumbersDocument(Document):
    """What a format needs; each number is null where the format leaves it open."""

    players: int = Field(description="Players at a table.")
    entrants: Count
    least_hanchan: int | None = Field(description="Hanchan of the entrant who is out first.")
    most_hanchan: int | None = Field(description="Hanchan of the entrant on the longest way.")
    games: int | None = Field(description="Hanchan at all tables together.")
    tables: int | None = Field(description="The most tables that play at once.")
    sessions: int | None = Field(description="Days of play.")
    stages: list[StageNumbersDocument]


class FormatCheckDocument(Document):
    """The result of checking a format; nothing is stored."""

    sound: bool = Field(description="The format may be stored.")
    faults: list[FindingDocument] = Field(description="Everything that is wrong; empty for a sound format.")
    digest: Digest
    text: str = Field(description="The format as TOML, as it would be stored.")
    numbers: FormatNumbersDocument | None = Field(description="What the format needs; null while it has faults.")


class TrialGameDocument(Document):
    """One invented hanchan."""

    round: int = Field(description="The time at which its table was formed, from 1.")
    entrants: list[int] = Field(description="Numbers of seeds.")
    scores: list[int] = Field(description="Final scores, in the order of `entrants`.")
    points: list[Amount] = Field(description="Points; they add up to zero.")
    places: list[int] = Field(description="Places; equal scores share one.")


class TrialRowDocument(Document):
    """One entrant's line at the end of a block."""

    entrant: int = Field(description="The number of the seed.")
    rank: int = Field(description="The rank; entrants whom no rule separates share it.")
    total: Amount = Field(description="Points, with those carried over.")
    carried: Amount = Field(description="Points carried over.")
    destination: str = Field(description="Key of the next stage, `champion`, `2nd`, `out`; empty where none follows.")


class TrialBlockDocument(Document):
    """A block played to its end."""

    stage: str = Field(description="The stage's key.")
    block: str = Field(description="The block's key.")
    rows: list[TrialRowDocument]
    games: list[TrialGameDocument]


class TrialRulingDocument(Document):
    """A tie that the organizer would have to decide; the trial puts the smaller seed first."""

    scope: str = Field(description="The block, or the comparison across blocks.")
    entrants: list[int] = Field(description="Numbers of the seeds that are level.")
    places: list[str] = Field(description="The destinations in question, best first.")


class TrialDocument(Document):
    """A format played to its end with invented results; equal seeds give equal trials."""

    format: FormatHead
    seed: int = Field(description="The seed that the results follow from.")
    scenario: Scenario = Field(description="The kind of results.")
    champion: int | None = Field(description="The seed number of the winner; null for a format without one.")
    blocks: list[TrialBlockDocument] = Field(description="In the order of play.")
    rulings: list[TrialRulingDocument]
    numbers: FormatNumbersDocument


def format_head(book: CatalogueEntry[Format]) -> FormatHead:
    """Return a format without its values."""
    found = book.value
    return FormatHead.build(
        book,
        title=found.title,
        entrants=found.seeds or None,
        entrants_least=found.bounds.least if found.bounds else None,
        entrants_most=found.bounds.most if found.bounds else None,
        revision=book.number,
        digest=book.sha256,
    )


def format_document(book: CatalogueEntry[Format], revisions: Sequence[int]) -> FormatDocument:
    """Return a format with its values and its text."""
    values = json.loads(book.value.model_dump_json(by_alias=True, exclude_none=True))
    return FormatDocument.build(format_head(book), revisions=revisions, values=values, text=book.text)


def numbers_document(numbers: FormatNumbers) -> FormatNumbersDocument:
    """Return what a format needs."""
    return FormatNumbersDocument.build(numbers, stages=[_stage_document(stage) for stage in numbers.stages])


def _stage_document(stage: StageNumbers) -> StageNumbersDocument:
    return StageNumbersDocument.build(stage, blocks=[BlockNumbersDocument.build(block) for block in stage.blocks])


def check_document(
    digest: str, text: str, faults: Sequence[Finding], numbers: FormatNumbers | None
) -> FormatCheckDocument:
    """Return the result of checking a format."""
    return FormatCheckDocument(
        sound=not faults,
        faults=[finding_document(fault) for fault in faults],
        digest=digest,
        text=text,
        numbers=numbers_document(numbers) if numbers else None,
    )


def trial_document(
    book: CatalogueEntry[Format], trial: Trial, seed: int, scenario: Scenario, numbers: FormatNumbers
) -> TrialDocument:
    """Return a trial."""
    return TrialDocument(
        format=format_head(book),
        seed=seed,
        scenario=scenario,
        champion=trial.champion,
        blocks=[_block_document(block, trial.scale) for block in trial.blocks],
        rulings=[
            TrialRulingDocument(
                scope=tie.scope, entrants=[seed_of(each) for each in tie.entrants], places=list(tie.places)
            )
            for tie in trial.rulings
        ],
        numbers=numbers_document(numbers),
    )


def _block_document(block: TrialBlock, scale: int) -> TrialBlockDocument:
    goes = (*block.destinations, *("" for _ in block.standings.ranked[len(block.destinations) :]))
    return TrialBlockDocument(
        stage=block.stage,
        block=block.block,
        rows=[
            TrialRowDocument(
                entrant=seed_of(line.entrant),
                rank=line.rank,
                total=points_text(line.total, scale),
                carried=points_text(line.row.carried, scale),
                destination=destination,
            )
            for line, destination in zip(block.standings.ranked, goes, strict=True)
        ],
        games=[
            TrialGameDocument(
                round=game.round,
                entrants=list(game.entrants),
                scores=list(game.scores),
                points=[points_text(points, scale) for points in game.points],
                places=list(game.places),
            )
            for game in block.games
        ],
    )
