//! Who meets whom in a round.

use std::collections::BTreeSet;

use annals_events::PlayerId;
use annals_events::tournament::{Pair, RoundPaired};

/// Checks that boards are numbered from 1, each once.
///
/// # Errors
/// The boards, if they are not.
pub(crate) fn numbered(paired: &RoundPaired) -> Result<(), String> {
    let mut boards: Vec<u32> = paired.pairs.iter().map(|pair| pair.board).collect();
    boards.sort_unstable();
    if boards.iter().zip(1..).all(|(board, number)| *board == number) { Ok(()) } else { Err(listed(&boards)) }
}

/// Boards as a list.
pub(crate) fn listed(boards: &[u32]) -> String {
    boards.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")
}

pub(crate) type Two = (PlayerId, PlayerId);

/// In the order of their names.
pub(crate) fn two(one: &PlayerId, other: &PlayerId) -> Two {
    if one <= other { (one.clone(), other.clone()) } else { (other.clone(), one.clone()) }
}

pub(crate) fn meetings(pairs: &[Pair]) -> BTreeSet<Two> {
    pairs.iter().map(|pair| two(&pair.upper, &pair.lower)).collect()
}

pub(crate) fn in_words<'a>(pairs: impl IntoIterator<Item = &'a Two>) -> String {
    let pairs: Vec<String> = pairs.into_iter().map(|(one, other)| format!("{one}-{other}")).collect();
    if pairs.is_empty() { "nothing".to_owned() } else { pairs.join(", ") }
}
