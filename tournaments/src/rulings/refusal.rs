//! Why an act is refused: the rule and its paragraph.

use super::act::{AttemptStatus, ResumePoint};

/// Why an act is refused. It has changed nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal<K, G> {
    /// A round is to be paired, or a game of it to start, before everything of the round before has a result.
    RoundBeforeOpen {
        /// The round that is to be paired or begun.
        round: u32,
        /// A pairing of the round before that has no result; none where that round is not paired.
        open: Option<K>,
    },
    /// A round is to be paired anew and has begun, or has results.
    RoundBegun {
        /// The round.
        round: u32,
    },
    /// Rounds are counted from 1.
    NoSuchRound,
    /// A pairing of another round bears this name, or two of this one do.
    PairingTwice {
        /// The pairing.
        pairing: K,
    },
    /// A player appears twice in a round.
    PlayerTwice {
        /// The pairing with the second appearance.
        pairing: K,
    },
    /// There is no such pairing, or it was revoked.
    NoSuchPairing {
        /// The pairing.
        pairing: K,
    },
    /// There is no such game.
    NoSuchGame {
        /// The game.
        game: G,
    },
    /// A game of that name exists.
    GameTwice {
        /// The game.
        game: G,
    },
    /// The pairing has a result.
    HasResult {
        /// The pairing.
        pairing: K,
    },
    /// Another attempt is being played.
    AnotherOpen {
        /// That game.
        game: G,
    },
    /// A further attempt is to start and none is due.
    NothingDue {
        /// The pairing.
        pairing: K,
    },
    /// The attempt is to go on from another point than the one that was ruled.
    WrongPoint {
        /// The point that was ruled.
        due: ResumePoint<G>,
    },
    /// A first attempt goes on from nowhere.
    FirstFromTheStart {
        /// The pairing.
        pairing: K,
    },
    /// The players or their colours are not those of the pairing.
    ColoursDiffer {
        /// The pairing.
        pairing: K,
    },
    /// The game is not being played.
    NotOpen {
        /// The game.
        game: G,
        /// How it stands.
        status: AttemptStatus,
    },
    /// A game can be halted only while it is played.
    HaltNeedsAGameInProgress {
        /// The game.
        game: G,
    },
    /// A result can be invalidated only of a game that is over.
    InvalidationNeedsAFinishedGame {
        /// The game.
        game: G,
    },
    /// The game's result is not the one in force.
    NotInForce {
        /// The game.
        game: G,
    },
    /// The point lies beyond the plies that were played.
    BeyondThePlies {
        /// The point.
        ply: u32,
        /// How many plies were played.
        played: u32,
    },
    /// A later round has begun, so nothing of this one changes any more.
    Frozen {
        /// The round.
        round: u32,
        /// The later round that has begun.
        begun: u32,
    },
    /// A forfeit has one winner, or is a double loss.
    NoForfeit,
    /// Colours are fixed once a game has started.
    GameStarted {
        /// The first game of the pairing.
        game: G,
    },
}

impl<K, G> Refusal<K, G> {
    /// The paragraph that it follows from.
    #[must_use]
    pub const fn paragraph(&self) -> &'static str {
        match self {
            Refusal::Frozen { .. } | Refusal::RoundBegun { .. } => "2015 WCC, Technical Problems 1",
            Refusal::HaltNeedsAGameInProgress { .. } => "2015 WCC, Technical Problems 2",
            Refusal::InvalidationNeedsAFinishedGame { .. } | Refusal::NotInForce { .. } => {
                "2015 WCC, Technical Problems 3"
            }
            Refusal::WrongPoint { .. }
            | Refusal::NothingDue { .. }
            | Refusal::BeyondThePlies { .. }
            | Refusal::FirstFromTheStart { .. }
            | Refusal::NotOpen { .. } => "2015 WCC, Technical Problems 2 and 3",
            Refusal::ColoursDiffer { .. } | Refusal::GameStarted { .. } => "2015 WCC, Color Assignment",
            Refusal::RoundBeforeOpen { .. }
            | Refusal::NoSuchRound
            | Refusal::PairingTwice { .. }
            | Refusal::PlayerTwice { .. }
            | Refusal::NoSuchPairing { .. }
            | Refusal::NoSuchGame { .. }
            | Refusal::GameTwice { .. }
            | Refusal::HasResult { .. }
            | Refusal::AnotherOpen { .. }
            | Refusal::NoForfeit => "2015 WCC, Tournament format",
        }
    }
}

impl<K: std::fmt::Display, G: std::fmt::Display> std::fmt::Display for Refusal<K, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::RoundBeforeOpen { round, open: Some(open) } => {
                write!(
                    f,
                    "round {round} cannot be paired or begun: pairing {open} of the round before has no result"
                )
            }
            Refusal::RoundBeforeOpen { round, open: None } => {
                write!(f, "round {round} cannot be paired or begun: the round before is not paired")
            }
            Refusal::RoundBegun { round } => {
                write!(f, "round {round} has begun or has results and cannot be paired anew")
            }
            Refusal::NoSuchRound => write!(f, "rounds are counted from 1"),
            Refusal::PairingTwice { pairing } => write!(f, "there is a pairing {pairing} already"),
            Refusal::PlayerTwice { pairing } => {
                write!(f, "a player of pairing {pairing} appears a second time in the round")
            }
            Refusal::NoSuchPairing { pairing } => {
                write!(f, "there is no pairing {pairing}, or it was revoked")
            }
            Refusal::NoSuchGame { game } => write!(f, "there is no game {game}"),
            Refusal::GameTwice { game } => write!(f, "there is a game {game} already"),
            Refusal::HasResult { pairing } => {
                write!(f, "pairing {pairing} has its result; only a ruling can change it")
            }
            Refusal::AnotherOpen { game } => write!(f, "game {game} of the same pairing is being played"),
            Refusal::NothingDue { pairing } => {
                write!(f, "pairing {pairing} is owed no further attempt: no ruling halted or invalidated one")
            }
            Refusal::WrongPoint { due } => {
                write!(f, "the attempt must go on from game {} after ply {}, as was ruled", due.game, due.ply)
            }
            Refusal::FirstFromTheStart { pairing } => {
                write!(f, "the first game of pairing {pairing} starts from the start")
            }
            Refusal::ColoursDiffer { pairing } => {
                write!(f, "players and colours must be those of pairing {pairing}")
            }
            Refusal::NotOpen { game, status } => {
                let stands = match status {
                    AttemptStatus::Open => "being played",
                    AttemptStatus::Over => "over",
                    AttemptStatus::Halted => "halted",
                    AttemptStatus::Invalidated => "invalidated",
                };
                write!(f, "game {game} is {stands}")
            }
            Refusal::HaltNeedsAGameInProgress { game } => {
                write!(f, "game {game} is not in progress, so it cannot be halted: invalidate its result")
            }
            Refusal::InvalidationNeedsAFinishedGame { game } => {
                write!(f, "game {game} has no result that could be invalidated")
            }
            Refusal::NotInForce { game } => write!(f, "the result in force is not that of game {game}"),
            Refusal::BeyondThePlies { ply, played } => {
                write!(f, "ply {ply} lies beyond the {played} plies that were played")
            }
            Refusal::Frozen { round, begun } => {
                write!(f, "round {begun} has begun, so nothing of round {round} changes any more")
            }
            Refusal::NoForfeit => write!(f, "a forfeit has one winner, or both lose"),
            Refusal::GameStarted { game } => {
                write!(f, "game {game} has started, so the colours of its pairing are fixed")
            }
        }?;
        write!(f, " ({})", self.paragraph())
    }
}

impl<K, G> std::error::Error for Refusal<K, G>
where
    K: std::fmt::Debug + std::fmt::Display,
    G: std::fmt::Debug + std::fmt::Display,
{
}
