//! Search values: hundredths of a rabbit, or wins and losses by distance from the root.

use crate::Score;

/// At the root.
pub(crate) const WON: i32 = Score::win_in(0).value();

/// Above every value.
pub(crate) const INFINITY: i32 = WON + 1;

/// A line without legal end; below every value.
pub(crate) const ILLEGAL: i32 = -WON - 2;

/// For the side to move at this ply.
pub(crate) const fn win_at(ply: u16) -> i32 {
    WON - ply as i32
}

pub(crate) const fn is_decided(worth: i32) -> bool {
    worth > Score::MOST || worth < -Score::MOST
}

/// The public score.
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

/// From root to position distance of wins and losses.
pub(crate) fn to_table(worth: i32, ply: u16) -> i32 {
    match worth {
        _ if !is_decided(worth) => worth,
        _ if worth > 0 => worth + i32::from(ply),
        _ => worth - i32::from(ply),
    }
}

/// From position to root distance.
pub(crate) fn from_table(worth: i32, ply: u16) -> i32 {
    match worth {
        _ if !is_decided(worth) => worth,
        _ if worth > 0 => worth - i32::from(ply),
        _ => worth + i32::from(ply),
    }
}
