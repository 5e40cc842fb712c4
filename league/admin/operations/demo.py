"""Admin page that loads the demonstration data, and removes it again with one button."""

from __future__ import annotations

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from league.admin.base import actor_of
from league.files.reading import ImportRefusedError
from league.models import Competition, Door
from league.platform.rendering import render
from league.selectors.access.actors import Actor
from league.services.operations.demo import load_demo, remove_demo
from league.services.operations.demo_parlour import load_demo_parlour


def demo(request: HttpRequest) -> HttpResponse:
    """Show whether the demonstration is loaded; on POST load or remove it. Superusers only."""
    if not request.user.is_superuser:
        raise PermissionDenied
    demos = list(Competition.objects.filter(is_demo=True).order_by("name"))
    if request.method == "POST":
        (remove if demos else load)(request)
        return HttpResponseRedirect(reverse("admin:index"))
    context = {**admin.site.each_context(request), "title": _("Demonstration"), "demos": demos}
    return render(request, "admin/demo.html", context)


def load(request: HttpRequest) -> None:
    """Load the demonstration season and parlour, logged as done by the service itself."""
    # The past that is loaded is invented: an actor in the log would be blamed for results never entered.
    by = Actor.system(Door.ADMIN)
    try:
        load_demo(by=by)
    except ImportRefusedError as error:
        messages.error(request, _("The demonstration was not loaded: %(why)s") % {"why": error})
        return
    load_demo_parlour(by=by)
    messages.success(request, _("The demonstration is loaded. All people in it are invented."))


def remove(request: HttpRequest) -> None:
    """Remove the demonstration, including its players."""
    remove_demo(by=actor_of(request))
    messages.success(request, _("The demonstration is removed."))
