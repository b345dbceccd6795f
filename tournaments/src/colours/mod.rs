//! Who has Gold: the rules by which a rulebook decides it within a pairing, in strict priority. A later rule applies
//! only where no earlier one distinguishes between the players; each decision names the rule that made it, and what that
//! rule compared.
//!
//! Colours are decided after the pairing and never influence it. Where the rules leave it to chance the caller says
//! who has Gold then: nothing here draws lots.

mod championship_2015;
mod world_championship_2009;

use serde::Serialize;

pub use championship_2015::{Rule2015, championship_2015};
pub use world_championship_2009::{
    NoGames, PlayoffColour, Rule2009, world_championship_2009, world_championship_2009_playoff,
};

use crate::history::Player;

/// The colours of one pairing, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Colours<R> {
    /// Who has Gold.
    pub gold: Player,
    /// Who has Silver.
    pub silver: Player,
    /// The rule that decided.
    pub rule: R,
    /// What the rule compared, in words.
    pub because: String,
}

impl<R> Colours<R> {
    /// Gold for the first or else the second of a pair.
    fn gold_for_first(pair: (Player, Player), first: bool, rule: R, because: String) -> Colours<R> {
        let (gold, silver) = if first { pair } else { (pair.1, pair.0) };
        Colours { gold, silver, rule, because }
    }
}
