//! The table of turns: the turns of some games as events.

use std::borrow::Cow;
use std::collections::HashMap;
use std::str::FromStr as _;

use annals_events::{GameEvent, GameKind, Side, Started, TurnTaken};

use super::error::StoredGamesError;
use super::table::{Batch, StoredTable, among};
use crate::game_record::TimedEvent;
use crate::playthrough::{Fate, Playthrough};
use crate::tables::{Rows as _, TurnRows};

pub(super) const COLUMNS: [&str; 5] =
    [TurnRows::game_id, TurnRows::ply, TurnRows::number, TurnRows::side, TurnRows::steps];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub id: u64,
    pub game: GameKind,
    /// The start position, if not the default.
    pub position: Option<Box<str>>,
    /// Start, else end: microseconds since the Unix epoch, UTC.
    pub began: Option<i64>,
    /// By the table of games.
    pub plies: u32,
    /// In the table of games, from 1.
    pub row: u64,
}

#[derive(Debug)]
pub struct StoredTurns<'w> {
    wanted: &'w [Wanted],
    /// By game and ply.
    turns: Vec<Turn>,
    text: String,
}

#[derive(Debug)]
struct Turn {
    /// Index in `wanted`.
    game: usize,
    ply: u32,
    number: u32,
    side: Side,
    text: std::ops::Range<usize>,
    /// Index of the file, and its row there.
    file: usize,
    row: u64,
}

/// Reads the turns of some games, each as many as the table of games states.
pub(super) fn read<'w>(
    games: &StoredTable,
    tables: &[StoredTable],
    wanted: &'w [Wanted],
) -> Result<StoredTurns<'w>, StoredGamesError> {
    let places: HashMap<u64, usize> =
        wanted.iter().zip(0..).map(|(wanted, place)| (wanted.id, place)).collect();
    let mut ids: Vec<u64> = places.keys().copied().collect();
    ids.sort_unstable();
    let may_hold = |least, most| among(&ids, least, most);
    let mut found = StoredTurns { wanted, turns: Vec::new(), text: String::new() };
    for (file, table) in tables.iter().enumerate() {
        for (group, range) in table.ranges(TurnRows::game_id)?.into_iter().enumerate() {
            if !range.is_none_or(|(least, most)| may_hold(least, most)) {
                continue;
            }
            let rows = table.pages(group, TurnRows::game_id, may_hold);
            table.read(group, &rows, &COLUMNS, |batch| found.add(&places, table, file, batch))?;
        }
    }
    found.turns.sort_unstable_by_key(|turn| (turn.game, turn.ply, turn.file, turn.row));
    found.check(games, tables)?;
    Ok(found)
}

impl<'w> StoredTurns<'w> {
    fn add(
        &mut self,
        places: &HashMap<u64, usize>,
        table: &StoredTable,
        file: usize,
        batch: &Batch<'_>,
    ) -> Result<(), StoredGamesError> {
        let ids = batch.counts(TurnRows::game_id)?;
        let mut of =
            ids.values().iter().map(|id| places.get(id).copied()).collect::<Vec<_>>().into_iter().zip(0..);
        let Some(first) = of.find(|(game, _)| game.is_some()) else { return Ok(()) };
        let plies = batch.counts(TurnRows::ply)?;
        let numbers = batch.counts(TurnRows::number)?;
        let (sides, steps) = (batch.texts(TurnRows::side)?, batch.texts(TurnRows::steps)?);
        for (game, place) in std::iter::once(first).chain(of) {
            let Some(game) = game else { continue };
            let (row, wanted) = (batch.row(place), &self.wanted[game]);
            let ply = u32::try_from(plies.value(place)).ok().filter(|ply| (1..=wanted.plies).contains(ply));
            let ply = ply.ok_or_else(|| {
                let (found, plies) = (plies.value(place), wanted.plies);
                let why = format!("has a turn of ply {found} here, and {plies} plies by the table of games");
                table.contradiction(row, wanted.id, why)
            })?;
            let number = u32::try_from(numbers.value(place))
                .map_err(|_| table.value(row, TurnRows::number, "is too large"))?;
            let side = Side::from_str(sides.value(place)).map_err(|_| {
                table.value(row, TurnRows::side, format!("says `{}`, which is no side", sides.value(place)))
            })?;
            let start = self.text.len();
            self.text.push_str(steps.value(place));
            self.turns.push(Turn { game, ply, number, side, text: start..self.text.len(), file, row });
        }
        Ok(())
    }

    /// Checks that every ply of every game occurs once.
    fn check(&self, games: &StoredTable, tables: &[StoredTable]) -> Result<(), StoredGamesError> {
        let mut turns = self.turns.iter().peekable();
        for (place, wanted) in self.wanted.iter().enumerate() {
            for ply in 1..=wanted.plies {
                if turns.next_if(|turn| turn.game == place && turn.ply == ply).is_none() {
                    let why = format!(
                        "has {} plies here, and the table `{}` has no row of its ply {ply}",
                        wanted.plies,
                        TurnRows::SPEC.name
                    );
                    return Err(games.contradiction(wanted.row, wanted.id, why));
                }
                if let Some(again) = turns.peek().filter(|turn| turn.game == place && turn.ply == ply) {
                    let why = format!("has its ply {ply} here a second time");
                    return Err(tables[again.file].contradiction(again.row, wanted.id, why));
                }
            }
        }
        Ok(())
    }

    fn of(&self, game: usize) -> &[Turn] {
        let from = self.turns.partition_point(|turn| turn.game < game);
        let to = self.turns.partition_point(|turn| turn.game <= game);
        &self.turns[from..to]
    }

    /// Replaces `events` by those of the wanted game of this index: start and turns.
    pub fn events<'t>(&'t self, game: usize, events: &mut Vec<TimedEvent<'t>>) {
        let Some(wanted) = self.wanted.get(game) else { return };
        events.clear();
        let started = Started::plain(wanted.game, wanted.position.as_deref().map(Cow::Borrowed));
        events.push((wanted.began, GameEvent::Started(Box::new(started))));
        for turn in self.of(game) {
            let steps = self.text.get(turn.text.clone()).unwrap_or_default();
            events.push((None, GameEvent::TurnTaken(TurnTaken::plain(turn.number, turn.side, steps))));
        }
    }

    /// The turns of the wanted game of this index: number, side, text.
    pub fn standing(&self, game: usize) -> impl Iterator<Item = (u32, Side, &str)> {
        self.of(game)
            .iter()
            .map(|turn| (turn.number, turn.side, self.text.get(turn.text.clone()).unwrap_or_default()))
    }

    /// The first turn that the rules rejected.
    pub(super) fn refused(
        &self,
        games: &StoredTable,
        tables: &[StoredTable],
        game: usize,
        played: &Playthrough,
    ) -> Option<StoredGamesError> {
        let illegal = played.first_illegal()?;
        let wanted = self.wanted.get(game)?;
        let (code, reason) = (illegal.code, &illegal.reason);
        // Without a start there is no state, and every turn fails for that reason. The first event is the start.
        let fallen = played.fallen().iter().find(|fallen| fallen.fate == Fate::Illegal);
        let fallen = fallen.filter(|_| played.initial_state().is_some());
        let turn = fallen.and_then(|fallen| self.of(game).get((fallen.event as usize).checked_sub(1)?));
        Some(match turn {
            Some(turn) => {
                let steps = self.text.get(turn.text.clone()).unwrap_or_default();
                let steps: String = steps.chars().take(200).collect();
                let why = format!(
                    "has a turn that the rules refuse, ply {} `{steps}`: {reason} ({code})",
                    turn.ply
                );
                tables[turn.file].contradiction(turn.row, wanted.id, why)
            }
            None => games.contradiction(wanted.row, wanted.id, format!("cannot begin: {reason} ({code})")),
        })
    }
}
