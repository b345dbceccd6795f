use std::collections::BTreeSet;

use annals_events::PlayerId;

/// The phase of a final.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Phase {
    /// Play for the first place; with playoffs the only phase.
    #[default]
    Main,
    /// Play for the second place.
    SecondPlace {
        /// All who were level for second place; out at `lives` losses.
        contenders: BTreeSet<PlayerId>,
        lives: u32,
    },
    Over,
}

/// The state after the first place is decided.
#[derive(Debug, Clone, Default)]
pub(super) struct Continuation {
    pub(super) phase: Phase,
    pub(super) champion: Option<PlayerId>,
    pub(super) level_for_second: Vec<PlayerId>,
    pub(super) second: Option<PlayerId>,
    /// The last contenders lost together: a ruling gives the second place.
    pub(super) second_open: bool,
    pub(super) main_rounds: Option<usize>,
}
