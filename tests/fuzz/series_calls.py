"""Calls of the services of series, for the test that fuzzes the arguments of every service."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from league.models import Competition, MoveDecision, Player, Series, Term
from league.services.competitions.setup import set_status
from league.services.seasons import moves, next_rosters, series
from league.services.seasons.series import SeriesPlan, SeriesWords
from tests import factories
from tests.factories import SYSTEM
from tests.league.seasons.pyramid import TWO_TIERS

ONE_TIER = """
name = "one-tier"
kind = "series"
title = { ja = "一部", en = "One tier" }
tiebreak = {}

[[tiers]]
key = "A"
size = { least = 4, most = 4 }
format = "single-table-final"
"""


def new_series() -> Series:
    """Return a new series of two tiers."""
    slug = f"fuzzed-{Series.objects.count()}"
    return series.create_series(plan=SeriesPlan(slug=slug, name="春", text=TWO_TIERS), by=SYSTEM)


def new_term() -> Term:
    """Return the first term of a new series."""
    return new_series().terms.get()


def finished_term() -> Term:
    """Return a term whose only tier is closed."""
    slug = f"fuzzed-{Series.objects.count()}"
    made = series.create_series(plan=SeriesPlan(slug=slug, name="春", text=ONE_TIER), by=SYSTEM)
    term = made.terms.get()
    competition = factories.final_table(f"{slug}-a")
    series.attach_competition(term=term, tier="A", competition=competition, by=SYSTEM)
    set_status(competition=competition, status=Competition.Status.CLOSED, by=SYSTEM)
    return term


def attached() -> Competition:
    """Return a competition that is a tier of a new series."""
    competition = factories.final_table(f"fuzzed-cup-{Competition.objects.count()}")
    return series.attach_competition(term=new_term(), tier="A", competition=competition, by=SYSTEM)


def player() -> Player:
    """Return a player."""
    found = Player.objects.filter(merged_into=None, erased_at=None).order_by("pk").first()
    assert found is not None
    return found


def decided() -> MoveDecision:
    """Return a decision on a move."""
    placed = MoveDecision.Kind.PLACED
    return moves.decide_move(term=new_term(), player=player(), kind=placed, tier="A", reason="r", by=SYSTEM)


def digest_of(term: Term) -> str:
    """Return the digest of the roster after a term."""
    return next_rosters.preview_next_roster(term=term, by=SYSTEM).digest


def to_write() -> dict[str, Any]:
    """Return the arguments that write a roster."""
    term = finished_term()
    return {"term": term, "digest": digest_of(term), "reason": "as agreed"}


def to_undo() -> dict[str, Any]:
    """Return the arguments that take a roster back."""
    term = finished_term()
    next_rosters.write_next_roster(term=term, digest=digest_of(term), by=SYSTEM)
    return {"term": term, "reason": "too early"}


SERIES_CALLS: Mapping[Callable[..., Any], Callable[[Any], Mapping[str, Any]]] = {
    series.create_series: lambda _here: {
        "plan": SeriesPlan(slug="new-series", name="新", name_en="New", text=TWO_TIERS, first_term=7)
    },
    series.edit_series: lambda _here: {
        "series": new_series(), "words": SeriesWords(name="新", name_en="New", is_public=True)
    },
    series.revise_rules: lambda _here: {"series": new_series(), "text": TWO_TIERS + "\n", "reason": "tidier"},
    series.add_term: lambda _here: {"series": new_series(), "number": 9},
    series.attach_competition: lambda here: {"term": new_term(), "tier": "A", "competition": here.final},
    series.detach_competition: lambda _here: {"competition": attached(), "reason": "mistake"},
    series.create_tiers: lambda _here: {"term": finished_term(), "ruleset": "mleague", "entrants": {"A": 4}},
    moves.decide_move: lambda _here: {
        "term": new_term(), "player": player(), "kind": MoveDecision.Kind.PLACED, "tier": "A", "reason": "r"
    },
    moves.decide_newcomer: lambda _here: {"term": new_term(), "name": "新人", "tier": "A", "reason": "r"},
    moves.take_move_decision_back: lambda _here: {"decision": decided(), "reason": "mistake"},
    moves.set_opening_balance: lambda _here: {
        "series": new_series(), "player": player(), "points": 2, "reason": "before"
    },
    next_rosters.write_next_roster: lambda _here: to_write(),
    next_rosters.undo_next_roster: lambda _here: to_undo(),
}  # fmt: skip
"""A correct call of each service."""
