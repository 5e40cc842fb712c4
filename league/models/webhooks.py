"""Webhooks: subscriptions of programs and chat services to a competition's, series' or ranking's events; deliveries.

A program gets signed messages of ids, a chat service or a mail address gets texts for people. No signing key is stored:
it is derived from the installation's secret, the subscription's id and `key_number`, so that changing the number
changes the key. The addresses of chat services are secrets of their own: they are shown to directors alone.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.base import Audience, account

if TYPE_CHECKING:
    from league.models.competition import Competition
    from league.models.ranking import Ranking
    from league.models.series import Series

MAIL = "mailto:"
"""The beginning of the stored address of a mailbox."""


class WebhookSubscription(models.Model):
    """A URL that receives the changes of its owner: a competition, a series or a ranking.

    `sent_n` is the number of the newest change that was examined for it, or the owner's version; `failures` counts
    failed deliveries since the last successful one.
    """

    class Service(models.TextChoices):
        """The kinds of receivers: a program of one's own, or a service that shows texts to people."""

        PROGRAM = "program", _("a program (JSON)")
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"
        LINE = "line", "LINE"
        MAIL = "mail", _("mail")

        @property
        def is_for_people(self) -> bool:
            """True if texts are sent there instead of signed messages for a program."""
            return self is not WebhookSubscription.Service.PROGRAM

    competition = models.ForeignKey(
        "league.Competition",
        verbose_name=_("competition"),
        on_delete=models.CASCADE,
        related_name="webhooks",
        null=True,
        blank=True,
    )
    series = models.ForeignKey(
        "league.Series",
        verbose_name=_("series"),
        on_delete=models.CASCADE,
        related_name="webhooks",
        null=True,
        blank=True,
    )
    ranking = models.ForeignKey(
        "league.Ranking",
        verbose_name=pgettext_lazy("across competitions", "ranking"),
        on_delete=models.CASCADE,
        related_name="webhooks",
        null=True,
        blank=True,
    )
    service = models.CharField(
        _("receiver"), max_length=8, choices=Service, default=Service.PROGRAM, db_default=Service.PROGRAM
    )
    language = models.CharField(_("language"), max_length=8, blank=True, db_default="")
    url = models.URLField(pgettext_lazy("webhook", "address"), max_length=500)
    events = models.JSONField(_("events"), default=list)
    audience = models.CharField(
        _("hears what"),
        max_length=8,
        choices=Audience,
        default=Audience.PUBLIC,
        help_text=_("Who hears what organizers see is told of results that are still held back."),
    )
    key_number = models.PositiveIntegerField(_("number of the signing key"), default=1)
    sent_n = models.PositiveBigIntegerField(_("told up to change"), default=0)
    failures = models.PositiveIntegerField(_("failures in a row"), default=0)
    failing_since = models.DateTimeField(_("failing since"), null=True, blank=True)
    made_by = account(_("made by"))
    made_at = models.DateTimeField(_("made at"), default=timezone.now)
    disabled_at = models.DateTimeField(_("disabled at"), null=True, blank=True)
    disabled_because = models.CharField(_("disabled because"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["competition", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(competition__isnull=False, series=None, ranking=None)
                | Q(competition=None, series__isnull=False, ranking=None)
                | Q(competition=None, series=None, ranking__isnull=False),
                name="webhook_of_one_owner",
            )
        ]

    def __str__(self) -> str:
        return self.typed_address

    @property
    def typed_address(self) -> str:
        """The address as a user types it: for LINE the id of the receiver, for mail the bare address, else the URL."""
        if self.service == self.Service.LINE:
            return parse_qs(urlsplit(self.url).query)["to"][0]
        return self.url.removeprefix(MAIL)

    @property
    def host(self) -> str:
        """The host that messages go to, or the mail address; path, query and credentials may hold a secret."""
        if self.service == self.Service.MAIL:
            return self.typed_address
        return urlsplit(self.url).netloc.rpartition("@")[2]

    @property
    def is_for_people(self) -> bool:
        """True if it gets texts for people instead of signed messages for a program."""
        return self.Service(self.service).is_for_people

    @property
    def owner(self) -> Competition | Series | Ranking:
        """The competition, series or ranking whose events it gets."""
        found = self.competition or self.series or self.ranking
        if found is None:
            raise LookupError("a webhook without an owner, which the database refuses")
        return found


class WebhookDelivery(models.Model):
    """One message to one URL, and the state of its delivery. `message_id` is the same at every attempt."""

    class State(models.TextChoices):
        """The state of a delivery. Waiting includes the time between two attempts."""

        WAITING = "waiting", pgettext_lazy("delivery", "waiting")
        DELIVERED = "delivered", _("delivered")
        FAILED = "failed", _("given up")

    subscription = models.ForeignKey(
        WebhookSubscription, verbose_name=_("webhook"), on_delete=models.CASCADE, related_name="deliveries"
    )
    message_id = models.CharField(_("message"), max_length=64)
    event = models.CharField(_("event"), max_length=48)
    change_n = models.PositiveBigIntegerField(_("change"), null=True, blank=True)
    body = models.TextField(_("body"))
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.WAITING)
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    next_attempt_at = models.DateTimeField(_("next attempt at"), null=True, blank=True, default=timezone.now)
    status = models.PositiveSmallIntegerField(_("last answer"), null=True, blank=True)
    error = models.CharField(_("last error"), max_length=300, blank=True)
    created_at = models.DateTimeField(_("created at"), default=timezone.now)
    delivered_at = models.DateTimeField(_("delivered at"), null=True, blank=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["subscription", "message_id"], name="webhook_message_once"),
        ]
        indexes = [
            # Partial index: finished deliveries accumulate, and the sender looks for waiting ones only.
            models.Index(fields=["next_attempt_at"], condition=Q(state="waiting"), name="webhook_delivery_due"),
        ]

    def __str__(self) -> str:
        return self.message_id


class DeliveryFault(StrEnum):
    """Reasons for which a message was not delivered."""

    ADDRESS_REFUSED = "address_refused"
    """The host name resolves to no address, or to one that is not on the public internet.

    One fault for both: with two, the author of a URL could find out which names exist in the service's own network.
    """
    CONNECTION_FAILED = "connection_failed"
    """The connection was refused or broke."""
    TLS_FAILED = "tls_failed"
    """The certificate is invalid, or the TLS handshake failed."""
    TIMEOUT = "timeout"
    """The response took too long."""
    ANSWER_TOO_LONG = "answer_too_long"
    """The headers of the response are too long."""
    ANSWER_UNREADABLE = "answer_unreadable"
    """The response is not HTTP."""
    REDIRECTED = "redirected"
    """The response is a redirect; it is not followed."""
    NOT_ACCEPTED = "not_accepted"
    """The response has no 2xx status."""
    MAIL_REFUSED = "mail_refused"
    """The mail server did not take the letter."""


GONE_REASON, FAILING_REASON, RIGHTS_REASON = "gone", "failing", "rights"
