"""Ranking document: a page of an open table's running ranking."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import Field

from league.api.standings.standings_documents import ledger_document
from league.selectors.access.readers import Reader
from league.selectors.people.visibility import ledgers_shown
from league.selectors.standings.tallies import RunningTable, TallyLine
from league.web.document_parts import EntrantDocument, LedgerDocument, OfCompetition, entrant
from league.web.documents import Amount, Document
from league.wording.formatting import decimal_text
from scoring.ruleset import Ledger, Ruleset

DECIMALS = 2
TwoDecimals = Annotated[str, Field(json_schema_extra={"pattern": r"^[0-9]+\.[0-9]{2}$"})]


class Ranked(Document):
    """Base that puts the rank before the entrant."""

    rank: int = Field(description="Shared by those level in what the table is ordered by.")


class RankingRow(EntrantDocument, Ranked):
    """A guest's row; rates are percentages."""

    games: int = Field(description="Games played.")
    places: list[int] = Field(description="How often first, second, ...")
    points: Amount | None = Field(description="The total in the ledger that ranks; null where it is not public.")
    totals: dict[str, Amount] = Field(description="Every ledger this audience may see, by its key.")
    average_place: TwoDecimals = Field(description="The average place.")
    first_rate: TwoDecimals = Field(description="Games ended first, in percent.")
    first_or_second_rate: TwoDecimals = Field(description="Games ended first or second, in percent.")
    not_last_rate: TwoDecimals = Field(description="Games not ended last, in percent.")
    best_score: int = Field(description="The highest final score.")
    busts: int | None = Field(description="Games in which the guest went bust; null for those who do not work here.")


class Ranking(OfCompetition):
    """A page of the running ranking; `after` is the cursor of the next page, null on the last."""

    count: int = Field(description="Guests in the whole table.")
    after: str | None = Field(description="The cursor of the next page; null on the last.")
    ledgers: list[LedgerDocument] = Field(description="The ledgers of `totals`.")
    rows: list[RankingRow] = Field(description="The guests of this page.")


def ranking_document(reader: Reader, page: RunningTable, rules: Ruleset) -> Ranking:
    """Return the page with the cursor of the next one, all of one published version."""
    ledgers = ledgers_shown(reader, rules)
    return Ranking.build(
        reader,
        as_of=page.version,
        count=page.entrants,
        after=page.after or None,
        ledgers=[ledger_document(ledger) for ledger in ledgers],
        rows=[row(reader, line, rules, ledgers) for line in page.lines],
    )


def row(reader: Reader, line: TallyLine, rules: Ruleset, ledgers: tuple[Ledger, ...]) -> RankingRow:
    """Return one guest's row; rates are percentages to two decimals."""
    tally, games = line.tally, line.tally.games
    places = tally.places[: rules.players]
    ranking = rules.ranking_ledger
    return RankingRow.build(
        tally,
        **entrant(reader, tally.entrant),
        rank=line.rank,
        places=places,
        points=ranking.text(tally.points) if ranking in ledgers else None,
        totals={each.key: each.text(tally.totals[each.key]) for each in ledgers if each.key in tally.totals},
        average_place=share(Fraction(sum(place * count for place, count in enumerate(places, start=1)), games)),
        first_rate=share(Fraction(100 * places[0], games)),
        first_or_second_rate=share(Fraction(100 * (places[0] + places[1]), games)),
        not_last_rate=share(Fraction(100 * (games - places[-1]), games)),
        busts=tally.busts if reader.is_staff else None,
    )


def share(value: Fraction) -> str:
    """Return a rate or an average as a decimal."""
    return decimal_text(value, DECIMALS, "en")
