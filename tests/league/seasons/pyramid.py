"""Series for tests: tiers of one block whose players meet once, and results that follow from a seed."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence

from league.models import Audience, Competition, Entrant, Player, Series, Term
from league.services.competitions.schedule import Fixture, create_session, create_table_session
from league.services.competitions.setup import (
    CompetitionPlan,
    create_competition,
    enter_players,
    new_player,
    seed_block,
    set_status,
)
from league.services.results.results import record_result
from league.services.rulebooks.own_formats import keep_own_format
from league.services.seasons.series import SeriesPlan, attach_competition, create_series, create_tiers
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, entry, in_block
from tests.replayed import replayed

TIER = """
name = "tier-{size}"
title = {{ ja = "リーグ{size}", en = "Tier of {size}" }}
players = 4
entrants = {size}

[tiebreak]

[champion]
block = "all"

[[stages]]
key = "all"
title = {{ ja = "本戦", en = "League" }}
hanchan = 1
sessions = 1
seating = "rounds"
rounds = [{{ numbers = "1", by = "plan" }}]
assignment = "seeded"
carry_over = {{ kind = "none" }}

[[stages.blocks]]
key = "all"
title = {{ ja = "本戦", en = "League" }}
entrants = [{{ from = "seed:1-{size}" }}]
"""

TWO_TIERS = """
name = "two-tiers"
kind = "series"
title = { ja = "二部リーグ", en = "Two tiers" }
tiebreak = { then = ["prior"] }
moves = [{ from = "A#last:1", to = "B" }, { from = "B#1", to = "A" }]

[[tiers]]
key = "A"
title = { ja = "A級", en = "League A" }
size = { least = 4, most = 4 }
format = "tier-4"

[[tiers]]
key = "B"
title = { ja = "B級", en = "League B" }
size = { least = 4, most = 8 }
format = "tier-4"
"""

OUTSIDE = """
[[outside]]
key = "special"
title = { ja = "特別昇級リーグ", en = "Special league" }
"""
ODD = '[policies]\nodd = { by = "substitutes", points = "-15.0" }\n\n[tiebreak]'
OPEN_TIER = (
    TIER.format(size=16)
    .replace("entrants = 16", "entrants = { least = 12, most = 20 }")
    .replace("[tiebreak]", ODD)
    .replace("tier-16", "open-tier")
    .replace("seed:1-16", "seed:*")
)

FOUR_TIERS = """
name = "four-tiers"
kind = "series"
title = { ja = "四部リーグ", en = "Four tiers" }
tiebreak = { then = ["prior"] }
fill = "next"
moves = [
  { from = "A#last:1/4", to = "B" },
  { from = "B#top:1/4", to = "A" },
  { from = "B#last:1/4", to = "C" },
  { from = "C#top:1/4", to = "B" },
  { from = "C#last:1/4", to = "D" },
  { from = "D#top:1/4", to = "C" },
]
share = { rounding = "down" }
tiers = [
  { key = "A", size = { least = 16, most = 16 }, format = "open-tier" },
  { key = "B", size = { least = 16, most = 16 }, format = "open-tier" },
  { key = "C", size = { least = 16, most = 16 }, format = "open-tier" },
  { key = "D", size = { least = 16, most = 16 }, format = "open-tier" },
]
"""
SHUFFLED = (38_100, 30_300, 19_700, 11_900)


def own_format(size: int) -> None:
    """Keep a format in which players of this number meet once."""
    keep_own_format(text=TIER.format(size=size), by=SYSTEM)


@replayed
def series_of_two(slug: str = "spring", *, is_public: bool = True) -> Series:
    """Create a series of two tiers of four players, with the first term's competitions published."""
    own_format(4)
    plan = SeriesPlan(slug=slug, name="春リーグ戦", name_en="Spring series", text=TWO_TIERS, is_public=is_public)
    series = create_series(plan=plan, by=SYSTEM)
    for tier in create_tiers(term=series.terms.get(), ruleset="mleague", by=SYSTEM):
        people = [person(f"{tier.tier}{n}", slug) for n in range(1, 5)]
        enter(tier, people)
        publish(tier)
    return series


@replayed
def finished_series() -> Series:
    """Create a series of two tiers and play its first term, each tier's players ending in the order of their seeds."""
    series = series_of_two()
    for competition in tiers(series.terms.get()).values():
        play(competition)
    return series


def series_with_special(public_at: dt.datetime | None = None) -> Series:
    """Play a series in which B3, the first of a competition beside the tiers, goes up, not the first of tier B."""
    own_format(4)
    text = TWO_TIERS.replace("B#1", "special#1").replace("[[tiers]]", f"{OUTSIDE}\n[[tiers]]", 1)
    series = create_series(plan=SeriesPlan(slug="spring", name="春", text=text, is_public=True), by=SYSTEM)
    term = series.terms.get()
    for row in create_tiers(term=term, ruleset="mleague", by=SYSTEM):
        enter(row, [person(f"{row.tier}{n}", "spring") for n in range(1, 5)])
        publish(row)
        play(row)
    plan = CompetitionPlan(
        slug="special", name="特別", ruleset="mleague", league_format="tier-4", audience=Audience.PUBLIC
    )
    special = create_competition(plan=plan, by=SYSTEM)
    attach_competition(term=term, tier="special", competition=special, by=SYSTEM)
    enter(special, [player(f"B{number}") for number in (3, 1, 2, 4)])
    publish(special)
    play(special, public_at=public_at)
    return series


def player(name: str) -> Player:
    """Return a player of a series by the name without its ending."""
    return Player.objects.get(name=f"{name}さん")


def person(name: str, slug: str) -> Player:
    """Add a player."""
    return new_player(name=f"{name}さん", name_romaji=f"Player {name}", key=f"{slug}-{name}".lower(), by=SYSTEM)


def enter(competition: Competition, people: Sequence[Player]) -> None:
    """Enter players and give them the places in this order."""
    seed_block(
        block=competition.blocks.get(),
        entrants=enter_players(competition=competition, players=people, by=SYSTEM),
        by=SYSTEM,
    )


def publish(competition: Competition) -> None:
    """Open a competition to the public, with its standings."""
    set_status(competition=competition, status=Competition.Status.PUBLISHED, by=SYSTEM)
    publish_standings(competition.pk)


def play(
    competition: Competition,
    order: Sequence[Entrant] | None = None,
    dice: random.Random | None = None,
    public_at: dt.datetime | None = None,
) -> None:
    """Play every table of a tier once: the players in this order, by default that of their seeds, best first."""
    block = competition.blocks.select_related("stage", "competition").get()
    people = list(order or in_block(block))
    session = create_session(competition=competition, by=SYSTEM)
    for first in range(0, len(people), 4):
        company = people[first : first + 4]
        fixture = Fixture(block=block, numbers=(1,), entrants=company, table=str(first // 4 + 1), public_at=public_at)
        hanchan = create_table_session(session=session, fixture=fixture, by=SYSTEM).hanchan.get()
        scores = scores_of(dice) if dice else SHUFFLED
        record_result(
            hanchan=hanchan, entry=entry(company, scores), by=SYSTEM, accept={"same_result_twice", "extreme_score"}
        )
    publish_standings(competition.pk)
    competition.refresh_from_db()


def scores_of(dice: random.Random) -> tuple[int, ...]:
    """Return four scores in hundreds that add up to 100,000."""
    cuts = sorted(dice.sample(range(1, 1000), 3))
    parts = [cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 1000 - cuts[2]]
    return tuple(100 * part for part in parts)


def tiers(term: Term) -> dict[str, Competition]:
    """Return the competitions of a term by tier."""
    return {row.tier: row for row in term.competitions.all()}


def names_in(competition: Competition) -> list[str]:
    """Return the entrants' names by number, without the ending."""
    rows = competition.entrants.filter(is_house=False).order_by("number")
    return [row.player.name.removesuffix("さん") for row in rows.select_related("player")]
