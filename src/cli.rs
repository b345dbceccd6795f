//! The command line as a whole; each command's own arguments stand in its file under `commands/`.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::commands;

/// Keeps the record of board-game championships, and lets people question it.
#[derive(Debug, Parser)]
#[command(
    name = "annals",
    version,
    about,
    long_about = "Keeps the record of board-game championships, and lets people question it.\n\n\
        Data goes to standard output, talk and progress to standard error. Exit status: 0 fine, \
        1 it ran and found something wrong, 2 it could not run.",
    after_help = "Start with:\n  annals demo                       a tour on games made on the spot\n  \
        annals ingest FILE...             the gameroom's archive files into the dataset\n  \
        annals query \"SELECT ...\"         SQL over all games, turns and positions"
)]
pub struct Cli {
    /// The folder in which the program keeps what it makes.
    #[arg(long, global = true, env = "ANNALS_HOME", default_value = "annals-home", value_name = "DIR")]
    pub home: PathBuf,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play through archive files and store every game, turn and position as Parquet.
    Ingest(commands::ingest::Args),
    /// A short tour in an empty folder: make games, ingest them, query them, show a board.
    Demo(commands::demo::Args),
    /// Write a large archive in the gameroom's format, for measuring.
    Grow(commands::grow::Args),
    /// Ask the dataset in SQL.
    #[cfg(feature = "sql")]
    Query(commands::query::Args),
    /// List games by player, date, rating, length, ending or position.
    #[cfg(feature = "sql")]
    Games(Box<commands::games::Args>),
    /// Show one game: header, board, clocks, moves.
    #[cfg(feature = "sql")]
    Game(commands::game::Args),
    /// Show a player's career.
    #[cfg(feature = "sql")]
    Player(commands::player::Args),
    /// Show what was played from a position, how often, and with what result.
    #[cfg(feature = "sql")]
    Explore(commands::explore::Args),
    /// Describe the tables and their columns.
    Schema(commands::schema::Args),
    /// Print a completion script for a shell.
    Completions(commands::completions::Args),
    /// Write the man pages into a folder.
    Man(commands::man::Args),
}
