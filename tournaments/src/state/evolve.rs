use std::collections::BTreeMap;

use annals_events::tournament::{PlayerRegistered, RoundPaired, Withdrawal};
use annals_events::{BoardId, Micros, PlayerId, TournamentEvent};

use crate::context::lifts;
use crate::state::decision::{ColourDecision, Decision, Play, ResultSource};
use crate::state::{Board, Round};
use crate::state::{Entrant, Finding, Leaving, LedgerEntry, Left, Money, Noted, ProgramRecord, Tournament};

impl Tournament {
    /// `at` is the effective time.
    pub fn evolve(&mut self, seq: u64, at: Micros, event: &TournamentEvent) {
        use TournamentEvent as E;
        self.events += 1;
        self.first_at.get_or_insert(at);
        match event {
            E::Announced(announced) => {
                if self.announced.is_some() {
                    self.find(seq, "announced_twice", "the tournament is announced a second time".to_owned());
                }
                self.announced = Some(announced.clone());
            }
            E::ScheduleChanged(changed) => {
                if let Some(announced) = &mut self.announced {
                    for deadline in &changed.schedule {
                        announced.schedule.retain(|old| old.milestone != deadline.milestone);
                        announced.schedule.push(deadline.clone());
                    }
                }
            }
            E::PlayerRegistered(entry) => self.enter(seq, at, entry),
            E::RatingsRecorded(recorded) => {
                for rating in &recorded.ratings {
                    if let Some(entrant) = self.entrant(seq, &rating.player) {
                        entrant.rating = Some(rating.rating);
                    }
                }
            }
            E::PlayerWithdrawn(withdrawn) => {
                let how = match withdrawn.how {
                    Withdrawal::Own => Leaving::Own,
                    Withdrawal::Forfeit => Leaving::Forfeit,
                    Withdrawal::Removed => Leaving::Removed,
                };
                self.leave(seq, at, &withdrawn.player, how);
            }
            E::PlayerReinstated(back) => self.come_back(seq, &back.player),
            E::Invited(invited) => {
                if let Some(entrant) = self.entrant(seq, &invited.player) {
                    entrant.invited = Some(Noted { seq, at, fact: invited.clone() });
                }
            }
            E::InvitationLapsed(lapsed) => self.leave(seq, at, &lapsed.player, Leaving::Lapsed),
            E::Disqualified(out) => {
                if let Some(entrant) = self.entrant(seq, &out.player) {
                    // A player who is out left before.
                    entrant.left.get_or_insert(Left { seq, at, how: Leaving::Disqualified });
                    entrant.disqualified.push(Noted { seq, at, fact: out.clone() });
                }
            }
            E::BenchmarksDeclared(declared) => self.benchmarks = Some(declared.clone()),
            E::QualifyingGamePlayed(game) => {
                let at = self.qualifying_games.len();
                if let Some(id) = &game.game {
                    self.index.qualifying_by_game.entry(id.clone()).or_insert(at);
                }
                if let Some(number) = game.number {
                    self.index.qualifying_by_number.entry(number).or_insert(at);
                }
                self.qualifying_games.push(game.clone());
            }
            E::Qualified(qualified) => {
                for place in &qualified.order {
                    if let Some(entrant) = self.entrants.get_mut(&place.player) {
                        entrant.seed = place.seed.or(entrant.seed);
                    }
                }
                self.index.order = Some(seq);
                self.qualified.push(qualified.clone());
            }
            E::FeeRecorded(fee) => self.book(seq, at, Money::Fee, fee.player.to_string(), fee.amount),
            E::ContributionRecorded(gift) => {
                self.book(seq, at, Money::Contribution, gift.from.clone(), gift.amount);
            }
            E::RefundRecorded(refund) => {
                self.book(seq, at, Money::Refund, refund.player.to_string(), refund.amount);
            }
            E::PenaltyPaid(paid) => {
                self.book(seq, at, Money::PenaltyPaid, paid.player.to_string(), paid.amount)
            }
            E::PrizeAwarded(prize) => {
                self.prizes.push(Noted { seq, at, fact: prize.clone() });
                self.book(seq, at, Money::Prize, prize.player.to_string(), prize.amount)
            }
            E::PrizeForfeited(prize) => {
                self.book(seq, at, Money::PrizeForfeited, prize.player.to_string(), prize.amount);
            }
            E::PrizeReturned(prize) => {
                self.book(seq, at, Money::PrizeReturned, prize.player.to_string(), prize.amount);
            }
            E::BanRecorded(ban) => self.bans.push(Noted { seq, at, fact: ban.clone() }),
            E::BanLifted(lifted) => {
                self.bans.retain(|ban| !lifts(lifted, &ban.fact));
                self.bans_lifted.push(lifted.clone());
            }
            E::RoundPaired(paired) => self.pair(seq, at, paired),
            E::PairingRevoked(revoked) => {
                let stood = match revoked.board {
                    None => self.rounds.remove(&revoked.round).is_some(),
                    Some(board) => self.take_board(BoardId { round: revoked.round, board }).is_some(),
                };
                if !stood {
                    self.find(seq, "no_such_pairing", "revokes a pairing that does not stand".to_owned());
                }
            }
            E::ColourDrawn(drawn) => {
                if let Some(board) = self.board_or_finding(seq, &drawn.pairing) {
                    board.colours.push(ColourDecision::Drawn(Noted { seq, at, fact: drawn.clone() }));
                }
            }
            E::ColourChosen(chosen) => {
                if let Some(board) = self.board_or_finding(seq, &chosen.pairing) {
                    board.colours.push(ColourDecision::Chosen(Noted { seq, at, fact: chosen.clone() }));
                }
            }
            E::RoundStarted(started) => match self.rounds.get_mut(&started.round) {
                Some(round) => {
                    if round.started_at.is_none() {
                        round.started_at = Some(at);
                        round.started_with = started.pairing.map(|pairing| pairing.board);
                    }
                    self.index.begun.get_or_insert(seq);
                }
                None => self.find(seq, "no_such_round", format!("round {} was never paired", started.round)),
            },
            E::GameScheduled(scheduled) => {
                if let Some(board) = self.board_or_finding(seq, &scheduled.pairing) {
                    board.scheduled = Some(Noted { seq, at, fact: scheduled.clone() });
                }
            }
            E::GameAttached(attached) => {
                self.index.attached.entry(attached.game.clone()).or_default().insert(attached.pairing);
                if let Some(board) = self.board_or_finding(seq, &attached.pairing) {
                    board.games.insert(attached.attempt, attached.game.clone());
                    if board.halted() {
                        board.play = Play::Open;
                    }
                    self.index.begun.get_or_insert(seq);
                }
            }
            E::ResultRecorded(result) => {
                let round = self.rounds.get(&result.pairing.round);
                let board = round.and_then(|round| round.boards.get(&result.pairing.board));
                let forfeit = board.is_some_and(|board| board.is_forfeit_by(result));
                if !forfeit && round.is_some_and(|round| !round.is_started()) {
                    let message = format!(
                        "{} has a result, but round {} has not started",
                        result.pairing, result.pairing.round
                    );
                    self.find(seq, "round_not_started", message);
                }
                if let Some(board) = self.board_or_finding(seq, &result.pairing) {
                    if board.decision().is_some() {
                        let message = format!("{} has its result already", result.pairing);
                        self.find(seq, "second_result", message);
                    } else {
                        let source = ResultSource::Recorded(Noted { seq, at, fact: result.clone() });
                        board.play = Play::Decided(Decision { source, territory_ruled: None });
                    }
                }
            }
            E::ForfeitClaimed(claimed) => {
                if let Some(board) = self.board_or_finding(seq, &claimed.pairing) {
                    board.claim = Some(Noted { seq, at, fact: claimed.clone() });
                }
            }
            E::DisputeFiled(dispute) => self.disputes.push(dispute.clone()),
            E::AppealFiled(appeal) => self.appeals.push((Noted { seq, at, fact: appeal.clone() }, None)),
            E::AppealDecided(decided) => {
                match self.appeals.iter_mut().find(|(appeal, _)| appeal.fact.number == decided.number) {
                    Some((_, answer)) => *answer = Some(decided.clone()),
                    None => {
                        self.find(seq, "no_such_appeal", format!("appeal {} was never filed", decided.number))
                    }
                }
            }
            E::RulingGiven(ruling) => self.rule(seq, at, ruling),
            E::TablePublished(table) => self.published = Some(Noted { seq, at, fact: table.clone() }),
            E::Closed(closed) => {
                self.closed = Some(closed.clone());
                self.closed_at = Some(at);
            }
            E::RoundsDeclared(declared) => {
                self.rounds_declared.insert(declared.stage, Noted { seq, at, fact: declared.clone() });
            }
            E::PenaltyRecorded(penalty) => self.penalties.push(Noted { seq, at, fact: penalty.clone() }),
            E::NoticeGiven(notice) => self.notices.push(Noted { seq, at, fact: notice.clone() }),
            E::HardwareSpecified(specified) => {
                self.hardware = Some(Noted { seq, at, fact: specified.clone() });
            }
            E::ReferenceHardwareRecorded(recorded) => {
                self.reference_hardware = Some(Noted { seq, at, fact: recorded.clone() });
            }
            E::MachinesAssigned(assigned) => {
                let machines =
                    assigned.machines.iter().map(|machine| (machine.player.clone(), machine.clone()));
                self.machines.entry(assigned.round).or_default().extend(machines);
            }
            E::AccountGiven(given) => {
                if let Some(entrant) = self.entrant(seq, &given.player) {
                    entrant.program.accounts_given.push(Noted { seq, at, fact: given.clone() });
                }
            }
            E::AccountWithdrawn(withdrawn) => {
                if let Some(entrant) = self.entrant(seq, &withdrawn.player) {
                    entrant.program.accounts_withdrawn.push(Noted { seq, at, fact: withdrawn.clone() });
                }
            }
            E::ProgramPublished(published) => {
                if let Some(entrant) = self.entrant(seq, &published.player) {
                    entrant.program.published = Some(Noted { seq, at, fact: published.clone() });
                }
            }
            E::LotsDrawn(lots) => {
                self.lots.insert(lots.round, Noted { seq, at, fact: lots.clone() });
            }
            E::AvailabilityGiven(given) => {
                if let Some(entrant) = self.entrant(seq, &given.player) {
                    entrant.availability.push(Noted { seq, at, fact: given.clone() });
                }
            }
            E::HardwareDeclared(declared) => {
                if let Some(entrant) = self.entrant(seq, &declared.player) {
                    entrant.hardware.push(Noted { seq, at, fact: declared.clone() });
                }
            }
            E::ProgramSubmitted(submitted) => {
                if let Some(entrant) = self.entrant(seq, &submitted.player) {
                    entrant.program.submitted.push(Noted { seq, at, fact: submitted.clone() });
                }
            }
            E::ProgramTested(tested) => {
                if let Some(entrant) = self.entrant(seq, &tested.player) {
                    entrant.program.tested.push(Noted { seq, at, fact: tested.clone() });
                }
            }
            E::ProgramUpdated(updated) => {
                if let Some(entrant) = self.entrant(seq, &updated.player) {
                    entrant.program.updated.push(Noted { seq, at, fact: updated.clone() });
                }
            }
            E::ProgramSubstituted(substituted) => {
                if let Some(entrant) = self.entrant(seq, &substituted.player) {
                    entrant.program.substituted = Some(Noted { seq, at, fact: substituted.clone() });
                }
            }
        }
    }

    /// Findings on a pairing: players paired with themselves or not taking part.
    fn check_pairs(&mut self, seq: u64, paired: &RoundPaired) {
        for pair in &paired.pairs {
            if pair.upper == pair.lower {
                let message = format!("board {} pairs `{}` with themselves", pair.board, pair.upper);
                self.find(seq, "paired_with_oneself", message);
            }
            for player in [&pair.upper, &pair.lower] {
                if let Some(why) = self.not_to_be_paired(player, paired.stage) {
                    self.find(seq, "not_entered", format!("board {}: `{player}` {why}", pair.board));
                }
            }
        }
    }

    fn pair(&mut self, seq: u64, at: Micros, paired: &RoundPaired) {
        self.check_pairs(seq, paired);
        if paired.pairs.is_empty() && paired.byes.is_empty() {
            return;
        }
        self.vacated.remove(&paired.round);
        let boards: BTreeMap<u32, Board> =
            paired.pairs.iter().map(|pair| (pair.board, Board::of(pair))).collect();
        let rests_on = self.results_before(paired.round);
        let round = self.rounds.entry(paired.round).or_insert_with(|| Round {
            stage: paired.stage,
            boards: BTreeMap::new(),
            byes: Vec::new(),
            started_at: None,
            started_with: None,
            paired: Noted { seq, at, fact: paired.clone() },
            inferred: paired.inferred,
            rests_on,
        });
        let again = boards.keys().any(|board| round.boards.contains_key(board));
        // A second pairing of the same boards does not replace the first, which has to be revoked.
        for (number, board) in boards {
            round.boards.entry(number).or_insert(board);
        }
        for bye in &paired.byes {
            if !round.byes.contains(bye) {
                round.byes.push(bye.clone());
            }
        }
        if again {
            self.find(seq, "paired_twice", format!("round {} is paired already", paired.round));
        }
    }

    fn book(&mut self, seq: u64, at: Micros, what: Money, who: String, amount: u64) {
        self.index.booked.entry(who.clone()).or_default().insert(what);
        self.ledger.push(LedgerEntry { seq, at, what, who, amount });
    }

    fn enter(&mut self, seq: u64, at: Micros, entry: &PlayerRegistered) {
        let order = match self.entrants.get(&entry.player) {
            Some(before) => before.order,
            None => u32::try_from(self.entrants.len() + 1).unwrap_or(u32::MAX),
        };
        let entrant = Entrant {
            name: entry.name.clone(),
            entry: Noted { seq, at, fact: entry.clone() },
            order,
            left: None,
            disqualified: Vec::new(),
            invited: None,
            program: ProgramRecord::default(),
            hardware: Vec::new(),
            availability: Vec::new(),
            kind: entry.kind,
            rating: entry.rating,
            number: entry.number,
            seed: None,
        };
        self.entrants.insert(entry.player.clone(), entrant);
    }

    pub(super) fn leave(&mut self, seq: u64, at: Micros, player: &PlayerId, how: Leaving) {
        if let Some(entrant) = self.entrant(seq, player) {
            entrant.left = Some(Left { seq, at, how });
        }
    }

    pub(super) fn come_back(&mut self, seq: u64, player: &PlayerId) {
        if let Some(entrant) = self.entrant(seq, player) {
            entrant.left = None;
        }
    }

    fn entrant(&mut self, seq: u64, player: &PlayerId) -> Option<&mut Entrant> {
        if !self.entrants.contains_key(player) {
            self.find(seq, "no_such_player", format!("`{player}` never entered"));
        }
        self.entrants.get_mut(player)
    }

    pub(super) fn board_or_finding(&mut self, seq: u64, pairing: &BoardId) -> Option<&mut Board> {
        if self.board_mut(pairing).is_none() {
            self.find(seq, "no_such_pairing", format!("{pairing} was never paired"));
        }
        self.board_mut(pairing)
    }

    /// Removes a board. A round without boards is removed and returned, too.
    pub(super) fn take_board(&mut self, pairing: BoardId) -> Option<(Board, Option<Round>)> {
        let round = self.rounds.get_mut(&pairing.round)?;
        let board = round.boards.remove(&pairing.board)?;
        let empty = round.boards.is_empty() && round.byes.is_empty();
        Some((board, empty.then(|| self.rounds.remove(&pairing.round)).flatten()))
    }

    fn board_mut(&mut self, pairing: &BoardId) -> Option<&mut Board> {
        self.rounds.get_mut(&pairing.round)?.boards.get_mut(&pairing.board)
    }

    pub(super) fn find(&mut self, seq: u64, code: &'static str, message: String) {
        self.findings.push(Finding::new(seq, code, message));
    }
}
