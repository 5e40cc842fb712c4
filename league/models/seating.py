"""Searches in the background for a more even schedule than the one that is planned at once."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.competition import Competition


class SeatingSearch(models.Model):
    """A search for a more even seating of one block; no fact, so it may be discarded.

    It knows players by their places in the order of lots, so it holds for every plan with the same key. `start` and
    `best` are schedules: rounds of tables of places.
    """

    class State(models.TextChoices):
        """The progress of a search."""

        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        STOPPED = "stopped", _("stopped")

    competition = models.ForeignKey(
        Competition, verbose_name=_("competition"), on_delete=models.CASCADE, related_name="seating_searches"
    )
    key = models.CharField(_("digest"), max_length=64)
    """SHA-256 of players, pairs and start."""
    players = models.PositiveIntegerField(_("players"))
    apart = models.JSONField(_("pairs to be kept apart, with prices"))
    start = models.JSONField(_("first schedule"))
    best = models.JSONField(_("best schedule"))
    done = models.PositiveIntegerField(_("steps done"), default=0)
    total = models.PositiveIntegerField(_("steps"))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.WAITING)
    touched_at = models.DateTimeField(_("last progress"), default=timezone.now)

    class Meta:
        verbose_name = _("search for a seating")
        verbose_name_plural = _("searches for a seating")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["competition", "key"], name="seating_search_once")]

    def __str__(self) -> str:
        return f"{self.competition} {self.key[:8]} {self.done}/{self.total}"

    @property
    def is_pending(self) -> bool:
        """Return True if it goes on."""
        return self.state in {self.State.WAITING, self.State.RUNNING}
