//! The colours of a board by the rules, and what gives them.

use annals_events::tournament::{Ground, Pair};
use annals_events::{PlayerId, Side};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decided {
    /// None if a coin or a player decides.
    pub gold: Option<PlayerId>,
    /// The rule and its finding.
    pub ground: Option<Ground>,
    /// Whether either colour complies.
    pub arbitrary: bool,
}

impl From<&Pair> for Decided {
    fn from(pair: &Pair) -> Decided {
        Decided { gold: pair.player(Side::Gold).cloned(), ground: pair.colour.clone(), arbitrary: false }
    }
}

pub(crate) enum Decider {
    /// The rules, as text.
    Rules(String),
    Coin,
    /// A player chooses.
    Player(PlayerId),
}
