"""What facts have in common: the numbers of the changes that made and ended them, and who came by which way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from league.models.access import TableLink


def account(label: Any, *, blank: bool = False) -> models.ForeignKey[User | None, User | None]:
    """The account that did something; nobody stands for the service itself, and for a link to a table."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=label,
        null=True,
        blank=blank,
        on_delete=models.PROTECT,
        related_name="+",
    )


def through_link() -> models.ForeignKey[TableLink | None, TableLink | None]:
    """The link to a table by which somebody without an account came."""
    return models.ForeignKey(
        "league.TableLink",
        verbose_name=_("entered through"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )


class Audience(models.TextChoices):
    """Who reads: everybody, or those who may see what is still held back."""

    PUBLIC = "public", _("everybody")
    STAFF = "staff", _("organizers")


AUDIENCES = (Audience.STAFF, Audience.PUBLIC)


class VersionedQuerySet(models.QuerySet[Any]):
    """Facts, read as they stand now or as they stood at an earlier version of their competition."""

    def standing(self) -> Self:
        """Facts that nothing has ended."""
        return self.filter(ended_n=None)

    def as_of(self, version: int) -> Self:
        """Facts made by change `version` or before, and not ended by then."""
        return self.filter(made_n__lte=version).exclude(ended_n__lte=version)


class Versioned(models.Model):
    """A fact of one competition: `made_n` and `ended_n` are numbers of its changes.

    A fact is never edited and never deleted. What replaces it is a new row; `ended_n` says since when the
    old one no longer holds.
    """

    made_n = models.PositiveBigIntegerField(_("made by change"))
    ended_n = models.PositiveBigIntegerField(_("ended by change"), null=True, blank=True)

    objects = VersionedQuerySet.as_manager()

    class Meta:
        abstract = True
