//! When maximum likelihood is unbounded: if some players won every game against the rest of their group, the difference
//! is infinite.

use crate::error::RatingsError;
use crate::game::{Player, PlayerIndex};
use crate::selection::RatedGame;

/// Players named in an error.
const NAMES: usize = 4;

/// An error for games whose likelihood has no maximum.
pub(crate) fn unbounded(
    players: &[Player],
    games: &[&RatedGame],
    groups: &[Vec<PlayerIndex>],
    held: &dyn Fn(PlayerIndex) -> bool,
) -> Result<(), RatingsError> {
    let count = players.len();
    // Who scored against whom.
    let mut took: Vec<Vec<PlayerIndex>> = vec![Vec::new(); count];
    let mut gave: Vec<Vec<PlayerIndex>> = vec![Vec::new(); count];
    for game in games {
        for (winner, loser, points) in
            [(game.gold, game.silver, game.points), (game.silver, game.gold, 1.0 - game.points)]
        {
            if points > 0.0 {
                took[winner].push(loser);
                gave[loser].push(winner);
            }
        }
    }
    for group in groups {
        // Fixed players have given differences.
        let mut from: Vec<PlayerIndex> = group.iter().copied().filter(|player| held(*player)).collect();
        if from.is_empty() {
            from.extend(group.first());
        }
        let below = reached(&from, &took, count);
        let above = reached(&from, &gave, count);
        let outside = |inside: &[bool]| group.iter().copied().filter(|p| !inside[*p]).collect::<Vec<_>>();
        let (never_below, never_above) = (outside(&below), outside(&above));
        let (apart, did) = match (never_below.is_empty(), never_above.is_empty()) {
            (true, true) => continue,
            // No other player scored against the first ones: they won all games against the others.
            (false, _) => (never_below, "won"),
            (true, false) => (never_above, "lost"),
        };
        let names: Vec<&str> =
            apart.iter().take(NAMES).map(|player| players[*player].name.as_str()).collect();
        let more = apart.len().saturating_sub(NAMES);
        let who = match more {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        };
        return Err(RatingsError::Unbounded { who, did });
    }
    Ok(())
}

/// Reachable players.
fn reached(from: &[PlayerIndex], edges: &[Vec<PlayerIndex>], count: usize) -> Vec<bool> {
    let mut reached = vec![false; count];
    let mut waiting = from.to_vec();
    from.iter().for_each(|player| reached[*player] = true);
    while let Some(player) = waiting.pop() {
        for other in &edges[player] {
            if !reached[*other] {
                reached[*other] = true;
                waiting.push(*other);
            }
        }
    }
    reached
}
