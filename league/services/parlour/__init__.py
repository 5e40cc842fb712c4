"""Services for a parlour's books: sittings, games at the counter, the waiting list, business days, guests.

A sitting is people on chairs in turn order; a game assigns the seats from its first dealer's chair on and goes
through `record_result` like every other result.
"""
