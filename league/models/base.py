"""Shared parts of the fact models: audiences, version numbers of changes, and fields for the acting account."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django_stubs_ext import StrPromise

    from league.models.access import TableLink


def account(label: StrPromise, *, blank: bool = False) -> models.ForeignKey[User | None, User | None]:
    """Return a foreign key to the acting account; null stands for the service itself and for a table link."""
    return models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=label,
        null=True,
        blank=blank,
        on_delete=models.PROTECT,
        related_name="+",
    )


def digest_of_picture() -> models.CharField[str, str]:
    """Return a column for the SHA-256 of the `Picture` shown, empty without one: a page needs no query for it."""
    return models.CharField(_("picture"), max_length=64, blank=True, default="", db_default="", editable=False)


def through_link() -> models.ForeignKey[TableLink | None, TableLink | None]:
    """Return a foreign key to the table link that a user without an account came through."""
    return models.ForeignKey(
        "league.TableLink",
        verbose_name=_("entered through"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )


class Audience(models.TextChoices):
    """The two audiences of derived data: the public, and the staff, which may also read results under embargo."""

    PUBLIC = "public", _("all visitors")
    STAFF = "staff", _("organizers")


AUDIENCES = (Audience.STAFF, Audience.PUBLIC)


class VersionedQuerySet(models.QuerySet[Any]):
    """Query facts as they are now, or as they were at an earlier version of their competition."""

    def standing(self) -> Self:
        """Return the facts that no change has ended."""
        return self.filter(ended_n=None)

    def as_of(self, version: int) -> Self:
        """Return the facts made by change `version` or earlier and not ended by then."""
        # exclude() keeps rows whose ended_n is null; a filter on ended_n > version would drop them.
        return self.filter(made_n__lte=version).exclude(ended_n__lte=version)


class Versioned(models.Model):
    """A fact of one competition; `made_n` and `ended_n` are numbers of its changes.

    A fact is never edited and never deleted. A correction is a new row, and `ended_n` of the old row is the number of
    the change since which it no longer holds.
    """

    made_n = models.PositiveBigIntegerField(_("made by change"))
    ended_n = models.PositiveBigIntegerField(_("ended by change"), null=True, blank=True)

    objects = VersionedQuerySet.as_manager()

    class Meta:
        abstract = True
