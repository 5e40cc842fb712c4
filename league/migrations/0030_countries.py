from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0029_guests'),
    ]

    operations = [
        migrations.AddField(
            model_name='entrant',
            name='country',
            field=models.CharField(blank=True, db_default='', default='', max_length=40, verbose_name='country or region that season'),
        ),
        migrations.AddField(
            model_name='player',
            name='country',
            field=models.CharField(blank=True, db_default='', default='', max_length=40, verbose_name='country or region'),
        ),
    ]
