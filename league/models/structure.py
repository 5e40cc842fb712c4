"""The structure of a competition: stages, their blocks, and the slots that entrants fill."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.wording.names import title_of


class Stage(models.Model):
    """A part of a competition with its own blocks: a preliminary, a playoff, the final."""

    competition = models.ForeignKey(
        "league.Competition",
        verbose_name=_("competition"),
        on_delete=models.PROTECT,
        related_name="stages",
    )
    key = models.SlugField(_("key"), max_length=32)
    order = models.PositiveIntegerField(_("order"))
    name = models.CharField(_("name"), max_length=100)
    name_en = models.CharField(_("English name"), max_length=100, blank=True)
    hanchan_count = models.PositiveIntegerField(_("hanchan for each entrant"), null=True, blank=True)

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ["competition", "order"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "key"], name="stage_key_once"),
            models.UniqueConstraint(fields=["competition", "order"], name="stage_order_once"),
        ]

    def __str__(self) -> str:
        return title_of(self)


class Block(models.Model):
    """A group of entrants who are ranked against each other."""

    competition = models.ForeignKey(
        "league.Competition",
        verbose_name=_("competition"),
        on_delete=models.PROTECT,
        related_name="blocks",
    )
    stage = models.ForeignKey(Stage, verbose_name=_("stage"), on_delete=models.PROTECT, related_name="blocks")
    key = models.SlugField(_("key"), max_length=32)
    order = models.PositiveIntegerField(_("order"))
    name = models.CharField(_("name"), max_length=100)
    name_en = models.CharField(_("English name"), max_length=100, blank=True)

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        ordering = ["stage__order", "order"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "key"], name="block_key_once"),
            models.UniqueConstraint(fields=["stage", "order"], name="block_order_once"),
        ]

    def __str__(self) -> str:
        return title_of(self)


class Slot(models.Model):
    """A place in a block. `source` says where its entrant comes from; `seeded` is the entrant placed by hand.

    `source` is the format's short form, such as ``A#2`` (second of block A) or ``seed:3``.
    """

    block = models.ForeignKey(Block, verbose_name=_("block"), on_delete=models.PROTECT, related_name="slots")
    number = models.PositiveIntegerField(_("number"))
    source = models.CharField(_("source"), max_length=64)
    seeded = models.ForeignKey(
        "league.Entrant",
        verbose_name=_("seeded entrant"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="seeded_slots",
    )

    class Meta:
        verbose_name = _("slot")
        verbose_name_plural = _("slots")
        ordering = ["block", "number"]
        constraints = [
            models.UniqueConstraint(fields=["block", "number"], name="slot_number_once"),
            models.UniqueConstraint(fields=["block", "seeded"], condition=~Q(seeded=None), name="slot_entrant_once"),
        ]

    def __str__(self) -> str:
        return gettext("%(block)s, place %(number)s") % {"block": self.block, "number": self.number}
