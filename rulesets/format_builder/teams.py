"""Operations on a draft for teams and awards: who enters, members, limits on their hanchan, awards to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

from rulesets.format_builder.editing import edit
from rulesets.format_builder.picks import Draft

TEAMS = "teams"
USUAL_MEMBERS: Mapping[str, int] = {"least": 2, "most": 6}
MOST_MEMBERS = 20
MOST_AWARDS = 10


def is_for_teams(draft: Draft) -> bool:
    """Return whether the entrants of a draft are teams."""
    return bool(draft.get("kind") == TEAMS)


@edit
def set_kind(draft: Draft, kind: str) -> None:
    """Let teams or players enter; with teams the organizer sets each fixture, unless rounds are seated by a rule."""
    if kind == TEAMS:
        draft["kind"] = kind
        draft.setdefault("team", {"members": dict(USUAL_MEMBERS)})
        for stage in draft["stages"]:
            if "rounds" not in stage:
                stage["seating"] = "fixtures"
                stage.pop("sessions", None)
        return
    for name in ("kind", "team", "limits"):
        draft.pop(name, None)
    for stage in draft["stages"]:
        if stage["seating"] == "fixtures":
            stage["seating"] = "rounds"


@edit
def set_members(draft: Draft, least: int, most: int, *, both_sexes: bool) -> None:
    """Change the number of members of a team, and whether each team has women and men."""
    team = draft.setdefault("team", {})
    team["members"] = {"least": min(least, most), "most": max(least, most)}
    if both_sexes:
        team["both_sexes"] = True
    else:
        team.pop("both_sexes", None)


@edit
def set_limit(draft: Draft, stage: str, least: int | None, most: int | None, note: object) -> None:
    """Change the first limit on the hanchan of each member in a stage; without numbers it is taken out."""
    limits = draft.setdefault("limits", [])
    known: Draft | None = next((limit for limit in limits if limit["stage"] == stage), None)
    if least is None and most is None:
        limits[:] = [limit for limit in limits if limit is not known]
    else:
        if known is None:
            known = {"who": "player", "stage": stage}
            limits.append(known)
        for name, value in (("least", least), ("most", most), ("note", note or None)):
            if value is None:
                known.pop(name, None)
            else:
                known[name] = value
    if not limits:
        del draft["limits"]


@edit
def set_awards(draft: Draft, awards: Sequence[Mapping[str, object]]) -> None:
    """Change the awards to these, each with a stage, a figure, and perhaps a title and a minimum; keys are kept."""
    taken = {each.get("key") for each in awards}
    free = (key for number in count(1) if (key := f"award{number}") not in taken)
    found = [
        {name: value for name, value in {"key": next(free) if "key" not in each else None, **each}.items() if value}
        for each in awards[:MOST_AWARDS]
    ]
    if found:
        draft["awards"] = found
    else:
        draft.pop("awards", None)
