//! Programs against each other: games under a clock, schedules of games, and what their results say.
