//! What a director can ask for. Facts come in as events; what the rules work out comes in as a request.

use annals_events::tournament::{
    AppealFiled, DisputeFiled, Disqualification, Effect, Evidence, Outcome, Stage,
};
use annals_events::{BoardId, GameId, Micros, PlayerId, Side, Termination, TournamentEvent};

/// A request of a director.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// A fact, or a decision that the director has worded: taken as it is, if the rules allow.
    Record(Box<TournamentEvent>),
    /// Declares the number of rounds of a stage from the number of players (2009 WC, Preliminary 1).
    DeclareRounds,
    /// Publishes the order of a stage with who goes on: the qualifier, or the Swiss.
    Qualify,
    /// Invites the next in the order (2015 WCC, Program Submission).
    Invite {
        /// Whose place it is; the one vacant place where it is not said.
        replaces: Option<PlayerId>,
    },
    Disqualify {
        player: PlayerId,
        cause: Disqualification,
        reason: Option<String>,
        /// The rules that it cites; that of its cause where it cites none.
        rules: Vec<String>,
    },
    /// Draws the lots of the next round from a seed (2009 WC, Preliminary 6).
    DrawLots {
        seed: String,
        /// The commitment to it that had been published.
        commitment: Option<String>,
    },
    Pair {
        /// The seed from which coins are drawn where the colour rules ask for one.
        seed: Option<String>,
    },
    /// Fixes the time of a game; from what the players asked for where no time is given (2009 WC, Time of games).
    Schedule { pairing: BoardId, at: Option<Micros>, reason: Option<String> },
    /// A player chooses a side (2009 WC, playoffs).
    ChooseColour { pairing: BoardId, player: PlayerId, side: Side },
    /// The game of a pairing begins; the first one begins the round.
    Start {
        pairing: BoardId,
        /// The game, where the log holds it.
        game: Option<GameId>,
    },
    /// A pairing has its result.
    Result {
        pairing: BoardId,
        /// How it came out; that of the game where it is not said.
        outcome: Option<Outcome>,
        termination: Option<Termination>,
        game: Option<GameId>,
        /// The winner's territory (Olympiad 2000).
        territory: Option<u32>,
    },
    /// A player did not come, or neither did.
    Forfeit {
        pairing: BoardId,
        /// Who did not come; several for a double forfeit.
        absent: Vec<PlayerId>,
        /// Until when the other waited.
        waited_until: Option<Micros>,
    },
    /// A ruling; its number is given here.
    Rule {
        effect: Effect,
        reason: String,
        evidence: Vec<Evidence>,
        /// The dispute that it decides.
        dispute: Option<u32>,
        /// The ruling that it replaces.
        supersedes: Option<u32>,
    },
    /// A dispute, with the next number whatever its own is.
    Dispute(DisputeFiled),
    /// An appeal, with the next number whatever its own is.
    Appeal(AppealFiled),
    /// An appeal is decided; an accepted one of a removed player reinstates them.
    DecideAppeal { number: u32, accepted: bool, reason: String },
    /// Awards all prizes that follow from the results.
    Award,
    /// Awards a thing, such as a gift certificate (2009 WC, Notes 1).
    AwardThing { player: PlayerId, thing: String },
    /// Pays back what the rulebook promises.
    Refund,
    /// A player gives back every prize that they were awarded (2015 WCC, Publication).
    ReturnPrize { player: PlayerId, reason: String },
    /// Closes the tournament with its final order.
    Close { note: Option<String> },
    /// Tells players what has not been told: their pairings, their times.
    Notify {
        /// The stage or round that it is about; everything due where it is not said.
        stage: Option<Stage>,
    },
}
