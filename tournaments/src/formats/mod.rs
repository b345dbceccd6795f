//! The formats of stages: one module each, one trait, and the only dispatch.
//!
//! [`next_round`] is the round that the rules make of the record, with its reasons; [`ranking`] is the order of the
//! tournament as its rulebook ranks it; [`places`] are the places as far as they are decided; [`why_not`] answers why a
//! pair or a bye is not in a proposed round.

pub(crate) mod began;
mod due;
pub mod elimination;
pub mod encounters;
pub mod qualifier;
pub mod ring;
mod ruled;
pub mod swiss;

use annals_events::tournament::{ColourChosen, ColourDrawn, Measure, Placing, Ranked, RoundPaired, Stage};
use annals_events::{Pairing, PlayerId, TournamentEvent};

use crate::check::Bench;
use crate::explain::{RoundExplanation, WhyNot};
use crate::refusal::{Refusal, Remedy};
use crate::round_check;
use crate::rulebook::{Format, Rule, Rulebook};
use crate::state::Tournament;

pub use swiss::propose::qualified as qualified_of_swiss;

/// A stage of a tournament by its rulebook.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StageState<'a> {
    pub tournament: &'a Tournament,
    /// The rulebook as it is read.
    pub rulebook: &'a Rulebook,
    pub stage: Stage,
}

/// The round that follows from the rules.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The round as it is to be recorded: pairs, byes, order, measures, grounds, equals.
    pub paired: RoundPaired,
    /// Boards whose colours a coin decides, with the rule that asks for it.
    pub coins: Vec<(Pairing, Rule)>,
    /// Boards whose colours a player chooses, with the rule that lets them.
    pub choices: Vec<(Pairing, PlayerId, Rule)>,
    pub reasons: RoundExplanation,
    pub(crate) proof: Proof,
}

/// What a question about a proposed round is answered from.
#[derive(Debug, Clone)]
pub(crate) enum Proof {
    /// The least vector of criteria.
    Elimination(Box<elimination::FinalRound>),
    /// The walk down the list.
    Swiss(Box<swiss::SwissPairing>),
    /// A single game that breaks a tie.
    Playoff,
    /// The ring of ratings, or everyone against everyone.
    Ring(Box<ring::RingDraw>),
    /// Everyone against everyone, in encounters.
    AllPlayAll,
    /// The least vector, or the walk, over encounters.
    Encounters(Box<encounters::OlympiadPairing>),
}

/// A line of the standings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
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

impl Places {
    /// The places of a ranking, where the ranking alone gives them.
    pub(crate) fn by_rank(ranking: Vec<Standing>, decided: bool, ruling_needed: Option<String>) -> Places {
        let placings = ranking.into_iter().map(|standing| Placing {
            player: standing.player,
            place: standing.rank,
            measures: standing.measures,
            titles: Vec::new(),
            contender: false,
        });
        Places { placings: placings.collect(), decided, ruling_needed }
    }
}

/// How a stage is played.
pub(crate) trait StageFormat {
    /// The next round, with its reasons.
    fn propose(&self, state: &StageState<'_>) -> Result<Proposal, Refusal>;

    /// The players in the order of the rulebook.
    fn rank(&self, state: &StageState<'_>) -> Result<Vec<Standing>, Refusal>;

    /// The places as far as the rules decide them.
    fn places(&self, state: &StageState<'_>) -> Result<Places, Refusal>;

    /// Why two players do not meet in a proposed round; without another, why the one has no bye.
    fn why_not(
        &self,
        rulebook: &Rulebook,
        proposal: &Proposal,
        one: &PlayerId,
        other: Option<&PlayerId>,
    ) -> Result<WhyNot, Refusal>;

    /// Checks a published round.
    fn check_round(&self, bench: &mut Bench<'_>, paired: &RoundPaired);

    /// Checks a coin that gave colours.
    fn check_coin(&self, bench: &mut Bench<'_>, drawn: &ColourDrawn);

    /// Checks a choice of colours.
    fn check_choice(&self, bench: &mut Bench<'_>, chosen: &ColourChosen);

    /// Checks the other events of a stage: a number of rounds, lots, a published order.
    fn check_other(&self, _bench: &mut Bench<'_>, _event: &TournamentEvent) {}
}

/// The module of a format; none for a qualifier, which is not played in rounds.
pub(crate) fn module(format: &Format) -> Option<&'static dyn StageFormat> {
    match format {
        Format::Qualifier { .. } => None,
        Format::Swiss => Some(&swiss::propose::Swiss),
        Format::Elimination(_) | Format::Continuation | Format::Playoff => {
            Some(&elimination::stage::FloatingElimination)
        }
        Format::Ring => Some(&ring::propose::Ring),
        Format::Encounters => Some(&encounters::propose::Encounters),
    }
}

/// The round that the rules make of the record. Published pairings of that round are not looked at: the question is what
/// should follow the rounds before it.
///
/// # Errors
/// When the record does not go so far (a result is missing, lots are not drawn, nobody has qualified), or the tournament
/// is over.
pub fn next_round(tournament: &Tournament, rulebook: &Rulebook) -> Result<Proposal, Refusal> {
    let stage = next_stage(tournament, rulebook)?;
    let rules = rulebook
        .stage(stage)
        .ok_or_else(|| Refusal::lacking(format!("the rulebook {} has no stage {stage}", rulebook.name)))?;
    match module(&rules.format) {
        Some(format) => format.propose(&StageState { tournament, rulebook, stage }),
        None => Err(Refusal::lacking("the qualifier is not paired").hint(Remedy::Qualify)),
    }
}

/// The stage to which the next round belongs.
///
/// # Errors
/// When no further round can be paired: a stage has to be concluded first, or the tournament is over.
pub fn next_stage(tournament: &Tournament, rulebook: &Rulebook) -> Result<Stage, Refusal> {
    due::next_stage(tournament, rulebook)
}

/// The players in the order of the rulebook; empty before there is anything to rank them by.
///
/// # Errors
/// When the record contradicts itself.
pub fn ranking(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<Standing>, Refusal> {
    match ranked(tournament, rulebook) {
        Some((format, state)) => format.rank(&state),
        None => Ok(Vec::new()),
    }
}

/// The places as far as they are decided, the best first: those that rulings in force give, and those of the rules.
///
/// # Errors
/// When the record contradicts itself.
pub fn places(tournament: &Tournament, rulebook: &Rulebook) -> Result<Places, Refusal> {
    if crate::fund::is_without_players(tournament) {
        // No player takes part: there is no place to decide, and the tournament can be closed.
        return Ok(Places { decided: true, ..Places::default() });
    }
    match ranked(tournament, rulebook) {
        Some((format, state)) => Ok(ruled::with_rulings(format.places(&state)?, &state)),
        None => Ok(Places::default()),
    }
}

/// The format that ranks the players as things are, with its stage.
fn ranked<'a>(
    tournament: &'a Tournament,
    rulebook: &'a Rulebook,
) -> Option<(&'static dyn StageFormat, StageState<'a>)> {
    let rules = due::ranked_by(tournament, rulebook)?;
    Some((module(&rules.format)?, StageState { tournament, rulebook, stage: rules.stage }))
}

/// Why two players do not meet in a proposed round; with no other named, why the one has no bye.
///
/// # Errors
/// When a player has no part in the round.
pub fn why_not(
    proposal: &Proposal,
    rulebook: &Rulebook,
    one: &PlayerId,
    other: Option<&PlayerId>,
) -> Result<WhyNot, Refusal> {
    let stage = proposal.paired.stage;
    let format = rulebook.stage(stage).and_then(|rules| module(&rules.format));
    let format = format.ok_or_else(|| Refusal::lacking(format!("the stage {stage} is not paired")))?;
    format.why_not(rulebook, proposal, one, other)
}

/// Checks an event of a round or a stage.
pub(crate) fn check(format: &dyn StageFormat, bench: &mut Bench<'_>, event: &TournamentEvent) {
    match event {
        TournamentEvent::RoundPaired(paired) => format.check_round(bench, paired),
        TournamentEvent::PairingRevoked(revoked) => round_check::course::revocation(bench, revoked),
        TournamentEvent::RoundStarted(started) => round_check::course::start(bench, started),
        TournamentEvent::ColourDrawn(drawn) => format.check_coin(bench, drawn),
        TournamentEvent::ColourChosen(chosen) => format.check_choice(bench, chosen),
        event => format.check_other(bench, event),
    }
}

/// The lines of an order as they are recorded.
pub(crate) fn order(standings: impl IntoIterator<Item = (PlayerId, u32, Vec<Measure>)>) -> Vec<Ranked> {
    standings.into_iter().map(|(player, rank, measures)| Ranked { player, rank, measures }).collect()
}
