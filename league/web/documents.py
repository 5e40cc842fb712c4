"""The base of every document: one class is both the JSON of an answer and its component in the OpenAPI document.

A component is called as its class; where a row or a record of the engine has that name (`Hanchan`), the class ends with
`Document`, and the component does not. JSON keeps the order of the fields; a base's come first, and of several bases
those of the last one. Nothing is converted but ids, since amounts and moments need a ledger or a time zone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from league.web.url_converters import ID

AMOUNT = r"^-?[0-9]+(\.[0-9]+|/[0-9]+)?$"

Ref = Annotated[str, Field(coerce_numbers_to_str=True, json_schema_extra={"pattern": f"^{ID}$"})]
"""An id."""
Amount = Annotated[str, Field(json_schema_extra={"pattern": AMOUNT})]
"""A decimal such as -30.0, or a fraction such as 20/3 where no decimal ends."""
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
"""An ISO 8601 moment in the competition's time zone."""
Values = dict[str, Any]
"""Any JSON object."""
AsOf = Annotated[int, Field(description="The published version that was read.")]
Clauses = Annotated[list[str], Field(description="The clauses of the rule book it rests on.")]


class Document(BaseModel):
    """A JSON object of an answer. Raise pydantic.ValidationError if it is built from values of other types."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", from_attributes=True, validate_by_name=True, serialize_by_alias=True
    )

    @classmethod
    def build(cls, source: object, /, **rest: Any) -> Self:
        """Return the document of a row or record: a field that `rest` does not give is its attribute of that name."""
        return cls(**{name: getattr(source, name) for name in cls.model_fields if name not in rest}, **rest)

    def as_json(self) -> dict[str, Any]:
        """Return the object as the JSON encoder takes it."""
        return self.model_dump(mode="json")


Row = TypeVar("Row", bound=Document)


class Page(Document, Generic[Row]):
    """A page of results."""

    count: int = Field(description="The number of results on all pages.")
    next: str | None = Field(description="The address of the next page; null on the last.")
    previous: str | None = Field(description="The address of the page before; null on the first.")
    results: list[Row] = Field(description="The results of this page.")

    @classmethod
    def model_parametrized_name(cls, params: tuple[Any, ...]) -> str:
        """Call a page of `Clause` `ClausePage`."""
        return f"{component_name(params[0])}Page"


def component_name(document: type[Any]) -> str:
    """Return the name of a document's component."""
    return document.__name__.removesuffix("Document")


def plain_schema(node: Any, enums: Mapping[str, Any]) -> Any:
    """Return a JSON schema in the form of the other components: no titles, nullable types, enums in place."""
    if isinstance(node, list):
        return [plain_schema(each, enums) for each in node]
    if not isinstance(node, dict):
        return node
    found = {
        key: plain_schema(value, enums)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str)) and (key, value) != ("additionalProperties", False)
    }
    if "$ref" in found:
        ref = found.pop("$ref")
        found = (enums[ref] if ref in enums else {"$ref": ref.removesuffix("Document")}) | found
    match found.pop("anyOf", None):
        case [{"$ref": ref}, {"type": "null"}]:
            return {"oneOf": [{"$ref": ref}, {"type": "null"}], **found}
        case [dict(inner), {"type": "null"}]:
            nullable = {"enum": [*inner["enum"], None]} if "enum" in inner else {}
            return {**inner, "type": [inner["type"], "null"], **nullable, **found}
    return {"allOf": [{"$ref": found.pop("$ref")}], **found} if "$ref" in found and len(found) > 1 else found
