//! A round explained: the order it rests on, the criteria with their values, pairs, byes and colours with their reasons,
//! how many rounds are as good, and whether the published one is among them.

mod page;

use std::collections::BTreeSet;

use annals_events::tournament::{Pair, RoundPaired, Stage};
use annals_events::{BoardId, GameKind, PlayerId, Side};
use annals_tournaments::explain::{Explained, RoundExplanation, WhyNot};
use annals_tournaments::formats::{self, Proposal};
use annals_tournaments::rulebook::RuleId;
use annals_tournaments::verdict::Verdict;
use annals_tournaments::{Board, Tournament};
use serde::Serialize;

use crate::error::ReplayError;
use crate::queries::error::QueryError;
use crate::queries::overview::{ReadingLine, readings_of};
use crate::queries::rounds::colours_by;
use crate::queries::tournament_at::TournamentAt;
use crate::queries::{Heading, Person};
use crate::tournament_audit::judged;

/// What else is asked of a round.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// Why these two do not meet.
    pub why_not: Option<(PlayerId, PlayerId)>,
    pub why_no_bye: Option<PlayerId>,
}

/// A round with its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundExplained {
    #[serde(flatten)]
    pub heading: Heading,
    #[serde(skip)]
    pub game: GameKind,
    pub about: About,
    pub round: u32,
    pub stage: Stage,
    /// The event that paired it; none where it is not paired, and what is shown is what would follow.
    pub seq: Option<u64>,
    /// The round as the rules make it; the published one where it is as good.
    pub expected: ExpectedRound,
    /// Its boards, with the colours that are recorded where it is paired.
    pub boards: Vec<ExplainedBoard>,
    /// The boards by the rules, where the published round violates them.
    #[serde(skip)]
    pub instead: Vec<ExplainedBoard>,
    /// Whether the published round is the one that follows, or one as good; none where it is not paired.
    pub published: Option<Published>,
    /// Why something that was asked about is not in the round.
    pub why_not: Vec<WhyNot>,
    /// The readings in force of the ambiguous texts on which the round rests.
    pub readings: Vec<ReadingLine>,
    pub players: Vec<Person>,
}

/// What of a round is explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    Round,
    Byes,
    Colours(BoardId),
}

/// A board and its colours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedBoard {
    pub pairing: BoardId,
    pub upper: PlayerId,
    pub lower: PlayerId,
    /// Who has Gold; none while that is open.
    pub gold: Option<PlayerId>,
    /// Who has Silver; none while that is open.
    pub silver: Option<PlayerId>,
    /// What gave the colours, or has yet to give them, where the pairing did not.
    pub colour_how: Option<String>,
    /// Why by the rules.
    pub reason: Option<Explained>,
}

/// The round as the rules make it, with its reasons.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExpectedRound {
    /// As it would be recorded: pairs, byes, order, measures, grounds.
    pub round: RoundPaired,
    /// Boards whose colours a coin decides, with the paragraph.
    pub coins: Vec<(BoardId, String)>,
    /// Boards whose colours a player chooses, with the paragraph.
    pub choices: Vec<(BoardId, PlayerId, String)>,
    pub reasons: RoundExplanation,
}

/// What was published, compared with what follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Published {
    /// Whether no rule is violated.
    pub in_order: bool,
    /// Whether it is the very round that the rules' canonical choice gives.
    pub canonical: bool,
    /// Every rule that was checked.
    pub verdicts: Vec<Verdict>,
}

/// Explains a round.
///
/// # Errors
/// When the log cannot be read, the rulebook cannot be followed, there is no such round, or the record before it does not
/// go so far.
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
        why_not,
        readings: readings_of(then, formats::texts_of_round(rulebook, stage)),
        players,
    })
}

/// The part of an explanation that a question is about.
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
    // What is not asked about is not checked either.
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
        // Colours of one board.
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
        // The byes alone.
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

/// That a round has no bye, and why.
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

/// Whether two rounds have the same pairs, byes and colours.
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

/// The boards of a round by the rules, each with what gives its colours.
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

/// The boards of a published round, with the colours that are recorded for them.
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
