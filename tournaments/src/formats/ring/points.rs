//! The pool: the fees are shared in proportion to points (2006 Postal, Prize Distribution Rules). Cents cannot be cut, so
//! each gets the whole cents of the exact share, and the cents that remain go one each to the largest remainders.

use std::cmp::Reverse;

/// One player's points, with what orders equal remainders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scorer {
    /// Points, in halves: two a win, one a draw.
    pub half_points: u64,
    /// The rating before the tournament.
    pub rating: Option<i64>,
    /// The name in the gameroom.
    pub name: String,
}

/// Why a pool cannot be shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    #[error("the points of all players together are more than can be counted. Check the results")]
    TooManyPoints,
}

/// Shares a pool of so many cents: the cents of each player, in the order in which they are given. Where no player has a
/// point, no player gets anything. Equal remainders: more points first, then the higher rating, then the name in small letters, then its bytes.
///
/// # Errors
///
/// When the sum of the points leaves the range of 64 bits.
pub fn share_pool(pool: u64, players: &[Scorer]) -> Result<Vec<u64>, PoolError> {
    let total = players
        .iter()
        .try_fold(0u64, |sum, player| sum.checked_add(player.half_points))
        .ok_or(PoolError::TooManyPoints)?;
    if total == 0 {
        return Ok(vec![0; players.len()]);
    }
    let exact = |player: &Scorer| u128::from(pool) * u128::from(player.half_points);
    // At most the pool, since no player has more points than all together.
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
    // Fewer cents are left than there are remainders above nothing.
    for at in remainders.into_iter().take(usize::try_from(left).unwrap_or(usize::MAX)) {
        shares[at] += 1;
    }
    Ok(shares)
}
