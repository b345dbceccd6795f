//! The players by rating and name, and their ring positions (2006 Postal, Tournament Rules 4).

use std::collections::BTreeSet;

use super::reading::NameOrder;
use crate::record::Contestant;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RingError {
    #[error("no player is entered, so there are no games to draw")]
    NobodyEntered,
    #[error(
        "{name} has no rating, and the order of players begins with it (2006 Postal, Tournament Rules 4). Record \
         a rating first"
    )]
    RatingMissing { name: String },
    #[error("two players are called {name}, and the order needs names that differ. Is one entered twice?")]
    NameTwice { name: String },
}

/// Player indices by falling rating, equals by name; and by ring position. The first has position one, the
/// second the last, the third the second, and so on.
///
/// # Errors
/// If there is no player, a rating is missing, or a name appears twice.
pub fn ring_order(players: &[Contestant], names: NameOrder) -> Result<(Vec<usize>, Vec<usize>), RingError> {
    if players.is_empty() {
        return Err(RingError::NobodyEntered);
    }
    let mut seen = BTreeSet::new();
    for player in players {
        if player.rating.is_none() {
            return Err(RingError::RatingMissing { name: player.name.clone() });
        }
        if !seen.insert(player.name.as_str()) {
            return Err(RingError::NameTwice { name: player.name.clone() });
        }
    }
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&players[a], &players[b]);
        let by_name = match names {
            NameOrder::IgnoringCase => a
                .name
                .to_ascii_lowercase()
                .cmp(&b.name.to_ascii_lowercase())
                .then_with(|| a.name.cmp(&b.name)),
            NameOrder::ByBytes => a.name.cmp(&b.name),
        };
        b.rating.cmp(&a.rating).then(by_name)
    });
    let (odd, even): (Vec<_>, Vec<_>) = order.iter().copied().zip(1..).partition(|(_, rank)| rank % 2 == 1);
    let ring = odd.into_iter().chain(even.into_iter().rev()).map(|(player, _)| player).collect();
    Ok((order, ring))
}
