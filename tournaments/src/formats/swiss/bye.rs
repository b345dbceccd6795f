//! Who has the bye (2009 WC, Preliminary 10).

use super::reading::SecondBye;
use super::standings::SwissPlace;

/// Why a player has the bye.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ByeChoice {
    LastOfTheList,
    /// Lowest of those with the fewest byes, which are `fewest`; lower ones have had more.
    LowestWithFewestByes {
        fewest: u32,
    },
}

/// Who of the players still in, given in order, has the bye: a position and why. None for an even number.
pub fn choose_bye(order: &[&SwissPlace], second_bye: SecondBye) -> Option<(usize, ByeChoice)> {
    if order.len().is_multiple_of(2) {
        return None;
    }
    let last = order.len() - 1;
    let fewest = order.iter().map(|standing| standing.byes).min().unwrap_or(0);
    match second_bye {
        SecondBye::Allowed => Some((last, ByeChoice::LastOfTheList)),
        SecondBye::NoRepeatBye => {
            let lowest = order.iter().rposition(|standing| standing.byes == fewest)?;
            let why = if lowest == last {
                ByeChoice::LastOfTheList
            } else {
                ByeChoice::LowestWithFewestByes { fewest }
            };
            Some((lowest, why))
        }
    }
}
