"""Rankings across competitions: the list, a ranking as of a day, and a person's sum term by term."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_safe

from league.forms.seasons.what_if import ComingEventForm
from league.models import Competition, EventListed, Player, Ranking
from league.platform.rendering import render
from league.platform.throttling import rate_limited
from league.selectors.access.etags import etag
from league.selectors.access.readers import public_reader_of
from league.selectors.people.search import LONGEST, folded
from league.selectors.seasons.game_lines import Step
from league.selectors.seasons.rankings import (
    Board,
    RankingLine,
    board_of,
    events_state,
    outlook,
    rules_of_ranking,
    visible_rankings,
)
from league.views.base import REPRESENTATION, conditional
from league.web.middleware.language import language_asked
from league.web.middleware.spoiler_guard import apply_guard
from league.web.seasons.ranking_tables import RANKING_TABLES, has_only_teams, no_such_ranking_table, rank_title
from league.web.table_files import WRITERS, as_attachment
from league.wording.formatting import language_of
from league.wording.names import title_in
from league.wording.seasons.rankings import (
    event_facts_text,
    exact_text,
    games_missing_text,
    kind_text,
    missing_text,
    moved_text,
    part_text,
    rule_notes,
    status_text,
)
from scoring.rankings.events import Term
from scoring.rankings.ladder import LadderStep
from scoring.rankings.rounding import text
from scoring.rankings.what_if import Outlook

SHOWN = 100
"""Lines, or games, shown before a list is folded."""
SHOWN_OF_PERSON = (
    "key", "name", "name_kana", "name_romaji", "short_name", "affiliation", "country",
    "mark_glyph", "mark_colour", "picture",
)  # fmt: skip
"""The fields by which a page of a ranking shows a person, or finds one."""
BAD_INPUT = 422


@require_safe
def rankings(request: HttpRequest) -> HttpResponseBase:
    """List the rankings that the visitor may read."""
    rows = [(row, kind_text(rules_of_ranking(row))) for row in visible_rankings(request.user)]
    told = etag(REPRESENTATION, "rankings", [(row.pk, row.name, row.name_en, kind) for row, kind in rows])
    return conditional(request, told, lambda: render(request, "seasons/rankings.html", {"rankings": rows}))


def ranking_at(request: HttpRequest, slug: str) -> Ranking:
    """Return the ranking at this address; raise Http404 if there is none that the visitor may read."""
    row = visible_rankings(request.user).filter(slug=slug).first()
    if row is None:
        raise Http404(_("There is no such ranking."))
    return row


def day_of(request: HttpRequest) -> tuple[dt.date, bool]:
    """Return the day asked for, by default today, and whether it could be read."""
    asked = request.GET.get("day", "").strip()
    if not asked:
        return timezone.localdate(), True
    with suppress(ValueError):
        return dt.date.fromisoformat(asked), True
    return timezone.localdate(), False


def board_for(request: HttpRequest, ranking: Ranking, day: dt.date) -> Board:
    """Return the ranking as the visitor sees it; a competition behind the spoiler guard does not count."""
    return board_of(ranking, day, request.user, leaves_out=lambda row: is_guarded(request, row))


def is_guarded(request: HttpRequest, competition: Competition) -> bool:
    """Return True if the visitor hides results of this competition."""
    return apply_guard(request, public_reader_of(competition)).until is not None


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of the table, in words."""

    line: RankingLine
    rank: str
    missing: tuple[str, ...]


def shown_line(board: Board, line: RankingLine) -> ShownLine:
    """Return a line in words."""
    missing = [missing_text(each) for each in line.missing]
    missing += [games_missing_text(line.games_missing)] if line.games_missing else []
    return ShownLine(line, rank_title(board.rules, line.rank), tuple(missing))


@require_safe
@rate_limited("search")
def ranking(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Show a ranking as of a day."""
    row = ranking_at(request, slug)
    day, is_day = day_of(request)
    board = board_for(request, row, day)
    lines = board.lines()
    wanted = request.GET.get("q", "").strip()[:LONGEST]
    shows_all = request.GET.get("show") == "all"
    context = page_context(board, is_day=is_day)
    told = etag(REPRESENTATION, row.slug, wanted, shows_all, is_day, state_of(board, lines))

    def make() -> HttpResponse:
        found = [line for line in lines if line.player and matches(line.player, wanted)]
        placed = [line for line in found if line.place is not None]
        cut = placed if shows_all or wanted else placed[:SHOWN]
        more: dict[str, object] = {
            "q": wanted,
            "has_teams": has_only_teams(lines),
            "lines": [shown_line(board, line) for line in cut],
            "hidden": len(placed) - len(cut),
            "rest": [shown_line(board, line) for line in found if line.place is None],
            "all": len(lines),
            "found": len(found),
            "events": [(event, event_facts_text(event)) for event in list(board.events.values())[::-1]],
            "notes": rule_notes(board.rules, board.rules.version_on(day)),
        }
        status = 200 if is_day else BAD_INPUT
        return render(request, "seasons/ranking.html", {**context, **more}, status=status)

    return conditional(request, told, make)


def page_context(board: Board, *, is_day: bool) -> dict[str, object]:
    """Return what all pages of a ranking need."""
    return {
        "ranking": board.ranking,
        "rules": board.rules,
        "title": title_in(board.rules.title),
        "kind": kind_text(board.rules),
        "day": board.day,
        "is_day": is_day,
        "is_today": board.day == timezone.localdate(),
    }


def matches(person: Player, wanted: str) -> bool:
    """Return True if a name or reading contains the text, in any spelling, or nothing is searched for."""
    names = (person.name, person.name_kana, person.name_romaji)
    return not wanted or any(folded(wanted) in folded(name) for name in names)


def state_of(board: Board, lines: Sequence[RankingLine]) -> list[object]:
    """Return everything that a page of a ranking shows, for its ETag."""
    row = board.ranking
    people = [attrgetter(*SHOWN_OF_PERSON)(line.player) for line in lines if line.player]
    return [
        row.name,
        row.name_en,
        row.rules.sha256,
        board.day,
        people,
        [(line.place, line.total, line.counting) for line in lines],
        events_state(board.rules, board.events.values()),
    ]


@require_safe
@rate_limited("search")
def ranking_file(request: HttpRequest, slug: str, ranking_table: str, suffix: str) -> HttpResponseBase:
    """Return the ranking, or every term of its sums, as a file."""
    row = ranking_at(request, slug)
    if ranking_table not in RANKING_TABLES or suffix not in WRITERS:
        raise Http404(no_such_ranking_table())
    day, is_day = day_of(request)
    if not is_day:
        raise Http404(_("This is no day. Write it as in 2026-06-30."))
    board = board_for(request, row, day)
    language = language_of(language_asked(request))
    with override(language):
        made = WRITERS[suffix](RANKING_TABLES[ranking_table](board, board.lines()), language)
    return as_attachment(made, f"{row.slug}-{ranking_table}-{day.isoformat()}.{suffix}")


@dataclass(frozen=True, slots=True)
class ShownTerm:
    """A result with its event, and each number of its product."""

    event: EventListed
    term: Term
    exact: str
    base: str
    weight: str
    factor: str
    product: str
    status: str
    parts: str


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A game of a rating or a ladder, term by term."""

    step: Step
    event: EventListed
    is_linked: bool
    sum: str
    change: str
    after: str
    moved: str


@require_safe
@rate_limited("search")
def ranking_person(request: HttpRequest, slug: str, key: str) -> HttpResponseBase:
    """Show a person's place, and the sum behind the total."""
    row = ranking_at(request, slug)
    day, is_day = day_of(request)
    board = board_for(request, row, day)
    lines = board.lines()
    line = next((each for each in lines if each.player and each.player.key == key), None)
    if line is None or line.player is None:
        raise Http404(_("There is no such player in this ranking."))
    shows_all = request.GET.get("show") == "all"
    context = page_context(board, is_day=is_day) | {"shown": shown_line(board, line), "player": line.player}
    context |= {"exact": exact_text(line.exact), "shows_all": shows_all}
    if board.reckoned is not None:
        context |= sum_context(board, line.player) | what_if_context(request, board, line.player, lines)
    else:
        context |= steps_context(board, line, None if shows_all else SHOWN)
    form = context.get("form")
    is_bad = not is_day or (isinstance(form, ComingEventForm) and form.is_bound and bool(form.errors))
    told = etag(REPRESENTATION, row.slug, key, request.GET.urlencode(), state_of(board, lines))
    return conditional(
        request,
        told,
        lambda: render(request, "seasons/ranking_person.html", context, status=BAD_INPUT if is_bad else 200),
    )


def sum_context(board: Board, player: Player) -> dict[str, object]:
    """Return the parts and terms of a person's total."""
    version = board.rules.version_on(board.day)
    if board.reckoned is None or version is None:
        return {}
    found = board.reckoned.sum_of(player.pk)
    letters = "ABCDEFGH"
    terms = [
        ShownTerm(
            event=board.events[term.event],
            term=term,
            exact=exact_text(term.exact),
            base=exact_text(term.base),
            weight=exact_text(term.weight),
            factor=exact_text(term.factor),
            product=exact_text(term.product),
            status=status_text(term.status),
            parts=" ".join(
                letters[number % len(letters)] for number, part in enumerate(found.parts) if term.event in part.events
            ),
        )
        for term in found.terms
        if term.event in board.events
    ]
    parts = [
        (letters[number % len(letters)], part, part_text(part, rule.by), rule.by)
        for number, (part, rule) in enumerate(zip(found.parts, version.parts, strict=True))
    ]
    return {
        "terms": terms,
        "parts": parts,
        "combine": version.combine.by,
        "history": history_of(board, player, [shown.event.day for shown in terms]),
        "has_weights": bool(version.event.weight or version.event.age),
    }


def history_of(board: Board, player: Player, days: Sequence[dt.date]) -> list[tuple[dt.date, str]]:
    """Return the total after each event of the person, the newest first."""
    if board.reckoned is None:
        return []
    own = [event for event in board.reckoned.events.values() if player.pk in event.results]
    found = []
    for day in sorted(set(days), reverse=True)[:SHOWN]:
        version = board.rules.version_on(day)
        if version is not None:
            total = type(board.reckoned)(board.rules, own, day).total(player.pk)
            found.append((day, text(total.exact, version.listed)))
    return found


def steps_context(board: Board, line: RankingLine, most: int | None) -> dict[str, object]:
    """Return a person's games, the newest first."""
    steps = list(reversed(board.steps[line.person]))
    cut = steps if most is None else steps[:most]
    return {
        "steps": [shown_step(board, step) for step in cut if step.game.event in board.events],
        "hidden": len(steps) - len(cut),
        **next_rank(board, line),
    }


def next_rank(board: Board, line: RankingLine) -> dict[str, object]:
    """Return the points that are missing to the next rank of a ladder."""
    ladder = board.rules.ladder
    if ladder is None or line.rank is None or ladder.ranks[line.rank].end is None:
        return {}
    rank = ladder.ranks[line.rank]
    return {
        "to_next": exact_text(Fraction(rank.end or 0) - line.exact),
        "next_rank": rank_title(board.rules, line.rank + 1) if line.rank + 1 < len(ladder.ranks) else "",
        "loss": exact_text(rank.loss) if rank.loss else "",
    }


def shown_step(board: Board, step: Step) -> ShownStep:
    """Return a game in words, with the numbers of its formula."""
    event = board.events[step.game.event]
    is_linked = event.competition.kind == Competition.Kind.LEAGUE
    if isinstance(step, LadderStep):
        moved = moved_text(step.moved)
        before, after = (rank_title(board.rules, rank) for rank in (step.rank_before, step.rank))
        change = exact_text(step.change, plus=True)
        told = f"{before} {exact_text(step.before)} {change}"
        return ShownStep(step, event, is_linked, told, change, f"{after} {exact_text(step.after)}", moved)
    divisor = board.rules.rating.divisor if board.rules.rating else 1
    told = (
        f"{exact_text(step.coefficient)} × ({exact_text(step.worth, plus=True)} + "
        f"({exact_text(step.mean)} - {exact_text(step.before)}) ÷ {divisor})"
    )
    change = text(step.change, board.rules.rating.kept if board.rules.rating else None)
    return ShownStep(step, event, is_linked, told, change, text(step.after, board.listed), "")


def what_if_context(
    request: HttpRequest, board: Board, player: Player, lines: Sequence[RankingLine]
) -> dict[str, object]:
    """Return the form of a coming event and, if it is filled in, the place needed to stand above the rival."""
    version = board.rules.version_on(board.day)
    if version is None or version.event.base.kind == "points":
        return {}
    if "rival" not in request.GET:
        above = next_above(lines, player)
        initial = {"rival": above.name if above else "", "day": board.day, "players": 16, "days": 1, "countries": 1}
        return {"form": ComingEventForm(initial=initial)}
    form = ComingEventForm(request.GET)
    if not form.is_valid():
        return {"form": form}
    found = rivals(lines, form.cleaned_data["rival"], player)
    if len(found) != 1:
        sentence = _("No other player of this ranking is called so.")
        if found:
            sentence = _("Several players are called so: %(names)s.") % {
                "names": _(", ").join(str(each) for each in found[:10])
            }
        form.add_error("rival", sentence)
        return {"form": form}
    answer = outlook(board, player, found[0], form.coming(board.day))
    return {"form": form, "rival": found[0], **outlook_context(answer, board)}


def outlook_context(answer: Outlook[int] | None, board: Board) -> dict[str, object]:
    """Return the answer in words: totals without the event, the places needed, and what each place gives."""
    if answer is None:
        return {}
    version = board.rules.version_on(answer.day)
    listed = version.listed if version else None
    return {
        "outlook": answer,
        "mine": text(answer.now.listed, listed),
        "theirs": text(answer.rival.listed, listed),
        "reached": [(each, text(each.listed, listed)) for each in answer.places],
    }


def next_above(lines: Sequence[RankingLine], player: Player) -> Player | None:
    """Return the person one line above; the one below for the first."""
    people = [line.player for line in lines if line.player]
    at = next((number for number, each in enumerate(people) if each.pk == player.pk), 0)
    near = people[at - 1 : at] if at else people[1:2]
    return near[0] if near else None


def rivals(lines: Sequence[RankingLine], wanted: str, player: Player) -> list[Player]:
    """Return the others with this key or name; without one, those whose name contains the text."""
    others = [line.player for line in lines if line.player and line.player.pk != player.pk]
    exact = [each for each in others if wanted in (each.key, each.name, str(each))]
    return exact or [each for each in others if matches(each, wanted)]
