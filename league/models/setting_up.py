"""A competition on its way: what an organizer has typed into the guided set-up so far."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class SetUp(models.Model):
    """The steps of a guided set-up as they were filled in, kept until the competition is made or it is given up."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("owner"), on_delete=models.CASCADE, related_name="set_ups"
    )
    content = models.JSONField(_("content"), default=dict, blank=True)
    competition = models.OneToOneField(
        "league.Competition",
        verbose_name=_("competition"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="set_up",
    )
    changed_at = models.DateTimeField(_("changed at"), default=timezone.now)

    class Meta:
        verbose_name = _("guided set-up")
        verbose_name_plural = _("guided set-ups")
        ordering = ["-changed_at"]

    def __str__(self) -> str:
        return str(self.content.get("name", "")) or f"{self.pk}"
