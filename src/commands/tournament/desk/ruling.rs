//! `annals tournament ruling give`: a ruling of the director, one effect of a closed list.

use annals_events::tournament::{Clocks, Effect, Failure, Outcome};
use annals_events::{BoardId, GameId, PlayerId, Side, Termination};
use annals_replay::handler::{DirectorSession, Step, game_played};
use annals_tournaments::commands::Command;

use super::director::{Request, evidence, one, word};
use crate::errors::CliError;

/// What a ruling does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Does {
    /// PAIRING --ply N --failure CAUSE: halt the game under way
    Halt,
    /// PAIRING --ply N --failure CAUSE: invalidate the result
    Invalidate,
    /// PAIRING --failure CAUSE: play the game again from the start
    Rematch,
    /// PAIRING OUTCOME: set the result
    SetResult,
    /// PAIRING: treat the pairing as never made
    Vacate,
    /// PAIRING SQUARES: set the winner's territory
    SetTerritory,
    /// PAIRING: rate the game
    Rated,
    /// PAIRING: do not rate the game
    Unrated,
    /// PAIRING PLAYER: set the player of Gold
    SetColours,
    /// PLAYER: remove the player
    Remove,
    /// PLAYER: let the player play again
    Reinstate,
    /// PLACE PLAYER...: give a place that the rules leave undetermined
    Place,
    /// T7=B: read an ambiguous text differently from now on
    Read,
    /// Dismiss a dispute, or give a warning
    Nothing,
}

/// Give a ruling
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Give a ruling\n\n\
        A ruling has one effect, with its reason and evidence, and gets the next number. The rulebook states \
        which rulings it allows. A ruling on a game of the log is recorded in the game's stream too.",
    after_help = "Examples:\n  \
        annals tournament ruling give wcc-2015 halt r3.2 --ply 24 \\\n    \
        --failure move_lost_to_player --reason \"server log\"\n  \
        annals tournament ruling give postal-2006 set-result r1.4 gold \\\n    \
        --termination forfeit --reason \"left the game\" --dispute 1\n  \
        annals tournament ruling give wcc-2015 place 2 sharp --reason \"unbroken tie\"\n  \
        annals tournament ruling give wc-2009 nothing --reason dismissed --dispute 2"
)]
pub struct Args {
    /// Effect
    #[arg(value_name = "EFFECT", value_enum)]
    does: Does,

    /// Object of the effect: a pairing, a player or a place
    to: Vec<String>,

    /// Reason
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// Number of plies that remain
    #[arg(long, value_name = "N")]
    ply: Option<u32>,

    /// Cause of the failure
    #[arg(long, value_name = "WORD", value_parser = word::<Failure>)]
    failure: Option<Failure>,

    /// Game [default: the last one of the pairing]
    #[arg(long, value_name = "GAME")]
    game: Option<GameId>,

    /// How the game counts as ended
    #[arg(long, value_name = "WORD", value_parser = word::<Termination>)]
    termination: Option<Termination>,

    /// Clocks from which the game continues, in seconds
    #[arg(long, value_name = "GOLD,SILVER[,GAME]", value_parser = clocks)]
    clocks: Option<Clocks>,

    /// Evidence; may be repeated
    #[arg(long, value_name = "TEXT")]
    evidence: Vec<String>,

    /// Dispute that the ruling decides
    #[arg(long, value_name = "N")]
    dispute: Option<u32>,

    /// Ruling that this one replaces and undoes
    #[arg(long, value_name = "N")]
    supersedes: Option<u32>,
}

fn clocks(text: &str) -> Result<Clocks, String> {
    let wrong = || format!("`{text}` are no clocks; write 110,95 or 110,95,3600, in seconds");
    let mut fields = text.split(',');
    let mut next = || fields.next().map(str::trim);
    let reserve = |field: Option<&str>| field.and_then(|field| field.parse().ok()).ok_or_else(wrong);
    let (gold_reserve, silver_reserve) = (reserve(next())?, reserve(next())?);
    let game_time = next().map(|field| field.parse().map_err(|_| wrong())).transpose()?;
    match next() {
        None => Ok(Clocks { gold_reserve, silver_reserve, game_time }),
        Some(_) => Err(wrong()),
    }
}

impl Request for Args {
    fn steps(self, work: &DirectorSession) -> Result<Vec<Step>, CliError> {
        let effect = Words { args: &self, work }.effect()?;
        one(Command::Rule {
            effect,
            reason: self.reason,
            evidence: evidence(&self.evidence),
            dispute: self.dispute,
            supersedes: self.supersedes,
        })
    }
}

/// The words of a ruling.
struct Words<'a> {
    args: &'a Args,
    work: &'a DirectorSession,
}

impl Words<'_> {
    fn effect(&self) -> Result<Effect, CliError> {
        let args = self.args;
        Ok(match args.does {
            Does::Halt => Effect::Halt {
                pairing: self.pairing(1)?,
                game: self.game()?,
                ply: self.ply()?,
                failure: self.failure()?,
                clocks: args.clocks,
            },
            Does::Invalidate => Effect::Invalidate {
                pairing: self.pairing(1)?,
                game: self.game()?,
                ply: self.ply()?,
                failure: self.failure()?,
                clocks: args.clocks,
            },
            Does::Rematch => Effect::Rematch { pairing: self.pairing(1)?, failure: self.failure()? },
            Does::SetResult => Effect::SetResult {
                pairing: self.pairing(2)?,
                outcome: self.outcome(self.word(1)?)?,
                termination: args.termination,
            },
            Does::Vacate => Effect::Vacate { pairing: self.pairing(1)? },
            Does::SetTerritory => Effect::SetTerritory {
                pairing: self.pairing(2)?,
                squares: number(self.word(1)?, "number of squares")?,
            },
            Does::Rated | Does::Unrated => Effect::SetRated {
                pairing: self.pairing(1)?,
                game: self.game()?,
                rated: args.does == Does::Rated,
            },
            Does::SetColours => Effect::SetColours { pairing: self.pairing(2)?, gold: self.player(1)? },
            Does::Remove => Effect::Remove { player: self.only_player()? },
            Does::Reinstate => Effect::Reinstate { player: self.only_player()? },
            Does::Place => Effect::Place {
                place: number(self.word(0)?, "place")?,
                players: {
                    let named = args.to.get(1..).unwrap_or_default().iter();
                    named.map(|text| self.work.player(text)).collect::<Result<_, _>>()?
                },
            },
            Does::Read => {
                self.takes(1)?;
                let text = self.word(0)?;
                let wrong = || CliError::new(format!("`{text}` is no reading; write T7=B"));
                let (option, reading) = text.split_once('=').ok_or_else(wrong)?;
                Effect::Read { option: option.to_owned(), reading: reading.to_owned() }
            }
            Does::Nothing => {
                self.takes(0)?;
                Effect::Nothing
            }
        })
    }

    fn takes(&self, words: usize) -> Result<(), CliError> {
        if self.args.to.len() == words {
            return Ok(());
        }
        let what = format!("this effect takes {words} words after it, and {} were given", self.args.to.len());
        Err(CliError::new(what).hint("`annals tournament ruling give --help` lists the effects"))
    }

    fn word(&self, at: usize) -> Result<&str, CliError> {
        let word = self.args.to.get(at).map(String::as_str);
        word.ok_or_else(|| {
            CliError::new("the effect needs to know to what it is done: words are missing after it")
                .hint("`annals tournament ruling give --help` lists the effects")
        })
    }

    /// The pairing that comes first of so many words.
    fn pairing(&self, words: usize) -> Result<BoardId, CliError> {
        self.takes(words)?;
        Ok(self.word(0)?.parse()?)
    }

    /// An outcome by its word, or by what the winning side is called in the game.
    fn outcome(&self, text: &str) -> Result<Outcome, CliError> {
        match Side::named_in(text, game_played(&self.work.state()?)) {
            Some(winner) => Ok(winner.into()),
            None => word::<Outcome>(text).map_err(CliError::new),
        }
    }

    fn player(&self, at: usize) -> Result<PlayerId, CliError> {
        Ok(self.work.player(self.word(at)?)?)
    }

    fn only_player(&self) -> Result<PlayerId, CliError> {
        self.takes(1)?;
        self.player(0)
    }

    fn game(&self) -> Result<Option<GameId>, CliError> {
        if self.args.game.is_some() {
            return Ok(self.args.game.clone());
        }
        let BoardId { round, board } = self.word(0)?.parse()?;
        let state = self.work.state()?;
        let board = state.rounds.get(&round).and_then(|round| round.boards.get(&board));
        Ok(board.and_then(|board| board.games.values().next_back().cloned()))
    }

    fn ply(&self) -> Result<u32, CliError> {
        self.args.ply.ok_or_else(|| CliError::new("--ply is missing: how many plies stand, 0 for none"))
    }

    fn failure(&self) -> Result<Failure, CliError> {
        self.args.failure.ok_or_else(|| CliError::new("--failure is missing: what went wrong"))
    }
}

fn number(text: &str, what: &str) -> Result<u32, CliError> {
    text.parse().map_err(|_| CliError::new(format!("`{text}` is no {what}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_two_reserves_and_perhaps_the_length_of_the_game() {
        let both = Clocks { gold_reserve: 110, silver_reserve: -3, game_time: None };
        assert_eq!(clocks("110,-3"), Ok(both));
        assert_eq!(clocks("110, -3, 3600"), Ok(Clocks { game_time: Some(3_600), ..both }));
        for bad in ["", "1", "1,x", "1,2,3,4"] {
            assert!(clocks(bad).is_err(), "{bad}");
        }
    }
}
