"""Answers as phrases where the phrase depends on the number of players."""

from scoring.last_kyoku.answers import DrawAnswer
from scoring.last_kyoku.goals import GoalVerdict
from scoring.last_kyoku.phrases import ENGLISH
from scoring.last_kyoku.telling import draw_phrases


def test_three_of_four_players_are_not_all_where_the_fourth_is_tenpai_in_no_draw() -> None:
    three = DrawAnswer((0, 1, 2), GoalVerdict.REACHED, is_choice=False)
    fewer = [DrawAnswer(each, GoalVerdict.MISSED, is_choice=False) for each in ((0, 1), (0, 2), (1, 2), ())]
    told = {players: ENGLISH.say(draw_phrases([three, *fewer], 0, players)[0]) for players in (3, 4)}
    assert "all tenpai" in told[3]
    assert "all tenpai" not in told[4]
