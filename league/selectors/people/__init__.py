"""Players and guests."""
