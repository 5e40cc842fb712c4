"""Operations of organizers: setting up a competition, its people, blocks and schedule."""
