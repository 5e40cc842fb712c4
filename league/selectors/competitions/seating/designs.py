"""Input of a block's schedule, and the cost of each wish in it: the figures of the schedule without that wish."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import combinations

from django.utils.translation import gettext as _

from league.models import Block, Entrant
from league.selectors.competitions.seating.evenness import turns_of
from scoring.format import Seating
from scoring.seating import Constraints, SeatingError, seating, staying, with_rests
from scoring.seating.balance import Pair, Schedule, meetings_of, together_at_least
from scoring.seating.figures import figures_of
from scoring.seating.plan import COMPATRIOTS
from scoring.seating.search import APART

Groups = tuple[frozenset[int], ...]


class Wish(StrEnum):
    """Wishes that make a schedule less even; the names of the fields of a `Design` that hold them."""

    CLUBS = "clubs"
    """Players of one affiliation are kept apart."""
    COUNTRIES = "countries"
    """Players of one country are kept apart."""
    ABSENT = "absent"
    """Late arrivals and absences."""
    TABLES = "tables"
    """Fewer tables from some round on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Design:
    """The input of a block's schedule: equal inputs give equal schedules. Players are numbered from 0."""

    form: Seating
    players: int
    turns: tuple[int, ...]
    """Hanchan of each session; where all play equally often though some rest, of each of a player's turns."""
    size: int
    is_equal: bool = False
    """True if rounds are added until all play equally often; otherwise there is a round for each hanchan."""
    at_once: int | None = None
    """Most tables of every round, where all play equally often."""
    clubs: Groups = ()
    countries: Groups = ()
    absent: tuple[tuple[int, frozenset[int]], ...] = ()
    """By round from 0, or by turn in the staying form: the players who are absent."""
    tables: tuple[tuple[int, int], ...] = ()
    """By round or turn: the most tables."""
    has_byes: bool = False
    """True if the players fill no whole tables and those left over sit out a round."""

    @property
    def apart(self) -> dict[Pair, int]:
        """Return the pairs to be kept apart, each with the price of a meeting."""
        return prices_apart(self.clubs, self.countries)

    @property
    def wishes(self) -> list[Wish]:
        """Return the wishes that are made."""
        return [wish for wish in Wish if getattr(self, wish)]

    def without(self, wish: Wish) -> Design:
        """Return the same input without one of the wishes."""
        absent = () if wish is Wish.ABSENT else self.absent
        tables = () if wish is Wish.TABLES else self.tables
        return replace(
            self,
            # Players who fill their tables need no further rounds to play equally often.
            is_equal=self.is_equal and bool(self.players % self.size or absent or tables),
            clubs=() if wish is Wish.CLUBS else self.clubs,
            countries=() if wish is Wish.COUNTRIES else self.countries,
            absent=absent,
            tables=tables,
        )


@lru_cache(maxsize=128)
def design_schedule(design: Design) -> Schedule:
    """Return a block's schedule with a round for each hanchan; cached, since the search may take some seconds.

    Raise SeatingError if the tables cannot be filled.
    """
    tables = dict(design.tables)
    if design.has_byes:
        tables.setdefault(0, design.players // design.size)
    constraints = Constraints(apart=design.apart, absent=dict(design.absent), tables=tables)
    if design.is_equal:
        return with_rests(
            design.players,
            len(design.turns),
            games=design.turns[0],
            size=design.size,
            tables=design.at_once,
            constraints=constraints,
        )
    if design.form is Seating.STAY:
        return staying(design.players, design.turns, size=design.size, constraints=constraints)
    return seating(design.players, sum(design.turns), size=design.size, constraints=constraints)


def prices_apart(clubs: Groups, countries: Groups) -> dict[Pair, int]:
    """Return the pairs of these groups, which are to be kept apart, each with the price of a meeting."""
    prices: Counter[Pair] = Counter()
    for groups, price in ((clubs, APART), (countries, COMPATRIOTS)):
        for group in groups:
            prices.update(dict.fromkeys(combinations(sorted(group), 2), price))
    return dict(prices)


def groups_of(names: Iterable[str]) -> Groups:
    """Return the places of equal names that are not empty and occur more than once."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for place, name in enumerate(names):
        found[name.strip()].append(place)
    return tuple(frozenset(places) for name, places in found.items() if name and len(places) > 1)


def countries_of(players: Sequence[Entrant]) -> Iterable[str]:
    """Yield each entrant's country: as entered, or else the one that the player has now."""
    return (entrant.country or entrant.player.country for entrant in players)


def rounds_of(form: Seating, turns: Sequence[int], numbers: Iterable[int]) -> list[int]:
    """Return the rounds, from 0, of the hanchan with these numbers; in the staying form a round is a whole turn."""
    turn_of = [turn for turn, games in enumerate(turns) for _game in range(games)]
    there = (number - 1 for number in numbers if 1 <= number <= len(turn_of))
    return sorted({turn_of[number] if form is Seating.STAY else number for number in there})


def seating_words(error: SeatingError) -> str:
    """Return a seating error as a sentence in the active language."""
    return {
        "too_few_players": _("%(players)s players do not fill a table of %(size)s."),
        "tables_not_full": _(
            "In round %(round)s there are %(present)s players, which tables of %(size)s do not take evenly. "
            "Let %(missing)s more play, or %(over)s fewer."
        ),
        "no_such_player": _("There is no player %(player)s."),
        "no_tables": _("In round %(round)s there is no table. Check the absences and the number of tables."),
        "no_rounds": _("A schedule has at least one round, not %(rounds)s."),
        "hanchan_fill_no_tables": _(
            "%(players)s players × %(hanchan)s hanchan do not fill tables of %(size)s: take %(lower)s or %(upper)s "
            "hanchan."
        ),
        "too_few_hanchan": _(
            "%(players)s players × %(hanchan)s hanchan do not fill tables of %(size)s: take %(upper)s hanchan."
        ),
        "too_many_absences": _(
            "With these absences %(left)s players have hanchan left in the end, too few for a table of %(size)s."
        ),
    }[error.code] % dict(error.params)


@dataclass(frozen=True, slots=True)
class Cost:
    """A wish in a block's schedule, and what the schedule without it would have instead."""

    block: Block
    wish: Wish
    design: Design
    schedule: Schedule

    @property
    def title(self) -> str:
        """Return the wish in words."""
        return {
            Wish.CLUBS: _("Keeping clubs apart"),
            Wish.COUNTRIES: _("Keeping countries apart"),
            Wish.ABSENT: _("Late arrivals and absences"),
            Wish.TABLES: _("Fewer tables"),
        }[self.wish]

    @property
    def left(self) -> str:
        """Return how far the wish is met, beside what cannot be avoided; empty for a wish that is always met."""
        groups: Groups = {Wish.CLUBS: self.design.clubs, Wish.COUNTRIES: self.design.countries}.get(self.wish, ())
        if not groups:
            return ""
        companies = turns_of(self.schedule)
        games = Counter(one for each in companies for table in each for one in table)
        tables = sum(map(len, companies))
        told = {
            "met": _meetings(companies, self.design.players, groups),
            "forced": sum(together_at_least(sum(games[one] for one in group), tables) for group in groups),
            "largest": max(map(len, groups)),
            "players": self.design.players,
        }
        if not told["forced"]:
            of_club, of_country = (
                _("%(met)s meetings of clubmates remain."),
                _("%(met)s meetings of compatriots remain."),
            )
        else:
            of_club = _(
                "%(met)s meetings of clubmates remain (at least %(forced)s are forced: %(largest)s of %(players)s "
                "players are of one club)."
            )
            of_country = _(
                "%(met)s meetings of compatriots remain (at least %(forced)s are forced: %(largest)s of %(players)s "
                "players are of one country)."
            )
        return (of_club if self.wish is Wish.CLUBS else of_country) % told

    @property
    def price(self) -> str:
        """Return the counts that differ without the wish."""
        kept = _counts(self.design, self.schedule)
        try:
            without = _counts(self.design, design_schedule(self.design.without(self.wish)))
        except SeatingError:
            return _("Without this wish there is no such schedule.")
        changes = [
            _("%(what)s: %(without)s instead of %(kept)s") % {"what": what, "without": without[what], "kept": count}
            for what, count in kept.items()
            if without[what] != count
        ]
        if not changes:
            return _("This wish costs nothing.")
        return _("Without this wish: %(changes)s.") % {"changes": _("; ").join(changes)}


def costs_of(block: Block, design: Design, schedule: Schedule) -> list[Cost]:
    """Return the cost of each wish in a block's schedule of this input."""
    return [Cost(block, wish, design, schedule) for wish in design.wishes]


def _counts(design: Design, schedule: Schedule) -> Mapping[str, str]:
    """Return the counts of a schedule by their names, with the meetings of groups that the input keeps apart."""
    companies = turns_of(schedule)
    figures = figures_of(companies, design.players)
    games = Counter(one for each in schedule for table in each for one in table)
    played = [games[one] for one in range(design.players)]
    found = {_("repeated meetings"): str(figures.excess), _("visits to one table, at most"): str(figures.table_most)}
    if design.clubs:
        found[_("meetings of clubmates")] = str(_meetings(companies, design.players, design.clubs))
    if design.countries:
        found[_("meetings of compatriots")] = str(_meetings(companies, design.players, design.countries))
    found[_("pairs who neither meet nor have an opponent in common")] = str(figures.unlinked)
    found[_("rounds")] = str(len(schedule))
    found[_("hanchan of each player")] = _span(played)
    return found


def _span(counts: Sequence[int]) -> str:
    return str(min(counts)) if min(counts) == max(counts) else f"{min(counts)}–{max(counts)}"


def _meetings(companies: Schedule, players: int, groups: Groups) -> int:
    met = meetings_of(companies, players)
    return sum(met[one][other] for group in groups for one, other in combinations(sorted(group), 2))
