"""Series and rankings as archives have them: their facts by keys and addresses, and the outcome computed from them.

Two installations give the same outcome for the same facts: no ids, no names, every number exact.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from league.files.archive import canonical
from league.files.season_archive import (
    BalanceTable,
    EventTable,
    MoveTable,
    RankingFile,
    RosterTable,
    RulesText,
    SeriesFile,
    TermTable,
)
from league.models import (
    Competition,
    MoveDecision,
    NextRoster,
    OpeningBalance,
    OrganizationChange,
    Picture,
    Player,
    Ranking,
    RankingRevision,
    Series,
    SeriesRevision,
)
from league.models.series import OrganizationFact
from league.selectors.exchange.exported_parts import player_table, shown_pictures
from league.selectors.seasons.rankings import Board, board_of
from league.selectors.seasons.series_moves import TermMoves, full_moves
from scoring.rankings.ladder import LadderStep
from scoring.rankings.ratings import RatingStep

RULES_KINDS = ("series.created", "series.rules", "ranking.made", "ranking.rules_changed")
Slugs = Mapping[int, str]
"""Addresses by the id of a competition, where they differ from its own."""


def series_file(series: Series) -> SeriesFile:
    """Return the facts of a series."""
    decisions = list(
        MoveDecision.objects.filter(term__series=series).select_related("term", "player__merged_into").order_by("pk")
    )
    balances = list(series.opening_balances.select_related("player__merged_into").order_by("pk"))
    rosters = list(NextRoster.objects.filter(term__series=series).select_related("term").order_by("pk"))
    people = _people(decisions, balances, rosters)
    keys = {pk: player.key for pk, player in people.items()}
    pictures = shown_pictures(Picture.objects.filter(sha256__in={each.picture for each in people.values()}))
    shown = {player.key: player for player in people.values()}
    return SeriesFile(
        slug=series.slug,
        name=series.name,
        name_en=series.name_en,
        is_public=series.is_public,
        rules=_rules(series),
        players=tuple(player_table(shown[key], shown[key], pictures) for key in sorted(shown)),
        terms=tuple(_terms(series)),
        decisions=tuple(
            MoveTable(
                term=row.term.number,
                player=keys[row.player_id],
                kind=MoveDecision.Kind(row.kind),
                tier=row.tier,
                **_held(row),
            )
            for row in decisions
        ),
        balances=tuple(BalanceTable(player=keys[row.player_id], points=row.points, **_held(row)) for row in balances),
        rosters=tuple(
            RosterTable(
                term=row.term.number,
                tiers={tier: tuple(keys[int(pk)] for pk in ids) for tier, ids in row.tiers.items()},
                moves=tuple(keyed_move(move, keys) for move in row.moves),
                **_held(row),
            )
            for row in rosters
        ),
    )


def _terms(series: Series) -> Iterator[TermTable]:
    for term in series.terms.prefetch_related("competitions").order_by("number"):
        by_tier = {row.tier: row.slug for row in term.competitions.all()}
        yield TermTable(
            number=term.number, name=term.name, name_en=term.name_en, competitions=dict(sorted(by_tier.items()))
        )


def _held(row: OrganizationFact) -> dict[str, Any]:
    """Return reason and moments of a fact as fields."""
    return {"reason": row.reason, "made_at": row.made_at, "ended_at": row.ended_at}


def _people(
    decisions: Iterable[MoveDecision], balances: Iterable[OpeningBalance], rosters: Iterable[NextRoster]
) -> dict[int, Player]:
    """Return the players that the facts name, by id; one that was merged stands for the player kept."""
    ids = {row.player_id for row in decisions} | {row.player_id for row in balances}
    for row in rosters:
        ids |= {int(pk) for own in row.tiers.values() for pk in own}
        ids |= {int(pk) for move in row.moves for pk in (move["player"], *(passed[0] for passed in move["passed"]))}
    rows = Player.objects.filter(pk__in=ids).select_related("merged_into")
    return {row.pk: row.kept for row in rows}


def keyed_move(move: Mapping[str, object], names: Mapping[Any, object]) -> dict[str, object]:
    """Return a stored move with the names of its players replaced: ids by keys, or keys by ids."""
    passed: Sequence[Sequence[object]] = move["passed"]  # type: ignore[assignment]  # as movement_document wrote it
    return {**move, "player": names[move["player"]], "passed": [[names[each[0]], *each[1:]] for each in passed]}


def _rules(owner: Series | Ranking) -> tuple[RulesText, ...]:
    """Return the texts of rules that the owner has had, in their order, the present one last."""
    model = SeriesRevision if isinstance(owner, Series) else RankingRevision
    changes = OrganizationChange.objects.filter(
        subject_type=owner._meta.model_name, subject_id=str(owner.pk), kind__in=RULES_KINDS
    )
    found: list[RulesText] = []
    for change in changes.order_by("pk"):
        name, _r, number = str((change.after or {}).get("rules", "")).rpartition(" r")
        revision = model.objects.filter(name=name, number=int(number)).first() if number.isdecimal() else None
        if revision is not None:
            found.append(RulesText(text=revision.text, reason=change.reason))
    if not found or found[-1].text != owner.rules.text:
        found.append(RulesText(text=owner.rules.text))
    return tuple(found)


def moves_text(series: Series) -> str:
    """Return the moves after every term, with their reasons and numbers, and the rosters that follow."""
    terms = []
    for term in series.terms.order_by("number"):
        term.series = series
        terms.append(_moves(full_moves(term)))
    return canonical({"terms": terms})


def _moves(found: TermMoves) -> dict[str, object]:
    people = Player.objects.filter(pk__in=[int(str(pk)) for pk in found.players]).select_related("merged_into")
    keys = {row.pk: row.kept.key for row in people}
    others = {int(str(pk)) for each in found.documents for pk, *_rest in each["passed"]}  # type: ignore[attr-defined]  # as movement_document wrote it
    others |= {int(str(pk)) for fault in found.faults for pk in fault.players}
    for row in Player.objects.filter(pk__in=others - keys.keys()).select_related("merged_into"):
        keys[row.pk] = row.kept.key
    return {
        "number": found.term.number,
        "is_written": found.written is not None,
        "moves": [keyed_move(move, keys) for move in found.documents],
        "tiers": {each.tier.key: [move.player.key for move in each.moves] for each in found.tiers},
        "faults": [
            [fault.code.value, fault.tier, [keys[int(str(pk))] for pk in fault.players]] for fault in found.faults
        ],
    }


def ranking_file(ranking: Ranking, day: dt.date) -> RankingFile:
    """Return the facts of a ranking, with the day of its outcome."""
    rows = ranking.events.select_related("competition").order_by("pk")
    return RankingFile(
        slug=ranking.slug,
        name=ranking.name,
        name_en=ranking.name_en,
        is_public=ranking.is_public,
        day=day,
        rules=_rules(ranking),
        events=tuple(
            EventTable(
                competition=row.competition.slug,
                day=row.day,
                days=row.days,
                countries=row.countries,
                needs_qualification=row.needs_qualification,
                **_held(row),
            )
            for row in rows
        ),
    )


def lines_text(ranking: Ranking, day: dt.date, slugs: Slugs | None = None) -> str:
    """Return all lines of a ranking as the public reads it on a day, each with the sum behind it."""
    board = board_of(ranking, day)
    found = board.reckoned.ranked() if board.reckoned is not None else ()
    people = [*(each.total.person for each in found), *board.steps]
    keys = {row.pk: row.key for row in Player.objects.filter(pk__in=people)}
    lines: list[object] = [
        [keys[each.total.person], each.place, str(each.total.exact), *_terms_of(board, each.total.person, slugs or {})]
        for each in found
        if each.total.person in keys
    ]
    lines += [
        [keys[person], *(_step(board, step, slugs or {}) for step in steps)]
        for person, steps in board.steps.items()
        if person in keys
    ]
    return canonical({"day": day.isoformat(), "lines": sorted(lines, key=str)})


def _event(board: Board, event: int, slugs: Slugs) -> str:
    competition: Competition = board.events[event].competition
    return slugs.get(competition.pk, competition.slug)


def _terms_of(board: Board, person: int, slugs: Slugs) -> list[object]:
    if board.reckoned is None:
        return []
    return [
        [
            _event(board, term.event, slugs),
            term.result.place,
            *map(str, (term.base, term.weight, term.factor)),
            term.status,
        ]
        for term in board.reckoned.sum_of(person).terms
    ]


def _step(board: Board, step: RatingStep[int] | LadderStep[int], slugs: Slugs) -> list[object]:
    """Return one game: event, day, place, amounts before and after, and in a ladder the rank reached."""
    event = _event(board, step.game.event, slugs)
    rank = step.rank if isinstance(step, LadderStep) else None
    return [event, step.game.day.isoformat(), step.place, str(step.before), str(step.after), rank]
