//! Errors of ratings; [`RatingsError::hints`] has the next steps.

use crate::left_out::LeftOut;

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RatingsError {
    #[error("there is no game to rate{}", .0.in_words())]
    Empty(LeftOut),
    #[error("`{name}` is the only player, and ratings compare players")]
    OnePlayer { name: String },
    #[error("game {game} names player {player}, and the pool has {players}")]
    NoSuchPlayer { game: u64, player: usize, players: usize },
    #[error("`{found}` is not a valid rating system")]
    UnknownSystem { found: String },
    #[error("`{option}` of the system `{system}`: {why}")]
    Option { system: String, option: String, why: String },
    /// Ratings are unbounded without a prior.
    #[error(
        "Bradley-Terry without a prior has no finite ratings here: {who} {did} every game against the others, so the \
         likelihood grows without end as their ratings move apart"
    )]
    Unbounded {
        /// The first few.
        who: String,
        /// `won` or `lost`.
        did: &'static str,
    },
    #[error("of {games} games none can be judged: {why}")]
    NothingToJudge { games: usize, why: String },
}

impl RatingsError {
    /// One line each.
    #[must_use]
    pub fn hints(&self) -> Vec<String> {
        let hint = match self {
            RatingsError::Empty(left_out) if left_out.unrated > 0 => "count unrated games too",
            RatingsError::Empty(_) => "choose more: a later date, more players, a wider condition",
            RatingsError::OnePlayer { .. } => "name two or more players who met",
            RatingsError::NoSuchPlayer { .. } => "give every game the places of its players in the pool",
            RatingsError::UnknownSystem { .. } => {
                "the systems are gameroom, elo, glicko2, whr, bradley-terry and constant, each with options: \
                 `whr w2=14 prior=2`"
            }
            RatingsError::Option { .. } => "docs/explanation/ratings.md lists the options of every system",
            RatingsError::Unbounded { .. } => {
                "`bradley-terry prior=1` adds one drawn game of every player against the average"
            }
            RatingsError::NothingToJudge { .. } => {
                "judge from an earlier date, or ask for fewer games seen before"
            }
        };
        vec![hint.to_owned()]
    }
}
