//! The constraints of a floating elimination as a value.

use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UnequalLosses {
    Subtracted,
    Added,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Constraint {
    /// The bye *must* go to a player with the fewest byes.
    ByeToFewestByes,
    /// For every N, from the highest: the fewest pairings for the Nth time.
    FewestRepeats {
        /// Paragraphs of single N.
        paragraphs: Vec<(u32, String)>,
    },
    /// The bye goes to the fewest losses.
    ByeToFewestLosses,
    /// For every N, from the highest: the fewest pairings with losses that differ by N.
    NearestLosses,
    /// The bye goes to the highest tournament performance rating.
    ByeToHighestRated,
    ByeToBestSeeded,
    /// The greatest sum of squared rank differences of the pairs.
    SpreadRanks(UnequalLosses),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Demand {
    /// For example `2015 WCC, Tournament format 4`.
    pub paragraph: String,
    pub constraint: Constraint,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ranking {
    /// By fewest losses, then tournament performance rating, then seed (2015).
    LossesRatingSeed,
    Seed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourRules {
    /// 2015 WCC, Color Assignment.
    Championship2015,
    /// 2009 WC, Floating Double Elimination 12.
    WorldChampionship2009,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// Players level for second play on with one more life; third place is shared (2015).
    Continuation,
    /// Two level players play one game (2009).
    Playoffs,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rules {
    /// The number of losses that eliminates.
    pub lives: u32,
    pub demands: Vec<Demand>,
    pub ranking: Ranking,
    #[serde(skip)]
    pub colours: ColourRules,
    #[serde(skip)]
    pub ties: Ties,
}

impl Rules {
    pub fn championship_2015() -> Rules {
        let demand = |number: u32, constraint| Demand {
            paragraph: format!("2015 WCC, Tournament format {number}"),
            constraint,
        };
        Rules {
            lives: 4,
            demands: vec![
                demand(3, Constraint::ByeToFewestByes),
                demand(4, Constraint::FewestRepeats { paragraphs: Vec::new() }),
                demand(5, Constraint::ByeToFewestLosses),
                demand(6, Constraint::NearestLosses),
                demand(8, Constraint::ByeToHighestRated),
                demand(9, Constraint::ByeToBestSeeded),
                demand(10, Constraint::SpreadRanks(UnequalLosses::Subtracted)),
            ],
            ranking: Ranking::LossesRatingSeed,
            colours: ColourRules::Championship2015,
            ties: Ties::Continuation,
        }
    }

    pub fn world_championship_2009() -> Rules {
        let paragraph = |number: u32| format!("2009 WC, Floating Double Elimination {number}");
        let demand = |number, constraint| Demand { paragraph: paragraph(number), constraint };
        let paragraphs = vec![(4, paragraph(5)), (3, paragraph(6)), (2, paragraph(7))];
        Rules {
            lives: 2,
            demands: vec![
                demand(3, Constraint::ByeToFewestByes),
                demand(4, Constraint::FewestRepeats { paragraphs }),
                demand(8, Constraint::ByeToFewestLosses),
                demand(9, Constraint::ByeToBestSeeded),
                demand(10, Constraint::NearestLosses),
                demand(11, Constraint::SpreadRanks(UnequalLosses::Added)),
            ],
            ranking: Ranking::Seed,
            colours: ColourRules::WorldChampionship2009,
            ties: Ties::Playoffs,
        }
    }

    pub fn needs_ratings(&self) -> bool {
        self.ranking == Ranking::LossesRatingSeed
            || self.demands.iter().any(|demand| demand.constraint == Constraint::ByeToHighestRated)
    }
}
