"""Word the description of a format: phrases in the reader's language, put together to a sentence for each stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.wording.formatting import amount_text
from league.wording.messages import criterion_name
from league.wording.names import title_in
from league.wording.standings.awards import award_title
from scoring.format import Format
from scoring.format.description import FormatSentence, Phrase, describe, policy_phrases
from scoring.format.stage import CarryRounding

Params = Mapping[str, Any]


def format_sentences(league_format: Format) -> list[str]:
    """Return the description of a format, a sentence for each stage, in the reader's language."""
    return [sentence_text(each) for each in describe(league_format)]


def policy_sentences(league_format: Format) -> list[str]:
    """Return a sentence for each policy that a format gives."""
    phrases = filter(None, policy_phrases(league_format.policies))
    return [sentence_text(FormatSentence(tuple(each))) for each in phrases]


def sentence_text(sentence: FormatSentence) -> str:
    """Return one sentence with its full stop."""
    text = _("; ").join(map(phrase_text, sentence.phrases))
    if sentence.title is not None:
        return _("%(stage)s: %(text)s.") % {"stage": title_in(sentence.title), "text": text}
    return _("%(text)s.") % {"text": text[:1].upper() + text[1:]}


def phrase_text(phrase: Phrase) -> str:
    """Return a phrase in the reader's language; raise KeyError for a code without words."""
    return WORDS[phrase.code](phrase.params)


def _range(params: Params) -> str:
    first, last = params["first"], params["last"]
    return str(first) if first == last else _("%(first)s to %(last)s") % {"first": first, "last": last}


def _ranks(one: str, several: str, params: Params) -> str:
    text = one if params["first"] == params["last"] else several
    return text % {"numbers": _range(params), "of": title_in(params["of"])}


def _list(texts: Iterable[str]) -> str:
    return _(", ").join(texts)


def _criteria(params: Params) -> str:
    return _list(map(criterion_name, params["criteria"]))


def rounding_name(rounding: str) -> str:
    """Return the name of the rounding of a share of a total."""
    return {
        CarryRounding.UP: _("rounded up"),
        CarryRounding.DOWN: _("rounded down"),
        CarryRounding.AWAY_FROM_ZERO: _("rounded away from zero"),
        CarryRounding.TOWARDS_ZERO: _("rounded towards zero"),
    }[CarryRounding(rounding)]


def _points(params: Params) -> Params:
    """Return points as leagues write them."""
    return {"points": amount_text(Fraction(params["points"]), 10, plus=True)}


def _best(params: Params) -> str:
    words = {"of": title_in(params["of"]), "rank": params["rank"], "count": params["last"]}
    if params["first"] == params["last"] == 1:
        return _("the best of those ranked %(rank)s in the blocks of “%(of)s”") % words
    numbers = _range(params)
    return _("numbers %(numbers)s of those ranked %(rank)s in the blocks of “%(of)s”") % {**words, "numbers": numbers}


def _limit(text: str, params: Params) -> str:
    """Return a limit with where it comes from."""
    return _with_note(text % {"least": params["least"], "most": params["most"]}, params)


def _with_note(text: str, params: Params) -> str:
    note = title_in(params["note"]) if params["note"] else ""
    return _("%(text)s (%(note)s)") % {"text": text, "note": note} if note else text


def _members(params: Params) -> str:
    if params["least"] == params["most"]:
        return ngettext("%(least)s member to a team", "%(least)s members to a team", params["least"]) % params
    return _("%(least)s to %(most)s members to a team") % params


def _award(text: str, params: Params) -> str:
    words = {"award": award_title(params["award"]), "of": title_in(params["of"]), "least": params["least"]}
    return text % words


WORDS: Mapping[str, Callable[[Params], str]] = {
    "players": lambda p: ngettext("%(count)s player", "%(count)s players", p["count"]) % p,
    "players_between": lambda p: _("%(least)s to %(most)s players") % p,
    "players_any": lambda _p: _("any number of players"),
    "teams": lambda p: ngettext("%(count)s team", "%(count)s teams", p["count"]) % p,
    "teams_between": lambda p: _("%(least)s to %(most)s teams") % p,
    "teams_any": lambda _p: _("any number of teams"),
    "members": _members,
    "both_sexes": lambda _p: _("women and men in every team"),
    "replace": lambda p: (
        ngettext(
            "a team that misses “%(of)s” in %(seasons)s seasons in a row replaces %(count)s member or more",
            "a team that misses “%(of)s” in %(seasons)s seasons in a row replaces %(count)s members or more",
            p["count"],
        )
        % {**p, "of": title_in(p["of"])}
    ),
    "limit_least": lambda p: _limit(_("each member plays at least %(least)s hanchan"), p),
    "limit_most": lambda p: _limit(_("each member plays at most %(most)s hanchan"), p),
    "limit_between": lambda p: _limit(_("each member plays %(least)s to %(most)s hanchan"), p),
    "award": lambda p: _award(_("award in “%(of)s”: %(award)s"), p),
    "award_from": lambda p: _award(_("award in “%(of)s”: %(award)s, from %(least)s hanchan on"), p),
    "all_players": lambda _p: pgettext("entrants", "all players"),
    "all_teams": lambda _p: pgettext("entrants", "all teams"),
    "open": lambda _p: _("open to all players"),
    "seeds": lambda p: _("seeds %(numbers)s") % {"numbers": _range(p)},
    "seeds_from": lambda p: _("all from seed %(first)s on") % p,
    "ranks": lambda p: _ranks(_("rank %(numbers)s of “%(of)s”"), _("ranks %(numbers)s of “%(of)s”"), p),
    "ranks_of_each": lambda p: _ranks(
        _("rank %(numbers)s of each table or block of “%(of)s”"),
        _("ranks %(numbers)s of each table or block of “%(of)s”"),
        p,
    ),
    "ranks_from": lambda p: (
        _("all from rank %(first)s of “%(of)s” on") % {"first": p["first"], "of": title_in(p["of"])}
    ),
    "best": _best,
    "block_of": lambda p: (
        _("%(block)s with %(entrants)s")
        % {"block": title_in(p["block"]), "entrants": _list(map(phrase_text, p["entrants"]))}
    ),
    "drawn": lambda p: ngettext("drawn into %(count)s block", "drawn into %(count)s blocks", p["count"]) % p,
    "arranged_snake": lambda p: _("at %(count)s tables of %(size)s, dealt down and up again by rank") % p,
    "arranged_straight": lambda p: _("at %(count)s tables of %(size)s, one after another by rank") % p,
    "arranged_crossed": lambda p: _("at %(count)s tables of %(size)s, the two who come from one table apart") % p,
    "arranged_listed": lambda p: _("at %(count)s tables of %(size)s, as they are listed") % p,
    "hanchan": lambda p: ngettext("%(count)s hanchan each", "%(count)s hanchan each", p["count"]) % p,
    "hanchan_in_sessions": lambda p: (
        ngettext(
            "%(count)s hanchan each in %(sessions)s session",
            "%(count)s hanchan each in %(sessions)s sessions",
            p["sessions"],
        )
        % p
    ),
    "any_hanchan": lambda _p: _("any number of hanchan"),
    "seating_stay": lambda _p: _("a table stays together for a session"),
    "seating_rounds": lambda _p: _("new tables for every hanchan"),
    "seating_fixtures": lambda _p: _("the fixtures say who meets"),
    "rounds_plan": lambda p: _("rounds %(numbers)s by a seating plan") % p,
    "rounds_draw": lambda p: _("rounds %(numbers)s by draw") % p,
    "rounds_standing": lambda p: _("rounds %(numbers)s by the standing") % p,
    "rounds_standing_of": lambda p: (
        _("rounds %(numbers)s by the standing of “%(of)s”") % {"numbers": p["numbers"], "of": title_in(p["of"])}
    ),
    "paired_band": lambda p: _("in bands of %(count)s by rank") % p,
    "paired_snake": lambda _p: _("dealt to the tables down and up again by rank"),
    "paired_not_met": lambda _p: _("where possible without a second meeting"),
    "paired_not_club": lambda _p: _("where possible without members of one club at a table"),
    "paired_not_country": lambda _p: _("where possible without players of one country at a table"),
    "paired_not_table": lambda _p: _("where possible at a table not visited before"),
    "carry_none": lambda _p: _("points start at zero"),
    "carry_full": lambda _p: _("all points are carried over"),
    "carry_half": lambda p: (
        _("half of the points is carried over, %(rounding)s") % {"rounding": rounding_name(p["rounding"])}
    ),
    "carry_part": lambda p: (
        _("%(share)s of the points is carried over, %(rounding)s")
        % {"share": p["share"], "rounding": rounding_name(p["rounding"])}
    ),
    "carry_table": lambda _p: _("points at the start by slot"),
    "ties_back": lambda p: (
        _("level on points, the last hanchan decides by %(criteria)s, then the one before it")
        % {"criteria": _criteria(p)}
    ),
    "ties_then": lambda p: _("level entrants are separated by %(criteria)s") % {"criteria": _criteria(p)},
    "ties_ruling": lambda _p: _(
        "those still level share the rank, and the organizer rules where a place depends on it"
    ),
    "ties_shared": lambda _p: _("level entrants share the rank, and the organizer rules where a place depends on it"),
    "odd_byes": lambda _p: _("a number that does not fill the tables: those over sit out a round"),
    "odd_substitutes": lambda _p: _("a number that does not fill the tables: house players fill them"),
    "bye_average": lambda _p: _("such a round counts the average of the own hanchan"),
    "bye_points": lambda p: _("such a round counts %(points)s points") % _points(p),
    "house_average": lambda _p: _("a hanchan of a house player counts the average of the own hanchan"),
    "house_points": lambda p: _("a hanchan of a house player counts %(points)s points") % _points(p),
    "no_show_after": lambda p: (
        ngettext(
            "a house player sits down for an absent player after %(minutes)s minute",
            "a house player sits down for an absent player after %(minutes)s minutes",
            p["minutes"],
        )
        % p
    ),
    "no_show_substitutes": lambda _p: _("a house player sits down for an absent player"),
    "no_show_points": lambda p: _("an absence counts %(points)s points") % _points(p),
    "no_show_last": lambda _p: _("an absence counts as last place"),
    "no_show_twice": lambda _p: _("a second absence is a withdrawal"),
    "late": lambda p: _("each round before a late arrival counts %(points)s points") % _points(p),
    "withdrawal_ranked": lambda _p: _("those who leave rank behind all who finish"),
    "withdrawal_unranked": lambda _p: _("those who leave are not ranked"),
    "withdrawal_annul": lambda _p: _("their results no longer count for the others"),
    "walkover": lambda p: _("a table that is not played gives all who were there %(points)s points") % _points(p),
    "declined_next": lambda _p: _("a place declined after a cut goes to the next in rank"),
    "declined_empty": lambda _p: _("a place declined after a cut stays empty"),
    "champion": lambda p: _("the first of “%(block)s” is the champion") % {"block": title_in(p["block"])},
}
"""The words of each code of a phrase."""
