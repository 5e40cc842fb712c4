"""Answers as phrases: the hands of each way in one sentence (tsumo mangan, direct hit 3,900, from the others 8,000)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.last_kyoku.advance import Advance
from scoring.last_kyoku.answers import Answer, AnswerStatus, DrawAnswer, Run, WaySet
from scoring.last_kyoku.goals import Float, FloatingPlace, Goal, GoalVerdict, Place, PlaceLine, Top
from scoring.last_kyoku.ladder import Rung
from scoring.last_kyoku.phrases import EntrantName, Part, Phrase, PlaceName, SeatName, join_phrases
from scoring.ruleset.value import LimitName
from scoring.value import By

MOST_PATTERNS = 3
"""Up to this many patterns of tenpai are listed one by one."""
MULTIPLES = {1: "yakuman", 2: "double_yakuman", 3: "triple_yakuman"}


def goal_phrase(goal: Goal, players: int) -> Part:
    """Return the phrase for a goal."""
    match goal:
        case Place(worst):
            return _place(worst, players)
        case Float(line) | FloatingPlace(None, line):
            return Phrase("goal_float", {"line": line})
        case FloatingPlace(int(worst), line):
            return Phrase("goal_floating_place", {"place": PlaceName(worst), "line": line})
        case Top(kinds):
            return Phrase(f"goal_top_{kinds[-1].value}")
        case PlaceLine():
            return _place_line(goal)
    return Phrase(f"goal_{goal.code}", {"places": goal.places} if isinstance(goal, Advance) else {})


def _place_line(goal: PlaceLine) -> Part:
    own: dict[str, Part] = {"own": PlaceName(goal.own), "line": goal.line}
    if goal.reached:
        return Phrase("goal_place_line", own)
    return Phrase("goal_place_line_missed", {**own, "place": PlaceName(goal.place)})


def _place(worst: int, players: int) -> Part:
    if worst == 1:
        return Phrase("goal_win")
    return Phrase("goal_not_last") if worst == players - 1 else Phrase("goal_place", {"place": PlaceName(worst)})


def needs_phrase(answer: Answer) -> Part:
    """Return the phrase for the wins that a seat needs."""
    if answer.status is AnswerStatus.SAFE:
        return Phrase("safe_if_over" if answer.may_go_on else "safe")
    if answer.status is AnswerStatus.SOME_WINS:
        return _remarked(join_phrases("ways", way_phrases(answer.ways, GoalVerdict.REACHED)), answer)
    if answer.status is AnswerStatus.ANY_WIN:
        return _remarked(Phrase("any_win"), answer)
    if answer.status is AnswerStatus.GOES_ON and any(way.runs_of(GoalVerdict.MISSED) for way in answer.ways):
        return Phrase("some_go_on")
    return Phrase(answer.status.value)


def _remarked(told: Part, answer: Answer) -> Part:
    """Add a remark on the end of the game to the phrase of the hands, where the game may continue."""
    if any(run.is_choice for way in answer.ways for run in way.runs_of(GoalVerdict.REACHED)):
        told = Phrase("stopping", {"ways": told})
    if any(way.runs_of(GoalVerdict.GOES_ON) for way in answer.ways):
        told = Phrase("others_go_on", {"ways": told})
    return told


@dataclass(frozen=True, slots=True)
class Payers:
    """Players from whom the same hands are needed by ron."""

    losers: tuple[int, ...]
    hands: Part
    least: int
    """Points of the smallest of the hands."""


def way_phrases(ways: Sequence[WaySet], verdict: GoalVerdict, hit: int | None = None) -> Iterator[Phrase]:
    """Yield a phrase for each way with hands of this verdict: the self-draw, then ron by groups of payers.

    Payers of the same hands form a group. A direct hit is one on `hit`, if that is given, else on the player from
    whom the least is needed.
    """
    for way in ways:
        if way.by is By.TSUMO and way.runs_of(verdict):
            yield Phrase("tsumo", {"hands": hands_phrase(way, verdict)})
    losers = sum(len(way.losers) for way in ways)
    payers = _payers(ways, verdict)
    for each, name in zip(payers, _names(payers, losers, hit), strict=True):
        yield Phrase(name.code, {**name.parts, "hands": each.hands})


def _payers(ways: Sequence[WaySet], verdict: GoalVerdict) -> list[Payers]:
    """Group payers from whom the same hands are needed, the cheapest first."""
    found: list[Payers] = []
    for way in ways:
        if way.by is By.RON and way.runs_of(verdict):
            each = Payers(way.losers, hands_phrase(way, verdict), way.runs_of(verdict)[0].first.points)
            same = next((known for known in found if known.hands == each.hands), None)
            if same is not None:
                found.remove(same)
                each = replace(each, losers=(*same.losers, *each.losers))
            found.append(each)
    return sorted(found, key=lambda each: (each.least, each.losers))


def _names(payers: Sequence[Payers], losers: int, hit: int | None) -> list[Phrase]:
    """Return the phrase for each group of payers: ron; or direct hit and others; or each payer by name."""
    sizes = [len(each.losers) for each in payers]
    if sizes == [losers]:
        return [Phrase("ron")]
    if sizes in ([1], [1, losers - 1]) and hit in (None, *payers[0].losers):
        return [Phrase("direct"), Phrase("from_others")][: len(payers)]
    return [Phrase("from_seat", {"name": names_phrase(sorted(each.losers))}) for each in payers]


def hands_phrase(way: WaySet, verdict: GoalVerdict) -> Part:
    """Return the phrase for the hands from the smallest to the largest with this verdict, with the gaps between."""
    runs = way.runs_of(verdict)
    first, last = runs[0], runs[-1]
    whole = Run(verdict, (first.first, last.last), first.is_from_bottom, last.is_to_top)
    told = Phrase("anything") if whole.is_from_bottom and whole.is_to_top else _span(whole, way.by)
    gaps = way.gaps(verdict)
    if not gaps:
        return told
    return Phrase("except", {"hands": told, "gaps": join_phrases("gaps", (_gap(gap, way.by) for gap in gaps))})


def _span(run: Run, by: By) -> Part:
    """Return the phrase for one hand, a hand and everything above it, or a range of hands."""
    first = rung_phrase(run.first, by)
    if run.is_to_top:
        return first
    if run.first == run.last:
        return Phrase("only", {"hand": first})
    return Phrase("to", {"first": first, "last": rung_phrase(run.last, by)})


def _gap(run: Run, by: By) -> Part:
    return rung_phrase(run.first, by) if run.first == run.last else _span(run, by)


def rung_phrase(rung: Rung, by: By) -> Part:
    """Return the phrase for a hand: a self-draw by its limit, a ron by its points, with a name where it helps."""
    name = hand_phrase(rung)
    if rung.instant_top or (by is By.TSUMO and rung.is_alone and rung.limit is not None):
        return name
    is_plain = rung.limit is None or (rung.limit is LimitName.MANGAN and rung.is_alone)
    if by is By.RON and is_plain and not (rung.worth.closed or rung.worth.dora):
        return rung.points
    return Phrase("named", {"points": rung.points if by is By.RON else shares_phrase(rung), "hand": name})


def shares_phrase(rung: Rung) -> Part:
    """Return the phrase for each player's payment on a self-draw."""
    if rung.from_dealer in (0, rung.from_other):
        return Phrase("each", {"points": rung.from_other})
    return Phrase("split", {"from_other": rung.from_other, "from_dealer": rung.from_dealer})


def hand_phrase(rung: Rung) -> Part:
    """Return the phrase for a hand by its limit, or by han and fu, with parts that a book pays separately."""
    worth = rung.worth
    told: Part = Phrase("han_fu", {"fu": worth.fu, "han": worth.han}) if worth.fu else Phrase("han", {"han": worth.han})
    if rung.limit is LimitName.YAKUMAN:
        count = Phrase("many_yakuman", {"count": worth.yakuman})
        told = Phrase(MULTIPLES[worth.yakuman]) if worth.yakuman in MULTIPLES else count
    elif rung.limit is not None:
        told = Phrase(rung.limit.value)
    if worth.closed:
        told = Phrase("closed", {"hand": told})
    return Phrase("dora", {"hand": told, "count": worth.dora}) if worth.dora else told


def draw_phrases(draws: Sequence[DrawAnswer], seat: int, players: int) -> tuple[Part, ...]:
    """Return the phrases for the draws that reach the goal, and for those after which the game continues."""
    reached = _draw_phrase(draws, GoalVerdict.REACHED, ("draw", seat), players)
    goes_on = _draw_phrase(draws, GoalVerdict.GOES_ON, ("goes_on", seat), players)
    if not any(draw.verdict is GoalVerdict.GOES_ON for draw in draws):
        return (reached,)
    return (goes_on,) if not any(draw.verdict is GoalVerdict.REACHED for draw in draws) else (reached, goes_on)


def _draw_phrase(draws: Sequence[DrawAnswer], verdict: GoalVerdict, told: tuple[str, int], players: int) -> Part:
    """Return the shortest phrase for the patterns of tenpai with this verdict."""
    prefix, seat = told
    patterns = [draw.tenpai for draw in draws if draw.verdict is verdict]
    rest = [draw.tenpai for draw in draws if draw.verdict is not verdict]
    if not patterns or not rest:
        return Phrase(f"{prefix}_any" if patterns else f"{prefix}_never")
    for each in (seat, *(other for other in range(players) if other != seat)):
        found = _hanging_on(each, patterns, rest)
        if found:
            parts = {"name": SeatName(each)}
            return Phrase(f"{prefix}_own_{found}") if each == seat else Phrase(f"{prefix}_if_{found}", parts)
    for code, some in (("with", patterns), ("without", rest)):
        if len(some) <= MOST_PATTERNS:
            told_patterns = join_phrases("patterns", (_pattern(each, players) for each in some))
            return Phrase(f"{prefix}_{code}", {"patterns": told_patterns})
    return Phrase(f"{prefix}_depends")


def _hanging_on(seat: int, patterns: Sequence[tuple[int, ...]], rest: Sequence[tuple[int, ...]]) -> str:
    """Return whether one player's tenpai, or lack of it, decides alone; empty if it does not."""
    inside, outside = {seat in each for each in patterns}, {seat in each for each in rest}
    if inside == {True} and outside == {False}:
        return "tenpai"
    return "noten" if inside == {False} and outside == {True} else ""


def _pattern(tenpai: tuple[int, ...], players: int) -> Part:
    if len(tenpai) in (0, players):
        return Phrase("all_tenpai" if tenpai else "all_noten")
    if len(tenpai) == 1:
        return Phrase("alone_tenpai", {"name": SeatName(tenpai[0])})
    return Phrase("together_tenpai", {"names": names_phrase(tenpai)})


def names_phrase(seats: Sequence[int]) -> Part:
    """Return the phrase that lists these players."""
    return join_phrases("names", map(SeatName, seats))


def threat_phrases(answer: Answer) -> dict[int, Part]:
    """Return, for each other player, the phrase for their wins that take the goal away."""
    winners = dict.fromkeys(way.winner for way in answer.others)
    by_winner = {winner: [way for way in answer.others if way.winner == winner] for winner in winners}
    return {winner: _threat(winner, ways, answer.seat) for winner, ways in by_winner.items()}


def _threat(winner: int, ways: Sequence[WaySet], seat: int) -> Part:
    name = SeatName(winner)
    found = {run.verdict for way in ways for run in way.runs} - {GoalVerdict.FORBIDDEN}
    if GoalVerdict.MISSED not in found:
        return Phrase("kept_if", {"name": name})
    if found == {GoalVerdict.MISSED}:
        return Phrase("lost_if_any", {"name": name})
    told = join_phrases("ways", way_phrases(ways, GoalVerdict.MISSED, hit=seat))
    return Phrase("lost_if", {"name": name, "ways": told})


def waiting_phrase(answer: Answer) -> Part | None:
    """Return the phrase for the entrants whose results are still to come; None if there are none."""
    if not answer.waiting:
        return None
    return Phrase("waiting", {"names": join_phrases("names", map(EntrantName, answer.waiting))})
