"""The Celery application: `celery --app league worker` and `celery --app league beat`.

Its settings are the `CELERY_` ones of `league.settings`. Without a broker (embedded mode) tasks run
in the process that sends them.
"""

import os

from celery import Celery
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

app = Celery("league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)  # a task logs under the id of the request that asked for it
