"""Columns of a game at the counter: titles, units and expected sums, all read from the rule book."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from league.wording.formatting import score_text
from league.wording.names import title_in
from scoring.ruleset import Ledger, Ruleset, Unit
from scoring.ruleset.settling import PrizeTime


@dataclass(frozen=True, slots=True)
class EntryColumn:
    """A column's head, and the sum that is right in it; empty texts where there is nothing to say."""

    key: str
    """A ledger's key, or `score`."""
    title: str
    unit: str
    note: str = ""
    expected: str = ""

    @property
    def label(self) -> str:
        """The title with the unit, as a phone shows it above each field."""
        return f"{self.title} {self.unit}".strip()


def score_column(rules: Ruleset) -> EntryColumn:
    """Return the column of the scores; with the deposits left on the table they are all points of the game."""
    unit = rules.entry.unit
    total = score_text(rules.table_total)
    expected = _("%(points)s with the deposits") if rules.settlement.kyoutaku is not None else _("%(points)s points")
    return EntryColumn("score", _("Score"), f"×{unit:,}" if unit > 1 else "", expected=expected % {"points": total})


def typed_column(ledger: Ledger, rules: Ruleset) -> EntryColumn:
    """Return the column in which a ledger's amounts from the hands are typed."""
    prize = rules.settlement.tobi
    is_paid_with_hand = prize is not None and prize.ledger == ledger.key and prize.paid is PrizeTime.WITH_THE_HAND
    return EntryColumn(
        ledger.key,
        _("%(chips)s of the hands") % {"chips": _chips(ledger)},
        f"×{ledger.text(ledger.step)} {_unit(ledger)}".strip() if ledger.step > 1 else _unit_beside(ledger),
        note=_including(pgettext("settlement", "bust prize")) if is_paid_with_hand else "",
        expected="0" if ledger.zero_sum else "",
    )


def settled_column(ledger: Ledger, rules: Ruleset, *, is_typed: bool) -> EntryColumn:
    """Return the column that shows what a game comes to in a ledger, with the parts that its total contains."""
    parts = list(_parts(ledger, rules))
    if is_typed and parts:
        parts.insert(0, _("hands"))
    title = title_in(ledger.title)
    return EntryColumn(
        ledger.key,
        _("%(ledger)s in all") % {"ledger": title} if is_typed else title,
        _unit_beside(ledger),
        note=_including(*parts) if parts else "",
    )


def _parts(ledger: Ledger, rules: Ruleset) -> list[str]:
    """Name what a settlement adds to a ledger beside what is typed."""
    steps = rules.settlement
    tobi_at_end = steps.tobi if steps.tobi is not None and steps.tobi.paid is PrizeTime.AT_SETTLEMENT else None
    named = (
        (steps.conversion if ledger.entered else None, pgettext("settlement", "score")),
        (steps.place_payments, pgettext("settlement", "place")),
        (tobi_at_end, pgettext("settlement", "bust prize")),
        (steps.chonbo, pgettext("settlement", "chonbo")),
    )
    return [name for step, name in named if step is not None and step.ledger == ledger.key]


def _including(*parts: str) -> str:
    return _("with %(parts)s") % {"parts": pgettext("between parts", ", ").join(parts)}


def _chips(ledger: Ledger) -> str:
    """Name what is typed: prizes, where a ledger is called by its unit alone."""
    title = title_in(ledger.title)
    return pgettext("ledger", "Prizes") if title == ledger.unit.value else title


def _unit_beside(ledger: Ledger) -> str:
    """Return the unit to write beside a title; empty where the ledger is called by its unit."""
    return "" if _unit(ledger).casefold() == title_in(ledger.title).casefold() else _unit(ledger)


def _unit(ledger: Ledger) -> str:
    """Return the unit of a ledger's amounts; empty for points."""
    match ledger.unit:
        case Unit.CHIPS:
            return pgettext("unit of a ledger", "chips") if ledger.entered else ""
        case Unit.UNITS:
            return pgettext("unit of a ledger", "units")
        case Unit.YEN:
            return pgettext("unit of a ledger", "yen")
        case Unit.LEAGUE_POINTS:
            return ""
        case named:
            return named.value
