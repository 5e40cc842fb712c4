"""Revisions of rule files, stored word for word, and the periods in which a competition plays by them."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Revision(models.Model):
    """One text of a rule file, stored as it was read; a changed file becomes a new revision."""

    name = models.SlugField(_("name"), max_length=64)
    number = models.PositiveIntegerField(_("revision"))
    text = models.TextField(_("text"))
    sha256 = models.CharField(_("digest"), max_length=64)
    created_at = models.DateTimeField(_("created at"), default=timezone.now, editable=False)

    objects: models.Manager[Self] = models.Manager()

    class Meta:
        abstract = True
        ordering = ["name", "number"]

    def __str__(self) -> str:
        return f"{self.name} r{self.number}"


def once_each(kind: str) -> list[models.BaseConstraint]:
    """Return the constraints of a kind of revision: each number and each text once under a name.

    A function, since names of constraints made from an abstract base would not be those that databases have.
    """
    return [
        models.UniqueConstraint(fields=["name", "number"], name=f"{kind}_number_once"),
        models.UniqueConstraint(fields=["name", "sha256"], name=f"{kind}_text_once"),
    ]


class RulesetRevision(Revision):
    """A revision of a rule book: the values of `ruleset.toml`."""

    examples = models.TextField(_("worked examples"), blank=True, default="")
    """Worked examples that prove an organizer's own rule book, as in `examples.toml`.

    They are no rules, so they may be added to a revision later.
    """

    objects: models.Manager[RulesetRevision] = models.Manager()

    class Meta(Revision.Meta):
        verbose_name = _("ruleset revision")
        verbose_name_plural = _("ruleset revisions")
        constraints = once_each("ruleset_revision")


class FormatRevision(Revision):
    """A revision of a league format: stages, blocks and the rules of advancement."""

    objects: models.Manager[FormatRevision] = models.Manager()

    class Meta(Revision.Meta):
        verbose_name = _("format revision")
        verbose_name_plural = _("format revisions")
        constraints = once_each("format_revision")


class SeriesRevision(Revision):
    """A revision of a series file: tiers, moves between them, and the ledger of promotion points."""

    objects: models.Manager[SeriesRevision] = models.Manager()

    class Meta(Revision.Meta):
        verbose_name = _("series revision")
        verbose_name_plural = _("series revisions")
        constraints = once_each("series_revision")


class RankingRevision(Revision):
    """A revision of a ranking file: the events that count and what they are worth."""

    objects: models.Manager[RankingRevision] = models.Manager()

    class Meta(Revision.Meta):
        verbose_name = _("ranking revision")
        verbose_name_plural = _("ranking revisions")
        constraints = once_each("ranking_revision")


class RulesInForce(models.Model):
    """The rules that a competition plays by from a moment on. Every hanchan refers to one of these rows."""

    competition = models.ForeignKey(
        "league.Competition",
        verbose_name=_("competition"),
        on_delete=models.PROTECT,
        related_name="rules_in_force",
    )
    ruleset = models.ForeignKey(RulesetRevision, verbose_name=_("ruleset"), on_delete=models.PROTECT)
    format = models.ForeignKey(FormatRevision, verbose_name=_("format"), on_delete=models.PROTECT)
    entrants = models.PositiveIntegerField(_("number of entrants"), null=True, blank=True)
    """For a format of open size: the number of entrants for which its places are written out."""
    options = models.JSONField(_("options"), default=dict, blank=True)
    digest = models.CharField(_("digest"), max_length=64)
    effective_from = models.DateTimeField(_("in force from"))
    made_n = models.PositiveBigIntegerField(_("made by change"))

    class Meta:
        verbose_name = _("rules in force")
        verbose_name_plural = _("rules in force")
        ordering = ["competition_id", "effective_from"]
        constraints = [
            models.UniqueConstraint(fields=["competition", "effective_from"], name="rules_in_force_one_at_a_time"),
        ]

    def __str__(self) -> str:
        return f"{self.ruleset} / {self.format}"
