"""Sentences about what each player needs in the last kyoku, in the reader's language.

The engine builds phrases as codes with parts and has their English text; here the same codes are translated and filled
with the players' names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext as _

from league.wording.formatting import place_text
from league.wording.messages import destination_label
from league.wording.names import Names
from scoring.last_kyoku import Advance, Answer, DrawAnswer, Goal, Rung
from scoring.last_kyoku.phrases import SENTENCES, Part, Speaker
from scoring.last_kyoku.telling import (
    draw_phrases,
    goal_phrase,
    needs_phrase,
    rung_phrase,
    threat_phrases,
    waiting_phrase,
)
from scoring.standings import Entrant
from scoring.value import By


class Teller:
    """Words the engine's answers in the reader's language, with the player names of one table."""

    def __init__(self, seated: Sequence[str], entrant: Callable[[Entrant], str], names: Names) -> None:
        self.players = len(seated)
        self.names = names
        self.speaker = Speaker(
            sentence=lambda code: _(SENTENCES[code]), seat=seated.__getitem__, entrant=entrant, place=place_text
        )

    def goal(self, goal: Goal, destinations: Mapping[int, str]) -> str:
        """Return the goal as text; advancing is named by the stage it leads to, and the places unless there is one."""
        if isinstance(goal, Advance):
            values = {
                "destination": destination_label(destinations[goal.places], self.names),
                "places": goal.places,
            }
            if goal.places == 1:
                return str(values["destination"])
            return _("%(destination)s (first %(places)s of the block)") % values
        return self.say(goal_phrase(goal, self.players))

    def needed(self, answer: Answer) -> str:
        """Return the hands or events that the player needs."""
        return self.say(needs_phrase(answer))

    def draws(self, answer: Answer, draws: Sequence[DrawAnswer]) -> list[str]:
        """Return sentences about the effect of exhaustive draws on the player's goal; empty if there are none."""
        return [self.say(each) for each in draw_phrases(draws, answer.seat, self.players)] if draws else []

    def threats(self, answer: Answer) -> Mapping[int, str]:
        """Return, by winning seat, a sentence about the effect of that player's wins on the goal."""
        return {winner: self.say(each) for winner, each in threat_phrases(answer).items()}

    def waiting(self, answer: Answer) -> str:
        """Return the results of other tables on which the goal still depends; empty if there are none."""
        told = waiting_phrase(answer)
        return self.say(told) if told is not None else ""

    def rung(self, rung: Rung, by: By) -> str:
        """Return the hand of one rung of the ladder of payments as text."""
        return self.say(rung_phrase(rung, by))

    def say(self, part: Part) -> str:
        """Return any phrase as text."""
        return self.speaker.say(part)
