"""Labels for the kinds of change in the log, and for the fields and values that a change keeps of before and after."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from functools import cache

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.wording.formatting import moment_text
from league.wording.names import title_in
from rulesets import loader
from rulesets.formats import load_format
from scoring.format import Format
from scoring.ruleset import Ruleset

Words = dict[str, "str | Promise"]

KINDS: Words = {
    "account.edited": gettext_lazy("Account changed"),
    "account.erased": gettext_lazy("Account erased"),
    "account.handed_out": gettext_lazy("Data kept of an account handed out"),
    "account.made": gettext_lazy("Account made"),
    "account.new_browser": gettext_lazy("Signed in with a browser not seen before"),
    "account.password_changed": gettext_lazy("Own password changed"),
    "account.password_given": gettext_lazy("New password given by a superuser"),
    "account.signed_out_elsewhere": gettext_lazy("Signed out everywhere else"),
    "adjustment.taken_back": gettext_lazy("Adjustment taken back"),
    "block.closed": gettext_lazy("Block closed"),
    "block.seeded": gettext_lazy("Block seeded"),
    "blocks.filled": gettext_lazy("Blocks filled"),
    "calendar.planned": gettext_lazy("Match days planned"),
    "closing.tables_called_off": gettext_lazy("Tables called off with their block"),
    "closing.tables_scheduled_again": gettext_lazy("Tables scheduled again with their block"),
    "closing.taken_back": gettext_lazy("Closed block opened again"),
    "competition.closed": gettext_lazy("Competition closed"),
    "competition.created": gettext_lazy("Competition set up"),
    "competition.draft": gettext_lazy("Competition back to a draft"),
    "competition.edited": gettext_lazy("Competition edited"),
    "competition.moved": gettext_lazy("Address of the competition changed"),
    "first_page.chosen": gettext_lazy("First page of the service changed"),
    "competition.imported": gettext_lazy("Competition brought in from an archive"),
    "competition.published": gettext_lazy("Competition published"),
    "competition.in_series": gettext_lazy("Made a tier of a series"),
    "competition.series_rules": gettext_lazy("Rules of the series changed"),
    "competition.series_places": gettext_lazy("Places in the series changed by a decision"),
    "competition.out_of_series": gettext_lazy("Taken out of a series"),
    "competition.series_edited": gettext_lazy("Name or readers of its series changed"),
    "credit.given": gettext_lazy("Round not played counted"),
    "credit.taken_back": gettext_lazy("Count of a round not played taken back"),
    "day.closed": gettext_lazy("Business day closed"),
    "day.reopened": gettext_lazy("Business day reopened"),
    "departure.taken_back": gettext_lazy("Departure taken back"),
    "draw.taken_back": gettext_lazy("Draw taken back"),
    "entrant.admitted_late": gettext_lazy("Admitted late"),
    "entrant.check_in_taken_back": gettext_lazy("Check-in taken back"),
    "entrant.checked_in": gettext_lazy("Checked in"),
    "entrant.disqualified": gettext_lazy("Disqualified"),
    "entrant.edited": gettext_lazy("Entrant edited"),
    "entrant.no_show": gettext_lazy("Absence recorded"),
    "entrant.passed_over": gettext_lazy("Passed over"),
    "entrant.withdrawn": gettext_lazy("Withdrawn"),
    "roster.closed": gettext_lazy("Roster closed"),
    "roster.admitted": gettext_lazy("Late entry"),
    "house.entered": gettext_lazy("House players entered"),
    "entrants.entered": gettext_lazy("Players entered"),
    "entrants.taken_out": gettext_lazy("Players of a roster taken out"),
    "extra.added": gettext_lazy("Item put on a guest's bill"),
    "extra.cancelled": gettext_lazy("Item taken off a guest's bill"),
    "guest.left": gettext_lazy("Guest left without open lines"),
    "guest.terms": gettext_lazy("Rate or stamp card of a guest changed"),
    "hanchan.abandoned": gettext_lazy("Hanchan abandoned"),
    "hanchan.resumed": gettext_lazy("Abandoned hanchan taken up again"),
    "hanchan.seated": gettext_lazy("Players seated"),
    "hanchan.walkover": gettext_lazy("Walkover declared"),
    "hanchan.added_online": gettext_lazy("Online game added to an open table"),
    "hanchan.started": gettext_lazy("Hanchan started"),
    "hanchan.substituted": gettext_lazy("Substitute seated"),
    "invitation.accepted": gettext_lazy("Invitation accepted"),
    "invitation.made": gettext_lazy("Member invited"),
    "invitation.withdrawn": gettext_lazy("Invitation withdrawn"),
    "line_up.announced": gettext_lazy("Line-ups announced"),
    "line_up.deadline_set": gettext_lazy("Deadline of line-ups set"),
    "line_up.named": gettext_lazy("Line-up named"),
    "line_up.taken_back": gettext_lazy("Line-up taken back"),
    "member.added": gettext_lazy("Member of staff added"),
    "members.carried_over": gettext_lazy("Members carried over"),
    "members.kept": gettext_lazy("Members as in the draft before the roster was taken back"),
    "member.changed": gettext_lazy("Role changed"),
    "member.removed": gettext_lazy("Member of staff removed"),
    "override.taken_back": gettext_lazy("Organizers' decision on a place taken back"),
    "photo.added": gettext_lazy("Photo of a slip attached"),
    "photo.removed": gettext_lazy("Photo of a slip taken away"),
    "parlour.created": gettext_lazy("Parlour set up"),
    "parlour.edited": gettext_lazy("Parlour edited"),
    "parlour.table_added": gettext_lazy("Table of the parlour added"),
    "parlour.table_edited": gettext_lazy("Table of the parlour changed"),
    "parlour.table_removed": gettext_lazy("Table of the parlour removed"),
    "payment.taken": gettext_lazy("Payment on account"),
    "pairing.taken_back": gettext_lazy("Pairing taken back"),
    "player.added": gettext_lazy("Player added"),
    "player.edited": gettext_lazy("Player edited"),
    "player.erased": gettext_lazy("Person erased"),
    "player.handed_out": gettext_lazy("Data kept of a person handed out"),
    "players.merged": gettext_lazy("Two entries of one person joined"),
    "players.swapped": gettext_lazy("Two players exchanged in the schedule"),
    "points.adjusted": gettext_lazy("Points adjusted"),
    "ranking.edited": gettext_lazy("Ranking edited"),
    "ranking.event_changed": gettext_lazy("Event of a ranking changed"),
    "ranking.event_listed": gettext_lazy("Event added to a ranking"),
    "ranking.event_unlisted": gettext_lazy("Event taken out of a ranking"),
    "ranking.imported": gettext_lazy("Ranking taken in from an archive"),
    "ranking.made": gettext_lazy("Ranking made"),
    "ranking.rules_changed": gettext_lazy("Rules of a ranking changed"),
    "referee.answered": gettext_lazy("Call for a referee answered"),
    "referee.call_taken_back": gettext_lazy("Call for a referee taken back"),
    "referee.called": gettext_lazy("Referee called"),
    "result.approved": gettext_lazy("Result approved by a player"),
    "result.confirmed": gettext_lazy("Result confirmed"),
    "result.corrected": gettext_lazy("Result corrected"),
    "result.objected": gettext_lazy("A player objected to a result"),
    "result.rejected": gettext_lazy("Result rejected"),
    "result.submitted": gettext_lazy("Result entered"),
    "result.voided": gettext_lazy("Result taken back"),
    "round.paired": gettext_lazy("Round paired"),
    "rules.in_force": gettext_lazy("Rules put in force"),
    "format.draft_discarded": gettext_lazy("Format draft discarded"),
    "format.kept": gettext_lazy("Format kept"),
    "ruleset.kept": gettext_lazy("Ruleset kept"),
    "ruling.taken_back": gettext_lazy("Ruling taken back"),
    "schedule.taken_back": gettext_lazy("Schedule taken back"),
    "schedule.written": gettext_lazy("Schedule written"),
    "team.both_sexes_confirmed": gettext_lazy("Women and men in a team confirmed"),
    "team.captain_made": gettext_lazy("Captain of a team chosen"),
    "team.link_ended": gettext_lazy("Link of a team ended"),
    "team.link_made": gettext_lazy("Link of a team made"),
    "team.member_added": gettext_lazy("Member added to a team"),
    "team.member_ended": gettext_lazy("Membership in a team ended"),
    "team.member_taken_back": gettext_lazy("Membership in a team taken back"),
    "team.member_transferred": gettext_lazy("Member transferred to another team"),
    "team.members_added": gettext_lazy("Members added to a team"),
    "paifu.imported": gettext_lazy("Record of an online game imported"),
    "paifu_import.begun": gettext_lazy("Import of online games begun"),
    "online_account.forgotten": gettext_lazy("Online account forgotten"),
    "online_account.remembered": gettext_lazy("Online account remembered"),
    "seating_search.begun": gettext_lazy("Search for a seating begun"),
    "seating_search.stopped": gettext_lazy("Search for a seating stopped"),
    "seats.drawn": gettext_lazy("Seats drawn"),
    "seats.plan_restored": gettext_lazy("Earlier plan of the rounds restored"),
    "seats.replanned": gettext_lazy("Remaining rounds planned again"),
    "series.created": gettext_lazy("Series set up"),
    "series.edited": gettext_lazy("Series edited"),
    "series.imported": gettext_lazy("Series taken in from an archive"),
    "series.move_decided": gettext_lazy("Decision on a move"),
    "series.move_decision_taken_back": gettext_lazy("Decision on a move taken back"),
    "series.opening_balance": gettext_lazy("Promotion points from before entered"),
    "series.roster_taken_back": gettext_lazy("Roster of the next term taken back"),
    "series.roster_written": gettext_lazy("Roster of the next term written"),
    "series.rules": gettext_lazy("Rules of a series changed"),
    "series.term_added": gettext_lazy("Term added to a series"),
    "session.announced": gettext_lazy("Announcement in the hall"),
    "session.announcement_ended": gettext_lazy("Announcement ended"),
    "session.created": gettext_lazy("Session made"),
    "session.edited": gettext_lazy("Session edited"),
    "session.moved": gettext_lazy("Session moved"),
    "session.timer_set": gettext_lazy("Clock of the hall set"),
    "sitting.amounts": gettext_lazy("Chips or amounts entered"),
    "sitting.carried_over": gettext_lazy("Table carried over into the next day"),
    "sitting.closed": gettext_lazy("Table of the parlour closed"),
    "sitting.house": gettext_lazy("Playing for the house changed"),
    "sitting.joined": gettext_lazy("Guest sat down"),
    "sitting.last_game": gettext_lazy("Last game announced"),
    "sitting.left": gettext_lazy("Guest left the table"),
    "sitting.moved": gettext_lazy("Guest moved to another chair"),
    "sitting.opened": gettext_lazy("Table of the parlour opened"),
    "sitting.reopened": gettext_lazy("Table of the parlour opened again"),
    "sitting.stand_in": gettext_lazy("Stand-in changed"),
    "statement.cancelled": gettext_lazy("Statement cancelled"),
    "statement.made": gettext_lazy("Guest settled up"),
    "slot.overridden": gettext_lazy("Place filled by the organizers"),
    "slots.swapped": gettext_lazy("Two places exchanged by the organizers"),
    "stage.drawn": gettext_lazy("Stage drawn"),
    "table_code.renewed": gettext_lazy("Code printed on a table renewed"),
    "till.closed": gettext_lazy("Till closed"),
    "till.reopened": gettext_lazy("Till reopened"),
    "table_link.ended": gettext_lazy("Link to a table ended"),
    "table_link.made": gettext_lazy("Link to a table made"),
    "table_link.moved": gettext_lazy("Links moved with their players"),
    "table_session.created": gettext_lazy("Table scheduled"),
    "table_session.edited": gettext_lazy("Table edited"),
    "table_session.held_back": gettext_lazy("Held back from the public"),
    "table_session.released": gettext_lazy("Shown to the public"),
    "tie.ruled": gettext_lazy("Ruling on a tie"),
    "token.ends_soon": gettext_lazy("Token about to end"),
    "token.made": gettext_lazy("Token made"),
    "token.revoked": gettext_lazy("Token revoked"),
    "token.signed_in": gettext_lazy("Signed in by a program"),
    "two_factor.code_reused": gettext_lazy("Code typed a second time"),
    "two_factor.codes_renewed": gettext_lazy("New recovery codes made"),
    "two_factor.off": gettext_lazy("Signing in with a code turned off"),
    "two_factor.on": gettext_lazy("Signing in with a code turned on"),
    "two_factor.reset": gettext_lazy("Code reset by a superuser"),
    "tariff.set": gettext_lazy("Fees set"),
    "waiting.added": gettext_lazy("Put on the waiting list"),
    "waiting.gone": gettext_lazy("Taken off the waiting list"),
    "webhook.changed": gettext_lazy("Webhook changed"),
    "webhook.disabled": gettext_lazy("Webhook switched off after failures"),
    "webhook.enabled": gettext_lazy("Webhook switched on"),
    "webhook.ended": gettext_lazy("Webhook ended"),
    "webhook.key_rotated": gettext_lazy("New key for a webhook"),
    "webhook.made": gettext_lazy("Webhook made"),
    "webhook.pinged": gettext_lazy("Webhook tried out"),
    "webhook.redelivered": gettext_lazy("Webhook sent again"),
}

FIELDS: Words = {
    "aim": gettext_lazy("aim"),
    "about": gettext_lazy("about"),
    "accepted": gettext_lazy("warnings accepted"),
    "are_secret": gettext_lazy("secret until then"),
    "announcement": gettext_lazy("announcement"),
    "because": gettext_lazy("because"),
    "blocks": gettext_lazy("blocks"),
    "call": gettext_lazy("call"),
    "change": gettext_lazy("change"),
    "cause": gettext_lazy("penalty"),
    "chonbo": gettext_lazy("chonbo"),
    "competition": gettext_lazy("competition"),
    "day": gettext_lazy("day"),
    "delivery": gettext_lazy("delivery"),
    "digest": gettext_lazy("digest"),
    "due_at": gettext_lazy("line-ups named until"),
    "duplicate": gettext_lazy("joined entry"),
    "entrant": gettext_lazy("entrant"),
    "entrants": gettext_lazy("entrants"),
    "expires_at": gettext_lazy("good until"),
    "every": gettext_lazy("days between sessions"),
    "fewer_tables": gettext_lazy("Fewer tables from this hanchan on"),
    "fields": gettext_lazy("what was changed"),
    "filling": gettext_lazy("how the blocks were filled"),
    "first": gettext_lazy("from hanchan"),
    "first_day": gettext_lazy("first day"),
    "format": gettext_lazy("format"),
    "games": gettext_lazy("games"),
    "hanchan": gettext_lazy("hanchan"),
    "hanchan_played": gettext_lazy("hanchan played"),
    "host": gettext_lazy("host"),
    "is_captain": gettext_lazy("captain"),
    "is_house": gettext_lazy("plays for the house"),
    "is_last_game": gettext_lazy("leaves after this game"),
    "joining": gettext_lazy("who joins"),
    "key_number": gettext_lazy("number of the key"),
    "keeps_clubs_apart": gettext_lazy("Keep players of one affiliation apart"),
    "keeps_countries_apart": gettext_lazy("Keep players of one country apart"),
    "kind": gettext_lazy("kind"),
    "kyoutaku": gettext_lazy("deposits left on the table"),
    "label": gettext_lazy("used for"),
    "leaving": gettext_lazy("who plays no more"),
    "line_ups": gettext_lazy("line-ups"),
    "link": gettext_lazy("link"),
    "links": gettext_lazy("links"),
    "lost": gettext_lazy("tables lost"),
    "number": gettext_lazy("number"),
    "numbers": gettext_lazy("numbers"),
    "options": gettext_lazy("options"),
    "order": gettext_lazy("order"),
    "photo": gettext_lazy("photo"),
    "photos": gettext_lazy("photos"),
    "place": gettext_lazy("place"),
    "player": gettext_lazy("player (who sits)"),
    "players": gettext_lazy("players"),
    "points": gettext_lazy("points"),
    "public_at": gettext_lazy("public from"),
    "result": gettext_lazy("outcome"),
    "revision": gettext_lazy("revision"),
    "role": gettext_lazy("role"),
    "ruleset": gettext_lazy("ruleset"),
    "scope": gettext_lazy("ranking"),
    "scopes": gettext_lazy("allowed to"),
    "score": gettext_lazy("score"),
    "seat": gettext_lazy("seat"),
    "seating": gettext_lazy("Seating"),
    "seats": gettext_lazy("seats"),
    "rotates": gettext_lazy("Draw the first hanchan only, then take turns"),
    "seed": gettext_lazy("seed of the draw"),
    "sessions": gettext_lazy("sessions"),
    "sha256": gettext_lazy("digest"),
    "sheet": gettext_lazy("sheet"),
    "sitting": gettext_lazy("sitting"),
    "since": pgettext_lazy("membership", "from"),
    "slots": gettext_lazy("places"),
    "slug": gettext_lazy("address"),
    "source": gettext_lazy("comes from"),
    "standings": gettext_lazy("digest of the standings"),
    "starts_at": gettext_lazy("begins at"),
    "state": gettext_lazy("state"),
    "status": gettext_lazy("status"),
    "tables": gettext_lazy("tables"),
    "tables_at_once": gettext_lazy("tables at a time"),
    "team": gettext_lazy("team"),
    "token": gettext_lazy("token"),
    "tokens_ended": gettext_lazy("tokens ended"),
    "unevenness": gettext_lazy("unevenness"),
    "until": gettext_lazy("until"),
    "user": gettext_lazy("account"),
    "venue": gettext_lazy("venue"),
}

VALUES: Words = {
    "director": gettext_lazy("director"),
    "scorer": gettext_lazy("scorer"),
    "referee": gettext_lazy("referee"),
    "reader": gettext_lazy("reader"),
    "captain": gettext_lazy("captain"),
    "draft": gettext_lazy("draft"),
    "published": gettext_lazy("published"),
    "closed": gettext_lazy("closed"),
    "player": pgettext_lazy("person", "player"),
    "hand": gettext_lazy("by hand"),
    "snake": gettext_lazy("in a snake"),
    "draw": gettext_lazy("by lot"),
    "few_moves": gettext_lazy("few moves"),
    "best_plan": gettext_lazy("best plan"),
}

COLUMNS: dict[str, tuple[str, ...]] = {
    "audience": ("Standing",),
    "chips": ("Sitting",),
    "confirmation": ("Competition",),
    "kind": ("Competition", "Sitting", "Override"),
    "state": ("Hanchan", "ResultSheet"),
    "status": ("Competition",),
}
"""The models whose column of a name has choices; where two models label a value differently, the last one counts."""


REVISION = re.compile(r"(?P<book>[a-z0-9-]+) r(?P<number>\d+)")
"""A revision of a rule book or of a format, as the log names it."""


BOOKS: Mapping[str, Callable[[str], Ruleset | Format]] = {"ruleset": loader.load, "format": load_format}
"""How to load a rule book or a format, by the field that names a revision of one."""


def _revision_title(field: str, book: str, number: str) -> str:
    """Return the title of a revision with its number; empty for books that do not come with the product."""
    try:
        title = BOOKS[field](book).title
    except KeyError:
        return ""
    return _("%(title)s (revision %(number)s)") % {"title": title_in(title), "number": number}


def _moment(text: str) -> dt.datetime | None:
    """Return the moment that a text in ISO 8601 names, or None."""
    try:
        found = dt.datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None


@cache
def choices_of(name: str) -> Words:
    """Return the labels of a column's values by value; empty for a column without choices."""
    fields = [apps.get_model("league", model)._meta.get_field(name) for model in COLUMNS.get(name, ())]
    return {str(value): label for field in fields for value, label in getattr(field, "choices", None) or ()}


def kind_words(kind: str) -> str:
    """Return the label of a kind of change, or the code itself if it has none."""
    return str(KINDS.get(kind, kind))


def field_words(name: str, subject_type: str) -> str:
    """Return the label of a field in a change's before or after.

    It comes from `FIELDS`, else from the model field's verbose name; a name that neither knows is returned as it is.
    """
    if name in FIELDS:
        return str(FIELDS[name])
    try:
        label = "auth" if subject_type == "user" else "league"
        field = apps.get_model(label, subject_type)._meta.get_field(name)
    except (LookupError, FieldDoesNotExist):
        return name
    return str(getattr(field, "verbose_name", name))


def value_words(name: str, value: object) -> str:
    """Return a value of a change as text for people: the label of a choice, yes or no, a dash for an empty value."""
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if not isinstance(value, str):
        return str(value)
    if name.endswith("_at") and (moment := _moment(value)):
        return moment_text(moment)
    if name in BOOKS and (revision := REVISION.fullmatch(value)):
        return _revision_title(name, revision["book"], revision["number"]) or value
    choices = choices_of(name)
    return str(choices[value] if value in choices else VALUES.get(value, value))
