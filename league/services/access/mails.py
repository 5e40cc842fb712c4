"""Letters to an account's address when something that protects the account has changed, so that its owner notices.

A letter states the change, the time and in general terms the actor, and contains nothing that grants access. It is
sent after the commit; if the mail server is away or refuses it, that is logged and nothing more. Without a mail
server or an address no letter is written.
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
from league.platform.site_url import absolute_url, is_loopback
from league.selectors.access.actors import Actor
from league.wording.changes import kind_words
from league.wording.names import title_of

logger = logging.getLogger(__name__)

BETWEEN_LANGUAGES = "\n----------------------------------------\n\n"


@dataclass(frozen=True, slots=True)
class News:
    """A change of an account: its kind as in the log, and the details that a letter may state."""

    kind: str
    competition: Competition | None = None
    role: str = ""
    label: str = ""
    fields: Sequence[str] = ()


def notify_owner(user: User, news: News, *, by: Actor, addresses: Iterable[str] = ()) -> None:
    """Write to the account's address about a change, once the transaction has committed.

    If `addresses` are given, each gets a letter of its own instead: a changed address is reported to the old one
    too.
    """
    known = dict.fromkeys(address for address in addresses or [user.email] if address)
    if not known or not settings.SENDS_LETTERS:
        return
    # Written now, while the rows are as the change left them; only sending waits for the commit.
    written = [in_language(language, user, news, by) for language in languages_of(user, by)]
    subject = " / ".join(subject for subject, _body in written)
    body = BETWEEN_LANGUAGES.join(body for _subject, body in written)
    for address in known:
        letter = EmailMessage(subject, body, to=[address])
        transaction.on_commit(partial(send_letter, letter, f"account {user.pk}"), robust=True)


def languages_of(user: User, by: Actor) -> Sequence[str]:
    """Return the languages of a letter: the account's own, if it is known, else every language of the service.

    It is known if the account itself acts now (the active language), or from its invitation.
    """
    if by.user is not None and by.user.pk == user.pk:
        return [(get_language() or settings.LANGUAGE_CODE).split("-")[0]]
    invited = Invitation.objects.filter(accepted_by=user).order_by("-accepted_at")
    chosen = invited.values_list("language", flat=True).first()
    return [chosen] if chosen else [code for code, _name in settings.LANGUAGES]


def in_language(language: str, user: User, news: News, by: Actor) -> tuple[str, str]:
    """Return subject and text of the letter in one language."""
    with translation.override(language):
        what = kind_words(news.kind)
        subject = _("Your account: %(what)s") % {"what": what}
        text = _(
            "Something about your account has been changed.\n\n%(lines)s\n\nIf you know of this, simply leave this "
            "letter. If you do not, sign in at once, change your password,\nsign out everywhere else, and tell the "
            "operator of the service:\n\n%(address)s\n"
        ) % {
            "lines": "\n".join(
                f"{name}: {one_line(said)}" for name, said in letter_lines(user, news, what, by) if said
            ),
            "address": reachable(absolute_url("pages:account")),
        }
    return one_line(subject), text


def reachable(address: str) -> str:
    """Return an address for a letter, with a warning below it if only the service's own machine can open it."""
    if not is_loopback(address):
        return address
    return f"{address}\n{_('(This address opens on the machine of the service only. Ask its organizers for another.)')}"


def letter_lines(user: User, news: News, what: str, by: Actor) -> Sequence[tuple[str, str]]:
    """Return the lines of a letter as pairs of label and value, in the active language."""
    return [
        (_("Account"), user.get_username()),
        (_("What"), what),
        (_("Changed"), _(", ").join(str(label_for_field(name, User)) for name in news.fields)),
        (_("Competition"), title_of(news.competition) if news.competition else ""),
        (_("Role"), str(Role(news.role).label) if news.role else ""),
        (_("Used for"), news.label),
        (_("When"), f"{timezone.localtime():%Y-%m-%d %H:%M %Z}"),
        (_("By"), by_words(user, by)),
    ]


def by_words(user: User, by: Actor) -> str:
    """Describe the actor without a name: the account itself, an administrator or organizer, or the service."""
    if by.user is None:
        return _("the service itself")
    if by.user.pk == user.pk:
        return _("a user signed in with this account")
    return _("an administrator or organizer")


def one_line(text: str) -> str:
    """Return a text on one line: a line break in user input must not add a header to the letter."""
    return " ".join(text.split())


def send_letter(letter: EmailMessage, about: str) -> bool:
    """Send a letter; return False and log an error if the mail server does not take it.

    The server's message may contain the address, so that only the kind of fault and its number are logged.
    """
    try:
        return bool(letter.send())
    except (OSError, SMTPException, ValueError) as fault:
        number = getattr(fault, "smtp_code", None) or getattr(fault, "errno", None) or ""
        logger.error("the letter about %s could not be sent: %s %s", about, type(fault).__name__, number)
        return False
