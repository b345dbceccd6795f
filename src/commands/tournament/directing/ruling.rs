//! `annals tournament ruling give`: a ruling of the director, one effect of a closed list.

use annals_events::tournament::{Clocks, Effect, Evidence, Failure};
use annals_events::{BoardId, GameId, PlayerId, Termination};
use annals_replay::handler::DirectorSession;
use annals_tournaments::commands::Command;
use clap::ValueEnum as _;

use super::director::needed;
use crate::errors::{CliError, InWords as _};
use crate::values::{assignment, one_of};

/// The effect of a ruling, with its objects and the options that it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum EffectName {
    /// PAIRING --ply N --failure CAUSE: halt the game under way
    Halt,
    /// PAIRING --ply N --failure CAUSE: invalidate the result
    Invalidate,
    /// PAIRING --failure CAUSE: play the game again from the start
    Rematch,
    /// PAIRING OUTCOME: set the result (a side, the winner, draw, double_loss, double_win, no_decision)
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
///
/// A ruling has one effect, with its reason and evidence, and gets the next number. The rulebook states which rulings it
/// allows. A ruling on a game of the log is recorded in the game's stream too.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    annals tournament ruling give wcc-2015 halt r3.2 --ply 24 \\\n    \
    --failure move_lost_to_player --reason \"server log\"\n  \
    annals tournament ruling give postal-2006 set-result r1.4 gold \\\n    \
    --termination forfeit --reason \"left the game\" --dispute 1\n  \
    annals tournament ruling give wcc-2015 place 2 sharp --reason \"unbroken tie\"\n  \
    annals tournament ruling give wc-2009 nothing --reason dismissed --dispute 2")]
pub struct GiveArgs {
    /// Effect
    #[arg(value_name = "EFFECT", value_enum)]
    effect: EffectName,

    /// Object of the effect: a pairing, a player or a place
    #[arg(value_name = "OBJECT")]
    objects: Vec<String>,

    /// Reason
    #[arg(long, value_name = "TEXT")]
    reason: String,

    /// Number of plies that remain
    #[arg(hide_short_help = true, long, value_name = "N")]
    ply: Option<u32>,

    /// Cause of the failure
    #[arg(hide_short_help = true, long, value_name = "CAUSE", value_parser = one_of(Failure::ALL, Failure::word))]
    failure: Option<Failure>,

    /// Game [default: the last one of the pairing]
    #[arg(long)]
    game: Option<GameId>,

    /// How the game counts as ended
    #[arg(hide_short_help = true, long, value_parser = one_of(&Termination::ALL, Termination::word))]
    termination: Option<Termination>,

    /// Clocks from which the game continues, in seconds
    #[arg(hide_short_help = true, long, value_name = "GOLD,SILVER[,GAME]")]
    clocks: Option<Clocks>,

    /// Evidence; may be repeated
    #[arg(long, value_name = "TEXT")]
    evidence: Vec<Evidence>,

    /// Dispute that the ruling decides
    #[arg(hide_short_help = true, long, value_name = "N")]
    dispute: Option<u32>,

    /// Ruling that this one replaces and undoes
    #[arg(hide_short_help = true, long, value_name = "N")]
    supersedes: Option<u32>,
}

impl GiveArgs {
    /// The request.
    pub fn command(self, session: &DirectorSession) -> Result<Command, CliError> {
        let effect = self.effect(session)?;
        let GiveArgs { reason, evidence, dispute, supersedes, .. } = self;
        Ok(Command::Rule { effect, reason, evidence, dispute, supersedes })
    }

    fn effect(&self, session: &DirectorSession) -> Result<Effect, CliError> {
        let objects: Vec<&str> = self.objects.iter().map(String::as_str).collect();
        let player = |name: &str| session.player(name);
        let help = "`annals tournament ruling give --help` lists the values";
        let ply = || needed(self.ply, "ply").hint(help);
        let failure = || needed(self.failure, "failure").hint(help);
        let game = |pairing| match &self.game {
            None => session.last_game(pairing),
            game => Ok(game.clone()),
        };
        Ok(match (self.effect, objects.as_slice()) {
            (effect @ (EffectName::Halt | EffectName::Invalidate), [pairing]) => {
                let pairing: BoardId = pairing.parse()?;
                let (game, ply, failure, clocks) = (game(pairing)?, ply()?, failure()?, self.clocks);
                match effect {
                    EffectName::Halt => Effect::Halt { pairing, game, ply, failure, clocks },
                    _ => Effect::Invalidate { pairing, game, ply, failure, clocks },
                }
            }
            (EffectName::Rematch, [pairing]) => {
                Effect::Rematch { pairing: pairing.parse()?, failure: failure()? }
            }
            (EffectName::SetResult, [pairing, outcome]) => {
                let pairing: BoardId = pairing.parse()?;
                let outcome = session.outcome_of(pairing, outcome)?;
                Effect::SetResult { pairing, outcome, termination: self.termination }
            }
            (EffectName::Vacate, [pairing]) => Effect::Vacate { pairing: pairing.parse()? },
            (EffectName::SetTerritory, [pairing, squares]) => Effect::SetTerritory {
                pairing: pairing.parse()?,
                squares: squares.parse().map_err(|_| self.wrong())?,
            },
            (effect @ (EffectName::Rated | EffectName::Unrated), [pairing]) => {
                let pairing: BoardId = pairing.parse()?;
                Effect::SetRated { pairing, game: game(pairing)?, rated: effect == EffectName::Rated }
            }
            (EffectName::SetColours, [pairing, gold]) => {
                Effect::SetColours { pairing: pairing.parse()?, gold: player(gold)? }
            }
            (EffectName::Remove, [name]) => Effect::Remove { player: player(name)? },
            (EffectName::Reinstate, [name]) => Effect::Reinstate { player: player(name)? },
            (EffectName::Place, [place, names @ ..]) => Effect::Place {
                place: place.parse().map_err(|_| self.wrong())?,
                players: names.iter().map(|name| player(name)).collect::<Result<Vec<PlayerId>, _>>()?,
            },
            (EffectName::Read, [reading]) => {
                let (option, reading) = assignment(reading).map_err(CliError::new)?;
                Effect::Read { option, reading }
            }
            (EffectName::Nothing, []) => Effect::Nothing,
            _ => return Err(self.wrong()),
        })
    }

    /// The objects are not those of the effect.
    fn wrong(&self) -> CliError {
        let value = self.effect.to_possible_value().unwrap_or_default();
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        let expected = help.split_once(':').map_or("no object", |(objects, _)| objects);
        let (name, found) = (value.get_name(), self.objects.join(" "));
        CliError::new(format!("expected {expected} after `{name}`, found `{found}`"))
            .hint("`annals tournament ruling give --help` lists the effects")
    }
}
