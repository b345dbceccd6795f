//! Lots and coins from a seed, reproducible by anyone with the seed. The caller chooses the seed and may
//! publish a commitment; a replay draws nothing, since draws are recorded.
//!
//! A lot is the SHA-256 of a domain tag, seed, round and player, each with its length; lots are numbered by
//! digest, so that they are distinct. A coin is the lowest bit of the first byte of such a digest over both
//! players by name.

use annals_events::PlayerId;
use annals_events::tournament::{Draw, Lot};
use sha2::{Digest, Sha256};

/// The method name in a recorded draw.
pub const METHOD: &str = "sha256_seed";

pub fn draw_of(seed: &str, commitment: Option<&str>) -> Draw {
    Draw { method: METHOD.to_owned(), seed: Some(seed.to_owned()), commitment: commitment.map(str::to_owned) }
}

/// The SHA-256 of a seed, prefixed with the algorithm.
pub fn commitment(seed: &str) -> String {
    format!("sha256:{}", hex::encode(digest("commitment", &[seed])))
}

/// The players by lot; numbers count from 1.
pub fn lots<'a>(seed: &str, round: u32, players: impl IntoIterator<Item = &'a PlayerId>) -> Vec<Lot> {
    let round = round.to_string();
    let mut drawn: Vec<([u8; 32], &PlayerId)> =
        players.into_iter().map(|player| (digest("lot", &[seed, &round, player.as_str()]), player)).collect();
    drawn.sort();
    drawn.into_iter().zip(1..).map(|((_, player), number)| Lot { player: player.clone(), number }).collect()
}

pub fn gold<'a>(seed: &str, round: u32, one: &'a PlayerId, other: &'a PlayerId) -> &'a PlayerId {
    let (low, high) = if one <= other { (one, other) } else { (other, one) };
    let digest = digest("coin", &[seed, &round.to_string(), low.as_str(), high.as_str()]);
    if digest[0] & 1 == 0 { low } else { high }
}

fn digest(domain: &str, parts: &[&str]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in std::iter::once(&domain).chain(parts) {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str) -> PlayerId {
        name.parse().unwrap()
    }

    #[test]
    fn lots_are_a_permutation_that_the_seed_decides() {
        let players: Vec<PlayerId> = ["anna", "bela", "cara", "dora"].map(player).to_vec();
        let drawn = lots("seed", 1, &players);
        let again = lots("seed", 1, players.iter().rev());
        assert_eq!(drawn, again);
        assert_eq!(drawn.iter().map(|lot| lot.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
        let orders: std::collections::BTreeSet<Vec<PlayerId>> = (0..50)
            .map(|round| lots("seed", round, &players).into_iter().map(|lot| lot.player).collect())
            .collect();
        assert!(orders.len() > 10);
    }

    #[test]
    fn a_coin_does_not_depend_on_who_is_named_first_and_falls_both_ways() {
        let (one, other) = (player("anna"), player("bela"));
        let golds: Vec<&PlayerId> = (0..200).map(|round| gold("seed", round, &one, &other)).collect();
        assert!((0..200).all(|round| gold("seed", round, &one, &other) == gold("seed", round, &other, &one)));
        let of_one = golds.iter().filter(|gold| ***gold == one).count();
        assert!((70..130).contains(&of_one), "{of_one}");
    }
}
