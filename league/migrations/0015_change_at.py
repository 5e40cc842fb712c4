from django.db import migrations, models

from league.platform.concurrent_indexes import AddIndexAside


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("league", "0014_sheet_entered_at")]
    operations = [
        AddIndexAside(
            model_name="change",
            index=models.Index(fields=["at"], name="change_at"),
        ),
    ]
