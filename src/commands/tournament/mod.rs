//! `annals tournament`: directing, querying, auditing, importing and exporting tournaments.

mod audit;
mod directing;
mod files;
mod options;
pub mod query;
mod report;

use std::process::ExitCode;

use annals_replay::queries::explain::{Subject, WhyNot};
use annals_replay::queries::{
    champions, crosstable, history, list, notices, overview, player, rounds, rulings, standings,
};
pub use directing::session_now;
use directing::{ByDirector, announce, disputes, entry, fund, game, programs, qualifier, round, schedule};
use query::{HISTORY, LogQuery, TournamentQuery, note_verified};

use crate::errors::CliError;
use crate::hints::{explain_as_published, hint_about};
use crate::home::Home;

/// Announce, direct, query and audit tournaments
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    Announce(Box<announce::Args>),

    /// List the tournaments of the log
    #[command(after_long_help = "Examples:\n  \
        annals tournament list\n  \
        annals tournament list --as-of 2015-12-31\n  \
        annals tournament list --json | jq -r \".tournaments[].tournament\"")]
    List(LogQuery),

    /// Show one tournament on one page
    #[command(after_long_help = "Examples:\n  \
        annals tournament show wcc-2015\n  \
        annals tournament show wcc-2015 --as-of round:3 --tz EST")]
    Show(TournamentQuery),

    /// Show the standings with their tie-breaks
    #[command(after_long_help = "Examples:\n  \
        annals tournament standings wcc-2015\n  \
        annals tournament standings wcc-2015 --as-of round:3\n  \
        annals tournament standings wcc-2015 --known-at 2015-03-08 --format csv")]
    Standings(TournamentQuery),

    /// Show the crosstable with colours
    #[command(after_long_help = "Examples:\n  \
        annals tournament crosstable postal-2006\n  \
        annals tournament crosstable postal-2006 --format csv > crosstable.csv")]
    Crosstable(TournamentQuery),

    /// Explain a round, bye, colour, rank or the qualifier
    ///
    /// Lists the criteria of the rulebook in their order with the values of the round, the bye with its reason, and each
    /// colour with its rule. Prints the number of equivalent pairings, and whether the published one is among them. For a
    /// round that is not paired yet, the result is the one that the rulebook gives.
    #[command(after_long_help = "Examples:\n  \
        annals tournament explain wcc-2015 3\n  \
        annals tournament explain wcc-2015 3 --why-not sharp ziltoid\n  \
        annals tournament explain wcc-2015 bye 3\n  \
        annals tournament explain wcc-2015 colour r3.2\n  \
        annals tournament explain wcc-2015 rank sharp ziltoid\n  \
        annals tournament explain wcc-2015 qualifier sharp")]
    Explain {
        #[command(flatten)]
        query: TournamentQuery,

        /// Round, or one of `bye`, `colour`, `rank`, `qualifier`
        subject: String,

        /// Of `bye` the round, `colour` the pairing, `rank` two players, `qualifier` a player
        #[arg(value_name = "OBJECT")]
        objects: Vec<String>,

        /// Explain why two players do not meet
        #[arg(long, value_names = ["PLAYER", "OPPONENT"], num_args = 2)]
        why_not: Option<Vec<String>>,

        /// Explain why a player has no bye
        #[arg(hide_short_help = true, long, value_name = "PLAYER")]
        why_no_bye: Option<String>,
    },
    Audit(audit::Args),
    Report(report::Args),

    /// Show the event history of a tournament
    #[command(
        after_long_help = "Corrections are shown with what the event was before. `annals log show TOURNAMENT` shows struck events and commits.\n\n\
        Examples:\n  \
        annals tournament history wcc-2015\n  \
        annals tournament history wcc-2015 --as-of round:1 --tz EST\n  \
        annals tournament history wcc-2015 --format csv"
    )]
    History(TournamentQuery),

    /// Show the roll of champions
    #[command(
        after_long_help = "Examples:\n  annals tournament champions\n  annals tournament champions --format csv"
    )]
    Champions(LogQuery),

    /// Enter players, and record their programs and machines
    #[command(subcommand)]
    Entry(Box<Entry>),

    /// Record the qualifier, rank it and invite
    #[command(subcommand)]
    Qualifier(Box<Qualifier>),

    /// Pair rounds and choose colours
    #[command(subcommand)]
    Round(Box<Round>),

    /// Fix the times of games and give notice
    #[command(subcommand)]
    Schedule(Box<Schedule>),

    /// Start games, record moves and results
    #[command(subcommand)]
    Game(Box<ByDirector<game::GameRequest>>),

    /// Give rulings, decide disputes, appeals and penalties
    #[command(subcommand)]
    Ruling(Box<Ruling>),

    /// Record fees, contributions and prizes
    #[command(subcommand)]
    Fund(Box<ByDirector<fund::FundRequest>>),

    #[command(flatten)]
    Close(Box<ByDirector<announce::CloseRequest>>),

    /// Import a tournament from a file
    #[command(subcommand)]
    Import(Box<files::Import>),
    Export(files::export::Args),
}

#[derive(Debug, clap::Subcommand)]
pub enum Entry {
    #[command(flatten)]
    Request(ByDirector<entry::EntryRequest>),
    #[command(flatten)]
    Program(ByDirector<programs::ProgramRequest>),

    /// Show everything about one player of a tournament
    #[command(after_long_help = "Examples:\n  \
        annals tournament entry show wcc-2015 sharp\n  \
        annals tournament entry show wcc-2015 sharp --as-of round:4")]
    Show {
        #[command(flatten)]
        query: TournamentQuery,

        /// Player: an identity, or the name of the entry
        player: String,
    },
}

#[derive(Debug, clap::Subcommand)]
pub enum Qualifier {
    #[command(flatten)]
    Request(ByDirector<qualifier::QualifierRequest>),
    ImportGames(files::qualifying_games::Args),
}

#[derive(Debug, clap::Subcommand)]
pub enum Round {
    #[command(flatten)]
    Request(ByDirector<round::RoundRequest>),

    /// Show pairings, colours, results and byes of the rounds
    #[command(after_long_help = "Examples:\n  \
        annals tournament round list wcc-2015\n  \
        annals tournament round list wcc-2015 3 --json")]
    List {
        #[command(flatten)]
        query: TournamentQuery,

        /// Round [default: all]
        round: Option<u32>,
    },
}

#[derive(Debug, clap::Subcommand)]
pub enum Schedule {
    #[command(flatten)]
    Request(ByDirector<schedule::ScheduleRequest>),

    /// Show the notices to players
    #[command(after_long_help = "Examples:\n  \
        annals tournament schedule notices wc-2009\n  \
        annals tournament schedule notices wc-2009 chessandgo --format csv")]
    Notices {
        #[command(flatten)]
        query: TournamentQuery,

        /// Player [default: all]
        player: Option<String>,
    },
}

#[derive(Debug, clap::Subcommand)]
pub enum Ruling {
    #[command(flatten)]
    Request(ByDirector<disputes::RulingRequest>),

    /// Show the rulings with the standings before and after
    #[command(after_long_help = "Examples:\n  \
        annals tournament ruling list wcc-2015\n  \
        annals tournament ruling list wcc-2015 --json | jq \".rulings[] | {number, reason, before, after}\"")]
    List(TournamentQuery),
}

pub fn run(command: Command, home: &Home) -> Result<ExitCode, CliError> {
    match command {
        Command::Announce(args) => args.run(home),
        Command::List(query) => query.answer(home, |log, cut| {
            Ok(list::TournamentList { hint: Some(HISTORY.to_owned()), ..list::ask(log, cut)? })
        }),
        Command::Show(query) => query.answer(home, |at, _| {
            let name = at.stream.name();
            let overview = overview::ask(at).with_hint(hint_about(name));
            let all = format!("annals tournament standings {name}");
            Ok(overview::Overview { standings_hint: Some(all), ..overview })
        }),
        Command::Standings(query) => query.answer(home, |at, _| {
            note_verified(at.log());
            Ok(standings::ask(at))
        }),
        Command::Crosstable(query) => query.answer(home, |at, _| Ok(crosstable::ask(at))),
        Command::Explain { query, subject, objects, why_not, why_no_bye } => {
            let words: Vec<&str> = [&subject].into_iter().chain(&objects).map(String::as_str).collect();
            let pair = match why_not.as_deref() {
                Some([one, other]) => Some((one.as_str(), other.as_str())),
                _ => None,
            };
            let (subject, why_not) = (Subject::of(&words)?, WhyNot { pair, bye: why_no_bye.as_deref() });
            query.answer(home, |at, _| Ok(subject.explain(at, &why_not)?))
        }
        Command::Audit(args) => args.run(home),
        Command::Report(args) => args.run(home),
        Command::History(query) => query.answer(home, |at, zone| Ok(history::ask(at, zone)?)),
        Command::Champions(query) => query.answer(home, |log, cut| {
            note_verified(log);
            Ok(champions::Champions { hint: Some(HISTORY.to_owned()), ..champions::ask(log, cut)? })
        }),
        Command::Entry(command) => match *command {
            Entry::Request(request) => request.run(home),
            Entry::Program(request) => request.run(home),
            Entry::Show { query, player } => query.answer(home, |at, _| {
                let page = player::ask(at, &at.player(&player)?)?;
                let qualifier_hint = qualifier_hint(&page);
                Ok(player::PlayerPage { qualifier_hint, ..page })
            }),
        },
        Command::Qualifier(command) => match *command {
            Qualifier::Request(request) => request.run(home),
            Qualifier::ImportGames(args) => args.run(home),
        },
        Command::Round(command) => match *command {
            Round::Request(request) => request.run(home),
            Round::List { query, round } => query.answer(home, |at, _| Ok(rounds::ask(at, round)?)),
        },
        Command::Schedule(command) => match *command {
            Schedule::Request(request) => request.run(home),
            Schedule::Notices { query, player } => query.answer(home, |at, _| {
                let player = player.map(|name| at.player(&name)).transpose()?;
                Ok(notices::ask(at, player.as_ref()))
            }),
        },
        Command::Ruling(command) => match *command {
            Ruling::Request(request) => request.run(home),
            Ruling::List(query) => query.answer(home, |at, _| Ok(rulings::ask(at)?)),
        },
        Command::Game(request) => request.run(home),
        Command::Fund(request) => request.run(home),
        Command::Close(request) => request.run(home),
        Command::Import(command) => command.run(home),
        Command::Export(args) => args.run(home),
    }
}

/// The command that shows which games of the qualifier count for a player. One who left is in the published order only, which is
/// explained as of its publication.
fn qualifier_hint(page: &player::PlayerPage) -> Option<String> {
    let (tournament, player) = (&page.heading.tournament, &page.player.player);
    let command = match page.left_at {
        None => format!("annals tournament explain {tournament} qualifier {player}"),
        Some(_) => {
            let published =
                page.events.iter().rev().find(|event| event.line.event == "tournament.qualified")?;
            explain_as_published(tournament.as_ref(), player.as_str(), published.line.at)
        }
    };
    Some(format!("`{command}` shows which of them count"))
}
