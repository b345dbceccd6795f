//! A working thread: folds the games of a job by the rules, whatever they were read from, and computes the rows of their
//! positions.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

use annals_events::GameKind;
use annals_ingest::game_record::{Header, TimedEvent, game_of};
use annals_ingest::playthrough::Playthrough;
use annals_ingest::row::Row;
use annals_ingest::row_events::{RowEvents, events};
use annals_ingest::source::{Block, FoundGame, GameStatus, RowRef, RowStatus, SourceInfo};
use annals_ingest::stored_games::{OpenSource, Wanted};
use annals_rules::any_game::AnyState;
use annals_rules::arimaa::{Generator, Phase};

use crate::columns::Group;
use crate::error::FeatureError;
use crate::feed::{Games, Job, Part};
use crate::filter::LeftOut;
use crate::options::Options;
use crate::subject::{AmazonsPosition, ArimaaPosition, GameFacts, Subject, View};
use crate::table::FeatureTable;

/// Rows from which on a table is given away, at the end of a game.
const ROWS: usize = 65_536;

/// A working thread.
pub(crate) struct Worker<'o, F> {
    options: &'o Options,
    encode: &'o F,
    played: Playthrough,
    generator: RefCell<Generator>,
    table: FeatureTable,
    /// Whether somebody asks how often positions stood before.
    repetitions: bool,
}

impl<'o, F> Worker<'o, F> {
    pub fn new(options: &'o Options, encode: &'o F) -> Worker<'o, F> {
        Worker {
            options,
            encode,
            played: Playthrough::default(),
            generator: RefCell::default(),
            table: FeatureTable::new(&options.columns),
            repetitions: options.columns.iter().any(|column| column.group == Group::Modern),
        }
    }

    pub fn work<C>(&mut self, Job { source, games }: Job) -> Result<Part<C>, FeatureError>
    where
        F: Fn(FeatureTable, &SourceInfo) -> Result<C, FeatureError>,
    {
        let mut part = Part { done: Vec::new(), games: 0, positions: 0, left_out: Default::default() };
        match games {
            Games::Rows(blocks) => {
                for (block, rows) in &blocks {
                    let mut row_events = RowEvents::default();
                    for row in block.rows.get(rows.clone()).unwrap_or_default() {
                        let positions = self.row(block, row, source.ordinal, &mut row_events);
                        self.count(&mut part, positions, &source)?;
                    }
                }
            }
            Games::Found(games) => {
                for game in &games {
                    let positions = self.found(game, source.ordinal);
                    self.count(&mut part, positions, &source)?;
                }
            }
            Games::Stored(open, facts, wanted) => self.stored(&open, &facts, &wanted, &source, &mut part)?,
        }
        self.give_away(&mut part, &source)?;
        Ok(part)
    }

    /// Counts a game, and gives the table away where it is large enough.
    fn count<C>(
        &mut self,
        part: &mut Part<C>,
        positions: Result<u64, LeftOut>,
        source: &SourceInfo,
    ) -> Result<(), FeatureError>
    where
        F: Fn(FeatureTable, &SourceInfo) -> Result<C, FeatureError>,
    {
        match positions {
            Ok(positions) => {
                part.games += 1;
                part.positions += positions;
            }
            Err(why) => part.left_out[why as usize] += 1,
        }
        if self.table.rows() >= ROWS { self.give_away(part, source) } else { Ok(()) }
    }

    fn give_away<C>(&mut self, part: &mut Part<C>, source: &SourceInfo) -> Result<(), FeatureError>
    where
        F: Fn(FeatureTable, &SourceInfo) -> Result<C, FeatureError>,
    {
        if self.table.rows() > 0 {
            part.done.push((self.encode)(self.table.take(), source)?);
        }
        Ok(())
    }

    /// Adds the positions of a row of an archive, and says how many; or why there are none.
    fn row<'b>(
        &mut self,
        block: &'b Block,
        at: &RowRef,
        source: u32,
        row_events: &mut RowEvents<'b>,
    ) -> Result<u64, LeftOut> {
        let id = match &at.status {
            RowStatus::New { id } => *id,
            RowStatus::Duplicate { id } if self.options.filter.duplicates => *id,
            RowStatus::Duplicate { .. } => return Err(LeftOut::Duplicate),
            RowStatus::Rejected(_) => return Err(LeftOut::Unreadable),
        };
        let mut row = Row::read(&block.columns, block.row_text(at));
        // Rows of an archive are games of Arimaa.
        let facts = self.options.choose(id, GameKind::Arimaa, source, &row.header)?;
        if row.header.started_at.is_some() {
            // The server's log tells of clocks and of moves that it refused; no position comes of it.
            row.log = &[];
        }
        events(&row, row_events);
        self.game(&facts, &row_events.events)
    }

    /// Adds the positions of a game of a game file.
    fn found(&mut self, found: &FoundGame, source: u32) -> Result<u64, LeftOut> {
        let (id, game) = match &found.status {
            GameStatus::New { id, game } => (*id, game),
            // Only its number is known.
            GameStatus::Duplicate { .. } => return Err(LeftOut::Duplicate),
            GameStatus::Rejected { .. } => return Err(LeftOut::Unreadable),
        };
        let header = Header::of_events(&game.events);
        let facts = self.options.choose(id, game_of(&game.events), source, &header)?;
        self.game(&facts, &game.events)
    }

    /// Plays a game through and adds its positions.
    fn game(&mut self, facts: &GameFacts, events: &[TimedEvent<'_>]) -> Result<u64, LeftOut> {
        self.played.play(events);
        if !self.played.is_whole() {
            return Err(LeftOut::Illegal);
        }
        self.positions(facts)
    }

    /// Reads the turns of stored games, plays them through and adds their positions.
    fn stored<C>(
        &mut self,
        open: &OpenSource,
        facts: &[GameFacts],
        wanted: &[Wanted],
        source: &SourceInfo,
        part: &mut Part<C>,
    ) -> Result<(), FeatureError>
    where
        F: Fn(FeatureTable, &SourceInfo) -> Result<C, FeatureError>,
    {
        let turns = open.turns(wanted)?;
        let mut events = Vec::new();
        for (place, facts) in facts.iter().enumerate() {
            turns.events(place, &mut events);
            self.played.play(&events);
            open.check_played(&turns, place, &self.played)?;
            let positions = self.positions(facts);
            self.count(part, positions, source)?;
        }
        Ok(())
    }

    /// Adds the positions of the game that was played, the last one first.
    fn positions(&mut self, game: &GameFacts) -> Result<u64, LeftOut> {
        let filter = &self.options.filter;
        let plies: Vec<_> = self.played.standing().map(|(ply, _)| ply).collect();
        if plies.len() < 2 {
            return Err(LeftOut::Short);
        }
        let mut seen = vec![0; plies.len()];
        if self.repetitions {
            let mut times: HashMap<u64, u32> = HashMap::new();
            for (ply, seen) in plies.iter().zip(&mut seen) {
                let times = times.entry(ply.hash_after).or_default();
                *seen = *times;
                *times += 1;
            }
        }
        let most = filter.max_height.map_or(usize::MAX, |most| most as usize);
        let before = self.table.rows();
        let heights = 0..u32::MAX;
        for ((height, (place, ply)), seen) in
            heights.zip(plies.iter().enumerate().rev()).zip(seen.iter().rev()).take(most)
        {
            let view = match &ply.state_after {
                AnyState::Arimaa(state) if !filter.setup && state.phase() == Phase::SilverSetup => continue,
                AnyState::Arimaa(state) => View::Arimaa(ArimaaPosition {
                    position: state.position(),
                    seen: *seen,
                    generator: &self.generator,
                    threats: [OnceCell::new(), OnceCell::new()],
                }),
                AnyState::Amazons(position) => View::Amazons(AmazonsPosition {
                    position,
                    by_queen: OnceCell::new(),
                    by_king: OnceCell::new(),
                }),
            };
            self.table.push(&Subject {
                game,
                to_move: ply.state_after.to_move(),
                ply: u32::try_from(place + 1).unwrap_or(u32::MAX),
                height,
                view,
            });
        }
        match self.table.rows() - before {
            0 => Err(LeftOut::NoPosition),
            positions => Ok(positions as u64),
        }
    }
}
