"""What a visitor sees when there is nothing to see: with the way back, in their language."""

from __future__ import annotations

import sys

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template import loader

from league.platform.outages import Outage, outage_of
from league.web.problems import ProblemResponse, problem_of

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
NEVER_REPEATED = ("password", "otp", "token", "code")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The address asks for something that makes no sense."""
    return render(request, "errors/400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The visitor may not do this."""
    return render(request, "errors/403.html", status=403)


def form_not_ours(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without the mark of a page of ours: too old, or from another site. Nothing is told of why."""
    return render(request, "errors/csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is no such page, or none this visitor may know of."""
    return render(request, "errors/404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Something is broken: the page needs no database, no language and no context. Programs get their document."""
    fault = sys.exc_info()[1]
    if isinstance(fault, Exception) and request.path.startswith("/api/"):
        return ProblemResponse(problem_of(fault), instance=request.path)
    if outage := outage_of(fault):
        return out_of_order(request, outage)
    return HttpResponseServerError(loader.render_to_string("errors/500.html"))


def out_of_order(request: HttpRequest, outage: Outage) -> HttpResponse:
    """What passes by itself: the page says when to try again, and sends what was typed once more."""
    context = {"outage": outage.value, "fields": typed(request), "address": request.get_full_path()}
    page = loader.render_to_string("errors/503.html", context)
    return HttpResponse(page, status=503, headers={"Retry-After": str(outage.retry_after), "Cache-Control": "no-store"})


def typed(request: HttpRequest) -> list[tuple[str, str]]:
    """What the form held that could not be dealt with; nothing where it held a secret, or files."""
    if request.method != "POST" or request.content_type not in FORMS or request.FILES:
        return []
    fields = [(name, value) for name, values in request.POST.lists() for value in values]
    is_secret = any(word in name.lower() for name, _value in fields for word in NEVER_REPEATED if "csrf" not in name)
    return [] if is_secret else fields
