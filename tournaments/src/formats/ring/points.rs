//! Shares the pool in proportion to points (2006 Postal, Prize Distribution Rules): the whole cents of each
//! exact share, then one cent each to the largest remainders.

use std::cmp::Reverse;

/// One player's points, and what orders equal remainders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scorer {
    /// Two per win, one per draw.
    pub half_points: u64,
    /// Before the tournament.
    pub rating: Option<i64>,
    /// In the gameroom.
    pub name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    #[error("the points of all players together are more than can be counted. Check the results")]
    TooManyPoints,
}

/// The cents of each player, in the given order; zero without any points. Equal remainders: more points,
/// higher rating, lower-case name, bytes of the name.
///
/// # Errors
/// If the sum of the points exceeds 64 bits.
pub fn share_pool(pool: u64, players: &[Scorer]) -> Result<Vec<u64>, PoolError> {
    let total = players
        .iter()
        .try_fold(0u64, |sum, player| sum.checked_add(player.half_points))
        .ok_or(PoolError::TooManyPoints)?;
    if total == 0 {
        return Ok(vec![0; players.len()]);
    }
    let exact = |player: &Scorer| u128::from(pool) * u128::from(player.half_points);
    // At most the pool: no player has more than all points.
    let mut shares: Vec<u64> =
        players.iter().map(|player| (exact(player) / u128::from(total)) as u64).collect();
    let left = pool - shares.iter().sum::<u64>();
    let mut remainders: Vec<usize> = (0..players.len()).collect();
    remainders.sort_by_key(|&at| {
        let player = &players[at];
        (
            Reverse(exact(player) % u128::from(total)),
            Reverse(player.half_points),
            Reverse(player.rating),
            player.name.to_ascii_lowercase(),
            player.name.clone(),
        )
    });
    // Fewer cents remain than there are positive remainders.
    for at in remainders.into_iter().take(usize::try_from(left).unwrap_or(usize::MAX)) {
        shares[at] += 1;
    }
    Ok(shares)
}
