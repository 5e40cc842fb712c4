"""The ordered change log: one row is the audit line, the outbox entry and the version number at once."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.base import account


class Door(models.TextChoices):
    """The channel through which a change came in."""

    ADMIN = "admin", _("admin")
    PAGE = "page", _("page")
    TABLE = "table", _("table")
    API = "api", "API"
    IMPORT = "import", _("import")
    COMMAND = "command", _("command line")
    TASK = "task", _("background task")


class Change(models.Model):
    """One change of a competition; its `n` is the competition's version after it. Never edited, never deleted.

    `is_public` is false for changes that the public must not learn of, for example a result under embargo.
    """

    competition = models.ForeignKey(
        "league.Competition",
        verbose_name=_("competition"),
        on_delete=models.PROTECT,
        related_name="changes",
    )
    n = models.PositiveBigIntegerField(_("number"))
    kind = models.CharField(_("what"), max_length=48)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        null=True,
        on_delete=models.PROTECT,
        related_name="changes",
    )
    credential = models.CharField(_("token or link"), max_length=64, blank=True)
    door = models.CharField(_("door"), max_length=8, choices=Door)
    at = models.DateTimeField(_("at"), default=timezone.now)
    subject_type = models.CharField(_("kind of subject"), max_length=32)
    subject_id = models.CharField(_("subject"), max_length=64)
    before = models.JSONField(_("before"), null=True)
    after = models.JSONField(_("after"), null=True)
    reason = models.TextField(_("reason"), blank=True)
    is_public = models.BooleanField(_("public"), default=True)
    request_id = models.CharField(_("request"), max_length=64, blank=True)

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        ordering = ["competition", "-n"]
        constraints = [models.UniqueConstraint(fields=["competition", "n"], name="change_number_once")]
        indexes = [
            models.Index(fields=["at"], name="change_at"),
            models.Index(fields=["competition", "is_public", "n"], name="change_public"),
            models.Index(fields=["subject_type", "subject_id"], name="change_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.competition_id}#{self.n} {self.kind}"


class OrganizationChange(models.Model):
    """A change outside any competition: accounts, tokens, people, rule books. Never edited or deleted."""

    kind = models.CharField(_("what"), max_length=48)
    actor = account(_("by"))
    credential = models.CharField(_("token or link"), max_length=64, blank=True)
    door = models.CharField(_("door"), max_length=8, choices=Door)
    at = models.DateTimeField(_("at"), default=timezone.now)
    subject_type = models.CharField(_("kind of subject"), max_length=32)
    subject_id = models.CharField(_("subject"), max_length=64)
    before = models.JSONField(_("before"), null=True)
    after = models.JSONField(_("after"), null=True)
    reason = models.TextField(_("reason"), blank=True)
    request_id = models.CharField(_("request"), max_length=64, blank=True)

    class Meta:
        verbose_name = _("change outside competitions")
        verbose_name_plural = _("changes outside competitions")
        ordering = ["-pk"]
        indexes = [models.Index(fields=["subject_type", "subject_id"], name="organization_change_subject")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject_type} {self.subject_id}"


class IdempotencyKey(models.Model):
    """The stored response to a submission; a retry with the same key gets it again and changes nothing."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="+"
    )
    key = models.CharField(_("key"), max_length=128)
    route = models.CharField(_("route"), max_length=200)
    body_sha256 = models.CharField(_("digest of the body"), max_length=64)
    # Null while the first request with this key is still being processed.
    status = models.PositiveSmallIntegerField(_("status"), null=True)
    response = models.JSONField(_("answer"), null=True)
    created_at = models.DateTimeField(_("created at"), default=timezone.now)

    class Meta:
        verbose_name = _("idempotency key")
        verbose_name_plural = _("idempotency keys")
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="idempotency_key_once")]
        indexes = [models.Index(fields=["created_at"], name="idempotency_key_age")]

    def __str__(self) -> str:
        return self.key
