"""Accounts of players at online services: remembered by hand or with an import, forgotten, merged and erased.

They are personal data: the log has no text of them, only the player's id.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from django.utils.translation import gettext as _

from league.models import ImportedPaifu, OnlineAccount, OnlineService, PaifuImport, Player
from league.platform.errors import conflict, refuse
from league.selectors.access.actors import Actor
from league.services.access.changes import lock_player, record_organization_change
from league.services.access.guard import all_or_nothing, refuse_too_long
from league.services.people.permissions import refuse_strangers


@all_or_nothing
def remember_account(
    *, player: Player, service: str, text: str, by: Actor, kind: str = OnlineAccount.Kind.NAME
) -> OnlineAccount:
    """Remember an account's id or name, so that logs with it are taken for this player's.

    Raise ConflictError if it is known as another player's, RuleViolationError for an erased or merged player.
    """
    refuse_strangers(by)
    if service not in OnlineService.values or kind not in OnlineAccount.Kind.values:
        message = _("There is no such online service: %(service)s. Known: %(known)s.")
        shown = {"service": service, "known": ", ".join(OnlineService)}
        raise refuse("unknown_service", message % shown, "/service")
    text = text.strip()
    if not text:
        raise refuse("account_needed", _("Give the id or the name of the account."), "/text")
    refuse_too_long(OnlineAccount, {"text": text})
    player = lock_player(player)
    if player.erased_at is not None or player.merged_into_id is not None or player.is_team:
        raise refuse("no_person", _("Accounts belong to a person who is known and not merged."), "/player")
    row, is_new = OnlineAccount.objects.get_or_create(
        service=service, kind=kind, text=text, defaults={"player": player, "made_by": by.user}
    )
    if row.player_id != player.pk:
        message = _("“%(text)s” is known as %(name)s's account. Forget it there first.")
        raise conflict("account_of_another", message % {"text": text, "name": row.player}, "/text")
    if is_new:
        record_organization_change("online_account.remembered", player, by=by, after={"account": row.pk})
    return row


@all_or_nothing
def forget_account(*, account: OnlineAccount, by: Actor) -> None:
    """Forget an account; games imported before stay with their players."""
    refuse_strangers(by)
    row = OnlineAccount.objects.filter(pk=account.pk).select_related("player").first()
    if row is None:
        return
    record_organization_change("online_account.forgotten", row.player, by=by, before={"account": row.pk})
    row.delete()


def move_accounts(duplicate: Player, keep: Player) -> None:
    """Assign the accounts of a duplicate to the player kept."""
    OnlineAccount.objects.filter(player=duplicate).update(player=keep)


def forget_accounts_of(people: Sequence[Player], names: Sequence[str]) -> None:
    """Delete the accounts of these people, and unfinished imports whose logs have one of them or one of the names."""
    rows = OnlineAccount.objects.filter(player__in=people)
    texts = {*names, *rows.values_list("text", flat=True)}
    found = set()
    for batch, content in ImportedPaifu.objects.exclude(content=None).values_list("batch", "content").iterator():
        players = json.dumps((content or {}).get("players", []), ensure_ascii=False)
        if any(json.dumps(text, ensure_ascii=False) in players for text in texts):
            found.add(batch)
    PaifuImport.objects.filter(pk__in=found).delete()
    rows.delete()
