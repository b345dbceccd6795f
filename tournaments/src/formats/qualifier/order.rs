//! The order of the qualifier: points, two tie-breaks, then players without games.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use annals_events::tournament::QualifyingGamePlayed;
use annals_events::{Micros, PlayerId};

use super::count::QualifierRules;
use super::score::QualifierScore;

/// A player with all recorded games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QualifierEntrant<'a> {
    pub player: &'a PlayerId,
    /// The gameroom rating at the end of the period, if known.
    pub rating: Option<i64>,
    pub games: Vec<&'a QualifyingGamePlayed>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TieBreak {
    /// Only one has played qualifying games.
    Played,
    Points,
    LossesBefore,
    Completion,
    /// The gameroom rating: for players without games, and a last resort for others.
    Rating,
    /// The order of registration, which makes the order total; not in the text.
    Registration,
}

impl TieBreak {
    pub const fn paragraph(self) -> &'static str {
        match self {
            TieBreak::Points => "2015 WCC, Qualifying 4",
            TieBreak::LossesBefore | TieBreak::Completion => "2015 WCC, Qualifying 5",
            TieBreak::Played | TieBreak::Rating => "2015 WCC, Qualifying 7",
            TieBreak::Registration => "2015 WCC, Registration",
        }
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TieBreak::Played => "has played qualifying games",
            TieBreak::Points => "more points",
            TieBreak::LossesBefore => "fewer losses before the streaks",
            TieBreak::Completion => "completed the score earlier",
            TieBreak::Rating => "higher gameroom rating",
            TieBreak::Registration => "registered earlier",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QualifierPlace {
    pub place: u32,
    pub player: PlayerId,
    pub score: QualifierScore,
    pub rating: Option<i64>,
    /// Index in the order of registration, from 0.
    pub registered: usize,
    /// Why the place above is above; none for the first.
    pub below_by: Option<TieBreak>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QualifierError {
    #[error(
        "the qualifying period opens at {opens} and closes at {closes} (microseconds since 1970), so no game can \
         be in it. Correct the schedule"
    )]
    NoPeriod { opens: Micros, closes: Micros },
    #[error("no benchmark is declared, so no game can count. Declare the stable first")]
    NoBenchmarks,
    #[error("{benchmark} is declared twice as a benchmark, and its games would count twice. Declare it once")]
    BenchmarkTwice { benchmark: PlayerId },
    #[error(
        "game {} of {player} against {benchmark} starts at {started_at} and is over at {ended_at} (microseconds \
         since 1970). Correct its times: whether it counts depends on them",
        game + 1
    )]
    TimesReversed {
        player: PlayerId,
        benchmark: PlayerId,
        /// Index in the raw list, from 0.
        game: usize,
        started_at: Micros,
        ended_at: Micros,
    },
    /// Different games of one entrant have the same number.
    #[error(
        "games {} and {} of {player} are different and both have the number {number}. Correct one of them: only \
         one of them can count",
        first + 1, second + 1
    )]
    NumberTwice {
        player: PlayerId,
        number: u64,
        /// The first index in the raw list, from 0.
        first: usize,
        second: usize,
    },
}

/// Orders the entrants, which are given in order of registration.
///
/// # Errors
/// If the rulebook's figures or the games contradict themselves.
pub fn rank(
    entrants: &[QualifierEntrant<'_>],
    rules: &QualifierRules,
) -> Result<Vec<QualifierPlace>, QualifierError> {
    check(rules)?;
    entrants.iter().try_for_each(check_games)?;
    let mut places: Vec<QualifierPlace> = entrants
        .iter()
        .enumerate()
        .map(|(registered, entrant)| QualifierPlace {
            place: 0,
            player: entrant.player.clone(),
            score: QualifierScore::of(&entrant.games, rules),
            rating: entrant.rating,
            registered,
            below_by: None,
        })
        .collect();
    places.sort_by(|a, b| compare(a, b).0);
    let reasons: Vec<TieBreak> = places.windows(2).map(|two| compare(&two[0], &two[1]).1).collect();
    let reasons = std::iter::once(None).chain(reasons.into_iter().map(Some));
    for ((place, number), below_by) in places.iter_mut().zip(1..).zip(reasons) {
        (place.place, place.below_by) = (number, below_by);
    }
    Ok(places)
}

/// Which of two is above (`Less`: the first), and why. Registration makes the order total.
fn compare(a: &QualifierPlace, b: &QualifierPlace) -> (Ordering, TieBreak) {
    let (x, y) = (&a.score, &b.score);
    let late = |score: &QualifierScore| (score.completed_at.is_none(), score.completed_at);
    let keys = [
        (y.played.cmp(&x.played), TieBreak::Played),
        (y.points.cmp(&x.points), TieBreak::Points),
        (y.tie_break.cmp(&x.tie_break), TieBreak::LossesBefore),
        (late(x).cmp(&late(y)), TieBreak::Completion),
        (b.rating.cmp(&a.rating), TieBreak::Rating),
        (a.registered.cmp(&b.registered), TieBreak::Registration),
    ];
    let games = [TieBreak::Points, TieBreak::LossesBefore, TieBreak::Completion];
    // Where only one of them played, that decides before the games do.
    let decides = |(ordering, criterion): &(Ordering, TieBreak)| {
        ordering.is_ne() && (x.played || !games.contains(criterion))
    };
    keys.into_iter().find(decides).unwrap_or((Ordering::Equal, TieBreak::Registration))
}

fn check(rules: &QualifierRules) -> Result<(), QualifierError> {
    if rules.opens >= rules.closes {
        return Err(QualifierError::NoPeriod { opens: rules.opens, closes: rules.closes });
    }
    if rules.benchmarks.is_empty() {
        return Err(QualifierError::NoBenchmarks);
    }
    let mut stable = BTreeSet::new();
    match rules.benchmarks.iter().find(|benchmark| !stable.insert(*benchmark)) {
        Some(twice) => Err(QualifierError::BenchmarkTwice { benchmark: twice.clone() }),
        None => Ok(()),
    }
}

fn check_games(entrant: &QualifierEntrant<'_>) -> Result<(), QualifierError> {
    let player = || entrant.player.clone();
    let facts = |game: &QualifyingGamePlayed| {
        let benchmark = game.benchmark.clone();
        (benchmark, game.side, game.rated, game.started_at, game.ended_at, game.winner)
    };
    let mut numbers = BTreeMap::new();
    for (i, game) in entrant.games.iter().enumerate() {
        let (started_at, ended_at) = (game.started_at, game.ended_at);
        if ended_at < started_at {
            let benchmark = game.benchmark.clone();
            return Err(QualifierError::TimesReversed {
                player: player(),
                benchmark,
                game: i,
                started_at,
                ended_at,
            });
        }
        if let Some(number) = game.number {
            let first = *numbers.entry(number).or_insert(i);
            if facts(entrant.games[first]) != facts(game) {
                return Err(QualifierError::NumberTwice { player: player(), number, first, second: i });
            }
        }
    }
    Ok(())
}
