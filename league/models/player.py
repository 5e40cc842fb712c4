"""Players and entrants. Names and other personal data are kept on `Player` alone; all other rows hold ids."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.models.base import digest_of_picture
from league.wording.marks import LONGEST_GLYPH
from league.wording.names import person_name


class Player(models.Model):
    """A person who plays in any number of competitions, or a team (`is_team`) whose members sit for it."""

    key = models.SlugField(_("key"), max_length=64, unique=True)
    name = models.CharField(_("name"), max_length=100)
    name_kana = models.CharField(_("name in kana"), max_length=100, blank=True)
    name_romaji = models.CharField(_("name in roman letters"), max_length=100, blank=True)
    short_name = models.CharField(_("short name"), max_length=20, blank=True, default="", db_default="")
    """For charts and narrow columns; people get theirs from their names."""
    is_team = models.BooleanField(_("team"), default=False, db_default=False)
    affiliation = models.CharField(_("affiliation"), max_length=100, blank=True)
    country = models.CharField(_("country or region"), max_length=40, blank=True, default="", db_default="")
    number = models.CharField(_("member number"), max_length=32, blank=True)
    external_id = models.CharField(
        _("id in a membership list elsewhere"), max_length=64, null=True, blank=True, unique=True
    )
    """By which a program finds the person again; null without one."""
    handle = models.CharField(_("public handle"), max_length=50, blank=True)
    is_public = models.BooleanField(_("shown in public rankings of open tables"), default=False)
    mark_glyph = models.CharField(
        _("character on the tile"), max_length=LONGEST_GLYPH, blank=True, default="", db_default=""
    )
    mark_colour = models.PositiveSmallIntegerField(_("colour of the tile"), null=True, blank=True)
    picture = digest_of_picture()
    # Never set. The queries of 1.1.0 name it, so one release must leave it out of the model before one drops it.
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
    )
    # A merged duplicate keeps its row, so that ids in old log lines still lead to the person.
    merged_into = models.ForeignKey(
        "self",
        verbose_name=_("merged into"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="duplicates",
    )
    erased_at = models.DateTimeField(_("erased at"), null=True, blank=True)
    created_at = models.DateTimeField(_("created at"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = pgettext_lazy("person", "player")
        verbose_name_plural = _("players")
        ordering = ["name_kana", "name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(merged_into=None) | ~Q(merged_into=F("id")),
                name="player_not_merged_into_itself",
            ),
        ]

    def __str__(self) -> str:
        return person_name(self)

    @property
    def kept(self) -> Player:
        """Return the player kept for this one: the one it was merged into, or itself."""
        return self.merged_into or self

    @property
    def kept_id(self) -> int:
        """Return the id of the player kept for this one, without a query."""
        return self.merged_into_id or self.pk


class Entrant(models.Model):
    """A player's entry in one competition. Results count for the entrant, also if a substitute played."""

    competition = models.ForeignKey(
        "league.Competition",
        verbose_name=_("competition"),
        on_delete=models.PROTECT,
        related_name="entrants",
    )
    player = models.ForeignKey(Player, verbose_name=_("player"), on_delete=models.PROTECT, related_name="entrants")
    number = models.PositiveIntegerField(_("number"))
    affiliation = models.CharField(_("affiliation that season"), max_length=100, blank=True)
    country = models.CharField(_("country or region that season"), max_length=40, blank=True, default="", db_default="")
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True, blank=True)
    """Set while a `Departure` of this entrant holds, so that lists need not look for one."""
    checked_in_at = models.DateTimeField(_("checked in at"), null=True, blank=True)
    is_house = models.BooleanField(_("house player"), default=False, db_default=False)
    """Fills a table; has no rank, and what this player wins counts for no entrant."""
    merged_into = models.ForeignKey(
        "self",
        verbose_name=_("counts for"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="duplicates",
        help_text=_("The same person was entered twice: results of this entry count for the other."),
    )

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        ordering = ["competition", "number"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "player"], name="entrant_once_per_competition"),
            models.UniqueConstraint(fields=["competition", "number"], name="entrant_number_once_per_competition"),
        ]

    def __str__(self) -> str:
        return str(self.player)

    def is_replaced_by(self, player: int) -> bool:
        """Return True if this player id is another person's than this entrant's; members of a team are no others."""
        return player != self.player_id and not self.player.is_team
