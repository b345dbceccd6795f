//! The six colour rules of 2015 (2015 WCC, Color Assignment 1–6). They count meetings, forfeits included; a
//! replayed game is one meeting.

use annals_events::{PlayerId, Side};

use super::Colours;
use crate::record::Tally;

/// `arbitrary` has Gold if no rule distinguishes the two; if it is neither player, the first has.
pub fn championship_2015<'a>(
    tally: &Tally,
    pair: (&'a PlayerId, &'a PlayerId),
    arbitrary: &PlayerId,
) -> Colours<'a> {
    let (one, other) = pair;
    let (mine, theirs) = (tally.record(one), tally.record(other));
    let paragraph = |rule: u8| format!("2015 WCC, Color Assignment {rule}");
    let decide = |rule: u8, first: bool, because: String| {
        Colours::gold_for_first(pair, first, rule, paragraph(rule), because)
    };
    // 1: Gold for the lower total of games as Gold minus games as Silver.
    if mine.balance() != theirs.balance() {
        let because =
            format!("Gold minus Silver so far: {one} {:+}, {other} {:+}", mine.balance(), theirs.balance());
        return decide(1, mine.balance() < theirs.balance(), because);
    }
    // 2: Gold for the player who had Gold less often among the games of the two.
    if let Some(decided) = Colours::fewer_golds_together(tally, pair, 2, paragraph(2)) {
        return decided;
    }
    // 3: both get another colour than in their most recent game.
    if mine.last.is_some() && theirs.last.is_some() && mine.last != theirs.last {
        let because = "both streaks are broken, since their last colours differ".to_owned();
        return decide(3, mine.last == Some(Side::Silver), because);
    }
    // 4: the player with the longer streak changes colour.
    if mine.streak != theirs.streak {
        let because =
            format!("games in a row with one colour: {one} {}, {other} {}", mine.streak, theirs.streak);
        let mine_is_longer = mine.streak > theirs.streak;
        let longer = if mine_is_longer { mine } else { theirs };
        return decide(4, mine_is_longer == (longer.last == Some(Side::Silver)), because);
    }
    // 5: other colours than when the two last met.
    if let Some(last) = mine.against(other).last {
        let had = if last == Side::Gold { one } else { other };
        return decide(5, last == Side::Silver, format!("{had} had Gold when they last met"));
    }
    // 6: arbitrarily.
    let arbitrarily = decide(6, arbitrary != other, "nothing distinguishes them".to_owned());
    Colours { arbitrary: true, ..arbitrarily }
}
