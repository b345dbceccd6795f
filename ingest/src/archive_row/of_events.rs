use annals_events::{Ended, GameEvent, Side, Started, Termination, TurnTaken};

use super::push_row;
use super::transcript::{Figures, Transcript};
use crate::game_record::Header;
use crate::row::{Column, is_plausible};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    #[error("game {id} makes no row of the archive: its events do not run from its start to its end")]
    NotWhole { id: u64 },
    #[error(
        "game {id} makes no row of the archive: event {place} ({what}) is nothing that the archive can say"
    )]
    NoWords { id: u64, place: usize, what: &'static str },
    #[error(
        "game {id} makes no row of the archive: event {place} has no time in whole seconds from 2002 to 2099, which a \
         row and every line of its server log have"
    )]
    NoTime { id: u64, place: usize },
    #[error("game {id} makes no row of the archive: {column} holds a tab, a line end or `\\n`: {text:?}")]
    BadText { id: u64, column: &'static str, text: String },
}

const SECOND: i64 = 1_000_000;

/// Appends the row of a game from its events; times are microseconds since the Unix epoch. Timed turns give a server
/// log, none gives `NULL`; other games are errors. `mode` is the column of that name. Reading the row gives the same
/// events.
///
/// # Errors
/// If the events are not a complete game, or cannot be expressed in the archive; then nothing is appended.
pub fn push_game(
    out: &mut Vec<u8>,
    transcript: &mut Transcript,
    id: u64,
    mode: &str,
    events: &[(Option<i64>, GameEvent<'_>)],
) -> Result<(), RowError> {
    transcript.clear();
    let Some(((start, GameEvent::Started(started)), rest)) = events.split_first() else {
        return Err(RowError::NotWhole { id });
    };
    let Some(((end, GameEvent::Ended(ended)), between)) = rest.split_last() else {
        return Err(RowError::NotWhole { id });
    };
    if started.position.is_some() || started.pairing.is_some() || started.attempt.is_some() {
        return Err(RowError::NoWords { id, place: 1, what: "a stated position or a pairing" });
    }
    if ended.stated.is_some() {
        return Err(RowError::NoWords { id, place: events.len(), what: "an ending in words of its own" });
    }
    check_texts(id, mode, started)?;
    let logged = between.iter().any(|(at, event)| {
        matches!(event, GameEvent::TurnTaken(_) | GameEvent::TurnRejected(_)) && at.is_some()
    });
    let seconds = |place: usize, at: Option<i64>| {
        at.filter(|at| at.rem_euclid(SECOND) == 0).map(|at| at / SECOND).ok_or(RowError::NoTime { id, place })
    };
    let of_game = |place: usize, at: Option<i64>| seconds(place, at.filter(|at| is_plausible(*at)));
    let (started_at, ended_at) = (of_game(1, *start)?, of_game(events.len(), *end)?);
    let mut writing = Writing { id, transcript, logged, labels: Vec::new() };
    if logged {
        writing.greet(started_at);
    }
    for (place, (at, event)) in (2..).zip(between) {
        let at =
            if logged && !matches!(event, GameEvent::TurnRetracted(_)) { seconds(place, *at)? } else { 0 };
        writing.event(place, at, event)?;
    }
    writing.end(ended_at, ended);
    let header = Header::of_events(events);
    let plycount = Some(header.plycount.unwrap_or_default());
    let header = Header { plycount, mode: Some(mode.into()), ..header };
    push_row(out, id, &header, transcript.list(), logged.then(|| transcript.log()));
    Ok(())
}

fn check_texts(id: u64, mode: &str, started: &Started<'_>) -> Result<(), RowError> {
    let (gold, silver) = (&started.gold, &started.silver);
    let texts = [
        (Column::GoldName, Some(&*gold.name)),
        (Column::SilverName, Some(&*silver.name)),
        (Column::GoldTitle, gold.title.as_deref()),
        (Column::SilverTitle, silver.title.as_deref()),
        (Column::GoldCountry, gold.country.as_deref()),
        (Column::SilverCountry, silver.country.as_deref()),
        (Column::Event, started.event.as_deref()),
        (Column::Site, started.site.as_deref()),
        (Column::TimeControl, started.time_control.as_deref()),
        (Column::Mode, Some(mode)),
    ];
    texts.into_iter().try_for_each(|(column, text)| check(id, column, text.unwrap_or("")))
}

fn check(id: u64, column: Column, text: &str) -> Result<(), RowError> {
    if text.contains(['\t', '\n', '\r']) || text.contains("\\n") {
        return Err(RowError::BadText { id, column: column.name(), text: text.chars().take(80).collect() });
    }
    Ok(())
}

struct Writing<'t> {
    id: u64,
    transcript: &'t mut Transcript,
    logged: bool,
    /// Of the turns in force.
    labels: Vec<(u32, Side)>,
}

impl Writing<'_> {
    fn greet(&mut self, at: i64) {
        for side in Side::BOTH {
            self.transcript.player(at, side, "joining");
            self.transcript.player(at, side, "present");
        }
        self.transcript.begins(at);
    }

    fn event(&mut self, place: usize, at: i64, event: &GameEvent<'_>) -> Result<(), RowError> {
        match event {
            GameEvent::TurnTaken(turn) => self.turn(at, turn)?,
            GameEvent::TurnRejected(turn) if self.logged => {
                check(self.id, Column::Events, &turn.steps)?;
                check(self.id, Column::Events, &turn.reason)?;
                self.transcript.received(at, turn.number, turn.side, turn.steps.as_bytes());
                self.transcript.rejected(at, turn.steps.as_bytes(), turn.reason.as_bytes());
            }
            GameEvent::TurnRetracted(_) if !self.labels.is_empty() => {
                // Under the label that was due; it retracts the one before.
                let (number, side) = self.due();
                self.transcript.list_turn(number, side, b"takeback");
                self.labels.pop();
            }
            other => {
                return Err(RowError::NoWords { id: self.id, place, what: other.type_name() });
            }
        }
        Ok(())
    }

    fn turn(&mut self, at: i64, turn: &TurnTaken<'_>) -> Result<(), RowError> {
        let steps = turn.steps.as_bytes();
        check(self.id, Column::Movelist, &turn.steps)?;
        self.transcript.list_turn(turn.number, turn.side, steps);
        self.labels.push((turn.number, turn.side));
        if self.logged {
            self.transcript.received(at, turn.number, turn.side, steps);
            if let (Some(used), Some(gold), Some(silver), Some(game_time)) =
                (turn.used, turn.gold_reserve, turn.silver_reserve, turn.game_time)
            {
                let figures = Figures { used, reserves: [gold, silver], game_time };
                self.transcript.after(at, turn.number, turn.side, &figures);
            }
        }
        Ok(())
    }

    /// Of the next turn.
    fn due(&self) -> (u32, Side) {
        match self.labels.last() {
            None => (1, Side::Gold),
            Some((number, Side::Gold)) => (*number, Side::Silver),
            Some((number, Side::Silver)) => (number.saturating_add(1), Side::Gold),
        }
    }

    /// Ends list and log; returns the last turn's number.
    fn end(&mut self, at: i64, ended: &Ended<'_>) {
        let (number, side) = self.due();
        self.transcript.list_end(number, side);
        let known = ended.winner.is_some() || ended.draw;
        if let (true, true, Some(how)) = (self.logged, known, ended.termination) {
            if how == Termination::Resignation {
                self.transcript.result(at, ended.winner, how, side);
            }
            self.transcript.finished(at, ended.winner, how);
        }
    }
}
