"""Lines of rankings over events, kept in this process by content.

An entry is found by the text of the rules and the day. Its events are compared with those wanted, by the digests of
their results; only what differs is read and reckoned, so another event costs its own entrants alone.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from league.models import EventListed, RulesInForce
from league.models.ranking import EventResult
from league.selectors.rulebooks.rules_in_force import latest, ruleset_of
from scoring.format import Ranking as RankingRules
from scoring.rankings.events import Event, Reckoning, Result

MOST_KEPT = 16
CHUNK = 500

Content = tuple[object, ...]


Contents = frozenset[tuple[int, Content]]
"""The content of each event, by its id."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """Lines kept, never changed since other threads read them, with the content of each event in them."""

    reckoned: Reckoning[int]
    contents: Mapping[int, Content]


_kept: OrderedDict[tuple[str, dt.date, Contents], Reckoning[int]] = OrderedDict()
_lock = threading.Lock()


def content_of(event: EventListed) -> Content:
    """Return everything that an event's part in a ranking depends on."""
    return (event.day, event.days, event.countries, event.needs_qualification, event.digest, event.made_at)


def reckoning(sha256: str, rules: RankingRules, events: Sequence[EventListed], day: dt.date) -> Reckoning[int]:
    """Return the lines over these events as of a day."""
    wanted = {event.pk: content_of(event) for event in events if event.digest}
    key = (sha256, day, frozenset(wanted.items()))
    with _lock:
        found = _kept.get(key) or _changed_from(_nearest(sha256, day, key[2]), rules, events, wanted, day)
        _kept[key] = found
        _kept.move_to_end(key)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
        return found


def forget() -> None:
    """Drop everything kept, for measurements."""
    with _lock:
        _kept.clear()


def _changed_from(
    before: _Kept | None,
    rules: RankingRules,
    events: Sequence[EventListed],
    wanted: Mapping[int, Content],
    day: dt.date,
) -> Reckoning[int]:
    """Return the lines over the events wanted, made from those of other events."""
    found = before.reckoned.copy() if before else Reckoning[int](rules, (), day)
    there = before.contents if before else {}
    for key in there.keys() - wanted.keys():
        found.remove(key)
    for event in read_events([each for each in events if there.get(each.pk) != wanted.get(each.pk)], rules):
        found.put(event)
    return found


def _nearest(sha256: str, day: dt.date, wanted: Contents) -> _Kept | None:
    """Return the entry of the same rules and day that shares most events; None if none shares any."""
    same = [key for key in _kept if key[:2] == (sha256, day) and key[2] & wanted]
    best = min(same, key=lambda key: len(key[2] ^ wanted), default=None)
    return _Kept(_kept[best], dict(best[2])) if best else None


def read_events(events: Sequence[EventListed], rules: RankingRules) -> list[Event[int]]:
    """Read the results of these events: one query for each 500 of them."""
    by_points = any(version.event.base.kind == "points" for version in rules.versions)
    columns = ("event_id", "player_id", "place", "players", *(["points"] if by_points else []))
    results: dict[int, list[Sequence[int]]] = {event.pk: [] for event in events}
    keys = list(results)
    for first in range(0, len(keys), CHUNK):
        rows = EventResult.objects.filter(event__in=keys[first : first + CHUNK]).order_by()
        for row in rows.values_list(*columns):
            results[row[0]].append(row)
    scales = _scales(events) if by_points else {}
    return [_event(event, results[event.pk], scales.get(event.competition_id, 1)) for event in events]


def _event(listed: EventListed, rows: Sequence[Sequence[int]], scale: int) -> Event[int]:
    level = Counter(row[2] for row in rows)
    return Event(
        key=listed.pk,
        day=listed.day,
        players=rows[0][3] if rows else 0,
        results={row[1]: _result(row[2], level[row[2]], sum(row[4:]), scale) for row in rows},
        days=listed.days,
        countries=listed.countries,
        needs_qualification=listed.needs_qualification,
    )


@lru_cache(maxsize=20_000)
def _result(place: int, level: int, points: int, scale: int) -> Result:
    """Return a result, the same one for equal ones; most have no points."""
    return Result(place, level, Fraction(points, scale))


def _scales(events: Sequence[EventListed]) -> Mapping[int, int]:
    """Return the scale of each competition's ranking ledger, by the competition's id."""
    ids = {event.competition_id for event in events}
    rows = RulesInForce.objects.filter(competition__in=ids).select_related("ruleset").order_by("effective_from")
    by_competition: dict[int, list[RulesInForce]] = {}
    for row in rows:
        by_competition.setdefault(row.competition_id, []).append(row)
    return {key: ruleset_of(latest(own)).ranking_ledger.scale for key, own in by_competition.items()}
