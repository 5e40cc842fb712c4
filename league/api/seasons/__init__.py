"""Teams, series of seasons, and rankings across competitions."""
