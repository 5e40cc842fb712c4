"""Competition documents: competitions, their stages, and the rules in force."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

from league.api.people.player_documents import MarkDocument, PicturePath, picture_path
from league.models import Competition, Outcome, RulesInForce, SlotState, Stage
from league.selectors.access.readers import Reader
from league.web.document_parts import CompetitionRef, NamedKey, moment, ref
from league.web.documents import AsOf, Document, Moment, Ref, Values
from league.wording.marks import competition_mark

SlotStateName = Annotated[
    SlotState.State, Field(description="How sure it is: certain, as it stands now, open, or open until a ruling.")
]
HanchanCount = Annotated[int | None, Field(description="Hanchan each entrant plays; null for any number.")]


class CompetitionDocument(CompetitionRef):
    """A competition: a league's season or an open table."""

    kind: Competition.Kind = Field(description="A league's season, or an open table of a parlour.")
    status: Competition.Status = Field(
        description="A draft is for organizers alone; a closed competition takes no more results."
    )
    time_zone: str = Field(description="The time zone of all moments, such as Asia/Tokyo.")
    mark: MarkDocument = Field(description="The competition's tile, chosen or derived from name and address.")
    accent: str = Field(description="The accent colour as #rrggbb; empty for the usual green.")
    picture: PicturePath
    as_of: AsOf


class Rules(Document):
    """The rules that a competition plays by from a moment on."""

    id: Ref = Field(description="The id under which hanchan name their rules.")
    ruleset: str = Field(description="The ruleset's name.")
    ruleset_revision: int = Field(description="The revision of the ruleset.")
    format: str = Field(description="The league format's name.")
    format_revision: int = Field(description="The revision of the format.")
    options: Values = Field(description="The house options that were chosen.")
    entrants: int | None = Field(
        description="The number of entrants for which a format of open size is written out; null for a fixed size."
    )
    digest: str = Field(description="The SHA-256 of ruleset, format, options and number of entrants.")
    effective_from: Moment = Field(description="Hanchan from this moment on are settled by these rules.")


class StageDocument(Document):
    """A stage with its blocks."""

    id: Ref = Field(description="The stage's id.")
    key: str = Field(description="The stage's key, unique in the competition.")
    order: int = Field(description="The stage's place in the order of play.")
    name: str = Field(description="The name.")
    name_en: str = Field(description="The English name; empty where there is none.")
    hanchan_count: HanchanCount
    blocks: list[NamedKey] = Field(description="The blocks of the stage.")


class StageOfCompetition(StageDocument):
    """A stage with its competition."""

    competition: CompetitionRef


class CompetitionDetail(CompetitionDocument):
    """A competition with its stages, and all its rules from the first to those in force."""

    rules: list[Rules] = Field(description="The rules, those in force last.")
    stages: list[StageDocument] = Field(description="The stages in the order of play.")


class Champion(Document):
    """The champion, or the entrant in the lead."""

    state: SlotStateName
    entrant: Ref | None = Field(description="The entrant's id; null while open.")


class AwaitedSlot(Document):
    """A slot that stays open until a ruling."""

    block: str = Field(description="The block's key.")
    number: int = Field(description="The slot's number in the block.")


class Awaiting(Document):
    """A tie that no rule breaks, so that the organizers must rule on it."""

    scope: str = Field(description="A block's key, or a comparison such as best:preliminary#5.")
    entrants: list[Ref] = Field(description="The entrants that are level.")
    ranks: list[int] = Field(description="The positions they share.")
    places: list[str] = Field(description="The destinations in question, best first.")
    slots: list[AwaitedSlot] = Field(description="The slots that wait for it.")


def competition_document(reader: Reader) -> CompetitionDocument:
    """Return a competition without its stages and rules."""
    return CompetitionDocument.build(reader.competition, **_shown(reader))


def _shown(reader: Reader) -> dict[str, object]:
    """Return the fields that are no columns of the competition."""
    competition = reader.competition
    return {
        "mark": MarkDocument.build(competition_mark(competition)),
        "picture": picture_path(competition),
        "as_of": reader.shown_version,
    }


def competition_detail(reader: Reader, rules: Sequence[RulesInForce], stages: Sequence[Stage]) -> CompetitionDetail:
    """Return a competition with its stages and its rules, those in force last."""
    return CompetitionDetail.build(
        reader.competition,
        **_shown(reader),
        rules=[rules_document(row, reader.competition) for row in rules],
        stages=[stage_document(stage) for stage in stages],
    )


def rules_document(row: RulesInForce, competition: Competition) -> Rules:
    """Return rules in force: ruleset and format revisions, options, and start."""
    return Rules.build(
        row,
        ruleset=row.ruleset.name,
        ruleset_revision=row.ruleset.number,
        format=row.format.name,
        format_revision=row.format.number,
        effective_from=moment(row.effective_from, competition),
    )


def stage_document(stage: Stage) -> StageDocument:
    """Return a stage with its blocks."""
    return StageDocument.build(stage, blocks=stage.blocks.all())


def stage_of_competition(reader: Reader, stage: Stage) -> StageOfCompetition:
    """Return a stage with its blocks and its competition."""
    return StageOfCompetition.build(stage, blocks=stage.blocks.all(), competition=reader.competition)


def champion_document(outcome: Outcome | None) -> Champion | None:
    """Return the champion or current leader, or None if the format has no champion."""
    if outcome is None or not outcome.champion_state:
        return None
    return Champion(state=SlotState.State(outcome.champion_state), entrant=ref(outcome.champion_id))


def awaiting_documents(outcome: Outcome | None) -> list[Awaiting]:
    """Return the ties that wait for a ruling."""
    return [
        Awaiting(**tie | {"slots": [AwaitedSlot(block=block, number=number) for block, number in tie["slots"]]})
        for tie in (outcome.awaiting if outcome else [])
    ]
