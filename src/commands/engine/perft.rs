//! `annals engine perft`: the number of legal turns, to compare the rules with those of another program.

use std::process::ExitCode;
use std::time::Instant;

use annals_events::{GameKind, Side};
use annals_report::{Cell, Document, Table};
use annals_rules::{AnyPosition, TurnChoice};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::document_form::DocumentArgs;
use crate::errors::CliError;
use crate::home::Home;
use crate::moments::MomentArgs;
use crate::named_game::Named;
use crate::output::diagnostic;

/// Count the legal turns from a position
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Count the legal turns from a position\n\n\
        The count is of sequences of --depth turns. In Arimaa a turn counts once for each board to which it leads. No \
        turn follows a decided position, and repetition is not considered.\n\n\
        With --steps the count is of sequences of one to N steps within one turn of Arimaa. Each order counts, and so \
        do sequences that restore the board or leave a push open.",
    after_long_help = "Examples:\n  \
        annals engine perft 'g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]'\n  \
        annals engine perft 'g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]' --steps 4\n  \
        annals engine perft 'b [..B./.x../..x./.W..]' --depth 3 --divide"
)]
pub struct Args {
    /// Position, or game: number, stream, `cup r3.1`, @FILE or `-`
    #[arg(value_name = "POSITION")]
    position: String,

    /// Turns of a sequence
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=8))]
    depth: u32,

    /// Count sequences of at most N steps of one turn
    #[arg(long, value_name = "N", conflicts_with_all = ["depth", "divide"], value_parser = clap::value_parser!(u8).range(1..=4))]
    steps: Option<u8>,

    /// List the count for each first turn
    #[arg(long)]
    divide: bool,

    /// Turn of the game before which turns are counted [default: the end]
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

    #[command(flatten)]
    form: DocumentArgs,
}

#[derive(Serialize)]
struct Counted {
    board: String,
    to_move: Side,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<u8>,
    count: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    first_turns: Vec<FirstTurn>,
}

#[derive(Serialize)]
struct FirstTurn {
    turn: String,
    count: u64,
}

pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    args.form.check()?;
    let position =
        Named::read(&args.position, args.side, args.game, &args.moment, home)?.position(args.turn)?;
    let begun = Instant::now();
    let mut first_turns = Vec::new();
    let count = match (args.steps, &position) {
        (None, _) => position.perft(args.depth, |turn, count| {
            if args.divide {
                first_turns.push(FirstTurn { turn, count });
            }
        }),
        (Some(most), AnyPosition::Arimaa(position)) => position.step_sequences(most),
        (Some(_), AnyPosition::Amazons(_)) => {
            return Err(CliError::new("a turn of the Amazons has no steps").hint("leave --steps out"));
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    let counted = Counted {
        board: position.board_text(),
        to_move: position.to_move(),
        depth: args.steps.is_none().then_some(args.depth),
        steps: args.steps,
        count,
        first_turns,
    };
    args.form.write_in(&counted, &TimeZone::UTC, || document(&counted))?;
    diagnostic(format_args!("note: {seconds:.2} s, {:.0} a second", count as f64 / seconds.max(1e-9)));
    Ok(ExitCode::SUCCESS)
}

fn document(counted: &Counted) -> Document {
    let document = Document::default().facts(vec![("count", Cell::from(counted.count))]);
    if counted.first_turns.is_empty() {
        return document;
    }
    let turns = Table::of("", &counted.first_turns);
    document.table(
        turns
            .column("turn", |first| Cell::text(&first.turn))
            .column("count", |first| Cell::from(first.count))
            .table(),
    )
}
