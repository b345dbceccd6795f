//! Who has Gold: the rules by which a rulebook decides it within a pairing, in strict priority. A later rule applies
//! only where no earlier one distinguishes between the players; each decision names the rule that made it, and what that
//! rule compared.
//!
//! Colours are decided after the pairing and never influence it. Where the rules leave it to chance the caller names
//! the player with Gold: nothing here draws lots.

mod championship_2015;
mod world_championship_2009;

use annals_events::PlayerId;

pub use championship_2015::championship_2015;
pub use world_championship_2009::{
    NoGames, PlayoffColour, world_championship_2009, world_championship_2009_playoff,
};

use crate::record::{Against, Tally};

/// The colours of one pairing, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colours<'a> {
    pub gold: &'a PlayerId,
    pub silver: &'a PlayerId,
    /// The number of the rule that decided, from 1.
    pub rule: u8,
    pub paragraph: String,
    /// Whether it is the last rule, which applies where nothing distinguishes the two.
    pub arbitrary: bool,
    /// What the rule compared, in words.
    pub because: String,
}

impl<'a> Colours<'a> {
    /// Gold for the first or else the second of a pair.
    fn gold_for_first(
        pair: (&'a PlayerId, &'a PlayerId),
        first: bool,
        rule: u8,
        paragraph: String,
        because: String,
    ) -> Colours<'a> {
        let (gold, silver) = if first { pair } else { (pair.1, pair.0) };
        Colours { gold, silver, rule, paragraph, arbitrary: false, because }
    }

    /// Gold for the player who had Gold less often among the games of the two; none where that is equal.
    fn fewer_golds_together(
        tally: &Tally,
        (one, other): (&'a PlayerId, &'a PlayerId),
        rule: u8,
        paragraph: String,
    ) -> Option<Colours<'a>> {
        let Against { golds, silvers, .. } = tally.record(one).against(other);
        let because = format!("Gold in their games together: {one} {golds}, {other} {silvers}");
        (golds != silvers)
            .then(|| Colours::gold_for_first((one, other), golds < silvers, rule, paragraph, because))
    }
}
