"""Test that static files are served without the manifest that lists them."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.test import RequestFactory

from league.web.middleware.static_files import StaticFiles


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "status"),
    [("league.css", 200), ("staticfiles.json", 404), ("staticfiles.json.gz", 404), ("staticfiles.json.br", 404)],
)
def test_the_manifest_of_the_static_files_is_not_served(
    settings: LazySettings, tmp_path: Path, name: str, status: int
) -> None:
    for each in ("league.css", "staticfiles.json", "staticfiles.json.gz", "staticfiles.json.br"):
        (tmp_path / each).write_text("{}")
    settings.STATIC_ROOT, settings.WHITENOISE_AUTOREFRESH, settings.WHITENOISE_USE_FINDERS = tmp_path, False, False
    serve = StaticFiles(lambda _request: HttpResponse(status=404))
    answer = serve(RequestFactory().get(f"/static/{name}"))
    answer.close()  # ends the request, which looks at the connection of the database
    assert answer.status_code == status
