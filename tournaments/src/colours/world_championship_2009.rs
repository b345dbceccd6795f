//! The colours of the 2009 final (2009 WC, Floating Double Elimination 12) and its playoffs. The caller's
//! tally defines the games "so far in the tournament".

use std::cmp::Ordering;

use annals_events::PlayerId;

use super::Colours;
use crate::reading::readings;
use crate::record::{Record, Tally};

readings! {
    /// The percentage of Gold of a player who has not played (2009 WC, Floating Double Elimination 12).
    pub enum NoGames, "T15", "the percentage of Gold of a player without games" {
        Half = "A" "half",
        Nothing = "B" "nothing",
    }
}

/// `lot` has Gold if the percentages are equal; if it is neither player, the first has.
pub fn world_championship_2009<'a>(
    tally: &Tally,
    pair: (&'a PlayerId, &'a PlayerId),
    no_games: NoGames,
    lot: &PlayerId,
) -> Colours<'a> {
    let (one, other) = pair;
    let paragraph = || "2009 WC, Floating Double Elimination 12".to_owned();
    let decide = |rule: u8, first: bool, because: String| {
        Colours::gold_for_first(pair, first, rule, paragraph(), because)
    };
    // 1: Gold for the player who had Gold less often against this opponent.
    if let Some(decided) = Colours::fewer_golds_together(tally, pair, 1, paragraph()) {
        return decided;
    }
    // 2: Gold for the player who had Gold in a lower percentage of games so far.
    let (no_share, instead) = match no_games {
        NoGames::Half => ((1, 2), "one half"),
        NoGames::Nothing => ((0, 1), "nothing"),
    };
    let share = |player: &PlayerId| -> ((u64, u64), String) {
        let Record { golds, silvers, .. } = *tally.record(player);
        match u64::from(golds) + u64::from(silvers) {
            0 => (no_share, format!("{player} no game, which counts as {instead} (T15)")),
            games => ((u64::from(golds), games), format!("{player} {golds} of {games}")),
        }
    };
    let ((mine, of_mine), (theirs, of_theirs)) = (share(one), share(other));
    let order = (mine.0 * theirs.1).cmp(&(theirs.0 * mine.1));
    if order != Ordering::Equal {
        return decide(2, order == Ordering::Less, format!("Gold so far: {of_mine}, {of_theirs}"));
    }
    // 3: by lot.
    let because = "as many Golds together and the same share of Gold".to_owned();
    Colours { arbitrary: true, ..decide(3, lot != other, because) }
}

/// Who has Gold in a playoff of 2009.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlayoffColour<'a> {
    Gold(&'a PlayerId),
    /// Equal: this player, the lower ranked at the start, chooses.
    Chooses(&'a PlayerId),
}

/// Who has Gold in a playoff of 2009 (2009 WC, Tournament format, on ties for second and third): the colour
/// played fewer times; if equal, the worse seed chooses. `balance` is games as Gold minus games as Silver,
/// playoffs included.
pub fn world_championship_2009_playoff<'a>(
    better: &'a PlayerId,
    worse: &'a PlayerId,
    balance: impl Fn(&PlayerId) -> i64,
) -> PlayoffColour<'a> {
    match balance(better).cmp(&balance(worse)) {
        Ordering::Less => PlayoffColour::Gold(better),
        Ordering::Greater => PlayoffColour::Gold(worse),
        Ordering::Equal => PlayoffColour::Chooses(worse),
    }
}
