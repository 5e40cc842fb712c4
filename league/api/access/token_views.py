"""Login and logout of API clients: a token for a user name and a password.

The token is shown once; the database keeps its digest only.
"""

from __future__ import annotations

from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.access.root_documents import Token
from league.api.authentication import TokenAuthentication, actor_of, basic_credentials
from league.api.base import ApiView
from league.api.fields import StrictSerializer
from league.api.schema import describe_post
from league.api.throttles import LoginThrottle
from league.models import Door
from league.platform.abuse_alerts import note_refused
from league.selectors.access.actors import Actor
from league.services.access import two_factor
from league.services.access.code_reuse import note_if_reused
from league.services.access.tokens import revoke_token, sign_in_by_token
from league.web.problems import request_id

LOCKED_FOR = 15 * 60


class LoginInput(StrictSerializer):
    """User name and password, or nothing if the Authorization header has Basic credentials."""

    username = serializers.CharField(max_length=150, help_text="The user name.")
    password = serializers.CharField(max_length=1000, trim_whitespace=False, write_only=True, help_text="The password.")
    otp = serializers.CharField(
        max_length=32,
        required=False,
        write_only=True,
        help_text="The code of two-factor login; with Basic credentials it is sent in the header X-OTP instead.",
    )


@describe_post("login", LoginInput, Token)
class LoginView(ApiView):
    """Exchange a user name and a password for an API token."""

    authentication_classes = []
    permission_classes = []
    throttle_classes = [LoginThrottle]

    def post(self, request: Request) -> Response:
        """Return a new token; too many wrong passwords lock the user name for a while."""
        name, password = self.credentials(request)
        user = authenticate(request, username=name, password=password)
        if getattr(request, "axes_locked_out", False):
            raise Throttled(LOCKED_FOR)
        if user is None:
            raise AuthenticationFailed(_("Name or password is wrong."))
        self.check_code(request, user)
        # actor_of() would not do: this request is not authenticated yet.
        by = Actor(user=user, door=Door.API, request_id=request_id()[:64])
        made = sign_in_by_token(user=user, by=by)
        expires = made.row.expiry.isoformat(timespec="seconds") if made.row.expiry else None
        return Response(Token(token=made.token, expires_at=expires, user=user.get_username()))

    def check_code(self, request: Request, user: User) -> None:
        """Check the one-time code of a user with two-factor login, from the body or the header X-OTP.

        Raise PermissionDenied if the user must set up two-factor login first, Throttled after too many wrong codes,
        AuthenticationFailed if the code is missing or wrong.
        """
        if not two_factor.has_second_step(user):
            if two_factor.must_have_second_step(user):
                raise PermissionDenied(_("Signing in asks you for a code. Set it up in a browser first, at /account/."))
            return
        body = request.data if isinstance(request.data, dict) else {}
        code = request.headers.get("X-OTP", "") or str(body.get("otp", ""))
        answer = two_factor.check(user=user, code=code) if code else two_factor.CodeCheck()
        if answer.wait:
            raise Throttled(answer.wait)
        if answer.device is None:
            if code:
                note_refused("code")
                by = Actor(user=user, door=Door.API, request_id=request_id()[:64])
                if note_if_reused(user=user, code=code, by=by):
                    note_refused("code_reused")
                raise AuthenticationFailed(
                    _("This code is not right. Type the one the app shows now; check the clock of your phone.")
                )
            raise AuthenticationFailed(_("Signing in asks for the code your app shows now: send it as `otp`."))

    def credentials(self, request: Request) -> tuple[str, str]:
        """Return user name and password, from the header or the body."""
        if basic := basic_credentials(request):
            return basic
        values = LoginInput.check(request.data)
        return values["username"], values["password"]

    def get_authenticate_header(self, request: Request) -> str:
        """Return the challenge for this view: Basic credentials are accepted here."""
        return 'Basic realm="jantaku"'


@describe_post("logout", None, None, status=204)
class LogoutView(ApiView):
    """Revoke the token that the request is made with."""

    authentication_classes = [TokenAuthentication]
    permission_classes = [IsAuthenticated]

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Revoke the token; later requests with it are refused."""
        revoke_token(row=request.auth, by=actor_of(request))
        return HttpResponse(status=204)
