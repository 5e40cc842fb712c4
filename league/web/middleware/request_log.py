"""Request logging: one line per request, under an id that the response carries too (`X-Request-ID`)."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django_structlog.middlewares import RequestMiddleware
from structlog.contextvars import get_contextvars

from league.platform.abuse_alerts import note_answer
from league.platform.masking import mask_text

HEADER = "X-Request-ID"


class RequestIds(RequestMiddleware):
    """Middleware that binds an id to every log line of a request and of the tasks it sends."""

    @staticmethod
    def format_request(request: HttpRequest) -> str:
        """Return the request line with secrets masked."""
        return mask_text(f"{request.method} {request.get_full_path()}")

    @staticmethod
    def bind_user_id(request: HttpRequest) -> None:
        """Do not bind the user, whose lookup would cost a query for each request; changes record their actor."""


class TellRequestId:
    """Middleware that sends the request id in the response; must follow the one that binds it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Return the response with the request id, counting it if it is a refusal."""
        request_id = str(get_contextvars().get("request_id", ""))
        response = self.get_response(request)
        note_answer(response)
        response[HEADER] = request_id
        return response
