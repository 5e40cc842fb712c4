"""Addresses of competitions: proposed while a league is set up, and changed later."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from typing_extensions import override

from league.admin.base import PageView, ServiceView, may_set_up
from league.forms.competitions.setup import AddressForm
from league.forms.service import ServiceForm
from league.models import Competition
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Actor
from league.selectors.competitions.addresses import free_slug
from league.services.competitions.addresses import change_slug
from league.services.competitions.first_page import set_first_page
from league.web.access.shared_links import loopback_advice

FALLBACK = "league"


class AddressView(ServiceView[Competition, AddressForm]):
    """Change a competition's slug."""

    form_class = AddressForm
    title = gettext_lazy("Change the address")
    explanation = gettext_lazy(
        "Links, calendars and widgets with the former address lead to the new one, and no other competition can take"
        " it. Pages, calendars and QR codes show the new address from then on."
    )

    @override
    def form_arguments(self) -> dict[str, object]:
        return {"initial": {"slug": self.row.slug}}

    @override
    def notes(self) -> Iterable[object]:
        now = absolute_url("pages:home", self.row.slug, request=self.request)
        yield _("Now: %(address)s") % {"address": now}
        if advice := loopback_advice(now):
            yield advice
        if former := list(self.row.former_slugs.order_by("pk").values_list("slug", flat=True)):
            yield _("Before, and still leading here: %(slugs)s") % {"slugs": ", ".join(former)}

    @override
    def perform(self, form: AddressForm, by: Actor) -> str:
        change_slug(competition=self.row, slug=form.cleaned_data["slug"], by=by)
        return _("The address is now %(address)s.") % {
            "address": absolute_url("pages:home", self.row.slug, request=self.request)
        }


class FirstPageView(ServiceView[Competition, ServiceForm]):
    """Make a competition the first page of the service, or no longer."""

    title = gettext_lazy("First page of this service")
    submit = gettext_lazy("Change the first page")

    @override
    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        if not may_set_up(request):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)

    @override
    def notes(self) -> Iterable[object]:
        root, everything = (absolute_url(f"pages:{name}", request=self.request) for name in ("start", "competitions"))
        values = {"root": root, "list": everything, "name": str(self.row)}
        if self.row.is_first_page:
            yield _("%(root)s leads to “%(name)s” now; then it shows the list of all competitions.") % values
            return
        yield _("%(root)s will lead to “%(name)s”. The list of all competitions stays at %(list)s.") % values
        if former := Competition.objects.filter(is_first_page=True).first():
            yield _("Until now it leads to “%(name)s”.") % {"name": former}
        if self.row.status == Competition.Status.DRAFT:
            yield _("Visitors see the list until this competition is published.")

    @override
    def perform(self, form: ServiceForm, by: Actor) -> str:
        set_first_page(competition=self.row, is_first=not self.row.is_first_page, by=by)
        return _("Saved.")


class ProposedAddressView(PageView[Competition]):
    """Propose an address for a league while its name is typed."""

    def get(self, request: HttpRequest) -> HttpResponseBase:
        """Return slug and whole address as JSON: of the slug typed, else of one made from the names."""
        if not may_set_up(request):
            raise PermissionDenied
        typed = [request.GET.get(name, "")[:100] for name in ("slug", "name_en", "name", "format")]
        return JsonResponse(proposed_address(request, *typed))


def proposed_address(request: HttpRequest, slug: str, *names: str) -> dict[str, str]:
    """Return a slug, and the whole address of a competition with it; without a slug one is made from the names."""
    proposed = slug.strip() or free_slug(*names, FALLBACK)
    return {"slug": proposed, "address": absolute_url("pages:start", request=request) + f"c/{proposed}/"}
