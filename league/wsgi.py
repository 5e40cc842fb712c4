"""The WSGI application that a production server loads: `league.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

from league.web import processes

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

application = get_wsgi_application()
processes.load()
