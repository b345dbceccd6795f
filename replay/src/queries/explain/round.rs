//! Explains a round: order, criteria with values, pairs, byes and colours with reasons, equivalents, and whether the
//! publication is one of them.

mod page;

use std::collections::BTreeSet;

use annals_events::tournament::{Pair, RoundPaired, Stage};
use annals_events::{BoardId, GameKind, PlayerId, Side};
use annals_tournaments::explain::{Explained, RoundExplanation, WhyNot};
use annals_tournaments::formats::{self, Proposal};
use annals_tournaments::rulebook::RuleId;
use annals_tournaments::verdict::Verdict;
use annals_tournaments::{Board, Tournament};
use jiff::tz::TimeZone;
use serde::Serialize;

use crate::error::ReplayError;
use crate::queries::corrections;
use crate::queries::error::QueryError;
use crate::queries::overview::{ReadingLine, readings_of};
use crate::queries::rounds::colours_by;
use crate::queries::tournament_at::TournamentAt;
use crate::queries::{Heading, Person};
use crate::tournament_audit::judged;

/// Optional questions on a round.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// Why these two do not meet.
    pub why_not: Option<(PlayerId, PlayerId)>,
    pub why_no_bye: Option<PlayerId>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundExplained {
    #[serde(flatten)]
    pub heading: Heading,
    #[serde(skip)]
    pub game: GameKind,
    pub about: About,
    pub round: u32,
    pub stage: Stage,
    /// The pairing event; none for an unpaired round, which is then proposed.
    pub seq: Option<u64>,
    /// By the rules; the published one if it is as good.
    pub expected: ExpectedRound,
    /// With recorded colours if it is paired.
    pub boards: Vec<ExplainedBoard>,
    /// By the rules, if the published round violates them.
    #[serde(skip)]
    pub instead: Vec<ExplainedBoard>,
    /// Whether the publication is compliant; none if unpaired.
    pub published: Option<Published>,
    /// Corrections of earlier events that were recorded after the pairing, which is judged without them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub corrected_since: Vec<CorrectedSince>,
    /// Why a pair or bye is not in it.
    pub why_not: Vec<WhyNot>,
    /// Readings in force of the texts on the round.
    pub readings: Vec<ReadingLine>,
    pub players: Vec<Person>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CorrectedSince {
    /// The corrected event.
    pub corrects: u64,
    /// The correction.
    pub seq: u64,
}

/// The part to be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    Round,
    Byes,
    Colours(BoardId),
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedBoard {
    pub pairing: BoardId,
    pub upper: PlayerId,
    pub lower: PlayerId,
    /// None while undecided.
    pub gold: Option<PlayerId>,
    /// None while undecided.
    pub silver: Option<PlayerId>,
    /// What gave, or is to give, the colours if not the pairing.
    pub colour_how: Option<String>,
    /// By the rules.
    pub reason: Option<Explained>,
}

/// By the rules, with reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExpectedRound {
    /// As it would be recorded.
    pub round: RoundPaired,
    /// Boards with a coin, and the paragraph.
    pub coins: Vec<(BoardId, String)>,
    /// Boards with a choice, and the paragraph.
    pub choices: Vec<(BoardId, PlayerId, String)>,
    pub reasons: RoundExplanation,
}

/// The published round compared with the proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Published {
    /// No violation.
    pub in_order: bool,
    /// Equal to the canonical choice.
    pub canonical: bool,
    pub verdicts: Vec<Verdict>,
}

/// Explains a round.
///
/// # Errors
/// If the log cannot be read, the rulebook cannot be applied, there is no such round, or the record before it is
/// incomplete.
pub fn round(opened: &TournamentAt<'_>, number: u32, asked: &Asked) -> Result<RoundExplained, QueryError> {
    let tournament = opened.tournament();
    let paired = tournament.rounds.get(&number).map(|round| round.paired.clone());
    let then = match &paired {
        Some(paired) => Some(opened.before(paired.seq).map_err(|error| unfounded(opened, number, error))?),
        None => None,
    };
    let then = then.as_ref().unwrap_or(opened);
    let rulebook = then.rulebook()?;
    let next = formats::next_round(then.tournament(), rulebook).map_err(|refusal| match paired {
        Some(_) => QueryError::Refused(refusal),
        None => not_next(opened, number, Some(refusal.to_string())),
    })?;
    if next.paired.round != number {
        return Err(not_next(opened, number, None));
    }
    let mut next = next;
    let (mut boards, mut instead, mut published) = (boards(&next), Vec::new(), None);
    if let Some(paired) = &paired {
        let verdicts = judged(opened.log(), &opened.stream, &opened.cut, paired.seq)?;
        let in_order = !verdicts.iter().any(Verdict::is_violation);
        published = Some(Published { in_order, canonical: same(&paired.fact, &next.paired), verdicts });
        let own = formats::as_published(then.tournament(), rulebook, next.clone(), &paired.fact);
        let by_rules = std::mem::replace(&mut boards, recorded(tournament, &paired.fact, &own));
        if in_order {
            next = own;
        } else {
            instead = by_rules;
        }
    }
    let corrected_since = paired.as_ref().map(|paired| corrected_since(opened, paired.seq)).transpose()?;
    let corrected_since = corrected_since.unwrap_or_default();
    let mut why_not = Vec::new();
    let asks = asked.why_not.iter().map(|(one, other)| (one, Some(other)));
    for (one, other) in asks.chain(asked.why_no_bye.iter().map(|player| (player, None))) {
        why_not.push(formats::why_not(&next, rulebook, one, other)?);
    }
    let stage = next.paired.stage;
    let players = then.tournament().entrants.keys().map(|player| then.person(player)).collect();
    Ok(RoundExplained {
        heading: opened.heading(&format!("why round {number}")),
        game: opened.game(),
        about: About::Round,
        round: number,
        stage,
        seq: paired.map(|paired| paired.seq),
        expected: ExpectedRound::of(next),
        boards,
        instead,
        published,
        corrected_since,
        why_not,
        readings: readings_of(then, formats::texts_of_round(rulebook, stage)),
        players,
    })
}

fn corrected_since(opened: &TournamentAt<'_>, paired: u64) -> Result<Vec<CorrectedSince>, QueryError> {
    let lines = corrections::ask(opened, &TimeZone::UTC)?.into_iter();
    let later = lines.filter(|line| line.seq > paired && line.corrects < paired);
    Ok(later.map(|line| CorrectedSince { corrects: line.corrects, seq: line.seq }).collect())
}

/// The requested part of an explanation.
pub fn part(
    opened: &TournamentAt<'_>,
    mut explained: RoundExplained,
    pairing: Option<BoardId>,
) -> RoundExplained {
    let (about, what) = match pairing {
        Some(pairing) => (About::Colours(pairing), format!("why the colours of {pairing}")),
        None => (About::Byes, format!("why the bye of round {}", explained.round)),
    };
    explained.heading = opened.heading(&what);
    explained.about = about;
    // Other parts are not checked.
    if let Some(published) = &mut explained.published {
        published.verdicts.retain(|verdict| match pairing {
            Some(_) => verdict.subject.pairing() == pairing,
            None => verdict.rule.id != RuleId::Colour,
        });
    }
    let ExpectedRound { round, reasons, .. } = &mut explained.expected;
    reasons.pairs.clear();
    explained.instead.clear();
    match pairing {
        Some(pairing) => {
            reasons.colours.retain(|colours| colours.boards.contains(&pairing.board));
            reasons.order.clear();
            reasons.criteria.clear();
            reasons.equals = None;
            (reasons.another, reasons.another_byes) = (None, Vec::new());
            reasons.byes.clear();
            round.pairs.retain(|pair| pair.board == pairing.board);
            round.byes.clear();
            explained.boards.retain(|board| board.pairing == pairing);
        }
        None => {
            if round.byes.is_empty() {
                reasons.criteria.clear();
                reasons.byes = vec![no_bye(round)];
            }
            reasons.equals = None;
            reasons.colours.clear();
            round.pairs.clear();
            explained.boards.clear();
        }
    }
    explained
}

/// Why a round has no bye.
fn no_bye(round: &RoundPaired) -> Explained {
    let pairs: BTreeSet<_> = round.pairs.iter().map(|pair| [&pair.upper, &pair.lower]).collect();
    let players = pairs.iter().flatten().collect::<BTreeSet<_>>().len();
    let because = if pairs.len() * 2 == players {
        format!("{players} players, an even number")
    } else {
        format!("{players} players who meet several others each")
    };
    Explained { what: "no player has a bye".to_owned(), paragraph: String::new(), because }
}

fn unfounded(opened: &TournamentAt<'_>, number: u32, error: ReplayError) -> QueryError {
    match error {
        ReplayError::NotYet { .. } => QueryError::Nothing(format!(
            "round {number} of {} is paired by its first event: nothing stood before it from which it could follow",
            opened.stream
        )),
        other => other.into(),
    }
}

fn not_next(opened: &TournamentAt<'_>, number: u32, why: Option<String>) -> QueryError {
    let known = opened.tournament().rounds.keys().copied().collect();
    let no_such = QueryError::NoSuchRound { stream: opened.stream.clone(), round: number, known };
    match why {
        Some(why) => QueryError::Nothing(format!("{no_such}; and no further round follows: {why}")),
        None => no_such,
    }
}

/// Same pairs, byes and colours.
fn same(one: &RoundPaired, other: &RoundPaired) -> bool {
    fn pairs(round: &RoundPaired) -> Vec<(&PlayerId, &PlayerId, bool)> {
        let mut pairs: Vec<_> = round
            .pairs
            .iter()
            .map(|pair| match (pair.player(Side::Gold), pair.player(Side::Silver)) {
                (Some(gold), Some(silver)) => (gold, silver, true),
                _ => ((&pair.upper).min(&pair.lower), (&pair.upper).max(&pair.lower), false),
            })
            .collect();
        pairs.sort();
        pairs
    }
    let byes = |round: &RoundPaired| {
        let mut byes: Vec<_> = round.byes.iter().map(|bye| bye.player.clone()).collect();
        byes.sort();
        byes
    };
    pairs(one) == pairs(other) && byes(one) == byes(other)
}

/// By the rules, with the source of colours.
fn boards(next: &Proposal) -> Vec<ExplainedBoard> {
    let explained = |pair: &Pair| {
        let pairing = BoardId { round: next.paired.round, board: pair.board };
        let coin = next.coins.iter().any(|(of, _)| *of == pairing).then(|| "a coin decides".to_owned());
        let choice = next.choices.iter().find(|(of, ..)| *of == pairing);
        let by_colours = next.reasons.colours.iter().find(|colours| colours.boards.contains(&pair.board));
        ExplainedBoard {
            pairing,
            upper: pair.upper.clone(),
            lower: pair.lower.clone(),
            gold: pair.player(Side::Gold).cloned(),
            silver: pair.player(Side::Silver).cloned(),
            colour_how: coin.or_else(|| Some(format!("{} chooses", choice?.1))),
            reason: by_colours.map(|colours| colours.reason.clone()),
        }
    };
    next.paired.pairs.iter().map(explained).collect()
}

/// A published round's boards with recorded colours.
fn recorded(tournament: &Tournament, published: &RoundPaired, own: &Proposal) -> Vec<ExplainedBoard> {
    let round = tournament.rounds.get(&published.round);
    let mut boards = boards(own);
    for (explained, pair) in boards.iter_mut().zip(&published.pairs) {
        let board = round.and_then(|round| round.boards.get(&pair.board));
        let gold = board.map_or_else(|| pair.player(Side::Gold), Board::gold);
        if gold.is_some() {
            explained.colour_how = board.and_then(|board| colours_by(tournament, board)).map(|(how, _)| how);
        }
        explained.gold = gold.cloned();
        explained.silver =
            gold.map(|gold| if *gold == pair.upper { &pair.lower } else { &pair.upper }).cloned();
    }
    boards
}

impl ExpectedRound {
    fn of(next: Proposal) -> ExpectedRound {
        let paragraph = |rule: annals_tournaments::rulebook::Rule| rule.paragraph.to_owned();
        ExpectedRound {
            coins: next.coins.into_iter().map(|(pairing, rule)| (pairing, paragraph(rule))).collect(),
            choices: next
                .choices
                .into_iter()
                .map(|(pairing, player, rule)| (pairing, player, paragraph(rule)))
                .collect(),
            reasons: next.reasons,
            round: next.paired,
        }
    }
}
