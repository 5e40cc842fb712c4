"""Legal wins of a player, for rule books that restrict wins by the scores, listed before any declaration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.utils.translation import gettext as _

from league.models import Hanchan
from league.platform.errors import refuse
from league.selectors.live.event_forms import enterable_values, fields_of, is_possible, most_dora, openness_matters
from league.selectors.live.kyoku import Document, judgement_document
from league.selectors.live.log import TableLog, log_of
from league.wording.log_entries import value_text
from league.wording.messages import number
from scoring.kyoku import judgements
from scoring.kyoku.outcomes import Ron, Tsumo, Win
from scoring.kyoku.payments import RuledState, table_of, value_of_win
from scoring.legality import Judgement
from scoring.ruleset.play import Play
from scoring.ruleset.value import LegalityVerdict
from scoring.value import By, Worth


def legality_document(hanchan: Hanchan, winner: int | None, loser: int | None) -> Document:
    """Return every hand as a win of `winner`, by ron from `loser` or by tsumo if `loser` is None."""
    log = log_of(hanchan)
    refuse_impossible(log, winner, loser)
    return {"winner": winner, "loser": loser, "hands": [*hands(log, winner or 0, loser)]}


def refuse_impossible(log: TableLog, winner: int | None, loser: int | None) -> None:
    """Refuse the request unless a hand is being played and the seats are two different players of it."""
    seats = range(log.rules.players)
    if not log.is_followed or log.state.is_over:
        raise refuse("not_playing", _("No hand is being played."))
    if winner not in seats or (loser is not None and loser not in seats) or winner == loser:
        raise refuse("seat_unknown", _("Name a winner, and for a ron another player who discards."), "/winner")


def hands(log: TableLog, winner: int, loser: int | None) -> Iterator[Document]:
    """Yield each possible value, closed and open and by number of dora, and whether the win may be taken."""
    table = table_of(log.state, log.rules)
    for worth in variants(table, By.TSUMO if loser is None else By.RON):
        win = Win(winner, worth)
        paid = value_of_win(win, table)
        points = paid.tsumo(log.rules.players - 1) if loser is None else paid.ron
        judged = judgement_document(judgement_of(win, loser, log))
        yield {
            "value": entry_fields(worth),
            "text": hand_text(worth, table.play),
            "points": points,
            "points_text": number(points),
            "verdict_text": judged["text"],
            "verdict": judged["verdict"],
            "reasons": judged["reasons"],
            "waived": judged["waived"],
            "clauses": judged["clauses"],
        }


def judgement_of(win: Win, loser: int | None, log: TableLog) -> Judgement:
    """Return whether the win may be taken; a rule book without restrictions allows every win."""
    outcome = Tsumo(win=win) if loser is None else Ron(loser=loser, wins=(win,))
    found = judgements(log.state, outcome, log.rules)
    return found[0] if found else Judgement(LegalityVerdict.ALLOWED, log.state.scores)


def variants(table: RuledState, by: By) -> Iterator[Worth]:
    """Yield every value, closed and open where that matters, with each number of dora where dora bring points."""
    both = (True, False) if openness_matters(table.play) else (False,)
    counts = range(most_dora(table.play) + 1)
    for worth in enterable_values(by, table):
        for closed in both:
            if not is_possible(worth, by, table, closed=closed):
                continue
            for dora in counts:
                yield replace(worth, closed=closed, dora=dora)


def entry_fields(worth: Worth) -> Document:
    """Return the value as the fields of a log entry."""
    more = {"closed": True} if worth.closed else {}
    return {**fields_of(worth), **more, **({"dora": worth.dora} if worth.dora else {})}


def hand_text(worth: Worth, play: Play) -> str:
    """Return the hand's value in words."""
    parts = [value_text(worth)]
    if openness_matters(play):
        parts.append(_("closed") if worth.closed else _("open"))
    if worth.dora:
        parts.append(_("dora %(count)s") % {"count": worth.dora})
    return " ".join(parts)
