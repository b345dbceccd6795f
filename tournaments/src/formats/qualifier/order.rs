//! The order of the qualifier: points, two tie-breaks, and below them those who did not play.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fmt;

use annals_events::Micros;

use super::game::{QualifierRules, QualifyingGame};
use super::streak::QualifierScore;

/// One who wants to qualify, with all games that were recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entrant<P> {
    /// Who.
    pub player: P,
    /// The gameroom rating at the end of the period; none where it is not known.
    pub rating: Option<i64>,
    /// The raw games.
    pub games: Vec<QualifyingGame<P>>,
}

/// What the order of two entrants rests on, most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    /// One has counted games, the other none.
    Played,
    /// Points.
    Points,
    /// Losses before the streaks.
    LossesBefore,
    /// The moment of completion.
    Completion,
    /// The gameroom rating: the rule among those who did not play; the text has nothing further for others.
    Rating,
    /// The order of registration, which the text does not name: it makes every order total.
    Registration,
}

impl Criterion {
    /// The paragraph that it follows from.
    #[must_use]
    pub const fn paragraph(self) -> &'static str {
        match self {
            Criterion::Points => "2015 WCC, Qualifying 4",
            Criterion::LossesBefore | Criterion::Completion => "2015 WCC, Qualifying 5",
            Criterion::Played | Criterion::Rating => "2015 WCC, Qualifying 7",
            Criterion::Registration => "2015 WCC, Registration",
        }
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Criterion::Played => "has played qualifying games",
            Criterion::Points => "more points",
            Criterion::LossesBefore => "fewer losses before the streaks",
            Criterion::Completion => "completed the score earlier",
            Criterion::Rating => "higher gameroom rating",
            Criterion::Registration => "registered earlier",
        })
    }
}

/// A place in the order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<P> {
    /// The place, from 1; no two share one.
    pub place: u32,
    /// Who.
    pub player: P,
    /// What the games are worth.
    pub score: QualifierScore<P>,
    /// The gameroom rating.
    pub rating: Option<i64>,
    /// The position in the order of registration, from 0.
    pub registered: usize,
    /// What puts the one above before this one; none for the first.
    pub below_by: Option<Criterion>,
}

/// Why no order can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QualifierError<P: fmt::Display> {
    /// The period ends before it begins.
    #[error(
        "the qualifying period opens at {opens} and closes at {closes} (microseconds since 1970), so no game can \
         lie in it. Correct the schedule (2015 WCC, Qualifying period)"
    )]
    NoPeriod {
        /// When it opens.
        opens: Micros,
        /// When it closes.
        closes: Micros,
    },
    /// No benchmark is declared.
    #[error(
        "no benchmark is declared, so no game can count. Declare the stable first (2015 WCC, Qualifying 2)"
    )]
    NoBenchmarks,
    /// A benchmark is declared twice.
    #[error("{benchmark} is declared twice as a benchmark, and its games would count twice. Declare it once")]
    BenchmarkTwice {
        /// The benchmark.
        benchmark: P,
    },
    /// An entrant is listed twice.
    #[error("{player} is entered twice. Each program enters once (2015 WCC, Registration)")]
    EntrantTwice {
        /// The entrant.
        player: P,
    },
    /// A game is over before it starts.
    #[error(
        "game {} of {player} against {benchmark} starts at {started_at} and is over at {ended_at} (microseconds \
         since 1970). Correct its times: whether it counts depends on them",
        game + 1
    )]
    TimesReversed {
        /// The entrant.
        player: P,
        /// The benchmark.
        benchmark: P,
        /// The position in the raw list, from 0.
        game: usize,
        /// When it starts.
        started_at: Micros,
        /// When it is over.
        ended_at: Micros,
    },
    /// Two different games of one entrant bear one number.
    #[error(
        "games {} and {} of {player} are different and both bear the number {number}. Correct one of them: only \
         one of them can count",
        first + 1, second + 1
    )]
    NumberTwice {
        /// The entrant.
        player: P,
        /// The number.
        number: u64,
        /// The first position in the raw list, from 0.
        first: usize,
        /// The second.
        second: usize,
    },
}

/// Puts the entrants, given in order of registration, in the order of the qualifier. An empty field has an empty
/// order.
///
/// # Errors
///
/// When the figures of the rulebook or the games contradict themselves.
pub fn rank<P: Clone + Ord + fmt::Display>(
    entrants: &[Entrant<P>],
    rules: &QualifierRules<P>,
) -> std::result::Result<Vec<Place<P>>, QualifierError<P>> {
    check(entrants, rules)?;
    let mut places: Vec<Place<P>> = entrants
        .iter()
        .enumerate()
        .map(|(registered, entrant)| Place {
            place: 0,
            player: entrant.player.clone(),
            score: QualifierScore::of(&entrant.games, rules),
            rating: entrant.rating,
            registered,
            below_by: None,
        })
        .collect();
    places.sort_by(|a, b| compare(a, b).0);
    for i in 0..places.len() {
        places[i].place = u32::try_from(i + 1).unwrap_or(u32::MAX);
        if i > 0 {
            places[i].below_by = Some(compare(&places[i - 1], &places[i]).1);
        }
    }
    Ok(places)
}

/// Which of two stands above (`Less`: the first), and by what. The order never leaves two level, since no two
/// registered at one position.
#[must_use]
pub fn compare<P>(a: &Place<P>, b: &Place<P>) -> (Ordering, Criterion) {
    let (x, y) = (&a.score, &b.score);
    let (played, also_played) = (x.counted > 0, y.counted > 0);
    let mut keys = vec![(also_played.cmp(&played), Criterion::Played)];
    if played && also_played {
        keys.push((y.points.cmp(&x.points), Criterion::Points));
        keys.push((y.tie_break.cmp(&x.tie_break), Criterion::LossesBefore));
        let late = |score: &QualifierScore<P>| (score.completed_at.is_none(), score.completed_at);
        keys.push((late(x).cmp(&late(y)), Criterion::Completion));
    }
    keys.push((b.rating.cmp(&a.rating), Criterion::Rating));
    keys.push((a.registered.cmp(&b.registered), Criterion::Registration));
    keys.into_iter()
        .find(|(ordering, _)| ordering.is_ne())
        .unwrap_or((Ordering::Equal, Criterion::Registration))
}

fn check<P: Clone + Ord + fmt::Display>(
    entrants: &[Entrant<P>],
    rules: &QualifierRules<P>,
) -> std::result::Result<(), QualifierError<P>> {
    let window = rules.window;
    if window.opens >= window.closes {
        return Err(QualifierError::NoPeriod { opens: window.opens, closes: window.closes });
    }
    if rules.benchmarks.is_empty() {
        return Err(QualifierError::NoBenchmarks);
    }
    let mut stable = BTreeSet::new();
    if let Some(twice) = rules.benchmarks.iter().find(|benchmark| !stable.insert(*benchmark)) {
        return Err(QualifierError::BenchmarkTwice { benchmark: twice.clone() });
    }
    let mut field = BTreeSet::new();
    for entrant in entrants {
        if !field.insert(&entrant.player) {
            return Err(QualifierError::EntrantTwice { player: entrant.player.clone() });
        }
        let mut numbers = std::collections::BTreeMap::new();
        for (i, game) in entrant.games.iter().enumerate() {
            if let Some(ended_at) = game.ended_at
                && ended_at < game.started_at
            {
                return Err(QualifierError::TimesReversed {
                    player: entrant.player.clone(),
                    benchmark: game.benchmark.clone(),
                    game: i,
                    started_at: game.started_at,
                    ended_at,
                });
            }
            if let Some(number) = game.number {
                let first = *numbers.entry(number).or_insert(i);
                if entrant.games[first] != *game {
                    return Err(QualifierError::NumberTwice {
                        player: entrant.player.clone(),
                        number,
                        first,
                        second: i,
                    });
                }
            }
        }
    }
    Ok(())
}
