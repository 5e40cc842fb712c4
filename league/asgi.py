"""The ASGI application of the stream of live tables: `league.asgi:application`. Pages and REST are `league.wsgi`."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import translation  # noqa: E402

from league.api.live.stream import Stream  # noqa: E402 - needs the models

application = Stream()
# Before the server forks, and before the first client waits: URL patterns and translations.
for language, _name in settings.LANGUAGES:
    with translation.override(language):
        reverse("api:root")
