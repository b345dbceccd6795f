//! The recorded end of a game compared with the board and with the game length.

use annals_events::{Ended, Side, Termination};

use super::contract::Outcome;
use crate::scoring::{Score, Undecidable};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndingCheck {
    /// Board or score shows this end, or the record leaves it undetermined.
    Agrees,
    /// The board shows another.
    Disagrees {
        /// Its outcome; none if the record claims an end that boards show.
        board: Option<Outcome>,
    },
    /// Boards do not show such ends (time, resignation, forfeit …), and this one does not contradict it.
    NotOnBoard,
}

impl EndingCheck {
    /// In tables: `agrees`, `disagrees`, `not_on_board`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            EndingCheck::Agrees => "agrees",
            EndingCheck::Disagrees { .. } => "disagrees",
            EndingCheck::NotOnBoard => "not_on_board",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ending {
    /// None for a draw, or if unknown.
    pub winner: Option<Side>,
    /// Stated as without winner.
    pub draw: bool,
    /// None if unstated or unknown.
    pub termination: Option<Termination>,
    /// Compared with the board.
    pub check: EndingCheck,
    /// Compared with the game length.
    pub limit: LimitCheck,
}

/// An end compared with the game length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitCheck {
    /// Consistent, or no length.
    Fits,
    /// The necessary times are not recorded.
    Unknown,
    Fault(LimitFault),
}

impl LimitCheck {
    pub(super) fn of(holds: bool, fault: LimitFault) -> LimitCheck {
        if holds { LimitCheck::Fault(fault) } else { LimitCheck::Fits }
    }

    #[must_use]
    pub const fn fault(self) -> Option<LimitFault> {
        match self {
            LimitCheck::Fault(fault) => Some(fault),
            LimitCheck::Fits | LimitCheck::Unknown => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum LimitFault {
    /// A turn completed after the game length.
    #[error(
        "turn {number}{} was completed after the game had reached its limit, where it ends by score",
        .side.letter()
    )]
    PlayedOn { number: u32, side: Side },
    #[error("the game had reached its limit, where it ends by score, and its stated ending is {0}")]
    EndedOtherwise(Termination),
    /// An end by score of a game that cannot have reached its length by then.
    #[error("the stated ending of the game is score, and it had not reached its limit")]
    ScoredBefore,
    #[error("the stated ending of the game is score, and its time control sets no limit")]
    ScoredWithout,
    #[error("play was halted after the game had reached its limit, where it ends by score")]
    HaltedAfter,
    /// Scored later than the instant at which the game reached its length.
    #[error(
        "the stated ending of the game is score, more than a day after it reached its limit and so ended"
    )]
    ScoredLate,
}

impl LimitFault {
    /// Stable.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            LimitFault::PlayedOn { .. }
            | LimitFault::EndedOtherwise(_)
            | LimitFault::HaltedAfter
            | LimitFault::ScoredLate => "past_the_limit",
            LimitFault::ScoredBefore | LimitFault::ScoredWithout => "before_the_limit",
        }
    }

    #[must_use]
    pub fn has_code(code: &str) -> bool {
        [LimitFault::EndedOtherwise(Termination::Time), LimitFault::ScoredBefore]
            .iter()
            .any(|fault| fault.code() == code)
    }
}

/// Compares with the board, and an end by score with the score. What the record leaves open contradicts nothing.
pub(super) fn check(ended: &Ended<'_>, board: Option<Outcome>, score: Score) -> EndingCheck {
    let winner_fits = |winner: Option<Side>| match (ended.winner, ended.draw) {
        (Some(side), _) => winner == Some(side),
        (None, true) => winner.is_none(),
        (None, false) => true,
    };
    if let Some(outcome) = board {
        let how_fits = ended.termination.is_none_or(|how| how == outcome.termination);
        return if how_fits && winner_fits(outcome.winner) {
            EndingCheck::Agrees
        } else {
            EndingCheck::Disagrees { board }
        };
    }
    match (ended.termination, score) {
        (Some(how), _) if how.shows_on_board() => EndingCheck::Disagrees { board: None },
        // A game without score cannot end by it.
        (Some(Termination::Score), Score::Undecidable(Undecidable::NotScored)) => {
            EndingCheck::Disagrees { board: None }
        }
        (Some(Termination::Score), Score::Won(side)) if winner_fits(Some(side)) => EndingCheck::Agrees,
        (Some(Termination::Score), Score::Won(side)) => EndingCheck::Disagrees {
            board: Some(Outcome { winner: Some(side), termination: Termination::Score }),
        },
        _ => EndingCheck::NotOnBoard,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOAL: Outcome = Outcome { winner: Some(Side::Gold), termination: Termination::Goal };
    const OPEN: Score = Score::Undecidable(Undecidable::PiecePointsUnknown);

    fn ended(winner: Option<Side>, termination: Option<Termination>) -> Ended<'static> {
        Ended { winner, termination, stated: None, draw: false }
    }

    #[test]
    fn an_ending_on_the_board_agrees_in_winner_and_reason_or_not_at_all() {
        let gold = Some(Side::Gold);
        let says = |winner, how, board| check(&ended(winner, how), board, OPEN);
        assert_eq!(says(gold, Some(Termination::Goal), Some(GOAL)), EndingCheck::Agrees);
        let against = EndingCheck::Disagrees { board: Some(GOAL) };
        assert_eq!(says(Some(Side::Silver), Some(Termination::Goal), Some(GOAL)), against);
        assert_eq!(says(gold, Some(Termination::Elimination), Some(GOAL)), against);
        assert_eq!(says(gold, Some(Termination::Time), Some(GOAL)), against);
        assert_eq!(says(gold, Some(Termination::Goal), None), EndingCheck::Disagrees { board: None });
        assert_eq!(says(gold, Some(Termination::Time), None), EndingCheck::NotOnBoard);
    }

    #[test]
    fn what_the_record_leaves_open_contradicts_nothing() {
        assert_eq!(check(&ended(None, None), Some(GOAL), OPEN), EndingCheck::Agrees);
        assert_eq!(check(&ended(None, None), None, OPEN), EndingCheck::NotOnBoard);
        let draw = Ended { draw: true, ..ended(None, None) };
        assert_eq!(check(&draw, Some(GOAL), OPEN), EndingCheck::Disagrees { board: Some(GOAL) });
    }

    #[test]
    fn an_ending_by_score_is_held_against_the_score_where_there_is_one() {
        let score = Some(Termination::Score);
        let gold = ended(Some(Side::Gold), score);
        assert_eq!(check(&gold, None, Score::Won(Side::Gold)), EndingCheck::Agrees);
        let board = Some(Outcome { winner: Some(Side::Silver), termination: Termination::Score });
        assert_eq!(check(&gold, None, Score::Won(Side::Silver)), EndingCheck::Disagrees { board });
        assert_eq!(check(&gold, None, OPEN), EndingCheck::NotOnBoard);
        let none = Score::Undecidable(Undecidable::NotScored);
        assert_eq!(check(&gold, None, none), EndingCheck::Disagrees { board: None });
        let time = ended(Some(Side::Gold), Some(Termination::Time));
        assert_eq!(check(&time, None, none), EndingCheck::NotOnBoard);
    }
}
