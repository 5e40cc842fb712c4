"""The values of a ruleset that players ask for first, as labelled facts with their clauses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.wording.formatting import amount_text, score_text
from league.wording.names import title_in
from league.wording.rulebooks.ruleset_settings import setting_text
from scoring.ruleset import Ruleset
from scoring.ruleset.uma import AtLine, Uma


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of the rules, with the clauses it comes from."""

    name: str
    value: str
    clauses: tuple[str, ...] = ()


def facts_of(ruleset: Ruleset) -> Iterator[Fact]:
    """Yield the values that players ask for first: start and return, oka and uma, deposits, chonbo."""
    setup, settlement = ruleset.setup, ruleset.settlement
    yield Fact(pgettext("ruleset", "Players"), pgettext("ruleset", "%(count)s at a table") % {"count": ruleset.players})
    yield Fact(_("Start"), score_text(setup.start), setup.clauses)
    yield Fact(_("Return"), score_text(setup.return_), setup.clauses)
    if settlement.oka is not None and setup.return_ > setup.start:
        oka = score_text((setup.return_ - setup.start) * ruleset.players)
        yield Fact(_("Oka"), _("%(points)s to the first place") % {"points": oka}, settlement.oka.clauses)
    if settlement.uma is not None:
        yield from _uma(settlement.uma)
    yield Fact(_("Scores are entered in"), score_text(ruleset.entry.unit), ruleset.entry.clauses)
    if settlement.kyoutaku is not None:
        receiver = {
            "top": _("to the first place"),
            "shared": _("to the first place; players level there share them"),
            "nobody": _("to no player"),
        }[settlement.kyoutaku.receiver]
        yield Fact(_("Deposits left at the end"), receiver, settlement.kyoutaku.clauses)
    if settlement.substitute is not None:
        account = amount_text(settlement.substitute.amount, 1)
        yield Fact(_("Account of a substitute"), account, settlement.substitute.clauses)
    if settlement.chonbo is not None:
        yield Fact(_("Chonbo"), amount_text(-settlement.chonbo.amount, 1), settlement.chonbo.clauses)


def _uma(uma: Uma) -> Iterator[Fact]:
    """Yield the bonuses of the places, and those of each number of floating players that has its own."""
    yield Fact(_("Uma"), _row_text(uma.amounts), uma.clauses)
    if uma.floating is None:
        return
    at_line = _("%(line)s or more") if uma.floating.at_line is AtLine.FLOATS else _("more than %(line)s")
    yield Fact(_("A player floats with"), at_line % {"line": score_text(uma.floating.line)}, uma.floating.clauses)
    for count, row in sorted(uma.floating.rows.items()):
        name = ngettext("Uma, %(count)s player floating", "Uma, %(count)s players floating", int(count))
        yield Fact(name % {"count": count}, _row_text(row), uma.floating.clauses)


def _row_text(row: Iterable[Fraction]) -> str:
    return " / ".join(amount_text(each, 1, plus=True) for each in row)


def options_of(ruleset: Ruleset) -> Iterator[Fact]:
    """Yield the house options with the values in force."""
    for option in ruleset.options.values():
        yield Fact(title_in(option.title), setting_text("", option.default), option.clauses)


def value_text(value: object) -> str:
    """Format an option's value for people."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, dict):
        return _(", ").join(f"{key}: {value_text(each)}" for key, each in value.items())
    if isinstance(value, tuple | list):
        return _(", ").join(map(str, value)) or _("none")
    return str(value)
