"""The service as a machine: what it sends to others, and which of its parts are alive."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.base import Audience


class Webhook(models.Model):
    """An address that wants to be told of a competition's events; changes up to `after_n` have been looked at."""

    competition = models.ForeignKey(
        "league.Competition", verbose_name=_("competition"), on_delete=models.CASCADE, related_name="webhooks"
    )
    url = models.URLField(_("address"), max_length=500)
    events = models.JSONField(_("events"), default=list, help_text=_("Empty: all of them"), blank=True)
    secret = models.CharField(_("secret"), max_length=128)
    audience = models.CharField(_("audience"), max_length=8, choices=Audience, default=Audience.PUBLIC)
    after_n = models.PositiveBigIntegerField(_("changes looked at"), default=0, editable=False)
    failures = models.PositiveIntegerField(_("failures in a row"), default=0, editable=False)
    disabled_at = models.DateTimeField(_("disabled at"), null=True, blank=True)
    disabled_reason = models.CharField(_("why it was disabled"), max_length=200, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("made by"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(_("made at"), default=timezone.now)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["competition", "pk"]

    def __str__(self) -> str:
        return self.url


class Delivery(models.Model):
    """One message to a webhook and what became of it. The same change is never told twice to the same address."""

    class State(models.TextChoices):
        """Waiting, arrived, or given up."""

        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        GIVEN_UP = "given_up", _("given up")

    webhook = models.ForeignKey(Webhook, verbose_name=_("webhook"), on_delete=models.CASCADE, related_name="deliveries")
    message_id = models.CharField(_("message id"), max_length=64, unique=True)
    n = models.PositiveBigIntegerField(_("change"))
    event = models.CharField(_("event"), max_length=48)
    body = models.TextField(_("body"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_at = models.DateTimeField(_("next attempt at"), null=True, blank=True)
    status = models.PositiveSmallIntegerField(_("answer's status"), null=True, blank=True)
    answer = models.CharField(_("answer"), max_length=500, blank=True)
    made_at = models.DateTimeField(_("made at"), default=timezone.now)
    delivered_at = models.DateTimeField(_("delivered at"), null=True, blank=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        ordering = ["webhook", "-n"]
        constraints = [models.UniqueConstraint(fields=["webhook", "n"], name="delivery_once_per_change")]
        indexes = [models.Index(fields=["state", "next_at"], name="delivery_due")]

    def __str__(self) -> str:
        return self.message_id


class Heartbeat(models.Model):
    """When a part of the service was last seen alive."""

    name = models.CharField(_("part"), max_length=100, primary_key=True)
    at = models.DateTimeField(_("last seen at"), default=timezone.now)

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
