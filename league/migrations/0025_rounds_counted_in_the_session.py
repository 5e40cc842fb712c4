from typing import Any

from django.db import migrations


def count_in_the_session(apps: Any, schema_editor: Any) -> None:
    """Count the rounds of a league's hanchan in their session; until now they were counted at each table.

    The order of a table's hanchan stays, and no round becomes smaller, so the last one is changed first.
    """
    games = apps.get_model("league", "Hanchan").objects.filter(block__competition__kind="league")
    rows = games.values_list("block_id", "table_session__session_id", "table_session_id", "number", "pk", "round")
    numbers: dict[tuple[int, int], set[int]] = {}
    played: dict[tuple[int, int], list[int]] = {}
    for block, session, table, number, _pk, _round in rows:
        numbers.setdefault((block, session), set()).add(number)
        played.setdefault((block, table), []).append(number)
    for block, session, table, number, pk, before in rows.order_by("-number"):
        of_table = played[block, table]
        after = sorted(numbers[block, session]).index(number) + 1
        if after != before and len(set(of_table)) == len(of_table):
            games.filter(pk=pk).update(round=after)


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0024_round_of_the_session'),
    ]

    operations = [
        migrations.RunPython(count_in_the_session, migrations.RunPython.noop),
    ]
