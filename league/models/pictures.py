"""Pictures of players and competitions."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.base import account
from league.models.competition import Competition
from league.models.player import Player


class Picture(models.Model):
    """A picture of a player or of a competition: a square WebP without metadata.

    It is stored in the database, so that one backup holds everything. The column `picture` of player and competition
    holds the digest of the one shown; the others were shown earlier and can be shown again.
    """

    player = models.ForeignKey(
        Player, verbose_name=_("player"), null=True, blank=True, on_delete=models.CASCADE, related_name="pictures"
    )
    competition = models.ForeignKey(
        Competition,
        verbose_name=_("competition"),
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="pictures",
    )
    data = models.BinaryField(_("picture"))
    side = models.PositiveIntegerField(_("width"))
    sha256 = models.CharField(_("digest"), max_length=64, db_index=True)
    added_by = account(_("by"), blank=True)
    added_at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("picture")
        verbose_name_plural = _("pictures")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(player=None, competition__isnull=False) | Q(player__isnull=False, competition=None),
                name="picture_of_one_subject",
            ),
            models.UniqueConstraint(fields=["player", "sha256"], name="picture_once_per_player"),
            models.UniqueConstraint(fields=["competition", "sha256"], name="picture_once_per_competition"),
        ]

    def __str__(self) -> str:
        return self.sha256[:8]
