"""One log line for every request, under an id that the answer carries too (`X-Request-ID`)."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django_structlog.middlewares import RequestMiddleware
from structlog.contextvars import get_contextvars

from league.platform.abuse_alerts import note_answer
from league.platform.masking import masked

HEADER = "X-Request-ID"


class RequestIds(RequestMiddleware):
    """Bind an id to everything logged during a request, and to the tasks it asks for."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """The request's first line, without secrets."""
        return masked(f"{request.method} {request.get_full_path()}")

    @staticmethod
    def bind_user_id(request: HttpRequest) -> None:
        """Nobody is looked up for a log line's sake: changes say who made them."""


class TellRequestId:
    """Send the id along with the answer. Stands right after what binds it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer as ever, under the id."""
        request_id = str(get_contextvars().get("request_id", ""))
        response = self.get_response(request)
        note_answer(response)
        response[HEADER] = request_id
        return response
