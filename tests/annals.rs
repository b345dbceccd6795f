//! Whole-program tests: each reads like use. One binary, one module per subject.

#[path = "annals/architecture.rs"]
mod architecture;
#[cfg(feature = "sql")]
#[path = "annals/asking.rs"]
mod asking;
#[path = "annals/asking_tournaments.rs"]
mod asking_tournaments;
#[path = "annals/auditing.rs"]
mod auditing;
#[path = "annals/bringing_in.rs"]
mod bringing_in;
#[path = "annals/championship/mod.rs"]
mod championship;
#[path = "annals/directing.rs"]
mod directing;
#[path = "annals/documents.rs"]
mod documents;
#[path = "annals/ingesting.rs"]
mod ingesting;
#[cfg(feature = "sql")]
#[path = "annals/logged_games.rs"]
mod logged_games;
#[path = "annals/logging.rs"]
mod logging;
#[path = "annals/program.rs"]
mod program;
#[path = "annals/replaying.rs"]
mod replaying;
#[path = "annals/tournament.rs"]
mod tournament;
