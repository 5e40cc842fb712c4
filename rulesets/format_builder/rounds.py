"""Operations on how the rounds of a stage are seated, and on the policies and last criteria of a format.

The parts of a stage's rounds follow each other up to its hanchan, so a draft never lacks a round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy

from rulesets.format_builder.editing import edit, stage_named
from rulesets.format_builder.picks import Draft, grows


def fit_rounds(stage: Draft) -> None:
    """Let the last part of a stage's rounds end with its hanchan; without rounds nothing says how they are seated."""
    if stage["seating"] != "rounds" or not stage.get("hanchan"):
        stage.pop("rounds", None)
    if "rounds" in stage:
        set_parts(stage, [(last_round(plan), plan) for plan in stage["rounds"]])


def last_round(plan: Draft) -> int:
    """Return the last round of a part of a stage's rounds; 0 for numbers that cannot be read."""
    last = str(plan["numbers"]).rpartition("-")[2]
    return int(last) if last.isdecimal() else 0


def set_parts(stage: Draft, parts: Sequence[tuple[int, Draft]]) -> None:
    """Write the parts of a stage's rounds, each with its last round: they follow each other up to its hanchan."""
    hanchan, first, rounds = stage["hanchan"], 1, []
    for place, (wanted, plan) in enumerate(parts):
        last = hanchan if place == len(parts) - 1 else min(wanted, hanchan)
        if first <= last:
            numbers = str(first) if first == last else f"{first}-{last}"
            rounds.append({"numbers": numbers, **{name: value for name, value in plan.items() if name != "numbers"}})
            first = last + 1
    stage["rounds"] = rounds


@edit
def set_rounds(draft: Draft, key: str, parts: Sequence[tuple[int, Draft]]) -> None:
    """Change how the rounds of a stage are seated: parts with their last rounds. One planned part is the usual way."""
    stage = stage_named(draft, key)
    if stage["seating"] != "rounds" or not stage.get("hanchan"):
        return
    set_parts(stage, parts)
    is_usual = [{**plan, "numbers": ""} for plan in stage["rounds"]] == [{"numbers": "", "by": "plan"}]
    if is_usual and not grows(draft, stage):
        del stage["rounds"]


@edit
def add_part(draft: Draft, key: str) -> None:
    """Seat the second half of the last part of a stage's rounds by the standing, without a second meeting."""
    stage = stage_named(draft, key)
    hanchan = stage.get("hanchan") or 0
    before = [(last_round(plan), plan) for plan in stage.get("rounds", [{"numbers": f"1-{hanchan}", "by": "plan"}])]
    first = before[-2][0] + 1 if len(before) > 1 else 1
    if stage["seating"] != "rounds" or first >= hanchan:
        return
    before[-1] = ((first + hanchan - 1) // 2, before[-1][1])
    set_parts(stage, [*before, (hanchan, {"by": "standing", "avoid": ["met"]})])


@edit
def remove_part(draft: Draft, key: str, number: int) -> None:
    """Seat a part of a stage's rounds, counted from 0, like the one before it; the first like the one after it."""
    stage = stage_named(draft, key)
    parts = [(last_round(plan), plan) for plan in stage.get("rounds", ())]
    if number < len(parts) > 1:
        if number:
            parts[number - 1] = (parts[number][0], parts[number - 1][1])
        del parts[number]
        set_parts(stage, parts)


def set_policies(draft: Draft, policies: Mapping[str, object]) -> Draft:
    """Change the policies that are named; None takes one out."""
    new = deepcopy(draft)
    kept = {**new.get("policies", {}), **policies}
    new["policies"] = {name: value for name, value in kept.items() if value is not None}
    if not new["policies"]:
        del new["policies"]
    return new


def set_further(draft: Draft, criteria: Sequence[str]) -> Draft:
    """Change what separates entrants who are level after going back through the hanchan; none: the organizer rules."""
    new = deepcopy(draft)
    new["tiebreak"].pop("then", None)
    if criteria:
        new["tiebreak"]["then"] = list(criteria)
    return new
