"""The hand-by-hand log of a table; events are only ever appended."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.base import account, through_link


class TableEvent(models.Model):
    """One event of a table's log. An undo, a ruling or a winner's choice is an event of its own too."""

    hanchan = models.ForeignKey(
        "league.Hanchan", verbose_name=_("hanchan"), on_delete=models.PROTECT, related_name="events"
    )
    sequence = models.PositiveIntegerField(_("sequence"))
    client_id = models.CharField(_("id given by the device"), max_length=64)
    kind = models.CharField(_("kind"), max_length=32)
    payload = models.JSONField(_("content"), default=dict, blank=True)
    entered_by = account(_("entered by"), blank=True)
    link = through_link()
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("entry of the table log")
        verbose_name_plural = _("table log")
        ordering = ["hanchan", "sequence"]
        constraints = [
            models.UniqueConstraint(fields=["hanchan", "sequence"], name="table_event_sequence_once"),
            # A device that lost the connection sends its events again; this keeps each event once.
            models.UniqueConstraint(fields=["hanchan", "client_id"], name="table_event_client_id_once"),
        ]

    def __str__(self) -> str:
        return f"{self.hanchan_id}/{self.sequence} {self.kind}"
