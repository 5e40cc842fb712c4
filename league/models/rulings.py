"""Decisions of organizers as rows with a reason: rulings on ties, adjustments, overrides, closed blocks, draws."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.models.base import Versioned


class Decided(Versioned):
    """Abstract base of a decision by a person, with its reason."""

    reason = models.TextField(_("reason"))
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        abstract = True


class Ruling(Decided):
    """The order of entrants whom the rules cannot separate: `order` holds their ids, best first.

    `scope` is the ranking that the ruling is about: a block's key, or a comparison across blocks such as
    ``best:preliminary#5``.
    """

    competition = models.ForeignKey(
        "league.Competition", verbose_name=_("competition"), on_delete=models.PROTECT, related_name="rulings"
    )
    scope = models.CharField(_("ranking"), max_length=64)
    order = models.JSONField(_("order"))

    class Meta:
        verbose_name = _("ruling on a tie")
        verbose_name_plural = _("rulings on ties")
        ordering = ["competition", "made_n"]

    def __str__(self) -> str:
        return f"{self.scope}: {self.reason}"


class Adjustment(Decided):
    """Points awarded or deducted outside a hanchan, at the scale of the ranking ledger."""

    block = models.ForeignKey(
        "league.Block",
        verbose_name=_("block"),
        on_delete=models.PROTECT,
        related_name="adjustments",
    )
    entrant = models.ForeignKey(
        "league.Entrant",
        verbose_name=_("entrant"),
        on_delete=models.PROTECT,
        related_name="adjustments",
    )
    player = models.ForeignKey(
        "league.Player",
        verbose_name=_("member"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("Points of a team that are also this member's; empty: the team's alone."),
    )
    points = models.IntegerField(_("points"))
    cause = models.CharField(_("penalty"), max_length=64, blank=True, default="", db_default="")
    """The key of the penalty in the rules; empty for other points."""

    class Meta:
        verbose_name = _("adjustment")
        verbose_name_plural = _("adjustments")
        ordering = ["block", "made_n"]

    def __str__(self) -> str:
        return f"{self.entrant}: {self.reason}"


class Override(Decided):
    """An organizer's change of the entrants who advance."""

    class Kind(models.TextChoices):
        """The kind of override: give a slot another source, or pass over a withdrawn entrant in a block's ranks."""

        REPLACE = "replace", _("the slot is filled from elsewhere")
        PASS_OVER = "pass_over", _("the entrant is passed over")

    block = models.ForeignKey(
        "league.Block", verbose_name=_("block"), on_delete=models.PROTECT, related_name="overrides"
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind)
    slot = models.ForeignKey(
        "league.Slot",
        verbose_name=_("slot"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="overrides",
    )
    source = models.CharField(_("new source"), max_length=64, blank=True)
    entrant = models.ForeignKey(
        "league.Entrant",
        verbose_name=_("entrant"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )

    class Meta:
        verbose_name = _("override")
        verbose_name_plural = _("overrides")
        ordering = ["block", "made_n"]

    def __str__(self) -> str:
        return f"{self.block}: {self.reason}"


class Closing(Decided):
    """The end of a block before all its hanchan have been played: what counts now is its final standing."""

    block = models.ForeignKey(
        "league.Block", verbose_name=_("block"), on_delete=models.PROTECT, related_name="closings"
    )

    class Meta:
        verbose_name = _("closed block")
        verbose_name_plural = _("closed blocks")
        ordering = ["block", "made_n"]

    def __str__(self) -> str:
        return f"{self.block}: {self.reason}"


class Draw(Decided):
    """The result of a stage's draw: `result` maps the stage's pool numbers to block and slot.

    `seed` is the random seed, if the service made the draw; anyone can repeat the draw from it.
    """

    stage = models.ForeignKey("league.Stage", verbose_name=_("stage"), on_delete=models.PROTECT, related_name="draws")
    result = models.JSONField(_("result"))
    seed = models.CharField(_("seed"), max_length=64, blank=True)

    class Meta:
        verbose_name = _("draw")
        verbose_name_plural = _("draws")
        ordering = ["stage", "made_n"]

    def __str__(self) -> str:
        return f"{self.stage}: {self.reason}"
