"""A round paired by the standing or by lot before it is published: its tables, the reasons, and what stands against it.

A pairing is a pure function of the facts and the published seed. The page shows it with its digest, and the service
computes it again under the lock and compares digests, so that the pairing shown is the one written.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, permutations

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import (
    Audience,
    Block,
    Change,
    Competition,
    Credit,
    Entrant,
    Hanchan,
    HanchanSeat,
    Pairing,
    ResultSheet,
    SeatResult,
)
from league.platform.errors import Finding, Level, conflict, refuse
from league.selectors.access.readers import Reader
from league.selectors.competitions.block_rounds import SeatedHanchan, TableInRound, comings_and_goings, games_of
from league.selectors.competitions.roster import house_players
from league.selectors.competitions.seating.designs import countries_of
from league.selectors.rulebooks.rules_in_force import format_of, rules_at, rules_of
from league.selectors.standings.blocks import entrants_who_may_play
from league.selectors.standings.derivation import derive, facts_at
from league.selectors.standings.facts import Facts, id_of
from league.wording.names import round_name, table_name, title_of
from scoring.format import Format
from scoring.format.policies import OddBy
from scoring.format.rounds import PAIRED_SIZE, PairingRule, RoundPlan, SeatedBy
from scoring.seating import pairing as engine
from scoring.seating.byes import byes
from scoring.standings import Ranked

NAMED = 12
"""Missing results that a finding names."""
Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class PlannedPairing:
    """A round paired, not written yet. The engine knows entrants by their numbers in the competition."""

    block: Block
    number: int
    plan: RoundPlan
    entrants: Mapping[int, Entrant]
    """By number: those who play, house players included."""
    standing: Groups
    """Numbers of those who play, level ones together, the best first; house players last."""
    sitting_out: tuple[Entrant, ...]
    found: engine.Pairing
    games: tuple[SeatedHanchan | None, ...]
    """The hanchan of each table; None for a table that has to be made."""
    places: tuple[TableInRound | None, ...]
    spare: tuple[SeatedHanchan, ...]
    """Hanchan of tables that are not needed."""
    past_ids: Mapping[int, int]
    """By number: the ids of all entrants of the competition, whom the players may have met."""
    seed: str
    standing_version: int
    findings: tuple[Finding, ...]
    """Warnings that have to be accepted before it is published."""
    digest: str

    @property
    def tables(self) -> list[tuple[Entrant, ...]]:
        """Return the entrants of each table in the order of their seats."""
        return [tuple(self.entrants[one] for one in table.entrants) for table in self.found.tables]


def round_plan(format_: Format, stage: str, number: int) -> RoundPlan | None:
    """Return how the format seats a round of a stage, if it is seated by the standing or by lot."""
    plans = format_.stage(stage).rounds
    plan = next((plan for plan in plans if number in plan.rounds()), None)
    return None if plan is None or plan.by is SeatedBy.PLAN else plan


def rule_of(plan: RoundPlan) -> PairingRule:
    """Return the rule by which the rounds of a plan are paired."""
    return PairingRule(avoid=plan.avoid, weights=plan.weights, arrange=plan.arrange, band=plan.band)


def has_paired_rounds(format_: Format) -> bool:
    """Return True if the format seats any round by the standing or by lot."""
    return any(plan.by is not SeatedBy.PLAN for stage in format_.stages for plan in stage.rounds)


def published_seed(competition: Competition) -> str:
    """Return the seed that the schedule was published with, or the competition's address without a schedule."""
    rows = Change.objects.filter(competition=competition, kind="schedule.written").order_by("-n")
    written = rows.values_list("after", flat=True).first()
    return str((written or {}).get("seed") or competition.slug)


def active_entrants(block: Block, number: int | None = None) -> list[Entrant]:
    """Return those who play in a block, or in one round of it, by number; house players left out.

    Not active are those who have left, and in a round those for whom it counts without being played.
    """
    gone, _joined = comings_and_goings(block)
    rows = Entrant.objects.filter(
        pk__in=entrants_who_may_play(block) - gone, merged_into=None, withdrawn_at=None, is_house=False
    )
    if number is not None:
        absent = Credit.objects.standing().filter(block=block, number=number).exclude(kind=Credit.Kind.BYE)
        rows = rows.exclude(pk__in=list(absent.values_list("entrant", flat=True)))
    return list(rows.select_related("player").order_by("number"))


def planned_pairing(block: Block, number: int) -> PlannedPairing:
    """Pair a round of a block by the facts as they are now.

    Raise ConflictError if the round is not to be paired, RuleViolationError if it cannot be.
    """
    competition = block.competition
    format_ = format_of(rules_at(competition))
    plan = _paired_round(format_, block, number)
    open_games = _open_games(block, number, games_of(block).get(number, {}))
    competition.refresh_from_db(fields=["version"])
    version, seed = competition.version, f"{published_seed(competition)}:{block.key}:{number}"
    active = active_entrants(block, number)
    by_number = {entrant.number: entrant for entrant in active}
    reader = Reader(competition, Audience.STAFF, version)
    ranked = ranked_levels(reader, block, number, plan, format_, active)
    sitting, house = _odd(block, number, ranked, format_, seed)
    by_number |= {entrant.number: entrant for entrant in house}
    standing = _seated(ranked, sitting, house)
    playing = [one for level in standing for one in level]
    if not playing:
        raise refuse("too_few_left", _("Too few players are left for a table."))
    past = past_tables(reader, block, number, [place.label for place, _game in open_games])
    rule = rule_of(plan)
    clubs, countries = origins_of(by_number[one] for one in playing)
    with _rule_that_fits(block, len(playing)):
        found = search_pairing(standing, past, rule, clubs, countries, seed)
    needed = len(found.tables)
    taken = open_games[:needed]
    missing = (None,) * (needed - len(taken))
    shown = [
        block.pk, number, seed, standing, past, rule.model_dump(mode="json"), clubs, countries,
        [game.hanchan.pk for _place, game in open_games], sorted(sitting), found.round,
    ]  # fmt: skip
    return PlannedPairing(
        block=block,
        number=number,
        plan=plan,
        entrants=by_number,
        standing=standing,
        sitting_out=tuple(by_number[one] for one in sorted(sitting)),
        found=found,
        games=tuple(game for _place, game in taken) + missing,
        places=tuple(place for place, _game in taken) + missing,
        spare=tuple(game for _place, game in open_games[needed:]),
        past_ids=dict(Entrant.objects.filter(competition=competition).values_list("number", "pk")),
        seed=seed,
        standing_version=version,
        findings=tuple(_findings(block, number, plan, open_games)),
        digest=hashlib.sha256(json.dumps(shown).encode()).hexdigest(),
    )


def _paired_round(format_: Format, block: Block, number: int) -> RoundPlan:
    """Return the plan of a round that is paired. Raise ConflictError for one seated by the plan."""
    plan = round_plan(format_, block.stage.key, number)
    if plan is None:
        message = _("Round %(number)s of %(block)s is seated by the plan; it is not paired.")
        raise conflict("seated_by_plan", message % {"number": number, "block": title_of(block)}, "/number")
    return plan


@contextmanager
def _rule_that_fits(block: Block, count: int) -> Iterator[None]:
    """Refuse a format whose weights or bands do not fit the number of players."""
    try:
        yield
    except ValueError as error:
        message = _(
            "%(block)s cannot be paired: the weights of its format are too large for %(count)s players, or its bands "
            "do not fill tables of 4. Change the format."
        )
        raise refuse("cannot_be_paired", message % {"block": title_of(block), "count": count}) from error


def _open_games(
    block: Block, number: int, games: Mapping[TableInRound, SeatedHanchan]
) -> list[tuple[TableInRound, SeatedHanchan]]:
    """Return the hanchan of a round that may be paired, in the order of their tables."""
    told = {"block": title_of(block), "number": number}
    if not games:
        message = _("Round %(number)s of %(block)s has no tables yet. Write the schedule first.")
        raise conflict("no_tables", message % told, "/number")
    if any(game.has_begun for game in games.values()):
        message = _("Round %(number)s of %(block)s has begun; its seats are history.")
        raise conflict("round_has_begun", message % told, "/number")
    if Pairing.objects.standing().filter(block=block, number=number).exists():
        message = _("Round %(number)s of %(block)s is paired already. Take the pairing back first.")
        raise conflict("paired_already", message % told, "/number")
    return [(place, game) for place, game in sorted(games.items()) if not game.is_off]


def ranked_levels(
    reader: Reader, block: Block, number: int, plan: RoundPlan, format_: Format, active: Sequence[Entrant]
) -> Groups:
    """Return the numbers of these entrants by the standing before a round, level ones together, the best first.

    The standing is that of the reader's audience. In a draw all are level. Results of the block from this round on are
    left out.
    """
    number_of = {entrant.pk: entrant.number for entrant in active}
    if plan.by is SeatedBy.DRAW:
        return (tuple(number_of.values()),)
    standings = derive(_before(facts_at(reader), block, number)).standings
    stage = plan.of or block.stage.key
    keys = [block.key] if stage == block.stage.key else [each.key for each in format_.stage(stage).blocks]
    lines = [line for key in keys for line in standings[key].ranked]
    # Blocks of one stage play equally many hanchan, so that totals compare across them.
    place = _rank if len(keys) == 1 else _total
    grouped = groupby(sorted(lines, key=place), key=place)
    levels = [[id_of(line.entrant) for line in level] for _place, level in grouped]
    # Entrants without a line there, such as those who joined later, come last.
    levels.append(sorted(number_of.keys() - {one for level in levels for one in level}))
    groups = (tuple(sorted(number_of[one] for one in level if one in number_of)) for level in levels)
    return tuple(filter(None, groups))


def _before(facts: Facts, block: Block, number: int) -> Facts:
    """Return the facts without the block's results from a round on."""
    later = ResultSheet.objects.counting().filter(hanchan__block=block, hanchan__number__gte=number)
    without = set(later.values_list("hanchan", flat=True))
    given = facts.credits.get(block.key, {})
    if not without and all(credit.number < number for own in given.values() for credit in own):
        return facts
    earlier_credits = {entrant: tuple(one for one in own if one.number < number) for entrant, own in given.items()}
    own = facts.played.get(block.key, {})
    played = {entrant: tuple(one for one in games if one.ref not in without) for entrant, games in own.items()}
    return replace(
        facts,
        played={**facts.played, block.key: played},
        credits={**facts.credits, block.key: earlier_credits},
    )


def _rank(line: Ranked) -> int:
    return line.rank


def _total(line: Ranked) -> int:
    return -line.total


def _odd(
    block: Block, number: int, ranked: Groups, format_: Format, seed: str
) -> tuple[frozenset[int], tuple[Entrant, ...]]:
    """Return the numbers of those who sit out, and the house players who fill the last table."""
    policy = format_.policies.odd.by if format_.policies.odd else OddBy.REFUSE
    try:
        odd = byes(ranked, _byes_had(block, number), policy, size=PAIRED_SIZE, seed=seed)
    except ValueError as error:
        count = sum(map(len, ranked))
        message = _(
            "%(count)s players do not fill tables of %(size)s, and the format has no policy for such a number. "
            "Enter %(more)s more, or withdraw %(fewer)s."
        )
        told = {
            "count": count,
            "size": PAIRED_SIZE,
            "more": -count % PAIRED_SIZE,
            "fewer": count % PAIRED_SIZE,
        }
        raise refuse("odd_number", message % told) from error
    house = _free_house_players(block, number)[: odd.substitutes] if odd.substitutes else ()
    if len(house) < odd.substitutes:
        message = ngettext(
            "%(count)s more house player is needed to fill the tables. Add one first.",
            "%(count)s more house players are needed to fill the tables. Add them first.",
            odd.substitutes - len(house),
        )
        count = odd.substitutes - len(house)
        raise refuse("house_players_missing", message % {"count": count}, count=count)
    return odd.sit_out, house


def _seated(ranked: Groups, sitting: Collection[int], house: Iterable[Entrant]) -> Groups:
    """Return the levels of those who play, from the top; house players are the last one."""
    levels = [tuple(one for one in level if one not in sitting) for level in ranked]
    levels.append(tuple(entrant.number for entrant in house))
    return tuple(filter(None, levels))


def _free_house_players(block: Block, number: int) -> tuple[Entrant, ...]:
    """Return the house players who do not play in another block of the stage in this round."""
    others = HanchanSeat.objects.filter(
        hanchan__block__stage=block.stage, hanchan__number=number, entrant__is_house=True
    ).exclude(hanchan__block=block)
    taken = set(others.values_list("entrant", flat=True))
    return tuple(one for one in house_players(block.competition) if one.pk not in taken)


def earlier(block: Block, number: int, path: str = "") -> Q:
    """Return the condition that a row is of an earlier round of the competition; `path` leads to block and number."""
    stage = block.stage.order
    return Q(**{f"{path}block": block, f"{path}number__lt": number}) | Q(
        **{f"{path}block__competition": block.competition_id, f"{path}block__stage__order__lt": stage}
    )


def _byes_had(block: Block, number: int) -> Mapping[int, int]:
    """Return how many earlier rounds each entrant has sat out, by number."""
    rows = Credit.objects.standing().filter(earlier(block, number), kind=Credit.Kind.BYE)
    return Counter(rows.values_list("entrant__number", flat=True))


Named = tuple[tuple[int, str], ...]


def origins_of(entrants: Iterable[Entrant]) -> tuple[Named, Named]:
    """Return the clubs and the countries of entrants by number; house players have none."""
    people = [entrant for entrant in entrants if not entrant.is_house]
    countries = zip(people, countries_of(people), strict=True)
    return (
        tuple((one.number, one.affiliation) for one in people if one.affiliation),
        tuple((one.number, country) for one, country in countries if country),
    )


Past = tuple[tuple[int | None, tuple[tuple[int, int], ...]], ...]
"""Tables of earlier rounds: the index of the same table in the round to be paired, and (seat, entrant) each."""


def past_tables(reader: Reader, block: Block, number: int, labels: Sequence[str]) -> Past:
    """Return the tables of all earlier rounds that the reader may know: as played, or else as seated.

    House players are left out.
    """
    rows = Entrant.objects.filter(competition=block.competition).values_list("pk", "number", "is_house", "merged_into")
    known = {pk: (own, is_house, into) for pk, own, is_house, into in rows}
    # A person entered twice is the entrant that the results count for.
    number_of = {pk: known[into or pk][0] for pk, (_own, is_house, into) in known.items() if not is_house}
    index = {label: place for place, label in reversed(list(enumerate(labels)))}
    seated = HanchanSeat.objects.filter(earlier(block, number, "hanchan__"), hanchan__table_session__is_cancelled=False)
    seated = seated.exclude(hanchan__state=Hanchan.State.ABANDONED)
    counted = ResultSheet.objects.counting().filter(earlier(block, number, "hanchan__"))
    played = SeatResult.objects.filter(sheet__in=counted)
    if not reader.is_staff:
        seated = seated.filter(hanchan__table_session__is_released=True)
        played = played.filter(sheet__hanchan__table_session__is_released=True)
    tables: dict[int, tuple[str, list[tuple[int, int]]]] = {}
    for rows_, prefix in ((seated, "hanchan"), (played, "sheet__hanchan")):
        found: dict[int, tuple[str, list[tuple[int, int]]]] = {}
        columns = rows_.order_by(prefix, "seat").values_list(
            prefix, f"{prefix}__table_session__table", "seat", "entrant"
        )
        for hanchan, label, seat, entrant in columns:
            if entrant in number_of:
                found.setdefault(hanchan, (label, []))[1].append((seat, number_of[entrant]))
        tables |= found
    return tuple((index.get(label), tuple(seats)) for _hanchan, (label, seats) in sorted(tables.items()))


@lru_cache(maxsize=8)
def search_pairing(
    standing: Groups,
    past: Past,
    rule: PairingRule,
    clubs: Named,
    countries: Named,
    seed: str,
) -> engine.Pairing:
    """Return the engine's pairing; cached, since the page previews it and the service computes it again."""
    size = max(_numbers(standing, past)) + 1
    met = [[0] * size for _one in range(size)]
    visits, starts = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for table, seats in past:
        for (_seat, one), (_other_seat, other) in permutations(seats, 2):
            met[one][other] += 1
        for seat, one in seats:
            starts[one, seat] += 1
            if table is not None:
                visits[one, table] += 1
    history = engine.History(met, visits, starts)
    return engine.pair(standing, history, rule, engine.Origins(dict(clubs), dict(countries)), seed)


def _numbers(standing: Groups, past: Past) -> Iterable[int]:
    yield from (one for level in standing for one in level)
    yield from (one for _table, seats in past for _seat, one in seats)


def _findings(
    block: Block, number: int, plan: RoundPlan, open_games: Sequence[tuple[TableInRound, SeatedHanchan]]
) -> Iterable[Finding]:
    """Yield what the organizer has to accept: missing results, and seats that are replaced."""
    missing = missing_results(block, number, plan)
    if missing:
        message = ngettext(
            "%(count)s result before this round is missing: %(tables)s. The pairing would not count it.",
            "%(count)s results before this round are missing: %(tables)s. The pairing would not count them.",
            len(missing),
        )
        told = {"count": len(missing), "tables": _(", ").join(missing[:NAMED]) + ("…" if len(missing) > NAMED else "")}
        yield Finding("results_missing", message % told, level=Level.WARNING)
    if any(game.seats for _place, game in open_games):
        message = _("Seats of this round are set already; they would be replaced.")
        yield Finding("seats_replaced", message, level=Level.WARNING)


def missing_results(block: Block, number: int, plan: RoundPlan) -> list[str]:
    """Return the tables before a round whose results its standing lacks, with their rounds; a draw needs none."""
    if plan.by is SeatedBy.DRAW:
        return []
    rows = Hanchan.objects.filter(earlier(block, number), table_session__is_cancelled=False)
    rows = rows.filter(block__stage__key=plan.of or block.stage.key).exclude(state=Hanchan.State.ABANDONED)
    rows = rows.exclude(
        pk__in=ResultSheet.objects.counting().filter(hanchan__block__in=rows.values("block")).values("hanchan")
    )
    rows = rows.select_related("table_session").order_by("number", "table_session__order")
    return [f"{round_name(row)} {table_name(row.table_session.table)}".strip() for row in rows]


def pairings_of(reader: Reader, block: Block | None = None) -> list[Pairing]:
    """Return the pairings in force whose reasons the reader may know, by block and round.

    A pairing tells the standing it was made from, so it is hidden as long as a result in that standing is.
    """
    rows = Pairing.objects.as_of(reader.version).filter(block__competition=reader.competition)
    if block is not None:
        rows = rows.filter(block=block)
    found = list(rows.select_related("block__stage").order_by("block__stage__order", "block__order", "number"))
    if not found or (reader.is_staff and reader.until is None):
        return found
    hidden = ResultSheet.objects.filter(hanchan__table_session__competition=reader.competition)
    held_back = Q() if reader.is_staff else Q(hanchan__table_session__is_released=False)
    if reader.until is not None:
        held_back |= Q(hanchan__table_session__session__number__gt=reader.until)
    spans = list(hidden.filter(held_back, confirmed_n__isnull=False).values_list("confirmed_n", "ended_n"))
    return [
        row
        for row in found
        if not any(
            begin <= row.standing_version and (end is None or end > row.standing_version) for begin, end in spans
        )
    ]


def pairings_in(reader: Reader) -> list[Pairing]:
    """Return the pairings that the reader may know, without a query where the format pairs no round."""
    return pairings_of(reader) if has_paired_rounds(format_of(rules_of(reader))) else []


def pairing_of(reader: Reader, block: Block, number: int) -> Pairing | None:
    """Return the pairing of a round as far as the reader may know it; None without one."""
    return next((row for row in pairings_of(reader, block) if row.number == number), None)
