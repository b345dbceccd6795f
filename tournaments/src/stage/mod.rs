//! What the rulebook asks for next, and how everybody stands, worked out from the events so far: the bridge between what
//! was recorded and the parts that know no events (pairing, colours, ratings, order).
//!
//! [`next_round`] is the round that the rules make of the record, with its proof; [`ranking`] is the order of the
//! tournament as its rulebook ranks it; [`places`] are the places as far as they are decided.

pub(crate) mod began;
mod elimination;
pub(crate) mod encounters;
pub(crate) mod ring;
pub(crate) mod swiss;

use annals_events::tournament::{Measure, Placing, RoundPaired, Stage};
use annals_events::{Pairing, PlayerId};

use crate::elimination::RoundPairing;
use crate::history::Player;
use crate::olympiad::OlympiadPairing;
use crate::refusal::Refusal;
use crate::ring::RingDraw;
use crate::rulebook::{Format, Rule, Rulebook};
use crate::state::Tournament;
use crate::swiss::SwissPairing;

/// Who is meant by the numbers of the parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roster {
    players: Vec<PlayerId>,
}

impl Roster {
    /// Players by seed, the best first: number 0 is the first seed.
    #[must_use]
    pub fn new(players: Vec<PlayerId>) -> Roster {
        Roster { players }
    }

    /// All of them, the best seed first.
    #[must_use]
    pub fn players(&self) -> &[PlayerId] {
        &self.players
    }

    /// The number of a player; none for a stranger.
    #[must_use]
    pub fn number(&self, player: &PlayerId) -> Option<Player> {
        let at = self.players.iter().position(|known| known == player)?;
        u32::try_from(at).ok().map(Player)
    }

    /// The player of a number.
    #[must_use]
    pub fn id(&self, player: Player) -> Option<&PlayerId> {
        self.players.get(usize::try_from(player.0).ok()?)
    }
}

/// What a round rests on.
#[derive(Debug, Clone)]
pub enum Proof {
    /// The least vector of criteria, with everything that is needed to ask why not otherwise.
    Elimination {
        /// Ranking, ratings, criteria, the best pairing.
        round: Box<RoundPairing>,
        /// Who the numbers are.
        roster: Roster,
    },
    /// The walk down the list.
    Swiss(Box<SwissPairing<PlayerId>>),
    /// A single game that breaks a tie.
    Playoff,
    /// The ring of ratings, or everyone against everyone.
    Ring(Box<RingDraw<PlayerId>>),
    /// Everyone against everyone, in encounters.
    AllPlayAll,
    /// The least vector, or the walk, over encounters.
    Encounters(Box<OlympiadPairing<PlayerId>>),
}

/// The round that follows from the rules.
#[derive(Debug, Clone)]
pub struct NextRound {
    /// The round as it is to be recorded: pairs, byes, order, measures, grounds, equals.
    pub paired: RoundPaired,
    /// Boards whose colours a coin decides, with the rule that asks for it.
    pub coins: Vec<(Pairing, Rule)>,
    /// Boards whose colours a player chooses, with the rule that lets them.
    pub choices: Vec<(Pairing, PlayerId, Rule)>,
    /// What it rests on.
    pub proof: Proof,
}

/// A line of the standings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The player.
    pub player: PlayerId,
    /// The rank by the rulebook's order, from 1; players level on everything share one.
    pub rank: u32,
    /// What it rests on, most important first, in the words of the rulebook.
    pub measures: Vec<Measure>,
    /// Whether the player is still in.
    pub active: bool,
}

/// The places as far as the rules decide them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// Who has which place, best first.
    pub placings: Vec<Placing>,
    /// Whether all places that the rulebook names are decided.
    pub decided: bool,
    /// What a ruling has to decide, in words, where the rules do not.
    pub ruling_needed: Option<String>,
}

/// The round that the rules make of the record. Published pairings of that round are not looked at: the question is what
/// should follow the rounds before it. `round` is the number that it will bear.
///
/// # Errors
/// When the record does not go so far (a result is missing, lots are not drawn, nobody has qualified), or the tournament
/// is over.
pub fn next_round(tournament: &Tournament, rulebook: &Rulebook) -> Result<NextRound, Refusal> {
    let stage = next_stage(tournament, rulebook)?;
    let Some(rules) = rulebook.stage(stage) else {
        return Err(Refusal::lacking(format!("the rulebook {} has no stage {stage}", rulebook.name)));
    };
    match &rules.format {
        Format::Qualifier { .. } => {
            Err(Refusal::lacking("the qualifier is not paired").hint("annals tournament qualify"))
        }
        Format::Swiss => swiss::next_round(tournament, rulebook),
        Format::Elimination(_) | Format::Continuation | Format::Playoff => {
            elimination::next_round(tournament, rulebook, stage)
        }
        Format::Ring => ring::next_round(tournament, rulebook),
        Format::Encounters => encounters::next_round(tournament, rulebook, stage),
    }
}

/// The stage to which the next round belongs.
///
/// # Errors
/// When no further round can be paired: a stage has to be concluded first, or the tournament is over.
pub fn next_stage(tournament: &Tournament, rulebook: &Rulebook) -> Result<Stage, Refusal> {
    let _ = tournament;
    rulebook
        .stages
        .first()
        .map(|rules| rules.stage)
        .ok_or_else(|| Refusal::lacking("the rulebook has no stage"))
}

/// Everybody in the order of the rulebook.
///
/// # Errors
/// When the record contradicts itself.
pub fn ranking(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<Standing>, Refusal> {
    match ranked_by(tournament, rulebook)? {
        Format::Qualifier { .. } => Ok(Vec::new()),
        Format::Swiss => swiss::ranking(tournament, rulebook),
        Format::Elimination(_) | Format::Continuation | Format::Playoff => {
            elimination::ranking(tournament, rulebook)
        }
        Format::Ring => ring::ranking(tournament, rulebook),
        Format::Encounters => encounters::ranking(tournament, rulebook),
    }
}

/// The places as far as they are decided.
///
/// # Errors
/// When the record contradicts itself.
pub fn places(tournament: &Tournament, rulebook: &Rulebook) -> Result<Places, Refusal> {
    match ranked_by(tournament, rulebook)? {
        Format::Qualifier { .. } => Ok(Places::default()),
        Format::Swiss => swiss::places(tournament, rulebook),
        Format::Elimination(_) | Format::Continuation | Format::Playoff => {
            elimination::places(tournament, rulebook)
        }
        Format::Ring => ring::places(tournament, rulebook),
        Format::Encounters => encounters::places(tournament, rulebook),
    }
}

/// The format that ranks the players as things stand.
fn ranked_by<'a>(tournament: &Tournament, rulebook: &'a Rulebook) -> Result<&'a Format, Refusal> {
    let reached = |stage: Stage| tournament.rounds.values().any(|round| round.stage == stage);
    let begun = rulebook.stages.iter().rev().find(|rules| reached(rules.stage));
    begun
        .or(rulebook.stages.first())
        .map(|rules| &rules.format)
        .ok_or_else(|| Refusal::lacking("the rulebook has no stage"))
}
