//! The table of generations, and the chart of their Elo.

use annals_charts::{Axis, Chart, Point, Scale, Series, Shape};
use annals_engine::arena::elo::{Difference, Results};
use annals_engine::arena::sprt::SprtVerdict;
use annals_events::PROGRAM;
use annals_report::{Cell, Document, Provenance, Table};
use serde::Serialize;

use super::{Options, Trained};
use crate::charts::Drawing;

/// A run of generations.
#[derive(Debug, Clone, Serialize)]
pub struct Generations {
    program: &'static str,
    options: Options,
    #[serde(skip)]
    command: String,
    /// From the first on.
    pub generations: Vec<Generation>,
}

/// A generation: its training, and the match against the best network before it.
#[derive(Debug, Clone, Serialize)]
pub struct Generation {
    /// From 1.
    pub generation: u32,
    /// Games whose positions the network is trained and validated on.
    pub games: usize,
    /// Their positions.
    pub positions: usize,
    /// The mean squared error of the network on the validation set.
    pub network_mse: f64,
    /// That of counting pieces.
    pub pieces_mse: f64,
    /// The best generation before.
    pub against: u32,
    /// Games of the match.
    pub match_games: u64,
    /// The network's share of points in it.
    pub score: Option<f64>,
    /// The difference in Elo to the best before.
    pub difference: Option<Difference>,
    /// The result of the match's test.
    pub verdict: SprtVerdict,
    /// Whether the network is the best one from now on.
    pub accepted: bool,
    /// The Elo of the network against generation 0.
    pub total: Total,
    /// Of the games of self-play.
    pub games_sha256: String,
    /// Of the network.
    pub network_sha256: String,
    /// Of the games of the match.
    pub match_sha256: String,
}

/// Elo against generation 0, the sum of the differences in between, with its 95% confidence interval.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Total {
    /// The sum. Where a match has no estimate, because every game had the same winner, its bound counts.
    pub elo: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Total {
    /// With one match more. The matches are independent, so that the squares of their errors are added.
    fn and(self, difference: Option<&Difference>) -> Total {
        let Some(Difference { elo, low, high, .. }) = difference else { return self };
        let step = elo.or(*low).or(*high).unwrap_or(0.0);
        let sum = self.elo + step;
        Total {
            elo: sum,
            low: sum - (self.elo - self.low).hypot(low.map_or(0.0, |low| step - low)),
            high: sum + (self.high - self.elo).hypot(high.map_or(0.0, |high| high - step)),
        }
    }
}

impl Generation {
    pub(super) fn new(
        generation: u32,
        before: &Generations,
        trained: &Trained,
        pairs: &Results,
        verdict: SprtVerdict,
    ) -> Generation {
        let difference = Difference::of(pairs);
        Generation {
            generation,
            games: trained.games,
            positions: trained.positions,
            network_mse: trained.network,
            pieces_mse: trained.pieces,
            against: before.best(),
            match_games: pairs.games(),
            score: pairs.score(),
            total: before.total().and(difference.as_ref()),
            difference,
            verdict,
            accepted: verdict == SprtVerdict::Upper,
            games_sha256: String::new(),
            network_sha256: String::new(),
            match_sha256: String::new(),
        }
    }

    pub(super) fn with_digests(
        self,
        [games_sha256, network_sha256, match_sha256]: [String; 3],
    ) -> Generation {
        Generation { games_sha256, network_sha256, match_sha256, ..self }
    }

    /// The generation in a line.
    pub(super) fn line(&self) -> String {
        let Generation { generation, against, match_games, .. } = self;
        let elo = self.difference.map_or_else(|| "not known".to_owned(), |difference| difference.to_string());
        let accepted = if self.accepted { "accepted" } else { "not accepted" };
        format!("generation {generation} against {against}: {match_games} games, Elo {elo}; {accepted}")
    }
}

impl Generations {
    pub(super) fn new(options: &Options) -> Generations {
        Generations {
            program: PROGRAM,
            options: options.clone(),
            command: options.command("DIR"),
            generations: Vec::new(),
        }
    }

    fn accepted(&self) -> Option<&Generation> {
        self.generations.iter().rfind(|one| one.accepted)
    }

    /// The best generation.
    #[must_use]
    pub fn best(&self) -> u32 {
        self.accepted().map_or(0, |one| one.generation)
    }

    /// The Elo of the best generation.
    fn total(&self) -> Total {
        self.accepted().map_or_else(Total::default, |one| one.total)
    }

    /// One row for each generation.
    #[must_use]
    pub fn table(&self) -> Table {
        let elo = |elo: Option<f64>| elo.map_or(Cell::Empty, |elo| Cell::Decimal(elo, 0));
        Table::of("", &self.generations)
            .column("generation", |one| Cell::count(one.generation))
            .column("games", |one| Cell::count(one.games))
            .column("positions", |one| Cell::count(one.positions))
            .column("network MSE", |one| Cell::Decimal(one.network_mse, 4))
            .column("pieces MSE", |one| Cell::Decimal(one.pieces_mse, 4))
            .column("against", |one| Cell::count(one.against))
            .column("match games", |one| Cell::count(one.match_games))
            .column("score", |one| Cell::from(one.score))
            .column("Elo", |one| elo(one.difference.and_then(|difference| difference.elo)))
            .column("Elo low", |one| elo(one.difference.and_then(|difference| difference.low)))
            .column("Elo high", |one| elo(one.difference.and_then(|difference| difference.high)))
            .column("accepted", |one| Cell::text(if one.accepted { "yes" } else { "no" }))
            .column("total Elo", |one| elo(Some(one.total.elo)))
            .column("total low", |one| elo(Some(one.total.low)))
            .column("total high", |one| elo(Some(one.total.high)))
            .table()
    }

    /// The table, and what its columns are.
    #[must_use]
    pub fn document(&self) -> Document {
        let lines = vec![
            format!("The best is generation {} of {}.", self.best(), self.generations.len()),
            format!("Generation 0 is the evaluator `{}`. Total Elo is against it.", self.options.start),
            "Low and high are the bounds of 95% confidence intervals.".to_owned(),
        ];
        Document::default().table(self.table()).lines("", lines)
    }

    /// Elo by generation.
    pub(super) fn chart(&self) -> Drawing {
        let at = |one: &Generation| f64::from(one.generation);
        let network = |one: &Generation| Point {
            within: Some((one.total.low, one.total.high)),
            note: format!("{} games against generation {}", one.match_games, one.against),
            ..Point::new(at(one), one.total.elo)
        };
        let mut best = Total::default();
        let mut steps = vec![Point::new(0.0, 0.0)];
        for one in &self.generations {
            best = if one.accepted { one.total } else { best };
            steps.push(Point::new(at(one), best.elo));
        }
        let points = self.generations.iter().map(network).collect();
        Drawing::Chart(Chart {
            title: "Elo by generation".to_owned(),
            subtitle: format!(
                "against generation 0 (`{}`), {} nodes a turn; bars: 95% confidence intervals",
                self.options.start, self.options.match_nodes
            ),
            x: Axis::new("generation", Scale::Whole),
            y: Axis::new("Elo against generation 0", Scale::Number),
            series: vec![
                Series { name: "the best".to_owned(), shape: Shape::Steps, points: steps },
                Series { name: "the new network".to_owned(), shape: Shape::Dots, points },
            ],
            beside: false,
            marks: Vec::new(),
            source: self.command.clone(),
        })
    }

    /// The origin of the chart: the games of every match.
    pub(super) fn provenance(&self) -> Provenance {
        let matches = self.generations.iter();
        Provenance {
            sources: matches
                .map(|one| format!("match-{}.txt sha256 {}", one.generation, one.match_sha256))
                .collect(),
            command: self.command.clone(),
            program: self.program.to_owned(),
            damage: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_add_the_differences_and_the_squares_of_their_errors() {
        let of =
            |elo, low, high| Difference { elo, low, high, confidence: 0.95, superiority: 0.9, games: 20 };
        let first = Total::default().and(Some(&of(Some(100.0), Some(70.0), Some(140.0))));
        assert_eq!(first, Total { elo: 100.0, low: 70.0, high: 140.0 });
        let second = first.and(Some(&of(Some(-20.0), Some(-60.0), Some(10.0))));
        assert_eq!(second, Total { elo: 80.0, low: 30.0, high: 130.0 });
        // Every game won: the lower bound counts.
        let third = first.and(Some(&of(None, Some(127.0), None)));
        assert_eq!((third.elo, third.low), (227.0, 197.0));
    }
}
