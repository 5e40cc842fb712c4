"""Write the roster of the next term by one decision, and take it back by another.

Writing creates the tiers' competitions as drafts with entrants and seeds, or fills drafts that have no entrants yet.
Taking back empties them again, so that the same roster can be written once more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction
from django.db.models import F, ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import (
    Competition,
    Entrant,
    HanchanSeat,
    Membership,
    NextRoster,
    Player,
    Series,
    Slot,
    TeamMember,
    Term,
)
from league.platform.errors import RuleViolationError, conflict, refuse, refuse_without_reason
from league.selectors.access.actors import Actor, Capability, require
from league.selectors.rulebooks.rules_in_force import format_of_revision, rules_at
from league.selectors.seasons.kept_members import (
    CARRIED_OVER,
    KEPT_ENTRIES,
    KEPT_MEMBERS,
    TAKEN_OUT,
    entries_to_keep,
    kept_entries,
    kept_members,
    members_to_keep,
)
from league.selectors.seasons.series_faults import fault_findings
from league.selectors.seasons.series_moves import (
    TermMoves,
    TierRoster,
    derived_moves,
    full_moves,
    term_after,
)
from league.selectors.seasons.series_rules import written_roster
from league.selectors.seasons.series_tables import rosters_out_of_step
from league.selectors.seasons.stored_rosters import tiers_of_roster
from league.services.access.changes import lock, open_change, record_organization_change
from league.services.access.guard import all_or_nothing
from league.services.access.memberships import remove_member
from league.services.competitions.editing import EntrantWords, edit_entrant
from league.services.competitions.roster import fit_roster
from league.services.competitions.setup import enter_players, has_results, lock_unmerged, set_status
from league.services.competitions.wizard import Filling, fill_blocks, seeded_blocks
from league.services.seasons.series import (
    TierPlan,
    create_tier,
    lock_term,
    publish_places_again,
    refuse_written,
    require_series,
    write_term,
)
from league.services.seasons.team_links import write_team_link
from scoring.format.series import Tier


def preview_next_roster(*, term: Term, by: Actor) -> TermMoves:
    """Return the moves and the roster as they would be written now; the digest names exactly this roster."""
    require_series(by)
    return full_moves(term)


@all_or_nothing
def write_next_roster(*, term: Term, digest: str, by: Actor, reason: str = "") -> NextRoster:
    """Write the roster of the next term.

    1. Refuse while a tier has no final table, and a roster with faults, all of them at once.
    2. Refuse unless the digest is that of the preview: a result or a decision has changed since.
    3. Create the next term and its competitions, or fill its drafts, with the players in the order of their seeds. Of
       teams the members are carried over.
    4. Have the tables of the tiers show it if the public may know all results; otherwise the sweep will.
    """
    require_series(by)
    term = lock_term(term)
    refuse_written(term)
    found = derived_moves(term)
    refuse_running(found)
    if found.faults:
        raise RuleViolationError(*fault_findings(found))
    if found.digest != digest:
        message = _("A result or a decision has changed since the preview. Look at the roster again.")
        raise conflict("roster_changed", message, "/digest")
    lock_unmerged([move.player for tier in found.tiers for move in tier.moves])
    row = NextRoster.objects.create(
        term=term,
        tiers=found.tier_ids,
        moves=found.documents,
        digest=digest,
        made_n=next_version(term.series),
        reason=reason.strip(),
        made_by=by.user,
    )
    switch_release(row, by)
    following = term_after(term)
    if following is not None and following.number != term.number + 1:
        following = None
    following = following or write_term(term.series, term.number + 1)
    made = [_write_tier(found, following, tier, by) for tier in found.tiers]
    after = {
        "term": term.number,
        "digest": digest,
        "tiers": found.tier_ids,
        "competitions": [competition.pk for competition in made],
    }
    record_organization_change("series.roster_written", term.series, by=by, after=after, reason=reason)
    return row


@transaction.atomic
def switch_release(row: NextRoster, by: Actor) -> None:
    """Release a written roster or withdraw its release; do nothing if it is in step with what the public may know."""
    term = lock_term(row.term)
    if rosters_out_of_step().filter(pk=row.pk).update(is_released=not row.is_released):
        publish_places_again(term, by)


def next_version(series: Series) -> int:
    """Take the next version of a series whose row is locked."""
    Series.objects.filter(pk=series.pk).update(version=F("version") + 1)
    series.refresh_from_db(fields=["version"])
    return series.version


def refuse_running(found: TermMoves) -> None:
    """Raise ConflictError unless every tier of the term has a final table."""
    running = [each.tier.key for each in found.tables.running]
    if running:
        message = _("There is no final table yet of: %(tiers)s. Play all hanchan, or close the competition.")
        raise conflict("term_not_finished", message % {"tiers": _(", ").join(running)})


def _write_tier(found: TermMoves, following: Term, tier: TierRoster, by: Actor) -> Competition:
    """Return the tier's competition in the next term with its entrants and seeds."""
    players = [move.player for move in tier.moves]
    competition = following.competitions.filter(tier=tier.tier.key).first()
    if competition is None:
        competition = create_tier(following, tier.tier, _plan(found, tier.tier, len(players)), by)
    else:
        require(by, competition, Capability.MANAGE)
        lock(competition)
        if Entrant.objects.filter(competition=competition).exists():
            message = _("“%(name)s” has entrants already. Take the competition out of the series, or its entrants.")
            raise conflict("tier_has_entrants", message % {"name": competition})
    enter_players(competition=competition, players=players, by=by)
    _seed(competition, by)
    if any(player.is_team for player in players):
        _carry_members_over(found, competition, players, by)
        _restore_entries(competition, by)
    return competition


def _plan(found: TermMoves, tier: Tier, entrants: int) -> TierPlan:
    """Return the rules of a tier's next competition: those that the tier, or else the first tier, has now."""
    kept = {each.tier.key: each.competition for each in found.tables.tiers if each.competition is not None}
    before = kept.get(tier.key) or next(iter(kept.values()), None)
    if before is None:
        raise refuse("no_rules_to_follow", _("No tier of this term has a competition whose rules could be followed."))
    rules = rules_at(before)
    return TierPlan(ruleset=rules.ruleset, options=dict(rules.options), entrants=entrants, before=before)


def _seed(competition: Competition, by: Actor) -> None:
    """Give the seeded places to the entrants in the order of their numbers."""
    entrants = list(Entrant.objects.filter(competition=competition).order_by("number"))
    if format_of_revision(rules_at(competition).format).bounds is not None:
        fit_roster(competition=competition, entrants=len(entrants), by=by)
        return
    blocks = seeded_blocks(competition)
    if not blocks:
        return
    slots = Slot.objects.filter(block__in=blocks, source__startswith="seed:").order_by("block", "number")
    by_seed = dict(enumerate(entrants, start=1))
    by_hand: dict[int, list[Entrant]] = {block.pk: [] for block in blocks}
    for slot in slots:
        seed = int(slot.source.removeprefix("seed:"))
        if seed in by_seed:
            by_hand[slot.block_id].append(by_seed[seed])
    fill_blocks(competition=competition, filling=Filling.BY_HAND, by_hand=by_hand, by=by)


def _carry_members_over(found: TermMoves, competition: Competition, teams: Sequence[Player], by: Actor) -> None:
    """Enter the members that each team had at the end of the term, their days open.

    A team whose members were changed in a draft before the roster was taken back has those in their place.
    """
    entered = {row.player_id: row for row in Entrant.objects.filter(competition=competition, player__in=teams)}
    kept = {team: rows for team, rows in kept_members(competition.term).items() if team in entered}
    again = [member for rows in kept.values() for member in rows]
    for team, rows in kept.items():
        for member in rows:
            member.entrant = entered[team]
    if kept:
        _enter_members(competition, again, "members.kept", _("as in the draft before"), by)
    earlier = {
        found.tables.entrants[team.pk].entrant.pk: team.pk
        for team in teams
        if team.pk in found.tables.entrants and team.pk not in kept
    }
    members = TeamMember.objects.standing().filter(entrant__in=earlier, until=None).order_by("order", "pk")
    reason = _("carried over")
    made = [
        TeamMember(
            entrant=entered[earlier[member.entrant_id]],
            player_id=member.player_id,
            order=member.order,
            is_captain=member.is_captain,
            reason=reason,
        )
        for member in members
    ]
    known = {member.player_id for member in again}
    _enter_members(competition, [row for row in made if row.player_id not in known], CARRIED_OVER, reason, by)


def _restore_entries(competition: Competition, by: Actor) -> None:
    """Give teams the club, the country and the links that they had in a draft before the roster was taken back."""
    kept = kept_entries(competition.term)
    for entrant in Entrant.objects.filter(competition=competition, player__in=kept).order_by("pk"):
        entry = kept[entrant.player_id]
        words = EntrantWords(affiliation=entrant.affiliation, country=entrant.country)
        edit_entrant(entrant=entrant, words=replace(words, **entry.words), by=by)
        for digest in entry.links:
            write_team_link(entrant, digest, by)


def _enter_members(competition: Competition, rows: Sequence[TeamMember], kind: str, reason: str, by: Actor) -> None:
    """Insert memberships by one change of this kind."""
    change = open_change(competition, by)
    for row in rows:
        row.made_n = change.n
    TeamMember.objects.bulk_create(rows)
    members: defaultdict[str, list[int]] = defaultdict(list)
    for row in rows:
        members[str(row.entrant_id)].append(row.player_id)
    after = {"members": dict(members)}
    change.record(kind, competition, after=after, reason=reason)


@all_or_nothing
def undo_next_roster(*, term: Term, reason: str, by: Actor) -> NextRoster:
    """Take the roster after a term back: the next term's competitions become drafts without entrants.

    Members of teams that were changed there are kept, and entered when the roster is written again; so are the clubs,
    countries and links of teams.
    Refused once one of them has a result, a schedule that seats players, or decisions about them.
    """
    require_series(by)
    refuse_without_reason(reason)
    term = lock_term(term)
    row = written_roster(term)
    if row is None:
        message = _("No roster is written after %(term)s.") % {"term": term}
        raise conflict("no_roster_written", message)
    following = term.series.terms.filter(number=term.number + 1).first()
    if following is not None and written_roster(following) is not None:
        message = _("The roster after %(term)s is written. Take it back first.") % {"term": following}
        raise conflict("roster_written", message)
    tiers = tiers_of_roster(row)
    emptied = list(following.competitions.filter(tier__in=tiers)) if following is not None else []
    for competition in emptied:
        _empty(competition, tiers[competition.tier], reason, by)
    row.ended_at, row.ended_by, row.ended_n = timezone.now(), by.user, next_version(term.series)
    row.save(update_fields=["ended_at", "ended_by", "ended_n"])
    before = {"term": term.number, "digest": row.digest, "competitions": [each.pk for each in emptied]}
    record_organization_change("series.roster_taken_back", term.series, by=by, before=before, reason=reason)
    publish_places_again(term, by)
    return row


def _empty(competition: Competition, players: Sequence[int], reason: str, by: Actor) -> None:
    """Take the roster's entrants out of a competition of the next term; it becomes a draft again."""
    require(by, competition, Capability.MANAGE)
    lock(competition)
    competition.refresh_from_db()
    names = {"name": competition}
    if has_results(competition):
        raise conflict("next_term_has_results", _("“%(name)s” has results, so that its roster stays as it is.") % names)
    if HanchanSeat.objects.filter(hanchan__block__competition=competition).exists():
        message = _("The schedule of “%(name)s” seats players already. Take the schedule back first.")
        raise conflict("next_term_is_scheduled", message % names)
    if competition.status != Competition.Status.DRAFT:
        set_status(competition=competition, status=Competition.Status.DRAFT, by=by)
    rows = Entrant.objects.filter(competition=competition)
    entrants = rows.filter(player__in=players) | rows.filter(is_house=True)
    # Their roles would go with the teams, without a line in the log.
    for member in Membership.objects.filter(team__in=entrants).select_related("competition", "user").order_by("pk"):
        remove_member(member=member, by=by)
    change = open_change(competition, by)
    before = {
        "players": list(entrants.values_list("player", flat=True)),
        KEPT_MEMBERS: members_to_keep(competition, entrants),
        KEPT_ENTRIES: entries_to_keep(entrants),
    }
    Slot.objects.filter(block__competition=competition, seeded__in=entrants).update(seeded=None)
    try:
        TeamMember.objects.filter(entrant__in=entrants).delete()
        entrants.delete()
    except ProtectedError as error:
        message = _("There are decisions on entrants of “%(name)s”. Take the competition out of the series instead.")
        raise conflict("next_term_has_decisions", message % names) from error
    change.record(TAKEN_OUT, competition, before=before, reason=reason)
