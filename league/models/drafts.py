"""Drafts of league formats: what an organizer is building, with the states that undo and redo go through."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class FormatDraft(models.Model):
    """A format that is being built; no fact, so it may be discarded.

    Its text is that of the state `current`. `counter` rises with every write, so that of two people who edit at once
    the second is told.
    """

    name = models.CharField(_("name"), max_length=64, blank=True)
    title = models.CharField(_("title"), max_length=100, blank=True)
    title_en = models.CharField(_("English title"), max_length=100, blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("begun by"), null=True, on_delete=models.SET_NULL, related_name="+"
    )
    source = models.CharField(_("begun from"), max_length=80, blank=True)
    """The format it was begun from: a name, or `name@number`; empty for none."""
    seen = models.PositiveIntegerField(_("newest revision known"), default=0)
    current = models.PositiveIntegerField(_("current state"), default=1)
    counter = models.PositiveIntegerField(_("counter of writes"), default=1)
    created_at = models.DateTimeField(_("created at"), default=timezone.now, editable=False)
    updated_at = models.DateTimeField(_("updated at"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("format draft")
        verbose_name_plural = _("format drafts")
        ordering = ["-updated_at", "pk"]

    def __str__(self) -> str:
        return self.title or self.name or f"#{self.pk}"


class FormatDraftState(models.Model):
    """One state of a draft: the whole text after a change. Those after the current one can be redone."""

    draft = models.ForeignKey(FormatDraft, verbose_name=_("draft"), on_delete=models.CASCADE, related_name="states")
    number = models.PositiveIntegerField(_("number"))
    text = models.TextField(_("text"))
    at = models.DateTimeField(_("at"), default=timezone.now)

    class Meta:
        verbose_name = _("state of a format draft")
        verbose_name_plural = _("states of format drafts")
        ordering = ["draft", "number"]
        constraints = [models.UniqueConstraint(fields=["draft", "number"], name="format_draft_state_once")]

    def __str__(self) -> str:
        return f"{self.draft} {self.number}"
