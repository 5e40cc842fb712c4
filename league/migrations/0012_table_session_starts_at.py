from django.db import migrations, models

from league.platform.concurrent_indexes import AddIndexAside


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("league", "0011_hanchan_to_come")]
    operations = [
        AddIndexAside(
            model_name="tablesession",
            index=models.Index(fields=["starts_at"], name="table_session_starts_at"),
        ),
    ]
