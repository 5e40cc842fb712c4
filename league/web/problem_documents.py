"""Problem documents: error responses as RFC 9457 problem details."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from league.platform.errors import Level
from league.web.documents import Document, Values

Location = Literal["body", "query", "path", "header"]
"""A part of a request."""


class FindingDocument(Document):
    """One error or warning in the request."""

    in_: Location = Field(alias="in", description="The part of the request.")
    pointer: str = Field(description="A JSON pointer to the fault.")
    code: str = Field(description="Stable; decide by this.")
    level: Level = Field(description="An error must be put right; a warning can be accepted by its code.")
    detail: str = Field(description="A sentence in the client's language.")
    params: Values = Field(description="The figures and names of the sentence.")
    clause: str = Field(description="The clause of the rule book behind it, if there is one.")


class ProblemDocument(Document):
    """The problem details of an error response (RFC 9457)."""

    type: str = Field(description="Where this kind of problem is described.")
    title: str = Field(description="The kind in words.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="A sentence that names the fault and the remedy.")
    instance: str = Field(description="The path of the request.")
    code: str = Field(description="Stable; decide by this.")
    errors: list[FindingDocument] = Field(description="Everything that is wrong, each at its place.")
    request_id: str = Field(description="The id under which the logs know the request.")
