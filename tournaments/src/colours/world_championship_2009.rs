//! The colours of the 2009 World Championship: in the final (2009 WC, Floating Double Elimination 12) and in its
//! playoffs. Which games count as "so far in the tournament" lies with the tally that the caller gives.

use std::cmp::Ordering;

use serde::Serialize;

use super::Colours;
use crate::history::{Player, Record, Tally};
use crate::reading::readings;

readings! {
    /// The percentage of Gold of a player who has not played (2009 WC, Floating Double Elimination 12).
    pub enum NoGames, "T15", "the percentage of Gold of a player without games" {
        /// One half.
        Half = "A" "half",
        /// Nothing.
        Nothing = "B" "nothing",
    }
}

/// A step of the rule of 2009, in the order of priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule2009 {
    /// Gold for who had Gold less often against this opponent.
    FewerGoldsTogether = 1,
    /// Gold for who had Gold in a lower percentage of games so far.
    LowerShareOfGold = 2,
    /// By lot.
    Lot = 3,
}

impl Rule2009 {
    /// The number of the step, from 1.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The paragraph.
    #[must_use]
    pub fn paragraph(self) -> &'static str {
        "2009 WC, Floating Double Elimination 12"
    }
}

/// The colours of a pair in the final of 2009. `lot` has Gold where the percentages are equal too; if it is neither of them,
/// the first has.
#[must_use]
pub fn world_championship_2009(
    tally: &Tally,
    pair: (Player, Player),
    no_games: NoGames,
    lot: Player,
) -> Colours<Rule2009> {
    let (one, other) = pair;
    let decide = |first, rule, because| Colours::gold_for_first(pair, first, rule, because);
    let (my_golds, their_golds) = (tally.golds_against(one, other), tally.golds_against(other, one));
    if my_golds != their_golds {
        let because = format!("Gold in their games together: {one} {my_golds}, {other} {their_golds}");
        return decide(my_golds < their_golds, Rule2009::FewerGoldsTogether, because);
    }
    let share = |record: &Record| -> (u64, u64) {
        match (u64::from(record.golds), u64::from(record.golds) + u64::from(record.silvers), no_games) {
            (_, 0, NoGames::Half) => (1, 2),
            (_, 0, NoGames::Nothing) => (0, 1),
            (golds, games, _) => (golds, games),
        }
    };
    let (mine, theirs) = (share(&tally.record(one)), share(&tally.record(other)));
    let order = (mine.0 * theirs.1).cmp(&(theirs.0 * mine.1));
    if order != Ordering::Equal {
        let because =
            format!("Gold so far: {one} {} of {}, {other} {} of {}", mine.0, mine.1, theirs.0, theirs.1);
        return decide(order == Ordering::Less, Rule2009::LowerShareOfGold, because);
    }
    decide(lot != other, Rule2009::Lot, "nothing distinguishes them: by lot".to_owned())
}

/// Who has Gold in a playoff of 2009.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayoffColour {
    /// This player, having had it less often.
    Gold(Player),
    /// It is equal: this player, the lower ranked at the start, chooses the colours.
    Chooses(Player),
}

/// Who has Gold in a playoff of 2009 (2009 WC, Tournament format, on ties for second and third): each plays the colour
/// played fewer times; if that is equal, the player with the worse seed chooses. The first of the pair has the better seed.
/// `balance` is games as Gold minus games as Silver, earlier playoffs included.
#[must_use]
pub fn world_championship_2009_playoff(
    pair: (Player, Player),
    balance: impl Fn(Player) -> i64,
) -> PlayoffColour {
    match balance(pair.0).cmp(&balance(pair.1)) {
        Ordering::Less => PlayoffColour::Gold(pair.0),
        Ordering::Greater => PlayoffColour::Gold(pair.1),
        Ordering::Equal => PlayoffColour::Chooses(pair.1),
    }
}
