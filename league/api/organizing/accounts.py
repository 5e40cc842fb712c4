"""Accounts of people at online services, for those who look after people."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from pydantic import Field
from rest_framework import serializers
from rest_framework.request import Request

from league.api.authentication import actor_of
from league.api.fields import StrictSerializer
from league.api.organizing.people import OfPeopleView, require_people
from league.api.schema import describe_get
from league.api.writing import Checked, describe_write
from league.models import OnlineAccount, OnlineService, Player
from league.selectors.access.actors import Actor
from league.services.people.online_accounts import forget_account, remember_account
from league.web.documents import Document, Ref

LONGEST_ACCOUNT = 100


class NewOnlineAccountInput(StrictSerializer):
    """An account of a person at an online service."""

    service = serializers.ChoiceField(OnlineService.choices, help_text="The online service.")
    kind = serializers.ChoiceField(
        OnlineAccount.Kind.choices, default=OnlineAccount.Kind.NAME, help_text="Ids never change, names may."
    )
    text = serializers.CharField(max_length=LONGEST_ACCOUNT, help_text="The id or the name there.")


class OnlineAccountDocument(Document):
    """An account of a person at an online service."""

    id: Ref = Field(description="The account's id here.")
    service: OnlineService = Field(description="The online service.")
    kind: OnlineAccount.Kind = Field(description="Ids never change, names may.")
    text: str = Field(description="The id or the name there.")


class OnlineAccountsDocument(Document):
    """The accounts of a person at online services."""

    accounts: list[OnlineAccountDocument] = Field(description="By service, kind and text.")


@describe_get("list_online_accounts", OnlineAccountsDocument, refusals=(403,))
@describe_write("remember_online_account", NewOnlineAccountInput, OnlineAccountDocument)
class OnlineAccountsView(OfPeopleView):
    """List a person's accounts at online services. A POST remembers one, so that logs with it are taken for theirs."""

    http_method_names = ["get", "head", "post", "options"]
    creates = True

    def build(self) -> OnlineAccountsDocument:
        """Return the accounts."""
        rows = OnlineAccount.objects.filter(player=self.player())
        return OnlineAccountsDocument(accounts=[OnlineAccountDocument.build(row) for row in rows])

    def post(self, request: Request, **path: object) -> HttpResponse:
        """Remember an account; one that is known as another person's is refused."""
        require_people(actor_of(request))
        player = self.player()
        values: Checked = NewOnlineAccountInput.check(request.data or {})
        return self.run_once(lambda by: self.remember(player, values, by), HTTPStatus.CREATED)

    def remember(self, player: Player, values: Checked, by: Actor) -> OnlineAccountDocument:
        """Remember the account."""
        return OnlineAccountDocument.build(remember_account(player=player, by=by, **values))


@describe_write("forget_online_account", None, None, method="delete")
class OnlineAccountView(OfPeopleView):
    """Forget an account; games that were imported with it stay with their players."""

    http_method_names = ["delete", "options"]

    def delete(self, request: Request, **path: object) -> HttpResponse:
        """Forget the account."""
        require_people(actor_of(request))
        rows = OnlineAccount.objects.filter(player=self.player())
        # Found in the work: to a request that is sent again the account is missing, but not its response.
        return self.run_once(
            lambda by: forget_account(account=get_object_or_404(rows, pk=self.kwargs["online_account"]), by=by)
        )
