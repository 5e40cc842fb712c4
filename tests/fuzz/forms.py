"""Parser for the HTML forms of a page; it gives them as a browser would send them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

SENDING = ("submit", "image", "reset", "button")


@dataclass
class Field:
    """A field of a form: its name, its present values and its choices."""

    name: str
    values: list[str] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    is_file: bool = False
    is_one_of: bool = False
    """True for a single select, of which a browser sends the first option if none is selected."""

    @property
    def untouched(self) -> list[str]:
        """Return the values that a browser sends if the user changes nothing."""
        return self.values or (self.choices[:1] if self.is_one_of else [])


@dataclass
class Form:
    """A form: its target address, its method and its fields."""

    address: str
    method: str
    fields: dict[str, Field] = field(default_factory=dict)
    enclosed: str = ""

    @property
    def key(self) -> tuple[str, str, tuple[str, ...]]:
        """Return the key by which forms are deduplicated."""
        return (self.method, self.address, tuple(sorted(self.fields)))

    @property
    def untouched(self) -> dict[str, list[str]]:
        """Return the values of all fields that a browser sends if the user changes nothing."""
        return {name: each.untouched for name, each in self.fields.items() if each.untouched}


class Forms(HTMLParser):
    """HTML parser that collects every form of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page
        self.found: list[Form] = []
        self.named: dict[str, Form] = {}
        self.form: Form | None = None
        self.select: Field | None = None
        self.area: Field | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a form, or add a field to it."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            address = urlsplit(urljoin(self.page, given.get("action") or self.page)).path
            self.form = Form(address, given.get("method", "get").lower())
            self.found.append(self.form)
            if "id" in given:
                self.named[given["id"]] = self.form
        form = self.named.get(given.get("form", ""), self.form)
        if tag == "option" and self.select is not None:
            self.select.choices.append(given.get("value", ""))
            if "selected" in given:
                self.select.values.append(given.get("value", ""))
        if form is None or not given.get("name"):
            return
        if tag in ("input", "button"):
            self._input(form, given, tag)
        elif tag in ("select", "textarea"):
            made = form.fields.setdefault(given["name"], Field(given["name"]))
            self.select, self.area = (made, None) if tag == "select" else (None, made)
            made.is_one_of = tag == "select" and "multiple" not in given

    def _input(self, form: Form, given: dict[str, str], tag: str) -> None:
        made = form.fields.setdefault(given["name"], Field(given["name"]))
        kind = given.get("type", "submit" if tag == "button" else "text")
        made.is_file = kind == "file"
        made.choices.append(given.get("value", "on" if kind == "checkbox" else ""))
        if kind not in ("checkbox", "radio", *SENDING) or "checked" in given:
            made.values.append(given.get("value", "on" if kind in ("checkbox", "radio") else ""))

    def handle_data(self, data: str) -> None:
        """Collect the text of a text area."""
        if self.area is not None:
            self.area.values.append(data.lstrip("\n"))

    def handle_endtag(self, tag: str) -> None:
        """Close a form or a field."""
        if tag == "form":
            self.form = None
        elif tag == "select":
            self.select = None
        elif tag == "textarea":
            self.area = None


def forms_of(page: str, text: str) -> Iterator[Form]:
    """Yield the forms in the text of the page at this address."""
    parser = Forms(page)
    parser.feed(text)
    yield from parser.found
