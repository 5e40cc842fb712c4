"""Personal links of guests: signed, without an account, to the pages about themselves in one parlour."""

from __future__ import annotations

from django.core import signing

from league.models import Parlour, Player

SALT = "guest page"


def guest_token(parlour: Parlour, player: Player) -> str:
    """Return the token of a guest's personal link; it stays the same, so that a printed code keeps working."""
    return signing.Signer(salt=SALT).sign(f"{parlour.pk}.{player.key}").replace(":", "~")


def guest_of_token(token: str) -> tuple[Parlour, Player] | None:
    """Return the parlour and the guest of a token, the kept person after a merge; None if it was not signed here."""
    try:
        text = signing.Signer(salt=SALT).unsign(token.replace("~", ":"))
    except signing.BadSignature:
        return None
    number, _dot, key = text.partition(".")
    parlour = Parlour.objects.filter(pk=int(number)).first()
    player = Player.objects.filter(key=key).select_related("merged_into").first()
    return None if parlour is None or player is None else (parlour, player.merged_into or player)
