"""Logs of games played online (牌譜): records, and what our engine makes of them."""
