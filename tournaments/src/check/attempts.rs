//! What may happen to a pairing and the attempts at it (2015 WCC, Technical Problems 1–3). After a halt or an
//! invalidated result the next attempt resumes at that game and ply. Once the first game of a round has
//! started, no earlier round changes.

use annals_events::tournament::Outcome;
use annals_events::{BoardId, PlayerId};

use super::{Checker, JudgingContext};
use crate::reading::Reading as _;
use crate::refusal::BY_T50;
use crate::rulebook::{EarlierResults, RuleId, Rulebook};
use crate::rulings::RoundBegins;
use crate::state::round::{AttemptStatus, ResumePoint};
use crate::state::{Board, Round, Tournament};

/// Why something is not allowed: its rules (the first that the rulebook has counts), what is expected, what
/// was found.
pub(crate) struct Objection {
    rules: &'static [RuleId],
    expected: &'static str,
    found: String,
}

pub(crate) type Allowed = Result<(), Objection>;

fn need(holds: bool, objection: impl FnOnce() -> Objection) -> Allowed {
    if holds { Ok(()) } else { Err(objection()) }
}

const ONE_AT_A_TIME: &str = "one game and one result at a time, unless a ruling asks for another";
const COMES_FIRST: &str = "the ruling or the pairing that it needs comes first";
pub(crate) const RESUMPTION: &[RuleId] = &[RuleId::RulingResume, RuleId::RulingRematch, RuleId::ResultOnce];

impl Checker<'_> {
    /// Records that something is allowed by `rule`, or not by the rule of the objection.
    pub(crate) fn allowed(&mut self, rule: RuleId, subject: &str, allowed: Allowed) {
        match allowed {
            Ok(()) => self.compliant(rule, subject),
            Err(Objection { rules, expected, found }) => {
                let rule = self.first_rule(rules);
                self.hold(rule, subject, false, || (expected, found));
            }
        }
    }

    /// Once a later round has begun, no earlier one changes.
    pub(crate) fn not_frozen(&mut self, subject: &str, pairing: BoardId) {
        self.allowed(RuleId::RulingFrozen, subject, not_frozen(self.case, pairing.round));
    }
}

pub fn has_begun(rulebook: &Rulebook, round: &Round) -> bool {
    rulebook.readings.round_begins == RoundBegins::Paired || round.has_begun()
}

/// 0 before the first round begins.
pub(crate) fn begun(case: &JudgingContext<'_>) -> u32 {
    let mut rounds = case.tournament.rounds.iter().rev();
    rounds.find(|(_, round)| has_begun(case.rulebook, round)).map_or(0, |(&round, _)| round)
}

fn round_before_is_over(tournament: &Tournament, round: u32) -> Allowed {
    let Some(before) = round.checked_sub(1).filter(|before| *before > 0) else { return Ok(()) };
    let why = match tournament.rounds.get(&before) {
        None => "the round before is not paired".to_owned(),
        Some(known) => match known.boards.iter().find(|(_, board)| board.outcome().is_none()) {
            None => return Ok(()),
            Some((&board, _)) => {
                format!("pairing {} of the round before has no result", BoardId { round: before, board })
            }
        },
    };
    Err(Objection {
        rules: &[RuleId::RoundOrder, RuleId::ResultPaired],
        expected: "every result of the round before comes first",
        found: format!("round {round} cannot be paired or begun: {why}"),
    })
}

pub(crate) fn not_frozen(case: &JudgingContext<'_>, round: u32) -> Allowed {
    let begun = begun(case);
    need(begun <= round, || Objection {
        rules: &[RuleId::RulingFrozen],
        expected: "the round stays as it is",
        found: format!("round {begun} has begun, so nothing of round {round} changes any more"),
    })
}

pub(crate) struct PairingNow<'a> {
    pub case: &'a JudgingContext<'a>,
    pub pairing: BoardId,
    pub board: &'a Board,
}

impl PairingNow<'_> {
    fn attempt(&self, number: u32) -> String {
        format!("game {} (attempt {number})", self.pairing)
    }

    fn no_result(&self) -> Allowed {
        need(self.board.outcome().is_none(), || Objection {
            rules: &[RuleId::ResultOnce],
            expected: ONE_AT_A_TIME,
            found: format!("pairing {} has its result; only a ruling can change it", self.pairing),
        })
    }

    /// A further game may start: the first from the start, another only to resume one.
    pub fn may_start(&self, resumes: Option<ResumePoint>) -> Allowed {
        let Self { board, pairing, .. } = self;
        self.no_result()?;
        if let Some(open) = board.attempt_open() {
            return Err(Objection {
                rules: &[RuleId::ResultOnce],
                expected: ONE_AT_A_TIME,
                found: format!("{} of the same pairing is being played", self.attempt(open)),
            });
        }
        round_before_is_over(self.case.tournament, pairing.round)?;
        let found = match (board.last_attempt(), board.owed().map(|owed| owed.fact.point()), resumes) {
            (0, _, Some(_)) => format!("the first game of pairing {pairing} starts from the start"),
            (0, _, None) => return Ok(()),
            (_, None, _) => {
                format!("pairing {pairing} is owed no further attempt: no ruling halted or invalidated one")
            }
            (_, Some(due), resumes) if resumes == Some(due) => return Ok(()),
            (_, Some(due), _) => {
                let ResumePoint { attempt, ply } = due;
                let found = format!(
                    "the attempt must go on from {} after ply {ply}, as was ruled",
                    self.attempt(attempt)
                );
                let expected = "the next attempt pays the debt exactly";
                return Err(Objection { rules: RESUMPTION, expected, found });
            }
        };
        Err(Objection { rules: RESUMPTION, expected: COMES_FIRST, found })
    }

    pub fn may_end(&self, number: u32) -> Allowed {
        let status = self.board.status_of(number);
        need(status == Some(AttemptStatus::Open), || Objection {
            rules: RESUMPTION,
            expected: COMES_FIRST,
            found: format!("{} is {}", self.attempt(number), status.map_or("unknown", AttemptStatus::word)),
        })
    }

    pub fn may_forfeit(&self, outcome: Outcome) -> Allowed {
        self.no_result()?;
        let forfeit = matches!(outcome, Outcome::Gold | Outcome::Silver | Outcome::DoubleLoss);
        need(forfeit, || Objection {
            rules: &[RuleId::ResultGame],
            expected: COMES_FIRST,
            found: "a forfeit has one winner, or both lose".to_owned(),
        })?;
        round_before_is_over(self.case.tournament, self.pairing.round)
    }

    pub fn may_halt(&self, at: ResumePoint) -> Allowed {
        let under_way = self.board.status_of(at.attempt) == Some(AttemptStatus::Open);
        need(under_way, || Objection {
            rules: &[RuleId::RulingHalt, RuleId::RulingRematch],
            expected: COMES_FIRST,
            found: format!(
                "{} is not in progress, so it cannot be halted: invalidate its result",
                self.attempt(at.attempt)
            ),
        })?;
        self.was_played(at)?;
        not_frozen(self.case, self.pairing.round)
    }

    pub fn may_invalidate(&self, at: ResumePoint) -> Allowed {
        let name = || self.attempt(at.attempt);
        let objection = |found: String| Objection {
            rules: &[RuleId::RulingInvalidate, RuleId::RulingRematch],
            expected: COMES_FIRST,
            found,
        };
        let over = self.board.status_of(at.attempt) == Some(AttemptStatus::Over);
        need(over, || objection(format!("{} has no result that could be invalidated", name())))?;
        not_frozen(self.case, self.pairing.round)?;
        need(self.board.last_attempt() == at.attempt, || {
            objection(format!("the result in force is not that of {}", name()))
        })?;
        self.was_played(at)
    }

    pub fn may_set_result(&self) -> Allowed {
        round_before_is_over(self.case.tournament, self.pairing.round)?;
        match self.case.rulebook.readings.earlier_results {
            EarlierResults::Kept if self.case.rulebook.ambiguous.contains(&EarlierResults::REGISTER) => {
                not_frozen(self.case, self.pairing.round).map_err(|objection| Objection {
                    found: format!("{}{BY_T50}", objection.found),
                    ..objection
                })
            }
            EarlierResults::Kept => not_frozen(self.case, self.pairing.round),
            EarlierResults::Corrected => Ok(()),
        }
    }

    pub fn may_set_colours(&self, gold: &PlayerId) -> Allowed {
        let Self { board, pairing, .. } = self;
        let objection = |found| Objection { rules: &[RuleId::GamePlayers], expected: COMES_FIRST, found };
        not_frozen(self.case, pairing.round)?;
        need(board.has(gold), || {
            objection(format!("players and colours must be those of pairing {pairing}"))
        })?;
        match board.attempts().first() {
            Some(&first) => {
                let first = self.attempt(first);
                Err(objection(format!("{first} has started, so the colours of its pairing are fixed")))
            }
            None => self.no_result(),
        }
    }

    /// If the log does not contain the game, any ply may have been reached.
    fn was_played(&self, at: ResumePoint) -> Allowed {
        let game = self.board.games.get(&at.attempt).and_then(|game| self.case.context.game(game));
        let played = game.map_or(u32::MAX, |game| game.plies);
        need(at.ply <= played, || Objection {
            rules: &[RuleId::RulingResume, RuleId::RulingNumber],
            expected: "a ply that was played",
            found: format!("ply {} is beyond the {played} plies that were played", at.ply),
        })
    }
}
