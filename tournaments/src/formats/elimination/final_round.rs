use annals_events::PlayerId;
use annals_events::tournament::{Bye, Measure};

use super::course::Course;
use crate::formats::RoundPairing;
use crate::formats::ranks::measure;
use crate::pairing::Optima;
use crate::rulebook::{RuleId, Rulebook};
use crate::tpr::Ratings;

#[derive(Debug, Clone)]
pub struct FinalRound {
    /// Players in, criteria, best pairing.
    pub best: RoundPairing,
    /// Tournament performance ratings, if the rules need them.
    pub ratings: Option<Ratings>,
    pub optima: Optima,
    /// The final before the round.
    pub(crate) course: Course,
}

impl FinalRound {
    /// Losses, in 2015 the rating, and the seed.
    pub(super) fn measures(&self, player: &PlayerId) -> Vec<Measure> {
        let state = &self.course.state;
        let seed = state.field().seed(player).map_or(i64::MAX, |seed| seed as i64);
        let elo = self.ratings.as_ref().and_then(|ratings| ratings.elo(player));
        let losses = measure("losses", [state.tally().record(player).losses]);
        let rating = elo.map(|elo| measure("rating", [millionths(elo)]));
        [losses].into_iter().chain(rating).chain([measure("seed", [seed])]).collect()
    }

    pub(super) fn bye(&self, rulebook: &Rulebook, player: &PlayerId) -> Bye {
        let record = self.course.state.tally().record(player);
        let had = format!("{} byes so far, and nobody who is in has had fewer", record.byes);
        let because: Vec<String> = self.measures(player).iter().map(in_words).collect();
        let grounds = [(RuleId::ByeFewest, had), (RuleId::ByeChoice, because.join(", "))];
        let grounds = grounds.into_iter().filter_map(|(rule, found)| rulebook.ground(rule, found));
        Bye { player: player.clone(), half_points: None, grounds: grounds.collect() }
    }
}

/// The value of a tie-break as text; a rating in Elo points.
fn in_words(measure: &Measure) -> String {
    let value = |value: &i64| match measure.name.as_str() {
        "rating" => format!("{}.{:03}", value / 1_000_000, value.rem_euclid(1_000_000) / 1_000),
        _ => value.to_string(),
    };
    format!("{} {}", measure.name, measure.values.iter().map(value).collect::<Vec<_>>().join(" "))
}

/// A rating in millionths of an Elo point; far within the range of `i64`.
pub(super) fn millionths(elo: f64) -> i64 {
    (elo * 1e6).round() as i64
}
