"""Helpers for kyoku tests: rulesets, tables and outcomes in the notation of a score sheet."""

from rulesets import loader
from scoring import kyoku
from scoring.kyoku.outcomes import Outcome, Prizes, Ron, Tsumo, Win
from scoring.kyoku.state import InHand, State, Transfer
from scoring.ruleset import Ruleset
from scoring.ruleset.base import TABLE_POINTS
from scoring.ruleset.end import RoundName
from scoring.ruleset.paths import get, put
from scoring.value import Worth

CINDERELLA, BANCHI4, BANCHI3 = loader.load("cinderella"), loader.load("banchi4"), loader.load("banchi3")
KANSAI3, SUPERBINGO, BOO = loader.load("kansai3"), loader.load("superbingo"), loader.load("boo")
TENHOU4, MLEAGUE = loader.load("tenhou4"), loader.load("mleague")


def trial(rules: Ruleset, *changes: tuple[str, object], without: tuple[str, ...] = ()) -> Ruleset:
    """Return the ruleset with these values at their paths, tables taken out, and no options."""
    data = rules.data() | {"options": {}}
    for path, value in changes:
        put(data, path, value)
    for path in without:
        table, _, last = path.rpartition(".")
        found = get(data, table)
        assert isinstance(found, dict)
        del found[last]
    return Ruleset.model_validate(data, strict=False)


TIMED = trial(CINDERELLA, ("end.time", {"minutes": 90, "last": "finish_hand", "clauses": ["CL-032"]}))
"""A book with a time limit."""

MANGAN = Worth(5)
CHEAP = Worth(1, 30)
YAKUMAN = Worth(yakuman=1)


def at(name: str, *scores: int, honba: int = 0, kyoutaku: int = 0, hand: InHand | None = None) -> State:
    """Return the state of a table at a kyoku such as "E1" or "RE3"."""
    return State(scores, RoundName(name[:-1]), int(name[-1]), honba, kyoutaku, hand=hand or InHand())


def ron(winner: int, loser: int, worth: Worth = CHEAP, *, stop: bool = False, prizes: Prizes | None = None) -> Ron:
    """Return a ron with one winner."""
    return Ron(loser=loser, wins=(Win(winner, worth, prizes=prizes or Prizes()),), stop=stop)


def tsumo(winner: int, worth: Worth = CHEAP, *, stop: bool = False) -> Tsumo:
    """Return a tsumo."""
    return Tsumo(win=Win(winner, worth), stop=stop)


def after(state: State, outcome: Outcome, rules: Ruleset) -> State:
    """Return the state after an outcome."""
    return kyoku.apply(state, outcome, rules).after


def codes(state: State, outcome: Outcome, rules: Ruleset) -> list[str]:
    """Return the codes of the refusals of an outcome."""
    return [each.code for each in kyoku.verify(state, outcome, rules)]


def name(state: State) -> str:
    """Return the name of the kyoku with its honba, e.g. "E1-0"."""
    return f"{state.round.value}{state.number}-{state.honba}"


def ends(state: State) -> list[str]:
    """Return the reasons for the end of the game."""
    return [end.reason.value for end in state.ends]


def told(transfers: tuple[Transfer, ...], ledger: str = TABLE_POINTS) -> list[tuple[int | None, int | None, int, str]]:
    """Return payer, receiver, amount and cause of each transfer in a ledger."""
    return [(each.payer, each.receiver, each.amount, each.cause.value) for each in transfers if each.ledger == ledger]
