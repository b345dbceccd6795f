//! `annals engine evaluate`: the evaluation of a position with its terms, by any evaluator, and the threats in it.

use std::process::ExitCode;

use annals_engine::amazons;
use annals_engine::evaluation::{PositionReport, PositionReportError};
use annals_events::{GameKind, Side};
use annals_report::{Cell, Document, Table};
use annals_rules::arimaa::Arimaa;
use annals_rules::game::{Game, Strictness};
use annals_rules::{AnyPosition, TurnChoice};
use jiff::tz::TimeZone;

use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::evaluators;
use crate::home::Home;
use crate::moments::MomentArgs;
use crate::named_game::Named;

/// Evaluate a position and list its threats
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Evaluate a position and list its threats\n\n\
        A game is evaluated before --turn, or at its end; a game of the log also at any point in time. docs/reference/games.md \
        lists the ways to name a position or a game.\n\n\
        Threats are exact: what either side could reach or capture within one turn. Evaluations are in rabbits, \
        in JSON in hundredths.\n\n\
        For the Amazons the answer has the territory and its regions, in squares.",
    after_long_help = "Examples:\n  \
        annals engine evaluate 'g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]'\n  \
        annals engine evaluate game/arimaa-669192 --as-of 2026-02-05T09:40:00Z\n  \
        annals engine evaluate @archive.txt:669192 --turn 12w\n  \
        annals game show 669192 --turn 12w | annals engine evaluate -\n  \
        annals engine evaluate 'b [..B./.x../..x./.W..]' --search nodes=20000\n  \
        annals engine evaluate --list"
)]
pub struct Args {
    /// Position, or game: number, stream, `cup r3.1`, @FILE or `-`
    #[arg(value_name = "POSITION", required_unless_present = "list")]
    position: Option<String>,

    /// Turn of the game before which it is evaluated [default: the end]
    #[arg(long, value_name = "TURN")]
    turn: Option<TurnChoice>,

    /// Side to move, if the position does not name it
    #[arg(long, value_name = "SIDE")]
    side: Option<Side>,

    /// Kind of game of a position that could be of either
    #[arg(long, value_name = "GAME")]
    game: Option<GameKind>,

    #[command(flatten)]
    moment: MomentArgs,

    /// Evaluator, or net:FILE for a network; may be repeated [default: all built-in]
    #[arg(long = "evaluator", value_name = "NAME")]
    evaluators: Vec<String>,

    /// List the evaluators
    #[arg(long)]
    list: bool,

    /// Search for the best turn within a limit: nodes=20000, depth=8 or time=1
    #[arg(long, value_name = "LIMIT")]
    search: Option<String>,

    #[command(flatten)]
    form: DocumentArgs,
}

/// What to do where another side is to move.
const OTHER_SIDE: &str =
    "leave --side out; to look at the other side's turn, write the position with its letter";

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let registry = evaluators::registry(args.evaluators.iter().map(String::as_str))?;
    let Some(text) = args.position.as_deref().filter(|_| !args.list) else {
        return match args.game {
            Some(GameKind::Amazons) => {
                let registry = amazons::Registry::standard();
                list(registry.iter().map(|one| (one.name(), one.about())), &args.form)
            }
            _ => list(registry.iter().map(|one| (one.name(), one.about())), &args.form),
        };
    };
    let named = Named::read(text, args.side, args.game, &args.moment, home)?;
    if let AnyPosition::Amazons(position) = named.position(args.turn)? {
        let registry = amazons::Registry::standard();
        let evaluators = evaluators::chosen(&registry, &args.evaluators)?;
        let search = args.search.as_deref();
        let report = amazons::PositionReport::of(&position, args.side, &registry, &evaluators, search);
        let report = report.map_err(|error| match &error {
            amazons::PositionReportError::OtherSide { .. } => CliError::from(error).hint(OTHER_SIDE),
            amazons::PositionReportError::Settings(_) => {
                CliError::from(error).hint("write --search nodes=20000, or depth=2, or time=1 (seconds)")
            }
            _ => CliError::from(error),
        })?;
        args.form.write_in(&report, &TimeZone::UTC, || report.document())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut game: Game<Arimaa> = Game::new(Strictness::Archive);
    // The time of the start decides by which rules the game is played.
    for (at, event) in named.events(args.turn)? {
        game.apply(at, &event)?;
    }
    let evaluators = evaluators::chosen(&registry, &args.evaluators)?;
    let search = args.search.as_deref();
    let report = PositionReport::of(&game, args.side, &registry, &evaluators, search).map_err(|error| {
        let hint = match &error {
            PositionReportError::NotSetUp => "name a later point in the game",
            PositionReportError::OtherSide { .. } => OTHER_SIDE,
            PositionReportError::Table(_) => "`hash=32` in --search is the default size",
            PositionReportError::Settings(_) => "write --search nodes=20000, or depth=8, or time=1 (seconds)",
            PositionReportError::Evaluator(_) => return CliError::from(error),
        };
        CliError::from(error).hint(hint)
    })?;
    args.form.write_in(&report, &TimeZone::UTC, || report.document())?;
    Ok(ExitCode::SUCCESS)
}

#[derive(serde::Serialize)]
struct Listed<'a> {
    name: &'a str,
    about: &'a str,
}

fn list<'a>(
    all: impl Iterator<Item = (&'a str, &'a str)>,
    form: &DocumentArgs,
) -> Result<ExitCode, CliError> {
    let all: Vec<_> = all.map(|(name, about)| Listed { name, about }).collect();
    let line = |one: &Listed<'_>| format!("{}: {}", one.name, one.about);
    let document = || Document::default().lines("", all.iter().map(line).collect());
    let table = || {
        let table = Table::of("", &all).column("name", |one| Cell::text(one.name));
        table.column("about", |one| Cell::text(one.about)).table()
    };
    form.write_with_table(&all, &TimeZone::UTC, document, table)?;
    Ok(ExitCode::SUCCESS)
}
