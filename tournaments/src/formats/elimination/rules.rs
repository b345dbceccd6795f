//! The constraints of a floating elimination as a value: another rulebook is another list.

use serde::Serialize;

/// How pairs of players with different numbers of losses count when ranks are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UnequalLosses {
    /// The square of their difference in rank is subtracted (2015).
    Subtracted,
    /// It is added, as for all pairs (2009).
    Added,
}

/// What a round has to satisfy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Constraint {
    /// The bye *must* go to a player with the fewest byes so far.
    ByeToFewestByes,
    /// For every N, from the highest down: as few pairings as possible for the Nth time.
    FewestRepeats {
        /// The paragraphs of certain N, where they have their own.
        paragraphs: Vec<(u32, String)>,
    },
    /// The bye to a player with as few losses as possible.
    ByeToFewestLosses,
    /// For every N, from the highest down: as few pairings as possible between players whose losses differ by N.
    NearestLosses,
    /// The bye to the highest tournament performance rating.
    ByeToHighestRated,
    ByeToBestSeeded,
    /// The greatest sum of the squares of the differences in rank among paired players.
    SpreadRanks(UnequalLosses),
}

/// A constraint with the paragraph that it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Demand {
    /// The paragraph, such as `2015 WCC, Tournament format 4`.
    pub paragraph: String,
    pub constraint: Constraint,
}

/// By what the players who are still in are ranked, 1 to n.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ranking {
    /// By fewest losses, then tournament performance rating, then seed (2015).
    LossesRatingSeed,
    Seed,
}

/// The rules that give the colours of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColourRules {
    /// 2015 WCC, Color Assignment.
    Championship2015,
    /// 2009 WC, Floating Double Elimination 12.
    WorldChampionship2009,
}

/// How ties for second and third place are broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// Those level for second play on with one more life; third place is shared (2015).
    Continuation,
    /// Two who are level play one game (2009).
    Playoffs,
}

/// The rules of a floating elimination.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rules {
    /// A player who has lost so many times is eliminated.
    pub lives: u32,
    /// The constraints, the most important first.
    pub demands: Vec<Demand>,
    /// How the players still in are ranked.
    pub ranking: Ranking,
    /// The colours of a pair.
    #[serde(skip)]
    pub colours: ColourRules,
    /// What follows once the first place is decided.
    #[serde(skip)]
    pub ties: Ties,
}

impl Rules {
    /// The final of the 2015 World Computer Championship (2015 WCC, Tournament format 1–10).
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

    /// The final of the 2009 World Championship (2009 WC, Floating Double Elimination 1–11).
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

    /// Whether tournament performance ratings are needed.
    pub fn needs_ratings(&self) -> bool {
        self.ranking == Ranking::LossesRatingSeed
            || self.demands.iter().any(|demand| demand.constraint == Constraint::ByeToHighestRated)
    }
}
