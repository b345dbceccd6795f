//! What can happen to rounds, pairings and games, what they are then, and what follows.

use annals_events::tournament::{Clocks, Failure, Outcome};

/// A pair of a round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairedBoard<K, P> {
    /// The pairing.
    pub pairing: K,
    /// Who has Gold.
    pub gold: P,
    /// Who has Silver.
    pub silver: P,
}

/// A point of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResumePoint<G> {
    /// The game.
    pub game: G,
    /// How many plies stand.
    pub ply: u32,
}

/// Something that happens, or that a director wants to happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act<K, G, P> {
    /// A round is paired; a round that has not begun may be paired anew.
    RoundPaired {
        /// The round, from 1.
        round: u32,
        /// Its pairs.
        boards: Vec<PairedBoard<K, P>>,
    },
    /// A game of a pairing starts.
    GameStarted {
        /// The pairing.
        pairing: K,
        /// The game.
        game: G,
        /// From where it goes on: none for a first attempt.
        resumes: Option<ResumePoint<G>>,
        /// Who has Gold, where that is said.
        gold: Option<P>,
        /// Who has Silver, where that is said.
        silver: Option<P>,
        /// The clocks at its start; for a resumed game, those of the debt where none are given.
        clocks: Option<Clocks>,
    },
    /// A ply is played.
    PlyPlayed {
        /// The game.
        game: G,
        /// The clocks after it.
        clocks: Option<Clocks>,
    },
    /// A game is over, and its pairing has a result.
    GameEnded {
        /// The game.
        game: G,
        /// How it came out.
        outcome: Outcome,
    },
    /// A pairing is decided without a game, or a game under way by forfeit.
    Forfeited {
        /// The pairing.
        pairing: K,
        /// How it comes out: one winner, or a double loss.
        outcome: Outcome,
    },
    /// A game under way is halted, made unrated, and to be resumed (Technical Problems 2).
    Halted {
        /// From where.
        point: ResumePoint<G>,
        /// What went wrong.
        failure: Failure,
        /// The clocks from which it is to go on; those after that ply where none are given.
        clocks: Option<Clocks>,
    },
    /// The result of a finished game is invalidated, the game made unrated, and to be replayed (Technical Problems 3).
    Invalidated {
        /// From where.
        point: ResumePoint<G>,
        /// What went wrong.
        failure: Failure,
        /// The clocks from which it is to go on; those after that ply where none are given.
        clocks: Option<Clocks>,
    },
    /// The director sets the result of a pairing, whether it has one or not. A game under way is over by it, and no further
    /// attempt is due.
    ResultSet {
        /// The pairing.
        pairing: K,
        /// How it comes out.
        outcome: Outcome,
    },
    /// The director sets the colours of a pairing of which no game has started.
    ColoursSet {
        /// The pairing.
        pairing: K,
        /// Who has Gold.
        gold: P,
    },
}

/// How it stands with an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptStatus {
    /// It is being played.
    Open,
    /// It is over.
    Over,
    /// It was halted.
    Halted,
    /// It is over and its result was invalidated.
    Invalidated,
}

/// One game of a pairing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt<K, G> {
    /// The pairing.
    pub pairing: K,
    /// From where it goes on; none for a first attempt.
    pub resumes: Option<ResumePoint<G>>,
    /// How it stands.
    pub status: AttemptStatus,
    /// How many plies stand, those before its start among them.
    pub plies: u32,
    /// Whether it is rated.
    pub rated: bool,
    /// The clocks at its start, then after each ply played in it.
    pub clocks: Vec<Option<Clocks>>,
}

/// What a pairing is owed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Debt<G> {
    /// From where the next attempt goes on.
    pub point: ResumePoint<G>,
    /// What went wrong.
    pub failure: Failure,
    /// The clocks from which it goes on: those that were ruled, else those after that ply; none where they are not known
    /// (Technical Problems 6).
    pub clocks: Option<Clocks>,
}

/// A pairing as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board<G, P> {
    /// Its round.
    pub round: u32,
    /// Who has Gold.
    pub gold: P,
    /// Who has Silver.
    pub silver: P,
    /// Its games, in order.
    pub attempts: Vec<G>,
    /// Its result; none while it is open.
    pub result: Option<Outcome>,
    /// What it is owed.
    pub debt: Option<Debt<G>>,
}

/// What follows from an act beyond the act itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consequence<K, G> {
    /// A game is no longer rated.
    MadeUnrated {
        /// The game.
        game: G,
    },
    /// A pairing has no result any more.
    ResultRemoved {
        /// The pairing.
        pairing: K,
    },
    /// A pairing is owed another attempt.
    AttemptDue {
        /// The pairing.
        pairing: K,
        /// From where.
        point: ResumePoint<G>,
    },
    /// A round that had not begun was paired on a result that no longer stands: its pairings are revoked.
    RoundRevoked {
        /// The round.
        round: u32,
    },
    /// A game under way is over.
    GameClosed {
        /// The game.
        game: G,
    },
}

/// The paragraph by which a failure warrants a halt or a replay: those of the list, and those that the director weighs.
#[must_use]
pub const fn failure_paragraph(failure: Failure) -> &'static str {
    match failure {
        Failure::ExtraneousProcess => "2015 WCC, Technical Problems 4.1",
        Failure::MoveLostToGameServer => "2015 WCC, Technical Problems 4.2",
        Failure::MoveLostToPlayer => "2015 WCC, Technical Problems 4.3",
        Failure::RestartedMidMove => "2015 WCC, Technical Problems 4.4",
        Failure::Misconfigured => "2015 WCC, Technical Problems 4.5",
        Failure::GameServer | Failure::Other => "2015 WCC, Technical Problems 5",
    }
}
