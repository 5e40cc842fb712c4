"""Describes every webhook event in the OpenAPI document: a schema with its constant `type`, and the union of them."""

from __future__ import annotations

from collections.abc import Iterator

from league.api.enums import ApiDescription
from league.services.webhooks.events import EVENTS

COMPONENTS = "#/components/schemas/"


def type_messages(result: ApiDescription, **_arguments: object) -> ApiDescription:
    """Return the OpenAPI document with a webhook and a message schema for each event."""
    schemas = result["components"]["schemas"]
    message = schemas["Message"]
    names = {event: f"{component_of(event)}Message" for event in EVENTS}
    for event, name in names.items():
        type_ = {"type": "string", "const": event, "description": "The event."}
        properties = {**message["properties"], "type": type_}
        schemas[name] = {**message, "description": str(EVENTS[event].meaning), "properties": properties}
    schemas["Message"] = {
        "description": "The message sent to a receiver.",
        "oneOf": [{"$ref": COMPONENTS + name} for name in names.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {event: COMPONENTS + name for event, name in names.items()},
        },
    }
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    result["webhooks"] = dict(webhooks(result["webhooks"]["message"]["post"], names))
    return result


def webhooks(operation: dict[str, object], names: dict[str, str]) -> Iterator[tuple[str, object]]:
    """Yield the webhook of each event, with its operation."""
    for event, name in names.items():
        body = {"content": {"application/json": {"schema": {"$ref": COMPONENTS + name}}}, "required": True}
        told = {
            **operation,
            "operationId": f"receive_{event.replace('.', '_')}",
            "summary": str(EVENTS[event].meaning).removesuffix("."),
            "requestBody": body,
            "security": [],
        }
        yield event, {"post": told}


def component_of(event: str) -> str:
    """Return an event's name as the beginning of a component's name: `ResultConfirmed` for `result.confirmed`."""
    return "".join(part.capitalize() for part in event.replace(".", "_").split("_"))
