//! The numbers that the search compares: hundredths of a rabbit, or a win or loss by its distance from the root.

use crate::Score;

/// A win at the root itself.
pub(crate) const WON: i32 = Score::win_in(0).value();

/// Beyond every worth.
pub(crate) const INFINITY: i32 = WON + 1;

/// What stands for a line that has no legal end; below every worth.
pub(crate) const ILLEGAL: i32 = -WON - 2;

/// A win for the side whose turn it is, once `ply` steps were made from the root.
pub(crate) const fn win_at(ply: u16) -> i32 {
    WON - ply as i32
}

/// Whether a worth is a win or a loss.
pub(crate) const fn is_decided(worth: i32) -> bool {
    worth > Score::MOST || worth < -Score::MOST
}

/// A worth as others see it.
pub(crate) fn score(worth: i32) -> Score {
    let steps = |distance: i32| u16::try_from(distance).unwrap_or(u16::MAX);
    if worth > Score::MOST {
        Score::win_in(steps(WON - worth))
    } else if worth < -Score::MOST {
        Score::loss_in(steps(WON + worth))
    } else {
        Score::centirabbits(worth)
    }
}

/// A worth counted from the root as one counted from the position, for wins and losses.
pub(crate) fn to_table(worth: i32, ply: u16) -> i32 {
    match worth {
        _ if !is_decided(worth) => worth,
        _ if worth > 0 => worth + i32::from(ply),
        _ => worth - i32::from(ply),
    }
}

/// A worth counted from the position as one counted from the root.
pub(crate) fn from_table(worth: i32, ply: u16) -> i32 {
    match worth {
        _ if !is_decided(worth) => worth,
        _ if worth > 0 => worth - i32::from(ply),
        _ => worth + i32::from(ply),
    }
}
