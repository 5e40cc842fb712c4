"""Paste the fixtures of a block: look at them first, then schedule them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from typing_extensions import override

from league.admin.base import ServiceView
from league.forms.seasons.fixtures import FixturesForm
from league.forms.service import ServiceForm
from league.models import Block
from league.selectors.access.actors import Actor
from league.selectors.seasons.pasted_fixtures import FixturePlan, planned_fixtures
from league.services.seasons.fixtures import add_fixtures


class FixturesView(ServiceView[Block, FixturesForm]):
    """Paste fixtures, see what they would be, and schedule them."""

    form_class = FixturesForm
    title = gettext_lazy("Fixtures")
    submit = gettext_lazy("Look at the fixtures")
    template = "admin/league/seasons/fixtures.html"
    plan: FixturePlan | None = None

    @override
    def post(self, request: HttpRequest, **kwargs: object) -> HttpResponse:
        """Show what the text would be; if the user has seen it, schedule it."""
        form = self.form(request.POST)
        if form.is_valid():
            self.plan = planned_fixtures(self.row, form.cleaned_data["text"])
            if self.plan.faults:
                form.add_error("text", list(self.plan.faults))
            elif request.POST.get("seen") == self.plan.digest:
                return super().post(request, **kwargs)
        return self.show(form)

    @override
    def perform(self, form: FixturesForm, by: Actor) -> str:
        made = add_fixtures(
            block=self.row, text=form.cleaned_data["text"], digest=self.request.POST.get("seen", ""), by=by
        )
        return ngettext("%(count)s table is scheduled.", "%(count)s tables are scheduled.", len(made)) % {
            "count": len(made)
        }

    @override
    def more_context(self, form: ServiceForm, effect: object = None) -> list[tuple[str, object]]:
        plan = self.plan if self.plan and not self.plan.faults else None
        return [
            ("plan", plan),
            ("seen", plan.digest if plan else ""),
            ("submit", _("Schedule these fixtures") if plan else self.submit),
        ]
