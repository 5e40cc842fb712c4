from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0023_first_page'),
    ]

    operations = [
        migrations.AlterField(
            model_name='hanchan',
            name='round',
            field=models.PositiveIntegerField(help_text='Round of the session: 1 for the first, 2 for the second', verbose_name='round'),
        ),
    ]
