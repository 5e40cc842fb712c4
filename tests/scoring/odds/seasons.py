"""Random seasons for tests of the odds: every feature of formats, any state of play, and many ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from rulesets.formats import load_format, parse_format
from scoring.format import Format
from scoring.odds.arrays import Ints
from scoring.odds.course import Course, lay_out
from scoring.odds.outcomes import SettledHanchan
from scoring.odds.rounds import DrawnGame, Group
from scoring.odds.scalar import results_of_draw
from scoring.odds.season import ScheduledHanchan, Season, UnforeseeableError
from scoring.plan import Override, PassOver, Replace
from scoring.standings import Withdrawal
from scoring.tiebreak import Credit, CreditKind, Entrant, Played

NOTE = 'note = { ja = "試験", en = "For tests" }'
NONE = 'kind = "none"'
BACK = 'back_tracking = [{ by = "points" }, { by = "place" }, { by = "score" }]'
STAY = 'seating = "stay"'
ROUNDS = 'seating = "rounds"'
FIXTURES = 'seating = "fixtures"'


def sources(*every: str) -> str:
    """Return the `entrants` line of a block in a format file."""
    intakes = (f'{{ from = "{each}", {NOTE} }}' for each in every)
    return f"entrants = [{', '.join(intakes)}]"


def stage(key: str, hanchan: int, carry: str, blocks: Mapping[str, str | Sequence[str]], *more: str) -> str:
    """Return a stage in the syntax of a format file; a stage whose blocks have sizes is drawn."""
    is_drawn = any(isinstance(each, str) for each in blocks.values())
    lines = [
        "[[stages]]", f'key = "{key}"', f'title = {{ ja = "{key}", en = "{key}" }}', f"hanchan = {hanchan}",
        f"carry_over = {{ {carry}, {NOTE} }}", NOTE, "assignment = " + ('"drawn"' if is_drawn else '"seeded"'), *more,
    ]  # fmt: skip
    for name, own in blocks.items():
        lines += ["[[stages.blocks]]", f'key = "{name}"', f'title = {{ ja = "{name}", en = "{name}" }}']
        lines.append(f"size = {own}" if isinstance(own, str) else sources(*own))
    return "\n".join(lines)


def made(players: int, entrants: int, tiebreak: str, champion: str, *stages: str) -> Format:
    """Return a format made for the tests."""
    lines = [
        'name = "made"', 'title = { ja = "試験", en = "Made" }', f"players = {players}", f"entrants = {entrants}",
        NOTE, "[tiebreak]", tiebreak,
    ]  # fmt: skip
    if champion:
        lines += ["[champion]", f'block = "{champion}"', NOTE]
    return parse_format("\n".join([*lines, *stages]), "made.toml")


FORMATS: Sequence[Format] = (
    load_format("cinderella"),
    load_format("cinderella-2018"),
    load_format("single-table-final"),
    made(
        4, 12, BACK, "final",
        stage("q", 2, NONE, {"A": ["seed:1-6"], "B": ["seed:7-12"]}, ROUNDS),
        stage("semi", 2, 'kind = "half", rounding = "up"', {"s1": "4", "s2": "4"}, STAY,
              sources("q#1-3", "best:q#4/1-2")),
        stage("final", 1, 'kind = "half", rounding = "away_from_zero"', {"final": ["semi#1-2"]}, STAY),
    ),
    made(
        3, 9, 'back_tracking = [{ by = "place" }]', "last",
        stage("q", 4, NONE, {"A": ["seed:1-9"]}, STAY, "sessions = 2"),
        stage("mid", 1, 'kind = "half", rounding = "towards_zero"', {"m": ["A#3-5"]}, STAY),
        stage("last", 2, 'kind = "table", points = ["10", "5.5", "0"]', {"last": ["A#1-2", "m#1"]}, ROUNDS),
    ),
    made(
        4, 16, "", "",
        stage("q", 1, NONE, {"A": ["seed:1-8"], "B": ["seed:9-16"]}, ROUNDS),
        stage("r", 2, 'kind = "full"', {"C": ["q#1-2"], "D": ["q#3-4"]}, STAY),
        stage("s", 1, 'kind = "half", rounding = "down"', {"E": ["best:r#1/1-2", "r#2"]}, STAY),
    ),
    made(
        4, 7, BACK, "final",
        stage("q", 4, NONE, {"A": ["seed:1-7"]}, FIXTURES),
        stage("final", 4, 'kind = "half", rounding = "up"', {"final": ["A#1-5"]}, FIXTURES),
    ),
)  # fmt: skip
"""Built-in formats; uneven tables, drawn stages, halved carry-over, comparisons; three-player
tables; ranking by totals only, full carry-over, no champion; fixtures in which some rest."""


def pool(random: Random, players: int) -> tuple[SettledHanchan, ...]:
    """Return few outcomes with small numbers, so that totals, hanchan and places are often tied."""
    found = []
    for _ in range(random.randint(1, 4)):
        points = sorted((random.randint(-2, 2) for _ in range(players)), reverse=True)
        places = tuple(1 + sum(other > own for other in points) for own in points)
        scores = tuple(20000 + 10000 * random.randint(0, 1) for _ in points)
        found.append(SettledHanchan(tuple(points), places, scores))
    return tuple(found)


def draws_of(course: Course, seed: int, seasons: int) -> Ints:
    """Return random draws that depend on the seed only."""
    rows = np.random.default_rng(seed)
    return np.stack([rows.integers(0, bound, size=seasons) for bound in course.bounds])


def season(random: Random) -> Season:
    """Return a season of some format, played to some point, with decisions of the organizers."""
    league = random.choice(FORMATS)
    seats = league.players or 4
    names: list[Entrant] = list(range(101, 101 + league.seeds))
    random.shuffle(names)
    found = Season(
        league, seats, random.choice([10, 10, 2]), dict(enumerate(names, start=1)), pool(random, seats),
        adjustments={(random.choice([*league.blocks]), random.choice(names)): random.randint(-3, 3)},
    )  # fmt: skip
    steps = random.choice([0, 3, 10, 20, 40])
    try:
        course = lay_out(found)
    except UnforeseeableError:
        return found
    for _ in range(steps):
        course = a_step_on(course, random)
    return course.season


def a_step_on(before: Course, random: Random) -> Course:
    """Return the course after one more event: a hanchan, one not played, a draw, a ruling, a departure, ...."""
    happening = random.choice(
        [_hanchan] * 12 + [_credit, _leave, _draw, _ruling, _ruling, _pass_over, _schedule, _name, _close]
    )
    try:
        return lay_out(happening(before, random))
    except UnforeseeableError:
        return before


def _open_groups(course: Course) -> list[tuple[str, Group]]:
    return [(key, group) for key, block in course.blocks.items() if block.rows for group in block.groups]


def _company(course: Course, key: str, group: Group, game: DrawnGame, random: Random) -> list[tuple[Entrant, int]]:
    rows = list(group.rows)
    if group.shuffle:
        random.shuffle(rows)
    return [(course.blocks[key].rows[rows[place]].entrant, number) for place, number in game.seats]


def _hanchan(course: Course, random: Random) -> Season:
    """Play a hanchan, in most cases the first one of the first group."""
    groups = _open_groups(course)
    if not groups:
        return course.season
    key, group = groups[0] if random.random() < 0.8 else random.choice(groups)
    game = group.games[0] if random.random() < 0.95 else random.choice(group.games)
    company = _company(course, key, group, game, random)
    results = results_of_draw(course, random.randrange(course.bounds[game.column]), [number for _, number in company])
    now: dict[Entrant, tuple[Played, ...]] = dict(course.season.played.get(key, {}))
    for (entrant, _), result in zip(company, results, strict=True):
        now[entrant] = (*now.get(entrant, ()), result)
    return replace(course.season, played={**course.season.played, key: now})


def _schedule(course: Course, random: Random) -> Season:
    """Schedule a hanchan."""
    groups = _open_groups(course)
    if not groups:
        return course.season
    key, group = random.choice(groups)
    game = random.choice(group.games)
    company = _company(course, key, group, game, random)
    numbers = tuple(number for _, number in company)
    own = numbers if len(set(numbers)) > 1 or random.random() < 0.5 else ()
    fixture = ScheduledHanchan(numbers[0], tuple(entrant for entrant, _ in company), own)
    known = course.season.fixtures
    return replace(course.season, fixtures={**known, key: (*known.get(key, ()), fixture)})


def _close(course: Course, random: Random) -> Season:
    """Close a block that has results."""
    begun = [key for key, block in course.blocks.items() if any(row.played for row in block.rows)]
    if not begun:
        return course.season
    return replace(course.season, closed=(*course.season.closed, random.choice(begun)))


def _credit(course: Course, random: Random) -> Season:
    """Let a hanchan count for an entrant who does not play it."""
    groups = [(key, group) for key, group in _open_groups(course) if not group.shuffle]
    if not groups:
        return course.season
    key, group = random.choice(groups)
    place, number = random.choice(random.choice(group.games).seats)
    entrant = course.blocks[key].rows[group.rows[place]].entrant
    credit = Credit(number, CreditKind.BYE, random.randint(-2, 2))
    known = course.season.credits
    own = known.get(key, {})
    return replace(course.season, credits={**known, key: {**own, entrant: (*own.get(entrant, ()), credit)}})


def _leave(course: Course, random: Random) -> Season:
    """Let an entrant leave a block under way for good."""
    groups = _open_groups(course)
    if not groups:
        return course.season
    key, group = random.choice(groups)
    entrant = course.blocks[key].rows[random.choice(group.rows)].entrant
    way = random.choice([Withdrawal.LAST, Withdrawal.UNRANKED])
    known = course.season.leaving
    after = replace(course.season, leaving={**known, key: {**known.get(key, {}), entrant: way}})
    return replace(after, overrides=(*after.overrides, PassOver(key, entrant, "gone")))


def _draw(course: Course, random: Random) -> Season:
    if not course.drawn:
        return course.season
    key = random.choice([*course.drawn])
    numbers = list(range(1, course.drawn[key].size + 1))
    random.shuffle(numbers)
    blocks = course.season.format.blocks_of[key]
    each = len(numbers) // len(blocks)
    drawn = {block: numbers[place * each : (place + 1) * each] for place, block in enumerate(blocks)}
    return replace(course.season, draws={**course.season.draws, key: drawn})


def _ruling(course: Course, random: Random) -> Season:
    """Rule on a tie that awaits a ruling, or else on all entrants of a block."""
    awaiting = course.resolution.awaiting
    scope, names = random.choice([(each.scope, list(each.entrants)) for each in awaiting] or [_all_of(course, random)])
    random.shuffle(names)
    known = course.season.rulings
    return replace(course.season, rulings={**known, scope: (*known.get(scope, ()), tuple(names))})


def _all_of(course: Course, random: Random) -> tuple[str, list[Entrant]]:
    scope = random.choice([*course.lines.lines])
    if scope in course.blocks:
        return scope, [row.entrant for row in course.blocks[scope].rows]
    return scope, list(course.entrants)


def _pass_over(course: Course, random: Random) -> Season:
    return _decided(course, PassOver(random.choice([*course.blocks]), random.choice(course.entrants), "ill"))


def _name(course: Course, random: Random) -> Season:
    """Let the organizer name a guest for a slot."""
    stages = course.season.format.stages
    chosen = random.choice(stages)
    key = random.choice(course.season.format.blocks_of[chosen.key])
    if chosen.key in course.plan.pools and chosen.key not in course.season.draws:
        key = chosen.key
    return _decided(course, Replace(key, 1, "ruling", "guest", f"guest{random.randint(1, 99)}"))


def _decided(course: Course, override: Override) -> Season:
    return replace(course.season, overrides=(*course.season.overrides, override))
