"""The live sheet's JSON: the table's document, events, previews, and the result handed in and confirmed.

Whoever comes has a role in the competition or holds one of the table's links. Every refusal is a problem document
like the REST interface's; who has not seen what others wrote gets the current document along.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST

from league.models import Hanchan, ResultSheet, TableLink, TableSession
from league.platform.errors import ServiceError
from league.platform.throttling import guessed
from league.selectors.access.actors import LINKS_CAN, Actor, Capability, require
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
@guessed
def enter(request: HttpRequest, token: str) -> HttpResponseBase:
    """Come in by a link; what lets one in is not shown in any address from here on."""
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
    """The view gets the visitor in place of the table's number; refusals become problem documents."""

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
    """Who stands at the table. Raise Http404 for strangers, ProblemError once a link has ended."""
    visitor = visitor_at(request, pk)
    if visitor is not None:
        return visitor
    table = TableSession.objects.filter(pk=pk).first()
    if table is not None and has_ended(request, table):
        detail = _("This link has ended. Ask the organizers for a new one.")
        raise ProblemError("permission_refused", detail, [error("link_ended", detail)])
    raise Http404


def behind_response(request: HttpRequest, behind: BehindError, pk: int) -> HttpResponseBase:
    """A conflict that brings the current document along."""
    problem = problem_of(behind)
    response = ProblemResponse(Problem(problem.code, problem.detail, problem.errors), instance=request.path)
    visitor = visitor_of(request, pk)
    hanchan = asked_hanchan(visitor, body_of(request))
    document = {**json.loads(response.content), "document": sheet_document(hanchan, visitor)}
    return JsonResponse(document, status=response.status_code, content_type=response.headers["Content-Type"])


@require_GET
@at_the_table
def state(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """The document; nothing if the visitor has it already."""
    hanchan = shown_hanchan(visitor, number_in(request.GET.get("hanchan"), "hanchan"))
    if request.GET.get("after") == version_of(hanchan, visitor):
        return HttpResponse(status=204)
    return JsonResponse(sheet_document(hanchan, visitor))


@require_POST
@at_the_table
def events(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Write events to the log."""
    refuse_who_may_not_write(visitor)
    body = body_of(request)
    hanchan = asked_hanchan(visitor, body)
    append_events(hanchan=hanchan, events=events_in(body), after=whole(body, "after"), by=actor_of(visitor))
    return current(hanchan, visitor)


@require_POST
@at_the_table
def preview(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """What events would bring; nothing is written."""
    refuse_who_may_not_write(visitor)
    body = body_of(request)
    found = foresee(hanchan=asked_hanchan(visitor, body), events=events_in(body), by=actor_of(visitor))
    return JsonResponse(preview_document(found, after=whole(body, "after")))


@require_GET
@at_the_table
def legality(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Which hands a player may win with, from whom, before anything is declared."""
    numbers = {name: number_in(request.GET.get(name), name) for name in ("hanchan", "winner", "loser")}
    hanchan = shown_hanchan(visitor, numbers["hanchan"])
    return JsonResponse(legality_document(hanchan, numbers["winner"], numbers["loser"]))


@require_POST
@at_the_table
def submit(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """Hand in the result that the log tells."""
    refuse_who_may_not_write(visitor)
    body = body_of(request)
    hanchan = asked_hanchan(visitor, body)
    submit_log(
        hanchan=hanchan,
        sequence=whole(body, "sequence"),
        by=actor_of(visitor),
        accept=texts(body, "accept"),
        reason=text(body, "reason"),
        ended_by_time=body.get("ended_by_time") is True,
    )
    return current(hanchan, visitor)


@require_POST
@at_the_table
def approve(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """One player says that the result is right."""
    return judged(request, visitor, lambda sheet, _body: approve_sheet(sheet=sheet, by=actor_of(visitor)))


@require_POST
@at_the_table
def object_(request: HttpRequest, visitor: Visitor) -> HttpResponseBase:
    """One player says that the result is wrong, and why."""

    def judge(sheet: ResultSheet, body: Mapping[str, Any]) -> None:
        object_to_sheet(sheet=sheet, by=actor_of(visitor), reason=text(body, "reason"))

    return judged(request, visitor, judge)


def judged(
    request: HttpRequest, visitor: Visitor, judge: Callable[[ResultSheet, Mapping[str, Any]], object]
) -> HttpResponseBase:
    """A player's word on the sheet that was handed in.

    Who holds no player's link to this table is refused before anything they sent is looked at.
    """
    if visitor.approves_for is None:
        raise no_player()
    body = body_of(request)
    hanchan = asked_hanchan(visitor, body)
    judge(asked_sheet(hanchan, body), body)
    return current(hanchan, visitor)


def refuse_who_may_not_write(visitor: Visitor) -> None:
    """Who does not keep the score sheet is refused before anything they sent is looked at.

    A link that has ended with its table still hears what was taken from it; what is new the service refuses.
    """
    table, actor = visitor.table_session, visitor.actor()
    if actor.link is None or Capability.SUBMIT not in LINKS_CAN[actor.link.kind]:
        require(actor, table.competition, Capability.SUBMIT, table=table)


def current(hanchan: Hanchan, visitor: Visitor) -> HttpResponseBase:
    """The document as it stands after a change."""
    fresh = hanchan_at(visitor.table_session, hanchan.pk) or hanchan
    return JsonResponse(sheet_document(fresh, visitor))


def actor_of(visitor: Visitor) -> Actor:
    """Whoever acts, with the request's id for the log."""
    return visitor.actor(request_id()[:64])


def shown_hanchan(visitor: Visitor, pk: int | None) -> Hanchan:
    """The hanchan to show, by default the one to be played now. Raise Http404 for one of another table."""
    found = hanchan_at(visitor.table_session, pk)
    if found is None:
        raise Http404
    return found


def asked_hanchan(visitor: Visitor, body: Mapping[str, Any]) -> Hanchan:
    """The hanchan that a body is about: whoever writes says to which, for meanwhile another may be played."""
    return shown_hanchan(visitor, whole(body, "hanchan"))


def asked_sheet(hanchan: Hanchan, body: Mapping[str, Any]) -> ResultSheet:
    """The sheet named. Raise Http404 for one of another hanchan."""
    found = ResultSheet.objects.filter(hanchan=hanchan, pk=whole(body, "sheet")).first()
    if found is None:
        raise Http404
    return found


def body_of(request: HttpRequest) -> dict[str, Any]:
    """The body, one JSON object. Raise ProblemError for anything else."""
    if len(request.body) > LONGEST_BODY:
        raise ProblemError("request_too_large")
    try:
        found = json.loads(request.body, parse_constant=_no_constant)
    except (ValueError, RecursionError) as unreadable:
        raise ProblemError("malformed_request") from unreadable
    if not isinstance(found, dict):
        raise ProblemError("malformed_request")
    if errors := unstorable_errors(found):
        raise ProblemError("invalid_request", errors=errors)
    return found


def _no_constant(name: str) -> Any:
    """NaN and its like are no JSON."""
    raise ValueError(name)


def events_in(body: Mapping[str, Any]) -> list[NewEvent]:
    """The events of a batch."""
    found = body.get("events")
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise invalid("events", _("A list of events."))
    return [event_in(each, index) for index, each in enumerate(found)]


def event_in(data: Mapping[str, Any], index: int) -> NewEvent:
    """One event: its id, what it does, and with what."""
    client_id, kind, payload = data.get("client_id"), data.get("kind"), data.get("payload", {})
    if not isinstance(client_id, str) or not isinstance(kind, str) or not isinstance(payload, dict):
        raise invalid(f"events/{index}", _("An event has a client_id, a kind and a payload."))
    return NewEvent(client_id, kind, payload)


def whole(body: Mapping[str, Any], key: str) -> int:
    """A whole number that the database can hold."""
    value = body.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
        raise invalid(key, _("A whole number."))
    return value


def number_in(value: str | None, key: str) -> int | None:
    """A whole number of the address; None without one."""
    if value is None:
        return None
    if not value.isascii() or not value.isdecimal() or len(value) > 18:  # noqa: PLR2004 - what the database can hold
        raise invalid(key, _("A whole number."))
    return int(value)


def text(body: Mapping[str, Any], key: str) -> str:
    """A text, empty where none is given."""
    value = body.get(key, "")
    if not isinstance(value, str) or len(value) > 1000:  # noqa: PLR2004 - as everywhere for reasons
        raise invalid(key, _("A text of at most 1000 characters."))
    return value


def texts(body: Mapping[str, Any], key: str) -> list[str]:
    """Several texts, none where none are given."""
    value = body.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise invalid(key, _("A list of codes."))
    return value


def invalid(key: str, detail: str) -> ProblemError:
    """Something in the request has the wrong form."""
    return ProblemError("invalid_request", errors=[error("invalid", detail, pointer=f"/{key}")])
