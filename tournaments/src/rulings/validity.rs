//! Which acts are allowed: the rules of validity, each with its refusal.

use annals_events::tournament::Outcome;

use super::act::{Act, AttemptStatus, Board, PairedBoard, ResumePoint};
use super::course::Course;
use super::refusal::Refusal;

type Judgement<K, G> = Result<(), Refusal<K, G>>;

fn need<K, G>(holds: bool, refusal: impl FnOnce() -> Refusal<K, G>) -> Judgement<K, G> {
    if holds { Ok(()) } else { Err(refusal()) }
}

impl<K: Clone + Ord, G: Clone + Ord, P: Clone + PartialEq> Course<K, G, P> {
    /// Whether an act is allowed as things stand.
    ///
    /// # Errors
    ///
    /// The refusal, with its paragraph.
    pub fn judge(&self, act: &Act<K, G, P>) -> Judgement<K, G> {
        match act {
            Act::RoundPaired { round, boards } => self.judge_round(*round, boards),
            Act::GameStarted { pairing, game, resumes, gold, silver, .. } => {
                self.judge_start(pairing, game, resumes.as_ref(), gold.as_ref(), silver.as_ref())
            }
            Act::PlyPlayed { game, .. } | Act::GameEnded { game, .. } => {
                let attempt =
                    self.attempts.get(game).ok_or_else(|| Refusal::NoSuchGame { game: game.clone() })?;
                need(attempt.status == AttemptStatus::Open, || Refusal::NotOpen {
                    game: game.clone(),
                    status: attempt.status,
                })
            }
            Act::Forfeited { pairing, outcome } => {
                let board = self.known(pairing)?;
                need(board.result.is_none(), || Refusal::HasResult { pairing: pairing.clone() })?;
                need(matches!(outcome, Outcome::Gold | Outcome::Silver | Outcome::DoubleLoss), || {
                    Refusal::NoForfeit
                })?;
                self.round_before_is_over(board.round)
            }
            Act::Halted { point, .. } => {
                let open = |attempt: &super::act::Attempt<K, G>| attempt.status == AttemptStatus::Open;
                let attempt = self
                    .attempts
                    .get(&point.game)
                    .filter(|attempt| open(attempt))
                    .ok_or_else(|| Refusal::HaltNeedsAGameInProgress { game: point.game.clone() })?;
                within(point, attempt.plies)?;
                self.not_frozen(self.known(&attempt.pairing)?.round)
            }
            Act::Invalidated { point, .. } => self.judge_invalidation(point),
            Act::ResultSet { pairing, .. } => {
                let board = self.known(pairing)?;
                self.round_before_is_over(board.round)?;
                self.not_frozen(board.round)
            }
            Act::ColoursSet { pairing, gold } => {
                let board = self.known(pairing)?;
                self.not_frozen(board.round)?;
                need(board.gold == *gold || board.silver == *gold, || Refusal::ColoursDiffer {
                    pairing: pairing.clone(),
                })?;
                match board.attempts.first() {
                    Some(game) => Err(Refusal::GameStarted { game: game.clone() }),
                    None => need(board.result.is_none(), || Refusal::HasResult { pairing: pairing.clone() }),
                }
            }
        }
    }

    fn judge_round(&self, round: u32, boards: &[PairedBoard<K, P>]) -> Judgement<K, G> {
        need(round > 0, || Refusal::NoSuchRound)?;
        self.round_before_is_over(round)?;
        let paired = self.rounds.get(&round);
        // Under the reading that pairing begins a round, pairing it anew is still allowed until a game has started.
        let untouched = round > self.started
            && self.rounds.keys().next_back().is_none_or(|last| *last <= round)
            && paired
                .into_iter()
                .flatten()
                .all(|pairing| self.boards.get(pairing).is_none_or(|board| board.result.is_none()));
        need(paired.is_none() || untouched, || Refusal::RoundBegun { round })?;
        for (i, board) in boards.iter().enumerate() {
            let pairing = &board.pairing;
            let elsewhere = self.boards.get(pairing).is_some_and(|known| known.round != round);
            let earlier = &boards[..i];
            need(!elsewhere && earlier.iter().all(|other| other.pairing != *pairing), || {
                Refusal::PairingTwice { pairing: pairing.clone() }
            })?;
            let appears =
                |player: &P| earlier.iter().any(|other| other.gold == *player || other.silver == *player);
            need(board.gold != board.silver && !appears(&board.gold) && !appears(&board.silver), || {
                Refusal::PlayerTwice { pairing: pairing.clone() }
            })?;
        }
        Ok(())
    }

    fn judge_start(
        &self,
        pairing: &K,
        game: &G,
        resumes: Option<&ResumePoint<G>>,
        gold: Option<&P>,
        silver: Option<&P>,
    ) -> Judgement<K, G> {
        let board = self.known(pairing)?;
        need(!self.attempts.contains_key(game), || Refusal::GameTwice { game: game.clone() })?;
        need(board.result.is_none(), || Refusal::HasResult { pairing: pairing.clone() })?;
        let open = board.attempts.iter().find(|attempt| {
            self.attempts.get(*attempt).is_some_and(|attempt| attempt.status == AttemptStatus::Open)
        });
        if let Some(open) = open {
            return Err(Refusal::AnotherOpen { game: open.clone() });
        }
        self.round_before_is_over(board.round)?;
        if board.attempts.is_empty() {
            need(resumes.is_none(), || Refusal::FirstFromTheStart { pairing: pairing.clone() })?;
        } else {
            let debt = board.debt.as_ref().ok_or_else(|| Refusal::NothingDue { pairing: pairing.clone() })?;
            need(resumes == Some(&debt.point), || Refusal::WrongPoint { due: debt.point.clone() })?;
        }
        let same = |said: Option<&P>, known: &P| said.is_none_or(|said| said == known);
        need(same(gold, &board.gold) && same(silver, &board.silver), || Refusal::ColoursDiffer {
            pairing: pairing.clone(),
        })
    }

    fn judge_invalidation(&self, point: &ResumePoint<G>) -> Judgement<K, G> {
        let unfinished = || Refusal::InvalidationNeedsAFinishedGame { game: point.game.clone() };
        let attempt = self
            .attempts
            .get(&point.game)
            .filter(|attempt| attempt.status == AttemptStatus::Over)
            .ok_or_else(unfinished)?;
        let board = self.known(&attempt.pairing)?;
        self.not_frozen(board.round)?;
        need(board.attempts.last() == Some(&point.game) && board.result.is_some(), || Refusal::NotInForce {
            game: point.game.clone(),
        })?;
        within(point, attempt.plies)
    }

    fn known(&self, pairing: &K) -> Result<&Board<G, P>, Refusal<K, G>> {
        self.boards.get(pairing).ok_or_else(|| Refusal::NoSuchPairing { pairing: pairing.clone() })
    }

    /// Every pairing of the round before has a result.
    fn round_before_is_over(&self, round: u32) -> Judgement<K, G> {
        if round <= 1 {
            return Ok(());
        }
        need(self.rounds.contains_key(&(round - 1)), || Refusal::RoundBeforeOpen { round, open: None })?;
        match self.open_board(round - 1) {
            Some(open) => Err(Refusal::RoundBeforeOpen { round, open: Some(open.clone()) }),
            None => Ok(()),
        }
    }

    /// No later round has begun.
    fn not_frozen(&self, round: u32) -> Judgement<K, G> {
        let begun = self.begun();
        need(begun <= round, || Refusal::Frozen { round, begun })
    }
}

fn within<K, G>(point: &ResumePoint<G>, played: u32) -> Judgement<K, G> {
    need(point.ply <= played, || Refusal::BeyondThePlies { ply: point.ply, played })
}
