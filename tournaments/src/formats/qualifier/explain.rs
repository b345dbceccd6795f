//! Explains the qualifier: each entrant's score game by game, and why each place is below the one above.

use annals_events::tournament::QualifyingGamePlayed;
use annals_events::{GameId, Micros, PlayerId, Side};
use serde::Serialize;

use super::count::{CheckedGame, GameStatus, Weight};
use super::order::{QualifierPlace, TieBreak};
use super::propose as qualifier;
use super::score::{BenchmarkScore, won};
use crate::explain::Explained;
use crate::refusal::Refusal;
use crate::rulebook::Rulebook;
use crate::state::Tournament;
use crate::state::calendar::utc;

/// Register numbers of the ambiguous texts on scores and their order.
pub const TEXTS: &[&str] = &["T2", "T3", "T4", "T5", "T24", "T39", "T40"];

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScoreExplanation {
    pub player: PlayerId,
    pub place: u32,
    pub counted: u64,
    pub points: u64,
    /// Minus the losses before the streaks.
    pub losses_before: i64,
    /// None without a win.
    pub completed_at: Option<Micros>,
    pub rating: Option<i64>,
    /// Why the place above is above; none for the first.
    pub below: Option<Explained>,
    pub benchmarks: Vec<BenchmarkExplanation>,
    /// Games against other players.
    pub others: Vec<GameExplanation>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BenchmarkExplanation {
    pub benchmark: PlayerId,
    pub counted: u32,
    pub points: u32,
    pub losses_before: u32,
    /// Numbers of the streak's first and last counted game; none without a win.
    pub streak: Option<(u32, u32)>,
    pub completed_at: Option<Micros>,
    pub games: Vec<GameExplanation>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameExplanation {
    /// Position among the entrant's recorded games, from 1.
    pub listed: usize,
    pub number: Option<u64>,
    /// None if the log does not contain it.
    pub game: Option<GameId>,
    /// The entrant's.
    pub side: Side,
    pub rated: bool,
    pub result: &'static str,
    pub started_at: Micros,
    pub ended_at: Micros,
    /// Number among the counted games against the benchmark; none if ignored.
    pub counted: Option<u32>,
    /// `point`, `beyond the maximum`, `loss before the streak`, `nothing` or `ignored`.
    pub weight: &'static str,
    pub paragraph: &'static str,
    pub because: String,
}

/// Every entrant's score, in qualifier order.
///
/// # Errors
/// If the period or the benchmarks are missing, or games contradict one another.
pub fn qualifier(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<ScoreExplanation>, Refusal> {
    let order = qualifier::order(tournament, rulebook)?;
    let mut scores = Vec::with_capacity(order.len());
    for (i, place) in order.iter().enumerate() {
        let above = i.checked_sub(1).and_then(|above| order.get(above));
        let games: Vec<&QualifyingGamePlayed> = qualifier::games_of(tournament, &place.player).collect();
        scores.push(ScoreExplanation {
            player: place.player.clone(),
            place: place.place,
            counted: place.score.counted,
            points: place.score.points,
            losses_before: place.score.tie_break,
            completed_at: place.score.completed_at,
            rating: place.rating,
            below: above.and_then(|above| below(above, place)),
            benchmarks: place.score.benchmarks.iter().map(|one| benchmark(one, &games)).collect(),
            others: place.score.against_others.iter().filter_map(|checked| game(*checked, &games)).collect(),
        });
    }
    Ok(scores)
}

fn below(above: &QualifierPlace, place: &QualifierPlace) -> Option<Explained> {
    let criterion = place.below_by?;
    let moment = |at: Option<Micros>| at.map_or("never".to_owned(), utc);
    let rating = |rating: Option<i64>| rating.map_or("unknown".to_owned(), |rating| rating.to_string());
    let (theirs, own) = match criterion {
        TieBreak::Played => (above.score.counted.to_string(), place.score.counted.to_string()),
        TieBreak::Points => (above.score.points.to_string(), place.score.points.to_string()),
        TieBreak::LossesBefore => {
            let losses = |place: &QualifierPlace| place.score.tie_break.saturating_neg().to_string();
            (losses(above), losses(place))
        }
        TieBreak::Completion => (moment(above.score.completed_at), moment(place.score.completed_at)),
        TieBreak::Rating => (rating(above.rating), rating(place.rating)),
        TieBreak::Registration => {
            (format!("entry {}", above.registered + 1), format!("entry {}", place.registered + 1))
        }
    };
    Some(Explained {
        what: format!("{} has place {}, below {}", place.player, place.place, above.player),
        paragraph: criterion.paragraph().to_owned(),
        because: format!("{} {criterion}: {theirs} against {own}", above.player),
    })
}

fn benchmark(score: &BenchmarkScore, games: &[&QualifyingGamePlayed]) -> BenchmarkExplanation {
    let completed_by = score.completed.map(|(number, _)| number);
    let mut explained: Vec<GameExplanation> =
        score.games.iter().filter_map(|checked| game(*checked, games)).collect();
    for game in explained.iter_mut().filter(|game| game.counted.is_some() && game.counted == completed_by) {
        game.because.push_str(", and completes the score against this benchmark");
    }
    let last = |first: u32, length: u32| first.saturating_add(length).saturating_sub(1);
    BenchmarkExplanation {
        benchmark: score.benchmark.clone(),
        counted: score.counted,
        points: score.points,
        losses_before: score.losses_before,
        streak: score.streak.map(|streak| (streak.first, last(streak.first, streak.length))),
        completed_at: score.completed.map(|(_, at)| at),
        games: explained,
    }
}

fn game((index, verdict): CheckedGame, games: &[&QualifyingGamePlayed]) -> Option<GameExplanation> {
    let recorded = games.get(index)?;
    let (counted, word, paragraph, because) = match verdict {
        GameStatus::Counted { number, weight } => {
            let (word, paragraph, does) = match weight {
                Weight::Point => {
                    ("point", "2015 WCC, Qualifying 4", "a win of the longest streak makes a point")
                }
                Weight::BeyondTheMaximum => (
                    "beyond the maximum",
                    "2015 WCC, Qualifying 4",
                    "the streak has made all points that can be had",
                ),
                Weight::LossBefore => {
                    ("loss before the streak", "2015 WCC, Qualifying 5", "a loss before the longest streak")
                }
                Weight::Nothing => (
                    "nothing",
                    "2015 WCC, Qualifying 5",
                    "it lies outside the longest streak and is no loss before it",
                ),
            };
            (Some(number), word, paragraph, format!("it counts as game {number}: {does}"))
        }
        GameStatus::Ignored(why) => (None, "ignored", why.paragraph(), format!("it is ignored: {why}")),
    };
    Some(GameExplanation {
        listed: index + 1,
        number: recorded.number,
        game: recorded.game.clone(),
        side: recorded.side,
        rated: recorded.rated,
        result: match won(recorded) {
            Some(true) => "won",
            Some(false) => "lost",
            None => "undecided",
        },
        started_at: recorded.started_at,
        ended_at: recorded.ended_at,
        counted,
        weight: word,
        paragraph,
        because,
    })
}
