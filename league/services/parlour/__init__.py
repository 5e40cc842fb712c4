"""Every write of a parlour's books: sittings, games at the counter, the waiting list, days, people.

The one idea: a sitting is people on chairs in turn order; a game takes the chairs from its first dealer on and goes
through `record_result` like every other result.
"""
