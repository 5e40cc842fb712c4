"""The demonstration: put there to look at, and taken away again with one button."""

from __future__ import annotations

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from league.admin.base import actor_of
from league.files.reading import ImportRefusedError
from league.models import Competition, Door
from league.selectors.access.actors import Actor
from league.services.operations.demo import load_demo, remove_demo
from league.services.operations.demo_parlour import load_demo_parlour


def demo(request: HttpRequest) -> HttpResponse:
    """Say what loading or removing does, and do it."""
    if not request.user.is_superuser:
        raise PermissionDenied
    demos = list(Competition.objects.filter(is_demo=True).order_by("name"))
    if request.method == "POST":
        (remove if demos else load)(request)
        return HttpResponseRedirect(reverse("admin:index"))
    context = {**admin.site.each_context(request), "title": _("Demonstration"), "demos": demos}
    return render(request, "admin/demo.html", context)


def load(request: HttpRequest) -> None:
    """Put the season and the parlour there; their past is the service's invention, nobody's deed."""
    by = Actor.system(Door.ADMIN)
    try:
        load_demo(by=by)
    except ImportRefusedError as error:
        messages.error(request, _("The demonstration was not loaded: %(why)s") % {"why": error})
        return
    load_demo_parlour(by=by)
    messages.success(request, _("The demonstration is loaded. Everybody in it is invented."))


def remove(request: HttpRequest) -> None:
    """Take it away with its people."""
    remove_demo(by=actor_of(request))
    messages.success(request, _("The demonstration is removed."))
