import datetime as dt
from typing import Any

from django.db import migrations


def give_each_open_table_a_parlour(apps: Any, schema_editor: Any) -> None:
    """Make a parlour for each open table, with its address and names; tables that sat before become its tables.

    Games until today were paid for without statements, so these are settled from today on.
    """
    parlours, tables = apps.get_model("league", "Parlour"), apps.get_model("league", "ParlourTable")
    sessions = apps.get_model("league", "TableSession").objects
    for row in apps.get_model("league", "Competition").objects.filter(kind="open", parlour=None):
        parlour = parlours.objects.create(slug=row.slug, name=row.name, name_en=row.name_en, settles_from=dt.date.today())
        row.parlour = parlour
        row.save(update_fields=["parlour"])
        names = sessions.filter(competition=row, sitting__isnull=False).values_list("table", flat=True)
        for order, name in enumerate(sorted({name for name in names if name})):
            tables.objects.create(parlour=parlour, name=name, order=order, usual_book=row)


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0027_parlours'),
    ]

    operations = [
        migrations.RunPython(give_each_open_table_a_parlour, migrations.RunPython.noop),
    ]
