//! A director's commands: facts as events, computed results as requests.

use annals_events::tournament::{
    AppealFiled, DisputeFiled, Disqualification, Effect, Evidence, Outcome, Stage,
};
use annals_events::{BoardId, GameId, Micros, PlayerId, Side, Termination, TournamentEvent};

#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// A fact, or a decision worded by the director; recorded if the rules allow.
    Record(Box<TournamentEvent>),
    /// Declares the number of rounds of a stage from the number of players (2009 WC, Preliminary 1).
    DeclareRounds,
    /// Publishes the order of a stage with who advances: the qualifier, or the Swiss.
    Qualify,
    /// Invites the next in the order (2015 WCC, Program Submission).
    Invite {
        /// Default: the one vacant place.
        replaces: Option<PlayerId>,
    },
    Disqualify {
        player: PlayerId,
        cause: Disqualification,
        reason: Option<String>,
        rules: Vec<String>,
    },
    /// Draws the lots of the next round from a seed (2009 WC, Preliminary 6).
    DrawLots {
        seed: String,
        /// The published commitment.
        commitment: Option<String>,
    },
    Pair {
        /// Required if the colour rules draw coins.
        seed: Option<String>,
    },
    /// Fixes the time of a game; by default from the players' requests (2009 WC, Time of games).
    Schedule {
        pairing: BoardId,
        at: Option<Micros>,
        reason: Option<String>,
    },
    ChooseColour {
        pairing: BoardId,
        player: PlayerId,
        side: Side,
    },
    /// Starts a pairing's game; the first game starts the round.
    Start {
        pairing: BoardId,
        game: Option<GameId>,
    },
    Result {
        pairing: BoardId,
        /// Default: the game's outcome.
        outcome: Option<Outcome>,
        termination: Option<Termination>,
        game: Option<GameId>,
        territory: Option<u32>,
    },
    Forfeit {
        pairing: BoardId,
        /// Both for a double forfeit.
        absent: Vec<PlayerId>,
        waited_until: Option<Micros>,
    },
    Rule {
        effect: Effect,
        reason: String,
        evidence: Vec<Evidence>,
        dispute: Option<u32>,
        supersedes: Option<u32>,
    },
    /// Numbered by the handler.
    Dispute(DisputeFiled),
    /// Numbered by the handler.
    Appeal(AppealFiled),
    /// Decides an appeal; accepting a removed player's appeal reinstates the player.
    DecideAppeal {
        number: u32,
        accepted: bool,
        reason: String,
    },
    /// Awards all prizes that follow from the results.
    Award,
    /// Awards a prize that is not money, such as a gift certificate (2009 WC, Notes 1).
    AwardThing {
        player: PlayerId,
        thing: String,
    },
    Refund,
    /// A player gives back every prize that they were awarded (2015 WCC, Publication).
    ReturnPrize {
        player: PlayerId,
        reason: String,
    },
    Close {
        note: Option<String>,
    },
    /// Notifies players of their pairings and times.
    Notify {
        /// Default: everything due.
        stage: Option<Stage>,
    },
}
