from django.db import migrations, models

from league.platform.concurrent_indexes import AddIndexAside


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("league", "0012_table_session_starts_at")]
    operations = [
        AddIndexAside(
            model_name="resultsheet",
            index=models.Index(condition=models.Q(("state", "submitted")), fields=["hanchan"], name="sheet_waiting"),
        ),
    ]
