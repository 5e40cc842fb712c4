"""Readers of logs of games played online (牌譜): bytes of a file, or pasted text, into neutral records.

`read_paifu` knows the mjlog of Tenhou (packed or not), the JSON of tenhou.net/6 as Tenhou and converters write it, and
records of Mahjong Soul as JSON. Unknown keys are skipped; what counts (players, seats, scores, hands, payments) is
checked, and a log that could not have been played is refused with its kyoku and the value found.
"""

from league.files.paifu.reading import read_paifu

__all__ = ["read_paifu"]
