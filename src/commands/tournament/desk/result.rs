//! `annals tournament game result` and `forfeit`: how a pairing came out.

use annals_events::tournament::Outcome;
use annals_events::{BoardId, GameId, Side, Termination};
use annals_replay::handler::{DirectorSession, Step, game_played};
use annals_tournaments::Tournament;
use annals_tournaments::commands::Command;

use super::director::{Request, one, pairing, word};
use crate::errors::{CliError, InWords as _};

/// Record the result of a pairing
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record the result of a pairing\n\n\
        Without an outcome the result is that of the game. If the game is in the log and has not ended, \
        --termination ends it too.",
    after_help = "Examples:\n  \
        annals tournament game result wcc-2015 r1.1               as the game ended\n  \
        annals tournament game result wcc-2015 r1.1 gold --termination resignation\n  \
        annals tournament game result wcc-2015 r1.1 sharp --termination time\n  \
        annals tournament game result olympiad-2000 r2.1 black --territory 14"
)]
pub struct ResultArgs {
    /// Pairing
    #[arg(value_name = "PAIRING", value_parser = pairing)]
    pairing: BoardId,

    /// gold, silver (white, black), draw, double_loss, or the winner
    #[arg(value_name = "OUTCOME|WINNER")]
    outcome: Option<String>,

    /// How the game ended
    #[arg(long, value_name = "WORD", value_parser = word::<Termination>)]
    termination: Option<Termination>,

    /// The winner's squares of territory, if the rulebook counts them
    #[arg(long, value_name = "N")]
    territory: Option<u32>,

    /// Game [default: the last one of the pairing]
    #[arg(long, value_name = "GAME")]
    game: Option<GameId>,
}

impl Request for ResultArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let state = work.state()?;
        let outcome =
            self.outcome.as_deref().map(|text| outcome(work, &state, self.pairing, text)).transpose()?;
        let board =
            state.rounds.get(&self.pairing.round).and_then(|round| round.boards.get(&self.pairing.board));
        let game = self.game.or_else(|| board.and_then(|board| board.games.values().next_back().cloned()));
        let mut steps: Vec<Step> = Vec::new();
        if let (Some(game), Some(outcome), Some(termination)) = (&game, outcome, self.termination) {
            steps.extend(work.ending(game, outcome, termination)?.map(Step::from));
        }
        steps.push(
            Command::Result {
                pairing: self.pairing,
                outcome,
                termination: self.termination,
                game,
                territory: self.territory,
            }
            .into(),
        );
        Ok(steps)
    }
}

/// An outcome by its word, or by the player who won.
fn outcome(
    work: &DirectorSession,
    state: &Tournament,
    pairing: BoardId,
    text: &str,
) -> Result<Outcome, CliError> {
    if let Some(winner) = Side::named_in(text, game_played(state)) {
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
        return Err(match tried {
            Err(error) => CliError::from(error).about(work.name.as_str()),
            Ok(_) => CliError::new(format!("{pairing} does not stand")),
        });
    };
    let winner = work.player(text).hint(unknown)?;
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

/// Record that one or both players did not come
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Record that one or both players did not come\n\n\
        The opponent wins by forfeit, or both lose.",
    after_help = "Examples:\n  \
        annals tournament game forfeit wc-2009 r3.2 --absent omar\n  \
        annals tournament game forfeit wc-2009 r3.2 --absent omar --absent fritzlein"
)]
pub struct ForfeitArgs {
    /// Pairing
    #[arg(value_name = "PAIRING", value_parser = pairing)]
    pairing: BoardId,

    /// Player who did not come; twice if neither did
    #[arg(long, value_name = "PLAYER", required = true)]
    absent: Vec<String>,

    /// Time until which the opponent waited
    #[arg(long, value_name = "TIME")]
    waited_until: Option<String>,
}

impl Request for ForfeitArgs {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let absent = self.absent.iter().map(|text| work.player(text)).collect::<Result<_, _>>()?;
        let waited_until = self.waited_until.as_deref().map(|text| work.time(text)).transpose()?;
        one(Command::Forfeit { pairing: self.pairing, absent, waited_until })
    }
}
