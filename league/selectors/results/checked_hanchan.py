"""A hanchan with all that its result is checked against and settled by, in one SQL statement."""

from __future__ import annotations

from league.models import (
    Block,
    Competition,
    FormatRevision,
    Hanchan,
    RulesetRevision,
    RulesInForce,
    Stage,
    TableSession,
)
from league.selectors.access.raw_rows import columns_of, read_joined

TABLES = {
    "hanchan": Hanchan,
    "block": Block,
    "competition": Competition,
    "stage": Stage,
    "seating": TableSession,
    "rules": RulesInForce,
    "ruleset": RulesetRevision,
    "format": FormatRevision,
}
BY_ID = """
SELECT {columns}
FROM league_hanchan AS hanchan
JOIN league_block AS block ON block.id = hanchan.block_id
JOIN league_competition AS competition ON competition.id = block.competition_id
JOIN league_stage AS stage ON stage.id = block.stage_id
JOIN league_tablesession AS seating ON seating.id = hanchan.table_session_id
JOIN league_rulesinforce AS rules ON rules.id = hanchan.rules_id
JOIN league_rulesetrevision AS ruleset ON ruleset.id = rules.ruleset_id
JOIN league_formatrevision AS format ON format.id = rules.format_id
WHERE hanchan.id = %s
""".format(columns=", ".join(columns_of(model, table) for table, model in TABLES.items()))


def checked_hanchan(pk: int) -> Hanchan:
    """Return the hanchan with its block, stage, competition, table session and rules. Raise Hanchan.DoesNotExist."""
    row = next(read_joined([*TABLES.values()], BY_ID, [pk]), None)
    if row is None:
        raise Hanchan.DoesNotExist
    hanchan: Hanchan
    hanchan, block, competition, stage, seating, rules, ruleset, played_format = row
    block.competition, block.stage = competition, stage
    rules.ruleset, rules.format = ruleset, played_format
    hanchan.block, hanchan.table_session, hanchan.rules = block, seating, rules
    return hanchan
