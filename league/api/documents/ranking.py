"""A page of an open table's running table."""

from __future__ import annotations

from fractions import Fraction

from league.api.documents.common import Document, competition_ref, entrant
from league.api.documents.standings import ledger_document
from league.formatting import decimal_text
from league.selectors.people import ledgers_shown
from league.selectors.readers import Reader
from league.selectors.tallies import Line, RunningTable
from scoring.ruleset import Ledger, Ruleset

DECIMALS = 2


def ranking_document(reader: Reader, page: RunningTable, rules: Ruleset) -> Document:
    """The page with the cursor of the next, all of one published version."""
    ledgers = ledgers_shown(reader, rules)
    return {
        "competition": competition_ref(reader.competition),
        "as_of": page.version,
        "count": page.entrants,
        "after": page.after or None,
        "ledgers": [ledger_document(ledger) for ledger in ledgers],
        "rows": [row(reader, line, rules, ledgers) for line in page.lines],
    }


def row(reader: Reader, line: Line, rules: Ruleset, ledgers: tuple[Ledger, ...]) -> Document:
    """One guest's line; rates are percentages to two decimals."""
    tally, games = line.tally, line.tally.games
    places = tally.places[: rules.players]
    ranking = rules.ranking_ledger
    keyed = {ledger.key: ledger for ledger in ledgers}
    return {
        "rank": line.rank,
        **entrant(reader, tally.entrant),
        "games": games,
        "places": list(places),
        "points": ranking.text(tally.points) if ranking in ledgers else None,
        "totals": {key: ledger.text(tally.totals[key]) for key, ledger in keyed.items() if key in tally.totals},
        "average_place": share(Fraction(sum(place * count for place, count in enumerate(places, start=1)), games)),
        "first_rate": share(Fraction(100 * places[0], games)),
        "first_or_second_rate": share(Fraction(100 * (places[0] + places[1]), games)),
        "not_last_rate": share(Fraction(100 * (games - places[-1]), games)),
        "best_score": tally.best_score,
        "busts": tally.busts if reader.is_staff else None,
    }


def share(value: Fraction) -> str:
    """A rate or an average as a decimal."""
    return decimal_text(value, DECIMALS, "en")
