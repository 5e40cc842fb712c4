"""Views of the API's start page, the kinds of problems, and the OpenAPI document."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import resolve
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView

from league.api.access.root_documents import Root
from league.api.base import MissingView, StaticView
from league.api.schema import describe_get
from league.platform.site_url import absolute_url
from league.web.openapi_document import openapi
from league.web.problems import KINDS, ProblemKind

COLLECTIONS = (
    "competitions",
    "stages",
    "standings",
    "ranking",
    "sessions",
    "table-sessions",
    "hanchan",
    "players",
    "people",
    "records",
    "series",
    "rankings",
    "parlours",
    "rulesets",
    "clauses",
    "formats",
    "comparisons",
    "webhooks",
)


@describe_get("get_root", Root, missing=False)
class RootView(StaticView):
    """Return the URLs of the collections."""

    def document(self) -> Root:
        """Return the URLs of the collections."""
        return Root(
            version="1",
            documentation=self.address("docs"),
            schema_=self.address("schema"),
            collections={name: self.address(name) for name in COLLECTIONS},
        )

    def address(self, name: str) -> str:
        """Return an absolute URL."""
        return absolute_url(f"api:{name}", request=self.request)


@extend_schema(exclude=True)
class VersionsView(StaticView):
    """List the versions of the API, and the URL of the kinds of problems."""

    def document(self) -> dict[str, object]:
        """Return the URL of each version."""
        return {
            "versions": {"1": absolute_url("api:root", request=self.request)},
            "problems": absolute_url("api:problems", request=self.request),
        }


@extend_schema(exclude=True)
class ProblemsView(StaticView):
    """List all kinds of problems."""

    def document(self) -> list[dict[str, object]]:
        """Return the kinds in the client's language."""
        return [kind_document(kind) for kind in KINDS.values()]


@extend_schema(exclude=True)
class ProblemView(StaticView):
    """Document one kind of problem; the `type` of a problem document is the URL of this view."""

    def open(self, **path: object) -> None:
        """Raise Http404 for an unknown code."""
        if path["code"] not in KINDS:
            raise Http404

    def document(self) -> dict[str, object]:
        """Return the meaning of the kind, and advice for the client."""
        return kind_document(KINDS[self.kwargs["code"]])


def kind_document(kind: ProblemKind) -> dict[str, object]:
    """Return the description of a kind of problem."""
    return {
        "type": kind.type,
        "code": kind.code,
        "status": kind.status,
        "title": str(kind.title),
        "advice": str(kind.advice),
    }


@extend_schema(exclude=True)
class SchemaView(StaticView):
    """Return the OpenAPI document of the API."""

    def answer(self, request: HttpRequest, tag: str) -> HttpResponseBase:
        """Return the same bytes as the committed document."""
        return HttpResponse(self.document(), content_type="application/json")

    def document(self) -> bytes:
        """Return the serialized document."""
        return openapi()


class DocsView(SpectacularSwaggerSplitView):
    """Show the interactive API documentation; all its scripts and styles are served from this host."""

    url_name = "api:schema"
    template_name = "api/docs.html"


missing_view = MissingView.as_view()


@csrf_exempt
def missing(request: HttpRequest, rest: str) -> HttpResponseBase:
    """Respond to an unknown path; if only the trailing slash is missing, call the intended view."""
    if not request.path_info.endswith("/"):
        # No redirect: it would lose the body of a POST.
        found = resolve(f"{request.path_info}/")
        if found.func is not missing:
            answer: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
            return answer
    return missing_view(request)
