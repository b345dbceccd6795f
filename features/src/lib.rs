//! Feature tables: one row for every position of a game, with what a network or a study learns from (planes, named
//! scalars), what it is to learn (the label), and how games are told apart into splits. No SQL, and no network.
