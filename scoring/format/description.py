"""Describe a format in sentences: entrants and teams, each stage, ties, each policy, each award, the champion.

The one idea: a sentence is made of phrases, and a phrase is a code with its figures, so that the service can word it
in every language. A format whose roster is not closed is described as it is written, without a size it may have.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from scoring.format.arranging import Arrangement
from scoring.format.model import Format, intakes
from scoring.format.parts import Name
from scoring.format.policies import NoShow, NoShowBy, OddBy, Policies
from scoring.format.rounds import PairingRule
from scoring.format.stage import Assignment, Carry, Intake, Stage
from scoring.ruleset.base import Title
from scoring.sources import SEEDS, BestOf, RankOf, Seed, source_key, takes_rest
from scoring.tiebreak import LEAVES_NO_TIE


@dataclass(frozen=True, slots=True)
class Phrase:
    """A part of a sentence: a code, and the figures, names and choices that belong to it."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FormatSentence:
    """One sentence of a description; `title` names the stage it is about, if it is about one."""

    phrases: tuple[Phrase, ...]
    title: Name | None = None
    stage: str = ""
    """The key of the stage."""


def describe(format_: Format) -> tuple[FormatSentence, ...]:
    """Return the description of a format, in the order of play."""
    return tuple(_sentences(format_))


def _sentences(format_: Format) -> Iterator[FormatSentence]:
    yield FormatSentence((_entrants(format_), *_team(format_)))
    for stage in format_.stages:
        yield FormatSentence(tuple(_stage(format_, stage)), stage.title, stage.key)
    yield FormatSentence(tuple(_ties(format_)))
    yield from (FormatSentence(tuple(phrases)) for phrases in policy_phrases(format_.policies) if phrases)
    yield from (FormatSentence((phrase,)) for phrase in award_phrases(format_))
    if format_.champion is not None:
        yield FormatSentence((Phrase("champion", {"block": format_.blocks[format_.champion.block].title}),))


def _kind(format_: Format) -> str:
    return "teams" if format_.kind == "teams" else "players"


def _entrants(format_: Format) -> Phrase:
    what = _kind(format_)
    if format_.bounds is not None:
        return Phrase(f"{what}_between", {"least": format_.bounds.least, "most": format_.bounds.most})
    return Phrase(what, {"count": format_.seeds}) if format_.seeds else Phrase(f"{what}_any")


def _team(format_: Format) -> Iterator[Phrase]:
    """Yield the composition of the teams, and the members to be replaced."""
    team = format_.team
    if team is None:
        return
    yield Phrase("members", {"least": team.members.least, "most": team.members.most})
    if team.both_sexes:
        yield Phrase("both_sexes")
    if team.replace is not None:
        of = format_.stage(team.replace.stage).title
        yield Phrase("replace", {"of": of, "seasons": team.replace.missed_in_a_row, "count": team.replace.least})


def limit_phrases(format_: Format, stage: str) -> Iterator[Phrase]:
    """Yield the limits on the hanchan of each member in a stage, with where each comes from."""
    for limit in format_.limits:
        if limit.stage == stage:
            code = "limit_least" if limit.most is None else "limit_most" if limit.least is None else "limit_between"
            yield Phrase(code, {"least": limit.least, "most": limit.most, "note": limit.note})


def award_phrases(format_: Format) -> Iterator[Phrase]:
    """Yield each award with its stage and its minimum of hanchan."""
    for award in format_.awards:
        code = "award" if award.least_hanchan is None else "award_from"
        yield Phrase(code, {"award": award, "of": format_.stage(award.stage).title, "least": award.least_hanchan})


def _stage(format_: Format, stage: Stage) -> Iterator[Phrase]:
    if stage.assignment is Assignment.SEEDED and len(stage.blocks) > 1:
        # Several blocks: each with the entrants that come into it.
        for block in stage.blocks:
            own = tuple(_intake(format_, stage, intake) for intake in block.entrants)
            yield Phrase("block_of", {"block": block.title, "entrants": own or (Phrase("open"),)})
    else:
        yield from (_intake(format_, stage, intake) for intake in intakes(stage))
        yield from _places(stage)
    yield _length(stage)
    yield from _seating(format_, stage)
    yield _carry(stage)
    yield from limit_phrases(format_, stage.key)


def _places(stage: Stage) -> Iterator[Phrase]:
    """Yield the tables or blocks over which the entrants of a stage are spread."""
    if stage.tables is not None and stage.arrange is not None:
        yield Phrase(f"arranged_{stage.arrange.value}", {"count": stage.tables.count, "size": stage.tables.size})
    elif stage.assignment is Assignment.DRAWN:
        yield Phrase("drawn", {"count": len(stage.blocks)})
    elif any(block.is_open for block in stage.blocks):
        yield Phrase("open")


def _intake(format_: Format, stage: Stage, intake: Intake) -> Phrase:
    """Return the phrase for one line of entrants."""
    key = source_key(intake.sources)
    if takes_rest(intake.sources):
        number = intake.sources.removesuffix("-*").rpartition("#")[2].rpartition(":")[2]
        rest = {"first": int(number) if number.isdecimal() else 1}
        if key == SEEDS:
            return Phrase("seeds_from", rest) if number.isdecimal() else Phrase(f"all_{_kind(format_)}")
        return Phrase("ranks_from", {**rest, "of": _named(format_, key)})
    sources = format_.sources_of(intake, stage)
    best, worst = sources[0], sources[-1]
    if isinstance(best, Seed) and isinstance(worst, Seed):
        return Phrase("seeds", {"first": best.number, "last": worst.number})
    of = _named(format_, key)
    if isinstance(best, BestOf) and isinstance(worst, BestOf):
        return Phrase("best", {"of": of, "rank": best.rank, "first": best.number, "last": worst.number})
    ranks = [source for source in sources if isinstance(source, RankOf)]
    code = "ranks" if len({source.block for source in ranks}) == 1 else "ranks_of_each"
    return Phrase(code, {"of": of, "first": ranks[0].rank, "last": ranks[-1].rank})


def _named(format_: Format, key: str) -> Title:
    """Return the title of the block or stage that a source counts in."""
    if key in format_.blocks and len(format_.stage_of[key].all_blocks) > 1:
        return format_.blocks[key].title
    if key in format_.blocks:
        return format_.stage_of[key].title
    if key in format_.blocks_of:
        return format_.stage(key).title
    return format_.stage_of[format_.groups[key][0]].title


def _length(stage: Stage) -> Phrase:
    if stage.hanchan is None:
        return Phrase("any_hanchan")
    if stage.sessions is None:
        return Phrase("hanchan", {"count": stage.hanchan})
    return Phrase("hanchan_in_sessions", {"count": stage.hanchan, "sessions": stage.sessions})


def _seating(format_: Format, stage: Stage) -> Iterator[Phrase]:
    if not stage.rounds:
        yield Phrase(f"seating_{stage.seating.value}")
    for plan in stage.rounds:
        params: dict[str, object] = {"numbers": plan.numbers}
        if plan.of is not None and plan.of != stage.key:
            yield Phrase("rounds_standing_of", {**params, "of": format_.stage(plan.of).title})
        else:
            yield Phrase(f"rounds_{plan.by.value}", params)
        yield from _pairing(plan)


def _pairing(rule: PairingRule) -> Iterator[Phrase]:
    """Yield what distinguishes the pairing from neighbours in the standing at every table."""
    if rule.band is not None:
        yield Phrase("paired_band", {"count": rule.band})
    if rule.arrange is not Arrangement.STRAIGHT:
        yield Phrase(f"paired_{rule.arrange.value}")
    yield from (Phrase(f"paired_not_{kind.value}") for kind in rule.avoid)


def _carry(stage: Stage) -> Phrase:
    carry = stage.carry_over
    if carry.kind is Carry.PART:
        return Phrase("carry_part", {"share": str(carry.of or Fraction(0)), "rounding": str(carry.rounding)})
    if carry.kind is Carry.HALF:
        return Phrase("carry_half", {"rounding": str(carry.rounding)})
    return Phrase(f"carry_{carry.kind.value}")


def _ties(format_: Format) -> Iterator[Phrase]:
    """Yield how entrants with equal totals are separated."""
    steps = format_.tiebreak.back_tracking
    if steps:
        yield Phrase("ties_back", {"criteria": tuple(step.by.value for step in steps)})
    if format_.tiebreak.then:
        yield Phrase("ties_then", {"criteria": tuple(criterion.value for criterion in format_.tiebreak.then)})
    if not LEAVES_NO_TIE & set(format_.tiebreak.then):
        yield Phrase("ties_ruling" if steps or format_.tiebreak.then else "ties_shared")


def policy_phrases(policies: Policies) -> Iterator[list[Phrase]]:
    """Yield the phrases of each policy that the format gives; an empty list for one that says nothing new."""
    given = policies.model_fields_set
    odd = policies.odd
    if odd is not None and odd.by is not OddBy.REFUSE:
        yield [Phrase(f"odd_{odd.by.value}"), *_worth("bye" if odd.by is OddBy.BYES else "house", odd.points)]
    if "no_show" in given:
        yield [*_no_show(policies.no_show)]
    if "late" in given:
        yield [Phrase("late", {"points": policies.late.worth})]
    if "withdrawal" in given:
        leaves = policies.withdrawal
        annulled = [Phrase("withdrawal_annul")] if leaves.results == "annul" else []
        yield [Phrase("withdrawal_ranked" if leaves.ranked else "withdrawal_unranked"), *annulled]
    if policies.walkover.by == "worth" and policies.walkover.worth is not None:
        yield [Phrase("walkover", {"points": policies.walkover.worth})]
    if "declined" in given:
        yield [Phrase(f"declined_{policies.declined.value}")]


def _no_show(policy: NoShow) -> Iterator[Phrase]:
    if policy.by is NoShowBy.SUBSTITUTES and policy.after_minutes is not None:
        yield Phrase("no_show_after", {"minutes": policy.after_minutes})
    elif policy.by is NoShowBy.SUBSTITUTES:
        yield Phrase("no_show_substitutes")
    yield from _worth("no_show", policy.points)
    if policy.place == "last":
        yield Phrase("no_show_last")
    if policy.twice == "withdrawal":
        yield Phrase("no_show_twice")


def _worth(what: str, points: Fraction | str | None) -> Iterator[Phrase]:
    if points == "average":
        yield Phrase(f"{what}_average")
    elif points is not None:
        yield Phrase(f"{what}_points", {"points": points})
