from django.db import migrations, models

from league.platform.concurrent_indexes import AddIndexAside


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("league", "0010_plain_orders")]
    operations = [
        AddIndexAside(
            model_name="hanchan",
            index=models.Index(
                condition=models.Q(("state__in", ["scheduled", "running"])),
                fields=["table_session"],
                name="hanchan_to_come",
            ),
        ),
    ]
