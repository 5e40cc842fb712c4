"""Turn a change of a draft into an operation: a copy is changed, and what was proposed follows."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Concatenate, ParamSpec

from rulesets.format_builder.picks import Draft
from rulesets.format_builder.proposals import proposed_champion, proposed_title, retitle

P = ParamSpec("P")
Edit = Callable[Concatenate[Draft, P], Draft]


def edit(change: Callable[Concatenate[Draft, P], None]) -> Edit[P]:
    """Let a change work on a copy; titles and champion follow if they were the proposed ones."""

    def edited(draft: Draft, /, *args: P.args, **kwargs: P.kwargs) -> Draft:
        new = deepcopy(draft)
        follows = new.get("champion", {}).get("block") == proposed_champion(new)
        has_own_title = new["title"] != proposed_title(new)
        change(new, *args, **kwargs)
        drop_orphans(new)
        if not has_own_title:
            new["title"] = proposed_title(new)
        retitle(new)
        if follows:
            crown(new, proposed_champion(new))
        return new

    edited.__doc__ = change.__doc__
    return edited


def drop_orphans(draft: Draft) -> None:
    """Take out limits, awards and a duty to replace members that name a stage which is gone."""
    stages = {stage["key"] for stage in draft["stages"]}
    for name in ("limits", "awards"):
        kept = [each for each in draft.get(name, ()) if each["stage"] in stages]
        if kept:
            draft[name] = kept
        else:
            draft.pop(name, None)
    if draft.get("team", {}).get("replace", {}).get("stage", "") not in {"", *stages}:
        del draft["team"]["replace"]


def crown(draft: Draft, block: str | None) -> None:
    """Let the first of a block win; an unchanged choice keeps its note."""
    if block is None:
        draft.pop("champion", None)
    elif draft.get("champion", {}).get("block") != block:
        draft["champion"] = {"block": block}


def stage_named(draft: Draft, key: str) -> Draft:
    """Return the stage of a draft with this key; raise KeyError if there is none."""
    found: Draft = {stage["key"]: stage for stage in draft["stages"]}[key]
    return found
