"""Base class of all documents: one class is both the JSON of a response and its component in the OpenAPI document.

A component has the name of its class. If a row or an engine record has that name already (`Hanchan`), the class ends
with `Document`, and the component does not. JSON keeps the order of the fields; a base's fields come first, and with
several bases those of the last one. Only ids are converted, because amounts and moments need a ledger or a time zone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from league.web.url_converters import ID

AMOUNT = r"^-?[0-9]+(\.[0-9]+|/[0-9]+)?$"

Ref = Annotated[str, Field(coerce_numbers_to_str=True, json_schema_extra={"pattern": f"^{ID}$"})]
"""The id of a row, as a string."""
Amount = Annotated[str, Field(json_schema_extra={"pattern": AMOUNT})]
"""A decimal such as -30.0, or a fraction such as 20/3 if there is no finite decimal."""
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""An ISO 8601 moment in the competition's time zone."""
Values = dict[str, object]
"""A JSON object of unknown keys."""
AsOf = Annotated[int, Field(description="The published version that was read.")]
Clauses = Annotated[list[str], Field(description="The clauses of the rule book it rests on.")]


class Document(BaseModel):
    """A JSON object of a response. Raise pydantic.ValidationError if it is built from values of other types."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", from_attributes=True, validate_by_name=True, serialize_by_alias=True
    )

    @classmethod
    def build(cls, source: object, /, **rest: object) -> Self:
        """Return the document of a row or record. A field missing in `rest` is its attribute of the same name."""
        own = {name: getattr(source, name) for name in field_names(cls) if name not in rest}
        return cls.model_validate(own | rest)

    def as_json(self) -> dict[str, object]:
        """Return the object as a dict for the JSON encoder."""
        return self.model_dump(mode="json")


@cache
def field_names(document: type[Document]) -> tuple[str, ...]:
    """Return the names of a document's fields, kept because pydantic builds `model_fields` at each access."""
    return tuple(document.model_fields)


Row = TypeVar("Row", bound=Document)


class Page(Document, Generic[Row]):
    """One page of a paginated collection."""

    count: int = Field(description="The number of results on all pages.")
    next: str | None = Field(description="The address of the next page; null on the last.")
    previous: str | None = Field(description="The address of the page before; null on the first.")
    results: list[Row] = Field(description="The results of this page.")

    @classmethod
    def model_parametrized_name(cls, params: tuple[Any, ...]) -> str:
        """Return the component's name: `ClausePage` for a page of `Clause`."""
        return f"{component_name(params[0])}Page"


class UpdatedPage(Page[Row], Generic[Row]):
    """One page of a paginated collection that can be limited to rows changed since a moment."""

    updated_at: Moment | None = Field(
        description="The moment of the newest change in this page's version. Send it as `updated_since` to get what "
        "has changed after this page; rows of that very moment come again. Null before the first change."
    )


def component_name(document: type[object]) -> str:
    """Return the component name of a document class."""
    return document.__name__.removesuffix("Document")


def plain_schema(schema: Mapping[str, object], enums: Mapping[str, dict[str, object]]) -> dict[str, object]:
    """Return a JSON schema in the style of the other components: no titles, nullable types, inline enums."""
    found = {
        key: _plain_part(value, enums)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str)) and (key, value) != ("additionalProperties", False)
    }
    if isinstance(ref := found.get("$ref"), str):
        del found["$ref"]
        found = (enums[ref] if ref in enums else {"$ref": ref.removesuffix("Document")}) | found
    match found.pop("anyOf", None):
        case [{"$ref": ref}, {"type": "null"}]:
            return {"oneOf": [{"$ref": ref}, {"type": "null"}], **found}
        case [dict(inner), {"type": "null"}]:
            nullable = {"enum": [*inner["enum"], None]} if "enum" in inner else {}
            return {**inner, "type": [inner["type"], "null"], **nullable, **found}
    return {"allOf": [{"$ref": found.pop("$ref")}], **found} if "$ref" in found and len(found) > 1 else found


def _plain_part(part: object, enums: Mapping[str, dict[str, object]]) -> object:
    if isinstance(part, list):
        return [_plain_part(each, enums) for each in part]
    return plain_schema(part, enums) if isinstance(part, dict) else part
