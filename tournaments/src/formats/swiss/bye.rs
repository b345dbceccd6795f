use super::reading::SecondBye;
use super::standings::SwissPlace;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ByeChoice {
    LastOfTheList,
    /// The lowest of the players with the `fewest` byes; lower ones have had more.
    LowestWithFewestByes {
        fewest: u32,
    },
}

/// The position in the order that has the bye, and why. None for an even number.
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
