//! What a ruling does to the state, and how a replacing one undoes it.

use annals_events::tournament::{Clocks, Effect, Failure, RulingGiven};
use annals_events::{BoardId, GameId, Micros, PlayerId};

use crate::state::change::{Change, Snapshot};
use crate::state::decision::{ColourDecision, Decision, Play, ResultSource};
use crate::state::{Board, Leaving, Noted, RuledGame, RulingInForce, SetAside, Tournament};

/// Where an attempt is to be repeated, and why.
struct Point {
    ply: Option<u32>,
    failure: Failure,
    clocks: Option<Clocks>,
}

/// Pairing, game and rating of an effect on a game.
fn of_game(effect: &Effect) -> Option<(BoardId, Option<&GameId>, bool)> {
    match effect {
        Effect::Halt { pairing, game, .. } | Effect::Invalidate { pairing, game, .. } => {
            Some((*pairing, game.as_ref(), false))
        }
        Effect::SetRated { pairing, game, rated } => Some((*pairing, game.as_ref(), *rated)),
        _ => None,
    }
}

impl Tournament {
    /// Rulings not replaced, in order.
    pub(crate) fn rulings_in_force(&self) -> impl Iterator<Item = &RulingInForce> {
        self.rulings.iter().filter(|ruling| ruling.superseded_by.is_none())
    }

    pub fn ruling_in_force(&self, number: u32) -> Option<&RulingInForce> {
        self.rulings_in_force().find(|ruling| ruling.ruling.number == number)
    }

    /// The game that an effect halts or rates: the named one, else the last attempt.
    pub fn game_of<'a>(&'a self, effect: &'a Effect) -> Option<&'a GameId> {
        let (pairing, named, _) = of_game(effect)?;
        let attempts =
            || self.rounds.get(&pairing.round)?.boards.get(&pairing.board)?.games.values().next_back();
        named.or_else(attempts)
    }

    pub fn ruled_game(&self, game: &GameId) -> RuledGame {
        let mut ruled = RuledGame::default();
        for given in self.rulings.iter().filter(|given| given.game.as_ref() == Some(game)) {
            ruled.first.get_or_insert(given.seq);
            if given.superseded_by.is_none() {
                ruled.halted |= matches!(given.ruling.effect, Effect::Halt { .. });
                ruled.rated = of_game(&given.ruling.effect).map(|(_, _, rated)| rated);
            }
        }
        ruled
    }

    /// Whether the subject is still as the ruling left it, so that the ruling can be undone. Appointments do
    /// not count, since no ruling changes them.
    pub(crate) fn is_as_ruled(&self, ruling: &RulingInForce) -> bool {
        let Change { before, after } = &ruling.change;
        match after {
            _ if before == after => true,
            Snapshot::Nothing => true,
            Snapshot::Board(pairing, left) => {
                let round = self.rounds.get(&pairing.round).or(self.vacated.get(&pairing.round));
                let Some(round) = round.filter(|round| round.paired.seq < ruling.seq) else { return false };
                let without = |board: &Board| Board { scheduled: None, ..board.clone() };
                round.boards.get(&pairing.board).map(without) == left.as_deref().map(without)
            }
            Snapshot::Entrant(player, _) => self.snapshot_of_entrant(player) == *after,
        }
    }

    /// Undoes a ruling in force, unless its subject has changed since.
    pub(crate) fn undo(&mut self, number: u32) -> bool {
        let Some(ruling) = self.ruling_in_force(number).filter(|ruling| self.is_as_ruled(ruling)) else {
            return false;
        };
        let Change { before, after } = ruling.change.clone();
        match before {
            before if before == after => {}
            Snapshot::Nothing => {}
            Snapshot::Board(pairing, before) => {
                if let Some(round) = self.vacated.remove(&pairing.round) {
                    self.rounds.insert(pairing.round, round);
                }
                if let (Some(mut board), Some(round)) = (before, self.rounds.get_mut(&pairing.round)) {
                    if let Some(now) = round.boards.remove(&pairing.board) {
                        board.scheduled = now.scheduled;
                    }
                    round.boards.insert(pairing.board, *board);
                }
            }
            Snapshot::Entrant(player, before) => {
                if let (Some(entrant), Some(left)) = (self.entrants.get_mut(&player), before) {
                    entrant.left = left;
                }
            }
        }
        true
    }

    /// The tournament with ruling `number` replaced; none if its subject has changed since.
    pub(crate) fn without_ruling(&self, number: u32, by: u32) -> Option<Tournament> {
        let mut undone = self.clone();
        let is_undone = undone.undo(number);
        for old in undone.rulings.iter_mut().filter(|old| old.ruling.number == number) {
            old.superseded_by = Some(by);
        }
        is_undone.then_some(undone)
    }

    fn snapshot_of_board(&self, pairing: BoardId) -> Snapshot {
        let round = self.rounds.get(&pairing.round);
        let board = round.and_then(|round| round.boards.get(&pairing.board));
        Snapshot::Board(pairing, board.cloned().map(Box::new))
    }

    fn snapshot_of_entrant(&self, player: &PlayerId) -> Snapshot {
        let entrant = self.entrants.get(player);
        Snapshot::Entrant(player.clone(), entrant.map(|entrant| entrant.left.clone()))
    }

    fn snapshot(&self, effect: &Effect) -> Snapshot {
        match effect {
            Effect::Halt { pairing, .. }
            | Effect::Invalidate { pairing, .. }
            | Effect::Rematch { pairing, .. }
            | Effect::SetResult { pairing, .. }
            | Effect::Vacate { pairing }
            | Effect::SetTerritory { pairing, .. }
            | Effect::SetColours { pairing, .. } => self.snapshot_of_board(*pairing),
            Effect::Remove { player } | Effect::Reinstate { player } => self.snapshot_of_entrant(player),
            Effect::SetRated { .. } | Effect::Place { .. } | Effect::Read { .. } | Effect::Nothing => {
                Snapshot::Nothing
            }
        }
    }

    pub(super) fn rule(&mut self, seq: u64, at: Micros, ruling: &RulingGiven) {
        if let Some(number) = ruling.supersedes {
            self.supersede(seq, number, ruling.number);
        }
        let game = self.game_of(&ruling.effect).cloned();
        let before = self.snapshot(&ruling.effect);
        self.carry_out(seq, at, &ruling.effect);
        let after = self.snapshot(&ruling.effect);
        let change = Change { before, after };
        let ruling = ruling.clone();
        self.rulings.push(RulingInForce { seq, at, ruling, superseded_by: None, game, change });
        let read = |given: &RulingInForce| match &given.ruling.effect {
            Effect::Read { option, reading } => Some((option.clone(), reading.clone())),
            _ => None,
        };
        self.readings_ruled = self.rulings_in_force().filter_map(read).collect();
    }

    fn supersede(&mut self, seq: u64, number: u32, by: u32) {
        let known = self.rulings.iter().position(|old| old.ruling.number == number);
        let Some(at) = known else {
            return self.find(
                seq,
                "no_such_ruling",
                format!("takes the place of ruling {number}, never given"),
            );
        };
        if self.ruling_in_force(number).is_some() && !self.undo(number) {
            let message = format!("what ruling {number} changed has changed since, and is not undone");
            self.find(seq, "ruling_not_undone", message);
        }
        if let Some(old) = self.rulings.get_mut(at) {
            old.superseded_by.get_or_insert(by);
        }
    }

    fn carry_out(&mut self, seq: u64, at: Micros, effect: &Effect) {
        match effect {
            Effect::Halt { pairing, game, ply, failure, clocks }
            | Effect::Invalidate { pairing, game, ply, failure, clocks } => {
                let point = Point { ply: Some(*ply), failure: *failure, clocks: *clocks };
                self.set_aside(seq, at, pairing, game.as_ref(), point);
            }
            Effect::Rematch { pairing, failure } => {
                let point = Point { ply: None, failure: *failure, clocks: None };
                self.set_aside(seq, at, pairing, None, point);
            }
            Effect::SetResult { pairing, outcome, termination } => {
                if let Some(board) = self.board_or_finding(seq, pairing) {
                    // A confirmed win keeps how the game ended, and so the territory that counts for it. What a forfeit
                    // costs is for the ruling to state.
                    let confirmed = board.outcome() == Some(*outcome) && !board.is_forfeit();
                    let termination = termination.or(board.termination().filter(|_| confirmed));
                    let (outcome, territory) = (*outcome, board.territory());
                    let territory_ruled = board.decision().and_then(|decision| decision.territory_ruled);
                    let at = board.decision().map_or(at, Decision::at);
                    let source = ResultSource::Ruled { outcome, at, termination, territory };
                    board.play = Play::Decided(Decision { source, territory_ruled });
                }
            }
            Effect::Vacate { pairing } => match self.take_board(*pairing) {
                Some((_, None)) => {}
                Some((_, Some(round))) => {
                    self.vacated.insert(pairing.round, round);
                }
                None => self.find(seq, "no_such_pairing", format!("{pairing} is not in force")),
            },
            Effect::SetTerritory { pairing, squares } => {
                let Some(board) = self.board_or_finding(seq, pairing) else { return };
                match &mut board.play {
                    Play::Decided(decision) => decision.territory_ruled = Some(*squares),
                    Play::Open | Play::Halted => {
                        self.find(seq, "no_result", format!("{pairing} has no result to give territory to"));
                    }
                }
            }
            Effect::SetColours { pairing, gold } => {
                // The same colours change nothing, so that an earlier ruling can still be undone.
                if let Some(board) =
                    self.board_or_finding(seq, pairing).filter(|board| board.gold() != Some(gold))
                {
                    board.colours.push(ColourDecision::Ruled(Noted { seq, at, fact: gold.clone() }));
                }
            }
            Effect::Remove { player } => self.leave(seq, at, player, Leaving::Removed),
            Effect::Reinstate { player } => self.come_back(seq, player),
            Effect::SetRated { .. } | Effect::Place { .. } | Effect::Read { .. } | Effect::Nothing => {}
        }
    }

    /// Puts an attempt out of force: the pairing has no result, and another attempt is to be played.
    fn set_aside(&mut self, seq: u64, at: Micros, pairing: &BoardId, game: Option<&GameId>, point: Point) {
        let Some(board) = self.board_or_finding(seq, pairing) else { return };
        let halted = board.decision().is_none();
        let named = game.and_then(|game| board.number_of(game));
        let attempt = named.unwrap_or_else(|| board.last_attempt().max(1));
        let Point { ply, failure, clocks } = point;
        board.set_aside.push(Noted { seq, at, fact: SetAside { attempt, halted, ply, failure, clocks } });
        board.claim = None;
        // Nothing of that attempt counts, ruled territory included.
        board.play = if halted { Play::Halted } else { Play::Open };
    }
}
