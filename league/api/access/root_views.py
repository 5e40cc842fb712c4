"""Where everything is, what can go wrong, and the API's own description."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import resolve
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.reverse import reverse

from league.api.access.root_documents import Root
from league.api.base import MissingView, StaticView
from league.api.schema import reads
from league.web.openapi_document import openapi
from league.web.problems import KINDS, Kind

COLLECTIONS = (
    "competitions",
    "stages",
    "standings",
    "ranking",
    "sessions",
    "table-sessions",
    "hanchan",
    "players",
    "rulesets",
    "clauses",
    "formats",
    "comparisons",
    "webhooks",
)


@reads("get_root", Root, missing=False)
class RootView(StaticView):
    """Where everything is."""

    def document(self) -> Root:
        """The addresses of the collections."""
        return Root(
            version="1",
            documentation=self.address("docs"),
            schema_=self.address("schema"),
            collections={name: self.address(name) for name in COLLECTIONS},
        )

    def address(self, name: str) -> str:
        """A full address."""
        return reverse(f"api:{name}", request=self.request)


@extend_schema(exclude=True)
class VersionsView(StaticView):
    """Which versions of the API there are, and what can go wrong in any of them."""

    def document(self) -> dict[str, Any]:
        """The address of each."""
        return {
            "versions": {"1": reverse("api:root", request=self.request)},
            "problems": reverse("api:problems", request=self.request),
        }


@extend_schema(exclude=True)
class ProblemsView(StaticView):
    """Every kind of problem."""

    def document(self) -> list[dict[str, Any]]:
        """In the reader's language."""
        return [kind_document(kind) for kind in KINDS.values()]


@extend_schema(exclude=True)
class ProblemView(StaticView):
    """A kind of problem: where `type` leads to."""

    def open(self, **path: Any) -> None:
        """Refuse codes that are none."""
        if path["code"] not in KINDS:
            raise Http404

    def document(self) -> dict[str, Any]:
        """What it means and what to do."""
        return kind_document(KINDS[self.kwargs["code"]])


def kind_document(kind: Kind) -> dict[str, Any]:
    """A kind of problem, described."""
    return {
        "type": kind.type,
        "code": kind.code,
        "status": kind.status,
        "title": str(kind.title),
        "advice": str(kind.advice),
    }


@extend_schema(exclude=True)
class SchemaView(StaticView):
    """The OpenAPI document of the API."""

    def answer(self, request: HttpRequest, tag: str) -> HttpResponseBase:
        """As it is committed."""
        return HttpResponse(self.document(), content_type="application/json")

    def document(self) -> bytes:
        """Written out."""
        return openapi()


class DocsView(SpectacularSwaggerSplitView):
    """The API's description to click through; everything it loads comes from here."""

    url_name = "api:schema"
    template_name = "api/docs.html"


missing_view = MissingView.as_view()


@csrf_exempt
def missing(request: HttpRequest, rest: str) -> HttpResponseBase:
    """An address that is none; one that only lacks its last slash is taken for the one meant."""
    if not request.path_info.endswith("/"):
        found = resolve(f"{request.path_info}/")
        if found.func is not missing:
            answer: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
            return answer
    return missing_view(request)
