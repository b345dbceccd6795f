use std::borrow::Cow;

use annals_events::{GameEvent, GameKind, Side, Started, TurnTaken};

use crate::archive_row::text::Zone;
use crate::flags::Flags;
use crate::game_record::TimedEvent;
use crate::row::{Row, is_plausible};
use crate::server_log::LogLine;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Label {
    pub number: u32,
    pub side: Side,
}

impl Label {
    pub const FIRST: Label = Label { number: 1, side: Side::Gold };

    pub fn next(self) -> Label {
        let number = match self.side {
            Side::Gold => self.number,
            Side::Silver => self.number.saturating_add(1),
        };
        Label { number, side: self.side.other() }
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct MoveListLine<'a> {
    pub label: Option<Label>,
    pub text: &'a [u8],
}

/// Items of the list, in order.
#[derive(Debug)]
pub(super) enum Item<'a> {
    /// Under its corrected label.
    Turn {
        label: Label,
        text: Cow<'a, [u8]>,
    },
    Takeback,
}

/// The events of a row, and their log lines. Reusable for all rows of a block.
#[derive(Debug, Default)]
pub struct RowEvents<'a> {
    /// The first is `Started`, the last `Ended`.
    pub events: Vec<TimedEvent<'a>>,
    /// Empty without server log.
    pub log: Vec<LogLine<'a>>,
    /// The row's own are in [`Row::flags`].
    pub flags: Flags,
    /// The turn in which the game ended, with its logged clock, if the list lacks it.
    pub unfinished: Option<TurnTaken<'static>>,
    pub(super) lines: Vec<MoveListLine<'a>>,
    /// Of the move list.
    pub(super) items: Vec<Item<'a>>,
    /// Labels in force while reading the list.
    pub(super) labels: Vec<Label>,
    /// Indices of log lines on moves.
    pub(super) moves: Vec<u32>,
    /// Of the last log.
    pub(super) zone: Zone,
    /// The box of the last `Started`, for reuse.
    pub(super) spare: Option<Box<Started<'a>>>,
}

impl<'a> RowEvents<'a> {
    pub(super) fn clear(&mut self) {
        if let Some((_, GameEvent::Started(started))) = self.events.drain(..).next() {
            self.spare = Some(started);
        }
        self.log.clear();
        self.flags = Flags::NONE;
        self.lines.clear();
        self.items.clear();
        self.labels.clear();
        self.moves.clear();
        self.unfinished = None;
    }

    pub(super) fn start(&mut self, row: &Row<'a>) {
        let header = &row.header;
        let started = header.started(GameKind::Arimaa);
        // A missing start is the earliest time by which the game had begun.
        let logged = || self.log.iter().find_map(|line| line.at.filter(|at| is_plausible(*at)));
        let at = header.started_at.or_else(logged).or(header.ended_at);
        let started = match self.spare.take() {
            Some(mut spare) => {
                *spare = started;
                spare
            }
            None => Box::new(started),
        };
        self.events.push((at, GameEvent::Started(started)));
    }
}
