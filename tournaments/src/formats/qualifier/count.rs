//! Which games count: the raw games of one entrant against one benchmark, each judged counted, or ignored and why.

use std::collections::HashMap;
use std::fmt;

use annals_events::Side;

use super::game::{QualifierRules, QualifyingGame};
use super::reading::{ColourSetter, GameCap, GameOrder};

/// Why a game is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ignored {
    /// The opponent is no benchmark.
    NoBenchmark,
    /// It did not start after the period opened.
    StartedTooEarly,
    /// It was not over before the period closed.
    FinishedTooLate,
    /// Nothing says that it was over.
    NotFinished,
    /// The same game stands in the list before.
    ListedBefore {
        /// Where, counted from 0.
        index: usize,
    },
    /// It was not rated.
    Unrated,
    /// Colours did not alternate.
    WrongColour {
        /// The side that the entrant had to play.
        due: Side,
    },
    /// As many games as are allowed came before it.
    OverTheLimit {
        /// How many are allowed.
        limit: u32,
    },
}

impl Ignored {
    /// The paragraph that it follows from.
    #[must_use]
    pub const fn paragraph(self) -> &'static str {
        match self {
            Ignored::NoBenchmark => "2015 WCC, Qualifying 2",
            Ignored::StartedTooEarly => "2015 WCC, Qualifying period begins",
            Ignored::FinishedTooLate | Ignored::NotFinished => "2015 WCC, Qualifying period ends",
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
            Ignored::NotFinished => f.write_str("nothing says that it finished"),
            Ignored::ListedBefore { index } => write!(f, "it is listed before, as game {}", index + 1),
            Ignored::Unrated => f.write_str("it was unrated"),
            Ignored::WrongColour { due } => write!(f, "colours must alternate, and {} was due", due.word()),
            Ignored::OverTheLimit { limit } => write!(f, "{limit} games came before it"),
        }
    }
}

/// What becomes of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It counts, as the game of this number against its benchmark, from 1.
    Counted {
        /// The number.
        number: u32,
    },
    /// It does not.
    Ignored(Ignored),
}

/// A game with its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judged {
    /// Where the game stands in the raw list, from 0.
    pub game: usize,
    /// What becomes of it.
    pub verdict: Verdict,
}

/// Judges the raw games of one entrant against `benchmark`; games against others in the list are passed over. The
/// answer is in the order of play.
///
/// The order of the tests: listed twice, period, rated, limit, colour. A game that is ignored leaves the colour that is
/// due as it was.
#[must_use]
pub fn judge<P: PartialEq>(
    games: &[QualifyingGame<P>],
    benchmark: &P,
    rules: &QualifierRules<P>,
) -> Vec<Judged> {
    let order = in_order(games, benchmark, rules);
    let mut seen: HashMap<u64, usize> = HashMap::new();
    let mut due: Option<Side> = None;
    let (mut played, mut counted) = (0u32, 0u32);
    let mut judged = Vec::with_capacity(order.len());
    for index in order {
        let game = &games[index];
        let verdict = 'verdict: {
            if let Some(number) = game.number {
                if let Some(&first) = seen.get(&number) {
                    break 'verdict Verdict::Ignored(Ignored::ListedBefore { index: first });
                }
                seen.insert(number, index);
            }
            if let Some(outside) = outside_the_window(game, rules) {
                break 'verdict Verdict::Ignored(outside);
            }
            played += 1;
            let first_played = played == 1;
            let over_the_limit = match rules.readings.game_cap {
                GameCap::CountedGames => counted >= rules.games_per_benchmark,
                GameCap::AllGames => played > rules.games_per_benchmark,
            };
            if !game.rated {
                if first_played && rules.readings.colour_setter == ColourSetter::FirstPlayed {
                    due = Some(game.side.other());
                }
                break 'verdict Verdict::Ignored(Ignored::Unrated);
            }
            if over_the_limit {
                break 'verdict Verdict::Ignored(Ignored::OverTheLimit { limit: rules.games_per_benchmark });
            }
            if let Some(due) = due
                && game.side != due
            {
                break 'verdict Verdict::Ignored(Ignored::WrongColour { due });
            }
            counted += 1;
            due = Some(game.side.other());
            Verdict::Counted { number: counted }
        };
        judged.push(Judged { game: index, verdict });
    }
    judged
}

/// The games against the benchmark, in the order of play.
fn in_order<P: PartialEq>(
    games: &[QualifyingGame<P>],
    benchmark: &P,
    rules: &QualifierRules<P>,
) -> Vec<usize> {
    let mut order: Vec<usize> = (0..games.len()).filter(|&i| games[i].benchmark == *benchmark).collect();
    order.sort_by_key(|&i| {
        let game = &games[i];
        let moment = match rules.readings.game_order {
            GameOrder::ByStart => (false, game.started_at),
            GameOrder::ByEnd => game.ended_at.map_or((true, game.started_at), |end| (false, end)),
        };
        (moment, game.number.unwrap_or(u64::MAX), i)
    });
    order
}

fn outside_the_window<P>(game: &QualifyingGame<P>, rules: &QualifierRules<P>) -> Option<Ignored> {
    if game.started_at <= rules.window.opens {
        return Some(Ignored::StartedTooEarly);
    }
    match game.ended_at {
        None => Some(Ignored::NotFinished),
        Some(end) if end >= rules.window.closes => Some(Ignored::FinishedTooLate),
        Some(_) => None,
    }
}
