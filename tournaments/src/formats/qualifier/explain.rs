//! The qualifier explained: what each entrant's score is made of, game by game (counted, or ignored and why), and what
//! puts each place below the one above it.

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

/// The ambiguous texts on which scores and their order rest, by their numbers in the register.
pub const TEXTS: &[&str] = &["T2", "T3", "T4", "T5", "T24", "T39", "T40"];

/// The score of an entrant with everything that it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ScoreExplanation {
    pub player: PlayerId,
    pub place: u32,
    pub counted: u64,
    pub points: u64,
    /// Zero minus the losses before the streaks.
    pub losses_before: i64,
    /// When the score was complete; none where nothing was won.
    pub completed_at: Option<Micros>,
    pub rating: Option<i64>,
    /// What puts the one above before this one; none for the first.
    pub below: Option<Explained>,
    /// Benchmark by benchmark, in the order of the stable.
    pub benchmarks: Vec<BenchmarkExplanation>,
    /// Games against players who are no benchmarks.
    pub others: Vec<GameExplanation>,
}

/// What the games against one benchmark are worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BenchmarkExplanation {
    pub benchmark: PlayerId,
    pub counted: u32,
    pub points: u32,
    /// The losses before the streak.
    pub losses_before: u32,
    /// The first and the last counted game of the streak, by number; none where nothing was won.
    pub streak: Option<(u32, u32)>,
    /// When the points were complete.
    pub completed_at: Option<Micros>,
    /// The games in the order of play.
    pub games: Vec<GameExplanation>,
}

/// One game: counted, or ignored and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameExplanation {
    /// Its position among the recorded games of the entrant, from 1.
    pub listed: usize,
    pub number: Option<u64>,
    /// The game, where the log holds it.
    pub game: Option<GameId>,
    /// The side of the entrant.
    pub side: Side,
    pub rated: bool,
    pub result: &'static str,
    pub started_at: Micros,
    pub ended_at: Micros,
    /// Its number among the counted games against that benchmark; none where it is ignored.
    pub counted: Option<u32>,
    /// What it does to the score: `point`, `beyond the maximum`, `loss before the streak`, `nothing`, `ignored`.
    pub weight: &'static str,
    pub paragraph: &'static str,
    pub because: String,
}

/// Every entrant's score, in the order of the qualifier.
///
/// # Errors
/// When the record lacks the period or the benchmarks, or its games contradict one another.
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
