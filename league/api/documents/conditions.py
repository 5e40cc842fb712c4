"""Conditions, explanations and results tried out, as clients read them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence

from league import condition_words as words
from league.api.documents.common import LANGUAGES, Document, block_ref, both, competition_ref, entrant, ref
from league.api.documents.standings import decision, destination
from league.models import Block, Entrant
from league.names import Names, names_of, person_name
from league.selectors.conditions import BlockConditions, PlayerConditions, TargetConditions
from league.selectors.explanations import By, Explanation, Sum, explanations
from league.selectors.readers import Reader
from league.selectors.standings import BlockTable, Cell
from league.selectors.what_if import Outcome, TableInPlay, TriedBlock, TriedSlot, TriedTable
from league.services.standings import id_of
from scoring.conditions import Cell as Margin
from scoring.conditions import Distance, Span
from scoring.ruleset import Ledger
from scoring.tiebreak import TieBreak


def conditions_document(
    reader: Reader, found: Sequence[BlockConditions], every_block: Sequence[Block], ledger: Ledger
) -> Document:
    """What everybody needs in every block under way."""
    names = {language: names_of(every_block, language) for language in LANGUAGES}
    return {
        "competition": competition_ref(reader.competition),
        "as_of": reader.version,
        "blocks": [_Conditions(reader, each, names, ledger).document() for each in found],
    }


class _Conditions:
    """One block's conditions."""

    def __init__(self, reader: Reader, found: BlockConditions, names: Mapping[str, Names], ledger: Ledger) -> None:
        self.reader, self.found, self.names, self.ledger = reader, found, names, ledger

    def document(self) -> Document:
        """The block."""
        found = self.found
        return {
            **block_ref(found.block),
            "hanchan_left": found.hanchan_left,
            "obstacles": [
                {"code": each.value, "label": both(lambda _language, each=each: words.obstacle_text(each))}  # type: ignore[misc]
                for each in found.obstacles
            ],
            "tables": [
                {
                    "table_session": ref(hanchan.table_session_id),
                    "hanchan": ref(hanchan.pk),
                    "number": hanchan.number,
                    "entrants": [ref(id_of(each)) for each in table.entrants],
                }
                for hanchan, table in zip(found.last, found.situation.tables, strict=True)
            ],
            "targets": [self.target(each) for each in found.targets],
            "players": [self.player(each) for each in found.targets[0].players],
        }

    def target(self, conditions: TargetConditions) -> Document:
        """A target with what everybody needs for it."""
        target = conditions.target
        return {
            "places": target.places,
            "destination": destination(target.destination, self.names),
            "players": [self.needs(each) for each in conditions.players],
        }

    def needs(self, player: PlayerConditions) -> Document:
        """What one player needs for one target."""
        return {
            "entrant": ref(player.entrant.pk),
            "status": player.status.word.value,
            "percent": player.status.percent,
            "distance": self.distance(player.distance),
            "behind": player.needs.behind if player.needs else None,
            "sentences": [
                {
                    "says": each.says.value,
                    "places": list(each.places),
                    "label": both(lambda language, each=each: words.sentence_text(each, self.told(player, language))),  # type: ignore[misc]
                }
                for each in player.sentences
            ],
        }

    def told(self, player: PlayerConditions, language: str) -> words.Told:
        """What the sentences need in a language."""
        people: dict[Hashable, str] = {key: person_name(row.player, language) for key, row in self.found.people.items()}
        groups = player.needs.hangs_on if player.needs else ()
        return words.Told(people, words.elsewhere_text(self.found, groups, people))

    def distance(self, found: Distance | None) -> Document | None:
        """How far it is to the border."""
        if found is None:
            return None
        average = None if found.average is None else found.average / self.ledger.scale
        return {
            "border": ref(id_of(found.border)),
            "is_in": found.is_in,
            "gap": self.ledger.text(found.gap),
            "left": found.left,
            "average": None if average is None else str(average),
        }

    def player(self, player: PlayerConditions) -> Document:
        """A player with the margins that all targets rest on."""
        line = player.ranked
        return {
            **entrant(self.reader, player.entrant),
            "rank": line.rank,
            "total": self.ledger.text(line.total),
            "left": player.left,
            "rivals": list(self.rivals(player)) if player.needs else [],
        }

    def rivals(self, player: PlayerConditions) -> Iterator[Document]:
        """What it takes over each rival, place by place."""
        situation, own = self.found.situation, player.ranked.entrant
        for rival in situation.rows:
            if rival == own:
                continue
            if rival in situation.table_of:
                duel = situation.duel(own, rival)
                cells = [duel.cell(*places) for places in sorted(duel.pairs())]
                kind = "same_table" if duel.is_same_table else "other_table"
            elif rival in situation.finished:
                cells = [cell for _span, cell in sorted(situation.against_finished(own, rival).items())]
                kind = "finished"
            else:
                cells, kind = [], "more_left"
            yield {"entrant": ref(id_of(rival)), "is": kind, "cells": [cell_document(cell) for cell in cells]}


def cell_document(cell: Margin) -> Document:
    """What it takes at these places; `least` is a margin, or a final score over somebody who has finished."""
    tie = cell.tie
    return {
        "own": span_document(cell.own),
        "rival": span_document(cell.rival) if cell.rival else None,
        "kind": cell.kind.value,
        "least": cell.least,
        "tie": None
        if tie is None
        else {
            "at": tie.at,
            "outcome": tie.level.value,
            "decided_by": str(tie.criterion) or None,
            "number": tie.number,
            "clause": tie.clause,
        },
    }


def span_document(span: Span) -> Document:
    """The places somebody fills."""
    return {"first": span.first, "last": span.last}


def explanations_document(
    reader: Reader,
    tables: Sequence[tuple[BlockTable, Mapping[int, Mapping[int, Cell]]]],
    tiebreak: TieBreak,
    ledger: Ledger,
) -> Document:
    """Why everybody ranks where they do, in the blocks asked for."""
    return {
        "competition": competition_ref(reader.competition),
        "as_of": reader.version,
        "blocks": [
            {
                **block_ref(table.block),
                "pairs": [pair_document(pair, ledger) for pair in explanations(table, results, tiebreak)],
            }
            for table, results in tables
        ],
    }


def pair_document(pair: Explanation, ledger: Ledger) -> Document:
    """Why one neighbour stands above the other."""
    return {
        "above": sum_document(pair.above, ledger),
        "below": sum_document(pair.below, ledger),
        "parted_by": pair.by.value,
        "gap": ledger.text(pair.gap),
        "decision": decision(pair.decision, ledger) if pair.by is not By.TOTAL else None,
        "clause": pair.clause,
        "label": both(lambda _language: words.explanation_text(pair.by, pair.gap, pair.decision, ledger.scale)),
    }


def sum_document(found: Sum, ledger: Ledger) -> Document:
    """A total and what it is made of."""
    return {
        "entrant": ref(found.entrant.pk),
        "rank": found.rank,
        "total": ledger.text(found.total),
        "carried": ledger.text(found.carried),
        "adjustment": ledger.text(found.adjustment),
        "hanchan": [
            {
                "id": ref(part.hanchan),
                "number": part.number,
                "points": ledger.text(part.points),
                "place": part.place,
                "decides": part.decides,
            }
            for part in found.parts
        ],
    }


def what_if_document(
    reader: Reader,
    tables: Sequence[TableInPlay],
    outcome: Outcome | None,
    every_block: Sequence[Block],
    ledger: Ledger,
) -> Document:
    """The tables in play, and what the results tried out would change."""
    names = {language: names_of(every_block, language) for language in LANGUAGES}
    return {
        "competition": competition_ref(reader.competition),
        "as_of": reader.version,
        "in_play": [in_play_document(each) for each in tables],
        "outcome": None if outcome is None else outcome_document(reader, outcome, names, ledger),
    }


def in_play_document(table: TableInPlay) -> Document:
    """A hanchan whose result may be tried out, its seats from the first dealer on."""
    return {
        "hanchan": ref(table.hanchan.pk),
        "block": table.hanchan.block.key,
        "number": table.hanchan.number,
        "entrants": [ref(seat.entrant_id) for seat in table.seats],
        "table_total": table.ruleset.table_total,
        "unit": table.ruleset.entry.unit,
    }


def outcome_document(reader: Reader, outcome: Outcome, names: Mapping[str, Names], ledger: Ledger) -> Document:
    """What would follow."""
    return {
        "tables": [tried_table(each, ledger) for each in outcome.tables],
        "blocks": [tried_block(reader, each, names, ledger) for each in outcome.blocks],
        "slots": [tried_slot(each) for each in outcome.slots],
        "champion": {"state": outcome.champion_state, "entrant": _id(outcome.champion)},
    }


def tried_table(table: TriedTable, ledger: Ledger) -> Document:
    """A settled trial, first place first."""
    return {
        "hanchan": ref(table.trial.table.hanchan.pk),
        "seats": [
            {
                "entrant": ref(seat.entrant.pk),
                "place": seat.place,
                "final_score": seat.final_score,
                "points": ledger.text(seat.points),
            }
            for seat in table.seats
        ],
    }


def tried_block(reader: Reader, block: TriedBlock, names: Mapping[str, Names], ledger: Ledger) -> Document:
    """A block's table as it would be."""
    return {
        **block_ref(block.block),
        "rows": [
            {
                **entrant(reader, row.entrant),
                "rank": row.line.rank,
                "tied": row.line.tied,
                "total": ledger.text(row.line.total),
                "rank_before": row.before.rank,
                "total_before": ledger.text(row.before.total),
                "destination": destination(row.destination, names, row.goes),
            }
            for row in block.lines
        ],
    }


def tried_slot(slot: TriedSlot) -> Document:
    """A place that would hold somebody else, or be surer."""
    return {
        "block": slot.block.key,
        "number": slot.number,
        "source": slot.source,
        "state": slot.state,
        "before": _id(slot.before),
        "after": _id(slot.after),
    }


def _id(row: Entrant | None) -> str | None:
    return ref(row.pk) if row else None
