"""Player rates document: win rate, deal-in rate and others, with the counts behind every figure."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from pydantic import Field

from league.models import Entrant
from league.selectors.access.readers import Reader
from league.selectors.people.rates import PlayerRates, rates_of_entrants
from league.web.document_parts import EntrantDocument, OfCompetition, entrant
from league.web.documents import Document, Ref
from scoring.rates import Ratio

SHARE = Decimal("0.0001")
POINTS = Decimal("0.1")


class Rate(Document):
    """A count and its share; `value` is null if there were no cases."""

    count: int = Field(description="How often it happened.")
    of: int = Field(description="Only what tells of it is counted here.")
    value: str | None = Field(description="Four decimals, such as 0.2167.")


class Mean(Document):
    """A mean of table points; `value` is null if there were no cases."""

    total: int = Field(description="The sum in table points.")
    of: int = Field(description="The number of summands.")
    value: str | None = Field(description="One decimal, such as 7466.7.")


class LargestHand(Document):
    """The most valuable hand won."""

    points: int = Field(description="The table points it brought.")
    hanchan: Ref = Field(description="The first hanchan it was reached in.")


class EntrantRates(EntrantDocument):
    """An entrant's figures over the logged hanchan that they played themselves."""

    hanchan: int = Field(description="The number of these hanchan.")
    by_substitutes: int = Field(description="Logged hanchan that a substitute played; not counted.")
    kyoku: int = Field(description="Hands that were neither void nor ended by a ruling.")
    win: Rate = Field(description="Of the hands.")
    deal_in: Rate = Field(description="Once for each hand, however many won on the discard.")
    riichi: Rate = Field(description="Of the hands in which a riichi lays a stake.")
    tsumo: Rate = Field(description="Of the wins.")
    tenpai: Rate = Field(description="Of the draws at which tenpai is paid for.")
    average_win: Mean = Field(description="The hands alone, without counters and deposits.")
    average_deal_in: Mean = Field(description="The hands alone, without counters and deposits.")
    largest_hand: LargestHand | None = Field(description="The hand that brought most; null without a win.")


class Rates(OfCompetition):
    """The rates of all entrants who played a logged hanchan."""

    entrants: list[EntrantRates] = Field(description="All who played a logged hanchan, by number.")


def rates_document(reader: Reader) -> Rates:
    """Return the rates of all entrants who played a logged hanchan, by number."""
    found = rates_of_entrants(reader)
    rows = Entrant.objects.filter(pk__in=found).select_related("player").order_by("number")
    return Rates.build(
        reader, as_of=reader.shown_version, entrants=[entrant_rates(reader, row, found[row.pk]) for row in rows]
    )


def entrant_rates(reader: Reader, row: Entrant, found: PlayerRates) -> EntrantRates:
    """Return the figures of one entrant."""
    rates = found.rates
    return EntrantRates.build(
        found,
        **entrant(reader, row),
        kyoku=rates.kyoku,
        win=share(rates.wins),
        deal_in=share(rates.deal_ins),
        riichi=share(rates.riichi),
        tsumo=share(rates.tsumo),
        tenpai=share(rates.tenpai),
        average_win=mean(rates.won),
        average_deal_in=mean(rates.paid),
        largest_hand=None if rates.largest is None else {"points": rates.largest, "hanchan": found.largest_in},
    )


def share(ratio: Ratio) -> Rate:
    """Return a rate with its numerator and denominator."""
    return Rate(count=ratio.count, of=ratio.of, value=decimal(ratio, SHARE))


def mean(ratio: Ratio) -> Mean:
    """Return a mean with its sum and number of summands."""
    return Mean(total=ratio.count, of=ratio.of, value=decimal(ratio, POINTS))


def decimal(ratio: Ratio, step: Decimal) -> str | None:
    """Return the ratio rounded half up to a step, or None if the denominator is 0."""
    return str((Decimal(ratio.count) / ratio.of).quantize(step, ROUND_HALF_UP)) if ratio.of else None
