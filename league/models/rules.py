"""Rules as they were: revisions kept word for word, and which of them a competition plays from when."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Revision(models.Model):
    """One text of a rule file, kept as it was read; a changed rule is a new revision."""

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


class RulesetRevision(Revision):
    """A rule book as played: the values of `ruleset.toml`."""

    examples = models.TextField(_("worked examples"), blank=True, default="")
    """What proves an own rule book, as in `examples.toml`; no rule, so it may be added to a revision later."""

    objects: models.Manager[RulesetRevision] = models.Manager()

    class Meta(Revision.Meta):
        verbose_name = _("ruleset revision")
        verbose_name_plural = _("ruleset revisions")
        constraints = [
            models.UniqueConstraint(fields=["name", "number"], name="ruleset_revision_number_once"),
            models.UniqueConstraint(fields=["name", "sha256"], name="ruleset_revision_text_once"),
        ]


class FormatRevision(Revision):
    """A league format as played: stages, blocks and who advances where."""

    class Meta(Revision.Meta):
        verbose_name = _("format revision")
        verbose_name_plural = _("format revisions")
        constraints = [
            models.UniqueConstraint(fields=["name", "number"], name="format_revision_number_once"),
            models.UniqueConstraint(fields=["name", "sha256"], name="format_revision_text_once"),
        ]


class RulesInForce(models.Model):
    """Which rules a competition plays from a moment on; every hanchan pins one of these."""

    competition = models.ForeignKey(
        "league.Competition",
        verbose_name=_("competition"),
        on_delete=models.PROTECT,
        related_name="rules_in_force",
    )
    ruleset = models.ForeignKey(RulesetRevision, verbose_name=_("ruleset"), on_delete=models.PROTECT)
    format = models.ForeignKey(FormatRevision, verbose_name=_("format"), on_delete=models.PROTECT)
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
