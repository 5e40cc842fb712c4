"""Test the rendering of pages."""

from __future__ import annotations

import gc
import weakref

from django.http import HttpRequest
from django.test import RequestFactory

from league.platform.rendering import render


class Listed:
    """A page of the site map."""

    alternates = (("en", "https://league.example/c/spring/?a=1&b=2"),)


def site_map(request: HttpRequest, listed: Listed) -> str:
    values = {"pages": [listed]}
    page = render(request, "competitions/sitemap.xml", values, status=203, content_type="application/xml")
    assert (page.status_code, page["Content-Type"]) == (203, "application/xml")
    return page.content.decode()


def test_a_page_has_its_values_escaped_and_its_status_and_type(rf: RequestFactory) -> None:
    assert "spring/?a=1&amp;b=2" in site_map(rf.get("/sitemap.xml"), Listed())


def test_the_values_of_a_page_are_freed_without_the_garbage_collector(rf: RequestFactory) -> None:
    listed, request = Listed(), rf.get("/sitemap.xml")
    seen = weakref.ref(listed)
    gc.disable()
    try:
        site_map(request, listed)
        del listed
        assert seen() is None
    finally:
        gc.enable()
