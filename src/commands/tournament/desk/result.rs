//! `annals tournament result` and `forfeit`: how a pairing came out.

use std::process::ExitCode;

use annals_events::tournament::Outcome;
use annals_events::{BoardId, Ended, GameEvent, GameId, GameKind, Side, StreamName, Termination};
use annals_replay::handler::{Draft, Step};
use annals_replay::{Cut, GameReplay, Replayed, Scope};
use annals_tournaments::Tournament;
use annals_tournaments::commands::Command;

use super::director::{AtWork, DirectorArgs, pairing, word};
use crate::errors::CliError;
use crate::home::Home;

/// Record the result of a pairing.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record the result of a pairing; that of its game where no outcome is given. Where the game is kept in the log \
        and has not ended, --termination ends it as well.",
    after_help = "Examples:\n  annals tournament result wcc-2015 r1.1                        as the game ended\n  \
        annals tournament result wcc-2015 r1.1 gold --termination resignation\n  \
        annals tournament result wcc-2015 r1.1 sharp --termination time\n  \
        annals tournament result olympiad-2000 r2.1 black --termination immobilization --territory 14"
)]
pub struct ResultArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The pairing.
    #[arg(value_name = "PAIRING", value_parser = pairing)]
    pairing: BoardId,

    /// gold, silver (white, black), draw, double_loss, or the player who won.
    #[arg(value_name = "OUTCOME|WINNER")]
    outcome: Option<String>,

    /// How the game ended: goal, elimination, immobilization, time, resignation, ...
    #[arg(long, value_name = "WORD", value_parser = word::<Termination>)]
    termination: Option<Termination>,

    /// The winner's squares of territory, where the rulebook counts them.
    #[arg(long, value_name = "N")]
    territory: Option<u32>,

    /// The game; the last that was attached where it is not given.
    #[arg(long, value_name = "GAME")]
    game: Option<GameId>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `result`.
pub fn result(args: ResultArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let state = work.state()?;
    let outcome =
        args.outcome.as_deref().map(|text| outcome(&work, &state, args.pairing, text)).transpose()?;
    let board = state.rounds.get(&args.pairing.round).and_then(|round| round.boards.get(&args.pairing.board));
    let game = args.game.or_else(|| board.and_then(|board| board.games.values().next_back().cloned()));
    let mut steps: Vec<Step> = Vec::new();
    if let (Some(game), Some(outcome), Some(termination)) = (&game, outcome, args.termination) {
        steps.extend(ended(&work, game, outcome, termination)?.map(Step::from));
    }
    steps.push(
        Command::Result {
            pairing: args.pairing,
            outcome,
            termination: args.termination,
            game,
            territory: args.territory,
        }
        .into(),
    );
    work.carry_out(&steps)
}

/// An outcome by its word, or by the player who won.
fn outcome(work: &AtWork, state: &Tournament, pairing: BoardId, text: &str) -> Result<Outcome, CliError> {
    let kind = state.announced.as_ref().map_or(GameKind::Arimaa, |announced| announced.game);
    if let Some(winner) = Side::named_in(text, kind) {
        return Ok(winner.into());
    }
    let unknown = match text.parse::<Outcome>() {
        Ok(outcome) => return Ok(outcome),
        Err(unknown) => unknown,
    };
    let board = state.rounds.get(&pairing.round).and_then(|round| round.boards.get(&pairing.board));
    let Some(board) = board else {
        // The rulebook refuses it, and says why.
        let (termination, game, territory) = (None, None, None);
        let any = Some(Outcome::Gold);
        let tried =
            work.tried(&[Command::Result { pairing, outcome: any, termination, game, territory }.into()]);
        return Err(tried.err().unwrap_or_else(|| CliError::new(format!("{pairing} does not stand"))));
    };
    let winner = work.player(text).map_err(|error| error.hint(unknown))?;
    match (board.gold(), board.silver()) {
        (Some(gold), _) if *gold == winner => Ok(Outcome::Gold),
        (_, Some(silver)) if *silver == winner => Ok(Outcome::Silver),
        (None, _) => Err(CliError::new(format!("the colours of {pairing} are not decided"))),
        _ => Err(CliError::new(format!(
            "`{winner}` does not play in {pairing}: that is {} against {}",
            board.upper(),
            board.lower()
        ))),
    }
}

/// The end of a game that is kept and has not ended; none where it has, or is not kept.
fn ended(
    work: &AtWork,
    game: &GameId,
    outcome: Outcome,
    termination: Termination,
) -> Result<Option<Draft>, CliError> {
    if !matches!(outcome, Outcome::Gold | Outcome::Silver | Outcome::Draw) {
        return Ok(None);
    }
    let stream: StreamName = format!("game/{game}").parse().map_err(|e| CliError::from_error(&e))?;
    let replayed = Replayed::<GameReplay>::rebuild(&work.log, Scope::Stream(stream.clone()), &Cut::NOW)?;
    let replay = replayed.state();
    if replay.started().is_none() || replay.game().ending().is_some() || replay.game().is_annulled() {
        return Ok(None);
    }
    let ended = Ended {
        winner: outcome.winner(),
        termination: Some(termination),
        stated: None,
        draw: outcome == Outcome::Draw,
    };
    let draft =
        Draft::new(stream, work.moment(), GameEvent::Ended(ended)).map_err(|e| CliError::from_error(&e))?;
    Ok(Some(if work.at.is_none() { draft.now() } else { draft }))
}

/// Record that a player did not come, or that neither did.
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that a player did not come to a game, or that neither did: the other has it by forfeit, or both have \
        lost it.",
    after_help = "Examples:\n  annals tournament forfeit wc-2009 r3.2 --absent omar --waited-until 2009-01-17T20:15Z\n  \
        annals tournament forfeit wc-2009 r3.2 --absent omar --absent fritzlein"
)]
pub struct ForfeitArgs {
    /// The tournament.
    #[arg(value_name = "TOURNAMENT")]
    tournament: String,

    /// The pairing.
    #[arg(value_name = "PAIRING", value_parser = pairing)]
    pairing: BoardId,

    /// Who did not come; twice where neither did.
    #[arg(long, value_name = "PLAYER", required = true)]
    absent: Vec<String>,

    /// Until when the other waited.
    #[arg(long, value_name = "TIME")]
    waited_until: Option<String>,

    #[command(flatten)]
    director: DirectorArgs,
}

/// Runs `forfeit`.
pub fn forfeit(args: ForfeitArgs, home: &Home) -> Result<ExitCode, CliError> {
    let work = args.director.open(home, &args.tournament)?;
    let absent = work.players(&args.absent)?;
    let waited_until = args.waited_until.as_deref().map(|text| work.time(text)).transpose()?;
    work.ask(Command::Forfeit { pairing: args.pairing, absent, waited_until })
}
