"""The WSGI application that a production server loads: `league.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

from league.web.operations import processes

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

application = get_wsgi_application()
# Before the server forks: all workers share the loaded modules and templates.
processes.load()
