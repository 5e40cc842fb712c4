"""Documents of the API's start page and of tokens."""

from __future__ import annotations

from pydantic import Field

from league.web.documents import Document, Moment


class Root(Document):
    """The URLs of the collections."""

    version: str = Field(description="The version of the API.")
    documentation: str = Field(description="The address of the pages to click through.")
    schema_: str = Field(alias="schema", description="The address of the OpenAPI document.")
    collections: dict[str, str] = Field(description="The addresses of the collections by name.")


class Token(Document):
    """An API token. It is shown once; the server keeps only its digest."""

    token: str = Field(description="Sent as `Authorization: Bearer …`.")
    expires_at: Moment | None = Field(description="The moment it expires; null if it does not.")
    user: str = Field(description="The user name.")
