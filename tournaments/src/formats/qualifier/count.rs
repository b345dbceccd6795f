//! Which raw games of one entrant against one benchmark count, and why others are ignored.

use std::collections::HashMap;
use std::fmt;

use annals_events::tournament::QualifyingGamePlayed;
use annals_events::{Micros, PlayerId, Side};

use super::reading::{ColourSetter, GameCap, GameOrder, QualifierReadings};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QualifierRules {
    pub benchmarks: Vec<PlayerId>,
    /// Games must start after this.
    pub opens: Micros,
    /// Games must finish before this.
    pub closes: Micros,
    /// The most games per benchmark that count.
    pub games_per_benchmark: u32,
    /// The most points per benchmark.
    pub points_per_benchmark: u32,
    pub readings: QualifierReadings,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ignored {
    /// The opponent is not a benchmark.
    NoBenchmark,
    /// It did not start after the period opened.
    StartedTooEarly,
    /// It was not over before the period closed.
    FinishedTooLate,
    /// A duplicate.
    ListedBefore {
        /// Index of the first occurrence, from 0.
        index: usize,
    },
    Unrated,
    WrongColour {
        /// The side that was due.
        due: Side,
    },
    /// The maximum of games was reached before.
    OverTheLimit {
        limit: u32,
    },
}

impl Ignored {
    pub const fn paragraph(self) -> &'static str {
        match self {
            Ignored::NoBenchmark => "2015 WCC, Qualifying 2",
            Ignored::StartedTooEarly => "2015 WCC, Qualifying period begins",
            Ignored::FinishedTooLate => "2015 WCC, Qualifying period ends",
            Ignored::ListedBefore { .. }
            | Ignored::Unrated
            | Ignored::WrongColour { .. }
            | Ignored::OverTheLimit { .. } => "2015 WCC, Qualifying 4",
        }
    }
}

impl fmt::Display for Ignored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ignored::NoBenchmark => f.write_str("the opponent is not in the benchmark stable"),
            Ignored::StartedTooEarly => f.write_str("it did not start after the qualifying period began"),
            Ignored::FinishedTooLate => f.write_str("it did not finish before the qualifying period ended"),
            Ignored::ListedBefore { index } => write!(f, "it is listed before, as game {}", index + 1),
            Ignored::Unrated => f.write_str("it was unrated"),
            Ignored::WrongColour { due } => write!(f, "colours must alternate, and {} was due", due.word()),
            Ignored::OverTheLimit { limit } => write!(f, "{limit} games came before it"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weight {
    /// A win of the streak that scores.
    Point,
    /// A win of the streak beyond the maximum.
    BeyondTheMaximum,
    /// A loss before the streak, or any loss without a win: minus one on the first tie-break.
    LossBefore,
    /// Outside the streak, and not a loss before it.
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameStatus {
    Counted {
        /// Numbered among the counted games against its benchmark, from 1.
        number: u32,
        weight: Weight,
    },
    Ignored(Ignored),
}

/// A position in the raw list, from 0, with its status.
pub type CheckedGame = (usize, GameStatus);

/// One entrant's raw games against `benchmark` in order of play, not weighted yet; other opponents are
/// skipped. Tests in order: duplicate, period, rated, limit, colour. An ignored game does not change the
/// colour that is due.
pub(super) fn check_games(
    games: &[&QualifyingGamePlayed],
    benchmark: &PlayerId,
    rules: &QualifierRules,
) -> Vec<CheckedGame> {
    let mut order: Vec<(usize, &QualifyingGamePlayed)> =
        games.iter().copied().enumerate().filter(|(_, game)| game.benchmark == *benchmark).collect();
    order.sort_by_key(|(index, game)| {
        let moment = match rules.readings.game_order {
            GameOrder::ByStart => game.started_at,
            GameOrder::ByEnd => game.ended_at,
        };
        (moment, game.number.unwrap_or(u64::MAX), *index)
    });
    let mut seen: HashMap<u64, usize> = HashMap::new();
    let mut due: Option<Side> = None;
    let (mut played, mut counted) = (0_u32, 0_u32);
    let mut verdict = |index: usize, game: &QualifyingGamePlayed| {
        if let Some(number) = game.number {
            if let Some(&first) = seen.get(&number) {
                return Err(Ignored::ListedBefore { index: first });
            }
            seen.insert(number, index);
        }
        if game.started_at <= rules.opens {
            return Err(Ignored::StartedTooEarly);
        }
        if game.ended_at >= rules.closes {
            return Err(Ignored::FinishedTooLate);
        }
        played += 1;
        let over_the_limit = match rules.readings.game_cap {
            GameCap::CountedGames => counted >= rules.games_per_benchmark,
            GameCap::AllGames => played > rules.games_per_benchmark,
        };
        if !game.rated {
            if played == 1 && rules.readings.colour_setter == ColourSetter::FirstPlayed {
                due = Some(game.side.other());
            }
            return Err(Ignored::Unrated);
        }
        if over_the_limit {
            return Err(Ignored::OverTheLimit { limit: rules.games_per_benchmark });
        }
        if let Some(due) = due.filter(|due| game.side != *due) {
            return Err(Ignored::WrongColour { due });
        }
        counted += 1;
        due = Some(game.side.other());
        Ok(GameStatus::Counted { number: counted, weight: Weight::Nothing })
    };
    order
        .into_iter()
        .map(|(index, game)| (index, verdict(index, game).unwrap_or_else(GameStatus::Ignored)))
        .collect()
}
