"""Documents of rankings: lines as of a day, a person's sum term by term, a coming event, and the events listed."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from league.models import EventListed, Ranking
from league.selectors.seasons.game_lines import Step
from league.selectors.seasons.rankings import Board, RankingLine, rules_of_ranking
from league.web.document_parts import exact_number
from league.web.documents import Amount, Document, Ref
from league.web.seasons.ranking_tables import rank_title
from league.wording.names import title_of
from scoring.rankings.events import PartSum, Term
from scoring.rankings.ladder import LadderStep
from scoring.rankings.rounding import text
from scoring.rankings.what_if import Outlook


class RankingHead(Document):
    """A ranking across competitions."""

    slug: str = Field(description="The address.")
    name: str = Field(description="The name.")
    kind: str = Field(description="`events`, `rating` or `ladder`.")
    rules: str = Field(description="The file's name and revision.")
    is_public: bool = Field(description="True if the public may read it.")


class RankingMissing(Document):
    """A condition for a place that is not met."""

    code: str = Field(description="`too_few_results`, `too_few_events` or `too_few_days`.")
    there: int = Field(description="The number there is.")
    needed: int = Field(description="The number needed.")


class RankingAcrossLine(Document):
    """A person's line."""

    place: int | None = Field(description="Null without a place.")
    is_shared: bool = Field(description="True if others have the same place.")
    player: str = Field(description="The player's key.")
    name: str = Field(description="The name.")
    total: str = Field(description="As published.")
    exact: Amount = Field(description="The exact number.")
    counting: int = Field(description="The number of results, or games, that count.")
    rank: str | None = Field(description="In a ladder the key of the rank.")
    rank_title: str = Field(description="The title of the rank, in a ladder.")
    missing: list[RankingMissing] = Field(description="What is missing for a place.")
    games_missing: int = Field(description="Games that are missing for a place.")


class RankingAcross(RankingHead):
    """A ranking as of a day, the first place first."""

    day: str = Field(description="The day of calculation.")
    lines: list[RankingAcrossLine] = Field(description="The lines.")


class RankingEvent(Document):
    """A competition that counts, with what its weight depends on."""

    id: Ref = Field(description="The event's id.")
    competition: str = Field(description="The competition's slug.")
    name: str = Field(description="The name.")
    day: str = Field(description="The day.")
    days: int = Field(description="Days of play.")
    countries: int = Field(description="Countries taking part.")
    needs_qualification: bool = Field(description="True if players had to qualify.")
    is_final: bool = Field(description="False until the competition has ended, and for ratings and ladders.")


class RankingEvents(Document):
    """The events of a ranking."""

    events: list[RankingEvent] = Field(description="The events by day.")


class RankingTerm(Document):
    """A result as the ranking counts it: base x weight x factor of its age."""

    event: RankingEvent = Field(description="The event.")
    place: int = Field(description="The place.")
    level: int = Field(description="The number of players who share the place.")
    exact: Amount = Field(description="The base before it is rounded.")
    base: Amount = Field(description="The base as it counts.")
    weight: Amount = Field(description="The weight.")
    factor: Amount = Field(description="The factor of the age.")
    product: Amount = Field(description="Base x weight x factor.")
    status: str = Field(description="`counts`, `left_out` (better results count) or `too_old`.")


class RankingPartSum(Document):
    """A mean or sum of results."""

    events: list[Ref] = Field(description="The results taken, the best first.")
    fills: int = Field(description="The number of results filled in.")
    sum: Amount = Field(description="The sum of base x weight.")
    weight: Amount = Field(description="The weight.")
    value: Amount = Field(description="The mean or sum.")


class RankingStep(Document):
    """A game of a rating or a ladder."""

    hanchan: Ref = Field(description="The hanchan's id.")
    competition: str = Field(description="The competition's slug.")
    day: str = Field(description="The day.")
    place: int = Field(description="The place.")
    before: Amount = Field(description="Before the game.")
    change: Amount = Field(description="The exact change.")
    after: Amount = Field(description="After the game.")
    coefficient: Amount | None = Field(description="Of a rating.")
    worth: Amount | None = Field(description="Of the place, in a rating.")
    mean: Amount | None = Field(description="Of the table's ratings, in a rating.")
    rank_before: str | None = Field(description="Of a ladder.")
    rank: str | None = Field(description="Of a ladder.")
    moved: str | None = Field(description="`promoted`, `demoted` or `held`, in a ladder.")


class RankingPerson(RankingHead):
    """A person's line with the sum behind it."""

    day: str = Field(description="The day.")
    line: RankingAcrossLine = Field(description="The line.")
    parts: list[RankingPartSum] = Field(description="The means or sums behind the total.")
    terms: list[RankingTerm] = Field(description="The results, the newest first.")
    steps: list[RankingStep] = Field(description="The games, the newest first.")


class RankingReached(Document):
    """The total that a place gives."""

    place: int = Field(description="The place.")
    total: Amount = Field(description="The total.")
    is_above: bool = Field(description="Above the other, who is not in the event.")
    is_above_in_any_case: bool = Field(description="Above the other, whatever place the other has in it.")


class RankingOutlook(Document):
    """The places at a coming event that lift one player above another."""

    day: str = Field(description="The day.")
    now: Amount = Field(description="The own total on that day without the event.")
    rival: Amount = Field(description="The other's.")
    needed: int | None = Field(
        description="The last place that is enough, as all better ones are, if the other does not play."
    )
    needed_in_any_case: int | None = Field(
        description="The last place that is enough, as all better ones are, whatever the other does."
    )
    places: list[RankingReached] = Field(description="The total of each place.")


def head_of(ranking: Ranking) -> dict[str, object]:
    """Return the fields of a ranking's head."""
    rules = rules_of_ranking(ranking)
    kind = "rating" if rules.rating else "ladder" if rules.ladder else "events"
    return {
        "slug": ranking.slug,
        "name": title_of(ranking),
        "kind": kind,
        "rules": str(ranking.rules),
        "is_public": ranking.is_public,
    }


def ranking_head(ranking: Ranking) -> RankingHead:
    """Return a ranking in a list."""
    return RankingHead.model_validate(head_of(ranking))


def ranking_across(board: Board, found: Sequence[RankingLine]) -> RankingAcross:
    """Return a ranking as of a day."""
    lines = [line_document(board, line) for line in found]
    return RankingAcross.model_validate(head_of(board.ranking) | {"day": board.day.isoformat(), "lines": lines})


def line_document(board: Board, line: RankingLine) -> RankingAcrossLine:
    """Return a line; the person is known."""
    ladder = board.rules.ladder
    return RankingAcrossLine(
        place=line.place,
        is_shared=line.is_shared,
        player=line.player.key if line.player else "",
        name=str(line.player),
        total=line.total,
        exact=exact_number(line.exact),
        counting=line.counting,
        rank=ladder.ranks[line.rank].key if ladder and line.rank is not None else None,
        rank_title=rank_title(board.rules, line.rank),
        missing=[RankingMissing(code=each.code, there=each.there, needed=each.needed) for each in line.missing],
        games_missing=line.games_missing,
    )


def event_document(event: EventListed) -> RankingEvent:
    """Return an event."""
    return RankingEvent(
        id=str(event.pk),
        competition=event.competition.slug,
        name=title_of(event.competition),
        day=event.day.isoformat(),
        days=event.days,
        countries=event.countries,
        needs_qualification=event.needs_qualification,
        is_final=bool(event.digest),
    )


def person_document(board: Board, line: RankingLine) -> RankingPerson:
    """Return a line with its sum, or its games, the newest first."""
    parts: list[RankingPartSum] = []
    terms: list[RankingTerm] = []
    steps: list[RankingStep] = []
    if board.reckoned is not None:
        found = board.reckoned.sum_of(line.person)
        parts = [part_document(part) for part in found.parts]
        terms = [term_document(board, term) for term in found.terms]
    else:
        steps = [step_document(board, step) for step in reversed(board.steps[line.person])]
    return RankingPerson.model_validate(
        head_of(board.ranking)
        | {"day": board.day.isoformat(), "line": line_document(board, line)}
        | {"parts": parts, "terms": terms, "steps": steps}
    )


def part_document(part: PartSum) -> RankingPartSum:
    """Return a part of a total."""
    return RankingPartSum(
        events=[str(key) for key in part.events],
        fills=part.fills,
        sum=exact_number(part.sum),
        weight=exact_number(part.weight),
        value=exact_number(part.value),
    )


def term_document(board: Board, term: Term) -> RankingTerm:
    """Return a result with its event."""
    return RankingTerm(
        event=event_document(board.events[term.event]),
        place=term.result.place,
        level=term.result.level,
        exact=exact_number(term.exact),
        base=exact_number(term.base),
        weight=exact_number(term.weight),
        factor=exact_number(term.factor),
        product=exact_number(term.product),
        status=term.status,
    )


def step_document(board: Board, step: Step) -> RankingStep:
    """Return a game."""
    ladder = board.rules.ladder
    return RankingStep(
        hanchan=str(step.game.key),
        competition=board.events[step.game.event].competition.slug,
        day=step.game.day.isoformat(),
        place=step.place,
        before=exact_number(step.before),
        change=exact_number(step.change),
        after=exact_number(step.after),
        coefficient=None if isinstance(step, LadderStep) else exact_number(step.coefficient),
        worth=None if isinstance(step, LadderStep) else exact_number(step.worth),
        mean=None if isinstance(step, LadderStep) else exact_number(step.mean),
        rank_before=ladder.ranks[step.rank_before].key if ladder and isinstance(step, LadderStep) else None,
        rank=ladder.ranks[step.rank].key if ladder and isinstance(step, LadderStep) else None,
        moved=step.moved if isinstance(step, LadderStep) else None,
    )


def outlook_document(board: Board, answer: Outlook[int]) -> RankingOutlook:
    """Return the places needed at a coming event."""
    version = board.rules.version_on(answer.day)
    listed = version.listed if version else None
    return RankingOutlook(
        day=answer.day.isoformat(),
        now=text(answer.now.listed, listed),
        rival=text(answer.rival.listed, listed),
        needed=answer.needed,
        needed_in_any_case=answer.needed_in_any_case,
        places=[
            RankingReached(
                place=each.place,
                total=text(each.listed, listed),
                is_above=each.is_above,
                is_above_in_any_case=each.is_above_in_any_case,
            )
            for each in answer.places
        ],
    )
