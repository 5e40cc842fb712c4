"""Generation of the OpenAPI document (drf-spectacular): names, common responses, schemas of documents."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping

from drf_spectacular.drainage import set_override
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_view

from league.api.fields import Query, StrictSerializer
from league.web.documents import Document, component_name, plain_schema
from league.web.problem_documents import ProblemDocument
from league.web.problems import KINDS, MEDIA_TYPE

COMPONENTS = "#/components/schemas/"
COMMON_STATUSES = (400, 401, 406, 429, 500, 503)
REFUSALS = (*COMMON_STATUSES, 403, 404, 409, 412, 413, 415, 422, 428)
"""The statuses with which a write can be refused."""
CONDITIONAL = OpenApiParameter(
    "If-None-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The ETag of the answer you have; 304 if it is still the answer.",
)
LANGUAGE = OpenApiParameter(
    "Accept-Language",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="`ja` or `en`: the language of messages.",
)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular has no type here
    """Declares the authentication by a token in the Authorization header."""

    target_class = "league.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return the bearer scheme, which generated clients know how to send."""
        description = "`Authorization: Bearer …` with a token from `auth/login/` or from the page “Account → Tokens”."
        return {"type": "http", "scheme": "bearer", "description": description}


class LinkScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # drf-spectacular has no type here
    """Declares the authentication by a table's link, which the operations at a table accept."""

    target_class = "league.api.authentication.LinkAuthentication"
    name = "link"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return an API key, because HTTP has no registered scheme for links."""
        description = (
            "`Link …` with the token of a table's link, for that table alone: the part after `/t/` of its URL."
        )
        return {"type": "apiKey", "in": "header", "name": "Authorization", "description": description}


class DocumentExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # drf-spectacular has no type here
    """Makes components of documents; enums remain inline, where `name_enums` finds them."""

    target_class = "league.web.documents.Document"
    match_subclasses = True
    priority = 1  # before the extension for any pydantic model

    def get_name(self, auto_schema: AutoSchema, direction: str) -> str:
        """Return the component's name."""
        set_override(self.target, "suppress_collision_warning", value=True)  # parts are registered by name alone
        return component_name(self.target)

    def map_serializer(self, auto_schema: AutoSchema, direction: str) -> dict[str, object]:
        """Return the document's schema, and register the components of its parts."""
        schema = self.target.model_json_schema(mode="serialization", ref_template=f"{COMPONENTS}{{model}}")
        parts = schema.pop("$defs", {})
        enums = {f"{COMPONENTS}{name}": plain_schema(part, {}) for name, part in parts.items() if "enum" in part}
        for name, part in parts.items():
            if "enum" not in part:
                component = ResolvedComponent(  # type: ignore[no-untyped-call]  # no types
                    name=name.removesuffix("Document"),
                    type=ResolvedComponent.SCHEMA,
                    object=name,
                    schema=plain_schema(part, enums),
                )
                auto_schema.registry.register_on_missing(component)
        return {"description": inspect.getdoc(self.target), **plain_schema(schema, enums)}


def problems(*statuses: int) -> dict[object, OpenApiResponse]:
    """Return the responses for these statuses, each a problem document."""
    titles = {status: ", ".join(k.code for k in KINDS.values() if k.status == status) for status in statuses}
    return {
        (status, MEDIA_TYPE): OpenApiResponse(ProblemDocument, description=titles[status]) for status in sorted(titles)
    }


def describe_get(
    operation: str,
    shape: type[Document] | OpenApiResponse | None,
    *,
    query: type[Query] | None = None,
    files: Mapping[str, object] | None = None,
    missing: bool = True,
    refusals: tuple[int, ...] = (),
) -> Callable[[type], type]:
    """Describe the GET of a view: its document, `files` by media type, 304, and the possible problems."""
    responses: dict[object, object] = {(200, "application/json"): shape} if shape else {}
    responses |= {(200, media): kind for media, kind in (files or {}).items()}
    responses[304] = OpenApiResponse(description="You have the answer already.")
    responses |= problems(*COMMON_STATUSES, *refusals, *((404,) if missing else ()), 412)
    parameters: list[OpenApiParameter | type[Query]] = [*([query] if query else []), CONDITIONAL, LANGUAGE]

    def describe(view: type) -> type:
        get = extend_schema(
            operation_id=operation, description=inspect.getdoc(view), parameters=parameters, responses=responses
        )
        described: type = extend_schema_view(get=get)(view)
        return described

    return describe


def describe_post(
    operation: str,
    body: type[StrictSerializer] | None,
    shape: type[Document] | None,
    *,
    status: int = 200,
    headers: tuple[OpenApiParameter, ...] = (),
) -> Callable[[type], type]:
    """Describe the POST of a view: its request body, its response, and the possible problems."""
    done = shape or OpenApiResponse(description="Done.")
    responses: dict[object, object] = {(status, "application/json") if shape else status: done}
    responses |= problems(*REFUSALS)
    post = extend_schema(operation_id=operation, request=body, parameters=[*headers, LANGUAGE], responses=responses)
    return extend_schema_view(post=post)
