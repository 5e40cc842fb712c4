"""Odds of a league: Monte Carlo simulation of the rest of the season, published after the standings for each audience.

The figures are a function of the facts. The SHA-256 digest of everything that is simulated seeds the draws, so that
the same facts give the same figures on every machine and however often they are computed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import fields, is_dataclass

import numpy as np
from django.db import transaction
from django.utils import timezone
from pydantic import BaseModel

from league.models import AUDIENCES, Audience, Competition, Forecast, Hanchan, ResultSheet
from league.selectors.access.raw_rows import fetch_rows
from league.selectors.access.readers import Reader
from league.selectors.rulebooks.rules_in_force import rules_at, ruleset_of
from league.selectors.standings.derivation import Derivation, derive, facts_at, own_number
from league.selectors.standings.facts import Facts, id_of
from league.selectors.standings.leaving import counted_in, passed_over, ways_out
from league.selectors.standings.odds import METHOD, is_switched_on
from league.selectors.standings.targets import targets_of
from rulesets.prior import load_prior
from scoring.odds.arrays import Ints
from scoring.odds.counts import Odds, Swing, count, under_way
from scoring.odds.course import Course, lay_out
from scoring.odds.kernel import Seasons, simulate
from scoring.odds.outcomes import outcomes_of
from scoring.odds.season import RankGoal, ScheduledHanchan, Season, UnforeseeableError
from scoring.pyramid.conditions import read_destination
from scoring.settlement import HanchanResult
from scoring.standings import Withdrawal

SEASONS = 100_000
SEASONS_OF_LARGE_FIELDS = 20_000
"""As many as a large field gets: five times cheaper, and the page states the error that goes with them."""
LARGE_FIELD = 64
"""The largest number of seeds that gets all seasons."""
BATCH = 10_000
"""Seasons simulated at once; part of the digest, because the draws are generated batch by batch."""


BEHIND = """
SELECT competition.id
FROM league_competition AS competition
WHERE competition.kind = %s AND competition.shows_odds AND competition.computed_version > 0
  AND %s > (
    SELECT COUNT(*)
    FROM league_forecast AS forecast
    WHERE forecast.competition_id = competition.id AND forecast.method = %s
      AND forecast.computed_version >= competition.computed_version
  )
"""
"""The competitions without fresh odds for each audience; every publication runs this."""


def odds_behind() -> tuple[int, ...]:
    """Return the ids of competitions whose odds are older than their standings, or were computed by an older method."""
    rows = fetch_rows(f"{BEHIND} ORDER BY competition.id", [Competition.Kind.LEAGUE, len(AUDIENCES), METHOD])
    return tuple(pk for (pk,) in rows)


def are_odds_behind(competition_id: int) -> bool:
    """Return True if the odds of this competition are out of date."""
    parameters: list[str | int] = [Competition.Kind.LEAGUE, len(AUDIENCES), METHOD, competition_id]
    return bool(fetch_rows(f"{BEHIND} AND competition.id = %s", parameters))


def publish_odds(competition_id: int, after_batch: Callable[[], None] = lambda: None) -> None:
    """Compute the odds as of the published standings; late and duplicate calls find nothing to do.

    Audiences with equal facts share one simulation. `after_batch` is called after every `BATCH` seasons.
    """
    competition = Competition.objects.get(pk=competition_id)
    if not is_switched_on(competition):
        Forecast.objects.filter(competition=competition).delete()
        return
    if not are_odds_behind(competition_id):
        return
    version = competition.computed_version
    found: dict[str, Forecast] = {}
    for audience in AUDIENCES:
        # The public's odds follow from the facts of its standings, not from changes hidden from it since.
        known = version if audience == Audience.STAFF else competition.public_version
        season, pool = season_of(Reader(competition, audience, known))
        digest = digest_of(season)
        if _still_holds(competition, audience, version, digest):
            continue
        # Staff and public usually know the same facts: then one simulation serves both.
        if digest not in found:
            found[digest] = forecast_of(season, pool, digest, after_batch)
        _keep(competition, audience, version, found[digest])


def _still_holds(competition: Competition, audience: Audience, version: int, digest: str) -> bool:
    """Return True if the stored figures come from equal inputs, and mark them as valid for this version too."""
    same = Forecast.objects.filter(competition=competition, audience=audience, digest=digest)
    same.filter(computed_version__lt=version).update(computed_version=version)
    return same.exists()


@transaction.atomic
def _keep(competition: Competition, audience: Audience, version: int, made: Forecast) -> None:
    """Write the figures of an audience, unless figures of a newer version are stored."""
    columns = {
        "computed_version": version,
        "method": METHOD,
        "digest": made.digest,
        "seasons": made.seasons,
        "payload": made.payload,
        "made_at": timezone.now(),
    }
    there = Forecast.objects.filter(competition=competition, audience=audience)
    # Conditional UPDATE: a worker that took longer must not overwrite figures of a newer version.
    if not there.filter(computed_version__lte=version).update(**columns):
        there.get_or_create(competition=competition, audience=audience, defaults=columns)


def forecast_of(
    season: Season, pool: Mapping[str, int], digest: str, after_batch: Callable[[], None] = lambda: None
) -> Forecast:
    """Return the figures as an unsaved row without competition and audience.

    If the season cannot be simulated, the row holds the reason instead.
    """
    # The release before this one looks for the method in the payload; both run at once during an upgrade.
    payload: dict[str, object] = {"method": METHOD, "pool": pool}
    try:
        course = lay_out(season)
        odds = count(_simulated(course, digest, after_batch))
    except UnforeseeableError as refusal:
        unforeseen = {"reason": refusal.reason.value, "where": refusal.where}
        return Forecast(digest=digest, seasons=0, payload={**payload, "unforeseen": unforeseen})
    return Forecast(digest=digest, seasons=odds.seasons, payload={**payload, **odds_json(course, odds)})


def _simulated(course: Course, digest: str, after_batch: Callable[[], None]) -> Iterator[Seasons]:
    """Simulate all seasons, and yield them batch by batch."""
    for draws in batches(course, digest):
        yield simulate(course, draws)
        after_batch()


def batches(course: Course, digest: str) -> Iterator[Ints]:
    """Yield the draws of all seasons, batch by batch, as integer arrays of shape (bounds, `BATCH`).

    Each draw is a 64-bit number of a generator seeded by the digest, modulo its bound.

    The generator's raw output is used, because numpy keeps it the same from version to version.
    """
    raw = np.random.PCG64(int(digest, 16))
    for _ in range(seasons_of(course.season) // BATCH):
        # Not `Generator.integers`: numpy may change its stream between versions, and equal facts would give other
        # figures.
        rows = [raw.random_raw(BATCH) % np.uint64(bound) for bound in course.bounds]
        yield np.stack(rows).astype(np.int64)


def seasons_of(season: Season) -> int:
    """Return the number of seasons to simulate."""
    return SEASONS if season.format.seeds <= LARGE_FIELD else min(SEASONS, SEASONS_OF_LARGE_FIELDS)


def season_of(reader: Reader) -> tuple[Season, Mapping[str, int]]:
    """Return the season as this audience knows it, and the sizes of the pool from which hanchan are drawn.

    The pool consists of the competition's own results and of made-up ones (the prior); both sizes are counted.
    """
    facts = facts_at(reader)
    rules = ruleset_of(rules_at(reader.competition))
    own = outcomes_of(results_of(reader), rules)
    made_up = outcomes_of(load_prior().results(rules), rules)
    counted = {block: counted_in(facts, block, with_byes_to_come=True) for block in sorted(facts.league_format.blocks)}
    derived = derive(facts)
    season = Season(
        format=facts.league_format,
        players=facts.players,
        scale=facts.scale,
        seeds=dict(sorted(facts.seeds.items())),
        pool=tuple(sorted((*own, *made_up))),
        played={block: dict(sorted(played.items())) for block, (played, _) in counted.items()},
        fixtures=fixtures_of(reader, facts),
        adjustments={(block, who): points for (block, who), points in facts.adjustments.items()},
        rulings={**facts.rulings, **decided_orders(derived)},
        draws=facts.draws,
        overrides=(*facts.overrides, *passed_over(facts, derived.standings)),
        credits={block: dict(sorted(own.items())) for block, (_, own) in counted.items()},
        leaving={block: dict(_left_early(facts, block)) for block in counted},
        # Where all others have finished, those who left need no more.
        closed=tuple(sorted(facts.closed | derived.complete)),
        goals={key: goals for key in sorted(derived.places) if (goals := tuple(_goals(derived, key)))},
    )
    return season, {"own": len(own), "made_up": len(made_up)}


def _goals(derived: Derivation, block: str) -> Iterator[RankGoal]:
    """Yield the goals of a tier's block, such as promotion, as the simulation counts them."""
    for target in targets_of(derived, block):
        if read_destination(target.destination) is not None:
            exempt = sorted(map(id_of, target.exempt))
            yield RankGoal(target.destination, target.places, target.needed, tuple(exempt))


def _left_early(facts: Facts, block: str) -> Iterator[tuple[int, Withdrawal]]:
    """Yield the entrants who left the block without finishing it, where that decides their rank."""
    yield from sorted((who, way) for who, way in ways_out(facts, block).items() if way is not Withdrawal.KEPT)


def decided_orders(derived: Derivation) -> Mapping[str, tuple[tuple[int, ...], ...]]:
    """Return the order of each finished block in which further criteria broke every tie, as if it had been ruled.

    The simulation knows no criteria after going back; in blocks under way a coin stands in for them.
    """
    if not derived.facts.league_format.tiebreak.then:
        return {}
    return {
        block: (tuple(id_of(each.entrant) for each in found.ranked),)
        for block, found in derived.standings.items()
        if not found.unbroken and block in derived.complete
    }


def results_of(reader: Reader) -> Iterator[HanchanResult]:
    """Yield the results that count, in the form that the engine settles; none in which a house player took part."""
    sheets = reader.sheets().exclude(seats__entrant__is_house=True).prefetch_related("seats").order_by("hanchan")
    for sheet in sheets:
        yield _result(sheet)


def _result(sheet: ResultSheet) -> HanchanResult:
    seats = sorted(sheet.seats.all(), key=lambda seat: seat.seat)
    return HanchanResult(
        scores=tuple(seat.score for seat in seats),
        kyoutaku=sheet.kyoutaku,
        carried={ledger: tuple(amounts) for ledger, amounts in sheet.facts.get("carried", {}).items()},
        tobi=tuple((busted, receiver) for busted, receiver in sheet.facts.get("tobi", [])),
        forced_top=sheet.facts.get("forced_top"),
    )


def fixtures_of(reader: Reader, facts: Facts) -> Mapping[str, tuple[ScheduledHanchan, ...]]:
    """Return the scheduled hanchan without a result, by block, in order of play.

    In a block with rests each entrant's own number goes with it.
    """
    awaited = (
        reader.hanchan()
        .exclude(state=Hanchan.State.ABANDONED)
        .exclude(table_session__is_cancelled=True)
        .exclude(pk__in=reader.sheets().values("hanchan"))
        .order_by("table_session__session__number", "table_session__order", "round")
        .prefetch_related("seats")
        .select_related("block")
    )
    found: dict[str, list[ScheduledHanchan]] = {}
    for hanchan in awaited:
        seats = sorted(hanchan.seats.all(), key=lambda seat: seat.seat)
        company: tuple[Hashable, ...] = tuple(seat.entrant_id for seat in seats)
        own = tuple(own_number(facts, hanchan, seat.entrant_id) for seat in seats)
        fixture = ScheduledHanchan(hanchan.number, company, own if hanchan.block.key in facts.rounds else ())
        found.setdefault(hanchan.block.key, []).append(fixture)
    return {block: tuple(rows) for block, rows in sorted(found.items())}


def digest_of(season: Season) -> str:
    """Return the SHA-256 of everything that is simulated, and of the method."""
    parts = [METHOD, seasons_of(season), BATCH, canonical(season), *([canonical(season.goals)] if season.goals else [])]
    text = json.dumps(parts, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(value: object) -> object:
    """Return a value in a form that JSON writes the same for equal values.

    References to rows (`ref`), the text of reasons and `goals` are left out: they do not influence the simulation. So
    figures of competitions without goals depend on nothing new.
    """
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    if is_dataclass(value):
        names = (each.name for each in fields(value) if each.name not in {"ref", "reason", "goals"})
        return [type(value).__name__, *(canonical(getattr(value, name)) for name in names)]
    if isinstance(value, Mapping):
        return sorted([canonical(key), canonical(each)] for key, each in value.items())
    if isinstance(value, tuple | list):
        return [canonical(each) for each in value]
    return value


def odds_json(course: Course, odds: Odds) -> dict[str, object]:
    """Return the figures as they are stored: counts out of all seasons, entrants by id.

    A stage counts only entrants who can still reach it; `certain` has those who are in it already.
    """
    stages = [stage.key for stage in course.season.format.stages]
    return {
        "stages": [
            {
                "key": key,
                "certain": sorted(map(id_of, course.is_in(key))),
                "reached": _counts(odds.reached[key]),
            }
            for key in stages
        ],
        "last": course.season.format.champion.block if course.season.format.champion else "",
        "titles": _counts(odds.titles),
        "blocks": [
            {
                "key": key,
                "under_way": key in {block.key for block in under_way(course)},
                "ranks": _counts(ranks),
                "advanced": _counts(odds.advanced.get(key, {})),
                "goals": {name: _counts(counts) for name, counts in odds.goals.get(key, {}).items()},
            }
            for key, ranks in odds.ranks.items()
        ],
        "swings": [_swing(entrant, swing) for entrant, swing in odds.swings.items()],
    }


def _counts(by_entrant: Mapping[Hashable, object]) -> list[list[object]]:
    return sorted([id_of(entrant), counts] for entrant, counts in by_entrant.items())


def _swing(entrant: Hashable, swing: Swing) -> dict[str, object]:
    return {
        "entrant": id_of(entrant),
        "block": swing.block,
        "number": swing.number,
        "places": [list(each) for each in zip(swing.times, swing.advanced, swing.won, strict=True)],
    }
