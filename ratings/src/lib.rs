//! Rating systems over any set of games: each a pure computation from results to ratings, with errors of
//! estimation, and a comparison that judges them by prediction alone. No file and no SQL.
