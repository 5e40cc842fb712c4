"""Hand value documents: yaku, fu, dora and payments of a hand, with bilingual names and clauses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field

from league.selectors.rulebooks.catalogue import CatalogueEntry
from league.selectors.rulebooks.hands import Scored
from league.web.document_parts import InBoth, both
from league.web.documents import Amount, Clauses, Document, Values
from league.wording.live.hands import (
    CALLS,
    CAUSES,
    DORA,
    FORMS,
    FU,
    NOTICES,
    WAITS,
    Words,
    line_name,
    no_win_text,
    problem_text,
)
from league.wording.live.yaku import limit_name
from scoring.hand import (
    Form,
    FuReason,
    HandPart,
    HandValue,
    MeldKind,
    Notice,
    NoWin,
    NoWinReason,
    Payer,
    Payment,
    PaymentCause,
    Tile,
    YakuLine,
    parts_of,
    tiles_text,
)
from scoring.hand.reading import Reading
from scoring.hand.shapes import Wait
from scoring.ruleset import TABLE_POINTS, Ruleset, Wind
from scoring.ruleset.value import Dora, LimitName
from scoring.ruleset.yaku import Counts


class ScoredYaku(Document):
    """A yaku of the hand."""

    name: str = Field(description="The yaku's name, or `bazoro` for han added to every hand.")
    label: InBoth = Field(description="The name in words.")
    worth: int = Field(description="Han, or how many yakuman; 1 for a mangan outright.")
    counts: Counts = Field(description="What `worth` counts.")
    clauses: Clauses


class ScoredDora(Document):
    """The dora of one kind."""

    kind: Dora = Field(description="The kind of dora.")
    label: InBoth = Field(description="The kind in words.")
    count: int = Field(description="The number of these dora in the hand.")
    han: int = Field(description="Of all of them.")
    points: int = Field(description="From each payer, where dora are points.")
    as_yaku: bool = Field(description="They count as a yaku under this ruleset.")
    clauses: Clauses


class ScoredFu(Document):
    """One line of fu with its reason; all lines add up to `fu`."""

    reason: FuReason = Field(description="The reason for the fu.")
    label: InBoth = Field(description="The reason in words.")
    fu: int = Field(description="The fu of this line.")
    tile: str | None = Field(description="The tile of the set or pair.")
    clauses: Clauses


class ScoredPart(Document):
    """A set, a pair, or all tiles of a hand without sets."""

    tiles: str = Field(description="The tiles, written together.")
    call: MeldKind | None = Field(description="How it was called; null for a part of the concealed hand.")
    call_label: InBoth | None = Field(description="The call in words.")
    completed: bool = Field(description="By the winning tile.")


class ScoredReading(Document):
    """The reading of the tiles: the form of the hand, its wait and its parts."""

    form: Form = Field(description="The form of the hand.")
    form_label: InBoth = Field(description="The form in words.")
    wait: Wait = Field(description="The wait.")
    wait_label: InBoth = Field(description="The wait in words.")
    parts: list[ScoredPart] = Field(description="The parts of the hand first, then the melds in their order.")


class ScoredPayment(Document):
    """One amount paid to the winner."""

    seat: Wind | None = Field(description="The wind of the payer; null where the payer was not named.")
    role: Payer = Field(description="The part the payer has in the win.")
    ledger: str = Field(description="`table` for table points, else a ledger of the ruleset.")
    amount: Amount = Field(description="The amount.")
    cause: PaymentCause = Field(description="The reason for the payment.")
    label: InBoth = Field(description="The reason in words.")
    clauses: Clauses


class ScoredNotice(Document):
    """A circumstance that the software cannot judge and people have to check."""

    code: Notice = Field(description="Stable; decide by this.")
    detail: str = Field(description="A sentence in the client's language.")


class ScoredValue(Document):
    """The value of a win with all its components."""

    han: int = Field(description="With dora; 0 for yakuman and for limits reached outright.")
    fu: int = Field(description="The fu, rounded up as the ruleset says.")
    yakuman: int = Field(description="The number of yakuman.")
    limit: LimitName | None = Field(description="The limit that was reached.")
    limit_label: InBoth | None = Field(description="The limit in words.")
    instant_top: bool = Field(description="The game ends, and no points move.")
    as_ron: bool = Field(description="A self-draw that is paid like a ron.")
    pocchi_as: str | None = Field(description="The tile a wild pocchi stands for.")
    yaku: list[ScoredYaku] = Field(description="The yaku.")
    dora: list[ScoredDora] = Field(description="The dora by kind.")
    fu_lines: list[ScoredFu] = Field(description="The fu line by line.")
    reading: ScoredReading
    payments: list[ScoredPayment] = Field(description="Every payment to the winner.")
    total: int = Field(description="Table points with honba, without deposits.")
    totals: dict[str, Amount] = Field(description="What the winner gets by ledger, deposits included.")
    notices: list[ScoredNotice] = Field(description="Circumstances that people have to see for themselves.")


class NoWinDocument(Document):
    """The reason why a hand is not a valid win."""

    code: NoWinReason = Field(description="Stable; decide by this.")
    detail: str = Field(description="A sentence in the client's language.")
    clauses: Clauses


class HandProblemDocument(Document):
    """An input that is impossible under this ruleset."""

    code: str = Field(description="Stable; decide by this.")
    pointer: str = Field(description="A JSON pointer into the hand or its circumstances.")
    detail: str = Field(description="A sentence in the client's language.")


class ScoredHand(Document):
    """A hand under one ruleset: `value`, or `no_win`, or (in a comparison) `problems`."""

    ruleset: RulesetHead
    options: Values = Field(description="The house options and the values scored under.")
    hand: str = Field(description="In one line, as the calculator's address carries it.")
    is_win: bool = Field(description="The hand may be won.")
    value: ScoredValue | None = Field(description="The worth of the win.")
    no_win: NoWinDocument | None = Field(description="Why it may not be won.")
    problems: list[HandProblemDocument] = Field(description="What cannot be under this ruleset.")


class ScoredEverywhere(Document):
    """A hand under every ruleset that defines how hands are scored."""

    hand: str = Field(description="In one line, as the calculator's address carries it.")
    results: list[ScoredHand] = Field(description="The hand under each ruleset.")


def scored_document(scored: Scored) -> ScoredHand:
    """Return the hand under one ruleset."""
    return ScoredHand(
        ruleset=ruleset_head(scored.book),
        options=dict(scored.options),
        hand=str(scored.hand),
        is_win=scored.value is not None,
        value=None if scored.value is None else value_document(scored.value, scored.rules, scored.totals()),
        no_win=None if scored.no_win is None else no_win_document(scored.no_win),
        problems=[
            HandProblemDocument(code=each.code, pointer=f"/{each.pointer}", detail=problem_text(each))
            for each in scored.problems
        ],
    )


def comparison_document(every: Sequence[Scored]) -> ScoredEverywhere:
    """Return the hand under every ruleset."""
    hand = str(every[0].hand) if every else ""
    return ScoredEverywhere(hand=hand, results=[scored_document(each) for each in every])


def no_win_document(no_win: NoWin) -> NoWinDocument:
    """Return the reason why a hand is not a valid win."""
    return NoWinDocument(code=no_win.reason, detail=no_win_text(no_win), clauses=list(no_win.clauses))


def value_document(value: HandValue, rules: Ruleset, totals: Mapping[str, int]) -> ScoredValue:
    """Return the value of a win with all its components."""
    return ScoredValue.build(
        value,
        limit_label=_limit(value),
        pocchi_as=_tile(value.pocchi_as),
        yaku=[_yaku(line) for line in value.yaku],
        dora=[ScoredDora.build(line, label=_label(DORA, line.kind)) for line in value.dora],
        fu_lines=[
            ScoredFu.build(line, label=_label(FU, line.reason), tile=_tile(line.kind)) for line in value.fu_lines
        ],
        reading=_reading(value.reading),
        payments=[_payment(payment, rules) for payment in value.payments],
        totals={key: _amount(amount, key, rules) for key, amount in totals.items()},
        notices=[ScoredNotice(code=each, detail=str(NOTICES[each])) for each in value.notices],
    )


def _yaku(line: YakuLine) -> ScoredYaku:
    return ScoredYaku.build(line, name=line.name.value, label=both(lambda _language: line_name(line.name)))


def _reading(reading: Reading) -> ScoredReading:
    return ScoredReading.build(
        reading,
        form_label=_label(FORMS, reading.form),
        wait_label=_label(WAITS, reading.wait),
        parts=[_part(part) for part in parts_of(reading)],
    )


def _tile(tile: Tile | None) -> str | None:
    return None if tile is None else tiles_text((tile,))


def _label(words: Words, key: str) -> InBoth:
    return both(lambda _language: str(words[key]))


def _limit(value: HandValue) -> InBoth | None:
    limit = value.limit
    return None if limit is None else both(lambda _language: limit_name(limit))


def _part(part: HandPart) -> ScoredPart:
    label = _label(CALLS, part.how) if part.how else None
    return ScoredPart(tiles=tiles_text(part.kinds), call=part.how, call_label=label, completed=part.completed)


def _payment(payment: Payment, rules: Ruleset) -> ScoredPayment:
    amount = _amount(payment.amount, payment.ledger, rules)
    return ScoredPayment.build(payment, seat=payment.payer, amount=amount, label=_label(CAUSES, payment.cause))


def _amount(amount: int, ledger: str, rules: Ruleset) -> str:
    """Return an amount as text: table points are integers, other ledgers have their own scale."""
    return str(amount) if ledger == TABLE_POINTS else rules.ledger(ledger).text(amount)


Revision = Annotated[int | None, Field(description="The revision of the text; null while no competition has used it.")]


Digest = Annotated[str, Field(description="The SHA-256 of the text.")]


class RulesetHead(Document):
    """A ruleset without its values."""

    name: str = Field(description="The ruleset's name in addresses.")
    title: InBoth
    players: int = Field(description="The number of players at a table.")
    revision: Revision
    digest: Digest


def ruleset_head(book: CatalogueEntry[Ruleset]) -> RulesetHead:
    """Return a ruleset without its values."""
    rules = book.value
    return RulesetHead.build(book, title=rules.title, players=rules.players, revision=book.number, digest=book.sha256)
