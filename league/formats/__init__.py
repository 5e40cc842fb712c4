"""How Django writes dates where nobody says how: as the pages do."""
