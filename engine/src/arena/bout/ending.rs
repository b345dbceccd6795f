//! How a game of a match ends or halts, and the record of the failure that ended it.

use annals_events::{Ended, GameEvent, Halted, Side, Termination, TurnRejected};

use super::GameTable;
use crate::arena::report::{Failure, Winner};
use crate::seated::Seated;

impl<S: Seated> GameTable<'_, '_, '_, S> {
    pub(super) fn halt(&mut self, why: Option<String>) {
        let _ = self.happened(GameEvent::Halted(Halted { reason: why.map(Into::into) }));
    }

    /// Records a turn that was refused.
    pub(super) fn rejected(&mut self, side: Side, failure: &Failure) {
        if let Failure::Illegal { turn, why, .. } = failure {
            let number = self.game.expected_number().unwrap_or(2);
            let rejected =
                TurnRejected { number, side, steps: turn.clone().into(), reason: why.clone().into() };
            let _ = self.happened(GameEvent::TurnRejected(rejected));
        }
    }

    pub(super) fn end(&mut self, winner: Option<Side>, termination: Termination, stated: Option<String>) {
        self.report.winner = Some(winner.map_or(Winner::Nobody, Winner::Side));
        self.report.termination = Some(termination);
        let draw = winner.is_none() && termination != Termination::Abandoned;
        let ended = Ended { winner, termination: Some(termination), stated: stated.map(Into::into), draw };
        // An ending is always possible in an unfinished game.
        let _ = self.happened(GameEvent::Ended(ended));
    }

    /// A contestant failed: the other one wins, or if the match was stopped, play halts.
    pub(super) fn fail(&mut self, side: Side, failure: Failure) {
        self.rejected(side, &failure);
        match failure.termination() {
            Some(termination) => self.end(Some(side.other()), termination, failure.stated()),
            None => self.halt(Some(failure.to_string())),
        }
        if failure != Failure::Stopped {
            self.report.failure = Some((side, failure));
        }
    }

    /// Neither side can play.
    pub(super) fn abandon(&mut self, gold: &Failure, silver: &Failure) {
        if *gold == Failure::Stopped || *silver == Failure::Stopped {
            return self.fail(Side::Gold, Failure::Stopped);
        }
        let stated = format!("gold: {gold}; silver: {silver}");
        self.report.remarks.extend([(Side::Gold, gold.to_string()), (Side::Silver, silver.to_string())]);
        self.end(None, Termination::Abandoned, Some(stated));
    }
}
