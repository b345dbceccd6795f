//! The formats of stages: one module each, one trait, and the only dispatch.
//!
//! [`next_round`] is the round that the rules make of the record, with its reasons; [`ranking`] is the order of the
//! tournament as its rulebook ranks it; [`places`] are the places as far as they are decided; [`why_not`] answers why a
//! pair or a bye is not in a proposed round.

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

/// A stage of a tournament by its rulebook.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StageState<'a> {
    pub tournament: &'a Tournament,
    /// The rulebook as it is read.
    pub rulebook: &'a Rulebook,
    pub stage: Stage,
}

impl<'a> StageState<'a> {
    /// A stage of the tournament of which an event is checked.
    pub(crate) fn of(check: &Checker<'a>, stage: Stage) -> StageState<'a> {
        StageState { tournament: check.case.tournament, rulebook: check.case.rulebook, stage }
    }
}

/// The round that follows from the rules.
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The round as it is to be recorded: pairs, byes, order, measures, grounds, equals.
    pub paired: RoundPaired,
    /// Boards whose colours a coin decides, with the rule that asks for it.
    pub coins: Vec<(BoardId, Rule)>,
    /// Boards whose colours a player chooses, with the rule that lets them.
    pub choices: Vec<(BoardId, PlayerId, Rule)>,
    pub reasons: RoundExplanation,
    /// What the text leaves open and was decided here, with the rule that it belongs to.
    pub(crate) undetermined: Option<(RuleId, &'static str)>,
    pub(crate) proof: Proof,
}

impl Proposal {
    /// A round whose colours all follow from the rules.
    fn of(paired: RoundPaired, reasons: RoundExplanation, proof: Proof) -> Proposal {
        Proposal { paired, coins: Vec::new(), choices: Vec::new(), reasons, undetermined: None, proof }
    }
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
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct RankedPlayer {
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
    /// The place that a ruling has to give, where it is one place, and between whom; between all players where nobody is named.
    pub open_place: Option<(u32, Vec<PlayerId>)>,
}

impl Places {
    /// The places of a ranking, where the ranking alone gives them.
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

/// How many rounds a stage has by its number of players.
pub(crate) struct RoundsDue {
    pub stage: Stage,
    pub rounds: u32,
    pub players: u32,
    pub rule: RuleId,
}

/// The ambiguous texts on which a stage rests, by their numbers in the register.
pub(crate) struct Texts {
    /// Who meets whom, and with which colours.
    pub rounds: &'static [&'static str],
    /// Ranks and places.
    pub ranking: &'static [&'static str],
}

/// The rules by which the published rounds of a stage are checked.
pub(crate) struct RoundRules {
    pub pairing: RuleId,
    pub bye: RuleId,
    pub order: RuleId,
    pub colour: RuleId,
    /// What a round keeps that can be compared at all: that it is due, and who plays.
    pub kept: &'static [RuleId],
    /// Whether colours that a coin decides come from a recorded coin; else the director answers for them.
    pub coin_recorded: bool,
}

/// What a published round is worth next to the proposed one.
pub(crate) struct Value {
    /// What it measures, as it is published; none where that is not known.
    pub measures: Option<Vec<Measure>>,
    /// In what it is worse; none where it is the proposed round, or one as good.
    pub worse: Option<Worse>,
}

/// In what a published round is worse than the proposed one.
pub(crate) struct Worse {
    /// The criterion, from 0; none where no criterion decides.
    pub criterion: Option<usize>,
    pub expected: String,
    pub found: String,
}

impl Value {
    /// The value where only one round is possible.
    pub(crate) fn of_the_only_round(due: &RoundPaired, paired: &RoundPaired) -> Value {
        let (wanted, made) = (meetings(&due.pairs), meetings(&paired.pairs));
        // A pair that is there twice is one too many, though the set is the same.
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

/// The colours of a pair by the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decided {
    /// Who has Gold; none where a coin or a player decides.
    pub gold: Option<PlayerId>,
    /// The rule and what it found.
    pub ground: Option<Ground>,
    /// Whether either colour complies.
    pub arbitrary: bool,
}

impl From<&Pair> for Decided {
    fn from(pair: &Pair) -> Decided {
        Decided { gold: pair.player(Side::Gold).cloned(), ground: pair.colour.clone(), arbitrary: false }
    }
}

/// What gives the colours of a pair.
pub(crate) enum Decider {
    /// The rules, in words.
    Rules(String),
    Coin,
    /// A player chooses.
    Player(PlayerId),
}

/// How a stage is played.
pub(crate) trait StageFormat {
    /// The next round, with its reasons.
    fn propose(&self, state: &StageState<'_>) -> Result<Proposal, Refusal>;

    /// The stage of the next round; none where a later stage of the rulebook is due.
    ///
    /// # Errors
    /// When no round can follow: a result is missing, a place has to be ruled, or everything is played.
    fn due(&self, state: &StageState<'_>) -> Result<Option<Stage>, Refusal>;

    /// Whether the format ranks the players of the tournament as things are.
    fn ranks(&self, _state: &StageState<'_>) -> bool {
        true
    }

    /// How many rounds a stage has, which are declared before its first.
    ///
    /// # Errors
    /// When no number of rounds is declared, or there are not as many players.
    fn rounds(&self, state: &StageState<'_>) -> Result<RoundsDue, Refusal> {
        Err(Refusal::lacking(format!("the rulebook {} asks for no number of rounds", state.rulebook.name)))
    }

    /// The players in the order of the rulebook.
    fn rank(&self, state: &StageState<'_>) -> Result<Vec<RankedPlayer>, Refusal>;

    /// The places as far as the rules decide them.
    fn places(&self, state: &StageState<'_>) -> Result<Places, Refusal>;

    /// Why two players, or a bye, are not in a proposed round.
    fn why_not(&self, question: &Question<'_>) -> Result<WhyNot, Refusal>;

    /// The rules by which a published round of a stage is checked.
    fn rules(&self, stage: Stage) -> RoundRules;

    /// The ambiguous texts on which the rounds and the ranking of a stage rest.
    fn texts(&self, stage: Stage) -> Texts;

    /// What a published round is worth next to the proposed one. Where the rules leave no choice it has to be that one.
    ///
    /// # Errors
    /// When its players are not those who are to be paired.
    fn value(
        &self,
        _state: &StageState<'_>,
        proposal: &Proposal,
        paired: &RoundPaired,
    ) -> Result<Value, Refusal> {
        Ok(Value::of_the_only_round(&proposal.paired, paired))
    }

    /// The colours of the pairs of a published round by the rules. A pair to which the rules give none is left out.
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
    /// When the record before it does not go so far.
    fn decider(&self, state: &StageState<'_>, pairing: BoardId, board: &Board) -> Result<Decider, Refusal>;

    /// Checks what a round of the format needs whatever the record before it.
    fn check_pairs(&self, _check: &mut Checker<'_>, _paired: &RoundPaired) {}

    /// Checks the byes of a published round.
    fn check_byes(&self, check: &mut Checker<'_>, proposal: &Proposal, paired: &RoundPaired) {
        same_byes(check, self.rules(paired.stage).bye, &proposal.paired, paired);
    }

    /// Checks the other events of a stage: a number of rounds, lots, a published order.
    fn check_other(&self, _check: &mut Checker<'_>, _event: &TournamentEvent) {}
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

/// The numbers of the ambiguous texts on which a round of a stage rests.
pub fn texts_of_round(rulebook: &Rulebook, stage: Stage) -> &'static [&'static str] {
    let format = rulebook.stage(stage).and_then(|rules| module(&rules.format));
    format.map_or(&[], |format| format.texts(stage).rounds)
}

/// The numbers of the ambiguous texts on which the ranks and places of a tournament rest as things are.
pub fn texts_of_ranking(tournament: &Tournament, rulebook: &Rulebook) -> &'static [&'static str] {
    due::ranked(tournament, rulebook).map_or(&[], |(format, state)| format.texts(state.stage).ranking)
}

/// How many rounds are to be declared.
///
/// # Errors
/// When the rulebook asks for no number of rounds, or no rounds are played with so few players.
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

/// The players in the order of the rulebook; empty before there is anything to rank them by.
///
/// # Errors
/// When the record contradicts itself.
pub fn ranking(tournament: &Tournament, rulebook: &Rulebook) -> Result<Vec<RankedPlayer>, Refusal> {
    if let Some(order) = tournament.published_order() {
        return Ok(order);
    }
    match due::ranked(tournament, rulebook) {
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

/// The order in which a stage ends, as it is to be published, with who goes on: of the qualifier, or of the Swiss.
///
/// # Errors
/// When no player goes on from such a stage, or the record does not go so far.
pub fn outcome_of(tournament: &Tournament, rulebook: &Rulebook, from: Stage) -> Result<Qualified, Refusal> {
    match rulebook.stage(from).filter(|stage| stage.places.is_some()).map(|stage| &stage.format) {
        Some(Format::Qualifier { .. }) => qualifier::propose::qualified(tournament, rulebook),
        Some(Format::Swiss) => swiss::propose::qualified(tournament, rulebook),
        _ => Err(Refusal::lacking(format!("nobody goes on from a {from} stage of {}", rulebook.name))),
    }
}

/// The rank of each line of an order, from 1; a line that is level with the one above shares its rank.
pub(crate) fn shared_ranks<T>(lines: &[T], level: impl Fn(&T, &T) -> bool) -> Vec<u32> {
    let mut ranks: Vec<u32> = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let above = at.checked_sub(1).filter(|above| level(&lines[*above], line));
        ranks.push(above.map_or_else(|| u32::try_from(at + 1).unwrap_or(u32::MAX), |above| ranks[above]));
    }
    ranks
}

/// A measure with its values, none where there is nothing to measure.
pub(crate) fn measure<V: Into<i64>>(name: &str, values: impl IntoIterator<Item = V>) -> Measure {
    Measure { name: name.to_owned(), values: values.into_iter().map(Into::into).collect() }
}

/// A gameroom rating as a measure, in millionths of a point.
pub(crate) fn gameroom_rating(rating: Option<i64>) -> Measure {
    measure("rating", rating.map(|rating| rating.saturating_mul(1_000_000)))
}

/// The lines of an order as they are recorded.
pub(crate) fn order(standings: impl IntoIterator<Item = (PlayerId, u32, Vec<Measure>)>) -> Vec<Ranked> {
    standings.into_iter().map(|(player, rank, measures)| Ranked { player, rank, measures }).collect()
}
