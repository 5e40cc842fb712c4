"""Views of a hanchan and its result sheets: reading, submitting, confirming, rejecting, voiding."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import ClassVar

from django.db import transaction
from django.db.models import Max, Model, Prefetch, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.authentication import actor_of
from league.api.base import RowView
from league.api.competitions.hanchan_documents import HanchanDocument, hanchan_document
from league.api.competitions.schedule_views import hanchan_documents, hanchan_shown, single
from league.api.competitions.sheet_documents import RulesOf, Sheet, Sheets, sheet_document, sheet_tag
from league.api.idempotency import IDEMPOTENCY_KEY, OPTIONAL_KEY, claim_of, stored_response
from league.api.renderers import JsonRenderer
from league.api.results.documents import Effects, PreviewDocument, Submitted, preview_document
from league.api.results.entries import (
    ConfirmInput,
    RejectInput,
    ResultInput,
    VoidInput,
    entry_of,
    in_seats,
    pointer_to,
    rules_with,
)
from league.api.schema import describe_get, describe_post
from league.api.throttles import ReadThrottle, WriteThrottle
from league.api.writing import Checked
from league.models import Competition, Hanchan, ResultSheet, SeatResult
from league.platform.errors import ServiceError
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Actor, Capability, capabilities, require
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader, reader_of, visible_competitions
from league.selectors.competitions.moments import game_moments
from league.selectors.competitions.schedule import PlayedHanchan, played_hanchan, played_with
from league.selectors.results.blind_sheets import hidden_sheets, is_blind
from league.selectors.results.checked_hanchan import checked_hanchan
from league.services.access.idempotency import Claim, StoredResponse, keep_answer
from league.services.results.blind_entry import cells_to_ask
from league.services.results.preview import preview_result
from league.services.results.results import confirm_result, record_result, reject_result, void_hanchan
from league.services.results.sheets import lock_hanchan
from league.web.documents import Document
from league.web.problem_documents import FindingDocument
from league.web.problems import Problem, ProblemError, ProblemResponse, error

TAG = re.compile(r'"(?P<hanchan>\d{1,18})-r(?P<revision>\d{1,9})(?:-[0-9a-f]{32})?(?:-(?:br|gzip|zstd))?"')
"""An ETag of ours; a compressing proxy may have appended the name of the encoding."""
IF_MATCH = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The ETag of the hanchan or of the sheet that counts; needed to correct or void it.",
)


class HanchanRowView(RowView):
    """Base of all views of one hanchan."""

    throttle_classes = [ReadThrottle, WriteThrottle]
    path_to_competition = "table_session__competition"
    path_to_release = "table_session__is_released"
    all_rows: ClassVar[QuerySet[Model]] = Hanchan.objects.all()

    def write(self, reader: Reader) -> Document:
        """Return the hanchan itself; subclasses return other documents."""
        return single(hanchan_documents(reader, list(hanchan_shown(reader).filter(pk=self.kwargs["pk"])), lines=True))

    def hanchan(self) -> Hanchan:
        """Return the hanchan. Raise Http404 if the user may not know of it."""
        known = visible_competitions(self.request.user).filter(blocks__hanchan=self.kwargs["pk"])
        # Before the hanchan is read: one that the user may not know of takes the time of one that is missing.
        if not known.exists():
            raise Http404
        try:
            hanchan = checked_hanchan(self.kwargs["pk"])
        except Hanchan.DoesNotExist as deleted:
            raise Http404 from deleted
        self.reader = reader_of(hanchan.block.competition, self.request.user)
        if not self.reader.may_know(hanchan.table_session):
            raise Http404
        return hanchan

    def require_capability(self, capability: Capability) -> None:
        """Refuse a user without the capability, before anything of the request body is read."""
        require(actor_of(self.request), self.reader.competition, capability)

    def changeable_hanchan(self, capability: Capability) -> Hanchan:
        """Return the hanchan for a user with the capability. Raise Http404 or PermissionRefusedError for others."""
        hanchan = self.hanchan()
        self.require_capability(capability)
        return hanchan

    def sheets(self, reader: Reader) -> QuerySet[ResultSheet]:
        """Return the revisions that this user may know of, oldest first.

        The public sees the sheet that counts and those that counted once; staff also those awaiting confirmation,
        except sheets that blind entry hides from this user.
        """
        return self.sheets_of(get_object_or_404(reader.hanchan(), pk=self.kwargs["pk"]), reader)

    def sheets_of(self, hanchan: Hanchan, reader: Reader) -> QuerySet[ResultSheet]:
        """Return the same for a hanchan that the reader may know of."""
        rows = sheets_with_seats(hanchan)
        if not reader.is_staff:
            # A sheet never confirmed has no confirmed_n, so the public does not see it.
            rows = rows.filter(confirmed_n__lte=reader.version)
        else:
            settles = Capability.CORRECT in capabilities(self.request.user, reader.competition)
            settling = Competition.objects.filter(pk__in=[reader.competition.pk] if settles else [])
            rows = rows.exclude(pk__in=hidden_sheets(self.request.user, settling))
        return rows.order_by("revision")

    def differing_cells(self, sheet: ResultSheet) -> tuple[str, ...]:
        """Return, with blind entry, the cells of the user's own sheet in which the other sheet differs."""
        waits = sheet.state == ResultSheet.State.SUBMITTED and is_blind(self.reader.competition)
        return cells_to_ask(sheet) if waits and sheet.entered_by_id == self.request.user.pk else ()

    def sheet_shown(self, reader: Reader, sheet: ResultSheet, rules: RulesOf) -> Sheet:
        """Return a sheet, with the cells that its author is asked to check again."""
        differs_at = [pointer_to(cell).pointer for cell in self.differing_cells(sheet)]
        return sheet_document(reader, sheet, rules, differs_at)

    def etag(self) -> str:
        """Return an ETag that begins with the counting revision, so that clients can send it in If-Match."""
        counting = self.reader.sheets().filter(hanchan=self.kwargs["pk"]).aggregate(newest=Max("revision"))["newest"]
        tag = etag_of(self.reader, self.request.user.pk, *self.representation())
        return tag if counting is None else f'"{self.kwargs["pk"]}-r{counting}-{tag[1:]}'

    def corrected_revision(self) -> int | None:
        """Return the revision named in If-Match, or None without the header.

        Raise ProblemError if it names no revision of this hanchan.
        """
        given = self.request.headers.get("If-Match")
        if given is None:
            return None
        found = TAG.fullmatch(given.strip())
        if found is None or int(found["hanchan"]) != self.kwargs["pk"]:
            raise ProblemError("stale_revision", _("If-Match names no revision of this hanchan."))
        return int(found["revision"])


def sheets_with_seats(hanchan: Hanchan) -> QuerySet[ResultSheet]:
    """Return all sheets of a hanchan with their seats, the first dealer's first."""
    seats = SeatResult.objects.select_related("entrant__player", "player").order_by("seat")
    return ResultSheet.objects.filter(hanchan=hanchan).prefetch_related(Prefetch("seats", seats))


@describe_get("get_hanchan", HanchanDocument)
class HanchanView(HanchanRowView):
    """Return a hanchan with its seats, and its settlement line by line."""


@dataclass(frozen=True, slots=True)
class Done:
    """A completed change: the hanchan, the sheet it left, and the competition's new version."""

    hanchan: Hanchan
    sheet: ResultSheet | None
    version: int


class ChangingView(HanchanRowView):
    """Base of the views that change a result. A repeated request changes it once only (idempotency key)."""

    http_method_names = ["post", "options"]
    needs_key = False

    def run_once(self, change: Callable[[Actor], Done], status: int = HTTPStatus.OK) -> HttpResponse:
        """Make the change and return its response; a retry with the same key gets the stored response."""
        with transaction.atomic():
            claim = self.claim()
            if claim and claim.is_answered:
                return stored_response(claim.status or status, claim.answer, replayed=True)
            done = change(actor_of(self.request))
            told, answer = self.response_parts(done, status)
            if claim:
                keep_answer(claim, told, answer)
        # After the commit: in embedded mode the standings are computed by now.
        if self.is_published(done) and (published := mark_published(answer)) != answer:
            answer = published
            if claim:
                keep_answer(claim, told, answer)
        return stored_response(told, answer)

    def done(self, hanchan: Hanchan) -> Done:
        """Return a change of the hanchan that has left no sheet."""
        return Done(hanchan, None, Competition.objects.get(pk=self.reader.competition.pk).version)

    def claim(self) -> Claim | None:
        """Claim the idempotency key of the request; None if none was sent and none is required."""
        if "Idempotency-Key" not in self.request.headers and not self.needs_key:
            return None
        return claim_of(self.request, self.request.path.rstrip("/"))

    def is_published(self, done: Done) -> bool:
        """Return True if the standings contain the change; they may be computed right after its commit."""
        return Competition.objects.filter(pk=self.reader.competition.pk, computed_version__gte=done.version).exists()

    def response_parts(self, done: Done, status: int) -> tuple[int, StoredResponse]:
        """Return status and body; a problem if the sheet was stored but differs from the other person's."""
        cells = self.differing_cells(done.sheet) if done.sheet else ()
        if not done.sheet or not cells:
            return status, self.submitted_body(done)
        errors = tuple(differing_error(cell) for cell in cells)
        headers = {"ETag": sheet_tag(done.sheet), "Location": self.address(done.sheet)}
        problem = ProblemResponse(Problem("sheets_differ", errors=errors, headers=headers), instance=self.request.path)
        return problem.status_code, {"headers": dict(problem.items()), "body": problem.content.decode()}

    def submitted_body(self, done: Done) -> StoredResponse:
        """Return the response to the change in progress: the hanchan after it, and its effects.

        The body is stored as text, so that a retry gets the same bytes.
        """
        reader = Reader(self.reader.competition, self.reader.audience, done.version)
        if done.sheet and done.sheet.state == ResultSheet.State.CONFIRMED:
            played, rules = played_with(done.sheet), RulesOf(reader, done.sheet.hanchan.rules)
        else:
            rows = hanchan_shown(reader).filter(pk=done.hanchan.pk)
            played, rules = single(played_hanchan(reader, list(rows))), RulesOf(reader)
        sheet = done.sheet and self.sheet_left(played, reader, done.sheet.pk)
        body = Submitted(
            hanchan=hanchan_document(
                reader, played, rules, game_moments(reader, [played])[played.hanchan.pk], lines=False
            ),
            sheet=self.sheet_shown(reader, sheet, rules) if sheet else None,
            effects=Effects(version=reader.number_shown(done.version), is_published=False),
        )
        headers = {"ETag": sheet_tag(sheet), "Location": self.address(sheet)} if sheet else {}
        return {"headers": headers, "body": JsonRenderer().render(body).decode()}

    def sheet_left(self, played: PlayedHanchan, reader: Reader, pk: int) -> ResultSheet:
        """Return the sheet that a change left: the one that counts, or one that awaits confirmation."""
        if played.sheet and played.sheet.pk == pk:
            return played.sheet
        return self.sheets_of(played.hanchan, reader).get(pk=pk)

    def address(self, sheet: ResultSheet) -> str:
        """Return the URL of a sheet."""
        return absolute_url("api:result", sheet.hanchan_id, sheet.revision, request=self.request)


def mark_published(answer: StoredResponse) -> StoredResponse:
    """Return the same response with `is_published` set; a problem response is returned unchanged."""
    body = json.loads(answer["body"])
    if "effects" not in body:
        return answer
    body["effects"]["is_published"] = True
    return {**answer, "body": JsonRenderer().render(body).decode()}


def differing_error(cell: str) -> FindingDocument:
    """Return the error for a cell that two people entered differently: its place, never the other's value."""
    place = pointer_to(cell)
    params = {"field": place.field} if place.seat is None else {"field": place.field, "seat": place.seat}
    return error("differs", _("The other entry differs here."), pointer=place.pointer, params=params)


@describe_get("list_results", Sheets)
@describe_post("submit_result", ResultInput, Submitted, status=201, headers=(IDEMPOTENCY_KEY, IF_MATCH))
class ResultsView(ChangingView):
    """List the revisions of a hanchan's result. A POST submits a result, or with If-Match a correction."""

    http_method_names = ["get", "post", "head", "options"]
    needs_key = True

    def handle_exception(self, exc: Exception) -> Response:
        """Return the problem, with the places of its findings in the body sent."""
        if isinstance(exc, ServiceError):
            exc.findings = tuple(in_seats(finding) for finding in exc.findings)
        return super().handle_exception(exc)

    def write(self, reader: Reader) -> Document:
        """Return all revisions that the user may know of."""
        rules = RulesOf(reader)
        return Sheets(results=[self.sheet_shown(reader, sheet, rules) for sheet in self.sheets(reader)])

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Submit a result; it counts at once if the competition needs no confirmation by a second person."""
        hanchan = self.changeable_hanchan(Capability.SUBMIT)
        values: Checked = ResultInput.check(request.data)
        corrects = self.corrected_revision()
        entry = entry_of(values, hanchan)

        def change(by: Actor) -> Done:
            sheet = record_result(
                hanchan=hanchan,
                entry=entry,
                by=by,
                accept=values["accept"],
                corrects=corrects,
                reason=values["reason"],
                state=values["state"],
            )
            return Done(hanchan, sheet, sheet.confirmed_n or sheet.entered_n)

        return self.run_once(change, HTTPStatus.CREATED)


@describe_get("get_result", Sheet)
class ResultView(HanchanRowView):
    """Return one revision of a hanchan's result, with its settlement line by line."""

    def etag(self) -> str:
        """Return an ETag that begins with this revision."""
        tag = etag_of(self.reader, self.request.user.pk, *self.representation())
        return f'"{self.kwargs["pk"]}-r{self.kwargs["revision"]}-{tag[1:]}'

    def write(self, reader: Reader) -> Document:
        """Return the revision."""
        sheet = get_object_or_404(self.sheets(reader), revision=self.kwargs["revision"])
        return self.sheet_shown(reader, sheet, RulesOf(reader))


class SheetChangingView(ChangingView):
    """Base of the views that change one sheet awaiting confirmation."""

    def sheet(self) -> ResultSheet:
        """Return the sheet. Raise Http404 if the user may not know of it."""
        self.hanchan()
        return get_object_or_404(self.sheets(self.reader), revision=self.kwargs["revision"])


@describe_post("confirm_result", ConfirmInput, Submitted, headers=(OPTIONAL_KEY, IF_MATCH))
class ConfirmView(SheetChangingView):
    """Confirm a submitted sheet, so that it counts."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Confirm the sheet."""
        sheet = self.sheet()
        self.require_capability(Capability.CONFIRM)
        values = ConfirmInput.check(request.data)

        def change(by: Actor) -> Done:
            confirmed = confirm_result(sheet=sheet, by=by, **values)
            return Done(sheet.hanchan, confirmed, confirmed.confirmed_n or 0)

        return self.run_once(change)


@describe_post("reject_result", RejectInput, Submitted, headers=(OPTIONAL_KEY,))
class RejectView(SheetChangingView):
    """Reject a submitted sheet."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Reject the sheet, with the reason."""
        sheet = self.sheet()
        self.require_capability(Capability.CONFIRM)
        values = RejectInput.check(request.data)

        def change(by: Actor) -> Done:
            rejected = reject_result(sheet=sheet, by=by, **values)
            return Done(sheet.hanchan, rejected, rejected.ended_n or 0)

        return self.run_once(change)


@describe_post("void_hanchan", VoidInput, Submitted, headers=(OPTIONAL_KEY, IF_MATCH))
class VoidView(ChangingView):
    """Take back the result that counts."""

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Void the result, with the reason; If-Match names its revision."""
        hanchan = self.changeable_hanchan(Capability.CORRECT)
        values = VoidInput.check(request.data)
        revision = self.corrected_revision()

        def change(by: Actor) -> Done:
            # Inside the transaction, so that no correction can come between the check and the change.
            refuse_other_revision(hanchan, revision)
            void_hanchan(hanchan=hanchan, by=by, **values)
            return self.done(hanchan)

        return self.run_once(change)


def refuse_other_revision(hanchan: Hanchan, revision: int | None) -> None:
    """Raise ProblemError if a revision other than the named one counts; lock the hanchan until the transaction ends."""
    counting = ResultSheet.objects.counting_of(lock_hanchan(hanchan))
    if counting is not None and revision is None:
        raise ProblemError("revision_required")
    if counting is not None and counting.revision != revision:
        raise ProblemError("stale_revision")


@describe_post("preview_result", ResultInput, PreviewDocument)
class PreviewView(HanchanRowView):
    """Preview the effects of submitting a result."""

    http_method_names = ["post", "options"]

    def post(self, request: Request, **path: object) -> Response:
        """Check and settle the result, and return the entrants that it would move. Nothing is written."""
        hanchan = self.changeable_hanchan(Capability.SUBMIT)
        values: Checked = ResultInput.check(request.data)
        entry = entry_of(values, hanchan)
        found = preview_result(hanchan=hanchan, entry=entry)
        return Response(preview_document(found, entry, rules_with(hanchan, entry.options)))
