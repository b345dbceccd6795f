//! Who has Gold, by the rulebook's colour rules in strict priority: a later rule applies only if no earlier
//! one distinguishes the players. Colours never influence the pairing. Where the rules require chance, the
//! caller names the player with Gold.

mod championship_2015;
mod world_championship_2009;

use annals_events::PlayerId;

pub use championship_2015::championship_2015;
pub use world_championship_2009::{
    NoGames, PlayoffColour, world_championship_2009, world_championship_2009_playoff,
};

use crate::record::{Against, Tally};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colours<'a> {
    pub gold: &'a PlayerId,
    pub silver: &'a PlayerId,
    /// The number of the rule that decided, from 1.
    pub rule: u8,
    pub paragraph: String,
    /// Decided by the last rule, which distinguishes nothing.
    pub arbitrary: bool,
    /// What the rule compared, as text.
    pub because: String,
}

impl<'a> Colours<'a> {
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

    /// None if both had Gold equally often in their games.
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
