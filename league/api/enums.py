"""The names under which the OpenAPI document knows each set of values that a property may have.

Generated clients make a type of each. A set without a name here is refused, so that none gets a name by chance.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

from league.models import Audience, Competition, Hanchan, ResultSheet, SlotState, TableLink, WebhookDelivery
from league.platform.errors import Level
from league.selectors.standings.odds import Chance
from league.services.webhooks.events import CHOSEN, NAMES
from league.wording.conditions import By as PartedBy
from rulesets.clauses import Depth, Section, Status
from rulesets.example_kinds import KINDS
from rulesets.proofs import TEST
from scoring import conditions, hand, tulip
from scoring.hand.shapes import Wait
from scoring.ruleset.base import Wind
from scoring.ruleset.end import RoundName
from scoring.ruleset.ledgers import Unit
from scoring.ruleset.value import Dora, LimitName
from scoring.ruleset.yaku import Counts, YakuName

ENUMS: Mapping[str, Iterable[str]] = {
    "Audience": Audience,
    "ChanceKind": Chance,
    "ClauseDepth": Depth,
    "ClauseSectionKey": Section,
    "ClauseStatus": Status,
    "CompetitionKind": Competition.Kind,
    "CompetitionStatus": Competition.Status,
    "DoraKind": Dora,
    "EndState": (Hanchan.State.FINISHED, Hanchan.State.ENDED_BY_TIME),
    "ErrorLocation": ("body", "query", "path", "header"),
    "FuReason": hand.FuReason,
    "HanchanCriterion": ("points", "place", "score"),
    "HanchanState": Hanchan.State,
    "HandForm": hand.Form,
    "LedgerUnit": Unit,
    "LimitName": LimitName,
    "LinkKind": ("seed", "rank", "best", "draw", "ruling"),
    "MarginKind": conditions.Kind,
    "MeldKind": hand.MeldKind,
    "NeedStatus": conditions.Word,
    "NoWinReason": hand.NoWinReason,
    "NoticeCode": hand.Notice,
    "ObstacleCode": conditions.Obstacle,
    "OddsState": ("ready", "pending", "off", "unforeseeable"),
    "PartedBy": PartedBy,
    "PayerRole": hand.Payer,
    "PaymentCause": hand.PaymentCause,
    "ProofKind": (*KINDS, TEST),
    "RiichiDeclared": ("closed", "open"),
    "RiichiKind": hand.RiichiKind,
    "RivalPosition": ("same_table", "other_table", "finished", "more_left"),
    "RobbedTile": hand.Robbed,
    "RoundName": RoundName,
    "SentenceKind": conditions.Says,
    "Severity": Level,
    "SheetState": ResultSheet.State,
    "SlotStateName": SlotState.State,
    "SortDirection": ("asc", "desc"),
    "TableLinkKind": TableLink.Kind,
    "TieBreakCriterion": ("points", "place", "score", "ruling"),
    "TieOutcome": conditions.Level,
    "TulipEnd": tulip.End,
    "TulipMode": tulip.Mode,
    "TulipPayers": tulip.Payers,
    "VoidState": (Hanchan.State.SCHEDULED, Hanchan.State.ABANDONED),
    "WaitKind": Wait,
    "WallRow": tulip.Level,
    "WebhookDeliveryState": WebhookDelivery.State,
    "WebhookEvent": NAMES,
    "WebhookEventChosen": CHOSEN,
    "WinBy": hand.By,
    "Wind": Wind,
    "YakuCounts": Counts,
    "YakuName": YakuName,
}


def name_enums(result: dict[str, Any], generator: Any, **options: Any) -> dict[str, Any]:
    """Return the OpenAPI document with a component for every enum. Raise KeyError for one without a name."""
    names = {tuple(str(each) for each in values): name for name, values in ENUMS.items()}
    components = {name: _named(schema, names) for name, schema in result["components"]["schemas"].items()}
    for name, values in ENUMS.items():
        described = {"description": inspect.getdoc(values)} if isinstance(values, type(Enum)) else {}
        components[name] = {"type": "string", "enum": [str(each) for each in values], **described}
    result["components"]["schemas"] = dict(sorted(components.items()))
    return result


def _named(node: Any, names: Mapping[tuple[str, ...], str]) -> Any:
    """Return a schema with references in place of its enums."""
    if isinstance(node, list):
        return [_named(each, names) for each in node]
    if not isinstance(node, dict):
        return node
    if not isinstance(node.get("enum"), list):
        return {key: _named(value, names) for key, value in node.items()}
    values = tuple(each for each in node["enum"] if each is not None)
    rest = {key: value for key, value in node.items() if key not in ("type", "enum")}
    ref = {"$ref": f"#/components/schemas/{names[values]}"}
    if None in node["enum"]:
        return {"oneOf": [ref, {"type": "null"}], **rest}
    return {"allOf": [ref], **rest} if rest else ref
