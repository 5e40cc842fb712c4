"""The set-up of a parlour in five steps, which ends at its board with a table to open for the first guest."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.forms.parlour.setup import SetUpForm
from league.platform.errors import ServiceError
from league.platform.rendering import render
from league.platform.site_url import absolute_url
from league.selectors.access.actors import has_right
from league.services.parlour.setup import set_up_parlour
from league.views.parlour.board import actor_of, back_to
from league.web.access.visitors import to_sign_in

BACK = "back"


@require_http_methods(["GET", "HEAD", "POST"])
def set_up(request: HttpRequest) -> HttpResponseBase:
    """Show a step of the set-up and keep the input; the last step creates the parlour."""
    if not request.user.is_authenticated:
        return to_sign_in(request)
    if not has_right(request.user, "league.add_competition"):
        return render(request, "parlour/setup_refused.html", status=403)
    form = SetUpForm(request.POST if request.method == "POST" else None)
    step = request.POST.get("step", "")
    if step not in form.steps:
        return show(request, form, form.steps[0])
    return _go_on(request, form, step, request.POST.get("go", ""))


def _go_on(request: HttpRequest, form: SetUpForm, step: str, go: str) -> HttpResponse:
    """Follow the button pressed on a step: back, on, to an earlier step by its name, or finish on the last one."""
    following, status = _following(form, step, go)
    if following is not None:
        return show(request, form, following, status)
    try:
        parlour = set_up_parlour(plan=form.plan(), by=actor_of(request))
    except ServiceError as error:
        return show(request, form, form.take(error), status=422)
    return back_to("open_table", parlour.slug, first=1)


def _following(form: SetUpForm, step: str, go: str) -> tuple[str | None, int]:
    """Return the step to show with its HTTP status; None once every step is complete."""
    place = form.steps.index(step)
    if go == BACK:
        return form.steps[max(0, place - 1)], 200
    if go in form.steps[:place]:
        return go, 200
    if not form.is_valid(step):
        return step, 422
    if place + 1 < len(form.steps):
        return form.steps[place + 1], 200
    return form.first_open_step(), 422


def show(request: HttpRequest, form: SetUpForm, step: str, status: int = 200) -> HttpResponse:
    """Render a step with everything typed in the others as hidden fields."""
    place = form.steps.index(step)
    titles = {
        "house": _("The house"),
        "books": _("Rule books"),
        "options": _("House options"),
        "tables": _("Tables and fees"),
        "readers": _("Public rankings"),
    }
    slug = form.house.proposed_slug() if form.house.is_bound else ""
    context = {
        "form": form,
        "step": step,
        "title": titles[step],
        "steps": [
            {"key": key, "title": title, "number": number, "is_done": number <= place}
            for number, (key, title) in enumerate(titles.items(), start=1)
        ],
        "carried": list(form.carried(step)),
        "is_last": step == form.steps[-1],
        "address": absolute_url("pages:start", request=request) + f"p/{slug}/" if slug else "",
    }
    return render(request, f"parlour/setup_{step}.html", context, status=status)
