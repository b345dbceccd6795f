//! Builds a network from games: counts the nodes of every chain, then places nodes and games.

use super::{Design, Network};
use crate::system::Advantage;

/// As an edge between two players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Joined {
    pub(crate) gold: usize,
    pub(crate) silver: usize,
    /// In microseconds.
    pub(crate) at: i64,
    /// Gold's.
    pub(crate) points: f64,
}

impl Network {
    /// `games` are in order of time.
    pub(crate) fn new(design: &Design<'_>, games: &[Joined]) -> Network {
        let players = design.players;
        let constant: Vec<bool> =
            (0..players).map(|p| (design.constant)(p) || (design.held)(p).is_some()).collect();
        // Each side's node per game, first as an index in its chain.
        let mut sides: Vec<[u32; 2]> = Vec::with_capacity(games.len());
        let mut nodes = vec![0u32; players];
        let mut latest = vec![0i64; players];
        for game in games {
            let moment = game.at.div_euclid(design.step);
            sides.push([game.gold, game.silver].map(|player| {
                if nodes[player] == 0 || (moment > latest[player] && !constant[player]) {
                    nodes[player] += 1;
                    latest[player] = moment;
                }
                nodes[player] - 1
            }));
        }
        let mut first = Vec::with_capacity(players + 1);
        let mut total = 0usize;
        for count in &nodes {
            first.push(total);
            total += *count as usize;
        }
        first.push(total);
        let mut network = Network {
            held: (0..players).map(|p| (design.held)(p).is_some()).collect(),
            strength: vec![0.0; total],
            last_game: vec![0; total],
            moment: vec![0; total],
            link: vec![0.0; total],
            points: vec![0.0; total],
            games_from: vec![0; total + 1],
            games: vec![0; 2 * games.len()],
            joined: Vec::new(),
            prior: design.prior,
            advantage: match design.advantage {
                Advantage::Given(points) => points / crate::rated::POINTS_PER_NAT,
                Advantage::Estimated => 0.0,
            },
            free_advantage: design.advantage == Advantage::Estimated,
            gold_points: games.iter().map(|game| game.points).sum(),
            first,
        };
        network.place_games(games, &mut sides, design.step);
        network.link_chains(design);
        network.lay_out(&sides);
        network.joined = sides;
        network
    }

    fn place_games(&mut self, games: &[Joined], sides: &mut [[u32; 2]], step: i64) {
        for (place, (game, side)) in games.iter().zip(sides).enumerate() {
            for (end, player) in [game.gold, game.silver].into_iter().enumerate() {
                let node = self.first[player] + side[end] as usize;
                side[end] = node as u32;
                self.games_from[node + 1] += 1;
                self.points[node] += if end == 0 { game.points } else { 1.0 - game.points };
                self.last_game[node] = place as u32;
                self.moment[node] = game.at.div_euclid(step);
            }
        }
    }

    /// Links the nodes of each chain, and sets fixed strengths.
    fn link_chains(&mut self, design: &Design<'_>) {
        for player in 0..design.players {
            let chain = self.chain(player);
            if let Some(held) = (design.held)(player) {
                self.strength[chain.clone()].fill(held);
            }
            for node in chain.start..chain.end.saturating_sub(1) {
                let steps = (self.moment[node + 1] - self.moment[node]).max(1) as f64;
                self.link[node] = 1.0 / (design.variance * steps);
            }
        }
    }

    /// Writes the games of every node.
    fn lay_out(&mut self, sides: &[[u32; 2]]) {
        for node in 0..self.nodes() {
            self.games_from[node + 1] += self.games_from[node];
        }
        let mut next = self.games_from.clone();
        for [gold, silver] in sides {
            for (own, opponent, colour) in [(*gold, *silver, 0), (*silver, *gold, 1)] {
                let place = &mut next[own as usize];
                self.games[*place] = opponent << 1 | colour;
                *place += 1;
            }
        }
    }
}
