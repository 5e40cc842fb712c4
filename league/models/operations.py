"""Liveness of the parts of the service (health checks)."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

BEAT, ODDS, TICKER, WORKER = "beat", "odds", "ticker", "worker"
"""The kinds of process that write heartbeats."""
BACKUP = "backup"
"""The part whose heartbeat is the time of the newest backup."""


class Heartbeat(models.Model):
    """The time of the last heartbeat of a part of the service, for example a worker."""

    part = models.CharField(_("part"), max_length=100, primary_key=True)
    seen_at = models.DateTimeField(_("seen at"), default=timezone.now)

    class Meta:
        verbose_name = _("sign of life")
        verbose_name_plural = _("signs of life")
        ordering = ["part"]

    def __str__(self) -> str:
        return self.part
