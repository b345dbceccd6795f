//! The six colour rules of the 2015 World Computer Championship (2015 WCC, Color Assignment 1–6). They count meetings,
//! forfeited ones included; a game that was broken off and replayed is one meeting.

use serde::Serialize;

use super::Colours;
use crate::history::{Colour, Player, Tally};

/// A rule of 2015, in the order of priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule2015 {
    /// 1: Gold for the lower total of games as Gold minus games as Silver.
    LowerBalance = 1,
    /// 2: Gold for who had Gold less often among the games of the two.
    FewerGoldsTogether = 2,
    /// 3: both get another colour than in their most recent game.
    BreakBothStreaks = 3,
    /// 4: who has the longer streak of one colour changes it.
    BreakLongerStreak = 4,
    /// 5: other colours than when the two last met.
    SwapFromLastMeeting = 5,
    /// 6: arbitrarily.
    Arbitrary = 6,
}

impl Rule2015 {
    /// The number of the rule, from 1.
    #[must_use]
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The paragraph, such as `2015 WCC, Color Assignment 1`.
    #[must_use]
    pub fn paragraph(self) -> String {
        format!("2015 WCC, Color Assignment {}", self.number())
    }
}

/// The colours of a pair of 2015. `arbitrary` has Gold where no rule distinguishes the two (the better seed, by
/// custom); if it is neither of them, the first has.
#[must_use]
pub fn championship_2015(tally: &Tally, pair: (Player, Player), arbitrary: Player) -> Colours<Rule2015> {
    let (one, other) = pair;
    let (mine, theirs) = (tally.record(one), tally.record(other));
    let decide = |first, rule, because| Colours::gold_for_first(pair, first, rule, because);
    if mine.balance() != theirs.balance() {
        let because =
            format!("Gold minus Silver so far: {one} {:+}, {other} {:+}", mine.balance(), theirs.balance());
        return decide(mine.balance() < theirs.balance(), Rule2015::LowerBalance, because);
    }
    let (my_golds, their_golds) = (tally.golds_against(one, other), tally.golds_against(other, one));
    if my_golds != their_golds {
        let because = format!("Gold in their games together: {one} {my_golds}, {other} {their_golds}");
        return decide(my_golds < their_golds, Rule2015::FewerGoldsTogether, because);
    }
    if let (Some(my_last), Some(their_last)) = (mine.last_colour, theirs.last_colour)
        && my_last != their_last
    {
        let because = "their last colours differ, so both can change".to_owned();
        return decide(my_last == Colour::Silver, Rule2015::BreakBothStreaks, because);
    }
    if mine.streak != theirs.streak {
        let because =
            format!("games in a row with one colour: {one} {}, {other} {}", mine.streak, theirs.streak);
        let mine_is_longer = mine.streak > theirs.streak;
        let longer = if mine_is_longer { &mine } else { &theirs };
        let longer_gets_gold = longer.last_colour == Some(Colour::Silver);
        return decide(mine_is_longer == longer_gets_gold, Rule2015::BreakLongerStreak, because);
    }
    if let Some(last) = tally.last_gold(one, other) {
        let because = format!("{last} had Gold when they last met");
        return decide(last != one, Rule2015::SwapFromLastMeeting, because);
    }
    decide(arbitrary != other, Rule2015::Arbitrary, "nothing distinguishes them".to_owned())
}
