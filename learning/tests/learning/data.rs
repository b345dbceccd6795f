//! A small dataset by a law that can be learnt: whoever has more wins, mostly; the positions of one game are alike.

use annals_learning::{PLANES, Samples};
use annals_rules::seeded::Rng;

/// Positions of some games.
pub struct Made {
    planes: Vec<i8>,
    labels: Vec<u8>,
    heights: Vec<u16>,
    games: Vec<u32>,
    game_ids: Vec<String>,
}

impl Made {
    /// Games of `length` positions. Each has a stock of pieces for either side, at random places; each position shifts a few.
    pub fn games(count: u32, length: u16, seed: u64) -> Made {
        let mut made = Made {
            planes: Vec::new(),
            labels: Vec::new(),
            heights: Vec::new(),
            games: Vec::new(),
            game_ids: (0..count).map(|game| format!("made-{game}")).collect(),
        };
        for game in 0..count {
            let mut rng = Rng::of(&[seed, u64::from(game)]);
            let mut cells: Vec<(usize, i8)> = Vec::new();
            let mut squares: Vec<usize> =
                (0..64).filter(|square| ![18, 21, 42, 45].contains(square)).collect();
            rng.shuffle(&mut squares);
            for square in squares.into_iter().take(20) {
                let side = if rng.chance(500) { 1 } else { -1 };
                cells.push((rng.below(6) as usize * 64 + square, side));
            }
            cells.sort_unstable();
            let mut kept = Vec::new();
            for (cell, side) in cells {
                let same = kept.iter().filter(|(c, s)| c / 64 == cell / 64 && *s == side).count();
                // No more of a kind than a side has: one camel and one elephant, two of the others.
                if same < if cell / 64 >= 4 { 1 } else { 2 } {
                    kept.push((cell, side));
                }
            }
            let lead: i32 = kept.iter().map(|(_, side)| i32::from(*side)).sum();
            let won = if lead == 0 { rng.chance(500) } else { lead > 0 };
            for height in 0..length {
                let mut planes = [0i8; PLANES];
                kept.iter().for_each(|(cell, side)| planes[*cell] = *side);
                made.planes.extend(planes);
                made.labels.push(u8::from(won));
                made.heights.push(height);
                made.games.push(game);
                if let Some(last) = kept.last().copied().filter(|_| rng.chance(300) && kept.len() > 4) {
                    kept.retain(|one| *one != last);
                }
            }
        }
        made
    }

    /// As a network takes them.
    pub fn samples(&self) -> Samples<'_> {
        Samples {
            planes: &self.planes,
            labels: &self.labels,
            heights: &self.heights,
            games: &self.games,
            game_ids: &self.game_ids,
            digest: [7; 32],
        }
    }
}
