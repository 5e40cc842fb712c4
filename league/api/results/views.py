"""A hanchan, the sheets of its result, and everything that may be done to them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Prefetch, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from league.api.authentication import actor_of
from league.api.base import RowView
from league.api.competitions.schedule_documents import (
    HanchanDocument,
    RulesOf,
    Sheet,
    Sheets,
    hanchan_document,
    sheet_document,
    sheet_tag,
)
from league.api.competitions.schedule_views import hanchan_documents, hanchan_shown, single
from league.api.fields import StrictSerializer
from league.api.renderers import JsonRenderer
from league.api.results.documents import Effects, PreviewDocument, Submitted, preview_document
from league.api.results.entries import (
    ConfirmInput,
    RejectInput,
    ResultInput,
    VoidInput,
    entry_of,
    pointer_to,
    rules_with,
)
from league.api.schema import reads, writes
from league.api.throttles import ReadThrottle, WriteThrottle
from league.models import Competition, Hanchan, ResultSheet, SeatResult
from league.selectors.access.actors import Actor, Capability, capabilities, require
from league.selectors.access.etags import etag_of
from league.selectors.access.readers import Reader, reader_of, visible_competitions
from league.selectors.competitions.schedule import PlayedHanchan, played_hanchan, played_with
from league.selectors.results.blind_sheets import hidden_sheets, is_blind
from league.services.access.idempotency import Claim, claim_key, keep_answer
from league.services.results.blind_entry import cells_to_ask
from league.services.results.preview import preview_result
from league.services.results.results import confirm_result, record_result, reject_result, void_hanchan
from league.services.results.sheets import locked
from league.web.documents import Document
from league.web.problem_documents import FindingDocument
from league.web.problems import Problem, ProblemError, ProblemResponse, error

KEY = re.compile(r"[\x21-\x7e]{1,128}")
TAG = re.compile(r'"(?P<hanchan>\d{1,18})-r(?P<revision>\d{1,9})(?:-[0-9a-f]{32})?(?:-(?:br|gzip|zstd))?"')
"""What we sent; a proxy that packs answers may have written the packing behind it."""
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    required=True,
    description="Random, new for every submission, the same when it is sent again.",
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The ETag of the hanchan or of the sheet that counts; needed to correct or void it.",
)
Body = TypeVar("Body", bound=StrictSerializer)


class HanchanRowView(RowView):
    """What all addresses under one hanchan have in common."""

    throttle_classes = [ReadThrottle, WriteThrottle]
    path_to_competition = "table_session__competition"

    def all_rows(self) -> QuerySet[Hanchan]:
        """Every hanchan."""
        return Hanchan.objects.all()

    def write(self, reader: Reader) -> Document:
        """The hanchan itself, where an address does not say otherwise."""
        return single(hanchan_documents(reader, list(hanchan_shown(reader).filter(pk=self.kwargs["pk"])), lines=True))

    def hanchan(self) -> Hanchan:
        """The hanchan, if the visitor may know of it."""
        rows = self.all_rows().filter(block__competition__in=visible_competitions(self.request.user))
        rows = rows.select_related("block__competition", "block__stage", "table_session", "rules__ruleset")
        hanchan = get_object_or_404(rows, pk=self.kwargs["pk"])
        self.reader = reader_of(hanchan.block.competition, self.request.user)
        if not self.reader.may_know(hanchan.table_session):
            raise Http404
        return hanchan

    def demand(self, capability: Capability) -> None:
        """Refuse who may not do this here, before anything that was sent is looked at."""
        require(actor_of(self.request), self.reader.competition, capability)

    def sheets(self, reader: Reader) -> QuerySet[ResultSheet]:
        """The revisions this visitor may know of, oldest first.

        The public sees what counts and what counted once; organizers also what awaits confirmation, though where two
        people enter blindly not what is kept from each of them.
        """
        return self.sheets_of(get_object_or_404(reader.hanchan(), pk=self.kwargs["pk"]), reader)

    def sheets_of(self, hanchan: Hanchan, reader: Reader) -> QuerySet[ResultSheet]:
        """The same of a hanchan that the reader may know of."""
        seats = SeatResult.objects.select_related("entrant__player", "player").order_by("seat")
        rows = ResultSheet.objects.filter(hanchan=hanchan).prefetch_related(Prefetch("seats", seats))
        if not reader.is_staff:
            rows = rows.filter(confirmed_n__lte=reader.version)
        else:
            settles = Capability.CORRECT in capabilities(self.request.user, reader.competition)
            settling = Competition.objects.filter(pk__in=[reader.competition.pk] if settles else [])
            rows = rows.exclude(pk__in=hidden_sheets(cast("User", self.request.user), settling))
        return rows.order_by("revision")

    def differing(self, sheet: ResultSheet) -> tuple[str, ...]:
        """Where two enter blindly, the cells of the visitor's own sheet that somebody else filled in differently."""
        waits = sheet.state == ResultSheet.State.SUBMITTED and is_blind(self.reader.competition)
        return cells_to_ask(sheet) if waits and sheet.entered_by_id == self.request.user.pk else ()

    def sheet_shown(self, reader: Reader, sheet: ResultSheet, rules: RulesOf) -> Sheet:
        """A sheet, and what its author is asked to look at again."""
        differs_at = [pointer_to(cell).pointer for cell in self.differing(sheet)]
        return sheet_document(reader, sheet, rules, differs_at)

    def etag(self) -> str:
        """Begins with the revision that counts, so that it can be sent in If-Match."""
        counting = self.reader.sheets().filter(hanchan=self.kwargs["pk"]).aggregate(newest=Max("revision"))["newest"]
        tag = etag_of(self.reader, self.request.user.pk, *self.representation())
        return tag if counting is None else f'"{self.kwargs["pk"]}-r{counting}-{tag[1:]}'

    def corrected_revision(self) -> int | None:
        """The revision that If-Match names; None without the header. Raise ProblemError if it names none of ours."""
        given = self.request.headers.get("If-Match")
        if given is None:
            return None
        found = TAG.fullmatch(given.strip())
        if found is None or int(found["hanchan"]) != self.kwargs["pk"]:
            raise ProblemError("stale_revision", _("If-Match names no revision of this hanchan."))
        return int(found["revision"])

    def body(self, serializer: type[StrictSerializer]) -> dict[str, Any]:
        """The body's values."""
        read = serializer(data=self.request.data)
        read.is_valid(raise_exception=True)
        return dict(read.validated_data)


@reads("get_hanchan", HanchanDocument)
class HanchanView(HanchanRowView):
    """A hanchan with its seats, and its settlement line by line."""


@dataclass(frozen=True, slots=True)
class Done:
    """A change that was made: the hanchan, the sheet it left, and the version it made."""

    hanchan: Hanchan
    sheet: ResultSheet | None
    version: int


class ChangingView(HanchanRowView):
    """Addresses that change a result. Every change is made once, whatever the network does."""

    needs_key = False

    def once(self, change: Callable[[Actor], Done], status: int) -> HttpResponse:
        """Make the change and answer; sent again with its key it only gets the answer again."""
        with transaction.atomic():
            claim = self.claim()
            if claim and claim.is_answered:
                return self.answered(claim.status or status, claim.answer, replayed=True)
            done = change(actor_of(self.request))
            told, answer = self.told(done, status)
            if claim:
                keep_answer(claim, told, answer)
        if self.is_published(done) and (published := as_published(answer)) != answer:
            answer = published
            if claim:
                keep_answer(claim, told, answer)
        return self.answered(told, answer)

    def claim(self) -> Claim | None:
        """The key that was sent, taken; None where none was sent and none is needed."""
        key = self.request.headers.get("Idempotency-Key")
        if key is None and not self.needs_key:
            return None
        return claim_key(
            user=cast("User", self.request.user),
            key=valid_key(key),
            route=self.request.path.rstrip("/"),
            fingerprint=self.fingerprint(),
        )

    def is_published(self, done: Done) -> bool:
        """Whether the standings have caught up with the change: they may be computed as soon as it is committed."""
        return Competition.objects.filter(pk=self.reader.competition.pk, computed_version__gte=done.version).exists()

    def fingerprint(self) -> str:
        """What must be the same for a request to be the same."""
        given = self.request.headers.get("If-Match", "")
        return hashlib.sha256(given.encode() + b"\n" + self.request.body).hexdigest()

    def told(self, done: Done, status: int) -> tuple[int, dict[str, Any]]:
        """The status and the answer; a problem for a sheet that is kept and differs from another person's."""
        cells = self.differing(done.sheet) if done.sheet else ()
        if not done.sheet or not cells:
            return status, self.finished(done)
        errors = tuple(differing_error(cell) for cell in cells)
        headers = {"ETag": sheet_tag(done.sheet), "Location": self.address(done.sheet)}
        problem = ProblemResponse(Problem("sheets_differ", errors=errors, headers=headers), instance=self.request.path)
        return problem.status_code, {"headers": dict(problem.items()), "body": problem.content.decode()}

    def finished(self, done: Done) -> dict[str, Any]:
        """The answer to a change that is being made: the hanchan as it leaves it, and what it brings about.

        The body is kept as it is written, so that it is the same to the byte when it is given again.
        """
        reader = Reader(self.reader.competition, self.reader.audience, done.version)
        if done.sheet and done.sheet.state == ResultSheet.State.CONFIRMED:
            played, rules = played_with(done.sheet), RulesOf(reader, done.sheet.hanchan.rules)
        else:
            rows = hanchan_shown(reader).filter(pk=done.hanchan.pk)
            played, rules = single(played_hanchan(reader, list(rows))), RulesOf(reader)
        sheet = done.sheet and self.sheet_left(played, reader, done.sheet.pk)
        body = Submitted(
            hanchan=hanchan_document(reader, played, rules, lines=False),
            sheet=self.sheet_shown(reader, sheet, rules) if sheet else None,
            effects=Effects(version=done.version, is_published=False),
        )
        headers = {"ETag": sheet_tag(sheet), "Location": self.address(sheet)} if sheet else {}
        return {"headers": headers, "body": JsonRenderer().render(body).decode()}

    def sheet_left(self, played: PlayedHanchan, reader: Reader, pk: int) -> ResultSheet:
        """The sheet that a change left: the one that counts, or one that waits."""
        if played.sheet and played.sheet.pk == pk:
            return played.sheet
        return self.sheets_of(played.hanchan, reader).get(pk=pk)

    def address(self, sheet: ResultSheet) -> str:
        """Where a sheet is read."""
        return reverse("api:result", kwargs={"pk": sheet.hanchan_id, "revision": sheet.revision}, request=self.request)

    def answered(self, status: int, answer: dict[str, Any], *, replayed: bool = False) -> HttpResponse:
        """The answer as it is sent."""
        again = {"Idempotency-Replayed": "true"} if replayed else {}
        headers = {"Content-Type": JsonRenderer.media_type, **answer["headers"], **again}
        return HttpResponse(answer["body"], status=status, headers=headers)


def as_published(answer: dict[str, Any]) -> dict[str, Any]:
    """The same answer, saying that the standings have caught up; a problem says nothing of them."""
    body = json.loads(answer["body"])
    if "effects" not in body:
        return answer
    body["effects"]["is_published"] = True
    return {**answer, "body": JsonRenderer().render(body).decode()}


def differing_error(cell: str) -> FindingDocument:
    """What is said of a cell that two people filled in differently: where it is, and nothing of the other's value."""
    place = pointer_to(cell)
    params = {"field": place.field} if place.seat is None else {"field": place.field, "seat": place.seat}
    return error("differs", _("Somebody else entered something else here."), pointer=place.pointer, **params)


def valid_key(key: str | None) -> str:
    """The key. Raise ProblemError without one, or for one that no program would make."""
    if key is None:
        raise ProblemError("idempotency_key_missing")
    if not KEY.fullmatch(key):
        detail = _("A key is 1 to 128 printable ASCII characters.")
        raise ProblemError(
            "invalid_request", errors=[error("bad_key", detail, pointer="/Idempotency-Key", where="header")]
        )
    return key


@reads("list_results", Sheets)
@writes("submit_result", ResultInput, Submitted, status=201, headers=(IDEMPOTENCY_KEY, IF_MATCH))
class ResultsView(ChangingView):
    """The revisions of a hanchan's result. A POST hands in a result, or with If-Match a correction."""

    needs_key = True

    def write(self, reader: Reader) -> Document:
        """Every revision the visitor may know of."""
        rules = RulesOf(reader)
        return Sheets(results=[self.sheet_shown(reader, sheet, rules) for sheet in self.sheets(reader)])

    def post(self, request: Request, **path: Any) -> HttpResponse:
        """Hand in a result; where one person is enough it counts at once."""
        hanchan = self.hanchan()
        self.demand(Capability.SUBMIT)
        values = self.body(ResultInput)
        corrects = self.corrected_revision()
        entry = entry_of(values, hanchan)

        def change(by: Actor) -> Done:
            sheet = record_result(
                hanchan=hanchan,
                entry=entry,
                by=by,
                accept=values.get("accept", ()),
                corrects=corrects,
                reason=values["reason"],
                state=values["state"],
            )
            return Done(hanchan, sheet, sheet.confirmed_n or sheet.entered_n)

        valid_key(request.headers.get("Idempotency-Key"))
        return self.once(change, 201)


@reads("get_result", Sheet)
class ResultView(HanchanRowView):
    """One revision of a hanchan's result, its settlement line by line."""

    def etag(self) -> str:
        """Begins with this revision."""
        tag = etag_of(self.reader, self.request.user.pk, *self.representation())
        return f'"{self.kwargs["pk"]}-r{self.kwargs["revision"]}-{tag[1:]}'

    def write(self, reader: Reader) -> Document:
        """The revision."""
        sheet = get_object_or_404(self.sheets(reader), revision=self.kwargs["revision"])
        return self.sheet_shown(reader, sheet, RulesOf(reader))


class SheetChangingView(ChangingView):
    """Addresses that change one sheet that awaits confirmation."""

    http_method_names = ["post", "options"]

    def sheet(self) -> ResultSheet:
        """The sheet, if the visitor may know of it."""
        self.hanchan()
        return get_object_or_404(self.sheets(self.reader), revision=self.kwargs["revision"])


@writes("confirm_result", ConfirmInput, Submitted, headers=(IF_MATCH,))
class ConfirmView(SheetChangingView):
    """Makes a handed-in sheet count."""

    def post(self, request: Request, **path: Any) -> HttpResponse:
        """Confirm it."""
        sheet = self.sheet()
        self.demand(Capability.CONFIRM)
        values = self.body(ConfirmInput)

        def change(by: Actor) -> Done:
            confirmed = confirm_result(sheet=sheet, by=by, accept=values.get("accept", ()), state=values.get("state"))
            return Done(sheet.hanchan, confirmed, confirmed.confirmed_n or 0)

        return self.once(change, 200)


@writes("reject_result", RejectInput, Submitted)
class RejectView(SheetChangingView):
    """Refuses a handed-in sheet."""

    def post(self, request: Request, **path: Any) -> HttpResponse:
        """Reject it, with the reason."""
        sheet = self.sheet()
        self.demand(Capability.CONFIRM)
        values = self.body(RejectInput)

        def change(by: Actor) -> Done:
            rejected = reject_result(sheet=sheet, by=by, reason=values["reason"])
            return Done(sheet.hanchan, rejected, rejected.ended_n or 0)

        return self.once(change, 200)


@writes("void_hanchan", VoidInput, Submitted, headers=(IF_MATCH,))
class VoidView(ChangingView):
    """Takes back the result that counts."""

    http_method_names = ["post", "options"]

    def post(self, request: Request, **path: Any) -> HttpResponse:
        """Void it, with the reason; If-Match names the revision that is meant."""
        hanchan = self.hanchan()
        self.demand(Capability.CORRECT)
        values = self.body(VoidInput)
        revision = self.corrected_revision()

        def change(by: Actor) -> Done:
            refuse_other_revision(hanchan, revision)
            void_hanchan(
                hanchan=hanchan, by=by, reason=values["reason"], accept=values.get("accept", ()), state=values["state"]
            )
            return Done(hanchan, None, Competition.objects.get(pk=self.reader.competition.pk).version)

        return self.once(change, 200)


def refuse_other_revision(hanchan: Hanchan, revision: int | None) -> None:
    """Go on only if the revision named is the one that counts, and lock it until the transaction ends."""
    counting = ResultSheet.objects.counting_of(locked(hanchan))
    if counting is not None and revision is None:
        raise ProblemError("revision_required")
    if counting is not None and counting.revision != revision:
        raise ProblemError("stale_revision")


@writes("preview_result", ResultInput, PreviewDocument)
class PreviewView(HanchanRowView):
    """What handing in a result would do."""

    http_method_names = ["post", "options"]

    def post(self, request: Request, **path: Any) -> Response:
        """Check and settle the result, and say whom it moves; nothing is written."""
        hanchan = self.hanchan()
        self.demand(Capability.SUBMIT)
        values = self.body(ResultInput)
        entry = entry_of(values, hanchan)
        found = preview_result(hanchan=hanchan, entry=entry)
        return Response(preview_document(found, entry, rules_with(hanchan, entry.options)))
