"""Tests of what the admin's lists and pages say: no codes, no JSON, no row twice, in both languages."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client
from django.utils import timezone

from league.models import (
    Block,
    Competition,
    FormatRevision,
    Invitation,
)
from league.services.operations.demo import load_demo
from league.services.operations.demo_parlour import load_demo_parlour
from league.services.results.rulings import adjust_points
from league.services.standings.publishing import publish_standings
from tests.factories import SYSTEM, in_block

pytestmark = pytest.mark.django_db

AS_CARDS = {FormatRevision}
"""Models shown as cards with pictures instead of a list."""
CODES = {
    str(value)
    for model in apps.get_app_config("league").get_models()
    for field in model._meta.get_fields()
    for value, _label in getattr(field, "choices", None) or ()
}
"""The values of every column with choices, as the database stores them."""
RAW = re.compile(
    r"""seed:\d | \b\w+\#\d              # the source of a slot
    | ^[{\[]["{\[]                       # JSON
    | (?<![@\w.])[a-z]+\.[a-z_]+\b       # the kind of a change
    | \b[a-z0-9-]+\ r\d+\b               # a revision
    | \d{4}-\d\d-\d\dT\d                 # a moment for programs
    | ^\d+[/\#: ]\d*\ ?[a-z]*$           # a row's number
    """,
    re.VERBOSE,
)
ALPHABETS = {"name_romaji", "email", "user", "entered_by", "who", "about", "pieces"}
"""Columns that hold what people typed, in any alphabet."""


class Texts(HTMLParser):
    """Parser of an admin page: rows of a list as cells by column, and the values of a row's page."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[dict[str, str]] = []
        self.values: list[str] = []
        self.headings: list[str] = []
        self.at: tuple[str, str] | None = None
        self.is_hidden = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a row, a cell, a value or the heading."""
        css = dict(attrs).get("class") or ""
        field = next((name.removeprefix("field-") for name in css.split() if name.startswith("field-")), "")
        self.is_hidden = self.is_hidden or (tag == "td" and css == "original")
        if tag == "tr":
            self.rows.append({})
        elif tag in {"td", "th"} and field and self.rows:
            self.at = ("cell", field)
            self.rows[-1][field] = ""
        elif tag == "div" and css == "readonly":
            self.at = ("value", "")
            self.values.append("")
        elif tag == "h1":
            self.at = ("heading", "")
            self.headings.append("")

    def handle_endtag(self, tag: str) -> None:
        """Close a cell, a value or the heading."""
        if tag in {"td", "th", "h1"} or (tag == "div" and self.at and self.at[0] == "value"):
            self.at, self.is_hidden = None, False

    def handle_data(self, data: str) -> None:
        """Add text to what is open."""
        if self.at is None or self.is_hidden:
            return
        kind, field = self.at
        if kind == "cell":
            self.rows[-1][field] += data
        else:
            (self.values if kind == "value" else self.headings)[-1] += data


def demonstration() -> Competition:
    """Load the demonstration with a decision of each simple kind and an invitation."""
    competition = load_demo()
    assert competition is not None
    load_demo_parlour(by=SYSTEM)
    block = Block.objects.get(competition=competition, key="A")
    adjust_points(block=block, entrant=in_block(block)[0], points=-100, reason="遅刻", by=SYSTEM, accept={"unseats"})
    Invitation.objects.create(
        competition=competition,
        email="new@example.org",
        role="scorer",
        language="ja",
        digest="x",
        expires_at=timezone.now() + dt.timedelta(days=1),
    )
    publish_standings(competition.pk)
    return competition


def listed_models() -> Iterator[type[Model]]:
    """Yield the models of the league with a list in the admin."""
    for model in admin.site._registry:
        if model._meta.app_label == "league" and model not in AS_CARDS:
            yield model


def shown_at(client: Client, address: str) -> Texts:
    """Return the texts of a page."""
    response = client.get(address)
    assert response.status_code == 200, address
    page = Texts()
    page.feed(response.content.decode())
    return page


def test_every_list_and_page_of_the_admin_speaks_in_words() -> None:
    demonstration()
    chief = User.objects.create_superuser("主任")
    for language in ("ja", "en"):
        client = Client(headers={"accept-language": language})
        client.force_login(chief)
        assert sorted({fault for model in listed_models() for fault in faults_of(model, client, language)}) == []


def faults_of(model: type[Model], client: Client, language: str) -> Iterator[str]:
    """Yield what a reader would not understand in a model's list and, in Japanese, on the page of its first row."""
    base = f"/admin/league/{model._meta.model_name}/"
    rows = [row for row in shown_at(client, base).rows if row]
    if len({tuple(row.items()) for row in rows}) < len(rows):
        yield f"{language} {base}: a row twice"
    texts = [(field, text) for row in rows for field, text in row.items()]
    first = model._default_manager.order_by("pk").first()
    if first is not None and language == "ja":
        page = shown_at(client, f"{base}{first.pk}/change/")
        cells = [text for row in page.rows for text in row.values()]
        texts += [("", text) for text in [*page.values, *page.headings, *cells]]
    for field, text in texts:
        if is_raw(text.strip(), field, language):
            yield f"{language} {base}: {field} {text.strip()!r}"


def is_raw(text: str, field: str, language: str) -> bool:
    """Return True for a text that only a programmer understands, or in English among Japanese."""
    if RAW.search(text):
        return True
    if language == "en":
        return False
    is_english = bool(field) and field not in ALPHABETS and re.fullmatch(r"[A-Za-z][a-z ]{3,}", text) is not None
    return text in CODES or is_english
