"""Words of the format builder: picks, offers, problems and what would be valid, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.wording.faults import fault_text
from league.wording.formatting import language_of
from league.wording.names import Names
from rulesets.format_builder.checking import Problem
from rulesets.format_builder.offers import Offer
from rulesets.format_builder.picks import Draft, Pick, PickKind, blocks_in
from rulesets.format_builder.proposals import in_two
from scoring.format.numbers import StageNumbers


def shown_title(title: object) -> str:
    """Return a title in the reader's language."""
    return in_two(title)[0 if language_of() == "ja" else 1]


def draft_names(draft: Draft) -> Names:
    """Return the names of a draft's blocks and stages in the reader's language."""
    return Names(
        blocks={block["key"]: shown_title(block["title"]) for stage in draft["stages"] for block in blocks_in(stage)},
        stages={stage["key"]: shown_title(stage["title"]) for stage in draft["stages"]},
    )


def pick_label(pick: Pick, names: Names) -> str:
    """Describe who comes: “Block A: ranks 3 to 5”, “the best of rank 3 of Preliminary”."""
    values: dict[str, object] = {"first": pick.first, "last": pick.last, "rank": pick.rank}
    if pick.is_rest and pick.kind is PickKind.SEEDS:
        return _("all entrants from %(first)s on") % values if pick.first > 1 else _("all entrants")
    if pick.is_rest:
        return _("%(block)s: all from rank %(first)s on") % {**values, "block": names.block(pick.of)}
    if pick.kind is PickKind.SEEDS:
        return _("entrants %(first)s to %(last)s") % values
    if pick.kind is PickKind.BEST:
        return _best_label(pick, names)
    is_one = pick.first == pick.last
    if pick.kind is PickKind.EACH:
        values |= {"stage": names.stage(pick.of)}
        text = (
            _("%(stage)s: rank %(first)s of each block")
            if is_one
            else _("%(stage)s: ranks %(first)s to %(last)s of each block")
        )
        return text % values
    values |= {"block": names.block(pick.of)}
    return (_("%(block)s: rank %(first)s") if is_one else _("%(block)s: ranks %(first)s to %(last)s")) % values


def _best_label(pick: Pick, names: Names) -> str:
    count = pick.last - pick.first + 1
    values = {"stage": names.stage(pick.of), "rank": pick.rank, "count": count, "first": pick.first, "last": pick.last}
    if pick.first == 1:
        return _("%(stage)s: the best %(count)s of rank %(rank)s over all blocks") % values
    return _("%(stage)s: best number %(first)s to %(last)s of rank %(rank)s over all blocks") % values


def origin_label(pick: Pick, names: Names) -> str:
    """Describe the part of the earlier stages that a pick takes ranks from, without the ranks."""
    if pick.kind is PickKind.SEEDS:
        return _("Entrants of the competition")
    if pick.kind is PickKind.EACH:
        return _("%(stage)s, each block") % {"stage": names.stage(pick.of)}
    if pick.kind is PickKind.BEST:
        return _("%(stage)s, best of rank %(rank)s") % {"stage": names.stage(pick.of), "rank": pick.rank}
    return names.block(pick.of)


def offer_label(offer: Offer, names: Names, sizes: Mapping[str, int]) -> str:
    """Describe what can be taken, with its number of entrants; “the rest” is all that is left of a block."""
    people = ngettext("%(count)s player", "%(count)s players", offer.count) % {"count": offer.count}
    text = pick_label(offer.pick, names)
    if offer.is_used:
        return _("%(pick)s (taken)") % {"pick": text}
    if offer.pick.is_rest:
        return text
    if offer.pick.kind is PickKind.BLOCK and 1 < offer.pick.first <= offer.pick.last == sizes.get(offer.pick.of):
        return _("%(pick)s, the rest (%(people)s)") % {"pick": text, "people": people}
    return _("%(pick)s (%(people)s)") % {"pick": text, "people": people}


PLAIN = {
    "size_not_full": gettext_lazy("with %(size)s players the tables are not full: choose what happens then"),
    "size_never_full": gettext_lazy(
        "with none of these numbers of players all tables are full: allow others, or choose what happens then"
    ),
    "cut_beyond_least": gettext_lazy(
        "with %(least)s players, the fewest allowed, there are fewer ranks than that: allow more or take fewer"
    ),
    "standing_too_early": gettext_lazy("before the first round there is no standing: take a plan or a draw for it"),
    "seats_and_entrants": gettext_lazy("%(count)s tables of %(size)s have %(seats)s seats for %(entrants)s players"),
    "crossed_sources": gettext_lazy("only two ranks of each table of one stage can be crossed"),
    "crossed_tables": gettext_lazy("the tables before must be 2, 4, 8 or 12 to be crossed; they are %(tables)s"),
}
"""Sentences without the keys of the text, for faults that the fields of the page correct."""


def problem_text(problem: Problem) -> str:
    """Return a problem as a sentence."""
    if text := PLAIN.get(problem.fault.code):
        return str(text) % problem.fault.params
    return fault_text(problem.fault)


def fit_label(field: str, value: int) -> str:
    """Name the button that puts a valid value into a field."""
    if field == "sessions":
        return ngettext("Use %(count)s session", "Use %(count)s sessions", value) % {"count": value}
    if field == "blocks":
        return ngettext("Use %(count)s table", "Use %(count)s tables", value) % {"count": value}
    return _("Use %(count)s hanchan") % {"count": value}


def resting_note(numbers: StageNumbers, names: Names) -> str:
    """Name the players who rest in each round because the tables are full; empty if none rests."""
    notes = []
    counts = {(block.entrants, block.tables, block.resting) for block in numbers.blocks}
    for block in numbers.blocks if len(counts) > 1 else numbers.blocks[:1]:
        if not block.resting or block.entrants is None:
            continue
        where = "" if len(counts) == 1 and len(numbers.blocks) == 1 else names.block(block.block)
        if len(counts) == 1 and len(numbers.blocks) > 1:
            where = _("each block")
        values = {"where": where, "players": block.entrants, "tables": block.tables, "count": block.resting}
        text = ngettext(
            "%(players)s players at tables for %(seats)s: %(count)s rests in each round",
            "%(players)s players at tables for %(seats)s: %(count)s rest in each round",
            block.resting,
        ) % {**values, "seats": block.entrants - block.resting}
        notes.append(_("%(where)s: %(text)s") % {"where": where, "text": text} if where else text)
    return " / ".join(notes)
