//! Move list and server log by line. Lines end with the two characters `\n`, except the label that closes a move list.

use annals_events::{Side, Termination};

use super::text::{Stamp, push_label, push_number};
use crate::server_log::{LogKind, LogLine};

/// What the server prints after a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Figures {
    pub used: u32,
    /// Gold's and Silver's, in seconds.
    pub reserves: [i64; 2],
    /// So far, in seconds.
    pub game_time: u64,
}

/// A move list and log under construction; the buffers are reusable.
#[derive(Debug, Default)]
pub struct Transcript {
    list: Vec<u8>,
    log: Vec<u8>,
    stamp: Stamp,
}

impl Transcript {
    pub fn clear(&mut self) {
        self.list.clear();
        self.log.clear();
    }

    #[must_use]
    pub fn list(&self) -> &[u8] {
        &self.list
    }

    #[must_use]
    pub fn log(&self) -> &[u8] {
        &self.log
    }

    /// A turn with its steps, or a word such as `takeback`.
    pub fn list_turn(&mut self, number: u32, side: Side, words: &[u8]) {
        push_label(&mut self.list, number, side);
        self.list.push(b' ');
        self.list.extend_from_slice(words);
        self.list.extend_from_slice(b"\\n");
    }

    /// The last line: the label that was due.
    pub fn list_end(&mut self, number: u32, side: Side) {
        push_label(&mut self.list, number, side);
    }

    /// `w player joining`, `w player present`. Times are seconds since the Unix epoch.
    pub fn player(&mut self, at: i64, side: Side, word: &str) {
        self.stamp.push(&mut self.log, at, 0);
        self.log.push(side.archive_letter() as u8);
        self.log.extend_from_slice(b" player ");
        self.end_line(word.as_bytes());
    }

    /// `start move received from w`
    pub fn begins(&mut self, at: i64) {
        self.stamp.push(&mut self.log, at, 0);
        self.end_line(b"start move received from w");
    }

    /// `move 5w received from w [steps]`
    pub fn received(&mut self, at: i64, number: u32, side: Side, steps: &[u8]) {
        self.stamp.push(&mut self.log, at, 0);
        self.log.extend_from_slice(b"move ");
        push_label(&mut self.log, number, side);
        self.log.extend_from_slice(b" received from ");
        self.log.push(side.archive_letter() as u8);
        self.log.extend_from_slice(b" [");
        self.log.extend_from_slice(steps);
        self.end_line(b"]");
    }

    /// `after 5w, move used:12 wresv:120 bresv:118 game:164`
    pub fn after(&mut self, at: i64, number: u32, side: Side, figures: &Figures) {
        self.stamp.push(&mut self.log, at, 0);
        self.log.extend_from_slice(b"after ");
        push_label(&mut self.log, number, side);
        self.figures(figures);
    }

    /// `gameserver rejected move [steps]; reason`
    pub fn rejected(&mut self, at: i64, steps: &[u8], reason: &[u8]) {
        self.stamp.push(&mut self.log, at, 0);
        self.log.extend_from_slice(b"gameserver rejected move [");
        self.log.extend_from_slice(steps);
        self.log.extend_from_slice(b"]; ");
        self.end_line(reason);
    }

    /// `result=wr side=b`: the game's end, under this label's side.
    pub fn result(&mut self, at: i64, winner: Option<Side>, how: Termination, side: Side) {
        self.stamp.push(&mut self.log, at, 0);
        self.log.extend_from_slice(b"result=");
        self.log.extend_from_slice(&[winner_letter(winner), how.archive_letter() as u8]);
        self.log.extend_from_slice(b" side=");
        self.end_line(&[side.archive_letter() as u8]);
    }

    /// `game finished with result w g`
    pub fn finished(&mut self, at: i64, winner: Option<Side>, how: Termination) {
        self.stamp.push(&mut self.log, at, 0);
        self.log.extend_from_slice(b"game finished with result ");
        self.log.extend_from_slice(&[winner_letter(winner), b' ', how.archive_letter() as u8]);
        self.end_line(b"");
    }

    /// A log line as it was read. `steps` are those of a received move.
    pub fn line(&mut self, line: &LogLine<'_>, steps: &[u8]) {
        if line.kind == LogKind::Other {
            return self.end_line(line.text);
        }
        let at = line.at.unwrap_or_default().div_euclid(1_000_000);
        self.stamp.push(&mut self.log, at, line.utc_offset.unwrap_or_default());
        let letter = line.side.map_or(b'?', |side| side.archive_letter() as u8);
        match line.kind {
            LogKind::Joining => self.word(letter, b" player joining"),
            LogKind::Present => self.word(letter, b" player present"),
            LogKind::Left => self.word(letter, b" player has left"),
            LogKind::StartReceived => {
                self.log.extend_from_slice(b"start move received from ");
                self.word(letter, b"");
            }
            LogKind::MoveReceived => {
                self.log.extend_from_slice(b"move ");
                push_number(&mut self.log, i64::from(line.number.unwrap_or_default()));
                self.log.push(letter);
                self.log.extend_from_slice(b" received from ");
                self.log.extend_from_slice(&[letter, b' ', b'[']);
                self.log.extend_from_slice(steps);
                self.end_line(b"]");
            }
            LogKind::AfterMove => {
                self.log.extend_from_slice(b"after ");
                push_number(&mut self.log, i64::from(line.number.unwrap_or_default()));
                self.log.push(letter);
                self.figures(&Figures {
                    used: line.used.unwrap_or_default(),
                    reserves: [line.gold_reserve, line.silver_reserve].map(Option::unwrap_or_default),
                    game_time: line.game_time.unwrap_or_default(),
                });
            }
            LogKind::Rejected => {
                self.log.extend_from_slice(b"gameserver rejected move [");
                self.log.extend_from_slice(line.steps.unwrap_or_default());
                self.log.extend_from_slice(b"]; ");
                self.end_line(line.text);
            }
            LogKind::Result => {
                self.log.extend_from_slice(b"result=");
                self.end_line(line.text);
            }
            LogKind::Finished => {
                self.log.extend_from_slice(b"game finished with result ");
                self.end_line(line.text);
            }
            LogKind::Other => {}
        }
    }

    /// A letter, and the rest of the line.
    fn word(&mut self, letter: u8, words: &[u8]) {
        self.log.push(letter);
        self.end_line(words);
    }

    /// `, move used:12 wresv:120 bresv:118 game:164`
    fn figures(&mut self, figures: &Figures) {
        let numbers = [
            (&b", move used:"[..], i64::from(figures.used)),
            (b" wresv:", figures.reserves[Side::Gold.index()]),
            (b" bresv:", figures.reserves[Side::Silver.index()]),
            (b" game:", i64::try_from(figures.game_time).unwrap_or(i64::MAX)),
        ];
        for (words, number) in numbers {
            self.log.extend_from_slice(words);
            push_number(&mut self.log, number);
        }
        self.end_line(b"");
    }

    fn end_line(&mut self, words: &[u8]) {
        self.log.extend_from_slice(words);
        self.log.extend_from_slice(b"\\n");
    }
}

fn winner_letter(winner: Option<Side>) -> u8 {
    winner.map_or(b'd', |side| side.archive_letter() as u8)
}
