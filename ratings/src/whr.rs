//! Whole-history rating (Coulom): strengths change over time, and every game informs all others of its players. And
//! Bradley–Terry, with one strength per player.

use crate::error::RatingsError;
use crate::fixed::{Fixed, fixed_for};
use crate::game::{DAY, Player, PlayerIndex};
use crate::network::{Design, Joined, Network, variance_in_nats};
use crate::rated::{Estimate, Fit, POINTS_PER_NAT, Point, Ratings};
use crate::selection::{Chosen, RatedGame, groups};
use crate::system::{Advantage, BradleyTerry, Effort, System, Whr};
use crate::unbounded::unbounded;

/// Both systems.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    /// None for constant strengths.
    wander: Option<(f64, i64)>,
    prior: f64,
    advantage: Advantage,
    anchor: f64,
    fixed: Vec<Fixed>,
    effort: Effort,
}

impl Model {
    /// None for other systems.
    pub(crate) fn of(system: &System) -> Option<Model> {
        match system {
            System::Whr(Whr { w2, prior, step, advantage, anchor, fixed, effort }) => Some(Model {
                wander: Some((*w2, *step)),
                prior: *prior,
                advantage: *advantage,
                anchor: *anchor,
                fixed: fixed.clone(),
                effort: *effort,
            }),
            System::BradleyTerry(BradleyTerry { prior, advantage, anchor, fixed, effort }) => Some(Model {
                wander: None,
                prior: *prior,
                advantage: *advantage,
                anchor: *anchor,
                fixed: fixed.clone(),
                effort: *effort,
            }),
            _ => None,
        }
    }

    /// Of a strength's change.
    fn variance_over(&self, microseconds: i64) -> f64 {
        self.wander.map_or(0.0, |(w2, _)| variance_in_nats(w2) * microseconds.max(0) as f64 / DAY as f64)
    }

    fn points(&self, strength: f64) -> f64 {
        self.anchor + strength * POINTS_PER_NAT
    }

    /// By the options.
    fn held(&self, player: &Player) -> Option<f64> {
        Some((fixed_for(&self.fixed, player)?.rating? - self.anchor) / POINTS_PER_NAT)
    }

    /// Strength and variance without games: the fixed one, else the prior's.
    fn unseen(&self, held: Option<f64>) -> (f64, f64) {
        match held {
            Some(strength) => (strength, 0.0),
            // A drawn game against equal strength has a curvature of a quarter.
            None => (0.0, if self.prior > 0.0 { 4.0 / self.prior } else { 4.0 }),
        }
    }

    /// Before any game.
    pub(crate) fn forecast_unseen(&self, gold: &Player, silver: &Player) -> f64 {
        let advantage = match self.advantage {
            Advantage::Given(points) => points / POINTS_PER_NAT,
            Advantage::Estimated => 0.0,
        };
        chance(self.unseen(self.held(gold)), self.unseen(self.held(silver)), advantage)
    }

    /// `games` are in order of time; `players` states who is fixed, `wanted` whose variance is needed.
    pub(crate) fn fit(
        &self,
        players: &[Player],
        games: &[&RatedGame],
        wanted: &dyn Fn(PlayerIndex) -> bool,
    ) -> Result<Fitted, RatingsError> {
        let of = |player: usize| fixed_for(&self.fixed, &players[player]);
        let held = |player: usize| self.held(&players[player]);
        // A prior connects even unconnected players.
        let mut groups_apart = Vec::new();
        if self.prior == 0.0 {
            groups_apart = groups(players.len(), games.iter().copied());
            unbounded(players, games, &groups_apart, &|player| held(player).is_some())?;
        }
        let joined: Vec<Joined> = games
            .iter()
            .map(|game| Joined { gold: game.gold, silver: game.silver, at: game.at, points: game.points })
            .collect();
        let (w2, step) = self.wander.unwrap_or((1.0, DAY));
        let constant: Vec<bool> =
            (0..players.len()).map(|player| self.wander.is_none() || of(player).is_some()).collect();
        // If one colour won all games, an estimated advantage is unbounded; a given one remains.
        let one_colour = [1.0, 0.0].iter().any(|points| games.iter().all(|game| game.points == *points));
        let advantage = match self.advantage {
            Advantage::Estimated if one_colour => Advantage::Given(0.0),
            advantage => advantage,
        };
        let mut network = Network::new(
            &Design {
                players: players.len(),
                variance: variance_in_nats(w2) * step as f64 / DAY as f64,
                step,
                constant: &|player| constant[player],
                held: &held,
                prior: self.prior,
                advantage,
            },
            &joined,
        );
        let fit = network.fit(self.effort);
        let whole = if self.wander.is_none() { network.whole_variances(&groups_apart, wanted) } else { None };
        let is_whole = whole.is_some();
        let (variances, advantage) =
            whole.unwrap_or_else(|| (network.chain_variances(), network.advantage_variance()));
        let held = (0..players.len()).map(held).collect();
        let mut fitted = Fitted {
            model: self.clone(),
            network,
            held,
            constant,
            variances,
            advantage,
            one_colour,
            fit,
            is_whole,
        };
        for group in &groups_apart {
            if !group.iter().any(|player| fitted.held[*player].is_some()) {
                fitted.centre(group);
            }
        }
        Ok(fitted)
    }

    pub(crate) fn rate(&self, system: &System, chosen: &Chosen) -> Result<Ratings, RatingsError> {
        let games: Vec<&RatedGame> = chosen.counting().collect();
        let fitted = self.fit(&chosen.players, &games, &|_| true)?;
        let courses = (0..chosen.players.len()).map(|player| fitted.course(player, &games)).collect();
        let now = |player| {
            let (strength, variance) = fitted.at(player, chosen.as_of);
            (self.points(strength), Some(variance.sqrt() * POINTS_PER_NAT), None)
        };
        let mut ratings = Ratings::gather(system.to_string(), chosen, now, courses);
        ratings.fit = Some(fitted.fit);
        if let (Advantage::Estimated, Some(variance)) = (self.advantage, fitted.advantage) {
            let value = fitted.network.advantage * POINTS_PER_NAT;
            ratings.advantage = Some(Estimate { value, error: variance.sqrt() * POINTS_PER_NAT });
        }
        ratings.notes.extend(fitted.notes());
        Ok(ratings)
    }
}

/// Gold's chance averaged over both uncertainties, by MacKay's approximation.
fn chance((gold, of_gold): (f64, f64), (silver, of_silver): (f64, f64), advantage: f64) -> f64 {
    let spread = (1.0 + std::f64::consts::PI * (of_gold + of_silver) / 8.0).sqrt();
    1.0 / (1.0 + (-(gold + advantage - silver) / spread).exp())
}

#[derive(Debug, Clone)]
pub(crate) struct Fitted {
    model: Model,
    network: Network,
    /// Of fixed players.
    held: Vec<Option<f64>>,
    /// One strength for all time.
    constant: Vec<bool>,
    variances: Vec<f64>,
    advantage: Option<f64>,
    /// One colour won every game.
    one_colour: bool,
    fit: Fit,
    is_whole: bool,
}

impl Fitted {
    /// The last step was small enough.
    pub(crate) fn converged(&self) -> bool {
        self.fit.converged
    }

    /// Centers a free group at the average.
    fn centre(&mut self, group: &[PlayerIndex]) {
        let nodes: Vec<usize> = group.iter().flat_map(|player| self.network.chain(*player)).collect();
        let mean =
            nodes.iter().map(|node| self.network.strength[*node]).sum::<f64>() / nodes.len().max(1) as f64;
        nodes.iter().for_each(|node| self.network.strength[*node] -= mean);
    }

    /// Strength and variance at a time, from the last game on; without games the fixed one, else the prior's.
    pub(crate) fn at(&self, player: PlayerIndex, at: Option<i64>) -> (f64, f64) {
        let chain = self.network.chain(player);
        let Some(node) = chain.clone().last() else {
            return self.model.unseen(self.held[player]);
        };
        let variance = self.variances[node];
        let (Some(at), Some((_, step)), false) = (at, self.model.wander, self.constant[player]) else {
            return (self.network.strength[node], variance);
        };
        let since = at.div_euclid(step).saturating_sub(self.network.moment(node)).saturating_mul(step);
        (self.network.strength[node], variance + self.model.variance_over(since))
    }

    pub(crate) fn forecast(&self, [gold, silver]: [PlayerIndex; 2], at: i64) -> f64 {
        chance(self.at(gold, Some(at)), self.at(silver, Some(at)), self.network.advantage)
    }

    fn course(&self, player: PlayerIndex, games: &[&RatedGame]) -> Vec<Point> {
        let point = |node: usize| {
            let game = &games[self.network.last_game[node] as usize];
            Point {
                game: game.id,
                at: game.timed.then_some(game.at),
                rating: self.model.points(self.network.strength[node]),
                error: Some(self.variances[node].sqrt() * POINTS_PER_NAT),
            }
        };
        self.network.chain(player).map(point).collect()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let Fit { steps, last_move, converged, .. } = self.fit;
        if !converged {
            notes.push(format!(
                "after {steps} steps over everybody the ratings still moved by {last_move:.2e} points; `steps=` allows more"
            ));
        }
        if self.model.wander.is_none() && !self.is_whole {
            notes.push(format!(
                "of more than {} players the errors are those with the opponents' strengths as they are",
                crate::network::WHOLE
            ));
        }
        if self.model.advantage == Advantage::Estimated && self.one_colour {
            notes.push(
                "no advantage was estimated: one colour won every game, so that it would have no bounds"
                    .to_owned(),
            );
        }
        notes
    }
}
