"""Personal links of guests: signed, without an account, to the pages about themselves in one parlour."""

from __future__ import annotations

from django.core import signing

from league.models import Parlour, Player

SIGNER = signing.Signer(salt="league.guest")


def guest_token(parlour: Parlour, player: Player) -> str:
    """Return the token of a guest's personal link; it stays the same, so that a printed code keeps working."""
    return SIGNER.sign(f"{parlour.pk}.{player.key}")


def guest_of_token(token: str) -> tuple[Parlour, Player] | None:
    """Return the parlour and the guest of a token, the kept person after a merge.

    Return None for a token that was not signed here, and for a guest whose data is erased.
    """
    try:
        number, _dot, key = SIGNER.unsign(token).partition(".")
    except signing.BadSignature:
        return None
    parlour = Parlour.objects.filter(pk=int(number)).first()
    named = Player.objects.filter(key=key).select_related("merged_into").first()
    player = named and named.kept
    return None if parlour is None or player is None or player.erased_at is not None else (parlour, player)
