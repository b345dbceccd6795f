//! The formats of stages: one module each, one trait, and the only dispatch.
//!
//! [`next_round`] is the round by the rules with its reasons, [`ranking`] the rulebook's order, [`places`]
//! the places decided so far; [`why_not`] explains why a pair or bye is not in a proposed round.

mod due;
pub mod elimination;
pub mod encounters;
pub mod qualifier;
mod reasons;
pub mod ring;
mod round_pairing;
mod ruled;
pub mod swiss;
mod why_not;

use std::collections::BTreeMap;

use annals_events::tournament::{Ground, Measure, Pair, Placing, Qualified, Ranked, RoundPaired, Stage};
use annals_events::{BoardId, PlayerId, Side, TournamentEvent};

use crate::check::Checker;
use crate::explain::{RoundExplanation, WhyNot};
use crate::refusal::{Refusal, Remedy};
use crate::round_check::published::{Two, in_words, meetings, same_byes, two};
use crate::rulebook::{Format, Rule, RuleId, Rulebook};
use crate::state::{Board, Tournament};

pub use due::next_stage;
pub use reasons::as_published;
pub use round_pairing::RoundPairing;
pub(crate) use why_not::Question;
pub use why_not::why_not;

#[derive(Debug, Clone, Copy)]
pub(crate) struct StageState<'a> {
    pub tournament: &'a Tournament,
    /// The rulebook with its readings.
    pub rulebook: &'a Rulebook,
    pub stage: Stage,
}

impl<'a> StageState<'a> {
    /// The tournament of the checked event.
    pub(crate) fn of(check: &Checker<'a>, stage: Stage) -> StageState<'a> {
        StageState { tournament: check.case.tournament, rulebook: check.case.rulebook, stage }
    }
}

#[derive(Debug, Clone)]
pub struct Proposal {
    /// The round as it is to be recorded.
    pub paired: RoundPaired,
    /// Boards whose colours a coin decides, with the rule.
    pub coins: Vec<(BoardId, Rule)>,
    /// Boards whose colours a player chooses, with the rule.
    pub choices: Vec<(BoardId, PlayerId, Rule)>,
    pub reasons: RoundExplanation,
    /// What the text leaves undetermined and was decided here, with its rule.
    pub(crate) undetermined: Option<(RuleId, &'static str)>,
    pub(crate) proof: Proof,
}

impl Proposal {
    /// A round without coins and choices.
    fn of(paired: RoundPaired, reasons: RoundExplanation, proof: Proof) -> Proposal {
        Proposal { paired, coins: Vec::new(), choices: Vec::new(), reasons, undetermined: None, proof }
    }
}

/// What [`why_not`] uses.
#[derive(Debug, Clone)]
pub(crate) enum Proof {
    Elimination(Box<elimination::FinalRound>),
    Swiss(Box<swiss::SwissPairing>),
    Playoff,
    /// The ring of ratings, or all-play-all.
    Ring(Box<ring::RingDraw>),
    /// All-play-all in encounters.
    AllPlayAll,
    /// The least vector or the walk, over encounters.
    Encounters(Box<encounters::OlympiadPairing>),
}

#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RankedPlayer {
    pub player: PlayerId,
    /// From 1; level players share one.
    pub rank: u32,
    /// By priority, named as in the rulebook.
    pub measures: Vec<Measure>,
    pub active: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Places {
    /// Best first.
    pub placings: Vec<Placing>,
    /// Whether all places named by the rulebook are decided.
    pub decided: bool,
    /// What a ruling has to decide.
    pub ruling_needed: Option<String>,
    /// The single place to be ruled, and between whom; empty for all players.
    pub open_place: Option<(u32, Vec<PlayerId>)>,
}

impl Places {
    /// Places that the ranking alone gives.
    pub(crate) fn by_rank(
        ranking: Vec<RankedPlayer>,
        decided: bool,
        ruling_needed: Option<String>,
    ) -> Places {
        let placings = ranking.into_iter().map(|standing| Placing {
            player: standing.player,
            place: standing.rank,
            measures: standing.measures,
            titles: Vec::new(),
            contender: false,
        });
        Places { placings: placings.collect(), decided, ruling_needed, open_place: None }
    }
}

/// The number of rounds of a stage by its number of players.
pub(crate) struct RoundsDue {
    pub stage: Stage,
    pub rounds: u32,
    pub players: u32,
    pub rule: RuleId,
}

/// The ambiguous texts of a stage, by register number.
pub(crate) struct Texts {
    /// For pairings and colours.
    pub rounds: &'static [&'static str],
    /// For ranks and places.
    pub ranking: &'static [&'static str],
}

/// The rules that check a stage's published rounds.
pub(crate) struct RoundRules {
    pub pairing: RuleId,
    pub bye: RuleId,
    pub order: RuleId,
    pub colour: RuleId,
    /// Rules that any comparable round satisfies: that it is due, and who plays.
    pub kept: &'static [RuleId],
    /// Whether coin colours need a recorded coin; else the director decides.
    pub coin_recorded: bool,
}

/// A published round compared with the proposed one.
pub(crate) struct Value {
    /// As published; none if unknown.
    pub measures: Option<Vec<Measure>>,
    /// None for the proposed round or an equivalent one.
    pub worse: Option<Worse>,
}

/// How a published round is worse than the proposed one.
pub(crate) struct Worse {
    /// The criterion, from 0; none if no criterion decides.
    pub criterion: Option<usize>,
    pub expected: String,
    pub found: String,
}

impl Value {
    /// Compares with the only possible round.
    pub(crate) fn of_the_only_round(due: &RoundPaired, paired: &RoundPaired) -> Value {
        let (wanted, made) = (meetings(&due.pairs), meetings(&paired.pairs));
        // A pair listed twice is an error even if the sets are equal.
        if wanted == made && due.pairs.len() == paired.pairs.len() {
            return Value { measures: Some(due.measures.clone()), worse: None };
        }
        let (expected, found) = if wanted == made {
            (format!("{} pairs, each once", due.pairs.len()), format!("{} pairs", paired.pairs.len()))
        } else {
            (in_words(wanted.difference(&made)), in_words(made.difference(&wanted)))
        };
        Value { measures: None, worse: Some(Worse { criterion: None, expected, found }) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decided {
    /// None if a coin or a player decides.
    pub gold: Option<PlayerId>,
    /// The rule and its finding.
    pub ground: Option<Ground>,
    /// Whether either colour complies.
    pub arbitrary: bool,
}

impl From<&Pair> for Decided {
    fn from(pair: &Pair) -> Decided {
        Decided { gold: pair.player(Side::Gold).cloned(), ground: pair.colour.clone(), arbitrary: false }
    }
}

pub(crate) enum Decider {
    /// The rules, as text.
    Rules(String),
    Coin,
    /// A player chooses.
    Player(PlayerId),
}

pub(crate) trait StageFormat {
    fn propose(&self, state: &StageState<'_>) -> Result<Proposal, Refusal>;

    /// The stage of the next round; none if a later stage of the rulebook is due.
    ///
    /// # Errors
    /// If no round can follow: a result is missing, a place has to be ruled, or everything is played.
    fn due(&self, state: &StageState<'_>) -> Result<Option<Stage>, Refusal>;

    /// Whether the format currently ranks the players.
    fn ranks(&self, _state: &StageState<'_>) -> bool {
        true
    }

    /// The number of rounds, which is declared before the first.
    ///
    /// # Errors
    /// If the stage declares no number of rounds, or has too few players.
    fn rounds(&self, state: &StageState<'_>) -> Result<RoundsDue, Refusal> {
        Err(Refusal::lacking(format!("the rulebook {} asks for no number of rounds", state.rulebook.name)))
    }

    fn rank(&self, state: &StageState<'_>) -> Result<Vec<RankedPlayer>, Refusal>;

    /// The places that the rules have decided so far.
    fn places(&self, state: &StageState<'_>) -> Result<Places, Refusal>;

    fn why_not(&self, question: &Question<'_>) -> Result<WhyNot, Refusal>;

    /// The rules that check a published round of a stage.
    fn rules(&self, stage: Stage) -> RoundRules;

    fn texts(&self, stage: Stage) -> Texts;

    /// Compares a published round with the proposed one. Without a choice it has to be that one.
    ///
    /// # Errors
    /// If its players are not those to be paired.
    fn value(
        &self,
        _state: &StageState<'_>,
        proposal: &Proposal,
        paired: &RoundPaired,
    ) -> Result<Value, Refusal> {
        Ok(Value::of_the_only_round(&proposal.paired, paired))
    }

    /// The colours of published pairs by the rules. Pairs without a rule are omitted.
    fn colours<'a>(
        &self,
        _state: &StageState<'_>,
        proposal: &Proposal,
        paired: &'a RoundPaired,
    ) -> Vec<(&'a Pair, Decided)> {
        let due = proposal.paired.pairs.iter().map(|pair| (two(&pair.upper, &pair.lower), pair));
        let due: BTreeMap<Two, &Pair> = due.collect();
        let decided = |pair: &Pair| due.get(&two(&pair.upper, &pair.lower)).copied().map(Decided::from);
        paired.pairs.iter().filter_map(|pair| Some((pair, decided(pair)?))).collect()
    }

    /// What gives the colours of a recorded board.
    ///
    /// # Errors
    /// If the record is incomplete before the board.
    fn decider(&self, state: &StageState<'_>, pairing: BoardId, board: &Board) -> Result<Decider, Refusal>;

    /// Checks of a round that do not depend on the record before it.
    fn check_pairs(&self, _check: &mut Checker<'_>, _paired: &RoundPaired) {}

    fn check_byes(&self, check: &mut Checker<'_>, proposal: &Proposal, paired: &RoundPaired) {
        same_byes(check, self.rules(paired.stage).bye, &proposal.paired, paired);
    }

    /// Checks the other events of a stage: number of rounds, lots, published order.
    fn check_other(&self, _check: &mut Checker<'_>, _event: &TournamentEvent) {}
}

/// None for a qualifier, which has no rounds.
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

/// The next round by the rules. Published pairings of that round are ignored.
///
/// # Errors
/// If the record is incomplete (a result, lots or qualified players are missing), or the tournament is over.
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

/// The ambiguous texts that a round of a stage depends on.
pub fn texts_of_round(rulebook: &Rulebook, stage: Stage) -> &'static [&'static str] {
    let format = rulebook.stage(stage).and_then(|rules| module(&rules.format));
    format.map_or(&[], |format| format.texts(stage).rounds)
}

/// The ambiguous texts that the present ranking depends on.
pub fn texts_of_ranking(tournament: &Tournament, rulebook: &Rulebook) -> &'static [&'static str] {
    due::ranked(tournament, rulebook).map_or(&[], |(format, state)| format.texts(state.stage).ranking)
}

/// The number of rounds to be declared.
///
/// # Errors
/// If the rulebook has no such number, or there are too few players.
pub(crate) fn rounds_due(tournament: &Tournament, rulebook: &Rulebook) -> Result<RoundsDue, Refusal> {
    let mut refused = None;
    for rules in &rulebook.stages {
        let Some(format) = module(&rules.format) else { continue };
        match format.rounds(&StageState { tournament, rulebook, stage: rules.stage }) {
            Ok(due) => return Ok(due),
            Err(refusal) if refusal.rule.is_some() => return Err(refusal),
            Err(refusal) => refused = Some(refusal),
        }
    }
    Err(refused.unwrap_or_else(|| Refusal::lacking("the rulebook has no stage")))
}

/// The players in the rulebook's order; empty if nothing ranks them yet.
///
/// # Errors
/// If the record contradicts itself.
pub fn ranking(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<RankedPlayer>, Refusal> {
    if let Some(order) = tournament.published_order() {
        return Ok(order);
    }
    match due::ranked(tournament, rulebook) {
        Some((format, state)) => format.rank(&state),
        None => Ok(Vec::new()),
    }
}

/// The places decided so far, by rulings in force and by the rules, best first.
///
/// # Errors
/// If the record contradicts itself.
pub fn places(tournament: &Tournament, rulebook: &Rulebook) -> Result<Places, Refusal> {
    if crate::fund::is_without_players(tournament) {
        // Without players there is no place to decide, and the tournament can be closed.
        return Ok(Places { decided: true, ..Places::default() });
    }
    match due::ranked(tournament, rulebook) {
        Some((format, state)) => {
            let places = match tournament.published_order() {
                Some(order) => Places::by_rank(order, true, None),
                None => format.places(&state)?,
            };
            Ok(ruled::with_rulings(places, &state))
        }
        None => Ok(Places::default()),
    }
}

/// The final order of the qualifier or the Swiss as it is to be published, with who advances.
///
/// # Errors
/// If no player advances from the stage, or the record is incomplete.
pub fn outcome_of(tournament: &Tournament, rulebook: &Rulebook, from: Stage) -> Result<Qualified, Refusal> {
    match rulebook.stage(from).filter(|stage| stage.places.is_some()).map(|stage| &stage.format) {
        Some(Format::Qualifier { .. }) => qualifier::propose::qualified(tournament, rulebook),
        Some(Format::Swiss) => swiss::propose::qualified(tournament, rulebook),
        _ => Err(Refusal::lacking(format!("nobody goes on from a {from} stage of {}", rulebook.name))),
    }
}

/// Ranks from 1; a line level with the one above shares its rank.
pub(crate) fn shared_ranks<T>(lines: &[T], level: impl Fn(&T, &T) -> bool) -> Vec<u32> {
    let mut ranks: Vec<u32> = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let above = at.checked_sub(1).filter(|above| level(&lines[*above], line));
        ranks.push(above.map_or_else(|| u32::try_from(at + 1).unwrap_or(u32::MAX), |above| ranks[above]));
    }
    ranks
}

pub(crate) fn measure<V: Into<i64>>(name: &str, values: impl IntoIterator<Item = V>) -> Measure {
    Measure { name: name.to_owned(), values: values.into_iter().map(Into::into).collect() }
}

/// A gameroom rating in millionths of a point.
pub(crate) fn gameroom_rating(rating: Option<i64>) -> Measure {
    measure("rating", rating.map(|rating| rating.saturating_mul(1_000_000)))
}

pub(crate) fn order(standings: impl IntoIterator<Item = (PlayerId, u32, Vec<Measure>)>) -> Vec<Ranked> {
    standings.into_iter().map(|(player, rank, measures)| Ranked { player, rank, measures }).collect()
}
