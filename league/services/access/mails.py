"""Letters to the address of an account when something that protects it has changed, so that its owner hears of it.

A letter tells what was done, when and by whom in general, and nothing that lets anybody in. It goes out once the change
is committed; a mail server that is away, or refuses it, is a line in the service's log and nothing more. Nobody is
written to where no mail server is set up, or who has no address.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from smtplib import SMTPException

from django.conf import settings
from django.contrib.admin.utils import label_for_field
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from league.models import Competition, Invitation, Role
from league.platform.site_url import absolute_url
from league.selectors.access.actors import Actor
from league.wording.changes import kind_words
from league.wording.names import title_of

logger = logging.getLogger(__name__)

BETWEEN_LANGUAGES = "\n----------------------------------------\n\n"


@dataclass(frozen=True, slots=True)
class News:
    """What was done to an account: its key in the log, and what a letter may say of it."""

    kind: str
    competition: Competition | None = None
    role: str = ""
    label: str = ""
    fields: Sequence[str] = ()


def tell(user: User, news: News, *, by: Actor, addresses: Iterable[str] = ()) -> None:
    """Write to the account's address what was done, once the transaction has committed.

    To the addresses given instead, each in a letter of its own: of a new address the one before hears too.
    """
    known = dict.fromkeys(address for address in addresses or [user.email] if address)
    if not known or not settings.SENDS_LETTERS:
        return
    written = [in_language(language, user, news, by) for language in languages_of(user, by)]
    subject = " / ".join(subject for subject, _body in written)
    body = BETWEEN_LANGUAGES.join(body for _subject, body in written)
    for address in known:
        letter = EmailMessage(subject, body, to=[address])
        transaction.on_commit(partial(send, letter, f"account {user.pk}"), robust=True)


def languages_of(user: User, by: Actor) -> Sequence[str]:
    """The language the account is used in, where that is known: by whoever acts as it now, or from its invitation.

    Else every language there is, one below the other.
    """
    if by.user is not None and by.user.pk == user.pk:
        return [(get_language() or settings.LANGUAGE_CODE).split("-")[0]]
    invited = Invitation.objects.filter(accepted_by=user).order_by("-accepted_at")
    chosen = invited.values_list("language", flat=True).first()
    return [chosen] if chosen else [code for code, _name in settings.LANGUAGES]


def in_language(language: str, user: User, news: News, by: Actor) -> tuple[str, str]:
    """Subject and text in one language."""
    with translation.override(language):
        what = kind_words(news.kind)
        subject = _("Your account: %(what)s") % {"what": what}
        text = _(
            "Something about your account has been changed.\n\n"
            "%(lines)s\n\n"
            "If you know of this, simply leave this letter. If you do not, sign in at once, change your password,\n"
            "sign out everywhere else, and tell whoever runs the service:\n\n"
            "%(address)s\n"
        ) % {
            "lines": "\n".join(f"{name}: {one_line(said)}" for name, said in told(user, news, what, by) if said),
            "address": absolute_url("pages:account"),
        }
    return one_line(subject), text


def told(user: User, news: News, what: str, by: Actor) -> Sequence[tuple[str, str]]:
    """What a letter says, line by line, in the language in force."""
    return [
        (_("Account"), user.get_username()),
        (_("What"), what),
        (_("Changed"), ", ".join(str(label_for_field(name, User)) for name in news.fields)),
        (_("Competition"), title_of(news.competition) if news.competition else ""),
        (_("Role"), str(Role(news.role).label) if news.role else ""),
        (_("Used for"), news.label),
        (_("When"), f"{timezone.localtime():%Y-%m-%d %H:%M %Z}"),
        (_("By"), by_words(user, by)),
    ]


def by_words(user: User, by: Actor) -> str:
    """Who did it, without a name: whoever is signed in as the account, somebody else who may, or the machine."""
    if by.user is None:
        return _("the service itself")
    if by.user.pk == user.pk:
        return _("whoever is signed in with this account")
    return _("an administrator or organizer")


def one_line(text: str) -> str:
    """A text on one line, whatever it was typed with: what stands in a letter's head must not begin another line."""
    return " ".join(text.split())


def send(letter: EmailMessage, about: str) -> bool:
    """Hand a letter over; False, and a line in the log, where the mail server does not take it.

    What a mail server says may hold the address, so that the log keeps the kind of fault and its number alone.
    """
    try:
        return bool(letter.send())
    except (OSError, SMTPException, ValueError) as fault:
        number = getattr(fault, "smtp_code", None) or getattr(fault, "errno", None) or ""
        logger.error("the letter about %s could not be sent: %s %s", about, type(fault).__name__, number)
        return False
