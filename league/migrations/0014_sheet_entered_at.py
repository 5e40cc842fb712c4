from django.db import migrations, models

from league.platform.concurrent_indexes import AddIndexAside


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("league", "0013_sheet_waiting")]
    operations = [
        AddIndexAside(
            model_name="resultsheet",
            index=models.Index(fields=["entered_at"], name="sheet_entered_at"),
        ),
    ]
