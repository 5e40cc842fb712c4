"""JSON endpoints of the live score sheet: document, events, previews, submission and confirmation of the result.

The client has a role in the competition or holds one of the table's links. Every refusal is a problem document like
the REST API's; a client that has missed events of another device gets 409 with the current document.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import NoReturn

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST

from league.forms.fields import number_of
from league.models import Hanchan, ResultSheet, TableLink, TableSession
from league.platform.errors import ServiceError
from league.platform.rendering import render
from league.platform.throttling import limit_failed_attempts
from league.selectors.access.actors import LINK_CAPABILITIES, Actor, Capability, require
from league.selectors.live.access import Visitor, has_ended, link_of, remember, visitor_at
from league.selectors.live.legality import legality_document
from league.selectors.live.preview import preview_document
from league.selectors.live.score_sheet import hanchan_at, sheet_document, version_of
from league.services.live.links import note_use
from league.services.live.log import BehindError, NewEvent, append_events, foresee
from league.services.live.results import approve_sheet, no_player, object_to_sheet, submit_log
from league.web.problems import Problem, ProblemError, ProblemResponse, error, problem_of, request_id, unstorable_errors

LONGEST_BODY = 1_000_000

Answer = Callable[..., HttpResponseBase]


@never_cache
@require_GET
@limit_failed_attempts
def enter(request: HttpRequest, token: str) -> HttpResponseBase:
    """Open a table link: store it in the session and redirect to a URL without the secret token."""
    link = link_of(token)
    if link is None:
        raise Http404(_("There is no such link."))
    if link.ended_at is not None:
        return render(request, "live/ended.html", status=410)
    note_use(link)
    remember(request, link)
    page = "pages:table-sheet" if link.kind == TableLink.Kind.SCORER else "pages:table-confirm"
    return redirect(page, link.table_session_id)


def at_the_table(view: Answer) -> Answer:
    """Decorate a view, which is called with the visitor instead of the table's id.

    Refusals become problem documents.
    """

    @gzip_page
    @never_cache
    @wraps(view)
    def answer(request: HttpRequest, pk: int) -> HttpResponseBase:
        try:
            return view(request, visitor_of(request, pk))
        except BehindError as behind:
            return behind_response(request, behind, pk)
        except (ServiceError, ProblemError, Http404) as refused:
            return ProblemResponse(problem_of(refused), instance=request.path)

    return answer


def visitor_of(request: HttpRequest, pk: int) -> Visitor:
    """Return the visitor's rights at the table; raise Http404 without any, ProblemError if their link has ended."""
    visitor = visitor_at(request, pk)
    if visitor is not None:
        return visitor
    table = TableSession.objects.filter(pk=pk).first()
    if table is not None and has_ended(request, table):
        detail = _("This link has ended. Ask the organizers for a new one.")
        raise ProblemError("permission_refused", detail, [error("link_ended", detail)])
    raise Http404


def behind_response(request: HttpRequest, behind: BehindError, pk: int) -> HttpResponseBase:
    """Return a conflict (409) with the current document, so that the device can show what it has missed."""
    problem = problem_of(behind)
    response = ProblemResponse(Problem(problem.code, problem.detail, problem.errors), instance=request.path)
    visitor = visitor_of(request, pk)
    hanchan = asked_hanchan(visitor, body_of(request))
    document = {**json.loads(response.content), "document": sheet_document(hanchan, visitor)}
    return JsonResponse(document, status=response.status_code, content_type=response.headers["Content-Type"])


@require_GET
@at_the_table
def state(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Return the document, or 204 if the client has the current version."""
    hanchan = shown_hanchan(visitor, number_in(request.GET.get("hanchan"), "hanchan"))
    if request.GET.get("after") == version_of(hanchan, visitor):
        return HttpResponse(status=204)
    return JsonResponse(sheet_document(hanchan, visitor))


@require_POST
@at_the_table
def events(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Append events to the log."""
    refuse_who_may_not_write(visitor)
    body = body_of(request)
    hanchan = asked_hanchan(visitor, body)
    # `after` is the last event this device has seen: if others have written since, the service raises BehindError.
    append_events(hanchan=hanchan, events=events_in(body), after=integer_in(body, "after"), by=actor_of(visitor))
    return current(hanchan, visitor)


@require_POST
@at_the_table
def preview(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Return the effect of events without writing them."""
    refuse_who_may_not_write(visitor)
    body = body_of(request)
    found = foresee(hanchan=asked_hanchan(visitor, body), events=events_in(body), by=actor_of(visitor))
    return JsonResponse(preview_document(found, after=integer_in(body, "after")))


@require_GET
@at_the_table
def legality(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Return the hands a player may win with, and from which opponents, before a win is declared."""
    numbers = {name: number_in(request.GET.get(name), name) for name in ("hanchan", "winner", "loser")}
    hanchan = shown_hanchan(visitor, numbers["hanchan"])
    return JsonResponse(legality_document(hanchan, numbers["winner"], numbers["loser"]))


@require_POST
@at_the_table
def submit(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Submit the result that follows from the log."""
    refuse_who_may_not_write(visitor)
    body = body_of(request)
    hanchan = asked_hanchan(visitor, body)
    submit_log(
        hanchan=hanchan,
        sequence=integer_in(body, "sequence"),
        by=actor_of(visitor),
        accept=texts(body, "accept"),
        reason=text(body, "reason"),
        ended_by_time=body.get("ended_by_time") is True,
    )
    return current(hanchan, visitor)


@require_POST
@at_the_table
def approve(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Record that a player confirms the result."""
    return judge_sheet(request, visitor, lambda sheet, _body: approve_sheet(sheet=sheet, by=actor_of(visitor)))


@require_POST
@at_the_table
def object_(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Record that a player objects to the result, with a reason."""
    by = actor_of(visitor)
    return judge_sheet(
        request, visitor, lambda sheet, body: object_to_sheet(sheet=sheet, by=by, reason=text(body, "reason"))
    )


def judge_sheet(
    request: HttpRequest, visitor: Visitor, judge: Callable[[ResultSheet, Mapping[str, object]], object]
) -> HttpResponseBase:
    """Apply a player's confirmation or objection to the submitted sheet.

    A visitor without a player's link to this table is refused before the body is parsed.
    """
    if visitor.approves_for is None:
        raise no_player()
    body = body_of(request)
    hanchan = asked_hanchan(visitor, body)
    judge(asked_sheet(hanchan, body), body)
    return current(hanchan, visitor)


def refuse_who_may_not_write(visitor: Visitor) -> None:
    """Raise a refusal if the visitor does not keep the score sheet, before the body is parsed.

    A scorer's link that has ended passes: the service confirms the events it had already accepted and refuses new
    ones.
    """
    table, actor = visitor.table_session, visitor.actor()
    if actor.link is None or Capability.SUBMIT not in LINK_CAPABILITIES[actor.link.kind]:
        require(actor, table.competition, Capability.SUBMIT, table=table)


def current(hanchan: Hanchan, visitor: Visitor) -> HttpResponseBase:
    """Return the current document after a change."""
    fresh = hanchan_at(visitor, hanchan.pk) or hanchan
    return JsonResponse(sheet_document(fresh, visitor))


def actor_of(visitor: Visitor) -> Actor:
    """Return the visitor as an actor, with the request's id for the log."""
    return visitor.actor(request_id()[:64])


def shown_hanchan(visitor: Visitor, pk: int | None) -> Hanchan:
    """Return the hanchan to show, by default the one to be played now; raise Http404 for one of another table."""
    found = hanchan_at(visitor, pk)
    if found is None:
        raise Http404
    return found


def asked_hanchan(visitor: Visitor, body: Mapping[str, object]) -> Hanchan:
    """Return the hanchan named in a body, which must be explicit, because meanwhile the next one may be in progress."""
    return shown_hanchan(visitor, integer_in(body, "hanchan"))


def asked_sheet(hanchan: Hanchan, body: Mapping[str, object]) -> ResultSheet:
    """Return the sheet named in a body; raise Http404 for one of another hanchan."""
    found = ResultSheet.objects.filter(hanchan=hanchan, pk=integer_in(body, "sheet")).first()
    if found is None:
        raise Http404
    return found


def body_of(request: HttpRequest) -> dict[str, object]:
    """Parse the body as one JSON object; raise ProblemError for anything else."""
    if len(request.body) > LONGEST_BODY:
        raise ProblemError("request_too_large")
    try:
        found = json.loads(request.body, parse_constant=_no_constant)
    # A deeply nested document exhausts the parser's stack: RecursionError is the client's fault here.
    except (ValueError, RecursionError) as unreadable:
        raise ProblemError("malformed_request") from unreadable
    if not isinstance(found, dict):
        raise ProblemError("malformed_request")
    if errors := unstorable_errors(found):
        raise ProblemError("invalid_request", errors=errors)
    return found


def _no_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python's parser accepts but JSON does not have."""
    raise ValueError(name)


def events_in(body: Mapping[str, object]) -> list[NewEvent]:
    """Parse the events of a batch."""
    found = body.get("events")
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise invalid("events", _("A list of events."))
    return [event_in(each, index) for index, each in enumerate(found)]


def event_in(data: Mapping[str, object], index: int) -> NewEvent:
    """Parse one event: the id given by the device, its kind, and its payload."""
    client_id, kind, payload = data.get("client_id"), data.get("kind"), data.get("payload", {})
    if not isinstance(client_id, str) or not isinstance(kind, str) or not isinstance(payload, dict):
        raise invalid(f"events/{index}", _("An event has a client_id, a kind and a payload."))
    return NewEvent(client_id, kind, payload)


def integer_in(body: Mapping[str, object], key: str) -> int:
    """Return an integer of the body that the database can store; raise ProblemError for anything else."""
    value = body.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
        raise invalid(key, _("A whole number."))
    return value


def number_in(value: str | None, key: str) -> int | None:
    """Parse an integer of the URL's query; None if it is missing."""
    number = number_of(value)
    if value is not None and number is None:
        raise invalid(key, _("A whole number."))
    return number


def text(body: Mapping[str, object], key: str) -> str:
    """Return a text of the body, empty if it is missing."""
    value = body.get(key, "")
    if not isinstance(value, str) or len(value) > 1000:  # noqa: PLR2004 - as everywhere for reasons
        raise invalid(key, _("A text of at most 1000 characters."))
    return value


def texts(body: Mapping[str, object], key: str) -> list[str]:
    """Return a list of texts of the body, empty if it is missing."""
    value = body.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise invalid(key, _("A list of codes."))
    return value


def invalid(key: str, detail: str) -> ProblemError:
    """Return the problem for a value of the wrong form."""
    return ProblemError("invalid_request", errors=[error("invalid", detail, pointer=f"/{key}")])
