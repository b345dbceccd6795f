//! A game being read, common to both formats: collects events with lines, counts moves, and compares the stated result
//! with the board.

use annals_events::{Ended, GameEvent, Side, Started, Termination, TurnRetracted, TurnTaken};
use annals_rules::amazons::{Amazons, Move, Size};
use annals_rules::game::{Game, Strictness};

use super::dates::Dated;
use super::ending::StatedEnding;
use super::error::Problem;
use super::flag::{self, FileFlag};
use super::{GameFile, GameFileError};

/// Number and side.
pub(super) type Label = (u32, Side);

/// The position of a game in its file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'f> {
    pub file: &'f str,
    pub line: u64,
    pub byte_offset: usize,
    pub byte_len: usize,
}

impl Place<'_> {
    pub fn error(&self, line: u64, turn: Option<Label>, problem: Problem) -> GameFileError {
        GameFileError {
            file: self.file.to_owned(),
            line,
            turn,
            byte_offset: self.byte_offset as u64,
            byte_len: self.byte_len as u64,
            problem,
        }
    }
}

/// The facts of a turn besides its move.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Clocks {
    pub used: Option<u32>,
    pub reserves: [Option<i64>; 2],
}

#[derive(Debug)]
pub(super) struct Draft {
    size: Size,
    first: Label,
    plies: Vec<Label>,
    events: Vec<(Option<i64>, GameEvent<'static>)>,
    lines: Vec<u64>,
    only_date: bool,
    pub flags: Vec<FileFlag>,
}

impl Draft {
    /// Begins with the start's line; `first` is the label of the first move.
    pub fn new(
        line: u64,
        started: Started<'static>,
        dated: Option<Dated>,
        size: Size,
        first: Label,
    ) -> Draft {
        let at = dated.map(|dated| dated.at);
        Draft {
            size,
            first,
            plies: Vec::new(),
            events: vec![(at, GameEvent::Started(Box::new(started)))],
            lines: vec![line],
            only_date: dated.is_some_and(|dated| dated.only_date),
            flags: Vec::new(),
        }
    }

    /// Of the next move.
    pub fn next(&self) -> Label {
        match self.plies.last() {
            None => self.first,
            Some((number, Side::Gold)) => (*number, Side::Silver),
            Some((number, Side::Silver)) => (number.saturating_add(1), Side::Gold),
        }
    }

    /// The last move in force.
    pub fn last(&self) -> Option<Label> {
        self.plies.last().copied()
    }

    /// The number of moves in force.
    pub fn standing(&self) -> usize {
        self.plies.len()
    }

    pub fn turn(&mut self, line: u64, label: Label, played: Move, clocks: Clocks) -> Result<(), Problem> {
        if let Some(square) =
            [played.from, played.to, played.block].into_iter().find(|square| !self.size.has(*square))
        {
            return Err(Problem::OffBoard { square, size: self.size });
        }
        let (number, side) = label;
        let mut turn = TurnTaken::plain(number, side, played.to_string());
        turn.used = clocks.used;
        [turn.gold_reserve, turn.silver_reserve] = clocks.reserves;
        self.plies.push(label);
        self.push(line, GameEvent::TurnTaken(turn));
        Ok(())
    }

    /// Sets the seconds of the last turn.
    pub fn used(&mut self, seconds: u32) -> bool {
        match self.events.last_mut() {
            Some((_, GameEvent::TurnTaken(turn))) if turn.used.is_none() => {
                turn.used = Some(seconds);
                true
            }
            _ => false,
        }
    }

    pub fn retract(&mut self, line: u64, reason: Option<String>) -> Result<(), Problem> {
        self.plies.pop().ok_or(Problem::NothingToRetract)?;
        self.push(line, GameEvent::TurnRetracted(TurnRetracted { reason: reason.map(Into::into) }));
        Ok(())
    }

    pub fn flag(&mut self, code: &'static str, line: u64, what: impl Into<String>) {
        let turn = self.last();
        self.flags.push(FileFlag { code, line, turn, what: what.into() });
    }

    fn push(&mut self, line: u64, event: GameEvent<'static>) {
        self.events.push((None, event));
        self.lines.push(line);
    }

    /// Ends the game with the stated ending and its line. `end` is the last line.
    pub fn finish(mut self, place: &Place<'_>, said: Option<(u64, StatedEnding)>, end: u64) -> GameFile {
        let (line, said) = match said {
            Some((line, said)) => (line, Some(said)),
            None => (end, None),
        };
        if said.as_ref().is_some_and(|said| said.odd) {
            self.flag(flag::UNREADABLE_RESULT, line, "what is stated as the result is none that we know");
        }
        let cut = self.flags.iter().any(|flag| flag.code == flag::CUT_SHORT);
        match said {
            Some(StatedEnding { ended: Some(mut ended), territory, .. }) => {
                self.hold_against_the_board(&mut ended, territory, line);
                self.push(line, GameEvent::Ended(ended));
            }
            _ if !cut => {
                let what = "no result is stated: the game was cut short, or it was not finished";
                self.flag(flag::NO_RESULT, line, what);
            }
            _ => {}
        }
        self.flags.sort_by_key(|flag| flag.line);
        GameFile {
            events: self.events,
            turn_lines: self.lines,
            only_date: self.only_date,
            line: place.line,
            byte_offset: place.byte_offset as u64,
            byte_len: place.byte_len as u64,
            flags: self.flags,
        }
    }

    /// Stated squares mean that the loser could not move, if the board agrees.
    fn hold_against_the_board(&mut self, ended: &mut Ended<'static>, territory: Option<u32>, line: u64) {
        let Some(stated) = territory else { return };
        let Some((winner, squares)) = self.score() else { return };
        if ended.winner != Some(winner) {
            return;
        }
        if ended.termination.is_none() {
            ended.termination = Some(Termination::Immobilization);
            ended.stated = None;
        }
        if squares != stated {
            let what = format!("the territory is stated as {stated}, and on the board it is {squares}");
            self.flag(flag::TERRITORY_DISAGREES, line, what);
        }
    }

    fn score(&self) -> Option<(Side, u32)> {
        let mut game: Game<Amazons> = Game::new(Strictness::Archive);
        for (_, event) in &self.events {
            game.apply(None, event).ok()?;
        }
        game.state()?.score()
    }
}
