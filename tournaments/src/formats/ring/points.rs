//! The pool: the fees are shared in proportion to points (2006 Postal, Prize Distribution Rules). Cents cannot be cut, so
//! each gets the whole cents of the exact share, and the cents that remain go one each to the largest remainders.

use std::cmp::Reverse;

/// One player's points, with what orders equal remainders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scorer<P> {
    pub player: P,
    /// Points, in halves: two a win, one a draw.
    pub half_points: u64,
    /// The rating before the tournament.
    pub rating: Option<i64>,
    /// The name in the gameroom.
    pub name: String,
}

/// What one player gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share<P> {
    pub player: P,
    /// How much, in cents.
    pub cents: u64,
    /// Whether the last of these cents is one of those that went to the largest remainders.
    pub rounded_up: bool,
}

/// The pool, shared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedPool<P> {
    /// The shares, in the order in which the players were given.
    pub shares: Vec<Share<P>>,
    /// What nobody gets, in cents: the whole pool if nobody has a point, else nothing.
    pub undistributed: u64,
}

/// Why a pool cannot be shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    #[error("the points of all players together are more than can be counted. Check the results")]
    TooManyPoints,
}

/// Shares a pool of so many cents. Equal remainders: more points first, then the higher rating, then the name in small
/// letters, then its bytes.
///
/// # Errors
///
/// When the sum of the points leaves the range of 64 bits.
pub fn share_pool<P: Clone>(pool: u64, players: &[Scorer<P>]) -> Result<SharedPool<P>, PoolError> {
    let total = players
        .iter()
        .try_fold(0u64, |sum, player| sum.checked_add(player.half_points))
        .ok_or(PoolError::TooManyPoints)?;
    let mut left = pool;
    let mut remainders: Vec<(u128, usize)> = Vec::with_capacity(players.len());
    let mut shares = Vec::with_capacity(players.len());
    for (i, player) in players.iter().enumerate() {
        let exact = u128::from(pool) * u128::from(player.half_points);
        // At most the pool, since nobody has more points than all together; nothing where nobody has a point.
        let cents = exact.checked_div(u128::from(total)).unwrap_or(0) as u64;
        left -= cents;
        remainders.push((exact.checked_rem(u128::from(total)).unwrap_or(0), i));
        shares.push(Share { player: player.player.clone(), cents, rounded_up: false });
    }
    if total == 0 {
        return Ok(SharedPool { shares, undistributed: pool });
    }
    remainders.sort_by_key(|&(remainder, i)| {
        let player = &players[i];
        (
            Reverse(remainder),
            Reverse(player.half_points),
            Reverse(player.rating),
            player.name.to_ascii_lowercase(),
            player.name.clone(),
        )
    });
    // Fewer cents are left than there are remainders above nothing.
    for &(_, i) in remainders.iter().take(usize::try_from(left).unwrap_or(usize::MAX)) {
        shares[i].cents += 1;
        shares[i].rounded_up = true;
    }
    Ok(SharedPool { shares, undistributed: 0 })
}
