"""Rankings across events: the worth of results, ratings game by game, ranks by points, and their explanation."""
