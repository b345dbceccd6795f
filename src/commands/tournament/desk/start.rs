//! `annals tournament start`: the game of a pairing begins, and is attached to it.

use std::process::ExitCode;

use annals_events::tournament::GameAttached;
use annals_events::{BoardId, GameId, StreamName, TournamentEvent};
use annals_replay::handler::{Step, begin_game};
use annals_tournaments::Tournament;
use annals_tournaments::commands::Command;

use super::director::{AtWork, DirectorArgs, pairing};
use crate::errors::CliError;
use crate::home::Home;

/// Begin the game of a pairing; the first one begins its round.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Begin the game of a pairing; the first one begins its round. A stream is made for the game \
        (`game/wcc-2015.r1.1`), with its players and time control, and attached to the pairing. Where a ruling asks for a \
        further attempt, that goes on from the position and the clocks that the ruling lets stand.",
    after_help = "Examples:\n  annals tournament start wcc-2015 r1.1\n  \
        annals tournament start wcc-2015 r1.1 --game arimaa-327001   a game that the log holds already\n  \
        annals tournament start olympiad-2000 r1.1 --no-game         only that it began"
)]
pub struct Args {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The pairing.
    #[arg(value_name = "PAIRING", value_parser = pairing)]
    pairing: BoardId,

    /// A game that the log holds already.
    #[arg(long, value_name = "GAME", conflicts_with = "no_game")]
    game: Option<GameId>,

    /// Make no stream for the game: its moves are not kept here.
    #[arg(long)]
    no_game: bool,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs the command.
pub fn run(args: Args, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let pairing = args.pairing;
    let state = work.state()?;
    let stands =
        state.rounds.get(&pairing.round).is_some_and(|round| round.boards.contains_key(&pairing.board));
    // What does not stand the rulebook refuses, and says why.
    if args.no_game || !stands {
        return work.ask(Command::Start { pairing, game: None });
    }
    let (_, steps) = beginning(&work, &state, pairing, args.game)?;
    work.carry_out(&steps)
}

/// The parts of the beginning of a pairing's next game, a new one or one that the log holds already; and the game.
pub fn beginning(
    work: &AtWork,
    state: &Tournament,
    pairing: BoardId,
    game: Option<GameId>,
) -> Result<(GameId, Vec<Step>), CliError> {
    let (game, attempt, mut steps) = match game {
        Some(game) => {
            must_be_there(work, &game)?;
            let board = state.rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
            let last = board.and_then(|board| board.games.keys().next_back().copied());
            (game, last.unwrap_or(0).saturating_add(1), Vec::new())
        }
        None => {
            let begun = begin_game(&work.log, &work.name, state, pairing, (work.at, work.now))?;
            let drafts = begun.drafts.into_iter().map(Step::from).collect();
            (begun.game, begun.attempt, drafts)
        }
    };
    steps.push(Command::Start { pairing, game: Some(game.clone()) }.into());
    let directed = work.tried(&steps)?;
    let attaches = |draft: &annals_replay::handler::Draft| draft.event_type == "tournament.game_attached";
    if !directed.drafts.iter().any(attaches) {
        let game = game.clone();
        steps.push(TournamentEvent::GameAttached(GameAttached { pairing, attempt, game }).into());
    }
    Ok((game, steps))
}

fn must_be_there(work: &AtWork, game: &GameId) -> Result<(), CliError> {
    let stream: StreamName = format!("game/{game}").parse().map_err(|e| CliError::from_error(&e))?;
    if work.log.stream_info(&stream)?.is_none() {
        return Err(CliError::new(format!("the log has no game `{game}`"))
            .hint("leave --game out to make one, or say --no-game"));
    }
    Ok(())
}
