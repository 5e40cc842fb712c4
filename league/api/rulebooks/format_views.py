"""Views of league formats: reading, checking and storing them, and trying them out with invented results."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.authentication import actor_of
from league.api.base import CalculationView
from league.api.fields import PagedQuery, StrictSerializer
from league.api.queries import RevisionQuery
from league.api.renderers import JsonRenderer
from league.api.rulebooks.format_documents import (
    FormatCheckDocument,
    FormatDocument,
    FormatHead,
    TrialDocument,
    check_document,
    format_document,
    format_head,
    trial_document,
)
from league.api.rulebooks.rule_views import ShelfView
from league.api.schema import describe_get, describe_post
from league.api.writing import Checked, WritingView, describe_write
from league.selectors.access.actors import Actor
from league.selectors.rulebooks.catalogue import Shelf, formats_for
from league.selectors.rulebooks.format_trials import try_format
from league.services.rulebooks.own_formats import (
    LONGEST_FORMAT,
    FormatCheck,
    check_format,
    faults_found,
    keep_own_format,
    refuse_long_format,
    require_formats,
    written,
)
from league.services.rulebooks.own_rulesets import tidied
from league.web.documents import Page
from league.web.problems import ProblemError, finding_document
from scoring.format import Format
from scoring.format.numbers import format_numbers
from scoring.format.trial import Scenario


class TomlRenderer(BaseRenderer):
    """Renders a format as its file."""

    media_type = "application/toml"
    format = "toml"

    def render(
        self, data: FormatDocument, accepted_media_type: str | None = None, renderer_context: object = None
    ) -> bytes:
        """Return the text of the file."""
        return data.text.encode()


class FormatQuery(RevisionQuery):
    """The revision of a format to read, and its representation."""

    format = serializers.ChoiceField(["json", "toml"], required=False, help_text="The representation.")


@extend_schema_field({"type": "object", "additionalProperties": {}})
class ValuesField(serializers.DictField):
    """The values of a format by table and key, as in its file."""


class FormatInput(StrictSerializer):
    """A format, as the text of a file or as its values."""

    toml = serializers.CharField(
        max_length=LONGEST_FORMAT, trim_whitespace=False, required=False, help_text="The text of a file."
    )
    values = ValuesField(required=False, help_text="In place of `toml`: the values, as `GET` returns them.")

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        """Check that the format is given once."""
        if ("toml" in attrs) == ("values" in attrs):
            message = _("Send either `toml`, the text of a file, or `values`.")
            raise serializers.ValidationError({"toml": [serializers.ErrorDetail(message, "toml_or_values")]})
        return attrs


class FormatTrialInput(StrictSerializer):
    """The results to invent."""

    revision = serializers.IntegerField(
        min_value=1, max_value=1_000_000, required=False, help_text="A revision of the format."
    )
    seed = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=1, help_text="Equal seeds give equal trials."
    )
    scenario = serializers.ChoiceField(
        [each.value for each in Scenario], default=Scenario.USUAL.value, help_text="The kind of results."
    )


class FormatShelfView(ShelfView[Format]):
    """Base of documents about league formats."""

    def visible_shelf(self) -> Shelf[Format]:
        """Return the formats that the user may see."""
        return formats_for(self.request.user)


@describe_get("list_formats", Page[FormatHead], query=PagedQuery)
@describe_write("keep_format", FormatInput, FormatDocument)
class FormatsView(FormatShelfView, WritingView):
    """List the league formats. A POST stores one as the next revision of its name.

    An equal text returns the revision that was stored before, so the request may be sent again.
    """

    query_class = PagedQuery

    def document(self) -> dict[str, object]:
        """Return one page."""
        return self.page_of(list(self.shelf.books()), lambda books: [format_head(book) for book in books])

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Store a format."""
        require_formats(actor_of(request))
        values: Checked = FormatInput.check(request.data)
        text, check = checked(values)
        if not check.is_sound:
            raise ProblemError(
                "rule_violation",
                errors=[finding_document(each) for each in faults_found(check.faults, *place_of(values))],
            )
        return self.run_once(lambda by: self.keep(text, by))

    def keep(self, text: str, by: Actor) -> FormatDocument:
        """Store the format and return its revision."""
        revision = keep_own_format(text=text, by=by)
        shelf = formats_for(self.request.user)
        book = shelf.book(revision.name, revision.number)
        if book is None:
            raise Http404
        return format_document(book, shelf.revisions(revision.name))


@describe_get("get_format", FormatDocument, query=FormatQuery, files={"application/toml": OpenApiTypes.STR})
class FormatView(FormatShelfView):
    """Return a league format with its values, or as its file."""

    query_class = FormatQuery
    renderer_classes = [JsonRenderer, TomlRenderer]

    def document(self) -> FormatDocument:
        """Return the requested revision."""
        return format_document(self.book(), self.shelf.revisions(self.kwargs["name"]))


@describe_post("check_format", FormatInput, FormatCheckDocument)
class CheckFormatView(CalculationView):
    """Check a format: every fault at once with its place, or what the format needs."""

    def post(self, request: Request) -> Response:
        """Return the faults, or the numbers of a sound format."""
        values: Checked = FormatInput.check(request.data)
        text, check = checked(values)
        numbers = format_numbers(check.format) if check.format and check.is_sound else None
        return Response(check_document(check.sha256, text, faults_found(check.faults, *place_of(values)), numbers))


@describe_post("try_format", FormatTrialInput, TrialDocument)
class TryFormatView(CalculationView):
    """Play a format to its end with invented results."""

    def post(self, request: Request, **path: object) -> Response:
        """Return the trial. Raise Http404 for a format that the user may not see."""
        values: Checked = FormatTrialInput.check(request.data)
        book = formats_for(request.user).book(self.kwargs["name"], values.get("revision"))
        if book is None:
            raise Http404
        seed, scenario = values["seed"], Scenario(values["scenario"])
        trial = try_format(book.value, seed, scenario)
        return Response(trial_document(book, trial, seed, scenario, format_numbers(book.value)))


def checked(values: Checked) -> tuple[str, FormatCheck]:
    """Return the text of a sent format, as it would be stored, with the result of checking it."""
    text = tidied(written(values["values"]) if "values" in values else values.get("toml", ""))
    refuse_long_format(text, place_of(values)[1])
    return text, check_format(text)


def place_of(values: Checked) -> tuple[object, str]:
    """Return the data that faults point into, None for a text, and the pointer of the format in the request."""
    return (values["values"], "/values") if "values" in values else (None, "/toml")
